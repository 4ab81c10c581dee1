/* finite_difference.c - changes of the time by perturbation of numbers
 * (perturb.c). */

#include "trust/perturb.h"

#include "predict/prepare.h"

#include <math.h>
#include <string.h>

/* Returns the time of a step, s, and keeps the stages of the phases. */
static double prepare_stages(gscale_uncertainty *u, size_t paradigm)
{
  const gscale__paradigm *m = gscale__paradigm_at(paradigm);
  gscale_plan *p = u->plan;

  for (size_t i = 0; i < p->phases; i++) {
    gscale__stage *l = &u->stage[i];
    p->source->asking = gscale__phase_bit(i);
    p->source->asked = u->gathered;
    if (m->gather) m->gather(p, &p->phase[i], &l->gathered);
    p->source->asked = u->asked;
    gscale__prepare_flow(p, m, &u->set, i, l);
    l->length = gscale_flow_time(&l->flow);
    if (!gscale__is_finite(l)) return NAN;
  }
  p->source->asking = GSCALE__OF_STEP;
  return gscale__step_time(p, gscale__paradigm_row(paradigm, &u->set), u->stage,
                           NULL);
}

static void note(gscale_uncertainty *u, bool notes)
{
  u->plan->source->asked = notes ? u->asked : NULL;
  u->plan->source->asking = GSCALE__OF_CHECKS;
  u->plan->costs_asked = notes ? &u->used : NULL;
}

static bool is_time(double t)
{
  return isfinite(t) && t > 0.0;
}

double gscale__base_time(gscale_uncertainty *u, size_t paradigm,
                         const gscale_knobs *k)
{
  double t = NAN;

  memset(u->asked, 0, sizeof u->asked);
  memset(u->gathered, 0, sizeof u->gathered);
  u->used = 0;
  note(u, true);
  if (gscale__is_set(u->plan, paradigm, k, &u->set))
    t = prepare_stages(u, paradigm);
  note(u, false);
  return is_time(t) ? t : NAN;
}

gscale_status gscale__base_prediction(gscale_uncertainty *u, size_t paradigm,
                                      gscale_prediction *out, gscale_diag *diag)
{
  return gscale__predict_ready(u->plan, paradigm, u->stage, &u->set, out, diag);
}

/* Returns false if number i affects no number that the last prediction asked
 * for. */
static bool affects_time(const gscale_uncertainty *u, size_t i)
{
  const gscale__entry *e = &u->numbers.entry[i];
  const gscale__perturbations *m = &u->moves[i];

  if (!gscale__is_live(m)) return false;
  if (m->costs == GSCALE__OF_ALL || (m->costs & u->used) != 0) return true;
  return e->kind == GSCALE__OF_PARAM &&
         (u->asked[e->id] | u->gathered[e->id]) != 0;
}

/* Returns the time of a step, s, with number `id` perturbed, or NaN if not
 * finite.  In the unperturbed plan, only phases that asked for the number are
 * prepared again. */
static double time_changed(gscale_uncertainty *u, const gscale_plan *p,
                           size_t id, size_t paradigm, const gscale_knobs *k)
{
  const gscale__paradigm *m = gscale__paradigm_at(paradigm);
  const bool other = p != u->plan;
  const uint64_t gather = other ? GSCALE__OF_ALL : u->gathered[id];
  const uint64_t asked = other ? GSCALE__OF_ALL : u->asked[id] | gather;
  gscale_knobs set = u->set;

  if ((asked & GSCALE__OF_CHECKS) != 0 && !gscale__is_set(p, paradigm, k, &set))
    return NAN;
  gscale__copy(u->moved, u->stage, p->phases * sizeof *u->moved);
  for (size_t i = 0; i < p->phases; i++) {
    gscale__stage *l = &u->moved[i];
    if ((asked & gscale__phase_bit(i)) == 0) continue;
    if (m->gather && (gather & gscale__phase_bit(i)) != 0)
      m->gather(p, &p->phase[i], &l->gathered);
    gscale__prepare_flow(p, m, &set, i, l);
    l->length = gscale_flow_time(&l->flow);
    if (!gscale__is_finite(l)) return NAN;
  }
  return gscale__step_time(p, gscale__paradigm_row(paradigm, &set), u->moved,
                           NULL);
}

static void time_target(gscale_uncertainty *u, size_t i, gscale__perturbed *m,
                        size_t paradigm, const gscale_knobs *k)
{
  const gscale__entry *e = &u->numbers.entry[i];

  if (!m->there) return;
  if (!m->plan) gscale__swap(u, e->id, m, m->value);
  m->time = time_changed(u, m->plan ? m->plan : u->plan, e->id, paradigm, k);
  if (!m->plan) gscale__swap(u, e->id, m, e->about.p.val);
}

/* Perturbs number i down and up, or by 1 %, and computes the times.  Without
 * the 1 %, the elasticity is 0. */
static void perturb(gscale_uncertainty *u, size_t i, size_t paradigm,
                    const gscale_knobs *k)
{
  gscale__perturbations *m = &u->moves[i];

  time_target(u, i, &m->down, paradigm, k);
  time_target(u, i, &m->up, paradigm, k);
  m->percent.time = NAN;
}

static void perturb_percent(gscale_uncertainty *u, size_t i, size_t paradigm,
                            const gscale_knobs *k)
{
  time_target(u, i, &u->moves[i].percent, paradigm, k);
}

static bool found(const gscale__perturbed *m)
{
  return m->there && is_time(m->time);
}

/* Returns the change of the time by a perturbation, or 0 without a time. */
static double change(const gscale__perturbed *m, double time)
{
  return found(m) ? m->time - time : 0.0;
}

/* Returns the elasticity between a number's value and the perturbed value. */
static double secant(const gscale__perturbed *m, double value, double time)
{
  return change(m, time) / (m->value - value) * value / time;
}

/* Returns the largest elasticity, down or up, of a guess in a step of `time` s,
 * or 0. */
static double largest_elasticity(const gscale_uncertainty *u, size_t i,
                                 double time)
{
  const gscale__perturbations *m = &u->moves[i];
  const double value = u->numbers.entry[i].about.p.val;

  if (!m->percent.there || !gscale__is_guess(&u->numbers.entry[i].about.p))
    return 0.0;
  if (m->percent.plan || !found(&m->down) || !found(&m->up))
    return (double)INFINITY;
  return fmax(fabs(secant(&m->down, value, time)),
              fabs(secant(&m->up, value, time)));
}

double gscale__hypot(double a, double b)
{
  const double squares = a * a + b * b;

  return squares > 1e-250 && squares < 1e250 ? sqrt(squares) : hypot(a, b);
}

double gscale__deviation(double weight, double down, double up)
{
  const double shift = weight * (down + up);
  const double all = sqrt(weight) * gscale__hypot(down, up);

  return sqrt(fmax(0.0, (all - shift) * (all + shift)));
}

gscale_influence gscale__influence(const gscale_uncertainty *u, size_t i,
                                   double time)
{
  gscale_influence out = {0};
  const gscale__perturbations *m = &u->moves[i];
  const double value = u->numbers.entry[i].about.p.val;

  out.down = change(&m->down, time);
  out.up = change(&m->up, time);
  out.shift = m->weight * (out.down + out.up);
  out.err = gscale__deviation(m->weight, out.down, out.up);
  if (m->percent.there)
    out.elasticity =
        change(&m->percent, time) / time / ((m->percent.value - value) / value);
  return out;
}

/* A guess whose error changes the time is also perturbed by 1 %, because the
 * slope over the error is not the slope at the value. */
void gscale__perturb_all(gscale_uncertainty *u, size_t paradigm,
                         const gscale_knobs *k, double time)
{
  u->n_which = 0;
  for (size_t a = 0; a < u->n_live; a++) {
    const size_t i = u->live[a];
    u->effect[i] = 0.0;
    if (!affects_time(u, i)) continue;
    perturb(u, i, paradigm, k);
    if (largest_elasticity(u, i, time) > 0.0)
      perturb_percent(u, i, paradigm, k);
    u->which[u->n_which++] = i;
  }
}

gscale_influence gscale_uncertainty_influence(gscale_uncertainty *u, size_t i,
                                              size_t paradigm,
                                              const gscale_knobs *k)
{
  if (i >= u->numbers.n) return (gscale_influence){0};
  const double time = gscale__base_time(u, paradigm, k);
  if (!affects_time(u, i)) return (gscale_influence){0};
  perturb(u, i, paradigm, k);
  perturb_percent(u, i, paradigm, k);
  return gscale__influence(u, i, time);
}

double gscale__time_perturbed(gscale_uncertainty *u, size_t paradigm,
                              const gscale_knobs *k)
{
  const gscale_plan *was = u->plan;
  const uint64_t who =
      gscale__changed(was->source, was->by, &u->system) |
      gscale__changed_else(was->by, u->s, u->w, &u->system, u->workload);
  gscale_plan *p = NULL;
  double t = NAN;

  if (gscale__plan_moved(was, who, &u->system, u->workload, &p) == GSCALE_OK)
    t = gscale_predict_time(p, paradigm, k);
  gscale_plan_free(p);
  return t;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
