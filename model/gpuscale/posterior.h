/* posterior.h - Bayesian calibration of a system's numbers on runs of programs.
 *
 * gpuscale.h states the rules for all headers. */
#ifndef GSCALE_POSTERIOR_H
#define GSCALE_POSTERIOR_H

#include "gpuscale/predict.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- runs, and the posterior of numbers ---------------------------------- */

/** A measured step of a program. */
typedef struct gscale_run {
  const gscale_workload *program; /* with its t1 if known; kept */
  size_t paradigm;
  gscale_knobs knobs; /* NaN: the model's best */
  int gpus;
  double time, sigma; /* s, > 0; its standard error, >= 0 */
  const char *file;   /* kept, for messages */
  int line;
  /* These condition the run on runs that are not given
   * (gscale_residuals_given): the expected residual of ln(time), and the share
   * of its variance that is thereby known, < 1, below 0 if those runs
   * contradict the model.  0: nothing. */
  double off, known;
} gscale_run;

/** The posterior of one number. */
typedef struct gscale_learned {
  char name[160]; /* "host.sync"; of programs "jacobi sweep.imbalance", "t1" */
  gscale_dim dim;
  bool of_workload;
  gscale_param prior, posterior; /* origin `fitted` if `moved` */
  bool moved;       /* the runs inform it: posterior is not prior */
  double shift;     /* change of the value, in prior standard deviations */
  double score;     /* of an equally likely standard normal number */
  double sd;        /* standard deviation over the prior's */
  double low, high; /* 95 % interval inside range and domain */
  bool edge;        /* in the outer 5 % of an assumed range */
  size_t rows;      /* number of the next two */
  size_t row[3];    /* runs with the strongest pull, in */
  double pull[3];   /* standard deviations of the prior */
} gscale_learned;

/** A run before and after. */
typedef struct gscale_learned_run {
  double before, after; /* s, predicted by prior and posterior */
  double bare;          /* s, the posterior's without discrepancies */
  double residual;      /* ln(measured / after), in standard errors */
  double weight;        /* weight in the robust loss: 1 unless far off */
  bool outlier;         /* |residual| > 4 */
} gscale_learned_run;

typedef struct gscale_posterior gscale_posterior;

/** Finds the numbers that make measured runs most probable, and their errors
 *  (maximum a posteriori).
 *
 *    minimise  sum_i rho(r_i) + sum_j z_j^2 / 2 + sum_g b_g^2 / 2
 *    r_i = (ln time_i - ln T_i(p) - u_i (sqrt(c_ig) b_g + sqrt(c_ih) b_h)) /
 *    s_i
 *    p_j = F_j^-1(Phi(z_j))
 *    s_i^2 = (sigma_i / time_i)^2 + 0.01^2 + (1 - c_ig - c_ih) u_i^2.
 *
 *  T is the model's time.  F_j is the prior distribution of each uncertain
 *  number p_j of the system and of the programs, by gscale_param_nodes.  Both
 *  sides of the value are compressed into its domain, so an assumed number
 *  cannot leave its range.  b_g is the model's own residual on one program by
 *  one paradigm, b_h the further one on one size of it.  u_i is its standard
 *  error by gscale_residual_of, widened by gscale_system_widened (0.3
 *  gscale_residual_moving / T_i if unknown). c_ig is the share of its variance
 *  that repeats at other sizes and N, c_ih the further share that repeats at
 *  other N.  rho is Huber's loss, k = 1.345.  A trust-region method minimises
 *  from several starts.
 *
 *  The gradient is by finite differences, 0.05 in z.  The covariance is that of
 *  the linear model at the minimum (Laplace), of z.  For numbers that follow
 *  host.launch (gscale_system_guessed) p_j is relative to that.  Numbers have
 *  no leverage and stay if one standard deviation changes all runs together by
 *  less than a fifth of their errors (the root of the sum of squares).
 *
 *  Given    s         the base; its numbers are the priors.
 *           runs, n   kept; one of them at least on more than one GPU.  A
 *                     program without t1 starts from its roofline.
 *           held      (0, 1]: factor on u during the search, not in the
 *                     covariance.  1: runs decide the share of the model's
 *                     residual; less: numbers explain as much as they can.
 *           starts    1 .. 16 points to start from; 0: 3.
 *           progress  called with a share of the work done, rising; or NULL.
 *  Returned *out      gscale_posterior_free() it;  the same bits for the same
 *                     input.
 *  Omits    points of the curve of device.membw, which stay; prior
 *           correlations: microbenchmarks' fits count as independent numbers.
 *  Fails    GSCALE_EDATA  too few runs, or none on several GPUs; two runs of
 *                         the same that differ more than twofold.
 *           GSCALE_EUNIT  times off by 10^3 or 10^6.
 *           GSCALE_ENEED, GSCALE_ESIZE  a run that the system cannot do.
 *           GSCALE_EDOMAIN  a time, an error;  GSCALE_ENOMEM.
 *           GSCALE_ENUMERIC  no start converged.
 *  Source   Bayes; [Levenberg44], [Marquardt63], [Nielsen99]; [Huber64].  c by
 *           gscale_residual_together; 0.3, 0.01 and the fifth are assumed. */
gscale_status gscale_posterior_new(const gscale_system *s,
                                   const gscale_run *runs, size_t n,
                                   double held, int starts,
                                   void (*progress)(void *closure, double done),
                                   void *closure, gscale_posterior **out,
                                   gscale_diag *diag);
void gscale_posterior_free(gscale_posterior *p);

/** Returns a number with an error, those of the system first; NULL past the
 *  end. */
const gscale_learned *gscale_posterior_number(const gscale_posterior *p,
                                              size_t i);
size_t gscale_posterior_count(const gscale_posterior *p);
/** Returns the posterior correlation of two numbers, of z; 0 if one has no
 *  leverage. */
double gscale_posterior_correlation(const gscale_posterior *p, size_t i,
                                    size_t j);
/** Returns run i in the given order; NULL past the end. */
const gscale_learned_run *gscale_posterior_run(const gscale_posterior *p,
                                               size_t i);
/** Sets the updated numbers of a system, as `fitted` with their errors, and the
 *  range of the runs.
 *
 *  Given    s   the base of the posterior, or a copy.
 *  Fails    as gscale_system_set. */
gscale_status gscale_posterior_apply(const gscale_posterior *p,
                                     gscale_system *s, gscale_diag *diag);

/** Predicts a step of a program given the runs, by the numbers that make them
 *  most probable, corrected by the model's residual on that program by that
 *  paradigm.
 *
 *    time = T(p) exp(u tau (sqrt(0.3) b_g + sqrt(0.5) b_h))
 *    err^2 = g' C g + 0.2 (u tau)^2,  of ln(time).
 *
 *  C is the covariance of all z and b, and g the slope of ln(time).
 *
 *  Given    run    time, sigma, file and line do not matter.
 *  Returned *time  s;  *bare  s, T(p);  *err  standard error of ln(time).
 *  Fails    as gscale_predict.
 *  Source   the posterior's, by the delta method. */
gscale_status gscale_posterior_predict(gscale_posterior *p,
                                       const gscale_run *run, double *time,
                                       double *bare, double *err,
                                       gscale_diag *diag);

/** Predicts runs that are left out of the fit (cross-validation).
 *
 *    x = -(J'J + 1)^-1 J'f, of the runs that are kept.
 *
 *  J has the slopes at the minimum of all runs, and f the residuals where the
 *  linear model has the prior.
 *
 *  Given    left  true for each run that is left out, in the given order.
 *           time  a place for each run.
 *  Returned time  s; NaN of runs that are kept, and without a prediction.
 *  Limits   exact if the model were linear: a tenth of the work of a fit.
 *  Source   one step of Gauss and Newton. */
gscale_status gscale_posterior_without(gscale_posterior *p, const bool *left,
                                       double *time, gscale_diag *diag);

/** Finds, for each number, the possible run that would reduce its error most.
 *
 *    sd_after^2 = C_jj - (C g)_j^2 / (s^2 + g' C g).
 *
 *  Given    runs  candidates, as those of gscale_posterior_predict; their sigma
 *                 counts as 1 % of the time.  Runs that the system cannot do
 *                 are skipped.
 *           best, sd  gscale_posterior_count places.
 *  Returned best  index of a run; n if none informs the number.
 *           sd    standard deviation left, over the prior's.
 *  Source   the linear model's: one observation more. */
gscale_status gscale_posterior_identify(gscale_posterior *p,
                                        const gscale_run *runs, size_t n,
                                        size_t *best, double *sd,
                                        gscale_diag *diag);

/** The single number whose change would bring predictions nearest to runs that
 *  they do not fit. */
typedef struct gscale_misfit {
  char name[128]; /* "sweep.publish", "host.launch"; "": none */
  gscale_dim dim;
  bool of_workload;
  double value;        /* its new value, in SI units */
  double factor;       /* new over old value; infinite if that is 0 */
  double before, left; /* root mean square of ln(measured / predicted) */
} gscale_misfit;

/** Tries the numbers of the phases, and call costs, at an eighth to eight times
 *  their values, and then the best values between.  Times of a phase that are 0
 *  are tried up to twice the fastest run, and fractions that are 0 up to 1.
 *
 *  Given    w     with its time on one GPU, if that is known.
 *           runs  n of them, 1 .. 64, all of w: program does not matter.
 *  Returned *out  name "" if no number brings them nearer.
 *  Limits   one number: not the joint effect of two.
 *  Omits    rates of the machine, which microbenchmarks determine.
 *  Fails    GSCALE_EDOMAIN  a time, n;  GSCALE_ENOMEM.
 *  Source   ours: least squares along one number at a time. */
gscale_status gscale_misfit_of(const gscale_system *s, const gscale_workload *w,
                               const gscale_run *runs, size_t n,
                               gscale_misfit *out, gscale_diag *diag);

#ifdef __cplusplus
}
#endif

#endif /* GSCALE_POSTERIOR_H */

/* SPDX-License-Identifier: GPL-3.0-or-later */
