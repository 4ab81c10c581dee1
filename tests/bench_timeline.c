/* bench_timeline.c - periods per second of compiled timelines, and the time it
 * takes to compile and lump one.
 *
 * A halo exchange by copies (halo.h): kernel, copies to both sides, events,
 * waits; one host thread a GPU, with barriers, a ring of GPUs. */

#include "halo.h"

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

static double now(void)
{
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* With costs that move, so that no branch is always right. */
static void periods(const char *what, const gscale_timeline *t, bool slopes)
{
  double cost[HALO_COSTS], gradient[HALO_COSTS], sum = 0, took;
  void *scratch = malloc(gscale_timeline_scratch(t));
  const long before = allocations;
  const double start = now();
  long n = 0;

  halo_costs(cost);
  do {
    for (int i = 0; i < 100; i++, n++) {
      cost[HALO_KERNEL] = (double)(1 + n % 64) * 1e-6;
      cost[HALO_COPY] = (double)(1 + n % 48) * 0.7e-6;
      sum += gscale_timeline_period(t, cost, scratch, slopes ? gradient : NULL);
    }
    took = now() - start;
  } while (took < 0.5);
  printf("%-28s %6zu moments %8.3f million periods per second, "
         "%ld allocations%s\n",
         what, gscale_timeline_moments(t), (double)n / took * 1e-6,
         allocations - before, sum > 0 ? "" : "?");
  free(scratch);
}

static void gpus(int n, bool ring)
{
  halo *h = halo_new(n, ring);
  gscale_timeline *full = NULL, *lumped = NULL;
  char what[64];

  const double start = now();
  if (gscale_timeline_new(&h->s, &full, NULL) != GSCALE_OK) exit(1);
  const double compiled = now();
  if (gscale_timeline_lump(full, NULL, &lumped, NULL) != GSCALE_OK) exit(1);
  const double done = now();
  snprintf(what, sizeof what, "%s of %d GPUs", ring ? "ring" : "chain", n);
  printf("%-28s %6zu actions compiled in %.3f ms, lumped in %.3f ms\n", what,
         h->s.actions, (compiled - start) * 1e3, (done - compiled) * 1e3);
  periods(what, full, true);
  snprintf(what, sizeof what, "%s of %d GPUs, lumped", ring ? "ring" : "chain",
           n);
  periods(what, lumped, true);
  gscale_timeline_free(full);
  gscale_timeline_free(lumped);
  halo_free(h);
}

int main(void)
{
  gpus(1, true);
  gpus(4, true);
  gpus(8, true);
  gpus(8, false);
  gpus(1024, true);
  gpus(1024, false);
  return 0;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
