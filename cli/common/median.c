/* median.c - the median of numbers. */

#include "common/cli.h"

#include <math.h>
#include <stdlib.h>

static int compare_numbers(const void *a, const void *b)
{
  const double x = *(const double *)a, y = *(const double *)b;
  return GSCALE_ORDER(x, y);
}

double median_of(double *v, size_t n)
{
  if (n == 0) return NAN;
  qsort(v, n, sizeof *v, compare_numbers);
  return n % 2 ? v[n / 2] : (v[n / 2 - 1] + v[n / 2]) / 2.0;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
