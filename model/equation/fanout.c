/* fanout.c - stores to many GPUs, with subscribers, false sharing, and the
 * sizes of GPS's tables. */

#include "ground/ground.h"

#include <math.h>

/* Returns the exponent of a power of two, and NaN for other numbers. */
static double whole_log2(double v)
{
  int exponent;
  return frexp(v, &exponent) == 0.5 ? exponent - 1 : (double)NAN;
}

double gscale_gps_entry_bits(double gpus, double page, double virtual_bits,
                             double physical_bits)
{
  const double within = whole_log2(page);

  if (!(gpus >= 1.0) || !(virtual_bits >= within) || !(physical_bits >= within))
    return NAN;
  return (floor(virtual_bits) - within) +
         (floor(gpus) - 1.0) * (floor(physical_bits) - within);
}

double gscale_gps_queue_bytes(double entries, double entry)
{
  return entries >= 0.0 && entry > 0.0 ? entries * entry : NAN;
}

double gscale_gps_bitmap_bytes(double range, double page)
{
  return range >= 0.0 && page > 0.0 ? range / page / 8.0 : NAN;
}

double gscale_subscribed(double q, double blocks)
{
  const double rounding = 1e-9; /* shares may sum to 1 + rounding */

  if (!(q >= 0.0 && q <= 1.0 + rounding) || !(blocks >= 0.0)) return NAN;
  return 1.0 - pow(1.0 - fmin(1.0, q), blocks);
}

double gscale_tlb_hits(double pages, double entries)
{
  if (!(pages > 0.0) || !(entries >= 0.0)) return NAN;
  return fmin(1.0, entries / pages);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
