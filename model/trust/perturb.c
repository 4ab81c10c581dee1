/* perturb.c - perturbation of numbers one by one, and the plans with perturbed
 * numbers.
 *
 * A plan and a prediction record which of their parts asked for which number.
 * Only parts that asked for the perturbed number are computed again
 * (finite_difference.c). */

#include "trust/perturb.h"

#include "ground/ground.h"
#include "predict/prepare.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

static void restore_workload(gscale_uncertainty *u)
{
  gscale__copy_workload(u->workload, u->w);
}

void gscale__restore_all(gscale_uncertainty *u)
{
  u->system = *u->s;
  restore_workload(u);
}

static void restore(gscale_uncertainty *u, const gscale__entry *e)
{
  switch (e->kind) {
  case GSCALE__OF_PARAM:
    gscale__param_move(&u->system, e->id, gscale_system_get(u->s, e->id)->val);
    break;
  case GSCALE__OF_CURVE:
    u->system.membw.y[e->id] = u->s->membw.y[e->id];
    break;
  case GSCALE__OF_FABRIC:
    u->system.fabric = u->s->fabric;
    break;
  case GSCALE__OF_REMOTE:
    u->system.remote = u->s->remote;
    break;
  default:
    restore_workload(u);
  }
}

void gscale__swap(gscale_uncertainty *u, size_t id, const gscale__perturbed *m,
                  double value)
{
  gscale__put(u->plan->source, id, value);
  for (size_t i = m->first; i < m->first + m->costs; i++) {
    double *at = &u->plan->cost[u->cost[i].cost];
    const double was = *at;

    *at = u->cost[i].to;
    u->cost[i].to = was;
  }
}

/* Allocates memory for all costs that one perturbation may change. */
static bool more_costs(gscale_uncertainty *u)
{
  struct gscale__cost_to *more = gscale_reserve(
      u->cost, &u->room, u->costs + GSCALE_COST_END, sizeof *more);
  u->no_memory = u->no_memory || !more;
  if (more) u->cost = more;
  return more;
}

static bool differ(double a, double b)
{
  return a < b || a > b;
}

/* Lists the schedule's costs that a parameter changes, with a bit for each
 * cost. */
static uint64_t list_costs(gscale_uncertainty *u, const gscale__entry *e,
                           gscale__perturbed *m)
{
  gscale_plan *p = u->plan;
  const double is = gscale__read(p->source, (gscale_param_id)e->id);
  double was[GSCALE_COST_END];
  uint64_t bits = 0;

  m->first = u->costs;
  if (!more_costs(u)) return 0;
  memcpy(was, p->cost, sizeof was);
  gscale__put(p->source, e->id, m->value);
  gscale__step_costs(p);
  gscale__put(p->source, e->id, is); /* value of the unperturbed plan */
  for (int c = 0; c < GSCALE_COST_END; c++) {
    if (!differ(was[c], p->cost[c])) continue;
    u->cost[u->costs++] = (struct gscale__cost_to){c, p->cost[c]};
    bits |= (uint64_t)1 << c;
  }
  m->costs = u->costs - m->first;
  memcpy(p->cost, was, sizeof was);
  return bits;
}

/* Returns true for a parameter from which no other number is derived. */
static bool is_independent(const gscale_uncertainty *u, const gscale__entry *e)
{
  return e->kind == GSCALE__OF_PARAM && !gscale__param_leads(&u->system, e->id);
}

/* Returns the parts that asked for numbers that the scratch copies change. */
static uint64_t askers_of(const gscale_uncertainty *u, const gscale__entry *e)
{
  const gscale_plan *p = u->plan;

  if (is_independent(u, e)) return p->by[e->id];
  return gscale__changed(p->source, p->by, &u->system) |
         gscale__changed_else(p->by, u->s, u->w, &u->system, u->workload);
}

/* The plan on n GPUs does not depend on the numbers that these parts asked
 * for. */
static const uint64_t APART = GSCALE__BY_CHECK | GSCALE__BY_COSTS |
                              GSCALE__BY_INFINITE | GSCALE__BY_BASELINE |
                              GSCALE__BY_BASE;

/* Creates the plan of the scratch copies. */
static gscale_status make_plan(gscale_uncertainty *u, uint64_t who,
                               gscale__perturbed *m)
{
  const gscale_status st =
      gscale__plan_moved(u->plan, who, &u->system, u->workload, &m->plan);

  u->no_memory = u->no_memory || st == GSCALE_ENOMEM;
  return st;
}

/* Drops a plan that equals the original plan except for costs that a parameter
 * changes. */
static void drop_same(gscale_uncertainty *u, bool alone, gscale__perturbed *m)
{
  const size_t size = sizeof u->plan->cost;
  double cost[GSCALE_COST_END];

  memcpy(cost, m->plan->cost, size);
  if (alone) memcpy(m->plan->cost, u->plan->cost, size);
  if (gscale__same_plan(m->plan, u->plan)) {
    gscale_plan_free(m->plan);
    m->plan = NULL;
    m->there = alone;
  } else {
    memcpy(m->plan->cost, cost, size);
  }
}

/* Perturbs a number.  If no new plan is needed, an independent parameter
 * changes only its value and costs, and any other number changes nothing.  The
 * perturbation is dropped if no prediction is possible. */
static void perturb_to(gscale_uncertainty *u, const gscale__entry *e,
                       gscale__perturbed *m, uint64_t *costs)
{
  const uint64_t who = askers_of(u, e);
  const bool param = e->kind == GSCALE__OF_PARAM, alone = is_independent(u, e);
  const uint64_t apart = param ? APART : APART & ~(uint64_t)GSCALE__BY_COSTS;
  gscale_status st = GSCALE_OK;

  if ((param && !alone) || (who & ~apart) != 0)
    st = make_plan(u, who, m);
  else if (param && (who & GSCALE__BY_CHECK) != 0)
    st = gscale_plan_check(&u->system, u->workload, u->n, NULL);
  m->there = st == GSCALE_OK && (param || m->plan);
  if (m->plan && (alone || !param)) drop_same(u, alone, m);
  if (m->plan)
    *costs = GSCALE__OF_ALL;
  else if (m->there && (who & GSCALE__BY_COSTS) != 0)
    *costs |= list_costs(u, e, m);
}

static void make_perturbation(gscale_uncertainty *u, const gscale__entry *e,
                              double value, gscale__perturbed *m,
                              uint64_t *costs)
{
  const gscale_workload *end = e->kind == GSCALE__OF_KNOB
                                   ? gscale__moved_knob(u->w, e->id, value)
                                   : NULL;

  m->value = gscale__move(e, value, &u->system, u->workload, u->w);
  if (end) gscale__copy_workload(u->workload, end);
  if (differ(m->value, e->about.p.val)) perturb_to(u, e, m, costs);
  restore(u, e);
}

static void perturb_number(gscale_uncertainty *u, size_t i)
{
  const gscale__entry *e = &u->numbers.entry[i];
  const gscale_param *p = &e->about.p;
  gscale__perturbations *m = &u->moves[i];
  double down, up;

  if (p->err > 0.0) {
    m->weight = gscale_param_nodes(p, &down, &up);
    make_perturbation(u, e, down, &m->down, &m->costs);
    make_perturbation(u, e, up, &m->up, &m->costs);
  }
  if ((!u->all && !gscale__is_guess(p)) || !(fabs(p->val) > 0.0) ||
      !isfinite(p->val))
    return;
  make_perturbation(u, e, 1.01 * p->val, &m->percent, &m->costs);
  if (!m->percent.there)
    make_perturbation(u, e, 0.99 * p->val, &m->percent, &m->costs);
}

bool gscale__is_live(const gscale__perturbations *m)
{
  return m->down.there || m->up.there || m->percent.there;
}

static void list_live(gscale_uncertainty *u)
{
  u->n_live = 0;
  for (size_t i = 0; i < u->numbers.n; i++)
    if (gscale__is_live(&u->moves[i])) u->live[u->n_live++] = i;
}

/* Sets the error of a number on n GPUs. */
static void extrapolate_error(gscale_uncertainty *u, gscale__entry *e)
{
  if (e->kind == GSCALE__OF_PARAM)
    e->about.p = gscale__extrapolate(u->s, (gscale_param_id)e->id, u->n);
  if (e->kind == GSCALE__OF_COUNT)
    e->about.p.err = gscale__error_on(u->w, &e->count, u->n);
}

static void free_perturbed(gscale_uncertainty *u)
{
  for (size_t i = 0; u->moves && i < u->numbers.n; i++) {
    gscale_plan_free(u->moves[i].down.plan);
    gscale_plan_free(u->moves[i].up.plan);
    gscale_plan_free(u->moves[i].percent.plan);
  }
}

void gscale_uncertainty_free(gscale_uncertainty *u)
{
  if (!u) return;
  free_perturbed(u);
  gscale_plan_free(u->plan);
  gscale__free_numbers(&u->numbers);
  free(u->moves);
  free(u->live);
  free(u->which);
  free(u->cost);
  free(u->effect);
  free(u->workload);
  free(u);
}

/* Allocates memory for all perturbations. */
static bool open_perturbations(gscale_uncertainty *u)
{
  u->workload = malloc(sizeof *u->workload);
  if (!u->workload || !gscale__list_numbers(&u->numbers, u->s, u->w, u->all))
    return false;
  u->moves = calloc(u->numbers.n + 1, sizeof *u->moves);
  u->effect = calloc(u->numbers.n + 1, sizeof *u->effect);
  u->live = malloc((u->numbers.n + 1) * sizeof *u->live);
  u->which = malloc((u->numbers.n + 1) * sizeof *u->which);
  return u->moves && u->effect && u->live && u->which;
}

/* Perturbs all numbers.  The first of the plans is the original plan. */
static bool perturb_numbers(gscale_uncertainty *u)
{
  const size_t n = u->numbers.n;

  gscale__restore_all(u);
  for (size_t i = 0; i < n; i++) extrapolate_error(u, &u->numbers.entry[i]);
  for (size_t i = 0; !u->no_memory && i < n; i++) perturb_number(u, i);
  list_live(u);
  return !u->no_memory;
}

gscale_status gscale_uncertainty_new(const gscale_system *s,
                                     const gscale_workload *w, int n, bool all,
                                     gscale_uncertainty **out,
                                     gscale_diag *diag)
{
  gscale_plan *p = NULL;
  const gscale_status st = gscale_plan_new(s, w, n, &p, diag);
  gscale_uncertainty *u = st == GSCALE_OK ? malloc(sizeof *u) : NULL;

  if (st != GSCALE_OK) return st;
  if (u) {
    memset(u, 0, offsetof(gscale_uncertainty, stage)); /* the rest is large and
                                                        * needs no zeros */
    u->s = s;
    u->w = w;
    u->n = n;
    u->plan = p;
    u->all = all;
    if (open_perturbations(u) && perturb_numbers(u)) {
      *out = u;
      return GSCALE_OK;
    }
    gscale_uncertainty_free(u);
  } else {
    gscale_plan_free(p);
  }
  return gscale__fail(diag, GSCALE_ENOMEM, "no memory for the error");
}

const gscale_plan *gscale_uncertainty_plan(const gscale_uncertainty *u)
{
  return u->plan;
}

size_t gscale_uncertainty_count(const gscale_uncertainty *u)
{
  return u->numbers.n;
}

double gscale_uncertainty_effect(const gscale_uncertainty *u, size_t i)
{
  return i < u->numbers.n ? u->effect[i] : 0.0;
}

const gscale_system *gscale__uncertain_system(const gscale_uncertainty *u)
{
  return u->s;
}

const gscale_number *gscale_uncertainty_number(const gscale_uncertainty *u,
                                               size_t i)
{
  return i < u->numbers.n ? &u->numbers.entry[i].about : NULL;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
