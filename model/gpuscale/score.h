/*
 * score.h - predicted against measured.
 *
 * Included by gpuscale.h, which says what holds for all of them.
 */
#ifndef GSCALE_SCORE_H
#define GSCALE_SCORE_H

#include "gpuscale/predict.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- curves of time over N -------------------------------------------------
 */

/** Index of the smallest time (the peak), NaN being none; always below n, the
 *  first if none is a number, but 0 if n is 0. */
size_t gscale_peak(const double *time, size_t n);

/** Index of the knee: the last listed N at which the added GPUs still give at
 *  least half of what they could,
 *    T(prev)/T(N) - 1 >= 0.5 (N/prev - 1).
 *  Given    gpus   rising;  time  s, > 0
 *  Returns  an index; 0 if no step passes; n if n is 0
 */
size_t gscale_knee(const int *gpus, const double *time, size_t n);

/* ---- what a time costs ------------------------------------------------------
 */

/** Price of `time` on so many GPUs, time gpus per_hour / 3600.
 *  Given    time  s, >= 0;  gpus  >= 1;  per_hour  of one GPU hour, in any
 *                 currency, >= 0
 *  Returns  in that currency; NaN if anything else is given
 *  Omits    what is charged by the started hour, idle GPUs of a rented node
 */
double gscale_rent(double time, int gpus, double per_hour);

/** The Pareto front: which of n points no other one beats, one that is nowhere
 *  larger and somewhere smaller.
 *  Given    x, y  of each; one with a NaN is not on the front and beats none
 *  Returned front[i], true of all that are on it, of equal ones of the first;
 *                 rising in x they fall in y
 */
void gscale_pareto(const double *x, const double *y, size_t n, bool *front);

/* ---- predicted against measured ---------------------------------------------
 */

typedef struct gscale_score {
  size_t n;
  double mean_abs;   /* mean of |predicted/measured - 1| */
  double median_abs; /* its median, and the value that 90 % do not exceed, */
  double p90_abs;    /* linear between two of them */
  double bias;       /* mean of predicted/measured - 1 */
  double worst;      /* the largest |.|, with its sign */
  double covered;    /* fraction in gscale_interval_of(predicted, err, 1); the
                      * measurement's own error added in quadrature */
  double covered95;  /* the same for `tail` errors */
  double width;      /* median of that error, relative to the prediction: half
                      * the interval */
} gscale_score;

/** Scores n rows; the errors may be NULL (= 0).  Times must be > 0.  tail:
 *  standard errors of an interval of 95 %, as gscale_widening.tail. */
gscale_status gscale_score_rows(const double *predicted, const double *err,
                                const double *measured, const double *sigma,
                                size_t n, double tail, gscale_score *out,
                                gscale_diag *diag);

/** The error of a prediction as that of its compute and that of its transfer,
 *  where the program without any transfer (infinite) was measured on as many
 *  GPUs.
 *
 *    compute  = (predicted_infinite - measured_infinite) / measured
 *    transfer = the rest of (predicted - measured) / measured
 *
 *  Given    s, > 0, all four
 *  Returns  shares of the measured time with their signs; their sum is the
 *           error; NaN outside the domain
 *  Limits   of the infinite run itself: all is compute
 *  Omits    that a transfer may hide behind compute: an error of the compute
 *           that the transfer hides shows in both, with opposite signs
 *  Source   ours: definition
 */
typedef struct gscale_split {
  double compute, transfer;
} gscale_split;
gscale_split gscale_split_error(double predicted, double predicted_infinite,
                                double measured, double measured_infinite);

/* ---- laws that are fitted to runs: what a prediction has to beat ------------
 */

typedef enum gscale_law {
  GSCALE_AMDAHL,
  GSCALE_USL,         /* Universal Scalability Law */
  GSCALE_MESSAGES,    /* latency and bandwidth */
  GSCALE_NORMAL_FORM, /* one term of Extra-P's */
  GSCALE_LAW_END
} gscale_law;

enum {
  GSCALE_LAW_TERMS = 3
};

const char *gscale_law_name(gscale_law l); /* "amdahl", ...; or NULL */

/** What the busiest GPU publishes to others in a step. */
typedef struct gscale_traffic {
  double messages; /* contiguous pieces, one for each destination */
  double bytes;    /* B */
} gscale_traffic;

/** Counted from the workload alone, whatever moves it: all phases times their
 *  repeats; 0 on one GPU.
 *
 *  Given    n   >= 1
 */
gscale_traffic gscale_workload_traffic(const gscale_workload *w, int n);

/** Time by a law.
 *
 *    amdahl     T1 (s + (1 - s) / N)                     c = T1, s
 *    usl        T1 (1 + a (N-1) + b N (N-1)) / N         c = T1, a, b
 *    messages   C / N + messages alpha + bytes beta      c = C, alpha, beta
 *    extra-p    C + D N^i log2(N)^j                      c = C, D, index of i,
 * j
 *
 *  Given    c      GSCALE_LAW_TERMS numbers: s; s and fractions; s, s, s/B
 *           gpus   N, >= 1
 *           t      traffic on N GPUs, for `messages` only
 *  Returns  s; NaN outside the domain
 *  Source   [Amdahl67]; [Gunther07] chapter 4: throughput
 *           N / (1 + a (N-1) + b N (N-1)), of which this is the inverse;
 *           [Hockney94]: alpha + beta bytes for each message, beside compute
 *           that divides; [Calotoiu13]: performance model normal form, one
 * term, i = -1, -3/4, -2/3, -1/2, -1/3, -1/4, 0, and the same above 0, j = 0,
 * 1, not both 0
 */
double gscale_law_time(gscale_law l, const double *c, int gpus,
                       gscale_traffic t);

/** The coefficients that fit measured runs best.  Of the terms of extra-p that
 *  one is taken whose runs are best predicted by the others (the mean of
 *  |T/time - 1| when each N is left out; the first of equals).
 *
 *    minimise sum_i (T(N_i) / time_i - 1)^2,   T1, s, a, b, C, D, alpha, beta
 * >= 0
 *
 *  Given    t      traffic of each run, or NULL: none
 *           time   s, > 0
 *           n      runs, with as many different N as the law has coefficients
 *  Returned c      as gscale_law_time takes them; of columns that the runs
 *                  cannot tell apart, one is used and the others are 0
 *  Fails    GSCALE_EDATA    too few different N, or T1 = 0
 *           GSCALE_EDOMAIN  a number outside its domain;  GSCALE_ENOMEM
 *  Source   ours: linear in the coefficients (times T1), [LawsonHanson74]
 */
gscale_status gscale_law_fit(gscale_law l, const int *gpus,
                             const gscale_traffic *t, const double *time,
                             size_t n, double c[GSCALE_LAW_TERMS],
                             gscale_diag *diag);

/** The one factor on predictions that fits measured runs best.
 *
 *    minimise sum_i (k predicted_i / measured_i - 1)^2
 *
 *  Given    n   >= 1;  s, > 0
 *  Returns  k; NaN outside the domain
 *  Source   ours: what a prediction gains from the runs that laws need
 */
double gscale_scale_factor(const double *predicted, const double *measured,
                           size_t n);

/* ---- the model's own discrepancy --------------------------------------------
 */

/** The time to which the model's own discrepancy is proportional.
 *
 *    scale = sqrt( (T - T_infinite)^2 + (0.05 T)^2 )
 *
 *  What the transfer adds to a step is known worse than the compute; the second
 *  term stands for what it should hide and may not, and for the compute.
 *
 *  Given    time      s, T, > 0;  infinite  s, T_infinite, 0 .. T
 *  Returns  s; NaN outside the domain
 *  Limits   0.05 T for infinite itself;  T if all is transfer
 *  Source   ours.  0.05 is fitted: with it the middle spreads of two programs
 *           with very different shares of transfer (jacobi, allgather) agree
 *           within a factor of 3 in each paradigm; relative to T they differ by
 *           up to 6
 */
double gscale_discrepancy_scale(double time, double infinite);

/** Spread of residuals beyond what errors explain, estimated in three ways.
 *
 *    r_i = (measured_i - predicted_i) / scale_i
 *    v_i = (err_i^2 + sigma_i^2) / scale_i^2
 *    rms      sqrt(max(0, mean(r^2 - v)))
 *    middle   the least d with 68.27 % of the rows in |r| <= sqrt(v + d^2)
 *    median   the least d with half of them in |r| <= 0.6745 sqrt(v + d^2)
 *
 *  All three are one standard deviation if residuals are normal.  A heavy tail
 *  raises the first only.
 */
typedef struct gscale_spread {
  size_t n;
  double rms, middle, median;
} gscale_spread;

/** Given    as gscale_score_rows; the errors of the predictions are those of
 *           their parameters (gscale_error.of_parameters)
 *           scale   s, > 0, or NULL: the predicted times
 *  Fails    as gscale_score_rows
 *  Source   ours: moments, and quantiles of the normal distribution
 */
gscale_status gscale_spread_of(const double *predicted, const double *err,
                               const double *measured, const double *sigma,
                               const double *scale, size_t n,
                               gscale_spread *out, gscale_diag *diag);

#ifdef __cplusplus
}
#endif

#endif /* GSCALE_SCORE_H */
