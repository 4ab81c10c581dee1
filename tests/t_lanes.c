/* t_lanes.c - steps as they run: what is shown is what was predicted. */

#include "cases.h"

#include <gsl/gsl_test.h>
#include <stdlib.h>
#include <string.h>

static int shown, calls, work, streams, ends, times;

static bool later(double a, double b)
{
  return a >= b - 1e-12 - 1e-9 * fabs(b);
}

/* Calls of a thread follow one another, and work its call. */
static void in_order(const gscale_lanes *l)
{
  const size_t n = gscale_lanes_count(l);

  for (size_t i = 0; i < n; i++) {
    const gscale_lane_action *a = gscale_lanes_at(l, i);
    calls += !(later(a->at.back, a->at.call));
    if (a->kind <= GSCALE_COLLECTIVE)
      work +=
          !(later(a->at.begin, a->at.back) && later(a->at.end, a->at.begin));
    for (size_t k = i + 1; k < n; k++) {
      const gscale_lane_action *b = gscale_lanes_at(l, k);
      if (a->parity == b->parity && a->thread == b->thread)
        calls += !later(b->at.call, a->at.back);
      if (a->parity == b->parity && a->stream == b->stream &&
          a->kind <= GSCALE_COLLECTIVE && b->kind <= GSCALE_COLLECTIVE)
        streams += !later(b->at.begin, a->at.end);
    }
  }
}

/* Where the host waits for all, its last call ends with the step, or with the
 * first of several repeats of the last phase. */
static void is_whole(const gscale_lanes *l, const gscale_workload *w)
{
  double last = 0.0, repeats = 1.0;

  if (gscale_workload_about(w).host->waits != GSCALE_WAITS_PHASE) return;
  for (size_t i = 0; i < gscale_lanes_count(l); i++) {
    last = fmax(last, gscale_lanes_at(l, i)->at.back);
    repeats = gscale_lanes_at(l, i)->repeats;
  }
  ends += repeats > 1.5 ? !(last < gscale_lanes_time(l))
                        : !(fabs(last / gscale_lanes_time(l) - 1.0) < 1e-9);
}

static void one_plan(const gscale_plan *p, const gscale_workload *w)
{
  for (size_t i = 0; i < gscale_paradigm_count(); i++) {
    gscale_prediction r;
    gscale_lanes *l = NULL;
    if (gscale_predict(p, i, NULL, &r, NULL) != GSCALE_OK) continue;
    if (gscale_lanes_new(p, w, i, NULL, &l, NULL) != GSCALE_OK) {
      times++;
      continue;
    }
    shown++;
    times += !(fabs(gscale_lanes_time(l) / r.time - 1.0) < 1e-12);
    in_order(l);
    is_whole(l, w);
    gscale_lanes_free(l);
  }
}

static void one_case(rng *r)
{
  gscale_system *s = random_system(r);
  gscale_workload *w = random_workload(r);
  gscale_host h = *gscale_workload_about(w).host;
  gscale_plan *p = NULL;

  h.waits = (gscale_waits)pick(r, GSCALE_WAITS_END);
  gscale_workload_set_host(w, &h, NULL);
  if (gscale_plan_new(s, w, 1 + pick(r, 4), &p, NULL) == GSCALE_OK)
    one_plan(p, w);
  gscale_plan_free(p);
  gscale_system_free(s);
  gscale_workload_free(w);
}

/* By hand: a kernel, its copies, the wait, the barrier. */
static void by_hand(void)
{
  gscale_system *s = some_system(GSCALE_SWITCH, "nvlink4");
  gscale_workload *w = one_phase(halo_phase(256));
  const size_t memcpy_ = gscale_paradigm_find("memcpy");
  gscale_plan *p = NULL;
  gscale_lanes *l = NULL;
  gscale_diag d;

  gsl_test_int((int)gscale_plan_new(s, w, 4, &p, NULL), GSCALE_OK, "plan");
  gsl_test_int((int)gscale_lanes_new(p, w, memcpy_, NULL, &l, NULL), GSCALE_OK,
               "lanes");
  gsl_test_int((int)gscale_lanes_count(l), 6, "actions");
  gsl_test_int(gscale_lanes_alike(l), 4, "one for all");
  const gscale_lane_action *a = gscale_lanes_at(l, 0);
  gsl_test_int((int)a->kind, GSCALE_LAUNCH, "a launch");
  gsl_test(strcmp(a->what, "sweep") != 0, "of its phase: %s", a->what);
  gsl_test(strcmp(a->stream_name, "main") != 0, "in main: %s", a->stream_name);
  gsl_test_int(a->phase, 0, "the first");
  gsl_test_abs(a->at.call, 0.0, 0.0, "at once");
  gsl_test_rel(a->at.back, a->at.begin, 1e-12, "work behind its call");
  a = gscale_lanes_at(l, 3);
  gsl_test(strcmp(a->what, "last copy") != 0, "copies: %s", a->what);
  gsl_test_int(gscale_lanes_at(l, 5)->gpu, -1, "a barrier has no GPU");
  gsl_test_rel(gscale_lanes_at(l, 5)->at.back, gscale_lanes_time(l), 1e-12,
               "ends with the step");
  gsl_test(gscale_lanes_at(l, 6) != NULL, "no more");
  gscale_lanes_free(l);
  gsl_test_int((int)gscale_lanes_new(p, w, gscale_paradigm_find("schedule"),
                                     NULL, &l, &d),
               GSCALE_ENEED, "it has none of its own: %s", d.text);
  gscale_lanes_free(NULL);
  gscale_plan_free(p);
  gscale_workload_free(w);
  gscale_system_free(s);
}

int main(void)
{
  rng r = {73};

  by_hand();
  for (int i = 0; i < cases(60, 1000); i++) one_case(&r);
  gsl_test(shown < 300, "enough was shown: %d", shown);
  gsl_test_int(times, 0, "its time is the prediction's");
  gsl_test_int(calls, 0, "calls of a thread follow one another");
  gsl_test_int(work, 0, "work follows its call");
  gsl_test_int(streams, 0, "work of a stream follows one another");
  gsl_test_int(ends, 0, "it ends with the step");
  return gsl_test_summary();
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
