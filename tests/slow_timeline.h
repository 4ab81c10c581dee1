/* slow_timeline.h - steps of a schedule once more, from the rules alone: a
 * clock, threads with a program counter, streams with a queue, and what each of
 * them does next.  Shares no code with model/. */
#ifndef GPUSCALE_TEST_SLOW_TIMELINE_H
#define GPUSCALE_TEST_SLOW_TIMELINE_H

#include "gpuscale/all.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
  SLOW_THREADS = 8,
  SLOW_STREAMS = 16,
  SLOW_ACTIONS = 128
};

/* An action of a step; step < 0: there is none. */
typedef struct slow_call {
  int step, action;
} slow_call;

typedef enum slow_phase {
  SLOW_IDLE,
  SLOW_CALLING, /* until `at` */
  SLOW_WAITING, /* for what has not happened */
  SLOW_LEAVING, /* at `at` */
  SLOW_ARRIVING,
  SLOW_HELD, /* until `at` */
  SLOW_READY,
  SLOW_RUNNING, /* until `at` */
  SLOW_DONE
} slow_phase;

typedef struct slow_thread {
  slow_call now;
  slow_phase phase;
  double at;
  bool waited;
} slow_thread;

typedef struct slow_stream {
  int put, done;    /* entries so far */
  slow_call *entry; /* all that were put */
  slow_phase phase;
  double at;
  slow_call work; /* the last that ended */
} slow_stream;

typedef struct slow_world {
  const gscale_schedule *s;
  const double *cost;
  int steps;
  double clock;
  bool stalled;
  slow_thread thread[SLOW_THREADS];
  slow_stream stream[SLOW_STREAMS];
  gscale_span *span; /* of each action of each step; NaN: not yet */
} slow_world;

static inline const gscale_action *slow_action(const slow_world *w, slow_call c)
{
  return &w->s->action[c.action];
}

static inline gscale_span *slow_span(const slow_world *w, slow_call c)
{
  return &w->span[(size_t)c.step * w->s->actions + (size_t)c.action];
}

static inline bool slow_takes_part(const gscale_action *a, int step)
{
  if (a->parity == GSCALE_EVEN_STEPS) return step % 2 == 0;
  if (a->parity == GSCALE_ODD_STEPS) return step % 2 == 1;
  return true;
}

/* Barriers that the thread of an action has called before it in the step. */
static inline int slow_epoch(const slow_world *w, slow_call c)
{
  int n = 0;
  for (int i = 0; i < c.action; i++)
    n += w->s->action[i].kind == GSCALE_BARRIER &&
         w->s->action[i].thread == slow_action(w, c)->thread &&
         slow_takes_part(&w->s->action[i], c.step);
  return n;
}

/* Whether, by the rule, a comes before b. */
static inline bool slow_before(const slow_world *w, slow_call a, slow_call b)
{
  if (a.step != b.step) return a.step < b.step;
  const int p = slow_epoch(w, a), q = slow_epoch(w, b);
  return p != q ? p < q : a.action < b.action;
}

static inline bool slow_is_entry(gscale_action_kind k)
{
  return k <= GSCALE_WAIT;
}

static inline bool slow_is_work(gscale_action_kind k)
{
  return k <= GSCALE_COLLECTIVE;
}

static inline bool slow_is_copy(gscale_action_kind k)
{
  return k >= GSCALE_COPY_D2D && k <= GSCALE_COPY_H2D;
}

/* The latest, by the rule, of the records of an event (or, event < 0, of the
 * entries of a stream; of its work only) before a call. */
static inline slow_call slow_latest(const slow_world *w, slow_call before,
                                    int event, int stream, bool work)
{
  slow_call best = {-1, 0};

  for (int step = before.step; step >= 0 && step > before.step - 3; step--)
    for (int i = 0; i < (int)w->s->actions; i++) {
      const gscale_action *a = &w->s->action[i];
      const slow_call c = {step, i};
      if (event >= 0 ? a->kind != GSCALE_RECORD || a->event != event
                     : !slow_is_entry(a->kind) || a->stream != stream ||
                           (work && !slow_is_work(a->kind)))
        continue;
      if (slow_takes_part(a, step) && slow_before(w, c, before) &&
          (best.step < 0 || slow_before(w, best, c)))
        best = c;
    }
  return best;
}

static inline double slow_issue(const slow_world *w, const gscale_action *a)
{
  if (a->kind == GSCALE_HOST_WORK) return w->cost[GSCALE_COST_END + a->length];
  return w->cost[GSCALE_COST_ISSUE + (int)a->kind] +
         w->s->crowd * w->cost[GSCALE_COST_CROWD + (int)a->kind];
}

/* ---- host threads -------------------------------------------------------- */

/* On to the next call: the first of a step >= from that takes part. */
static inline void slow_next(slow_world *w, int t, slow_call from)
{
  slow_thread *th = &w->thread[t];

  th->phase = SLOW_DONE;
  for (; from.step < w->steps; from = (slow_call){from.step + 1, 0})
    for (; from.action < (int)w->s->actions; from.action++) {
      const gscale_action *a = &w->s->action[from.action];
      if (a->thread != t || !slow_takes_part(a, from.step)) continue;
      th->now = from;
      th->phase = SLOW_IDLE;
      return;
    }
}

static inline void slow_return(slow_world *w, int t)
{
  slow_thread *th = &w->thread[t];
  const gscale_action *a = slow_action(w, th->now);

  slow_span(w, th->now)->back = w->clock;
  if (slow_is_entry(a->kind)) {
    slow_stream *st = &w->stream[a->stream];
    st->entry[st->put++] = th->now;
  }
  th->waited = a->kind == GSCALE_SYNC_STREAM || a->kind == GSCALE_SYNC_EVENT;
  slow_next(w, t, (slow_call){th->now.step, th->now.action + 1});
}

static inline bool slow_begin_call(slow_world *w, slow_thread *th)
{
  const gscale_action *a = slow_action(w, th->now);

  if (slow_is_entry(a->kind) && w->s->depth > 0 &&
      w->stream[a->stream].put - w->stream[a->stream].done >= w->s->depth)
    return false;
  slow_span(w, th->now)->call = w->clock;
  if (a->kind == GSCALE_BARRIER) {
    const bool late = th->waited && w->s->threads > 1;
    th->phase = SLOW_ARRIVING;
    th->at = w->clock + (late ? w->cost[GSCALE_COST_STRAGGLE] : 0);
  } else {
    th->phase = SLOW_CALLING;
    th->at = w->clock + slow_issue(w, a);
  }
  return true;
}

/* When the thread hears of it, if it has happened; else NaN. */
static inline double slow_heard(const slow_world *w, slow_call what, bool work)
{
  if (what.step < 0) return -INFINITY;
  double wake = w->cost[GSCALE_COST_WAKE];
  if (work)
    wake += w->cost[slow_is_copy(slow_action(w, what)->kind)
                        ? GSCALE_COST_COPY_HOST
                        : GSCALE_COST_KERNEL_HOST];
  return slow_span(w, what)->end + wake;
}

static inline bool slow_end_wait(slow_world *w, slow_thread *th)
{
  const gscale_action *a = slow_action(w, th->now);
  slow_call last, work;

  if (a->kind == GSCALE_SYNC_STREAM) {
    last = slow_latest(w, th->now, -1, a->stream, false);
    work = slow_latest(w, th->now, -1, a->stream, true);
  } else {
    last = slow_latest(w, th->now, a->event, 0, false);
    work = last;
    if (last.step >= 0)
      work = slow_latest(w, last, -1, slow_action(w, last)->stream, true);
  }
  const double p = slow_heard(w, last, false), q = slow_heard(w, work, true);
  if (isnan(p) || isnan(q)) return false;
  if (last.step >= 0 && slow_is_work(slow_action(w, last)->kind))
    th->at = fmax(w->clock, q);
  else
    th->at = fmax(w->clock, fmax(p, q));
  th->phase = SLOW_LEAVING;
  return true;
}

static inline bool slow_meet(slow_world *w)
{
  const int more = w->s->threads - 2;

  for (int t = 0; t < w->s->threads; t++)
    if (w->thread[t].phase != SLOW_ARRIVING || w->thread[t].at > w->clock)
      return false;
  for (int t = 0; t < w->s->threads; t++) {
    w->thread[t].phase = SLOW_LEAVING;
    w->thread[t].at = w->clock;
    if (more >= 0)
      w->thread[t].at += w->cost[GSCALE_COST_BARRIER] +
                         more * w->cost[GSCALE_COST_BARRIER_MORE];
  }
  return true;
}

static inline bool slow_move_thread(slow_world *w, int t)
{
  slow_thread *th = &w->thread[t];

  switch (th->phase) {
  case SLOW_IDLE:
    return slow_begin_call(w, th);
  case SLOW_CALLING:
    if (th->at > w->clock) return false;
    th->phase = SLOW_LEAVING;
    if (slow_action(w, th->now)->kind == GSCALE_SYNC_STREAM ||
        slow_action(w, th->now)->kind == GSCALE_SYNC_EVENT)
      th->phase = SLOW_WAITING;
    return true;
  case SLOW_WAITING:
    return slow_end_wait(w, th);
  case SLOW_LEAVING:
    if (th->at > w->clock) return false;
    slow_return(w, t);
    return true;
  case SLOW_ARRIVING:
    return slow_meet(w);
  default:
    return false;
  }
}

/* ---- streams ------------------------------------------------------------- */

static inline double slow_hand_over(const slow_world *w, slow_call from,
                                    slow_call to)
{
  static const gscale_cost cost[2][2] = {
      {GSCALE_COST_KERNEL_KERNEL, GSCALE_COST_KERNEL_COPY},
      {GSCALE_COST_COPY_KERNEL, GSCALE_COST_COPY_COPY}};
  const gscale_action_kind a = slow_action(w, from)->kind,
                           b = slow_action(w, to)->kind;

  if (b == GSCALE_COPY_D2D && (a == GSCALE_COPY_D2H || a == GSCALE_COPY_H2D))
    return w->cost[GSCALE_COST_KERNEL_COPY];
  return w->cost[cost[slow_is_copy(a)][slow_is_copy(b)]];
}

static inline bool slow_same(slow_call a, slow_call b)
{
  return a.step == b.step && a.action == b.action;
}

/* The work that a call's event stands behind; step < 0: none. */
static inline slow_call slow_work_of(const slow_world *w, slow_call wait)
{
  const slow_call r =
      slow_latest(w, wait, slow_action(w, wait)->event, 0, false);

  return r.step < 0 ? r
                    : slow_latest(w, r, -1, slow_action(w, r)->stream, true);
}

/* Whether b, a work, stands behind events of the stream of a, but not of a: of
 * the last eight. */
static inline bool slow_beside(const slow_world *w, slow_call b, slow_call a)
{
  const slow_stream *st = &w->stream[slow_action(w, b)->stream];
  const int other = slow_action(w, a)->stream;
  int at = 0, waits = 0;
  bool found = false;

  while (!slow_same(st->entry[at], b)) at++;
  for (at--; at >= 0 && waits < 8; at--) {
    const gscale_action_kind k = slow_action(w, st->entry[at])->kind;
    if (slow_is_work(k)) break;
    if (k != GSCALE_WAIT) continue;
    waits++;
    const slow_call r = slow_latest(
        w, st->entry[at], slow_action(w, st->entry[at])->event, 0, false);
    if (r.step < 0 || slow_action(w, r)->stream != other) continue;
    if (slow_same(slow_work_of(w, st->entry[at]), a)) return false;
    found = true;
  }
  return found;
}

/* Whether the stream waits between the work b and a record behind it. */
static inline bool slow_more(const slow_world *w, slow_call b, slow_call record)
{
  const slow_stream *st = &w->stream[slow_action(w, b)->stream];
  int at = 0;

  while (!slow_same(st->entry[at], b)) at++;
  for (; !slow_same(st->entry[at], record); at++)
    if (slow_action(w, st->entry[at])->kind == GSCALE_WAIT) return true;
  return false;
}

/* From a record on another GPU to the wait c: kernels of both that waited for
 * earlier ones of each other end together. */
static inline double slow_far(const slow_world *w, const slow_stream *st,
                              slow_call c, slow_call record)
{
  const slow_call a = st->work, b = slow_work_of(w, c);
  const bool kernels =
      a.step >= 0 && b.step >= 0 && !slow_is_copy(slow_action(w, a)->kind) &&
      !slow_is_copy(slow_action(w, b)->kind) && !slow_more(w, b, record);

  return w->cost[kernels && slow_beside(w, b, a) ? GSCALE_COST_FAR_MEET
                                                 : GSCALE_COST_FAR];
}

static inline bool slow_take(slow_world *w, slow_stream *st)
{
  if (st->done == st->put) return false;

  const slow_call c = st->entry[st->done];
  const gscale_action *a = slow_action(w, c);
  st->at = w->clock;
  if (slow_is_work(a->kind) && st->work.step >= 0)
    st->at = fmax(st->at,
                  slow_span(w, st->work)->end + slow_hand_over(w, st->work, c));
  if (a->kind == GSCALE_WAIT) {
    const slow_call r = slow_latest(w, c, a->event, 0, false);
    if (r.step >= 0) {
      const bool near = w->s->stream_gpu[slow_action(w, r)->stream] ==
                        w->s->stream_gpu[a->stream];
      if (isnan(slow_span(w, r)->end)) return false;
      st->at =
          fmax(st->at, slow_span(w, r)->end + (near ? w->cost[GSCALE_COST_NEAR]
                                                    : slow_far(w, st, c, r)));
    }
  }
  st->phase = SLOW_HELD;
  return true;
}

static inline void slow_end(slow_world *w, slow_stream *st)
{
  const slow_call c = st->entry[st->done++];

  slow_span(w, c)->end = w->clock;
  if (slow_is_work(slow_action(w, c)->kind))
    st->work = c;
  else
    slow_span(w, c)->begin = w->clock;
  st->phase = SLOW_IDLE;
}

static inline void slow_run(slow_world *w, slow_stream *st)
{
  const slow_call c = st->entry[st->done];

  slow_span(w, c)->begin = w->clock;
  st->phase = SLOW_RUNNING;
  st->at = w->clock + w->cost[GSCALE_COST_END + slow_action(w, c)->length];
}

/* All members of a collective are ready: they begin. */
static inline bool slow_join(slow_world *w, slow_call c)
{
  const int which = slow_action(w, c)->event;
  int missing = 0;

  for (int pass = 0; pass < 2 && missing == 0; pass++)
    for (int i = 0; i < (int)w->s->actions; i++) {
      const gscale_action *a = &w->s->action[i];
      if (a->kind != GSCALE_COLLECTIVE || a->event != which ||
          !slow_takes_part(a, c.step))
        continue;
      slow_stream *st = &w->stream[a->stream];
      if (pass)
        slow_run(w, st);
      else
        missing += st->phase != SLOW_READY ||
                   st->entry[st->done].step != c.step ||
                   st->entry[st->done].action != i;
    }
  return missing == 0;
}

static inline bool slow_move_stream(slow_world *w, slow_stream *st)
{
  switch (st->phase) {
  case SLOW_IDLE:
    return slow_take(w, st);
  case SLOW_HELD: {
    if (st->at > w->clock) return false;
    const gscale_action *a = slow_action(w, st->entry[st->done]);
    if (a->kind == GSCALE_COLLECTIVE)
      st->phase = SLOW_READY;
    else if (slow_is_work(a->kind))
      slow_run(w, st);
    else
      slow_end(w, st);
    return true;
  }
  case SLOW_READY:
    return slow_join(w, st->entry[st->done]);
  case SLOW_RUNNING:
    if (st->at > w->clock) return false;
    slow_end(w, st);
    return true;
  default:
    return false;
  }
}

/* ---- the clock ----------------------------------------------------------- */

static inline bool slow_timed(slow_phase p)
{
  return p == SLOW_CALLING || p == SLOW_LEAVING || p == SLOW_ARRIVING ||
         p == SLOW_HELD || p == SLOW_RUNNING;
}

static inline bool slow_tick(slow_world *w)
{
  double next = INFINITY;

  for (int t = 0; t < w->s->threads; t++)
    if (slow_timed(w->thread[t].phase) && w->thread[t].at > w->clock)
      next = fmin(next, w->thread[t].at);
  for (int i = 0; i < w->s->streams; i++)
    if (slow_timed(w->stream[i].phase) && w->stream[i].at > w->clock)
      next = fmin(next, w->stream[i].at);
  if (isinf(next)) return false;
  w->clock = next;
  return true;
}

static inline void slow_settle(slow_world *w)
{
  bool moved;

  do {
    moved = false;
    for (int t = 0; t < w->s->threads; t++)
      while (slow_move_thread(w, t)) moved = true;
    for (int i = 0; i < w->s->streams; i++)
      while (slow_move_stream(w, &w->stream[i])) moved = true;
  } while (moved);
}

/* Runs so many steps; stalled: they never end. */
static inline void slow_start(slow_world *w, const gscale_schedule *s,
                              const double *cost, int steps)
{
  const size_t all = (size_t)steps * s->actions;

  *w = (slow_world){.s = s, .cost = cost, .steps = steps};
  w->span = malloc(all * sizeof *w->span);
  for (size_t i = 0; i < all; i++)
    w->span[i] =
        (gscale_span){(double)NAN, (double)NAN, (double)NAN, (double)NAN};
  for (int i = 0; i < s->streams; i++) {
    w->stream[i].entry = malloc(all * sizeof(slow_call));
    w->stream[i].work.step = -1;
  }
  for (int t = 0; t < s->threads; t++) slow_next(w, t, (slow_call){0, 0});
  do slow_settle(w);
  while (slow_tick(w));
  for (int t = 0; t < s->threads; t++)
    w->stalled = w->stalled || w->thread[t].phase != SLOW_DONE;
  for (int i = 0; i < s->streams; i++)
    w->stalled = w->stalled || w->stream[i].done < w->stream[i].put;
}

static inline void slow_stop(slow_world *w)
{
  for (int i = 0; i < w->s->streams; i++) free(w->stream[i].entry);
  free(w->span);
}

/* ---- the period ---------------------------------------------------------- */

/* Whether one kind of time of one action has advanced by the same in each `c`
 * of the last `window` steps; *rate is then that for each step. */
static inline bool slow_regular(const slow_world *w, int action, int field,
                                int c, int window, double *rate)
{
  const double *first = &w->span->call;
  const size_t stride = w->s->actions * 4;
  double least = INFINITY, most = -INFINITY;

  for (int n = w->steps - window; n < w->steps; n++) {
    const double now =
        first[(size_t)n * stride + (size_t)action * 4 + (size_t)field];
    const double then =
        first[(size_t)(n - c) * stride + (size_t)action * 4 + (size_t)field];
    if (isnan(now)) continue;
    least = fmin(least, now - then);
    most = fmax(most, now - then);
  }
  *rate = isinf(least) ? 0 : least / c;
  return isinf(least) || most - least <= 1e-13 * w->clock;
}

/* Time per step once all repeats every *c steps; NaN if that is not yet so. */
static inline double slow_period(const slow_world *w, int memory, int *c)
{
  for (*c = 2; *c <= 48; *c += 2) { /* two: steps may alternate */
    const int window = memory + 2 * *c;
    double most = 0, rate = 0;
    bool regular = *c + window <= w->steps;
    for (int i = 0; i < (int)w->s->actions && regular; i++)
      for (int field = 0; field < 4 && regular; field++) {
        regular = slow_regular(w, i, field, *c, window, &rate);
        most = fmax(most, rate);
      }
    if (regular) return most;
  }
  return (double)NAN;
}

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
