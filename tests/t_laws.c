/* t_laws.c - what must hold for every system, workload, N and paradigm. */

#include "clusters.h"
#include "more.h"

#include <gsl/gsl_test.h>
#include <stdio.h>

/* Violations, counted; each is one test at the end. */
static struct {
  int refused, finite, sum, negative, bytes, infinite, opportunity, single,
      time_only, scaled, moved;
} bad;

/* Cases of each parameter; sanitizers need fewer. */
enum {
  ENOUGH = SHARE < 8 ? 10 : 2
};
static int tried[GSCALE_PARAM_END], slower[GSCALE_PARAM_END],
    faster[GSCALE_PARAM_END];

/* Of a program's numbers: at fixed knobs, at chosen ones, bytes on the wire. */
static int moved[MORE_END], less_time[MORE_END], less_best[MORE_END],
    less_wire[MORE_END];

static double time_at(const gscale_system *s, const gscale_workload *w, int n,
                      size_t paradigm, const gscale_knobs *k)
{
  gscale_plan *p = NULL;
  if (gscale_plan_new(s, w, n, &p, NULL) != GSCALE_OK) return (double)NAN;
  const double t = gscale_predict_time(p, paradigm, k);
  gscale_plan_free(p);
  return t;
}

static void accounts(const gscale_prediction *r)
{
  double sum = 0;
  for (int i = 0; i < GSCALE_PART_END; i++) {
    bad.negative += !(r->part[i] >= 0);
    sum += r->part[i];
  }
  bad.sum += !(fabs(sum / r->time - 1) < 1e-12);
  const gscale_bytes *b = &r->bytes;
  const double kinds = b->useful + b->protocol + b->redundant + b->unused;
  bad.bytes += !(fabs(kinds - b->wire) <= 1e-12 * b->wire);
  bad.bytes += !(b->useful >= 0 && b->protocol >= 0 && b->redundant >= 0 &&
                 b->unused >= 0);
  bad.finite += !(isfinite(r->setup) && r->setup >= 0);
  bad.opportunity += !(r->opportunity > 0 && r->opportunity <= 1);
}

/* Of one GPU: with a measured single-GPU time it only says how that is divided
 * (gscale_direction). */
static bool of_one_gpu(size_t id)
{
  return id < GSCALE_LINK_RATE;
}

/* Any parameter of the table, anywhere higher in its domain. */
static void monotone(gscale_system *s, const gscale_workload *w, int n,
                     size_t paradigm, const gscale_prediction *was, rng *r)
{
  const size_t id = (size_t)pick(r, GSCALE_PARAM_END);
  const gscale_param_info *info = gscale_param_info_at(id);
  const gscale_direction d = info->direction;
  const gscale_param old = *gscale_system_get(s, (gscale_param_id)id);

  if (d == GSCALE_EITHER ||
      (of_one_gpu(id) && gscale_workload_about(w).t1->val > 0))
    return;
  const double higher = old.val * spread(r, 1, pick(r, 4) ? 3 : 100);
  set(s, info->name,
      fmin(info->most, higher + (d == GSCALE_COST && pick(r, 2) ? 1e-9 : 0)),
      0);
  const double t = time_at(s, w, n, paradigm, &was->knobs);
  gscale_system_set(s, (gscale_param_id)id, &old, NULL);
  tried[id]++;
  if (isnan(t)) return; /* a knob leaves no room */
  if (d == GSCALE_GAIN)
    slower[id] += !(t <= was->time * (1 + 1e-12));
  else
    faster[id] += !(t >= was->time * (1 - 1e-12));
}

/* More of a number of the program, or of a list of them. */
static void more_work(const gscale_system *s, gscale_workload *w,
                      const gscale_plan *before, size_t paradigm,
                      const gscale_knobs *asked, const gscale_prediction *was,
                      rng *r)
{
  const more_of what = (more_of)pick(r, MORE_END);
  const size_t phase = (size_t)pick(r, (int)w->phases);
  const gscale_phase old = w->phase[phase];
  const gscale_param single = w->single;
  const double times = spread(r, 1, pick(r, 4) ? 3 : 100);
  const gscale_knobs used = as_used(paradigm, was);
  gscale_prediction now, best;
  gscale_plan *p = NULL;

  if (!more_broken(paradigm, what) &&
      is_one_regime(s, gscale_plan_gpus(before)) &&
      make_more(w, phase, what, times) &&
      gscale_plan_new(s, w, gscale_plan_gpus(before), &p, NULL) == GSCALE_OK &&
      !more_channels(s, before, p, paradigm, phase, &used)) {
    const bool same_protocol =
        !gscale_paradigm_at(paradigm)->collective || used.algorithm > 0;
    moved[what]++;
    if (gscale_predict(p, paradigm, &used, &now, NULL) == GSCALE_OK) {
      less_time[what] += !(now.time >= was->time * (1 - 1e-11));
      less_wire[what] += more_wire(what) && same_protocol &&
                         !(now.bytes.wire >= was->bytes.wire * (1 - 1e-11));
    }
    if (gscale_predict(p, paradigm, asked, &best, NULL) == GSCALE_OK)
      less_best[what] += !(best.time >= was->time * (1 - 1e-11));
  }
  gscale_plan_free(p);
  w->phase[phase] = old;
  w->single = single;
}

/* The same world with other units of time and bytes. */
static void rescaled(const gscale_system *s, const gscale_workload *w, int n,
                     size_t paradigm, const gscale_prediction *was)
{
  const double k = 3.7; /* of time; packets fix the unit of bytes */
  gscale_system *t = gscale_system_new("rescaled");
  gscale_workload *v = gscale_workload_new("rescaled");
  gscale_knobs knobs = was->knobs;

  gscale_system_set_link(t, gscale_system_about(s).link, NULL);
  gscale_system_set_shape(t, gscale_system_about(s).fabric,
                          gscale_system_about(s).node,
                          gscale_system_about(s).fabric->kind != GSCALE_MESH &&
                              gscale_system_about(s).grows,
                          0, NULL);
  gscale_system_set_can(t, gscale_system_can(s), NULL);
  if (gscale_system_about(s).network)
    gscale_system_set_network(t, gscale_system_about(s).network, NULL);
  for (size_t id = 0; id < GSCALE_PARAM_END; id++) {
    gscale_param p = *gscale_system_get(s, (gscale_param_id)id);
    const gscale_dim d = gscale_param_info_at(id)->dim;
    if (d == GSCALE_TIME || d == GSCALE_TIME_PER_BYTE) p.val *= k;
    if (d == GSCALE_BYTERATE || d == GSCALE_FLOPRATE || d == GSCALE_RATE)
      p.val /= k;
    gscale_system_set(t, (gscale_param_id)id, &p, NULL);
  }
  for (size_t i = 0; i < gscale_workload_about(w).phases; i++)
    gscale_workload_add(v, gscale_workload_phase(w, i), NULL);
  const gscale_param single = {gscale_workload_about(w).t1->val * k, 0,
                               GSCALE_MEASURED, "", GSCALE_BY_ORIGIN};
  gscale_workload_set_single(v, single, NULL);
  const double now = time_at(t, v, n, paradigm, &knobs);
  bad.scaled += !(fabs(now / (was->time * k) - 1) < 1e-9);
  gscale_system_free(t);
  gscale_workload_free(v);
}

/* The one reason to refuse here: GPUs reach others through the host only. */
static bool beyond_reach(const gscale_system *s, size_t paradigm)
{
  const gscale_fabric *f = gscale_system_about(s).fabric;

  const bool none = gscale_system_can(s)->peer == GSCALE_PEER_NONE;

  return (none || (f->kind == GSCALE_MESH && f->staged > 0)) &&
         gscale_paradigm_at(paradigm)->needs.peer > GSCALE_PEER_NONE;
}

/* A way between nodes, where there is one node; or that takes its numbers from
 * `remote`, which these systems have not: t_ways holds those to the laws. */
static bool between_none(const gscale_system *s, size_t between)
{
  const char *name = between > 0 ? gscale_between_at(between - 1)->name : "";
  const bool path =
      strcmp(name, "staged") == 0 || strcmp(name, "gpudirect") == 0;

  return between > 0 && (!gscale_system_about(s).network || !path);
}

/* Paradigms, then the ways of memcpy between nodes; false past the end. */
static bool paradigm_at(size_t i, size_t *paradigm, gscale_knobs *k)
{
  const size_t n = gscale_paradigm_count();

  *k = gscale_knobs_best;
  *paradigm = i < n ? i : gscale_paradigm_find("memcpy");
  k->between = i < n ? 0 : i - n + 1;
  return i < n || gscale_between_at(i - n) != NULL;
}

/* What a drawn phase lacks; rescaling leaves its seconds as they are. */
static void add_rare(gscale_workload *w, rng *r, bool plain)
{
  for (size_t i = 0; i < w->phases; i++) {
    gscale_phase *p = &w->phase[i];

    if (!plain && pick(r, 2)) p->fixed = spread(r, 1e-6, 1e-3);
    if (p->to == GSCALE_TO_NONE && pick(r, 2)) p->reduce = spread(r, 8, 1e9);
    if (p->to == GSCALE_TO_NEIGHBOURS && pick(r, 2))
      for (int d = 0; d < GSCALE_DIMS_MAX; d++) p->cut[d] = maybe(r, 8, 1e8);
  }
}

static void one_case(rng *r, bool plain, bool nodes)
{
  gscale_system *s = random_system(r);
  gscale_workload *w = random_workload(r);
  rng aside = {~r->state}; /* what came later leaves the others as they were */
  if (nodes) join(s, r);
  if (nodes && pick(&aside, 2)) one_regime(s);
  add_rare(w, &aside, plain);
  const int most = nodes || gscale_system_about(s).grows ? 24 : 8;
  const int n = 1 + pick(r, most);
  gscale_plan *p = NULL;

  if (plain) { /* rescaling copies neither curve nor host */
    const gscale_curve none = {.n = 0};
    gscale_system_set_membw_curve(s, &none, NULL);
    gscale_workload_set_host(w, &gscale_host_default, NULL);
  }
  if (gscale_plan_new(s, w, n, &p, NULL) != GSCALE_OK) {
    bad.refused++;
    gscale_system_free(s);
    gscale_workload_free(w);
    return;
  }
  gscale_prediction bound = {0};
  gscale_predict(p, gscale_paradigm_find("infinite"), NULL, &bound, NULL);
  const double infinite = bound.time;
  const size_t own = gscale_paradigm_find("schedule"); /* these have none */
  /* which waits once a step, where `infinite` waits in every phase */
  const size_t streamed = gscale_workload_about(w).phases > 1
                              ? gscale_paradigm_find("nccl")
                              : gscale_paradigm_count();
  gscale_knobs k;
  size_t i;
  for (size_t each = 0; paradigm_at(each, &i, &k); each++) {
    gscale_prediction out;
    if (gscale_predict(p, i, &k, &out, NULL) != GSCALE_OK) {
      bad.refused +=
          i != own && !beyond_reach(s, i) && !between_none(s, k.between);
      continue;
    }
    bad.finite += !(isfinite(out.time) && out.time >= 0);
    if (!(out.time > 0)) continue;
    accounts(&out);
    bad.infinite += i != streamed && !(out.time >= infinite * (1 - 1e-12));
    bad.moved += n == 1 && out.bytes.wire != 0;
    bad.single += n == 1 && !(fabs(out.time / infinite - 1) < 1e-12);
    bad.time_only += /* sums of parts in another order: 2.5e-12 was seen */
        !(fabs(gscale_predict_time(p, i, &out.knobs) / out.time - 1) < 1e-11);
    monotone(s, w, n, i, &out, r);
    more_work(s, w, p, i, &k, &out, &aside);
    if (plain) rescaled(s, w, n, i, &out);
  }
  gscale_plan_free(p);
  gscale_system_free(s);
  gscale_workload_free(w);
}

/* True if `times` a parameter makes the step slower. */
static bool slows(gscale_system *s, const gscale_phase *phase, size_t id,
                  const char *paradigm, double times)
{
  const gscale_knobs k = {.v = {65536, 1024}};
  gscale_workload *w = one_phase(*phase);
  const size_t p = gscale_paradigm_find(paradigm);
  const double before = time_at(s, w, 2, p, &k);

  set(s, gscale_param_info_at(id)->name,
      times * gscale_system_get(s, (gscale_param_id)id)->val, 0);
  const double after = time_at(s, w, 2, p, &k);
  gscale_workload_free(w);
  return after > before * (1 + 1e-12);
}

/* Blocks that count stay longer, which others fill where the memory is busy: a
 * faster one leaves more of it bare, but no more than it saves. */
static void faster_memory(void)
{
  static const char *const way[] = {"proact-poll", "proact-cdp"};

  for (size_t i = 0; i < sizeof way / sizeof *way; i++) {
    gscale_system *s = some_system(GSCALE_SWITCH, "nvlink4");
    gscale_phase p = gather_phase(4e6, 1);

    set(s, "agent.hold", 2e-6, 0);
    set(s, "agent.contention", 10, 0);
    p.flop = 2e10; /* the memory is not what it waits for */
    gsl_test(slows(s, &p, GSCALE_DEVICE_MEMBW, way[i], 8),
             "more device.membw never slows %s", way[i]);
    gscale_system_free(s);
  }
}

/* Found by users: fixed, and to stay so. */
static void once_broken(void)
{
  const gscale_knobs k = {.v = {65536, 16384}};
  gscale_system *s = some_system(GSCALE_SWITCH, "nvlink4");
  gscale_workload *w = one_phase(gather_phase(2e6, 14));
  const size_t poll = gscale_paradigm_find("proact-poll"),
               um = gscale_paradigm_find("um"),
               rdl = gscale_paradigm_find("rdl");
  double last = 0;

  /* the wire is slower than the agent alone, not than beside the kernel */
  set(s, "agent.contention", 9.5, 0);
  set(s, "agent.gap", 0.52e-6, 0);
  for (double start = 0; start < 100e-6; start += 1e-6) {
    set(s, "device.start", start, 0);
    const double t = time_at(s, w, 8, poll, &k);
    gsl_test(!(t >= last), "proact-poll: kernels that start in %.0f us",
             1e6 * start);
    last = t;
  }
  gscale_workload_free(w);
  w = one_phase(gather_phase(3e7, 2));
  set(s, "load.latency", 200e-6, 0); /* loads take longer than two lapses */
  last = INFINITY;
  for (double rate = 1e9; rate < 1e12; rate *= 1.5) {
    set(s, "um.fault_rate", rate, 0);
    const double t = time_at(s, w, 4, um, &k);
    gsl_test(!(t <= last), "um: pages at %.3g GB/s", rate / 1e9);
    last = t;
  }
  gsl_test(!(last > time_at(s, w, 4, gscale_paradigm_find("infinite"), &k)),
           "um: not faster than infinite");
  gsl_test(!(last < time_at(s, w, 4, rdl, &k)),
           "um: what is loaded too slowly moves again");
  gscale_system_free(s);
  gscale_workload_free(w);
}

static void directions(void)
{
  for (size_t id = 0; id < GSCALE_PARAM_END; id++) {
    const char *name = gscale_param_info_at(id)->name;
    const gscale_direction d = gscale_param_info_at(id)->direction;
    gsl_test(d == GSCALE_UNDECLARED, "%s: which way it goes is declared", name);
    if (d == GSCALE_EITHER) continue;
    gsl_test(tried[id] < ENOUGH, "%s: %d cases", name, tried[id]);
    if (d == GSCALE_GAIN)
      gsl_test_int(slower[id], 0, "%s: more never slows", name);
    else
      gsl_test_int(faster[id], 0, "%s: more never speeds", name);
  }
}

static void programs(void)
{
  for (int i = 0; i < MORE_END; i++) {
    gsl_test(moved[i] < (is_unmended(more_name[i]) ? 0 : 10), "%s: %d cases",
             more_name[i], moved[i]);
    gsl_test_int(less_time[i], 0, "more %s never takes less", more_name[i]);
    gsl_test_int(less_best[i], 0, "more %s never takes less, at the best knobs",
                 more_name[i]);
    gsl_test_int(less_wire[i], 0, "more %s never sends less", more_name[i]);
  }
}

static bool tried_all(void)
{
  for (size_t id = 0; id < GSCALE_PARAM_END; id++)
    if (gscale_param_info_at(id)->direction != GSCALE_EITHER &&
        tried[id] < ENOUGH)
      return false;
  return true;
}

int main(void)
{
  /* 20 000 x 5 paradigms are the 10^5 cases of the full suite */
  const int n = slow_cases(400 / SHARE, 1000, 20000);
  rng r = {1967};

  for (int i = 0; i < n; i++) one_case(&r, i % 4 == 0, false);
  r = (rng){2014};
  for (int i = 0; i < n; i++) one_case(&r, i % 4 == 0, true);
  /* each number in ten cases: which are drawn changes with the list of them */
  for (int i = 0; i < SHARE * n && !tried_all(); i++)
    one_case(&r, i % 4 == 0, true);
  gsl_test_int(bad.refused, 0, "%d random cases x paradigms: none refused", n);
  gsl_test_int(bad.finite, 0, "times are finite");
  gsl_test_int(bad.sum, 0, "parts sum to the time within 1e-12");
  gsl_test_int(bad.negative, 0, "parts are not negative");
  gsl_test_int(bad.bytes, 0, "bytes sum to the wire bytes within 1e-12");
  gsl_test_int(bad.infinite, 0, "nothing is faster than infinite");
  gsl_test_int(bad.opportunity, 0, "opportunity is in (0, 1]");
  gsl_test_int(bad.single, 0, "one GPU: all paradigms alike");
  gsl_test_int(bad.moved, 0, "one GPU moves no byte");
  gsl_test_int(bad.time_only, 0, "predict_time = predict");
  directions();
  programs();
  faster_memory();
  once_broken();
  gsl_test_int(bad.scaled, 0, "another unit of time changes nothing");
  return gsl_test_summary();
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
