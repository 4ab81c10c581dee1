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
    gscale__add_row(b, r, (double[]){r->count / r->threads / r->inflight});
  gscale__solve_term(b, GSCALE_LOAD_LATENCY, 0, "load_threads");
}

void gscale__recipes_load(bench_run *b)
{
  load_latency(b);
  /* so many that the link decides; a warp's dense loads come as whole lines */
  gscale__dense(b, GSCALE_LOAD_EFFICIENCY,
                (wanted){.bench = "load_threads", .threads_least = 65536});
  /* words that lie anywhere, loaded or added to */
  gscale__per_second(b, GSCALE_LOAD_RATE, (wanted){.bench = "load_scatter"});
  gscale__per_second(b, GSCALE_ATOMIC_RATE,
                     (wanted){.bench = "atomic_remote_scatter"});
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
