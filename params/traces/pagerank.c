/* pagerank.c - PageRank over a graph of links.
 *
 *     rank[v] = (1 - d) / n + d (sum over links u -> v of rank[u] / links of u)
 *
 * with the rank of pages without links spread over all.  Vertices are cut into
 * equal blocks.
 *
 * push (default): a thread takes a vertex and adds its share to the sum of each
 *   vertex it links to, a link a turn, by an atomic add in the memory of that
 *   vertex' GPU; a second kernel makes ranks of the sums.
 * --pull 1: a thread takes a vertex and reads the ranks of those that link to
 *   it; new ranks go to all. */

#include "graph.h"

#include <math.h>
#include <stdlib.h>

static const float DAMPING = 0.85f;

typedef struct pagerank {
  size_t n;
  int gpus;
  bool pull;
  matrix out, in;
  float *rank[2], *sum; /* rank[now] is read */
  uint64_t rank_at[2], sum_at;
  int now;
  float spread;  /* rank of pages without links, / n */
  double *plain; /* the same ranks by a plain loop */
  kernel first, second;
} pagerank;

/* ---- vertices and links -------------------------------------------------- */

/* What each of its links gets. */
static float share_of(const pagerank *p, size_t v)
{
  return p->rank[p->now][v] / (float)row_length(&p->out, v);
}

static float new_rank(const pagerank *p, float sum)
{
  return (1.0f - DAMPING) / (float)p->n + DAMPING * (sum + p->spread);
}

static range of_warp(const pagerank *p, const warp *w)
{
  return lanes_of(w, part_of(p->n, p->gpus, w->gpu));
}

/* ---- push ---------------------------------------------------------------- */

/* Each lane follows its link number `turn`. */
static bool push(void *self, machine *m, const warp *w)
{
  pagerank *p = self;
  const range of = of_warp(p, w);
  bool more = false;

  instruction(m, w->gpu);
  for (size_t v = of.begin; v < of.end; v++) {
    if (w->turn >= row_length(&p->out, v)) continue;
    const uint32_t to = p->out.column[p->out.first[v] + w->turn];
    const int owner = part_owner(p->n, p->gpus, to);

    more = true;
    p->sum[to] += share_of(p, v);
    if (owner != w->gpu)
      access_shared(m, w->gpu, ATOMIC, owner, p->sum_at + WORD * to, WORD);
  }
  return more;
}

static bool take_sums(void *self, machine *m, const warp *w)
{
  pagerank *p = self;
  const range of = of_warp(p, w);

  instruction(m, w->gpu);
  for (size_t v = of.begin; v < of.end; v++) {
    if (wants_loads(m) && p->gpus > 1)
      access_shared(m, w->gpu, LOAD, w->gpu, p->sum_at + WORD * v, WORD);
    p->rank[1 - p->now][v] = new_rank(p, p->sum[v]);
    p->sum[v] = 0.0f;
  }
  return false;
}

/* ---- pull ---------------------------------------------------------------- */

static bool gather(pagerank *p, machine *m, const warp *w, range of)
{
  bool more = false;

  instruction(m, w->gpu);
  for (size_t v = of.begin; v < of.end; v++) {
    if (w->turn >= row_length(&p->in, v)) continue;
    const uint32_t from = p->in.column[p->in.first[v] + w->turn];

    more = true;
    p->sum[v] += share_of(p, from);
    if (wants_loads(m) && part_owner(p->n, p->gpus, from) != w->gpu)
      access_shared(m, w->gpu, LOAD, ALL, p->rank_at[p->now] + WORD * from,
                    WORD);
  }
  return more;
}

static bool pull(void *self, machine *m, const warp *w)
{
  pagerank *p = self;
  const range of = of_warp(p, w);

  if (gather(p, m, w, of)) return true;
  instruction(m, w->gpu);
  for (size_t v = of.begin; v < of.end; v++) {
    p->rank[1 - p->now][v] = new_rank(p, p->sum[v]);
    p->sum[v] = 0.0f;
    if (p->gpus > 1)
      access_shared(m, w->gpu, STORE, ALL, p->rank_at[1 - p->now] + WORD * v,
                    WORD);
  }
  return false;
}

static void iterate(void *self, machine *m)
{
  pagerank *p = self;
  double idle = 0.0;

  for (size_t v = 0; v < p->n; v++)
    if (row_length(&p->out, v) == 0) idle += (double)p->rank[p->now][v];
  p->spread = (float)(idle / (double)p->n);
  launch(m, &p->first, p);
  if (!p->pull) launch(m, &p->second, p);
  p->now = 1 - p->now;
}

/* ---- the program --------------------------------------------------------- */

/* Copies of pushed sums move a vector of all sums from each GPU, but its own
 * part; copies of ranks move each once. */
static void make_kernels(pagerank *p)
{
  p->first = (kernel){.name = p->pull ? "pull" : "push",
                      .warps = 8,
                      .run = p->pull ? pull : push,
                      .bulk = (double)(p->n * WORD)};
  if (!p->pull) p->first.bulk *= (double)(p->gpus - 1);
  p->second = (kernel){.name = "rank", .warps = 8, .run = take_sums};
  deal_blocks(&p->first, p->n, p->gpus);
  deal_blocks(&p->second, p->n, p->gpus);
}

static void *prepare(machine *m, const choice *choices, rng *r)
{
  pagerank *p = need(1, sizeof *p);

  p->gpus = machine_gpus(m);
  p->n = (size_t)choices[0].value;
  p->pull = choices[3].value != 0;
  p->out = matrix_of_links(p->n, (size_t)choices[2].value, r);
  if (p->pull) p->in = matrix_transpose(&p->out);
  p->sum = need(p->n, sizeof *p->sum);
  p->plain = need(p->n, sizeof *p->plain);
  for (int i = 0; i < 2; i++) p->rank[i] = need(p->n, sizeof *p->rank[i]);
  for (size_t v = 0; v < p->n; v++) {
    p->plain[v] = 1.0 / (double)p->n;
    p->rank[0][v] = (float)p->plain[v];
  }
  if (p->pull)
    for (int i = 0; i < 2; i++) p->rank_at[i] = share(m, p->n * WORD);
  else
    p->sum_at = share(m, p->n * WORD);
  make_kernels(p);
  return p;
}

static void iterate_plainly(pagerank *p)
{
  const double d = (double)DAMPING, n = (double)p->n;
  double *sum = need(p->n, sizeof *sum), idle = 0.0;

  for (size_t u = 0; u < p->n; u++) {
    const size_t n_links = row_length(&p->out, u);
    if (n_links == 0) idle += p->plain[u];
    for (size_t e = p->out.first[u]; e < p->out.first[u + 1]; e++)
      sum[p->out.column[e]] += p->plain[u] / (double)n_links;
  }
  for (size_t v = 0; v < p->n; v++)
    p->plain[v] = (1.0 - d) / n + d * (sum[v] + idle / n);
  free(sum);
}

static void verify(void *self, int iteration, bool last)
{
  pagerank *p = self;
  double total = 0.0, worst = 0.0;

  (void)iteration;
  iterate_plainly(p);
  if (!last) return;
  for (size_t v = 0; v < p->n; v++) {
    const double rank = (double)p->rank[p->now][v];
    total += rank;
    worst = fmax(worst, fabs(rank / p->plain[v] - 1.0));
  }
  check(fabs(total - 1.0) < 1e-4, "sum of all ranks", total);
  check(worst < 1e-4, "farthest from a plain loop's rank", worst);
}

static void dispose(void *self)
{
  pagerank *p = self;
  matrix_free(&p->out);
  matrix_free(&p->in);
  for (int i = 0; i < 2; i++) free(p->rank[i]);
  free(p->sum);
  free(p->plain);
  free(p);
}

int main(int argc, char **argv)
{
  static const program p = {
      .name = "pagerank",
      .summary = "PageRank over a graph with power-law degrees",
      .choices = {{"size", "vertices", 65536, 2, 16777216},
                  {"iterations", "of the power method", 4, 1, 100000},
                  {"links", "per vertex", 13, 1, 128},
                  {"pull", "1: gather ranks instead of pushing", 0, 0, 1}},
      .prepare = prepare,
      .iterate = iterate,
      .verify = verify,
      .dispose = dispose,
  };
  return trace_main(&p, argc, argv);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
