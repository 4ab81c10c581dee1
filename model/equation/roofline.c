/* roofline.c - compute time of one GPU. */

#include "gpuscale/all.h"

#include <math.h>

double gscale_share(double units, int n, double serial)
{
  if (!(units >= 1.0) || n < 1 || !(serial >= 0.0) || !(serial <= 1.0))
    return NAN;
  return serial + (1.0 - serial) * ceil(units / n) / units;
}

double gscale_filling(double blocks, double sms)
{
  const double rounding = 1e-12; /* tolerance for rounded shares */

  if (!(blocks > 0.0) || !(sms >= 1.0)) return NAN;
  return ceil(blocks / sms * (1.0 - rounding)) * sms / blocks;
}

double gscale_filling_cut(double blocks, double pieces, double sms)
{
  if (!(pieces > 0.0) || !(blocks > 0.0)) return NAN;
  const double n = fmax(1.0, fmin(pieces, blocks));
  return fmax(1.0, n * sms / blocks / gscale_filling(blocks, sms));
}

double gscale_curve_at(const gscale_curve *c, double x)
{
  if (c->n == 0) return 1.0;
  if (!(x > c->x[0])) return c->y[0];

  for (size_t i = 1; i < c->n; i++)
    if (x <= c->x[i]) {
      const double t = log(x / c->x[i - 1]) / log(c->x[i] / c->x[i - 1]);
      return c->y[i - 1] + t * (c->y[i] - c->y[i - 1]);
    }
  return c->y[c->n - 1];
}

double gscale_curve_from(const gscale_curve *c, double x)
{
  double most = gscale_curve_at(c, x);

  for (size_t i = 0; i < c->n; i++)
    if (c->x[i] > x) most = fmax(most, c->y[i]);
  return most;
}

double gscale_l1_missed(double loads, double words, double word, double sms,
                        double l1)
{
  const double l = loads / sms;
  const double first = words * -expm1(-l / words);
  const double kept = fmin(1.0, l1 / (words * word));

  return fmax(0.0, loads - sms * kept * (l - first));
}

double gscale_kernel_time(double flop, double flops, double bytes, double membw,
                          double start)
{
  if (!(flop >= 0.0) || !(flops > 0.0) || !(bytes >= 0.0) || !(membw > 0.0) ||
      !(start >= 0.0))
    return NAN;
  return fmax(flop / flops, bytes / membw) + start;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
