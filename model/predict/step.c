/* step.c - evaluation of a step in a paradigm, compiled with the plan.
 *
 * A step consists of pieces, of one phase or of all phases, and the host waits
 * once for each piece.  The time of a step is the sum, over its pieces, of the
 * period of a piece's schedule times the repeats of the piece. */

#include "predict/step.h"

#include "price/between.h"

#include <math.h>
#include <stdlib.h>

/* ---- costs --------------------------------------------------------------- */

double gscale__step_repeats(const gscale_plan *p, size_t paradigm, size_t i)
{
  const bool each = gscale__step_span(p, paradigm) == 1 &&
                    p->host.waits == GSCALE_WAITS_PHASE;
  return each ? p->phase[i].repeats : 1.0;
}

/* Returns true if any phase's messages are sent by the device. */
bool gscale__by_device(const gscale_plan *p, const gscale__stage *stage)
{
  for (size_t i = 0; p->nodes > 1 && i < p->phases; i++)
    if (stage[i].by_device) return true;
  return false;
}

/* A piece of a step: phases for which the host waits together. */
typedef struct piece {
  const gscale__form *form;
  const gscale__version *own; /* program's schedule, or NULL */
  size_t first, phases;
  int slots;     /* slots of phases, which come first */
  double weight; /* runs of the piece in a step */
} piece;

static piece first_piece(const gscale_plan *p, size_t paradigm, bool by_device)
{
  const size_t in = gscale__step_span(p, paradigm);

  return (piece){.form = gscale__form_at(p, paradigm, by_device, 0),
                 .own = gscale__version_of(p, gscale__paradigm_at(paradigm)),
                 .phases = in,
                 .slots = gscale__as_written(p) ? 0 : (int)in * GSCALE__SLOTS,
                 .weight = gscale__step_repeats(p, paradigm, 0)};
}

static bool next_piece(const gscale_plan *p, size_t paradigm, bool by_device,
                       piece *a)
{
  a->first += a->phases;
  if (a->first >= p->phases) return false;
  a->form = gscale__form_at(p, paradigm, by_device, a->first);
  a->weight = gscale__step_repeats(p, paradigm, a->first);
  return true;
}

/* Programs as written have barriers of each node and then of all nodes. */
static void meet_nodes(const gscale_plan *p, double *cost)
{
  const int all = p->own->whole.as.schedule.threads;

  if (p->nodes < 2) return;
  if (p->threads < 2) cost[GSCALE_COST_BARRIER] = 0.0;
  if (all > 2)
    cost[GSCALE_COST_BARRIER_MORE] *=
        gscale__max(0.0, p->threads - 2.0) / (all - 2.0);
  cost[GSCALE_COST_BARRIER] += gscale__node_barrier(p);
}

static void fill_costs(const gscale_plan *p, const gscale__form *f,
                       double *cost)
{
  const int wait = GSCALE_COST_ISSUE + GSCALE_WAIT;

  gscale__note_costs(p, f->looked);
  for (int i = 0; i < f->looks; i++) cost[f->look[i]] = p->cost[f->look[i]];
  if (f->waits) {
    const double near = gscale__cost(p, GSCALE_COST_ISSUE + GSCALE_RECORD);
    cost[wait] = near + f->far * (cost[wait] - near);
  }
  /* host.sync includes the start of a kernel.  A copy that is issued after a
   * wait for kernels starts after no kernel. */
  if (f->behind_waits) cost[GSCALE_COST_COPY_HOST] = 0.0;
  if (gscale__as_written(p)) meet_nodes(p, cost);
}

static int slots_of(const piece *a)
{
  int uses = a->form->uses;

  while (uses > 0 && a->form->used[uses - 1] >= a->slots) uses--;
  return uses;
}

static void fill_phases(const gscale_plan *p, const piece *a,
                        const gscale__stage *stage, double *d)
{
  const int uses = slots_of(a);

  for (int i = 0; i < uses; i++) {
    const int at = a->form->used[i];
    const size_t phase = a->first + (size_t)(at / GSCALE__SLOTS);
    d[at] = gscale__slot_time(p, phase, &stage[phase], at % GSCALE__SLOTS);
  }
}

/* The time in s of each phase's kernels.  `overlap` is the share of slowed
 * kernels that runs beside a collective. */
typedef struct kernels {
  double last[GSCALE__PHASES_MAX], overlap;
} kernels;

static kernels kernels_of(const gscale_plan *p, const piece *a,
                          const gscale__stage *stage)
{
  kernels k;

  for (size_t i = 0; i < p->phases; i++) k.last[i] = stage[i].length;
  k.overlap = a->slots > 0 ? 0.0 : gscale__kernel_overlap(p, a->own, k.last);
  return k;
}

static void fill_works(const gscale_plan *p, const piece *a,
                       const gscale__stage *stage, double *d)
{
  if (!a->own) return;
  const kernels k = kernels_of(p, a, stage);
  for (int i = a->form->uses - 1; i >= 0 && a->form->used[i] >= a->slots; i--) {
    const int at = a->form->used[i];
    const gscale__duration l =
        gscale__work_duration(p, a->own, at - a->slots, k.last, k.overlap);
    d[at] = l.compute + l.wire + l.initiation + l.latency + l.host;
  }
}

static void fill_piece(const gscale_plan *p, const piece *a,
                       const gscale__stage *stage, double *cost)
{
  fill_costs(p, a->form, cost);
  fill_phases(p, a, stage, cost + GSCALE_COST_END);
  fill_works(p, a, stage, cost + GSCALE_COST_END);
}

/* ---- kinds of time ---------------------------------------------------- */

enum {
  ALL_KINDS = (1u << GSCALE_LOST_END) - 1
};

static bool keeps(unsigned kept, gscale_loss kind)
{
  return (kept >> kind & 1) != 0;
}

static gscale_loss kind_of(int cost)
{
  const gscale_mechanism m = gscale__cost_mechanism(cost);

  return cost >= GSCALE_COST_BARRIER && cost <= GSCALE_COST_STRAGGLE
             ? GSCALE_LOST_WAITING
         : m == GSCALE_M_HOST || m == GSCALE_M_SYNC ? GSCALE_LOST_HOST
                                                    : GSCALE_LOST_COMMUNICATION;
}

/* Returns the kept time of a flow.  Communication makes kernels longer than
 * those that move no data. */
static double kept_flow(const gscale_plan *p, size_t phase,
                        const gscale__stage *l, unsigned kept)
{
  const gscale__phase_plan *f = &p->phase[phase];
  const bool moves = keeps(kept, GSCALE_LOST_COMMUNICATION);
  const double all = l->flow.compute, own = fmin(all, f->compute),
               start = fmin(own, f->kernels * gscale__start(p)),
               left = (keeps(kept, GSCALE_LOST_START) ? start : 0.0) +
                      (keeps(kept, GSCALE_LOST_KERNELS) ? own - start : 0.0) +
                      (moves ? all - own : 0.0);

  return gscale__flow_kept(&l->flow, all > 0.0 ? left / all : 0.0, moves);
}

/* Returns the kept time in s of a duration with compute of kind `compute`. */
static double kept_parts(const gscale__duration *l, gscale_loss compute,
                         unsigned kept)
{
  return (keeps(kept, compute) ? l->compute : 0.0) +
         (keeps(kept, GSCALE_LOST_HOST) ? l->host : 0.0) +
         (keeps(kept, GSCALE_LOST_WAITING) ? l->sync : 0.0) +
         (keeps(kept, GSCALE_LOST_COMMUNICATION)
              ? l->issue + l->initiation + l->latency + l->wire
              : 0.0);
}

static double kept_slot(const gscale_plan *p, size_t phase,
                        const gscale__stage *l, int s, unsigned kept)
{
  gscale__duration parts;

  gscale__slot_parts(p, phase, l, s, &parts);
  return kept_parts(&parts,
                    s == GSCALE__CLEAR ? GSCALE_LOST_START
                                       : GSCALE_LOST_KERNELS,
                    kept) +
         (s == GSCALE__KERNELS ? kept_flow(p, phase, l, kept) : 0.0);
}

/* Returns the kept time of an action.  A kernel of the program's own schedule
 * is shortened as much as its phases. */
static double kept_work(const gscale_plan *p, const piece *a,
                        const gscale__stage *stage, int d, const kernels *k,
                        unsigned kept)
{
  const gscale_work *of = &a->own->as.work[d];
  gscale__duration l = gscale__work_duration(p, a->own, d, k->last, k->overlap);
  double all = 0.0, left = 0.0;

  if (!(gscale__kernel_share(of) > 0.0))
    return kept_parts(&l, GSCALE_LOST_KERNELS, kept);
  for (size_t f = of->phase; f <= of->phase + of->more; f++) {
    all += stage[f].length;
    left += kept_flow(p, f, &stage[f], kept);
  }
  const double time = all > 0.0 ? l.compute * left / all : 0.0;
  l.compute = 0.0;
  return time + kept_parts(&l, GSCALE_LOST_KERNELS, kept);
}

/* Keeps the costs of the kinds in `kept` and removes all other kinds. */
static void keep_kinds(const gscale_plan *p, const piece *a,
                       const gscale__stage *stage, unsigned kept, double *cost)
{
  const gscale__form *f = a->form;
  kernels k = {.overlap = 0.0};

  if (a->own) k = kernels_of(p, a, stage);
  for (int i = 0; i < f->looks; i++)
    if (!keeps(kept, kind_of(f->look[i]))) cost[f->look[i]] = 0.0;
  for (int i = 0; i < f->uses; i++) {
    const int at = f->used[i];
    const size_t phase = a->first + (size_t)(at / GSCALE__SLOTS);

    cost[GSCALE_COST_END + at] =
        at < a->slots
            ? kept_slot(p, phase, &stage[phase], at % GSCALE__SLOTS, kept)
            : kept_work(p, a, stage, at - a->slots, &k, kept);
  }
}

/* ---- attribution --------------------------------------------------------- */

/* Attributes an action of the program's own schedule. */
static void attribute_work(const gscale_plan *p, const piece *a, int d,
                           const kernels *k, double times,
                           gscale__attribution *s)
{
  const gscale__duration l =
      gscale__work_duration(p, a->own, d, k->last, k->overlap);
  const gscale_work *of = &a->own->as.work[d];

  gscale__attribute_duration(s, &l, times);
  if (s->terms)
    gscale__add_work_term(s->terms, of->phase, of->kind, &l, times,
                          l.compute + l.wire + l.initiation + l.latency +
                              l.host);
  for (size_t f = of->phase; f <= of->phase + of->more; f++)
    s->flow[f] += times * gscale__kernel_share(of);
}

static void attribute_slot(const gscale_plan *p, size_t phase,
                           const gscale__stage *l, int of, double times,
                           gscale__attribution *s)
{
  gscale__duration parts;

  gscale__slot_parts(p, phase, l, of, &parts);
  gscale__attribute_duration(s, &parts, times);
  if (of != GSCALE__KERNELS) return;
  gscale__attribute_flow(s, &l->flow, l->length, times);
  s->flow[phase] += times;
}

/* An evaluated piece. */
typedef struct evaluated {
  const gscale_plan *p;
  const piece *a;
  const gscale__stage *stage;
  const double *cost;
  kernels k; /* kernels of the program's own schedule */
} evaluated;

/* Attributes `gradient` times a cost. */
static void attribute_cost(const evaluated *e, int c, double gradient,
                           gscale__attribution *s)
{
  const int at = c - GSCALE_COST_END;
  const double times = e->a->weight * gradient;
  const size_t phase = e->a->first + (size_t)(at / GSCALE__SLOTS);

  if (!(times > 0.0)) return;
  if (s->terms && at < e->a->slots)
    gscale__add_term(s->terms, e->p, at < 0 ? e->a->first : phase,
                     at < 0 ? NULL : &e->stage[phase],
                     at < 0 ? c : GSCALE_COST_END + at % GSCALE__SLOTS, times,
                     e->cost[c]);
  if (at < 0)
    gscale__attribute(s, gscale__cost_mechanism(c), times * e->cost[c]);
  else if (at >= e->a->slots)
    attribute_work(e->p, e->a, at - e->a->slots, &e->k, times, s);
  else
    attribute_slot(e->p, phase, &e->stage[phase], at % GSCALE__SLOTS, times, s);
}

/* Attributes the period of a piece by its gradient. */
static void attribute_gradient(const evaluated *e, const double *gradient,
                               gscale__attribution *s)
{
  const gscale__form *f = e->a->form;

  for (int i = 0; i < f->looks; i++) /* other costs have no gradient */
    if (gradient[f->look[i]] > 0.0)
      attribute_cost(e, f->look[i], gradient[f->look[i]], s);
  for (int i = 0; i < f->uses; i++) {
    const int c = GSCALE_COST_END + f->used[i];
    if (gradient[c] > 0.0) attribute_cost(e, c, gradient[c], s);
  }
}

static void attribute_path(const evaluated *e, int path, gscale__attribution *s)
{
  const gscale__form *f = e->a->form;

  for (int i = f->first[path]; i < f->first[path + 1]; i++)
    attribute_cost(e, f->term[i].cost, f->term[i].times, s);
}

/* ---- evaluation ---------------------------------------------------------- */

/* Returns the period in s of a piece, and attributes it. */
static double attribute_piece(const evaluated *e, double *gradient,
                              gscale__attribution *attribution)
{
  const gscale__form *f = e->a->form;
  int path;
  const double t = f->paths > 0 ? gscale__form_path(f, e->cost, &path)
                                : gscale__form_period(f, e->cost, gradient);

  if (isnan(t)) return t;
  if (f->paths > 0)
    attribute_path(e, path, attribution);
  else
    attribute_gradient(e, gradient, attribution);
  return t;
}

static double piece_time(const gscale_plan *p, const piece *a,
                         const gscale__stage *stage, unsigned kept,
                         gscale__attribution *attribution)
{
  const size_t costs = (size_t)(GSCALE_COST_END + a->form->durations);
  double *cost = malloc(2 * costs * sizeof *cost), t;

  if (!cost) return gscale__refused();
  /* Timelines read all costs. */
  if (a->form->paths == 0) gscale__clear(cost, costs * sizeof *cost);
  fill_piece(p, a, stage, cost);
  if (kept != ALL_KINDS) keep_kinds(p, a, stage, kept, cost);
  if (attribution) {
    evaluated e;
    e.p = p;
    e.a = a;
    e.stage = stage;
    e.cost = cost;
    if (a->own) e.k = kernels_of(p, a, stage);
    t = attribute_piece(&e, cost + costs, attribution);
  } else {
    t = gscale__form_period(a->form, cost, NULL);
  }
  free(cost);
  return t;
}

static double step_time(const gscale_plan *p, size_t paradigm,
                        const gscale__stage *stage, unsigned kept,
                        gscale__attribution *attribution)
{
  const bool by_device = gscale__by_device(p, stage);
  piece a = first_piece(p, paradigm, by_device);
  double sum = 0.0;

  do {
    sum += a.weight * piece_time(p, &a, stage, kept, attribution);
  } while (next_piece(p, paradigm, by_device, &a));
  return sum;
}

double gscale__step_time(const gscale_plan *p, size_t paradigm,
                         const gscale__stage *stage,
                         gscale__attribution *attribution)
{
  if (!attribution) return step_time(p, paradigm, stage, ALL_KINDS, NULL);
  *attribution = (gscale__attribution){0};
  attribution->time = step_time(p, paradigm, stage, ALL_KINDS, attribution);
  return attribution->time;
}

void gscale__step_terms(const gscale_plan *p, size_t paradigm,
                        const gscale__stage *stage, gscale__terms *terms)
{
  gscale__attribution s = {.terms = terms};

  step_time(p, paradigm, stage, ALL_KINDS, &s);
}

double gscale__step_spent(const gscale_plan *p, size_t paradigm,
                          const gscale__stage *stage, double *spent)
{
  unsigned kept = ALL_KINDS;
  double t = step_time(p, paradigm, stage, kept, NULL);

  for (int k = 0; k < GSCALE_LOST_END; k++) {
    kept &= ~(1u << k);
    const double left = kept ? step_time(p, paradigm, stage, kept, NULL) : 0.0;
    spent[k] = t - left;
    t = left;
  }
  return step_time(p, paradigm, stage, 1u << GSCALE_LOST_COMMUNICATION, NULL);
}

double gscale__step_piece(const gscale_plan *p, size_t paradigm, size_t i,
                          const gscale__stage *stage, double *cost)
{
  const bool by_device = gscale__by_device(p, stage);
  piece a = first_piece(p, paradigm, by_device);

  while (a.first < i) next_piece(p, paradigm, by_device, &a);
  if (a.form->paths == 0) /* timelines read all costs */
    gscale__clear(cost,
                  (size_t)(GSCALE_COST_END + a.form->durations) * sizeof *cost);
  fill_piece(p, &a, stage, cost);
  const double t = gscale__form_period(a.form, cost, NULL);

  for (int c = 0; c < GSCALE_COST_END; c++) cost[c] = p->cost[c];
  fill_costs(p, a.form, cost);
  return t;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
