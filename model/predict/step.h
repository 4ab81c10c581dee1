/* step.h - a step of a workload by a paradigm: the schedule of its host
 * threads, compiled, and how long it takes.  For model/predict/ only.
 *
 * host.c and replace.c write it down, forms.c keeps it, step.c evaluates it. */
#ifndef GPUSCALE_PREDICT_STEP_H
#define GPUSCALE_PREDICT_STEP_H

#include "predict/lasts.h"
#include "predict/prepare.h"
#include "timeline/timeline.h"

/* The plan's program, for a paradigm; NULL if it has none.  One GPU runs it as
 * it is: what it calls for the sake of others it calls there, too. */
static inline const gscale__version *
gscale__version_of(const gscale_plan *p, const gscale__paradigm *m)
{
  if (!p->own) return NULL;
  return m->ideal && p->n > 1 ? &p->own->ideal : &p->own->whole;
}

/* ---- lists (emit.c) -------------------------------------------------------
 */

/* A list of actions that is written down, and compiled. */
typedef struct gscale__listed {
  struct gscale__listed *next;
  gscale_schedule schedule; /* its lists are its own */
  uint64_t hash;            /* of its actions */
  double far;               /* share of its waits that are for other GPUs */
  bool alone;               /* one GPU stands for all */
  bool late;                /* messages go on in the next step */
  bool behind_waits; /* copies are called for when kernels were waited for */
  gscale__form form;
} gscale__listed;
/* What a script becomes by a paradigm; `by_device`: the host has nothing to
 * send to other nodes.  It is not compiled. GSCALE_ESIZE: too many actions;
 * GSCALE_ENOMEM. */
typedef struct gscale__script gscale__script;
gscale_status gscale__list_new(const gscale_plan *p, const gscale__paradigm *m,
                               const gscale__script *script, size_t first,
                               size_t phases, bool by_device, bool alone,
                               gscale__listed **out, gscale_diag *diag);
void gscale__list_free(gscale__listed *l);

/* Whether GPUs send to other nodes themselves. */
bool gscale__by_device(const gscale_plan *p, const gscale__stage *stage);

/* Whether the paradigm leaves the waits between phases, which the host would
 * make, to a stream: one form for the step. */
bool gscale__streamed(const gscale_plan *p, const gscale__paradigm *m);

/* ---- forms of a plan (forms.c) ---------------------------------------------
 */

/* Compiles what the plan needs for the first so many paradigms, of which
 * `infinite` is one, but for those that are `left` out, a bit for each.  What
 * another plan has for as many (or NULL) is borrowed, if its lists are the
 * same, or all of it if it is known to be. */
gscale_status gscale__step_open(gscale_plan *p, size_t paradigms, uint64_t left,
                                const gscale__forms *like, bool same,
                                gscale_diag *diag);
void gscale__step_close(gscale_plan *p);
void gscale__forms_close(gscale__forms *f);
/* What was compiled for the one is the other's from then on, if that has not
 * too many: it must live as long as the one. */
void gscale__forms_lend(gscale__forms *to, gscale__forms *from);
/* Phases that a form of the paradigm spans, from the first or each by itself.
 */
size_t gscale__step_span(const gscale_plan *p, size_t paradigm);
/* Whether the plan has the paradigm's schedules. */
bool gscale__form_opened(const gscale_plan *p, size_t paradigm);
/* The paradigm's schedule of the piece that begins with that phase. */
const gscale__form *gscale__form_at(const gscale_plan *p, size_t paradigm,
                                    bool by_device, size_t phase);
/* The i-th schedule of the paradigm; NULL behind the last. */
const gscale__form *gscale__form_nth(const gscale_plan *p, size_t paradigm,
                                     size_t i);

/* ---- evaluation (step.c) --------------------------------------------------
 */

/* The system's costs for the plan's GPUs and threads (plans.c). */
void gscale__step_costs(gscale_plan *p);

/* How often the form that begins with phase i runs in a step. */
double gscale__step_repeats(const gscale_plan *p, size_t paradigm, size_t i);
enum {
  GSCALE__STEP_COSTS = (int)GSCALE_COST_END +
                       (int)GSCALE__PHASES_MAX * GSCALE__SLOTS +
                       GSCALE_PUBLISHED_WORKS
};
/* s, one period of that form; fills in its costs, so many as its timeline has.
 * stage[i] is what the paradigm makes of phase i. */
double gscale__step_piece(const gscale_plan *p, size_t paradigm, size_t i,
                          const gscale__stage *stage, double *cost);

/* A piece of a step: what the host waits for at once. */
typedef struct gscale__piece {
  const gscale__form *form;
  const gscale__version *own; /* the program's schedule, or NULL */
  size_t first, phases;
  int slots;     /* durations of phases; those of the program's own follow */
  double weight; /* times in a step */
} gscale__piece;

/* A bit for each phase; those behind the 61st share one. */
static inline uint64_t gscale__phase_bit(size_t i)
{
  return (uint64_t)1 << (i < 61 ? i : 61);
}

/* ---- steps near one (near.c) ------------------------------------------------
 */

/* Up to GSCALE__AT_ONCE steps that are kept, and steps near them, of which
 * little is another, whose times are found beside each other. */
typedef struct gscale__near gscale__near;
gscale__near *gscale__near_new(void); /* or NULL */
void gscale__near_free(gscale__near *s);
/* Its plan is no longer: the memory stays. */
void gscale__near_forget(gscale__near *s);
gscale__memo *gscale__near_memo(gscale__near *s);
/* Step k, by phases with their lengths; stage[] has to stay.  All are the first
 * until they are held; they differ from it in nothing but stage[].  False
 * without memory, or if it is unlike the first. */
bool gscale__near_hold(gscale__near *s, const gscale_plan *p, size_t row,
                       const gscale__stage *stage, int k);
/* s, the times of so many. */
void gscale__near_begin(gscale__near *s, int n, double *time);
/* Step k, or any if only the first is held, with another stage[] of some
 * phases, a bit for each, of its plan or one of as many phases: */
/* whether it sends to other nodes in the same way, by the same schedules, as
 * often; */
bool gscale__near_alike(const gscale__near *s, const gscale_plan *p,
                        const gscale__stage *stage, uint64_t phases, int k);
/* what these last, whose lengths are not read; */
void gscale__near_phases(gscale__near *s, const gscale_plan *p,
                         const gscale__stage *stage, uint64_t phases, int k);
/* some of the system's costs, or all that is not of stage[]: k < 0, of all; */
void gscale__near_calls(gscale__near *s, const gscale_plan *p, uint64_t costs,
                        bool all, int k);
/* and the program's own work, which hangs on all phases. */
void gscale__near_works(gscale__near *s, const gscale_plan *p,
                        gscale__stage *stage, int k);
/* s, gscale__step_time(), but for rounding, of n steps near; then none is put.
 */
void gscale__near_times(gscale__near *s, int n, double *const *time);

/* Durations of a schedule's phases, of each GSCALE__SLOTS; 0: it has none. */
typedef struct gscale__durations {
  double of[GSCALE__PHASES_MAX * GSCALE__SLOTS]; /* s */
} gscale__durations;
void gscale__step_durations(const gscale_plan *p, size_t paradigm,
                            const gscale__stage *stage, gscale__durations *out);
/* s, a step with these durations; stage[] says no more than who sends to other
 * nodes.  slope may be NULL. */
double gscale__step_lasting(const gscale_plan *p, size_t paradigm,
                            const gscale__stage *stage,
                            const gscale__durations *d,
                            gscale__durations *slope);
/* Whether all its periods are the longest of a few paths. */
bool gscale__step_is_sums(const gscale_plan *p, size_t paradigm);

/* A step's time about some durations. */
typedef struct gscale__tangent {
  double time; /* s */
  gscale__durations at, slope;
} gscale__tangent;
void gscale__step_tangent(const gscale_plan *p, size_t paradigm,
                          const gscale__stage *stage, gscale__tangent *out);
/* s: no step with other durations takes less. */
double gscale__step_least(const gscale_plan *p, const gscale__tangent *t,
                          const gscale__durations *d);

/* The points of two knobs, each from its least by powers of two; an unused one
 * is NaN (knobs.c). */
typedef struct gscale__grid {
  gscale_knobs given;
  uint64_t phases; /* a bit for each that these matter to */
  double least[GSCALE_KNOB_END], most[GSCALE_KNOB_END];
} gscale__grid;
/* s, of the best; of some that are as good the one with the smallest chunk,
 * then the smallest width. */
double gscale__search_knobs(const gscale_plan *p, size_t paradigm,
                            const gscale__grid *g, gscale_knobs *k);

/* Factors x on the work of all kernels and h on all else (gscale_plan.host_by)
 * with which one GPU takes `single`:
 *
 *   T(x, h) = single
 *
 * T is homogeneous of degree 1.  In x it is convex and piecewise linear and
 * does not fall: Newton's steps from above end at the root.  Where T(0, 1) is
 * above `single`, h = single / T(0, 1), and the kernels hide behind the host:
 * x / h is the most that changes nothing.  So x and h are continuous in
 * `single` and do not fall.  If no x matters, both are single / T(0, 1).
 * The plan is that of one GPU, unscaled; its forms are kept as plan->single, or
 * borrowed as gscale__step_open(). */
typedef struct gscale__factors {
  double compute, host;
} gscale__factors;
gscale_status gscale__step_factor(gscale_plan *one, double single, int parts,
                                  const gscale__forms *like, bool same,
                                  gscale__factors *of, gscale_diag *diag);

/* s, a step of all phases with data that moves in no time, and a host that
 * waits as by this row of `infinite`. */
double gscale__step_bound(const gscale_plan *p, size_t paradigm);

/* s, a step; stage[i] is what the paradigm makes of phase i.  `spent` may be
 * NULL. */
double gscale__step_time(const gscale_plan *p, size_t paradigm,
                         const gscale__stage *stage, gscale__spent *spent);

/* The same with memos of the timelines of pieces, where each begins, for the
 * next time; memo may be NULL.  Without `spent`, but for rounding. */
double gscale__step_spent(const gscale_plan *p, size_t paradigm,
                          const gscale__stage *stage, gscale__memo *memo,
                          gscale__spent *spent);
/* Opens those that it needs, of GSCALE__PHASES_MAX cleared ones; false without
 * memory. */
bool gscale__step_memos(const gscale_plan *p, size_t paradigm,
                        const gscale__stage *stage, gscale__memo *memo);

/* ---- several points beside each other (points.c) ---------------------------
 *
 * Of GSCALE__AT_ONCE points what the paradigm makes of each phase is made ready
 * and put while the point's numbers are; what it is spent on, or its time, is
 * found for all of them at once. */

typedef struct gscale__points gscale__points;
gscale__points *gscale__points_new(void); /* or NULL */
void gscale__points_free(gscale__points *s);
/* Of a step, with stage[] of its phases for the time being, and memos of its
 * timelines that are its own: those of GSCALE__PHASES_MAX pieces.  False
 * without memory. */
bool gscale__points_open(gscale__points *s, const gscale_plan *p, size_t row,
                         const gscale__stage *stage);
gscale__memo *gscale__points_memo(gscale__points *s);
/* The timelines are no longer: their memory stays. */
void gscale__points_forget(gscale__points *s);
/* Makes all points those of stage[], with the numbers that are put; then only
 * what moves has to be put.  False without memory. */
bool gscale__points_start(gscale__points *s, const gscale__stage *stage);
/* Whether the cycles of its timelines are chosen. */
bool gscale__points_ready(const gscale__points *s);
/* Phases of point k: what is put, but for their lengths. */
gscale__stage *gscale__points_stage(const gscale__points *s, int k);
/* Of point k: what hangs on some phases, a bit for each, or all of it. */
void gscale__points_put(gscale__points *s, uint64_t phases, bool all, int k);
/* s, steps of the first n points, where these phases may have moved. */
void gscale__points_times(gscale__points *s, uint64_t phases, int n,
                          double *time);
/* The same and what they are made of.  Nothing is known of a point whose
 * critical cycle is another, or that has no finite time. */
void gscale__points_find(gscale__points *s, uint64_t phases, int n);
bool gscale__points_known(const gscale__points *s, int k);
void gscale__points_parts(const gscale__points *s, int k, gscale__parts *out);

/* ---- a prediction (predict.c) ----------------------------------------------
 */

/* Of phases that are made ready, with memos (gscale__step_memos) or NULL, and
 * the time of the first step, s, or NULL. */
gscale_status gscale__predict_ready(const gscale_plan *p, size_t paradigm,
                                    gscale__stage *l, const gscale_knobs *used,
                                    gscale__memo *memo, const double *first,
                                    gscale_prediction *out, gscale_diag *diag);

/* Of parts that were found already. */
gscale_status gscale__predict_spent(const gscale_plan *p, size_t paradigm,
                                    gscale__stage *l, const gscale_knobs *used,
                                    const gscale__parts *parts,
                                    const double *first, gscale_prediction *out,
                                    gscale_diag *diag);

/* ---- predicted again (again.c) ---------------------------------------------
 */

/* A prediction, kept so that of the next only phases that ask for a number
 * which changes are made ready again. */
typedef struct gscale__again gscale__again;
gscale__again *gscale__again_new(void); /* or NULL */
void gscale__again_free(gscale__again *a);
/* As gscale_predict(), from a plan that was `made` since the last time. */
gscale_status gscale__predict_first(gscale__again *a, const gscale_plan *p,
                                    bool made, size_t paradigm,
                                    const gscale_knobs *k,
                                    gscale_prediction *out, gscale_diag *diag);
/* Who asked for a parameter, a bit for each phase; and whether it was not asked
 * for before there were phases: then it is a first prediction once more. */
uint64_t gscale__asked_for(const gscale__again *a, gscale_param_id id);
/* The same for what phases gather. */
uint64_t gscale__gathered_for(const gscale__again *a, gscale_param_id id);
bool gscale__same_checks(uint64_t who);
/* After numbers changed in the plan that these ask for. */
gscale_status gscale__predict_again(gscale__again *a, uint64_t who,
                                    gscale_prediction *out, gscale_diag *diag);

/* Of GSCALE__AT_ONCE points at most, after a prediction that is held: each
 * point's numbers are put and looked at; then all are settled; then each is
 * predicted, its numbers put once more if it needs them; and what is held is
 * the last one. */
bool gscale__predicts_beside(gscale__again *a); /* whether it can */
void gscale__predict_look(gscale__again *a, uint64_t who, uint64_t gather,
                          int k);
void gscale__predict_settle(gscale__again *a, uint64_t who, int n);
bool gscale__predict_needs(const gscale__again *a, uint64_t who, int k);
gscale_status gscale__predict_looked(gscale__again *a, int k,
                                     gscale_prediction *out, gscale_diag *diag);
void gscale__predict_held(gscale__again *a, int n);

/* ---- what draws power (power.c) ------------------------------------------ */

/* s, of all kernels of a step, exposed or not. */
double gscale__kernels(const gscale_plan *p);
/* s, that the busiest GPU computes. */
double gscale__busy(const gscale_plan *p, const gscale_prediction *r);
/* Whether a host that has messages to care for polls all the time. */
bool gscale__polls(const gscale_plan *p, const gscale_knobs *k);
/* s, that a host is awake. */
double gscale__awake(const gscale_plan *p, const gscale_prediction *r);

#endif /* GPUSCALE_PREDICT_STEP_H */

/* SPDX-License-Identifier: GPL-3.0-or-later */
