/* network.c - messages between nodes: two regimes of sizes, limits of a node.
 * The model of the rows is
 *
 *   net_latency, one pair:     time = latency + size * (1 / rate + stage);
 *   net_latency, more pairs:   time = latency + size * stage +
 *                              max( size / rate, pairs * size / node_rate );
 *   net_bandwidth, one pair:   time = overhead + fetch + size / rate;
 *   net_bandwidth, more pairs: rate = min( pairs * rate, node_rate,
 *                                          messages * size ).
 *
 * The cut between the regimes is tried between any two consecutive sizes.  Each
 * side is fitted alone, and the cut with the smallest error is taken.  Two
 * regimes must reduce the error by a third.  The largest message that travels
 * inside its request, without `fetch`, is found by trying cuts, too.  Messages
 * without bytes are left out, since they read no GPU memory.
 *
 * `access` names the path, gpu (gpudirect) or host (hostpath). `gpus` is twice
 * the number of pairs. */

#include "recipe.h"

#include <gsl/gsl_sort.h>
#include <math.h>
#include <stdlib.h>

static const char LATENCY[] = "net_latency", BANDWIDTH[] = "net_bandwidth";

enum {
  CUTS_MAX = 64, /* number of distinct sizes */
  LEAST = 3      /* number of sizes for a fit */
};

static const double BETTER = 2.0 / 3.0; /* error ratio of two regimes */
static const double HELD = 1.15;        /* least slowdown by sharing */

/* A sample: a row of one path. */
typedef struct sample {
  const gscale_measurement *r;
  bool one_way; /* single messages, not many */
  double pairs;
} sample;

typedef struct samples {
  bench_run *b;
  size_t n, room;
  sample *at;
  double *scratch; /* n values of scratch memory */
} samples;

/* A side of a cut, with the numbers that its rows identify. */
typedef struct side {
  bool latency, rate; /* rows of the side identify the value */
  gscale_regime is;
  double latency_err, slope_err, overhead_err, per_err, node_err;
  size_t n;
} side;

static void collect(samples *c, const char *bench, const char *access)
{
  const wanted w = {.bench = bench, .access = access};

  EACH_ROW (c->b, &w, r) {
    if (!(r->size > 0.0) || r->gpus < 2) {
      c->b->used[r - gscale_measurements_at(c->b->m, 0)] = false;
      continue;
    }
    sample *more = gscale_reserve(c->at, &c->room, c->n + 1, sizeof *more);
    if (!more) {
      gscale__no_memory(c->b);
      return;
    }
    c->at = more;
    more[c->n++] = (sample){r, bench == LATENCY, r->gpus / 2.0};
  }
}

static double item(const sample *s)
{
  return s->r->time / s->r->count;
}

static bool is_single(const sample *s)
{
  return !(s->pairs > 1.0);
}

/* ---- lines --------------------------------------------------------------- */

/* Fits start (+ fetch, above `within` B) + slope * size to one pair's messages
 * of sizes [low, high).  The coefficients in `out` have this order, without
 * fetch if `within` is NaN. */
static bool fit_line(const samples *c, bool one_way, double low, double high,
                     double within, gscale_fit *out)
{
  const size_t columns = isnan(within) ? 2 : 3;
  double *x = malloc(5 * c->n * sizeof *x);
  double *const y = x + 3 * c->n, *const sigma = y + c->n;
  size_t n = 0;

  if (!x) {
    gscale__no_memory(c->b);
    return false;
  }
  for (size_t i = 0; i < c->n; i++) {
    const sample *s = &c->at[i];
    if (!is_single(s) || s->one_way != one_way || s->r->size < low ||
        s->r->size >= high)
      continue;
    double *row = x + columns * n;
    row[0] = 1.0;
    row[1] = s->r->size > within;
    row[columns - 1] = s->r->size;
    y[n] = item(s);
    sigma[n++] = s->r->sigma / s->r->count;
  }
  const bool ok =
      n > columns && gscale_fit_linear(x, y, sigma, n, columns, GSCALE__FLOOR,
                                       out, NULL) == GSCALE_OK;
  free(x);
  return ok;
}

/* Fits a side.  The rate is that of many consecutive messages or, without such
 * rows, that of single messages. */
static side fit_side(const samples *c, double low, double high)
{
  side s = {.is = {.node_rate = (double)INFINITY}};
  gscale_fit one, many;

  s.latency = fit_line(c, true, low, high, NAN, &one);
  s.rate = fit_line(c, false, low, high, NAN, &many);
  if (s.rate) {
    s.is.overhead = many.value[0];
    s.overhead_err = many.err[0];
    s.is.rate = 1.0 / many.value[1];
    s.per_err = many.err[1];
    s.n += many.points;
  }
  if (!s.latency) return s;
  s.is.latency = one.value[0];
  s.latency_err = one.err[0];
  s.slope_err = one.err[1];
  if (!s.rate) {
    s.is.rate = 1.0 / one.value[1];
    s.per_err = one.err[1];
  }
  s.is.stage = fmax(0.0, one.value[1] - 1.0 / s.is.rate);
  s.n += one.points;
  return s;
}

/* ---- shared limits ------------------------------------------------------- */

/* The result, with one regime or two regimes. */
typedef struct found {
  double cut; /* B; INFINITY: one regime */
  side below, above;
  double messages, messages_err;   /* messages per second and node */
  double within, fetch, fetch_err; /* for messages below the cut */
} found;

static const side *side_of(const found *f, const sample *s)
{
  return s->r->size < f->cut ? &f->below : &f->above;
}

static double modelled(const found *f, const sample *s)
{
  const gscale_regime *r = &side_of(f, s)->is;
  const double bytes = s->r->size;
  const bool fetched = bytes > f->within && bytes < f->cut;

  return s->one_way
             ? r->latency + bytes * (1.0 / r->rate + r->stage)
             : r->overhead + (fetched ? f->fetch : 0.0) + bytes / r->rate;
}

/* Returns the total rate in B/s of a row's pairs, without the latency of a
 * message.  Returns NaN if the latency is unknown. */
static double total_rate(const side *of, const sample *s)
{
  const double before =
      s->one_way ? of->is.latency + s->r->size * of->is.stage : 0.0;

  if (s->one_way && !of->latency) return NAN;
  return item(s) > before ? s->pairs * s->r->size / (item(s) - before) : NAN;
}

/* Collects the rates of pairs that are slower than a single pair.  Bytes limit
 * slower pairs, or messages if the pairs move less than half of the largest
 * rate.  Messages need a majority, because single small sizes scatter as
 * much. */
static size_t limited(const samples *c, const found *f, const side *of,
                      bool by_bytes)
{
  double *const v = c->scratch;
  double most = 0.0;
  size_t n = 0, free = 0;

  for (int pass = 0; pass < 2; pass++)
    for (size_t i = 0; i < c->n; i++) {
      const sample *s = &c->at[i];
      if (is_single(s) || side_of(f, s) != of || (s->one_way && !by_bytes))
        continue;
      const double rate = total_rate(of, s);
      if (isnan(rate)) continue;
      if (pass == 0) most = fmax(most, rate);
      if (pass == 0 || (rate >= 0.5 * most) != by_bytes) continue;
      if (item(s) < HELD * modelled(f, s))
        free++;
      else
        v[n++] = by_bytes ? rate : rate / s->r->size;
    }
  return by_bytes || n > free ? n : 0;
}

/* Returns the limit of the slowed pairs, or INFINITY if there are none.  Rates
 * approach the limit from below, so that the limit is their upper quartile.
 * The error is half the range of the rates. */
static double limit_of(const samples *c, const found *f, const side *of,
                       bool by_bytes, double *err)
{
  const size_t n = limited(c, f, of, by_bytes);

  *err = 0.0;
  if (n == 0) return (double)INFINITY;
  gsl_sort(c->scratch, 1, n);
  *err = 0.5 * (c->scratch[n - 1] - c->scratch[0]);
  return c->scratch[(3 * n) / 4];
}

static void find_caps(const samples *c, found *f)
{
  f->below.is.node_rate = limit_of(c, f, &f->below, true, &f->below.node_err);
  f->above.is.node_rate = limit_of(c, f, &f->above, true, &f->above.node_err);
  f->messages = limit_of(c, f, &f->below, false, &f->messages_err);
}

/* ---- cut ----------------------------------------------------------------- */

/* Returns the time of a row, or NaN if its side does not identify the time. */
static double time_of(const found *f, const sample *s)
{
  const side *of = side_of(f, s);
  const double one = modelled(f, s);

  if (!(s->one_way ? of->latency : of->rate)) return NAN;
  return is_single(s) ? one
                      : fmax(one, fmax(s->pairs * s->r->size / of->is.node_rate,
                                       s->pairs / f->messages));
}

/* Returns the mean |ln(model / measured)| without latencies of several pairs,
 * or only over one pair's consecutive messages below the cut.  Returns INFINITY
 * if a side does not identify its rows. */
static double mean_error(const samples *c, const found *f, bool below)
{
  double sum = 0.0, n = 0.0;

  for (size_t i = 0; i < c->n; i++) {
    const sample *s = &c->at[i];
    if (below ? !is_single(s) || s->one_way || s->r->size >= f->cut
              : s->one_way && !is_single(s))
      continue;
    sum += fabs(log(time_of(f, s) / item(s)));
    n += 1.0;
  }
  return n > 0.0 && !isnan(sum) ? sum / n : (double)INFINITY;
}

/* Returns the number of sizes in one pair's rows, and sorts the sizes. */
static size_t sizes_of(const samples *c, double *size)
{
  size_t n = 0;

  for (size_t i = 0; i < c->n; i++) {
    bool known = !is_single(&c->at[i]);
    for (size_t k = 0; k < n; k++)
      known =
          known || !(size[k] < c->at[i].r->size || size[k] > c->at[i].r->size);
    if (!known && n < CUTS_MAX) size[n++] = c->at[i].r->size;
  }
  gsl_sort(size, 1, n);
  return n;
}

/* ---- inline messages ----------------------------------------------------- */

/* Tries each cut of the fetch between sizes below the regimes' cut. */
static void find_fetch(const samples *c, found *f)
{
  double size[CUTS_MAX];
  const size_t n = sizes_of(c, size);
  const double none = mean_error(c, f, true);
  const found before = *f;
  double best = none;

  for (size_t i = LEAST; i + LEAST <= n && size[i + LEAST - 1] < f->cut; i++) {
    gscale_fit fit;
    found tried = before;

    if (!fit_line(c, false, 0.0, f->cut, size[i - 1], &fit) ||
        !(fit.value[1] > 0.0))
      continue;
    tried.within = size[i - 1];
    tried.below.is.overhead = fit.value[0];
    tried.below.overhead_err = fit.err[0];
    tried.fetch = fit.value[1];
    tried.fetch_err = fit.err[1];
    tried.below.is.rate = 1.0 / fit.value[2];
    tried.below.per_err = fit.err[2];
    if (before.below.latency) /* the total slope stays the same */
      tried.below.is.stage =
          fmax(0.0, before.below.is.stage + 1.0 / before.below.is.rate -
                        fit.value[2]);
    const double off = mean_error(c, &tried, true);
    if (!(off < best) || off > BETTER * none) continue;
    best = off;
    *f = tried;
  }
  if (f->fetch > 0.0) find_caps(c, f);
}

static found fit_sides(const samples *c, double cut)
{
  found f = {.cut = cut, .below = fit_side(c, 0.0, cut)};

  f.above = isfinite(cut) ? fit_side(c, cut, INFINITY) : f.below;
  find_caps(c, &f);
  find_fetch(c, &f);
  return f;
}

static bool find_cut(const samples *c, found *out)
{
  double size[CUTS_MAX], best;
  const size_t n = sizes_of(c, size);

  *out = fit_sides(c, INFINITY);
  best = mean_error(c, out, false);
  const double one = best;
  for (size_t i = LEAST; i + LEAST <= n; i++) {
    const found f = fit_sides(c, sqrt(size[i - 1] * size[i]));
    const double off = mean_error(c, &f, false);
    if (off >= best || off > BETTER * one) continue;
    best = off;
    *out = f;
  }
  return isfinite(best);
}

/* ---- parameters ---------------------------------------------------------- */

static gscale_param_id at(gscale_param_id first, gscale_param_id like)
{
  return (gscale_param_id)(first + (like - GSCALE_GPUDIRECT_OVERHEAD));
}

static void store(const samples *c, gscale_param_id id, const side *s,
                  double value, double err)
{
  gscale__conclude_unfitted(c->b, id, s->n, value, err,
                            "net_latency, net_bandwidth");
}

/* Stores a regime's parameters in order: overhead, latency, rate. */
static void store_side(const samples *c, gscale_param_id overhead,
                       const side *s)
{
  const gscale_param_id latency = (gscale_param_id)(overhead + 1),
                        rate = (gscale_param_id)(overhead + 2),
                        node_rate = (gscale_param_id)(overhead + 3),
                        stage = (gscale_param_id)(overhead + 4);

  if (s->rate) store(c, overhead, s, s->is.overhead, s->overhead_err);
  if (s->latency) store(c, latency, s, s->is.latency, s->latency_err);
  if (s->rate || s->latency)
    store(c, rate, s, s->is.rate, s->per_err * s->is.rate * s->is.rate);
  if (s->latency)
    store(c, stage, s, s->is.stage, hypot(s->slope_err, s->per_err));
  if (isfinite(s->is.node_rate))
    store(c, node_rate, s, s->is.node_rate, s->node_err);
  else
    gscale__set_note(c->b, node_rate, "no pairs are slower than one alone");
}

static void store_path(const samples *c, gscale_param_id first, const found *f)
{
  store_side(c, first, &f->below);
  if (isfinite(f->messages))
    store(c, at(first, GSCALE_GPUDIRECT_MESSAGES), &f->below, f->messages,
          f->messages_err);
  if (f->fetch > 0.0) {
    store(c, at(first, GSCALE_GPUDIRECT_INLINE), &f->below, f->within, 0.0);
    store(c, at(first, GSCALE_GPUDIRECT_FETCH), &f->below, f->fetch,
          f->fetch_err);
  }
  if (!isfinite(f->cut)) return;
  store(c, at(first, GSCALE_GPUDIRECT_FROM), &f->above, f->cut, 0.0);
  store_side(c, at(first, GSCALE_GPUDIRECT_LONG_OVERHEAD), &f->above);
}

static void solve_path(bench_run *b, const char *access, gscale_param_id first)
{
  samples c = {.b = b};
  found f;

  collect(&c, LATENCY, access);
  collect(&c, BANDWIDTH, access);
  c.scratch = malloc((c.n + 1) * sizeof *c.scratch);
  if (!c.scratch) gscale__no_memory(b);
  if (c.n > 0 && b->st == GSCALE_OK && find_cut(&c, &f))
    store_path(&c, first, &f);
  free(c.scratch);
  free(c.at);
}

/* ---- finished model ------------------------------------------------------ */

double gscale__net_time(const bench_run *b, const gscale_measurement *r)
{
  const bool host = r->access[0] == 'h';
  gscale__source_room room;
  const gscale__source *s = gscale__source_in(&room, b->s, NULL);
  const gscale_path p = gscale__read_path(s, host ? GSCALE_HOSTPATH_OVERHEAD
                                                  : GSCALE_GPUDIRECT_OVERHEAD);
  const double rails = b->s->network.nodes > 0
                           ? b->s->network.rails *
                                 gscale__read(s, GSCALE_NETWORK_RATE) *
                                 gscale__read(s, GSCALE_NETWORK_EFFICIENCY)
                           : (double)INFINITY;
  const gscale_message m = gscale_path_message(&p, r->size);
  const double pairs = r->gpus / 2.0;
  if (!(r->size > 0.0) || r->gpus < 2) return NAN;
  return r->bench[4] == 'l'
             ? gscale_message_time(&m, r->size, pairs, rails)
             : pairs * r->size / gscale_message_rate(&m, r->size, pairs, rails);
}

void gscale__recipes_network(bench_run *b)
{
  solve_path(b, "gpu", GSCALE_GPUDIRECT_OVERHEAD);
  solve_path(b, "host", GSCALE_HOSTPATH_OVERHEAD);
  gscale__compare(b, LATENCY, gscale__net_time);
  gscale__compare(b, BANDWIDTH, gscale__net_time);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
