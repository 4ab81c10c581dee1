/* near.c - steps, and steps near them, of which little has moved: some costs,
 * or what the paradigm makes of some phases.
 *
 * Only durations that hang on what moves are evaluated; which path, or cycle,
 * is critical is then found for GSCALE__AT_ONCE such steps beside each other:
 * of one step that is moved in several ways, or of several that are moved in
 * one. */

#include "predict/piece.h"

#include <math.h>
#include <stdlib.h>

#define EACH GSCALE__EACH

enum {
  AT_ONCE = GSCALE__AT_ONCE
};

typedef gscale__lanes lanes;

/* Of a phase: its kernels, with what they move, in each step near. */
typedef struct kernels {
  double of[GSCALE__FLOW_NUMBERS * AT_ONCE];
  double length[AT_ONCE], more[AT_ONCE]; /* s, the flow, and what follows it */
  gscale_flow like;                      /* as it is in the first step */
  gscale__chunks chunks;
  bool cut;                  /* these are known */
  bool any, moved[AT_ONCE];  /* whether it is another; */
  bool alone[AT_ONCE];       /* and in other chunks, or in none: then its */
  double by_itself[AT_ONCE]; /* length, s */
} kernels;

/* A piece of the steps. */
typedef struct part {
  gscale__piece is;
  double *cost;               /* of the first step */
  lanes *was, *at;            /* of the steps, and of those near */
  lanes *length, period;      /* s, of the steps: of paths, if it has some */
  gscale__moved_costs moved;  /* where costs are others */
  bool *on;                   /* of each, whether it is one of them */
  uint64_t *reads, all_reads; /* costs that each duration reads */
  int *slot, slots;           /* durations of phases, */
  int stageds;                /* of which the first hang on what is made of
                               * them */
} part;

struct gscale__near {
  const gscale_plan *plan; /* NULL: of none */
  size_t row;
  const gscale__stage *stage[AT_ONCE]; /* of each step */
  bool by_device;
  int steps, parts;
  bool kernels_moved; /* of some phase, near */
  part *part;         /* room for one of each phase */
  kernels *kernels;   /* of each phase */
  void *memory;       /* of all of them */
  size_t room;        /* B */
  gscale__memo memo[GSCALE__PHASES_MAX];
};

/* ---- memory -------------------------------------------------------------- */

gscale__near *gscale__near_new(void)
{
  return calloc(1, sizeof(gscale__near));
}

void gscale__near_free(gscale__near *s)
{
  if (!s) return;
  for (size_t i = 0; i < GSCALE__PHASES_MAX; i++)
    gscale__memo_close(&s->memo[i]);
  free(s->memory);
  free(s);
}

void gscale__near_forget(gscale__near *s)
{
  s->plan = NULL;
  for (size_t i = 0; i < GSCALE__PHASES_MAX; i++) s->memo[i].of = NULL;
}

gscale__memo *gscale__near_memo(gscale__near *s)
{
  return s->memo;
}

static size_t costs_of(const gscale__piece *a)
{
  return (size_t)(GSCALE_COST_END + a->form->durations);
}

/* B of what lies behind the parts, for one of them: numbers first. */
static size_t size_of(const gscale__piece *a)
{
  const size_t each = sizeof(lanes) + sizeof(double) + sizeof(uint64_t) +
                      2 * sizeof(int) + sizeof(bool);
  const size_t size =
      costs_of(a) * each + (size_t)a->form->paths * sizeof(lanes);

  return (size / sizeof(lanes) + 1) * sizeof(lanes);
}

static size_t need_of(const gscale_plan *p, size_t row, bool by_device)
{
  gscale__piece a = gscale__first_piece(p, row, by_device);
  size_t need = p->phases * (sizeof(kernels) + sizeof(part));

  do {
    need += size_of(&a);
  } while (gscale__next_piece(p, row, by_device, &a));
  return need;
}

/* Those that hang on phases, then the others. */
static void list_slots(part *b)
{
  b->slots = b->stageds = 0;
  for (int staged = 1; staged >= 0; staged--) {
    for (int i = 0; i < gscale__piece_slots(&b->is); i++) {
      const int at = b->is.form->used[i];
      if (gscale__slot_staged(at % GSCALE__SLOTS) == (staged > 0))
        b->slot[b->slots++] = at;
    }
    if (staged > 0) b->stageds = b->slots;
  }
}

static void lay_part(part *b, const gscale__piece *a, gscale__memo *m, char *at)
{
  const size_t n = costs_of(a), paths = (size_t)a->form->paths;

  b->is = *a;
  b->at = (lanes *)(void *)m->cost;
  b->was = (lanes *)(void *)at;
  b->length = b->was + n;
  b->cost = (double *)(void *)(b->length + paths);
  b->reads = (uint64_t *)(void *)(b->cost + n);
  b->slot = (int *)(void *)(b->reads + n);
  b->moved = (gscale__moved_costs){.cost = b->slot + n};
  b->on = (bool *)(b->slot + 2 * n);
  list_slots(b);
}

static bool lay(gscale__near *s)
{
  gscale__piece a = gscale__first_piece(s->plan, s->row, s->by_device);
  char *at = (char *)(s->part + s->plan->phases);

  s->parts = 0;
  do {
    gscale__memo *m = &s->memo[a.first];
    if (m->of != a.form->timeline && !gscale__memo_open(m, a.form->timeline))
      return false;
    lay_part(&s->part[s->parts++], &a, m, at);
    at += size_of(&a);
  } while (gscale__next_piece(s->plan, s->row, s->by_device, &a));
  return true;
}

static bool open_parts(gscale__near *s)
{
  const size_t need = need_of(s->plan, s->row, s->by_device);

  if (need > s->room) {
    free(s->memory);
    s->memory = malloc(need);
    s->room = s->memory ? need : 0;
  }
  if (!s->memory) return false;
  gscale__clear(s->memory, need);
  s->kernels = s->memory;
  s->part = (part *)(void *)(s->kernels + s->plan->phases);
  return lay(s);
}

/* ---- as they are --------------------------------------------------------- */

static void hold_costs(const part *b, int cost)
{
  EACH b->was[cost].v[k] = b->cost[cost];
}

/* As in the first step. */
static void hold_all(gscale__near *s, part *b)
{
  const gscale__piece *a = &b->is;
  double *const d = b->cost + GSCALE_COST_END;

  gscale__piece_costs(s->plan, a->form, b->cost);
  b->all_reads =
      gscale__piece_fill_phases(s->plan, a, s->stage[0], b->reads, d);
  gscale__piece_fill_works(s->plan, a, s->stage[0], d);
  for (int i = 0; i < a->form->looks; i++) hold_costs(b, a->form->look[i]);
  for (int i = 0; i < a->form->uses; i++)
    hold_costs(b, GSCALE_COST_END + a->form->used[i]);
}

static void hold_staged(gscale__near *s, part *b, int k)
{
  for (int i = 0; i < b->stageds; i++)
    b->was[GSCALE_COST_END + b->slot[i]].v[k] =
        gscale__piece_slot(s->plan, &b->is, s->stage[k], b->slot[i]);
}

bool gscale__near_hold(gscale__near *s, const gscale_plan *p, size_t row,
                       const gscale__stage *stage, int k)
{
  const bool by_device = gscale__by_device(p, stage);
  const bool same = s->plan == p && s->row == row && s->by_device == by_device;

  if (k > 0 && !same) return false;
  s->stage[k] = stage;
  for (int i = 0; k > 0 && i < s->parts; i++) hold_staged(s, &s->part[i], k);
  if (k > 0) return true;
  s->plan = p;
  s->row = row;
  s->by_device = by_device;
  if (!same && !open_parts(s)) {
    s->plan = NULL;
    return false;
  }
  for (size_t i = 0; i < p->phases; i++)
    s->kernels[i].any = s->kernels[i].cut = false;
  for (int i = 0; i < s->parts; i++) hold_all(s, &s->part[i]);
  return true;
}

/* Finds the policy of the first step, and by it the others' periods. */
static void begin_cycle(gscale__near *s, part *b)
{
  gscale__memo *const m = &s->memo[b->is.first];
  const double first = gscale__form_near(b->is.form, b->cost, m, true);

  for (int c = 0; c < (int)costs_of(&b->is); c++)
    gscale__copy(&b->at[c], &b->was[c], sizeof *b->at);
  EACH b->period.v[k] = first;
  if (s->steps > 1) gscale__memo_periods(m, s->steps, b->period.v);
}

void gscale__near_begin(gscale__near *s, int n, double *time)
{
  s->steps = n;
  for (int k = 0; k < n; k++) time[k] = 0.0;
  for (int i = 0; i < s->parts; i++) {
    part *b = &s->part[i];
    if (b->is.form->paths > 0)
      gscale__form_lengths(b->is.form, b->was, b->length, b->period.v);
    else
      begin_cycle(s, b);
    for (int k = 0; k < n; k++) time[k] += b->is.weight * b->period.v[k];
  }
}

/* ---- what is put --------------------------------------------------------- */

static void begin_move(part *b, int cost)
{
  b->on[cost] = true;
  b->moved.cost[b->moved.n++] = cost;
  gscale__copy(&b->at[cost], &b->was[cost], sizeof *b->at);
}

static bool is_same(double a, double b)
{
  return a >= b && a <= b;
}

/* In one column, or in all. */
static void store(part *b, int cost, double x, int column)
{
  lanes *const at = &b->at[cost];

  if (!b->on[cost]) {
    if (is_same(x, b->was[cost].v[column < 0 ? 0 : column])) return;
    begin_move(b, cost);
  }
  if (column >= 0)
    at->v[column] = x;
  else
    EACH at->v[k] = x;
}

static void put_kernels(gscale__near *s, const gscale_plan *p,
                        const gscale__stage *l, size_t phase, int k)
{
  kernels *f = &s->kernels[phase];

  if (!f->cut) {
    f->like = s->stage[0][phase].flow;
    if (f->like.chunk > 0.0) gscale__chunks_of(&f->like, true, &f->chunks);
    f->cut = true; /* it is in its domain: the step has a time */
  }
  s->kernels_moved = f->any = f->moved[k] = true;
  f->alone[k] = !gscale__flow_alike(&l->flow, &f->like);
  if (f->alone[k])
    f->by_itself[k] = gscale_flow_time(&l->flow);
  else
    gscale__flow_numbers(&l->flow, f->of + k, AT_ONCE);
  f->more[k] = l->by_device
                   ? gscale__slot_parts(p, phase, l, GSCALE__KERNELS, NULL)
                   : 0.0;
}

static size_t phase_of(const part *b, int at)
{
  return b->is.first + (size_t)(at / GSCALE__SLOTS);
}

void gscale__near_phases(gscale__near *s, const gscale_plan *p,
                         const gscale__stage *stage, uint64_t phases, int k)
{
  for (int i = 0; i < s->parts; i++) {
    part *b = &s->part[i];
    for (int t = 0; t < b->stageds; t++) {
      const int at = b->slot[t], slot = at % GSCALE__SLOTS;
      const size_t phase = phase_of(b, at);
      if ((phases & gscale__phase_bit(phase)) == 0) continue;
      if (slot == GSCALE__KERNELS)
        put_kernels(s, p, &stage[phase], phase, k);
      else
        store(b, GSCALE_COST_END + at,
              gscale__slot_parts(p, phase, &stage[phase], slot, NULL), k);
    }
  }
}

/* A duration of phases that reads some cost, but for what kernels move. */
static void put_reading(const gscale__near *s, part *b, const gscale_plan *p,
                        int at, int k)
{
  const int slot = at % GSCALE__SLOTS, c = GSCALE_COST_END + at;
  const size_t phase = phase_of(b, at);
  const int from = k < 0 ? 0 : k, to = k < 0 ? s->steps : k + 1;

  if (slot == GSCALE__KERNELS) return;
  if (!gscale__slot_staged(slot)) {
    store(b, c, gscale__slot_parts(p, phase, s->stage[0], slot, NULL), k);
    return;
  }
  for (int j = from; j < to; j++) {
    const gscale__stage *l = &s->stage[s->steps > 1 ? j : 0][phase];
    store(b, c, gscale__slot_parts(p, phase, l, slot, NULL), j);
  }
}

/* Costs of which a form's wait is made besides those that it looks at. */
static uint64_t waits_of(const gscale__form *f)
{
  const uint64_t wait = (uint64_t)1 << (GSCALE_COST_ISSUE + GSCALE_WAIT),
                 record = (uint64_t)1 << (GSCALE_COST_ISSUE + GSCALE_RECORD);

  return f->waits ? wait | record : 0;
}

static void put_costs(part *b, const gscale_plan *p, uint64_t costs, bool all,
                      int k)
{
  const gscale__form *f = b->is.form;
  double cost[GSCALE_COST_END];
  uint64_t some = costs & f->looked;

  if (all || (costs & waits_of(f)) != 0 ||
      (costs != 0 && gscale__as_written(p))) {
    gscale__piece_costs(p, f, cost);
    for (int i = 0; i < f->looks; i++)
      store(b, f->look[i], cost[f->look[i]], k);
    return;
  }
  if (f->behind_waits) some &= ~((uint64_t)1 << GSCALE_COST_COPY_HOST);
  for (; some != 0; some &= some - 1) {
    const int c = __builtin_ctzll(some);
    store(b, c, p->cost[c], k);
  }
}

void gscale__near_calls(gscale__near *s, const gscale_plan *p, uint64_t costs,
                        bool all, int k)
{
  for (int i = 0; i < s->parts; i++) {
    part *b = &s->part[i];
    put_costs(b, p, costs, all, k);
    if (!all && (costs & b->all_reads) == 0) continue;
    for (int t = all ? b->stageds : 0; t < b->slots; t++)
      if (all || (costs & b->reads[b->slot[t]]) != 0)
        put_reading(s, b, p, b->slot[t], k);
  }
}

void gscale__near_works(gscale__near *s, const gscale_plan *p,
                        gscale__stage *stage, int k)
{
  gscale__bench d;

  for (size_t i = 0; i < p->phases; i++)
    stage[i].length = gscale_flow_time(&stage[i].flow);
  for (int i = 0; i < s->parts; i++) {
    gscale__piece a = s->part[i].is;
    a.own = gscale__version_of(p, gscale__paradigm_at(s->row));
    if (!gscale__bench_open(&d, a.form)) return;
    gscale__piece_fill_works(p, &a, stage, d.cost + GSCALE_COST_END);
    for (int t = gscale__piece_slots(&a); t < a.form->uses; t++)
      store(&s->part[i], GSCALE_COST_END + a.form->used[t],
            d.cost[GSCALE_COST_END + a.form->used[t]], k);
    free(d.large);
  }
}

bool gscale__near_alike(const gscale__near *s, const gscale_plan *p,
                        const gscale__stage *stage, uint64_t phases, int k)
{
  bool by_device = false;

  for (size_t i = 0; p->nodes > 1 && i < p->phases; i++)
    by_device =
        by_device || ((phases & gscale__phase_bit(i)) != 0
                          ? stage[i].by_device
                          : s->stage[s->steps > 1 ? k : 0][i].by_device);
  if (by_device != s->by_device) return false;
  for (int i = 0; p != s->plan && i < s->parts; i++) {
    const gscale__piece *a = &s->part[i].is;
    if (gscale__form_at(p, s->row, by_device, a->first) != a->form ||
        !is_same(gscale__step_repeats(p, s->row, a->first), a->weight))
      return false;
  }
  return true;
}

/* ---- what is found ------------------------------------------------------- */

/* The lengths of kernels become costs. */
static void put_lengths(const gscale__near *s, part *b, int n)
{
  const gscale__piece *a = &b->is;

  for (size_t i = a->first; a->slots > 0 && i < a->first + a->phases; i++) {
    const kernels *f = &s->kernels[i];
    const int at = (int)(i - a->first) * GSCALE__SLOTS + GSCALE__KERNELS;
    for (int k = 0; f->any && k < n; k++)
      if (f->moved[k])
        store(b, GSCALE_COST_END + at,
              (f->alone[k] ? f->by_itself[k] : f->length[k]) + f->more[k], k);
  }
}

static void find_period(gscale__near *s, part *b, int n, double *period)
{
  const gscale__form *f = b->is.form;

  if (b->moved.n == 0)
    EACH period[k] = b->period.v[k];
  else if (f->paths > 0)
    gscale__form_moved(f, b->length, b->was, b->at, &b->moved, period);
  else
    gscale__memo_periods(&s->memo[b->is.first], n, period);
}

static void forget_moves(part *b)
{
  for (int i = 0; i < b->moved.n; i++) {
    const int c = b->moved.cost[i];
    b->on[c] = false;
    if (b->is.form->paths == 0) /* a timeline looks at all costs */
      gscale__copy(&b->at[c], &b->was[c], sizeof *b->at);
  }
  b->moved.n = 0;
}

/* How long kernels last, where that is another. */
static void find_lengths(gscale__near *s)
{
  for (size_t i = 0; i < s->plan->phases; i++) {
    kernels *f = &s->kernels[i];
    if (!f->any) continue;
    gscale__flow_lengths(&f->like, f->of, &f->chunks, f->length);
    gscale__flows_refuse(f->of, f->length);
  }
}

static void forget_kernels(gscale__near *s)
{
  for (size_t i = 0; i < s->plan->phases; i++) {
    kernels *f = &s->kernels[i];
    for (int k = 0; f->any && k < AT_ONCE; k++) f->moved[k] = false;
    f->any = false;
  }
  s->kernels_moved = false;
}

void gscale__near_times(gscale__near *s, int n, double *const *time)
{
  double period[AT_ONCE];

  for (int k = 0; k < n; k++) *time[k] = 0.0;
  if (s->kernels_moved) find_lengths(s);
  for (int i = 0; i < s->parts; i++) {
    part *b = &s->part[i];
    if (s->kernels_moved) put_lengths(s, b, n);
    find_period(s, b, n, period);
    for (int k = 0; k < n; k++) *time[k] += b->is.weight * period[k];
    forget_moves(b);
  }
  if (s->kernels_moved) forget_kernels(s);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
