/* body.c - writes lines of a description for the slots and calls of a step. */

#include "describe/naming.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- lines -------------------------------------------------------------- */

static void put(body *b, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));
static void put(body *b, const char *fmt, ...)
{
  va_list args;

  void *const v =
      gscale_reserve(b->line, &b->room, b->lines + 1, sizeof *b->line);
  b->lost = b->lost || !v;
  if (!v) return;
  b->line = v;
  va_start(args, fmt);
  vsnprintf(b->line[b->lines++], BODY_LINE, fmt, args);
  va_end(args);
}

/* Returns ", stream = ...", or "" for the default stream. */
static const char *in_stream(body *b, int stream, const char *before)
{
  static char text[64];
  const size_t i = stream_of(b, stream, false);

  snprintf(text, sizeof text, "%sstream = \"%s\"", before, b->stream_name[i]);
  return i > 0 ? text : "";
}

static void put_copy(body *b, size_t j)
{
  const gscale_recorded_what *const w = slot_what(b, j);
  const int stream = b->p->gpu[b->gpu].slot[j].stream;
  const char *const shrinks = w->bytes > 65536.0 ? " * part(n)" : "";

  if (w->copy == GSCALE_RECORDED_D2D || w->copy == GSCALE_RECORDED_OTHER)
    put(b, "gs.copy { to = g, bytes = %.0f%s%s }", fmax(1.0, w->bytes), shrinks,
        in_stream(b, stream, ", "));
  else
    put(b, "gs.copy { kind = \"%s\", bytes = %.0f%s%s }",
        gscale_name(GSCALE_RECORDED_COPY_NAMES, w->copy), fmax(1.0, w->bytes),
        shrinks, in_stream(b, stream, ", "));
}

/* Formats a copy's size in text[]. Returns the stream as the next argument. */
static const char *say_copy(body *b, double bytes, int stream, char *text,
                            size_t size)
{
  const size_t i = size_of(b, bytes);
  const char *const in = in_stream(b, stream, "");

  if (i == NONE)
    snprintf(text, size, "%.0f", bytes);
  else
    snprintf(text, size, "k.bytes%zu", i + 1);
  return *in ? strchr(in, '"') : "nil";
}

/* Writes consecutive copies to other GPUs in one stream as one exchange. */
static void put_exchange(body *b, double bytes, int stream, size_t copies)
{
  bool to[1024];
  size_t partners = 0;
  char text[64];

  if (b->chosen == PARTNERS_END) return;
  partners_of(b->chosen, b->gpu, b->p->gpus, to);
  for (int k = 0; k < b->p->gpus; k++) partners += to[k];
  const char *const quoted = say_copy(b, bytes, stream, text, sizeof text);
  const size_t each = partners > 0 ? copies / partners : 0;
  if (each >= 1 && copies % partners == 0)
    for (size_t k = 0; k < each; k++)
      put(b, "send(g, n, %s, %s)", text, quoted);
  else
    put(b, "send(g, n, %s, %s, %zu) -- some of them", text, quoted, copies);
}

static void put_work(body *b, size_t j)
{
  const gscale_recorded_what *const w = slot_what(b, j);
  const int stream = b->p->gpu[b->gpu].slot[j].stream;
  char part[24] = "";

  if (w->kind == GSCALE_RECORDED_MEMSET)
    put(b, "gs.memset { bytes = %.0f%s }", fmax(1.0, w->bytes),
        in_stream(b, stream, ", "));
  else if (w->kind == GSCALE_RECORDED_COPY)
    put_copy(b, j);
  else {
    const char *const name = b->phase[b->phase_of[j]].name;
    if (fabs(b->weight[j] - 1.0) > 1e-9)
      snprintf(part, sizeof part, "%.4g * ", floor(1e4 * b->weight[j]) / 1e4);
    b->launched = b->phase_of[j];
    b->carried += b->p->gpu[b->gpu].slot[j].time;
    put(b,
        b->serial_known ? "gs.launch(\"%s\", { share = %sshare(n, \"%s\")%s })"
                        : "gs.launch(\"%s\", { share = %sshare%.0s%s })",
        name, part, name, in_stream(b, stream, ", "));
  }
}

/* ---- calls -------------------------------------------------------------- */

/* Consecutive calls that form one exchange. */
typedef struct pending {
  double bytes;
  int stream;
  size_t copies;
  int side; /* 0: copies to all partners */
} pending;

/* Writes copies to one side. Only GPUs with a partner on that side copy. */
static void put_side(body *b, const pending *e)
{
  char text[64];

  if (b->chosen == PARTNERS_END) return;
  b->sided = true;
  const char *const in = say_copy(b, e->bytes, e->stream, text, sizeof text);
  put(b, "send(g, n, %s, %s, nil, \"%s\")", text, in,
      e->side < 0 ? "before" : "behind");
}

static void flush(body *b, pending *e)
{
  if (e->copies > 0 && e->side == 0)
    put_exchange(b, e->bytes, e->stream, e->copies);
  for (size_t k = 0; e->side != 0 && k < e->copies; k++) put_side(b, e);
  e->copies = 0;
}

static void take_work(body *b, pending *e, size_t j)
{
  const double bytes = slot_what(b, j)->bytes;
  const int stream = b->p->gpu[b->gpu].slot[j].stream;

  if (!goes_out(b, j)) {
    flush(b, e);
    put_work(b, j);
    return;
  }
  if (e->copies > 0 &&
      (e->stream != stream || e->side != 0 || !is_one_size(e->bytes, bytes)))
    flush(b, e);
  *e = (pending){bytes, stream, e->copies + 1, 0};
}

/* Returns the stream in which the described GPU copies to other GPUs. */
static int stream_of_copies(const body *b)
{
  for (size_t j = 0; j < b->p->gpu[b->gpu].slots; j++)
    if (goes_out(b, j)) return b->p->gpu[b->gpu].slot[j].stream;
  return b->stream[0];
}

/* Adds a copy to one side, which any GPU may have. */
static void take_side(body *b, pending *e, const token *t)
{
  const gpu_steps *const g = &b->p->gpu[t->gpu];
  const int stream = t->absent ? stream_of_copies(b) : g->slot[t->slot].stream;
  const double bytes =
      gscale_recording_what(b->p->r, g->slot[t->slot].what)->bytes;

  if (e->copies > 0 && (e->stream != stream || e->side != t->side ||
                        !is_one_size(e->bytes, bytes)))
    flush(b, e);
  *e = (pending){bytes, stream, e->copies + 1, t->side};
}

/* Returns the rank of a record among records of its GPU, equal on all GPUs. */
static size_t rank_of(const host_thread *h, size_t at)
{
  size_t rank = 1;

  for (size_t i = 0; i < at; i++)
    rank += h->v[i].kind == TOKEN_RECORD && h->v[i].gpu == h->v[at].gpu;
  return rank;
}

/* Returns true if a thread waits for a record of this rank. If `late`, the
 * record must be of the previous step. */
static bool is_awaited(const body *b, size_t rank, bool late)
{
  for (size_t k = 0; k < b->host->n; k++)
    for (size_t i = 0; i < b->host->v[k].n; i++) {
      const token *const t = &b->host->v[k].v[i];
      if (t->meant != NONE && (!late || t->last_step) &&
          rank_of(&b->host->v[t->of], t->meant) == rank)
        return true;
    }
  return false;
}

/* Returns the GPU of the record, or of the record's thread if none is named. */
static int gpu_of_record(const body *b, const token *t)
{
  const host_thread *const o = &b->host->v[t->of];
  const int gpu = o->v[t->meant].gpu;

  return gpu >= 0 ? gpu : o->leader;
}

/* Names an event by the rank of its record. If some wait is for the previous
 * step, the parity of the step is part of the name. */
static const char *event_name(const body *b, const host_thread *h, size_t at,
                              bool last_step)
{
  static char text[32];
  const size_t rank = rank_of(h, at);

  snprintf(text, sizeof text, "\"e%zu\"%s", rank,
           !is_awaited(b, rank, true) ? ""
           : last_step                ? " .. 1 - i"
                                      : " .. i");
  return text;
}

static void put_record(body *b, const host_thread *h, size_t at)
{
  const token *const t = &h->v[at];
  const char *const in = t->stream >= 0 ? in_stream(b, t->stream, "") : "";

  put(b, *in ? "gs.record(%s, { %s })" : "gs.record(%s%s)",
      event_name(b, h, at, false), in);
}

static void put_wait(body *b, const token *t)
{
  if (t->meant == NONE) return;
  const host_thread *const o = &b->host->v[t->of];
  const char *const event = event_name(b, o, t->meant, t->last_step);
  const bool own = gpu_of_record(b, t) == b->gpu;
  const char *const in = t->stream >= 0 ? in_stream(b, t->stream, ", ") : "";
  char line[BODY_LINE];
  snprintf(line, sizeof line, "%sgs.wait(%s, { of = %s%s })%s",
           own ? "" : "for _, o in ipairs(partners(g, n)) do ", event,
           own ? "g" : "o", in, own ? "" : " end");
  if (b->lines == 0 || strcmp(b->line[b->lines - 1], line) != 0)
    put(b, "%s", line);
}

static void put_sync(body *b, const token *t, int last)
{
  if (t->kind == TOKEN_SYNC_EVENT && t->meant != NONE &&
      gpu_of_record(b, t) == b->gpu) {
    put(b, "gs.synchronize { event = %s }",
        event_name(b, &b->host->v[t->of], t->meant, t->last_step));
    return;
  }
  if (t->kind == TOKEN_SYNC_DEVICE) {
    for (size_t i = 0; i < b->streams; i++)
      if (i == 0)
        put(b, "gs.synchronize {}");
      else
        put(b, "gs.synchronize { stream = \"%s\" }", b->stream_name[i]);
    return;
  }
  const int stream = t->stream >= 0 ? t->stream : last;
  bool known = false;
  for (size_t i = 0; i < b->streams; i++) known |= b->stream[i] == stream;
  const char *const in = known ? in_stream(b, stream, "") : "";
  put(b, *in ? "gs.synchronize { %s }" : "gs.synchronize {%s}", in);
}

static bool is_wait(const token *t)
{
  return t->kind >= TOKEN_SYNC_STREAM && t->kind <= TOKEN_SYNC_DEVICE;
}

/* Writes an exchange wherever the host waits for kernels, each with a size,
 * because a run on one GPU has no copies to other GPUs. */
static void put_sends(body *b)
{
  size_t i = 0;

  if (b->gpus > 1.5 || b->launched == NONE) return;
  while (i < b->places && b->place[i] != b->launched) i++;
  if (i == b->places && i < BODY_SIZES) b->place[b->places++] = b->launched;
  if (i < b->places) put(b, "send(g, n, k.bytes%zu)", i + 1);
  b->launched = NONE;
}

/* Returns whether a knob replaces barriers, which the profile cannot show. */
static bool is_meeting_guessed(const body *b)
{
  return !b->host->meetings_known && !b->one_thread;
}

/* Accumulates host work until it exceeds 1/500 of a step. */
static double put_gap(body *b, double gap)
{
  if (gap < 0.002 * b->p->period) return gap;
  put(b, "gs.host(%.3g)", gap);
  return 0.0;
}

/* Returns the GPU of a token, which by default is that of the previous work. */
static int gpu_of(const body *b, const token *t, int last)
{
  if (t->kind == TOKEN_SYNC_EVENT && t->meant != NONE)
    return gpu_of_record(b, t);
  return t->gpu >= 0 ? t->gpu : b->one_thread ? last : b->gpu;
}

static const host_thread *thread_of(const body *b)
{
  for (size_t i = 0; i < b->host->n; i++)
    for (size_t k = 0; k < b->host->v[i].n; k++)
      if (b->host->v[i].v[k].gpu == b->gpu && !b->host->v[i].v[k].absent &&
          b->host->v[i].v[k].kind == TOKEN_WORK)
        return &b->host->v[i];
  return NULL;
}

/* Lets threads meet at the last wait of a step. Without waits, steps
 * overlap. */
static void put_meeting(body *b, bool waited, bool meets)
{
  const bool known = b->host->meetings_known;

  if (known ? !meets : !waited) return;
  b->guessed_barrier = is_meeting_guessed(b);
  put(b, b->guessed_barrier ? "meet(true)" : "gs.barrier()");
}

/* Returns the host work in a gap beside a barrier, which takes some us. */
static double beyond_meeting(double gap)
{
  return gap < 10e-6 ? 0.0 : gap;
}

/* Returns true if most work starts more than two steps after its call. If the
 * host runs ahead, full queues block the host, and gaps between calls are not
 * host work. */
static bool runs_ahead(const body *b)
{
  const gpu_steps *const g = &b->p->gpu[b->gpu];
  size_t late = 0, seen = 0;

  for (size_t k = 0; k < g->steps * g->slots; k++) {
    if (g->at[k] == NONE || g->item[g->at[k]].call == NONE) continue;
    const work_item *const w = &g->item[g->at[k]];
    const double ahead = start_of(b->p, w->record) - end_of(b->p, w->call);
    late += ahead > 2.0 * b->p->period;
    seen++;
  }
  return 2 * late > seen;
}

static void put_calls(body *b, const host_thread *h)
{
  pending e = {0};
  double gap = 0.0;
  const bool ahead = runs_ahead(b);
  bool away = false, waited = false, met = false;
  int last_gpu = h->leader, last_stream = -1;

  for (size_t i = 0; i < h->n; i++) {
    const token *const t = &h->v[i];
    const int gpu = gpu_of(b, t, last_gpu);
    last_gpu = gpu;
    if (gpu != b->gpu && b->one_thread) {
      away = true;
      continue;
    }
    met = met || t->barrier;
    if (i > 0 && !away && !t->absent)
      gap += met ? beyond_meeting(t->gap) : t->gap;
    if (gap >= 0.002 * b->p->period || t->kind != TOKEN_WORK || t->barrier)
      flush(b, &e);
    if (t->barrier) put(b, "gs.barrier()");
    if (t->sided) take_side(b, &e, t);
    if (t->sided || t->absent) {
      if (!t->absent) met = false, last_stream = t->stream;
      continue;
    }
    met = false;
    if (away && b->lines > 0) put(b, "gs.barrier() -- the other GPUs");
    away = false;
    if (is_wait(t)) put_sends(b);
    gap = ahead ? 0.0 : put_gap(b, gap);
    if (t->kind == TOKEN_WORK) take_work(b, &e, t->slot);
    if (t->kind == TOKEN_WORK)
      last_stream = b->p->gpu[b->gpu].slot[t->slot].stream;
    if (t->kind == TOKEN_RECORD && is_awaited(b, rank_of(h, i), false))
      put_record(b, h, i);
    if (t->kind == TOKEN_WAIT) put_wait(b, t);
    if (is_wait(t)) put_sync(b, t, last_stream);
    if (is_wait(t) && i + 1 < h->n && !is_wait(&h->v[i + 1]) &&
        is_meeting_guessed(b))
      put(b, "meet()");
    waited = waited || is_wait(t);
  }
  flush(b, &e);
  put_sends(b);
  put_meeting(b, waited || b->one_thread, h->meets);
  if (!ahead) put_gap(b, gap + (waited ? beyond_meeting(h->rest) : h->rest));
}

static double busy_time(const body *b)
{
  const gpu_steps *const g = &b->p->gpu[b->gpu];
  double busy = 0.0;

  for (size_t j = 0; j < g->slots; j++) busy += g->slot[j].time;
  return busy;
}

/* Returns true if a host that calls no wait has the pace of a fully used GPU. A
 * paced host must wait inside other calls. */
static bool is_paced(const body *b, const host_thread *h)
{
  double gaps = h->rest;

  for (size_t i = 0; i < h->n; i++) {
    if (is_wait(&h->v[i])) return false;
    gaps += h->v[i].gap;
  }
  return gaps > 0.5 * b->p->period && busy_time(b) > 0.9 * b->p->period;
}

/* Without usable calls, writes all work in order and one wait. Idle time of the
 * GPU becomes host work. */
static void put_work_alone(body *b)
{
  pending e = {0};

  for (size_t j = 0; j < b->p->gpu[b->gpu].slots; j++) take_work(b, &e, j);
  flush(b, &e);
  put_sends(b);
  put_sync(b, &(token){.kind = TOKEN_SYNC_DEVICE, .meant = NONE}, -1);
  put_gap(b, b->p->period - busy_time(b));
  put_meeting(b, true, true);
}

/* ---- the body ----------------------------------------------------------- */

int body_make(body *b, const profile *p, const host_calls *h,
              const other_run *other, size_t others, failure *why)
{
  const host_thread *t;

  *b = (body){.p = p,
              .host = h,
              .other = other,
              .others = others,
              .gpus = gpus_of_run(p),
              .launched = NONE,
              .gpu = fullest(p)};
  const size_t slots = p->gpu[b->gpu].slots;
  b->phase = calloc(BODY_PHASES, sizeof *b->phase);
  b->phase_of = malloc(slots * sizeof *b->phase_of);
  b->weight = malloc(slots * sizeof *b->weight);
  if (!b->phase || !b->phase_of || !b->weight || !find_partners(b))
    return no_memory(why);
  b->one_thread = p->gpus > 1 && h->n == 1;
  find_phases(b);
  find_streams(b);
  find_sizes(b);
  learn_from_others(b);
  t = thread_of(b);
  if (t && !is_paced(b, t))
    put_calls(b, t);
  else
    put_work_alone(b);
  return b->lost ? no_memory(why) : EXIT_OK;
}

void body_free(body *b)
{
  free(b->phase);
  free(b->phase_of);
  free(b->weight);
  free(b->line);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
