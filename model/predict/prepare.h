/* prepare.h - phases made ready by a paradigm, and plans of numbers that move,
 * for model/ only. */
#ifndef GPUSCALE_PREDICT_PREPARE_H
#define GPUSCALE_PREDICT_PREPARE_H

#include "paradigm/paradigm.h"

/* False if gscale_predict_time() would fail before it looks at numbers; *used
 * are the knobs that matter. */
bool gscale__is_set(const gscale_plan *p, size_t paradigm,
                    const gscale_knobs *k, gscale_knobs *used);
/* What m makes of phase i, with knobs that are all set: of what is gathered,
 * and but for its length.  Then all of it. */
void gscale__prepare_flow(const gscale_plan *p, const gscale__paradigm *m,
                          const gscale_knobs *k, size_t i, gscale__stage *out);
void gscale__prepare_phase(const gscale_plan *p, const gscale__paradigm *m,
                           const gscale_knobs *k, size_t i, gscale__stage *out);
/* The mechanism of the first length that is not finite, or the END.  It is
 * looked for before lengths are compared: a maximum may lose a NaN. */
gscale_mechanism gscale__overflows(const gscale__stage *l);
/* False if there is one. */
bool gscale__is_finite(const gscale__stage *l);
/* What m makes of each phase. */
void gscale__prepare(const gscale_plan *p, const gscale__paradigm *m,
                     const gscale_knobs *k, gscale__stage *stage);

/* A plan of what the system and workload of another became when some of their
 * numbers moved, for gscale_predict_time: same phases, GPUs, link and
 * capabilities.  What nobody in `changed` asked for (GSCALE__BY) is kept; so
 * are the baseline, and the times of infinite.  Fails as gscale_plan_check, or
 * without memory. */
gscale_status gscale__plan_moved(const gscale_plan *plan, uint64_t changed,
                                 const gscale_system *s,
                                 const gscale_workload *w, gscale_plan **out);

/* A plan and, where that is of another number of GPUs and not of a schedule of
 * the workload's own, the plan of its baseline: so much of it as the baseline's
 * time needs. */
typedef struct gscale__based {
  gscale_plan *plan, *base; /* NULL: the plan is its own */
} gscale__based;
gscale_status gscale__based_new(const gscale_system *s,
                                const gscale_workload *w, int n,
                                gscale__based *out, gscale_diag *diag);
void gscale__based_free(gscale__based *b);
/* As gscale__based_new of s, some of whose numbers are others than in s_was (s
 * itself where these are parameters), and of w, of which some numbers of phases
 * are others than in w_was, to the last bit; but for paradigms that are `left`
 * out, a bit for each, which may miss.  What *was has in common with it is
 * borrowed: it must live as long. */
gscale_status gscale__based_again(const gscale__based *was,
                                  const gscale_system *s_was,
                                  const gscale_system *s,
                                  const gscale_workload *w_was,
                                  const gscale_workload *w, uint64_t left,
                                  gscale__based *out, gscale_diag *diag);
/* Keeps what was compiled for a plan with the one that it was made after, so
 * that others which are made after that find it. */
void gscale__based_lend(gscale__based *to, gscale__based *from);
/* Puts another system into the plan in place; false if that is not enough. */
bool gscale__based_put(gscale__based *b, const gscale_system *s);

#endif /* GPUSCALE_PREDICT_PREPARE_H */

/* SPDX-License-Identifier: GPL-3.0-or-later */
