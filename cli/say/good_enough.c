/* good_enough.c - finds the slowest link, the fewest GPUs or the simplest
 * paradigm that is almost as fast as the best. */

#include "say/good_enough.h"

#include <math.h>
#include <stdlib.h>

/* ---- candidates --------------------------------------------------------- */

static double rate_of(const entrant *e)
{
  return gscale_system_get(e->s->q.system, gscale_param_find("link.rate"))->val;
}

/* Returns true if a larger value of the varied number slows the step. */
static bool is_burden(const comparison *c, const entrant *best)
{
  double first = NAN, last = NAN, low = 0.0, high = 0.0;

  for (size_t i = 0; i < c->n; i++) {
    const entrant e = entrant_best(&c->v[i], best->gpus);
    const double x = c->over->x[c->v[i].value];

    if (!e.s || c->v[i].base != best->s->base) continue;
    if (isnan(first) || x < low) first = e.time, low = x;
    if (isnan(last) || x > high) last = e.time, high = x;
  }
  return last > first;
}

static double value_of(const comparison *c, const entrant *e)
{
  return c->over->x[e->s->value];
}

static double price_of(const comparison *c, const entrant *e, frugality what,
                       bool burden)
{
  if (what == FEWEST_GPUS) return e->gpus;
  if (what == SIMPLEST_PARADIGM) return paradigm_plain(&e->s->q, e->paradigm);
  if (!c->over) return rate_of(e);
  return burden ? -value_of(c, e) : value_of(c, e);
}

entrant best_of_all(const comparison *c)
{
  entrant best = {NULL, 0, 0, INFINITY, NULL};

  for (size_t s = 0; s < c->n; s++)
    for (size_t j = 0; j < c->v[s].q.n; j++) {
      const entrant e = entrant_best(&c->v[s], c->v[s].q.gpus[j]);

      if (e.s && e.time < best.time) best = e;
    }
  return best;
}

/* Returns true for a candidate, which runs on the system of the best. For the
 * slowest link, a candidate may have any requested link or varied number. */
static bool may_be(const comparison *c, const entrant *e, const entrant *best,
                   frugality what)
{
  if (what != SLOWEST_LINK) return e->s == best->s;
  if (c->over) return e->s->base == best->s->base;
  return !c->links || e->s->linked;
}

/* Finds the least demanding candidate within `factor` of the best time. */
static entrant cheapest(const comparison *c, const entrant *best,
                        frugality what, double factor, entrant *of)
{
  const bool burden = c->over && is_burden(c, best);
  entrant least = may_be(c, best, best, what) ? *best : (entrant){.s = NULL};

  for (int gpus = 1; gpus <= GPUS_MAX; gpus++) {
    const size_t n = what == FEWEST_GPUS || gpus == best->gpus
                         ? entrants_list(c, gpus, of)
                         : 0;
    for (size_t i = 0; i < n; i++) {
      if (!may_be(c, &of[i], best, what)) continue;
      if (of[i].time > factor * best->time) continue;

      const double a = price_of(c, &of[i], what, burden),
                   b = least.s ? price_of(c, &least, what, burden) : INFINITY;

      if (a < b || (!(a > b) && of[i].time < least.time)) least = of[i];
    }
  }
  return least;
}

/* Finds the fastest candidate on as many GPUs as the best. */
static entrant nearest_of(const comparison *c, const entrant *best, entrant *of)
{
  const size_t n = entrants_list(c, best->gpus, of);
  entrant least = {.s = NULL};

  for (size_t i = 0; i < n; i++)
    if (may_be(c, &of[i], best, SLOWEST_LINK) &&
        (!least.s || of[i].time < least.time))
      least = of[i];
  return least;
}

int within_find(within *w, const comparison *c, double share, failure *why)
{
  entrant *of = malloc(entrants_most(c) * sizeof *of);

  *w = (within){.factor = 1.0 + share};
  if (!of) return no_memory(why);
  w->best = best_of_all(c);
  for (int i = 0; w->best.s && i < FRUGALITIES; i++)
    w->least[i] = cheapest(c, &w->best, (frugality)i, w->factor, of);
  if (w->best.s) w->nearest = nearest_of(c, &w->best, of);
  free(of);
  return EXIT_OK;
}

/* ---- rows ---------------------------------------------------------------- */

enum {
  BEHIND, /* after the columns of `predict` */
  ODDS,
  ENOUGH,
  MORE
};

static const column more[MORE] = {
    [BEHIND] = NUMBER("behind", NULL, GSCALE_COUNT),
    [ODDS] = NUMBER("within_odds", NULL, GSCALE_COUNT),
    [ENOUGH] = TEXT("enough", NULL),
};

size_t within_columns(const column **out)
{
  static column all[PREDICTION_ROOM];

  *out = all;
  return prediction_columns_and(more, MORE, all);
}

/* Lists the questions that a row answers: "best", "link", "gpus", "way". */
static void say_enough(const within *w, const answer *a, char *text,
                       size_t size)
{
  static const char *const names[FRUGALITIES] = {"link", "gpus", "way"};

  snprintf(text, size, "%s", w->best.a == a ? "best" : "");
  for (int i = 0; i < FRUGALITIES; i++)
    if (w->least[i].s && w->least[i].a == a)
      gscale_append(text, size, "%s%s", *text ? " " : "", names[i]);
}

int within_rows(rows *r, size_t columns, const comparison *c, double share,
                failure *why)
{
  within w;

  if (within_find(&w, c, share, why) != EXIT_OK) return why->status;
  for (size_t k = 0; k < c->n; k++) {
    const question *q = &c->v[k].q;

    for (size_t i = 0; i < q->paradigms * q->n; i++) {
      const answer *a = &c->v[k].a[i];
      cell *row;

      if (!a->met) continue;
      row = rows_add(r);
      prediction_row(row, q, i / q->n, i % q->n, c->v[k].a);
      row += columns - MORE;
      if (!w.best.s) continue;
      row[BEHIND].number = a->p.time / w.best.time - 1.0;
      row[ODDS].number = answer_faster(q, a, w.best.a, w.factor);
      say_enough(&w, a, row[ENOUGH].text, sizeof row[ENOUGH].text);
    }
  }
  return EXIT_OK;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
