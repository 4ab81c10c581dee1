/* t_t1.c - a measured time on one GPU is never overruled: what one GPU takes is
 * that time, and what N take follows it without a jump. */

#include "cases.h"

#include <gsl/gsl_test.h>
#include <stdio.h>

static const double LEAST = 1e-9, MOST = 1e3; /* s */

/* Violations, counted; each is one test at the end. */
static struct {
  int single, speedup, falls, jumps, rises, below, negative;
} bad;
static int tried, shrunk;

static void set_t1(gscale_workload *w, double t1)
{
  gscale_workload_set_single(
      w, (gscale_param){t1, 0, GSCALE_MEASURED, "test", GSCALE_BY_ORIGIN},
      NULL);
}

typedef struct world {
  gscale_system *s;
  gscale_workload *w;
} world;

static bool ask(const world *u, int n, size_t paradigm, double t1,
                gscale_prediction *out)
{
  gscale_plan *p = NULL;

  set_t1(u->w, t1);
  if (gscale_plan_new(u->s, u->w, n, &p, NULL) != GSCALE_OK) return false;
  const bool is = gscale_predict(p, paradigm, NULL, out, NULL) == GSCALE_OK;
  shrunk += t1 > 0 && gscale_plan_host_by(p) < 1;
  gscale_plan_free(p);
  return is;
}

static double time_of(const world *u, int n, size_t paradigm, double t1)
{
  gscale_prediction r;

  return ask(u, n, paradigm, t1, &r) ? r.time : (double)NAN;
}

static void alone(const world *u, double t1)
{
  gscale_prediction r;

  for (size_t i = 0; i < gscale_paradigm_count(); i++) {
    if (!ask(u, 1, i, t1, &r)) continue;
    tried++;
    bad.single += !(fabs(r.time / t1 - 1) <= 1e-9);
    bad.speedup += !(fabs(r.speedup - 1) <= 1e-9);
    for (int k = 0; k < GSCALE_PART_END; k++) bad.negative += !(r.part[k] >= 0);
  }
}

/* Whether times that differ by 1e-8 or less are further apart between a and b,
 * where they are ta and tb: looked for where they are apart most. */
static bool jumps(const world *u, int n, size_t i, double a, double ta,
                  double b, double tb)
{
  while (tb > ta * 1.001) {
    const double middle = sqrt(a * b), t = time_of(u, n, i, middle);

    if (b / a < 1 + 1e-8) return true;
    if (t - ta > tb - t) {
      b = middle;
      tb = t;
    } else {
      a = middle;
      ta = t;
    }
  }
  return false;
}

static void follows(const world *u, int n, size_t i, int points)
{
  double a = LEAST, ta = time_of(u, n, i, a);

  for (int k = 1; k < points && !isnan(ta); k++) {
    const double b = LEAST * pow(MOST / LEAST, (double)k / (points - 1)),
                 tb = time_of(u, n, i, b);
    bad.falls += !(tb >= ta * (1 - 1e-9));
    bad.jumps += jumps(u, n, i, a, ta, b, tb);
    a = b;
    ta = tb;
  }
}

/* The kernels' share of one GPU's on n, by the rooflines: less than 1/n by a
 * cache. */
static double shrink(const world *u, int n)
{
  gscale_prediction one = {0}, all = {0};

  ask(u, 1, gscale_paradigm_find("infinite"), 0, &one);
  ask(u, n, gscale_paradigm_find("infinite"), 0, &all);
  return all.part[GSCALE_PART_COMPUTE] / one.part[GSCALE_PART_COMPUTE];
}

/* No part of a block fills a GPU, which less of it fills less. */
static bool whole_blocks(const gscale_workload *w)
{
  for (size_t i = 0; i < gscale_workload_about(w).phases; i++) {
    const double blocks = gscale_workload_phase(w, i)->blocks;
    if (blocks > 0 && blocks < 1) return false;
  }
  return true;
}

/* Of data that moves in no time, without caches: more GPUs take longer only by
 * what their hosts do more. */
static void zero_cost(const world *u, double t1)
{
  const size_t infinite = gscale_paradigm_find("infinite");
  gscale_prediction was, r;

  if (!whole_blocks(u->w) || !ask(u, 1, infinite, t1, &was)) return;
  for (int n = 2; n <= 8; n *= 2) {
    if (!ask(u, n, infinite, t1, &r)) return;
    const double host = r.part[GSCALE_PART_HOST] - was.part[GSCALE_PART_HOST];
    bad.rises += !(r.time <= (was.time + fmax(0, host)) * (1 + 1e-9));
    bad.below +=
        !(r.time * n >= t1 * (1 - 1e-9) || shrink(u, n) * n < 1 - 1e-9);
    was = r;
  }
}

int main(void)
{
  const int n = slow_cases(24, 120, 600);
  rng r = {1905};

  for (int k = 0; k < n; k++) {
    const world u = {random_system(&r), random_workload(&r)};
    const size_t i = (size_t)pick(&r, (int)gscale_paradigm_count());

    for (int t = 0; t < 10; t++) alone(&u, spread(&r, LEAST, MOST));
    follows(&u, 2 + pick(&r, 7), i, 60);
    gscale_system_set_membw_curve(u.s, &(gscale_curve){.n = 0}, NULL);
    for (int t = 0; t < 10; t++) zero_cost(&u, spread(&r, LEAST, MOST));
    gscale_system_free(u.s);
    gscale_workload_free(u.w);
  }
  gsl_test(tried < 10 * n, "%d answers on one GPU", tried);
  gsl_test(shrunk < 10 * n, "%d with less of a host", shrunk);
  gsl_test_int(bad.single, 0, "one GPU takes its measured time");
  gsl_test_int(bad.speedup, 0, "its speedup is 1");
  gsl_test_int(bad.negative, 0, "no part of it is negative");
  gsl_test_int(bad.falls, 0, "N GPUs never take less where one takes more");
  gsl_test_int(bad.jumps, 0, "... and nowhere jump");
  gsl_test_int(bad.rises, 0, "more GPUs take longer by their hosts only");
  gsl_test_int(bad.below, 0, "none takes less than its part, but by a cache");
  return gsl_test_summary();
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
