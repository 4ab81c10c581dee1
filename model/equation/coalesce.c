/* coalesce.c - coalescing of stores into packets, and the sizes of FinePack's
 * structures. */

#include "ground/ground.h"

#include <math.h>

double gscale_finepack_range(double subheader)
{
  const double length_bits = 10.0; /* [Diss22] table 5.2 */

  if (!(subheader >= 2.0 && subheader <= 6.0)) return NAN;
  return exp2(8.0 * floor(subheader) - length_bits);
}

double gscale_finepack_queue_bytes(double gpus, double entries)
{
  const double line = 128.0;

  if (!(gpus >= 1.0) || !(entries >= 0.0)) return NAN;
  return line * entries * (floor(gpus) - 1.0);
}

double gscale_distinct(double n, double draws)
{
  if (!(n >= 1.0) || !(draws >= 0.0)) return NAN;
  if (draws == 0.0) return 0.0; /* avoids 0 ln 0 for n = 1 */
  return -n * expm1(draws * log1p(-1.0 / n));
}

double gscale_queue_added(double lines, double stores, double resident)
{
  if (!(lines >= 1.0) || !(resident >= 0.0)) return NAN;
  if (!(resident < lines)) return gscale_distinct(lines, stores);

  const double fill = -lines * log1p(-resident / lines);
  if (!(stores > fill)) return gscale_distinct(lines, stores);
  return resident + (stores - fill) * (1.0 - resident / lines);
}

double gscale_finepack_stores(double q, double most)
{
  if (!(q >= 0.0 && q <= 1.0) || !(most >= 1.0)) return NAN;
  if (q == 1.0) return most;
  return (1.0 - pow(q, most)) / (1.0 - q);
}

/* Returns the share of stores that come after fewer than k other lines. */
static double joins_within(const gscale_joins *j, double k)
{
  double least = 0.0, beyond = 16.0, sum = 0.0; /* limits of a class */

  for (size_t i = 0; i < GSCALE_JOINS && k > least; i++) {
    sum += j->share[i] * fmin(1.0, (k - least) / (beyond - least));
    least = beyond;
    beyond *= 2.0;
  }
  return fmin(1.0, sum);
}

static bool joins_ok(const gscale_joins *j)
{
  const double rounding = 1e-9; /* shares may sum to 1 + rounding */
  double sum = 0.0;

  for (size_t i = 0; i < GSCALE_JOINS; i++) {
    if (!(j->share[i] >= 0.0)) return false;
    sum += j->share[i];
  }
  return sum <= 1.0 + rounding;
}

double gscale_finepack_joined(const gscale_joins *j, double q, double most)
{
  double stores = 0.0, reached = 1.0;

  if (!(q >= 0.0 && q <= 1.0) || !(most >= 1.0) || !joins_ok(j)) return NAN;
  for (double k = 1.0; k < most + 1.0 && reached > 0.0; k++) {
    const double fits = fmin(1.0, most + 1.0 - k);
    stores += reached * fits / (1.0 - joins_within(j, k));
    reached *= q;
  }
  return stores;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
