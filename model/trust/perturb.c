/* perturb.c - perturbation of numbers one by one, and plans of them.
 *
 * A plan knows who asked for which number when it was made, and a prediction
 * from it notes the same.  Only what asked for the perturbed number is made
 * again (finite_difference.c). */

#include "trust/perturb.h"

#include "ground/ground.h"
#include "predict/prepare.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* ---- perturbed plans ----------------------------------------------------- */

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

/* Makes room for all costs that one perturbation may change. */
static bool more_costs(gscale_uncertainty *u)
{
  if (u->costs + GSCALE_COST_END <= u->room) return true;
  const size_t room = 2 * (u->costs + GSCALE_COST_END);
  struct gscale__cost_to *more = realloc(u->cost, room * sizeof *more);
  u->no_memory = u->no_memory || !more;
  if (!more) return false;
  u->cost = more;
  u->room = room;
  return true;
}

static bool differ(double a, double b)
{
  return a < b || a > b;
}

/* Lists the schedule's costs that a parameter changes, one bit each. */
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
  gscale__put(p->source, e->id, is); /* the plan's own value */
  for (int c = 0; c < GSCALE_COST_END; c++) {
    if (!differ(was[c], p->cost[c])) continue;
    u->cost[u->costs++] = (struct gscale__cost_to){c, p->cost[c]};
    bits |= (uint64_t)1 << c;
  }
  m->costs = u->costs - m->first;
  memcpy(p->cost, was, sizeof was);
  return bits;
}

/* Returns true for a parameter that no other one follows. */
static bool is_independent(const gscale_uncertainty *u, const gscale__entry *e)
{
  return e->kind == GSCALE__OF_PARAM && !gscale__param_leads(&u->system, e->id);
}

/* Returns who asked for what the scratch copies change. */
static uint64_t askers_of(const gscale_uncertainty *u, const gscale__entry *e)
{
  const gscale_plan *p = u->plan;

  if (is_independent(u, e)) return p->by[e->id];
  return gscale__changed(p->source, p->by, &u->system) |
         gscale__changed_else(p->by, u->s, u->w, &u->system, u->workload);
}

/* The plan of these GPUs does not depend on these askers. */
static const uint64_t APART = GSCALE__BY_CHECK | GSCALE__BY_COSTS |
                              GSCALE__BY_INFINITE | GSCALE__BY_BASELINE |
                              GSCALE__BY_BASE;

/* Makes the plan of the scratch copies. */
static gscale_status make_plan(gscale_uncertainty *u, uint64_t who,
                               gscale__perturbed *m)
{
  const gscale_status st =
      gscale__plan_moved(u->plan, who, &u->system, u->workload, &m->plan);

  u->no_memory = u->no_memory || st == GSCALE_ENOMEM;
  return st;
}

/* Notes who asked for what when a plan was made. */
static void note_made(gscale_uncertainty *u, const gscale_plan *p)
{
  for (size_t i = 0; i < GSCALE__ASKED; i++) u->made_of[i] |= p->by[i];
}

/* Drops a plan that equals the original, except for costs that a parameter
 * changes. */
static void drop_same(gscale_uncertainty *u, bool alone, gscale__perturbed *m)
{
  const size_t size = sizeof u->plan->cost;
  double cost[GSCALE_COST_END];

  note_made(u, m->plan);
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

/* Keeps a plan that parameters are put into, too. */
static void keep_made(gscale_uncertainty *u, gscale_plan *p)
{
  u->made[u->n_made++] = p;
  note_made(u, p);
}

/* A parameter without followers that needs no new plan changes its value and
 * costs.  Any other number that needs no new plan changes nothing.  A number is
 * not perturbed where nothing can be predicted. */
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
  if (m->plan) keep_made(u, m->plan);
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

/* Widens the error of a parameter beyond the measured number of GPUs. */
static void extrapolate_error(gscale_uncertainty *u, gscale__entry *e)
{
  if (e->kind == GSCALE__OF_PARAM)
    e->about.p = gscale__extrapolate(u->s, (gscale_param_id)e->id, u->n);
}

static void free_made(gscale_uncertainty *u)
{
  for (size_t i = 1; i < u->n_made; i++) gscale_plan_free(u->made[i]);
}

void gscale_uncertainty_free(gscale_uncertainty *u)
{
  if (!u) return;
  free_made(u);
  if (!u->borrowed) gscale_plan_free(u->plan);
  gscale__free_numbers(&u->numbers);
  free(u->moves);
  free(u->made);
  free(u->live);
  free(u->which);
  free(u->cost);
  free(u->effect);
  free(u->workload);
  free(u);
}

/* Opens room for all perturbations. */
static bool open_perturbations(gscale_uncertainty *u)
{
  u->workload = malloc(sizeof *u->workload);
  if (!u->workload || !gscale__list_numbers(&u->numbers, u->s, u->w, u->all))
    return false;
  u->moves = malloc((u->numbers.n + 1) * sizeof *u->moves);
  u->made = malloc((3 * u->numbers.n + 1) * sizeof *u->made);
  u->effect = calloc(u->numbers.n + 1, sizeof *u->effect);
  u->live = malloc((u->numbers.n + 1) * sizeof *u->live);
  u->which = malloc((u->numbers.n + 1) * sizeof *u->which);
  return u->moves && u->made && u->effect && u->live && u->which;
}

/* Perturbs all numbers.  The original plan is the first of the plans. */
static bool perturb_numbers(gscale_uncertainty *u)
{
  const size_t n = u->numbers.n;

  gscale__restore_all(u);
  u->costs = u->n_made = 0;
  memset(u->made_of, 0, sizeof u->made_of);
  memset(u->moves, 0, n * sizeof *u->moves);
  memset(u->effect, 0, n * sizeof *u->effect);
  keep_made(u, u->plan);
  for (size_t i = 0; i < n; i++) extrapolate_error(u, &u->numbers.entry[i]);
  for (size_t i = 0; !u->no_memory && i < n; i++) perturb_number(u, i);
  list_live(u);
  return !u->no_memory;
}

gscale_status gscale__uncertainty_of(const gscale_system *s,
                                     const gscale_workload *w, gscale_plan *p,
                                     bool borrowed, bool all,
                                     gscale_uncertainty **out,
                                     gscale_diag *diag)
{
  gscale_uncertainty *u = malloc(sizeof *u);

  if (!u) return gscale__fail(diag, GSCALE_ENOMEM, "no memory for errors");
  memset(u, 0, offsetof(gscale_uncertainty, stage)); /* the rest is large */
  u->s = s;
  u->w = w;
  u->n = p->n;
  u->plan = p;
  u->borrowed = true;
  u->all = all;
  if (!open_perturbations(u) || !perturb_numbers(u)) {
    gscale_uncertainty_free(u);
    return gscale__fail(diag, GSCALE_ENOMEM, "no memory for the error");
  }
  u->borrowed = borrowed;
  *out = u;
  return GSCALE_OK;
}

gscale_status gscale_uncertainty_new(const gscale_system *s,
                                     const gscale_workload *w, int n, bool all,
                                     gscale_uncertainty **out,
                                     gscale_diag *diag)
{
  gscale_plan *p = NULL;
  gscale_status st = gscale_plan_new(s, w, n, &p, diag);

  if (st == GSCALE_OK)
    st = gscale__uncertainty_of(s, w, p, false, all, out, diag);
  if (st != GSCALE_OK) gscale_plan_free(p);
  return st;
}

/* ---- updates ------------------------------------------------------------- */

/* The plan has only costs of these askers. */
static const uint64_t COSTS_ALONE =
    GSCALE__BY_COSTS | GSCALE__BY_INFINITE | GSCALE__BY_BASE;

/* Returns true if all uses of a parameter can take another value in place.  The
 * plan itself must have it already if it uses more than the value. */
static bool fits_in_place(const gscale_uncertainty *u, size_t id, double value)
{
  const uint64_t who = u->made_of[id];

  if (who == 0) return true;
  return u->borrowed && (who & ~COSTS_ALONE) == 0 &&
         !differ(gscale__read(u->plan->source, (gscale_param_id)id), value);
}

/* Lists changed costs again after an update. */
static void list_costs_again(gscale_uncertainty *u)
{
  u->costs = 0;
  for (size_t i = 0; i < u->numbers.n; i++) {
    const gscale__entry *e = &u->numbers.entry[i];
    gscale__perturbations *m = &u->moves[i];
    gscale__perturbed *const to[] = {&m->down, &m->up, &m->percent};

    if (!gscale__is_live(m) || !is_independent(u, e) ||
        (u->plan->by[e->id] & GSCALE__BY_COSTS) == 0)
      continue;
    if (m->costs != GSCALE__OF_ALL) m->costs = 0;
    for (size_t t = 0; t < sizeof to / sizeof *to; t++)
      if (to[t]->there && !to[t]->plan) m->costs |= list_costs(u, e, to[t]);
  }
}

bool gscale_uncertainty_put(gscale_uncertainty *u, gscale_param_id id)
{
  gscale__entry *e = &u->numbers.entry[id]; /* parameters come first */
  const gscale_param *now = gscale_system_get(u->s, id);
  const bool was_live = gscale__is_live(&u->moves[id]);
  const bool costs = (u->made_of[id] & GSCALE__BY_COSTS) != 0;

  if (e->about.p.err > 0.0 || now->err > 0.0 ||
      gscale__param_leads(&u->system, id) || !fits_in_place(u, id, now->val))
    return false;
  gscale__param_take(&u->system, u->s, id);
  for (size_t i = 0; i < u->n_made; i++) {
    gscale__put(u->made[i]->source, id, now->val);
    if (costs && i > 0) gscale__step_costs(u->made[i]);
  }
  e->about.p = *now;
  extrapolate_error(u, e);
  u->moves[id] = (gscale__perturbations){.weight = 0.0};
  perturb_number(u, id);
  if (costs) list_costs_again(u);
  u->effect[id] = 0.0;
  if (gscale__is_live(&u->moves[id]) != was_live) list_live(u);
  return !u->no_memory;
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
