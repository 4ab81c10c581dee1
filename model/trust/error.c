/* error.c - standard error and applicability of a prediction. */

#include "ground/ground.h"
#include "predict/prepare.h"
#include "predict/step.h"
#include "trust/numbers.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const applicabilities[GSCALE_APPLICABILITY_END] = {
    [GSCALE_INSIDE] = "inside",
    [GSCALE_INTERPOLATED] = "interpolated",
    [GSCALE_EXTRAPOLATED] = "extrapolated",
    [GSCALE_BY_ASSUMPTION] = "assumed",
};

const char *gscale_applicability_name(gscale_applicability a)
{
  return a < GSCALE_APPLICABILITY_END ? applicabilities[a] : NULL;
}

gscale_interval gscale_interval_of(double time, double err, double z)
{
  if (!(time > 0.0) || !(err >= 0.0) || !(z >= 0.0))
    return (gscale_interval){(double)NAN, (double)NAN};
  const double s = asinh(err / time);
  return (gscale_interval){time * exp(-z * s), time * exp(z * s)};
}

/* An assumed number that moves the time by more than this share of its own
 * relative change makes the whole prediction one by assumption. */
static const double MATTERS = 0.1;

static void leave(gscale_error *e, gscale_applicability a, const char *word,
                  const char *why)
{
  if (e->applicability >= a) return;
  e->applicability = a;
  gscale__copy_text(e->word, sizeof e->word, word);
  gscale__copy_text(e->reason, sizeof e->reason, why);
}

static void check_sizes(const gscale_system *s, const gscale_plan *p,
                        size_t paradigm, gscale_error *e)
{
  char why[128];

  if (s->calibrated > 0 && p->n > s->calibrated) {
    snprintf(why, sizeof why, "%d GPUs, %d were measured", p->n, s->calibrated);
    leave(e, GSCALE_EXTRAPOLATED, "gpus", why);
  }
  if (p->beyond) leave(e, GSCALE_EXTRAPOLATED, "gpus", "more GPUs than built");
  if (gscale_system_widened(s, p->n).nodes > 0.0)
    leave(e, GSCALE_EXTRAPOLATED, "nodes", "no run on as many nodes");
  if (s->membw.n > 0 && (p->largest_footprint > s->membw.x[s->membw.n - 1] ||
                         p->smallest_footprint < s->membw.x[0])) {
    snprintf(why, sizeof why, "footprint of %.3g .. %.3g MB",
             p->smallest_footprint / 1e6, p->largest_footprint / 1e6);
    leave(e, GSCALE_EXTRAPOLATED, "footprint", why);
  }
  if (!gscale_system_widened(s, 1).measured)
    leave(e, GSCALE_EXTRAPOLATED, "machine", "machine was not measured");
  if (!gscale_system_widened(s, 1).kept)
    leave(e, GSCALE_EXTRAPOLATED, "link", "link was not measured");
  const char *name = gscale_paradigm_at(paradigm)->name;
  for (size_t i = 0; strncmp(name, "memcpy", 6) == 0 && i < p->phases; i++) {
    const double copy = p->phase[i].copy;
    if (copy > 0.0 && (copy < s->copy_least || copy > s->copy_most)) {
      snprintf(why, sizeof why, "copies of %.3g B", copy);
      leave(e, GSCALE_EXTRAPOLATED, "copies", why);
    }
  }
}

/* ---- plans in which one number is moved --------------------------------- */

/* Who asks for parameters besides phases: what says whether a paradigm can be
 * predicted, and the schedule of the step. */
static const uint64_t CHECKS = (uint64_t)1 << 62, STEP = (uint64_t)1 << 63,
                      EVERYONE = ~(uint64_t)0;

/* Another value of a number of the plan. */
typedef struct changed {
  double *at, to;
} changed;

/* What one number is moved to, and the plan then; a parameter that changes
 * nothing of the plan but costs of its schedule has none, but a list of its
 * value and these. */
typedef struct move {
  bool there;
  double value;
  gscale_plan *plan;
  bool lasts; /* it differs in how long kernels last, and in that number */
  size_t first, changes;
} move;

typedef struct moves {
  move down, up, percent;
  uint64_t costs; /* of the schedule, that change: a bit for each; all, if */
                  /* more than these do */
  double weight;  /* of down and up each */
} moves;

/* What is kept of a paradigm. */
typedef struct by_paradigm {
  uint64_t costs; /* of its schedule, that it uses; 0: not known */
  bool pooled;    /* the next is known */
  gscale_pooled pool;
} by_paradigm;

struct gscale_uncertainty {
  const gscale_system *s;
  const gscale_workload *w;
  int n;
  gscale_plan *plan;
  uint64_t asked[GSCALE_PARAM_END]; /* of the plan, by the last time from it:
                                     * by which phases, or elsewhere, */
  uint64_t used;                    /* and costs of its schedule */
  gscale_knobs set;                 /* then, */
  gscale__held held;                /* what it was evaluated from, */
  gscale__stage stage[GSCALE__PHASES_MAX]; /* of each phase; */
  gscale__stage moved[GSCALE__PHASES_MAX]; /* the same but while one moves */
  gscale_system system;      /* scratch copies, as they were but while */
  gscale_workload *workload; /* a number is moved */
  gscale__numbers numbers;
  moves *moves;    /* of each number */
  changed *change; /* by moves, one after the other */
  size_t changes, room;
  double *effect;  /* s, of each, on the last time: gscale_uncertainty_effect */
  by_paradigm *by; /* of each */
  bool no_memory;  /* for some plan; no error is known then */
};

static gscale_pooled pool_of(gscale_uncertainty *u, size_t paradigm)
{
  by_paradigm *by = &u->by[paradigm];

  if (!by->pooled) by->pool = gscale_system_pool(u->s, u->w->name, paradigm);
  by->pooled = true;
  return by->pool;
}

/* The model's own error: what the transfer adds, and what the compute is off by
 * where neither the machine nor the program's time on one of its GPUs was
 * measured.  On one GPU nothing moves. */
static void own_error(const gscale_uncertainty *u, double time, gscale_error *e)
{
  const gscale_widened *w = &e->widened;
  const double infinite = fmin(time, u->plan->infinite);
  const double scale = gscale_discrepancy_scale(time, infinite);
  const bool timed = u->w->single.val > 0.0 && !u->w->elsewhere;
  const double compute =
      timed || w->measured ? 0.0 : u->s->widening.compute.val * infinite;

  e->of_pool = u->n == 1 ? 0.0 : e->model.sigma * scale;
  e->of_model = hypot(e->of_pool * w->factor, compute);
  if (u->n > 1) e->of_model = hypot(e->of_model, w->nodes * scale);
}

static void restore_workload(gscale_uncertainty *u)
{
  gscale__copy_workload(u->workload, u->w);
}

static void restore(gscale_uncertainty *u, const gscale__entry *e)
{
  switch (e->kind) {
  case GSCALE__OF_PARAM:
    u->system.param[e->id].val = u->s->param[e->id].val;
    if (e->id == GSCALE_HOST_LAUNCH) gscale__guess(&u->system);
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

/* What a move changes of the plan is put in place, or what was there: the list
 * has both in turn. */
static void swap(gscale_uncertainty *u, const move *m)
{
  for (size_t i = m->first; i < m->first + m->changes; i++) {
    changed *c = &u->change[i];
    const double was = *c->at;

    *c->at = c->to;
    c->to = was;
  }
}

/* True if a moved plan differs in nothing but the parameters themselves.  One
 * that runs a schedule of the workload's own as written has more in it. */
static bool same_phases(const gscale_plan *a, const gscale_plan *b)
{
  return !a->program && a->published == b->published &&
         a->threads == b->threads &&
         memcmp(&a->norm, &b->norm, sizeof a->norm) == 0 &&
         memcmp(&a->remote, &b->remote, sizeof a->remote) == 0 &&
         memcmp(&a->ring_route, &b->ring_route, sizeof a->ring_route) == 0 &&
         memcmp(&a->all_route, &b->all_route, sizeof a->all_route) == 0 &&
         memcmp(a->phase, b->phase, a->phases * sizeof *a->phase) == 0;
}

/* True if other parameters are what they were: some follow the host's launch.
 */
static bool same_others(const gscale_plan *a, const gscale_plan *b, size_t id)
{
  const size_t all = sizeof a->value, before = id * sizeof *a->value;

  if (memcmp(a->value, b->value, before) != 0) return false;
  return id >= GSCALE_PARAM_END - 1 ||
         memcmp(&a->value[id + 1], &b->value[id + 1],
                all - before - sizeof *a->value) == 0;
}

/* Lengths of a phase's kernels, which say nothing of whether a paradigm can run
 * it. */
static void take_lengths(const gscale__phase_plan *from, gscale__phase_plan *to)
{
  to->flop_leg = from->flop_leg;
  to->memory_leg = from->memory_leg;
  to->start = from->start;
  to->filling = from->filling;
  to->compute = from->compute;
  to->busy = from->busy;
  to->pack = from->pack;
  to->adding = from->adding;
  to->stay = from->stay;
  to->wait = from->wait;
  to->boundary = from->boundary;
  to->ready = from->ready;
  to->reading = from->reading;
}

/* True if two plans differ in no more than these. */
static bool same_but_lengths(const gscale_plan *a, const gscale_plan *b)
{
  bool same = !a->program && a->threads == b->threads &&
              memcmp(&a->remote, &b->remote, sizeof a->remote) == 0;

  for (size_t i = 0; same && i < a->phases; i++) {
    gscale__phase_plan f = a->phase[i];

    take_lengths(&b->phase[i], &f);
    same = memcmp(&f, &b->phase[i], sizeof f) == 0;
  }
  return same;
}

static bool differ(double a, double b)
{
  return a < b || a > b;
}

/* Room for what one move may change. */
static bool more_changes(gscale_uncertainty *u)
{
  const size_t most = 1 + GSCALE_COST_END;

  if (u->changes + most <= u->room) return true;
  changed *more = realloc(u->change, 2 * (u->changes + most) * sizeof *more);
  u->no_memory = u->no_memory || !more;
  if (!more) return false;
  u->change = more;
  u->room = 2 * (u->changes + most);
  return true;
}

static void add_change(gscale_uncertainty *u, move *m, double *at, double to)
{
  u->change[u->changes++] = (changed){at, to};
  m->changes++;
}

/* Costs of the schedule that follow the values listed; a bit for each. */
static uint64_t add_costs(gscale_uncertainty *u, move *m)
{
  gscale_plan *p = u->plan;
  double was[GSCALE_COST_END], now[GSCALE_COST_END];
  uint64_t bits = 0;

  memcpy(was, p->cost, sizeof was);
  swap(u, m);
  gscale__step_costs(p);
  swap(u, m);
  memcpy(now, p->cost, sizeof now);
  memcpy(p->cost, was, sizeof was);
  for (int c = 0; c < GSCALE_COST_END; c++) {
    if (!differ(was[c], now[c])) continue;
    add_change(u, m, &p->cost[c], now[c]);
    bits |= (uint64_t)1 << c;
  }
  return bits;
}

/* Lists what a parameter's move changes of the plan: its value, and costs of
 * the schedule.  Returns a bit for each cost. */
static uint64_t list_changes(gscale_uncertainty *u, size_t id, move *m)
{
  if (!more_changes(u)) return 0;
  m->first = u->changes;
  add_change(u, m, &u->plan->value[id], m->value);
  return gscale__of_costs((gscale_param_id)id) && !u->plan->program
             ? add_costs(u, m)
             : 0;
}

/* True if nothing of a plan but what gscale__step_costs() makes follows the
 * number: the kernels' time does too, where that of one GPU was measured, and
 * what nobody measured follows the host's launch. */
static bool costs_alone(const gscale_uncertainty *u, const gscale__entry *e)
{
  return e->kind == GSCALE__OF_PARAM && e->id != GSCALE_HOST_LAUNCH &&
         gscale__of_costs((gscale_param_id)e->id) && !u->plan->program &&
         !(u->w->single.val > 0.0);
}

/* A number moved to where nothing can be predicted is not moved. */
static void make_move(gscale_uncertainty *u, const gscale__entry *e,
                      double value, move *m, uint64_t *costs)
{
  const gscale_param_id id = (gscale_param_id)e->id;
  const bool plans = e->kind != GSCALE__OF_PARAM ||
                     (gscale__plan_uses(id) && !costs_alone(u, e));

  const gscale_workload *end = e->kind == GSCALE__OF_KNOB
                                   ? gscale__moved_knob(u->w, e->id, value)
                                   : NULL;

  m->value = gscale__move(e, value, &u->system, u->workload, u->w);
  if (end) gscale__copy_workload(u->workload, end);
  m->there = m->value < e->about.p.val || m->value > e->about.p.val;
  if (m->there && plans) {
    const gscale_status st = gscale__plan_moved(u->plan, u->s, u->w, &u->system,
                                                u->workload, &m->plan);
    u->no_memory = u->no_memory || st == GSCALE_ENOMEM;
    m->there = st == GSCALE_OK;
  }
  restore(u, e);
  const bool param = e->kind == GSCALE__OF_PARAM;
  if (m->plan && same_phases(m->plan, u->plan) &&
      (!param || same_others(m->plan, u->plan, e->id))) {
    gscale_plan_free(m->plan);
    m->plan = NULL;
    m->there = param;
  }
  if (m->plan) {
    *costs = EVERYONE;
    m->lasts = same_but_lengths(m->plan, u->plan) &&
               same_others(m->plan, u->plan, param ? e->id : GSCALE_PARAM_END);
  } else if (m->there)
    *costs |= list_changes(u, e->id, m);
}

static void make_moves(gscale_uncertainty *u, bool all)
{
  for (size_t i = 0; i < u->numbers.n; i++) {
    const gscale__entry *e = &u->numbers.entry[i];
    const gscale_param *p = &e->about.p;
    moves *m = &u->moves[i];
    double down, up;

    if (p->err > 0.0) {
      m->weight = gscale_param_nodes(p, &down, &up);
      make_move(u, e, down, &m->down, &m->costs);
      make_move(u, e, up, &m->up, &m->costs);
    }
    if ((!all && p->origin != GSCALE_ASSUMED) || !(fabs(p->val) > 0.0) ||
        !isfinite(p->val))
      continue;
    make_move(u, e, 1.01 * p->val, &m->percent, &m->costs);
    if (!m->percent.there)
      make_move(u, e, 0.99 * p->val, &m->percent, &m->costs);
  }
}

/* Parameters that are known less for so many GPUs. */
static void doubt_beyond(gscale_uncertainty *u)
{
  for (size_t i = 0; i < u->numbers.n; i++) {
    gscale__entry *e = &u->numbers.entry[i];
    if (e->kind == GSCALE__OF_PARAM)
      e->about.p = gscale__beyond(u->s, (gscale_param_id)e->id, u->n);
  }
}

void gscale_uncertainty_free(gscale_uncertainty *u)
{
  if (!u) return;
  for (size_t i = 0; u->moves && i < u->numbers.n; i++) {
    gscale_plan_free(u->moves[i].down.plan);
    gscale_plan_free(u->moves[i].up.plan);
    gscale_plan_free(u->moves[i].percent.plan);
  }
  gscale_plan_free(u->plan);
  gscale__free_numbers(&u->numbers);
  free(u->by);
  free(u->moves);
  free(u->change);
  free(u->effect);
  free(u->workload);
  free(u);
}

/* Room for all moves; the plan is owned from then on. */
static bool open_moves(gscale_uncertainty *u, bool all)
{
  u->system = *u->s;
  u->workload = malloc(sizeof *u->workload);
  if (!u->workload || !gscale__list_numbers(&u->numbers, u->s, u->w, all))
    return false;
  doubt_beyond(u);
  restore_workload(u);
  u->by = calloc(gscale_paradigm_count(), sizeof *u->by);
  u->moves = calloc(u->numbers.n, sizeof *u->moves);
  u->effect = calloc(u->numbers.n + 1, sizeof *u->effect);
  return u->by && u->moves && u->effect;
}

gscale_status gscale_uncertainty_new(const gscale_system *s,
                                     const gscale_workload *w, int n, bool all,
                                     gscale_uncertainty **out,
                                     gscale_diag *diag)
{
  gscale_plan *p = NULL;
  const gscale_status st = gscale_plan_new(s, w, n, &p, diag);

  if (st != GSCALE_OK) return st;
  gscale_uncertainty *u = calloc(1, sizeof *u);
  if (!u) {
    gscale_plan_free(p);
    return gscale__fail(diag, GSCALE_ENOMEM, "no memory for errors");
  }
  u->s = s;
  u->w = w;
  u->n = n;
  u->plan = p;
  u->no_memory = !open_moves(u, all);
  if (!u->no_memory) make_moves(u, all);
  if (u->no_memory) {
    gscale_uncertainty_free(u);
    return gscale__fail(diag, GSCALE_ENOMEM, "no memory for the error");
  }
  *out = u;
  return GSCALE_OK;
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

/* ---- what a move does ---------------------------------------------------- */

/* Its phases, and what is made of them, kept. */
static double time_by_phases(gscale_uncertainty *u, size_t paradigm)
{
  const gscale__paradigm *m = gscale__paradigm_at(paradigm);
  gscale_plan *p = u->plan;

  for (size_t i = 0; i < p->phases; i++) {
    p->asking = gscale__phase_bit(i);
    gscale__prepare_phase(p, m, &u->set, i, &u->stage[i]);
    if (!gscale__is_finite(&u->stage[i])) return (double)NAN;
  }
  memcpy(u->moved, u->stage, p->phases * sizeof *u->moved);
  p->asking = STEP;
  const double t = gscale__step_hold(p, paradigm, u->stage, &u->held);
  return isfinite(t) && t > 0.0 ? t : (double)NAN;
}

static uint64_t costs_used(gscale_uncertainty *u, size_t paradigm)
{
  uint64_t *costs = &u->by[paradigm].costs;

  if (*costs == 0) *costs = gscale__step_costs_used(u->plan, paradigm);
  return *costs;
}

/* The time, and what it asks the plan for: what a timeline of the workload's
 * own asks for is not known one by one. */
static double time_now(gscale_uncertainty *u, size_t paradigm,
                       const gscale_knobs *k)
{
  if (u->plan->program) {
    for (size_t id = 0; id < GSCALE_PARAM_END; id++) u->asked[id] = EVERYONE;
    u->used = EVERYONE;
    return gscale_predict_time(u->plan, paradigm, k);
  }
  memset(u->asked, 0, sizeof u->asked);
  u->plan->asked = u->asked;
  u->plan->asking = CHECKS;
  const double time = gscale__is_set(u->plan, paradigm, k, &u->set)
                          ? time_by_phases(u, paradigm)
                          : (double)NAN;
  u->plan->asked = NULL;
  u->used = costs_used(u, paradigm);
  return time;
}

/* False if nothing that the last time asked for changes with number i. */
static bool matters(const gscale_uncertainty *u, size_t i)
{
  const gscale__entry *e = &u->numbers.entry[i];
  const moves *m = &u->moves[i];

  if (!m->down.there && !m->up.there && !m->percent.there) return false;
  if ((m->costs & u->used) != 0) return true;
  return e->kind == GSCALE__OF_PARAM && u->asked[e->id] != 0;
}

/* Those phases of the plan, prepared again; false if one is not finite. */
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
static double time_moved(gscale_uncertainty *u, size_t i, size_t paradigm,
                         const gscale_knobs *k)
{
  const uint64_t asked = u->asked[u->numbers.entry[i].id];
  const uint64_t phases = asked & ~(CHECKS | STEP);
  const uint64_t costs = u->moves[i].costs & u->used;
  gscale_knobs set;
  double t = (double)NAN;

  if (u->plan->program) return gscale_predict_time(u->plan, paradigm, k);
  if ((asked & CHECKS) != 0 && !gscale__is_set(u->plan, paradigm, k, &set))
    return (double)NAN;
  if (prepare_again(u, paradigm, phases))
    t = gscale__step_again(u->plan, paradigm, u->moved, &u->held,
                           (asked & STEP) != 0 ? EVERYONE : phases, costs);
  forget_moved(u, phases);
  return t > 0.0 ? t : (double)NAN;
}

/* The time from a moved plan, by knobs that are set and can be: as they were,
 * where nothing that says so is another. */
static double time_of(const gscale_uncertainty *u, const gscale_plan *p,
                      size_t paradigm)
{
  const gscale__paradigm *m = gscale__paradigm_at(paradigm);
  gscale__stage stage[GSCALE__PHASES_MAX];

  for (size_t i = 0; i < p->phases; i++) {
    gscale__prepare_phase(p, m, &u->set, i, &stage[i]);
    if (!gscale__is_finite(&stage[i])) return (double)NAN;
  }
  const double t = gscale__step_time(p, paradigm, stage, NULL);
  return t > 0.0 ? t : (double)NAN;
}

static double time_planned(const gscale_uncertainty *u, size_t i, const move *m,
                           size_t paradigm, const gscale_knobs *k, double time)
{
  const gscale__entry *e = &u->numbers.entry[i];
  const bool checks =
      e->kind == GSCALE__OF_PARAM && (u->asked[e->id] & CHECKS) != 0;

  return m->lasts && !checks && isfinite(time) && !m->plan->program
             ? time_of(u, m->plan, paradigm)
             : gscale_predict_time(m->plan, paradigm, k);
}

/* Change of the time by a move; 0 if there is none. */
static double change(gscale_uncertainty *u, size_t i, const move *m,
                     size_t paradigm, const gscale_knobs *k, double time)
{
  double t;

  if (!m->there) return 0.0;
  if (m->plan) {
    t = time_planned(u, i, m, paradigm, k, time);
  } else {
    swap(u, m);
    t = time_moved(u, i, paradigm, k);
    swap(u, m);
  }
  return isfinite(t) ? t - time : 0.0;
}

/* hypot, without its care for squares that are out of range where none is. */
static double both(double a, double b)
{
  const double squares = a * a + b * b;

  return squares > 1e-250 && squares < 1e250 ? sqrt(squares) : hypot(a, b);
}

/* With the time as time_now() left it. */
static gscale_influence influence(gscale_uncertainty *u, size_t i,
                                  size_t paradigm, const gscale_knobs *k,
                                  double time)
{
  gscale_influence out = {0};
  const moves *m = &u->moves[i];
  const double value = u->numbers.entry[i].about.p.val;

  out.down = change(u, i, &m->down, paradigm, k, time);
  out.up = change(u, i, &m->up, paradigm, k, time);
  out.shift = m->weight * (out.down + out.up);
  out.err = sqrt(m->weight) * both(out.down, out.up);
  out.err = sqrt(fmax(0.0, (out.err - out.shift) * (out.err + out.shift)));
  if (m->percent.there)
    out.elasticity = change(u, i, &m->percent, paradigm, k, time) / time /
                     ((m->percent.value - value) / value);
  return out;
}

gscale_influence gscale_uncertainty_influence(gscale_uncertainty *u, size_t i,
                                              size_t paradigm,
                                              const gscale_knobs *k)
{
  if (i >= u->numbers.n) return (gscale_influence){0};
  const double time = time_now(u, paradigm, k);
  return matters(u, i) ? influence(u, i, paradigm, k, time)
                       : (gscale_influence){0};
}

/* ---- draws --------------------------------------------------------------- */

/* Uniform in (0, 1) [Steele14]. */
static double uniform(uint64_t *state)
{
  uint64_t z = (*state += 0x9e3779b97f4a7c15u);

  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return ((double)((z ^ (z >> 31)) >> 11) + 0.5) * 0x1p-53;
}

/* Each number has a sequence of its own, by its name, so that a parameter more
 * changes no draw of the others.  FNV-1a [Fowler91]. */
static uint64_t sequence(const char *name, uint64_t seed)
{
  uint64_t h = 0xcbf29ce484222325u;

  for (; *name; name++) h = (h ^ (unsigned char)*name) * 0x100000001b3u;
  return h ^ (seed * 0xd1342543de82ef95u);
}

static double draw_time(gscale_uncertainty *u, size_t paradigm,
                        const gscale_knobs *k, uint64_t seed)
{
  gscale_plan *p = NULL;
  double t;

  u->system = *u->s;
  restore_workload(u);
  for (size_t i = 0; i < u->numbers.n; i++) {
    const gscale__entry *e = &u->numbers.entry[i];
    const gscale_param *q = &e->about.p;
    uint64_t state;

    if (!(q->err > 0.0)) continue;
    state = sequence(e->about.name, seed);
    const double a = uniform(&state), b = uniform(&state);
    gscale__move(e, gscale__drawn(q, a, b), &u->system, u->workload, u->w);
  }
  if (gscale_plan_new(&u->system, u->workload, u->n, &p, NULL) != GSCALE_OK)
    return (double)NAN;
  t = gscale_predict_time(p, paradigm, k);
  gscale_plan_free(p);
  return t;
}

double gscale_uncertainty_time(gscale_uncertainty *u, size_t paradigm,
                               const gscale_knobs *k, const double *z)
{
  gscale_plan *p = NULL;
  double t = (double)NAN;

  u->system = *u->s;
  restore_workload(u);
  for (size_t i = 0; i < u->numbers.n; i++) {
    const gscale__entry *e = &u->numbers.entry[i];

    if (!(e->about.p.err > 0.0) || isnan(z[i])) continue;
    gscale__move(e, gscale__quantile(&e->about.p, z[i]), &u->system,
                 u->workload, u->w);
  }
  if (gscale__plan_moved(u->plan, u->s, u->w, &u->system, u->workload, &p) ==
      GSCALE_OK)
    t = gscale_predict_time(p, paradigm, k);
  gscale_plan_free(p);
  u->system = *u->s;
  restore_workload(u);
  return t;
}

static int rising(const void *a, const void *b)
{
  const double x = *(const double *)a, y = *(const double *)b;

  return (x > y) - (x < y);
}

size_t gscale_uncertainty_sample(gscale_uncertainty *u, size_t paradigm,
                                 const gscale_knobs *k, uint64_t seed,
                                 double *time, size_t draws)
{
  size_t n = 0;

  for (size_t i = 0; i < draws; i++) {
    const double t = draw_time(u, paradigm, k, (seed << 32) + i);
    if (isfinite(t)) time[n++] = t;
  }
  u->system = *u->s;
  restore_workload(u);
  qsort(time, n, sizeof *time, rising);
  return n;
}

/* ---- the error ----------------------------------------------------------- */

/* The time is far from linear in its numbers if what they are moved by shifts
 * its mean by more than this share of the whole error. */
static const double BENT = 0.2;

/* What fitted numbers have in common: `by` is what each parameter does. */
static double in_common(const gscale_system *s, const double *by)
{
  double sum = 0.0;

  for (size_t i = 0; i < s->correlations; i++) {
    const gscale_correlation *c = &s->correlation[i];
    sum += 2.0 * c->r * by[c->a] * by[c->b];
  }
  return sum;
}

static void add_numbers(gscale_uncertainty *u, size_t paradigm,
                        const gscale_knobs *k, double time, gscale_error *e)
{
  double system = 0.0, workload = 0.0, bent = 0.0, strongest = MATTERS;
  double by[GSCALE_PARAM_END] = {0.0};

  for (size_t i = 0; i < u->numbers.n; i++) {
    const gscale_number *n = &u->numbers.entry[i].about;
    double *sum = n->of_workload ? &workload : &system;

    u->effect[i] = 0.0;
    if (!matters(u, i)) continue;
    const gscale_influence f = influence(u, i, paradigm, k, time);

    u->effect[i] = copysign(f.err, f.up - f.down);

    *sum = both(*sum, f.err);
    if (u->numbers.entry[i].kind == GSCALE__OF_PARAM)
      by[u->numbers.entry[i].id] = copysign(f.err, f.up - f.down);
    bent = both(bent, f.shift);
    if (n->p.origin != GSCALE_ASSUMED || !(fabs(f.elasticity) > strongest))
      continue;
    strongest = fabs(f.elasticity);
    e->applicability = GSCALE_BY_ASSUMPTION;
    gscale__copy_text(e->word, sizeof e->word, "number");
    gscale__copy_text(e->reason, sizeof e->reason, n->name);
  }
  system = sqrt(fmax(0.0, system * system + in_common(u->s, by)));
  e->of_system = system;
  e->of_workload = workload;
  e->of_parameters = hypot(system, workload);
  e->nonlinear = bent > BENT * e->of_parameters;
}

/* The time by knobs that are all set; by the best of them otherwise. */
static gscale_status settle(gscale_uncertainty *u, size_t paradigm,
                            gscale_knobs *k, double *time, gscale_diag *diag)
{
  gscale_prediction now;

  *time = time_now(u, paradigm, k);
  if (isfinite(*time)) return GSCALE_OK;
  const gscale_status st = gscale_predict(u->plan, paradigm, k, &now, diag);
  if (st != GSCALE_OK) return st;
  *k = now.knobs;
  *time = time_now(u, paradigm, k);
  return GSCALE_OK;
}

gscale_status gscale_uncertainty_error(gscale_uncertainty *u, size_t paradigm,
                                       const gscale_knobs *k, gscale_error *out,
                                       gscale_diag *diag)
{
  gscale_knobs used = k ? *k : gscale_knobs_best;
  gscale_error e = {.applicability = GSCALE_INSIDE};
  double time;
  const gscale_status st = settle(u, paradigm, &used, &time, diag);

  if (st != GSCALE_OK) return st;
  check_sizes(u->s, u->plan, paradigm, &e);
  add_numbers(u, paradigm, &used, time, &e);
  e.model = pool_of(u, paradigm);
  e.widened = gscale_system_widened(u->s, u->n);
  own_error(u, time, &e);
  e.time = hypot(e.of_parameters, e.of_model);
  if (!isfinite(e.time))
    return gscale__fail(diag, GSCALE_ENUMERIC,
                        "%s on %d GPUs: no finite error of the time",
                        gscale_paradigm_at(paradigm)->name, u->n);
  *out = e;
  return GSCALE_OK;
}

gscale_status gscale_predict_error(const gscale_system *s,
                                   const gscale_workload *w, int n,
                                   size_t paradigm, const gscale_knobs *k,
                                   gscale_error *out, gscale_diag *diag)
{
  gscale_uncertainty *u = NULL;
  gscale_status st = gscale_uncertainty_new(s, w, n, false, &u, diag);

  if (st == GSCALE_OK) st = gscale_uncertainty_error(u, paradigm, k, out, diag);
  gscale_uncertainty_free(u);
  return st;
}
