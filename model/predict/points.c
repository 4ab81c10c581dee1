/* points.c - a step at several points beside each other: what its pieces cost
 * lies in columns, one for each point.
 *
 * Only durations that hang on what moves are evaluated, point by point, while
 * the point's numbers are put.  Which path, or cycle, is critical, what time is
 * spent on, and what relaxing it would save is then found for all points at
 * once, as step.c and spent.c find it for one. */

#include "predict/piece.h"

#include <math.h>
#include <stdlib.h>

#define EACH GSCALE__EACH

enum {
  AT_ONCE = GSCALE__AT_ONCE
};

/* Of a duration: its parts, s. */
typedef struct lasts {
  gscale__lanes of[GSCALE__LASTS];
} lasts;

/* Of a phase: its kernels, with what they move. */
typedef struct kernels {
  double of[GSCALE__FLOW_NUMBERS * AT_ONCE];
  gscale__lanes whole, more; /* s, the flow, and what follows it */
  gscale_flow cut;           /* whose chunks are known; without `ready`: none */
  gscale__chunks chunks;
  bool alike; /* all are in chunks like these */
} kernels;

/* A duration that hangs on what the paradigm makes of a phase. */
typedef struct staged {
  size_t phase;
  int slot;
  lasts *lasts;
  double *cost; /* of each point, s; NULL: what follows the flow, in kernels */
} staged;

struct gscale__points {
  const gscale_plan *plan;
  size_t row;
  bool by_device;
  size_t phases, durations; /* for which there is memory */
  gscale__memo memo[GSCALE__PHASES_MAX];
  gscale__stage *stage; /* of each point, all phases */
  kernels *kernels;
  lasts *lasts;
  staged *staged; /* as many as durations, at most */
  size_t stageds;
  bool works; /* durations of a program's own */
  /* found for all */
  bool known[AT_ONCE];
  double time[AT_ONCE];
  double of[GSCALE_MECHANISM_END * AT_ONCE],
      saved[GSCALE_MECHANISM_END * AT_ONCE], part[GSCALE_PART_END * AT_ONCE];
  int bound[AT_ONCE];
};

/* ---- memory -------------------------------------------------------------- */

gscale__points *gscale__points_new(void)
{
  return calloc(1, sizeof(gscale__points));
}

void gscale__points_free(gscale__points *s)
{
  if (!s) return;
  for (size_t i = 0; i < GSCALE__PHASES_MAX; i++)
    gscale__memo_close(&s->memo[i]);
  free(s->stage);
  free(s->kernels);
  free(s->lasts);
  free(s->staged);
  free(s);
}

void gscale__points_forget(gscale__points *s)
{
  for (size_t i = 0; i < GSCALE__PHASES_MAX; i++) s->memo[i].of = NULL;
}

/* Duration 0 of a piece; pieces have at least those of their phases. */
static size_t begin_of(const gscale__piece *a)
{
  return a->first * GSCALE__SLOTS;
}

static bool open_memos(gscale__points *s)
{
  gscale__piece a = gscale__first_piece(s->plan, s->row, s->by_device);
  bool ok = true;

  do {
    gscale__memo *m = &s->memo[a.first];
    if (m->of != a.form->timeline)
      ok = gscale__memo_open(m, a.form->timeline) && ok;
  } while (gscale__next_piece(s->plan, s->row, s->by_device, &a));
  return ok;
}

static size_t durations_of(const gscale__points *s)
{
  gscale__piece a = gscale__first_piece(s->plan, s->row, s->by_device);
  size_t most = 0;

  do {
    const size_t end = begin_of(&a) + (size_t)a.form->durations;
    if (end > most) most = end;
  } while (gscale__next_piece(s->plan, s->row, s->by_device, &a));
  return most;
}

static bool open_columns(gscale__points *s)
{
  const size_t phases = s->plan->phases, durations = durations_of(s);

  if (phases > s->phases) {
    free(s->stage);
    free(s->kernels);
    s->stage = malloc(AT_ONCE * phases * sizeof *s->stage);
    s->kernels = calloc(phases, sizeof *s->kernels);
    s->phases = s->stage && s->kernels ? phases : 0;
  }
  if (durations > s->durations) {
    free(s->lasts);
    free(s->staged);
    s->lasts = calloc(durations, sizeof *s->lasts);
    s->staged = malloc(durations * sizeof *s->staged);
    s->durations = s->lasts && s->staged ? durations : 0;
  }
  return phases <= s->phases && durations <= s->durations;
}

gscale__stage *gscale__points_stage(const gscale__points *s, int k)
{
  return s->stage + (size_t)k * s->plan->phases;
}

gscale__memo *gscale__points_memo(gscale__points *s)
{
  return s->memo;
}

/* ---- what is put ----------------------------------------------------------
 */

/* At point k, or at all. */
static inline void store(double *to, double x, int at)
{
  if (at >= 0)
    to[at] = x;
  else
    EACH to[k] = x;
}

static inline void put_lasts(lasts *d, const gscale__lasts *l, int at)
{
  store(d->of[0].v, l->compute, at);
  store(d->of[1].v, l->wire, at);
  store(d->of[2].v, l->issue, at);
  store(d->of[3].v, l->initiation, at);
  store(d->of[4].v, l->latency, at);
  store(d->of[5].v, l->host, at);
  store(d->of[6].v, l->sync, at);
}

static double *cost_of(const gscale__points *s, const gscale__piece *a, int c)
{
  return &s->memo[a->first].cost[c * AT_ONCE];
}

static staged duration_of(const gscale__points *s, const gscale__piece *a,
                          int at)
{
  const int slot = at % GSCALE__SLOTS;

  return (staged){.phase = a->first + (size_t)(at / GSCALE__SLOTS),
                  .slot = slot,
                  .lasts = &s->lasts[begin_of(a) + (size_t)at],
                  .cost = slot == GSCALE__KERNELS
                              ? NULL
                              : cost_of(s, a, GSCALE_COST_END + at)};
}

static void put_slot(gscale__points *s, const staged *d,
                     const gscale__stage *stage, int k)
{
  const gscale__stage *l = &stage[d->phase];
  gscale__lasts parts;
  const double time = gscale__slot_parts(s->plan, d->phase, l, d->slot, &parts);

  put_lasts(d->lasts, &parts, k);
  if (d->cost)
    store(d->cost, time, k);
  else
    store(s->kernels[d->phase].more.v, l->by_device ? time : 0.0, k);
}

/* The program's own work, which hangs on all kernels. */
static void put_works(gscale__points *s, const gscale__piece *a, int from,
                      gscale__stage *stage, int k)
{
  for (size_t i = 0; i < s->plan->phases; i++)
    stage[i].length = gscale_flow_time(&stage[i].flow);
  const gscale__kernels_of last = gscale__piece_kernels(s->plan, a, stage);
  for (int i = from; i < a->form->uses; i++) {
    const int at = a->form->used[i];
    const gscale__lasts l = gscale__work_lasts(s->plan, a->own, at - a->slots,
                                               last.last, last.slower);
    put_lasts(&s->lasts[begin_of(a) + (size_t)at], &l, k);
    store(cost_of(s, a, GSCALE_COST_END + at),
          l.compute + l.wire + l.initiation + l.latency + l.host, k);
  }
}

static void put_costs(gscale__points *s, const gscale__piece *a, int k)
{
  double cost[GSCALE_COST_END];

  gscale__piece_costs(s->plan, a->form, cost);
  for (int i = 0; i < a->form->looks; i++)
    store(cost_of(s, a, a->form->look[i]), cost[a->form->look[i]], k);
}

static void put_flow(kernels *to, const gscale_flow *f, int k)
{
  double of[GSCALE__FLOW_NUMBERS];

  if (k <= 0 && !(to->alike && gscale__flow_alike(f, &to->cut))) {
    if (f->chunk > 0.0) gscale__chunks_of(f, true, &to->chunks);
    to->cut = *f;
    to->alike = gscale__flow_ok(f);
  }
  to->alike = to->alike && gscale__flow_alike(f, &to->cut);
  if (k >= 0) {
    gscale__flow_numbers(f, to->of + k, AT_ONCE);
    return;
  }
  gscale__flow_numbers(f, of, 1);
  for (int i = 0; i < GSCALE__FLOW_NUMBERS; i++)
    store(&to->of[i * AT_ONCE], of[i], k);
}

static void put_flows(gscale__points *s, const gscale__stage *stage,
                      uint64_t phases, int k)
{
  for (size_t i = 0; i < s->plan->phases; i++)
    if ((phases & gscale__phase_bit(i)) != 0)
      put_flow(&s->kernels[i], &stage[i].flow, k);
}

/* Everything, of point k, or of all. */
static void put_all(gscale__points *s, gscale__stage *stage, int k)
{
  const gscale_plan *p = s->plan;
  gscale__piece a = gscale__first_piece(p, s->row, s->by_device);

  s->stageds = 0;
  s->works = false;
  do {
    const int slots = gscale__piece_slots(&a);
    put_costs(s, &a, k);
    for (int i = 0; i < slots; i++) {
      const staged d = duration_of(s, &a, a.form->used[i]);
      put_slot(s, &d, stage, k);
      if (gscale__slot_staged(d.slot)) s->staged[s->stageds++] = d;
    }
    if (a.own) put_works(s, &a, slots, stage, k);
    s->works = s->works || a.own;
  } while (gscale__next_piece(p, s->row, s->by_device, &a));
  put_flows(s, stage, ~(uint64_t)0, k);
}

void gscale__points_put(gscale__points *s, uint64_t phases, bool all, int k)
{
  gscale__stage *stage = gscale__points_stage(s, k);

  s->known[k] = gscale__by_device(s->plan, stage) == s->by_device;
  if (all || s->works) {
    put_all(s, stage, k);
    return;
  }
  for (size_t i = 0; i < s->stageds; i++)
    if ((phases & gscale__phase_bit(s->staged[i].phase)) != 0)
      put_slot(s, &s->staged[i], stage, k);
  put_flows(s, stage, phases, k);
}

/* ---- what is found --------------------------------------------------------
 */

static void find_lengths(gscale__points *s, size_t i, int n)
{
  kernels *f = &s->kernels[i];

  if (f->alike) {
    gscale__flow_lengths(&f->cut, f->of, &f->chunks, f->whole.v);
    gscale__flows_refuse(f->of, f->whole.v);
  }
  for (int k = 0; k < n; k++) {
    gscale__stage *l = &gscale__points_stage(s, k)[i];
    if (!f->alike) f->whole.v[k] = gscale_flow_time(&l->flow);
    l->length = f->whole.v[k];
  }
}

/* The lengths of kernels become costs. */
static void put_lengths(gscale__points *s, const gscale__piece *a,
                        uint64_t phases)
{
  for (size_t i = a->first; a->slots > 0 && i < a->first + a->phases; i++) {
    const int at = (int)(i - a->first) * GSCALE__SLOTS + GSCALE__KERNELS;
    const kernels *f = &s->kernels[i];
    double *cost = cost_of(s, a, GSCALE_COST_END + at);
    if ((phases & gscale__phase_bit(i)) != 0)
      EACH cost[k] = f->whole.v[k] + f->more.v[k];
  }
}

bool gscale__points_open(gscale__points *s, const gscale_plan *p, size_t row,
                         const gscale__stage *stage)
{
  s->plan = p;
  s->row = row;
  s->by_device = gscale__by_device(p, stage);
  return open_memos(s);
}

bool gscale__points_start(gscale__points *s, const gscale__stage *stage)
{
  const gscale_plan *p = s->plan;
  const uint64_t all = ~(uint64_t)0;
  gscale__piece a = gscale__first_piece(p, s->row, s->by_device);

  if (!open_columns(s)) return false;
  for (int k = 0; k < AT_ONCE; k++)
    gscale__copy(gscale__points_stage(s, k), stage, p->phases * sizeof *stage);
  for (size_t i = 0; i < p->phases; i++) s->kernels[i].alike = false;
  put_all(s, gscale__points_stage(s, 0), -1);
  for (size_t i = 0; i < p->phases; i++) find_lengths(s, i, AT_ONCE);
  do {
    put_lengths(s, &a, all);
  } while (gscale__next_piece(p, s->row, s->by_device, &a));
  return true;
}

bool gscale__points_ready(const gscale__points *s)
{
  gscale__piece a = gscale__first_piece(s->plan, s->row, s->by_device);

  do {
    if (a.form->paths == 0 && !s->memo[a.first].chosen) return false;
  } while (gscale__next_piece(s->plan, s->row, s->by_device, &a));
  return true;
}

static void add(double weight, const double *period, double *time)
{
  EACH time[k] += weight * period[k];
}

void gscale__points_times(gscale__points *s, uint64_t phases, int n,
                          double *time)
{
  gscale__piece a = gscale__first_piece(s->plan, s->row, s->by_device);
  double period[AT_ONCE];
  int path[AT_ONCE];

  EACH period[k] = time[k] = 0.0;
  for (size_t i = 0; i < s->plan->phases; i++)
    if ((phases & gscale__phase_bit(i)) != 0) find_lengths(s, i, n);
  do {
    gscale__memo *m = &s->memo[a.first];
    put_lengths(s, &a, phases);
    if (a.form->paths > 0)
      gscale__form_paths(a.form, m->cost, path, period);
    else
      gscale__memo_periods(m, n, period);
    add(a.weight, period, time);
  } while (gscale__next_piece(s->plan, s->row, s->by_device, &a));
}

/* ---- what it is spent on --------------------------------------------------
 */

/* So many times of a cost, or duration, at each point. */
typedef struct spending {
  gscale__points *s;
  const gscale__piece *a;
  gscale__lanes at; /* 1, or 0 at points that do not spend it */
} spending;

GSCALE__WIDE static void spend_time(const double *times, const double *time,
                                    double *of, double *saved)
{
  EACH gscale__spend_time(times[k] * time[k], &of[k], &saved[k]);
}

GSCALE__WIDE static void spend_lasts(const double *times, const lasts *d,
                                     double *of, double *saved)
{
  for (int i = 0; i < GSCALE__LASTS; i++) {
    const int m = (int)gscale__lasts_are[i] * AT_ONCE;
    EACH gscale__spend_time(times[k] * d->of[i].v[k], &of[m + k],
                            &saved[m + k]);
  }
}

static void spend_flow(gscale__points *s, size_t phase, const double *times)
{
  kernels *f = &s->kernels[phase];
  gscale__spent one;

  if (f->alike) {
    gscale__spend_flows(s->of, s->saved, &f->cut, &f->chunks, f->of, f->whole.v,
                        times);
    return;
  }
  for (int k = 0; k < AT_ONCE; k++) {
    const gscale__stage *l = &gscale__points_stage(s, k)[phase];
    if (!s->known[k]) continue;
    gscale__clear(&one, sizeof one);
    gscale__spend_flow(&one, &l->flow, l->length, times[k]);
    for (int m = 0; m < GSCALE_MECHANISM_END; m++) {
      s->of[m * AT_ONCE + k] += one.of[m];
      s->saved[m * AT_ONCE + k] += one.saved[m];
    }
  }
}

static void spend_cost(const spending *b, int cost, double gradient)
{
  gscale__points *s = b->s;
  const gscale__piece *a = b->a;
  const int at = cost - GSCALE_COST_END;
  double times[AT_ONCE];

  EACH times[k] = a->weight * gradient * b->at.v[k];
  if (at < 0) {
    const int m = (int)gscale__cost_mechanism(cost) * AT_ONCE;
    spend_time(times, cost_of(s, a, cost), &s->of[m], &s->saved[m]);
    return;
  }
  spend_lasts(times, &s->lasts[begin_of(a) + (size_t)at], s->of, s->saved);
  if (at < a->slots && at % GSCALE__SLOTS == GSCALE__KERNELS)
    spend_flow(s, a->first + (size_t)(at / GSCALE__SLOTS), times);
}

/* Points whose longest path is the same spend it together. */
static void spend_paths(gscale__points *s, const gscale__piece *a,
                        const int *path)
{
  const gscale__form *f = a->form;
  spending b = {.s = s, .a = a};

  for (int i = 0; i < AT_ONCE; i++) {
    bool before = false;
    for (int k = 0; k < i; k++) before = before || path[k] == path[i];
    if (before) continue;
    EACH b.at.v[k] = path[k] == path[i] ? 1.0 : 0.0;
    for (int t = f->first[path[i]]; t < f->first[path[i] + 1]; t++)
      spend_cost(&b, f->term[t].cost, f->term[t].times);
  }
}

static void spend_cycle(gscale__points *s, const gscale__piece *a)
{
  const double *gradient = s->memo[a->first].gradient;
  spending b = {.s = s, .a = a};

  EACH b.at.v[k] = 1.0;
  for (int i = 0; i < a->form->looks; i++)
    if (gradient[a->form->look[i]] > 0.0)
      spend_cost(&b, a->form->look[i], gradient[a->form->look[i]]);
  for (int i = 0; i < a->form->uses; i++) {
    const int c = GSCALE_COST_END + a->form->used[i];
    if (gradient[c] > 0.0) spend_cost(&b, c, gradient[c]);
  }
}

/* s, by the cycle that was chosen. */
GSCALE__WIDE static void along_cycle(const gscale__memo *m, double *period)
{
  EACH period[k] = 0.0;
  for (int c = 0; c < m->of->costs; c++)
    EACH period[k] += m->cost[c * AT_ONCE + k] * m->gradient[c];
}

static void find_piece(gscale__points *s, const gscale__piece *a)
{
  gscale__memo *m = &s->memo[a->first];
  double period[AT_ONCE];
  int path[AT_ONCE];

  if (a->form->paths > 0) {
    gscale__form_paths(a->form, m->cost, path, period);
    spend_paths(s, a, path);
  } else {
    gscale__memo_look(m);
    along_cycle(m, period);
    EACH s->known[k] = s->known[k] && m->critical[k];
    spend_cycle(s, a);
  }
  add(a->weight, period, s->time);
  EACH s->known[k] = s->known[k] && isfinite(period[k]);
}

void gscale__points_find(gscale__points *s, uint64_t phases, int n)
{
  gscale__piece a = gscale__first_piece(s->plan, s->row, s->by_device);

  EACH s->time[k] = 0.0;
  gscale__clear(s->of, sizeof s->of);
  gscale__clear(s->saved, sizeof s->saved);
  for (size_t i = 0; i < s->plan->phases; i++)
    if ((phases & gscale__phase_bit(i)) != 0) find_lengths(s, i, n);
  do {
    put_lengths(s, &a, phases);
    find_piece(s, &a);
  } while (gscale__next_piece(s->plan, s->row, s->by_device, &a));
  gscale__parts_beside(s->of, s->saved, s->time, s->part, s->bound);
}

bool gscale__points_known(const gscale__points *s, int k)
{
  return s->known[k];
}

void gscale__points_parts(const gscale__points *s, int k, gscale__parts *out)
{
  out->time = s->time[k];
  for (int i = 0; i < GSCALE_PART_END; i++)
    out->of[i] = s->part[i * AT_ONCE + k];
  out->bound = (gscale_mechanism)s->bound[k];
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
