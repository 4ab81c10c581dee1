/* paths.c - compiled schedules, and their periods as longest paths.
 *
 * If a step begins when all earlier work has ended, its single thread waits at
 * the end for all work of the step.  Only this last call reaches the next step,
 * so that the period is the longest path from the last call to itself:
 *
 *   T = max over paths of the sum of costs along the path
 *
 * If all costs of a path are also costs of another path, the first path is
 * never longer and is omitted. */

#include "timeline/timeline.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* Sums of costs along paths.  Each sum has `costs` numbers. */
typedef struct bundle {
  int n;
  double *sum;
} bundle;

typedef struct search {
  const gscale_timeline *t;
  int anchor; /* moment where paths start and end */
  bundle *of; /* paths to each moment */
  bool *known;
  bool failed, many;
} search;

static bool is_contained(const double *a, const double *b, int costs)
{
  for (int i = 0; i < costs; i++)
    if (a[i] > b[i]) return false;
  return true;
}

/* Adds a sum, unless another sum is as long or longer for all costs.  Removes
 * sums that the added sum makes needless. */
static void add_sum(search *w, bundle *b, const double *sum)
{
  const int costs = w->t->costs;
  const size_t size = (size_t)costs * sizeof *sum;

  for (int i = 0; i < b->n; i++)
    if (is_contained(sum, b->sum + i * costs, costs)) return;
  for (int i = 0; i < b->n;) {
    if (!is_contained(b->sum + i * costs, sum, costs)) {
      i++;
      continue;
    }
    b->n--;
    memmove(b->sum + i * costs, b->sum + b->n * costs, size);
  }
  if (b->n == GSCALE__PATHS_MAX) {
    w->many = true;
    return;
  }
  double *more = realloc(b->sum, (size_t)(b->n + 1) * size);
  if (!more) {
    w->failed = true;
    return;
  }
  b->sum = more;
  memcpy(b->sum + b->n++ * costs, sum, size);
}

static void add_row(const gscale_timeline *t, int weight, double *sum)
{
  const gscale__row *r = &t->row[weight];
  for (int i = 0; i < r->terms; i++) sum[r->cost[i]] += r->times[i];
}

static void find(search *w, int moment);

/* Extends the paths to the source of an arc by the arc. */
static void follow(search *w, const gscale__arc *arc, bundle *into)
{
  const gscale_timeline *t = w->t;
  const size_t costs = (size_t)t->costs;
  double *sum = calloc(costs, sizeof *sum);

  if (!sum) {
    w->failed = true;
    return;
  }
  if (arc->periods == 0) {
    find(w, arc->from);
    for (int i = 0; i < w->of[arc->from].n; i++) {
      memcpy(sum, w->of[arc->from].sum + (size_t)i * costs,
             costs * sizeof *sum);
      add_row(t, arc->weight, sum);
      add_sum(w, into, sum);
    }
  } else if (arc->from == w->anchor && arc->periods == 1) {
    add_row(t, arc->weight, sum);
    add_sum(w, into, sum);
  }
  free(sum);
}

/* Finds the paths to a moment.  Arcs within a period have no cycles, because
 * the timeline was compiled. */
static void find(search *w, int moment)
{
  const gscale_timeline *t = w->t;
  bundle b = {0};

  if (w->known[moment] || w->failed || w->many) return;
  w->known[moment] = true;
  for (int a = t->moment[moment].first; a < t->moment[moment + 1].first; a++)
    follow(w, &t->arc[a], &b);
  w->of[moment] = b;
}

static int count_terms(const bundle *b, int costs)
{
  int n = 0;
  for (int i = 0; i < b->n * costs; i++) n += b->sum[i] > 0.0;
  return n;
}

static bool keep(const bundle *b, int costs, gscale__form *f)
{
  int n = 0;

  f->first = malloc(((size_t)b->n + 1) * sizeof *f->first);
  f->term = malloc(((size_t)count_terms(b, costs) + 1) * sizeof *f->term);
  if (!f->first || !f->term) return false;
  for (int i = 0; i < b->n; i++) {
    f->first[i] = n;
    for (int c = 0; c < costs; c++)
      if (b->sum[i * costs + c] > 0.0)
        f->term[n++] = (gscale__term){c, b->sum[i * costs + c]};
  }
  f->first[b->n] = n;
  f->paths = b->n;
  return true;
}

/* Finds the paths of a form.  A form with too many paths keeps none. */
static bool find_paths(gscale__form *f, size_t last)
{
  const gscale_timeline *t = f->timeline;
  const size_t moments = (size_t)t->moments;
  search w = {.t = t,
              .anchor = t->action[last].back.moment,
              .of = calloc(moments, sizeof *w.of),
              .known = calloc(moments, sizeof *w.known)};

  w.failed = !w.of || !w.known;
  if (!w.failed) find(&w, w.anchor);
  if (!w.failed && !w.many) w.failed = !keep(&w.of[w.anchor], t->costs, f);
  for (size_t i = 0; w.of && i < moments; i++) free(w.of[i].sum);
  free(w.of);
  free(w.known);
  return !w.failed;
}

/* ---- forms --------------------------------------------------------------- */

static bool lump(gscale__form *f)
{
  gscale_timeline *less = NULL;

  if (gscale_timeline_lump(f->timeline, NULL, &less, NULL) != GSCALE_OK)
    return false;
  gscale_timeline_free(f->timeline);
  f->timeline = less;
  return true;
}

static bool lasts(gscale_action_kind k)
{
  return k <= GSCALE_COLLECTIVE || k == GSCALE_HOST_WORK;
}

static bool note_used(gscale__form *f, const gscale_schedule *s)
{
  bool *used = calloc((size_t)s->durations + 1, sizeof *used);

  f->durations = s->durations;
  f->used = malloc(((size_t)s->durations + 1) * sizeof *f->used);
  if (used && f->used) {
    for (size_t i = 0; i < s->actions; i++)
      if (lasts(s->action[i].kind)) used[s->action[i].length] = true;
    for (int d = 0; d < s->durations; d++)
      if (used[d]) f->used[f->uses++] = d;
  }
  free(used);
  return used && f->used;
}

static void note_costs(gscale__form *f)
{
  bool any[GSCALE_COST_END] = {false};

  for (int i = 0; f->paths > 0 && i < f->first[f->paths]; i++)
    if (f->term[i].cost < GSCALE_COST_END) any[f->term[i].cost] = true;
  for (int c = 0; c < GSCALE_COST_END; c++)
    if (any[c] || f->paths == 0) {
      f->look[f->looks++] = (unsigned char)c;
      f->looked |= (uint64_t)1 << c;
    }
  f->waits = any[GSCALE_COST_ISSUE + GSCALE_WAIT] || f->paths == 0;
}

gscale_status gscale__form_open(gscale__form *f, const gscale_schedule *s,
                                bool lumps, gscale_diag *diag)
{
  *f = (gscale__form){.schedule = s};
  const gscale_status st = gscale_timeline_new(s, &f->timeline, diag);
  if (st != GSCALE_OK) return st;

  if ((lumps ? s->threads < 2 || lump(f) : find_paths(f, s->actions - 1)) &&
      note_used(f, s)) {
    note_costs(f);
    return GSCALE_OK;
  }
  gscale__form_close(f);
  return gscale__fail(diag, GSCALE_ENOMEM, "no memory for a schedule");
}

void gscale__form_close(gscale__form *f)
{
  gscale_timeline_free(f->timeline);
  free(f->used);
  free(f->first);
  free(f->term);
  *f = (gscale__form){0};
}

/* ---- periods ------------------------------------------------------------- */

static double path_length(const gscale__form *f, int path, const double *cost)
{
  double sum = 0.0;

  for (int i = f->first[path]; i < f->first[path + 1]; i++)
    sum += f->term[i].times * cost[f->term[i].cost];
  return sum;
}

double gscale__form_path(const gscale__form *f, const double *cost, int *path)
{
  double most = path_length(f, 0, cost);

  *path = 0;
  for (int i = 1; i < f->paths; i++) {
    const double t = path_length(f, i, cost);
    if (t > most || isnan(t)) {
      most = t;
      *path = i;
    }
  }
  return most;
}

static double longest(const gscale__form *f, const double *cost,
                      double *gradient)
{
  int best;
  const double most = gscale__form_path(f, cost, &best);

  if (!gradient) return most;
  memset(gradient, 0,
         (size_t)(GSCALE_COST_END + f->durations) * sizeof *gradient);
  for (int i = f->first[best]; i < f->first[best + 1]; i++)
    gradient[f->term[i].cost] = f->term[i].times;
  return most;
}

static double timeline_period(const gscale__form *f, const double *cost,
                              double *gradient)
{
  void *scratch = malloc(gscale_timeline_scratch(f->timeline));

  if (!scratch) return gscale__refused();
  const double t = gscale_timeline_period(f->timeline, cost, scratch, gradient);
  free(scratch);
  return t;
}

double gscale__form_period(const gscale__form *f, const double *cost,
                           double *gradient)
{
  return f->paths > 0 ? longest(f, cost, gradient)
                      : timeline_period(f, cost, gradient);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
