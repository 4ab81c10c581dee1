/* load.c - loads and atomics in another GPU's memory. */

#include "recipe.h"

#include <math.h>

/* So few threads that each waits for its own loads, not for the link:
 * time = loads of one thread / in flight * latency */
static void load_latency(bench_run *b)
{
  const wanted w = {.bench = "load_threads", .threads_most = 1024};
  const gscale_measurement *r;

  gscale__begin(b, 1);
  for (size_t i = 0; (r = gscale__next(b, &w, &i)) != NULL;)
    gscale__add_point(b, r, r->time, r->sigma,
                      (double[]){r->count / r->threads / r->inflight});
  if (gscale__solve(b, GSCALE_LOAD_LATENCY, "load_threads"))
    gscale__conclude(b, GSCALE_LOAD_LATENCY, b->fit.value[0], b->fit.err[0],
                     "load_threads");
}

/* So many that the link decides; a warp's dense loads come as whole lines. */
static void load_efficiency(bench_run *b)
{
  const wanted w = {.bench = "load_threads", .threads_least = 65536};
  const double line = 128.0; /* B */
  const double packet = fmin(b->s->link.store_payload, line);
  const gscale_measurement *r;

  gscale__begin(b, 1);
  for (size_t i = 0; (r = gscale__next(b, &w, &i)) != NULL;) {
    const double packets = r->size * r->count / packet;
    const double x = gscale__pair_route(b, GSCALE_STORE, r) * packets *
                     gscale__wire_time(b, GSCALE_STORE, packet, false);
    gscale__add_point(b, r, r->time, r->sigma, &x);
  }
  if (gscale__solve(b, GSCALE_LOAD_EFFICIENCY, "load_threads"))
    gscale__conclude_inverse(b, GSCALE_LOAD_EFFICIENCY, 0, "load_threads");
}

/* Loads or atomic additions of words that lie anywhere. */
static void rate_of(bench_run *b, const char *bench, gscale_param_id id)
{
  const wanted w = {.bench = bench};
  const gscale_measurement *r;

  gscale__begin(b, 1);
  for (size_t i = 0; (r = gscale__next(b, &w, &i)) != NULL;)
    gscale__add_point(b, r, r->time, r->sigma, &r->count);
  if (gscale__solve(b, id, bench)) gscale__conclude_inverse(b, id, 0, bench);
}

void gscale__recipes_load(bench_run *b)
{
  load_latency(b);
  load_efficiency(b);
  rate_of(b, "load_scatter", GSCALE_LOAD_RATE);
  rate_of(b, "atomic_remote_scatter", GSCALE_ATOMIC_RATE);
}
