/* bench_model.c - predictions per second from a plan, and allocations.
 *
 * Two phases, one to neighbours and one to all, 8 GPUs; each prediction with
 * parts, bytes and bound, knobs set; then with the standard error, over all
 * numbers of the system; 0.5 s each for each paradigm.  Once with a host thread
 * for each GPU, and once with one for all, so that no GPU stands for others.
 * Then collectives: times of calls on nodes of eight, with the error of each;
 * and a plan of 2048 GPUs with an all-reduce of its own. */

#include "cases.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

/* Counts every allocation of the process (glibc). */
static long allocations;
void *__libc_malloc(size_t size);
void *malloc(size_t size)
{
  allocations++;
  return __libc_malloc(size);
}

/* s of this processor. */
static double now(void)
{
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static double per_second(const gscale_plan *p, size_t paradigm,
                         const gscale_knobs *k)
{
  gscale_prediction out;
  const double start = now();
  double sum = 0, t;
  long n = 0;

  do {
    for (int i = 0; i < 1000; i++, n++) {
      gscale_predict(p, paradigm, k, &out, NULL);
      sum += out.time;
    }
    t = now() - start;
  } while (t < 0.5);
  return sum > 0 ? (double)n / t : 0;
}

/* With the standard error: every number of the system is looked at. */
static double errors_per_second(gscale_uncertainty *u, size_t paradigm,
                                const gscale_knobs *k)
{
  gscale_error e;
  const double start = now();
  double sum = 0, t;
  long n = 0;

  do {
    for (int i = 0; i < 100; i++, n++) {
      gscale_uncertainty_error(u, paradigm, k, &e, NULL);
      sum += e.time;
    }
    t = now() - start;
  } while (t < 0.5);
  return sum > 0 ? (double)n / t : 0;
}

/* All paradigms, knobs set. */
static void all_paradigms(const char *what, const gscale_system *s,
                          const gscale_workload *w, int n)
{
  const gscale_knobs k = {.v = {131072, 2048}};
  double slowest = INFINITY, slowest_error = INFINITY;
  gscale_plan *p = NULL;
  gscale_uncertainty *u = NULL;

  if (gscale_plan_new(s, w, n, &p, NULL) != GSCALE_OK ||
      gscale_uncertainty_new(s, w, n, false, &u, NULL) != GSCALE_OK)
    exit(1);
  printf("%s\n", what);
  for (size_t i = 0; i < gscale_paradigm_count(); i++) {
    if (gscale_plan_needs(p, i, NULL) != GSCALE_OK) continue;
    const long before = allocations;
    const double rate = per_second(p, i, &k);
    const long during = allocations - before;
    const double with_error = errors_per_second(u, i, &k);
    printf("  %-15s %6.2f million predictions per second, %ld allocations; "
           "with errors %6.0f\n",
           gscale_paradigm_at(i)->name, rate / 1e6, during, with_error);
    slowest = fmin(slowest, rate);
    slowest_error = fmin(slowest_error, with_error);
  }
  printf("  slowest %.2f million per second, with errors %.0f\n", slowest / 1e6,
         slowest_error);
  gscale_uncertainty_free(u);
  gscale_plan_free(p);
}

static void plans(const gscale_system *s, const gscale_workload *w, int n)
{
  const double start = now();

  for (int i = 0; i < 10000; i++) {
    gscale_plan *q = NULL;
    if (gscale_plan_new(s, w, n, &q, NULL) == GSCALE_OK) gscale_plan_free(q);
  }
  printf("plan           %8.2f us each\n", (now() - start) / 10000 * 1e6);
}

/* Where one number of the system is another each time. */
static void probes(const gscale_system *s, const gscale_workload *w, int n,
                   const char *name)
{
  const gscale_param_id id = gscale_param_find(name);
  const double value = gscale_system_get(s, id)->val;
  const gscale_plan *q = NULL;
  gscale_probe *p = NULL;
  const double start = now();

  if (gscale_probe_new(s, w, n, &p, NULL) != GSCALE_OK) exit(1);
  for (int i = 0; i < 10000; i++)
    if (gscale_probe_set(p, id, value * (1 + i * 1e-5), NULL) != GSCALE_OK ||
        gscale_probe_plan(p, &q, NULL) != GSCALE_OK)
      exit(1);
  printf("with another %-14s %8.2f us each\n", name,
         (now() - start) / 10000 * 1e6);
  gscale_probe_free(p);
}

/* ---- collectives --------------------------------------------------------- */

/* 256 nodes of eight. */
static gscale_system *cluster(void)
{
  gscale_system *s = some_system(GSCALE_SWITCH, "nvlink4");
  const gscale_param rate = {360e9, 15e9, GSCALE_MEASURED, "log",
                             GSCALE_BY_ORIGIN};
  gscale_network n = {.nodes = 256, .rails = 8, .grows = true};
  gscale_diag why = {""};

  n.link = *gscale_link_find("ib-ndr");
  if (gscale_system_set_network(s, &n, &why) != GSCALE_OK) {
    fprintf(stderr, "bench_model: %s\n", why.text);
    exit(1);
  }
  gscale_system_set(s, GSCALE_COLL_NET_RATE, &rate, NULL);
  return s;
}

/* Kinds and sizes one after the other, on 8 to 2048 GPUs. */
static double calls_per_second(const gscale_plan *const *p, size_t plans)
{
  const double start = now();
  double sum = 0, t;
  long n = 0;

  do {
    for (int i = 0; i < 1000; i++, n++)
      sum +=
          gscale_plan_collective(
              p[n % (long)plans], (gscale_coll_kind)(n % GSCALE_COLL_KIND_END),
              (double)(8L << n % 30), n % 2 == 0, GSCALE_COLL_ALGORITHM_END,
              GSCALE_COLL_PROTOCOL_END)
              .total;
    t = now() - start;
  } while (t < 0.5);
  return sum > 0 ? (double)n / t : 0;
}

static double expected_per_second(const gscale_system *s)
{
  const double start = now();
  double sum = 0, t;
  long n = 0;

  do {
    for (int i = 0; i < 100; i++, n++)
      sum += gscale_expect_call(s, (gscale_coll_kind)(n % GSCALE_COLL_KIND_END),
                                (double)(8L << n % 30), 8 << n % 9, 1 << n % 9)
                 .err;
    t = now() - start;
  } while (t < 0.5);
  return sum > 0 ? (double)n / t : 0;
}

static void collectives(void)
{
  enum {
    PLANS = 9
  };
  gscale_system *s = cluster();
  gscale_workload *w = gscale_workload_new("gather");
  const gscale_phase gather = gather_phase(64e6, 20);
  gscale_plan *p[PLANS];
  gscale_diag why = {""};
  double start = 0.0;

  gscale_workload_add(w, &gather, NULL);
  for (int i = 0; i < PLANS; i++) { /* the last has 2048 GPUs */
    start = now();
    if (gscale_plan_new(s, w, 8 << i, &p[i], &why) != GSCALE_OK) {
      fprintf(stderr, "bench_model: %s\n", why.text);
      exit(1);
    }
  }
  gscale_plan_collective(p[PLANS - 1], GSCALE_COLL_ALL_REDUCE, 1e8, true,
                         GSCALE_COLL_ALGORITHM_END, GSCALE_COLL_PROTOCOL_END);
  printf("collectives on 8 to 2048 GPUs, nodes of eight\n");
  printf("  2048 GPUs: a plan and an all-reduce in %.2f ms, limit 10\n",
         1e3 * (now() - start));
  printf("  %.0f calls per second, limit 100000\n",
         calls_per_second((const gscale_plan *const *)p, PLANS));
  printf("  %.0f calls per second with the error of each\n",
         expected_per_second(s));
  for (int i = 0; i < PLANS; i++) gscale_plan_free(p[i]);
  gscale_workload_free(w);
  gscale_system_free(s);
}

int main(void)
{
  gscale_system *s = some_system(GSCALE_SWITCH, "nvlink4");
  gscale_workload *w = gscale_workload_new("two phases");
  const gscale_phase halo = halo_phase(512), gather = gather_phase(64e6, 20);
  gscale_host host = gscale_host_default;

  gscale_workload_add(w, &halo, NULL);
  gscale_workload_add(w, &gather, NULL);
  all_paradigms("8 GPUs, of which one stands for all", s, w, 8);
  plans(s, w, 8);
  probes(s, w, 8, "device.membw");
  probes(s, w, 8, "host.sync");
  probes(s, w, 8, "link.rate");
  host.threads = 1;
  gscale_workload_set_host(w, &host, NULL);
  all_paradigms("8 GPUs apart: one host thread issues GPU by GPU", s, w, 8);
  gscale_system_free(s);
  gscale_workload_free(w);
  collectives();
  return 0;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
