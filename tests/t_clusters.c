/* t_clusters.c - what must hold for every cluster: a node alone is that node,
 * no way is faster than what must pass a node's cards and the caps of its
 * paths, and kernels draw their power wherever their time is hidden. */

#include "clusters.h"

#include <string.h>

enum {
  NODE = 8 /* GPUs of a node that random_system() makes */
};

/* Violations, counted; each is one test at the end. */
static struct {
  int alone, refused, cards, caps, busy, idle, known;
} bad;

static int asked, beyond;

/* As many B of each GPU to every other one, and some work. */
static gscale_phase spread_out(rng *r)
{
  gscale_phase p = halo_phase(64);

  p.to = GSCALE_TO_ALL;
  p.publish = spread(r, 1e2, 1e8);
  p.flop = spread(r, 1e6, 1e13);
  p.fixed = maybe(r, 1e-6, 1e-2);
  return p;
}

static void say_watts(gscale_system *s, rng *r)
{
  for (size_t i = 0; gscale_field_at(GSCALE_OF_POWER, i); i++) {
    const gscale_param p = {spread(r, 1, 1e3), 0, GSCALE_MEASURED, "test",
                            GSCALE_BY_ORIGIN};
    gscale_system_set_remote(s, gscale_field_at(GSCALE_OF_POWER, i), &p, NULL);
  }
}

/* Of all paradigms and ways of memcpy between nodes; false if it is none. */
static bool drawn_way(rng *r, size_t *paradigm, gscale_knobs *k)
{
  const size_t n = gscale_paradigm_count();
  const size_t i = (size_t)pick(r, (int)n + 3);

  *k = gscale_knobs_best;
  *paradigm = i < n ? i : gscale_paradigm_find("memcpy");
  if (i >= n) k->between = 1 + (i - n) % 2; /* staged, gpudirect */
  return strcmp(gscale_paradigm_at(*paradigm)->name, "schedule") != 0;
}

static double number(const gscale_system *s, const char *name)
{
  return gscale_system_get(s, (gscale_param_id)gscale_param_find(name))->val;
}

/* What others send to the first node, which is full, passes its cards; and of
 * copies, each of which is one GPU's for one other, what it sends its path. */
static void past_nodes(const gscale_system *s, double bytes, int n,
                       size_t paradigm, const gscale_prediction *out)
{
  const char *name = gscale_paradigm_at(paradigm)->name;
  const char *way = out->knobs.between > 0
                        ? gscale_between_at(out->knobs.between - 1)->name
                        : "";
  const double cards =
      gscale_system_about(s).network->rails * number(s, "network.rate");
  const double direct = fmax(number(s, "gpudirect.node_rate"),
                             number(s, "gpudirect.long_node_rate"));

  if (n <= NODE || strcmp(name, "infinite") == 0) return;
  beyond++;
  bad.cards += !(out->time >= (n - NODE) * bytes / cards * (1 - 1e-9));
  if (strcmp(name, "memcpy") == 0 && strcmp(way, "gpudirect") == 0)
    bad.caps += !(out->time >= NODE * (n - NODE) * bytes / direct * (1 - 1e-9));
}

static void draws(const gscale_plan *p, const gscale_system *s, int n,
                  const gscale_prediction *out)
{
  const gscale_power *w = gscale_system_about(s).power;
  const double idle =
      n * out->time *
      (fmin(w->gpu_idle, w->gpu_busy) +
       fmin(w->host_asleep + w->memory_asleep, w->host_busy + w->memory_busy));
  const double energy = gscale_predict_energy(p, out);
  gscale_prediction bound;

  if (gscale_predict(p, gscale_paradigm_find("infinite"), NULL, &bound, NULL) !=
      GSCALE_OK)
    return;
  const double work = n * w->gpu_busy * bound.part[GSCALE_PART_COMPUTE];
  bad.known += !isfinite(energy);
  bad.busy += !(energy >= work * (1 - 1e-9));
  bad.idle += !(energy >= idle * (1 - 1e-9));
}

static double time_of(const gscale_system *s, const gscale_workload *w, int n,
                      size_t paradigm, const gscale_knobs *k)
{
  gscale_prediction out = {.time = (double)NAN};
  gscale_plan *p = NULL;

  if (gscale_plan_new(s, w, n, &p, NULL) != GSCALE_OK) return (double)NAN;
  if (gscale_predict(p, paradigm, k, &out, NULL) != GSCALE_OK)
    out.time = (double)NAN;
  gscale_plan_free(p);
  return out.time;
}

static bool same_bits(double a, double b)
{
  return memcmp(&a, &b, sizeof a) == 0 || (isnan(a) && isnan(b));
}

static void one_cluster(rng *r)
{
  gscale_system *s = random_system(r);
  const gscale_phase f = spread_out(r);
  gscale_workload *w = one_phase(f);
  const int few = 1 + pick(r, NODE), n = 1 + pick(r, 3 * NODE);
  gscale_prediction out;
  gscale_plan *p = NULL;
  size_t paradigm;
  gscale_knobs k;

  if (drawn_way(r, &paradigm, &k)) {
    const gscale_knobs inside = gscale_knobs_best;
    const double node = time_of(s, w, few, paradigm, &inside);
    join(s, r);
    say_watts(s, r);
    bad.alone += !same_bits(node, time_of(s, w, few, paradigm, &inside));
    if (gscale_plan_new(s, w, n, &p, NULL) == GSCALE_OK &&
        gscale_predict(p, paradigm, &k, &out, NULL) == GSCALE_OK) {
      asked++;
      past_nodes(s, f.publish / n, n, paradigm, &out);
      draws(p, s, n, &out);
    }
  }
  gscale_plan_free(p);
  gscale_workload_free(w);
  gscale_system_free(s);
}

int main(void)
{
  /* 10^5 clusters in the full suite */
  const int n = slow_cases(1000, 4000, 100000);
  rng r = {2718};

  for (int i = 0; i < n; i++) one_cluster(&r);
  gsl_test(!(asked > n / 2 && beyond > n / 4), "%d of %d answer, %d beyond one",
           asked, n, beyond);
  gsl_test_int(bad.alone, 0, "one node is that node, bit for bit");
  gsl_test_int(bad.cards, 0, "no faster than its bytes over a node's cards");
  gsl_test_int(bad.caps, 0, "no faster than its bytes over its path's cap");
  gsl_test_int(bad.known, 0, "an energy is known");
  gsl_test_int(bad.busy, 0, "no less than what the kernels draw");
  gsl_test_int(bad.idle, 0, "no less than what all draws at rest");
  return gsl_test_summary();
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
