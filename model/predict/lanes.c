/* lanes.c - lanes of a step, from a program's own schedule or a paradigm's. */

#include "predict/action_list.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct gscale_lanes {
  size_t n;
  gscale_lane_action *action;
  double time;
  int alike;
  char (*name)[GSCALE_NAME_MAX]; /* names of the program's streams */
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

/* Writes "all-reduce of 1 MB by ring/LL128". */
static void describe_collective(gscale_coll_kind kind, double bytes,
                                const gscale_coll_choice *c, char *text,
                                size_t size)
{
  char amount[48];

  gscale_format_quantity(bytes, GSCALE_BYTES, amount, sizeof amount);
  gscale__print(text, size, "%s of %s by %s/%s",
                gscale_name(GSCALE_COLL_KIND_NAMES, kind), amount,
                gscale_name(GSCALE_COLL_ALGORITHM_NAMES, c->algorithm),
                gscale_name(GSCALE_COLL_PROTOCOL_NAMES, c->protocol));
}

/* ---- actions ------------------------------------------------------------- */

static bool has_stream(gscale_action_kind k)
{
  return k <= GSCALE_SYNC_STREAM;
}

static int gpu_of(const gscale_schedule *s, const gscale_action *a)
{
  if (has_stream(a->kind)) return s->stream_gpu[a->stream];
  return a->kind == GSCALE_SET_DEVICE ? a->peer : -1;
}

/* Fills the members that follow from the schedule alone. */
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
                              .repeats = 1.0,
                              .sends = NAN,
                              .sent = NAN};
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
  return a;
}

/* Returns true if this kind of step (even or odd) contains the action. */
static bool is_in(const gscale_action *a, bool odd)
{
  if (a->parity == GSCALE_EVERY_STEP) return !odd;
  return (a->parity == GSCALE_ODD_STEPS) == odd;
}

/* ---- labels -------------------------------------------------------------- */

/* A piece of a step: phases for which the host waits together. */
typedef struct piece {
  const gscale_plan *p;
  const gscale_workload *w;
  const gscale__paradigm *m;
  const gscale_knobs *k;
  const gscale__form *form;
  size_t first; /* index of the first phase */
  double repeats;
  int slots;                /* slots before the program's own works */
  const gscale_program *as; /* program's schedule, or NULL */
  char (*name)[GSCALE_NAME_MAX];
} piece;

static void describe_bytes(const gscale_action *a, const gscale_work *k,
                           char *text, size_t size)
{
  char amount[48];

  gscale_format_quantity(k->bytes, GSCALE_BYTES, amount, sizeof amount);
  if (a->kind == GSCALE_COPY_D2D)
    gscale__print(text, size, "%s %s GPU %d", amount, k->pull ? "from" : "to",
                  a->peer);
  else
    gscale__print(text, size, "%s", amount);
}

/* Writes "swept of GPU 0".  Names of events repeat in the order of GPUs. */
static void describe_event(const gscale_program *p, int event, char *text,
                           size_t size)
{
  if (p->event_name)
    gscale__print(text, size, "%s of GPU %d", p->event_name[event],
                  event % p->schedule.gpus);
  else
    gscale__print(text, size, "event %d", event);
}

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
    [GSCALE__POSTS] = "posts to other nodes",
    [GSCALE__STAGES] = "copies for other nodes",
    [GSCALE__FIXED] = "host",
    [GSCALE__MEETING] = "barrier of nodes",
};

/* Writes the collective of a phase, as the library chooses it. */
static void label_collective(const piece *e, size_t phase, char *text,
                             size_t size)
{
  gscale_coll_kind kind;
  double bytes;
  const gscale_coll_choice c =
      gscale_plan_moves(e->p, phase, e->k, &kind, &bytes);

  describe_collective(kind, bytes, &c, text, size);
}

/* Writes the name of a slot, or the name of the phase for kernels. */
static void label_slot(const piece *e, int length, gscale_lane_action *out)
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
    label_collective(e, phase, out->what, size);
  else if (slot == GSCALE__MORE_CALLS)
    gscale__print(out->what, size, "calls of %s", e->m->about.name);
  else
    gscale__print(out->what, size, "%s", slots[slot]);
  if (slot == GSCALE__MESSAGES) out->stream_name = "network";
}

/* Writes an action of a program's own schedule. */
static void label_work(const piece *e, const gscale_action *a,
                       gscale_lane_action *out)
{
  const gscale_work *k = &e->as->work[a->length - e->slots];
  const size_t size = sizeof out->what;
  gscale_coll_choice choice;

  if (a->kind <= GSCALE_GRAPH) {
    out->phase = (int)k->phase;
    gscale__print(
        out->what, size, "%s%s%s", gscale_workload_phase(e->w, k->phase)->name,
        k->more > 0 ? " .. " : "",
        k->more > 0 ? gscale_workload_phase(e->w, k->phase + k->more)->name
                    : "");
  } else if (a->kind == GSCALE_COLLECTIVE) {
    choice = gscale_plan_collective(e->p, k->coll, k->bytes, k->streamed,
                                    k->algorithm, k->protocol);
    describe_collective(k->coll, k->bytes, &choice, out->what, size);
  } else {
    describe_bytes(a, k, out->what, size);
  }
}

static void describe_signal(const piece *e, int event, char *text, size_t size)
{
  if (e->as && event < e->as->schedule.events)
    describe_event(e->as, event, text, size);
  else
    gscale__event_text(!e->as, e->form->schedule->gpus, event, text, size);
}

/* Each stream of a paradigm has a second stream and a stream for messages. */
static const char *stream_of(const piece *e, int stream)
{
  const int each = e->slots > 0 ? gscale__emit_each(e->p) : 1;

  if (stream % each == GSCALE__NETWORK) return "network";
  if (stream % each > 0) return "beside";
  return e->name ? e->name[stream / each] : e->slots > 0 ? "main" : "";
}

/* Fills the members that only the owner of the schedule can name. */
static void label(const piece *e, const gscale_action *a,
                  gscale_lane_action *out)
{
  const bool device = a->kind <= GSCALE_COLLECTIVE;

  out->repeats = e->repeats;
  if (out->stream >= 0) out->stream_name = stream_of(e, a->stream);
  if ((device || a->kind == GSCALE_HOST_WORK) && a->length < e->slots)
    label_slot(e, a->length, out);
  else if (device)
    label_work(e, a, out);
  else if (a->kind == GSCALE_RECORD || a->kind == GSCALE_WAIT ||
           a->kind == GSCALE_SYNC_EVENT)
    describe_signal(e, a->event, out->what, sizeof out->what);
}

/* ---- times --------------------------------------------------------------- */

/* Returns the slot of a phase that gives the action its duration, or -1. */
static int slot_of(const piece *e, const gscale_action *a)
{
  const bool device = a->kind <= GSCALE_COLLECTIVE;

  return device && a->length < e->slots ? a->length % GSCALE__SLOTS : -1;
}

/* Fills the span in which kernels move data, and the end of their agent. */
static void show_flow(gscale_lanes *l, size_t first, const gscale__stage *stage)
{
  gscale_lane_action *k = &l->action[l->n];

  if (isfinite(k->at.end)) {
    k->sends = k->at.begin + gscale_flow_first(&stage[k->phase].flow);
    if (k->sends >= 0.0) k->sent = k->at.end;
  }
  for (size_t i = first; i < l->n; i++) {
    gscale_lane_action *a = &l->action[i];

    if (a->phase == k->phase && a->gpu == k->gpu && a->parity == k->parity &&
        strcmp(a->what, slots[GSCALE__AGENT]) == 0)
      a->at.end = k->at.end;
  }
}

static bool add_all(gscale_lanes *l, const piece *e, const gscale_span *span,
                    const gscale__stage *stage, double begin)
{
  const size_t first = l->n;
  const gscale_schedule *s = e->form->schedule;

  if (!make_room(l, s->actions)) return false;
  for (int odd = 0; odd < 2; odd++)
    for (size_t i = 0; i < s->actions; i++) {
      const gscale_action *a = &s->action[i];
      gscale_lane_action *out = &l->action[l->n];
      if (!is_in(a, odd)) continue;
      *out = draft(s, a);
      out->at = span[odd ? s->actions + i : i];
      shift(&out->at, begin);
      label(e, a, out);
      if (slot_of(e, a) == GSCALE__KERNELS) show_flow(l, first, stage);
      l->n++;
    }
  return true;
}

/* Fills the times of a list of actions that was compiled as a whole. */
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

static bool copy_names(gscale_lanes *l, const gscale_program *as)
{
  if (!as->stream_name) return true;
  l->name = calloc((size_t)as->schedule.streams, sizeof *l->name);
  for (int i = 0; l->name && i < as->schedule.streams; i++)
    gscale__copy_text(l->name[i], sizeof *l->name, as->stream_name[i]);
  return l->name;
}

/* Adds a piece that begins at `begin`, and sets *length to its period. */
static gscale_status add_piece(gscale_lanes *l, const piece *e, size_t paradigm,
                               const gscale__stage *stage, double begin,
                               double *length, gscale_diag *diag)
{
  const gscale__form *f = e->form;
  const size_t costs = (size_t)(GSCALE_COST_END + f->durations);
  gscale_span *span = malloc(2 * f->schedule->actions * sizeof *span);
  double *cost = calloc(costs, sizeof *cost);
  gscale_status st = span && cost ? GSCALE_OK : no_memory(diag);

  if (st == GSCALE_OK) {
    *length = gscale__step_piece(e->p, paradigm, e->first, stage, cost);
    st = time_list(f->schedule, cost, span, diag);
  }
  if (f->alone) l->alike = e->p->n;
  if (st == GSCALE_OK && !add_all(l, e, span, stage, begin))
    st = no_memory(diag);
  free(span);
  free(cost);
  return st;
}

static gscale_status add_pieces(gscale_lanes *l, const gscale_plan *p,
                                const gscale_workload *w, size_t named,
                                const gscale_knobs *k, gscale_diag *diag)
{
  const size_t paradigm = gscale__paradigm_row(named, k);
  const gscale__paradigm *m = gscale__paradigm_at(paradigm);
  const gscale__version *own = gscale__version_of(p, m);
  const size_t in = gscale__step_span(p, paradigm);
  const bool written = gscale__as_written(p);
  gscale__stage stage[GSCALE__PHASES_MAX];
  double begin = 0.0, length = 0.0;
  gscale_status st =
      own && !copy_names(l, &own->as) ? no_memory(diag) : GSCALE_OK;

  gscale__prepare(p, m, k, stage);
  const bool by_device = gscale__by_device(p, stage);
  for (size_t i = 0; st == GSCALE_OK && i < p->phases; i += in) {
    const piece e = {.p = p,
                     .w = w,
                     .m = m,
                     .k = k,
                     .form = gscale__form_at(p, paradigm, by_device, i),
                     .first = i,
                     .repeats = gscale__step_repeats(p, paradigm, i),
                     .slots = written ? 0 : (int)in * GSCALE__SLOTS,
                     .as = own ? &own->as : NULL,
                     .name = l->name};
    st = add_piece(l, &e, paradigm, stage, begin, &length, diag);
    begin += e.repeats * length;
  }
  return st;
}

/* An agent ends no later than the next work of its stream begins. */
static void end_agents(gscale_lanes *l)
{
  for (size_t i = 0; i < l->n; i++) {
    gscale_lane_action *a = &l->action[i];

    if (strcmp(a->what, slots[GSCALE__AGENT]) != 0) continue;
    for (size_t k = i + 1; k < l->n; k++) {
      const gscale_lane_action *b = &l->action[k];

      if (b->kind <= GSCALE_COLLECTIVE && b->gpu == a->gpu &&
          b->stream == a->stream && b->parity == a->parity)
        a->at.end = fmin(a->at.end, b->at.begin);
    }
  }
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
  st = add_pieces(l, p, w, paradigm, &r.knobs, diag);
  end_agents(l);
  if (st == GSCALE_OK)
    *out = l;
  else
    gscale_lanes_free(l);
  return st;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
