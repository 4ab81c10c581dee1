/* routes.c - routes of measurements between one pair of GPUs, or of all. */

#include "recipe.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Returns the GPU with a name, or -1. */
static int gpu_of(const char *name)
{
  return *name && strspn(name, "0123456789") == strlen(name) ? atoi(name) : -1;
}

double gscale__pair_route(const bench_run *b, gscale_access a,
                          const gscale_measurement *r)
{
  const int i = gpu_of(r->src), j = gpu_of(r->dst);
  const int last = i > j ? i : j, built = gscale_system_about(b->s).gpus;

  if (i < 0 || j < 0 || i == j) return 1.0;
  return gscale_route_alone(&b->s->fabric, last < built ? built : last + 1, i,
                            j, gscale__across(&b->s->link, &b->s->fabric, a));
}

/* Returns true if point i is of the size of the point before. */
static bool is_again(const points *p, size_t i)
{
  return i > 0 && fabs(p->from[i]->size - p->from[i - 1]->size) < 0.5;
}

/* Adds the value of index i as number n to the mean at index `at`. */
static void add_to_mean(double *of, size_t at, size_t i, double n)
{
  of[at] += (of[i] - of[at]) / n;
}

void gscale__mean_of_pairs(points *p)
{
  size_t sizes = 0, last = 0;
  double n = 1.0;

  for (size_t i = 0; i < p->n; i++) sizes += !is_again(p, i);
  if (sizes < 3) return;
  for (size_t i = 1; i < p->n; i++) {
    n = is_again(p, i) ? n + 1.0 : 1.0;
    if (n <= 1.0) p->from[++last] = p->from[i];
    add_to_mean(p->y, last, i, n);
    add_to_mean(p->sigma, last, i, n);
    for (size_t j = 0; j < p->terms; j++)
      add_to_mean(p->x + j, last * p->terms, i * p->terms, n);
  }
  p->n = sizes;
}

/* Returns the number of items that the busiest GPU sends in a pattern. */
static double items_sent(const gscale_measurement *r)
{
  return strncmp(r->bench, "alltoall", 8) == 0 ? r->gpus - 1 : 1.0;
}

/* Adds a message from each GPU to the GPU `by` places after it. */
static void shift(double *bytes, int n, int by)
{
  for (int i = 0; i < n; i++) bytes[i * n + (i + by) % n] += 1.0;
}

/* Returns the busiest resource's load, with messages together or in turn. */
static double busiest_of(const bench_run *b, gscale_access a, int n,
                         double most, bool in_a_row, double *bytes)
{
  const double duplex = gscale__value(b, GSCALE_LINK_DUPLEX);
  const double cut = gscale__across(&b->s->link, &b->s->fabric, a);
  const size_t size = (size_t)n * (size_t)n * sizeof *bytes;
  double sum = 0.0;

  memset(bytes, 0, size);
  for (int by = 1; by <= most; by++) {
    shift(bytes, n, by);
    if (!in_a_row && by < most) continue;
    sum += gscale_route_busiest(&b->s->fabric, n, bytes, duplex, cut);
    memset(bytes, 0, size);
  }
  return sum;
}

double gscale__pattern_route(bench_run *b, gscale_access a,
                             const gscale_measurement *r)
{
  const int n = r->gpus;
  const size_t pairs = (size_t)n * (size_t)n;

  if (n < 2) return items_sent(r);
  if (n > GSCALE__NODE_MAX) return NAN;
  double *bytes = malloc(pairs * sizeof *bytes);
  if (!bytes) {
    gscale__no_memory(b);
    return 0.0;
  }
  const double sum = busiest_of(b, a, n, items_sent(r),
                                strcmp(r->bench, "alltoall_row") == 0, bytes);
  free(bytes);
  return sum;
}

void gscale__all_active(bench_run *b, gscale_access a, const char *ring,
                        const char *alltoall, gscale_param_id efficiency,
                        gscale_param_id id, const char *benches)
{
  const char *access = a == GSCALE_COPY ? "copy" : "store";
  const char *const names[] = {ring, alltoall};
  const double start =
      a == GSCALE_COPY ? gscale__value(b, GSCALE_COPY_INITIATION) : 0.0;

  gscale__begin(b, 2);
  for (size_t k = 0; k < 2; k++) {
    const wanted w = {
        .bench = names[k], .access = access, .size_least = 16 * GSCALE__MIB};
    EACH_ROW (b, &w, r) {
      const double items = items_sent(r);
      const double x[] = {1.0, gscale__pattern_route(b, a, r) *
                                   gscale__wire_time(b, a, r->size, false) /
                                   gscale__value(b, efficiency)};
      gscale__add_point(b, r, r->time - items * start, r->sigma, x);
    }
  }
  gscale__solve_inverse(b, id, 1, benches);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
