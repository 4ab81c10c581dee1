/* contend.c - contention of GPUs that send to the same GPU at the same time. */

#include "ground/ground.h"

#include <math.h>

double gscale_meeting(double c3, int n)
{
  if (!(c3 > 0.0) || !(c3 <= 1.0) || n < 1) return NAN;
  return n > 2 ? 1.0 + (1.0 / c3 - 1.0) * (n - 2) : 1.0;
}

double gscale_beyond(int n, int most)
{
  if (n < 1 || most < 2) return NAN;
  return n > most ? (1.0 - (most - 2.0) / (n - 2.0)) / sqrt(3.0) : 0.0;
}

double gscale_ingress(double rate, double few, double m)
{
  if (!(rate > 0.0) || !(few >= 0.0) || !(few <= 1.0) || !(m >= 1.0))
    return NAN;
  return (1.0 - few / m) / rate;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
