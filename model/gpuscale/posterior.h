/*
 * posterior.h - what runs of whole programs say of a system's numbers.
 *
 * gpuscale.h says what holds for all headers.
 */
#ifndef GSCALE_POSTERIOR_H
#define GSCALE_POSTERIOR_H

#include "gpuscale/predict.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- runs, and the numbers that they tell ---------------------------------
 */

/** A measured step of a program. */
typedef struct gscale_run {
  const gscale_workload *program; /* with its t1, if that is known; kept */
  size_t paradigm;
  gscale_knobs knobs; /* NaN: the model's best */
  int gpus;
  double time, sigma; /* s, > 0; its standard error, >= 0 */
  const char *file;   /* kept; for messages */
  int line;
  /* What runs that are not given say of it (gscale_residuals_given): of
   * ln(time), what the model is off by, and the share of that variance that is
   * known by it, < 1, below 0 if they contradict the model.  0: nothing. */
  double off, known;
} gscale_run;

/** What became of one number. */
typedef struct gscale_learned {
  char name[160]; /* "host.sync"; of programs "jacobi sweep.imbalance", "t1" */
  gscale_dim dim;
  bool of_workload;
  gscale_param prior, posterior; /* origin `fitted` if `moved` */
  bool moved;       /* the runs say something of it: posterior is not prior */
  double shift;     /* of its value, in standard deviations of the prior */
  double score;     /* of a standard normal number as likely beforehand */
  double sd;        /* standard deviation left, of 1 before */
  double low, high; /* 95 %: between these, inside its range and domain */
  bool edge;        /* among the outer 5 % of an assumed range on either side */
  size_t rows;      /* how many of the next are there */
  size_t row[3];    /* the runs that pull it most, and how far each does, in */
  double pull[3];   /* standard deviations of the prior */
} gscale_learned;

/** One run before and after. */
typedef struct gscale_learned_run {
  double before, after; /* s, predicted by the base; given the runs */
  double residual;      /* of ln(measured / after), in its standard errors */
  double weight;        /* of the robust loss: 1 unless it lies far off */
  bool outlier;         /* |residual| > 4 */
} gscale_learned_run;

typedef struct gscale_posterior gscale_posterior;

/** The numbers that make measured runs most probable, and how well they are
 *  known then (maximum a posteriori).
 *
 *    minimise  sum_i rho(r_i) + sum_j z_j^2 / 2 + sum_g b_g^2 / 2
 *    r_i = (ln time_i - ln T_i(p) - u_i (sqrt(c_ig) b_g + sqrt(c_ih) b_h)) /
 * s_i p_j = F_j^-1(Phi(z_j)) s_i^2 = (sigma_i / time_i)^2 + 0.01^2 + (1 - c_ig
 * - c_ih) u_i^2
 *
 *  T is the model's time.  Each number p_j of the system and of the programs
 *  that has an error is distributed beforehand as gscale_param_nodes says: F_j,
 *  both sides of the value squeezed into what its domain leaves of them; so an
 *  assumed number cannot leave its range.
 *  b_g is the model's own residual on one program by one paradigm, b_h that on
 *  one size of it besides; u_i is its standard error by gscale_residual_of,
 *  widened by gscale_system_widened (0.3 gscale_residual_moving / T_i if
 * nothing is known), c_ig as much of its variance as repeats at other sizes and
 * N, c_ih what else repeats at other N.  rho is Huber's loss, k = 1.345.
 * Minimised by a trust-region method from several starts.
 *
 *  The gradient is by finite differences, 0.05 in z.  The covariance is that of
 *  the linear model at the minimum (Laplace), of z.  Of numbers that follow
 *  host.launch (gscale_system_guessed) p_j is relative to that.  Numbers that,
 *  one standard deviation off, move all runs together by less than a fifth of
 *  their errors (the root of the sum of squares) have no leverage and stay.
 *
 *  Given    s         the base; its numbers are the priors
 *           runs, n   kept; one of them at least on more than one GPU.  A
 *                     program without t1 starts from its roofline
 *           held      (0, 1]: u is multiplied by it while the minimum is
 *                     looked for, not in the covariance.  1: what the model is
 *                     off by is shared as the runs say; less: the numbers
 *                     explain what they can
 *           starts    1 .. 16 points to start from; 0: 3
 *           progress  called with a share of the work done, rising; or NULL
 *  Returned *out      gscale_posterior_free() it;  the same bits for the same
 *                     input
 *  Omits    points of the curve of device.membw, which stay; correlations that
 * the prior has: microbenchmarks' fits are taken as independent numbers Fails
 * GSCALE_EDATA  too few runs, or none on several GPUs; two runs of the same
 * that differ more than twofold;  GSCALE_EUNIT  times off by 10^3 or 10^6
 *           GSCALE_ENEED, GSCALE_ESIZE  a run that the system cannot do
 *           GSCALE_EDOMAIN  a time, an error;  GSCALE_ENOMEM
 *           GSCALE_ENUMERIC  no start came to an end
 *  Source   Bayes; [Levenberg44], [Marquardt63], [Nielsen99]; [Huber64].  c by
 *           gscale_residual_together; 0.3, 0.01 and the fifth are assumed
 */
gscale_status gscale_posterior_new(const gscale_system *s,
                                   const gscale_run *runs, size_t n,
                                   double held, int starts,
                                   void (*progress)(void *closure, double done),
                                   void *closure, gscale_posterior **out,
                                   gscale_diag *diag);
void gscale_posterior_free(gscale_posterior *p);

/** The numbers with an error, those of the system first; NULL past the end. */
const gscale_learned *gscale_posterior_number(const gscale_posterior *p,
                                              size_t i);
size_t gscale_posterior_count(const gscale_posterior *p);
/** Of two numbers given the runs, of z; 0 if one has no leverage. */
double gscale_posterior_correlation(const gscale_posterior *p, size_t i,
                                    size_t j);
/** Of run i, as they were given; NULL past the end. */
const gscale_learned_run *gscale_posterior_run(const gscale_posterior *p,
                                               size_t i);
/** Gives a system the numbers that moved, as `fitted` with their errors, and
 *  what the runs cover.
 *
 *  Given    s   the base that the posterior was made from, or a copy
 *  Fails    as gscale_system_set
 */
gscale_status gscale_posterior_apply(const gscale_posterior *p,
                                     gscale_system *s, gscale_diag *diag);

/** A step of a program given the runs, by the numbers that make them most
 *  probable.  It is corrected by what the model was found to be off on that
 *  program by that paradigm.
 *
 *    time = T(p) exp(u tau (sqrt(0.3) b_g + sqrt(0.5) b_h))
 *    err^2 = g' C g + 0.2 (u tau)^2,  of ln(time)
 *
 *  with C the covariance of all z and b, g the slope of ln(time).
 *
 *  Given    run    time, sigma, file and line do not matter
 *  Returned *time  s;  *err  standard error of ln(time)
 *  Fails    as gscale_predict
 *  Source   the posterior's, by the delta method
 */
gscale_status gscale_posterior_predict(gscale_posterior *p,
                                       const gscale_run *run, double *time,
                                       double *err, gscale_diag *diag);

/** What would be said of runs that had not been there.
 *
 *    x = -(J'J + 1)^-1 J'f, of the runs that are kept
 *
 *  with J the slopes at the minimum of all runs, f the residuals where the
 *  linear model has the prior.
 *
 *  Given    left  whether each run is left out, as they were given
 *           time  a place for each run
 *  Returned time  s; NaN of those that are not left out, and where nothing can
 *                 be predicted
 *  Limits   exact if the model were linear: a tenth of the work of a fit
 *  Source   one step of Gauss and Newton
 */
gscale_status gscale_posterior_without(gscale_posterior *p, const bool *left,
                                       double *time, gscale_diag *diag);

/** Which of some runs that could be made would tell most of each number.
 *
 *    sd_after^2 = C_jj - (C g)_j^2 / (s^2 + g' C g)
 *
 *  Given    runs  that could be made, as those of gscale_posterior_predict;
 *                 their sigma counts as 1 % of the time.  Those that the system
 *                 cannot do are passed over
 *           best, sd  gscale_posterior_count places
 *  Returned best  index of a run; n if none tells anything of the number
 *           sd    standard deviation left, in those of the prior
 *  Source   the linear model's: one observation more
 */
gscale_status gscale_posterior_identify(gscale_posterior *p,
                                        const gscale_run *runs, size_t n,
                                        size_t *best, double *sd,
                                        gscale_diag *diag);

/** What would be left of the error of one step if some run were made.
 *
 *    left^2 = v - (cov of both)^2 / (v_run + 0.01^2)
 *
 *  with v, v_run the squares of the errors of gscale_posterior_predict, and
 * what both have in common: numbers, and discrepancies of the program by the
 * way.
 *
 *  Given    of    the step; time, sigma, file and line do not matter
 *           runs  n that could be made, each alone
 *  Returned left  n places, standard errors of ln(time of `of`); NaN of what
 * the system cannot do Fails    as gscale_predict, of `of`;  GSCALE_ENOMEM
 *  Source   the linear model's: one observation more
 */
gscale_status gscale_posterior_tells(gscale_posterior *p, const gscale_run *of,
                                     const gscale_run *runs, size_t n,
                                     double *left, gscale_diag *diag);

/** The one number that, were it another, would bring predictions nearest to
 * runs that they do not fit. */
typedef struct gscale_misfit {
  char name[128]; /* "sweep.publish", "host.launch"; "": none does */
  gscale_dim dim;
  bool of_workload;
  double value;        /* that it would have, in SI units */
  double factor;       /* over what it is; infinite of what is 0 */
  double before, left; /* root of the mean square of ln(measured / predicted) */
} gscale_misfit;

/** Tries the numbers of the phases, and what calls cost, at an eighth to eight
 *  times their values, then the best between; of a phase's times that are 0 up
 *  to twice the fastest run, of its fractions that are 0 up to 1.
 *
 *  Given    w     with its time on one GPU, if that is known
 *           runs  n of them, 1 .. 64, all of w: program does not matter
 *  Returned *out  name "" where no number brings them nearer
 *  Limits   one number: not what two would explain together
 *  Omits    rates of the machine, which microbenchmarks tell
 *  Fails    GSCALE_EDOMAIN  a time, n;  GSCALE_ENOMEM
 *  Source   ours: least squares along one number at a time
 */
gscale_status gscale_misfit_of(const gscale_system *s, const gscale_workload *w,
                               const gscale_run *runs, size_t n,
                               gscale_misfit *out, gscale_diag *diag);

#ifdef __cplusplus
}
#endif

#endif /* GSCALE_POSTERIOR_H */

/* SPDX-License-Identifier: GPL-3.0-or-later */
