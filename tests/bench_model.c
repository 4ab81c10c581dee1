/* bench_model.c - predictions per second from a plan, and allocations.
 *
 * Two phases, one to neighbours and one to all, 8 GPUs; each prediction with
 * parts, bytes and bound, knobs set; 0.5 s for each paradigm. */

#include "cases.h"

#include <stdio.h>
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
  clock_gettime(CLOCK_MONOTONIC, &t);
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

int main(void)
{
  gscale_system *s = some_system(GSCALE_SWITCH, "nvlink4");
  gscale_workload *w = gscale_workload_new("two phases");
  const gscale_phase halo = halo_phase(512), gather = gather_phase(64e6, 20);
  const gscale_knobs k = {{131072, 2048}};
  gscale_plan *p = NULL;
  double slowest = INFINITY;

  gscale_workload_add(w, &halo, NULL);
  gscale_workload_add(w, &gather, NULL);
  if (gscale_plan_new(s, w, 8, &p, NULL) != GSCALE_OK) return 1;
  for (size_t i = 0; i < gscale_paradigm_count(); i++) {
    if (gscale_plan_needs(p, i, NULL) != GSCALE_OK) continue;
    const long before = allocations;
    const double rate = per_second(p, i, &k);
    const long during = allocations - before;
    printf("%-14s %8.2f million predictions per second, %ld allocations\n",
           gscale_paradigm_at(i)->name, rate / 1e6, during);
    slowest = fmin(slowest, rate);
  }
  printf("slowest %.2f million per second\n", slowest / 1e6);

  const double start = now();
  for (int i = 0; i < 10000; i++) {
    gscale_plan *q = NULL;
    if (gscale_plan_new(s, w, 8, &q, NULL) == GSCALE_OK) gscale_plan_free(q);
  }
  printf("plan           %8.2f us each\n", (now() - start) / 10000 * 1e6);
  gscale_plan_free(p);
  gscale_system_free(s);
  gscale_workload_free(w);
  return 0;
}
