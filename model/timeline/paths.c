/* paths.c - the period of a step that begins when all before has ended.
 *
 * Its one thread waits, at the end, for all that it began.  So nothing of a
 * step reaches the next one but through that last call, and the period is the
 * longest path from it to itself:
 *
 *   T = max over paths of the sum of costs along it
 *
 * A path whose costs are all among another's is never longer, and is left
 * out. */

#include "predict/step.h"
#include "timeline/timeline.h"

#include <stdlib.h>
#include <string.h>

enum {
  PATHS_MAX = 48 /* more are not worth it: the timeline is asked */
};

/* Sums of costs, `costs` numbers each. */
typedef struct bundle {
  int n;
  double *sum;
} bundle;

typedef struct search {
  const gscale_timeline *t;
  int anchor; /* moment from which to which paths go */
  bundle *of; /* of each moment: the ways to it */
  bool *known;
  bool failed, many;
} search;

static bool within(const double *a, const double *b, int costs)
{
  for (int i = 0; i < costs; i++)
    if (a[i] > b[i]) return false;
  return true;
}

/* Adds a sum, unless it or another is no longer ever. */
static void add_sum(search *w, bundle *b, const double *sum)
{
  const int costs = w->t->costs;
  const size_t size = (size_t)costs * sizeof *sum;

  for (int i = 0; i < b->n; i++)
    if (within(sum, b->sum + i * costs, costs)) return;
  for (int i = 0; i < b->n;) {
    if (!within(b->sum + i * costs, sum, costs)) {
      i++;
      continue;
    }
    b->n--;
    memmove(b->sum + i * costs, b->sum + b->n * costs, size);
  }
  if (b->n == PATHS_MAX) {
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

/* The ways that an arc prolongs. */
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

/* Arcs of one period have no cycles: the timeline was compiled. */
static void find(search *w, int moment)
{
  const gscale_timeline *t = w->t;
  bundle b = {0};

  if (w->known[moment] || w->failed) return;
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

bool gscale__find_paths(const gscale_timeline *t, size_t last, gscale__form *f)
{
  const size_t moments = (size_t)t->moments;
  search w = {.t = t,
              .anchor = t->action[last].back.moment,
              .of = calloc(moments, sizeof *w.of),
              .known = calloc(moments, sizeof *w.known)};

  f->paths = 0;
  w.failed = !w.of || !w.known;
  if (!w.failed) find(&w, w.anchor);
  if (!w.failed && !w.many) w.failed = !keep(&w.of[w.anchor], t->costs, f);
  for (size_t i = 0; w.of && i < moments; i++) free(w.of[i].sum);
  free(w.of);
  free(w.known);
  return !w.failed;
}
