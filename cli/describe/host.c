/* host.c - finds the calls of host threads in a step by consensus. */

#include "describe/host.h"

#include "describe/commonest.h"
#include "describe/consensus.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The work, event, wait or sync of each call. */
typedef struct links {
  size_t first, n; /* range of calls in the records */
  struct link {
    size_t slot; /* of the work; NONE */
    int stream;  /* of the work; -1 */
    int gpu;     /* -1 if there is no work */
    size_t sync; /* index of a record; NONE */
  } * of;        /* by call, less `first` */
} links;

static void link_work(const profile *p, links *l)
{
  for (int i = 0; i < p->gpus; i++) {
    const gpu_steps *const g = &p->gpu[i];
    for (size_t k = 0; k < g->steps * g->slots; k++) {
      if (g->at[k] == NONE || g->item[g->at[k]].call == NONE) continue;
      struct link *to = &l->of[g->item[g->at[k]].call - l->first];
      to->slot = k % g->slots;
      to->stream = what_of(p, g->item[g->at[k]].record)->stream;
      to->gpu = i;
    }
  }
}

/* Links the records of events, waits and syncs to their calls. */
static bool link_syncs(const profile *p, links *l)
{
  const size_t from = gscale_recording_first(p->r, GSCALE_RECORDED_EVENT);
  stretch *const v = by_calls(p, from, l->first);

  for (size_t i = 0; v && i < l->n; i++)
    l->of[i].sync = of_call(p, v, l->first - from, l->first + i);
  free(v);
  return v;
}

static bool links_make(const profile *p, links *l)
{
  l->first = gscale_recording_first(p->r, GSCALE_RECORDED_CALL);
  l->n = gscale_recording_first(p->r, GSCALE_RECORDED_RANGE) - l->first;
  l->of = malloc((l->n + 1) * sizeof *l->of);
  if (!l->of) return false;
  for (size_t i = 0; i < l->n; i++)
    l->of[i] = (struct link){NONE, -1, -1, NONE};
  link_work(p, l);
  return link_syncs(p, l);
}

/* ---- tokens ------------------------------------------------------------- */

/* Reads the calls of a step from the thread that issues the step's first work.
 * The thread may change between steps. */
typedef struct reader {
  const profile *p;
  const links *l;
  int leader;
  token *v;
  size_t n, room;
} reader;

static token *add(reader *r, token_kind what, int gpu, int stream, size_t call)
{
  token *const v = gscale_reserve(r->v, &r->room, r->n + 1, sizeof *v);
  if (!v) return NULL;
  r->v = v;
  r->v[r->n] = (token){.kind = what,
                       .gpu = gpu,
                       .stream = stream,
                       .slot = NONE,
                       .meant = NONE,
                       .of = NONE,
                       .call = call};
  return &r->v[r->n++];
}

static bool has(const char *text, const char *word)
{
  return strstr(text, word);
}

/* Returns true for synchronous copies and copies of pageable memory, which
 * block the host until the copy ends. */
static bool holds_host(const gscale_recorded_what *call,
                       const gscale_recorded_what *work)
{
  if (work->kind != GSCALE_RECORDED_COPY) return false;
  const bool host =
      work->copy == GSCALE_RECORDED_H2D || work->copy == GSCALE_RECORDED_D2H;
  return host && (!has(call->name, "Async") ||
                  (work->pageable && work->copy == GSCALE_RECORDED_D2H));
}

static bool add_work(reader *r, size_t call)
{
  const struct link *const l = &r->l->of[call - r->l->first];
  const gpu_steps *const g = &r->p->gpu[l->gpu];
  const slot *const s = &g->slot[l->slot];
  token *const t = add(r, TOKEN_WORK, l->gpu, s->stream, call);

  if (!t) return false;
  t->slot = l->slot;
  return !holds_host(what_of(r->p, call),
                     gscale_recording_what(r->p->r, s->what)) ||
         add(r, TOKEN_SYNC_STREAM, t->gpu, s->stream, call);
}

/* Adds a call that starts no work: an event, a wait or a sync. */
static bool add_other(reader *r, size_t call)
{
  static const struct {
    const char *word;
    token_kind kind;
  } words[] = {{"StreamWaitEvent", TOKEN_WAIT},
               {"EventRecord", TOKEN_RECORD},
               {"EventSynchronize", TOKEN_SYNC_EVENT},
               {"StreamSynchronize", TOKEN_SYNC_STREAM},
               {"DeviceSynchronize", TOKEN_SYNC_DEVICE},
               {"CtxSynchronize", TOKEN_SYNC_DEVICE}};
  const char *const name = what_of(r->p, call)->name;
  const size_t sync = r->l->of[call - r->l->first].sync;

  for (size_t i = 0; i < LENGTH(words); i++) {
    if (!has(name, words[i].word)) continue;
    const int gpu = sync == NONE ? -1 : what_of(r->p, sync)->gpu;
    const int stream = sync == NONE ? -1 : what_of(r->p, sync)->stream;
    token *const t = add(r, words[i].kind, gpu, stream, call);
    if (!t) return false;
    if (sync != NONE) t->event = gscale_recording_at(r->p->r, sync)->end;
    return true;
  }
  return true;
}

/* Returns the first call at or after `time`. */
static size_t call_at(const profile *p, const links *l, double time)
{
  size_t low = 0, high = l->n;

  while (low < high) {
    const size_t mid = (low + high) / 2;
    if (start_of(p, l->first + mid) < time)
      low = mid + 1;
    else
      high = mid;
  }
  return l->first + low;
}

/* Includes the thread's waits for events directly before a call. */
static size_t with_waits(const reader *r, size_t call)
{
  const int thread = what_of(r->p, call)->thread;
  size_t first = call;

  for (size_t c = call; c-- > r->l->first && call - c < 256;) {
    const gscale_recorded_what *const w = what_of(r->p, c);
    if (w->thread != thread) continue;
    if (!has(w->name, "StreamWaitEvent")) break;
    first = c;
  }
  return first;
}

/* Returns the call for the first work in step k of the leader. */
static size_t first_call(const reader *r, size_t k)
{
  const gpu_steps *const g = &r->p->gpu[r->leader];

  if (k >= g->steps || g->at[k * g->slots] == NONE) return NONE;
  return g->item[g->at[k * g->slots]].call;
}

static double begin_of(const reader *r, size_t k)
{
  const size_t call = first_call(r, k);

  return call == NONE ? NAN : start_of(r->p, with_waits(r, call));
}

/* Gives tokens without work the stream number of the slots, since processes may
 * number streams differently. */
static void name_streams(reader *r)
{
  struct {
    int own, slot;
  } map[64];
  size_t n = 0;

  for (size_t i = 0; i < r->n && n < 64; i++) {
    const token *const t = &r->v[i];
    size_t k = 0;
    if (t->kind != TOKEN_WORK) continue;
    const int own = r->l->of[t->call - r->l->first].stream;
    while (k < n && map[k].own != own) k++;
    if (k == n) map[n].own = own, map[n++].slot = t->stream;
  }
  for (size_t i = 0; i < r->n; i++)
    for (size_t k = 0; k < n && r->v[i].kind != TOKEN_WORK; k++)
      if (map[k].own == r->v[i].stream) {
        r->v[i].stream = map[k].slot;
        break;
      }
}

static bool read_step(reader *r, size_t k)
{
  const double from = begin_of(r, k), to = begin_of(r, k + 1);

  r->n = 0;
  if (!(from < to) || to - from > 1.9 * r->p->period + r->p->slowest)
    return true;
  const int thread = what_of(r->p, first_call(r, k))->thread;
  for (size_t c = call_at(r->p, r->l, from);
       c < r->l->first + r->l->n && start_of(r->p, c) < to; c++) {
    if (what_of(r->p, c)->thread != thread) continue;
    if (!(r->l->of[c - r->l->first].gpu >= 0 ? add_work(r, c)
                                             : add_other(r, c)))
      return false;
  }
  name_streams(r);
  return true;
}

static uint32_t symbol_of(const token *t)
{
  uint64_t h = (uint64_t)t->kind;

  h = hash_more(h, (uint64_t)(t->gpu + 1));
  h = hash_more(h, (uint64_t)(t->stream + 1));
  h = hash_more(h, t->slot + 1);
  return (uint32_t)(h ^ h >> 32);
}

/* ---- a thread ----------------------------------------------------------- */

/* The steps of a thread as sequences of calls. */
typedef struct thread_steps {
  sequences s;
  size_t *step, room;
  size_t *place; /* temporary */
} thread_steps;

static bool keep_step(thread_steps *t, const reader *r, size_t step)
{
  const size_t n = t->s.from[t->s.n];

  uint32_t *const v =
      gscale_reserve(t->s.symbol, &t->room, n + r->n, sizeof *v);
  if (!v) return false;
  t->s.symbol = v;
  for (size_t i = 0; i < r->n; i++) t->s.symbol[n + i] = symbol_of(&r->v[i]);
  t->step[t->s.n++] = step;
  t->s.from[t->s.n] = n + r->n;
  return true;
}

static bool collect_steps(reader *r, thread_steps *t)
{
  const size_t steps = r->p->gpu[r->leader].steps;
  bool done = true;

  t->s.from = calloc(steps + 2, sizeof *t->s.from);
  t->step = malloc((steps + 1) * sizeof *t->step);
  if (!t->s.from || !t->step) return false;
  for (size_t k = 0; done && k + 1 < steps; k++) {
    done = read_step(r, k);
    if (done && r->n > 0) done = keep_step(t, r, k);
  }
  return done;
}

static void steps_free(thread_steps *t)
{
  free(t->s.symbol);
  free(t->s.from);
  free(t->step);
  free(t->place);
}

/* Copies the calls of the consensus, each from a step that has the call. */
static bool take_calls(reader *r, const thread_steps *t, const agreed *a,
                       host_thread *h)
{
  h->v = malloc((a->n + 1) * sizeof *h->v);
  h->n = h->v ? a->n : 0;
  for (size_t k = 0; h->v && k < t->s.n; k++) {
    bool needed = false;
    for (size_t i = 0; i < a->n && !needed; i++) needed = a->of[i] == k;
    if (!needed) continue;
    if (!read_step(r, t->step[k])) return false;
    for (size_t i = 0; i < a->n; i++)
      if (a->of[i] == k) h->v[i] = r->v[a->at[i]];
  }
  return h->v;
}

static double gap_before(const reader *r, const size_t *at, size_t n, size_t i,
                         size_t k)
{
  if (at[i] == NONE) return NAN;
  if (i == 0) {
    if (at[0] != 0 || at[n - 1] != r->n - 1) return NAN;
    return begin_of(r, k + 1) - end_of(r->p, r->v[r->n - 1].call);
  }
  if (at[i - 1] == NONE || at[i] != at[i - 1] + 1) return NAN;
  return start_of(r->p, r->v[at[i]].call) - end_of(r->p, r->v[at[i - 1]].call);
}

/* Finds the last record of the event before a call, since the previous step. */
static bool find_record(const profile *p, const links *l, int64_t event,
                        size_t before, size_t *call)
{
  *call = NONE;
  for (size_t c = before; c-- > l->first;) {
    const size_t r = l->of[c - l->first].sync;
    if (r == NONE) continue;
    if (!has(what_of(p, c)->name, "EventRecord")) continue;
    if (what_of(p, c)->process != what_of(p, before)->process) continue;
    if (gscale_recording_at(p->r, r)->end != event) continue;
    *call = c;
    return true;
  }
  return false;
}

/* Collects the meaning of a wait from several steps, because the first step
 * lacks earlier records and profilers lose some. */
static void see_event(const reader *r, token *t, const token *here)
{
  size_t record;

  if (t->kind != TOKEN_WAIT && t->kind != TOKEN_SYNC_EVENT) return;
  if (t->sightings == SIGHTINGS || here->event == 0) return;
  if (find_record(r->p, r->l, here->event, here->call, &record))
    t->seen[t->sightings++] = (sighting){here->call, record};
}

static void keep_times(const reader *r, const size_t *at, size_t n, size_t step,
                       double *time)
{
  for (size_t i = 0; i < n; i++) {
    const bool there = at[i] != NONE;
    time[2 * i] = there ? start_of(r->p, r->v[at[i]].call) : NAN;
    time[2 * i + 1] = there ? end_of(r->p, r->v[at[i]].call) : NAN;
  }
  time[2 * n] = begin_of(r, step + 1);
}

/* Returns the median of all values except NaN, or 0 if all are NaN. */
static double median_known(double *v, size_t n)
{
  size_t known = 0;

  for (size_t i = 0; i < n; i++)
    if (isfinite(v[i])) v[known++] = v[i];
  return known > 0 ? fmax(0.0, median_of(v, known)) : 0.0;
}

/* Computes median gaps over the steps. Gap 0 follows the last call. */
static bool measure(reader *r, host_thread *h, thread_steps *t, const agreed *a)
{
  const size_t m = h->n, n = t->s.n;
  double *const gap = malloc((m * n + 1) * sizeof *gap);

  h->time = malloc((n + 1) * (m + 1) * 2 * sizeof *h->time);
  t->place = malloc((m + 1) * sizeof *t->place);
  bool done = gap && h->time && t->place;
  for (size_t k = 0; done && k < n; k++) {
    done = read_step(r, t->step[k]);
    if (!done) break;
    align(t->s.symbol + t->s.from[k], r->n, a->symbol, m, t->place);
    keep_times(r, t->place, m, t->step[k], h->time + k * (m + 1) * 2);
    for (size_t i = 0; i < m; i++) {
      gap[i * n + k] = gap_before(r, t->place, m, i, t->step[k]);
      if (t->place[i] != NONE) see_event(r, &h->v[i], &r->v[t->place[i]]);
    }
  }
  for (size_t i = 0; done && i < m; i++) {
    const double g = median_known(gap + i * n, n);
    if (i == 0)
      h->rest = g;
    else
      h->v[i].gap = g;
  }
  free(gap);
  return done;
}

static bool read_thread(reader *r, host_thread *h)
{
  thread_steps t = {0};
  agreed a = {0};
  bool done = collect_steps(r, &t);

  h->seen = t.s.n;
  if (done && t.s.n > 0) {
    done = agree_on(&t.s, &a) && take_calls(r, &t, &a, h);
    if (done && h->n > 0) done = measure(r, h, &t, &a);
    if (h->n == 0) h->seen = 0;
  }
  agreed_free(&a);
  steps_free(&t);
  return done;
}

/* ---- events ------------------------------------------------------------- */

/* Finds a thread's step at a time, and the time since the step's start. */
static size_t step_at(const profile *p, const links *l, const host_thread *h,
                      double when, double *behind)
{
  const reader r = {.p = p, .l = l};
  const gpu_steps *const g = &p->gpu[h->leader];
  size_t best = NONE;

  for (size_t k = 0; k < g->steps; k++) {
    if (g->at[k * g->slots] == NONE) continue;
    const size_t first = g->item[g->at[k * g->slots]].call;
    if (first == NONE) continue;
    const double begin = start_of(p, with_waits(&r, first));
    if (begin > when || (best != NONE && *behind < when - begin)) continue;
    best = k;
    *behind = when - begin;
  }
  return best;
}

/* Finds the token of a record by its stream and its time in the step. */
static void place_record(const profile *p, const links *l, const host_calls *h,
                         const host_thread *waiter, token *t, size_t call)
{
  const int stream = what_of(p, l->of[call - l->first].sync)->stream;
  double behind = 0.0, own = 0.0, least = INFINITY;

  for (size_t k = 0; k < h->n; k++) {
    const host_thread *const o = &h->v[k];
    if (o->thread != what_of(p, call)->thread) continue;
    const size_t step = step_at(p, l, o, start_of(p, call), &behind);
    for (size_t i = 0; i < o->n; i++) {
      if (o->v[i].kind != TOKEN_RECORD || o->v[i].stream != stream) continue;
      step_at(p, l, o, start_of(p, o->v[i].call), &own);
      if (fabs(own - behind) >= least) continue;
      least = fabs(own - behind);
      t->meant = i;
      t->of = k;
      t->last_step = step < step_at(p, l, waiter, start_of(p, t->call), &own);
    }
  }
}

static bool mean_same(const token *a, const token *b)
{
  return a->meant == b->meant && a->of == b->of && a->last_step == b->last_step;
}

/* Chooses the record with the most sightings, and of equals the first. */
static void vote_event(const profile *p, const links *l, const host_calls *h,
                       const host_thread *waiter, token *t)
{
  token as[SIGHTINGS];
  size_t most = 0, best = 0;

  for (size_t i = 0; i < t->sightings; i++) {
    as[i] = *t;
    as[i].call = t->seen[i].call;
    place_record(p, l, h, waiter, &as[i], t->seen[i].record);
  }
  for (size_t i = 0; i < t->sightings; i++) {
    size_t votes = 0;
    for (size_t k = 0; k < t->sightings; k++)
      votes += mean_same(&as[i], &as[k]);
    if (votes > most) most = votes, best = i;
  }
  if (most > 0) *t = as[best];
}

static void find_events(const profile *p, const links *l, host_calls *h)
{
  for (size_t k = 0; k < h->n; k++)
    for (size_t i = 0; i < h->v[k].n; i++)
      vote_event(p, l, h, &h->v[k], &h->v[k].v[i]);
}

/* ---- all threads -------------------------------------------------------- */

static host_thread *thread_of(host_calls *h, int thread)
{
  for (size_t i = 0; i < h->n; i++)
    if (h->v[i].thread == thread) return &h->v[i];
  return NULL;
}

/* Finds the threads that issue the first work of each GPU. */
static bool find_threads(const profile *p, host_calls *h)
{
  h->v = calloc((size_t)p->gpus, sizeof *h->v);
  for (int i = 0; h->v && i < p->gpus; i++) {
    const gpu_steps *const g = &p->gpu[i];
    size_t call = NONE;
    for (size_t k = 0; k < g->steps && call == NONE; k++)
      if (g->at[k * g->slots] != NONE) call = g->item[g->at[k * g->slots]].call;
    if (call == NONE) continue;
    const int thread = what_of(p, call)->thread;
    if (!thread_of(h, thread))
      h->v[h->n++] = (host_thread){.thread = thread, .leader = i};
  }
  return h->v;
}

/* ---- barriers ----------------------------------------------------------- */

/* Returns the step of a thread that starts near a time, or NULL. */
static const double *step_near(const profile *p, const host_thread *h,
                               double when)
{
  for (size_t k = 0; k < h->seen; k++) {
    const double *const time = h->time + k * (h->n + 1) * 2;
    if (fabs(time[0] - when) < 0.5 * p->period) return time;
  }
  return NULL;
}

/* Returns true if call i always starts after all threads end call i - 1. */
static bool meet_at(const profile *p, const host_calls *h, size_t i)
{
  static const double slack = 50e-9;
  const host_thread *const first = &h->v[0];
  size_t met = 0, steps = 0;

  for (size_t k = 0; k < first->seen; k++) {
    const double *const own = first->time + k * (first->n + 1) * 2;
    double come = -INFINITY, gone = INFINITY;
    size_t here = 0;
    for (size_t t = 0; t < h->n; t++) {
      const double *const time = t ? step_near(p, &h->v[t], own[0]) : own;
      if (!time || isnan(time[2 * i - 1]) || isnan(time[2 * i])) continue;
      come = fmax(come, time[2 * i - 1]);
      gone = fmin(gone, time[2 * i]);
      here++;
    }
    if (here < h->n) continue;
    steps++;
    met += gone >= come - slack;
  }
  return steps > 2 && (double)met >= 0.9 * (double)steps;
}

/* Finds barriers between threads of one process that have equally many calls.
 * Gaps below 0.3 us are no barriers. */
static void find_meetings(const profile *p, host_calls *h)
{
  static const double least = 0.3e-6;

  for (size_t t = 1; t < h->n; t++)
    if (h->v[t].n != h->v[0].n || h->v[t].n == 0) return;
  if (h->n < 2 || gscale_recording_about(p->r).processes > 1) return;
  h->meetings_known = true;
  for (size_t i = 1; i <= h->v[0].n; i++) {
    bool apart = meet_at(p, h, i);
    for (size_t t = 0; apart && t < h->n; t++)
      apart = (i < h->v[t].n ? h->v[t].v[i].gap : h->v[t].rest) >= least;
    for (size_t t = 0; apart && t < h->n; t++)
      if (i < h->v[t].n)
        h->v[t].v[i].barrier = true;
      else
        h->v[t].meets = true;
  }
}

int find_host(const profile *p, host_calls *out, failure *why)
{
  links l = {0};
  reader r = {.p = p, .l = &l};
  bool done = links_make(p, &l) && find_threads(p, out);

  for (size_t i = 0; done && i < out->n; i++) {
    r.leader = out->v[i].leader;
    done = read_thread(&r, &out->v[i]);
  }
  if (done) done = put_together(p, out);
  if (done) find_events(p, &l, out);
  if (done) find_meetings(p, out);
  free(r.v);
  free(l.of);
  return done ? EXIT_OK : no_memory(why);
}

void host_free(host_calls *h)
{
  for (size_t i = 0; i < h->n; i++) free(h->v[i].v), free(h->v[i].time);
  free(h->v);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
