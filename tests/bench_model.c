/* bench_model.c - predictions per second from a plan, and allocations.
 *
 * Two phases, one to neighbours and one to all, 8 GPUs; each prediction with
 * parts, bytes and bound, knobs set; then with the standard error, over all
 * numbers of the system. Each is the best of 20 of 10 ms, of processor time.
 * Once with a host thread for each GPU, and once with one for all, so that no
 * GPU stands for others.
 *
 * Then collectives: times of calls on nodes of eight, with the error of each;
 * and a plan of 2048 GPUs with an all-reduce of its own.
 *
 * Beside it stands the rate of as many additions and multiplications as a
 * prediction has, of numbers in registers and the nearest cache. */

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

enum {
  BATCH = 64,
  OPERATIONS = 300 /* of a prediction, in floating point */
};

/* Calls some() for 10 ms, 20 times; the most a second. */
static double best_of(long (*some)(void *what), void *what)
{
  double best = 0;

  for (int r = 0; r < 20; r++) {
    const double start = now();
    double t;
    long n = 0;

    do {
      n += some(what);
      t = now() - start;
    } while (t < 0.01);
    best = fmax(best, (double)n / t);
  }
  return best;
}

static double
    computed; /* of all that is computed, so that nothing is left out */

/* What is asked. */
typedef struct asked {
  const gscale_plan *p;
  gscale_uncertainty *u;
  size_t paradigm;
  gscale_knobs k;
} asked;

static long singly(void *what)
{
  const asked *a = what;
  gscale_prediction out;

  for (int i = 0; i < BATCH; i++) {
    gscale_predict(a->p, a->paradigm, &a->k, &out, NULL);
    computed += out.time;
  }
  return BATCH;
}

/* With the standard error: every number of the system is looked at. */
static long with_errors(void *what)
{
  const asked *a = what;
  gscale_error e;

  for (int i = 0; i < 10; i++) {
    gscale_uncertainty_error(a->u, a->paradigm, &a->k, &e, NULL);
    computed += e.time;
  }
  return 10;
}

static long operations(void *what)
{
  const double *by = what;
  double s[4] = {1.0, 2.0, 3.0, 4.0};

  for (int i = 0; i < BATCH; i++)
    for (int k = 0; k < OPERATIONS / 2; k++)
      s[k % 4] = s[k % 4] * by[k] + by[k];
  computed += s[0] + s[1] + s[2] + s[3];
  return BATCH;
}

/* What a processor does of bare operations, a second. */
static double limit_of(void)
{
  double by[OPERATIONS / 2];

  for (int k = 0; k < OPERATIONS / 2; k++) by[k] = 0.5 + 1e-3 * k;
  return best_of(operations, by);
}

/* What is measured of each paradigm. */
enum {
  SINGLY,
  ERRORS,
  FIGURES
};

static void print_row(const char *what, const double *of, const char *more)
{
  printf("  %-15s", what);
  for (int i = 0; i < FIGURES; i++) {
    if (of[i] > 0.0)
      printf(i < ERRORS ? " %7.2f" : " %9.4f", of[i] / 1e6);
    else
      printf(i < ERRORS ? " %7s" : " %9s", "");
  }
  printf("%s\n", more);
}

/* All paradigms, knobs set; beside what they aim at, and what bare operations
 * allow; allocations of all of it. */
static void all_paradigms(const char *what, const gscale_system *s,
                          const gscale_workload *w, int n, const double *aimed)
{
  double least[FIGURES] = {INFINITY, INFINITY};
  const double limits[FIGURES] = {limit_of(), 0};
  gscale_plan *p = NULL;
  asked a = {.k = {.v = {131072, 2048}}};

  if (gscale_plan_new(s, w, n, &p, NULL) != GSCALE_OK ||
      gscale_uncertainty_new(s, w, n, false, &a.u, NULL) != GSCALE_OK)
    exit(1);
  a.p = p;
  printf("%s: million predictions a second\n  %-15s %7s %9s  allocations\n",
         what, "", "times", "errors");
  for (size_t i = 0; i < gscale_paradigm_count(); i++) {
    double of[FIGURES];
    char more[32];
    if (gscale_plan_needs(p, i, NULL) != GSCALE_OK) continue;
    a.paradigm = i;
    const long before = allocations;
    of[SINGLY] = best_of(singly, &a);
    of[ERRORS] = best_of(with_errors, &a);
    snprintf(more, sizeof more, " %12ld", allocations - before);
    print_row(gscale_paradigm_at(i)->name, of, more);
    for (int k = 0; k < FIGURES; k++) least[k] = fmin(least[k], of[k]);
  }
  print_row("slowest", least, "");
  print_row("aim", aimed, "");
  print_row("limit", limits, "");
  gscale_uncertainty_free(a.u);
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
      sum += gscale_expect(
                 s, &(gscale_measurement){.bench = "allreduce",
                                          .dst = "nodes",
                                          .gpus = 8 << n % 9,
                                          .inflight = 1 << n % 9,
                                          .access = "kernel",
                                          .size = 8 * (double)(1L << n % 30),
                                          .count = 1,
                                          .time = 1})
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
  all_paradigms("8 GPUs, of which one stands for all", s, w, 8,
                (const double[]){0.5e6, 30e3});
  plans(s, w, 8);
  host.threads = 1;
  gscale_workload_set_host(w, &host, NULL);
  all_paradigms("8 GPUs apart: one host thread issues GPU by GPU", s, w, 8,
                (const double[]){0, 0});
  host.threads = 0;
  gscale_workload_set_host(w, &host, NULL);
  gscale_system_free(s);
  gscale_workload_free(w);
  collectives();
  return computed > 0.0 ? 0 : 1;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
