/* beside.c - periods by one policy of several vectors of costs, beside each
 * other.
 *
 * Most costs that are moved leave the policy as it is: then the period is the
 * mean of its cycle, and one sweep over the links proves it (timeline.c).  All
 * is done for GSCALE__AT_ONCE vectors at once, in loops that compilers turn
 * into vector instructions. */

#include "timeline/timeline.h"

#include <stdlib.h>

typedef gscale__lanes lanes; /* a number of each vector */

#define EACH GSCALE__EACH

/* ---- memory -------------------------------------------------------------- */

static size_t scratch_of(const gscale_timeline *t)
{
  const size_t beside =
      ((size_t)t->weights + (size_t)t->offsets + (size_t)t->joins) *
      sizeof(lanes);
  const size_t alone = gscale_timeline_scratch(t);

  return (beside > alone ? beside : alone) + sizeof(double);
}

bool gscale__memo_open(gscale__memo *m, const gscale_timeline *t)
{
  const size_t joins = (size_t)t->joins, costs = (size_t)t->costs;
  const size_t scratch = scratch_of(t) / sizeof(double);
  const size_t need = (2 * costs + scratch) * sizeof(double) +
                      costs * sizeof(lanes) + 2 * joins * sizeof(int) +
                      (size_t)t->links * sizeof(bool);

  if (need > m->room) {
    gscale__memo_close(m);
    m->gradient = malloc(need);
    if (!m->gradient) return false;
    m->room = need;
  }
  m->of = t;
  m->known = m->chosen = false;
  m->cost = m->gradient + costs;
  m->scratch = m->cost + costs * GSCALE__AT_ONCE;
  m->one = m->scratch + scratch;
  m->policy = (int *)(void *)(m->one + costs);
  m->order = m->policy + joins;
  m->tight = (bool *)(m->order + joins);
  gscale__clear(m->cost, costs * sizeof(lanes)); /* not all are ever put */
  return true;
}

void gscale__memo_close(gscale__memo *m)
{
  free(m->gradient);
  *m = (gscale__memo){.of = NULL};
}

/* ---- by the policy of a memo --------------------------------------------- */

/* What links weigh: a row and an offset of each. */
typedef struct weights {
  const gscale_timeline *t;
  lanes *row, *offset;
} weights;

GSCALE__TEMPLATE weights weigh(const gscale_timeline *t, const lanes *cost,
                               lanes *at)
{
  const weights w = {t, at, at + t->weights};
  lanes sum;

  for (int i = 0; i < t->weights; i++) {
    const gscale__row *r = &t->row[i];
    const lanes *a = &cost[r->cost[0]], *b = &cost[r->cost[1]],
                *c = &cost[r->cost[2]];
    EACH sum.v[k] =
        r->times[0] * a->v[k] + r->times[1] * b->v[k] + r->times[2] * c->v[k];
    w.row[i] = sum;
  }
  EACH sum.v[k] = 0.0;
  w.offset[0] = sum;
  for (int i = 1; i < t->offsets; i++) {
    const lanes *a = &w.offset[t->step[i].parent],
                *b = &w.row[t->step[i].weight];
    EACH sum.v[k] = a->v[k] + b->v[k];
    w.offset[i] = sum;
  }
  return w;
}

GSCALE__TEMPLATE lanes weight_of(const weights *w, const gscale__link *l)
{
  const lanes *a = &w->offset[l->offset], *b = &w->row[l->weight];
  lanes sum;

  EACH sum.v[k] = a->v[k] + b->v[k];
  return sum;
}

/* Mean of the cycle of policies through the anchor. */
GSCALE__TEMPLATE lanes cycle_mean(const weights *w, const gscale__memo *m)
{
  lanes sum;
  double periods = 0.0;
  int at = m->anchor;

  EACH sum.v[k] = 0.0;
  do {
    const gscale__link *l = &w->t->link[m->policy[at]];
    const lanes more = weight_of(w, l);
    EACH sum.v[k] += more.v[k];
    periods += l->periods;
    at = l->from;
  } while (at != m->anchor);
  EACH sum.v[k] /= periods;
  return sum;
}

/* When a link lets what is behind it begin. */
GSCALE__TEMPLATE lanes at_of(const weights *w, const gscale__link *l,
                             const lanes *x, const lanes *period)
{
  const lanes weight = weight_of(w, l), *from = &x[l->from];
  lanes at;

  EACH at.v[k] = from->v[k] + weight.v[k] - period->v[k] * l->periods;
  return at;
}

/* Times as they follow from the cycle, which all joins wait for. */
GSCALE__TEMPLATE void follow_policy(const weights *w, const gscale__memo *m,
                                    const lanes *period, lanes *x)
{
  const gscale_timeline *t = w->t;

  x[m->anchor] = (lanes){{0.0}};
  for (int i = 0; i < t->joins; i++) {
    const int j = m->order[i];
    if (j != m->anchor) x[j] = at_of(w, &t->link[m->policy[j]], x, period);
  }
}

/* How much later than its policy lets it some join would have to be, s. */
GSCALE__TEMPLATE lanes latest(const weights *w, const lanes *period,
                              const lanes *x)
{
  const gscale_timeline *t = w->t;
  lanes most;

  EACH most.v[k] = 0.0;
  for (int j = 0; j < t->joins; j++)
    for (int l = t->first[j]; l < t->first[j + 1]; l++) {
      const lanes at = at_of(w, &t->link[l], x, period), *own = &x[j];
      EACH
      {
        const double more = at.v[k] - own->v[k];
        most.v[k] = most.v[k] < more ? more : most.v[k];
      }
    }
  return most;
}

/* Sums of costs; NaN where one is none. */
GSCALE__TEMPLATE lanes sum_of(const lanes *cost, int costs)
{
  lanes sum;

  EACH sum.v[k] = 0.0;
  for (int c = 0; c < costs; c++)
    EACH sum.v[k] += cost[c].v[k] >= 0.0 ? cost[c].v[k] : (double)NAN;
  return sum;
}

/* s, of each; NaN where costs are none, or another policy is the best. */
GSCALE__WIDE static void periods_of(const gscale__memo *m, lanes *out)
{
  const gscale_timeline *t = m->of;
  const lanes *cost = (const lanes *)(const void *)m->cost;
  const lanes sum = sum_of(cost, t->costs);
  const weights w = weigh(t, cost, (lanes *)(void *)m->scratch);
  lanes *x = w.offset + t->offsets;
  lanes period = cycle_mean(&w, m);

  follow_policy(&w, m, &period, x);
  const lanes late = latest(&w, &period, x);
  EACH
  {
    const double T = period.v[k];
    const bool best = late.v[k] <= gscale__within(t, T, GSCALE__ROUNDING);
    out->v[k] = best && isfinite(sum.v[k]) ? T / t->slots : (double)NAN;
  }
}

/* How many links forbid that the cycle is chosen again, each by being late, or
 * tight where it was not, or not where it was. */
GSCALE__TEMPLATE lanes changed_of(const gscale__memo *m, const weights *w,
                                  const lanes *period, const lanes *x)
{
  const gscale_timeline *t = w->t;
  lanes rounding, tie, n;

  EACH
  {
    rounding.v[k] = gscale__within(t, period->v[k], GSCALE__ROUNDING);
    tie.v[k] = gscale__within(t, period->v[k], GSCALE__TIE);
    n.v[k] = 0.0;
  }
  for (int j = 0; j < t->joins; j++)
    for (int l = t->first[j]; l < t->first[j + 1]; l++) {
      const lanes at = at_of(w, &t->link[l], x, period), *own = &x[j];
      const double if_tight = m->tight[l] ? 0.0 : 1.0;
      EACH
      {
        n.v[k] += at.v[k] > own->v[k] + rounding.v[k] ? 1.0 : 0.0;
        n.v[k] += at.v[k] >= own->v[k] - tie.v[k] ? if_tight : 1.0 - if_tight;
      }
    }
  return n;
}

GSCALE__WIDE static void look(gscale__memo *m)
{
  const gscale_timeline *t = m->of;
  const lanes *cost = (const lanes *)(const void *)m->cost;
  const lanes sum = sum_of(cost, t->costs);
  const weights w = weigh(t, cost, (lanes *)(void *)m->scratch);
  lanes *x = w.offset + t->offsets;
  const lanes period = cycle_mean(&w, m);

  follow_policy(&w, m, &period, x);
  const lanes changed = changed_of(m, &w, &period, x);
  EACH m->critical[k] =
      isfinite(sum.v[k]) && isfinite(period.v[k]) && !(changed.v[k] > 0.0);
}

void gscale__memo_look(gscale__memo *m)
{
  if (m->chosen)
    look(m);
  else
    gscale__clear(m->critical, sizeof m->critical);
}

/* ---- of each ---------------------------------------------------------- */

/* Of one vector, from the policy on. */
static double alone(gscale__memo *m, int k)
{
  const int costs = m->of->costs;

  for (int c = 0; c < costs; c++) m->one[c] = m->cost[c * GSCALE__AT_ONCE + k];
  return gscale__timeline_near(m->of, m->one, m->scratch, m, m->follows);
}

void gscale__memo_periods(gscale__memo *m, int n, double *period)
{
  lanes T;

  EACH T.v[k] = (double)NAN;
  if (m->known) periods_of(m, &T);
  for (int k = 0; k < n; k++) period[k] = isnan(T.v[k]) ? alone(m, k) : T.v[k];
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
