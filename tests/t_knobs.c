/* t_knobs.c - knobs that nobody set are those that a search of all points
 * finds, whether the schedule is a few sums or a timeline. */

#include "cases.h"
#include "predict/step.h"

#include <gsl/gsl_test.h>

static int searched, differing, slower;

/* Of all points, by the time of each: of those that are as good the smallest
 * chunk, then the smallest width. */
static gscale_knobs best_of_all(const gscale_plan *p, size_t paradigm,
                                double *best)
{
  gscale_knobs k = gscale_knobs_best;
  double chunk, last_chunk, width, last_width;

  *best = INFINITY;
  gscale_plan_knob(p, GSCALE_CHUNK, &chunk, &last_chunk);
  for (; chunk <= last_chunk; chunk *= 2) {
    gscale_plan_knob(p, GSCALE_WIDTH, &width, &last_width);
    for (; width <= last_width; width *= 2) {
      const gscale_knobs trial = {.v = {chunk, width}};
      const double t = gscale_predict_time(p, paradigm, &trial);
      if (!(t < *best * (1 - 1e-12))) continue;
      *best = t;
      k = trial;
    }
  }
  return k;
}

static void compare(const gscale_plan *p, size_t paradigm)
{
  const gscale_paradigm *m = gscale_paradigm_at(paradigm);
  gscale_prediction found;
  double best;

  if (!m->uses[GSCALE_CHUNK] || gscale_plan_needs(p, paradigm, NULL)) return;
  if (gscale_predict(p, paradigm, NULL, &found, NULL) != GSCALE_OK) return;
  const gscale_knobs k = best_of_all(p, paradigm, &best);

  if (!isfinite(best) || isnan(found.knobs.v[GSCALE_CHUNK])) return;
  searched++;
  slower += fabs(found.time - best) > 1e-11 * best;
  for (int i = 0; i < GSCALE_KNOB_END; i++)
    differing += m->uses[i] && !isnan(found.knobs.v[i]) &&
                 fabs(found.knobs.v[i] - k.v[i]) > 0;
}

/* Hosts that issue GPU by GPU, or wait once a step or never. */
static void set_host(gscale_workload *w, rng *r)
{
  gscale_host host = gscale_host_default;

  host.threads = pick(r, 2);
  host.streams = 1 + pick(r, 3);
  host.waits = (gscale_waits)pick(r, GSCALE_WAITS_END);
  host.order = (gscale_order)pick(r, GSCALE_ORDER_END);
  gscale_workload_set_host(w, &host, NULL);
}

static void some_case(uint64_t seed)
{
  rng r = {seed};
  gscale_system *s = random_system(&r);
  gscale_workload *w = random_workload(&r);
  gscale_plan *p = NULL;

  set_host(w, &r);
  if (gscale_plan_new(s, w, 2 + pick(&r, 7), &p, NULL) == GSCALE_OK)
    for (size_t i = 0; i < gscale_paradigm_count(); i++) compare(p, i);
  gscale_plan_free(p);
  gscale_workload_free(w);
  gscale_system_free(s);
}

/* Which of two ways that are as fast takes less code is said of any two. */
static void plainness(void)
{
  const size_t n = gscale_paradigm_count();

  for (size_t i = 0; i < n; i++)
    for (size_t k = 0; k < i; k++) {
      const gscale_paradigm *a = gscale_paradigm_at(i),
                            *b = gscale_paradigm_at(k);
      if (a->plain == b->plain)
        gsl_test(1, "%s is as plain as %s", a->name, b->name);
    }
  gsl_test(n < 2, "%zu ways have a place by their code", n);
}

int main(void)
{
  const int draws = cases(60, 3000);

  for (int i = 0; i < draws; i++) some_case((uint64_t)i + 1);
  plainness();
  gsl_test(searched < draws / 2, "%d searches", searched);
  gsl_test_int(slower, 0, "are slower than the best of all");
  gsl_test_int(differing, 0, "knobs are others");
  return gsl_test_summary();
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
