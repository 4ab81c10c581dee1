/* t_probe.c - a probe predicts what a plan of such a system would. */

#include "cases.h"
#include "describe/described.h"

#include <gsl/gsl_test.h>

static int predictions, differing, differing_errors, refused, cheap,
    moved_fields, unlike;

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

/* Another value of some number of a phase; what is put twice is as before. */
static void put(gscale_workload *w, rng *r)
{
  const size_t phase = (size_t)pick(r, (int)gscale_workload_about(w).phases);
  const gscale_phase was = *gscale_workload_phase(w, phase);
  const gscale_field *f = NULL;
  double *at = NULL;

  while (!at) {
    f = gscale_field_at(GSCALE_OF_PHASE, (size_t)pick(r, 60));
    at = f ? gscale_field_number(f, (void *)&was, 0) : NULL;
  }
  gscale_put one = {phase, f, 0, *at * uniform(r, 0.5, 1.5)};
  const bool taken = gscale_workload_put(w, &one, 1, NULL) == GSCALE_OK;

  moved_fields += taken;
  if (taken && pick(r, 4) > 0) return;
  if (taken) gscale_workload_put(w, &one, 1, NULL);
  unlike += memcmp(&was, gscale_workload_phase(w, phase), sizeof was) != 0;
}

static void as_planned(uint64_t seed)
{
  rng r = {seed}, again;
  gscale_system *s = random_system(&r);
  again = r;
  gscale_workload *w = random_workload(&r), *moved = random_workload(&again);
  const int n = 1 + pick(&r, 8);
  gscale_probe *probe = NULL;

  if (gscale_probe_new(s, w, n, &probe, NULL) == GSCALE_OK)
    for (int i = 0; i < 8; i++) {
      for (int k = 1 + pick(&r, 3); k > 0; k--) move(probe, &r);
      for (int k = pick(&r, 3); k > 0; k--) put(moved, &r);
      if (i > 3) gscale_probe_workload(probe, moved, NULL);
      compare(probe, i > 3 ? moved : w, n);
    }
  gscale_probe_free(probe);
  gscale_workload_free(moved);
  gscale_workload_free(w);
  gscale_system_free(s);
}

static void of_workloads(const gscale_system *s, const gscale_workload *w)
{
  const size_t memcpy_ = gscale_paradigm_find("memcpy");
  gscale_workload *two = one_phase(halo_phase(64)),
                  *other = one_phase(gather_phase(32e6, 20));
  const gscale_phase second = halo_phase(64);
  gscale_put put[2] = {{0, gscale_field_find(GSCALE_OF_PHASE, "flop"), 0, 1e9},
                       {1, gscale_field_find(GSCALE_OF_PHASE, "flop"), 0, 1e9}};
  const double was = gscale_workload_phase(other, 0)->flop;
  const gscale_plan *plan = NULL;
  gscale_probe *probe = NULL;

  gscale_workload_add(two, &second, NULL);
  gsl_test(gscale_workload_put(other, put, 2, NULL) != GSCALE_ENAME,
           "no number of a phase that is not there");
  put[0].value = -1.0;
  gsl_test(gscale_workload_put(other, put, 1, NULL) != GSCALE_EDOMAIN,
           "nor one that no phase can have");
  gsl_test_abs(gscale_workload_phase(other, 0)->flop, was, 0.0,
               "nothing has changed then");
  gsl_test(gscale_probe_new(s, w, 4, &probe, NULL) != GSCALE_OK, "a probe");
  gsl_test(gscale_probe_workload(probe, two, NULL) != GSCALE_EDOMAIN,
           "a workload of more phases is another");
  gscale_probe_ways(probe, &memcpy_, 1);
  gsl_test(gscale_probe_workload(probe, other, NULL) ||
               gscale_probe_plan(probe, &plan, NULL),
           "a plan of other numbers, for one paradigm");
  gsl_test(gscale_plan_needs(plan, memcpy_, NULL) ||
               gscale_plan_needs(plan, 0, NULL),
           "has that, and infinite");
  gsl_test(gscale_plan_needs(plan, gscale_paradigm_find("nccl"), NULL) !=
               GSCALE_ENEED,
           "and not the others");
  gscale_probe_free(probe);
  gscale_workload_free(two);
  gscale_workload_free(other);
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
  of_workloads(s, w);
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
  gsl_test(moved_fields < draws, "%d numbers of phases put", moved_fields);
  gsl_test(unlike > 0, "%d phases are others when it is taken back", unlike);
  gsl_test(differing > 0, "%d differ from a fresh plan's", differing);
  gsl_test(differing_errors > 0, "%d are refused by one only",
           differing_errors);
  refusals();
  return gsl_test_summary();
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
