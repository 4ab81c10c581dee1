/* t_step.c - steps of paradigms: what is evaluated by paths is the period of
 * the timeline that the paths were found in. */

#include "cases.h"
#include "predict/step.h"

#include <gsl/gsl_test.h>
#include <stdio.h>
#include <stdlib.h>

static double longest(const gscale__form *f, const double *cost)
{
  double most = 0.0;

  for (int i = 0; i < f->paths; i++) {
    double sum = 0.0;
    for (int k = f->first[i]; k < f->first[i + 1]; k++)
      sum += f->term[k].times * cost[f->term[k].cost];
    most = fmax(most, sum);
  }
  return most;
}

/* Costs by order of magnitude.  A stream's hand-over may not outlast the wait
 * for what was before it: then the stream alone would say the period. */
static void random_costs(rng *r, const gscale_timeline *t, double *cost)
{
  for (int i = 0; i < t->costs; i++)
    cost[i] = pick(r, 6) ? spread(r, 1e-7, 1e-4) : 0.0;
  for (int i = GSCALE_COST_KERNEL_KERNEL; i <= GSCALE_COST_COPY_COPY; i++)
    cost[i] = i == GSCALE_COST_KERNEL_COPY ? cost[i] : 0.0;
}

static int forms, differ;

static void compare(rng *r, const gscale__form *f)
{
  const size_t costs = (size_t)f->timeline->costs;
  double *cost = malloc(costs * sizeof *cost);
  void *scratch = malloc(gscale_timeline_scratch(f->timeline));

  for (int k = 0; k < 20; k++) {
    random_costs(r, f->timeline, cost);
    const double t = gscale_timeline_period(f->timeline, cost, scratch, NULL);
    differ += !(fabs(longest(f, cost) / t - 1.0) < 1e-12);
  }
  forms++;
  free(scratch);
  free(cost);
}

/* Waits of the host in every way that lets one GPU stand for all. */
static void random_host(rng *r, gscale_workload *w)
{
  static const int barriers[] = {1, 2, 3, 5, 7};
  gscale_host h = gscale_host_default;

  h.barriers = barriers[pick(r, 5)];
  h.order = (gscale_order)pick(r, GSCALE_ORDER_END);
  h.by_peer = pick(r, 2);
  h.norm.copy = pick(r, 2) ? 8.0 : 0.0;
  h.norm.bytes = pick(r, 2) ? 1e6 : 0.0;
  h.norm.clear = pick(r, 2);
  gscale_workload_set_host(w, &h, NULL);
}

static void one_case(rng *r)
{
  gscale_system *s = random_system(r);
  gscale_workload *w = random_workload(r);
  gscale_plan *p = NULL;

  random_host(r, w);
  if (gscale_plan_new(s, w, 1 + pick(r, 8), &p, NULL) == GSCALE_OK)
    for (size_t i = 0; i < p->forms.n; i++)
      if (p->forms.form[i]->paths > 0) compare(r, p->forms.form[i]);
  gscale_plan_free(p);
  gscale_system_free(s);
  gscale_workload_free(w);
}

/* However little the host waits, copies take time. */
static void not_faster_than_infinite(void)
{
  gscale_system *s = some_system(GSCALE_SWITCH, "nvlink4");
  const size_t memcpy_ = gscale_paradigm_find("memcpy");

  for (int n = 2; n <= 4; n++)
    for (int i = 0; i < GSCALE_WAITS_END; i++)
      for (int threads = 0; threads < 3; threads++) {
        gscale_workload *w = one_phase(halo_phase(256));
        gscale_host h = gscale_host_default;
        gscale_plan *p = NULL;
        h.threads = threads;
        h.waits = (gscale_waits)i;
        gscale_workload_set_host(w, &h, NULL);
        gsl_test_int((int)gscale_plan_new(s, w, n, &p, NULL), GSCALE_OK,
                     "plan");
        const double ideal = gscale_predict_time(p, 0, NULL);
        const double time = gscale_predict_time(p, memcpy_, NULL);
        gsl_test(!(ideal > 0.0 && time > ideal),
                 "%d GPUs, %d threads, waits = %d: %g > %g", n, threads,
                 (int)h.waits, time, ideal);
        gscale_plan_free(p);
        gscale_workload_free(w);
      }
  gscale_system_free(s);
}

static double with_host(const gscale_system *s, int n, int barriers,
                        bool by_peer)
{
  gscale_workload *w = one_phase(halo_phase(256));
  gscale_host h = gscale_host_default;
  gscale_plan *p = NULL;

  h.barriers = barriers;
  h.by_peer = by_peer;
  gscale_workload_set_host(w, &h, NULL);
  gsl_test_int((int)gscale_plan_new(s, w, n, &p, NULL), GSCALE_OK, "plan");
  const double t = gscale_predict_time(p, gscale_paradigm_find("memcpy"), NULL);
  gscale_plan_free(p);
  gscale_workload_free(w);
  return t;
}

/* Two GPUs have one peer each: nothing is left for the second part but two
 * barriers and a wait that is over at once. */
static void parts_by_peer(void)
{
  gscale_system *s = some_system(GSCALE_SWITCH, "nvlink4");
  const double one = with_host(s, 2, 5, false),
               sides = with_host(s, 2, 7, false),
               peers = with_host(s, 2, 7, true);

  gsl_test(!(peers > one), "the second part is not there: %g, %g", peers, one);
  set(s, "copy.initiation", 1e-3, 0);
  gsl_test_rel(with_host(s, 2, 7, true) - peers,
               with_host(s, 2, 5, false) - one, 1e-9, "one copy");
  gsl_test_rel(with_host(s, 2, 7, false) - sides,
               2 * (with_host(s, 2, 5, false) - one), 1e-9,
               "by sides one of each GPU, one after the other");
  gsl_test_rel(with_host(s, 3, 7, true), with_host(s, 3, 7, false), 0,
               "three: a peer on either side");
  gscale_system_free(s);
}

/* ---- events between GPUs --------------------------------------------------
 */

static gscale_workload *waiting(gscale_phase p, gscale_waits waits)
{
  gscale_workload *w = one_phase(p);
  gscale_host h = gscale_host_default;

  h.waits = waits;
  gscale_workload_set_host(w, &h, NULL);
  return w;
}

static double time_of(const gscale_system *s, const gscale_workload *w, int n,
                      const char *paradigm)
{
  gscale_plan *p = NULL;

  gsl_test_int((int)gscale_plan_new(s, w, n, &p, NULL), GSCALE_OK, "plan");
  const double t = gscale_predict_time(p, gscale_paradigm_find(paradigm), NULL);
  gscale_plan_free(p);
  return t;
}

/* s, a step more if the events of other GPUs are seen 1 ms later. */
static double slower_by_far(gscale_system *s, const gscale_workload *w, int n,
                            const char *paradigm)
{
  set(s, "hand.remote", 1e-6, 0);
  const double before = time_of(s, w, n, paradigm);
  set(s, "hand.remote", 1e-6 + 1e-3, 0);
  return time_of(s, w, n, paradigm) - before;
}

/* Copies beside the kernels are waited for as well. */
static void copies_beside(gscale_system *s)
{
  gscale_phase p = halo_phase(256);

  p.publish = 1e9; /* they take much longer than the kernels */
  gscale_workload *w = waiting(p, GSCALE_WAITS_NEVER);
  gsl_test_rel(slower_by_far(s, w, 4, "memcpy-async"), 1e-3, 1e-6,
               "neighbours wait for copies in another stream");
  gscale_workload_free(w);
}

/* Each repeat waits for the one before; of what the first waits for some 0.6 us
 * are hidden behind calls. */
static void repeats(gscale_system *s)
{
  gscale_phase p = halo_phase(256), q = halo_phase(256);

  p.repeats = 3;
  q.to = GSCALE_TO_NONE;
  q.publish = 0.0;
  q.groups = 0;
  gscale_workload *w = waiting(p, GSCALE_WAITS_STEP);
  gsl_test_rel(slower_by_far(s, w, 4, "memcpy"), 2e-3, 4e-4,
               "two waits between three repeats");
  gscale_workload_add(w, &q, NULL);
  gsl_test_rel(slower_by_far(s, w, 4, "memcpy"), 3e-3, 4e-4,
               "and one before the next phase");
  gscale_workload_free(w);
}

/* GPUs whose events GPU 0 waits for, a bit for each. */
static unsigned waits_for(const gscale_system *s, gscale_phase phase, int n)
{
  gscale_workload *w = waiting(phase, GSCALE_WAITS_NEVER);
  gscale_plan *p = NULL;
  gscale_lanes *l = NULL;
  unsigned seen = 0;

  gsl_test_int((int)gscale_plan_new(s, w, n, &p, NULL), GSCALE_OK, "plan");
  gscale_lanes_new(p, w, gscale_paradigm_find("memcpy"), NULL, &l, NULL);
  for (size_t i = 0; l && i < gscale_lanes_count(l); i++) {
    const gscale_lane_action *a = gscale_lanes_at(l, i);
    int gpu;
    if (a->kind == GSCALE_WAIT && a->gpu == 0 &&
        sscanf(a->what, "done of GPU %d", &gpu) == 1)
      seen |= 1u << gpu;
  }
  gscale_lanes_free(l);
  gscale_plan_free(p);
  gscale_workload_free(w);
  return seen;
}

/* Actions of a kind in the schedule of memcpy. */
static int count_of(const gscale_system *s, const gscale_workload *w, int n,
                    gscale_action_kind kind)
{
  gscale_plan *p = NULL;
  gscale_lanes *l = NULL;
  int count = 0;

  gsl_test_int((int)gscale_plan_new(s, w, n, &p, NULL), GSCALE_OK, "plan");
  gscale_lanes_new(p, w, gscale_paradigm_find("memcpy"), NULL, &l, NULL);
  for (size_t i = 0; l && i < gscale_lanes_count(l); i++)
    count += gscale_lanes_at(l, i)->kind == kind;
  gscale_lanes_free(l);
  gscale_plan_free(p);
  return count;
}

/* No event more than somebody waits for, and no wait twice. */
static void few_events(const gscale_system *s)
{
  gscale_phase p = halo_phase(256);
  gscale_workload *w = waiting(p, GSCALE_WAITS_STEP);
  gscale_host h = *gscale_workload_about(w).host;

  h.threads = 1;
  gscale_workload_set_host(w, &h, NULL);
  gsl_test_int(count_of(s, w, 4, GSCALE_RECORD), 0,
               "the host waits for the only phase");
  gscale_workload_free(w);
  p.grid[0] = p.grid[1] = 2.0;
  p.periodic = true;
  w = waiting(p, GSCALE_WAITS_NEVER);
  gsl_test_int(count_of(s, w, 4, GSCALE_WAIT), 2 * 4 * 2,
               "a wait for each neighbour, in even and in odd steps");
  gscale_workload_free(w);
}

/* One thread that does nothing but calls: those for other GPUs' events. */
static void far_waits(gscale_system *s, const char *paradigm)
{
  gscale_workload *w = waiting(halo_phase(8), GSCALE_WAITS_NEVER);
  gscale_host h = *gscale_workload_about(w).host;

  h.threads = 1;
  gscale_workload_set_host(w, &h, NULL);
  set(s, "hand.remote", 1e-6, 0);
  set(s, "host.wait_remote", 100e-6, 0);
  const double before = time_of(s, w, 4, paradigm);
  set(s, "host.wait_remote", 101e-6, 0);
  gsl_test_rel(time_of(s, w, 4, paradigm) - before, 6e-6, 1e-6,
               "%s: six waits for neighbours", paradigm);
  gscale_workload_free(w);
}

static void neighbours(const gscale_system *s)
{
  gscale_phase p = halo_phase(256);

  gsl_test_int((int)waits_for(s, p, 4), 2, "in a line");
  p.periodic = true;
  gsl_test_int((int)waits_for(s, p, 4), 2 + 8, "in a ring");
  p.periodic = false;
  p.grid[0] = p.grid[1] = 2.0;
  gsl_test_int((int)waits_for(s, p, 4), 2 + 4, "in a square");
  p.periodic = true;
  gsl_test_int((int)waits_for(s, p, 4), 2 + 4, "to both sides of it");
  gsl_test_int((int)waits_for(s, gather_phase(4e6, 1), 4), 2 + 4 + 8, "all");
}

int main(void)
{
  gscale_system *s = some_system(GSCALE_SWITCH, "nvlink4");
  rng r = {41};

  copies_beside(s);
  repeats(s);
  neighbours(s);
  few_events(s);
  far_waits(s, "memcpy");
  far_waits(s, "memcpy-async");
  gscale_system_free(s);

  for (int i = 0; i < cases(100, 1000); i++) one_case(&r);
  gsl_test(forms < 100, "enough forms were compared: %d", forms);
  gsl_test_int(differ, 0, "paths are the timeline's period");
  not_faster_than_infinite();
  parts_by_peer();
  return gsl_test_summary();
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
