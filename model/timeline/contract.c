/* contract.c - contraction of a timeline to its joins: moments with several
 * incoming arcs.  Any other moment is a fixed time after another moment. */

#include "timeline/timeline.h"

#include <stdlib.h>

/* ---- order of arcs ------------------------------------------------------- */

static int tie_class(const gscale_timeline *t, int to, const gscale__arc *arc)
{
  const gscale__moment *from = &t->moment[arc->from];
  return 2 * (int)from->rank + (from->gpu != t->moment[to].gpu);
}

/* Sorts the indices in `from` by key (< keys) into `to`, stably. */
static bool counting_sort(size_t n, const int *key, int keys, const int *from,
                          int *to)
{
  int *start = calloc((size_t)keys + 1, sizeof *start);

  if (!start) return false;
  for (size_t i = 0; i < n; i++) start[key[i] + 1]++;
  for (int k = 0; k < keys; k++) start[k + 1] += start[k];
  for (size_t i = 0; i < n; i++) to[start[key[from[i]]]++] = from[i];
  free(start);
  return true;
}

/* Adds an arc into the moment whose arcs start at `begin`, unless the arc
 * equals the previous one. */
static void add_arc(gscale_timeline *t, int begin, const gscale__arc *arc)
{
  const gscale__arc *last = t->arcs > begin ? &t->arc[t->arcs - 1] : NULL;

  if (last && last->from == arc->from && last->periods == arc->periods &&
      last->weight == arc->weight)
    return;
  t->arc[t->arcs++] = *arc;
}

/* Keeps only the first of equal arcs into a moment. */
static void keep_arcs(gscale_timeline *t, const gscale__arcs *list,
                      const int *sorted)
{
  int i = 0;

  t->arcs = 0;
  for (int m = 0; m < t->moments; m++) {
    t->moment[m].first = t->arcs;
    for (; i < (int)list->n && list->to[sorted[i]] == m; i++)
      add_arc(t, t->moment[m].first, &list->arc[sorted[i]]);
  }
  t->moment[t->moments].first = t->arcs;
}

bool gscale__sort_arcs(gscale_timeline *t, const gscale__arcs *list)
{
  const size_t n = list->n;
  int *key = malloc((n + 1) * sizeof *key);
  int *a = malloc((n + 1) * sizeof *a), *b = malloc((n + 1) * sizeof *b);
  bool ok = false;

  t->arc = malloc((n + 1) * sizeof *t->arc);
  if (key && a && b && t->arc) {
    for (size_t i = 0; i < n; i++) {
      a[i] = (int)i;
      key[i] = tie_class(t, list->to[i], &list->arc[i]);
    }
    ok = counting_sort(n, key, 2 * GSCALE__RANK_END, a, b) &&
         counting_sort(n, list->to, t->moments, b, a);
  }
  if (ok) keep_arcs(t, list, a);
  free(key);
  free(a);
  free(b);
  return ok;
}

/* ---- topological order --------------------------------------------------- */

typedef struct sorter {
  int *waits;       /* arcs of the period not yet counted */
  int *out, *start; /* followers; where they begin */
  int *queue;
  int n;
} sorter;

static bool sorter_new(const gscale_timeline *t, sorter *s)
{
  const size_t n = (size_t)t->moments;

  *s = (sorter){calloc(n, sizeof(int)),
                malloc(((size_t)t->arcs + 1) * sizeof(int)),
                calloc(n + 1, sizeof(int)), malloc(n * sizeof(int)), 0};
  return s->waits && s->out && s->start && s->queue;
}

static void sorter_free(sorter *s)
{
  free(s->waits);
  free(s->out);
  free(s->start);
  free(s->queue);
}

/* Lists the followers of each moment m in its period, up to start[m]. */
static void list_followers(const gscale_timeline *t, sorter *s)
{
  for (int a = 0; a < t->arcs; a++)
    if (t->arc[a].periods == 0) s->start[t->arc[a].from + 1]++;
  for (int m = 0; m < t->moments; m++) s->start[m + 1] += s->start[m];
  for (int m = 0; m < t->moments; m++)
    for (int a = t->moment[m].first; a < t->moment[m + 1].first; a++) {
      if (t->arc[a].periods != 0) continue;
      s->out[s->start[t->arc[a].from]++] = m;
      s->waits[m]++;
    }
}

/* Sorts the moments topologically by Kahn's algorithm. */
static void sort(const gscale_timeline *t, sorter *s)
{
  list_followers(t, s);
  for (int m = 0; m < t->moments; m++)
    if (s->waits[m] == 0) s->queue[s->n++] = m;
  for (int i = 0; i < s->n; i++) {
    const int m = s->queue[i];
    for (int k = m ? s->start[m - 1] : 0; k < s->start[m]; k++)
      if (--s->waits[s->out[k]] == 0) s->queue[s->n++] = s->out[k];
  }
}

/* Returns a moment that waits for itself.  A walk backwards from an unreached
 * moment over unreached moments ends on such a cycle. */
static int cycle_member(const gscale_timeline *t, const sorter *s)
{
  int m = 0;

  while (s->waits[m] == 0) m++;
  for (int steps = 0; steps < t->moments; steps++) {
    int a = t->moment[m].first;
    while (t->arc[a].periods != 0 || s->waits[t->arc[a].from] == 0) a++;
    m = t->arc[a].from;
  }
  return m;
}

/* ---- joins --------------------------------------------------------------- */

static int arcs_into(const gscale_timeline *t, int m)
{
  return t->moment[m + 1].first - t->moment[m].first;
}

/* State of a moment during contraction. */
typedef struct note {
  bool join;
  enum {
    NEW,
    FOLLOWED,
    DONE
  } state; /* state of the cycle search */
  bool placed;
} note;

/* Returns the source of a moment's first arc. */
static int source_of(const gscale_timeline *t, int m)
{
  return t->arc[t->moment[m].first].from;
}

/* Makes a moment of each cycle a join if the cycle has no join. */
static void break_cycles(const gscale_timeline *t, note *n)
{
  for (int m = 0; m < t->moments; m++) n[m].join = arcs_into(t, m) != 1;
  for (int m = 0; m < t->moments; m++) {
    int at = m;
    for (; !n[at].join && n[at].state == NEW; at = source_of(t, at))
      n[at].state = FOLLOWED;
    n[at].join = n[at].join || n[at].state == FOLLOWED;
    for (at = m; n[at].state == FOLLOWED; at = source_of(t, at))
      n[at].state = DONE;
  }
}

/* Places parents before children, along arcs of any period. */
static int place_ancestors(const gscale_timeline *t, note *n, int *stack,
                           int placed, int m)
{
  int depth = 0;

  for (; !n[m].placed; m = source_of(t, m)) {
    stack[depth++] = m;
    n[m].placed = true;
    if (n[m].join) break;
  }
  while (depth > 0) t->order[placed++] = stack[--depth];
  return placed;
}

/* Places a moment that is not a join. */
static void place_moment(gscale_timeline *t, int m)
{
  const gscale__arc *a = &t->arc[t->moment[m].first];
  const gscale__spot *from = &t->spot[a->from];

  t->spot[m] = (gscale__spot){from->join, from->lag + a->periods, t->offsets};
  t->step[t->offsets++] = (gscale__step){from->offset, a->weight};
}

static void make_links(gscale_timeline *t)
{
  t->links = 0;
  for (int j = 0; j < t->joins; j++) {
    const int m = t->moment_of[j];
    t->first[j] = t->links;
    for (int a = t->moment[m].first; a < t->moment[m + 1].first; a++) {
      const gscale__arc *arc = &t->arc[a];
      const gscale__spot *from = &t->spot[arc->from];
      const int periods = from->lag + arc->periods;
      t->link[t->links++] = (gscale__link){.from = from->join,
                                           .offset = from->offset,
                                           .weight = arc->weight,
                                           .arc = a,
                                           .tie = tie_class(t, m, arc),
                                           .periods = periods};
      if (periods > t->most) t->most = periods;
    }
  }
  t->first[t->joins] = t->links;
}

/* Sorting has emptied s->waits, which is reused as a stack. */
static void contract(gscale_timeline *t, const sorter *s, note *n)
{
  int placed = 0;

  break_cycles(t, n);
  t->joins = 0;
  for (int i = 0; i < t->moments; i++) {
    const int m = s->queue[i];
    if (!n[m].join) continue;
    t->spot[m] = (gscale__spot){t->joins, 0, 0};
    t->moment_of[t->joins++] = m;
  }
  for (int m = 0; m < t->moments; m++)
    placed = place_ancestors(t, n, s->waits, placed, m);
  t->offsets = 1;
  t->step[0] = (gscale__step){0, GSCALE__NOTHING};
  t->most = 0.0;
  for (int i = 0; i < t->moments; i++)
    if (!n[t->order[i]].join) place_moment(t, t->order[i]);
  make_links(t);
}

static bool contract_room(gscale_timeline *t)
{
  const size_t n = (size_t)t->moments, arcs = (size_t)t->arcs;

  t->first = malloc((n + 1) * sizeof *t->first);
  t->link = malloc((arcs + 1) * sizeof *t->link);
  t->spot = malloc(n * sizeof *t->spot);
  t->order = malloc(n * sizeof *t->order);
  t->moment_of = malloc(n * sizeof *t->moment_of);
  t->step = malloc((n + 1) * sizeof *t->step);
  return t->first && t->link && t->spot && t->order && t->moment_of && t->step;
}

static gscale_status contract_sorted(gscale_timeline *t, const sorter *s)
{
  note *n = calloc((size_t)t->moments, sizeof *n);
  const bool ok = n && contract_room(t);

  if (ok) contract(t, s, n);
  free(n);
  return ok ? GSCALE_OK : GSCALE_ENOMEM;
}

gscale_status gscale__contract(gscale_timeline *t, const gscale_action *action,
                               gscale_diag *diag)
{
  gscale_status st = GSCALE_ENOMEM;
  sorter s;

  if (sorter_new(t, &s)) {
    sort(t, &s);
    if (s.n < t->moments)
      st = gscale__refuse_action(diag, GSCALE_EDATA, action,
                                 (size_t)t->moment[cycle_member(t, &s)].action,
                                 "it waits for itself: a deadlock");
    else
      st = contract_sorted(t, &s);
  }
  sorter_free(&s);
  return st == GSCALE_ENOMEM
             ? gscale__fail(diag, st, "no memory for a timeline")
             : st;
}

/* ---- objects ------------------------------------------------------------- */

gscale_status gscale_timeline_new(const gscale_schedule *s,
                                  gscale_timeline **out, gscale_diag *diag)
{
  gscale_timeline *t = calloc(1, sizeof *t);
  if (!t) return gscale__fail(diag, GSCALE_ENOMEM, "no memory for a timeline");

  gscale_status st = gscale__unfold(s, t, diag);
  if (st == GSCALE_OK) st = gscale__contract(t, s->action, diag);
  if (st == GSCALE_OK)
    *out = t;
  else
    gscale_timeline_free(t);
  return st;
}

void gscale_timeline_free(gscale_timeline *t)
{
  if (!t) return;
  free(t->action);
  free(t->owner);
  free(t->moment);
  free(t->arc);
  free(t->row);
  free(t->first);
  free(t->link);
  free(t->spot);
  free(t->order);
  free(t->moment_of);
  free(t->step);
  free(t);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
