/* design.h - designs of parameter studies, roots, and Sobol indices. */
#ifndef GSCALE_DESIGN_H
#define GSCALE_DESIGN_H

#include <stdint.h>

#include "gpuscale.h"

/** An axis of a study. */
typedef struct gscale_axis {
  double from, to;    /* first and last value of a grid */
  bool log;           /* equal ratios, not equal differences */
  bool whole;         /* rounded to whole numbers */
  size_t steps;       /* number of values of a grid, >= 1; 1: only `from` */
  const double *list; /* `steps` explicit values instead, or NULL */
} gscale_axis;

typedef enum gscale_design_kind {
  GSCALE_GRID,   /* all combinations; the last axis varies fastest */
  GSCALE_RANDOM, /* uniform, from a Mersenne twister */
  GSCALE_QUASI,  /* evenly distributed by Sobol's sequence */
  GSCALE_LISTED, /* point i has value i of each axis's list */
  GSCALE_DESIGN_END
} gscale_design_kind;

enum {
  GSCALE_AXES_MAX = 16
};

/** The points of a study in a fixed order.  Any range of points can be
 *  generated separately. */
typedef struct gscale_design {
  gscale_design_kind kind;
  size_t axes; /* 1 to GSCALE_AXES_MAX */
  gscale_axis axis[GSCALE_AXES_MAX];
  uint64_t points; /* number of points, unless a grid */
  uint64_t seed;   /* seed of random points */
} gscale_design;

/** Checks a design.  The check fails with GSCALE_EDOMAIN unless there are 1 to
 *  2^53 points, and each axis has a value and finite ends in rising order,
 *  above 0 for equal ratios. *diag has the axis's number from 1. */
gscale_status gscale_design_check(const gscale_design *d, gscale_diag *diag);

/** Returns the number of points of a checked design. */
uint64_t gscale_design_points(const gscale_design *d);

/** Returns value i of an axis of a grid:
 *
 *    value = from + (to - from) i / (steps - 1), or
 *    value = from (to / from)^(i/(steps-1)) for equal ratios.
 *
 *  Both ends are exact. */
double gscale_axis_value(const gscale_axis *a, size_t i);

/** An iterator over the points of a design, from `first` on. */
typedef struct gscale_points gscale_points;

/** Creates an iterator.
 *
 *  Fails    GSCALE_ENOMEM.
 *  Source Sobol's sequence and Mersenne twister of GSL; skipping the points
 *  before `first` takes about 10 ns per number. */
gscale_status gscale_points_new(const gscale_design *d, uint64_t first,
                                gscale_points **out, gscale_diag *diag);
/** Writes the next point: one value for each axis. */
void gscale_points_next(gscale_points *p, double *x);
void gscale_points_free(gscale_points *p);

/* ---- zero crossings of a function ---------------------------------------- */

typedef struct gscale_crossing {
  double x;    /* the smallest value after the crossing, where f(x) has the new
                * sign */
  bool rising; /* from below 0 to 0 or above */
} gscale_crossing;

/** Finds all crossings along an axis, where f changes from below 0 to 0 or
 *  above, or from there to below 0.
 *
 *  The function evaluates f on the grid of the axis.  Between neighbouring
 *  points with different signs, Chandrupatla's method finds the crossing, which
 *  may be a jump.  On axes of whole numbers, bisection finds the crossing.
 *
 *  Given    f      a function of x, which returns NaN where f has no value.  No
 *                  crossing is found between a point of NaN and its neighbours.
 *           a      an axis with steps >= 2 that passed gscale_design_check().
 *           most   number of crossings for which *out has room.
 *  Returned *n     number of crossings in order of x, including those beyond
 *                  `most`.
 *           *first true if the first value of f that is not NaN is >= 0.
 *  Limits   for x, a relative error of 1e-9; two crossings between neighbouring
 *           grid points are missed.
 *  Source   [Chandrupatla97]. */
void gscale_crossings(double (*f)(double x, void *closure), void *closure,
                      const gscale_axis *a, gscale_crossing *out, size_t most,
                      size_t *n, bool *first);

/* ---- Sobol indices ------------------------------------------------------- */

enum {
  GSCALE_SOBOL_MAX = 512 /* inputs */
};

/** Shares of the variance, each with a standard error. */
typedef struct gscale_sobol {
  double first, first_err; /* share of this input alone */
  double total, total_err; /* share with all interactions */
} gscale_sobol;

/** Computes Sobol indices of f over the unit cube.
 *
 *    first_i = mean(f(B) (f(AB_i) - f(A))) / V,
 *    total_i = mean((f(A) - f(AB_i))^2) / (2 V).
 *
 *  A and B are points of one Sobol sequence in 2n dimensions, and AB_i is A
 *  with input i of B.  V is the variance of f over A and B, and f is taken
 *  relative to its mean over A and B.  The sequence is shifted at random eight
 *  times, and each standard error is that of the mean over the eight shifts.
 *  The sequence has enough dimensions for 20 inputs.  All further inputs form a
 *  Latin hypercube, which is drawn anew for each shift: a random order of equal
 *  parts with one random point in each part.  Important inputs should come
 *  first.
 *
 *  Given    f      a function of n numbers x in (0, 1).  A point where f is not
 *                  finite is left out, together with all other points of its
 *                  sum.
 *           n      number of inputs, 1 to GSCALE_SOBOL_MAX.
 *           points of each shift, >= 16; f is called 8 points * (n + 2) times.
 *  Returned out    one per input; all 0 if f does not vary.
 *           *mean, *variance  mean and variance of f; may be NULL.
 *  Fails    GSCALE_EDOMAIN, GSCALE_ENOMEM, or GSCALE_ENUMERIC if f is finite at
 *           too few points.
 *  Source   [Saltelli10] table 2 (b) and (f); Sobol's sequence of GSL; shifts
 *           of [CranleyPatterson76]; Latin hypercubes with a sequence of
 *           [Owen98]. */
gscale_status gscale_sobol_indices(double (*f)(const double *x, void *closure),
                                   void *closure, size_t n, size_t points,
                                   uint64_t seed, gscale_sobol *out,
                                   double *mean, double *variance,
                                   gscale_diag *diag);

#endif /* GSCALE_DESIGN_H */

/* SPDX-License-Identifier: GPL-3.0-or-later */
