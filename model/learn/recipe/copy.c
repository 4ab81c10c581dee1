/* copy.c - copy engines between GPUs. */

#include "recipe.h"

#include <math.h>

static double copy_wire(const bench_run *b, const gscale_measurement *r,
                        double size)
{
  return gscale__pair_route(b, GSCALE_COPY, r) *
         gscale__wire_time(b, GSCALE_COPY, size, false);
}

/* Fits the rate to copies of one size, or to those copies of a stream that take
 * longer than a start, which is the base's. */
static void copy_of_one_size(bench_run *b, const wanted *w)
{
  const double start = gscale__value(b, GSCALE_COPY_INITIATION);

  gscale__begin(b, 1);
  EACH_ROW (b, w, r) {
    const double wire = copy_wire(b, r, r->size);
    const bool stream = r->inflight > 1.0;

    if (!stream || wire > start)
      gscale__add_point(b, r, r->time / r->count - (stream ? 0.0 : start),
                        r->sigma / r->count, &wire);
  }
  gscale__solve_inverse(b, GSCALE_COPY_EFFICIENCY, 0, w->bench);
}

/* Fits copies of one GPU: initiation + route * wire / (rate * efficiency). */
static void copy_alone(bench_run *b)
{
  const char *bench = gscale__either(b, "dma", "dma_pinned");
  const wanted w = {.bench = bench};
  double least, most;
  bool streams = false;

  gscale__begin(b, 2);
  EACH_ROW (b, &w, r) {
    const bool stream = r->inflight > 1.0;
    streams |= stream;
    if (!stream)
      gscale__add_item(b, r, (double[]){1.0, copy_wire(b, r, r->size)});
  }
  gscale__mean_of_pairs(&b->p);
  gscale__size_range(&b->p, &least, &most);
  if (least == most || (streams && least > most)) {
    copy_of_one_size(b, &w);
    return;
  }
  if (!gscale__solve(b, GSCALE_COPY_EFFICIENCY, bench)) {
    gscale__copy_note(b, GSCALE_COPY_INITIATION, GSCALE_COPY_EFFICIENCY);
    return;
  }
  gscale_system_set_copy_range(b->s, least, most, NULL);
  gscale__conclude_term(b, GSCALE_COPY_INITIATION, 0);
  gscale__conclude_inverse(b, GSCALE_COPY_EFFICIENCY, 1);
}

/* Fits large copies both ways: 2 / duplex times the time of one direction.
 * Pairs of a mesh without a link tell nothing of links. */
static void copy_duplex(bench_run *b)
{
  const char *bench = gscale__either(b, "dma_duplex", "dma_pinned_duplex");
  const wanted w = {.bench = bench, .size_least = 16 * GSCALE__MIB};

  gscale__begin(b, 1);
  EACH_ROW (b, &w, r)
    if (!(fabs(gscale__pair_route(b, GSCALE_COPY, r) * b->s->fabric.staged -
               1.0) < 0.01))
      gscale__add_point(
          b, r, r->time - gscale__value(b, GSCALE_COPY_INITIATION), r->sigma,
          (double[]){2.0 * copy_wire(b, r, r->size) /
                     gscale__value(b, GSCALE_COPY_EFFICIENCY)});
  gscale__solve_inverse(b, GSCALE_LINK_DUPLEX, 0, bench);
}

static void copy_all_active(bench_run *b)
{
  gscale__all_active(b, GSCALE_COPY, "ring", "alltoall_row",
                     GSCALE_COPY_EFFICIENCY, GSCALE_COPY_ALL_ACTIVE,
                     "ring, alltoall_row");
}

/* Returns the additional time of one copy while all GPUs copy. */
static double copy_together(bench_run *b)
{
  const double size = 65536.0;
  const wanted one = {
      .bench = "dma_single", .size_least = size, .size_most = size};
  const wanted all = {
      .bench = "ring", .access = "copy", .size_least = size, .size_most = size};
  double together = 0.0, route = 0.0, n = 0.0;

  for (const gscale_measurement *r = NULL; (r = gscale__next(b, &all, r));
       n++) {
    together += r->time;
    route += gscale__pattern_route(b, GSCALE_COPY, r);
  }
  const double wire = gscale__wire_time(b, GSCALE_COPY, size, false) /
                      gscale__value(b, GSCALE_COPY_EFFICIENCY);
  const double slower =
      route / n * (wire / gscale__value(b, GSCALE_COPY_ALL_ACTIVE) - wire);

  return n > 0.0 ? fmax(0.0, together / n - slower - gscale__item_time(b, one))
                 : 0.0;
}

/* Fits the latency of a copy in a program: the time of a 20 us kernel, a small
 * copy and the wait for both, minus the time without the copy and its
 * initiation. The GPU delays a copy that waits long. */
static bool copy_waits(bench_run *b)
{
  const char *benches = "wait_copy_sync, wait_sync";
  const wanted w = {.bench = "wait_copy_sync"};

  gscale__begin(b, 1);
  EACH_ROW (b, &w, r) {
    const wanted without = {.bench = "wait_sync", .gpus = r->gpus};
    const double copy = r->time / r->count - gscale__item_time(b, without);
    gscale__add_point(b, r, copy - gscale__value(b, GSCALE_COPY_INITIATION),
                      r->sigma / r->count, NULL);
  }
  return gscale__solve_term(b, GSCALE_COPY_LATENCY, 0, benches);
}

/* Fits the latency without the rows of copy_waits(): a small copy after an
 * empty kernel, less both alone, plus the extra time while all GPUs copy. */
static void copy_latency(bench_run *b)
{
  const char *benches = "dma_after_kernel, ring";
  const wanted w = {.bench = "dma_after_kernel", .size_most = GSCALE__SMALL};

  if (copy_waits(b)) return;
  const double kernel = gscale__item_time(b, (wanted){.bench = "null_kernel"});
  const double more = copy_together(b);
  gscale__begin(b, 1);
  EACH_ROW (b, &w, r)
    gscale__add_point(b, r,
                      r->time - kernel -
                          gscale__value(b, GSCALE_COPY_INITIATION) + more,
                      fmax(r->sigma, 0.2 * more), NULL);
  if (gscale__solve(b, GSCALE_COPY_LATENCY, benches))
    gscale__conclude(b, GSCALE_COPY_LATENCY, b->fit.value[0],
                     hypot(b->fit.err[0], 0.3 * more), benches);
}

/* Fits the additional compute time per byte sent, with copies both ways. */
static void copy_interference(bench_run *b)
{
  const char *bench = "overlap_copy_both";
  const wanted w = {.bench = bench};
  const wanted none = {.bench = "overlap_none"};
  const double alone = gscale__item_time(b, none);
  const double drift = 4.0 * gscale__item_sigma(b, none); /* for means of 4 */

  gscale__begin(b, 1);
  EACH_ROW (b, &w, r)
    gscale__add_point(b, r, r->time - alone * r->count, r->sigma,
                      (double[]){r->size / 2.0});
  if (gscale__solve(b, GSCALE_COPY_INTERFERENCE, bench))
    gscale__conclude(b, GSCALE_COPY_INTERFERENCE, b->fit.value[0],
                     hypot(b->fit.err[0], gscale__shared_err(b, 0, drift)),
                     bench);
}

void gscale__recipes_copy(bench_run *b)
{
  copy_alone(b);
  copy_duplex(b);
  copy_all_active(b);
  copy_latency(b);
  copy_interference(b);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
