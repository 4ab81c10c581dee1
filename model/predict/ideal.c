/* ideal.c - steps whose data moves in no time.
 *
 * Steps without data movement time bound all paradigms and give the factors of
 * a measured step. */

#include "predict/step.h"

#include <math.h>

/* Fills a stage with a kernel of `compute` s that moves no data. */
static void set_ideal(const gscale_plan *p, size_t i, double compute,
                      gscale__stage *l)
{
  gscale__compute_only(p, &p->phase[i], l);
  l->flow.ready = &gscale_profile_linear;
  l->flow.compute = compute;
  l->length = gscale_flow_time(&l->flow);
}

/* Returns the time in s of a step with x times the work and instant data. */
static double ideal_time(const gscale_plan *p, double x,
                         gscale__attribution *attribution)
{
  gscale__stage stage[GSCALE__PHASES_MAX];

  for (size_t i = 0; i < p->phases; i++) {
    const gscale__phase_plan *f = &p->phase[i];
    set_ideal(p, i, x * gscale__roofline(f) + f->start, &stage[i]);
  }
  return gscale__step_time(p, 0, stage, attribution);
}

double gscale__step_bound(const gscale_plan *p, size_t paradigm)
{
  gscale__stage stage[GSCALE__PHASES_MAX];

  for (size_t i = 0; i < p->phases; i++)
    set_ideal(p, i, p->phase[i].compute, &stage[i]);
  return gscale__step_time(p, paradigm, stage, NULL);
}

void gscale__bound_spent(const gscale_plan *p, double *spent)
{
  gscale__stage stage[GSCALE__PHASES_MAX];

  for (size_t i = 0; i < p->phases; i++)
    set_ideal(p, i, p->phase[i].compute, &stage[i]);
  gscale__step_spent(p, 0, stage, spent);
}

/* Returns T(x), and sets *slope to the derivative of T. */
static double step_at(const gscale_plan *one, double x, double *slope)
{
  gscale__attribution attribution;
  const double t = ideal_time(one, x, &attribution);

  *slope = 0.0;
  for (size_t i = 0; i < one->phases; i++)
    *slope += attribution.flow[i] * gscale__roofline(&one->phase[i]);
  return t;
}

static gscale__factors solve_factors(const gscale_plan *one, double single)
{
  const double largest = 0x1p100; /* x at which kernels never matter */
  double slope, x = 1.0;
  const double least = step_at(one, 0.0, &slope);
  const double level = fmax(least, single), all = single / least;

  while (step_at(one, x, &slope) <= level && x < largest) x *= 2.0;
  if (x >= largest) return (gscale__factors){all, all};
  for (;;) {
    const double t = step_at(one, x, &slope);
    const double next = x - (t - level) / slope;
    if (!(t > level) || !(slope > 0.0) || !(next < x)) break;
    x = next;
  }
  const double host = fmin(1.0, all);
  /* rounding leaves no kernel so short, which copies would follow */
  return (gscale__factors){x > 1e-12 ? host * x : 0.0, host};
}

/* Returns the time in s of calls and waits in a step of one GPU. */
static double host_in(const gscale_plan *one, gscale__factors of)
{
  gscale__attribution attribution;

  ideal_time(one, of.compute / of.host, &attribution);
  return of.host *
         (attribution.of[GSCALE_M_HOST] + attribution.of[GSCALE_M_SYNC]);
}

/* Converts the measured time on another system's GPU to this system's GPU
 * (gscale_workload_set_t1_roofline).  A part of the work that was measured has
 * the same part of the roofline on the other system. */
static double as_here(gscale_plan *one, double single, int parts)
{
  const double there = gscale__read_elsewhere(one->source) / parts;
  double slope;

  one->t1_doubt = 0.0;
  if (!(there > 0.0)) return single;
  const double here = step_at(one, 1.0, &slope);
  const double rest = fmax(0.0, single - there);
  const double t = rest > 0.0 ? here + rest : here * single / there;
  one->t1_doubt = 0.5 * rest * fabs(1.0 - here / there) / t;
  return t;
}

gscale_status gscale__step_factor(gscale_plan *one, double single, int parts,
                                  const gscale__forms *like, bool same,
                                  gscale__factors *of, gscale_diag *diag)
{
  const gscale_status st = gscale__step_open(one, 1, 0, like, same, diag);

  if (st != GSCALE_OK) return st;
  const double here = as_here(one, single, parts);
  *of = solve_factors(one, here);
  one->one_work = here * parts;
  one->one_host = host_in(one, *of);
  gscale__forms_close(&one->single);
  one->single = one->forms;
  one->forms = (gscale__forms){0};
  return GSCALE_OK;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
