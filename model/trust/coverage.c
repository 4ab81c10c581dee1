/* coverage.c - coverage of intervals. */

#include "ground/ground.h"

#include <gsl/gsl_sort.h>
#include <math.h>
#include <stdlib.h>

/* ---- coverage ------------------------------------------------------------ */

/* The sums of a cluster. */
typedef struct tally {
  double rows, once, tail;
} tally;

static uint64_t next_number(uint64_t *state)
{
  uint64_t z = (*state += 0x9e3779b97f4a7c15u);

  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

/* Draws clusters with replacement. */
static tally draw(const tally *of, size_t clusters, uint64_t *state)
{
  tally sum = {0};

  for (size_t i = 0; i < clusters; i++) {
    const tally *t = &of[next_number(state) % clusters];
    sum.rows += t->rows;
    sum.once += t->once;
    sum.tail += t->tail;
  }
  return sum;
}

/* Returns the quantile of sorted v. */
static double at_rank(const double *v, size_t n, double share)
{
  return v[(size_t)(share * (double)(n - 1) + 0.5)];
}

static void draw_all(const tally *of, size_t clusters, size_t draws,
                     uint64_t seed, double *share, gscale_coverage *out)
{
  for (size_t i = 0; i < draws; i++) {
    const tally t = draw(of, clusters, &seed);
    share[i] = t.once / t.rows;
    share[draws + i] = t.tail / t.rows;
  }
  gsl_sort(share, 1, draws);
  gsl_sort(share + draws, 1, draws);
  out->once_lo = at_rank(share, draws, 0.05);
  out->once_hi = at_rank(share, draws, 0.95);
  out->tail_lo = at_rank(share + draws, draws, 0.05);
  out->tail_hi = at_rank(share + draws, draws, 0.95);
}

/* Drops clusters without rows and returns the number of others. */
static size_t keep_filled(tally *of, size_t clusters)
{
  size_t n = 0;

  for (size_t i = 0; i < clusters; i++)
    if (of[i].rows > 0.0) of[n++] = of[i];
  return n;
}

gscale_status gscale_coverage_of(const double *inside_of, const double *tail,
                                 const double *half, const size_t *cluster,
                                 size_t n, size_t clusters, size_t draws,
                                 uint64_t seed, gscale_coverage *out,
                                 gscale_diag *diag)
{
  gscale_coverage c = {.rows = n};

  if (n == 0) return gscale__fail(diag, GSCALE_EDATA, "no runs to cover");
  if (draws < 20)
    return gscale__fail(diag, GSCALE_EDOMAIN, "%zu draws: too few", draws);
  tally *of = calloc(clusters + 1, sizeof *of);
  double *room = malloc((n + 2 * draws) * sizeof *room);
  gscale_status st = of && room ? GSCALE_OK : GSCALE_ENOMEM;

  for (size_t i = 0; st == GSCALE_OK && i < n; i++) {
    if (cluster[i] >= clusters || isnan(inside_of[i])) st = GSCALE_EDOMAIN;
    if (st != GSCALE_OK) break;
    tally *t = &of[cluster[i]];
    t->rows += 1.0;
    t->once += inside_of[i] <= 1.0;
    t->tail += inside_of[i] <= tail[i];
    c.once += inside_of[i] <= 1.0;
    c.tail += inside_of[i] <= tail[i];
    room[i] = half[i];
  }
  if (st == GSCALE_OK) {
    c.once /= (double)n;
    c.tail /= (double)n;
    gsl_sort(room, 1, n);
    c.width = at_rank(room, n, 0.5);
    c.clusters = keep_filled(of, clusters);
    draw_all(of, c.clusters, draws, seed, room + n, &c);
    *out = c;
  }
  free(of);
  free(room);
  return st == GSCALE_OK ? st
         : st == GSCALE_ENOMEM
             ? gscale__fail(diag, st, "no memory for coverage")
             : gscale__fail(diag, st, "coverage: a run outside its domain");
}
