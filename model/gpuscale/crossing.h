/*
 * crossing.h - where a function of one number passes 0.
 *
 * Included by gpuscale.h, which says what holds for all of them.
 */
#ifndef GSCALE_CROSSING_H
#define GSCALE_CROSSING_H

#include "gpuscale/design.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct gscale_crossing {
  double x; /* the first value, rising, behind the crossing: f(x) has the sign
             * that it has from here on */
  bool rising; /* from below 0 to 0 or above */
} gscale_crossing;

/** All places where f passes from below 0 to 0 or above, or back, along an
 * axis.
 *
 *  f is looked at on the grid of the axis; between neighbours with different
 *  signs the place is found by Brent's method (a jump too), or, on whole
 * numbers, by halving.
 *
 *  Given    f      f(x, closure); NaN where there is no value: nothing is found
 *                  between such a point and its neighbours
 *           a      checked (gscale_design_check), with steps >= 2
 *           most   places in *out
 *  Returned *n     how many there are, rising x, also those beyond `most`
 *           *first true if f >= 0 at the first value of the axis that has one
 *  Limits   x to 1e-9 of itself; two crossings between neighbours of the grid
 * are not seen Source   Brent's method as in GSL [Brent73] */
void gscale_crossings(double (*f)(double x, void *closure), void *closure,
                      const gscale_axis *a, gscale_crossing *out, size_t most,
                      size_t *n, bool *first);

#ifdef __cplusplus
}
#endif

#endif /* GSCALE_CROSSING_H */
