/* lanes.c - a step as it runs, of a program's own schedule or a paradigm's. */

#include "describe/program.h"
#include "predict/step.h"

#include <stdlib.h>
#include <string.h>

struct gscale_lanes {
  size_t n;
  gscale_lane_action *action;
  double time;
  int alike;
  char (*name)[GSCALE_NAME_MAX]; /* of the program's streams */
};

size_t gscale_lanes_count(const gscale_lanes *l)
{
  return l->n;
}

const gscale_lane_action *gscale_lanes_at(const gscale_lanes *l, size_t i)
{
  return i < l->n ? &l->action[i] : NULL;
}

double gscale_lanes_time(const gscale_lanes *l)
{
  return l->time;
}

int gscale_lanes_alike(const gscale_lanes *l)
{
  return l->alike;
}

void gscale_lanes_free(gscale_lanes *l)
{
  if (!l) return;
  free(l->action);
  free(l->name);
  free(l);
}

static gscale_status no_memory(gscale_diag *diag)
{
  return gscale__fail(diag, GSCALE_ENOMEM, "no memory for the lanes");
}

/* "all-reduce of 1 MB by ring/LL128" */
static void say_collective(gscale_coll_kind kind, double bytes,
                           const gscale_coll_choice *c, char *text, size_t size)
{
  char amount[48];

  gscale_format_quantity(bytes, GSCALE_BYTES, amount, sizeof amount);
  gscale__print(text, size, "%s of %s by %s/%s", gscale_coll_kind_name(kind),
                amount, gscale_coll_algorithm_name(c->algorithm),
                gscale_coll_protocol_name(c->protocol));
}

/* ---- one action -----------------------------------------------------------
 */

static bool has_stream(gscale_action_kind k)
{
  return k <= GSCALE_SYNC_STREAM;
}

static int gpu_of(const gscale_schedule *s, const gscale_action *a)
{
  if (has_stream(a->kind)) return s->stream_gpu[a->stream];
  return a->kind == GSCALE_SET_DEVICE ? a->peer : -1;
}

/* What only the schedule says. */
static gscale_lane_action draft(const gscale_schedule *s,
                                const gscale_action *a)
{
  return (gscale_lane_action){.kind = a->kind,
                              .parity = a->parity,
                              .thread = a->thread,
                              .gpu = gpu_of(s, a),
                              .stream = has_stream(a->kind) ? a->stream : -1,
                              .stream_name = "",
                              .phase = -1,
                              .repeats = 1.0};
}

static void shift(gscale_span *at, double by)
{
  at->call += by;
  at->back += by;
  at->begin += by;
  at->end += by;
}

static bool make_room(gscale_lanes *l, size_t more)
{
  gscale_lane_action *a = realloc(l->action, (l->n + more) * sizeof *a);

  if (a) l->action = a;
  return a != NULL;
}

/* What this kind of step leaves out has no times. */
static bool is_in(const gscale_action *a, bool odd)
{
  if (a->parity == GSCALE_EVERY_STEP) return !odd;
  return (a->parity == GSCALE_ODD_STEPS) == odd;
}

/* Fills in what takes the schedule's owner to say. */
typedef void say_rest(const void *of, const gscale_action *a,
                      gscale_lane_action *out);

static gscale_status add_all(gscale_lanes *l, const gscale_schedule *s,
                             const gscale_span *span, double begin,
                             say_rest *say, const void *of, gscale_diag *diag)
{
  if (!make_room(l, s->actions)) return no_memory(diag);
  for (int odd = 0; odd < 2; odd++)
    for (size_t i = 0; i < s->actions; i++) {
      const gscale_action *a = &s->action[i];
      gscale_lane_action *out = &l->action[l->n];
      if (!is_in(a, odd)) continue;
      *out = draft(s, a);
      out->at = span[odd ? s->actions + i : i];
      shift(&out->at, begin);
      say(of, a, out);
      l->n++;
    }
  return GSCALE_OK;
}

/* ---- a program's own schedule ---------------------------------------------
 */

typedef struct written {
  const gscale_plan *p;
  const gscale_workload *w;
  const gscale_program *as;
  char (*name)[GSCALE_NAME_MAX];
} written;

static void say_bytes(const gscale_action *a, const gscale_work *k, char *text,
                      size_t size)
{
  char amount[48];

  gscale_format_quantity(k->bytes, GSCALE_BYTES, amount, sizeof amount);
  if (a->kind == GSCALE_COPY_D2D)
    gscale__print(text, size, "%s to GPU %d", amount, a->peer);
  else
    gscale__print(text, size, "%s", amount);
}

/* "swept of GPU 0": events are named in the order of GPUs, again and again. */
static void say_event(const gscale_program *p, int event, char *text,
                      size_t size)
{
  if (p->event_name)
    gscale__print(text, size, "%s of GPU %d", p->event_name[event],
                  event % p->schedule.gpus);
  else
    gscale__print(text, size, "event %d", event);
}

static void say_written(const void *of, const gscale_action *a,
                        gscale_lane_action *out)
{
  const written *w = of;
  const gscale_work *k = &w->as->work[a->length];
  const size_t size = sizeof out->what;
  gscale_coll_choice choice;

  if (out->stream >= 0 && w->name) out->stream_name = w->name[out->stream];
  switch (a->kind) {
  case GSCALE_LAUNCH:
  case GSCALE_GRAPH:
    out->phase = (int)k->phase;
    gscale__print(out->what, size, "%s",
                  gscale_workload_phase(w->w, k->phase)->name);
    break;
  case GSCALE_COPY_D2D:
  case GSCALE_COPY_D2H:
  case GSCALE_COPY_H2D:
  case GSCALE_MEMSET:
    say_bytes(a, k, out->what, size);
    break;
  case GSCALE_COLLECTIVE:
    choice = gscale_plan_collective(w->p, k->coll, k->bytes, k->algorithm,
                                    k->protocol);
    say_collective(k->coll, k->bytes, &choice, out->what, size);
    break;
  case GSCALE_RECORD:
  case GSCALE_WAIT:
  case GSCALE_SYNC_EVENT:
    say_event(w->as, a->event, out->what, size);
    break;
  default:
    break;
  }
}

static bool copy_names(gscale_lanes *l, const gscale_program *as)
{
  if (!as->stream_name) return true;
  l->name = calloc((size_t)as->schedule.streams, sizeof *l->name);
  for (int i = 0; l->name && i < as->schedule.streams; i++)
    gscale__copy_text(l->name[i], sizeof *l->name, as->stream_name[i]);
  return l->name != NULL;
}

static gscale_status add_written(gscale_lanes *l, const gscale_plan *p,
                                 const gscale_workload *w, size_t paradigm,
                                 gscale_diag *diag)
{
  const gscale_program *as = gscale_plan_program(p, paradigm);
  const gscale_schedule *s = &as->schedule;
  gscale_span *span = malloc(2 * s->actions * sizeof *span);
  gscale_status st = span && copy_names(l, as)
                         ? gscale_plan_times(p, paradigm, span, diag)
                         : no_memory(diag);

  if (st == GSCALE_OK) {
    const written of = {p, w, as, l->name};
    st = add_all(l, s, span, 0.0, say_written, &of, diag);
  }
  free(span);
  return st;
}

/* ---- a paradigm's ---------------------------------------------------------
 */

typedef struct emitted {
  const gscale_plan *p;
  const gscale_workload *w;
  const gscale__paradigm *m;
  const gscale_knobs *k;
  size_t first; /* phase */
  double repeats;
  const gscale_program *as; /* that publishes; or NULL */
  char (*name)[GSCALE_NAME_MAX];
} emitted;

static const char *const slots[GSCALE__SLOTS] = {
    [GSCALE__LAST_KERNEL] = "last kernel",
    [GSCALE__LAUNCHES] = "launches",
    [GSCALE__BOUNDARY] = "boundary",
    [GSCALE__AGENT] = "agent",
    [GSCALE__COPIES] = "copies but the last",
    [GSCALE__LAST_COPY] = "last copy",
    [GSCALE__COPY_CALLS] = "calls of copies",
    [GSCALE__OWN_CALLS] = "other calls",
    [GSCALE__CLEAR] = "norm",
    [GSCALE__NORM] = "norm",
    [GSCALE__FETCH] = "norm",
    [GSCALE__BARRIER] = "barrier",
    [GSCALE__BARRIER_LATE] = "barrier after waits",
    [GSCALE__MESSAGES] = "messages to other nodes",
    [GSCALE__MEETING] = "barrier of nodes",
};

/* The library's call for a phase. */
static void say_moves(const emitted *e, size_t phase, char *text, size_t size)
{
  gscale_coll_kind kind;
  double bytes;
  const gscale_coll_choice c =
      gscale_plan_moves(e->p, phase, e->k, &kind, &bytes);

  say_collective(kind, bytes, &c, text, size);
}

/* Kernels are called what the phase is. */
static void say_slot(const emitted *e, int length, gscale_lane_action *out)
{
  const size_t phase = e->first + (size_t)length / GSCALE__SLOTS;
  const int slot = length % GSCALE__SLOTS;
  const size_t size = sizeof out->what;

  out->phase = (int)phase;
  out->repeats = e->repeats;
  if (slot == GSCALE__KERNELS)
    gscale__print(out->what, size, "%s",
                  gscale_workload_phase(e->w, phase)->name);
  else if (slot == GSCALE__COLLECTIVE)
    say_moves(e, phase, out->what, size);
  else if (slot == GSCALE__MORE_CALLS)
    gscale__print(out->what, size, "calls of %s", e->m->about.name);
  else
    gscale__print(out->what, size, "%s", slots[slot]);
}

/* Of a program's schedule: its own work, and its events. */
static void say_own(const emitted *e, const gscale_action *a,
                    gscale_lane_action *out)
{
  const int phases = (int)e->p->phases * GSCALE__SLOTS;
  const bool lasts = a->kind <= GSCALE_COLLECTIVE;
  const size_t size = sizeof out->what;

  if (out->stream >= 0 && e->name)
    out->stream_name = a->stream % GSCALE__STREAMS
                           ? "beside"
                           : e->name[a->stream / GSCALE__STREAMS];
  if (lasts && a->length >= phases)
    say_bytes(a, &e->as->work[a->length - phases], out->what, size);
  if (a->kind != GSCALE_RECORD && a->kind != GSCALE_WAIT &&
      a->kind != GSCALE_SYNC_EVENT)
    return;
  if (a->event < e->as->schedule.events)
    say_event(e->as, a->event, out->what, size);
  else
    gscale__print(out->what, size, "second stream");
}

static void say_emitted(const void *of, const gscale_action *a,
                        gscale_lane_action *out)
{
  static const char *const streams[GSCALE__STREAMS] = {
      [GSCALE__MAIN] = "main", [GSCALE__BESIDE] = "beside"};
  const emitted *e = of;
  const int phases = (int)e->p->phases * GSCALE__SLOTS;

  out->repeats = e->repeats;
  if (out->stream >= 0) out->stream_name = streams[a->stream % GSCALE__STREAMS];
  if ((a->kind <= GSCALE_COLLECTIVE || a->kind == GSCALE_HOST_WORK) &&
      !(e->as && a->length >= phases))
    say_slot(e, a->length, out);
  if (e->as) {
    say_own(e, a, out);
    return;
  }
  if (a->kind == GSCALE_RECORD || a->kind == GSCALE_WAIT ||
      a->kind == GSCALE_SYNC_EVENT)
    gscale__print(out->what, sizeof out->what, "%s of GPU %d",
                  gscale__event_name(a->event), gscale__event_gpu(a->event));
}

/* The times of a list that was compiled whole. */
static gscale_status time_list(const gscale_schedule *s, const double *cost,
                               gscale_span *span, gscale_diag *diag)
{
  gscale_timeline *t = NULL;
  gscale_status st = gscale_timeline_new(s, &t, diag);
  if (st != GSCALE_OK) return st;

  void *scratch = malloc(gscale_timeline_scratch(t));
  if (!scratch)
    st = no_memory(diag);
  else if (!gscale_timeline_times(t, cost, scratch, span))
    st = gscale__fail(diag, GSCALE_ENUMERIC, "no finite times");
  free(scratch);
  gscale_timeline_free(t);
  return st;
}

/* Phases that the host waits for at once, from `begin` on. */
static gscale_status add_piece(gscale_lanes *l, const emitted *e,
                               const gscale__listed *list, const double *cost,
                               double begin, gscale_diag *diag)
{
  const gscale_schedule *s = &list->schedule;
  gscale_span *span = malloc(2 * s->actions * sizeof *span);
  gscale_status st = span ? time_list(s, cost, span, diag) : no_memory(diag);

  if (list->alone) l->alike = e->p->n;
  if (st == GSCALE_OK) st = add_all(l, s, span, begin, say_emitted, e, diag);
  free(span);
  return st;
}

static gscale_status add_emitted(gscale_lanes *l, const gscale_plan *p,
                                 const gscale_workload *w, size_t paradigm,
                                 const gscale_knobs *k, gscale_diag *diag)
{
  const gscale__paradigm *m = gscale__paradigm_at(paradigm);
  const size_t in = gscale__step_span(p, paradigm);
  gscale__stage stage[GSCALE__PHASES_MAX];
  double cost[GSCALE__STEP_COSTS], begin = 0.0;
  const gscale_program *as = gscale__published_as(p, m);
  gscale_status st = as && !copy_names(l, as) ? no_memory(diag) : GSCALE_OK;

  gscale__prepare(p, m, k, stage);
  for (size_t i = 0; st == GSCALE_OK && i < p->phases; i += in) {
    const emitted e = {.p = p,
                       .w = w,
                       .m = m,
                       .k = k,
                       .first = i,
                       .repeats = gscale__step_repeats(p, paradigm, i),
                       .as = as,
                       .name = l->name};
    gscale__listed list = {0};
    const double piece = gscale__step_piece(p, paradigm, i, stage, cost, NULL);
    st = gscale__list_new(p, paradigm, i, in, gscale__by_device(p, stage),
                          &list, diag);
    if (st == GSCALE_OK) st = add_piece(l, &e, &list, cost, begin, diag);
    gscale__list_free(&list);
    begin += e.repeats * piece;
  }
  return st;
}

gscale_status gscale_lanes_new(const gscale_plan *p, const gscale_workload *w,
                               size_t paradigm, const gscale_knobs *k,
                               gscale_lanes **out, gscale_diag *diag)
{
  gscale_prediction r;
  gscale_status st = gscale_predict(p, paradigm, k, &r, diag);
  if (st != GSCALE_OK) return st;

  gscale_lanes *l = calloc(1, sizeof *l);
  if (!l) return no_memory(diag);
  *l = (gscale_lanes){.time = r.time, .alike = 1};
  st = p->program ? add_written(l, p, w, paradigm, diag)
                  : add_emitted(l, p, w, paradigm, &r.knobs, diag);
  if (st == GSCALE_OK)
    *out = l;
  else
    gscale_lanes_free(l);
  return st;
}
