/* squares.h - least squares of a few columns, for model/ only. */
#ifndef GPUSCALE_GROUND_SQUARES_H
#define GPUSCALE_GROUND_SQUARES_H

#include "ground/ground.h"

enum {
  GSCALE__WIDE = GSCALE_FIT_MAX + 2 /* coefficients, y and slope in p */
};

/* Least relative distance of an independent column from all other columns. */
static const double GSCALE__DEPENDENT = 1e-9;
static const double GSCALE__TINY = 1e-14; /* relative rounding error */

/* The upper triangle T with T'T = A'A, stored by columns. */
typedef struct gscale__triangle {
  double at[GSCALE__WIDE][GSCALE__WIDE]; /* [column][row] */
} gscale__triangle;

double gscale__dot(const double *a, const double *b, size_t n);
/* Computes T of the columns of `a`, `rows` numbers each, by Householder
 * reflections, which destroy `a`. */
void gscale__reduce(double *a, size_t rows, size_t columns,
                    gscale__triangle *t);
/* Computes the triangle of the k columns in `which`.  Returns the number of
 * columns before the first one that, but for rounding, combines earlier
 * columns. */
size_t gscale__choose(const gscale__triangle *t, const size_t *which, size_t k,
                      gscale__triangle *out);
/* Minimises |y - sum_j c_j column_j| over c >= 0 [LawsonHanson74, algorithm
 * NNLS]. c is zero for columns that are not free. */
void gscale__nonnegative(const gscale__triangle *t, size_t m, double *c,
                         bool *free);

#endif /* GPUSCALE_GROUND_SQUARES_H */

/* SPDX-License-Identifier: GPL-3.0-or-later */
