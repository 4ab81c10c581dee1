/* t_laws.c - what must hold for every system, workload, N and paradigm. */

#include "cases.h"

#include <gsl/gsl_test.h>

/* Violations, counted; each is one test at the end. */
static struct {
  int refused, finite, sum, negative, bytes, infinite, opportunity, single,
      time_only, faster, slower, scaled, moved;
} bad;

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

/* A link parameter that improves must not slow, one that worsens not speed. */
static void monotone(gscale_system *s, const gscale_workload *w, int n,
                     size_t paradigm, const gscale_prediction *was, rng *r)
{
  static const char *const rates[] = {
      "link.rate",       "link.duplex",       "copy.efficiency",
      "copy.all_active", "store.efficiency",  "store.all_active",
      "store.rate",      "agent.thread_rate", "store.ingress",
      "staged.rate",     "staged.all_active", "staged.host"};
  static const char *const costs[] = {
      "copy.initiation",   "copy.latency",       "store.latency",
      "agent.latency",     "agent.gap",          "agent.track",
      "copy.interference", "store.interference", "staged.buffer",
      "staged.initiation", "staged.latency"};
  const bool better = pick(r, 2);
  const char *name = better ? rates[pick(r, 12)] : costs[pick(r, 11)];
  const gscale_param_info *info = gscale_param_info_at(gscale_param_find(name));
  const gscale_param old = *gscale_system_get(s, gscale_param_find(name));

  set(s, name,
      fmin(info->most, old.val * spread(r, 1, 3) + (better ? 0 : 1e-9)), 0);
  const double t = time_at(s, w, n, paradigm, &was->knobs);
  if (better)
    bad.slower += !(t <= was->time * (1 + 1e-12));
  else
    bad.faster += !(t >= was->time * (1 - 1e-12));
  gscale_system_set(s, gscale_param_find(name), &old, NULL);
}

/* The same world with other units of time and bytes. */
static void rescaled(const gscale_system *s, const gscale_workload *w, int n,
                     size_t paradigm, const gscale_prediction *was)
{
  const double k = 3.7; /* of time; packets fix the unit of bytes */
  gscale_system *t = gscale_system_new("rescaled");
  gscale_workload *v = gscale_workload_new("rescaled");
  gscale_knobs knobs = was->knobs;

  gscale_system_set_link(t, gscale_system_link(s), NULL);
  gscale_system_set_shape(t, gscale_system_fabric(s), gscale_system_gpus(s),
                          gscale_system_grows(s), 0, NULL);
  gscale_system_set_can(t, gscale_system_can(s), NULL);
  for (size_t id = 0; id < GSCALE_PARAM_END; id++) {
    gscale_param p = *gscale_system_get(s, (gscale_param_id)id);
    const gscale_dim d = gscale_param_info_at(id)->dim;
    if (d == GSCALE_TIME || d == GSCALE_TIME_PER_BYTE) p.val *= k;
    if (d == GSCALE_BYTERATE || d == GSCALE_FLOPRATE || d == GSCALE_RATE)
      p.val /= k;
    gscale_system_set(t, (gscale_param_id)id, &p, NULL);
  }
  for (size_t i = 0; i < gscale_workload_phases(w); i++)
    gscale_workload_add(v, gscale_workload_phase(w, i), NULL);
  const gscale_param single = {gscale_workload_single(w) * k, 0,
                               GSCALE_MEASURED, ""};
  gscale_workload_set_single(v, single, NULL);
  const double now = time_at(t, v, n, paradigm, &knobs);
  bad.scaled += !(fabs(now / (was->time * k) - 1) < 1e-9);
  gscale_system_free(t);
  gscale_workload_free(v);
}

/* The one reason to refuse here: GPUs reach others through the host only. */
static bool beyond_reach(const gscale_system *s, size_t paradigm)
{
  const gscale_fabric *f = gscale_system_fabric(s);

  const bool none = gscale_system_can(s)->peer == GSCALE_PEER_NONE;

  return (none || (f->kind == GSCALE_MESH && f->staged > 0)) &&
         gscale_paradigm_at(paradigm)->needs.peer > GSCALE_PEER_NONE;
}

static void one_case(rng *r, bool plain)
{
  gscale_system *s = random_system(r);
  gscale_workload *w = random_workload(r);
  const int most = gscale_system_grows(s) ? 24 : 8;
  const int n = 1 + pick(r, most);
  gscale_plan *p = NULL;

  if (plain) { /* rescaling copies neither curve nor host */
    const gscale_curve none = {.n = 0};
    gscale_system_set_membw_curve(s, &none, NULL);
    gscale_workload_set_host(w, 0, 1, NULL);
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
  for (size_t i = 0; i < gscale_paradigm_count(); i++) {
    gscale_prediction out;
    if (gscale_predict(p, i, NULL, &out, NULL) != GSCALE_OK) {
      bad.refused += !beyond_reach(s, i);
      continue;
    }
    bad.finite += !(isfinite(out.time) && out.time >= 0);
    if (!(out.time > 0)) continue;
    accounts(&out);
    bad.infinite += !(out.time >= infinite * (1 - 1e-12));
    bad.moved += n == 1 && out.bytes.wire != 0;
    bad.single += n == 1 && !(fabs(out.time / infinite - 1) < 1e-12);
    bad.time_only +=
        !(fabs(gscale_predict_time(p, i, &out.knobs) / out.time - 1) < 1e-12);
    monotone(s, w, n, i, &out, r);
    if (plain) rescaled(s, w, n, i, &out);
  }
  gscale_plan_free(p);
  gscale_system_free(s);
  gscale_workload_free(w);
}

int main(void)
{
  /* 20 000 x 5 paradigms are the 10^5 cases of the long suite */
  const int n = cases(1000, 20000);
  rng r = {1967};

  for (int i = 0; i < n; i++) one_case(&r, i % 4 == 0);
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
  gsl_test_int(bad.slower, 0, "more of a rate never slows");
  gsl_test_int(bad.faster, 0, "more of a cost never speeds");
  gsl_test_int(bad.scaled, 0, "another unit of time changes nothing");
  return gsl_test_summary();
}
