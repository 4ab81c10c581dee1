/* step.h - a step of a workload by a paradigm: the schedule of its host
 * threads, compiled, and how long it takes.  For model/predict/ only.
 *
 * host.c and substitute.c write it down, schedule_cache.c keeps it, step.c
 * evaluates it. */
#ifndef GPUSCALE_PREDICT_STEP_H
#define GPUSCALE_PREDICT_STEP_H

#include "predict/durations.h"
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

/* ---- lists (action_list.c)
 * -------------------------------------------------------
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

/* ---- forms of a plan (schedule_cache.c)
 * ---------------------------------------------
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

/* A bit for each phase; those behind the 61st share one. */
static inline uint64_t gscale__phase_bit(size_t i)
{
  return (uint64_t)1 << (i < 61 ? i : 61);
}

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

/* ---- a prediction (predict.c) ----------------------------------------------
 */

/* Of phases that are made ready. */
gscale_status gscale__predict_ready(const gscale_plan *p, size_t paradigm,
                                    gscale__stage *l, const gscale_knobs *used,
                                    gscale_prediction *out, gscale_diag *diag);

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
