/* score.c - predicted against measured, and points on curves of time over N. */

#include "ground/ground.h"

#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

size_t gscale_peak(const double *time, size_t n)
{
  size_t best = 0;
  for (size_t i = 1; i < n; i++)
    if (time[i] < time[best] || (isnan(time[best]) && !isnan(time[i])))
      best = i;
  return best;
}

size_t gscale_knee(const int *gpus, const double *time, size_t n)
{
  size_t knee = 0;
  for (size_t i = 1; i < n; i++) {
    const double could = (double)gpus[i] / gpus[i - 1] - 1.0;
    const double did = time[i - 1] / time[i] - 1.0;
    if (did >= 0.5 * could) knee = i;
  }
  return knee;
}

double gscale_rent(double time, int gpus, double per_hour)
{
  if (!(time >= 0.0) || gpus < 1 || !(per_hour >= 0.0)) return (double)NAN;
  return time * gpus * per_hour / 3600.0;
}

/* Whether point i beats point k, an equal one by being the first. */
static bool beats(const double *x, const double *y, size_t i, size_t k)
{
  if (!(x[i] <= x[k] && y[i] <= y[k])) return false;
  return x[i] < x[k] || y[i] < y[k] || i < k;
}

void gscale_pareto(const double *x, const double *y, size_t n, bool *front)
{
  for (size_t k = 0; k < n; k++) {
    front[k] = !isnan(x[k]) && !isnan(y[k]);
    for (size_t i = 0; front[k] && i < n; i++)
      front[k] = i == k || !beats(x, y, i, k);
  }
}

static void swap(double *a, double *b)
{
  const double x = *a;
  *a = *b;
  *b = x;
}

/* The k-th smallest of n, from 0; those before it are then at most as large,
 * those behind it at least [Hoare61]. */
static double kth(double *v, size_t n, size_t k)
{
  ptrdiff_t low = 0, high = (ptrdiff_t)n - 1;
  const ptrdiff_t at = (ptrdiff_t)k;

  while (low < high) {
    const double pivot = v[k];
    ptrdiff_t i = low, j = high;

    do {
      while (v[i] < pivot) i++;
      while (v[j] > pivot) j--;
      if (i <= j) swap(&v[i++], &v[j--]);
    } while (i <= j);
    if (j < at) low = i;
    if (at < i) high = j;
  }
  return v[k];
}

/* Between the two next to q (n - 1), in proportion. */
static double quantile(double *v, size_t n, double q)
{
  const double at = q * (double)(n - 1);
  const size_t k = (size_t)at;
  const double low = kth(v, n, k), more = at - (double)k;
  double high = low;

  for (size_t i = k + 1; i < n; i++)
    high = i == k + 1 || v[i] < high ? v[i] : high;
  return k + 1 < n ? (1.0 - more) * low + more * high : low;
}

/* |error| of a row, and half its interval, relative to the prediction. */
static double off_of(const gscale_scored *r)
{
  return fabs(r->predicted / r->measured - 1.0);
}

static double half_of(const gscale_scored *r)
{
  return hypot(r->err, r->sigma) / r->predicted;
}

/* Sums and extremes of the rows so far. */
typedef struct tally {
  gscale_score s;
  size_t once, nearly; /* within the interval, within that of 95 % */
} tally;

static void add_row(tally *t, const gscale_scored *r, double tail)
{
  const double miss = fabs(log(r->measured / r->predicted));
  const double within = asinh(half_of(r));
  const double error = r->predicted / r->measured - 1.0;

  t->s.n++;
  t->s.bias += error;
  t->s.mean_abs += fabs(error);
  if (fabs(error) > fabs(t->s.worst)) t->s.worst = error;
  t->once += miss <= within;
  t->nearly += miss <= tail * within;
}

static void add_up(tally *t)
{
  const double n = (double)t->s.n;

  t->s.bias /= n;
  t->s.mean_abs /= n;
  t->s.covered = (double)t->once / n;
  t->s.covered95 = (double)t->nearly / n;
}

gscale_status gscale_score_rows(const double *predicted, const double *err,
                                const double *measured, const double *sigma,
                                size_t n, double tail, gscale_score *out,
                                gscale_diag *diag)
{
  const gscale_status st =
      gscale__check_rows(predicted, err, measured, sigma, n, diag);
  tally t = {.once = 0};

  if (st != GSCALE_OK) return st;
  double *off = malloc(2 * n * sizeof *off);
  if (!off) return gscale__fail(diag, GSCALE_ENOMEM, "no memory for scores");
  for (size_t i = 0; i < n; i++) {
    const gscale_scored r = {predicted[i], err ? err[i] : 0.0, measured[i],
                             sigma ? sigma[i] : 0.0};

    add_row(&t, &r, tail);
    off[i] = off_of(&r);
    off[n + i] = half_of(&r);
  }
  add_up(&t);
  t.s.median_abs = quantile(off, n, 0.5);
  t.s.p90_abs = quantile(off, n, 0.9);
  t.s.width = quantile(off + n, n, 0.5);
  free(off);
  *out = t.s;
  return GSCALE_OK;
}

/* ---- of rows that are not held ------------------------------------------- */

enum {
  BIN_BITS = 12,
  BINS = 1 << BIN_BITS,
  HELD = 1 << 15, /* values */
  QUANTILES = 3
};

/* A quantile that is looked for: values are first counted in bins of their
 * leading bits, then in bins of that bin, until few enough are left to hold. */
typedef struct hunt {
  double (*of)(const gscale_scored *r);
  double q;
  size_t k, behind;   /* ranks: that at q or before it, and the next */
  uint64_t low, high; /* bits of the first and the last value in the bins */
  int shift;          /* of their width */
  size_t before;      /* values below them */
  size_t n;           /* held: of those in the bins */
  bool holds, apart, found;
  double at_k, at_behind; /* the values of these ranks */
  union {
    size_t count[BINS];
    double value[HELD];
  } u;
} hunt;

static uint64_t bits_of(double x)
{
  uint64_t bits;

  memcpy(&bits, &x, sizeof bits);
  return bits;
}

/* One more value of a pass.  Where the two ranks lie in bins apart, the first
 * is the largest of its bin and all below, the next the least above. */
static void meet(hunt *h, double x)
{
  const uint64_t bits = bits_of(x);
  const bool in = bits >= h->low && bits <= h->high;

  if (h->found) return;
  if (h->apart) {
    if (bits < h->low && x > h->at_k) h->at_k = x;
    if (bits >= h->low && x < h->at_behind) h->at_behind = x;
  } else if (h->holds && in) {
    h->u.value[h->n++] = x;
  } else if (in) {
    h->u.count[(bits - h->low) >> h->shift]++;
  }
}

/* After a pass that counted: which bin has the ranks. */
static void narrow(hunt *h)
{
  size_t b = 0;

  while (h->before + h->u.count[b] <= h->k) h->before += h->u.count[b++];
  const size_t in = h->u.count[b];
  if (h->before + in <= h->behind) {
    h->apart = true;
    h->low += (uint64_t)(b + 1) << h->shift;
    h->at_k = 0.0;
    h->at_behind = (double)INFINITY;
    return;
  }
  h->low += (uint64_t)b << h->shift;
  h->high = h->low + ((uint64_t)1 << h->shift) - 1;
  if (h->shift == 0) { /* all of the bin are one value */
    memcpy(&h->at_k, &h->low, sizeof h->at_k);
    h->at_behind = h->at_k;
    h->found = true;
    return;
  }
  h->shift = h->shift > BIN_BITS ? h->shift - BIN_BITS : 0;
  h->holds = in <= HELD;
}

/* After each pass. */
static void settle(hunt *h)
{
  if (h->found) return;
  if (h->apart) {
    h->found = true;
  } else if (h->holds) {
    h->at_k = kth(h->u.value, h->n, h->k - h->before);
    h->at_behind = kth(h->u.value, h->n, h->behind - h->before);
    h->found = true;
  } else {
    narrow(h);
    if (!h->holds) memset(h->u.count, 0, sizeof h->u.count);
  }
}

/* All values are counted in the first pass, before n is known. */
static void begin(hunt *h, double (*of)(const gscale_scored *r), double q)
{
  *h = (hunt){.of = of, .q = q, .high = INT64_MAX, .shift = 63 - BIN_BITS};
}

static void rank(hunt *h, size_t n)
{
  h->k = (size_t)(h->q * (double)(n - 1));
  h->behind = h->k + 1 < n ? h->k + 1 : h->k;
}

static double value_of(const hunt *h, size_t n)
{
  const double more = h->q * (double)(n - 1) - (double)h->k;

  return h->behind > h->k ? (1.0 - more) * h->at_k + more * h->at_behind
                          : h->at_k;
}

typedef struct hunts {
  bool (*next)(void *closure, size_t i, gscale_scored *row);
  void *closure;
  hunt of[QUANTILES];
} hunts;

/* The first pass, which is of all that is no quantile, too. */
static gscale_status tally_all(hunts *all, double tail, tally *t,
                               gscale_diag *diag)
{
  gscale_scored r;

  while (all->next(all->closure, t->s.n, &r)) {
    const gscale_status st = gscale__check_times(t->s.n, r.predicted, r.err,
                                                 r.measured, r.sigma, diag);
    if (st != GSCALE_OK) return st;
    add_row(t, &r, tail);
    for (int q = 0; q < QUANTILES; q++) meet(&all->of[q], all->of[q].of(&r));
  }
  if (t->s.n == 0) return gscale__fail(diag, GSCALE_EDATA, "no rows to score");
  add_up(t);
  return GSCALE_OK;
}

static bool all_found(const hunts *all)
{
  bool found = true;

  for (int q = 0; q < QUANTILES; q++) found = found && all->of[q].found;
  return found;
}

static void find_all(hunts *all, size_t n)
{
  for (int q = 0; q < QUANTILES; q++) rank(&all->of[q], n);
  for (;;) {
    gscale_scored r;

    for (int q = 0; q < QUANTILES; q++) settle(&all->of[q]);
    if (all_found(all)) return;
    for (size_t i = 0; i < n && all->next(all->closure, i, &r); i++)
      for (int q = 0; q < QUANTILES; q++)
        if (!all->of[q].found) meet(&all->of[q], all->of[q].of(&r));
  }
}

gscale_status gscale_score_each(bool (*next)(void *closure, size_t i,
                                             gscale_scored *row),
                                void *closure, double tail, gscale_score *out,
                                gscale_diag *diag)
{
  hunts *all = malloc(sizeof *all);
  tally t = {.once = 0};

  if (!all) return gscale__fail(diag, GSCALE_ENOMEM, "no memory for scores");
  all->next = next;
  all->closure = closure;
  begin(&all->of[0], off_of, 0.5);
  begin(&all->of[1], off_of, 0.9);
  begin(&all->of[2], half_of, 0.5);
  const gscale_status st = tally_all(all, tail, &t, diag);
  if (st == GSCALE_OK) {
    find_all(all, t.s.n);
    t.s.median_abs = value_of(&all->of[0], t.s.n);
    t.s.p90_abs = value_of(&all->of[1], t.s.n);
    t.s.width = value_of(&all->of[2], t.s.n);
    *out = t.s;
  }
  free(all);
  return st;
}

gscale_split gscale_split_error(double predicted, double predicted_infinite,
                                double measured, double measured_infinite)
{
  if (!gscale__is_time(predicted) || !gscale__is_time(predicted_infinite) ||
      !gscale__is_time(measured) || !gscale__is_time(measured_infinite))
    return (gscale_split){(double)NAN, (double)NAN};

  const double compute = predicted_infinite - measured_infinite;
  return (gscale_split){compute / measured,
                        (predicted - measured - compute) / measured};
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
