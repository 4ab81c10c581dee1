/* moved.c - what the time does where numbers have moved (moves.c). */

#include "trust/moves.h"

#include "predict/prepare.h"

#include <math.h>
#include <string.h>

/* Its phases, and what is made of them, kept. */
static double time_by_phases(gscale_uncertainty *u, size_t paradigm)
{
  const gscale__paradigm *m = gscale__paradigm_at(paradigm);
  gscale_plan *p = u->plan;

  for (size_t i = 0; i < p->phases; i++) {
    p->source->asking = gscale__phase_bit(i);
    gscale__prepare_phase(p, m, &u->set, i, &u->stage[i]);
    if (!gscale__is_finite(&u->stage[i])) return (double)NAN;
  }
  memcpy(u->moved, u->stage, p->phases * sizeof *u->moved);
  p->source->asking = GSCALE__OF_STEP;
  const size_t row = gscale__paradigm_row(paradigm, &u->set);
  const bool memos = gscale__step_memos(p, row, u->stage, u->memo);
  const double t =
      gscale__step_hold(p, row, u->stage, memos ? u->memo : NULL, &u->held);
  return isfinite(t) && t > 0.0 ? t : (double)NAN;
}

double gscale__time_now(gscale_uncertainty *u, size_t paradigm,
                        const gscale_knobs *k)
{
  gscale_plan *p = u->plan;

  memset(u->asked, 0, sizeof u->asked);
  u->used = 0;
  p->source->asked = u->asked;
  p->source->asking = GSCALE__OF_CHECKS;
  p->costs_asked = &u->used;
  const double time = gscale__is_set(p, paradigm, k, &u->set)
                          ? time_by_phases(u, paradigm)
                          : (double)NAN;
  p->source->asked = NULL;
  p->costs_asked = NULL;
  return time;
}

gscale_status gscale__predict_now(gscale_uncertainty *u, size_t paradigm,
                                  gscale_prediction *out, gscale_diag *diag)
{
  return gscale__predict_ready(u->plan, paradigm, u->stage, &u->set,
                               u->held.memo, NULL, out, diag);
}

bool gscale__matters(const gscale_uncertainty *u, size_t i)
{
  const gscale__entry *e = &u->numbers.entry[i];
  const gscale__moves *m = &u->moves[i];

  if (!gscale__is_live(m)) return false;
  if (m->costs == GSCALE__OF_ALL || (m->costs & u->used) != 0) return true;
  return e->kind == GSCALE__OF_PARAM && u->asked[e->id] != 0;
}

/* Prepares some phases of the plan again; false if one is not finite. */
static bool prepare_again(gscale_uncertainty *u, size_t paradigm,
                          uint64_t phases)
{
  const gscale__paradigm *m = gscale__paradigm_at(paradigm);

  for (size_t f = 0; f < u->plan->phases; f++) {
    if ((phases & gscale__phase_bit(f)) == 0) continue;
    gscale__prepare_phase(u->plan, m, &u->set, f, &u->moved[f]);
    if (!gscale__is_finite(&u->moved[f])) return false;
  }
  return true;
}

static void forget_moved(gscale_uncertainty *u, uint64_t phases)
{
  for (size_t f = 0; f < u->plan->phases; f++)
    if ((phases & gscale__phase_bit(f)) != 0)
      gscale__copy(&u->moved[f], &u->stage[f], sizeof u->moved[f]);
}

/* The time with another value of a parameter, of which only what it asked for
 * the last time is made again: phases, or no more than the costs of calls. */
static void time_moved(gscale_uncertainty *u, size_t i, size_t paradigm,
                       const gscale_knobs *k, double *time)
{
  const uint64_t asked = u->asked[u->numbers.entry[i].id];
  const uint64_t phases = asked & ~(GSCALE__OF_CHECKS | GSCALE__OF_STEP);
  const uint64_t costs = u->moves[i].costs & u->used;
  gscale_knobs set;

  *time = (double)NAN;
  if ((asked & GSCALE__OF_CHECKS) != 0 &&
      !gscale__is_set(u->plan, paradigm, k, &set))
    return;
  if (prepare_again(u, paradigm, phases))
    gscale__step_again(
        u->plan, gscale__paradigm_row(paradigm, &u->set), u->moved, &u->held,
        (asked & GSCALE__OF_STEP) != 0 ? GSCALE__OF_ALL : phases, costs, time);
  forget_moved(u, phases);
}

/* gscale_predict_time() of another plan, but for rounding. */
static void time_planned(gscale_uncertainty *u, const gscale_plan *p,
                         size_t paradigm, const gscale_knobs *k, double *time)
{
  gscale__stage *const stage = u->moved;
  gscale_knobs set;
  bool finite = gscale__is_set(p, paradigm, k, &set);

  *time = (double)NAN;
  if (!finite) return;
  gscale__prepare(p, gscale__paradigm_at(paradigm), &set, stage);
  for (size_t i = 0; i < p->phases; i++)
    finite = finite && gscale__is_finite(&stage[i]);
  if (finite)
    gscale__step_like(p, u->plan, gscale__paradigm_row(paradigm, &set), stage,
                      &u->held, time);
  forget_moved(u, GSCALE__OF_ALL);
}

static void ask_target(gscale_uncertainty *u, size_t i, gscale__target *m,
                       size_t paradigm, const gscale_knobs *k)
{
  const gscale__entry *e = &u->numbers.entry[i];

  if (!m->there) return;
  if (m->plan) {
    time_planned(u, m->plan, paradigm, k, &m->time);
  } else {
    gscale__swap(u, e->id, m, m->value);
    time_moved(u, i, paradigm, k, &m->time);
    gscale__swap(u, e->id, m, e->about.p.val);
  }
}

void gscale__ask_move(gscale_uncertainty *u, size_t i, size_t paradigm,
                      const gscale_knobs *k)
{
  gscale__moves *m = &u->moves[i];

  ask_target(u, i, &m->down, paradigm, k);
  ask_target(u, i, &m->up, paradigm, k);
  m->percent.time = (double)NAN;
}

void gscale__ask_percent(gscale_uncertainty *u, size_t i, size_t paradigm,
                         const gscale_knobs *k)
{
  ask_target(u, i, &u->moves[i].percent, paradigm, k);
}

void gscale__settle_moves(gscale_uncertainty *u)
{
  gscale__step_settle(u->plan, u->memo);
}

static bool found(const gscale__target *m)
{
  return m->there && m->time > 0.0 && isfinite(m->time);
}

/* Change of the time by a move; 0 if there is none. */
static double change(const gscale__target *m, double time)
{
  return found(m) ? m->time - time : 0.0;
}

/* Elasticity between a number's value and what it was moved to. */
static double secant(const gscale__target *m, double value, double time)
{
  return change(m, time) / (m->value - value) * value / time;
}

double gscale__steepest(const gscale_uncertainty *u, size_t i, double time)
{
  const gscale__moves *m = &u->moves[i];
  const double value = u->numbers.entry[i].about.p.val;

  if (!m->percent.there || !gscale__is_guess(&u->numbers.entry[i].about.p))
    return 0.0;
  if (m->percent.plan || !found(&m->down) || !found(&m->up))
    return (double)INFINITY;
  return fmax(fabs(secant(&m->down, value, time)),
              fabs(secant(&m->up, value, time)));
}

double gscale__both(double a, double b)
{
  const double squares = a * a + b * b;

  return squares > 1e-250 && squares < 1e250 ? sqrt(squares) : hypot(a, b);
}

double gscale__spread_by(double weight, double down, double up)
{
  const double shift = weight * (down + up);
  const double all = sqrt(weight) * gscale__both(down, up);

  return sqrt(fmax(0.0, (all - shift) * (all + shift)));
}

gscale_influence gscale__influence(const gscale_uncertainty *u, size_t i,
                                   double time)
{
  gscale_influence out = {0};
  const gscale__moves *m = &u->moves[i];
  const double value = u->numbers.entry[i].about.p.val;

  out.down = change(&m->down, time);
  out.up = change(&m->up, time);
  out.shift = m->weight * (out.down + out.up);
  out.err = gscale__spread_by(m->weight, out.down, out.up);
  if (m->percent.there)
    out.elasticity =
        change(&m->percent, time) / time / ((m->percent.value - value) / value);
  return out;
}

gscale_influence gscale_uncertainty_influence(gscale_uncertainty *u, size_t i,
                                              size_t paradigm,
                                              const gscale_knobs *k)
{
  if (i >= u->numbers.n) return (gscale_influence){0};
  const double time = gscale__time_now(u, paradigm, k);
  if (!gscale__matters(u, i)) return (gscale_influence){0};
  gscale__ask_move(u, i, paradigm, k);
  gscale__ask_percent(u, i, paradigm, k);
  gscale__settle_moves(u);
  return gscale__influence(u, i, time);
}

double gscale__time_there(gscale_uncertainty *u, size_t paradigm,
                          const gscale_knobs *k)
{
  const gscale_plan *was = u->plan;
  const uint64_t who =
      gscale__changed(was->source, was->by, &u->system) |
      gscale__changed_else(was->by, u->s, u->w, &u->system, u->workload);
  gscale_plan *p = NULL;
  double t = (double)NAN;

  if (gscale__plan_moved(was, who, &u->system, u->workload, &p) == GSCALE_OK)
    t = gscale_predict_time(p, paradigm, k);
  gscale_plan_free(p);
  return t;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
