/* power.c - joules of a predicted step. */

#include "ground/ground.h"
#include "price/between.h"

#include <math.h>

double gscale_predict_energy(const gscale_plan *p, const gscale_prediction *r)
{
  const gscale_method *method =
      r->knobs.between > 0 ? gscale__between_at(r->knobs.between - 1) : NULL;
  const double busy = fmin(r->time, r->part[GSCALE_PART_COMPUTE]);
  const double awake = method && method->device
                           ? fmin(r->time, r->part[GSCALE_PART_HOST])
                           : r->time;

  return p->n * gscale_energy(&p->power, r->time, busy, awake);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
