/* score.h - comparison of predictions with measurements, and calibration of
 * intervals. */
#ifndef GSCALE_SCORE_H
#define GSCALE_SCORE_H

#include "gpuscale/measure.h"
#include "gpuscale/predict.h"

/** Returns the index of the smallest time (the peak) that is not NaN, or 0 if
 *  all times are NaN or n is 0. */
size_t gscale_peak(const double *time, size_t n);

/** Returns the index of the knee.  The knee is the last N at which the added
 *  GPUs still give at least half of the possible gain:
 *  T(prev)/T(N) - 1 >= 0.5 (N/prev - 1).
 *
 *  Given    gpus   numbers of GPUs in rising order;  time  s, > 0.
 *  Returns  0 if no N passes this test, and n if n is 0. */
size_t gscale_knee(const int *gpus, const double *time, size_t n);

/** Returns the price of a time on GPUs, time * gpus * per_hour / 3600.
 *
 *  Given    time  s, >= 0;  gpus  >= 1;  per_hour  price of an hour of a GPU,
 *                 in any currency, >= 0.
 *  Returns  the price in the currency of per_hour, or NaN outside the domain.
 *  Omits    charges per started hour; idle GPUs of a rented node. */
double gscale_rent(double time, int gpus, double per_hour);

/** Marks the Pareto front of n points, which are the points that no other point
 *  dominates.  A point dominates another point if no coordinate is larger and
 *  at least one coordinate is smaller.
 *
 *  Given    x, y      coordinates; a point with a NaN is not on the front and
 *                     dominates no point.
 *  Returned front[i]  true for points on the front, and for only the first of
 *                     equal points. */
void gscale_pareto(const double *x, const double *y, size_t n, bool *front);

/** Returns the bus bandwidth of nccl-tests / (bytes of the call / time).  The
 *  ratio is 2 (n-1)/n for an all-reduce, (n-1)/n for gathers, scatters and
 *  all-to-all, and 1 for other calls.
 *
 *  Given    n  number of GPUs, >= 1.
 *  Returns  NaN outside the domain. */
double gscale_coll_bus(gscale_coll_kind kind, int n);

/** Returns the standard error of a collective's predicted time.
 *
 *    error = coll.off_small below 1 MiB, coll.off_middle up to 64 MiB, and
 *            coll.off_large above 64 MiB.
 *    error = coll.net_off_* on several nodes, up to 64 MiB times
 *            sqrt(1 + 0.25 log2(nodes / 2)).
 *
 *  Given    bytes  B of the call (gscale_coll_kind), >= 0;  nodes  >= 1.
 *  Returns  the error / the time, or NaN outside the domain.
 *  Source   ours, from rows of a fit, and from other rows with 2, 8 and 128
 *           times the nodes (tests/t_intervals.c). */
double gscale_coll_off(const gscale_system *s, double bytes, int nodes);

/** The expected time of a measured collective. */
typedef struct gscale_expected {
  gscale_coll_kind kind; /* END if the system has no such collective */
  gscale_coll_choice way;
  double bytes;    /* B of the call (gscale_coll_kind) */
  int nodes;       /* number of nodes of the call */
  double time;     /* s of one call, or NaN */
  double err;      /* s, standard error of time */
  double measured; /* s */
} gscale_expected;

/** Predicts a collective from a row of an nccl-tests log.
 *
 *    err^2 = sum (T(p + err_p) - T(p))^2 + (off T)^2.
 *
 *  The sum is over all parameters coll.* of the system, and off is
 *  gscale_coll_off(), or mpi.off for MPI.  Each doubling beyond two nodes adds
 *  `nodes` of the system's residuals in quadrature.  The algorithm is the
 *  choice of the row's version of the library, if known.
 *
 *  Given    r  a row on one node, or on several nodes with equally many GPUs.
 *              For a row between nodes, `inflight` is the number of nodes, or 0
 *              for full nodes.
 *  Returns  kind END and NaN for other rows, for more GPUs than a node has, and
 *           for several nodes if coll.net_rate is unknown.
 *  Omits    GPUs that share a NIC; rails that differ.
 *  Source   [Nccl]. */
gscale_expected gscale_expect(const gscale_system *s,
                              const gscale_measurement *r);

/* ---- scores of predictions ----------------------------------------------- */

typedef struct gscale_score {
  size_t n;
  double mean_abs;   /* mean of |predicted/measured - 1| */
  double median_abs; /* median of |predicted/measured - 1| */
  double p90_abs;    /* 90th percentile of |predicted/measured - 1| */
  double bias;       /* mean of predicted/measured - 1 */
  double worst;      /* predicted/measured - 1 of the largest deviation */
  double covered;    /* share of rows in gscale_interval_of(predicted, err, 1),
                      * where err includes the measurement's error */
  double covered95;  /* share of rows within `tail` errors */
  double width;      /* median of err / predicted (half of the interval) */
} gscale_score;

/** Scores n rows with times > 0.  Errors may be NULL, which means 0.  `tail` is
 *  the number of standard errors of a 95 % interval (gscale_residuals.tail). */
gscale_status gscale_score_rows(const double *predicted, const double *err,
                                const double *measured, const double *sigma,
                                size_t n, double tail, gscale_score *out,
                                gscale_diag *diag);

/** Splits the error of a prediction into errors of compute and transfer.  This
 *  needs a measurement of the program without transfers (infinite) on the same
 *  number of GPUs.
 *
 *    compute  = (predicted_infinite - measured_infinite) / measured,
 *    transfer = (predicted - measured) / measured - compute.
 *
 *  Given    four times, s, > 0.
 *  Returns  signed shares of the measured time, whose sum is the error, or NaN
 *           outside the domain.
 *  Limits   for the infinite run, the whole error is compute.
 *  Omits    overlap: a compute error that the transfer hides appears in both
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
  GSCALE_NORMAL_FORM, /* one term of Extra-P's normal form */
  GSCALE_CONTENTION,  /* USL without coherence; ours, like the next law */
  GSCALE_SUPERLINEAR, /* speedups above N */
  GSCALE_LAW_END
} gscale_law;

enum {
  GSCALE_LAW_TERMS = 3
};

/** The data that the busiest GPU publishes to other GPUs in a step. */
typedef struct gscale_traffic {
  double messages; /* contiguous messages, one per destination */
  double bytes;    /* B */
} gscale_traffic;

/** Counts the traffic of all repeats of all phases, which is the same for every
 *  paradigm, and 0 on one GPU.
 *
 *  Given    n   >= 1. */
gscale_traffic gscale_workload_traffic(const gscale_workload *w, int n);

/** Returns the time of a step by a law.
 *
 *    amdahl       T = T1 (s + (1 - s) / N)                  c = T1, s.
 *    usl          T = T1 (1 + a (N-1) + b N (N-1)) / N      c = T1, a, b.
 *    messages     T = C / N + messages alpha + bytes beta   c = C, alpha, beta.
 *    extra-p      T = C + D N^i log2(N)^j                   c = C, D, (i, j).
 *    contention   T = T1 (1 + a (N-1)) / N                  c = T1, a.
 *    superlinear  T = T1 N^-p                               c = T1, p > 1.
 *
 *  Given    c      GSCALE_LAW_TERMS coefficients in s, fractions or s/B; (i, j)
 *                  is an index of exponents.
 *           gpus   N, >= 1.
 *           t      traffic on N GPUs, for `messages` only.
 *  Returns  s; NaN outside the domain.
 *  Source   [Amdahl67]; [Gunther07] chapter 4, where T is the inverse of the
 *           throughput N / (1 + a (N-1) + b N (N-1)); [Hockney94] for messages
 *           of alpha + beta * bytes each; [Calotoiu13] for one term of the
 *           normal form with i = -1, -3/4, -2/3, -1/2, -1/3, -1/4, 0 and the
 *           same above 0, and j = 0 or 1, but not i = j = 0. */
double gscale_law_time(gscale_law l, const double *c, int gpus,
                       gscale_traffic t);

/** Writes a law as a formula of N, such as "T = 0.73 s + 9.24 s N^-1", or ""
 * for `messages`, whose traffic is no formula of N.
 *
 *  Given    c, l   as for gscale_law_time(). */
void gscale_law_formula(gscale_law l, const double *c, char *text, size_t size);

/** Fits the coefficients of a law to measured runs.  For extra-p, the fit takes
 *  the first term with the least mean |T/time - 1| of left-out N
 *  (cross-validation).
 *
 *    minimise sum_i (T(N_i) / time_i - 1)^2,
 *             T1, s, a, b, C, D, alpha, beta >= 0
 *    superlinear: sum_i (ln T(N_i) - ln time_i)^2.
 *
 *  Given    t      traffic of each run, or NULL for no traffic.
 *           time   s, > 0.
 *           n      number of runs, with at least as many different N as
 *                  coefficients.
 *  Returned c      coefficients of gscale_law_time().  If the runs cannot
 *                  separate columns, one column is used and the other
 *                  coefficients are 0.
 *  Fails    GSCALE_EDATA    if there are too few different N, T1 = 0, or p <=
 *                           1.
 *           GSCALE_EDOMAIN  a number outside its domain;  GSCALE_ENOMEM.
 *  Source   ours: linear in the coefficients (times T1), [LawsonHanson74]. */
gscale_status gscale_law_fit(gscale_law l, const int *gpus,
                             const gscale_traffic *t, const double *time,
                             size_t n, double c[GSCALE_LAW_TERMS],
                             gscale_diag *diag);

/** Returns the factor k with which predictions fit measured runs best.
 *
 *    minimise sum_i (k predicted_i / measured_i - 1)^2.
 *
 *  Given    n   number of runs, >= 1;  times  s, > 0.
 *  Returns  NaN outside the domain.
 *  Source   ours. */
double gscale_scale_factor(const double *predicted, const double *measured,
                           size_t n);

/* ---- residuals of runs --------------------------------------------------- */

/** The gap between a run and the data behind the run's prediction. */
typedef enum gscale_gap {
  GSCALE_GAP_OWN,     /* no gap: numbers of the run's machine */
  GSCALE_GAP_MACHINE, /* numbers of another machine */
  GSCALE_GAP_GROWTH,  /* numbers estimated on fewer GPUs */
  GSCALE_GAP_COMPUTE, /* one GPU, predicted by the roofline */
  GSCALE_GAP_END
} gscale_gap;

/** A run with a prediction. */
typedef struct gscale_residual {
  gscale_gap gap;
  double predicted, measured;  /* s, > 0 */
  double of_parameters, sigma; /* s, >= 0, errors of prediction and run */
  double of_known;             /* s, >= 0, gscale_error.of_known */
  double of_other;             /* s, >= 0, errors of collectives */
  double of_compute;           /* s, >= 0, base of gscale_residuals.compute */
  gscale_residual_at at;       /* unused in of_compute rows */
  double doublings;            /* as in gscale_system_widened, >= 0 */
  bool machine;                /* the term of gscale_system_widened applies */
  size_t program;              /* equal for runs of one program */
  size_t cluster;              /* equal for runs of one program on one
                                * machine */
  /* of[axis] is equal for two runs that agree in this axis. */
  size_t of[GSCALE_RESIDUAL_AXES];
} gscale_residual;

/** Returns the signed deviation of a run in standard errors.
 *
 *    z = ln(measured / predicted) / asinh(err / predicted).
 *    err^2 = of_parameters^2 + sigma^2 + of_other^2 + own^2 +
 *            (of_compute compute)^2.
 *    own^2 = max(0, u^2 T^2 - of_known^2).
 *
 *  Here u is from gscale_residual_widened().  |z| <= k if and only if the run
 *  is inside gscale_interval_of(predicted, err, k).
 *
 *  Returns  z; 0 for an exact prediction; infinite if the error is 0.
 *  Source   ours. */
double gscale_residual_z(const gscale_residual *r, const gscale_residuals *w);
/** Returns the log density of ln(measured / predicted), which is t-distributed
 *  with 3 degrees of freedom and has 68.27 % within one standard error. */
double gscale_residual_log(const gscale_residual *r, const gscale_residuals *w);

/** Fits the residuals of the model to runs.
 *
 *  `part` and `way` maximise the mean gscale_residual_log() over the runs of
 *  GAP_OWN, with a prior that keeps each f_way within about a factor of 1.37 of
 *  1.  Then `growth`, `machine` and `compute` are computed in this
 *  order, each from the runs of its gap.  Each is the least value with which
 *  68.27 % of these runs have |z| <= 1, where each cluster has the same weight.
 *  `together` minimises the squares of e_i e_j - sum_k u_ik u_jk (product of
 *  together[kind of k]), relative to their errors, over pairs of runs of
 *  GAP_OWN of one program. |e| is clipped at 2.5 errors, and each set of axes
 *  in which pairs differ has the same weight.  `tail` is that of t with 3
 *  degrees of freedom.
 *
 *  Given    n        >= 1.
 *           without  a program whose runs are left out, or SIZE_MAX.
 *  Returned the residuals; `measured` and `nodes` stay unchanged, because runs
 *  are on one node.
 *  Limits   for a gap without runs, 0.
 *  Fails    GSCALE_EDATA    no runs.
 *           GSCALE_EDOMAIN  a number outside its domain;  GSCALE_ENOMEM.
 *  Source   ours; [Powell64] for the maximum, by a search along one number at a
 *           time. */
gscale_status gscale_residuals_fit(const gscale_residual *r, size_t n,
                                   size_t without, gscale_residuals *out,
                                   gscale_diag *diag);

/** Computes the expected residual of a run given other runs.
 *
 *    off    = k' (K + S)^-1 e,
 *    e_i    = ln(measured_i / predicted_i), clipped at 2.5 standard errors,
 *    left^2 = (u' u - k' (K + S)^-1 k) / (u' u) (3 + q) / (3 + n),
 *    q      = e' (K + S)^-1 e.
 *
 *  For two runs of one program, K_ij = sum over parts of u_i u_j (product of
 *  together[kind of part] over the axes in which they differ); else K_ij = 0.
 *  S is diagonal and has the squares of a run's other errors, including 1 % for
 *  the variation between days.  q is in units of the scale of a t distribution
 * with 3 degrees of freedom, which all runs of a program share.
 *
 *  Given    r, n  runs with predictions from their systems; runs of other
 *                 programs have no effect.
 *           to    the run to condition, whose `measured` and `sigma` are
 *                 ignored.
 *  Returned *off   residual of ln(time);  *left  standard error of d / standard
 *                  error of d without the runs.
 *  Limits   at most 600 runs of the program, those with the highest
 *           correlation.
 *  Fails    GSCALE_EDOMAIN  a number outside its domain;  GSCALE_ENOMEM
 *           GSCALE_ENUMERIC.
 *  Source   a Gaussian process conditioned on runs [RasmussenWilliams06], with
 *           a multivariate t distribution. */
gscale_status gscale_residuals_given(const gscale_residuals *w,
                                     const gscale_residual *r, size_t n,
                                     const gscale_residual *to, double *off,
                                     double *left, gscale_diag *diag);

/* ---- joint predictions --------------------------------------------------- */

/** Predictions of one program on any systems and N by any paradigms, with
 *  correlated errors.
 *
 *    ln T_r = ln (median of T_r) + sum over k of a_rk z_k,   z_k normal.
 *
 *  A number that two predictions share is one z.  Two systems share a number if
 *  the machine's name and the value are equal.  Each part of the model's
 *  residual has the correlation of gscale_residual_together().  The variance of
 *  ln T_r is asinh(err / T)^2, as in gscale_interval_of().
 *
 *  Source   ours: log-normal times, linear in the numbers. */
typedef struct gscale_joint gscale_joint;
/** Returns an object without predictions, or NULL if there is no memory. */
gscale_joint *gscale_joint_new(void);
void gscale_joint_free(gscale_joint *j);

/** Appends the prediction whose error *u computed last.
 *
 *  Given    time  predicted time, s, > 0;  e  error of the prediction.
 *  Fails    GSCALE_EDOMAIN;  GSCALE_ENOMEM. */
gscale_status gscale_joint_add(gscale_joint *j, const gscale_uncertainty *u,
                               double time, const gscale_error *e,
                               gscale_diag *diag);
size_t gscale_joint_count(const gscale_joint *j);

/** Packs all predictions as plain data for another process of the same program.
 *
 *  Given    `to`  a buffer for the data, or NULL.
 *  Returns  the size of the data, B. */
size_t gscale_joint_pack(const gscale_joint *j, void *to);
/** Appends packed predictions.
 *
 *  Fails    GSCALE_EDATA  if the data are truncated;  GSCALE_ENOMEM, after
 *                         which earlier predictions are kept. */
gscale_status gscale_joint_unpack(gscale_joint *j, const void *from,
                                  size_t size, gscale_diag *diag);

/** Returns the standard deviation of ln(T_a / T_b), or NaN past the end. */
double gscale_joint_apart(const gscale_joint *j, size_t a, size_t b);
/** Returns the probability of T_a < factor * T_b.  ln(T_a / T_b) is
 *  t-distributed with 3 degrees of freedom and has 68.27 % within
 *  gscale_joint_apart().
 *
 *  Given    factor  > 0.
 *  Returns  1/2 for equal times without error; NaN past the end. */
double gscale_joint_faster(const gscale_joint *j, size_t a, size_t b,
                           double factor);
/** Computes for each of some predictions the share of draws in which the
 *  prediction is the fastest.
 *
 *  Given    index  n indices, each < gscale_joint_count();  draws  >= 1.
 *  Returned share  n shares, which sum to 1.
 *  Fails    GSCALE_EDOMAIN;  GSCALE_ENOMEM.
 *  Source   SplitMix64 [Steele14] and [BoxMuller58], with the same draws for
 *           the same number in any set of predictions. */
gscale_status gscale_joint_best(const gscale_joint *j, const size_t *index,
                                size_t n, size_t draws, double *share,
                                gscale_diag *diag);

#endif /* GSCALE_SCORE_H */

/* SPDX-License-Identifier: GPL-3.0-or-later */
