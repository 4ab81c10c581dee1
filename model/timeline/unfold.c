/* unfold.c - conversion of a schedule into moments and arcs.
 *
 * The step is processed three times.  Two laps determine what earlier steps
 * leave behind (an event, and the work before the event in its stream), and the
 * third lap writes the arcs.  The rules are in model/timeline/README.md. */

#include "timeline/timeline.h"

#include <stdint.h>
#include <stdlib.h>

/* ---- weights ------------------------------------------------------------- */

static void add_cost(gscale__row *r, int cost, double times)
{
  r->cost[r->terms] = cost;
  r->times[r->terms++] = times;
}

static void fill_rows(const gscale_schedule *s, gscale__row *row)
{
  static const struct {
    gscale__weight weight;
    gscale_cost cost;
  } plain[] = {
      {GSCALE__WAKE, GSCALE_COST_WAKE},
      {GSCALE__KERNEL_WAKE, GSCALE_COST_WAKE},
      {GSCALE__COPY_WAKE, GSCALE_COST_WAKE},
      {GSCALE__KERNEL_WAKE, GSCALE_COST_KERNEL_HOST},
      {GSCALE__COPY_WAKE, GSCALE_COST_COPY_HOST},
      {GSCALE__KERNEL_KERNEL, GSCALE_COST_KERNEL_KERNEL},
      {GSCALE__KERNEL_COPY, GSCALE_COST_KERNEL_COPY},
      {GSCALE__COPY_KERNEL, GSCALE_COST_COPY_KERNEL},
      {GSCALE__COPY_COPY, GSCALE_COST_COPY_COPY},
      {GSCALE__NEAR, GSCALE_COST_NEAR},
      {GSCALE__FAR, GSCALE_COST_FAR},
      {GSCALE__FAR_MEET, GSCALE_COST_FAR_MEET},
  };

  for (size_t i = 0; i < LENGTH(plain); i++)
    add_cost(&row[plain[i].weight], (int)plain[i].cost, 1.0);
  for (int k = 0; k < GSCALE_CALL_END; k++) {
    add_cost(&row[GSCALE__CALL + k], GSCALE_COST_ISSUE + k, 1.0);
    add_cost(&row[GSCALE__CALL + k], GSCALE_COST_CROWD + k, s->crowd);
  }
  for (int d = 0; d < s->durations; d++)
    add_cost(&row[GSCALE__LENGTH + d], GSCALE_COST_END + d, 1.0);
  if (s->threads == 1) return; /* one thread has no barrier */
  for (int w = GSCALE__MEET; w <= GSCALE__MEET_LATE; w++) {
    add_cost(&row[w], GSCALE_COST_BARRIER, 1.0);
    add_cost(&row[w], GSCALE_COST_BARRIER_MORE, s->threads - 2.0);
  }
  add_cost(&row[GSCALE__MEET_LATE], GSCALE_COST_STRAGGLE, 1.0);
}

/* Returns the hand-over between successive works of a stream.  A copy between
 * GPUs that follows a copy from or to the host waits as after a kernel. */
static int hand_over(gscale_action_kind from, gscale_action_kind to)
{
  if (gscale__kinds[from].rank == GSCALE__COMPUTE)
    return gscale__kinds[to].rank == GSCALE__COMPUTE ? GSCALE__KERNEL_KERNEL
                                                     : GSCALE__KERNEL_COPY;
  if (gscale__kinds[to].rank == GSCALE__COMPUTE) return GSCALE__COPY_KERNEL;
  return to == GSCALE_COPY_D2D && from != GSCALE_COPY_D2D ? GSCALE__KERNEL_COPY
                                                          : GSCALE__COPY_COPY;
}

static int wake_after(gscale__rank work)
{
  return work == GSCALE__COMPUTE ? GSCALE__KERNEL_WAKE : GSCALE__COPY_WAKE;
}

/* ---- walk over a step ---------------------------------------------------- */

enum {
  ARCS_EACH = 7,    /* most arcs of an action */
  MOMENTS_EACH = 4, /* most moments of an action */
  BEFORE = 2,       /* laps before the lap that writes arcs */
  BEHIND_MAX = 8,   /* most works that are remembered */
  NEVER = INT32_MIN
};

/* A moment of this lap (0) or of an earlier lap. */
typedef struct seen {
  int moment, lap; /* moment -1: none */
} seen;

/* The last works of other streams for which a work waited by events. */
typedef struct behind {
  int n;
  int stream[BEHIND_MAX];
  seen work[BEHIND_MAX];
} behind;

typedef struct stream_state {
  seen work;         /* end of the last work */
  gscale__rank rank; /* rank of the last work */
  gscale_action_kind kind;
  behind behind;    /* works that the last work awaited */
  behind next;      /* works that the next work awaits */
  seen mark;        /* last record or wait since the last work */
  int entries;      /* entries of all laps */
  int each;         /* entries of each lap */
  int first;        /* first index into `entry` */
  int64_t finished; /* last entry that is known to have ended */
} stream_state;

typedef struct event_state {
  seen record, work;
  gscale__rank rank; /* rank of the work */
  bool more;         /* a wait came after the work */
  behind behind;     /* works for which the work waited */
  int stream;
  int64_t entry;
} event_state;

typedef struct thread_state {
  seen last;
  bool waited; /* the last call synchronised */
} thread_state;

typedef struct walk {
  const gscale_schedule *s;
  gscale_timeline *t;
  int lap;
  int epochs;   /* most epochs of any slot */
  size_t n;     /* length of `turn` */
  size_t *turn; /* slot * actions + action */
  thread_state *thread;
  stream_state *stream;
  event_state *event;
  int *entry; /* end of each entry of a stream */
  int *meet;  /* for each (slot, epoch), or -1 */
  int *join;  /* for each (slot, collective) */
  gscale__arcs arcs;
} walk;

static void arc_to(walk *w, int to, int from, int periods, int weight)
{
  if (w->lap < 0) return;
  w->arcs.to[w->arcs.n] = to;
  w->arcs.arc[w->arcs.n++] = (gscale__arc){from, periods, weight};
}

static void arc_seen(walk *w, int to, seen from, int weight)
{
  if (from.moment >= 0) arc_to(w, to, from.moment, -from.lap, weight);
}

static int moment_new(walk *w, size_t turn, gscale__rank rank, bool device)
{
  const size_t i = turn % w->s->actions;

  w->t->moment[w->t->moments] =
      (gscale__moment){.action = (int)i,
                       .gpu = gscale__gpu_of(w->s, &w->s->action[i]),
                       .slot = (int)(turn / w->s->actions),
                       .rank = rank,
                       .device = device};
  return w->t->moments++;
}

static gscale__when when(int moment)
{
  return (gscale__when){moment, 0};
}

/* Returns the moment that several actions share, new for the first one. */
static int shared_moment(walk *w, int *moment, size_t turn, gscale__rank rank,
                         bool device)
{
  if (*moment < 0) *moment = moment_new(w, turn, rank, device);
  return *moment;
}

/* Numbers the moments of one action, and its entry in the stream. */
static void number_moments(walk *w, size_t turn, int *epoch)
{
  const size_t i = turn % w->s->actions;
  const int slot = (int)(turn / w->s->actions);
  const gscale_action *a = &w->s->action[i];
  gscale__action *refs = &w->t->action[turn];

  if (a->kind == GSCALE_BARRIER) {
    int *meet = &w->meet[slot * w->epochs + epoch[a->thread]++];
    refs->back = when(shared_moment(w, meet, turn, GSCALE__HOST, false));
    return;
  }
  refs->back = when(moment_new(w, turn, GSCALE__HOST, false));
  if (!gscale__kinds[a->kind].entry) return;

  const gscale__rank rank = gscale__kinds[a->kind].rank;
  if (a->kind == GSCALE_COLLECTIVE)
    refs->begin = when(shared_moment(
        w, &w->join[slot * w->s->events + a->event], turn, rank, true));
  else if (gscale__works(a->kind))
    refs->begin = when(moment_new(w, turn, rank, true));
  refs->end = when(moment_new(w, turn, rank, true));
  if (!gscale__works(a->kind)) refs->begin = refs->end;
  stream_state *st = &w->stream[a->stream];
  w->entry[st->first + st->each++] = refs->end.moment;
}

/* Returns the begin of a call.  The thread is free, and the stream's queue of
 * `depth` entries has room because an earlier entry has ended.  Entries with
 * which the thread has synchronised need no arc. */
static seen call_begins(walk *w, const gscale_action *a, size_t turn)
{
  const seen free_at = w->thread[a->thread].last;
  gscale__when *call = &w->t->action[turn].call;

  *call = (gscale__when){free_at.moment, -free_at.lap};
  if (!gscale__kinds[a->kind].entry || w->s->depth == 0 || w->lap < 0)
    return free_at;

  const stream_state *st = &w->stream[a->stream];
  const int64_t left = (int64_t)st->entries - w->s->depth;
  if (left <= st->finished) return free_at;

  const int64_t laps =
      (left + (int64_t)st->each * GSCALE__COUNT_MAX) / st->each;
  const int at =
      (int)((left + (int64_t)st->each * GSCALE__COUNT_MAX) % st->each);
  const seen room = {moment_new(w, turn, GSCALE__HOST, false), 0};
  arc_seen(w, room.moment, free_at, GSCALE__NOTHING);
  arc_to(w, room.moment, w->entry[st->first + at],
         (int)(GSCALE__COUNT_MAX + BEFORE - laps), GSCALE__NOTHING);
  *call = when(room.moment);
  return room;
}

/* Work begins after its call, after the stream's last work, and after the
 * stream's later waits.  A collective begins when all its members can. */
static void put_work(walk *w, const gscale_action *a, const gscale__action *r)
{
  stream_state *st = &w->stream[a->stream];
  const gscale__rank rank = gscale__kinds[a->kind].rank;

  arc_to(w, r->begin.moment, r->back.moment, 0, GSCALE__NOTHING);
  arc_seen(w, r->begin.moment, st->work, hand_over(st->kind, a->kind));
  arc_seen(w, r->begin.moment, st->mark, GSCALE__NOTHING);
  arc_to(w, r->end.moment, r->begin.moment, 0, GSCALE__LENGTH + a->length);
  st->work = (seen){r->end.moment, w->lap};
  st->behind = st->next;
  st->next.n = 0;
  st->rank = rank;
  st->kind = a->kind;
  st->mark.moment = -1;
}

static void note_wait(behind *b, int stream, seen work)
{
  const int at = b->n++ % BEHIND_MAX;

  b->stream[at] = stream;
  b->work[at] = work;
}

/* Returns true if b waited for work of a stream, but not for its last work. */
static bool waited_for_earlier(const behind *b, int stream, seen last)
{
  bool waited = false;

  for (int i = 0; i < b->n && i < BEHIND_MAX; i++) {
    if (b->stream[i] != stream) continue;
    if (b->work[i].moment == last.moment && b->work[i].lap == last.lap)
      return false;
    waited = true;
  }
  return waited;
}

/* Returns the cost of a wait for another GPU's event.  The cost is smaller if
 * kernels of two GPUs end together: each kernel waited for an earlier kernel of
 * the other GPU, but not for the current one. */
static int far_event(const stream_state *st, int stream, const event_state *ev)
{
  const bool kernels =
      st->rank == GSCALE__COMPUTE && ev->rank == GSCALE__COMPUTE && !ev->more;

  return kernels && waited_for_earlier(&ev->behind, stream, st->work)
             ? GSCALE__FAR_MEET
             : GSCALE__FAR;
}

/* A record or wait comes after all earlier entries of its stream.  Later work
 * still has the hand-over from the work before the record or wait. */
static void put_mark(walk *w, const gscale_action *a, const gscale__action *r)
{
  stream_state *st = &w->stream[a->stream];
  event_state *ev = &w->event[a->event];
  const int moment = r->end.moment;

  arc_to(w, moment, r->back.moment, 0, GSCALE__NOTHING);
  arc_seen(w, moment, st->mark.moment >= 0 ? st->mark : st->work,
           GSCALE__NOTHING);
  if (a->kind == GSCALE_WAIT) {
    const bool near = ev->record.moment >= 0 && w->s->stream_gpu[ev->stream] ==
                                                    w->s->stream_gpu[a->stream];
    arc_seen(w, moment, ev->record,
             near ? GSCALE__NEAR : far_event(st, a->stream, ev));
    note_wait(&st->next, ev->stream, ev->work);
  } else {
    *ev = (event_state){.record = {moment, w->lap},
                        .work = st->work,
                        .rank = st->rank,
                        .more = st->next.n > 0,
                        .behind = st->behind,
                        .stream = a->stream,
                        .entry = st->entries};
  }
  st->mark = (seen){moment, w->lap};
}

static void note_finished(walk *w, const gscale_action *a, int stream,
                          int64_t entry)
{
  stream_state *st = &w->stream[stream];
  const int feeder =
      st->each > 0
          ? w->s->action[w->t->moment[w->entry[st->first]].action].thread
          : -1;

  if (feeder == a->thread && entry > st->finished) st->finished = entry;
}

static void wait_stream(walk *w, const gscale_action *a, int back)
{
  const stream_state *st = &w->stream[a->stream];

  arc_seen(w, back, st->work, wake_after(st->rank));
  arc_seen(w, back, st->mark, GSCALE__WAKE);
  note_finished(w, a, a->stream, (int64_t)st->entries - 1);
}

static void wait_event(walk *w, const gscale_action *a, int back)
{
  const event_state *ev = &w->event[a->event];

  arc_seen(w, back, ev->record, GSCALE__WAKE);
  arc_seen(w, back, ev->work, wake_after(ev->rank));
  if (ev->record.moment >= 0) note_finished(w, a, ev->stream, ev->entry);
}

static void put_call(walk *w, const gscale_action *a, size_t turn)
{
  const int back = w->t->action[turn].back.moment;
  thread_state *th = &w->thread[a->thread];
  const seen begin = call_begins(w, a, turn);

  int weight = GSCALE__CALL + (int)a->kind;
  if (a->kind == GSCALE_BARRIER)
    weight = th->waited ? GSCALE__MEET_LATE : GSCALE__MEET;
  else if (a->kind == GSCALE_HOST_WORK)
    weight = GSCALE__LENGTH + a->length;
  arc_seen(w, back, begin, weight);
  th->last = (seen){back, w->lap};
  th->waited = a->kind == GSCALE_SYNC_STREAM || a->kind == GSCALE_SYNC_EVENT;
}

static void visit(walk *w, size_t turn)
{
  const gscale_action *a = &w->s->action[turn % w->s->actions];
  const gscale__action *r = &w->t->action[turn];

  put_call(w, a, turn);
  if (a->kind == GSCALE_SYNC_STREAM) wait_stream(w, a, r->back.moment);
  if (a->kind == GSCALE_SYNC_EVENT) wait_event(w, a, r->back.moment);
  if (!gscale__kinds[a->kind].entry) return;
  if (gscale__works(a->kind))
    put_work(w, a, r);
  else
    put_mark(w, a, r);
  w->stream[a->stream].entries++;
}

/* ---- order of the walk --------------------------------------------------- */

/* Counts the barriers that each action's thread has passed in the step, and
 * returns the largest count. */
static int count_epochs(const walk *w, int *epoch, int *passed)
{
  const gscale_schedule *s = w->s;
  int most = 0;

  for (int slot = 0; slot < w->t->slots; slot++) {
    for (int t = 0; t < s->threads; t++) passed[t] = 0;
    for (size_t i = 0; i < s->actions; i++) {
      const gscale_action *a = &s->action[i];
      epoch[(size_t)slot * s->actions + i] = passed[a->thread];
      if (gscale__in_slot(a, slot) && a->kind == GSCALE_BARRIER)
        passed[a->thread]++;
      if (passed[a->thread] > most) most = passed[a->thread];
    }
  }
  return most;
}

/* Orders actions by step, then by barriers passed, then by list position. */
static bool order_turns(walk *w)
{
  const gscale_schedule *s = w->s;
  const size_t all = (size_t)w->t->slots * s->actions;
  int *epoch = malloc(all * sizeof *epoch);
  int *passed = malloc((size_t)s->threads * sizeof *passed);
  size_t *start = NULL;

  if (epoch && passed) {
    w->epochs = count_epochs(w, epoch, passed) + 1;
    start = calloc((size_t)w->t->slots * (size_t)w->epochs + 1, sizeof *start);
  }
  for (int fill = 0; start && fill < 2; fill++) {
    for (size_t turn = 0; turn < all; turn++) {
      const size_t slot = turn / s->actions;
      const size_t key = slot * (size_t)w->epochs + (size_t)epoch[turn];
      if (!gscale__in_slot(&s->action[turn % s->actions], (int)slot)) continue;
      if (fill)
        w->turn[start[key]++] = turn;
      else
        start[key + 1]++;
    }
    for (size_t k = 0; !fill && k < (size_t)w->t->slots * (size_t)w->epochs;
         k++)
      start[k + 1] += start[k];
  }
  if (start) w->n = start[(size_t)w->t->slots * (size_t)w->epochs - 1];
  const bool ok = start;
  free(epoch);
  free(passed);
  free(start);
  return ok;
}

/* ---- whole timeline ------------------------------------------------------ */

static bool alternates(const gscale_schedule *s)
{
  for (size_t i = 0; i < s->actions; i++)
    if (s->action[i].parity != GSCALE_EVERY_STEP) return true;
  return false;
}

static void number_all(walk *w, int *epoch)
{
  const gscale_schedule *s = w->s;
  int slot = 0, before = 0;

  for (size_t k = 0; k < w->n; k++) {
    const gscale_action *a = &s->action[w->turn[k] % s->actions];
    if (gscale__kinds[a->kind].entry) w->stream[a->stream].each++;
  }
  for (int i = 0; i < s->streams; i++) {
    stream_state *st = &w->stream[i];
    st->first = before;
    before += st->each;
    st->each = 0;
    st->finished = NEVER;
    st->work.moment = st->mark.moment = -1;
  }
  for (int i = 0; i < s->events; i++)
    w->event[i].record.moment = w->event[i].work.moment = -1;
  for (int i = 0; i < s->threads; i++) w->thread[i].last.moment = -1;
  for (size_t k = 0; k < w->n; k++) {
    for (; slot < (int)(w->turn[k] / s->actions); slot++)
      for (int t = 0; t < s->threads; t++) epoch[t] = 0;
    number_moments(w, w->turn[k], epoch);
  }
}

static bool walk_new(const gscale_schedule *s, gscale_timeline *t, walk *w)
{
  const size_t all = (size_t)t->slots * s->actions;
  const size_t streams = (size_t)s->streams + 1, events = (size_t)s->events + 1;

  *w = (walk){.s = s,
              .t = t,
              .turn = malloc(all * sizeof *w->turn),
              .thread = calloc((size_t)s->threads, sizeof *w->thread),
              .stream = calloc(streams, sizeof *w->stream),
              .event = calloc(events, sizeof *w->event),
              .entry = malloc(all * sizeof *w->entry),
              .join = malloc((size_t)t->slots * events * sizeof *w->join),
              .arcs = {0, malloc(ARCS_EACH * all * sizeof(int)),
                       malloc(ARCS_EACH * all * sizeof(gscale__arc))}};
  if (!w->turn || !w->thread || !w->stream || !w->event || !w->entry ||
      !w->join || !w->arcs.to || !w->arcs.arc || !order_turns(w))
    return false;
  const size_t meets = (size_t)t->slots * (size_t)w->epochs;
  w->meet = malloc(meets * sizeof *w->meet);
  for (size_t i = 0; w->meet && i < meets; i++) w->meet[i] = -1;
  for (size_t i = 0; i < (size_t)t->slots * events; i++) w->join[i] = -1;
  return w->meet;
}

static void walk_free(walk *w)
{
  free(w->turn);
  free(w->thread);
  free(w->stream);
  free(w->event);
  free(w->entry);
  free(w->join);
  free(w->meet);
  free(w->arcs.to);
  free(w->arcs.arc);
}

static bool timeline_room(const gscale_schedule *s, gscale_timeline *t)
{
  t->slots = alternates(s) ? 2 : 1;
  const size_t all = (size_t)t->slots * s->actions;

  t->gpus = s->gpus;
  t->actions = s->actions;
  t->costs = GSCALE_COST_END + s->durations;
  t->weights = GSCALE__LENGTH + s->durations;
  t->action = malloc(all * sizeof *t->action);
  t->owner = malloc(s->actions * sizeof *t->owner);
  t->moment = malloc((MOMENTS_EACH * all + 1) * sizeof *t->moment);
  t->row = calloc((size_t)t->weights, sizeof *t->row);
  if (!t->action || !t->owner || !t->moment || !t->row) return false;

  const gscale__when none = {-1, 0};
  for (size_t i = 0; i < all; i++)
    t->action[i] = (gscale__action){none, none, none, none};
  for (size_t i = 0; i < s->actions; i++)
    t->owner[i] = gscale__gpu_of(s, &s->action[i]);
  fill_rows(s, t->row);
  return true;
}

static bool walk_all(walk *w)
{
  int *epoch = calloc((size_t)w->s->threads, sizeof *epoch);

  if (!epoch) return false;
  number_all(w, epoch);
  free(epoch);
  for (w->lap = -BEFORE; w->lap <= 0; w->lap++)
    for (size_t k = 0; k < w->n; k++) visit(w, w->turn[k]);
  return gscale__sort_arcs(w->t, &w->arcs);
}

gscale_status gscale__unfold(const gscale_schedule *s, gscale_timeline *t,
                             gscale_diag *diag)
{
  const gscale_status st = gscale__check_schedule(s, diag);
  walk w = {0};

  if (st != GSCALE_OK) return st;
  const bool ok = timeline_room(s, t) && walk_new(s, t, &w) && walk_all(&w);
  walk_free(&w);
  return ok ? GSCALE_OK
            : gscale__fail(diag, GSCALE_ENOMEM, "no memory for a timeline");
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
