/*
 * sobol.h - which inputs a function's variance comes from.
 *
 * Included by gpuscale.h, which says what holds for all of them.
 */
#ifndef GSCALE_SOBOL_H
#define GSCALE_SOBOL_H

#include "gpuscale/status.h"

#ifdef __cplusplus
extern "C" {
#endif

enum {
  GSCALE_SOBOL_MAX = 512 /* inputs */
};

/** Shares of the variance, each with its standard error. */
typedef struct gscale_sobol {
  double first, first_err; /* by this input alone */
  double total, total_err; /* by it and all in which it takes part */
} gscale_sobol;

/** Sobol indices of f over the unit cube.
 *
 *    first_i = mean(f(B) (f(AB_i) - f(A))) / V
 *    total_i = mean((f(A) - f(AB_i))^2) / (2 V)
 *
 *  A and B are points of one Sobol sequence in 2n dimensions, AB_i is A with
 *  input i of B; V is the variance of f over A and B, about whose mean f is
 *  taken.  The sequence is shifted at random eight times; the standard errors
 *  are those of the mean over the shifts.  It has dimensions for 20 inputs: of
 *  more, the first 20 have these, and each of the others an order of its own,
 *  at random, of as many equal parts as there are points, with one point at
 *  random in each part (Latin hypercube), drawn anew for each shift.  So put
 *  first what matters most.
 *
 *  Given    f      f(x, closure), x[0..n-1] in (0, 1); a point at which it is
 *                  not finite is left out with all that belongs to it
 *           n      1 .. GSCALE_SOBOL_MAX
 *           points of each shift, >= 16; 8 points (n + 2) calls of f in all
 *  Returned out    one an input; all 0 where f does not vary
 *           *mean, *variance  of f; either may be NULL
 *  Fails    GSCALE_EDOMAIN, GSCALE_ENOMEM, GSCALE_ENUMERIC if f is finite
 *           hardly anywhere
 *  Source   [Saltelli10] table 2 (b) and (f); Sobol's sequence as in GSL;
 *           shifts of [CranleyPatterson76]; Latin hypercubes beside a
 *           sequence of [Owen98] */
gscale_status gscale_sobol_indices(double (*f)(const double *x, void *closure),
                                   void *closure, size_t n, size_t points,
                                   uint64_t seed, gscale_sobol *out,
                                   double *mean, double *variance,
                                   gscale_diag *diag);

#ifdef __cplusplus
}
#endif

#endif /* GSCALE_SOBOL_H */
