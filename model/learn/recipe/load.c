/* load.c - loads and atomics in another GPU's memory. */

#include "recipe.h"

#include <math.h>

/* Fits a few threads, which wait for their own loads and not for the link: time
 * = loads of one thread / in flight * latency. */
static void load_latency(bench_run *b)
{
  const wanted w = {.bench = "load_threads", .threads_most = 1024};

  gscale__begin(b, 1);
  EACH_ROW (b, &w, r)
    gscale__add_row(b, r, (double[]){r->count / r->threads / r->inflight});
  gscale__solve_term(b, GSCALE_LOAD_LATENCY, 0, "load_threads");
}

/* Returns the time of one packet of adjacent atomics: that of the wire, or at
 * least that of one scattered atomic if the packet is below a sector. */
static double packet_time(const bench_run *b, const gscale_measurement *r,
                          double bytes)
{
  const double sector = 32.0;
  const bool masked = gscale_store_masked(&b->s->link, bytes);
  const double wire = gscale__pair_route(b, GSCALE_STORE, r) *
                      gscale__wire_time(b, GSCALE_STORE, bytes, masked) /
                      gscale__value(b, GSCALE_STORE_EFFICIENCY);

  if (!(bytes < sector)) return wire;
  return fmax(wire, 1.0 / gscale__value(b, GSCALE_ATOMIC_RATE));
}

/* Finds how adjacent atomics of lanes merge: into packets of a word, a sector
 * or a line, whichever gives the nearest time. */
static void atomic_merge(bench_run *b)
{
  static const double spans[] = {4.0, 32.0, 128.0};
  const double clearly = 1.2; /* largest accepted factor between times */
  const char *bench = "atomic_remote";
  const wanted w = {.bench = bench};
  double best = INFINITY, span = 0.0, n = 0.0;

  for (const gscale_measurement *r = NULL; (r = gscale__next(b, &w, r)); n++)
    for (size_t k = 0; k < sizeof spans / sizeof *spans; k++) {
      const double packets = r->count * r->size / spans[k];
      const double off =
          fabs(log(packets * packet_time(b, r, spans[k]) / r->time));
      if (!(off < best)) continue;
      best = off;
      span = spans[k];
    }
  if (n > 0.0 && best < log(clearly))
    gscale__conclude_unfitted(b, GSCALE_ATOMIC_MERGE, (size_t)n, span, 0.0,
                              bench);
  else
    gscale__set_note(b, GSCALE_ATOMIC_MERGE,
                     n > 0.0 ? "neither words nor sectors nor lines"
                             : "not measured");
}

void gscale__recipes_load(bench_run *b)
{
  load_latency(b);
  /* The link limits 65536 or more threads.  A warp's dense loads fill lines. */
  gscale__dense(b, GSCALE_LOAD_EFFICIENCY,
                (wanted){.bench = "load_threads", .threads_least = 65536});
  /* load_scatter and atomic_remote_scatter access scattered words. */
  gscale__per_second(b, GSCALE_LOAD_RATE, (wanted){.bench = "load_scatter"});
  gscale__per_second(b, GSCALE_ATOMIC_RATE,
                     (wanted){.bench = "atomic_remote_scatter"});
  atomic_merge(b);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
