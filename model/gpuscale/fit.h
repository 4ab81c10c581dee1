/* fit.h - fits of coefficients, and the result of a calibration. */
#ifndef GSCALE_FIT_H
#define GSCALE_FIT_H

#include "gpuscale/measure.h"

enum {
  GSCALE_FIT_MAX = 6,      /* coefficients */
  GSCALE_OUTLIERS_MAX = 16 /* named */
};

/** The fitted coefficients, and what the data tell about each coefficient. */
typedef struct gscale_fit {
  size_t points, terms;
  double value[GSCALE_FIT_MAX]; /* >= 0 */
  double err[GSCALE_FIT_MAX];   /* standard error; 0 at the bound */
  double limit[GSCALE_FIT_MAX]; /* the truth is in value +- (limit - value) with
                                 * 95 % probability; at the bound, in 0 to
                                 * limit */
  bool bound[GSCALE_FIT_MAX];   /* value is 0 because a free fit would be
                                 * negative */
  bool unknown[GSCALE_FIT_MAX]; /* the data do not determine the value, and err
                                 * and limit are infinite */
  double correlation[GSCALE_FIT_MAX][GSCALE_FIT_MAX]; /* 0 at the bound */
  double mean_abs; /* mean of |model/measured - 1| */
  double worst;    /* model/measured - 1 of the point with the largest
                    * deviation */
  double left_out; /* mean |model/measured - 1| of points left out */
  double scatter;  /* robust scale of measured/model - 1 */
  size_t outliers; /* points beyond 5 scatters, at most GSCALE_OUTLIERS_MAX */
  size_t outlier[GSCALE_OUTLIERS_MAX]; /* outliers, the largest deviation
                                        * first */
} gscale_fit;

/** Fits coefficients by non-negative, robust, relative least squares.
 *
 *    minimise sum_i w_i ((y_i - f_i) / (g_i s_i))^2,   c_j >= 0,
 *    where f_i = sum_j c_j x_ij.
 *
 *  Here s_i = max(sigma_i / y_i, floor), or one value for all points without
 *  sigma. w_i are Huber's weights (k = 1.345, scale from the median absolute
 *  deviation).  The divisor is g_i = max(f_i, y_i/4), because division by y_i
 *  would let low points pull all coefficients down. w and g are iterated to a
 *  fixed point, and the active-set method of Lawson and Hanson computes c.
 *
 *  Standard errors are those of the linear model with the free coefficients,
 *  scaled by the scatter of the residuals and not by sigma.  The 95 % limits
 *  come from Student's t distribution.  The degrees of freedom are the number
 *  of points that Huber's loss does not clip, less the number of free
 *  coefficients.  A coefficient at its bound gets a one-sided limit, as if its
 *  free value were 0.  A coefficient is `unknown` if its error with all
 *  coefficients free is as large as the coefficient that would alone make up y.
 *  `left_out` comes from refits with the same weights and, for more than 200
 *  points, with the same free coefficients.
 *
 *  Given    x       points * terms numbers, row by row; y > 0.
 *           sigma   standard errors of y, in the unit of y, or NULL.
 *           points  > terms;  terms  1 to GSCALE_FIT_MAX.
 *           floor   least relative error of a point, >= 0.
 *  Returns  the same bits for equal inputs.
 *  Fails    GSCALE_EDATA    if there are too few points, or all columns are 0.
 *           GSCALE_EDOMAIN  if a number is outside its domain or not finite, or
 *                           a sigma is 0 while floor is 0.
 *           GSCALE_ENOMEM.
 *  Source   [LawsonHanson74] NNLS; [Huber64]. */
gscale_status gscale_fit_linear(const double *x, const double *y,
                                const double *sigma, size_t points,
                                size_t terms, double floor, gscale_fit *out,
                                gscale_diag *diag);

/** Extends gscale_fit_linear() by one parameter p that the columns depend on
 *  (variable projection).  The fit takes the p from `least` to `most` with the
 *  smallest Huber loss.  A grid of 64 points with equal steps of log p gives a
 *  first p.  Golden section then refines p, with g and the scale of the
 *  residuals fixed at the first p.  A minimum that is narrower than a grid step
 *  may be missed.  Errors of the coefficients include the error of p, and
 *  `left_out` keeps p fixed.
 *
 *  Given    columns   a function that fills the row of `terms` numbers of point
 *                     i for p.
 *           points    > terms + 1.
 *           least     > 0;  most  > least.
 *  Returned *p        the best parameter.
 *           *p_err    the distance from p at which the loss has risen by
 *                     scatter^2, as the mean of both sides.  If one side
 *                     reaches an end of the range, only the other side counts.
 *                     *p_err is infinite if both sides reach an end, and 0 if p
 *                     is at one end and the data exclude the other end.
 *  Fails    as gscale_fit_linear. */
gscale_status gscale_fit_projected(
    void (*columns)(void *closure, size_t i, double p, double *row),
    void *closure, const double *y, const double *sigma, size_t points,
    size_t terms, double floor, double least, double most, double *p,
    double *p_err, gscale_fit *out, gscale_diag *diag);

/* ---- calibration --------------------------------------------------------- */

/** The calibration of one parameter. */
typedef struct gscale_calibrated {
  gscale_param_id id;
  bool fitted;       /* false: the base's value stays (see `note`) */
  double value, err; /* fitted value and standard error */
  double base;       /* value of the base */
  size_t points;     /* number of measurements in the fit */
  size_t fit;        /* index of the fit, or SIZE_MAX */
  double mean_abs;   /* mean |model/measured - 1|, or NaN without fit */
  double worst, left_out;
  double told; /* 1 / squared error that the rows of collectives leave, as far
                * as they depend on the parameter and the others hold */
  double correlation; /* correlation of both coefficients of a fit, or NaN */
  char benches[64];   /* names of the microbenchmarks */
  char note[240];     /* a reason, or outliers */
} gscale_calibrated;

/** One point of a fit. */
typedef struct gscale_fit_point {
  const gscale_measurement *from; /* valid while the measurements exist */
  double measured, sigma;         /* s, measured time and its standard error */
  double model;                   /* s, time of the fit */
} gscale_fit_point;

/** A fit that several parameters share.  A fit with 0 terms compares points
 *  with the finished model. */
typedef struct gscale_calibration_fit {
  char benches[64];
  gscale_fit of;
  size_t first, n; /* range of points of the fit */
} gscale_calibration_fit;

struct gscale_calibration {
  size_t n; /* number of parameters, gscale_param_count() */
  gscale_calibrated of[GSCALE_PARAMS_MAX];
  size_t fits;
  gscale_calibration_fit *fit;
  size_t points; /* number of points of all fits */
  gscale_fit_point *point;
  unsigned watts;           /* bit i is set if row i of GSCALE_OF_POWER was
                             * measured */
  size_t unused;            /* number of measurements that identify nothing */
  char unused_benches[256]; /* benches of `unused`, as many as fit */
};

void gscale_calibration_free(gscale_calibration *c);
/** Lists the benches to which each parameter of a system would be fitted.  The
 *  result is a calibration without measurements, which needs no free.
 *
 *  Given    s     a system with links and shape.
 *  Returned *out  of[].benches, or "" and a reason in of[].note if no bench
 *                 identifies the parameter.
 *  Source   the recipes of gscale_calibrate. */
void gscale_calibration_benches(const gscale_system *s,
                                gscale_calibration *out);

#endif /* GSCALE_FIT_H */

/* SPDX-License-Identifier: GPL-3.0-or-later */
