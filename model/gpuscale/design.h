/* design.h - designs of parameter studies, roots, and Sobol indices.
 *
 * gpuscale.h states the rules for all headers. */
#ifndef GSCALE_DESIGN_H
#define GSCALE_DESIGN_H

#include <stdint.h>

#include "gpuscale.h"

#ifdef __cplusplus
extern "C" {
#endif

/** An axis of a study. */
typedef struct gscale_axis {
  double from, to;    /* both ends are points of a grid */
  bool log;           /* equal ratios, not differences */
  bool whole;         /* rounded to whole numbers */
  size_t steps;       /* values on a grid, >= 1; 1: from */
  const double *list; /* or these values, `steps` of them; NULL */
} gscale_axis;

typedef enum gscale_design_kind {
  GSCALE_GRID,   /* all combinations, last axis fastest */
  GSCALE_RANDOM, /* uniform: Mersenne twister */
  GSCALE_QUASI,  /* Sobol's sequence: evenly distributed */
  GSCALE_LISTED, /* value i of each axis: lists of one length */
  GSCALE_DESIGN_END
} gscale_design_kind;

enum {
  GSCALE_AXES_MAX = 16
};

/** The points of a study, in a fixed order; any part can be generated alone. */
typedef struct gscale_design {
  gscale_design_kind kind;
  size_t axes; /* 1 .. GSCALE_AXES_MAX */
  gscale_axis axis[GSCALE_AXES_MAX];
  uint64_t points; /* without a grid */
  uint64_t seed;   /* of random points only */
} gscale_design;

/** Checks a design.  GSCALE_EDOMAIN unless there are 1 .. 2^53 points, and
 *  every axis has a value and finite ends in rising order, above 0 for equal
 *  ratios.  *diag names the axis by its number from 1. */
gscale_status gscale_design_check(const gscale_design *d, gscale_diag *diag);

/** Returns the number of points of a checked design. */
uint64_t gscale_design_points(const gscale_design *d);

/** Returns value i of an axis of a grid:
 *
 *    from + (to - from) i / (steps - 1)    or    from (to / from)^(i/(steps-1))
 *
 *  The ends have no rounding errors. */
double gscale_axis_value(const gscale_axis *a, size_t i);

/** An iterator over points first, first + 1, ... of a design. */
typedef struct gscale_points gscale_points;

/** Creates an iterator.
 *
 *  Fails    GSCALE_ENOMEM.
 *  Source   Sobol's sequence and the Mersenne twister as in GSL; points before
 *           `first` are skipped in some 10 ns a number. */
gscale_status gscale_points_new(const gscale_design *d, uint64_t first,
                                gscale_points **out, gscale_diag *diag);
/** Writes the values of the next point, one per axis. */
void gscale_points_next(gscale_points *p, double *x);
void gscale_points_free(gscale_points *p);

/* ---- zero crossings of a function ---------------------------------------- */

typedef struct gscale_crossing {
  double x;    /* the first value, rising, after the crossing: f(x) has its new
                * sign */
  bool rising; /* from below 0 to 0 or above */
} gscale_crossing;

/** Finds all places where f passes from below 0 to 0 or above, or back, along
 *  an axis.
 *
 *  f is evaluated on the grid of the axis.  Between neighbours with different
 *  signs Chandrupatla's method finds the place (a jump too); on whole numbers
 *  bisection does.
 *
 *  Given    f      f(x, closure); NaN where there is no value: nothing is found
 *                  between such a point and its neighbours.
 *           a      checked (gscale_design_check), with steps >= 2.
 *           most   places in *out.
 *  Returned *n     number of places, rising x, including those beyond `most`.
 *           *first true if f >= 0 at the first value of the axis that has one.
 *  Limits   x to 1e-9 of itself; two crossings between neighbours of the grid
 *           are not seen.
 *  Source   [Chandrupatla97]. */
void gscale_crossings(double (*f)(double x, void *closure), void *closure,
                      const gscale_axis *a, gscale_crossing *out, size_t most,
                      size_t *n, bool *first);

/* ---- Sobol indices ------------------------------------------------------- */

enum {
  GSCALE_SOBOL_MAX = 512 /* inputs */
};

/** Shares of the variance, each with its standard error. */
typedef struct gscale_sobol {
  double first, first_err; /* of this input alone */
  double total, total_err; /* with all its interactions */
} gscale_sobol;

/** Computes Sobol indices of f over the unit cube.
 *
 *    first_i = mean(f(B) (f(AB_i) - f(A))) / V
 *    total_i = mean((f(A) - f(AB_i))^2) / (2 V).
 *
 *  A and B are points of one Sobol sequence in 2n dimensions, and AB_i is A
 *  with input i of B.  V is the variance of f over A and B, about whose mean f
 *  is taken. The sequence is shifted at random eight times; the standard errors
 *  are those of the mean over the shifts.  It has dimensions for 20 inputs.
 *  Each further input has a random order of as many equal parts as there are
 *  points, with one random point in each part (Latin hypercube), drawn anew for
 *  each shift.  Important inputs should come first.
 *
 *  Given    f      f(x, closure), x[0..n-1] in (0, 1); a point at which it is
 *                  not finite is left out with all that belongs to it.
 *           n      1 .. GSCALE_SOBOL_MAX.
 *           points of each shift, >= 16; 8 points (n + 2) calls of f in all.
 *  Returned out    one per input; all 0 where f does not vary.
 *           *mean, *variance  of f; either may be NULL.
 *  Fails    GSCALE_EDOMAIN, GSCALE_ENOMEM, GSCALE_ENUMERIC if f is finite
 *           hardly anywhere.
 *  Source   [Saltelli10] table 2 (b) and (f); Sobol's sequence as in GSL;
 *           shifts of [CranleyPatterson76]; Latin hypercubes beside a sequence
 *           of [Owen98]. */
gscale_status gscale_sobol_indices(double (*f)(const double *x, void *closure),
                                   void *closure, size_t n, size_t points,
                                   uint64_t seed, gscale_sobol *out,
                                   double *mean, double *variance,
                                   gscale_diag *diag);

#ifdef __cplusplus
}
#endif

#endif /* GSCALE_DESIGN_H */

/* SPDX-License-Identifier: GPL-3.0-or-later */
