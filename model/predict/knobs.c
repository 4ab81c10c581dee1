/* knobs.c - the best knobs of a grid.
 *
 * Where a step is the longest of a few sums, its time is found for every point.
 * Else a timeline has to be solved for it, which takes longer than all that the
 * paradigm makes of the phases, and most points are left out: the time T is
 * convex in the durations d of the schedule, for it is a maximum of their sums,
 * so that what is known at one point (its critical cycle) bounds all others,
 *
 *    T(d) >= T(d0) + dT/dd(d0) (d - d0)
 *
 * and it rises with each of them, so that none is below the time of the least
 * of each. */

#include "ground/ground.h"
#include "predict/piece.h"

#include <math.h>

/* Times that differ by less are the same: rounding must not choose. */
static const double ROUNDING = 1e-12;

/* Bounds that are higher by less may be rounded. */
static const double SLACK = 1e-9;

static gscale_knobs first_of(const gscale__grid *g)
{
  gscale_knobs k = g->given;

  for (size_t i = 0; i < GSCALE_KNOB_END; i++) k.v[i] = g->least[i];
  return k;
}

/* The next point: widths of a chunk, then the next chunk.  An unused knob is
 * NaN and makes one round. */
static bool next_of(const gscale__grid *g, gscale_knobs *k)
{
  k->v[GSCALE_WIDTH] *= 2.0;
  if (k->v[GSCALE_WIDTH] <= g->most[GSCALE_WIDTH]) return true;
  k->v[GSCALE_WIDTH] = g->least[GSCALE_WIDTH];
  k->v[GSCALE_CHUNK] *= 2.0;
  return k->v[GSCALE_CHUNK] <= g->most[GSCALE_CHUNK];
}

/* Of points that are as good the first. */
static void take(const gscale_knobs *trial, double t, double *best,
                 gscale_knobs *k)
{
  if (!(t < *best * (1.0 - ROUNDING))) return;
  *best = t;
  *k = *trial;
}

/* What the paradigm makes of those phases, a bit for each. */
static void prepare(const gscale_plan *p, size_t paradigm,
                    const gscale_knobs *k, uint64_t phases,
                    gscale__stage *stage)
{
  const gscale__paradigm *m = gscale__paradigm_at(paradigm);

  for (size_t i = 0; i < p->phases; i++)
    if ((phases & gscale__phase_bit(i)) != 0)
      gscale__prepare_phase(p, m, k, i, &stage[i]);
}

/* ---- a step again, where only some phases have changed --------------------
 */

/* A step as it was evaluated, kept so that only what changes is evaluated
 * again: the costs, and the period, of what begins with each phase. */
enum {
  PHASE_COSTS = (int)GSCALE_COST_END + GSCALE__SLOTS
};
typedef struct held {
  bool by_device;
  int pieces;
  gscale__piece piece[GSCALE__PHASES_MAX];
  double period[GSCALE__PHASES_MAX]; /* s */
  double cost[GSCALE__PHASES_MAX * PHASE_COSTS];
} held;

typedef gscale__piece piece;

_Static_assert((size_t)GSCALE__STEP_COSTS <=
                   (size_t)GSCALE__PHASES_MAX * PHASE_COSTS,
               "a form of all phases, with a program's own work, has room");

/* Where the costs of a piece are kept: it has at least its first phase. */
static double *costs_at(held *h, const piece *a)
{
  return h->cost + a->first * PHASE_COSTS;
}

/* What has no room there is evaluated whole. */
static bool is_held(const piece *a)
{
  return GSCALE_COST_END + a->form->durations <= GSCALE__STEP_COSTS;
}

/* s, a step; *out keeps it. */
static double hold(const gscale_plan *p, size_t paradigm,
                   const gscale__stage *stage, held *out)
{
  const bool by_device = out->by_device = gscale__by_device(p, stage);
  piece a = gscale__first_piece(p, paradigm, by_device);
  double sum = 0.0;

  out->pieces = 0;
  do {
    out->piece[out->pieces++] = a;
    if (is_held(&a)) {
      gscale__piece_clear(&a, costs_at(out, &a));
      gscale__piece_fill(p, &a, stage, costs_at(out, &a));
      out->period[a.first] =
          gscale__form_period(a.form, costs_at(out, &a), NULL);
    } else {
      out->period[a.first] = gscale__piece_time(p, &a, stage, NULL);
    }
    sum += a.weight * out->period[a.first];
  } while (gscale__next_piece(p, paradigm, by_device, &a));
  return sum;
}

static bool is_moved(const piece *a, int at, uint64_t phases)
{
  const size_t phase = a->first + (size_t)(at / GSCALE__SLOTS);

  return (phases & gscale__phase_bit(phase)) != 0;
}

static double piece_again(const gscale_plan *p, const piece *a,
                          const gscale__stage *stage, held *h, uint64_t phases)
{
  double cost[GSCALE__STEP_COSTS], *const d = cost + GSCALE_COST_END;
  const int slots = gscale__piece_slots(a);

  gscale__copy(cost, costs_at(h, a),
               (size_t)(GSCALE_COST_END + a->form->durations) * sizeof *cost);
  for (int i = 0; i < slots; i++)
    if (is_moved(a, a->form->used[i], phases))
      d[a->form->used[i]] = gscale__piece_slot(p, a, stage, a->form->used[i]);
  gscale__piece_fill_works(p, a, stage, d);
  return gscale__form_period(a->form, cost, NULL);
}

static bool is_among(const piece *a, uint64_t phases)
{
  bool any = false;

  for (size_t i = 0; i < a->phases; i++)
    any = any || (phases & gscale__phase_bit(a->first + i)) != 0;
  return any;
}

/* gscale__step_time(), to the last bit, of a step that differs from *h in
 * stage[] of some phases, a bit for each.  What *h keeps stays. */
static double again(const gscale_plan *p, size_t paradigm,
                    const gscale__stage *stage, held *h, uint64_t phases)
{
  double sum = 0.0;

  if (gscale__by_device(p, stage) != h->by_device)
    return gscale__step_time(p, paradigm, stage, NULL);
  for (int i = 0; i < h->pieces; i++) {
    const piece *a = &h->piece[i];
    if (!is_among(a, phases))
      sum += a->weight * h->period[a->first];
    else if (is_held(a))
      sum += a->weight * piece_again(p, a, stage, h, phases);
    else
      sum += a->weight * gscale__piece_time(p, a, stage, NULL);
  }
  return sum;
}

/* ---- all points ---------------------------------------------------------- */

static const uint64_t ALL = ~(uint64_t)0;

/* From point to point only phases change that the knobs matter to. */
static double try_all(const gscale_plan *p, size_t paradigm,
                      const gscale__grid *g, gscale_knobs *k)
{
  gscale__stage stage[GSCALE__PHASES_MAX];
  gscale_knobs trial = first_of(g);
  held h;
  double best = INFINITY;

  prepare(p, paradigm, &trial, ALL, stage);
  take(&trial, hold(p, paradigm, stage, &h), &best, k);
  while (next_of(g, &trial)) {
    prepare(p, paradigm, &trial, g->phases, stage);
    take(&trial, again(p, paradigm, stage, &h, g->phases), &best, k);
  }
  return best;
}

typedef struct search {
  const gscale_plan *p;
  size_t paradigm;
  uint64_t phases;                         /* that the knobs matter to */
  gscale__stage stage[GSCALE__PHASES_MAX]; /* at the point that is looked at */
  gscale__tangent good, last; /* of the one whose flows are shortest together,
                               * and of the last that was looked at closely */
} search;

static void go_to(search *s, const gscale_knobs *k)
{
  prepare(s->p, s->paradigm, k, s->phases, s->stage);
}

/* s, of all flows. */
static double flows(const search *s)
{
  double sum = 0.0;

  for (size_t i = 0; i < s->p->phases; i++)
    sum += s->p->phase[i].repeats * s->stage[i].length;
  return sum;
}

/* Finds the point with the shortest flows; returns a time that none is below.
 */
static double survey(search *s, const gscale__grid *g)
{
  gscale_knobs trial = first_of(g), guess = trial;
  gscale__durations d, least;
  double shortest = INFINITY;

  for (size_t i = 0; i < s->p->phases * GSCALE__SLOTS; i++)
    least.of[i] = INFINITY;
  do {
    go_to(s, &trial);
    gscale__step_durations(s->p, s->paradigm, s->stage, &d);
    for (size_t i = 0; i < s->p->phases * GSCALE__SLOTS; i++)
      if (d.of[i] < least.of[i]) least.of[i] = d.of[i];
    const double sum = flows(s);
    if (sum < shortest) {
      shortest = sum;
      guess = trial;
    }
  } while (next_of(g, &trial));
  const double none_below =
      gscale__step_lasting(s->p, s->paradigm, s->stage, &least, NULL);
  go_to(s, &guess);
  gscale__step_tangent(s->p, s->paradigm, s->stage, &s->good);
  s->last = s->good;
  return none_below;
}

static double bound(const search *s)
{
  gscale__durations d;

  gscale__step_durations(s->p, s->paradigm, s->stage, &d);
  return gscale__max(gscale__step_least(s->p, &s->good, &d),
                     gscale__step_least(s->p, &s->last, &d));
}

static double look(search *s)
{
  gscale__tangent t;

  gscale__step_tangent(s->p, s->paradigm, s->stage, &t);
  if (isfinite(t.time)) s->last = t;
  return t.time;
}

/* Points whose bound is above a time that is reached are left out. */
static double try_few(const gscale_plan *p, size_t paradigm,
                      const gscale__grid *g, gscale_knobs *k)
{
  search s = {.p = p, .paradigm = paradigm, .phases = g->phases};
  gscale_knobs trial = first_of(g);

  prepare(p, paradigm, &trial, ALL, s.stage);
  const double none_below = survey(&s, g);
  double best = INFINITY;

  do {
    go_to(&s, &trial);
    if (bound(&s) > fmin(best, s.good.time) * (1.0 + SLACK)) continue;
    take(&trial, look(&s), &best, k);
    if (none_below >= best * (1.0 - ROUNDING)) break;
  } while (next_of(g, &trial));
  return best;
}

double gscale__search_knobs(const gscale_plan *p, size_t paradigm,
                            const gscale__grid *g, gscale_knobs *k)
{
  return gscale__step_is_sums(p, paradigm) ? try_all(p, paradigm, g, k)
                                           : try_few(p, paradigm, g, k);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
