/* held.c - a step again, where little has changed: of the durations, and paths,
 * of one that is kept. */

#include "predict/piece.h"

#include <stdlib.h>

typedef gscale__piece piece;

_Static_assert((size_t)GSCALE__STEP_COSTS <=
                   (size_t)GSCALE__PHASES_MAX * GSCALE__PHASE_COSTS,
               "a form of all phases, with a program's own work, has room");

/* Where the costs of a piece are kept: it has at least its first phase. */
static double *costs_at(gscale__held *h, const piece *a)
{
  return h->cost + a->first * GSCALE__PHASE_COSTS;
}

static gscale__memo *memo_at(const gscale__held *h, const piece *a)
{
  return h->memo ? &h->memo[a->first] : NULL;
}

static double *lengths_at(gscale__held *h, const piece *a)
{
  return h->length + a->first * GSCALE__PATHS_MAX;
}

/* Whether of other costs its paths are made longer, but for rounding. */
static bool moves_paths(const piece *a, const gscale__held *h)
{
  return h->memo && a->form->paths > 0;
}

/* Whether a duration of a piece is among those of phases, a bit for each, or
 * reads some of the costs. */
static bool is_stale(const piece *a, const gscale__held *h, int at,
                     uint64_t phases, uint64_t costs)
{
  const size_t phase = a->first + (size_t)(at / GSCALE__SLOTS);

  return (phases & gscale__phase_bit(phase)) != 0 ||
         (costs & h->reads[a->first * GSCALE__SLOTS + (size_t)at]) != 0;
}

/* Those alone. */
static void fill_again(const gscale_plan *p, const piece *a,
                       const gscale__stage *stage, const gscale__held *h,
                       uint64_t phases, uint64_t costs, double *d)
{
  const int uses = gscale__piece_slots(a);

  for (int i = 0; i < uses; i++) {
    const int at = a->form->used[i];
    if (is_stale(a, h, at, phases, costs))
      d[at] = gscale__piece_slot(p, a, stage, at);
  }
}

/* What has no room there is evaluated whole. */
static bool is_held(const piece *a)
{
  return GSCALE_COST_END + a->form->durations <= GSCALE__STEP_COSTS;
}

/* s, one period of a piece; keeps its costs, and what these read. */
static double hold_piece(const gscale_plan *p, const piece *a,
                         const gscale__stage *stage, gscale__held *h)
{
  double *cost = costs_at(h, a);

  gscale__piece_clear(a, cost);
  gscale__piece_costs(p, a->form, cost);
  h->all_reads[a->first] = gscale__piece_fill_phases(
      p, a, stage, h->reads + a->first * GSCALE__SLOTS, cost + GSCALE_COST_END);
  gscale__piece_fill_works(p, a, stage, cost + GSCALE_COST_END);
  if (!moves_paths(a, h))
    return gscale__form_near(a->form, cost, memo_at(h, a), true);
  gscale__form_lengths(a->form, cost, lengths_at(h, a));
  return gscale__form_longest(a->form, lengths_at(h, a));
}

double gscale__step_hold(const gscale_plan *p, size_t paradigm,
                         const gscale__stage *stage, gscale__memo *memo,
                         gscale__held *out)
{
  const bool by_device = out->by_device = gscale__by_device(p, stage);
  piece a = gscale__first_piece(p, paradigm, by_device);
  double sum = 0.0;

  out->memo = memo;
  out->pieces = 0;
  do {
    out->piece[out->pieces++] = a;
    const double t = is_held(&a) ? hold_piece(p, &a, stage, out)
                                 : gscale__piece_time(p, &a, stage, NULL, NULL);
    out->period[a.first] = t;
    sum += a.weight * t;
  } while (gscale__next_piece(p, paradigm, by_device, &a));
  return sum;
}

static const uint64_t ALL = ~(uint64_t)0;

/* Costs of which a form's wait is made besides those that it looks at. */
static uint64_t waits_of(const gscale__form *f)
{
  const uint64_t wait = (uint64_t)1 << (GSCALE_COST_ISSUE + GSCALE_WAIT),
                 record = (uint64_t)1 << (GSCALE_COST_ISSUE + GSCALE_RECORD);

  return f->waits ? wait | record : 0;
}

/* Whether costs that a form is filled with are among some, a bit for each. */
static bool looks_at(const gscale_plan *p, const gscale__form *f,
                     uint64_t costs)
{
  return gscale__as_written(p) ? costs != 0
                               : (costs & (f->looked | waits_of(f))) != 0;
}

/* Adds its share of the step to *time, now or when it is settled. */
static void ask_piece(const piece *a, const double *cost, gscale__memo *memo,
                      double *time)
{
  gscale__memo *const m = memo ? &memo[a->first] : NULL;

  if (m && m->of && m->of == a->form->timeline && m->known)
    gscale__memo_ask(m, cost, a->weight, time);
  else
    *time += a->weight * gscale__form_near(a->form, cost, m, false);
}

/* Makes the paths of a piece longer by what some cost has become. */
static void lengthen(const piece *a, const double *was, int cost, double now,
                     double *length)
{
  if (now < was[cost] || !(now <= was[cost]))
    gscale__form_lengthen(a->form, cost, now - was[cost], length);
}

/* The same of all costs that the form looks at, or of some, a bit for each. */
static void lengthen_all(const gscale_plan *p, const piece *a,
                         const double *was, double *length)
{
  double cost[GSCALE_COST_END];

  gscale__piece_costs(p, a->form, cost);
  for (int i = 0; i < a->form->looks; i++)
    lengthen(a, was, a->form->look[i], cost[a->form->look[i]], length);
}

static void lengthen_some(const gscale_plan *p, const piece *a,
                          const double *was, uint64_t costs, double *length)
{
  const gscale__form *f = a->form;

  if (gscale__as_written(p) || (costs & waits_of(f)) != 0) {
    lengthen_all(p, a, was, length);
    return;
  }
  if (f->behind_waits) costs &= ~((uint64_t)1 << GSCALE_COST_COPY_HOST);
  for (costs &= f->looked; costs != 0; costs &= costs - 1) {
    const int c = __builtin_ctzll(costs);
    lengthen(a, was, c, p->cost[c], length);
  }
}

/* s, one period by the paths of before. */
static double paths_again(const gscale_plan *p, const piece *a,
                          const gscale__stage *stage, gscale__held *h,
                          uint64_t phases, uint64_t costs)
{
  const gscale__form *f = a->form;
  const double *was = costs_at(h, a);
  double length[GSCALE__PATHS_MAX];

  gscale__copy(length, lengths_at(h, a), (size_t)f->paths * sizeof *length);
  if (phases == ALL)
    lengthen_all(p, a, was, length);
  else
    lengthen_some(p, a, was, costs, length);
  if (phases != 0 || (costs & h->all_reads[a->first]) != 0)
    for (int i = 0; i < f->uses && f->used[i] < a->slots; i++)
      if (is_stale(a, h, f->used[i], phases, costs))
        lengthen(a, was, GSCALE_COST_END + f->used[i],
                 gscale__piece_slot(p, a, stage, f->used[i]), length);
  return gscale__form_longest(f, length);
}

static void piece_again(const gscale_plan *p, const piece *a,
                        const gscale__stage *stage, gscale__held *h,
                        uint64_t phases, uint64_t costs, double *time)
{
  double cost[GSCALE__STEP_COSTS];

  if (moves_paths(a, h) && !a->own) {
    *time += a->weight * paths_again(p, a, stage, h, phases, costs);
    return;
  }
  gscale__copy(cost, costs_at(h, a),
               (size_t)(GSCALE_COST_END + a->form->durations) * sizeof *cost);
  if (phases == ALL || looks_at(p, a->form, costs))
    gscale__piece_costs(p, a->form, cost);
  if (phases != 0 || (costs & h->all_reads[a->first]) != 0)
    fill_again(p, a, stage, h, phases, costs, cost + GSCALE_COST_END);
  gscale__piece_fill_works(p, a, stage, cost + GSCALE_COST_END);
  ask_piece(a, cost, h->memo, time);
}

static bool is_among(const piece *a, uint64_t phases)
{
  bool any = false;

  for (size_t i = 0; i < a->phases; i++)
    any = any || (phases & gscale__phase_bit(a->first + i)) != 0;
  return any;
}

void gscale__step_again(const gscale_plan *p, size_t paradigm,
                        const gscale__stage *stage, gscale__held *h,
                        uint64_t phases, uint64_t costs, double *time)
{
  *time = 0.0;
  if (gscale__by_device(p, stage) != h->by_device) {
    *time = gscale__step_time(p, paradigm, stage, NULL);
    return;
  }
  for (int i = 0; i < h->pieces; i++) {
    const piece *a = &h->piece[i];
    if (costs == 0 && !is_among(a, phases))
      *time += a->weight * h->period[a->first];
    else if (is_held(a))
      piece_again(p, a, stage, h, phases, costs, time);
    else
      *time += a->weight * gscale__piece_time(p, a, stage, NULL, NULL);
  }
}

/* Of the step of another plan. */
static void ask_other(const gscale_plan *p, const piece *a,
                      const gscale__stage *stage, gscale__memo *memo,
                      double *time)
{
  gscale__bench b;

  if (!gscale__bench_open(&b, a->form)) {
    *time = gscale__refused();
    return;
  }
  gscale__piece_fill(p, a, stage, b.cost);
  ask_piece(a, b.cost, memo, time);
  free(b.large);
}

void gscale__step_ask(const gscale_plan *p, size_t paradigm,
                      const gscale__stage *stage, gscale__memo *memo,
                      double *time)
{
  const bool by_device = gscale__by_device(p, stage);
  piece a = gscale__first_piece(p, paradigm, by_device);

  *time = 0.0;
  do {
    ask_other(p, &a, stage, memo, time);
  } while (gscale__next_piece(p, paradigm, by_device, &a));
}

void gscale__step_like(const gscale_plan *p, const gscale_plan *was,
                       size_t paradigm, const gscale__stage *stage,
                       gscale__held *h, double *time)
{
  if (gscale__as_written(p) || p->forms.form != was->forms.form ||
      gscale__by_device(p, stage) != h->by_device) {
    gscale__step_ask(p, paradigm, stage, h->memo, time);
    return;
  }
  *time = 0.0;
  for (int i = 0; i < h->pieces; i++) {
    const piece *a = &h->piece[i];
    if (moves_paths(a, h) && !a->own)
      *time += a->weight * paths_again(p, a, stage, h, ALL, ALL);
    else
      ask_other(p, a, stage, h->memo, time);
  }
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
