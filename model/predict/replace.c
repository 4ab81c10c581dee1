/* replace.c - a program's own schedule with a paradigm's calls in it: for each
 * launch of a phase its kernels, and for each publish what moves its data.
 *
 *   launch       as the paradigm launches the phase, in that stream
 *   publish      as it moves the data: copies, a collective, nothing
 *   synchronize  waits for the second stream, too
 *   all else     as it is written
 *
 * What a paradigm does beside kernels it does in a second stream of its own,
 * one for each of the program's.  That begins behind what is in the first when
 * a phase is launched, unless the host has waited for all of it; what follows
 * the publish in the first, a record, a kernel, a copy, waits for the second.
 */

#include "predict/emit.h"

#include <stdlib.h>
#include <string.h>

/* What one of the program's streams has begun. */
struct gscale__place {
  bool main;   /* in itself, since the second was last behind all of it */
  bool beside; /* in the second, which it is not behind yet */
  bool row;    /* copies, behind its last launch, are in the second */
};

typedef struct gscale__place place;

static int own_streams(const gscale__emit *e)
{
  return e->as->schedule.streams / e->gpus;
}

int gscale__replace_streams(const gscale__emit *e)
{
  return own_streams(e) * GSCALE__STREAMS;
}

/* ---- events ---------------------------------------------------------------
 */

/* The program's; then, for each of its streams, two between it and its second
 * one. */
enum {
  FORK,
  JOIN,
  OWN_EVENTS
};

int gscale__replace_events(const gscale__emit *e)
{
  return e->as->schedule.events + OWN_EVENTS * e->as->schedule.streams;
}

static place *place_of(const gscale__emit *e)
{
  return &e->place[e->gpu * own_streams(e) + e->at];
}

static void put_order(gscale__emit *e, gscale__stream from, gscale__stream to,
                      int which)
{
  const int event = e->as->schedule.events +
                    OWN_EVENTS * (e->gpu * own_streams(e) + e->at) + which;

  gscale__emit_order(e, from, to, event);
}

/* The second stream follows the first. */
static void fork_streams(gscale__emit *e)
{
  if (place_of(e)->main) put_order(e, GSCALE__MAIN, GSCALE__BESIDE, FORK);
  place_of(e)->main = false;
}

/* The first follows the second. */
static void join_streams(gscale__emit *e)
{
  if (place_of(e)->beside) put_order(e, GSCALE__BESIDE, GSCALE__MAIN, JOIN);
  place_of(e)->beside = false;
}

/* ---- actions --------------------------------------------------------------
 */

/* Whether any of the actions from there on is work of the second stream. */
static bool uses_second(const gscale__emit *e, size_t from)
{
  const int second = gscale__emit_stream(e, GSCALE__BESIDE);

  for (; from < e->n; from++)
    if (e->action[from].kind <= GSCALE_COLLECTIVE &&
        e->action[from].stream == second)
      return true;
  return false;
}

static void turn_to_phase(gscale__emit *e, const gscale_action *a)
{
  e->phase = e->as->work[a->length].phase;
  e->f = &e->p->phase[e->phase];
}

static void launch(gscale__emit *e, const gscale_action *a)
{
  place *s = place_of(e);

  turn_to_phase(e, a);
  join_streams(e);
  if (e->m->beside && e->f->out > 0.0) fork_streams(e);
  const size_t from = e->n;
  e->beside = s->row = false;
  gscale__emit_phase_kernels(e);
  s->main = true;
  s->beside = uses_second(e, from);
}

static void publish(gscale__emit *e, const gscale_action *a)
{
  place *s = place_of(e);
  const size_t from = e->n;

  turn_to_phase(e, a);
  e->beside = s->row;
  gscale__emit_phase_copies(e);
  s->row = e->beside;
  s->beside = s->beside || uses_second(e, from);
}

static void synchronize(gscale__emit *e)
{
  place *s = place_of(e);

  e->beside = s->row;
  gscale__emit_settle(e);
  s->main = s->beside = false;
}

/* Anything else in a stream, in the first of the two. */
static void put_there(gscale__emit *e, gscale_action a)
{
  if (a.kind != GSCALE_WAIT) join_streams(e);
  a.stream = gscale__emit_stream(e, GSCALE__MAIN);
  a.length += (int)e->phases * GSCALE__SLOTS;
  if (a.kind <= GSCALE_COLLECTIVE) e->used[a.stream] = true;
  place_of(e)->main = true;
  gscale__emit_put(e, a);
}

static void put_elsewhere(gscale__emit *e, gscale_action a)
{
  if (a.kind == GSCALE_HOST_WORK) a.length += (int)e->phases * GSCALE__SLOTS;
  gscale__emit_put(e, a);
}

/* By the rules at the top of this file. */
static void replace(gscale__emit *e, const gscale_action *a)
{
  const gscale_schedule *s = &e->as->schedule;
  const bool streamed =
      a->kind <= GSCALE_SYNC_STREAM || a->kind == GSCALE_PUBLISH;

  e->parity = a->parity;
  e->thread = a->thread;
  e->gpu = streamed ? s->stream_gpu[a->stream] : 0;
  e->at = streamed ? a->stream - e->gpu * own_streams(e) : 0;
  if (!streamed)
    put_elsewhere(e, *a);
  else if (a->kind <= GSCALE_GRAPH)
    launch(e, a);
  else if (a->kind == GSCALE_PUBLISH)
    publish(e, a);
  else if (a->kind == GSCALE_SYNC_STREAM)
    synchronize(e);
  else
    put_there(e, *a);
}

/* ---- a step ---------------------------------------------------------------
 */

/* All actions; the k-th publish of a GPU is, as a collective, one with the k-th
 * of the others, apart in even and odd steps. */
static bool replace_all(gscale__emit *e)
{
  const gscale_schedule *s = &e->as->schedule;
  const size_t n = (size_t)(GSCALE_PARITY_END * s->gpus);
  size_t *turn = calloc(n, sizeof *turn), most = 0;

  for (size_t i = 0; turn && i < s->actions && !e->failed; i++) {
    const gscale_action *a = &s->action[i];
    const bool publishes = a->kind == GSCALE_PUBLISH;
    size_t *mine =
        publishes ? &turn[(int)a->parity * s->gpus + s->stream_gpu[a->stream]]
                  : &e->turn;
    e->turn = *mine;
    replace(e, a);
    *mine += publishes;
    if (*mine > most) most = *mine;
  }
  e->turn = most;
  free(turn);
  return turn != NULL;
}

/* Waits for events of other GPUs, all being recorded somewhere. */
static bool count_far(gscale__emit *e)
{
  const gscale_schedule *s = &e->as->schedule;
  int *gpu = calloc((size_t)s->events + 1, sizeof *gpu);

  for (size_t i = 0; gpu && i < s->actions; i++)
    if (s->action[i].kind == GSCALE_RECORD)
      gpu[s->action[i].event] = s->stream_gpu[s->action[i].stream];
  e->far = 0.0;
  for (size_t i = 0; gpu && i < s->actions; i++)
    if (s->action[i].kind == GSCALE_WAIT)
      e->far += gpu[s->action[i].event] != s->stream_gpu[s->action[i].stream];
  free(gpu);
  return gpu != NULL;
}

/* Twice: a step finds what the one before has left in the streams. */
bool gscale__replace(gscale__emit *e)
{
  const size_t streams = (size_t)e->as->schedule.streams;

  e->place = calloc(streams + 1, sizeof *e->place);
  if (!e->place || !replace_all(e)) return false;
  e->n = 0;
  return replace_all(e) && count_far(e);
}
