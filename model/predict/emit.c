/* emit.c - the schedule of a step: what the host threads call, GPU by GPU, with
 * a paradigm's kernels and copies in the places where the program has its own.
 *
 * Where each GPU has a thread, and all wait for each other in every step, one
 * GPU stands for all: the others do the same at the same time, or less, and the
 * barrier is a duration.  Otherwise all GPUs are written down. */

#include "predict/emit.h"
#include "describe/program.h"

#include <math.h>
#include <stdlib.h>

enum {
  DEPTH = 1024 /* entries of a stream that the driver takes */
};

/* ---- events ---------------------------------------------------------------
 */

/* A GPU has two by turns for its phases, this one is done and the one before
 * was; two for its norm, of even and of odd steps; and those between its own
 * streams. */
enum {
  DONE_EVENT,
  NORM_EVENT = DONE_EVENT + 2,
  FORK_EVENT = NORM_EVENT + 2,
  JOIN_EVENT,
  KERNELS_EVENT, /* its kernels have ended */
  EVENTS
};

const char *gscale__event_name(int event)
{
  static const char *const names[EVENTS] = {"done", "done", "norm",   "norm",
                                            "fork", "join", "kernels"};
  return names[event % EVENTS];
}

int gscale__event_gpu(int event)
{
  return event / EVENTS;
}

static int done(const gscale__emit *e, int gpu, bool last)
{
  return EVENTS * gpu + DONE_EVENT + (int)((e->turn + last) % 2);
}

static int norm_event(const gscale__emit *e, bool odd)
{
  return EVENTS * e->gpu + NORM_EVENT + odd;
}

/* ---- what a program does around them --------------------------------------
 */

static bool publishes(const gscale__emit *e)
{
  return gscale__publishes(e->m, e->f);
}

/* Behind the kernels of the last phase. */
static void put_norm(gscale__emit *e)
{
  const gscale_host *h = &e->p->host;
  const int stream = gscale__emit_stream(e, GSCALE__MAIN);

  if (!(h->norm.copy > 0.0) || e->first + e->phase + 1 < e->p->phases) return;
  if (h->norm.clear)
    gscale__emit_work(e, GSCALE_MEMSET, GSCALE__CLEAR, GSCALE__MAIN);
  if (h->norm.bytes + h->norm.flop > 0.0)
    gscale__emit_work(e, GSCALE_LAUNCH, GSCALE__NORM, GSCALE__MAIN);
  gscale__emit_work(e, GSCALE_COPY_D2H, GSCALE__FETCH, GSCALE__MAIN);
  if (e->waits == GSCALE_WAITS_NEVER)
    gscale__emit_put(e, (gscale_action){.kind = GSCALE_RECORD,
                                        .stream = stream,
                                        .event = norm_event(
                                            e, e->parity == GSCALE_ODD_STEPS)});
}

void gscale__emit_phase_kernels(gscale__emit *e)
{
  if (e->f->out > 0.0 && e->m->launch)
    e->m->launch(e);
  else
    gscale__emit_kernels(e, GSCALE__MAIN);
  if (gscale__calls_more(e->f)) gscale__emit_calls(e, GSCALE__OWN_CALLS);
  if (e->f->calls.launches >= 1.0) /* the last of them has to end as well */
    gscale__emit_launch(e, GSCALE__LAST_KERNEL, GSCALE__MAIN);
  put_norm(e);
}

void gscale__emit_phase_copies(gscale__emit *e)
{
  if (publishes(e)) e->m->publish(e);
}

static void wait_for(gscale__emit *e, gscale__stream s)
{
  const int stream = gscale__emit_stream(e, s);

  if (e->used[stream] || s == GSCALE__MAIN)
    gscale__emit_put(
        e, (gscale_action){.kind = GSCALE_SYNC_STREAM, .stream = stream});
  e->used[stream] = false;
}

/* Messages to other nodes, by the host. */
static bool posts(const gscale__emit *e)
{
  return e->f->far.out > 0.0 && !e->m->joined && !e->by_device && e->part != 1;
}

static void note_kernels_end(gscale__emit *e)
{
  if (posts(e))
    gscale__emit_put(
        e, (gscale_action){.kind = GSCALE_RECORD,
                           .stream = gscale__emit_stream(e, GSCALE__MAIN),
                           .event = EVENTS * e->gpu + KERNELS_EVENT});
}

static void post_messages(gscale__emit *e)
{
  if (!posts(e)) return;
  gscale__emit_put(e,
                   (gscale_action){.kind = GSCALE_SYNC_EVENT,
                                   .event = EVENTS * e->gpu + KERNELS_EVENT});
  gscale__emit_calls(e, GSCALE__MESSAGES);
}

/* A GPU's thread waits for what it has issued there: for a row of copies beside
 * the kernels first, for anything else last; it has ended with them. */
void gscale__emit_settle(gscale__emit *e)
{
  wait_for(e, e->beside ? GSCALE__BESIDE : GSCALE__MAIN);
  wait_for(e, e->beside ? GSCALE__MAIN : GSCALE__BESIDE);
}

static void for_all(gscale__emit *e, void (*what)(gscale__emit *e))
{
  for (e->gpu = 0; e->gpu < e->gpus; e->gpu++) what(e);
  e->gpu = 0;
}

/* All threads meet. */
static void meet(gscale__emit *e)
{
  if (e->alone)
    gscale__emit_calls(e,
                       e->waited[0] ? GSCALE__BARRIER_LATE : GSCALE__BARRIER);
  for (e->gpu = 0; !e->alone && e->gpu < e->threads; e->gpu++)
    gscale__emit_put(e, (gscale_action){.kind = GSCALE_BARRIER});
  for (e->gpu = 0; e->p->nodes > 1 && e->gpu < e->threads; e->gpu++)
    gscale__emit_calls(e, GSCALE__MEETING);
  e->gpu = 0;
}

static void turn_to(gscale__emit *e)
{
  if (e->threads < e->gpus)
    gscale__emit_put(
        e, (gscale_action){.kind = GSCALE_SET_DEVICE, .peer = e->gpu});
}

/* ---- events between GPUs --------------------------------------------------
 */

bool gscale__exchanges(const gscale_plan *p, const gscale__paradigm *m,
                       const gscale__phase_plan *f)
{
  return p->host.waits != GSCALE_WAITS_PHASE && gscale__sends(f) && !m->ideal &&
         !m->in_stream;
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

/* Between two streams of a GPU, by one of its own events. */
static void put_order(gscale__emit *e, gscale__stream from, gscale__stream to,
                      int event)
{
  gscale__emit_order(e, from, to, EVENTS * e->gpu + event);
}

static void wait_done(gscale__emit *e, int gpu)
{
  gscale__emit_put(
      e, (gscale_action){.kind = GSCALE_WAIT,
                         .stream = gscale__emit_stream(e, GSCALE__MAIN),
                         .event = done(e, gpu, true)});
  e->far += 1.0;
}

/* GPUs with which it exchanged data in the phase before. */
static void wait_for_others(gscale__emit *e)
{
  gscale__side f[GSCALE__FACES_MAX];
  const bool faces = e->before->to == GSCALE_TO_NEIGHBOURS;
  const int n = faces ? gscale__faces_of(&e->before->grid, e->gpu, f) : 0;

  for (int i = 0; i < n; i++) /* of the same node */
    if (f[i].to < e->gpus && (i == 0 || f[i].to != f[i - 1].to))
      wait_done(e, f[i].to);
  for (int j = 0; j < e->gpus && !faces; j++)
    if (j != e->gpu) wait_done(e, j);
}

/* The host has waited for all before the first phase of a step. */
static bool follows_host(const gscale__emit *e)
{
  return e->first_turn && e->waits == GSCALE_WAITS_STEP;
}

static bool forks(const gscale__emit *e)
{
  return e->m->beside && gscale__exchanges(e->p, e->m, e->f);
}

/* Whose data it reads, and who reads what it overwrites, have ended the phase
 * before; so has the GPU's own other stream. */
static void follow_others(gscale__emit *e)
{
  if (follows_host(e)) return;
  if (gscale__exchanges(e->p, e->m, e->before)) wait_for_others(e);
  if (forks(e)) put_order(e, GSCALE__MAIN, GSCALE__BESIDE, FORK_EVENT);
}

/* All of its phase has, in both streams; the host waits for the last one. */
static void record_done(gscale__emit *e)
{
  if (e->last_turn && e->waits == GSCALE_WAITS_STEP) return;
  if (forks(e)) put_order(e, GSCALE__BESIDE, GSCALE__MAIN, JOIN_EVENT);
  if (!gscale__exchanges(e->p, e->m, e->f)) return;
  gscale__emit_put(
      e, (gscale_action){.kind = GSCALE_RECORD,
                         .stream = gscale__emit_stream(e, GSCALE__MAIN),
                         .event = done(e, e->gpu, false)});
}

/* The host reads the norm of this step, or of the last. */
static void read_norm(gscale__emit *e)
{
  const bool odd = (e->parity == GSCALE_ODD_STEPS) != e->p->host.norm.late;

  gscale__emit_put(e, (gscale_action){.kind = GSCALE_SYNC_EVENT,
                                      .event = norm_event(e, odd)});
}

/* ---- phases ---------------------------------------------------------------
 */

static void begin(gscale__emit *e)
{
  turn_to(e);
  follow_others(e);
  gscale__emit_phase_kernels(e);
}

static void end(gscale__emit *e)
{
  note_kernels_end(e);
  gscale__emit_phase_copies(e);
  post_messages(e);
  record_done(e);
}

static void whole(gscale__emit *e)
{
  begin(e);
  end(e);
}

static void copies_again(gscale__emit *e)
{
  turn_to(e);
  end(e);
}

/* With so many barriers a phase the threads meet when its kernels have ended
 * (2), when its copies are issued too (3), or when the kernels are issued, when
 * they have ended, and around the wait for each part of the copies (5: one
 * part, 7: two); and at its end. */
static void with_barriers(gscale__emit *e, int barriers)
{
  for_all(e, begin);
  if (barriers > 3) meet(e);
  for_all(e, gscale__emit_settle);
  meet(e);
  if (barriers <= 3) for_all(e, copies_again);
  if (barriers == 3) meet(e);
  for (int part = 3; part < barriers; part += 2) {
    e->part = barriers == 7 ? (part - 1) / 2 : 0;
    for_all(e, copies_again);
    meet(e);
    for_all(e, gscale__emit_settle);
    meet(e);
  }
  e->part = 0;
}

static void put_phase(gscale__emit *e)
{
  const gscale_host *h = &e->p->host;

  e->f = &e->p->phase[e->first + e->phase];
  e->beside = false;
  if (h->barriers > 1 && e->p->host.waits == e->waits) {
    with_barriers(e, h->barriers);
  } else if (h->order == GSCALE_ORDER_GPU) {
    for_all(e, whole);
  } else {
    for_all(e, begin);
    for_all(e, copies_again);
  }
  e->turn++;
  if (e->waits != GSCALE_WAITS_PHASE) return;
  if (h->barriers <= 3) for_all(e, gscale__emit_settle);
  meet(e);
}

/* A phase that the host waits for is written once; others as often as they are
 * repeated, at least once. */
double gscale__times_of(const gscale_plan *p, size_t phase)
{
  if (p->published || p->host.waits == GSCALE_WAITS_PHASE) return 1.0;
  return gscale__max(1.0, floor(p->phase[phase].repeats + 0.5));
}

static void put_step(gscale__emit *e)
{
  const gscale_host *h = &e->p->host;

  e->before = &e->p->phase[e->first + e->phases - 1];
  e->first_turn = true;
  for (e->phase = 0; e->phase < e->phases && !e->failed; e->phase++)
    for (double r = gscale__times_of(e->p, e->first + e->phase);
         r > 0.0 && !e->failed; r -= 1.0) {
      e->last_turn = e->phase + 1 == e->phases && !(r > 1.0);
      put_phase(e);
      e->before = e->f;
      e->first_turn = false;
    }
  e->phase = 0;
  if (e->waits == GSCALE_WAITS_STEP) {
    for_all(e, gscale__emit_settle);
    meet(e);
  }
  if (e->waits == GSCALE_WAITS_NEVER && h->norm.copy > 0.0)
    for_all(e, read_norm);
}

/* ---- compiled -------------------------------------------------------------
 */

/* Threads that do the same at the same time, and meet; in between they wait for
 * nothing of each other. */
static bool one_for_all(const gscale_plan *p, size_t phases)
{
  const gscale_waits waits = p->host.waits;

  return p->threads == p->near && (waits == GSCALE_WAITS_PHASE ||
                                   (waits == GSCALE_WAITS_STEP && phases == 1 &&
                                    !(gscale__times_of(p, 0) > 1.0)));
}

static gscale_status no_memory(gscale_diag *diag)
{
  return gscale__fail(diag, GSCALE_ENOMEM, "no memory for a schedule");
}

static int events_of(const gscale__emit *e)
{
  const int named = e->as ? gscale__replace_events(e) : EVENTS * e->gpus;

  return named > (int)e->turn ? named : (int)e->turn;
}

/* Those of its phases, then the program's own. */
static int durations_of(const gscale__emit *e)
{
  return (int)e->phases * GSCALE__SLOTS +
         (e->as ? e->as->schedule.durations : 0);
}

static gscale_status write_down(gscale__emit *e, gscale_diag *diag)
{
  const bool turns = e->waits == GSCALE_WAITS_NEVER;

  e->used = calloc((size_t)(e->gpus * e->streams), sizeof *e->used);
  e->waited = calloc((size_t)e->threads, sizeof *e->waited);
  if (!e->used || !e->waited) return no_memory(diag);
  if (e->as && !gscale__replace(e)) return no_memory(diag);
  for (int odd = 0; !e->as && odd < (turns ? 2 : 1) && !e->failed; odd++) {
    if (turns) e->parity = odd ? GSCALE_ODD_STEPS : GSCALE_EVEN_STEPS;
    put_step(e);
  }
  if (e->n > GSCALE__ACTIONS_MAX)
    return gscale__fail(diag, GSCALE_ESIZE,
                        "the schedule of %d GPUs has more than %d actions",
                        e->gpus, GSCALE__ACTIONS_MAX);
  return e->failed ? no_memory(diag) : GSCALE_OK;
}

/* Several threads may be lumped, if that makes less of it. */
static bool lump(gscale__form *f, int threads)
{
  gscale_timeline *less = NULL;

  if (threads < 2) return true;
  if (gscale_timeline_lump(f->timeline, NULL, &less, NULL) != GSCALE_OK)
    return false;
  gscale_timeline_free(f->timeline);
  f->timeline = less;
  return true;
}

/* The share of waits that are for other GPUs; 1 if there are none. */
static double far_of(const gscale__emit *e)
{
  double waits = 0.0;

  for (size_t i = 0; i < e->n; i++) waits += e->action[i].kind == GSCALE_WAIT;
  return waits > 0.0 ? e->far / waits : 1.0;
}

/* The list of actions becomes the schedule's. */
static gscale_status list(gscale__emit *e, gscale__listed *out,
                          gscale_diag *diag)
{
  const int of_gpu = e->streams, streams = e->gpus * of_gpu;
  int *gpu = malloc((size_t)streams * sizeof *gpu);

  if (!gpu) return no_memory(diag);
  for (int i = 0; i < streams; i++) gpu[i] = i / of_gpu;
  *out = (gscale__listed){.schedule = {.gpus = e->gpus,
                                       .threads = e->threads,
                                       .streams = streams,
                                       .events = events_of(e),
                                       .durations = durations_of(e),
                                       .stream_gpu = gpu,
                                       .actions = e->n,
                                       .action = e->action,
                                       .depth = e->as ? e->as->schedule.depth
                                                : e->waits == GSCALE_WAITS_NEVER
                                                    ? DEPTH
                                                    : 0,
                                       .crowd = 1.0},
                          .far = far_of(e),
                          .alone = e->alone};
  e->action = NULL;
  return GSCALE_OK;
}

gscale_status gscale__list_new(const gscale_plan *p, size_t paradigm,
                               size_t first, size_t phases, bool by_device,
                               gscale__listed *out, gscale_diag *diag)
{
  const gscale__paradigm *m = gscale__paradigm_at(paradigm);
  const bool alone = !p->published && one_for_all(p, phases);
  gscale__emit e = {.p = p,
                    .m = m,
                    .as = gscale__published_as(p, m),
                    .first = first,
                    .phases = phases,
                    .waits = phases > 1 && p->host.waits == GSCALE_WAITS_PHASE
                                 ? GSCALE_WAITS_STEP
                                 : p->host.waits,
                    .alone = alone,
                    .by_device = by_device,
                    .gpus = alone ? 1 : p->near,
                    .threads = alone ? 1 : p->threads,
                    .streams = GSCALE__STREAMS,
                    .parity = GSCALE_EVERY_STEP};
  if (e.as) e.streams = gscale__replace_streams(&e);
  gscale_status st = write_down(&e, diag);

  if (st == GSCALE_OK) st = list(&e, out, diag);
  free(e.used);
  free(e.waited);
  free(e.place);
  free(e.action);
  return st;
}

void gscale__list_free(gscale__listed *l)
{
  free((void *)l->schedule.action);
  free((void *)l->schedule.stream_gpu);
}

static gscale_status compile(const gscale__listed *l, gscale__form *f,
                             gscale_diag *diag)
{
  const gscale_schedule *s = &l->schedule;
  const gscale_status st = gscale_timeline_new(s, &f->timeline, diag);

  f->durations = s->durations;
  f->far = l->far;
  if (st != GSCALE_OK) return st;
  const bool ok = l->alone ? gscale__find_paths(f->timeline, s->actions - 1, f)
                           : lump(f, s->threads);
  return ok ? GSCALE_OK : no_memory(diag);
}

gscale_status gscale__form_new(const gscale_plan *p, size_t paradigm,
                               size_t first, size_t phases, bool by_device,
                               gscale__form **out, gscale_diag *diag)
{
  gscale__listed l = {0};
  gscale__form *f = calloc(1, sizeof *f);
  gscale_status st =
      f ? gscale__list_new(p, paradigm, first, phases, by_device, &l, diag)
        : no_memory(diag);

  if (st == GSCALE_OK) st = compile(&l, f, diag);
  gscale__list_free(&l);
  if (st == GSCALE_OK)
    *out = f;
  else
    gscale__form_free(f);
  return st;
}

void gscale__form_free(gscale__form *f)
{
  if (!f) return;
  gscale_timeline_free(f->timeline);
  free(f->first);
  free(f->term);
  free(f);
}
