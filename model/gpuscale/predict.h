/*
 * predict.h - paradigms, plans and predictions.
 *
 * gpuscale.h says what holds for all headers.
 */
#ifndef GSCALE_PREDICT_H
#define GSCALE_PREDICT_H

#include "gpuscale/collective.h"
#include "gpuscale/system.h"
#include "gpuscale/workload.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- paradigms --------------------------------------------------------------
 */

typedef enum gscale_knob {
  GSCALE_CHUNK, /* B, unit of a decoupled transfer */
  GSCALE_WIDTH, /* threads of the agent */
  GSCALE_KNOB_END
} gscale_knob;

struct gscale_knobs {
  double v[GSCALE_KNOB_END];    /* NaN = the model's best */
  size_t between;               /* how data leaves a node: 1 + an index of
                                 * gscale_between_name; 0: the best method */
  unsigned algorithm, protocol; /* of collectives: 1 + a gscale_coll_algorithm,
                                 * _protocol; 0 = the fastest */
  bool as_run; /* `infinite` only.  True: as it is measured, the program less
                * what serves others; its host waits between phases.  False: the
                * bound of all ways, whose host waits only where each must */
};

/** Methods between nodes: "staged", "gpudirect", ..., and what they are in a
 * line; NULL past the end. */
const char *gscale_between_name(size_t i);
const char *gscale_between_summary(size_t i);

extern const gscale_knobs gscale_knobs_best; /* all unset */

const char *gscale_knob_name(gscale_knob k); /* "chunk", "width"; or NULL */
gscale_dim gscale_knob_dim(gscale_knob k);

typedef struct gscale_paradigm {
  const char *name;
  const char *summary;
  bool proposed;              /* hardware that does not exist yet */
  bool uses[GSCALE_KNOB_END]; /* knobs it obeys */
  gscale_can needs;           /* of the system, where data is moved */
  bool updates;               /* sends the kernel's own stores: atomic ones
                               * need peer atomics */
  bool collective;            /* moves data by collectives, and obeys the knobs
                               * of how they are done */
  int plain;     /* how much code it takes, bulk copies the least; of ways that
                  * are as fast the plainest is named the best */
  bool measured; /* data/ has a run of it; `schedule`: of its calls */
} gscale_paradigm;

size_t gscale_paradigm_count(void);
const gscale_paradigm *gscale_paradigm_at(size_t i); /* NULL past the end */

/* ---- plan and predict
 * -------------------------------------------------------- */

/** What the seconds of a step are spent on.
 *
 *  The time of a step is the longest cycle of its calls and work (timeline.h):
 *  a sum of costs.  Each cost on that cycle belongs to mechanisms, and each
 *  mechanism to one part.  So parts are never negative and add up to the time.
 */
typedef enum gscale_mechanism {
  GSCALE_M_COMPUTE,
  GSCALE_M_HOST,
  GSCALE_M_SYNC,
  GSCALE_M_BANDWIDTH,
  GSCALE_M_ISSUE, /* stores per second */
  GSCALE_M_INITIATION,
  GSCALE_M_FAULT, /* page faults, beside the bytes they move */
  GSCALE_M_TRACKING,
  GSCALE_M_TAIL,
  GSCALE_M_LATENCY,
  GSCALE_MECHANISM_END
} gscale_mechanism;

const char *gscale_mechanism_name(gscale_mechanism m); /* or NULL */

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

typedef enum gscale_applicability {
  GSCALE_INSIDE,
  GSCALE_INTERPOLATED,
  GSCALE_EXTRAPOLATED,
  GSCALE_BY_ASSUMPTION,
  GSCALE_APPLICABILITY_END
} gscale_applicability;

const char *gscale_applicability_name(gscale_applicability a); /* or NULL */

typedef struct gscale_bytes { /* B, whole system, one step, at the source */
  double wire;                /* = the sum of the others */
  double useful;
  double protocol;  /* headers, padding */
  double redundant; /* rewritten before anyone needs it */
  double unused;    /* never read */
} gscale_bytes;

/** How a phase's collective is done. */
enum {
  GSCALE_MOVES_MAX = 8
};
typedef struct gscale_move {
  unsigned short phase;                    /* from 0 */
  unsigned char kind, algorithm, protocol; /* gscale_coll_kind, ... */
} gscale_move;

/** "memcpy+gpudirect": a paradigm, and the method between nodes that k says. */
void gscale_pair_name(size_t paradigm, const gscale_knobs *k, char *text,
                      size_t size);
/** Whether some program was timed on some machine that moved its data by the
 *  paradigm and, where k has one, by that method between nodes.
 *
 *  Given    k  as predicted
 *  Returns  gscale_paradigm.measured and gscale_method.measured; false past the
 *           end
 *  Source   the runs of data/, with which tests compare it
 */
bool gscale_pair_measured(size_t paradigm, const gscale_knobs *k);
/** The paradigm of "memcpy", or "memcpy+gpudirect", and k->between; a method
 *  alone, "gpudirect", is one of memcpy.
 *
 *  Returns  false if there is no such paradigm or method, or the paradigm does
 * not pair with methods
 */
bool gscale_pair_find(const char *name, size_t *paradigm, gscale_knobs *k);

struct gscale_prediction {
  double time;                  /* s, one steady step */
  double setup;                 /* s, once, before steps are steady */
  double part[GSCALE_PART_END]; /* s, each >= 0, sum = time */
  gscale_bytes bytes;
  double speedup;         /* T_infinite(baseline) / time * baseline N */
  double efficiency;      /* speedup / N */
  double opportunity;     /* T_infinite(N) / time, 0..1 */
  gscale_mechanism bound; /* whose 1 % relaxation saves most */
  gscale_knobs knobs;     /* as used; NaN where none matters */
  size_t moves;           /* of phases by collectives, the first ones */
  gscale_move move[GSCALE_MOVES_MAX];
};

/** What gscale_plan_new() refuses before it computes anything: GSCALE_ENEED and
 *  GSCALE_ESIZE.  Costs a pass over the phases, whatever n. */
gscale_status gscale_plan_check(const gscale_system *s,
                                const gscale_workload *w, int n,
                                gscale_diag *diag);
int gscale_plan_gpus(const gscale_plan *p);
/** Smallest number of GPUs whose memory holds the footprint. */
int gscale_plan_baseline(const gscale_plan *p);

/** How many times as long as the machine's calls and waits of hosts are taken
 *  to be, starts of kernels, and times that the program gives, so that one GPU
 *  takes the program's t1.
 *
 *    h = t1 / T0   where t1 is below T0, what one GPU takes without the work of
 *                  kernels, or where no kernel's work matters
 *      = 1         else, and without t1
 *
 *  It holds for all paradigms and N; between shares that were measured it is
 *  linear in 1/N. */
double gscale_plan_host_by(const gscale_plan *p);

/** The values that are tried for a knob left unset: *least, twice that, four
 *  times that, ... up to *most.
 *
 *  Given    k   below GSCALE_KNOB_END
 *  Returned chunk 4 KiB .. 64 MiB; width 64 .. 16384, but at most half of the
 *           threads a GPU has: the rest is the kernel's
 */
void gscale_plan_knob(const gscale_plan *p, gscale_knob k, double *least,
                      double *most);

/** How a collective is done on the plan's GPUs: gscale_coll_best() with the
 *  numbers of its system and the routes of its topology, in which a ring's
 *  neighbours share links.
 *
 *  Given    bytes     see gscale_coll_kind
 *           streamed  one of many in a row: see gscale_coll_call
 *           a, by     the algorithm, the protocol; their END: the fastest
 *  Omits    in a mesh: that the rings the library builds may leave links unused
 */
gscale_coll_choice gscale_plan_collective(const gscale_plan *p,
                                          gscale_coll_kind kind, double bytes,
                                          bool streamed,
                                          gscale_coll_algorithm a,
                                          gscale_coll_protocol by);

/** How paradigm nccl moves what a phase publishes, or adds up.
 *
 *    all          an all-gather
 *    neighbours   sends and receives, both of a GPU in one group
 *    others       an all-to-all
 *    reduce       an all-reduce
 *
 *  Returned *kind, *bytes  GSCALE_COLL_KIND_END, 0 if it moves nothing
 *  Given    k   its algorithm and protocol; NULL: the fastest
 *  Returns  gscale_plan_collective() of these
 */
gscale_coll_choice gscale_plan_moves(const gscale_plan *p, size_t phase,
                                     const gscale_knobs *k,
                                     gscale_coll_kind *kind, double *bytes);

/** gscale_plan_needs() with a method between nodes, gscale_knobs.between; 0:
 * any.
 *
 *  Fails    GSCALE_EDOMAIN  there is no such method, or the paradigm pairs with
 *                           none
 */
gscale_status gscale_pair_needs(const gscale_plan *p, size_t paradigm,
                                size_t between, gscale_diag *diag);

/** Energy of the step that was predicted from that plan, all GPUs and their
 *  shares of nodes.
 *
 *    n gscale_energy(power, time, min(time, busy), awake, wire / n)
 *    busy = max( sum of repeats * kernels of each phase, compute )
 *
 *  A GPU is busy while its kernels compute, whether that is exposed or hidden
 *  behind transfers.  A host that sends messages between nodes is awake for the
 *  whole step, polling; any other one, and that of one GPU, for its own part
 *  only: it sleeps while it waits for its GPUs.
 *
 *  Returns  J; NaN if the system does not say its power
 *  Limits   E(n) >= n gpu_busy busy: n GPUs that gain nothing by each other
 *           need n times the kernels' energy of one at least
 *  Omits    setup; that a GPU whose threads wait in a kernel draws more than an
 *           idle one; what waking costs a host that sleeps
 *  Source   ours, from [Oden14] 5.8.5
 */
double gscale_predict_energy(const gscale_plan *p, const gscale_prediction *r);

/** Only the time of gscale_predict, s, with knobs that are all set (as in
 *  gscale_prediction.knobs); NaN where gscale_predict would fail. */
double gscale_predict_time(const gscale_plan *p, size_t paradigm,
                           const gscale_knobs *k);

/** A number that a prediction rests on. */
typedef struct gscale_number {
  char name[128]; /* "copy.initiation", "sweep.publish.bytes", "t1" */
  gscale_dim dim;
  gscale_param p;
  bool of_workload; /* or of the system */
} gscale_number;

/** How one number moves a prediction. */
typedef struct gscale_influence {
  double elasticity; /* (dT/T) / (dp/p), for +1 % */
  double err;        /* s, standard error of T by this number alone */
  double down, up;   /* s, T - T(p) at the points of gscale_param_nodes */
  double shift;      /* s, by how much it moves the mean of T */
} gscale_influence;

typedef struct gscale_error {
  double time; /* s, standard error of the time: the next two in quadrature */
  double of_parameters;          /* s, the next two in quadrature */
  double of_system, of_workload; /* s, of their numbers */
  double of_known; /* s, of of_system, of measured numbers of a measured
                    * machine: the residual has it in it */
  double own[GSCALE_RESIDUAL_PARTS]; /* s, the residual, widened, and not below
                                      * of_known; 0: none is known */
  double of_model;        /* s, the model's own: own less of_known, and */
  double of_collectives;  /* s, what collectives are off, not widened, */
  double of_rest;         /* s, nodes and a time without transfer that is not
                           * known */
  gscale_residual_at at;  /* what the residual is a share of */
  gscale_widened widened; /* by what it was widened */
  gscale_applicability applicability;
  char reason[128]; /* the number or size behind it; "" if inside */
  char word[16];    /* that in a word: gpus, nodes, footprint, machine, link,
                     * copies, t1, number */
  bool nonlinear;   /* the time does not follow its numbers linearly within
                     * their errors: ask for quantiles by
                     * gscale_uncertainty_sample */
  double left;   /* what a run of this very step leaves of its error, all of the
                  * above being that much less; 1: there is none, or it says that
                  * the prediction is worse */
  double energy; /* J, standard error of gscale_predict_energy(): of the watts,
                  * and of the seconds that each number moves; NaN if the system
                  * does not say its power */
} gscale_error;

/** What all errors of a system and a workload do to predictions on n GPUs: a
 *  plan for each number that is uncertain, shared by all paradigms.
 *
 *  Its numbers are the parameters of the system, the points of its curve, the
 *  rates of its topology, the single-GPU time, uncertain knobs and the numbers
 *  of phases that gscale_workload_doubt named.
 *
 *  Given    s, w   kept: they must outlive it
 *           all    with elasticities of numbers that are exact, and with the
 *                  numbers of phases that are merely derived
 *  Fails    as gscale_plan_new
 */
typedef struct gscale_uncertainty gscale_uncertainty;
gscale_status gscale_uncertainty_new(const gscale_system *s,
                                     const gscale_workload *w, int n, bool all,
                                     gscale_uncertainty **out,
                                     gscale_diag *diag);
void gscale_uncertainty_free(gscale_uncertainty *u);
/** Takes over another value of a parameter that *s has now, exact as
 *  gscale_probe_set leaves it; it must have been exact before.
 *
 *  Returns  false if more follows from it than predictions (most numbers of
 *           links, copies, stores and agents are of none, see
 *           gscale_probe_plans), but for costs of calls that the plan of a
 *           probe has already (gscale_probe_plan), or without memory: *u is of
 *           no use then, and is to be made anew.  Else errors are those of a
 *           new one, to the last bit */
bool gscale_uncertainty_put(gscale_uncertainty *u, gscale_param_id id);
/** The plan in which no number is moved, that of gscale_plan_new(); it lives as
 *  long as *u. */
const gscale_plan *gscale_uncertainty_plan(const gscale_uncertainty *u);
size_t gscale_uncertainty_count(const gscale_uncertainty *u);
/** NULL past the end. */
const gscale_number *gscale_uncertainty_number(const gscale_uncertainty *u,
                                               size_t i);

/** Where a function of an uncertain number is to be looked at: the outer points
 *  of the Gaussian rule of three for its distribution.
 *
 *    measured, plain   normal    p -+ sqrt(3) err         weight 1/6
 *    assumed           even      p -+ sqrt(9/5) err       weight 5/18
 *
 *  Where such a range (3 err, sqrt(3) err) would pass 0 and its spread does not
 *  say that it may, and where its spread says so, the logarithm is normal or
 *  even, with median p and standard deviation err:
 *
 *    measured, log     p exp(-+ sqrt(3) s)                weight 1/6
 *                      exp(s^2) = (1 + sqrt(1 + 4 (err/p)^2)) / 2
 *    assumed           p exp(-+ sqrt(3/5) h)              weight 5/18
 *                      sinh(2h)/(2h) - (sinh(h)/h)^2 = (err/p)^2
 *
 *  Given    p   val, err > 0, origin, spread
 *  Returns  the weight of each of the two; the rest is that of p itself
 *  Source   Gauss-Hermite and Gauss-Legendre quadrature [AbramowitzStegun64]
 */
double gscale_param_nodes(const gscale_param *p, double *down, double *up);

/** What number i does to the time by a paradigm at set knobs: mean and variance
 *  of T by the rule of gscale_param_nodes, with weight w.
 *
 *    shift = w (down + up)
 *    err^2 = w (down^2 + up^2) - shift^2
 *
 *  A number is moved as far as its domain allows; where nothing can be
 *  predicted it is not moved.  Knobs of descriptions are moved with all that
 *  step() computes from them.
 *
 *  Limits   |dT/dp| err where T is linear; exact for a T of second order
 *  Returns  zeros past the end, and an elasticity of 0 for an exact number
 *           unless `all` was said
 *  Source   ours: each number alone, as if the others were exact
 */
gscale_influence gscale_uncertainty_influence(gscale_uncertainty *u, size_t i,
                                              size_t paradigm,
                                              const gscale_knobs *k);

/** The time where each number is at a quantile of its distribution (that of
 *  gscale_param_nodes), at set knobs.
 *
 *  Given    z   one a number, gscale_uncertainty_count() of them, as standard
 *               deviations of a normal distribution: -1 is the quantile of 15.9
 *               %; NaN leaves a number where it is
 *  Returns  s; NaN where nothing can be predicted
 *  Source   ours */
double gscale_uncertainty_time(gscale_uncertainty *u, size_t paradigm,
                               const gscale_knobs *k, const double *z);

/** The quantile of the standard normal distribution; infinite at 0 and 1. */
double gscale_normal_quantile(double share);

/** Times of draws of all numbers at once, at set knobs.
 *
 *  They are distributed as gscale_param_nodes has it, and end where their
 *  domains do.  Of an uncertain knob, between the runs of step() numbers are
 *  interpolated, and beyond extrapolated.
 *
 *  Given    time   `draws` places
 *  Returned time   s, rising
 *  Returns  how many could be predicted
 *  Source   SplitMix64 [Steele14] and [BoxMuller58]
 */
size_t gscale_uncertainty_sample(gscale_uncertainty *u, size_t paradigm,
                                 const gscale_knobs *k, uint64_t seed,
                                 double *time, size_t draws);

/** The standard error of a prediction:
 *
 *    err^2 = sum over numbers of err_p^2 + max(0, u^2 T^2 - known^2) +
 *            (nodes moving)^2 + (compute T_infinite)^2 + (sum off T_coll)^2
 *
 *  with
 *    err_p    of gscale_uncertainty_influence
 *    u        of gscale_residual_widened
 *    known^2  the sum of err_p^2 over measured numbers of a measured machine:
 *             these were off when u was estimated, and u has them in it
 *    nodes    of gscale_system_widened
 *    moving   of gscale_residual_moving
 *    compute  of gscale_residuals where nothing says how long the kernels take:
 *             the machine was not measured and the program has no time on one
 *             GPU of it, or one of another system; else 0
 *
 *  On one GPU nothing moves: the terms of nodes and of off are left out.
 *
 *  Not linear: sqrt(sum of shift_p^2) > 0.2 err of the numbers.  Fitted: with
 *  it, all that are said to be linear of 20 cases of tests/t_uncertainty.c are
 *  within 10 % of the standard deviation of 10^4 draws.
 *
 *  Applicability: by assumption if an assumed number has |elasticity| > 0.1,
 *  else extrapolated beyond the calibrated GPUs, copy sizes or footprints, on a
 *  machine or behind a link that was not measured, else inside.
 *  Omits    correlations between numbers; what a program without a measured
 *           single-GPU time is off besides
 *  Fails    as gscale_predict
 */
gscale_status gscale_uncertainty_error(gscale_uncertainty *u, size_t paradigm,
                                       const gscale_knobs *k, gscale_error *out,
                                       gscale_diag *diag);

/** What one standard error of number i does to the time that
 *  gscale_uncertainty_error was asked about last, s.  It is the `err` of
 *  gscale_uncertainty_influence, below 0 if the time falls as the number rises.
 *  0 past the end. */
double gscale_uncertainty_effect(const gscale_uncertainty *u, size_t i);

/** gscale_uncertainty_error() of one paradigm, and nothing kept.  Fails as
 *  gscale_plan_new and gscale_predict. */
gscale_status gscale_error_of(const gscale_system *s, const gscale_workload *w,
                              int n, size_t paradigm, const gscale_knobs *k,
                              gscale_error *out, gscale_diag *diag);

#ifdef __cplusplus
}
#endif

#endif /* GSCALE_PREDICT_H */

/* SPDX-License-Identifier: GPL-3.0-or-later */
