/* step.h - a step of a workload by a paradigm: the schedule of its host
 * threads, compiled, and how long it takes.  For model/predict/ only.
 *
 * emit.c writes the schedule down, forms.c keeps it, step.c evaluates it,
 * paths.c makes the timelines that begin anew in every step cheap to evaluate.
 */
#ifndef GPUSCALE_PREDICT_STEP_H
#define GPUSCALE_PREDICT_STEP_H

#include "ground/ground.h"
#include "paradigm/emit.h"
#include "predict/prepare.h"

/* ---- schedules (emit.c) ---------------------------------------------------
 */

/* Of phases first .. first + phases - 1 by a paradigm, as their host runs it;
 * `by_device`: the host has nothing to send to other nodes.
 * GSCALE_ESIZE: too many actions; GSCALE_ENOMEM. */
typedef struct gscale__listed {
  gscale_schedule schedule; /* its lists are its own */
  double far;               /* share of its waits that are for other GPUs */
  bool alone;               /* one GPU stands for all */
} gscale__listed;
gscale_status gscale__list_new(const gscale_plan *p, size_t paradigm,
                               size_t first, size_t phases, bool by_device,
                               gscale__listed *out, gscale_diag *diag);
void gscale__list_free(gscale__listed *l);
/* The same compiled. */
gscale_status gscale__form_new(const gscale_plan *p, size_t paradigm,
                               size_t first, size_t phases, bool by_device,
                               gscale__form **out, gscale_diag *diag);
void gscale__form_free(gscale__form *f);

/* Whether the program calls for more than kernels and what they publish. */
bool gscale__calls_more(const gscale__phase_plan *f);
/* How often a phase is written down. */
double gscale__times_of(const gscale_plan *p, size_t phase);
/* Whether GPUs wait for each other's events around that phase: the host waits
 * for none of it, and data moves. */
bool gscale__exchanges(const gscale_plan *p, const gscale__paradigm *m,
                       const gscale__phase_plan *f);

/* Whether the phase has something that its publish() calls for: a collective
 * of all nodes, or what stays inside one. */
static inline bool gscale__publishes(const gscale__paradigm *m,
                                     const gscale__phase_plan *f)
{
  return m->publish && (f->out > 0.0 || (m->joined && f->far.out > 0.0));
}

/* Whether GPUs send to other nodes themselves. */
bool gscale__by_device(const gscale_plan *p, const gscale__stage *stage);

/* Whether the paradigm leaves the waits between phases, which the host would
 * make, to a stream: one form for the step. */
bool gscale__streamed(const gscale_plan *p, const gscale__paradigm *m);

/* ---- forms ----------------------------------------------------------------
 */

/* times of a cost */
typedef struct gscale__term {
  int cost;
  double times;
} gscale__term;

/* "done", "norm", and the GPU that records it. */
const char *gscale__event_name(int event);
int gscale__event_gpu(int event);

/* A compiled schedule.  If each step begins when all before has ended, its
 * period is the longest of a few paths, whose terms lie one after the other;
 * else the timeline is asked. */
struct gscale__form {
  gscale_timeline *timeline;
  int durations;
  double far; /* share of waits that are for other GPUs */
  int paths;
  int *first; /* term of each path, and one past the last */
  gscale__term *term;
};

/* The paths of a timeline of one thread whose last call, of `last`, is behind
 * all that the step has begun.  False: no memory; no paths: too many. */
bool gscale__find_paths(const gscale_timeline *t, size_t last, gscale__form *f);

/* ---- forms of a plan (forms.c) ---------------------------------------------
 */

/* Compiles what the plan needs for the first so many paradigms, of which
 * `infinite` is one; or borrows what another plan has, if it is the same. */
gscale_status gscale__step_open(gscale_plan *p, size_t paradigms,
                                const gscale__forms *like, gscale_diag *diag);
void gscale__step_close(gscale_plan *p);
void gscale__forms_close(gscale__forms *f);
/* Phases that a form of the paradigm spans, from the first or each by itself.
 */
size_t gscale__step_span(const gscale_plan *p, size_t paradigm);
/* That of the paradigm which begins with that phase. */
const gscale__form *gscale__form_at(const gscale_plan *p, size_t paradigm,
                                    bool by_device, size_t phase);
/* The i-th of all of the paradigm; NULL behind the last. */
const gscale__form *gscale__form_nth(const gscale_plan *p, size_t paradigm,
                                     size_t i);

/* ---- evaluation (step.c) --------------------------------------------------
 */

/* The system's costs for the plan's GPUs and threads. */
void gscale__step_costs(gscale_plan *p);

/* How often the form that begins with phase i runs in a step. */
double gscale__step_repeats(const gscale_plan *p, size_t paradigm, size_t i);
enum {
  GSCALE__STEP_COSTS = GSCALE_COST_END + GSCALE__PHASES_MAX * GSCALE__SLOTS +
                       GSCALE_PUBLISHED_WORKS
};
/* s, one period of that form; fills in its costs, and its gradient if it is not
 * NULL.  stage[i] is what the paradigm makes of phase i. */
double gscale__step_piece(const gscale_plan *p, size_t paradigm, size_t i,
                          const gscale__stage *stage, double *cost,
                          double *gradient);

/* A step as it was evaluated, kept so that only what changes is evaluated
 * again: the costs, and the period, of what begins with each phase. */
enum {
  GSCALE__PHASE_COSTS = (int)GSCALE_COST_END + GSCALE__SLOTS
};
typedef struct gscale__held {
  bool by_device;
  double period[GSCALE__PHASES_MAX]; /* s */
  double cost[GSCALE__PHASES_MAX * GSCALE__PHASE_COSTS];
} gscale__held;

/* A bit for each phase; those behind the 61st share one. */
static inline uint64_t gscale__phase_bit(size_t i)
{
  return (uint64_t)1 << (i < 61 ? i : 61);
}

/* s, a step; *out keeps it. */
double gscale__step_hold(const gscale_plan *p, size_t paradigm,
                         const gscale__stage *stage, gscale__held *out);
/* The same to the last bit as gscale__step_time(), of a step that differs from
 * *h in stage[] of some phases and in some of the system's costs, a bit for
 * each.  *h stays. */
double gscale__step_again(const gscale_plan *p, size_t paradigm,
                          const gscale__stage *stage, gscale__held *h,
                          uint64_t phases, uint64_t costs);

/* Durations of a schedule's phases, of each GSCALE__SLOTS. */
typedef struct gscale__durations {
  double of[GSCALE__PHASES_MAX * GSCALE__SLOTS]; /* s */
} gscale__durations;
void gscale__step_durations(const gscale_plan *p, const gscale__stage *stage,
                            gscale__durations *out);
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

/* Which costs matter to a paradigm, a bit for each. */
uint64_t gscale__step_costs_used(const gscale_plan *p, size_t paradigm);

/* Factor on the work of all kernels with which one GPU takes `single`
 * (gscale__solve_factor).  The plan is that of one GPU, unscaled; its forms are
 * kept as plan->single, or borrowed. */
gscale_status gscale__step_factor(gscale_plan *one, double single,
                                  const gscale__forms *like, double *factor,
                                  gscale_diag *diag);

/* The part of a cost of a timeline. */
gscale_mechanism gscale__cost_mechanism(int cost);

/* s, a step of all phases with data that moves in no time. */
double gscale__step_infinite(const gscale_plan *p);

/* What a step is made of, by mechanism. */
typedef struct gscale__spent {
  double time;
  double of[GSCALE_MECHANISM_END];    /* s, along the critical cycle */
  double saved[GSCALE_MECHANISM_END]; /* s, of it, if it took 1 % less */
  double flow[GSCALE__PHASES_MAX];    /* dT/d(length of each phase's flow) */
} gscale__spent;

/* s, a step; stage[i] is what the paradigm makes of phase i.  `spent` may be
 * NULL. */
double gscale__step_time(const gscale_plan *p, size_t paradigm,
                         const gscale__stage *stage, gscale__spent *spent);

#endif /* GPUSCALE_PREDICT_STEP_H */
