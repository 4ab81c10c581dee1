/* prepare.h - stages of phases, and plans after changes, for model/ only. */
#ifndef GPUSCALE_PREDICT_PREPARE_H
#define GPUSCALE_PREDICT_PREPARE_H

#include "paradigm/paradigm.h"

/* Returns false if gscale_predict_time() would fail before it evaluates
 * numbers.  Sets *used to the knobs in use. */
bool gscale__is_set(const gscale_plan *p, size_t paradigm,
                    const gscale_knobs *k, gscale_knobs *used);
/* Fill the stage of phase i with all knobs set. gscale__prepare_flow() needs
 * `gathered` and omits the length, which gscale__prepare_phase() also fills. */
void gscale__prepare_flow(const gscale_plan *p, const gscale__paradigm *m,
                          const gscale_knobs *k, size_t i, gscale__stage *out);
void gscale__prepare_phase(const gscale_plan *p, const gscale__paradigm *m,
                           const gscale_knobs *k, size_t i, gscale__stage *out);
/* Returns the mechanism of the first length that is not finite, or the END.
 * Call this before lengths are compared, because a maximum may lose a NaN. */
gscale_mechanism gscale__overflows(const gscale__stage *l);
/* Returns false if any length of a stage overflows. */
bool gscale__is_finite(const gscale__stage *l);
/* Fills the stages of all phases. */
void gscale__prepare(const gscale_plan *p, const gscale__paradigm *m,
                     const gscale_knobs *k, gscale__stage *stage);

/* Makes a plan after some numbers of the system and workload changed, for
 * gscale_predict_time().  Phases, GPUs, link and capabilities must be the same.
 * The new plan keeps the baseline, the times of `infinite` and all that nobody
 * in `changed` asked for (GSCALE__BY).  Fails as gscale_plan_check() does, or
 * if memory is exhausted. */
gscale_status gscale__plan_moved(const gscale_plan *plan, uint64_t changed,
                                 const gscale_system *s,
                                 const gscale_workload *w, gscale_plan **out);

/* A plan and the plan of its baseline.  The plan of the baseline exists if the
 * baseline has another number of GPUs and the workload has no schedule of its
 * own, and has only what the baseline's time needs. */
typedef struct gscale__based {
  gscale_plan *plan, *base; /* base == NULL: plan itself */
} gscale__based;
gscale_status gscale__based_new(const gscale_system *s,
                                const gscale_workload *w, int n,
                                gscale__based *out, gscale_diag *diag);
void gscale__based_free(gscale__based *b);
/* Makes plans after numbers of the system s changed from s_was (which may be s
 * for parameters), or phases of w changed from w_was.  Results are equal to the
 * last bit, but paradigms with a bit in `left` may be missing.  The new plans
 * borrow unchanged parts from *was, which must outlive them. */
gscale_status gscale__based_again(const gscale__based *was,
                                  const gscale_system *s_was,
                                  const gscale_system *s,
                                  const gscale_workload *w_was,
                                  const gscale_workload *w, uint64_t left,
                                  gscale__based *out, gscale_diag *diag);
/* Moves schedules compiled for a plan to an earlier one for later plans. */
void gscale__based_lend(gscale__based *to, gscale__based *from);
#endif /* GPUSCALE_PREDICT_PREPARE_H */

/* SPDX-License-Identifier: GPL-3.0-or-later */
