/* score.c - predicted against measured, and points on curves of time over N. */

#include "ground/ground.h"

#include <math.h>
#include <stddef.h>
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
  if (!(time >= 0.0) || gpus < 1 || !(per_hour >= 0.0)) return (double)NAN;
  return time * gpus * per_hour / 3600.0;
}

/* Whether point i beats point k, an equal one by being the first. */
static bool beats(const double *x, const double *y, size_t i, size_t k)
{
  if (!(x[i] <= x[k] && y[i] <= y[k])) return false;
  return x[i] < x[k] || y[i] < y[k] || i < k;
}

void gscale_pareto(const double *x, const double *y, size_t n, bool *front)
{
  for (size_t k = 0; k < n; k++) {
    front[k] = !isnan(x[k]) && !isnan(y[k]);
    for (size_t i = 0; front[k] && i < n; i++)
      front[k] = i == k || !beats(x, y, i, k);
  }
}

static void swap(double *a, double *b)
{
  const double x = *a;
  *a = *b;
  *b = x;
}

/* The k-th smallest of n, from 0; those before it are then at most as large,
 * those behind it at least [Hoare61]. */
static double kth(double *v, size_t n, size_t k)
{
  ptrdiff_t low = 0, high = (ptrdiff_t)n - 1;
  const ptrdiff_t at = (ptrdiff_t)k;

  while (low < high) {
    const double pivot = v[k];
    ptrdiff_t i = low, j = high;

    do {
      while (v[i] < pivot) i++;
      while (v[j] > pivot) j--;
      if (i <= j) swap(&v[i++], &v[j--]);
    } while (i <= j);
    if (j < at) low = i;
    if (at < i) high = j;
  }
  return v[k];
}

/* Between the two next to q (n - 1), in proportion. */
static double quantile(double *v, size_t n, double q)
{
  const double at = q * (double)(n - 1);
  const size_t k = (size_t)at;
  const double low = kth(v, n, k), more = at - (double)k;
  double high = low;

  for (size_t i = k + 1; i < n; i++)
    high = i == k + 1 || v[i] < high ? v[i] : high;
  return k + 1 < n ? (1.0 - more) * low + more * high : low;
}

/* Means, extremes and coverage; |error| into off and half the intervals,
 * relative, into half. */
static void add_up(const double *predicted, const double *err,
                   const double *measured, const double *sigma, size_t n,
                   double tail, double *off, double *half, gscale_score *s)
{
  size_t once = 0, nearly = 0;

  for (size_t i = 0; i < n; i++) {
    const double width = hypot(err ? err[i] : 0.0, sigma ? sigma[i] : 0.0);
    const double miss = fabs(log(measured[i] / predicted[i]));
    const double within = asinh(width / predicted[i]);
    const double error = predicted[i] / measured[i] - 1.0;

    s->bias += error;
    s->mean_abs += fabs(error);
    if (fabs(error) > fabs(s->worst)) s->worst = error;
    once += miss <= within;
    nearly += miss <= tail * within;
    off[i] = fabs(error);
    half[i] = width / predicted[i];
  }
  s->bias /= (double)n;
  s->mean_abs /= (double)n;
  s->covered = (double)once / (double)n;
  s->covered95 = (double)nearly / (double)n;
}

gscale_status gscale_score_rows(const double *predicted, const double *err,
                                const double *measured, const double *sigma,
                                size_t n, double tail, gscale_score *out,
                                gscale_diag *diag)
{
  const gscale_status st =
      gscale__check_rows(predicted, err, measured, sigma, n, diag);
  gscale_score s = {.n = n};

  if (st != GSCALE_OK) return st;
  double *off = malloc(2 * n * sizeof *off);
  if (!off) return gscale__fail(diag, GSCALE_ENOMEM, "no memory for scores");
  add_up(predicted, err, measured, sigma, n, tail, off, off + n, &s);
  s.median_abs = quantile(off, n, 0.5);
  s.p90_abs = quantile(off, n, 0.9);
  s.width = quantile(off + n, n, 0.5);
  free(off);
  *out = s;
  return GSCALE_OK;
}

gscale_split gscale_split_error(double predicted, double predicted_infinite,
                                double measured, double measured_infinite)
{
  if (!gscale__is_time(predicted) || !gscale__is_time(predicted_infinite) ||
      !gscale__is_time(measured) || !gscale__is_time(measured_infinite))
    return (gscale_split){(double)NAN, (double)NAN};

  const double compute = predicted_infinite - measured_infinite;
  return (gscale_split){compute / measured,
                        (predicted - measured - compute) / measured};
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
