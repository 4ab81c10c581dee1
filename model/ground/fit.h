/* fit.h - internal state of fits, for model/ground/ only. */
#ifndef GPUSCALE_GROUND_FIT_H
#define GPUSCALE_GROUND_FIT_H

#include "ground/squares.h"

static const double GSCALE__HUBER = 1.345; /* in units of the scale [Huber64] */

/* Writes the terms of point i at parameter p into row. */
typedef void gscale__columns_fn(void *closure, size_t i, double p, double *row);

typedef struct gscale__problem {
  size_t n, m;
  gscale__columns_fn *columns;
  void *closure;
  const double *y;
  double unit[GSCALE_FIT_MAX]; /* norm of x_ij q_i / y_i, 0 if empty */
  double *a;                   /* m columns of n */
  double *q;                   /* precision, 1 for the best point */
  double *model;               /* model / y */
  double *under;               /* denominator of residuals / y */
  double *r;                   /* residual q (y - model) / denominator */
  double *weight;              /* square root of Huber's weight */
  double *slope;               /* d model / d p in units of r */
  double *work;                /* m + 2 columns of n */
  double scale;                /* robust scale of r */
  bool held;                   /* scale and under are fixed */
  bool slope_known;
  double least, most;       /* range of p */
  double c[GSCALE_FIT_MAX]; /* coefficients of the columns of a */
  bool free[GSCALE_FIT_MAX];
} gscale__problem;

/* Checks all arguments that do not depend on p. */
gscale_status gscale__problem_check(const double *y, const double *sigma,
                                    size_t n, size_t m, double floor,
                                    gscale_diag *diag);
/* Allocates the problem and copies the points into it.  The caller frees
 * b->a. */
gscale_status gscale__problem_take(gscale__problem *b, const double *y,
                                   const double *sigma, size_t n, size_t m,
                                   double floor, gscale_diag *diag);
/* Computes the columns at parameter p. */
gscale_status gscale__problem_fill(gscale__problem *b, double p,
                                   gscale_diag *diag);
/* Fits the coefficients to the current columns, and iterates the weights to a
 * fixed point. */
void gscale__problem_iterate(gscale__problem *b);
size_t gscale__count_set(const bool *set, size_t m);
/* Returns the standard deviation of residuals from which errors are computed,
 * with n - k degrees of freedom ([Huber81] section 7.6). *kept is the share of
 * residuals that are not clipped. */
double gscale__problem_spread(const gscale__problem *b, size_t k, double *kept);
/* Writes coefficients, errors and residuals of the current fit. */
void gscale__problem_report(gscale__problem *b, gscale_fit *out);

#endif /* GPUSCALE_GROUND_FIT_H */

/* SPDX-License-Identifier: GPL-3.0-or-later */
