/* rings.c - rings of collectives over the links of a mesh. */

#include "equation/fabric.h"

#include <math.h>

/* The search ends after HOPS_MOST hops with the best packing so far. */
enum {
  HOPS_MOST = 3000
};

typedef struct packing {
  int n, most, best, hops;
  int first; /* GPU after 0 in the previous ring, so that no order repeats */
  int free[GSCALE_MESH_MAX][GSCALE_MESH_MAX]; /* free lanes from i to j */
  int path[GSCALE_MESH_MAX];
} packing;

/* Returns the largest number of further rings for which every GPU has lanes. */
static int admits(const packing *p)
{
  int most = GSCALE_MESH_MAX * 1000;

  for (int i = 0; i < p->n; i++) {
    int out = 0, in = 0;
    for (int j = 0; j < p->n; j++) {
      out += p->free[i][j];
      in += p->free[j][i];
    }
    most = out < most ? out : most;
    most = in < most ? in : most;
  }
  return most;
}

static void extend(packing *p, int at, unsigned seen, int rings);

static void close_ring(packing *p, int rings)
{
  const int first = p->first;
  int path[GSCALE_MESH_MAX];

  for (int i = 0; i < p->n; i++) {
    path[i] = p->path[i];
    p->free[path[i]][p->path[(i + 1) % p->n]]--;
  }
  if (rings + 1 > p->best) p->best = rings + 1;
  if (rings + 1 + admits(p) > p->best) extend(p, 1, 1, rings + 1);
  p->first = first;
  for (int i = 0; i < p->n; i++) {
    p->path[i] = path[i];
    p->free[path[i]][path[(i + 1) % p->n]]++;
  }
}

/* Extends a ring of `at` GPUs by each GPU that a free lane reaches. */
static void extend(packing *p, int at, unsigned seen, int rings)
{
  const int last = p->path[at - 1];

  if (at == p->n) {
    if (p->free[last][0] > 0) close_ring(p, rings);
    return;
  }
  for (int j = at == 1 ? p->first : 1;
       j < p->n && p->best < p->most && p->hops < HOPS_MOST; j++)
    if (!(seen >> j & 1U) && p->free[last][j] > 0) {
      p->hops++;
      p->path[at] = j;
      if (at == 1) p->first = j;
      extend(p, at + 1, seen | 1U << j, rings);
    }
}

/* Returns the largest rate that divides the rates of all links, or the least
 * rate of a link. */
static double lane_of(const gscale_fabric *f, int n)
{
  double least = INFINITY, lane = 0.0;

  for (int i = 0; i < n * n; i++) {
    const double rate = f->mesh[i / n][i % n];
    if (rate > 0.0) least = fmin(least, rate);
  }
  for (int parts = 1; parts <= 4 && !(lane > 0.0); parts++) {
    lane = least / parts;
    for (int i = 0; i < n * n; i++) {
      const double lanes = f->mesh[i / n][i % n] / lane;
      if (fabs(lanes - round(lanes)) > 1e-6) lane = 0.0;
      if (!(lane > 0.0)) break;
    }
  }
  return lane > 0.0 ? lane : least;
}

double gscale__rings(const gscale_fabric *f, int n)
{
  packing p = {.n = n, .first = 1};
  /* On up to four GPUs, two rings share a link [Nccl]. */
  const double lane = lane_of(f, n) / (n > 4 ? 1.0 : 2.0);

  if (!isfinite(lane)) return 0.0;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      p.free[i][j] = i == j ? 0 : (int)(f->mesh[i][j] / lane + 1e-6);
  p.most = admits(&p);
  if (p.most > 0) extend(&p, 1, 1, 0);
  return p.best * lane;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
