/* power.c - joules of a predicted step. */

#include "ground/ground.h"
#include "price/between.h"

#include <math.h>

/* s, that kernels of the busiest GPU compute, exposed or not. */
static double busy_of(const gscale_plan *p, const gscale_prediction *r)
{
  double sum = 0.0;

  for (size_t i = 0; i < p->phases; i++)
    sum += p->phase[i].repeats * p->phase[i].compute;
  return fmin(r->time, fmax(sum, r->part[GSCALE_PART_COMPUTE]));
}

/* s, that a host is awake: one that has messages to care for polls all the
 * time; any other one sleeps while it waits for its GPUs. */
static double awake_of(const gscale_plan *p, const gscale_prediction *r)
{
  const gscale_method *method =
      r->knobs.between > 0 ? gscale__between_at(r->knobs.between - 1) : NULL;

  return p->nodes > 1 && method && !method->device
             ? r->time
             : fmin(r->time, r->part[GSCALE_PART_HOST]);
}

double gscale_predict_energy(const gscale_plan *p, const gscale_prediction *r)
{
  return p->n *
         gscale_energy(&p->power, r->time, busy_of(p, r), awake_of(p, r));
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
