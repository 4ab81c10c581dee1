/* power.c - the energy in J of a predicted step. */

#include "predict/step.h"

#include <math.h>

double gscale__kernels(const gscale_plan *p)
{
  double sum = 0.0;

  for (size_t i = 0; i < p->phases; i++)
    sum += p->phase[i].repeats * p->phase[i].compute;
  return sum;
}

double gscale__busy(const gscale_plan *p, const gscale_prediction *r)
{
  return fmin(r->time, fmax(gscale__kernels(p), r->part[GSCALE_PART_COMPUTE]));
}

bool gscale__polls(const gscale_plan *p, const gscale_knobs *k)
{
  const gscale_method *method =
      k->between > 0 ? gscale_between_at(k->between - 1) : NULL;

  return p->nodes > 1 && method && !method->device;
}

/* Hosts that do not poll sleep while they wait for their GPUs. */
double gscale__awake(const gscale_plan *p, const gscale_prediction *r)
{
  return gscale__polls(p, &r->knobs) ? r->time
                                     : fmin(r->time, r->part[GSCALE_PART_HOST]);
}

double gscale_predict_energy(const gscale_plan *p, const gscale_prediction *r)
{
  return p->n * gscale_energy(&p->power, r->time, gscale__busy(p, r),
                              gscale__awake(p, r), r->bytes.wire / p->n);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
