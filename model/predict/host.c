/* host.c - the calls of a host that a workload describes in short
 * (gscale_host).
 *
 * The calls form a list like that of a program's own schedule: launches and
 * publishes of phases, waits and barriers. substitute.c adds a paradigm's
 * calls. */

#include "predict/action_list.h"

#include <math.h>
#include <stdlib.h>

enum {
  DEPTH = 1024 /* entries in the queue of a stream */
};

typedef struct writer {
  const gscale_plan *p;
  size_t first, phases, phase; /* first phase of the step; current phase */
  gscale_waits waits;
  int gpus, threads, gpu;               /* number; number; current GPU */
  const gscale__phase_plan *f, *before; /* current phase; previous phase */
  size_t turn;                          /* phases since the first of the step */
  bool first_turn, last_turn; /* the first or last phase of the step */
  gscale_parity parity;
  gscale__part part;
  gscale__script *out;
  size_t room;
  bool failed;
} writer;

/* ---- lines --------------------------------------------------------------- */

static bool make_room(writer *w)
{
  gscale__script *s = w->out;
  const size_t n = s->as.schedule.actions, room = 2 * n + 64;

  if (n < w->room) return true;
  gscale_action *a = realloc((void *)s->as.schedule.action, room * sizeof *a);
  if (a) s->as.schedule.action = a;
  gscale__note *note = realloc(s->note, room * sizeof *note);
  if (note) s->note = note;
  w->room = a && note ? room : 0;
  return a && note;
}

static void put_by(writer *w, int thread, gscale_action a, gscale__serves for_)
{
  gscale_schedule *s = &w->out->as.schedule;

  w->failed = w->failed || s->actions > GSCALE__ACTIONS_MAX || !make_room(w);
  if (w->failed) return;
  a.parity = w->parity;
  a.thread = thread;
  w->out->note[s->actions] = (gscale__note){for_, w->part};
  ((gscale_action *)s->action)[s->actions++] = a;
}

static void put(writer *w, gscale_action a, gscale__serves for_)
{
  a.stream = w->gpu;
  put_by(w, w->gpu % w->threads, a, for_);
}

static void put_kind(writer *w, gscale_action_kind kind)
{
  put(w, (gscale_action){.kind = kind, .length = (int)w->phase},
      GSCALE__SERVES_ALL);
}

/* Puts an action that has the duration of a slot of the phase. */
static void put_slot(writer *w, gscale_action_kind kind, gscale__slot s)
{
  put(w,
      (gscale_action){.kind = kind,
                      .length = (int)w->phase * GSCALE__SLOTS + (int)s},
      GSCALE__SERVES_PHASE);
}

static void for_all(writer *w, void (*what)(writer *w))
{
  for (w->gpu = 0; w->gpu < w->gpus; w->gpu++) what(w);
  w->gpu = 0;
}

/* ---- events -------------------------------------------------------------- */

static int done(const writer *w, int gpu, bool last)
{
  return GSCALE__HOST_EVENTS * gpu + GSCALE__DONE_EVENT +
         (int)((w->turn + last) % 2);
}

static int norm_event(const writer *w, bool odd)
{
  return GSCALE__HOST_EVENTS * w->gpu + GSCALE__NORM_EVENT + odd;
}

/* Around a phase that moves data, GPUs wait for each other's events if the host
 * does not wait for the phase. */
static bool exchanges(const writer *w, const gscale__phase_plan *f)
{
  return w->p->host.waits != GSCALE_WAITS_PHASE && gscale__sends(f);
}

static void wait_done(writer *w, int gpu)
{
  put(w, (gscale_action){.kind = GSCALE_WAIT, .event = done(w, gpu, true)},
      GSCALE__SERVES_OTHERS);
}

/* A GPU waits for the previous phase of two groups of GPUs: those whose data
 * the GPU reads, and those that read data which the GPU overwrites.  The host
 * itself waits for all GPUs before the first phase of a step. */
static void follow_others(writer *w)
{
  gscale__side f[GSCALE__FACES_MAX];
  const bool faces = w->before->to == GSCALE_TO_NEIGHBOURS;
  const int all = w->p->near;

  if (w->first_turn && w->waits == GSCALE_WAITS_STEP) return;
  if (!exchanges(w, w->before)) return;
  const int n = faces ? gscale__faces_of(&w->before->grid, w->gpu, f) : 0;
  for (int i = 0; i < n; i++) /* faces in the same node */
    if (f[i].to < all && (i == 0 || f[i].to != f[i - 1].to))
      wait_done(w, f[i].to);
  for (int j = 0; j < all && !faces; j++)
    if (j != w->gpu) wait_done(w, j);
}

/* Records the end of a phase, unless the host waits for a last phase. */
static void record_done(writer *w)
{
  if (w->last_turn && w->waits == GSCALE_WAITS_STEP) return;
  if (exchanges(w, w->f))
    put(w,
        (gscale_action){.kind = GSCALE_RECORD, .event = done(w, w->gpu, false)},
        GSCALE__SERVES_OTHERS);
}

/* ---- calls --------------------------------------------------------------- */

static void turn_to(writer *w)
{
  if (w->threads < w->gpus)
    put(w, (gscale_action){.kind = GSCALE_SET_DEVICE, .peer = w->gpu},
        GSCALE__SERVES_ALL);
}

/* Puts the norm after the kernels of the last phase. */
static void put_norm(writer *w)
{
  const gscale_host *h = &w->p->host;

  if (!(h->norm.copy > 0.0) || w->first + w->phase + 1 < w->p->phases) return;
  if (h->norm.clear) put_slot(w, GSCALE_MEMSET, GSCALE__CLEAR);
  if (h->norm.bytes + h->norm.flop > 0.0)
    put_slot(w, GSCALE_LAUNCH, GSCALE__NORM);
  put_slot(w, GSCALE_COPY_D2H, GSCALE__FETCH);
  if (w->waits == GSCALE_WAITS_NEVER)
    put(w,
        (gscale_action){.kind = GSCALE_RECORD,
                        .event = norm_event(w, w->parity == GSCALE_ODD_STEPS)},
        GSCALE__SERVES_PHASE);
}

/* Makes the host read the norm of this step, or of the previous step. */
static void read_norm(writer *w)
{
  const bool odd = (w->parity == GSCALE_ODD_STEPS) != w->p->host.norm.late;

  put(w,
      (gscale_action){.kind = GSCALE_SYNC_EVENT, .event = norm_event(w, odd)},
      GSCALE__SERVES_ALL);
}

static void synchronize(writer *w)
{
  put_kind(w, GSCALE_SYNC_STREAM);
}

/* All threads of each node meet, and then the nodes meet. */
static void meet(writer *w)
{
  for (w->gpu = 0; w->gpu < w->threads; w->gpu++) put_kind(w, GSCALE_BARRIER);
  for (w->gpu = 0; w->p->nodes > 1 && w->gpu < w->threads; w->gpu++)
    put_slot(w, GSCALE_HOST_WORK, GSCALE__MEETING);
  w->gpu = 0;
}

/* ---- phases -------------------------------------------------------------- */

static void begin(writer *w)
{
  turn_to(w);
  follow_others(w);
  put_kind(w, GSCALE_LAUNCH);
  put_norm(w);
}

static void end(writer *w)
{
  if (gscale__sends(w->f)) put_kind(w, GSCALE_PUBLISH);
  record_done(w);
}

static void whole(writer *w)
{
  begin(w);
  end(w);
}

static void copies_again(writer *w)
{
  turn_to(w);
  end(w);
}

/* Sets which copies come next: those to some peers, or those to one side.  A
 * single peer gets all copies in the first part. */
static void put_part(writer *w, bool last)
{
  const bool by_peer = w->p->host.by_peer && w->p->near == 2;

  w->part = by_peer ? (last ? GSCALE__NO_PEERS : GSCALE__ALL_PEERS)
                    : (last ? GSCALE__LAST_SIDE : GSCALE__FIRST_SIDE);
}

/* Two barriers of a phase are after its kernels and at its end, and a third one
 * is after the issue of copies.  Five or seven barriers are after the issue of
 * kernels, after the end of kernels, around the wait for each of one or two
 * parts of the copies, and at the end of the phase. */
static void with_barriers(writer *w, int barriers)
{
  for_all(w, begin);
  if (barriers > 3) meet(w);
  for_all(w, synchronize);
  meet(w);
  if (barriers <= 3) for_all(w, copies_again);
  if (barriers == 3) meet(w);
  for (int part = 3; part < barriers; part += 2) {
    if (barriers == 7) put_part(w, part > 3);
    for_all(w, copies_again);
    meet(w);
    for_all(w, synchronize);
    meet(w);
  }
  w->part = GSCALE__WHOLE;
}

static void put_phase(writer *w)
{
  const gscale_host *h = &w->p->host;

  w->f = &w->p->phase[w->first + w->phase];
  if (h->barriers > 1 && h->waits == w->waits) {
    with_barriers(w, h->barriers);
  } else if (h->order == GSCALE_ORDER_GPU) {
    for_all(w, whole);
  } else {
    for_all(w, begin);
    for_all(w, copies_again);
  }
  w->turn++;
  if (w->waits != GSCALE_WAITS_PHASE) return;
  if (h->barriers <= 3) for_all(w, synchronize);
  meet(w);
}

/* Returns how often a phase is written: once if the host waits for the phase,
 * else as often as the phase repeats. */
static double times_of(const gscale_plan *p, size_t phase)
{
  if (p->host.waits == GSCALE_WAITS_PHASE) return 1.0;
  return gscale__max(1.0, floor(p->phase[phase].repeats + 0.5));
}

/* Puts the own work of each host thread, once per step. */
static void put_fixed(writer *w)
{
  if (!(w->p->host.fixed > 0.0) || w->first > 0) return;
  for (w->gpu = 0; w->gpu < w->threads; w->gpu++)
    put_slot(w, GSCALE_HOST_WORK, GSCALE__FIXED);
  w->gpu = 0;
}

static void put_step(writer *w)
{
  put_fixed(w);
  w->before = &w->p->phase[w->first + w->phases - 1];
  w->first_turn = true;
  for (w->phase = 0; w->phase < w->phases && !w->failed; w->phase++)
    for (double r = times_of(w->p, w->first + w->phase); r > 0.0 && !w->failed;
         r -= 1.0) {
      w->last_turn = w->phase + 1 == w->phases && !(r > 1.0);
      put_phase(w);
      w->before = w->f;
      w->first_turn = false;
    }
  w->phase = 0;
  if (w->waits == GSCALE_WAITS_STEP) {
    for_all(w, synchronize);
    meet(w);
  }
  if (w->waits == GSCALE_WAITS_NEVER && w->p->host.norm.copy > 0.0)
    for_all(w, read_norm);
}

/* ---- scripts ------------------------------------------------------------- */

static gscale_status no_memory(gscale_diag *diag)
{
  return gscale__fail(diag, GSCALE_ENOMEM, "no memory for a schedule");
}

/* Creates one stream per GPU and the work of each phase. */
static bool open_script(writer *w)
{
  gscale_schedule *s = &w->out->as.schedule;
  int *gpu = malloc((size_t)w->gpus * sizeof *gpu);
  gscale_work *work = calloc(w->phases, sizeof *work);

  s->gpus = s->streams = w->gpus;
  s->threads = w->threads;
  s->events = GSCALE__HOST_EVENTS * w->gpus;
  s->depth = w->waits == GSCALE_WAITS_NEVER ? DEPTH : 0;
  s->stream_gpu = gpu;
  w->out->as.work = work;
  for (int i = 0; gpu && i < w->gpus; i++) gpu[i] = i;
  for (size_t i = 0; work && i < w->phases; i++) work[i].phase = i;
  return gpu && work;
}

static gscale_status write_down(writer *w, gscale_diag *diag)
{
  const bool turns = w->waits == GSCALE_WAITS_NEVER;

  if (!open_script(w)) return no_memory(diag);
  for (int odd = 0; odd < (turns ? 2 : 1) && !w->failed; odd++) {
    if (turns) w->parity = odd ? GSCALE_ODD_STEPS : GSCALE_EVEN_STEPS;
    put_step(w);
  }
  if (w->out->as.schedule.actions > GSCALE__ACTIONS_MAX)
    return gscale__fail(diag, GSCALE_ESIZE,
                        "the schedule of %d GPUs has more than %d actions",
                        w->gpus, GSCALE__ACTIONS_MAX);
  return w->failed ? no_memory(diag) : GSCALE_OK;
}

gscale_status gscale__host_script(const gscale_plan *p, size_t first,
                                  size_t phases, int gpus, gscale__script *out,
                                  gscale_diag *diag)
{
  const gscale_waits waits = p->host.waits;
  writer w = {.p = p,
              .first = first,
              .phases = phases,
              .waits = phases > 1 && waits == GSCALE_WAITS_PHASE
                           ? GSCALE_WAITS_STEP
                           : waits,
              .gpus = gpus,
              .threads = p->threads < gpus ? p->threads : gpus,
              .parity = GSCALE_EVERY_STEP,
              .out = out};

  *out =
      (gscale__script){.in_short = true, .behind_waits = p->host.barriers > 1};
  const gscale_status st = write_down(&w, diag);
  if (st != GSCALE_OK) gscale__script_free(out);
  return st;
}

void gscale__script_free(gscale__script *s)
{
  if (!s->in_short) return;
  free((void *)s->as.schedule.action);
  free((void *)s->as.schedule.stream_gpu);
  free((void *)s->as.work);
  free(s->note);
  *s = (gscale__script){0};
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
