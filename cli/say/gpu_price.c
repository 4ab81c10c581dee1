/* gpu_price.c - writes columns for the cost of steps and the Pareto front. */

#include "say/predict.h"

#include <stdlib.h>

enum { /* after the columns of `predict` */
  COST,
  FRONT,
  PRICED
};
static const column priced[PRICED] = {
    [COST] = NUMBER("cost_USD", NULL, GSCALE_COUNT),
    [FRONT] = INTEGER("frontier", NULL),
};

size_t priced_columns(const column **out)
{
  static column all[PREDICTION_ROOM];

  *out = all;
  return prediction_columns_and(priced, PRICED, all);
}

int priced_rows(rows *r, size_t columns, const comparison *c, failure *why)
{
  offer *v;
  size_t n;
  int st = offers_new(c, &v, &n, why);

  for (size_t k = 0; st == EXIT_OK && k < n; k++) {
    const question *q = &v[k].s->q;
    cell *row = rows_add(r), *last = row + columns - PRICED;

    prediction_row(row, q, v[k].i, v[k].j, v[k].s->a);
    last[COST].number = v[k].cost;
    last[FRONT].number = v[k].front;
  }
  free(v);
  return st;
}

static int by_cost(const void *a, const void *b)
{
  const offer *x = a, *y = b;

  if (x->front != y->front) return x->front ? -1 : 1;
  return GSCALE_ORDER(x->cost, y->cost);
}

enum {
  OFFER_COST,
  OFFER_TIME,
  OFFER_SYSTEM,
  OFFER_GPUS,
  OFFER_PARADIGM,
  OFFER_COLUMNS
};

static void fill_front(rows *r, const offer *v, size_t n)
{
  for (size_t k = 0; k < n && v[k].front; k++) {
    const question *q = &v[k].s->q;
    const gscale_knobs *used = &v[k].s->a[v[k].i * q->n + v[k].j].p.knobs;
    cell *c = rows_add(r);
    paradigm_words paradigm;

    c[OFFER_COST].number = 1e6 * v[k].cost;
    c[OFFER_TIME].number = v[k].time;
    set_text(&c[OFFER_SYSTEM], q->name);
    c[OFFER_GPUS].number = q->gpus[v[k].j];
    set_text(&c[OFFER_PARADIGM], q->gpus[v[k].j] > 1
                                     ? say_paradigm(q, v[k].i, used, paradigm)
                                     : "any");
  }
}

int print_front(output *out, const comparison *c, failure *why)
{
  static const column columns[OFFER_COLUMNS] = {
      [OFFER_COST] = NUMBER(NULL, "USD", GSCALE_COUNT),
      [OFFER_TIME] = NUMBER(NULL, "time", GSCALE_TIME),
      [OFFER_SYSTEM] = TEXT(NULL, "system"),
      [OFFER_GPUS] = INTEGER(NULL, "GPUs"),
      [OFFER_PARADIGM] = TEXT(NULL, "paradigm"),
  };
  rows *r = rows_new("", columns, OFFER_COLUMNS);
  offer *v = NULL;
  size_t n = 0;
  int st = offers_new(c, &v, &n, why);

  if (st == EXIT_OK) {
    qsort(v, n, sizeof *v, by_cost);
    fill_front(r, v, n);
    put_line(out->f, 2,
             "Pareto front: nothing is faster for less (of 10^6 steps)");
  }
  st = rows_end(st, r, FORMAT_TABLE, out, why);
  putc('\n', out->f);
  free(v);
  return st;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
