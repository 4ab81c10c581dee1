/* widening.c - how much further the model is off where less is known, and how
 * often intervals hold. */

#include "ground/ground.h"

#include <gsl/gsl_sort.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char *const names[GSCALE_GAP_END] = {
    [GSCALE_GAP_OWN] = "own",         [GSCALE_GAP_MACHINE] = "machine",
    [GSCALE_GAP_LINK] = "link",       [GSCALE_GAP_GROWTH] = "growth",
    [GSCALE_GAP_COMPUTE] = "compute",
};

static const double ONCE = 0.6827, NEARLY = 0.95; /* shares to be inside */

const char *gscale_gap_name(gscale_gap g)
{
  return g < GSCALE_GAP_END ? names[g] : NULL;
}

/* ---- one run ------------------------------------------------------------- */

static double square(double x)
{
  return x * x;
}

static double factor_square(const gscale_residual *r, const gscale_widening *w)
{
  return 1.0 + (r->machine ? square(w->machine.val) : 0.0) +
         (r->link ? square(w->link.val) : 0.0) +
         square(w->growth.val) * r->doublings;
}

static double error_of(const gscale_residual *r, const gscale_widening *w)
{
  return sqrt(square(r->of_parameters) + square(r->sigma) +
              square(r->of_pool) * factor_square(r, w) +
              square(r->of_compute * w->compute.val));
}

double gscale_residual_z(const gscale_residual *r, const gscale_widening *w)
{
  const double off = log(r->measured / r->predicted);
  const double s = asinh(error_of(r, w) / r->predicted);

  return fabs(off) > 0.0 ? off / s : 0.0;
}

static gscale_status check(const gscale_residual *r, size_t n,
                           gscale_diag *diag)
{
  if (n == 0) return gscale__fail(diag, GSCALE_EDATA, "no runs");
  for (size_t i = 0; i < n; i++) {
    const double all[] = {r[i].of_parameters, r[i].sigma, r[i].of_pool,
                          r[i].of_compute, r[i].doublings};

    if (r[i].gap >= GSCALE_GAP_END || !(r[i].predicted > 0.0) ||
        !(r[i].measured > 0.0) || !isfinite(r[i].predicted + r[i].measured))
      return gscale__fail(diag, GSCALE_EDOMAIN, "run %zu: %g s, %g s", i,
                          r[i].predicted, r[i].measured);
    for (size_t k = 0; k < sizeof all / sizeof *all; k++)
      if (!(all[k] >= 0.0) || !isfinite(all[k]))
        return gscale__fail(diag, GSCALE_EDOMAIN, "run %zu: error %g", i,
                            all[k]);
  }
  return GSCALE_OK;
}

/* ---- runs of equal weight a cluster -------------------------------------- */

typedef struct sample {
  const gscale_residual *r;
  double *weight; /* of each in its gap; 0: left out */
  double *z;      /* scratch */
  size_t n;
} sample;

typedef struct key { /* of a run, to be sorted by */
  size_t gap, group, at;
} key;

static int by_group(const void *a, const void *b)
{
  const key *x = a, *y = b;

  if (x->gap != y->gap) return x->gap < y->gap ? -1 : 1;
  if (x->group != y->group) return x->group < y->group ? -1 : 1;
  return (x->at > y->at) - (x->at < y->at);
}

/* 1 / (runs of the cluster in the gap). */
static gscale_status weigh(const gscale_residual *r, size_t n, size_t without,
                           double *weight)
{
  key *k = malloc(n * sizeof *k);
  size_t end;

  if (!k) return GSCALE_ENOMEM;
  for (size_t i = 0; i < n; i++) k[i] = (key){r[i].gap, r[i].cluster, i};
  qsort(k, n, sizeof *k, by_group);
  for (size_t i = 0; i < n; i = end) {
    for (end = i;
         end < n && k[end].gap == k[i].gap && k[end].group == k[i].group;)
      end++;
    for (size_t j = i; j < end; j++)
      weight[k[j].at] =
          r[k[j].at].program == without ? 0.0 : 1.0 / (double)(end - i);
  }
  free(k);
  return GSCALE_OK;
}

/* Share of a gap's runs within one standard error; 1 if it has none. */
static double inside(const sample *s, gscale_gap gap, const gscale_widening *w)
{
  double in = 0.0, all = 0.0;

  for (size_t i = 0; i < s->n; i++) {
    if (s->r[i].gap != gap || !(s->weight[i] > 0.0)) continue;
    all += s->weight[i];
    if (fabs(gscale_residual_z(&s->r[i], w)) <= 1.0) in += s->weight[i];
  }
  return all > 0.0 ? in / all : 1.0;
}

/* The least value of *term with that share inside: it rises with the term. */
static void fit_term(const sample *s, gscale_gap gap, gscale_widening *w,
                     gscale_param *term)
{
  double low = 0.0, high = 1.0;
  const double most = 1e3; /* as gscale_system_set_widening allows */

  term->val = 0.0;
  if (inside(s, gap, w) >= ONCE) return;
  for (term->val = high; high < most && inside(s, gap, w) < ONCE;
       term->val = high)
    high = fmin(most, 2.0 * high);
  for (int step = 0; step < 30; step++) {
    term->val = 0.5 * (low + high);
    if (inside(s, gap, w) >= ONCE)
      high = term->val;
    else
      low = term->val;
  }
  term->val = high;
}

/* ---- the tail ------------------------------------------------------------ */

typedef struct ranked {
  double z, weight;
} ranked;

static int by_z(const void *a, const void *b)
{
  const double x = ((const ranked *)a)->z, y = ((const ranked *)b)->z;

  return (x > y) - (x < y);
}

static double gap_weight(const sample *s, gscale_gap gap)
{
  double sum = 0.0;

  for (size_t i = 0; i < s->n; i++)
    if (s->r[i].gap == gap) sum += s->weight[i];
  return sum;
}

static gscale_status fit_tail(const sample *s, gscale_widening *w)
{
  ranked *v = malloc(s->n * sizeof *v);
  double gap[GSCALE_GAP_END], all = 0.0, below = 0.0;

  if (!v) return GSCALE_ENOMEM;
  for (size_t g = 0; g < GSCALE_GAP_END; g++) {
    gap[g] = gap_weight(s, (gscale_gap)g);
    if (g == GSCALE_GAP_COMPUTE) gap[g] = 0.0;
    all += gap[g] > 0.0;
  }
  for (size_t i = 0; i < s->n; i++) {
    const double weight = s->weight[i];
    v[i] = (ranked){fabs(gscale_residual_z(&s->r[i], w)),
                    gap[s->r[i].gap] > 0.0 ? weight / gap[s->r[i].gap] : 0.0};
  }
  qsort(v, s->n, sizeof *v, by_z);
  w->tail.val = 1.0;
  for (size_t i = 0; i < s->n; i++) {
    below += v[i].weight;
    if (below < NEARLY * all) continue;
    w->tail.val = fmin(fmax(1.0, v[i].z), 1e3);
    break;
  }
  free(v);
  return GSCALE_OK;
}

/* ---- what goes together -------------------------------------------------- */

static double cut(double z)
{
  return fmax(-3.0, fmin(3.0, z));
}

/* Mean of z_i z_j over all pairs in a group, over the mean of z^2. */
static gscale_status fit_together(const sample *s, const size_t *group,
                                  gscale_param *out)
{
  key *k = malloc(s->n * sizeof *k);
  double product = 0.0, pairs = 0.0, squares = 0.0;
  size_t n = 0, end;

  if (!k) return GSCALE_ENOMEM;
  for (size_t i = 0; i < s->n; i++)
    if (s->r[i].gap == GSCALE_GAP_OWN && s->weight[i] > 0.0 &&
        group[i] != SIZE_MAX)
      k[n++] = (key){0, group[i], i};
  qsort(k, n, sizeof *k, by_group);
  for (size_t i = 0; i < n; i = end) {
    double sum = 0.0, own = 0.0;

    for (end = i; end < n && k[end].group == k[i].group; end++) {
      sum += cut(s->z[k[end].at]);
      own += square(cut(s->z[k[end].at]));
    }
    const double m = (double)(end - i);
    product += sum * sum - own;
    pairs += m * (m - 1.0);
    squares += own;
  }
  free(k);
  out->val =
      pairs > 0.0 && squares > 0.0
          ? fmax(-1.0, fmin(1.0, product / pairs / (squares / (double)n)))
          : 0.0;
  return GSCALE_OK;
}

static gscale_status fit_correlations(const sample *s, gscale_widening *w)
{
  size_t *group = calloc(s->n, sizeof *group);
  gscale_status st = GSCALE_OK;

  if (!group) return GSCALE_ENOMEM;
  for (size_t i = 0; i < s->n; i++) s->z[i] = gscale_residual_z(&s->r[i], w);
  for (size_t i = 0; i < s->n; i++) group[i] = s->r[i].way;
  st = fit_together(s, group, &w->ways);
  for (size_t i = 0; i < s->n; i++) group[i] = s->r[i].number;
  if (st == GSCALE_OK) st = fit_together(s, group, &w->numbers);
  for (size_t i = 0; i < s->n; i++) group[i] = s->r[i].other;
  if (st == GSCALE_OK) st = fit_together(s, group, &w->machines);
  free(group);
  return st;
}

/* ---- all of them --------------------------------------------------------- */

static gscale_status fit_once(const gscale_residual *r, size_t n,
                              size_t without, gscale_widening *w)
{
  double *room = malloc(2 * n * sizeof *room);
  gscale_status st = room ? weigh(r, n, without, room) : GSCALE_ENOMEM;
  const sample s = {r, room, room ? room + n : NULL, n};

  *w = (gscale_widening){.measured = w->measured, .nodes = w->nodes};
  if (st == GSCALE_OK) {
    fit_term(&s, GSCALE_GAP_GROWTH, w, &w->growth);
    fit_term(&s, GSCALE_GAP_MACHINE, w, &w->machine);
    fit_term(&s, GSCALE_GAP_LINK, w, &w->link);
    fit_term(&s, GSCALE_GAP_COMPUTE, w, &w->compute);
    st = fit_tail(&s, w);
  }
  if (st == GSCALE_OK) st = fit_correlations(&s, w);
  free(room);
  return st;
}

enum {
  NUMBERS = 8
};

static void list_numbers(gscale_widening *w, gscale_param *of[NUMBERS])
{
  gscale_param *const all[NUMBERS] = {&w->machine, &w->compute, &w->link,
                                      &w->growth,  &w->tail,    &w->ways,
                                      &w->numbers, &w->machines};
  memcpy(of, all, sizeof all);
}

static size_t programs_of(const gscale_residual *r, size_t n)
{
  size_t most = 0;

  for (size_t i = 0; i < n; i++)
    if (r[i].program >= most) most = r[i].program + 1;
  return most;
}

/* err^2 = (k - 1)/k sum (x_i - mean)^2 over k programs left out in turn. */
static gscale_status add_errors(const gscale_residual *r, size_t n,
                                size_t without, gscale_widening *w)
{
  const size_t programs = programs_of(r, n);
  double sum[NUMBERS] = {0}, squares[NUMBERS] = {0}, k = 0.0;
  gscale_param *of[NUMBERS];

  for (size_t p = 0; p < programs; p++) {
    gscale_widening left = *w;

    if (p == without) continue;
    if (fit_once(r, n, p, &left) != GSCALE_OK) return GSCALE_ENOMEM;
    list_numbers(&left, of);
    for (size_t i = 0; i < NUMBERS; i++) {
      sum[i] += of[i]->val;
      squares[i] += square(of[i]->val);
    }
    k += 1.0;
  }
  list_numbers(w, of);
  for (size_t i = 0; i < NUMBERS && k > 1.0; i++)
    of[i]->err =
        sqrt((k - 1.0) / k * fmax(0.0, squares[i] - sum[i] * sum[i] / k));
  return GSCALE_OK;
}

gscale_status gscale_widening_fit(const gscale_residual *r, size_t n,
                                  size_t without, gscale_widening *out,
                                  gscale_diag *diag)
{
  gscale_status st = check(r, n, diag);
  gscale_param *of[NUMBERS];

  if (st != GSCALE_OK) return st;
  st = fit_once(r, n, without, out);
  if (st == GSCALE_OK && without == SIZE_MAX)
    st = add_errors(r, n, without, out);
  if (st != GSCALE_OK)
    return gscale__fail(diag, st, "no memory for the widening");
  list_numbers(out, of);
  for (size_t i = 0; i < NUMBERS; i++) of[i]->origin = GSCALE_MEASURED;
  return GSCALE_OK;
}

/* ---- coverage ------------------------------------------------------------ */

/* Sums of a cluster. */
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

/* Clusters drawn with replacement. */
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

/* v sorted. */
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

/* Drops clusters without rows; returns how many are left. */
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

/* SPDX-License-Identifier: GPL-3.0-or-later */
