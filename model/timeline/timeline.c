/* timeline.c - period of a step, and its critical cycle.
 *
 * The time x of each join in a contracted timeline is
 *
 *   x[to] = max over links ( x[from] + weight - T * periods )
 *
 * T is the largest (sum of weights)/(sum of periods) of any cycle.  In Howard's
 * algorithm, each join follows one link (a policy).  The algorithm computes the
 * best cycle of the policy and the times that this cycle gives, and then lets
 * each join follow its latest link.  The algorithm ends when no link is later
 * than its join, which proves T: a better cycle would have a later link.
 *
 * Joins that the best cycle does not reach (a GPU that no other GPU delays) are
 * examined after all other joins are settled.  No cycle contains joins of both
 * sets. */

#include "timeline/timeline.h"

#include <limits.h>
#include <math.h>

/* Times that differ by less than this share of the period are equal: ROUNDING
 * for comparisons of links, TIE for the choice among critical cycles. */
static const double ROUNDING = 1e-13;
static const double TIE = 1e-12;

double gscale_timeline_crowd(int threads, double room)
{
  if (threads < 1 || !(room > 0.0)) return NAN;
  const double others = threads - 1.0;
  return isinf(room) ? others : (1.0 + room) * others / (others + room);
}

/* ---- working memory ------------------------------------------------------ */

typedef struct work {
  const gscale_timeline *t;
  double *row;    /* s of each weight */
  double *offset; /* s of each offset */
  double *weight; /* s of each link */
  double *x;      /* s of joins; -INFINITY: unreached */
  int *policy;    /* link of each join */
  int *order;     /* joins after their sources */
  int *round;     /* round in which each join was ordered */
  int *stack;
  int *next;   /* next link of each join */
  int *path;   /* critical cycle, latest first */
  bool *apart; /* joins that the best cycle does not reach */
  double period;
  double tie; /* s, smallest difference between times */
  int anchor; /* some join on the best cycle */
} work;

size_t gscale_timeline_scratch(const gscale_timeline *t)
{
  const size_t joins = (size_t)t->joins, links = (size_t)t->links;
  const size_t doubles =
      (size_t)t->weights + (size_t)t->offsets + links + joins;

  return doubles * sizeof(double) +
         (5 * joins + (size_t)t->moments) * sizeof(int) + joins * sizeof(bool);
}

static work work_of(const gscale_timeline *t, void *scratch)
{
  const size_t joins = (size_t)t->joins;
  work w = {.t = t, .row = scratch};

  w.offset = w.row + t->weights;
  w.weight = w.offset + t->offsets;
  w.x = w.weight + t->links;
  w.policy = (int *)(void *)(w.x + joins);
  w.order = w.policy + joins;
  w.round = w.order + joins;
  w.stack = w.round + joins;
  w.next = w.stack + joins;
  w.path = w.next + joins;
  w.apart = (bool *)(w.path + t->moments);
  return w;
}

/* ---- weights ------------------------------------------------------------- */

static bool costs_ok(const gscale_timeline *t, const double *cost)
{
  double sum = 0.0;

  for (int i = 0; i < t->costs; i++) {
    if (!(cost[i] >= 0.0)) return false;
    sum += cost[i];
  }
  return isfinite(sum);
}

static void compute_weights(const work *w, const double *cost)
{
  const gscale_timeline *t = w->t;

  for (int i = 0; i < t->weights; i++) {
    const gscale__row *r = &t->row[i]; /* absent terms are 0 */
    w->row[i] = r->times[0] * cost[r->cost[0]] +
                r->times[1] * cost[r->cost[1]] + r->times[2] * cost[r->cost[2]];
  }
  w->offset[0] = 0.0;
  for (int i = 1; i < t->offsets; i++)
    w->offset[i] = w->offset[t->step[i].parent] + w->row[t->step[i].weight];
  for (int l = 0; l < t->links; l++)
    w->weight[l] = w->offset[t->link[l].offset] + w->row[t->link[l].weight];
}

/* ---- Howard's algorithm -------------------------------------------------- */

/* Computes the first step after a step that ended at 0.  The latest links
 * become the first policy. */
static void first_step(work *w)
{
  const gscale_timeline *t = w->t;

  for (int j = 0; j < t->joins; j++) {
    double latest = -INFINITY;
    for (int l = t->first[j]; l < t->first[j + 1]; l++) {
      const gscale__link *k = &t->link[l];
      const double at = w->weight[l] + (k->periods > 0.0 ? 0.0 : w->x[k->from]);
      if (at > latest) {
        latest = at;
        w->policy[j] = l;
      }
    }
    w->x[j] = latest;
  }
}

/* Returns the mean of the policy's cycle through join j. */
static double cycle_mean(const work *w, int j)
{
  double sum = 0.0, periods = 0.0;
  int at = j;

  do {
    const gscale__link *k = &w->t->link[w->policy[at]];
    sum += w->weight[w->policy[at]];
    periods += k->periods;
    at = k->from;
  } while (at != j);
  return sum / periods;
}

/* Returns the mean of the best cycle of the policy, and orders the joins so
 * that each join follows its source, except one join of each cycle. */
static double best_cycle(work *w, int *anchor)
{
  const gscale_timeline *t = w->t;
  double best = -INFINITY;
  int placed = 0;

  for (int j = 0; j < t->joins; j++) w->round[j] = -1;
  for (int j = 0; j < t->joins; j++) {
    int depth = 0, at = j;
    for (; w->round[at] < 0; at = t->link[w->policy[at]].from) {
      w->round[at] = j;
      w->stack[depth++] = at;
    }
    if (w->round[at] == j && depth > 0) {
      const double mean = cycle_mean(w, at);
      if (mean > best) {
        best = mean;
        *anchor = at;
      }
    }
    while (depth > 0) w->order[placed++] = w->stack[--depth];
  }
  return best;
}

/* Computes the times of joins whose policy leads back to the best cycle.  All
 * other times stay unknown. */
static void follow_policy(work *w)
{
  const gscale_timeline *t = w->t;

  for (int j = 0; j < t->joins; j++) w->x[j] = -INFINITY;
  w->x[w->anchor] = 0.0;
  for (int i = 0; i < t->joins; i++) {
    const int j = w->order[i];
    if (j == w->anchor) continue;
    const gscale__link *k = &t->link[w->policy[j]];
    w->x[j] = w->x[k->from] + w->weight[w->policy[j]] - w->period * k->periods;
  }
}

static double at_of(const work *w, int l)
{
  const gscale__link *k = &w->t->link[l];
  return w->x[k->from] + w->weight[l] - w->period * k->periods;
}

/* Returns a tolerance in s: a share of a period, plus rounding of links. */
static double within(const work *w, double share)
{
  return w->period * (share + 1e-15 * w->t->most);
}

/* Lets each join of one set, apart or not, follow its latest link.  Returns
 * true if any policy changed. */
static bool sweep(work *w, bool apart)
{
  const gscale_timeline *t = w->t;
  const double rounding = within(w, ROUNDING);
  bool changed = false;

  for (int j = 0; j < t->joins; j++) {
    if (w->apart[j] != apart) continue;
    for (int l = t->first[j]; l < t->first[j + 1]; l++) {
      const double at = at_of(w, l);
      if (!(at > w->x[j] + rounding)) continue;
      w->x[j] = at;
      w->policy[j] = l;
      changed = true;
    }
  }
  return changed;
}

/* Sweeps until nothing changes, or returns true when a better cycle appears.
 * Except for rounding, at most as many sweeps as joins are needed. */
static bool find_better(work *w, bool apart)
{
  for (int i = 0; i <= w->t->joins && sweep(w, apart); i++) {
    int anchor = 0;
    const double mean = best_cycle(w, &anchor);
    if (mean > w->period + within(w, ROUNDING)) {
      w->period = mean;
      w->anchor = anchor;
      return true;
    }
  }
  return false;
}

/* Sets apart the joins off the best cycle.  Returns true if any exists. */
static bool set_apart(work *w)
{
  bool any = false;

  for (int j = 0; j < w->t->joins; j++) {
    w->apart[j] = isinf(w->x[j]);
    if (w->apart[j]) w->x[j] = 0.0;
    any = any || w->apart[j];
  }
  return any;
}

/* Improves a policy that has one cycle, through the anchor. */
static void improve(work *w)
{
  do {
    do {
      for (int j = 0; j < w->t->joins; j++) w->apart[j] = false;
      follow_policy(w);
    } while (find_better(w, false));
  } while (set_apart(w) && find_better(w, true));
}

static void solve(work *w)
{
  first_step(w);
  w->period = best_cycle(w, &w->anchor);
  improve(w);
}

/* ---- critical cycle ------------------------------------------------------ */

static bool is_tight(const work *w, int j, int l)
{
  return at_of(w, l) >= w->x[j] - w->tie;
}

/* Knots are strongly connected components of the tight links, and all critical
 * cycles lie inside them.  The search is Tarjan's: round[] is the order of
 * discovery first, and joins + knot later. */
typedef struct knots {
  int found, depth, kept, n;
} knots;

static void discover(work *w, knots *k, int j)
{
  w->round[j] = w->order[j] = k->found++;
  w->next[j] = w->t->first[j];
  w->path[k->depth++] = w->stack[k->kept++] = j;
}

/* Follows the next link of the last join on the path, or leaves the join. */
static void advance(work *w, knots *k)
{
  const int joins = w->t->joins, j = w->path[k->depth - 1];

  if (w->next[j] < w->t->first[j + 1]) {
    const int l = w->next[j]++, from = w->t->link[l].from;
    if (!is_tight(w, j, l)) return;
    if (w->round[from] < 0)
      discover(w, k, from);
    else if (w->round[from] < w->order[j])
      w->order[j] = w->round[from];
    return;
  }
  k->depth--;
  if (k->depth > 0 && w->order[j] < w->order[w->path[k->depth - 1]])
    w->order[w->path[k->depth - 1]] = w->order[j];
  if (w->order[j] < w->round[j]) return;
  int last;
  do {
    last = w->stack[--k->kept];
    w->round[last] = joins + k->n;
  } while (last != j);
  k->n++;
}

static void find_knots(work *w)
{
  knots k = {0, 0, 0, 0};

  for (int j = 0; j < w->t->joins; j++) w->round[j] = -1;
  for (int j = 0; j < w->t->joins; j++) {
    if (w->round[j] < 0) discover(w, &k, j);
    while (k.depth > 0) advance(w, &k);
  }
}

/* Returns the join's first critical link in the order of ties, or -1. */
static int first_critical(const work *w, int j)
{
  for (int l = w->t->first[j]; l < w->t->first[j + 1]; l++)
    if (w->round[w->t->link[l].from] == w->round[j] && is_tight(w, j, l))
      return l;
  return -1;
}

/* Chooses one critical cycle, which starts at the link that is first among ties
 * and goes back by such links until it closes.  The links become the policy. */
static void choose_cycle(work *w)
{
  const gscale_timeline *t = w->t;
  int best = INT_MAX, j = w->anchor;

  w->tie = within(w, TIE);
  find_knots(w);
  for (int i = 0; i < t->joins; i++) {
    const int l = first_critical(w, i);
    w->order[i] = 0;
    if (l < 0) continue;
    w->policy[i] = l;
    if (t->link[l].tie < best) {
      best = t->link[l].tie;
      j = i;
    }
  }
  for (; w->order[j] == 0; j = t->link[w->policy[j]].from) w->order[j] = 1;
  w->anchor = j;
}

static void add_row(const work *w, int weight, double *gradient)
{
  const gscale__row *r = &w->t->row[weight];
  for (int k = 0; k < r->terms; k++) gradient[r->cost[k]] += r->times[k];
}

/* Computes dT/dcost, which is how often each cost is on the cycle, per step. */
static void sum_cycle(const work *w, double *gradient)
{
  const gscale_timeline *t = w->t;
  double periods = 0.0;
  int j = w->anchor;

  for (int i = 0; i < t->costs; i++) gradient[i] = 0.0;
  do {
    const gscale__link *k = &t->link[w->policy[j]];
    add_row(w, k->weight, gradient);
    for (int o = k->offset; o != 0; o = t->step[o].parent)
      add_row(w, t->step[o].weight, gradient);
    periods += k->periods;
    j = k->from;
  } while (j != w->anchor);
  const double share = 1.0 / (periods * t->slots);
  for (int i = 0; i < t->costs; i++) gradient[i] *= share;
}

static bool find_period(work *w, const gscale_timeline *t, const double *cost,
                        void *scratch)
{
  if (!costs_ok(t, cost)) return false;
  *w = work_of(t, scratch);
  compute_weights(w, cost);
  solve(w);
  return true;
}

double gscale_timeline_period(const gscale_timeline *t, const double *cost,
                              void *scratch, double *gradient)
{
  double period = 0.0;
  work w;

  if (!find_period(&w, t, cost, scratch)) return NAN;
  if (!gradient) return w.period / t->slots; /* any critical cycle suffices */
  choose_cycle(&w);
  sum_cycle(&w, gradient);
  for (int i = 0; i < t->costs; i++) period += cost[i] * gradient[i];
  return period;
}

/* ---- times of actions ---------------------------------------------------- */

/* Moves the joins set apart as late as the other joins permit. */
static void shift_apart(work *w)
{
  const gscale_timeline *t = w->t;
  double late = INFINITY;

  for (int j = 0; j < t->joins; j++)
    for (int l = t->first[j]; l < t->first[j + 1] && !w->apart[j]; l++)
      if (w->apart[t->link[l].from]) late = fmin(late, w->x[j] - at_of(w, l));
  for (int j = 0; j < t->joins && isfinite(late); j++)
    if (w->apart[j]) w->x[j] += late;
}

static double time_of(const work *w, gscale__when at)
{
  const gscale_timeline *t = w->t;

  if (at.moment < 0) return NAN;
  const gscale__spot *s = &t->spot[at.moment];
  return w->x[s->join] + w->offset[s->offset] -
         w->period * (s->lag + at.periods);
}

bool gscale_timeline_times(const gscale_timeline *t, const double *cost,
                           void *scratch, gscale_span *span)
{
  const size_t all = (size_t)t->slots * t->actions;
  double zero = INFINITY;
  work w;

  if (!find_period(&w, t, cost, scratch)) return false;
  choose_cycle(&w);
  shift_apart(&w);
  for (size_t i = 0; i < all; i++)
    zero = fmin(zero, time_of(&w, t->action[i].call)); /* fmin ignores NaN */
  for (size_t i = 0; i < 2 * t->actions; i++) {
    const gscale__action *a = &t->action[i % all];
    /* If a schedule does not alternate, its odd steps equal its even steps. */
    const double from = zero - (i < all ? 0.0 : w.period);
    span[i] =
        (gscale_span){time_of(&w, a->call) - from, time_of(&w, a->back) - from,
                      time_of(&w, a->begin) - from, time_of(&w, a->end) - from};
  }
  return true;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
