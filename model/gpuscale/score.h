/* score.h - comparison of predictions with measurements, and calibrated
 * intervals.
 *
 * gpuscale.h states the rules for all headers. */
#ifndef GSCALE_SCORE_H
#define GSCALE_SCORE_H

#include "gpuscale/measure.h"
#include "gpuscale/predict.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- curves of time over N ----------------------------------------------- */

/** Returns the index of the smallest time (the peak).  NaN never counts.  The
 *  index is always below n, and 0 if no time is a number or n is 0. */
size_t gscale_peak(const double *time, size_t n);

/** Returns the index of the knee: the last listed N at which the added GPUs
 *  still give at least half of their possible gain,
 *    T(prev)/T(N) - 1 >= 0.5 (N/prev - 1).
 *
 *  Given    gpus   rising;  time  s, > 0.
 *  Returns  an index; 0 if no step passes; n if n is 0. */
size_t gscale_knee(const int *gpus, const double *time, size_t n);

/* ---- price of a time ----------------------------------------------------- */

/** Returns the price of `time` on n GPUs, time gpus per_hour / 3600.
 *
 *  Given    time  s, >= 0;  gpus  >= 1;  per_hour  of one GPU hour, in any
 *                 currency, >= 0.
 *  Returns  in that currency; NaN outside the domain.
 *  Omits    charges by the started hour, idle GPUs of a rented node. */
double gscale_rent(double time, int gpus, double per_hour);

/** Marks the Pareto front of n points, those that no other point dominates.  A
 *  point dominates another if it is nowhere larger and somewhere smaller.
 *
 *  Given    x, y      of each; a point with a NaN is not on the front, and
 *                     dominates none.
 *  Returned front[i]  true on the front; of equal points, only for the first.
 *                     From left to right y falls. */
void gscale_pareto(const double *x, const double *y, size_t n, bool *front);

/* ---- measured collectives ------------------------------------------------ */

/** Returns bus bandwidth / (bytes of the call / time), as nccl-tests defines
 *  it: 2 (n-1)/n for an all-reduce, (n-1)/n for gathers, scatters and
 *  all-to-all, else 1.
 *
 *  Given    n  GPUs, >= 1.
 *  Returns  NaN outside the domain. */
double gscale_coll_bus(gscale_coll_kind kind, int n);

/** Returns the standard error of a collective's predicted time.
 *
 *    coll.off_small, _middle, _large   below 1 MiB, to 64 MiB, above
 *    coll.net_off_...   of several nodes, up to 64 MiB
 *                       sqrt(1 + 0.25 log2(nodes / 2)) times as much.
 *
 *  Given    bytes  of the call (gscale_coll_kind), >= 0;  nodes  >= 1.
 *  Returns  a share of the time; NaN outside the domain.
 *  Source   ours: rows in a fit, and rows of twice, eight, 128 times the nodes
 *           that were not in it (tests/t_intervals.c). */
double gscale_coll_off(const gscale_system *s, double bytes, int nodes);

/** The expected time of a measured collective. */
typedef struct gscale_expected {
  gscale_coll_kind kind; /* END if there is none on this system */
  gscale_coll_choice way;
  double bytes;    /* B of the call, see gscale_coll_kind */
  int nodes;       /* on which it was */
  double time;     /* s of one call, or NaN */
  double err;      /* s, standard error of it */
  double measured; /* s */
} gscale_expected;

/** Predicts a collective from a row of an nccl-tests log.
 *
 *    err^2 = sum (T(p + err_p) - T(p))^2 + (off T)^2.
 *
 *  The sum is over all coll.* of the system, and off is gscale_coll_off(), or
 *  mpi.off for MPI. Each doubling beyond two nodes adds the `nodes` of the
 *  system's residuals in quadrature. The choice is that of the row's version of
 *  the library, if known.
 *
 *  Given    r  on one node or several full or partly used ones, all alike:
 *              `inflight` of a row between nodes is their number, 0: full ones.
 *  Returns  kind END and NaN for other rows, more GPUs than a node has, several
 *           nodes where coll.net_rate is not known.
 *  Omits    GPUs that have no card of their own, rails that differ.
 *  Source   [Nccl]. */
gscale_expected gscale_expect(const gscale_system *s,
                              const gscale_measurement *r);

/* ---- scores of predictions ----------------------------------------------- */

typedef struct gscale_score {
  size_t n;
  double mean_abs;   /* mean of |predicted/measured - 1| */
  double median_abs; /* its median and its 90th percentile, */
  double p90_abs;    /* by linear interpolation */
  double bias;       /* mean of predicted/measured - 1 */
  double worst;      /* largest deviation, with sign */
  double covered;    /* share in gscale_interval_of(predicted, err, 1), with the
                      * measurement's error in quadrature */
  double covered95;  /* share within `tail` errors */
  double width;      /* median of that error over the prediction: half the
                      * interval */
} gscale_score;

/** Scores n rows; the errors may be NULL (= 0).  Times must be > 0.  `tail` is
 *  the number of standard errors of a 95 % interval, as
 *  gscale_residuals.tail. */
gscale_status gscale_score_rows(const double *predicted, const double *err,
                                const double *measured, const double *sigma,
                                size_t n, double tail, gscale_score *out,
                                gscale_diag *diag);

/** Splits the error of a prediction into compute and transfer, if the program
 *  without any transfer (infinite) was measured on as many GPUs.
 *
 *    compute  = (predicted_infinite - measured_infinite) / measured
 *    transfer = the rest of (predicted - measured) / measured.
 *
 *  Given    s, > 0, all four.
 *  Returns  shares of the measured time with their signs; their sum is the
 *           error; NaN outside the domain.
 *  Limits   of the infinite run itself: all is compute.
 *  Omits    overlap: a compute error hidden by the transfer appears in both
 *           parts with opposite signs.
 *  Source   ours: definition. */
typedef struct gscale_split {
  double compute, transfer;
} gscale_split;
gscale_split gscale_split_error(double predicted, double predicted_infinite,
                                double measured, double measured_infinite);

/* ---- baseline laws fitted to runs ---------------------------------------- */

typedef enum gscale_law {
  GSCALE_AMDAHL,
  GSCALE_USL,         /* Universal Scalability Law */
  GSCALE_MESSAGES,    /* latency and bandwidth */
  GSCALE_NORMAL_FORM, /* one term of Extra-P's */
  GSCALE_CONTENTION,  /* ours from here on; without coefficients, USL */
  GSCALE_SUPERLINEAR, /* no coherence on two N; above N times */
  GSCALE_LAW_END
} gscale_law;

enum {
  GSCALE_LAW_TERMS = 3
};

/** The data that the busiest GPU publishes to others in a step. */
typedef struct gscale_traffic {
  double messages; /* contiguous, one per destination */
  double bytes;    /* B */
} gscale_traffic;

/** Counts the traffic from the workload alone, for any paradigm: all phases
 *  times their repeats; 0 on one GPU.
 *
 *  Given    n   >= 1. */
gscale_traffic gscale_workload_traffic(const gscale_workload *w, int n);

/** Returns the time by a law.
 *
 *    amdahl       T1 (s + (1 - s) / N)                   c = T1, s
 *    usl          T1 (1 + a (N-1) + b N (N-1)) / N       c = T1, a, b
 *    messages     C / N + messages alpha + bytes beta    c = C, alpha, beta
 *    extra-p      C + D N^i log2(N)^j                    c = C, D, index of i,
 *                 j
 *    contention   T1 (1 + a (N-1)) / N                   c = T1, a
 *    superlinear  T1 N^-p                                c = T1, p > 1.
 *
 *  Given    c      GSCALE_LAW_TERMS numbers: s; s and fractions; s, s, s/B.
 *           gpus   N, >= 1.
 *           t      traffic on N GPUs, for `messages` only.
 *  Returns  s; NaN outside the domain.
 *  Source   [Amdahl67]; [Gunther07] chapter 4: throughput
 *           N / (1 + a (N-1) + b N (N-1)), of which this is the inverse;
 *           [Hockney94]: alpha + beta bytes for each message, beside compute
 *           that divides; [Calotoiu13]: performance model normal form, one
 *           term, i = -1, -3/4, -2/3, -1/2, -1/3, -1/4, 0, and the same above
 *           0, j = 0, 1, not both 0. */
double gscale_law_time(gscale_law l, const double *c, int gpus,
                       gscale_traffic t);

/** Fits the coefficients of a law to measured runs.  Extra-p uses the term
 *  whose runs are best predicted by the others (the mean of |T/time - 1| when
 *  each N is left out; the first of equals).
 *
 *    minimise sum_i (T(N_i) / time_i - 1)^2,
 *             T1, s, a, b, C, D, alpha, beta >= 0
 *    superlinear: sum_i (ln T(N_i) - ln time_i)^2.
 *
 *  Given    t      traffic of each run, or NULL: none.
 *           time   s, > 0.
 *           n      runs, with as many different N as the law has coefficients.
 *  Returned c      as gscale_law_time takes them; of columns that the runs
 *                  cannot separate, one is used and the others are 0.
 *  Fails    GSCALE_EDATA    too few different N, T1 = 0, or p not above 1.
 *           GSCALE_EDOMAIN  a number outside its domain;  GSCALE_ENOMEM.
 *  Source   ours: linear in the coefficients (times T1), [LawsonHanson74]. */
gscale_status gscale_law_fit(gscale_law l, const int *gpus,
                             const gscale_traffic *t, const double *time,
                             size_t n, double c[GSCALE_LAW_TERMS],
                             gscale_diag *diag);

/** Returns the factor on predictions that fits measured runs best.
 *
 *    minimise sum_i (k predicted_i / measured_i - 1)^2.
 *
 *  Given    n   >= 1;  s, > 0.
 *  Returns  k; NaN outside the domain.
 *  Source   ours: the gain of a prediction from the runs that laws need. */
double gscale_scale_factor(const double *predicted, const double *measured,
                           size_t n);

/* ---- residuals of runs --------------------------------------------------- */

/** The gap between a run and the data behind its prediction. */
typedef enum gscale_gap {
  GSCALE_GAP_OWN,     /* no gap: its own machine's numbers */
  GSCALE_GAP_MACHINE, /* numbers of another machine */
  GSCALE_GAP_LINK,    /* its machine with another link */
  GSCALE_GAP_GROWTH,  /* numbers estimated on fewer GPUs */
  GSCALE_GAP_COMPUTE, /* one GPU, by its machine's roofline */
  GSCALE_GAP_END
} gscale_gap;

/** A run with its prediction. */
typedef struct gscale_residual {
  gscale_gap gap;
  double predicted, measured;  /* s, > 0 */
  double of_parameters, sigma; /* s, >= 0, errors of prediction, run */
  double of_known;             /* s, >= 0, gscale_error.of_known */
  double of_other;             /* s, >= 0, other errors: collectives */
  double of_compute;           /* s, >= 0, base of gscale_residuals.compute */
  gscale_residual_at at;       /* unused in of_compute rows */
  double doublings;            /* as in gscale_system_widened, >= 0 */
  bool machine, link;          /* applicable terms of gscale_system_widened */
  size_t program;              /* equal for runs of one program, */
  size_t cluster;              /* equal for runs of one program on one
                                * machine, */
  /* and equal for two runs that agree in an axis */
  size_t of[GSCALE_RESIDUAL_AXES];
} gscale_residual;

/** Returns the deviation of a run in standard errors, with its sign.
 *
 *    z = ln(measured / predicted) / asinh(err / predicted).
 *    err^2 = of_parameters^2 + sigma^2 + of_other^2 + own^2 +
 *            (of_compute compute)^2.
 *    own^2 = max(0, u^2 T^2 - of_known^2).
 *
 *  Here u is that of gscale_residual_widened. |z| <= k if and only if the run
 *  is in gscale_interval_of(predicted, err, k).
 *
 *  Returns  z; 0 for an exact prediction, infinite without any error.
 *  Source   ours. */
double gscale_residual_z(const gscale_residual *r, const gscale_residuals *w);
/** Returns the log density of ln(measured / predicted): t with 3 degrees of
 *  freedom, of which 68.27 % lie within one such error. */
double gscale_residual_log(const gscale_residual *r, const gscale_residuals *w);

/** Fits the residuals of the model to runs.
 *
 *  part and way maximise the mean gscale_residual_log over the runs of GAP_OWN,
 *  less 5 times the sum of the squares of ln f_way over the runs: each f_way is
 *  beforehand within a factor of 1.37 of 1.  growth follows from the runs of
 *  its gap, then machine, link and compute.  Each is the least value with 68.27
 *  % of the runs of that gap in |z| <= 1, given those before it, and 0 if they
 *  are in without; each cluster has the same weight.  together minimises the
 *  squares of e_i e_j - sum_k u_ik u_jk (product of together[kind of k]) over
 *  the pairs of runs of GAP_OWN of one program, relative to their errors, |e|
 *  cut at 2.5 of them; each set of axes in which pairs differ has the same
 *  weight.  tail is that of t with 3 degrees.
 *
 *  Given    n        >= 1.
 *           without  a program whose runs are left out; SIZE_MAX: none.
 *  Returned measured and nodes are unchanged: runs are of one node.
 *  Limits   a gap without runs: 0.
 *  Fails    GSCALE_EDATA    no runs.
 *           GSCALE_EDOMAIN  a number outside its domain;  GSCALE_ENOMEM.
 *  Source   ours; the maximum by [Powell64]'s search along one number at a
 *           time. */
gscale_status gscale_residuals_fit(const gscale_residual *r, size_t n,
                                   size_t without, gscale_residuals *out,
                                   gscale_diag *diag);

/** Computes the expected residual of a run, given those of others.
 *
 *    off    = k' (K + S)^-1 e
 *    e_i    = ln(measured_i / predicted_i), cut at 2.5 of its errors
 *    left^2 = (u' u - k' (K + S)^-1 k) / (u' u) (3 + q) / (3 + n)
 *    q      = e' (K + S)^-1 e.
 *
 *  Here K_ij = sum over parts u_i u_j (product of together[kind of part] over
 *  the axes in which they differ) within a program, else 0.  S is diagonal: the
 *  squares of all other errors of a run, 1 % for another day among them.  q is
 *  in scales of a t with 3 degrees of freedom, which all runs of a program have
 *  in common.
 *
 *  Given    r, n  runs beside their predictions by the systems of those runs;
 *                 runs of other programs do not matter.
 *           to    the run to condition; measured, sigma do not matter.
 *  Returned *off   of ln(time);  *left  standard error of d, relative to its
 *                  value without the runs.
 *  Limits   of more than 600 runs of the program those with most in common
 *           count.
 *  Fails    GSCALE_EDOMAIN  a number outside its domain;  GSCALE_ENOMEM
 *           GSCALE_ENUMERIC.
 *  Source   a Gaussian process conditioned on runs [RasmussenWilliams06], as a
 *           multivariate t. */
gscale_status gscale_residuals_given(const gscale_residuals *w,
                                     const gscale_residual *r, size_t n,
                                     const gscale_residual *to, double *off,
                                     double *left, gscale_diag *diag);

/* ---- joint predictions --------------------------------------------------- */

/** Predictions of one program, on any systems and N, by any paradigms, with the
 *  common part of their errors.
 *
 *    ln T_r = ln (median of T_r) + sum over k of a_rk z_k,   z_k normal.
 *
 *  A number common to two predictions is one z; numbers of systems are common
 *  if machine name and value agree.  The model's own error has the correlation
 *  of gscale_residual_together, part by part.  The variance of ln T_r is
 *  asinh(err / T)^2, as in gscale_interval_of.
 *
 *  Source   ours: log-normal, linear in the numbers. */
typedef struct gscale_joint gscale_joint;
/** Returns NULL without memory. */
gscale_joint *gscale_joint_new(void);
void gscale_joint_free(gscale_joint *j);

/** Appends the prediction whose error was computed last from *u.
 *
 *  Given    time  s, > 0, predicted;  e  its error.
 *  Fails    GSCALE_EDOMAIN;  GSCALE_ENOMEM. */
gscale_status gscale_joint_add(gscale_joint *j, const gscale_uncertainty *u,
                               double time, const gscale_error *e,
                               gscale_diag *diag);
size_t gscale_joint_count(const gscale_joint *j);

/** Packs all rows as plain data for another process of the same program.
 *
 *  Given    to  room for them, or NULL.
 *  Returned their size, B. */
size_t gscale_joint_pack(const gscale_joint *j, void *to);
/** Appends packed rows.
 *
 *  Fails    GSCALE_EDATA  cut off;  GSCALE_ENOMEM: the rows before are kept. */
gscale_status gscale_joint_unpack(gscale_joint *j, const void *from,
                                  size_t size, gscale_diag *diag);

/** Returns the standard deviation of ln(T_a / T_b); NaN past the end. */
double gscale_joint_apart(const gscale_joint *j, size_t a, size_t b);
/** Returns the probability of T_a < factor T_b.  The logarithm of their ratio
 *  is distributed as a t with 3 degrees of freedom, of which 68.27 % lie within
 *  `apart`.
 *
 *  Given    factor  > 0.
 *  Returned 1/2 for equal ones without any error; NaN past the end. */
double gscale_joint_faster(const gscale_joint *j, size_t a, size_t b,
                           double factor);
/** Computes the shares of draws in which each of some predictions is the
 *  fastest.
 *
 *  Given    index  n of them, each below gscale_joint_count;  draws  >= 1.
 *  Returned share  n places; they sum to 1.
 *  Fails    GSCALE_EDOMAIN;  GSCALE_ENOMEM.
 *  Source   SplitMix64 [Steele14] and [BoxMuller58]: the same draws for the
 *           same numbers, whatever else there is. */
gscale_status gscale_joint_best(const gscale_joint *j, const size_t *index,
                                size_t n, size_t draws, double *share,
                                gscale_diag *diag);

#ifdef __cplusplus
}
#endif

#endif /* GSCALE_SCORE_H */

/* SPDX-License-Identifier: GPL-3.0-or-later */
