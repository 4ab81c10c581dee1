/* t_timeline.c - timelines against a simulation with a clock, and their laws.
 */

#include "critical.h"
#include "halo.h"
#include "random.h"
#include "slow_timeline.h"
#include "timeline/timeline.h"

#include <gsl/gsl_test.h>
#include <stdio.h>

enum {
  DURATIONS = 64,
  COSTS = GSCALE_COST_END + DURATIONS,
  EVENTS = 5,
  GPUS = 4
};

/* ---- random schedules ---------------------------------------------------- */

typedef struct script {
  gscale_schedule s;
  int stream_gpu[SLOW_STREAMS], feeder[SLOW_STREAMS];
  gscale_action action[SLOW_ACTIONS];
} script;

/* Pointers of a script that was copied. */
static void script_point(script *p)
{
  p->s.stream_gpu = p->stream_gpu;
  p->s.action = p->action;
}

static void put(script *p, gscale_action a)
{
  if (p->s.actions == SLOW_ACTIONS) return;
  a.length = (int)p->s.actions % DURATIONS; /* one each: ties are of costs */
  p->action[p->s.actions++] = a;
}

static gscale_parity some_parity(rng *r, bool alternate)
{
  return alternate && pick(r, 3) == 0
             ? (gscale_parity)(GSCALE_EVEN_STEPS + pick(r, 2))
             : GSCALE_EVERY_STEP;
}

/* A barrier, at other places of the list for each thread. */
static void put_barriers(script *p, rng *r, gscale_parity parity)
{
  for (int t = 0; t < p->s.threads; t++) {
    put(p,
        (gscale_action){.kind = GSCALE_BARRIER, .parity = parity, .thread = t});
    if (pick(r, 2))
      put(p, (gscale_action){.kind = GSCALE_HOST_WORK,
                             .parity = parity,
                             .thread = pick(r, p->s.threads)});
  }
}

static void put_some(script *p, rng *r, bool alternate)
{
  gscale_action a = {.kind = (gscale_action_kind)pick(r, GSCALE_ACTION_END),
                     .parity = some_parity(r, alternate),
                     .thread = pick(r, p->s.threads),
                     .stream = pick(r, p->s.streams),
                     .event = pick(r, EVENTS),
                     .peer = pick(r, p->s.gpus)};

  if (a.kind == GSCALE_BARRIER || a.kind == GSCALE_COLLECTIVE) return;
  if (a.kind <= GSCALE_WAIT) a.thread = p->feeder[a.stream];
  put(p, a);
}

/* Collectives, not in the same order on all streams: some never end. */
static void put_collectives(script *p, rng *r, gscale_parity parity)
{
  for (int i = 0; i < p->s.streams; i++) {
    const int first = pick(r, 8) == 0, skipped = pick(r, 4);
    for (int k = 0; k < 2; k++)
      if (skipped != k)
        put(p, (gscale_action){.kind = GSCALE_COLLECTIVE,
                               .parity = parity,
                               .thread = p->feeder[i],
                               .stream = i,
                               .event = (first + k) % 2});
    if (pick(r, 2)) put_some(p, r, parity != GSCALE_EVERY_STEP);
  }
}

/* Waits for events that nobody records become records. */
static void mend_events(script *p)
{
  bool recorded[EVENTS] = {false};

  for (size_t i = 0; i < p->s.actions; i++)
    if (p->action[i].kind == GSCALE_RECORD) recorded[p->action[i].event] = true;
  for (size_t i = 0; i < p->s.actions; i++) {
    gscale_action *a = &p->action[i];
    if (recorded[a->event]) continue;
    if (a->kind == GSCALE_WAIT) a->kind = GSCALE_RECORD;
    if (a->kind == GSCALE_SYNC_EVENT) a->kind = GSCALE_SYNC_STREAM;
    recorded[a->event] = recorded[a->event] || a->kind == GSCALE_RECORD;
  }
  for (size_t i = 0; i < p->s.actions; i++)
    if ((p->action[i].kind == GSCALE_WAIT ||
         p->action[i].kind == GSCALE_SYNC_EVENT) &&
        !recorded[p->action[i].event])
      p->action[i].kind = GSCALE_SYNC_STREAM;
}

static void random_script(rng *r, script *p)
{
  static const int depths[] = {0, 1, 2, 3, 5, 8, 13};
  const bool alternate = pick(r, 3) == 0;
  const int n = 1 + pick(r, 30), barriers = pick(r, 3);
  bool together = pick(r, 4) == 0;

  *p = (script){.s = {.gpus = 1 + pick(r, GPUS),
                      .threads = 1 + pick(r, 4),
                      .events = EVENTS,
                      .durations = DURATIONS,
                      .depth = depths[pick(r, 7)],
                      .crowd = pick(r, 2) ? uniform(r, 0, 3) : 0}};
  script_point(p);
  p->s.streams = 1 + pick(r, 2 * p->s.gpus);
  for (int i = 0; i < p->s.streams; i++) {
    p->stream_gpu[i] = pick(r, p->s.gpus);
    p->feeder[i] = pick(r, p->s.threads);
  }
  int met = 0;
  for (int i = 0; i < n; i++) {
    put_some(p, r, alternate);
    if (met < barriers && pick(r, n) < 2) {
      put_barriers(p, r, some_parity(r, alternate));
      met++;
    }
    if (together && pick(r, n) < 2) {
      put_collectives(p, r, some_parity(r, alternate));
      together = false;
    }
  }
  if (p->s.actions == 0) put(p, (gscale_action){.kind = GSCALE_HOST_WORK});
  mend_events(p);
}

/* Small whole numbers, with which all is exact and ties abound; or any. */
static void random_costs(rng *r, bool whole, double *cost)
{
  for (int i = 0; i < COSTS; i++) {
    const double most = i < GSCALE_COST_END ? 9 : 40;
    cost[i] = whole ? pick(r, (int)most) : spread(r, most / 100, most);
  }
}

static double period_of(const gscale_timeline *t, const double *cost,
                        double *gradient)
{
  void *scratch = malloc(gscale_timeline_scratch(t));
  const double period = gscale_timeline_period(t, cost, scratch, gradient);
  free(scratch);
  return period;
}

/* Period of a schedule; NaN if it is refused. */
static double period_new(const gscale_schedule *s, const double *cost,
                         double *gradient)
{
  gscale_timeline *t = NULL;

  if (gscale_timeline_new(s, &t, NULL) != GSCALE_OK) return (double)NAN;
  const double period = period_of(t, cost, gradient);
  gscale_timeline_free(t);
  return period;
}

/* ---- against the simulation ---------------------------------------------- */

static struct {
  int refused, stalled, unsettled, period, times, timed, all;
} met;

/* Begin and end of all actions, where the simulation ends up in steps that are
 * all alike.  Both are right to shift all of them together. */
static void compare_times(const gscale_timeline *t, const slow_world *w,
                          double period)
{
  const size_t n = w->s->actions;
  gscale_span *span = malloc(2 * n * sizeof *span);
  void *scratch = malloc(gscale_timeline_scratch(t));
  const int even = (w->steps - 2) / 2 * 2;
  double shift = (double)NAN;
  int bad = 0;

  bad += !gscale_timeline_times(t, w->cost, scratch, span);
  for (size_t i = 0; i < 2 * n; i++) {
    const gscale_span *slow =
        slow_span(w, (slow_call){even + (int)(i / n), (int)(i % n)});
    for (int f = 0; f < 4; f++) {
      const double a = (&span[i].call)[f], b = (&slow->call)[f];
      if (isnan(shift)) shift = b - a;
      bad += isnan(a) != isnan(b) || fabs(b - a - shift) > 1e-9 * period;
    }
  }
  met.times += bad > 0;
  met.timed++;
  free(span);
  free(scratch);
}

/* The critical cycle has no twin a step later, which may be ahead of it: it
 * spans one step, or two and has work of every other step only. */
static bool without_twin(const gscale_timeline *t, const slow_world *w)
{
  critical cycle[8 * SLOW_ACTIONS];
  void *scratch = malloc(gscale_timeline_scratch(t));
  const size_t n = critical_cycle(t, w->cost, scratch, cycle, 8 * SLOW_ACTIONS);
  bool alternates = false;
  int steps = 0;

  free(scratch);
  for (size_t i = 0; i < n; i++) {
    steps += cycle[i].steps;
    alternates =
        alternates || w->s->action[cycle[i].action].parity != GSCALE_EVERY_STEP;
  }
  return steps == (alternates ? 2 : 1);
}

/* Each time of each action advances by the same in every pair of steps. */
static bool all_alike(const slow_world *w, double period)
{
  double rate;

  for (int i = 0; i < (int)w->s->actions; i++)
    for (int f = 0; f < 4; f++) {
      if (!slow_regular(w, i, f, 2, 8, &rate)) return false;
      if (rate > 0 && fabs(rate - period) > 1e-10 * period) return false;
    }
  return true;
}

static void compare(const script *p, const double *cost, bool whole)
{
  const int memory = 2 * p->s.depth + 6;
  gscale_timeline *t = NULL;
  double slow = (double)NAN, period = (double)NAN;
  slow_world w;
  int c = 0;

  const gscale_status st = gscale_timeline_new(&p->s, &t, NULL);
  if (st == GSCALE_OK) period = period_of(t, cost, NULL);
  for (int steps = 128; isnan(slow) && steps <= 32768; steps *= 4) {
    slow_start(&w, &p->s, cost, steps);
    const bool stalled = w.stalled;
    if (!stalled) slow = slow_period(&w, memory, &c);
    if (!isnan(slow) && st == GSCALE_OK && !whole && c == 2 &&
        all_alike(&w, period) && without_twin(t, &w))
      compare_times(t, &w, period);
    slow_stop(&w);
    if (stalled != (st != GSCALE_OK)) met.stalled++;
    if (stalled) break;
  }
  met.all++;
  met.refused += st != GSCALE_OK;
  if (st != GSCALE_OK) return;
  met.unsettled += isnan(slow);
  if (!(fabs(period - slow) <= 1e-9 * period)) {
    met.period++;
  }
  gscale_timeline_free(t);
}

static void simulated(void)
{
  rng r = {20260713};
  const int n = cases(300, 10000);

  for (int i = 0; i < n; i++) {
    script p;
    double cost[COSTS];
    random_script(&r, &p);
    random_costs(&r, i % 2, cost);
    compare(&p, cost, i % 2);
  }
  gsl_test(met.stalled, "what is refused is what never ends (%d of %d)",
           met.refused, met.all);
  gsl_test(met.refused == 0 || met.refused > met.all / 4,
           "few schedules are refused");
  gsl_test(met.unsettled, "all simulations settle: %d do not", met.unsettled);
  gsl_test(met.period, "periods are those of the simulation: %d are not",
           met.period);
  gsl_test(met.times, "begin and end of actions too: %d of %d are not",
           met.times, met.timed);
  gsl_test(met.timed < met.all / 50, "which is tried often enough: %d",
           met.timed);
}

/* ---- laws ---------------------------------------------------------------- */

static struct {
  int all, sum, negative, slope, sloped, faster, scaled, named, cycle, odd;
} law;

/* dT/dcost from both sides, where they agree: away from ties. */
static void slopes(const gscale_timeline *t, const double *cost, double period,
                   const double *gradient)
{
  double moved[COSTS];

  if (period == 0) return; /* nothing to take a difference of */
  memcpy(moved, cost, sizeof moved);
  for (int i = 0; i < COSTS; i++) {
    const double h = 1e-5 * period;
    if (!(cost[i] > h)) continue;
    moved[i] = cost[i] + h;
    const double above = (period_of(t, moved, NULL) - period) / h;
    moved[i] = cost[i] - h;
    const double below = (period - period_of(t, moved, NULL)) / h;
    moved[i] = cost[i];
    law.faster += above < -1e-9 || below < -1e-9;
    if (fabs(above - below) > 1e-8) continue;
    law.sloped++;
    law.slope += !(fabs(gradient[i] - above) <= 1e-6);
  }
}

/* Any cost up, by any amount. */
static void dearer(const gscale_timeline *t, const double *cost, double period,
                   rng *r)
{
  double moved[COSTS];

  for (int i = 0; i < COSTS; i++)
    moved[i] = cost[i] + (pick(r, 4) ? 0 : spread(r, 0.01, 100));
  law.faster += period_of(t, moved, NULL) < period * (1 - 1e-12);
  for (int i = 0; i < COSTS; i++) moved[i] = cost[i] * 3.7e-6;
  law.scaled +=
      !(fabs(period_of(t, moved, NULL) - 3.7e-6 * period) <= 1e-17 * period);
}

static void shuffle(rng *r, int n, int *to)
{
  for (int i = 0; i < n; i++) to[i] = i;
  for (int i = n - 1; i > 0; i--) {
    const int k = pick(r, i + 1), swap = to[i];
    to[i] = to[k];
    to[k] = swap;
  }
}

/* Other names for GPUs, threads, streams, events and durations. */
static void rename_all(rng *r, const script *p, const double *cost,
                       double period, const double *gradient)
{
  int gpu[GPUS], thread[SLOW_THREADS], stream[SLOW_STREAMS], event[EVENTS];
  int length[DURATIONS];
  double other[COSTS], slope[COSTS];
  script q = *p;

  shuffle(r, p->s.gpus, gpu);
  shuffle(r, p->s.threads, thread);
  shuffle(r, p->s.streams, stream);
  shuffle(r, EVENTS, event);
  shuffle(r, DURATIONS, length);
  script_point(&q);
  memcpy(other, cost, sizeof other);
  for (int i = 0; i < DURATIONS; i++)
    other[GSCALE_COST_END + length[i]] = cost[GSCALE_COST_END + i];
  for (int i = 0; i < p->s.streams; i++)
    q.stream_gpu[stream[i]] = gpu[p->stream_gpu[i]];
  for (size_t i = 0; i < p->s.actions; i++) {
    gscale_action *a = &q.action[i];
    a->thread = thread[a->thread];
    a->stream = stream[a->stream];
    a->event = event[a->event];
    a->peer = gpu[a->peer];
    a->length = length[a->length];
  }
  law.named +=
      !(fabs(period_new(&q.s, other, slope) - period) <= 1e-13 * period);
  for (int i = 0; i < COSTS; i++) {
    const int at =
        i < GSCALE_COST_END ? i : GSCALE_COST_END + length[i - GSCALE_COST_END];
    law.named += slope[at] != gradient[i];
  }
}

/* The cycle that is shown is one: its steps are those by which the gradient is
 * divided, and each action of it waits for something. */
static void shown(const script *p, const gscale_timeline *t, const double *cost,
                  const double *gradient)
{
  critical cycle[16 * SLOW_ACTIONS];
  void *scratch = malloc(gscale_timeline_scratch(t));
  const size_t n = critical_cycle(t, cost, scratch, cycle, 16 * SLOW_ACTIONS);
  int steps = 0, lengths[DURATIONS] = {0};

  law.cycle += n == 0 || critical_cycle(t, cost, scratch, cycle, 0) != n;
  for (size_t i = 0; i < n; i++) {
    const gscale_action *a = &p->action[cycle[i].action];
    law.cycle += cycle[i].steps < 0;
    law.cycle += cycle[i].device && !slow_is_entry(a->kind);
    law.odd += !slow_takes_part(a, cycle[i].odd);
    steps += cycle[i].steps;
    if (cycle[i].device ? a->kind <= GSCALE_COLLECTIVE
                        : a->kind == GSCALE_HOST_WORK)
      lengths[a->length]++;
  }
  law.cycle += steps < 1;
  for (int i = 0; i < DURATIONS; i++)
    law.cycle +=
        gradient[GSCALE_COST_END + i] > lengths[i] / (double)steps + 1e-12;
  free(scratch);
}

static void laws(void)
{
  rng r = {3};
  const int n = cases(100, 10000);

  for (int i = 0; i < n; i++) {
    script p;
    double cost[COSTS], gradient[COSTS], sum = 0;
    gscale_timeline *t = NULL;
    random_script(&r, &p);
    random_costs(&r, i % 8 == 0, cost);
    if (gscale_timeline_new(&p.s, &t, NULL) != GSCALE_OK) continue;
    const double period = period_of(t, cost, gradient);
    for (int k = 0; k < COSTS; k++) {
      sum += cost[k] * gradient[k];
      law.negative += !(gradient[k] >= 0);
    }
    law.sum += sum != period;
    law.all++;
    slopes(t, cost, period, gradient);
    dearer(t, cost, period, &r);
    rename_all(&r, &p, cost, period, gradient);
    shown(&p, t, cost, gradient);
    gscale_timeline_free(t);
  }
  gsl_test(law.all < n / 2, "laws: %d schedules", law.all);
  gsl_test(law.sum, "the costs' shares sum up to the period exactly");
  gsl_test(law.negative, "none is negative");
  gsl_test(law.slope, "they are finite differences: %d of %d are not",
           law.slope, law.sloped);
  gsl_test(law.sloped < 50 * law.all, "away from ties, which are few");
  gsl_test(law.faster, "no cost that rises makes a step faster");
  gsl_test(law.scaled, "time in other units");
  gsl_test(law.named, "other names change nothing: %d", law.named);
  gsl_test(law.cycle, "the critical cycle has those costs");
  gsl_test(law.odd, "and actions of the steps that it says");
}

/* ---- lumping ------------------------------------------------------------- */

/* The same program for each GPU of a ring or a chain, each call of all GPUs
 * before the next one; with one thread a GPU, or one for all. */
static void symmetric_script(rng *r, script *p, int gpus, bool ring, bool one)
{
  const int n = 2 + pick(r, 8);
  gscale_action what[10];
  int side[10];

  *p = (script){.s = {.gpus = gpus,
                      .threads = one ? 1 : gpus,
                      .streams = 2 * gpus,
                      .events = 2 * gpus,
                      .durations = DURATIONS,
                      .depth = pick(r, 2) ? 1024 : 4,
                      .crowd = 0.5}};
  script_point(p);
  for (int i = 0; i < p->s.streams; i++) p->stream_gpu[i] = i / 2;
  for (int i = 0; i < n; i++) {
    what[i] =
        (gscale_action){.kind = (gscale_action_kind)pick(r, GSCALE_ACTION_END),
                        .parity = some_parity(r, pick(r, 2)),
                        .stream = pick(r, 2),
                        .event = pick(r, 2),
                        .length = pick(r, DURATIONS)};
    if (i < 2) what[i] = (gscale_action){.kind = GSCALE_RECORD, .event = i};
    if (what[i].kind == GSCALE_COLLECTIVE) what[i].kind = GSCALE_LAUNCH;
    side[i] = pick(r, 3) - 1;
  }
  for (int i = 0; i < n; i++)
    for (int g = 0; g < gpus; g++) {
      gscale_action a = what[i];
      int other = g + side[i];
      if (a.kind != GSCALE_WAIT && a.kind != GSCALE_COPY_D2D) other = g;
      if (!ring && (other < 0 || other >= gpus)) continue;
      if (one && a.kind == GSCALE_BARRIER) continue;
      other = (other + gpus) % gpus;
      a.thread = one ? 0 : g;
      a.stream += 2 * g;
      a.event += 2 * other;
      a.peer = other;
      if (p->s.actions < SLOW_ACTIONS) p->action[p->s.actions++] = a;
    }
}

static struct {
  int all, period, slope, times, smaller, refused;
} lump;

/* Moments that all threads share: barriers, of two steps if they alternate. */
static size_t barriers_of(const script *p)
{
  size_t every = 0, other = 0;
  bool alternate = false;

  for (size_t i = 0; i < p->s.actions; i++) {
    const gscale_action *a = &p->action[i];
    alternate = alternate || a->parity != GSCALE_EVERY_STEP;
    if (a->kind != GSCALE_BARRIER || a->thread > 0) continue;
    *(a->parity == GSCALE_EVERY_STEP ? &every : &other) += 1;
  }
  return every * (alternate ? 2 : 1) + other;
}

static void compare_lumped(const gscale_timeline *full,
                           const gscale_timeline *lumped, const script *p,
                           const double *cost)
{
  double a[COSTS], b[COSTS], sum = 0;
  const double period = period_of(full, cost, a);

  lump.all++;
  lump.period += !(fabs(period_of(lumped, cost, b) - period) <= 1e-9 * period);
  for (int i = 0; i < COSTS; i++) sum += cost[i] * b[i];
  lump.slope += !(fabs(sum - period) <= 1e-9 * period);
  const int few = lumped->moments - (int)barriers_of(p);
  lump.smaller += few * p->s.gpus <= full->moments;
  gscale_span *span = malloc(2 * p->s.actions * sizeof *span);
  void *scratch = malloc(gscale_timeline_scratch(lumped));
  gscale_timeline_times(lumped, cost, scratch, span);
  for (size_t i = 0; i < p->s.actions; i++)
    if (p->action[i].kind < GSCALE_RECORD && !isnan(span[i].begin))
      lump.times += !(fabs(span[i].end - span[i].begin -
                           cost[GSCALE_COST_END + p->action[i].length]) <=
                      1e-9 * period) ||
                    span[i].begin < span[i].back - 1e-9 * period;
  free(scratch);
  free(span);
}

static void lumps(void)
{
  rng r = {8};
  const int n = cases(100, 5000);
  int rings = 0;

  for (int i = 0; i < n; i++) {
    static const int all_alike_gpus[8] = {0};
    const bool ring = pick(&r, 2), one = pick(&r, 4) == 0;
    gscale_timeline *full = NULL, *lumped = NULL;
    double cost[COSTS];
    script p;
    symmetric_script(&r, &p, 2 + pick(&r, 7), ring, one);
    random_costs(&r, i % 4 == 0, cost);
    if (gscale_timeline_new(&p.s, &full, NULL) != GSCALE_OK) continue;
    const int was = lump.smaller;
    if (gscale_timeline_lump(full, NULL, &lumped, NULL) == GSCALE_OK) {
      compare_lumped(full, lumped, &p, cost);
      gscale_timeline_free(lumped);
    }
    if (ring && !one) {
      rings++;
      lump.refused += lump.smaller != was + 1;
      lumped = NULL;
      lump.refused += gscale_timeline_lump(full, all_alike_gpus, &lumped,
                                           NULL) != GSCALE_OK;
      gscale_timeline_free(lumped);
    }
    gscale_timeline_free(full);
  }
  gsl_test(lump.all < n * 9 / 10, "lumped: %d", lump.all);
  gsl_test(lump.period, "lumped is full: %d are not", lump.period);
  gsl_test(lump.slope, "and so is its gradient");
  gsl_test(lump.times, "and its actions take as long");
  gsl_test(rings < n / 4 || lump.refused,
           "a ring of GPUs is one GPU: %d of %d are not", lump.refused, rings);
}

/* ---- by hand ------------------------------------------------------------- */

static const int one_gpu[2] = {0, 0};

/* Two streams of one GPU, one thread. */
static gscale_schedule small(const gscale_action *a, size_t n)
{
  return (gscale_schedule){.gpus = 1,
                           .threads = 1,
                           .streams = 2,
                           .events = 2,
                           .durations = 2,
                           .stream_gpu = one_gpu,
                           .actions = n,
                           .action = a,
                           .depth = 1024,
                           .crowd = 1};
}

/* Different costs, in us; a kernel of 50 or what is given, another of 7. */
static void distinct(double *cost, double kernel)
{
  for (int i = 0; i < GSCALE_COST_END; i++) cost[i] = 1 + i / 64.0;
  for (int k = 0; k < GSCALE_CALL_END; k++) cost[GSCALE_COST_CROWD + k] = 0;
  for (int i = GSCALE_COST_END; i < COSTS; i++) cost[i] = 7;
  cost[GSCALE_COST_END] = kernel;
}

static double issue(const double *cost, gscale_action_kind k)
{
  return cost[GSCALE_COST_ISSUE + (int)k];
}

static void one_thread(void)
{
  const gscale_action waits[] = {{.kind = GSCALE_LAUNCH},
                                 {.kind = GSCALE_SYNC_STREAM}};
  const gscale_action never[] = {{.kind = GSCALE_LAUNCH},
                                 {.kind = GSCALE_COPY_D2H, .length = 1}};
  /* the norm of a step, read before the next one's is recorded */
  const gscale_action late[] = {{.kind = GSCALE_LAUNCH},
                                {.kind = GSCALE_SYNC_EVENT},
                                {.kind = GSCALE_HOST_WORK, .length = 1},
                                {.kind = GSCALE_RECORD}};
  gscale_schedule s = small(waits, 2);
  double c[COSTS];

  distinct(c, 50);
  gsl_test_abs(period_new(&s, c, NULL),
               issue(c, GSCALE_LAUNCH) + 50 + c[GSCALE_COST_KERNEL_HOST] +
                   c[GSCALE_COST_WAKE],
               1e-12, "a kernel that is waited for");
  distinct(c, 0.25);
  gsl_test_abs(period_new(&s, c, NULL),
               issue(c, GSCALE_LAUNCH) + 0.25 + c[GSCALE_COST_KERNEL_HOST] +
                   c[GSCALE_COST_WAKE],
               1e-12, "a short one");
  s = small(never, 2);
  gsl_test_abs(period_new(&s, c, NULL),
               0.25 + c[GSCALE_COST_KERNEL_COPY] + 7 +
                   c[GSCALE_COST_COPY_KERNEL],
               1e-12, "a loop that never waits, bound by its stream");
  c[GSCALE_COST_END + 1] = 0.25;
  c[GSCALE_COST_ISSUE + (int)GSCALE_LAUNCH] = 6;
  gsl_test_abs(period_new(&s, c, NULL), 6 + issue(c, GSCALE_COPY_D2H), 1e-12,
               "and by its host");

  s = small(late, 4);
  distinct(c, 50);
  gsl_test_abs(period_new(&s, c, NULL), 50 + c[GSCALE_COST_KERNEL_KERNEL],
               1e-12, "read a step late, the host is hidden");
  distinct(c, 5);
  gsl_test_abs(period_new(&s, c, NULL),
               c[GSCALE_COST_WAKE] + 7 + issue(c, GSCALE_RECORD) +
                   fmax(issue(c, GSCALE_LAUNCH) + issue(c, GSCALE_SYNC_EVENT) -
                            c[GSCALE_COST_WAKE],
                        0),
               1e-12, "until it takes longer");
}

/* The queue of a stream holds back a thread that never waits. */
static void queue_depth(void)
{
  const gscale_action a[] = {{.kind = GSCALE_LAUNCH},
                             {.kind = GSCALE_HOST_WORK, .length = 1}};
  gscale_schedule s = small(a, 2);
  gscale_timeline *t = NULL;
  gscale_span span[4];
  double c[COSTS];

  distinct(c, 50);
  c[GSCALE_COST_ISSUE + (int)GSCALE_LAUNCH] = 3;
  for (int depth = 1; depth <= 3; depth++) {
    s.depth = depth;
    gscale_timeline_new(&s, &t, NULL);
    void *scratch = malloc(gscale_timeline_scratch(t));
    const double period = gscale_timeline_period(t, c, scratch, NULL);
    gscale_timeline_times(t, c, scratch, span);
    gsl_test_abs(period, 50 + (depth == 1 ? 3 : c[GSCALE_COST_KERNEL_KERNEL]),
                 1e-12, "queue of %d: period", depth);
    if (depth > 1)
      gsl_test_abs(span[0].begin - span[0].call,
                   (depth - 1) * period + c[GSCALE_COST_KERNEL_KERNEL], 1e-9,
                   "queue of %d: a launch is so far ahead", depth);
    free(scratch);
    gscale_timeline_free(t);
  }
}

/* One thread that issues GPU by GPU: the last kernel begins last. */
static void gpu_by_gpu(void)
{
  static const int gpu[4] = {0, 1, 2, 3};
  gscale_action a[12];
  double c[COSTS];

  for (int g = 0; g < 4; g++) {
    a[2 * g] = (gscale_action){.kind = GSCALE_SET_DEVICE, .peer = g};
    a[2 * g + 1] = (gscale_action){.kind = GSCALE_LAUNCH, .stream = g};
    a[8 + g] = (gscale_action){.kind = GSCALE_SYNC_STREAM, .stream = g};
  }
  const gscale_schedule s = {.gpus = 4,
                             .threads = 1,
                             .streams = 4,
                             .durations = 1,
                             .stream_gpu = gpu,
                             .actions = 12,
                             .action = a};
  distinct(c, 50);
  gsl_test_abs(period_new(&s, c, NULL),
               4 * (issue(c, GSCALE_SET_DEVICE) + issue(c, GSCALE_LAUNCH)) +
                   50 + c[GSCALE_COST_KERNEL_HOST] + c[GSCALE_COST_WAKE],
               1e-12, "the last of four GPUs");
}

static void halos(void)
{
  gscale_timeline *t = NULL, *lumped = NULL;
  critical cycle[64];
  double c[HALO_COSTS];
  halo *h = halo_new(4, true);

  halo_costs(c);
  const double time = c[GSCALE_COST_ISSUE + (int)GSCALE_LAUNCH] +
                      h->s.crowd * c[GSCALE_COST_CROWD + (int)GSCALE_LAUNCH] +
                      c[HALO_KERNEL] + c[GSCALE_COST_NEAR] + 2 * c[HALO_COPY] +
                      c[GSCALE_COST_COPY_COPY] + c[GSCALE_COST_COPY_HOST] +
                      c[GSCALE_COST_WAKE] + c[GSCALE_COST_STRAGGLE] +
                      c[GSCALE_COST_BARRIER] + 2 * c[GSCALE_COST_BARRIER_MORE];
  gsl_test((int)gscale_timeline_new(&h->s, &t, NULL),
           "a halo exchange by copies");
  gsl_test_rel(period_of(t, c, NULL), time, 1e-14, "takes as long as by hand");
  gsl_test_int((int)gscale_timeline_lump(t, NULL, &lumped, NULL), GSCALE_OK,
               "four GPUs in a ring");
  gsl_test_rel(period_of(lumped, c, NULL), time, 1e-14, "are as one");

  void *scratch = malloc(gscale_timeline_scratch(t));
  const size_t n = critical_cycle(t, c, scratch, cycle, 64);
  gsl_test_int((int)n, 8, "its critical cycle");
  static const gscale_action_kind kind[] = {
      GSCALE_LAUNCH,   GSCALE_LAUNCH,   GSCALE_RECORD,      GSCALE_WAIT,
      GSCALE_COPY_D2D, GSCALE_COPY_D2D, GSCALE_SYNC_STREAM, GSCALE_BARRIER};
  size_t at = 0; /* the call of the launch */
  while (at + 1 < n && (h->action[cycle[at].action].kind != GSCALE_LAUNCH ||
                        cycle[at].device))
    at++;
  for (size_t i = 0; i < n; i++) {
    const critical *k = &cycle[(at + i) % n];
    gsl_test(h->action[k->action].kind != kind[i % 8], "goes on by a %s",
             gscale_action_name(kind[i % 8]));
    gsl_test_int(k->steps, i == 0, "in the same step, but for the first");
  }
  critical few[3] = {
      {9, true, true, 9}, {9, true, true, 9}, {9, true, true, 9}};
  gsl_test_int((int)critical_cycle(t, c, scratch, few, 2), 8,
               "with room for two of them");
  gsl_test(few[1].action != cycle[1].action || few[2].action != 9,
           "two are given");
  free(scratch);
  gscale_timeline_free(t);
  gscale_timeline_free(lumped);
  halo_free(h);

  h = halo_new(6, false);
  const int mirror[] = {0, 1, 2, 2, 1, 0}, ends[] = {0, 1, 2, 3, 4, 1};
  const int nobody[] = {0, 1, 2, 6, 4, 5};
  gscale_diag d = {""};
  gscale_timeline_new(&h->s, &t, NULL);
  gsl_test_int((int)gscale_timeline_lump(t, mirror, &lumped, NULL), GSCALE_OK,
               "mirror pairs of a chain");
  gsl_test_rel(period_of(lumped, c, NULL), period_of(t, c, NULL), 1e-14,
               "are as one");
  gscale_timeline_free(lumped);
  lumped = NULL;
  gsl_test_int((int)gscale_timeline_lump(t, ends, &lumped, &d), GSCALE_EDATA,
               "its end is not like its middle");
  gsl_test(strncmp(d.text, "GPU 5 does not do what GPU 1 does: action", 41),
           "%s", d.text);
  gsl_test_int((int)gscale_timeline_lump(t, nobody, &lumped, &d), GSCALE_ENAME,
               "nor like a GPU that is not there");
  gsl_test(strcmp(d.text, "GPU 3 is like GPU 6 of 6"), "%s", d.text);
  gsl_test(lumped != NULL, "and nothing came out");
  gscale_timeline_free(t);
  halo_free(h);
}

/* Which of two cycles that take as long is shown, whichever is called for
 * first, and whether its end or the queue of a stream is what the thread waits
 * for. */
static void ties(void)
{
  double c[COSTS] = {0}, g[COSTS];

  for (int order = 0; order < 4; order++) {
    const bool copy_first = order & 1, queue = order & 2;
    const gscale_action copy = {.kind = GSCALE_COPY_H2D, .length = 1},
                        kernel = {.kind = GSCALE_LAUNCH, .stream = 1};
    const gscale_action all[] = {copy_first ? copy : kernel,
                                 copy_first ? kernel : copy,
                                 {.kind = GSCALE_SYNC_STREAM},
                                 {.kind = GSCALE_SYNC_STREAM, .stream = 1}};
    gscale_schedule s = small(all, queue ? 2 : 4);
    if (queue) s.depth = 1;
    c[GSCALE_COST_ISSUE + (int)GSCALE_LAUNCH] = queue;
    c[GSCALE_COST_ISSUE + (int)GSCALE_COPY_H2D] = queue;
    c[GSCALE_COST_END] = 5;
    for (int longer = 0; longer < 2; longer++) {
      c[GSCALE_COST_END + 1] = 5 + longer * 1e-9;
      gsl_test_rel(period_new(&s, c, g), queue ? 6 : 5, 1e-9, "as long");
      gsl_test_abs(g[GSCALE_COST_END + longer], 1, 0, "a %s, not a %s",
                   longer ? "longer copy" : "kernel",
                   longer ? "kernel" : "copy that takes as long");
      gsl_test_abs(g[GSCALE_COST_END + !longer], 0, 0, "nor both");
    }
  }
}

/* A GPU that nobody holds up runs ahead; it is shown just in time. */
static void ahead(void)
{
  static const int gpu[2] = {0, 1};
  const gscale_action a[] = {
      {.kind = GSCALE_LAUNCH, .length = 1},
      {.kind = GSCALE_RECORD},
      {.kind = GSCALE_WAIT, .thread = 1, .stream = 1},
      {.kind = GSCALE_LAUNCH, .thread = 1, .stream = 1},
      {.kind = GSCALE_SYNC_STREAM, .thread = 1, .stream = 1}};
  gscale_schedule s = small(a, 5);
  gscale_timeline *t = NULL;
  gscale_span span[10];
  double c[COSTS];

  s.gpus = s.threads = 2;
  s.stream_gpu = gpu;
  distinct(c, 50);
  gscale_timeline_new(&s, &t, NULL);
  void *scratch = malloc(gscale_timeline_scratch(t));
  gsl_test_abs(gscale_timeline_period(t, c, scratch, NULL),
               issue(c, GSCALE_WAIT) + issue(c, GSCALE_LAUNCH) + 50 +
                   c[GSCALE_COST_KERNEL_HOST] + c[GSCALE_COST_WAKE],
               1e-12, "the slower of two");
  gsl_test(!gscale_timeline_times(t, c, scratch, span), "its times");
  const double slack = span[2].end - span[1].end - c[GSCALE_COST_FAR];
  gsl_test_abs(slack, 0, 1e-9, "the other one's event comes just in time");
  gsl_test_abs(span[2].end - span[2].back, 0, 1e-9, "and holds up nothing");
  free(scratch);
  gscale_timeline_free(t);
}

/* Two GPUs that wait for each other's last kernel, and two of which one waits
 * for what the other made behind its own. */
static void together(void)
{
  static const int gpu[2] = {0, 1};
  const gscale_action both[] = {
      {.kind = GSCALE_WAIT, .event = 1},
      {.kind = GSCALE_WAIT, .stream = 1},
      {.kind = GSCALE_LAUNCH},
      {.kind = GSCALE_RECORD},
      {.kind = GSCALE_LAUNCH, .stream = 1},
      {.kind = GSCALE_RECORD, .stream = 1, .event = 1}};
  const gscale_action turns[] = {
      {.kind = GSCALE_WAIT, .event = 1},
      {.kind = GSCALE_LAUNCH},
      {.kind = GSCALE_RECORD},
      {.kind = GSCALE_WAIT, .stream = 1},
      {.kind = GSCALE_LAUNCH, .stream = 1},
      {.kind = GSCALE_RECORD, .stream = 1, .event = 1}};
  gscale_schedule s = small(both, 6);
  double c[COSTS];

  s.gpus = 2;
  s.stream_gpu = gpu;
  distinct(c, 50);
  c[GSCALE_COST_FAR] = 20;
  gsl_test_abs(period_new(&s, c, NULL), 50 + c[GSCALE_COST_FAR_MEET], 1e-12,
               "both end together");
  s.action = turns;
  gsl_test_abs(period_new(&s, c, NULL), 2 * (50 + 20), 1e-12,
               "each after the other");
  gscale_action more[7];
  memcpy(more, both, 5 * sizeof *more);
  more[5] = (gscale_action){.kind = GSCALE_COPY_D2D, .stream = 1, .length = 1};
  more[6] = both[5];
  s.action = more;
  s.actions = 7;
  gsl_test(!(period_new(&s, c, NULL) > 50 + 19), "behind a copy: not shortly");
}

/* Fields that a kind does not use are not read. */
static void unused_fields(void)
{
  const gscale_action good[] = {
      {.kind = GSCALE_LAUNCH},     {.kind = GSCALE_GRAPH},
      {.kind = GSCALE_MEMSET},     {.kind = GSCALE_COPY_D2H},
      {.kind = GSCALE_COPY_H2D},   {.kind = GSCALE_COPY_D2D},
      {.kind = GSCALE_COLLECTIVE}, {.kind = GSCALE_RECORD},
      {.kind = GSCALE_WAIT},       {.kind = GSCALE_SYNC_STREAM},
      {.kind = GSCALE_SYNC_EVENT}, {.kind = GSCALE_SET_DEVICE},
      {.kind = GSCALE_BARRIER},    {.kind = GSCALE_HOST_WORK}};
  enum {
    N = sizeof good / sizeof *good
  };
  gscale_action a[N];

  for (int i = 0; i < N; i++) {
    const gscale_action_kind k = good[i].kind;
    a[i] = good[i];
    const bool stream = k <= GSCALE_SYNC_STREAM;
    const bool event = k >= GSCALE_COLLECTIVE && k <= GSCALE_SYNC_EVENT &&
                       k != GSCALE_SYNC_STREAM;
    if (!stream) a[i].stream = 1 << 30;
    if (!event) a[i].event = -(1 << 30);
    if (k != GSCALE_COPY_D2D && k != GSCALE_SET_DEVICE) a[i].peer = 1 << 30;
    if (k > GSCALE_COLLECTIVE && k != GSCALE_HOST_WORK)
      a[i].length = -(1 << 30);
  }
  double c[COSTS];
  distinct(c, 50);
  const gscale_schedule s = small(good, N), t = small(a, N);
  gsl_test(!(period_new(&s, c, NULL) == period_new(&t, c, NULL)),
           "fields that a kind does not use");
}

/* GPUs whose threads stand in another order in the list. */
static void listed_otherwise(void)
{
  static const int gpu[4] = {0, 0, 1, 1}, alike[2] = {0, 0};
  gscale_action a[8];
  gscale_timeline *t = NULL, *lumped = NULL;

  for (int i = 0; i < 4; i++) {
    const int thread = i < 2 ? i : 5 - i;
    a[2 * i] = (gscale_action){.kind = GSCALE_LAUNCH,
                               .thread = thread,
                               .stream = thread,
                               .length = thread % 2};
    a[2 * i + 1] = (gscale_action){
        .kind = GSCALE_SYNC_STREAM, .thread = thread, .stream = thread};
  }
  gscale_schedule s = small(a, 8);
  s.gpus = 2;
  s.threads = s.streams = 4;
  s.stream_gpu = gpu;
  gscale_timeline_new(&s, &t, NULL);
  gsl_test_int((int)gscale_timeline_lump(t, alike, &lumped, NULL), GSCALE_OK,
               "two GPUs, listed otherwise");
  gscale_timeline_free(t);
  gscale_timeline_free(lumped);
}

static void equations(void)
{
  gsl_test_abs(gscale_timeline_crowd(1, 4), 0, 0, "one thread");
  gsl_test_abs(gscale_timeline_crowd(2, 4), 1, 0, "two");
  gsl_test_abs(gscale_timeline_crowd(5, 4), 2.5, 1e-15, "five");
  gsl_test_abs(gscale_timeline_crowd(8, INFINITY), 7, 0, "never full");
  gsl_test(!(gscale_timeline_crowd(1 << 24, 4) < 5), "at most 1 + room");
  gsl_test(!isnan(gscale_timeline_crowd(0, 4)), "no threads");
  gsl_test(!isnan(gscale_timeline_crowd(2, 0)), "no room");
  for (int k = 0; k < GSCALE_ACTION_END; k++)
    gsl_test(!gscale_action_name((gscale_action_kind)k), "action %d: %s", k,
             gscale_action_name((gscale_action_kind)k));
  gsl_test_str(gscale_action_name(GSCALE_PUBLISH), "publish", "of programs");
  gsl_test(gscale_action_name((gscale_action_kind)(GSCALE_PUBLISH + 1)) != NULL,
           "and no more");
}

static void bad_costs(void)
{
  const gscale_action a[] = {{.kind = GSCALE_LAUNCH},
                             {.kind = GSCALE_SYNC_STREAM}};
  const gscale_schedule s = small(a, 2);
  static const double bad[] = {-1e-9, NAN, INFINITY};
  double c[COSTS], gradient[COSTS] = {5};
  gscale_span span[4] = {{5, 5, 5, 5}};
  critical cycle[1];
  gscale_timeline *t = NULL;

  gscale_timeline_new(&s, &t, NULL);
  gsl_test_int(t->costs, GSCALE_COST_END + 2, "costs");
  void *scratch = malloc(gscale_timeline_scratch(t));
  for (int i = 0; i < 3; i++) {
    distinct(c, 50);
    c[GSCALE_COST_END + 1] = bad[i];
    gsl_test(!isnan(gscale_timeline_period(t, c, scratch, gradient)),
             "a cost of %g: no period", bad[i]);
    gsl_test(gscale_timeline_times(t, c, scratch, span), "no times");
    gsl_test_int((int)critical_cycle(t, c, scratch, cycle, 1), 0, "no cycle");
  }
  gsl_test(gradient[0] != 5 || span[0].call != 5, "all as it was");
  free(scratch);
  gscale_timeline_free(t);
  gscale_timeline_free(NULL);
}

/* ---- what is refused ----------------------------------------------------- */

static void refuse(gscale_schedule s, gscale_status st, const char *text)
{
  gscale_diag d = {""};
  gscale_timeline *t = NULL;

  gsl_test_int((int)gscale_timeline_new(&s, &t, &d), (int)st, "%s", text);
  gsl_test(strcmp(d.text, text), "says: %s", d.text);
  gsl_test(t != NULL, "and nothing came out");
  gsl_test((int)gscale_timeline_new(&s, &t, NULL) != (int)st, "without words");
}

static void refuse_action(gscale_action bad, gscale_status st, const char *text)
{
  const gscale_action a[] = {
      {.kind = GSCALE_LAUNCH}, {.kind = GSCALE_RECORD, .event = 1}, bad};
  refuse(small(a, 3), st, text);
}

static void sizes(void)
{
  const gscale_action a[] = {{.kind = GSCALE_HOST_WORK}};
  static const int nowhere[] = {0, 1};
  gscale_schedule s;

#define SIZE(field, value, text)                                               \
  s = small(a, 1);                                                             \
  s.field = value;                                                             \
  refuse(s, GSCALE_EDOMAIN, "schedule: " text)
  SIZE(gpus, 0, "gpus: 0 not in 1 .. 16777216");
  SIZE(threads, 0, "threads: 0 not in 1 .. 16777216");
  SIZE(streams, -1, "streams: -1 not in 0 .. 16777216");
  SIZE(events, -1, "events: -1 not in 0 .. 16777216");
  SIZE(durations, 1 << 25, "durations: 33554432 not in 0 .. 16777216");
  SIZE(depth, -2, "depth: -2 not in 0 .. 16777216");
  SIZE(crowd, -0.5, "crowd: -0.5");
  SIZE(crowd, INFINITY, "crowd: inf");
#undef SIZE
  refuse(small(a, 0), GSCALE_EDATA, "schedule: no actions");
  refuse(small(a, 1 << 25), GSCALE_ESIZE,
         "schedule: 33554432 actions, at most 16777216");
  s = small(a, 1);
  s.stream_gpu = nowhere;
  refuse(s, GSCALE_ENAME, "stream 1: no GPU 1 of 1");
}

static void names(void)
{
  refuse_action((gscale_action){.kind = GSCALE_PUBLISH}, GSCALE_EDOMAIN,
                "action 2 (publish, thread 0, stream 0): kind 14, parity 0");
  refuse_action(
      (gscale_action){.kind = (gscale_action_kind)(GSCALE_PUBLISH + 1)},
      GSCALE_EDOMAIN, "action 2 (?, thread 0): kind 15, parity 0");
  refuse_action((gscale_action){.parity = GSCALE_PARITY_END}, GSCALE_EDOMAIN,
                "action 2 (launch, thread 0, stream 0): kind 0, parity 3");
  refuse_action((gscale_action){.kind = GSCALE_BARRIER, .thread = 1},
                GSCALE_ENAME, "action 2 (barrier, thread 1): no thread 1 of 1");
  refuse_action((gscale_action){.kind = GSCALE_SYNC_STREAM, .stream = 2},
                GSCALE_ENAME,
                "action 2 (sync-stream, thread 0, stream 2): no stream 2 of 2");
  refuse_action((gscale_action){.kind = GSCALE_RECORD, .event = -1},
                GSCALE_ENAME,
                "action 2 (record, thread 0, stream 0): no event -1 of 2");
  refuse_action((gscale_action){.kind = GSCALE_COPY_D2D, .peer = 1},
                GSCALE_ENAME,
                "action 2 (copy-d2d, thread 0, stream 0): no GPU 1 of 1");
  refuse_action((gscale_action){.kind = GSCALE_SET_DEVICE, .peer = -1},
                GSCALE_ENAME,
                "action 2 (set-device, thread 0): no GPU -1 of 1");
  refuse_action((gscale_action){.kind = GSCALE_HOST_WORK, .length = 2},
                GSCALE_ENAME, "action 2 (host, thread 0): no duration 2 of 2");
  refuse_action((gscale_action){.kind = GSCALE_WAIT, .stream = 1}, GSCALE_ENAME,
                "action 2 (wait, thread 0, stream 1): nobody records event 0");
  refuse_action((gscale_action){.kind = GSCALE_SYNC_EVENT}, GSCALE_ENAME,
                "action 2 (sync-event, thread 0): nobody records event 0");
}

static void meetings(void)
{
  const gscale_action barrier[] = {
      {.kind = GSCALE_BARRIER},
      {.kind = GSCALE_BARRIER, .thread = 1},
      {.kind = GSCALE_BARRIER, .thread = 1, .parity = GSCALE_ODD_STEPS}};
  const gscale_action fed[] = {
      {.kind = GSCALE_LAUNCH, .stream = 1},
      {.kind = GSCALE_LAUNCH, .thread = 1, .stream = 1}};
  const gscale_action half[] = {
      {.kind = GSCALE_COLLECTIVE},
      {.kind = GSCALE_COLLECTIVE, .stream = 1, .parity = GSCALE_EVEN_STEPS}};
  const gscale_action crossed[] = {
      {.kind = GSCALE_COLLECTIVE, .event = 0},
      {.kind = GSCALE_COLLECTIVE, .event = 1},
      {.kind = GSCALE_COLLECTIVE, .stream = 1, .event = 1},
      {.kind = GSCALE_COLLECTIVE, .stream = 1, .event = 0}};
  /* room for the second member comes when the first has ended */
  const gscale_action full[] = {{.kind = GSCALE_LAUNCH},
                                {.kind = GSCALE_COLLECTIVE},
                                {.kind = GSCALE_LAUNCH},
                                {.kind = GSCALE_COLLECTIVE, .stream = 1}};
  gscale_schedule s = small(barrier, 3);

  s.threads = 2;
  refuse(s, GSCALE_EDATA,
         "action 1 (barrier, thread 1): of the 2 barriers in odd steps thread "
         "0 reaches 1");
  s = small(fed, 2);
  s.threads = 2;
  refuse(s, GSCALE_EDATA,
         "action 1 (launch, thread 1, stream 1): thread 0 feeds this stream");
  refuse(small(half, 2), GSCALE_EDATA,
         "action 0 (collective, thread 0, stream 0): 2 join collective 0 in "
         "even steps, 1 in odd ones");
  refuse(small(crossed, 4), GSCALE_EDATA,
         "action 1 (collective, thread 0, stream 0): it waits for itself: a "
         "deadlock");
  s = small(full, 4);
  gsl_test(isnan(period_new(&s, (double[COSTS]){0}, NULL)), "a deep queue");
  s.depth = 1;
  refuse(s, GSCALE_EDATA,
         "action 2 (launch, thread 0, stream 0): it waits for itself: a "
         "deadlock");
}

static void too_many(void)
{
  gscale_action *a = calloc(GSCALE_ACTIONS_MAX + 1, sizeof *a);

  gscale_schedule s = small(a, GSCALE_ACTIONS_MAX);
  gsl_test(isnan(period_new(&s, (double[COSTS]){0}, NULL)),
           "as many actions as there may be");
  refuse(small(a, GSCALE_ACTIONS_MAX + 1), GSCALE_ESIZE,
         "action 10000 (launch, thread 0, stream 0): more than 10000 actions "
         "of GPU 0");
  for (int i = 0; i <= GSCALE_ACTIONS_MAX; i++) a[i].kind = GSCALE_HOST_WORK;
  refuse(small(a, GSCALE_ACTIONS_MAX + 1), GSCALE_ESIZE,
         "action 10000 (host, thread 0): more than 10000 actions of thread 0");
  free(a);
}

int main(void)
{
  equations();
  one_thread();
  queue_depth();
  gpu_by_gpu();
  halos();
  ties();
  ahead();
  together();
  unused_fields();
  listed_otherwise();
  bad_costs();
  sizes();
  names();
  meetings();
  too_many();
  simulated();
  laws();
  lumps();
  exit(gsl_test_summary());
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
