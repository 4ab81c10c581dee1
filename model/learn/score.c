/* score.c - scores of predictions, and points on curves of time over N. */

#include "ground/ground.h"

#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <stdlib.h>

size_t gscale_peak(const double *time, size_t n)
{
  size_t best = 0;
  for (size_t i = 1; i < n; i++)
    if (time[i] < time[best] || (isnan(time[best]) && !isnan(time[i])))
      best = i;
  return best;
}

size_t gscale_knee(const int *gpus, const double *time, size_t n)
{
  size_t knee = 0;
  for (size_t i = 1; i < n; i++) {
    const double could = (double)gpus[i] / gpus[i - 1] - 1.0;
    const double did = time[i - 1] / time[i] - 1.0;
    if (did >= 0.5 * could) knee = i;
  }
  return knee;
}

double gscale_rent(double time, int gpus, double per_hour)
{
  if (!(time >= 0.0) || gpus < 1 || !(per_hour >= 0.0)) return NAN;
  return time * gpus * per_hour / 3600.0;
}

/* Returns true if point i dominates point k, or is equal to k and earlier. */
static bool dominates(const double *x, const double *y, size_t i, size_t k)
{
  if (!(x[i] <= x[k] && y[i] <= y[k])) return false;
  return x[i] < x[k] || y[i] < y[k] || i < k;
}

void gscale_pareto(const double *x, const double *y, size_t n, bool *front)
{
  for (size_t k = 0; k < n; k++) {
    front[k] = !isnan(x[k]) && !isnan(y[k]);
    for (size_t i = 0; front[k] && i < n; i++)
      front[k] = i == k || !dominates(x, y, i, k);
  }
}

/* Sorts n values, and returns a quantile. */
static double quantile(double *v, size_t n, double q)
{
  gsl_sort(v, 1, n);
  return gsl_stats_quantile_from_sorted_data(v, 1, n, q);
}

gscale_status gscale_score_rows(const double *predicted, const double *err,
                                const double *measured, const double *sigma,
                                size_t n, double tail, gscale_score *out,
                                gscale_diag *diag)
{
  const gscale_status st =
      gscale__check_rows(predicted, err, measured, sigma, n, diag);
  gscale_score s = {.n = n};
  size_t once = 0, nearly = 0; /* rows in the interval, and in the 95 %
                                * interval */

  if (st != GSCALE_OK) return st;
  double *const off = malloc(2 * n * sizeof *off), *const half = off + n;
  if (!off) return gscale__fail(diag, GSCALE_ENOMEM, "no memory for scores");
  for (size_t i = 0; i < n; i++) {
    const double error = predicted[i] / measured[i] - 1.0;
    const double miss = fabs(log(measured[i] / predicted[i]));

    half[i] = hypot(err ? err[i] : 0.0, sigma ? sigma[i] : 0.0) / predicted[i];
    off[i] = fabs(error);
    s.bias += error;
    s.mean_abs += off[i];
    if (off[i] > fabs(s.worst)) s.worst = error;
    once += miss <= asinh(half[i]);
    nearly += miss <= tail * asinh(half[i]);
  }
  s.bias /= (double)n;
  s.mean_abs /= (double)n;
  s.covered = (double)once / (double)n;
  s.covered95 = (double)nearly / (double)n;
  s.median_abs = quantile(off, n, 0.5);
  s.p90_abs = quantile(off, n, 0.9);
  s.width = quantile(half, n, 0.5);
  free(off);
  *out = s;
  return GSCALE_OK;
}

gscale_split gscale_split_error(double predicted, double predicted_infinite,
                                double measured, double measured_infinite)
{
  if (!gscale__is_time(predicted) || !gscale__is_time(predicted_infinite) ||
      !gscale__is_time(measured) || !gscale__is_time(measured_infinite))
    return (gscale_split){NAN, NAN};

  const double compute = predicted_infinite - measured_infinite;
  return (gscale_split){compute / measured,
                        (predicted - measured - compute) / measured};
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
