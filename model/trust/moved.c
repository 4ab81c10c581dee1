/* moved.c - what the time does where numbers have moved (moves.c). */

#include "trust/moves.h"

#include "predict/prepare.h"

#include <math.h>
#include <string.h>

static gscale__stage *stage_of(const gscale_uncertainty *u, int point)
{
  return u->stage + (size_t)point * u->plan->phases;
}

/* A point's phases, and what is made of them, kept. */
static bool hold(gscale_uncertainty *u, size_t paradigm, int point)
{
  const gscale__paradigm *m = gscale__paradigm_at(paradigm);
  gscale_plan *p = u->plan;
  gscale__stage *l = stage_of(u, point);

  for (size_t i = 0; i < p->phases; i++, l++) {
    p->source->asking = gscale__phase_bit(i);
    p->source->asked = u->gathered;
    if (m->gather) m->gather(p, &p->phase[i], &l->gathered);
    p->source->asked = u->asked;
    gscale__prepare_flow(p, m, &u->set, i, l);
    l->length = gscale_flow_time(&l->flow);
    if (!gscale__is_finite(l)) return false;
  }
  p->source->asking = GSCALE__OF_STEP;
  return gscale__near_hold(u->near, p, gscale__paradigm_row(paradigm, &u->set),
                           stage_of(u, point), point);
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

double gscale__time_now(gscale_uncertainty *u, size_t paradigm,
                        const gscale_knobs *k)
{
  memset(u->asked, 0, sizeof u->asked);
  memset(u->gathered, 0, sizeof u->gathered);
  u->used = 0;
  u->points = 1;
  u->point = 0;
  note(u, true);
  const bool held =
      gscale__is_set(u->plan, paradigm, k, &u->set) && hold(u, paradigm, 0);
  note(u, false);
  if (held) gscale__near_begin(u->near, 1, u->at);
  return held && is_time(u->at[0]) ? u->at[0] : (double)NAN;
}

bool gscale__differs(const gscale_uncertainty *u, size_t i)
{
  bool any = false;

  for (size_t c = 0; u->points > 1 && c < u->changes; c++)
    any = any || (size_t)u->change[c].id == i; /* parameters are the first */
  return any;
}

bool gscale__can_beside(const gscale_uncertainty *u, gscale_param_id id)
{
  const uint64_t asked = u->asked[id] | u->gathered[id];

  return !u->plan->own && u->made_of[id] == 0 &&
         !gscale__param_leads(&u->system, id) &&
         (asked & (GSCALE__OF_CHECKS | GSCALE__OF_STEP)) == 0;
}

bool gscale__hold_point(gscale_uncertainty *u, size_t paradigm, int k)
{
  note(u, true);
  const bool held = hold(u, paradigm, k);
  note(u, false);
  return held;
}

bool gscale__begin_points(gscale_uncertainty *u, const gscale_change *change,
                          size_t changes, size_t from, int n)
{
  bool all = true;

  u->change = change;
  u->changes = changes;
  u->from = from;
  u->points = n;
  u->gathers = false;
  for (size_t c = 0; c < changes; c++)
    u->gathers = u->gathers || u->gathered[change[c].id] != 0;
  gscale__near_begin(u->near, n, u->at);
  for (int k = 0; k < n; k++) all = all && is_time(u->at[k]);
  return all;
}

gscale_status gscale__predict_now(gscale_uncertainty *u, size_t paradigm,
                                  gscale_prediction *out, gscale_diag *diag)
{
  return gscale__predict_ready(u->plan, paradigm, u->stage, &u->set,
                               gscale__near_memo(u->near), NULL, out, diag);
}

bool gscale__matters(const gscale_uncertainty *u, size_t i)
{
  const gscale__entry *e = &u->numbers.entry[i];
  const gscale__moves *m = &u->moves[i];

  if (!gscale__is_live(m)) return false;
  if (m->costs == GSCALE__OF_ALL || (m->costs & u->used) != 0) return true;
  return e->kind == GSCALE__OF_PARAM &&
         (u->asked[e->id] | u->gathered[e->id]) != 0;
}

/* ---- one move ------------------------------------------------------------ */

/* What a move changes, and of which plan: phases, what some of them gather, and
 * costs, a bit for each; or all that is not of phases, too. */
typedef struct move {
  const gscale_plan *plan;
  gscale_knobs set;
  uint64_t phases, gather, costs;
  bool all;
} move;

/* False if nothing is predicted then. */
static bool open_move(const gscale_uncertainty *u, size_t i,
                      const gscale__target *m, size_t paradigm,
                      const gscale_knobs *k, move *out)
{
  const size_t id = u->numbers.entry[i].id;

  if (m->plan) {
    out->plan = m->plan;
    out->phases = out->gather = out->costs = GSCALE__OF_ALL;
    out->all = true;
    return gscale__is_set(m->plan, paradigm, k, &out->set);
  }
  const uint64_t gather = u->gathered[id], asked = u->asked[id] | gather;
  out->plan = u->plan;
  out->phases = asked & ~(GSCALE__OF_CHECKS | GSCALE__OF_STEP);
  out->gather = gather;
  out->costs = u->moves[i].costs & u->used;
  out->all = (asked & GSCALE__OF_STEP) != 0;
  out->set = u->set;
  return (asked & GSCALE__OF_CHECKS) == 0 ||
         gscale__is_set(u->plan, paradigm, k, &out->set);
}

/* Prepares what moves of a point; false if it is not finite.  What all points
 * gather alike is there from the first. */
static bool prepare(gscale_uncertainty *u, const move *v, size_t paradigm,
                    int point)
{
  const gscale__paradigm *m = gscale__paradigm_at(paradigm);

  for (size_t f = 0; f < v->plan->phases; f++) {
    const uint64_t bit = gscale__phase_bit(f);
    gscale__stage *l = &u->moved[f];
    if ((v->phases & bit) == 0) continue;
    if (m->gather && (v->gather & bit) == 0)
      l->gathered = stage_of(u, point)[f].gathered;
    else if (m->gather && (point == 0 || u->gathers))
      m->gather(v->plan, &v->plan->phase[f], &l->gathered);
    gscale__prepare_flow(v->plan, m, &v->set, f, l);
    if (!gscale__is_finite(l)) return false;
  }
  return true;
}

/* All phases of a point, some of which have moved, with their lengths. */
static void compose(const gscale_uncertainty *u, const move *v, int point,
                    gscale__stage *all)
{
  for (size_t f = 0; f < v->plan->phases; f++) {
    const bool moved = (v->phases & gscale__phase_bit(f)) != 0;
    gscale__copy(&all[f], moved ? &u->moved[f] : &stage_of(u, point)[f],
                 sizeof *all);
    all[f].length = gscale_flow_time(&all[f].flow);
  }
}

static double time_alone(const gscale_uncertainty *u, const move *v,
                         size_t paradigm, int point)
{
  gscale__stage all[GSCALE__PHASES_MAX];

  compose(u, v, point, all);
  return gscale__step_time(v->plan, gscale__paradigm_row(paradigm, &u->set),
                           all, NULL);
}

/* Puts what moves of a point into column k; false if it has no place there:
 * *time is what it takes then. */
static bool put(gscale_uncertainty *u, const move *v, size_t paradigm,
                int point, int k, double *time)
{
  gscale__stage all[GSCALE__PHASES_MAX];

  *time = (double)NAN;
  if (!prepare(u, v, paradigm, point)) return false;
  if (!gscale__near_alike(u->near, v->plan, u->moved, v->phases, point)) {
    *time = time_alone(u, v, paradigm, point);
    return false;
  }
  gscale__near_phases(u->near, v->plan, u->moved, v->phases, k);
  if (!u->plan->own) return true;
  compose(u, v, point, all);
  gscale__near_works(u->near, v->plan, all, k);
  return true;
}

void gscale__settle_moves(gscale_uncertainty *u)
{
  if (u->waiting > 0) gscale__near_times(u->near, u->waiting, u->time);
  u->waiting = 0;
}

/* Of one point: it waits for others that are found beside it. */
static void ask_here(gscale_uncertainty *u, const move *v, size_t paradigm,
                     double *time)
{
  const int k = u->waiting;

  if (!put(u, v, paradigm, 0, k, time)) return;
  gscale__near_calls(u->near, v->plan, v->costs, v->all, k);
  u->time[u->waiting++] = time;
  if (u->waiting == GSCALE__AT_ONCE) gscale__settle_moves(u);
}

/* A point's own numbers are put into a plan. */
static void go_to(const gscale_uncertainty *u, const gscale_plan *p, int point)
{
  for (size_t c = 0; c < u->changes; c++)
    gscale__put(p->source, u->change[c].id,
                u->change[c].value[u->from + (size_t)point]);
}

/* Of all points. */
static void ask_points(gscale_uncertainty *u, const move *v, size_t paradigm,
                       double *time)
{
  double *to[GSCALE__AT_ONCE], alone[GSCALE__AT_ONCE];
  bool among[GSCALE__AT_ONCE];

  gscale__near_calls(u->near, v->plan, v->costs, v->all, -1);
  for (int k = 0; k < u->points; k++) {
    to[k] = &time[k];
    among[k] = true;
    if (v->phases == 0) continue;
    go_to(u, v->plan, k);
    among[k] = put(u, v, paradigm, k, k, &alone[k]);
  }
  gscale__near_times(u->near, u->points, to);
  for (int k = 0; k < u->points; k++)
    if (!among[k]) time[k] = alone[k];
}

/* Of the point whose error is found, of several. */
static void ask_there(gscale_uncertainty *u, const move *v, size_t paradigm,
                      double *time)
{
  const int k = u->point;
  double *to[GSCALE__AT_ONCE], others[GSCALE__AT_ONCE];

  for (int j = 0; j < u->points; j++) to[j] = j == k ? time : &others[j];
  if (!put(u, v, paradigm, k, k, time)) return;
  gscale__near_calls(u->near, v->plan, v->costs, v->all, k);
  gscale__near_times(u->near, u->points, to);
}

static void ask_target(gscale_uncertainty *u, size_t i, gscale__target *m,
                       size_t paradigm, const gscale_knobs *k)
{
  const gscale__entry *e = &u->numbers.entry[i];
  const bool several = u->points > 1, one = several && gscale__differs(u, i);
  double *const time = &m->time[several && !one ? 0 : u->point];
  move v;

  if (!m->there) return;
  for (int j = 0; j < u->points; j++)
    if (!one || j == u->point) m->time[j] = (double)NAN;
  if (!m->plan) gscale__swap(u, e->id, m, m->value);
  if (open_move(u, i, m, paradigm, k, &v))
    (!several ? ask_here : one ? ask_there : ask_points)(u, &v, paradigm, time);
  if (!m->plan) gscale__swap(u, e->id, m, e->about.p.val);
}

void gscale__ask_move(gscale_uncertainty *u, size_t i, size_t paradigm,
                      const gscale_knobs *k)
{
  gscale__moves *m = &u->moves[i];

  ask_target(u, i, &m->down, paradigm, k);
  ask_target(u, i, &m->up, paradigm, k);
  for (int j = 0; j < u->points; j++) m->percent.time[j] = (double)NAN;
}

void gscale__ask_percent(gscale_uncertainty *u, size_t i, size_t paradigm,
                         const gscale_knobs *k)
{
  ask_target(u, i, &u->moves[i].percent, paradigm, k);
}

/* ---- what it does -------------------------------------------------------- */

static bool found(const gscale_uncertainty *u, const gscale__target *m)
{
  return m->there && is_time(m->time[u->point]);
}

/* Change of the time by a move; 0 if there is none. */
static double change(const gscale_uncertainty *u, const gscale__target *m,
                     double time)
{
  return found(u, m) ? m->time[u->point] - time : 0.0;
}

/* Elasticity between a number's value and what it was moved to. */
static double secant(const gscale_uncertainty *u, const gscale__target *m,
                     double value, double time)
{
  return change(u, m, time) / (m->value - value) * value / time;
}

double gscale__steepest(const gscale_uncertainty *u, size_t i, double time)
{
  const gscale__moves *m = &u->moves[i];
  const double value = u->numbers.entry[i].about.p.val;

  if (!m->percent.there || !gscale__is_guess(&u->numbers.entry[i].about.p))
    return 0.0;
  if (m->percent.plan || !found(u, &m->down) || !found(u, &m->up))
    return (double)INFINITY;
  return fmax(fabs(secant(u, &m->down, value, time)),
              fabs(secant(u, &m->up, value, time)));
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

  out.down = change(u, &m->down, time);
  out.up = change(u, &m->up, time);
  out.shift = m->weight * (out.down + out.up);
  out.err = gscale__spread_by(m->weight, out.down, out.up);
  if (m->percent.there)
    out.elasticity = change(u, &m->percent, time) / time /
                     ((m->percent.value - value) / value);
  return out;
}

/* ---- all moves ----------------------------------------------------------- */

/* Whether number i moves at some point; it does nothing yet. */
static bool asks(gscale_uncertainty *u, size_t i)
{
  u->effect[i] = 0.0;
  return gscale__matters(u, i) || gscale__differs(u, i);
}

/* Moves all numbers that the points' times depend on, and notes which they are.
 * Those that differ between points are moved when the error of each is found.
 */
static void ask_all(gscale_uncertainty *u, size_t paradigm,
                    const gscale_knobs *k)
{
  const bool several = u->points > 1; /* not all numbers live at all of them */
  const size_t n = several ? u->numbers.n : u->lives;

  u->whiches = 0;
  for (size_t a = 0; a < n; a++) {
    const size_t i = several ? a : u->live[a];
    if (!asks(u, i)) continue;
    if (!gscale__differs(u, i)) gscale__ask_move(u, i, paradigm, k);
    u->which[u->whiches++] = i;
  }
  gscale__settle_moves(u);
}

/* Whether a guess changes the time at some point when it moves by its error; at
 * others it has no percent. */
static bool is_steep(gscale_uncertainty *u, size_t i, bool *steep)
{
  bool any = false;

  for (u->point = 0; u->point < u->points; u->point++) {
    steep[u->point] = gscale__steepest(u, i, u->at[u->point]) > 0.0;
    any = any || steep[u->point];
  }
  u->point = 0;
  return any;
}

/* Moves guesses by a percent that change the time when they move by their
 * error: how steep it is on the way there does not say how steep it is here. */
static void ask_guesses(gscale_uncertainty *u, size_t paradigm,
                        const gscale_knobs *k)
{
  bool steep[GSCALE__AT_ONCE];

  for (size_t a = 0; a < u->whiches; a++) {
    gscale__target *const m = &u->moves[u->which[a]].percent;
    if (gscale__differs(u, u->which[a]) || !is_steep(u, u->which[a], steep))
      continue;
    gscale__ask_percent(u, u->which[a], paradigm, k);
    for (int j = 0; j < u->points; j++)
      if (u->points > 1 && !steep[j]) m->time[j] = (double)NAN;
  }
  gscale__settle_moves(u);
}

void gscale__move_points(gscale_uncertainty *u, size_t paradigm,
                         const gscale_knobs *k)
{
  ask_all(u, paradigm, k);
  ask_guesses(u, paradigm, k);
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
