/* energy.c - energy of a step. */

#include "ground/ground.h"

double gscale_energy(const gscale_power *p, double t, double busy, double host,
                     double sent)
{
  const double watts[] = {p->gpu_busy,    p->gpu_idle,    p->host_busy,
                          p->host_asleep, p->memory_busy, p->memory_asleep,
                          p->link};

  for (size_t i = 0; i < LENGTH(watts); i++)
    if (!(watts[i] >= 0.0)) return NAN;
  if (!(t >= 0.0) || !(busy >= 0.0 && busy <= t) ||
      !(host >= 0.0 && host <= t) || !(sent >= 0.0))
    return NAN;
  return p->gpu_busy * busy + p->gpu_idle * (t - busy) +
         (p->host_busy + p->memory_busy) * host +
         (p->host_asleep + p->memory_asleep) * (t - host) + p->link * sent;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
