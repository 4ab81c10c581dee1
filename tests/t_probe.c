/* t_probe.c - a probe predicts what a plan of such a system would. */

#include "cases.h"

#include <gsl/gsl_test.h>

static int predictions, differing, differing_errors, refused, cheap;

/* All paradigms by both plans. */
static void compare(gscale_probe *probe, const gscale_workload *w, int n)
{
  const gscale_plan *tried = NULL;
  gscale_plan *fresh = NULL;
  const gscale_status st = gscale_probe_plan(probe, &tried, NULL);

  differing_errors +=
      st != gscale_plan_new(gscale_probe_system(probe), w, n, &fresh, NULL);
  refused += st != GSCALE_OK;
  for (size_t i = 0; st == GSCALE_OK && i < gscale_paradigm_count(); i++) {
    gscale_prediction a, b;
    const gscale_status sa = gscale_predict(tried, i, NULL, &a, NULL);
    const gscale_status sb = gscale_predict(fresh, i, NULL, &b, NULL);

    differing_errors += sa != sb;
    if (sa != GSCALE_OK || sb != GSCALE_OK) continue;
    predictions++;
    differing += memcmp(&a.time, &b.time, sizeof a.time) != 0 ||
                 memcmp(&a.speedup, &b.speedup, sizeof a.speedup) != 0 ||
                 memcmp(a.part, b.part, sizeof a.part) != 0 ||
                 memcmp(&a.bytes, &b.bytes, sizeof a.bytes) != 0;
  }
  gscale_plan_free(fresh);
}

static void move(gscale_probe *probe, rng *r)
{
  const gscale_param_id id = (gscale_param_id)pick(r, GSCALE_PARAM_END);
  const double was = gscale_system_get(gscale_probe_system(probe), id)->val;

  const bool plans = gscale_probe_plans(probe, id);

  if (gscale_probe_set(probe, id, was * uniform(r, 0.5, 1.5), NULL) ==
      GSCALE_OK)
    cheap += !plans;
}

static void as_planned(uint64_t seed)
{
  rng r = {seed};
  gscale_system *s = random_system(&r);
  gscale_workload *w = random_workload(&r);
  const int n = 1 + pick(&r, 8);
  gscale_probe *probe = NULL;

  if (gscale_probe_new(s, w, n, &probe, NULL) == GSCALE_OK)
    for (int i = 0; i < 8; i++) {
      for (int k = 1 + pick(&r, 3); k > 0; k--) move(probe, &r);
      compare(probe, w, n);
    }
  gscale_probe_free(probe);
  gscale_workload_free(w);
  gscale_system_free(s);
}

static void refusals(void)
{
  gscale_system *s = some_system(GSCALE_SWITCH, "nvlink4");
  gscale_workload *w = one_phase(gather_phase(64e6, 20));
  gscale_probe *probe = NULL;
  const gscale_plan *plan = NULL;
  gscale_diag diag;

  gsl_test(gscale_probe_new(s, w, 0, &probe, &diag) != GSCALE_ESIZE || probe,
           "no probe of 0 GPUs");
  gsl_test(gscale_probe_new(s, w, 4, &probe, &diag) != GSCALE_OK, "a probe");
  gsl_test(gscale_probe_set(probe, GSCALE_LINK_RATE, -1.0, &diag) !=
               GSCALE_EDOMAIN,
           "a negative rate is refused");
  gsl_test(gscale_probe_set(probe, GSCALE_PARAM_END, 1.0, &diag) !=
               GSCALE_ENAME,
           "no such parameter");
  gsl_test_abs(
      gscale_system_get(gscale_probe_system(probe), GSCALE_LINK_RATE)->val /
          gscale_system_get(s, GSCALE_LINK_RATE)->val,
      1.0, 0.0, "and nothing changed");
  gsl_test(gscale_probe_set(probe, GSCALE_DEVICE_MEMORY, 1e6, &diag) !=
               GSCALE_OK,
           "a memory too small is a value");
  gsl_test(gscale_probe_plan(probe, &plan, &diag) == GSCALE_OK || plan,
           "for which there is no plan");
  gsl_test(gscale_probe_set(probe, GSCALE_DEVICE_MEMORY, 80e9, &diag) ||
               gscale_probe_plan(probe, &plan, &diag),
           "with more there is");
  gscale_probe_free(probe);
  gscale_probe_free(NULL);
  gscale_workload_free(w);
  gscale_system_free(s);
}

int main(void)
{
  const int draws = cases(60, 2000);

  for (int i = 0; i < draws; i++) as_planned((uint64_t)i + 1);
  gsl_test(predictions < 20 * draws, "%d predictions", predictions);
  gsl_test(cheap < draws || refused > predictions / 4,
           "%d numbers moved without a new plan", cheap);
  gsl_test(differing > 0, "%d differ from a fresh plan's", differing);
  gsl_test(differing_errors > 0, "%d are refused by one only",
           differing_errors);
  refusals();
  return gsl_test_summary();
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
