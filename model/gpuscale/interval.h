/*
 * interval.h - how much further the model is off where less is known, estimated
 * from runs, and how often its intervals hold.
 *
 * Included by gpuscale.h, which says what holds for all of them.
 */
#ifndef GPUSCALE_INTERVAL_H
#define GPUSCALE_INTERVAL_H

#include "gpuscale/predict.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- what is known less ---------------------------------------------------
 */

/** What a run says by how it was predicted. */
typedef enum gscale_gap {
  GSCALE_GAP_OWN,     /* by its own machine's numbers and table */
  GSCALE_GAP_MACHINE, /* by those of another */
  GSCALE_GAP_LINK,    /* by its own, but for the link */
  GSCALE_GAP_GROWTH,  /* by what was estimated on fewer GPUs */
  GSCALE_GAP_COMPUTE, /* one GPU, by the roofline of its own machine */
  GSCALE_GAP_END
} gscale_gap;
/** "own", "machine", ...; NULL past the end. */
const char *gscale_gap_name(gscale_gap g);

/** A run beside its prediction. */
typedef struct gscale_residual {
  gscale_gap gap;
  double predicted, measured;  /* s, > 0 */
  double of_parameters, sigma; /* s, >= 0, of the prediction, the measurement */
  double of_pool; /* s, >= 0, gscale_pooled.sigma times the scale: the model's
                   * own error before it is widened */
  double of_compute;  /* s, >= 0, what gscale_widening.compute is a share of */
  double doublings;   /* as in gscale_system_widened, >= 0 */
  bool machine, link; /* terms of gscale_system_widened that apply */
  size_t program;     /* the same for runs of one program, */
  size_t cluster;     /* of one program on one machine, */
  size_t way, number, other; /* and of those that gscale_widening.ways, numbers,
                              * machines speak of; SIZE_MAX: none */
} gscale_residual;

/** How many standard errors a run is off by, with its sign.
 *
 *    z = ln(measured / predicted) / asinh(err / predicted)
 *    err^2 = of_parameters^2 + sigma^2 + (of_pool factor)^2 +
 *            (of_compute compute)^2
 *
 *  with the factor of gscale_system_widened.  |z| <= k if and only if the run
 * is in gscale_interval_of(predicted, err, k).
 *
 *  Returns  z; 0 for a run that is met exactly, infinite without any error
 *  Source   ours
 */
double gscale_residual_z(const gscale_residual *r, const gscale_widening *w);

/** The widening that runs show.
 *
 *  growth from the runs of its gap, then machine, link and compute: each the
 * least with 68.27 % of the runs of that gap in |z| <= 1, given those before
 * it, and 0 if they are in without.  tail: the value that 95 % of |z| do not
 * exceed, at least 1.  Each cluster has the same weight in each, and in the
 * tail each gap but the last too: runs of one program on one machine say much
 * the same. ways, numbers, machines: the mean of z_i z_j over pairs of runs of
 * GAP_OWN in one such group, over the mean of z^2, |z| cut at 3. err: by
 * leaving out one program after the other [Quenouille56].
 *
 *  Given    n        >= 1
 *           without  a program whose runs are left out; SIZE_MAX: none
 *  Returned measured and nodes are left as they were: runs are of one node
 *  Limits   a gap without runs: 0
 *  Fails    GSCALE_EDATA    no runs
 *           GSCALE_EDOMAIN  a number outside its domain;  GSCALE_ENOMEM
 *  Source   ours
 */
gscale_status gscale_widening_fit(const gscale_residual *r, size_t n,
                                  size_t without, gscale_widening *out,
                                  gscale_diag *diag);

/* ---- coverage -------------------------------------------------------------
 */

/** How often intervals hold, and how sure that is. */
typedef struct gscale_coverage {
  size_t rows, clusters;
  double once, once_lo, once_hi; /* share within one standard error; of
                                  * draws of clusters 5 and 95 % are below */
  double tail, tail_lo, tail_hi; /* within that of 95 % */
  double width; /* median of (hi - lo) / 2 over the prediction, one error */
} gscale_coverage;

/** Coverage of runs by clusters drawn with replacement [EfronTibshirani93].
 *
 *  Given    inside   |z| of each run
 *           tail     standard errors that 95 % are in, of each run
 *           half     half the interval over the prediction, of each run
 *           cluster  of each run, below `clusters`
 *           n        >= 1;  draws  >= 20
 *  Fails    GSCALE_EDATA no runs;  GSCALE_EDOMAIN;  GSCALE_ENOMEM
 *  Source   SplitMix64 [Steele14], quantiles by rank
 */
gscale_status gscale_coverage_of(const double *inside, const double *tail,
                                 const double *half, const size_t *cluster,
                                 size_t n, size_t clusters, size_t draws,
                                 uint64_t seed, gscale_coverage *out,
                                 gscale_diag *diag);

/* ---- predictions side by side ---------------------------------------------
 */

/** Predictions of one program, on any systems and N, by any paradigms, with
 *  what their errors have in common.
 *
 *    ln T_r = ln (median of T_r) + sum over k of a_rk z_k,   z_k normal
 *
 *  A number that two rest on is one z; of the system's the same on machines of
 *  one name and value.  The model's own error has the correlation
 *    (ways, if their paradigms differ) (numbers, if their N do)
 *    (machines, if their machines or links do)
 *  of gscale_widening.  The variance of ln T_r is asinh(err / T)^2, as
 *  gscale_interval_of has it.
 *
 *  Source   ours: log-normal, linear in the numbers
 */
typedef struct gscale_joint gscale_joint;
/** NULL if out of memory. */
gscale_joint *gscale_joint_new(void);
void gscale_joint_free(gscale_joint *j);

/** Appends the prediction whose error was asked of *u last.
 *
 *  Given    time  s, > 0, predicted;  e  its error
 *  Fails    GSCALE_EDOMAIN;  GSCALE_ENOMEM
 */
gscale_status gscale_joint_add(gscale_joint *j, const gscale_uncertainty *u,
                               size_t paradigm, double time,
                               const gscale_error *e, gscale_diag *diag);
size_t gscale_joint_count(const gscale_joint *j);

/** Standard deviation of ln(T_a / T_b); NaN past the end. */
double gscale_joint_apart(const gscale_joint *j, size_t a, size_t b);
/** Probability of T_a < factor T_b: Phi((ln(factor T_b) - ln T_a) / apart); 1/2
 *  for equal ones without any error; NaN past the end.
 *  Given    factor  > 0 */
double gscale_joint_faster(const gscale_joint *j, size_t a, size_t b,
                           double factor);
/** Shares of draws in which each of some predictions is the fastest.
 *
 *  Given    index  n of them, each below gscale_joint_count;  draws  >= 1
 *  Returned share  n places; they sum to 1
 *  Fails    GSCALE_EDOMAIN;  GSCALE_ENOMEM
 *  Source   SplitMix64 [Steele14] and [BoxMuller58]: the same draws for the
 * same numbers, whatever else there is
 */
gscale_status gscale_joint_best(const gscale_joint *j, const size_t *index,
                                size_t n, size_t draws, double *share,
                                gscale_diag *diag);

#ifdef __cplusplus
}
#endif

#endif /* GPUSCALE_INTERVAL_H */
