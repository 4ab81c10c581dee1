/* held.c - a step again, where only some phases have changed: of the durations
 * of one that is kept. */

#include "predict/piece.h"

typedef gscale__piece piece;

_Static_assert((size_t)GSCALE__STEP_COSTS <=
                   (size_t)GSCALE__PHASES_MAX * GSCALE__PHASE_COSTS,
               "a form of all phases, with a program's own work, has room");

/* Where the costs of a piece are kept: it has at least its first phase. */
static double *costs_at(gscale__held *h, const piece *a)
{
  return h->cost + a->first * GSCALE__PHASE_COSTS;
}

/* What has no room there is evaluated whole. */
static bool is_held(const piece *a)
{
  return GSCALE_COST_END + a->form->durations <= GSCALE__STEP_COSTS;
}

double gscale__step_hold(const gscale_plan *p, size_t paradigm,
                         const gscale__stage *stage, gscale__held *out)
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
      out->period[a.first] = gscale__piece_time(p, &a, stage, NULL, NULL);
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
                          const gscale__stage *stage, gscale__held *h,
                          uint64_t phases)
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

double gscale__step_again(const gscale_plan *p, size_t paradigm,
                          const gscale__stage *stage, gscale__held *h,
                          uint64_t phases)
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
      sum += a->weight * gscale__piece_time(p, a, stage, NULL, NULL);
  }
  return sum;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
