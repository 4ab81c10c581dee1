/* prepare.h - stages of phases, and plans of changed numbers, for model/
 * only. */
#ifndef GPUSCALE_PREDICT_PREPARE_H
#define GPUSCALE_PREDICT_PREPARE_H

#include "paradigm/paradigm.h"

/* Returns false if gscale_predict_time() would fail before it evaluates
 * numbers.  Sets *used to the knobs that matter. */
bool gscale__is_set(const gscale_plan *p, size_t paradigm,
                    const gscale_knobs *k, gscale_knobs *used);
/* Fill the stage of phase i with all knobs set.  The first needs `gathered` and
 * leaves out the length, and the second fills all. */
void gscale__prepare_flow(const gscale_plan *p, const gscale__paradigm *m,
                          const gscale_knobs *k, size_t i, gscale__stage *out);
void gscale__prepare_phase(const gscale_plan *p, const gscale__paradigm *m,
                           const gscale_knobs *k, size_t i, gscale__stage *out);
/* Returns the mechanism of the first length that is not finite, or the END.  It
 * must precede comparisons of lengths, as a maximum may lose a NaN. */
gscale_mechanism gscale__overflows(const gscale__stage *l);
/* Returns false if a length overflows. */
bool gscale__is_finite(const gscale__stage *l);
/* Fills the stages of all phases. */
void gscale__prepare(const gscale_plan *p, const gscale__paradigm *m,
                     const gscale_knobs *k, gscale__stage *stage);

/* Makes a plan after some numbers of the system and workload changed, for
 * gscale_predict_time.  Phases, GPUs, link and capabilities are the same.  It
 * keeps what nobody in `changed` asked for (GSCALE__BY), the baseline and the
 * times of infinite.  Fails as gscale_plan_check does, or without memory. */
gscale_status gscale__plan_moved(const gscale_plan *plan, uint64_t changed,
                                 const gscale_system *s,
                                 const gscale_workload *w, gscale_plan **out);

/* A plan comes with the plan of its baseline if that has another number of GPUs
 * and no schedule of the workload's own.  The latter has only what the
 * baseline's time needs. */
typedef struct gscale__based {
  gscale_plan *plan, *base; /* NULL: plan itself */
} gscale__based;
gscale_status gscale__based_new(const gscale_system *s,
                                const gscale_workload *w, int n,
                                gscale__based *out, gscale_diag *diag);
void gscale__based_free(gscale__based *b);
/* Makes plans for other numbers of the system s, compared with s_was (which may
 * be s for parameters), and of the phases of w, compared with w_was.  Results
 * are equal to the last bit, except that paradigms with a bit in `left` may be
 * missing.  Unchanged parts are borrowed from *was, which must live as long. */
gscale_status gscale__based_again(const gscale__based *was,
                                  const gscale_system *s_was,
                                  const gscale_system *s,
                                  const gscale_workload *w_was,
                                  const gscale_workload *w, uint64_t left,
                                  gscale__based *out, gscale_diag *diag);
/* Keeps schedules that were compiled for a plan with its predecessor, where
 * later plans find them. */
void gscale__based_lend(gscale__based *to, gscale__based *from);
#endif /* GPUSCALE_PREDICT_PREPARE_H */

/* SPDX-License-Identifier: GPL-3.0-or-later */
