/* lines.c - calls of rows, and their assignment to the lines of collective.c.
 *
 * Calls are first assigned by their bytes through a port.  In turns, each line
 * is fitted and each call moves to its fastest line, until no call moves.  The
 * initial cuts with the smallest error are kept. */

#include "lines.h"

#include <math.h>
#include <stdlib.h>

enum {
  CUTS = 24, /* cuts at powers of two */
  ROUNDS = 8 /* convergence needs fewer rounds */
};

/* Calls below this size, in B through a port, identify the start of a line. */
static const double SEEN[GSCALE__LINES] = {
    [LL] = 16.0 * 1024.0, [LL128] = 1048576.0, [SIMPLE] = INFINITY};
static const double CUT_LEAST = 1024.0; /* B */

const gscale__coll_bench gscale__coll_benches[GSCALE__COLL_BENCHES] = {
    {"allreduce", GSCALE_COLL_ALL_REDUCE},
    {"allgather", GSCALE_COLL_ALL_GATHER},
    {"reducescatter", GSCALE_COLL_REDUCE_SCATTER},
    {"broadcast", GSCALE_COLL_BROADCAST},
    {"reduce", GSCALE_COLL_REDUCE},
    {"alltoall", GSCALE_COLL_ALL_TO_ALL},
    {"ring", GSCALE_COLL_SEND_RECV},
};

gscale_coll_call gscale__coll_call(gscale_coll_kind kind,
                                   const gscale_measurement *r)
{
  const bool all = kind == GSCALE_COLL_ALL_TO_ALL;

  return (gscale_coll_call){
      .kind = kind,
      .n = r->gpus,
      .bytes =
          r->size * (all ? r->gpus : 1.0), /* rows have the bytes of a pair */
      .route = 1.0,
      .route_all = 1.0,
      .streamed = true};
}

double gscale__on_line(const collection *c, const timed *t, int line)
{
  return t->moved + (line == SIMPLE ? c->turn * t->idle : 0.0);
}

static double at_line(const collection *c, const lines *l, const timed *t,
                      int line)
{
  return l->start + (line == SIMPLE ? l->more : 0.0) +
         t->steps[line] * l->step[line] +
         gscale__on_line(c, t, line) * l->per[line];
}

/* Returns the fastest line of all, or of those that enough calls identify. */
static int fastest(const collection *c, const lines *l, const timed *t,
                   bool all)
{
  int best = GSCALE__NO_LINE;

  for (int i = 0; i < GSCALE__LINES; i++)
    if ((all || l->there[i]) && (best == GSCALE__NO_LINE ||
                                 at_line(c, l, t, i) < at_line(c, l, t, best)))
      best = i;
  return best;
}

bool gscale__of_lines(const timed *t)
{
  return !gscale__of_pairs(t->call.kind) && !t->in_switch;
}

/* Fills the columns of a line: 1, steps and bytes.  LL128 shares the start of
 * LL, and simple shares the steps of LL128.  LL has no column of steps if all
 * calls have the same number of GPUs. */
static size_t columns_of(const collection *c, int line, const timed *t,
                         double *x)
{
  size_t n = 0;

  if (line != LL128) x[n++] = 1.0;
  if (line == LL128 || (line == LL && c->steps)) x[n++] = t->steps[line];
  x[n++] = gscale__on_line(c, t, line);
  return n;
}

/* Fits the calls on a line, less start + steps * step, by relative least
 * squares.  Returns false if the calls are too few, too large, or faster than
 * the protocol over the port. */
static bool fit_line(const collection *c, int line, double start, double step,
                     double *x)
{
  double row[GSCALE__TERMS_MOST], least = INFINITY;
  size_t n = 0, k = 0;
  const size_t terms = columns_of(c, line, &c->at[0], row);

  for (size_t i = 0; i < c->n; i++) {
    const timed *t = &c->at[i];
    if (t->line != line) continue;
    least = fmin(least, t->moved);
    n++;
  }
  if (n < terms + GSCALE__SPARE || least > SEEN[line]) return false;
  double *a = malloc(n * (terms + 1) * sizeof *a);
  if (!a) {
    gscale__no_memory(c->b);
    return false;
  }
  for (size_t i = 0; i < c->n; i++) {
    const timed *t = &c->at[i];
    if (t->line != line) continue;
    columns_of(c, line, t, row);
    for (size_t j = 0; j < terms; j++) a[j * n + k] = row[j] / t->r->time;
    a[terms * n + k++] = 1.0 - (start + step * t->steps[line]) / t->r->time;
  }
  gscale__nnls(a, n, terms, x);
  free(a);
  return x[terms - 1] * c->payload[line] * c->formatted >= 1.0;
}

static lines fit_lines(const collection *c, const lines *base)
{
  lines l = *base;
  double x[GSCALE__TERMS_MOST];

  l.there[LL] = fit_line(c, LL, 0.0, c->steps ? 0.0 : base->step[LL], x);
  if (l.there[LL]) {
    l.start = x[0];
    if (c->steps) l.step[LL] = x[1];
    l.per[LL] = x[c->steps ? 2 : 1];
  }
  l.there[LL128] = fit_line(c, LL128, l.start, 0.0, x);
  if (l.there[LL128]) {
    l.step[LL128] = l.step[SIMPLE] = x[0];
    l.per[LL128] = x[1];
  }
  l.there[SIMPLE] = fit_line(c, SIMPLE, l.start, l.step[SIMPLE], x);
  if (l.there[SIMPLE]) {
    l.more = x[0];
    l.per[SIMPLE] = x[1];
  }
  return l;
}

static void assign(collection *c, double low, double high)
{
  for (size_t i = 0; i < c->n; i++) {
    timed *t = &c->at[i];
    t->line = !gscale__of_lines(t) ? GSCALE__NO_LINE
              : t->moved < low     ? LL
              : t->moved < high    ? LL128
                                   : SIMPLE;
  }
}

/* Moves each call to its fastest line.  Returns true if any call moved. */
static bool reassign(collection *c, const lines *l)
{
  bool moved = false;

  for (size_t i = 0; i < c->n; i++) {
    timed *t = &c->at[i];
    const int line =
        gscale__of_lines(t) ? fastest(c, l, t, false) : GSCALE__NO_LINE;
    moved = moved || line != t->line;
    t->line = line;
  }
  return moved;
}

/* Returns the mean square of ln(line / measured) of the finished model, in
 * which a line that calls do not identify has the numbers of the base. */
static double mean_error(const collection *c, const lines *l)
{
  double sum = 0.0, n = 0.0;

  for (size_t i = 0; i < c->n; i++) {
    const timed *t = &c->at[i];
    if (t->line == GSCALE__NO_LINE) continue;
    const double e = log(at_line(c, l, t, fastest(c, l, t, true)) / t->r->time);
    sum += e * e;
    n += 1.0;
  }
  return n > 0.0 ? sum / n : INFINITY;
}

static lines try_cuts(collection *c, const lines *base, double low, double high)
{
  lines l = *base;

  assign(c, low, high);
  for (int i = 0; i < ROUNDS; i++) {
    l = fit_lines(c, base);
    if (!reassign(c, &l)) break;
  }
  return l;
}

lines gscale__base_lines(const gscale_coll_machine *m)
{
  lines l = {.start = m->start, .more = m->by[SIMPLE].start};

  for (int i = 0; i < GSCALE__LINES; i++) {
    l.step[i] = m->by[i].step;
    l.per[i] = 1.0 / fmin(m->by[i].rate, m->by[i].payload * m->link);
  }
  return l;
}

void gscale__find_lines(collection *c, const lines *base)
{
  double best = INFINITY, low = 0.0, high = 0.0;

  for (int i = 0; i < CUTS; i++)
    for (int k = i; k < CUTS; k++) {
      const double a = i > 0 ? ldexp(CUT_LEAST, i - 1) : 0.0;
      const double z = k > 0 ? ldexp(CUT_LEAST, k - 1) : 0.0;
      const lines l = try_cuts(c, base, a, z);
      const double off = mean_error(c, &l);
      if (off >= best) continue;
      best = off;
      low = a;
      high = z;
    }
  if (best < INFINITY) try_cuts(c, base, low, high);
}

/* ---- base ---------------------------------------------------------------- */

void gscale__reset_base(bench_run *b, gscale_param base[GSCALE__IDENTIFIED])
{
  for (int i = 0; i < GSCALE__IDENTIFIED; i++) {
    const gscale_param_id id = (gscale_param_id)(GSCALE_COLL_START + i);
    const gscale_param guess = gscale_param_default(id);

    base[i] = *gscale_system_get(b->s, id);
    gscale__param_put(b->s, id, &guess);
  }
}

void gscale__restore_base(bench_run *b,
                          const gscale_param base[GSCALE__IDENTIFIED])
{
  for (int i = 0; i < GSCALE__IDENTIFIED; i++) {
    const gscale_param_id id = (gscale_param_id)(GSCALE_COLL_START + i);

    if (!b->out->of[id].fitted) gscale__param_put(b->s, id, &base[i]);
  }
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
