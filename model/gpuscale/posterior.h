/* posterior.h - Bayesian calibration of a system's parameters to runs of
 * programs. */
#ifndef GSCALE_POSTERIOR_H
#define GSCALE_POSTERIOR_H

#include "gpuscale/predict.h"

/** A measured time of a step. */
typedef struct gscale_run {
  const gscale_workload *program; /* workload, with t1 if known; must outlive
                                   * the run */
  size_t paradigm;
  gscale_knobs knobs; /* NaN: the model's best */
  int gpus;
  double time, sigma; /* time and its standard error, s */
  const char *file;   /* for messages; must outlive the run */
  int line;
  /* The next two members condition the run on runs that are not given
   * (gscale_residuals_given).  `off` is the expected residual of ln(time).
   * `known` is the known share of the residual's variance, < 1, and below 0 if
   * those runs contradict the model.  Both are 0 without such runs. */
  double off, known;
} gscale_run;

/** The posterior of one parameter. */
typedef struct gscale_learned {
  char name[160]; /* "host.sync", or for programs "jacobi sweep.imbalance" and
                   * "t1" */
  gscale_dim dim;
  bool of_workload;
  gscale_param prior, posterior; /* origin `fitted` if `moved` */
  bool moved;                    /* true if the runs inform the parameter */
  double shift;     /* change of the value, in prior standard deviations */
  double score;     /* standard normal number of equal probability */
  double sd;        /* standard deviation / the prior's */
  double low, high; /* 95 % interval inside range and domain */
  bool edge;        /* true in the outer 5 % of an assumed range */
  size_t rows;      /* number of rows and pulls */
  size_t row[3];    /* runs with the strongest pull */
  double pull[3];   /* pull in standard deviations of the prior */
} gscale_learned;

/** A run before and after the fit. */
typedef struct gscale_learned_run {
  double before, after; /* s, predicted from prior and posterior */
  double bare;          /* s, from the posterior without residuals */
  double residual;      /* ln(measured / after), in standard errors */
  double weight;        /* weight in the robust loss, 1 unless the residual is
                         * large */
  bool outlier;         /* |residual| > 4 */
} gscale_learned_run;

typedef struct gscale_posterior gscale_posterior;

/** Finds the parameters with maximum a posteriori probability given measured
 *  runs, and the standard errors of these parameters.
 *
 *    minimise  sum_i rho(r_i) + sum_j z_j^2 / 2 + sum_g b_g^2 / 2,
 *    r_i = (ln time_i - ln T_i(p) - u_i (sqrt(c_ig) b_g + sqrt(c_ih) b_h)) /
 *    s_i,
 *    p_j = F_j^-1(Phi(z_j)),
 *    s_i^2 = (sigma_i / time_i)^2 + 0.01^2 + (1 - c_ig - c_ih) u_i^2.
 *
 *  T is the model's time.  F_j is the prior distribution (gscale_param_nodes)
 *  of each uncertain parameter p_j of the system and the programs.  Both sides
 *  of a prior are compressed into the domain, so that an assumed parameter
 *  cannot leave its range.  b_g is the model's residual on one program and
 *  paradigm, and b_h the additional residual on one size.  u_i is the
 *  residual's standard error from gscale_residual_of, widened by
 *  gscale_system_widened (0.3 gscale_residual_moving / T_i if unknown).  c_ig
 *  is the share of the residual's variance that repeats at other sizes and N,
 *  and c_ih the additional share that repeats at other N.  rho is Huber's loss
 *  with k = 1.345.  A trust-region method minimises from several starts.
 *
 *  Gradients are finite differences with steps of 0.05 in z.  The covariance of
 *  z is that of the linear model at the minimum (Laplace).  For parameters that
 *  are guessed from host.launch (gscale_system_guessed), p_j is relative to
 *  host.launch.  A parameter has no leverage, and keeps its prior, if one
 *  standard deviation changes the runs by less than a fifth of their errors
 *  (root of the sum of squares over all runs).
 *
 *  Given    s         the base, whose parameters are the priors.
 *           runs, n   runs, at least one of them on several GPUs, which must
 *                     outlive *out.  A program without t1 starts from the
 *                     roofline.
 *           held      factor on u in the search, in (0, 1], which is not
 *                     applied to the covariance.  With 1, the runs decide the
 *                     share of the model's residual; with less, parameters
 *                     explain as much as possible.
 *           starts    number of starting points, 1 to 16; 0: 3.
 *           progress  called with the rising share of the work that is done; or
 *                     NULL.
 *  Returned *out      the posterior, which gscale_posterior_free() frees.
 *                     Equal inputs give the same bits.
 *  Omits    changes of the curve of device.membw; prior correlations, because
 *           parameters from microbenchmarks count as independent.
 *  Fails    GSCALE_EDATA  if there are too few runs, if none is on several
 *                         GPUs, or if two equal runs differ more than twofold.
 *           GSCALE_EUNIT  if times differ by a factor of 10^3 or 10^6.
 *           GSCALE_ENEED, GSCALE_ESIZE  if the system cannot do a run.
 *           GSCALE_EDOMAIN  if a time or an error is outside its domain;
 *                           GSCALE_ENOMEM.
 *           GSCALE_ENUMERIC  if no start converged.
 *  Source   Bayes' theorem; [Levenberg44], [Marquardt63], [Nielsen99];
 *           [Huber64]; c from gscale_residual_together; the constants 0.3, 0.01
 *           and 1/5 are assumed. */
gscale_status gscale_posterior_new(const gscale_system *s,
                                   const gscale_run *runs, size_t n,
                                   double held, int starts,
                                   void (*progress)(void *closure, double done),
                                   void *closure, gscale_posterior **out,
                                   gscale_diag *diag);
void gscale_posterior_free(gscale_posterior *p);

/** Returns an uncertain parameter, or NULL past the end.  Parameters of the
 *  system come first. */
const gscale_learned *gscale_posterior_number(const gscale_posterior *p,
                                              size_t i);
size_t gscale_posterior_count(const gscale_posterior *p);
/** Returns the posterior correlation of z of two parameters, or 0 if one of the
 *  two has no leverage. */
double gscale_posterior_correlation(const gscale_posterior *p, size_t i,
                                    size_t j);
/** Returns run i in the given order, or NULL past the end. */
const gscale_learned_run *gscale_posterior_run(const gscale_posterior *p,
                                               size_t i);
/** Sets the updated parameters of a system, with origin `fitted` and their
 *  errors, and the range of the runs.
 *
 *  Given    s   the base of the posterior, or a copy of the base.
 *  Fails    as gscale_system_set. */
gscale_status gscale_posterior_apply(const gscale_posterior *p,
                                     gscale_system *s, gscale_diag *diag);

/** Predicts a step of a program with the posterior's parameters, corrected by
 *  the model's residual on this program and paradigm.
 *
 *    time = T(p) exp(u tau (sqrt(0.3) b_g + sqrt(0.5) b_h)),
 *    err^2 = g' C g + 0.2 (u tau)^2   for the error of ln(time).
 *
 *  C is the covariance of all z and b, and g is the slope of ln(time).
 *
 *  Given    run    the step; time, sigma, file and line are ignored.
 *  Returned *time  s;  *bare  s, T(p);  *err  standard error of ln(time).
 *  Fails    as gscale_predict.
 *  Source   the delta method. */
gscale_status gscale_posterior_predict(gscale_posterior *p,
                                       const gscale_run *run, double *time,
                                       double *bare, double *err,
                                       gscale_diag *diag);

/** Predicts runs that are left out of the fit, for cross-validation.
 *
 *    x = -(J'J + 1)^-1 J'f   over the runs that are kept.
 *
 *  J has the slopes at the optimum of the fit to all runs, and f has the
 *  residuals of the linear model at the prior.
 *
 *  Given    left  for each run in the given order, true if the run is left out.
 *           time  memory for a number per run.
 *  Returned time  s; NaN for runs that are kept and for runs without a
 *                 prediction.
 *  Limits   for a linear model, exact, with a tenth of the work of a fit.
 *  Source   one Gauss-Newton step. */
gscale_status gscale_posterior_without(gscale_posterior *p, const bool *left,
                                       double *time, gscale_diag *diag);

/** Finds for each parameter the candidate run that would reduce the parameter's
 *  error most.
 *
 *    sd_after^2 = C_jj - (C g)_j^2 / (s^2 + g' C g).
 *
 *  Given    runs  candidates as for gscale_posterior_predict(), each with sigma
 *                 = 1 % of the time.  Runs that the system cannot do are
 *                 skipped.
 *           best, sd  memory for gscale_posterior_count() numbers each.
 *  Returned best  index of a run, or n if no run informs the parameter.
 *           sd    remaining standard deviation / the prior's.
 *  Source   the linear model with one more observation. */
gscale_status gscale_posterior_identify(gscale_posterior *p,
                                        const gscale_run *runs, size_t n,
                                        size_t *best, double *sd,
                                        gscale_diag *diag);

/** The single parameter whose change brings predictions nearest to measured
 *  runs. */
typedef struct gscale_misfit {
  char name[128]; /* "sweep.publish", "host.launch", or "" if there is none */
  gscale_dim dim;
  double value;        /* new value, in SI units */
  double factor;       /* new value / old value; infinite if the old value is
                        * 0 */
  double before, left; /* root mean square of ln(measured / predicted) */
} gscale_misfit;

/** Finds the misfit of runs.  The search tries each number of a phase and each
 *  call cost at 1/8 to 8 times its value, and then refines the best value.
 *  Times of a phase that are 0 are tried up to twice the fastest run, and
 *  fractions that are 0 are tried up to 1.
 *
 *  Given    w     workload, with the time on one GPU if known.
 *           runs  1 <= n <= 64 runs of w, whose member `program` is ignored.
 *  Returned *out  name is "" if no number improves the predictions.
 *  Limits   only one number at a time, not the joint effect of two numbers.
 *  Omits    the machine's rates, because microbenchmarks determine them.
 *  Fails    GSCALE_EDOMAIN  if a time or n is outside its domain;
 *                           GSCALE_ENOMEM.
 *  Source   ours: least squares along one number at a time. */
gscale_status gscale_misfit_of(const gscale_system *s, const gscale_workload *w,
                               const gscale_run *runs, size_t n,
                               gscale_misfit *out, gscale_diag *diag);

#endif /* GSCALE_POSTERIOR_H */

/* SPDX-License-Identifier: GPL-3.0-or-later */
