/* sssp.c - shortest paths from one vertex by Bellman-Ford.
 *
 * As a product of matrix and vector in which + is min and * is +: row i holds
 * the edges into vertex i, and
 *
 *     distance[i] = min(distance[i], distance[j] + weight[i][j])
 *
 * Rows are cut into equal blocks.  A warp takes 32 edges of a row, an edge a
 * lane, and reduces them; if the result is less than the distance is, its first
 * lane does an atomic minimum, which goes to whoever refers to the vertex.  The
 * distances are one array that changes in place. */

#include "graph.h"

#include <math.h>
#include <stdlib.h>

typedef struct sssp {
  size_t n;
  int gpus;
  matrix edges;
  float *weight, *distance, *plain; /* plain: by so many plain rounds */
  uint64_t at;
  uint32_t *row, *edge;       /* of a warp: its row, its first edge */
  size_t first[GPUS_MAX + 1]; /* of a GPU: its first warp */
  kernel relax;
  size_t changed; /* distances, by the last iteration */
} sssp;

/* ---- the kernel ---------------------------------------------------------- */

static float through(const sssp *s, const float *distance, size_t e)
{
  return distance[s->edges.column[e]] + s->weight[e];
}

static void load_sources(const sssp *s, machine *m, int gpu, size_t e,
                         size_t end)
{
  instruction(m, gpu);
  for (; e < end; e++) {
    const uint32_t j = s->edges.column[e];
    if (part_owner(s->n, s->gpus, j) != gpu)
      access_shared(m, gpu, LOAD, ALL, s->at + WORD * j, WORD);
  }
}

static bool relax(void *self, machine *m, const warp *w)
{
  sssp *s = self;
  const size_t chunk = s->first[w->gpu] + w->index;
  float shortest = INFINITY;

  if (chunk >= s->first[w->gpu + 1]) return false;
  const size_t i = s->row[chunk], e = s->edge[chunk];
  const size_t end = least(e + LANES, s->edges.first[i + 1]);
  if (wants_loads(m)) load_sources(s, m, w->gpu, e, end);
  for (size_t k = e; k < end; k++)
    shortest = fminf(shortest, through(s, s->distance, k));
  if (!(shortest < s->distance[i])) return false;
  s->distance[i] = shortest;
  s->changed++;
  instruction(m, w->gpu);
  if (s->gpus > 1)
    access_shared(m, w->gpu, ATOMIC, ALL, s->at + WORD * i, WORD);
  return false;
}

static void iterate(void *self, machine *m)
{
  sssp *s = self;
  s->changed = 0;
  launch(m, &s->relax, s);
}

/* ---- the program --------------------------------------------------------- */

static size_t chunks_of(const sssp *s, size_t row)
{
  return (row_length(&s->edges, row) + LANES - 1) / LANES;
}

static void deal_warps(sssp *s)
{
  size_t n = 0;

  for (size_t i = 0; i < s->n; i++) n += chunks_of(s, i);
  s->row = need(n, sizeof *s->row);
  s->edge = need(n, sizeof *s->edge);
  n = 0;
  for (int g = 0; g < s->gpus; g++) {
    s->first[g] = n;
    const range rows = part_of(s->n, s->gpus, g);
    for (size_t i = rows.begin; i < rows.end; i++)
      for (size_t k = 0; k < chunks_of(s, i); k++) {
        s->row[n] = (uint32_t)i;
        s->edge[n++] = s->edges.first[i] + (uint32_t)(k * LANES);
      }
  }
  s->first[s->gpus] = n;
}

/* The source is the middle of the band, with a distance of 0. */
static void *prepare(machine *m, const choice *choices, rng *r)
{
  sssp *s = need(1, sizeof *s);
  const size_t n = (size_t)choices[0].value;

  s->n = n;
  s->gpus = machine_gpus(m);
  s->edges = matrix_of_band(n, (size_t)choices[2].value,
                            n * (size_t)choices[3].value / 100, r);
  s->weight = need(s->edges.first[n], sizeof *s->weight);
  s->distance = need(n, sizeof *s->distance);
  s->plain = need(n, sizeof *s->plain);
  s->at = share(m, n * WORD);
  for (size_t e = 0; e < s->edges.first[n]; e++)
    s->weight[e] = (float)(1 + rng_below(r, 1000)); /* whole: sums are exact */
  for (size_t i = 0; i < n; i++)
    s->distance[i] = s->plain[i] = i == n / 2 ? 0.0f : INFINITY;

  deal_warps(s);
  s->relax = (kernel){.name = "relax", .warps = 8, .run = relax};
  s->relax.bulk = (double)(n * WORD); /* copies move all distances */
  for (int g = 0; g < s->gpus; g++)
    s->relax.blocks[g] = (uint32_t)(s->first[g + 1] - s->first[g] + 7) / 8;
  return s;
}

/* One round that reads old distances only; how many it changed. */
static size_t relax_plainly(const sssp *s, float *distance)
{
  float *old = need(s->n, sizeof *old);
  size_t changed = 0;

  for (size_t i = 0; i < s->n; i++) old[i] = distance[i];
  for (size_t i = 0; i < s->n; i++) {
    for (size_t e = s->edges.first[i]; e < s->edges.first[i + 1]; e++)
      distance[i] = fminf(distance[i], through(s, old, e));
    changed += distance[i] < old[i];
  }
  free(old);
  return changed;
}

static size_t above(const float *x, const float *y, size_t n)
{
  size_t wrong = 0;
  for (size_t i = 0; i < n; i++) wrong += x[i] > y[i];
  return wrong;
}

/* In any order, k iterations in place find all paths of k edges, and never less
 * than the shortest path; when one changes nothing, all are shortest. */
static void verify(void *self, int iteration, bool last)
{
  sssp *s = self;
  size_t settled = 0;

  (void)iteration;
  relax_plainly(s, s->plain);
  const size_t late = above(s->distance, s->plain, s->n);
  if (late || last)
    check(late == 0, "distances above those of as many plain rounds",
          (double)late);
  if (!last) return;
  while (relax_plainly(s, s->plain) > 0) {
  }
  const size_t early = above(s->plain, s->distance, s->n);
  check(early == 0, "distances below the shortest path", (double)early);
  for (size_t i = 0; i < s->n; i++) settled += s->distance[i] <= s->plain[i];
  check(s->changed > 0 || settled == s->n,
        s->changed ? "share of vertices at the shortest path, so far"
                   : "share of vertices at the shortest path, in the end",
        (double)settled / (double)s->n);
}

static void dispose(void *self)
{
  sssp *s = self;
  matrix_free(&s->edges);
  free(s->weight);
  free(s->distance);
  free(s->plain);
  free(s->row);
  free(s->edge);
  free(s);
}

int main(int argc, char **argv)
{
  static const program p = {
      .name = "sssp",
      .summary = "Bellman-Ford shortest paths over a banded matrix",
      .choices = {{"size", "vertices", 8192, 2, 16777216},
                  {"iterations", "rounds", 12, 1, 100000},
                  {"edges", "into a vertex", 140, 1, 1000},
                  {"band", "half bandwidth, % of the vertices", 25, 1, 100}},
      .prepare = prepare,
      .iterate = iterate,
      .verify = verify,
      .dispose = dispose,
  };
  return trace_main(&p, argc, argv);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
