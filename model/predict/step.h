/* step.h - a step of a workload in a paradigm, for model/predict/ only.
 *
 * host.c and substitute.c write the schedule of a step's host threads,
 * schedule_cache.c stores compiled schedules, and step.c evaluates them. */
#ifndef GPUSCALE_PREDICT_STEP_H
#define GPUSCALE_PREDICT_STEP_H

#include "predict/durations.h"
#include "predict/prepare.h"
#include "timeline/timeline.h"

/* Returns the plan's program for a paradigm, or NULL.  One GPU runs the whole
 * program, even calls that serve other GPUs. */
static inline const gscale__version *
gscale__version_of(const gscale_plan *p, const gscale__paradigm *m)
{
  if (!p->own) return NULL;
  return m->ideal && p->n > 1 ? &p->own->ideal : &p->own->whole;
}

/* ---- lists --------------------------------------------------------------- */

/* A list of actions, which is written first and then compiled. */
typedef struct gscale__listed {
  struct gscale__listed *next;
  gscale_schedule schedule; /* owns its lists */
  uint64_t hash;            /* hash of the actions */
  double far;               /* share of waits for other GPUs */
  bool alone;               /* one GPU represents all */
  bool late;                /* messages overlap the next step */
  bool behind_waits;        /* copies come after waits for kernels */
  gscale__form form;
} gscale__listed;
/* Makes the list of a script's actions in a paradigm, without compiling it.
 * `by_device` means that the host sends nothing to other nodes.  Returns
 * GSCALE_ESIZE for too many actions, or GSCALE_ENOMEM. */
typedef struct gscale__script gscale__script;
gscale_status gscale__list_new(const gscale_plan *p, const gscale__paradigm *m,
                               const gscale__script *script, size_t first,
                               size_t phases, bool by_device, bool alone,
                               gscale__listed **out, gscale_diag *diag);
void gscale__list_free(gscale__listed *l);

/* Returns true if GPUs themselves send to other nodes. */
bool gscale__by_device(const gscale_plan *p, const gscale__stage *stage);

/* Returns true if the paradigm lets a stream replace the host's waits between
 * phases.  The step then has one form. */
bool gscale__streamed(const gscale_plan *p, const gscale__paradigm *m);

/* ---- schedules ----------------------------------------------------------- */

/* Compiles the schedules of the first `paradigms`, with `infinite`, except
 * those with a bit in `left`.  Borrows identical schedules of `like`, a plan
 * for as many paradigms or NULL, or borrows all schedules if `same`. */
gscale_status gscale__step_open(gscale_plan *p, size_t paradigms, uint64_t left,
                                const gscale__forms *like, bool same,
                                gscale_diag *diag);
void gscale__step_close(gscale_plan *p);
void gscale__forms_close(gscale__forms *f);
/* Moves the compiled schedules of `from` to `to`, which must live as long.
 * Does nothing if `to` already has too many schedules. */
void gscale__forms_lend(gscale__forms *to, gscale__forms *from);
/* Returns the number of phases in one form of the paradigm: all or one. */
size_t gscale__step_span(const gscale_plan *p, size_t paradigm);
/* Returns true if the plan has the paradigm's schedules. */
bool gscale__form_opened(const gscale_plan *p, size_t paradigm);
/* Returns the paradigm's schedule of the piece that begins with `phase`. */
const gscale__form *gscale__form_at(const gscale_plan *p, size_t paradigm,
                                    bool by_device, size_t phase);
/* ---- evaluation ---------------------------------------------------------- */

/* Fills the system's costs for the plan's GPUs and threads (plans.c). */
void gscale__step_costs(gscale_plan *p);

/* Returns how often a step runs the form that begins with phase i. */
double gscale__step_repeats(const gscale_plan *p, size_t paradigm, size_t i);
/* Returns the period in s of the form that begins with phase i, and fills all
 * costs of the form's timeline. stage[i] is the paradigm's stage of phase i. */
double gscale__step_piece(const gscale_plan *p, size_t paradigm, size_t i,
                          const gscale__stage *stage, double *cost);

/* Returns the bit of a phase.  Phases after the 61st share one bit. */
static inline uint64_t gscale__phase_bit(size_t i)
{
  return (uint64_t)1 << (i < 61 ? i : 61);
}

/* Two knobs are searched from their least value by powers of two.  A knob that
 * is not in use is NaN (knobs.c). */
typedef struct gscale__grid {
  gscale_knobs given;
  uint64_t phases; /* bits of affected phases */
  double least[GSCALE_KNOB_END], most[GSCALE_KNOB_END];
} gscale__grid;
/* Returns the time in s of the best point.  Of equally good points, the one
 * with the smallest chunk is taken, then the one with the smallest width. */
double gscale__search_knobs(const gscale_plan *p, size_t paradigm,
                            const gscale__grid *g, gscale_knobs *k);

/* Finds a factor x on the work of all kernels, and a factor h on all other
 * times (gscale_plan.host_by), with which one GPU takes `single`:
 *
 *   T(x, h) = single.
 *
 * T is homogeneous of degree 1, and convex, piecewise linear and non-decreasing
 * in x, so that Newton's method from above ends at the root.  If T(0, 1)
 * exceeds `single`, h = single / T(0, 1), and the kernels hide behind the host:
 * x / h is the largest value that leaves T unchanged.  The factors x and h are
 * continuous and non-decreasing in `single`.  If T does not depend on x, both
 * factors are single / T(0, 1).  `one` is the unscaled plan of one GPU.  The
 * forms of `one` are kept as one->single, or borrowed as in
 * gscale__step_open(). */
typedef struct gscale__factors {
  double compute, host;
} gscale__factors;
gscale_status gscale__step_factor(gscale_plan *one, double single, int parts,
                                  const gscale__forms *like, bool same,
                                  gscale__factors *of, gscale_diag *diag);

/* Returns the time in s of a step whose data moves in no time.  The host waits
 * as in the given row of `infinite`. */
double gscale__step_bound(const gscale_plan *p, size_t paradigm);

/* Fills the time in s of each loss (gscale_loss), also for `infinite`.  The
 * times sum to the step's.  Returns the time in s of communication alone. */
double gscale__step_spent(const gscale_plan *p, size_t paradigm,
                          const gscale__stage *stage, double *spent);
/* Lists the terms of a step's time. */
void gscale__step_terms(const gscale_plan *p, size_t paradigm,
                        const gscale__stage *stage, gscale__terms *terms);
void gscale__bound_spent(const gscale_plan *p, double *spent);

/* Returns the time in s of a step. stage[i] is the paradigm's stage of phase i,
 * and `attribution` may be NULL. */
double gscale__step_time(const gscale_plan *p, size_t paradigm,
                         const gscale__stage *stage,
                         gscale__attribution *attribution);

/* ---- predictions --------------------------------------------------------- */

/* Predicts a step from prepared stages. */
gscale_status gscale__predict_ready(const gscale_plan *p, size_t paradigm,
                                    gscale__stage *l, const gscale_knobs *used,
                                    gscale_prediction *out, gscale_diag *diag);

/* ---- power --------------------------------------------------------------- */

/* Returns the time in s of all kernels of a step, exposed or not. */
double gscale__kernels(const gscale_plan *p);
/* Returns the time in s that the busiest GPU computes. */
double gscale__busy(const gscale_plan *p, const gscale_prediction *r);
/* Returns true if a host with messages polls without a pause. */
bool gscale__polls(const gscale_plan *p, const gscale_knobs *k);
/* Returns the time in s that a host is awake. */
double gscale__awake(const gscale_plan *p, const gscale_prediction *r);

#endif /* GPUSCALE_PREDICT_STEP_H */

/* SPDX-License-Identifier: GPL-3.0-or-later */
