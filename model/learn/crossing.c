/* crossing.c - where a function of one number passes 0. */

#include "gpuscale/design.h"

#include "ground/ground.h"

#include <gsl/gsl_errno.h>
#include <gsl/gsl_roots.h>
#include <math.h>

typedef struct search {
  double (*f)(double x, void *closure);
  void *closure;
  bool log, missing;
} search;

static double at(double u, void *closure)
{
  search *s = closure;
  const double y = s->f(s->log ? exp(u) : u, s->closure);

  s->missing = s->missing || isnan(y);
  return isnan(y) ? 0.0 : y;
}

static bool is_up(double y)
{
  return y >= 0.0;
}

/* Halves [low, high], whose ends have different signs, until they are
 * neighbours; returns the upper one. */
static double halve(const search *s, double low, double high, bool up_at_high,
                    double closest)
{
  while (high - low > closest) {
    const double u = 0.5 * (low + high);
    const double middle = closest >= 1.0 ? floor(u) : u;
    const double y = s->f(middle, s->closure);

    if (isnan(y)) return (double)NAN;
    if (is_up(y) == up_at_high)
      high = middle;
    else
      low = middle;
  }
  return high;
}

/* Brent's method in x or in log(x). */
static double brent(search *s, double low, double high)
{
  gsl_root_fsolver *solver = gsl_root_fsolver_alloc(gsl_root_fsolver_brent);
  gsl_function g = {at, s};
  double x = (double)NAN;

  if (!solver) return gscale__refused();
  s->missing = false;
  if (gsl_root_fsolver_set(solver, &g, s->log ? log(low) : low,
                           s->log ? log(high) : high) == GSL_SUCCESS)
    for (int i = 0; i < 200; i++) {
      if (gsl_root_fsolver_iterate(solver) != GSL_SUCCESS) break;
      const double u = gsl_root_fsolver_x_upper(solver);
      const double l = gsl_root_fsolver_x_lower(solver);

      x = s->log ? exp(gsl_root_fsolver_root(solver))
                 : gsl_root_fsolver_root(solver);
      if (fabs(u - l) <= 1e-10 * (s->log ? 1.0 : fmax(fabs(u), fabs(l)))) break;
    }
  gsl_root_fsolver_free(solver);
  return s->missing ? (double)NAN : x;
}

/* GSL would end the program where it fails. */
static double polish(search *s, double low, double high)
{
  gsl_error_handler_t *const handler = gsl_set_error_handler_off();
  const double x = brent(s, low, high);

  gsl_set_error_handler(handler);
  return x;
}

void gscale_crossings(double (*f)(double x, void *closure), void *closure,
                      const gscale_axis *a, gscale_crossing *out, size_t most,
                      size_t *n, bool *first)
{
  search s = {f, closure, a->log, false};
  double before = (double)NAN, y_before = (double)NAN;
  bool any = false;

  *n = 0;
  *first = false;
  for (size_t i = 0; i < a->steps; i++) {
    const double x = gscale_axis_value(a, i);
    const double y = f(x, closure);

    if (!isnan(y) && !any) *first = is_up(y);
    any = any || !isnan(y);
    if (!isnan(y) && !isnan(y_before) && is_up(y) != is_up(y_before)) {
      const double place = a->whole ? halve(&s, before, x, is_up(y), 1.0)
                                    : polish(&s, before, x);

      if (!isnan(place)) {
        if (*n < most) out[*n] = (gscale_crossing){place, is_up(y)};
        ++*n;
      }
    }
    before = x;
    y_before = y;
  }
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
