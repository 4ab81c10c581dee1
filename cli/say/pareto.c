/* pareto.c - computes costs of predictions, and the Pareto front. */

#include "say/predict.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- prices -------------------------------------------------------------- */

/* A price list that is being parsed. */
typedef struct reading {
  const question *q;
  const char *asked; /* the system's name in --system */
  double any, own;   /* default, system's price; NaN: none */
} reading;

static bool is_named(const reading *r, const char *name, size_t length)
{
  const char *const names[] = {
      r->q->name, gscale_system_about(r->q->system).name, r->asked};

  for (size_t i = 0; i < LENGTH(names); i++)
    if (strlen(names[i]) == length && memcmp(names[i], name, length) == 0)
      return true;
  return false;
}

static int read_price(const char *word, void *closure, failure *why)
{
  reading *r = closure;
  const char *equals = strchr(word, '=');
  gscale_diag diag;
  double v;

  if (gscale_parse_quantity(equals ? equals + 1 : word, GSCALE_COUNT, &v,
                            &diag) != GSCALE_OK)
    return fail(why, EXIT_USAGE, "--price: %s", diag.text);
  if (!(v > 0.0))
    return fail(why, EXIT_USAGE, "--price: %.60s is not above 0", word);
  if (!equals && !isnan(r->any))
    return fail(why, EXIT_USAGE,
                "--price: '%.60s' is a second price for all systems: name each "
                "system, as in A=4,B=2",
                word);
  if (!equals)
    r->any = v;
  else if (is_named(r, word, (size_t)(equals - word)) && !isnan(r->own))
    return fail(why, EXIT_USAGE, "--price: '%s' is given twice", r->q->name);
  else if (is_named(r, word, (size_t)(equals - word)))
    r->own = v;
  return EXIT_OK;
}

int take_price(question *q, const options *o, failure *why)
{
  reading r = {q, o->system, NAN, NAN};
  int st = EXIT_OK;

  if (o->price) st = each_word("--price", o->price, read_price, &r, why);
  q->price = isnan(r.own) ? r.any : r.own;
  if (st == EXIT_OK && o->price && isnan(q->price))
    st = fail(why, EXIT_USAGE, "--price: says nothing of '%s'", q->name);
  return st;
}

/* ---- offers -------------------------------------------------------------- */

static offer make_offer(const subject *s, size_t i, size_t j)
{
  const question *q = &s->q;
  const gscale_prediction *p = &s->a[i * q->n + j].p;
  const double time = p->time + (q->steps > 0.0 ? p->setup / q->steps : 0.0);

  return (offer){s, i, j, time, gscale_rent(time, q->gpus[j], q->price), false};
}

static size_t list_offers(const comparison *c, offer *out)
{
  size_t n = 0;

  for (size_t k = 0; k < c->n; k++) {
    const question *q = &c->v[k].q;

    for (size_t i = 0; i < q->paradigms; i++)
      for (size_t j = 0; j < q->n; j++)
        if (c->v[k].a[i * q->n + j].met) out[n++] = make_offer(&c->v[k], i, j);
  }
  return n;
}

/* Finds the Pareto front without zero-cost communication, which is no offer. */
static void find_front(offer *v, size_t n, double *x, double *y, bool *front)
{
  const size_t infinite = gscale_paradigm_find("infinite");

  for (size_t k = 0; k < n; k++) {
    const bool real = v[k].s->q.paradigm[v[k].i] != infinite;

    x[k] = real ? v[k].cost : NAN;
    y[k] = v[k].time;
  }
  gscale_pareto(x, y, n, front);
  for (size_t k = 0; k < n; k++) v[k].front = front[k];
}

int offers_new(const comparison *c, offer **out, size_t *n, failure *why)
{
  size_t most = 1;
  int st = EXIT_OK;

  for (size_t k = 0; k < c->n; k++) most += c->v[k].q.paradigms * c->v[k].q.n;

  double *x = malloc(most * sizeof *x), *y = malloc(most * sizeof *y);
  bool *front = malloc(most * sizeof *front);

  *out = malloc(most * sizeof **out);
  *n = 0;
  if (*out && x && y && front) {
    *n = list_offers(c, *out);
    find_front(*out, *n, x, y, front);
  } else {
    st = no_memory(why);
  }
  free(x);
  free(y);
  free(front);
  return st;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
