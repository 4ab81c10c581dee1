/* contract.c - of all moments only those where several arcs meet decide
 * anything: the others are a fixed time after one of these. */

#include "timeline/timeline.h"

#include <stdlib.h>

/* ---- arcs in order ------------------------------------------------------- */

static int tie_class(const gscale_timeline *t, int to, const gscale__arc *arc)
{
  const gscale__moment *from = &t->moment[arc->from];
  return 2 * (int)from->rank + (from->gpu != t->moment[to].gpu);
}

/* A stable sort by key < keys, of the indices in `from` into `to`. */
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

/* Of the arcs into a moment that say the same the first is kept. */
static void keep_arcs(gscale_timeline *t, const gscale__arcs *list,
                      const int *sorted)
{
  int n = 0, i = 0;

  for (int m = 0; m <= t->moments; m++) {
    const int begin = t->moment[m].first = n;
    for (; m < t->moments && i < (int)list->n && list->to[sorted[i]] == m;
         i++) {
      const gscale__arc *a = &list->arc[sorted[i]];
      const gscale__arc *last = n > begin ? &t->arc[n - 1] : NULL;
      if (last && last->from == a->from && last->periods == a->periods &&
          last->weight == a->weight)
        continue;
      t->arc[n++] = *a;
    }
  }
  t->arcs = n;
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

/* ---- within a period ----------------------------------------------------- */

typedef struct sorter {
  int *waits;       /* of each moment, arcs of the same period not yet passed */
  int *out, *start; /* moments that follow each; where they begin */
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

/* Those that follow each moment m in its period end up before start[m]. */
static void turn_round(const gscale_timeline *t, sorter *s)
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

/* Kahn's: what waits for nothing in its period comes first. */
static void sort(const gscale_timeline *t, sorter *s)
{
  turn_round(t, s);
  for (int m = 0; m < t->moments; m++)
    if (s->waits[m] == 0) s->queue[s->n++] = m;
  for (int i = 0; i < s->n; i++) {
    const int m = s->queue[i];
    for (int k = m ? s->start[m - 1] : 0; k < s->start[m]; k++)
      if (--s->waits[s->out[k]] == 0) s->queue[s->n++] = s->out[k];
  }
}

/* Going back from a moment that was never reached, along others that were not,
 * one comes to what waits for itself. */
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

/* Moments on a cycle in which each waits for one other only: one becomes a join
 * all the same.  state: 0 not seen, 1 being followed, 2 done. */
static void break_rounds(const gscale_timeline *t, bool *join, char *state)
{
  for (int m = 0; m < t->moments; m++) join[m] = arcs_into(t, m) != 1;
  for (int m = 0; m < t->moments; m++) {
    int at = m;
    while (!join[at] && state[at] == 0) {
      state[at] = 1;
      at = t->arc[t->moment[at].first].from;
    }
    if (!join[at] && state[at] == 1) join[at] = true;
    for (at = m; state[at] == 1; at = t->arc[t->moment[at].first].from)
      state[at] = 2;
  }
}

/* Parents before children, through arcs of any period. */
static int follow(const gscale_timeline *t, const bool *join, bool *done,
                  int *stack, int n, int m)
{
  int depth = 0;

  for (; !done[m]; m = t->arc[t->moment[m].first].from) {
    stack[depth++] = m;
    done[m] = true;
    if (join[m]) break;
  }
  while (depth > 0) t->order[n++] = stack[--depth];
  return n;
}

static void place(gscale_timeline *t, const bool *join, int m)
{
  if (join[m]) {
    t->lag[m] = t->offset_of[m] = 0;
    return;
  }
  const gscale__arc *a = &t->arc[t->moment[m].first];
  t->join_of[m] = t->join_of[a->from];
  t->lag[m] = t->lag[a->from] + a->periods;
  t->offset_of[m] = t->offsets;
  t->step[t->offsets++] = (gscale__step){t->offset_of[a->from], a->weight};
}

static void make_links(gscale_timeline *t)
{
  t->links = 0;
  for (int j = 0; j < t->joins; j++) {
    const int m = t->moment_of[j];
    t->first[j] = t->links;
    for (int a = t->moment[m].first; a < t->moment[m + 1].first; a++) {
      const gscale__arc *arc = &t->arc[a];
      const int periods = t->lag[arc->from] + arc->periods;
      t->link[t->links++] = (gscale__link){.from = t->join_of[arc->from],
                                           .offset = t->offset_of[arc->from],
                                           .weight = arc->weight,
                                           .arc = a,
                                           .tie = tie_class(t, m, arc),
                                           .periods = periods};
      if (periods > t->most) t->most = periods;
    }
  }
  t->first[t->joins] = t->links;
}

/* Scratch of contract(): all of one size. */
typedef struct notes {
  bool *join, *done;
  char *state;
  int *stack;
} notes;

static void contract(gscale_timeline *t, const sorter *s, const notes *n)
{
  int placed = 0;

  break_rounds(t, n->join, n->state);
  t->joins = 0;
  for (int i = 0; i < t->moments; i++) {
    const int m = s->queue[i];
    if (!n->join[m]) continue;
    t->join_of[m] = t->joins;
    t->moment_of[t->joins++] = m;
  }
  for (int m = 0; m < t->moments; m++)
    placed = follow(t, n->join, n->done, n->stack, placed, m);
  t->offsets = 1;
  t->step[0] = (gscale__step){0, GSCALE__NOTHING};
  t->most = 0.0;
  for (int i = 0; i < t->moments; i++) place(t, n->join, t->order[i]);
  make_links(t);
}

static bool contract_room(gscale_timeline *t)
{
  const size_t n = (size_t)t->moments, arcs = (size_t)t->arcs;

  t->first = malloc((n + 1) * sizeof *t->first);
  t->link = malloc((arcs + 1) * sizeof *t->link);
  t->join_of = malloc(n * sizeof *t->join_of);
  t->lag = malloc(n * sizeof *t->lag);
  t->offset_of = malloc(n * sizeof *t->offset_of);
  t->order = malloc(n * sizeof *t->order);
  t->moment_of = malloc(n * sizeof *t->moment_of);
  t->step = malloc((n + 1) * sizeof *t->step);
  return t->first && t->link && t->join_of && t->lag && t->offset_of &&
         t->order && t->moment_of && t->step;
}

static gscale_status contract_sorted(gscale_timeline *t, const sorter *s)
{
  const size_t size = (size_t)t->moments;
  notes n = {calloc(size, sizeof(bool)), calloc(size, sizeof(bool)),
             calloc(size, 1), malloc(size * sizeof(int))};
  const bool ok = n.join && n.done && n.state && n.stack && contract_room(t);

  if (ok) contract(t, s, &n);
  free(n.join);
  free(n.done);
  free(n.state);
  free(n.stack);
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
