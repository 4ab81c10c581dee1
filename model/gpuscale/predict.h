/* predict.h - paradigms, plans, predictions and their errors. */
#ifndef GSCALE_PREDICT_H
#define GSCALE_PREDICT_H

#include "gpuscale/collective.h"
#include "gpuscale/message.h"
#include "gpuscale/system.h"
#include "gpuscale/workload.h"

#include <stdint.h>

typedef enum gscale_knob {
  GSCALE_CHUNK, /* B, unit of a decoupled transfer */
  GSCALE_WIDTH, /* threads of the agent */
  GSCALE_KNOB_END
} gscale_knob;

struct gscale_knobs {
  double v[GSCALE_KNOB_END];    /* NaN: the model's best value */
  size_t between;               /* method between nodes, 1 + an index of
                                 * gscale_between_at; 0: the best method */
  unsigned algorithm, protocol; /* 1 + gscale_coll_algorithm, 1 +
                                 * gscale_coll_protocol of collectives; 0: the
                                 * fastest */
  bool as_run; /* for `infinite` only: true if the host waits between phases, as
                * in a measured program without data movement; false for the
                * bound of all paradigms, where the host waits only if it
                * must */
};

/** Returns true if all knobs are equal, or unset in both. */
bool gscale_knobs_same(const gscale_knobs *a, const gscale_knobs *b);

/** Returns method i between nodes ("staged", "gpudirect", ...) with a one-line
 *  summary, or NULL past the end. */
const gscale_method *gscale_between_at(size_t i);

extern const gscale_knobs gscale_knobs_best; /* no knob is set */

typedef struct gscale_knob_info {
  const char *name; /* "chunk" */
  gscale_dim dim;
  double least, most; /* ends of the grid of an unset knob, powers of two */
} gscale_knob_info;
const gscale_knob_info *gscale_knob_at(gscale_knob k); /* or NULL */

typedef struct gscale_paradigm {
  const char *name;
  const char *summary;
  bool proposed;              /* true for hardware that does not exist yet */
  bool uses[GSCALE_KNOB_END]; /* knobs that the paradigm obeys */
  gscale_can needs;           /* needed capabilities of a system that moves
                               * data */
  bool updates;               /* sends the kernel's stores; atomic stores need
                               * peer atomics */
  bool collective;            /* moves data by collectives, and obeys the knobs
                               * of collectives */
  int plain;     /* amount of code, least for bulk copies; of equally fast
                  * paradigms, the one with the least code is best */
  bool measured; /* data/ has a run of the paradigm */
} gscale_paradigm;

size_t gscale_paradigm_count(void);
const gscale_paradigm *gscale_paradigm_at(size_t i); /* NULL past the end */

/* ---- plans and predictions ----------------------------------------------- */

/** The mechanisms that a step's time is divided into.
 *
 *  The time of a step is the sum of the costs on the longest cycle of calls and
 *  work (timeline.h).  Each cost on this cycle belongs to mechanisms, and each
 *  mechanism belongs to one part.  Parts are therefore never negative, and sum
 *  to the time. */
typedef enum gscale_mechanism {
  GSCALE_M_COMPUTE,
  GSCALE_M_HOST,
  GSCALE_M_SYNC,
  GSCALE_M_BANDWIDTH,
  GSCALE_M_ISSUE, /* stores per second */
  GSCALE_M_INITIATION,
  GSCALE_M_FAULT, /* page faults, without the bytes */
  GSCALE_M_TRACKING,
  GSCALE_M_TAIL,
  GSCALE_M_LATENCY,
  GSCALE_MECHANISM_END
} gscale_mechanism;

typedef enum gscale_part {
  GSCALE_PART_COMPUTE,
  GSCALE_PART_HOST,       /* host and sync */
  GSCALE_PART_TRANSFER,   /* bandwidth and issue */
  GSCALE_PART_INITIATION, /* initiation and faults */
  GSCALE_PART_TRACKING,
  GSCALE_PART_TAIL,
  GSCALE_PART_LATENCY,
  GSCALE_PART_END
} gscale_part;

/** The kinds of time that a step takes in addition to 1/N of the time on one
 *  GPU. */
typedef enum gscale_loss {
  GSCALE_LOST_COMMUNICATION,
  GSCALE_LOST_WAITING, /* barriers, stragglers */
  GSCALE_LOST_HOST,    /* calls, and a host's waits for a GPU */
  GSCALE_LOST_START,   /* starts of kernels */
  GSCALE_LOST_KERNELS,
  GSCALE_LOST_END
} gscale_loss;

typedef struct gscale_lost {
  double of[GSCALE_LOST_END]; /* s, >= 0 */
  double gain;                /* s, <= 0 */
  double hidden;              /* s of communication that overlaps with other
                               * work, >= 0 */
} gscale_lost;

typedef enum gscale_applicability {
  GSCALE_INSIDE,
  GSCALE_INTERPOLATED,
  GSCALE_EXTRAPOLATED,
  GSCALE_BY_ASSUMPTION,
  GSCALE_APPLICABILITY_END
} gscale_applicability;

typedef struct gscale_bytes { /* B of one step in the whole system, at the
                               * source */
  double wire;                /* sum of the other four */
  double useful;
  double protocol;  /* headers, padding */
  double redundant; /* bytes that are overwritten before a GPU needs them */
  double unused;    /* bytes that are never read */
} gscale_bytes;

/** The algorithm of a phase's collective. */
enum {
  GSCALE_MOVES_MAX = 8
};
typedef struct gscale_move {
  unsigned short phase; /* from 0 */
  unsigned char algorithm, protocol;
} gscale_move;

/** Writes the name of a paradigm with k's method between nodes, such as
 *  "memcpy+gpudirect". */
void gscale_pair_name(size_t paradigm, const gscale_knobs *k, char *text,
                      size_t size);
/** Returns true if data/ has a run of the paradigm with k's method between
 *  nodes.
 *
 *  Given    k  knobs of a prediction.
 *  Returns  false for an index past the end.
 *  Source   gscale_paradigm.measured and gscale_method.measured. */
bool gscale_pair_measured(size_t paradigm, const gscale_knobs *k);
/** Finds the paradigm of a name such as "memcpy" or "memcpy+gpudirect", and
 *  sets k->between.  A method alone ("gpudirect") means memcpy with this
 *  method.
 *
 *  Returns  false if there is no such paradigm or method, or if the paradigm
 *           uses no methods between nodes. */
bool gscale_pair_find(const char *name, size_t *paradigm, gscale_knobs *k);

struct gscale_prediction {
  double time;                  /* s of one steady step */
  double setup;                 /* s, once before the steady steps */
  double part[GSCALE_PART_END]; /* s, each >= 0, sum = time */
  gscale_bytes bytes;
  double speedup;         /* T_infinite(baseline) / time * baseline N */
  double efficiency;      /* speedup / N */
  double opportunity;     /* T_infinite(N) / time, 0 to 1 */
  gscale_mechanism bound; /* mechanism whose reduction by 1 % saves most */
  gscale_knobs knobs;     /* knobs in use, or NaN if irrelevant */
  size_t moves;           /* number of phases in `move` */
  gscale_move move[GSCALE_MOVES_MAX];
};

/** Checks whether a plan is possible, by one pass over the phases for any n.
 *  The check fails with GSCALE_ENEED or GSCALE_ESIZE for the reasons of
 *  gscale_plan_new(). */
gscale_status gscale_plan_check(const gscale_system *s,
                                const gscale_workload *w, int n,
                                gscale_diag *diag);
int gscale_plan_gpus(const gscale_plan *p);

/** Returns the factor h on the times of calls, waits and kernel starts, and on
 *  times that the program states, with which one GPU takes the program's t1.
 *
 *    h = t1 / T0   if t1 < T0, or if the work of kernels does not change T0.
 *    h = 1         otherwise, and without t1.
 *
 *  T0 is the time of one GPU without the work of kernels.  The factor holds for
 *  all paradigms and N.  Between measured N the factor is linear in 1/N. */
double gscale_plan_host_by(const gscale_plan *p);

/** Gives the grid of values of an unset knob: *least, 2 *least, 4 *least and so
 *  on up to *most.
 *
 *  Given    k   a knob, < GSCALE_KNOB_END.
 *  Returned 4 KiB to 64 MiB for the chunk; 64 to 16384 threads for the width,
 *           but at most half of a GPU's threads. */
void gscale_plan_knob(const gscale_plan *p, gscale_knob k, double *least,
                      double *most);

/** Prices a collective on the plan's GPUs by gscale_coll_best(), with the
 *  parameters and the routes of the plan's system.
 *
 *  Given    bytes     B, as in gscale_coll_kind.
 *           streamed  true for one of many consecutive calls
 *                     (gscale_coll_call).
 *           a, by     the algorithm and protocol, or END for the fastest.
 *  Omits    links of a mesh that the library's rings leave unused. */
gscale_coll_choice gscale_plan_collective(const gscale_plan *p,
                                          gscale_coll_kind kind, double bytes,
                                          bool streamed,
                                          gscale_coll_algorithm a,
                                          gscale_coll_protocol by);

/** Prices the collective that paradigm `nccl` uses to publish or reduce a
 *  phase's data.
 *
 *    all:         an all-gather.
 *    neighbours:  one group of sends and receives per GPU.
 *    others:      an all-to-all.
 *    reduce:      an all-reduce.
 *
 *  Given    k   knobs with the algorithm and protocol; NULL: the fastest.
 *  Returned *kind, *bytes  kind and bytes of the collective, or
 *                          GSCALE_COLL_KIND_END and 0 if nothing moves.
 *  Returns  gscale_plan_collective() of *kind and *bytes. */
gscale_coll_choice gscale_plan_moves(const gscale_plan *p, size_t phase,
                                     const gscale_knobs *k,
                                     gscale_coll_kind *kind, double *bytes);

/** Extends gscale_plan_needs() by a method between nodes (gscale_knobs.between,
 *  where 0 means any method).
 *
 *  Fails    GSCALE_EDOMAIN  if there is no such method, or the paradigm uses no
 *                           methods. */
gscale_status gscale_pair_needs(const gscale_plan *p, size_t paradigm,
                                size_t between, gscale_diag *diag);

/** Returns the energy of a predicted step, for all GPUs and their shares of
 *  nodes.
 *
 *    E    = n gscale_energy(power, time, min(time, busy), awake, wire / n),
 *    busy = max( sum of repeats * kernels of each phase, compute ).
 *
 *  A GPU is busy while its kernels compute, whether transfers hide the kernels
 *  or not.  A host that sends messages between nodes polls, and is therefore
 *  awake for the whole step.  Any other host sleeps while it waits for its
 *  GPUs, and is awake only for the host part.
 *
 *  Returns  J; NaN if the system does not state its power.
 *  Limits   E(n) >= n * gpu_busy * busy, so that n GPUs without speedup need at
 *           least n times the kernel energy of one GPU.
 *  Omits    setup; the higher power of a GPU whose threads wait in a kernel;
 *           the energy to wake a host.
 *  Source   ours, from [Oden14] 5.8.5. */
double gscale_predict_energy(const gscale_plan *p, const gscale_prediction *r);

/** Splits the difference between a step's time and 1/N of the step on one GPU.
 *
 *    d_k    = T(k, k+1, ...) - T(k+1, ...) - (b / n) d_k(b),
 *    of_k   = max(0, d_k),   gain = sum of min(0, d_k),
 *    hidden = T(communication alone) - T + T(all but communication).
 *
 *  T(kinds) is the time of a step in which all other kinds take no time.  The
 *  time that stores, loads and resident threads add to kernels counts as
 *  communication.  Kinds are in the order of gscale_loss, and d_k(b) is the d_k
 *  of `infinite` on the b GPUs of the baseline.  Each difference of T is >= 0,
 *  because the longest cycle shrinks with its costs.  The sum of all of_k and
 *  gain is T - T_infinite(b) b / n.
 *
 *  Given    r      prediction of the plan and paradigm; all results scale with
 *                  a changed r->time.
 *           alone  s of one GPU for weak scaling, or 0.
 *  Limits   gain < 0 if work shrinks more than n times, because of caches.
 *  Source   ours, with exposed communication as in profilers. */
void gscale_predict_lost(const gscale_plan *p, size_t paradigm,
                         const gscale_prediction *r, double alone,
                         gscale_lost *out);

/** A term of a step's time, times * each. */
typedef struct gscale_term {
  char name[48];  /* "launch", "last copy" */
  char text[160]; /* the sum behind `each`: "initiation 1.1 us + wire ..." */
  size_t phase;   /* phase of the term */
  double times, each; /* s */
} gscale_term;

/** Lists the terms along the longest cycle of a step.
 *
 *       T = sum of times * each.
 *
 *  Given    r     prediction of the plan and paradigm;  most  terms that fit.
 *  Returns  the number of terms, at most `most`.
 *  Source   docs/explanation/formulas.md. */
size_t gscale_predict_terms(const gscale_plan *p, size_t paradigm,
                            const gscale_prediction *r, gscale_term *out,
                            size_t most);

/** Returns the time of gscale_predict(), s, for knobs that are all set (as in
 *  gscale_prediction.knobs), or NaN if gscale_predict() would fail. */
double gscale_predict_time(const gscale_plan *p, size_t paradigm,
                           const gscale_knobs *k);

/** A number that a prediction depends on. */
typedef struct gscale_number {
  char name[128]; /* "copy.initiation", "sweep.publish.bytes", "t1" */
  gscale_dim dim;
  gscale_param p;
  bool of_workload; /* false: number of the system */
} gscale_number;

/** The effect of one uncertain number on a prediction. */
typedef struct gscale_influence {
  double elasticity; /* (dT/T) / (dp/p) for +1 % */
  double err;        /* s, standard error of T from this number alone */
  double down, up;   /* T - T(p) at both points of gscale_param_nodes, s */
  double shift;      /* s, shift of the mean of T by this number */
} gscale_influence;

typedef struct gscale_error {
  double time;                   /* s, of_parameters and of_model in
                                  * quadrature */
  double of_parameters;          /* s, of_system and of_workload in
                                  * quadrature */
  double of_system, of_workload; /* s, from numbers of system, workload */
  double of_known; /* s, part of of_system from measured parameters of a
                    * measured machine, which the residual includes */
  double own[GSCALE_RESIDUAL_PARTS]; /* s of the widened residual, >= of_known;
                                      * 0: unknown */
  double of_model;        /* s, of own less of_known and of the next two
                           * members */
  double of_collectives;  /* s of collectives, not widened */
  double of_rest;         /* s of nodes, and of an unknown time of kernels */
  double of_compute;      /* s, part of of_rest: kernels, if t1 was not given */
  double of_t1;           /* the same error of ln(T(1)) */
  gscale_residual_at at;  /* scales of the residual */
  gscale_widened widened; /* terms that widened the residual */
  gscale_applicability applicability;
  char reason[128]; /* the number or size that decides; "" if inside */
  char word[16];    /* the reason as a word: gpus, nodes, footprint, machine,
                     * link, copies, t1, number */
  bool nonlinear;   /* the time is not linear within the errors of its numbers;
                     * use quantiles of gscale_uncertainty_sample */
  double left;   /* factor on the errors above from a run of the same step; 1:
                  * there is no run, or the run contradicts the prediction */
  double energy; /* J, standard error of gscale_predict_energy() from powers and
                  * time; NaN if the system states no power */
} gscale_error;

/** The errors of predictions on n GPUs from all errors of a system and a
 *  workload. The object has a plan for each uncertain number, which all
 *  paradigms share.
 *
 *  The uncertain numbers are the system's parameters, points of its curve,
 *  rates of its topology, the single-GPU time, uncertain knobs, and numbers of
 *  phases that gscale_workload_doubt named.
 *
 *  Given    s, w   system and workload, which must outlive the object.
 *           all    true to add exact numbers' elasticities and the derived
 *                  numbers of phases.
 *  Fails    as gscale_plan_new. */
typedef struct gscale_uncertainty gscale_uncertainty;
gscale_status gscale_uncertainty_new(const gscale_system *s,
                                     const gscale_workload *w, int n, bool all,
                                     gscale_uncertainty **out,
                                     gscale_diag *diag);
void gscale_uncertainty_free(gscale_uncertainty *u);
/** Returns the plan without perturbation, which lives as long as *u. */
const gscale_plan *gscale_uncertainty_plan(const gscale_uncertainty *u);
size_t gscale_uncertainty_count(const gscale_uncertainty *u);
/** Returns NULL past the end. */
const gscale_number *gscale_uncertainty_number(const gscale_uncertainty *u,
                                               size_t i);

/** Gives the points at which to evaluate a function of an uncertain number.
 *  The points are the outer two of the three-point Gaussian rule for the
 *  number's distribution.
 *
 *    measured, plain   normal    p -+ sqrt(3) err         weight 1/6
 *    assumed           uniform   p -+ sqrt(9/5) err       weight 5/18.
 *
 *  The logarithm is normal or uniform, with median p and standard deviation
 *  err, if `spread` says so, or if the range (3 err, sqrt(3) err) would pass 0
 *  and `spread` does not allow 0.
 *
 *    measured, log     p exp(-+ sqrt(3) s)                weight 1/6
 *                      exp(s^2) = (1 + sqrt(1 + 4 (err/p)^2)) / 2
 *    assumed           p exp(-+ sqrt(3/5) h)              weight 5/18
 *                      sinh(2h)/(2h) - (sinh(h)/h)^2 = (err/p)^2.
 *
 *  Given    p   val, err > 0, origin, spread.
 *  Returns  the weight of each point; p itself has the remaining weight.
 *  Source   Gauss-Hermite and Gauss-Legendre quadrature [AbramowitzStegun64].
 */
double gscale_param_nodes(const gscale_param *p, double *down, double *up);

/** Returns the effect of number i on the time of a paradigm at set knobs.  The
 *  rule of gscale_param_nodes with weight w gives mean and variance of T.
 *
 *    shift = w (down + up),
 *    err^2 = w (down^2 + up^2) - shift^2.
 *
 *  Numbers are perturbed within their domain, and not at all if no prediction
 *  is possible.  A knob of a description is perturbed together with every
 *  number that step() computes from the knob.
 *
 *  Limits   for a linear T, |dT/dp| err; exact for a quadratic T.
 *  Returns  zeros past the end, and an elasticity of 0 for exact numbers unless
 *           `all` was set.
 *  Source   ours: each number alone, with all other numbers exact. */
gscale_influence gscale_uncertainty_influence(gscale_uncertainty *u, size_t i,
                                              size_t paradigm,
                                              const gscale_knobs *k);

/** Returns the time at set knobs with each number at a quantile of the number's
 *  distribution (gscale_param_nodes).
 *
 *  Given    z   gscale_uncertainty_count() quantiles, in standard deviations of
 *               a normal distribution: -1 is the quantile of 15.9 %, and NaN
 *               leaves a number unchanged.
 *  Returns  s; NaN if no prediction is possible.
 *  Source   ours. */
double gscale_uncertainty_time(gscale_uncertainty *u, size_t paradigm,
                               const gscale_knobs *k, const double *z);

/** Returns a quantile of the standard normal distribution, which is infinite at
 *  0 and 1. */
double gscale_normal_quantile(double share);

/** Samples times at set knobs from joint draws of all numbers.
 *
 *  Distributions are those of gscale_param_nodes, truncated to the domains.
 *  For an uncertain knob, numbers are interpolated between the results of
 *  step(), and extrapolated beyond them.
 *
 *  Given    time   memory for `draws` numbers.
 *  Returned time   sampled times in rising order, s.
 *  Returns  the number of successful predictions.
 *  Source   SplitMix64 [Steele14] and [BoxMuller58]. */
size_t gscale_uncertainty_sample(gscale_uncertainty *u, size_t paradigm,
                                 const gscale_knobs *k, uint64_t seed,
                                 double *time, size_t draws);

/** Computes the standard error of a prediction.
 *
 *    err^2 = (sum of err_p^2 over all numbers) + max(0, u^2 T^2 - known^2) +
 *            (nodes moving)^2 + (compute T_infinite)^2 + (sum off T_coll)^2
 *
 *  The terms are:
 *    err_p    from gscale_uncertainty_influence.
 *    u        from gscale_residual_widened.
 *    known^2  the sum of err_p^2 over measured numbers of a measured machine,
 *             which u already includes.
 *    nodes    from gscale_system_widened.
 *    moving   from gscale_residual_moving.
 *    compute  from gscale_residuals if the time of kernels is unknown, because
 *             the machine was not measured and the program has no single-GPU
 *             time on any system; otherwise 0.
 *
 *  The terms of `nodes` and `off` are 0 on one GPU, where no data move.
 *
 *  A prediction is not linear if sqrt(sum of shift_p^2) > 0.2 err of the
 *  numbers. The 0.2 is fitted to 20 cases of tests/t_uncertainty.c: errors of
 *  all linear cases are within 10 % of the standard deviation of 10^4 draws.
 *
 *  Applicability is `by assumption` if an assumed number has |elasticity| >
 *  0.1.  Applicability is `extrapolated` beyond the calibrated GPUs, copy sizes
 *  or footprints, and on an unmeasured machine or link, or else `inside`.
 *
 *  Omits    correlations between numbers; the additional error of a program
 *           without a measured single-GPU time.
 *  Fails    as gscale_predict. */
gscale_status gscale_uncertainty_error(gscale_uncertainty *u, size_t paradigm,
                                       const gscale_knobs *k, gscale_error *out,
                                       gscale_diag *diag);

/** Returns the effect, s, of one standard error of number i on the time of the
 *  last gscale_uncertainty_error().  The effect is the `err` of
 *  gscale_uncertainty_influence(), negative if the time falls when the number
 *  rises, and 0 past the end. */
double gscale_uncertainty_effect(const gscale_uncertainty *u, size_t i);

/** Computes gscale_uncertainty_error() of one paradigm.  The function fails as
 *  gscale_plan_new and gscale_predict do. */
gscale_status gscale_error_of(const gscale_system *s, const gscale_workload *w,
                              int n, size_t paradigm, const gscale_knobs *k,
                              gscale_error *out, gscale_diag *diag);

#endif /* GSCALE_PREDICT_H */

/* SPDX-License-Identifier: GPL-3.0-or-later */
