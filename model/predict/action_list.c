/* action_list.c - lists of actions, from a program's and a paradigm's calls. */

#include "predict/action_list.h"

#include <stdlib.h>

/* ---- phases -------------------------------------------------------------- */

/* Returns true if a kernel in the second stream computes what leaves the
 * node. */
static bool splits(const gscale__emit *e)
{
  return e->f->far.out > 0.0 && !e->m->joined && e->m->splits &&
         e->m->splits(e->f);
}

void gscale__emit_phase_kernels(gscale__emit *e)
{
  const gscale_calls *c = &e->f->calls;

  if ((e->f->out > 0.0 || splits(e)) && e->m->launch)
    e->m->launch(e);
  else
    gscale__emit_kernels(e, GSCALE__MAIN);
  if (c->launches + c->copies + c->events > 0.0)
    gscale__emit_calls(e, GSCALE__OWN_CALLS);
  if (c->launches >= 1.0) /* the last launch also has to end */
    gscale__emit_launch(e, GSCALE__LAST_KERNEL, GSCALE__MAIN);
}

/* Returns true if the paradigm's publish() has data to move: data inside a
 * node, or a collective of all nodes. */
static bool publishes(const gscale__emit *e)
{
  return e->m->publish &&
         (e->f->out > 0.0 || (e->m->joined && e->f->far.out > 0.0));
}

/* Records the current end of a stream. */
static void put_record(gscale__emit *e, gscale__stream s, int event)
{
  gscale__emit_put(e, (gscale_action){.kind = GSCALE_RECORD,
                                      .stream = gscale__emit_stream(e, s),
                                      .event = event});
}

static void sync_event(gscale__emit *e, int event)
{
  gscale__emit_put(e,
                   (gscale_action){.kind = GSCALE_SYNC_EVENT, .event = event});
}

/* The host waits for the earlier messages before it posts new ones. */
void gscale__emit_posts(gscale__emit *e, int arrived)
{
  sync_event(e, arrived);
  gscale__emit_calls(e, GSCALE__POSTS);
  gscale__emit_copy(e, GSCALE__MESSAGES, GSCALE__NETWORK);
  put_record(e, GSCALE__NETWORK, arrived);
}

/* Once the earlier messages have arrived, a kernel of one thread posts messages
 * and takes completions.  The posting kernel runs after the kernels that make
 * the messages and before the next work of the stream ([Oden14] 5.8.2). */
static void send_late(gscale__emit *e, gscale__stream made,
                      const gscale__sent_events *at)
{
  gscale__emit_put(e, (gscale_action){.kind = GSCALE_WAIT,
                                      .stream = gscale__emit_stream(e, made),
                                      .event = at->arrived});
  gscale__emit_launch(e, GSCALE__POSTS, made);
  gscale__emit_order(e, made, GSCALE__NETWORK, at->made);
  gscale__emit_launch(e, GSCALE__MESSAGES, GSCALE__NETWORK);
  put_record(e, GSCALE__NETWORK, at->arrived);
}

/* Puts messages of hosts to other nodes after the kernels that make them. */
bool gscale__emit_phase_copies(gscale__emit *e, const gscale__sent_events *at)
{
  const bool leaves =
      e->f->far.out > 0.0 && !e->m->joined && !gscale__emit_first(e);
  const bool late = gscale__late(e->p), posts = leaves && !e->by_device;
  const gscale__stream made = splits(e) ? GSCALE__BESIDE : GSCALE__MAIN;

  if (posts) put_record(e, made, at->made);
  if (leaves && e->by_device && late) send_late(e, made, at);
  if (publishes(e)) e->m->publish(e);
  if (!posts) return false;
  sync_event(e, at->made);
  gscale__emit_calls(e, late ? GSCALE__STAGES : GSCALE__MESSAGES);
  return late;
}

static void wait_for(gscale__emit *e, gscale__stream s)
{
  const int stream = gscale__emit_stream(e, s);

  if (e->used[stream] || s == GSCALE__MAIN)
    gscale__emit_put(
        e, (gscale_action){.kind = GSCALE_SYNC_STREAM, .stream = stream});
  e->used[stream] = false;
}

/* A GPU's thread first waits for copies that overlap the kernels.  The last
 * wait is for other work of the second stream, which ends with the kernels. */
void gscale__emit_sync(gscale__emit *e)
{
  wait_for(e, e->beside ? GSCALE__BESIDE : GSCALE__MAIN);
  wait_for(e, e->beside ? GSCALE__MAIN : GSCALE__BESIDE);
}

void gscale__emit_order(gscale__emit *e, gscale__stream from, gscale__stream to,
                        int event)
{
  gscale__emit_put(e, (gscale_action){.kind = GSCALE_RECORD,
                                      .stream = gscale__emit_stream(e, from),
                                      .event = event});
  gscale__emit_put(e, (gscale_action){.kind = GSCALE_WAIT,
                                      .stream = gscale__emit_stream(e, to),
                                      .event = event});
}

bool gscale__streamed(const gscale_plan *p, const gscale__paradigm *m)
{
  bool sends = false, once = true;

  if (!m->in_stream) return false;
  for (size_t i = 0; i < p->phases; i++) {
    const double repeats = p->phase[i].repeats;
    sends = sends || gscale__sends(&p->phase[i]);
    once = once && repeats > 0.5 && repeats < 1.5;
  }
  return sends && once && p->phases > 1 && p->host.waits == GSCALE_WAITS_PHASE;
}

/* ---- lists --------------------------------------------------------------- */

static gscale_status no_memory(gscale_diag *diag)
{
  return gscale__fail(diag, GSCALE_ENOMEM, "no memory for a schedule");
}

static int events_of(const gscale__emit *e)
{
  const int named = gscale__substitute_events(e);

  return named > (int)e->turn ? named : (int)e->turn;
}

static gscale_status write_down(gscale__emit *e, gscale_diag *diag)
{
  const gscale_schedule *s = &e->script->as.schedule;

  e->used = calloc((size_t)(s->gpus * e->streams), sizeof *e->used);
  e->waited = calloc((size_t)s->threads, sizeof *e->waited);
  if (!e->used || !e->waited || !gscale__substitute(e)) return no_memory(diag);
  if (e->n > GSCALE__ACTIONS_MAX)
    return gscale__fail(diag, GSCALE_ESIZE,
                        "the schedule of %d GPUs has more than %d actions",
                        s->gpus, GSCALE__ACTIONS_MAX);
  return e->failed ? no_memory(diag) : GSCALE_OK;
}

/* Returns the share of waits that are for other GPUs, or 1 without waits. */
static double far_of(const gscale__emit *e)
{
  double waits = 0.0;

  for (size_t i = 0; i < e->n; i++) waits += e->action[i].kind == GSCALE_WAIT;
  return waits > 0.0 ? e->far / waits : 1.0;
}

/* Hashes the actions, which have no padding, by FNV-1a [Fowler91]. */
static uint64_t hash_of(const gscale_schedule *s)
{
  const int *word = (const int *)(const void *)s->action;
  const size_t words = s->actions * (sizeof *s->action / sizeof *word);
  uint64_t h = 0xcbf29ce484222325u;

  for (size_t i = 0; i < words; i++)
    h = (h ^ (unsigned)word[i]) * 0x100000001b3u;
  return h;
}

/* Moves the list of actions into the schedule. */
static gscale_status keep(gscale__emit *e, gscale__listed **out,
                          gscale_diag *diag)
{
  const gscale_schedule *s = &e->script->as.schedule;
  const int streams = s->gpus * e->streams;
  gscale__listed *l = calloc(1, sizeof *l);
  int *gpu = malloc((size_t)streams * sizeof *gpu);

  if (!l || !gpu) {
    free(l);
    free(gpu);
    return no_memory(diag);
  }
  for (int i = 0; i < streams; i++) gpu[i] = i / e->streams;
  l->schedule = (gscale_schedule){.gpus = s->gpus,
                                  .threads = s->threads,
                                  .streams = streams,
                                  .events = events_of(e),
                                  .durations = e->slots + s->durations,
                                  .stream_gpu = gpu,
                                  .actions = e->n,
                                  .action = e->action,
                                  .depth = s->depth,
                                  .crowd = 1.0};
  l->far = far_of(e);
  l->alone = e->alone;
  l->late = gscale__late(e->p);
  l->behind_waits = e->script->behind_waits;
  l->hash = hash_of(&l->schedule);
  e->action = NULL;
  *out = l;
  return GSCALE_OK;
}

gscale_status gscale__list_new(const gscale_plan *p, const gscale__paradigm *m,
                               const gscale__script *script, size_t first,
                               size_t phases, bool by_device, bool alone,
                               gscale__listed **out, gscale_diag *diag)
{
  const gscale_schedule *s = &script->as.schedule;
  gscale__emit e = {.p = p,
                    .m = m,
                    .script = script,
                    .first = first,
                    .alone = alone,
                    .by_device = by_device,
                    .gpus = s->gpus,
                    .streams = s->streams / s->gpus * gscale__emit_each(p),
                    .slots = (int)phases * GSCALE__SLOTS};
  gscale_status st = write_down(&e, diag);

  if (st == GSCALE_OK) st = keep(&e, out, diag);
  free(e.used);
  free(e.waited);
  free(e.place);
  free(e.action);
  return st;
}

void gscale__list_free(gscale__listed *l)
{
  if (!l) return;
  gscale__form_close(&l->form);
  free((void *)l->schedule.action);
  free((void *)l->schedule.stream_gpu);
  free(l);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
