/* rows.c - checks of rows of predicted and measured times. */

#include "ground/ground.h"

static bool is_error(double x)
{
  return x >= 0.0 && isfinite(x);
}

static gscale_status check_times(size_t i, double predicted, double err,
                                 double measured, double sigma,
                                 gscale_diag *diag)
{
  if (!gscale__is_time(predicted))
    return gscale__fail(diag, GSCALE_EDOMAIN, "row %zu: predicted time %g s", i,
                        predicted);
  if (!is_error(err))
    return gscale__fail(diag, GSCALE_EDOMAIN,
                        "row %zu: error %g s of the prediction", i, err);
  if (!gscale__is_time(measured))
    return gscale__fail(diag, GSCALE_EDOMAIN, "row %zu: measured time %g s", i,
                        measured);
  if (!is_error(sigma))
    return gscale__fail(diag, GSCALE_EDOMAIN,
                        "row %zu: error %g s of the measurement", i, sigma);
  return GSCALE_OK;
}

gscale_status gscale__check_rows(const double *predicted, const double *err,
                                 const double *measured, const double *sigma,
                                 size_t n, gscale_diag *diag)
{
  if (n == 0) return gscale__fail(diag, GSCALE_EDATA, "no rows to score");
  for (size_t i = 0; i < n; i++) {
    const gscale_status st =
        check_times(i, predicted[i], err ? err[i] : 0.0, measured[i],
                    sigma ? sigma[i] : 0.0, diag);
    if (st != GSCALE_OK) return st;
  }
  return GSCALE_OK;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
