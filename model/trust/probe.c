/* probe.c - plans of a system whose numbers are tried at other values. */

#include "ground/ground.h"
#include "predict/step.h"
#include "trust/moves.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

struct gscale_probe {
  gscale_system system;
  const gscale_workload *w, *other; /* of the first plan, and of the last */
  gscale__based first, now; /* from the first later ones borrow; NULL: none */
  uint64_t left;   /* paradigms that nobody will ask for, a bit for each */
  bool set, moved; /* some number, or the workload, since a plan was made */
  gscale__again *again;  /* NULL before the first batch */
  bool made;             /* the plan, since that began anew */
  gscale_uncertainty *u; /* of its numbers, or NULL: nobody asked; */
  gscale_param_id late[GSCALE_PARAM_END]; /* but for these, set since */
  size_t lates;
  bool is_late[GSCALE_PARAM_END];
};

static void forget_errors(gscale_probe *p)
{
  gscale_uncertainty_free(p->u);
  p->u = NULL;
}

gscale_status gscale_probe_new(const gscale_system *s, const gscale_workload *w,
                               int n, gscale_probe **out, gscale_diag *diag)
{
  gscale__based first;
  const gscale_status st = gscale__based_new(s, w, n, &first, diag);
  gscale_probe *p;

  if (st != GSCALE_OK) return st;
  p = malloc(sizeof *p);
  if (!p) {
    gscale__based_free(&first);
    return gscale__fail(diag, GSCALE_ENOMEM, "no memory for a probe");
  }
  *p = (gscale_probe){
      .system = *s, .w = w, .other = w, .first = first, .made = true};
  *out = p;
  return GSCALE_OK;
}

void gscale_probe_free(gscale_probe *p)
{
  if (!p) return;
  forget_errors(p);
  gscale__based_free(&p->now);
  gscale__based_free(&p->first);
  gscale__again_free(p->again);
  free(p);
}

static gscale__based *current(gscale_probe *p)
{
  return p->now.plan ? &p->now : &p->first;
}

bool gscale_probe_plans(const gscale_probe *p, gscale_param_id id)
{
  const gscale__based *b = p->now.plan ? &p->now : &p->first;

  return id < GSCALE_PARAM_END &&
         ((b->plan->by[id] | (b->base ? b->base->by[id] : 0)) != 0 ||
          gscale__param_leads(&p->system, id));
}

/* What nothing of the plan is made of. */
static void put(gscale__based *b, gscale_param_id id, double value)
{
  gscale__put(b->plan->source, id, value);
  if (b->base) gscale__put(b->base->source, id, value);
}

gscale_status gscale_probe_set(gscale_probe *p, gscale_param_id id,
                               double value, gscale_diag *diag)
{
  if (id >= GSCALE_PARAM_END)
    return gscale__fail(diag, GSCALE_ENAME, "no parameter %d", (int)id);

  const gscale_param to = {.val = value, .origin = GSCALE_ASSUMED};
  const gscale_status st = gscale_system_set(&p->system, id, &to, diag);
  if (st != GSCALE_OK) return st;
  if (gscale_probe_plans(p, id))
    p->set = true;
  else
    put(current(p), id, value);
  if (!p->is_late[id]) p->late[p->lates++] = id;
  p->is_late[id] = true;
  return GSCALE_OK;
}

void gscale_probe_ways(gscale_probe *p, const size_t *paradigm, size_t n)
{
  p->left = ((uint64_t)1 << gscale_paradigm_count()) - 2; /* not `infinite` */
  for (size_t i = 0; i < n; i++) p->left &= ~((uint64_t)1 << paradigm[i]);
}

gscale_status gscale_probe_workload(gscale_probe *p, const gscale_workload *w,
                                    gscale_diag *diag)
{
  if (w->phases != p->w->phases)
    return gscale__fail(diag, GSCALE_EDOMAIN, "%s: %zu phases, not %zu",
                        w->name, w->phases, p->w->phases);
  p->other = w;
  p->set = p->moved = true;
  forget_errors(p);
  return GSCALE_OK;
}

static gscale_status refresh(gscale_probe *p, gscale_diag *diag)
{
  gscale__based next = {NULL, NULL};

  if (!p->moved && gscale__based_put(current(p), &p->system)) return GSCALE_OK;
  const gscale_status st = gscale__based_again(
      &p->first, &p->system, &p->system, p->w, p->other, p->left, &next, diag);
  if (st != GSCALE_OK) return st;
  gscale__based_free(&p->now);
  p->now = next;
  gscale__based_lend(&p->first, &p->now);
  return GSCALE_OK;
}

gscale_status gscale_probe_plan(gscale_probe *p, const gscale_plan **out,
                                gscale_diag *diag)
{
  if (p->set) {
    const gscale_status st = refresh(p, diag);
    p->made = true;
    if (st != GSCALE_OK) return st;
    p->set = p->moved = false;
  }
  *out = current(p)->plan;
  return GSCALE_OK;
}

gscale_status gscale_probe_uncertainty(gscale_probe *p, bool all,
                                       gscale_uncertainty **out,
                                       gscale_diag *diag)
{
  const gscale_plan *plan;
  const gscale_status st = gscale_probe_plan(p, &plan, diag);

  return st == GSCALE_OK
             ? gscale__uncertainty_of(&p->system, p->other, current(p)->plan,
                                      true, all, out, diag)
             : st;
}

const gscale_system *gscale_probe_system(const gscale_probe *p)
{
  return &p->system;
}

/* ---- many points ----------------------------------------------------------
 */

enum {
  FIELDS_AT_ONCE = 64
};

typedef struct batch {
  gscale_probe *p;
  size_t paradigm;
  gscale_knobs k;
  const gscale_change *change;
  size_t changes;
  gscale_workload *moved;       /* that fields are put into; NULL: none is */
  const gscale_workload *other; /* the probe's before */
  gscale__again *again;
  bool held; /* there is a prediction before this one, of the same plan; */
  bool told; /* and its error */
} batch;

static bool has_fields(const gscale_change *c, size_t n)
{
  bool any = false;

  for (size_t i = 0; i < n; i++) any = any || c[i].of == GSCALE_CHANGES_FIELD;
  return any;
}

static gscale_status open_batch(batch *b, gscale_diag *diag)
{
  const size_t size = offsetof(gscale_workload, phase) +
                      b->other->phases * sizeof *b->other->phase;
  const bool fields = has_fields(b->change, b->changes);

  if (!b->p->again) b->p->again = gscale__again_new();
  b->again = b->p->again;
  b->moved = fields ? malloc(size) : NULL;
  if (!b->again || (fields && !b->moved))
    return gscale__fail(diag, GSCALE_ENOMEM, "no memory for predictions");
  if (b->moved) gscale__copy_workload(b->moved, b->other);
  return GSCALE_OK;
}

static void close_batch(batch *b)
{
  if (b->moved) gscale_probe_workload(b->p, b->other, NULL);
  free(b->moved); /* what it points to is the other's */
}

/* A parameter; who of the prediction before asked for it. */
static gscale_status move_param(batch *b, gscale_param_id id, double value,
                                uint64_t *who, gscale_diag *diag)
{
  gscale_probe *p = b->p;

  if (id < GSCALE_PARAM_END &&
      gscale_system_get(&p->system, id)->val >= value &&
      gscale_system_get(&p->system, id)->val <= value)
    return GSCALE_OK;
  const gscale_status st = gscale_probe_set(p, id, value, diag);
  if (st == GSCALE_OK && b->held) *who |= gscale__asked_for(b->again, id);
  return st;
}

/* All numbers of point i.  Fields are put at once: one without the others may
 * be none that a phase can have. */
static gscale_status move_all(batch *b, size_t i, uint64_t *who,
                              gscale_diag *diag)
{
  gscale_put put[FIELDS_AT_ONCE];
  gscale_status st = GSCALE_OK;
  size_t puts = 0;

  for (size_t c = 0; st == GSCALE_OK && c < b->changes; c++) {
    const gscale_change *one = &b->change[c];
    const double v = one->value[i];

    if (one->of == GSCALE_CHANGES_PARAM)
      st = move_param(b, one->id, v, who, diag);
    else if (one->of == GSCALE_CHANGES_KNOB)
      b->k.v[one->knob] = v;
    else if (puts == FIELDS_AT_ONCE)
      st = gscale__fail(diag, GSCALE_EDOMAIN, "more than %d fields at once",
                        (int)FIELDS_AT_ONCE);
    else
      put[puts++] = (gscale_put){one->phase, one->field, one->index, v};
    b->held = b->held && one->of == GSCALE_CHANGES_PARAM;
  }
  if (st == GSCALE_OK && puts > 0)
    st = gscale_workload_put(b->moved, put, puts, diag);
  if (st == GSCALE_OK && puts > 0)
    st = gscale_probe_workload(b->p, b->moved, diag);
  return st;
}

/* One point: from the one before, if the plan is still the same. */
static gscale_status predict_point(batch *b, size_t i, gscale_prediction *out,
                                   gscale_diag *diag)
{
  const gscale_plan *plan;
  uint64_t who = 0;
  gscale_status st = move_all(b, i, &who, diag);

  if (st != GSCALE_OK) return st;
  const bool same = b->held && !b->p->set && gscale__same_checks(who);
  bool made = b->p->set;
  st = gscale_probe_plan(b->p, &plan, diag);
  b->held = st == GSCALE_OK;
  if (st != GSCALE_OK) return st;
  if (same) return gscale__predict_again(b->again, who, out, diag);
  b->held = !made || i == 0;
  if (!b->held) return gscale_predict(plan, b->paradigm, &b->k, out, diag);
  made = b->p->made;
  b->p->made = false;
  return gscale__predict_first(b->again, plan, made, b->paradigm, &b->k, out,
                               diag);
}

/* ---- points beside each other --------------------------------------------
 */

/* Who asked for any number that changes. */
static uint64_t askers(const batch *b)
{
  uint64_t who = 0;

  for (size_t c = 0; c < b->changes; c++)
    who |= gscale__asked_for(b->again, b->change[c].id);
  return who;
}

/* Who did so for what is gathered. */
static uint64_t gatherers(const batch *b)
{
  uint64_t who = 0;

  for (size_t c = 0; c < b->changes; c++)
    who |= gscale__gathered_for(b->again, b->change[c].id);
  return who;
}

/* Whether the next points differ from the last by no more than values of
 * parameters that no plan is made of, nor what says whether there can be one.
 */
static bool differs_little(const batch *b)
{
  if (!b->held || b->p->set) return false;
  for (size_t c = 0; c < b->changes; c++) {
    const gscale_change *one = &b->change[c];
    if (one->of != GSCALE_CHANGES_PARAM || one->id >= GSCALE_PARAM_END ||
        gscale_probe_plans(b->p, one->id))
      return false;
  }
  return gscale__same_checks(askers(b));
}

/* And by some that phases ask for. */
static bool goes_beside(const batch *b)
{
  return differs_little(b) && askers(b) != 0 &&
         gscale__predicts_beside(b->again);
}

/* Of point i. */
static bool put_params(batch *b, size_t i)
{
  uint64_t who = 0;

  return move_all(b, i, &who, NULL) == GSCALE_OK;
}

/* So many points from i on, of numbers that these ask for. */
static void settle_beside(batch *b, size_t i, int n, uint64_t who,
                          gscale_prediction *out, gscale_status *st,
                          gscale_diag *diag)
{
  gscale__predict_settle(b->again, who, n);
  for (int k = 0; k < n; k++) {
    if (gscale__predict_needs(b->again, who, k)) put_params(b, i + (size_t)k);
    st[k] = gscale__predict_looked(b->again, k, &out[k], &diag[k]);
  }
  put_params(b, i + (size_t)n - 1);
  gscale__predict_held(b->again, n);
}

/* False if one has a number that cannot be, or if they ask for more than was
 * known: what is asked for first has no value of each. */
static bool predict_beside(batch *b, size_t i, int n, gscale_prediction *out,
                           gscale_status *st, gscale_diag *diag)
{
  const uint64_t who = askers(b), gather = gatherers(b);

  for (int k = 0; k < n; k++) {
    if (!put_params(b, i + (size_t)k)) return false;
    gscale__predict_look(b->again, who, gather, k);
  }
  settle_beside(b, i, n, who, out, st, diag);
  return (askers(b) & ~who) == 0 && (gatherers(b) & ~gather) == 0;
}

/* Points from i on, at least one; how many. */
static int predict_some(batch *b, size_t i, size_t n, gscale_prediction *out,
                        gscale_status *st, gscale_diag *diag)
{
  const int most = n - i < GSCALE__AT_ONCE ? (int)(n - i) : GSCALE__AT_ONCE;

  if (most > 2 && goes_beside(b)) {
    if (predict_beside(b, i, most, out, st, diag)) return most;
    b->held = false;
  }
  st[0] = predict_point(b, i, out, diag);
  return 1;
}

gscale_status gscale_predict_many(gscale_probe *p, size_t paradigm,
                                  const gscale_knobs *k, size_t n,
                                  const gscale_change *change, size_t m,
                                  gscale_prediction *out, gscale_diag *diag)
{
  batch b = {.p = p,
             .paradigm = paradigm,
             .k = k ? *k : gscale_knobs_best,
             .change = change,
             .changes = m,
             .other = p->other};
  gscale_status first = open_batch(&b, diag);

  for (size_t i = 0; b.again && i < n;) {
    gscale_status st[GSCALE__AT_ONCE];
    gscale_diag here[GSCALE__AT_ONCE];
    const int some = predict_some(&b, i, n, &out[i], st, here);

    for (int j = 0; j < some; j++, i++) {
      if (st[j] == GSCALE_OK) continue;
      out[i].time = (double)NAN;
      b.held = false;
      if (first == GSCALE_OK && diag) *diag = here[j];
      if (first == GSCALE_OK) first = st[j];
    }
  }
  close_batch(&b);
  return first;
}

/* ---- with errors ----------------------------------------------------------
 */

/* Parameters that change are exact at all points, at those too where they are
 * what they were. */
static void make_exact(const batch *b)
{
  for (size_t c = 0; c < b->changes; c++) {
    const gscale_change *one = &b->change[c];
    if (one->of != GSCALE_CHANGES_PARAM || one->id >= GSCALE_PARAM_END)
      continue;
    const gscale_param *now = gscale_system_get(&b->p->system, one->id);
    if (now->err > 0.0 || now->origin != GSCALE_ASSUMED)
      gscale_probe_set(b->p, one->id, now->val, NULL);
  }
}

/* Parameters that were set since errors were asked for: put where there is a
 * number, or all moves are made anew. */
static void catch_up(gscale_probe *p)
{
  bool put = p->u && gscale_uncertainty_plan(p->u) == current(p)->plan;

  for (size_t i = 0; put && i < p->lates; i++)
    put = gscale_uncertainty_put(p->u, p->late[i]);
  if (p->u && !put && !gscale__uncertainty_again(p->u, current(p)->plan))
    forget_errors(p);
  while (p->lates > 0) p->is_late[p->late[--p->lates]] = false;
}

/* One point: what a move of its numbers does is kept from the one before. */
static gscale_status error_point(batch *b, size_t i, gscale_prediction *out,
                                 gscale_error *err, gscale_diag *diag)
{
  gscale_probe *p = b->p;
  gscale_status st = predict_point(b, i, out, diag);

  b->told = false;
  if (st == GSCALE_OK) catch_up(p);
  if (st == GSCALE_OK && !p->u)
    st = gscale_probe_uncertainty(p, false, &p->u, diag);
  if (st == GSCALE_OK)
    st = gscale__predict_error(p->u, b->paradigm, &b->k, out, err, diag);
  b->told = st == GSCALE_OK;
  return st;
}

/* Whether the errors of the next points are found beside each other. */
static bool tells_beside(const batch *b)
{
  if (!b->told || !differs_little(b)) return false;
  for (size_t c = 0; c < b->changes; c++)
    if (!gscale__can_beside(b->p->u, b->change[c].id)) return false;
  return askers(b) == 0 || gscale__predicts_beside(b->again);
}

/* Points that differ in nothing that anybody asks for are one. */
static bool predict_alike(batch *b, size_t i, int n, gscale_prediction *out,
                          gscale_status *st, gscale_diag *diag)
{
  for (int k = 0; k < n; k++) {
    if (!put_params(b, i + (size_t)k)) return false;
    st[k] = gscale__predict_again(b->again, 0, &out[k], diag);
  }
  return true;
}

/* So many points from i on; false if they have to be found one by one. */
static bool tell_beside(batch *b, size_t i, int n, gscale_prediction *out,
                        gscale_error *err, gscale_status *st, gscale_diag *diag)
{
  gscale_probe *p = b->p;

  if (!(askers(b) == 0 ? predict_alike : predict_beside)(b, i, n, out, st,
                                                         diag))
    return false;
  for (int k = 0; k < n; k++) {
    if (st[k] != GSCALE_OK || !put_params(b, i + (size_t)k)) return false;
    catch_up(p);
    if (!p->u || !gscale__hold_point(p->u, b->paradigm, k)) return false;
  }
  if (!gscale__begin_points(p->u, b->change, b->changes, i, n)) return false;
  gscale__move_points(p->u, b->paradigm, &out[0].knobs);
  for (int k = 0; k < n; k++) {
    put_params(b, i + (size_t)k);
    catch_up(p);
    st[k] =
        gscale__point_error(p->u, b->paradigm, k, &out[k], &err[k], &diag[k]);
  }
  return true;
}

/* Points from i on, at least one; how many. */
static int tell_some(batch *b, size_t i, size_t n, gscale_prediction *out,
                     gscale_error *err, gscale_status *st, gscale_diag *diag)
{
  const int most = n - i < GSCALE__AT_ONCE ? (int)(n - i) : GSCALE__AT_ONCE;

  if (most > 2 && tells_beside(b)) {
    if (tell_beside(b, i, most, out, err, st, diag)) return most;
    b->held = false;
  }
  st[0] = error_point(b, i, out, err, diag);
  return 1;
}

gscale_status gscale_errors_many(gscale_probe *p, size_t paradigm,
                                 const gscale_knobs *k, size_t n,
                                 const gscale_change *change, size_t m,
                                 gscale_prediction *out, gscale_error *err,
                                 gscale_diag *diag)
{
  batch b = {.p = p,
             .paradigm = paradigm,
             .k = k ? *k : gscale_knobs_best,
             .change = change,
             .changes = m,
             .other = p->other};
  gscale_status first = open_batch(&b, diag);

  if (first == GSCALE_OK) make_exact(&b);
  for (size_t i = 0; b.again && i < n;) {
    gscale_prediction now[GSCALE__AT_ONCE];
    gscale_status st[GSCALE__AT_ONCE];
    gscale_diag here[GSCALE__AT_ONCE];
    const int some = tell_some(&b, i, n, now, &err[i], st, here);

    for (int j = 0; j < some; j++, i++) {
      if (out) out[i] = now[j];
      if (st[j] == GSCALE_OK) continue;
      err[i].time = (double)NAN;
      if (out) out[i].time = (double)NAN;
      if (first == GSCALE_OK && diag) *diag = here[j];
      if (first == GSCALE_OK) first = st[j];
    }
  }
  close_batch(&b);
  return first;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
