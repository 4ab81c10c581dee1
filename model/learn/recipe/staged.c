/* staged.c - copies between GPUs without peer access, through the host. */

#include "recipe.h"

#include <math.h>

/* Fills the terms of a copy: initiation + (size + min(size, buffer)) / rate.
 * Bytes that fit one buffer pass the two legs one after the other. */
static void both_legs(void *closure, size_t i, double buffer, double *row)
{
  const bench_run *b = closure;
  const double size = b->p.from[i]->size;

  row[0] = 1.0;
  row[1] = size + fmin(size, buffer);
}

/* Finds the best buffer size among the measured sizes. */
static bool find_buffer(bench_run *b, double *buffer, double *err)
{
  const points *p = &b->p;
  double least, most;
  gscale_fit fit;

  return gscale__size_range(p, &least, &most) &&
         gscale_fit_projected(both_legs, b, p->y, p->sigma, p->n, 2,
                              GSCALE__FLOOR, least, most, buffer, err, &fit,
                              NULL) == GSCALE_OK &&
         isfinite(*err);
}

/* Fits the rate to large copies, which take start + (size + more) / rate, with
 * the base's start.  The driver copies pageable memory through its own
 * buffers. */
static void large_copies(bench_run *b, gscale_param_id id,
                         gscale_param_id start, double more, const char *bench)
{
  const wanted w = {.bench = bench, .size_least = 16 * GSCALE__MIB};

  gscale__begin(b, 1);
  EACH_ROW (b, &w, r)
    gscale__add_point(b, r, r->time / r->count - gscale__value(b, start),
                      r->sigma / r->count, (double[]){r->size + more});
  gscale__solve_inverse(b, id, 0, bench);
}

static void staged_alone(bench_run *b)
{
  const char *bench = "staged_copy";
  const wanted w = {.bench = bench};
  double buffer = 0.0, err = 0.0, least, most;

  gscale__begin(b, 2);
  EACH_ROW (b, &w, r) gscale__add_item(b, r, (double[]){1.0, r->size});
  gscale__mean_of_pairs(&b->p);
  gscale__size_range(&b->p, &least, &most);
  if (b->p.n > 0 && least >= most) {
    large_copies(b, GSCALE_STAGED_RATE, GSCALE_STAGED_INITIATION,
                 gscale__value(b, GSCALE_STAGED_BUFFER), bench);
    return;
  }
  const bool found = find_buffer(b, &buffer, &err);
  for (size_t i = 0; i < b->p.n; i++)
    both_legs(b, i, buffer, &b->p.x[i * b->p.terms]);
  if (!gscale__solve(b, GSCALE_STAGED_RATE, bench)) {
    gscale__copy_note(b, GSCALE_STAGED_INITIATION, GSCALE_STAGED_RATE);
    gscale__copy_note(b, GSCALE_STAGED_BUFFER, GSCALE_STAGED_RATE);
    return;
  }
  gscale__conclude_inverse(b, GSCALE_STAGED_RATE, 1);
  gscale__conclude_term(b, GSCALE_STAGED_INITIATION, 0);
  if (found)
    gscale__conclude(b, GSCALE_STAGED_BUFFER, buffer, err, bench);
  else
    gscale__set_note(b, GSCALE_STAGED_BUFFER,
                     "the measured sizes determine no buffer");
}

static const char RING[] = "staged_ring";

/* Returns true if the host's memory limits a row, which is then clearly slower
 * than the same transfer on the fewest GPUs. */
static bool held_by_host(bench_run *b, const gscale_measurement *r)
{
  const double much = 1.1;
  const wanted same = {
      .bench = RING, .size_least = r->size, .size_most = r->size};
  const gscale_measurement *fewest = r, *other = NULL;

  while ((other = gscale__next(b, &same, other)))
    if (other->gpus < fewest->gpus) fewest = other;
  return r->time > much * fewest->time;
}

/* All n GPUs send to their successors at the same time:
 *
 * time = begin + size / (rate * active), or begin + n * size / host if
 * slower. */
static void staged_together(bench_run *b, bool by_host, double least,
                            gscale_param_id id)
{
  const wanted w = {.bench = RING, .size_least = least};
  const double rate = by_host ? 1.0 : gscale__value(b, GSCALE_STAGED_RATE);
  size_t rings = 0;

  gscale__begin(b, 2);
  for (const gscale_measurement *r = NULL; (r = gscale__next(b, &w, r));
       rings++)
    if (held_by_host(b, r) == by_host)
      gscale__add_row(
          b, r, (double[]){1.0, r->size / rate * (by_host ? r->gpus : 1.0)});
  const bool never = rings > 0 && b->p.n == 0;
  if (!gscale__solve_inverse(b, id, 1, RING) && never)
    gscale__set_note(b, id, "no ring was slower on more GPUs");
}

/* Fits the latency: a small copy after an empty kernel, less both alone. */
static void staged_latency(bench_run *b)
{
  const char *benches = "staged_after_kernel, null_kernel";
  const wanted w = {.bench = "staged_after_kernel", .size_most = GSCALE__SMALL};
  const double before = gscale__item_time(b, (wanted){.bench = "null_kernel"}) +
                        gscale__value(b, GSCALE_STAGED_INITIATION);

  gscale__begin(b, 1);
  EACH_ROW (b, &w, r) gscale__add_point(b, r, r->time - before, r->sigma, NULL);
  if (gscale__solve(b, GSCALE_STAGED_LATENCY, benches))
    gscale__conclude(
        b, GSCALE_STAGED_LATENCY, b->fit.value[0],
        hypot(b->fit.err[0],
              gscale_system_get(b->s, GSCALE_STAGED_INITIATION)->err),
        benches);
}

void gscale__recipes_staged(bench_run *b)
{
  large_copies(b, GSCALE_STAGED_PINNED, GSCALE_COPY_INITIATION, 0.0,
               "dma_pinned");
  large_copies(b, GSCALE_STAGED_PAGEABLE, GSCALE_COPY_INITIATION, 0.0,
               "dma_pageable");
  staged_alone(b);
  staged_together(b, false, GSCALE__MIB, GSCALE_STAGED_ALL_ACTIVE);
  staged_together(b, true, 16 * GSCALE__MIB, GSCALE_STAGED_HOST);
  staged_latency(b);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
