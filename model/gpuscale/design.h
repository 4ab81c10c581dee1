/*
 * design.h - the points of design studies.
 *
 * Included by gpuscale.h, which says what holds for all of them.
 */
#ifndef GSCALE_DESIGN_H
#define GSCALE_DESIGN_H

#include "gpuscale/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/** One direction of a study. */
typedef struct gscale_axis {
  double from, to;    /* both ends are points of a grid */
  bool log;           /* equal ratios instead of equal differences */
  bool whole;         /* rounded to whole numbers */
  size_t steps;       /* values on a grid, >= 1; 1: from */
  const double *list; /* or these values, `steps` of them; NULL */
} gscale_axis;

typedef enum gscale_design_kind {
  GSCALE_GRID,   /* all combinations, the last axis fastest */
  GSCALE_RANDOM, /* even and independent: Mersenne twister */
  GSCALE_QUASI,  /* Sobol's sequence: fills the space evenly */
  GSCALE_DESIGN_END
} gscale_design_kind;

enum {
  GSCALE_AXES_MAX = 16
};

/** Points of a study, in a fixed order; any part of it can be made alone. */
typedef struct gscale_design {
  gscale_design_kind kind;
  size_t axes; /* 1 .. GSCALE_AXES_MAX */
  gscale_axis axis[GSCALE_AXES_MAX];
  uint64_t points; /* of those that are no grid */
  uint64_t seed;   /* of random ones; of others not used */
} gscale_design;

/** GSCALE_EDOMAIN unless every axis has finite ends, in rising order, above 0
 *  if they are to have equal ratios, and at least one value, and there are
 *  points, at most 2^53; *diag names the axis by its number from 1. */
gscale_status gscale_design_check(const gscale_design *d, gscale_diag *diag);

/** How many points it has; of one that gscale_design_check() passed. */
uint64_t gscale_design_points(const gscale_design *d);

/** Value i of an axis of a grid:
 *
 *    from + (to - from) i / (steps - 1)    or    from (to / from)^(i/(steps-1))
 *
 *  the ends without rounding errors. */
double gscale_axis_value(const gscale_axis *a, size_t i);

/** One that goes through points first, first + 1, ... of a design. */
typedef struct gscale_points gscale_points;

/** Fails  GSCALE_ENOMEM
 *  Source Sobol's sequence and the Mersenne twister as in GSL; what comes
 * before `first` is skipped, some 10 ns a number */
gscale_status gscale_points_new(const gscale_design *d, uint64_t first,
                                gscale_points **out, gscale_diag *diag);
/** The values of the next point, one an axis. */
void gscale_points_next(gscale_points *p, double *x);
void gscale_points_free(gscale_points *p);

#ifdef __cplusplus
}
#endif

#endif /* GSCALE_DESIGN_H */
