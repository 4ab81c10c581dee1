/* joules.c - standard error of a step's energy, from powers and perturbed
 * times.
 *
 * A number changes the time of a step and, if the perturbation has a separate
 * plan, the time of kernels.  GPUs are idle during the rest of the added time.
 * The perturbations are those of the time's error, so that no new predictions
 * are needed.
 *
 * The model omits that a change of host calls changes the time in which a host
 * sleeps. */

#include "trust/joules.h"

#include <math.h>
#include <string.h>

void gscale__joules_open(const gscale_uncertainty *u, const gscale_knobs *k,
                         gscale__joules *j)
{
  const gscale_power *p = &u->plan->power;
  const double host = gscale__polls(u->plan, k)
                          ? p->host_busy + p->memory_busy
                          : p->host_asleep + p->memory_asleep;

  j->of_time = u->n * (p->gpu_idle + host);
  j->of_kernels = u->n * (p->gpu_busy - p->gpu_idle);
  j->err = isnan(j->of_time + j->of_kernels) ? NAN : 0.0;
  if (u->s->correlations > 0) memset(j->by, 0, sizeof j->by);
}

/* Returns the change of the energy, J, by a perturbation of a number. */
static double moved(const gscale_uncertainty *u, const gscale__perturbed *m,
                    double time, const gscale__joules *j)
{
  const double kernels =
      m->plan ? gscale__kernels(m->plan) - gscale__kernels(u->plan) : 0.0;

  return j->of_time * time + j->of_kernels * kernels;
}

void gscale__joules_add(const gscale_uncertainty *u, size_t i,
                        const gscale_influence *f, gscale__joules *j)
{
  const gscale__perturbations *m = &u->moves[i];
  if (isnan(j->err)) return;
  const double down = moved(u, &m->down, f->down, j);
  const double up = moved(u, &m->up, f->up, j);
  const double err = gscale__deviation(m->weight, down, up);

  j->err = gscale__hypot(j->err, err);
  if (u->s->correlations > 0 && u->numbers.entry[i].kind == GSCALE__OF_PARAM)
    j->by[u->numbers.entry[i].id] = copysign(err, up - down);
}

double gscale__joules_error(const gscale_uncertainty *u,
                            const gscale_prediction *r, const gscale__joules *j,
                            double common)
{
  const double busy = gscale__busy(u->plan, r), t = r->time;
  const double awake = gscale__awake(u->plan, r);
  /* derivatives of the energy by each power */
  const double s[] = {
      busy, t - busy, awake, t - awake, awake, t - awake, r->bytes.wire / u->n};
  double err = sqrt(fmax(0.0, j->err * j->err + common));

  for (size_t i = 0; i < sizeof s / sizeof *s; i++)
    err = gscale__hypot(err, u->n * s[i] * u->s->power_origin[i].err);
  return err;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
