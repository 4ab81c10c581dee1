/* score.c - predicted against measured, and points on curves of time over N. */

#include "internal.h"

#include <math.h>

size_t gscale_peak(const double *time, size_t n)
{
  size_t best = n;
  for (size_t i = 0; i < n; i++) {
    if (isnan(time[i])) continue; /* no prediction for this N */
    if (best == n || time[i] < time[best]) best = i;
  }
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

static bool is_time(double x)
{
  return x > 0.0 && isfinite(x);
}

static bool is_error(double x)
{
  return x >= 0.0 && isfinite(x);
}

static gscale_status check_row(size_t i, double predicted, double err,
                               double measured, double sigma, gscale_diag *diag)
{
  if (!is_time(predicted))
    return gscale__fail(diag, GSCALE_EDOMAIN, "row %zu: predicted time %g s", i,
                        predicted);
  if (!is_error(err))
    return gscale__fail(diag, GSCALE_EDOMAIN,
                        "row %zu: error %g s of the prediction", i, err);
  if (!is_time(measured))
    return gscale__fail(diag, GSCALE_EDOMAIN, "row %zu: measured time %g s", i,
                        measured);
  if (!is_error(sigma))
    return gscale__fail(diag, GSCALE_EDOMAIN,
                        "row %zu: error %g s of the measurement", i, sigma);
  return GSCALE_OK;
}

gscale_status gscale_score_rows(const double *predicted, const double *err,
                                const double *measured, const double *sigma,
                                size_t n, gscale_score *out, gscale_diag *diag)
{
  double sum = 0.0, sum_abs = 0.0, worst = 0.0;
  size_t covered = 0;

  if (n == 0) return gscale__fail(diag, GSCALE_EDATA, "no rows to score");

  for (size_t i = 0; i < n; i++) {
    const double e = err ? err[i] : 0.0, s = sigma ? sigma[i] : 0.0;
    const gscale_status st =
        check_row(i, predicted[i], e, measured[i], s, diag);
    if (st != GSCALE_OK) return st;

    const double off = predicted[i] / measured[i] - 1.0;
    sum += off;
    sum_abs += fabs(off);
    if (fabs(off) > fabs(worst)) worst = off;
    if (fabs(predicted[i] - measured[i]) <= hypot(e, s)) covered++;
  }

  const double rows = (double)n;
  *out = (gscale_score){.n = n,
                        .mean_abs = sum_abs / rows,
                        .bias = sum / rows,
                        .worst = worst,
                        .covered = (double)covered / rows};
  return GSCALE_OK;
}
