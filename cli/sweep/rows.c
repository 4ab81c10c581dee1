/* rows.c - writes rows of the answers at a point. */

#include "sweep/sweep.h"

#include <string.h>

enum { /* columns before and after the axes */
  POINT,
  SYSTEM,
  WORKLOAD,
  BEFORE,
  PARADIGM = 0,
  SHOWN_PARADIGM, /* in tables only */
  KNOBS,
  GPUS,
  TIME,
  ERR,
  SPEEDUP,
  EFFICIENCY,
  OPPORTUNITY,
  BOUND,
  STANDING,
  ALSO,
  BEHIND
};

static const column before[BEFORE] = {
    [POINT] = INTEGER("point", NULL),
    [SYSTEM] = TEXT("system", NULL),
    [WORKLOAD] = TEXT("workload", NULL),
};
static const column behind[BEHIND] = {
    [PARADIGM] = TEXT("paradigm", NULL),
    [SHOWN_PARADIGM] = TEXT(NULL, "paradigm"),
    [KNOBS] = TEXT("knobs", NULL),
    [GPUS] = INTEGER("gpus", "GPUs"),
    [TIME] = NUMBER("time_s", "time", GSCALE_TIME),
    [ERR] = SECONDS("time_err"),
    [SPEEDUP] = NUMBER("speedup", "speedup", GSCALE_COUNT),
    [EFFICIENCY] = PERCENT("efficiency", "effic."),
    [OPPORTUNITY] = PERCENT("opportunity", "of ideal"),
    [BOUND] = TEXT("bound", "bound by"),
    [STANDING] = TEXT("standing", NULL),
    [ALSO] = TEXT("also", NULL),
};

size_t sweep_columns(const walk *w, sweep_table *out)
{
  const size_t axes = walk_axes(w);
  column *table = out->of;

  memcpy(table, before, sizeof before);
  for (size_t i = 0; i < axes; i++) {
    const gscale_axis *axis;
    const over *v = walk_over(w, i, &axis);

    over_column(v, out->name[i], sizeof out->name[i]);
    table[BEFORE + i] =
        (column){out->name[i], *v->unit ? out->name[i] : v->name, v->dim,
                 COLUMN_NUMBER, false};
  }
  memcpy(&table[BEFORE + axes], behind, sizeof behind);
  if (walk_options(w)->best)
    table[BEFORE + axes + ALSO] = (column)TEXT("also", "also");
  return BEFORE + axes + BEHIND;
}

void sweep_row(cell *c, const walk *w, const point *p, size_t i)
{
  const gscale_prediction *r = &p->a[i].p;
  const size_t axes = walk_axes(w);
  cell *b = c + BEFORE + axes;
  standing s;
  paradigm_words fastest;

  c[POINT].number = (double)p->number;
  c[SYSTEM].whole = p->q->name;
  set_text(&c[WORKLOAD], gscale_workload_about(p->q->workload).name);
  for (size_t k = 0; k < axes; k++) c[BEFORE + k].number = p->x[k];
  b[PARADIGM].whole = question_inside(p->q, i);
  if (walk_options(w)->best)
    set_text(&b[SHOWN_PARADIGM], say_paradigm(p->q, i, &r->knobs, fastest));
  else
    b[SHOWN_PARADIGM].whole = question_paradigm(p->q, i);
  print_moves(b[KNOBS].text, sizeof b[KNOBS].text, p->q->workload, r);
  b[GPUS].number = p->q->gpus[p->n];
  b[TIME].number = r->time;
  b[ERR].number = p->a[i].err;
  b[SPEEDUP].number = r->speedup;
  b[EFFICIENCY].number = r->efficiency;
  b[OPPORTUNITY].number = r->opportunity;
  b[BOUND].whole = gscale_name(GSCALE_MECHANISM_NAMES, r->bound);
  if (p->q->gpus[p->n] == 1) return; /* no paradigm moves data */
  say_standing(p->q, p->a, 1, i, &s);
  b[STANDING].whole = s.place;
  set_text(&b[ALSO], s.also);
}

size_t sweep_shown(const walk *w, const point *p, size_t *shown)
{
  const question *q = p->q;
  size_t n = 0;

  if (walk_options(w)->best) {
    *shown = best_paradigm(q, p->a, 1);
    return *shown < q->paradigms;
  }
  for (size_t i = 0; i < q->paradigms; i++)
    if (p->a[i].met) shown[n++] = i;
  return n;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
