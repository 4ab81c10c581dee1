/* store.c - stores of kernels into other GPUs' memory. */

#include "recipe.h"

#include <math.h>
#include <stdio.h>

static const double clearly = 1.2; /* least speedup */

/* Fits stores of 8 B or more between two GPUs. */
static void wide_rate(bench_run *b)
{
  const char *bench = "scatter_all";
  const wanted w = {.bench = bench,
                    .access = "store",
                    .size_least = GSCALE_WIDE,
                    .size_most = 32.0,
                    .gpus = 2};

  gscale__begin(b, 1);
  EACH_ROW (b, &w, r) {
    const double each = r->count / r->gpus;
    gscale__add_row(b, r, &each);
  }
  gscale__solve_inverse(b, GSCALE_STORE_WIDE_RATE, 0, bench);
}

/* Finds the reach.  Words keep their rate up to some spread in memory, and the
 * reach lies between the largest fast and the smallest slow spread. */
static void store_reach(bench_run *b)
{
  const char *bench = "store_words";
  const wanted w = {.bench = bench, .size_least = GSCALE_WIDE};
  const double slot = 512.0; /* B between words */
  const double rate = gscale__value(b, GSCALE_STORE_RATE);
  double fast = 0.0, slow = INFINITY, n = 0.0;

  for (const gscale_measurement *r = NULL; (r = gscale__next(b, &w, r)); n++) {
    const double bytes = slot * r->count;
    if (r->count / r->time > clearly * rate)
      fast = fmax(fast, bytes);
    else
      slow = fmin(slow, bytes);
  }
  if (fast > 0.0 && isfinite(slow) && slow > fast)
    gscale__conclude_unfitted(b, GSCALE_STORE_REACH, (size_t)n,
                              sqrt(fast * slow), (slow - fast) / sqrt(12.0),
                              bench);
  else
    gscale__set_note(b, GSCALE_STORE_REACH,
                     n > 0.0 ? "all sizes are as fast" : "not measured");
}

/* Finds the line: the smallest store that exceeds store.rate by a fifth. */
static void store_line(bench_run *b, const char *bench)
{
  const wanted w = {.bench = bench, .size_least = 33.0};
  const double rate = gscale__value(b, GSCALE_STORE_RATE);
  double line = INFINITY, n = 0.0;

  for (const gscale_measurement *r = NULL; (r = gscale__next(b, &w, r)); n++)
    if (r->count / r->time > clearly * rate) line = fmin(line, r->size);
  if (n > 0.0 && isfinite(line))
    gscale__conclude_unfitted(b, GSCALE_STORE_LINE, (size_t)n, line, 0.0,
                              bench);
  else
    gscale__set_note(b, GSCALE_STORE_LINE,
                     n > 0.0 ? "no size escapes store.rate" : "not measured");
}

/* Predicts a scattered store by the finished model. */
static double scattered(const bench_run *b, const gscale_measurement *r)
{
  const double payload = b->s->link.store_payload;
  const double packets = r->size < gscale__value(b, GSCALE_STORE_LINE)
                             ? ceil(r->size / payload)
                             : 0.0;
  const bool masked = gscale_store_masked(&b->s->link, r->size);

  return fmax(gscale__pair_route(b, GSCALE_STORE, r) *
                  gscale__wire_time(b, GSCALE_STORE, r->size, masked) /
                  gscale__value(b, GSCALE_STORE_EFFICIENCY),
              packets / gscale__value(b, GSCALE_STORE_RATE));
}

static void store_scattered(bench_run *b)
{
  const char *bench =
      gscale__either(b, "store_scatter", "store_pinned_scatter");

  /* Stores up to a sector have the same number per second at any size. */
  gscale__per_second(b, GSCALE_STORE_RATE,
                     (wanted){.bench = bench, .size_most = 32.0});
  store_line(b, bench);
  wide_rate(b);
  store_reach(b);
  gscale__compare(b, bench, scattered);
}

static void store_all_active(bench_run *b)
{
  gscale__all_active(b, GSCALE_STORE, "ring", "alltoall",
                     GSCALE_STORE_EFFICIENCY, GSCALE_STORE_ALL_ACTIVE,
                     "ring, alltoall");
}

double gscale__moved_beside(bench_run *b, const gscale_measurement *r)
{
  char transfer[40];
  snprintf(transfer, sizeof transfer, "%s_t", r->bench);
  const wanted t = {
      .bench = transfer, .size_least = r->size, .size_most = r->size};
  const wanted a = {.bench = "copy_alone",
                    .access = "store",
                    .size_least = r->size,
                    .size_most = r->size};
  const double lasted = gscale__item_time(b, t),
               alone = gscale__item_time(b, a);
  const double after = fmax(0.0, lasted - r->time);

  return r->size - after * r->size / alone;
}

/* Fits the cost per byte, to which stores out and stores in both add. */
static void store_interference(bench_run *b)
{
  const char *const benches[] = {"overlap_store_out", "overlap_store_in"};
  const wanted none = {.bench = "overlap_none"};
  const double alone = gscale__item_time(b, none);
  const double drift = 4.0 * gscale__item_sigma(b, none); /* for means of 4 */

  gscale__begin(b, 2);
  for (size_t k = 0; k < 2; k++) {
    const wanted w = {.bench = benches[k]};
    EACH_ROW (b, &w, r) {
      double x[] = {0.0, 0.0};
      x[k] = gscale__moved_beside(b, r);
      if (x[k] > 0.0)
        gscale__add_point(b, r, r->time - alone * r->count, r->sigma, x);
    }
  }
  if (gscale__solve(b, GSCALE_STORE_INTERFERENCE, "overlap_store_out, _in"))
    gscale__conclude(b, GSCALE_STORE_INTERFERENCE,
                     b->fit.value[0] + b->fit.value[1],
                     hypot(hypot(b->fit.err[0], b->fit.err[1]),
                           gscale__shared_err(b, 0, drift) +
                               gscale__shared_err(b, 1, drift)),
                     "overlap_store_out, _in");
}

void gscale__recipes_store(bench_run *b)
{
  gscale__dense(b, GSCALE_STORE_EFFICIENCY,
                (wanted){.bench = gscale__either(b, "store_dense",
                                                 "store_pinned_dense")});
  store_scattered(b);
  store_all_active(b);
  gscale__constant(b, GSCALE_STORE_LATENCY, (wanted){.bench = "flag_pingpong"},
                   0.5);
  store_interference(b);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
