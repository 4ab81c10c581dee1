/* fit.h - fits of coefficients, and the result of a calibration.
 *
 * gpuscale.h states the rules for all headers. */
#ifndef GSCALE_FIT_H
#define GSCALE_FIT_H

#include "gpuscale/measure.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- fits --------------------------------------------------------------- */

enum {
  GSCALE_FIT_MAX = 6,      /* coefficients */
  GSCALE_OUTLIERS_MAX = 16 /* named */
};

/** Coefficients, and the information of the data about each. */
typedef struct gscale_fit {
  size_t points, terms;
  double value[GSCALE_FIT_MAX]; /* >= 0 */
  double err[GSCALE_FIT_MAX];   /* standard error; 0 at the bound */
  double limit[GSCALE_FIT_MAX]; /* 95 %: the truth is in value +- (limit -
                                 * value); at the bound, in 0 .. limit */
  bool bound[GSCALE_FIT_MAX];   /* value is 0 because the fit would be
                                 * negative */
  bool unknown[GSCALE_FIT_MAX]; /* the data cannot separate it: one value of
                                 * many, err and limit infinite */
  double correlation[GSCALE_FIT_MAX][GSCALE_FIT_MAX]; /* 0 at the bound */
  double mean_abs; /* mean of |model/measured - 1| */
  double worst;    /* largest |model/measured - 1|, signed */
  double left_out; /* mean of |.| with each point left out */
  double scatter;  /* robust scale of measured/model - 1 */
  size_t outliers; /* beyond 5 scatters, at most GSCALE_OUTLIERS_MAX */
  size_t outlier[GSCALE_OUTLIERS_MAX]; /* indices, the largest first */
} gscale_fit;

/** Fits coefficients by non-negative, robust, relative least squares.
 *
 *    minimise sum_i w_i ((y_i - f_i) / (g_i s_i))^2,   c_j >= 0,
 *    where f_i = sum_j c_j x_ij.
 *
 *  Here s_i = max(sigma_i / y_i, floor), or the same for all without sigma. w_i
 *  are Huber's weights (k = 1.345, scale from the median absolute deviation).
 *  g_i is f_i, but at least y_i/4: relative to y_i itself, low points would
 *  pull all coefficients down. w and g are iterated to a fixed point; c follows
 *  by the active-set method of Lawson and Hanson.
 *
 *  Errors are those of the linear model on the free coefficients, times the
 *  scatter of the residuals, whatever sigma says.  Limits are Student's, with
 *  as many degrees of freedom as points are not clipped, less the free
 *  coefficients.  A coefficient at its bound gets the one-sided limit of one
 *  that came out as just 0.  It is `unknown` if its error, all being free, is
 *  as large as if it alone made up y.  `left_out` refits with the same weights;
 *  beyond 200 points, with the same free coefficients too.
 *
 *  Given    x       points * terms, row by row;  y  > 0.
 *           sigma   standard errors of y, in its unit, or NULL.
 *           points  > terms;  terms  1 .. GSCALE_FIT_MAX.
 *           floor   >= 0, relative.
 *  Returns  the same bits for the same input.
 *  Fails    GSCALE_EDATA    too few points, or all columns zero.
 *           GSCALE_EDOMAIN  a number outside its domain, or not finite; an
 *                           error of 0 while floor is 0.
 *           GSCALE_ENOMEM.
 *  Source   [LawsonHanson74] NNLS; [Huber64]. */
gscale_status gscale_fit_linear(const double *x, const double *y,
                                const double *sigma, size_t points,
                                size_t terms, double floor, gscale_fit *out,
                                gscale_diag *diag);

/** Extends gscale_fit_linear() by one parameter p inside the columns (variable
 *  projection).  p minimises Huber's loss over least .. most.  It is found on a
 *  grid of 64 points (equal steps of log p) and refined by golden section, with
 *  g and the scale of the residuals fixed at those of the best p.  A minimum
 *  narrower than a step of the grid may be missed.  Errors of the coefficients
 *  include that of p; `left_out` keeps p fixed.
 *
 *  Given    columns   fills one row of `terms` numbers for point i and p.
 *           points    > terms + 1.
 *           least     > 0;  most  > least.
 *  Returned *p        the minimum.
 *           *p_err    the distance at which the objective has risen by one
 *                     scatter^2: half of both sides, one side if the other
 *                     reaches an end, infinite if both do; 0 if p is at one end
 *                     and the data exclude the other.
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
  bool fitted;       /* false: the base's value stays; see `note` */
  double value, err; /* as fitted */
  double base;       /* what it was */
  size_t points;     /* measurements behind it */
  size_t fit;        /* index of the fit, or SIZE_MAX */
  double mean_abs;   /* mean |model/measured - 1|; NaN without fit */
  double worst, left_out;
  double correlation; /* between the fit's two coefficients; NaN if one */
  char benches[64];   /* their names */
  char note[240];     /* reason; or outliers */
} gscale_calibrated;

/** One point of a fit. */
typedef struct gscale_fit_point {
  const gscale_measurement *from; /* as long-lived as the measurements */
  double measured, sigma;         /* s, the fitted time and its error */
  double model;                   /* s, the fit's value */
} gscale_fit_point;

/** A fit that some parameters share, or, with 0 terms, a comparison of points
 *  with the finished model. */
typedef struct gscale_calibration_fit {
  char benches[64];
  gscale_fit of;
  size_t first, n; /* its points */
} gscale_calibration_fit;

struct gscale_calibration {
  size_t n; /* = gscale_param_count(), in that order */
  gscale_calibrated of[GSCALE_PARAMS_MAX];
  size_t fits;
  gscale_calibration_fit *fit;
  size_t points; /* of all fits */
  gscale_fit_point *point;
  size_t curve_points;      /* points of device.membw's curve */
  unsigned watts;           /* bit i: row i of GSCALE_OF_POWER was measured */
  size_t unused;            /* measurements that identify nothing */
  char unused_benches[256]; /* their benches, as many as fit */
};

void gscale_calibration_free(gscale_calibration *c);
/** Lists the benches to which each parameter of a system would be fitted: a
 *  calibration without measurements, with nothing to be freed.
 *
 *  Given    s     for its links and shape.
 *  Returned *out  of[].benches, "" where no bench identifies the parameter;
 *                 of[].note states it.
 *  Source   the recipes of gscale_calibrate. */
void gscale_calibration_benches(const gscale_system *s,
                                gscale_calibration *out);

#ifdef __cplusplus
}
#endif

#endif /* GSCALE_FIT_H */

/* SPDX-License-Identifier: GPL-3.0-or-later */
