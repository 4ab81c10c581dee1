/* substitute.c - substitution of a paradigm's calls into a program's calls.
 *
 * In the same stream, a launch becomes the paradigm's launch of the phase, and
 * a publish becomes the paradigm's copies or collective.  A synchronization
 * also waits for the second stream.  A barrier becomes a duration if one GPU
 * represents all.  All other calls remain.
 *
 * Each stream of the program has a second stream for work that overlaps
 * kernels.  When a phase is launched, the second stream starts after the first,
 * unless the host has waited for all work of the first stream.  A record,
 * kernel or copy after the publish in the first stream waits for the second. */

#include "predict/action_list.h"

#include <stdlib.h>

/* The state of one stream of the program. */
struct gscale__place {
  bool main;    /* has work since the fork */
  bool beside;  /* second stream is not yet joined */
  bool row;     /* copies were put since the launch */
  size_t posts; /* pending phase + 1, or 0 */
};

typedef struct gscale__place place;

static const gscale_schedule *given(const gscale__emit *e)
{
  return &e->script->as.schedule;
}

/* ---- events -------------------------------------------------------------- */

/* Events of the script come first.  Each stream of the script has four more
 * events: two between the stream and its second stream, one at the end of its
 * kernels, and one at the end of its late messages. */
enum {
  FORK,
  JOIN,
  KERNELS,
  ARRIVED,
  OWN_EVENTS
};

int gscale__substitute_events(const gscale__emit *e)
{
  return given(e)->events + OWN_EVENTS * given(e)->streams;
}

void gscale__event_text(bool in_short, int gpus, int event, char *text,
                        size_t size)
{
  static const char *const host_events[GSCALE__HOST_EVENTS] = {"done", "done",
                                                               "norm", "norm"};
  static const char *const own[OWN_EVENTS] = {"fork", "join", "kernels",
                                              "messages"};
  const int from = GSCALE__HOST_EVENTS * gpus;

  if (!in_short)
    gscale__print(text, size, "second stream");
  else if (event < from)
    gscale__print(text, size, "%s of GPU %d",
                  host_events[event % GSCALE__HOST_EVENTS],
                  event / GSCALE__HOST_EVENTS);
  else
    gscale__print(text, size, "%s of GPU %d", own[(event - from) % OWN_EVENTS],
                  (event - from) / OWN_EVENTS);
}

static int stream_of(const gscale__emit *e)
{
  return e->gpu * (given(e)->streams / given(e)->gpus) + e->at;
}

static int own_event(const gscale__emit *e, int which)
{
  return given(e)->events + OWN_EVENTS * stream_of(e) + which;
}

static place *place_of(const gscale__emit *e)
{
  return &e->place[stream_of(e)];
}

/* The second stream waits for the first. */
static void fork_streams(gscale__emit *e)
{
  if (place_of(e)->main)
    gscale__emit_order(e, GSCALE__MAIN, GSCALE__BESIDE, own_event(e, FORK));
  place_of(e)->main = false;
}

/* The first stream waits for the second. */
static void join_streams(gscale__emit *e)
{
  if (place_of(e)->beside)
    gscale__emit_order(e, GSCALE__BESIDE, GSCALE__MAIN, own_event(e, JOIN));
  place_of(e)->beside = false;
}

/* ---- actions ------------------------------------------------------------- */

/* Returns true if any later action is work of the second stream. */
static bool uses_second(const gscale__emit *e, size_t from)
{
  const int second = gscale__emit_stream(e, GSCALE__BESIDE);

  for (; from < e->n; from++)
    if (e->action[from].kind <= GSCALE_COLLECTIVE &&
        e->action[from].stream == second)
      return true;
  return false;
}

static void turn_to_phase(gscale__emit *e, size_t phase)
{
  e->phase = phase;
  e->f = &e->p->phase[e->first + phase];
}

/* Posts late messages of the previous phase when this phase is launched. */
static void post(gscale__emit *e)
{
  place *s = place_of(e);
  const size_t now = e->phase;

  if (s->posts == 0) return;
  turn_to_phase(e, s->posts - 1);
  gscale__emit_posts(e, own_event(e, ARRIVED));
  turn_to_phase(e, now);
  s->posts = 0;
}

static void launch(gscale__emit *e)
{
  place *s = place_of(e);

  join_streams(e);
  if (e->m->beside && gscale__sends(e->f)) fork_streams(e);
  const size_t from = e->n;
  e->beside = s->row = false;
  gscale__emit_phase_kernels(e);
  s->main = true;
  s->beside = uses_second(e, from);
  post(e);
}

static void publish(gscale__emit *e)
{
  place *s = place_of(e);
  const size_t from = e->n;

  e->beside = s->row;
  const gscale__sent_events at = {own_event(e, KERNELS), own_event(e, ARRIVED)};
  if (gscale__emit_phase_copies(e, &at)) s->posts = 1 + e->phase;
  s->row = e->beside;
  s->beside = s->beside || uses_second(e, from);
}

static void synchronize(gscale__emit *e)
{
  place *s = place_of(e);

  e->beside = s->row;
  gscale__emit_sync(e);
  s->main = s->beside = false;
}

static void meet(gscale__emit *e, gscale_action a)
{
  if (e->alone)
    gscale__emit_calls(e, e->waited[e->thread] ? GSCALE__BARRIER_LATE
                                               : GSCALE__BARRIER);
  else
    gscale__emit_put(e, a);
}

/* Puts any other action into the first stream.  The action waits for the second
 * stream, unless it belongs to the kernels. */
static void put_in_stream(gscale__emit *e, gscale_action a,
                          gscale__serves serves)
{
  const bool follows = a.kind != GSCALE_WAIT && serves != GSCALE__SERVES_PHASE;

  if (serves == GSCALE__SERVES_OTHERS && a.kind == GSCALE_RECORD)
    place_of(e)->beside = e->m->beside; /* records the ends of both streams */
  if (follows) join_streams(e);
  a.stream = gscale__emit_stream(e, GSCALE__MAIN);
  if (a.kind <= GSCALE_COLLECTIVE) e->used[a.stream] = true;
  place_of(e)->main = true;
  gscale__emit_put(e, a);
}

static bool in_stream(gscale_action_kind k)
{
  return k <= GSCALE_SYNC_STREAM || k == GSCALE_PUBLISH;
}

/* Substitutes one action by the rules at the top of this file. */
static void substitute(gscale__emit *e, gscale_action a, gscale__note note)
{
  const bool slot = note.serves == GSCALE__SERVES_PHASE;

  e->parity = a.parity;
  e->thread = a.thread;
  e->part = note.part;
  e->gpu = in_stream(a.kind) ? given(e)->stream_gpu[a.stream] : 0;
  e->at = in_stream(a.kind)
              ? a.stream - e->gpu * (given(e)->streams / given(e)->gpus)
              : 0;
  if (!slot && (a.kind <= GSCALE_GRAPH || a.kind == GSCALE_PUBLISH))
    turn_to_phase(e, e->script->as.work[a.length].phase);
  else if (!slot && a.kind != GSCALE_BARRIER)
    a.length += e->slots;
  if (a.kind == GSCALE_BARRIER) {
    if (e->script->in_short) turn_to_phase(e, (size_t)a.length);
    meet(e, a);
  } else if (!in_stream(a.kind)) {
    gscale__emit_put(e, a);
  } else if (a.kind <= GSCALE_GRAPH && !slot) {
    launch(e);
  } else if (a.kind == GSCALE_PUBLISH) {
    publish(e);
  } else if (a.kind == GSCALE_SYNC_STREAM) {
    synchronize(e);
  } else {
    put_in_stream(e, a, note.serves);
  }
}

/* ---- steps --------------------------------------------------------------- */

/* Returns the GPU that records each event, or NULL if memory is exhausted. */
static int *recorders(const gscale_schedule *s)
{
  int *gpu = calloc((size_t)s->events + 1, sizeof *gpu);

  for (size_t i = 0; gpu && i < s->actions; i++)
    if (s->action[i].kind == GSCALE_RECORD)
      gpu[s->action[i].event] = s->stream_gpu[s->action[i].stream];
  return gpu;
}

/* Substitutes all actions.  The k-th publishes of all GPUs form one collective,
 * counted separately in even and odd steps. */
static void substitute_all(gscale__emit *e, const int *recorder, size_t *turn)
{
  const gscale_schedule *s = given(e);
  size_t most = 0;

  e->n = 0;
  e->far = 0.0;
  for (size_t i = 0; i < s->actions && !e->failed; i++) {
    const gscale_action *a = &s->action[i];
    const gscale__note note =
        e->script->note ? e->script->note[i] : (gscale__note){0};
    if (note.serves == GSCALE__SERVES_OTHERS && e->m->joined) continue;
    if (a->kind == GSCALE_WAIT)
      e->far += recorder[a->event] != s->stream_gpu[a->stream];
    if (a->kind != GSCALE_PUBLISH) {
      substitute(e, *a, note);
      continue;
    }
    size_t *mine = &turn[(int)a->parity * s->gpus + s->stream_gpu[a->stream]];
    e->turn = *mine;
    substitute(e, *a, note);
    if (++*mine > most) most = *mine;
  }
  e->turn = most;
}

/* The second pass knows the work that the previous step left in the streams. */
bool gscale__substitute(gscale__emit *e)
{
  const size_t all = (size_t)(GSCALE_PARITY_END * given(e)->gpus);
  size_t *turn = calloc(2 * all, sizeof *turn);
  int *recorder = recorders(given(e));
  const bool ok = turn && recorder;

  e->place = calloc((size_t)given(e)->streams + 1, sizeof *e->place);
  for (size_t i = 0; ok && e->place && i < 2; i++)
    substitute_all(e, recorder, turn + i * all);
  free(turn);
  free(recorder);
  return ok && e->place;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
