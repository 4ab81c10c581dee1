/* bench_model.c - predictions per second from a plan, and allocations.
 *
 * Two phases, one to neighbours and one to all, 8 GPUs; each prediction with
 * parts, bytes and bound, knobs set; then with the standard error, over all
 * numbers of the system; 0.5 s each for each paradigm. */

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

int main(void)
{
  gscale_system *s = some_system(GSCALE_SWITCH, "nvlink4");
  gscale_workload *w = gscale_workload_new("two phases");
  const gscale_phase halo = halo_phase(512), gather = gather_phase(64e6, 20);
  const gscale_knobs k = {.v = {131072, 2048}};
  gscale_plan *p = NULL;
  gscale_uncertainty *u = NULL;
  double slowest = INFINITY, slowest_error = INFINITY;

  gscale_workload_add(w, &halo, NULL);
  gscale_workload_add(w, &gather, NULL);
  if (gscale_plan_new(s, w, 8, &p, NULL) != GSCALE_OK) return 1;
  if (gscale_uncertainty_new(s, w, 8, false, &u, NULL) != GSCALE_OK) return 1;
  for (size_t i = 0; i < gscale_paradigm_count(); i++) {
    if (gscale_plan_needs(p, i, NULL) != GSCALE_OK) continue;
    const long before = allocations;
    const double rate = per_second(p, i, &k);
    const long during = allocations - before;
    const double with_error = errors_per_second(u, i, &k);
    printf("%-15s %6.2f million predictions per second, %ld allocations; "
           "with errors %6.0f\n",
           gscale_paradigm_at(i)->name, rate / 1e6, during, with_error);
    slowest = fmin(slowest, rate);
    slowest_error = fmin(slowest_error, with_error);
  }
  printf("slowest %.2f million per second, with errors %.0f\n", slowest / 1e6,
         slowest_error);

  const double start = now();
  for (int i = 0; i < 10000; i++) {
    gscale_plan *q = NULL;
    if (gscale_plan_new(s, w, 8, &q, NULL) == GSCALE_OK) gscale_plan_free(q);
  }
  printf("plan           %8.2f us each\n", (now() - start) / 10000 * 1e6);
  gscale_uncertainty_free(u);
  gscale_plan_free(p);
  gscale_system_free(s);
  gscale_workload_free(w);
  return 0;
}
