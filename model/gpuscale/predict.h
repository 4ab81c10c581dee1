/* predict.h - paradigms, plans, predictions and their errors.
 *
 * gpuscale.h states the rules for all headers. */
#ifndef GSCALE_PREDICT_H
#define GSCALE_PREDICT_H

#include "gpuscale/collective.h"
#include "gpuscale/message.h"
#include "gpuscale/system.h"
#include "gpuscale/workload.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- paradigms ----------------------------------------------------------- */

typedef enum gscale_knob {
  GSCALE_CHUNK, /* B, unit of a decoupled transfer */
  GSCALE_WIDTH, /* threads of the agent */
  GSCALE_KNOB_END
} gscale_knob;

struct gscale_knobs {
  double v[GSCALE_KNOB_END];    /* NaN = the model's best */
  size_t between;               /* method between nodes: 1 + an index of
                                 * gscale_between_at; 0: the best */
  unsigned algorithm, protocol; /* 1 + a gscale_coll_algorithm or _protocol of
                                 * collectives; 0: the fastest */
  bool as_run; /* `infinite` only. True: as measured, the program without its
                * data movement; the host waits between phases. False: the bound
                * of all paradigms; the host waits only where each must */
};

/** Returns method i between nodes ("staged", "gpudirect", ...) with its
 * one-line summary, or NULL past the end. */
const gscale_method *gscale_between_at(size_t i);

extern const gscale_knobs gscale_knobs_best; /* all unset */

typedef struct gscale_knob_info {
  const char *name; /* "chunk" */
  gscale_dim dim;
  double least, most; /* a grid of unset ones: powers of two */
} gscale_knob_info;
const gscale_knob_info *gscale_knob_at(gscale_knob k); /* or NULL */

typedef struct gscale_paradigm {
  const char *name;
  const char *summary;
  bool proposed;              /* hardware that does not exist yet */
  bool uses[GSCALE_KNOB_END]; /* knobs it obeys */
  gscale_can needs;           /* needed of the system that moves data */
  bool updates;               /* sends the kernel's own stores; atomic ones need
                               * peer atomics */
  bool collective;            /* moves data by collectives, and obeys their
                               * knobs */
  int plain;     /* amount of code, least for bulk copies; among equally fast
                  * paradigms the plainest is best */
  bool measured; /* data/ has a run of it; `schedule`: of its calls */
} gscale_paradigm;

size_t gscale_paradigm_count(void);
const gscale_paradigm *gscale_paradigm_at(size_t i); /* NULL past the end */

/* ---- plans and predictions ----------------------------------------------- */

/** The mechanisms on which the time of a step is spent.
 *
 *  The time of a step is the longest cycle of its calls and work (timeline.h),
 *  a sum of costs.  Each cost on that cycle belongs to mechanisms, and each
 *  mechanism to one part.  Parts are therefore never negative and add up to the
 *  time. */
typedef enum gscale_mechanism {
  GSCALE_M_COMPUTE,
  GSCALE_M_HOST,
  GSCALE_M_SYNC,
  GSCALE_M_BANDWIDTH,
  GSCALE_M_ISSUE, /* stores per second */
  GSCALE_M_INITIATION,
  GSCALE_M_FAULT, /* page faults without their bytes */
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

/** The kinds of time that a step loses against an even share of one GPU's. */
typedef enum gscale_loss {
  GSCALE_LOST_COMMUNICATION,
  GSCALE_LOST_WAITING, /* barriers, stragglers */
  GSCALE_LOST_HOST,    /* calls, waits for its own GPU */
  GSCALE_LOST_START,   /* of kernels */
  GSCALE_LOST_KERNELS,
  GSCALE_LOST_END
} gscale_loss;

typedef struct gscale_lost {
  double of[GSCALE_LOST_END]; /* s, >= 0 */
  double gain;                /* s, <= 0 */
  double hidden;              /* s of communication beside other work, >= 0 */
} gscale_lost;

typedef enum gscale_applicability {
  GSCALE_INSIDE,
  GSCALE_INTERPOLATED,
  GSCALE_EXTRAPOLATED,
  GSCALE_BY_ASSUMPTION,
  GSCALE_APPLICABILITY_END
} gscale_applicability;

typedef struct gscale_bytes { /* B, whole system, one step, at the source */
  double wire;                /* the sum of the others */
  double useful;
  double protocol;  /* headers, padding */
  double redundant; /* rewritten before anyone needs it */
  double unused;    /* never read */
} gscale_bytes;

/** The algorithm of a phase's collective. */
enum {
  GSCALE_MOVES_MAX = 8
};
typedef struct gscale_move {
  unsigned short phase;                    /* from 0 */
  unsigned char kind, algorithm, protocol; /* gscale_coll_kind, ... */
} gscale_move;

/** Writes "memcpy+gpudirect": a paradigm, and k's method between nodes. */
void gscale_pair_name(size_t paradigm, const gscale_knobs *k, char *text,
                      size_t size);
/** Returns true if the paradigm, and k's method between nodes if any, was timed
 *  by some program on some machine.
 *
 *  Given    k  as predicted.
 *  Returns  gscale_paradigm.measured and gscale_method.measured; false past the
 *           end.
 *  Source   the runs of data/, with which tests compare it. */
bool gscale_pair_measured(size_t paradigm, const gscale_knobs *k);
/** Finds the paradigm, and sets k->between, for "memcpy" or "memcpy+gpudirect";
 *  a method alone, "gpudirect", is one of memcpy.
 *
 *  Returns  false if there is no such paradigm or method, or the paradigm pairs
 *           with no methods. */
bool gscale_pair_find(const char *name, size_t *paradigm, gscale_knobs *k);

struct gscale_prediction {
  double time;                  /* s, one steady step */
  double setup;                 /* s, once, before the steady steps */
  double part[GSCALE_PART_END]; /* s, each >= 0, sum = time */
  gscale_bytes bytes;
  double speedup;         /* T_infinite(baseline) / time * baseline N */
  double efficiency;      /* speedup / N */
  double opportunity;     /* T_infinite(N) / time, 0..1 */
  gscale_mechanism bound; /* 1 % less of it saves most */
  gscale_knobs knobs;     /* as used; NaN if irrelevant */
  size_t moves;           /* number of phases in `move` */
  gscale_move move[GSCALE_MOVES_MAX];
};

/** Fails with the GSCALE_ENEED or GSCALE_ESIZE that gscale_plan_new() returns
 *  before it computes anything.  It costs a pass over the phases, whatever
 *  n. */
gscale_status gscale_plan_check(const gscale_system *s,
                                const gscale_workload *w, int n,
                                gscale_diag *diag);
int gscale_plan_gpus(const gscale_plan *p);
/** Returns the smallest number of GPUs whose memory holds the footprint. */
int gscale_plan_baseline(const gscale_plan *p);

/** Returns the factor on the machine's times of calls, waits and kernel starts,
 *  and on times that the program gives, at which one GPU takes the program's
 *  t1.
 *
 *    h = t1 / T0   where t1 is below T0, the time of one GPU without the work
 *                  of kernels, or where no kernel's work matters
 *      = 1         else, and without t1.
 *
 *  It holds for all paradigms and N.  Between measured shares it is linear in
 *  1/N. */
double gscale_plan_host_by(const gscale_plan *p);

/** Gives the grid of values for an unset knob: *least, twice that, four times
 *  that, ... up to *most.
 *
 *  Given    k   below GSCALE_KNOB_END.
 *  Returned chunk 4 KiB .. 64 MiB; width 64 .. 16384, but at most half of a
 *           GPU's threads, because the kernel has the rest. */
void gscale_plan_knob(const gscale_plan *p, gscale_knob k, double *least,
                      double *most);

/** Prices a collective on the plan's GPUs: gscale_coll_best() with the numbers
 *  of its system and the routes of its topology, where neighbours of a ring
 *  share links.
 *
 *  Given    bytes     see gscale_coll_kind.
 *           streamed  one of many consecutive calls: see gscale_coll_call.
 *           a, by     the algorithm, the protocol; their END: the fastest.
 *  Omits    in a mesh: that the library's rings may leave links unused. */
gscale_coll_choice gscale_plan_collective(const gscale_plan *p,
                                          gscale_coll_kind kind, double bytes,
                                          bool streamed,
                                          gscale_coll_algorithm a,
                                          gscale_coll_protocol by);

/** Prices the collective by which paradigm nccl publishes or reduces a phase's
 *  data.
 *
 *    all          an all-gather
 *    neighbours   sends and receives, both of a GPU in one group
 *    others       an all-to-all
 *    reduce       an all-reduce.
 *
 *  Given    k   its algorithm and protocol; NULL: the fastest.
 *  Returned *kind, *bytes  GSCALE_COLL_KIND_END, 0 if it moves nothing.
 *  Returns  gscale_plan_collective() of these. */
gscale_coll_choice gscale_plan_moves(const gscale_plan *p, size_t phase,
                                     const gscale_knobs *k,
                                     gscale_coll_kind *kind, double *bytes);

/** Extends gscale_plan_needs() to a method between nodes, gscale_knobs.between;
 *  0: any.
 *
 *  Fails    GSCALE_EDOMAIN  there is no such method, or the paradigm pairs with
 *                           none. */
gscale_status gscale_pair_needs(const gscale_plan *p, size_t paradigm,
                                size_t between, gscale_diag *diag);

/** Returns the energy of the step that was predicted from that plan, for all
 *  GPUs and their shares of nodes.
 *
 *    n gscale_energy(power, time, min(time, busy), awake, wire / n)
 *    busy = max( sum of repeats * kernels of each phase, compute ).
 *
 *  A GPU is busy while its kernels compute, exposed or hidden behind transfers.
 *  A host that sends messages between nodes is awake for the whole step,
 *  because it polls.  Any other host, and that of one GPU, is awake for its own
 *  part only, and sleeps while it waits for its GPUs.
 *
 *  Returns  J; NaN if the system does not state its power.
 *  Limits   E(n) >= n gpu_busy busy: n GPUs without speedup need at least n
 *           times the kernels' energy of one.
 *  Omits    setup; the higher power of a GPU whose threads wait in a kernel;
 *           the cost of waking a host.
 *  Source   ours, from [Oden14] 5.8.5. */
double gscale_predict_energy(const gscale_plan *p, const gscale_prediction *r);

/** Splits a step's time over an even share of one GPU's step.
 *
 *    d_k    = T(k, k+1, ...) - T(k+1, ...) - (b / n) d_k(b)
 *    of_k   = max(0, d_k),   gain = sum of min(0, d_k)
 *    hidden = T(communication alone) - T + T(all but communication).
 *
 *  T(kinds) is the step in which all else takes no time; what stores, loads and
 *  resident threads add to kernels is communication.  Kinds are in the order
 *  of gscale_loss, and d_k(b) is that of `infinite` on the baseline's b GPUs.
 *  The longest cycle only shrinks with its costs, so that each difference of T
 *  is >= 0.  The sum of of_k and gain is T - T_infinite(b) b / n.
 *
 *  Given    r      of that plan and paradigm; a changed time stretches all
 *           alone  s of one GPU for weak scaling, or 0
 *  Limits   a gain is work that shrinks more than n times (caches).
 *  Source   ours; exposed communication as profilers count it. */
void gscale_predict_lost(const gscale_plan *p, size_t paradigm,
                         const gscale_prediction *r, double alone,
                         gscale_lost *out);

/** A term of a step's time: `times` of `each`. */
typedef struct gscale_term {
  char name[48];  /* "launch", "last copy" */
  char text[160]; /* what `each` consists of: "initiation 1.1 us + wire ..." */
  size_t phase;   /* that it belongs to */
  double times, each; /* s */
} gscale_term;

/** Lists the terms along the longest cycle of a step, of which time is the sum.
 *
 *    T = sum of times each.
 *
 *  Given    r     of that plan and paradigm;  most  terms that fit
 *  Returns  how many there are, at most `most`.
 *  Source   docs/explanation/formulas.md */
size_t gscale_predict_terms(const gscale_plan *p, size_t paradigm,
                            const gscale_prediction *r, gscale_term *out,
                            size_t most);

/** Returns only the time of gscale_predict, s, for knobs that are all set (as
 *  in gscale_prediction.knobs); NaN where gscale_predict would fail. */
double gscale_predict_time(const gscale_plan *p, size_t paradigm,
                           const gscale_knobs *k);

/** A number on which a prediction depends. */
typedef struct gscale_number {
  char name[128]; /* "copy.initiation", "sweep.publish.bytes", "t1" */
  gscale_dim dim;
  gscale_param p;
  bool of_workload; /* false: of the system */
} gscale_number;

/** The effect of one number on a prediction. */
typedef struct gscale_influence {
  double elasticity; /* (dT/T) / (dp/p), for +1 % */
  double err;        /* s, standard error of T from it alone */
  double down, up;   /* s, T - T(p) at the points of gscale_param_nodes */
  double shift;      /* s, its shift of the mean of T */
} gscale_influence;

typedef struct gscale_error {
  double time;                   /* s, total: the next two in quadrature */
  double of_parameters;          /* s, the next two in quadrature */
  double of_system, of_workload; /* s, from their numbers */
  double of_known; /* s, part of of_system from measured numbers of a measured
                    * machine; the residual includes it */
  double own[GSCALE_RESIDUAL_PARTS]; /* s, widened residual, at least of_known;
                                      * 0: unknown */
  double of_model;        /* s, the model's: own less of_known, and */
  double of_collectives;  /* s, error of collectives, not widened, */
  double of_rest;         /* s, nodes, and an unknown time without transfer */
  gscale_residual_at at;  /* scale of the residual */
  gscale_widened widened; /* terms that widened it */
  gscale_applicability applicability;
  char reason[128]; /* the number or size behind it; "" if inside */
  char word[16];    /* the same as a word: gpus, nodes, footprint, machine,
                     * link, copies, t1, number */
  bool nonlinear;   /* the time is not linear in its numbers within their
                     * errors; gscale_uncertainty_sample gives quantiles */
  double left;   /* factor on the errors above from a run of this very step; 1:
                  * no run, or it contradicts the prediction */
  double energy; /* J, standard error of gscale_predict_energy() from the watts
                  * and the time; NaN if the system does not state its power */
} gscale_error;

/** The errors of predictions on n GPUs from all errors of a system and a
 *  workload. It has a plan for each uncertain number, shared by all paradigms.
 *
 *  The numbers are the parameters of the system, the points of its curve, the
 *  rates of its topology, the single-GPU time, uncertain knobs and the numbers
 *  of phases that gscale_workload_doubt named.
 *
 *  Given    s, w   kept: they must outlive it.
 *           all    adds elasticities of exact numbers, and the derived numbers
 *                  of phases.
 *  Fails    as gscale_plan_new. */
typedef struct gscale_uncertainty gscale_uncertainty;
gscale_status gscale_uncertainty_new(const gscale_system *s,
                                     const gscale_workload *w, int n, bool all,
                                     gscale_uncertainty **out,
                                     gscale_diag *diag);
void gscale_uncertainty_free(gscale_uncertainty *u);
/** Returns the plan without perturbation, that of gscale_plan_new(); it lives
 *  as long as *u. */
const gscale_plan *gscale_uncertainty_plan(const gscale_uncertainty *u);
size_t gscale_uncertainty_count(const gscale_uncertainty *u);
/** Returns NULL past the end. */
const gscale_number *gscale_uncertainty_number(const gscale_uncertainty *u,
                                               size_t i);

/** Returns points at which to evaluate a function of an uncertain number: the
 *  outer points of the Gaussian rule of three for its distribution.
 *
 *    measured, plain   normal    p -+ sqrt(3) err         weight 1/6
 *    assumed           even      p -+ sqrt(9/5) err       weight 5/18.
 *
 *  If such a range (3 err, sqrt(3) err) would pass 0 and its spread does not
 *  permit that, or if its spread says so, the logarithm is normal or even, with
 *  median p and standard deviation err:
 *
 *    measured, log     p exp(-+ sqrt(3) s)                weight 1/6
 *                      exp(s^2) = (1 + sqrt(1 + 4 (err/p)^2)) / 2
 *    assumed           p exp(-+ sqrt(3/5) h)              weight 5/18
 *                      sinh(2h)/(2h) - (sinh(h)/h)^2 = (err/p)^2.
 *
 *  Given    p   val, err > 0, origin, spread.
 *  Returns  the weight of each of the two; the rest is that of p itself.
 *  Source   Gauss-Hermite and Gauss-Legendre quadrature [AbramowitzStegun64].
 */
double gscale_param_nodes(const gscale_param *p, double *down, double *up);

/** Returns the effect of number i on the time by a paradigm at set knobs: mean
 *  and variance of T by the rule of gscale_param_nodes, with weight w.
 *
 *    shift = w (down + up)
 *    err^2 = w (down^2 + up^2) - shift^2.
 *
 *  A number is perturbed within its domain, and not at all where no prediction
 *  is possible.  Knobs of descriptions are perturbed with every number that
 *  step() computes from them.
 *
 *  Limits   |dT/dp| err where T is linear; exact for a T of second order.
 *  Returns  zeros past the end, and an elasticity of 0 for an exact number
 *           unless `all` was set.
 *  Source   ours: each number alone, as if the others were exact. */
gscale_influence gscale_uncertainty_influence(gscale_uncertainty *u, size_t i,
                                              size_t paradigm,
                                              const gscale_knobs *k);

/** Returns the time with each number at a quantile of its distribution (that of
 *  gscale_param_nodes), at set knobs.
 *
 *  Given    z   one per number, gscale_uncertainty_count() of them, as standard
 *               deviations of a normal distribution: -1 is the quantile of 15.9
 *               %; NaN leaves a number unchanged.
 *  Returns  s; NaN where no prediction is possible.
 *  Source   ours. */
double gscale_uncertainty_time(gscale_uncertainty *u, size_t paradigm,
                               const gscale_knobs *k, const double *z);

/** Returns a quantile of the standard normal distribution; infinite at 0 and
 *  1. */
double gscale_normal_quantile(double share);

/** Samples times from draws of all numbers at once, at set knobs.
 *
 *  Distributions are those of gscale_param_nodes, cut off at the ends of
 *  domains. For an uncertain knob, numbers are interpolated between the runs of
 *  step(), and extrapolated beyond.
 *
 *  Given    time   `draws` places.
 *  Returned time   s, rising.
 *  Returns  the number of successful predictions.
 *  Source   SplitMix64 [Steele14] and [BoxMuller58]. */
size_t gscale_uncertainty_sample(gscale_uncertainty *u, size_t paradigm,
                                 const gscale_knobs *k, uint64_t seed,
                                 double *time, size_t draws);

/** Computes the standard error of a prediction.
 *
 *    err^2 = sum over numbers of err_p^2 + max(0, u^2 T^2 - known^2) +
 *            (nodes moving)^2 + (compute T_infinite)^2 + (sum off T_coll)^2
 *
 *  The terms are as follows:
 *    err_p    of gscale_uncertainty_influence.
 *    u        of gscale_residual_widened.
 *    known^2  the sum of err_p^2 over measured numbers of a measured machine:
 *             these had errors when u was estimated, and u includes them.
 *    nodes    of gscale_system_widened.
 *    moving   of gscale_residual_moving.
 *    compute  of gscale_residuals where the time of kernels is unknown: the
 *             machine was not measured and the program has no time on one GPU
 *             of it, or of another system; else 0.
 *
 *  On one GPU nothing moves, so the terms of nodes and of off are left out.
 *
 *  A prediction is not linear if sqrt(sum of shift_p^2) > 0.2 err of the
 *  numbers. The 0.2 is fitted: with it, the linear ones among 20 cases of
 *  tests/t_uncertainty.c are within 10 % of the standard deviation of 10^4
 *  draws.
 *
 *  Applicability is by assumption if an assumed number has |elasticity| > 0.1.
 *  It is extrapolated beyond the calibrated GPUs, copy sizes or footprints, and
 *  on an unmeasured machine or link.  Otherwise it is inside.
 *
 *  Omits    correlations between numbers; the further error of a program
 *           without a measured single-GPU time.
 *  Fails    as gscale_predict. */
gscale_status gscale_uncertainty_error(gscale_uncertainty *u, size_t paradigm,
                                       const gscale_knobs *k, gscale_error *out,
                                       gscale_diag *diag);

/** Returns the effect, in s, of one standard error of number i on the time of
 *  the last gscale_uncertainty_error.  It is the `err` of
 *  gscale_uncertainty_influence, negative if the time falls as the number
 *  rises, and 0 past the end. */
double gscale_uncertainty_effect(const gscale_uncertainty *u, size_t i);

/** Computes gscale_uncertainty_error() of one paradigm and keeps nothing.
 *  Fails as gscale_plan_new and gscale_predict. */
gscale_status gscale_error_of(const gscale_system *s, const gscale_workload *w,
                              int n, size_t paradigm, const gscale_knobs *k,
                              gscale_error *out, gscale_diag *diag);

#ifdef __cplusplus
}
#endif

#endif /* GSCALE_PREDICT_H */

/* SPDX-License-Identifier: GPL-3.0-or-later */
