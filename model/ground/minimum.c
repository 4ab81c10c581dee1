/* minimum.c - minimum of a function of one positive number by a grid and
 * Brent's method. */

#include "ground/ground.h"

#include <float.h>
#include <gsl/gsl_errno.h>
#include <gsl/gsl_min.h>
#include <math.h>

enum {
  GRID = 33,    /* evaluations over the range */
  REFINING = 60 /* most steps of Brent's method */
};

typedef struct goal {
  double (*f)(double x, void *closure);
  void *closure;
} goal;

/* Evaluates f in the logarithm, where a step of the grid is the same ratio
 * everywhere.  A value that is not finite counts as the largest double. */
static double of_log(double t, void *g_)
{
  const goal *g = g_;
  const double y = g->f(exp(t), g->closure);

  return isfinite(y) ? y : DBL_MAX;
}

static double point(double least, double most, int i)
{
  return least + (most - least) * i / (GRID - 1);
}

/* Refines a bracket of three points whose middle value is lowest.  The state of
 * GSL's minimiser lies on the stack, so that nothing is allocated. */
static double refine(goal *g, const double *at, const double *y)
{
  gsl_function f = {of_log, g};
  double state[64] = {0};
  gsl_min_fminimizer m = {.type = gsl_min_fminimizer_brent, .state = state};
  int st = GSL_CONTINUE;

  if (m.type->size > sizeof state ||
      gsl_min_fminimizer_set_with_values(&m, &f, at[1], y[1], at[0], y[0],
                                         at[2], y[2]) != GSL_SUCCESS)
    return at[1];
  for (int i = 0; i < REFINING && st == GSL_CONTINUE; i++) {
    if (gsl_min_fminimizer_iterate(&m) != GSL_SUCCESS) break;
    st = gsl_min_test_interval(gsl_min_fminimizer_x_lower(&m),
                               gsl_min_fminimizer_x_upper(&m), 1e-6, 0.0);
  }
  return gsl_min_fminimizer_x_minimum(&m);
}

/* Finds the first and last point of the first run of equal least values. */
static void find_least(const double *y, int *first, int *last)
{
  *first = 0;
  for (int i = 1; i < GRID; i++)
    if (y[i] < y[*first]) *first = i;
  *last = *first;
  while (*last + 1 < GRID && !(y[*last + 1] > y[*first])) ++*last;
}

gscale_status gscale_minimum(double (*f)(double x, void *closure),
                             void *closure, double least, double most,
                             double *x, gscale_diag *diag)
{
  goal g = {f, closure};
  double at[GRID], y[GRID];
  int first, last;

  if (!(least > 0.0) || !(most > least) || !isfinite(most))
    return gscale__fail(diag, GSCALE_EDOMAIN, "range: %g to %g", least, most);
  for (int i = 0; i < GRID; i++) {
    at[i] = point(log(least), log(most), i);
    y[i] = of_log(at[i], &g);
  }
  find_least(y, &first, &last);
  if (!(y[first] < DBL_MAX))
    return gscale__fail(diag, GSCALE_ENUMERIC, "nowhere a finite value");
  *x = exp(0.5 * (at[first] + at[last]));
  if (first == last && first > 0 && last < GRID - 1)
    *x = exp(refine(&g, &at[first - 1], &y[first - 1]));
  return GSCALE_OK;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
