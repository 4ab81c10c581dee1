/* perfetto.c - writes a step as a trace for chrome://tracing and Perfetto. Each
 * call and each action has one event, in lanes of host threads, streams,
 * engines and links.
 *
 * The format is "Trace Event Format" (Google, 2016) with complete events (X),
 * flows from a call to its work (s, f), and names of lanes (M). Times are in
 * us. */

#include "say/predict.h"

#include <math.h>
#include <stdlib.h>

/* ---- lanes --------------------------------------------------------------- */

/* Process ids in the viewer. The threads of a process are its lanes. */
enum {
  HOST_PID = 1,
  GPU_PID = 2 /* of GPU 0; other GPUs follow */
};

/* Lanes of a GPU after its streams, one for each concurrent use. */
typedef enum resource {
  SMS,
  COPY_ENGINE,
  LINK,
  RESOURCES
} resource;

static const char *const resource_names[RESOURCES] = {"SMs", "copy engine",
                                                      "link"};

enum {
  SLOTS = 1 << 16 /* exceeds concurrent actions */
};

typedef struct trace {
  FILE *f;
  gscale_lane_action *a; /* even steps, then odd steps */
  size_t n;
  int alike;              /* number of identical GPUs */
  double step;            /* duration of the step in s */
  int (*slot)[RESOURCES]; /* of each action; -1: unused */
  const char *comma;
  size_t flows;
} trace;

static void begin_event(trace *t, const char *phase, int pid, int tid)
{
  fprintf(t->f, "%s\n  {\"ph\": \"%s\", \"pid\": %d, \"tid\": %d", t->comma,
          phase, pid, tid);
  t->comma = ",";
}

static void put_field(trace *t, const char *name, const char *text)
{
  fprintf(t->f, ", \"%s\": ", name);
  put_json_text(t->f, text);
}

/* Writes a time in us, which is the format's unit. */
static void put_time(trace *t, const char *name, double seconds)
{
  fprintf(t->f, ", \"%s\": %.17g", name, 1e6 * seconds);
}

/* Names a lane, or a process if tid < 0, and sets its position. */
static void name_lane(trace *t, int pid, int tid, const char *name, int place)
{
  const char *what = tid < 0 ? "process" : "thread";

  begin_event(t, "M", pid, tid < 0 ? 0 : tid);
  fprintf(t->f, ", \"name\": \"%s_name\", \"args\": {\"name\": ", what);
  put_json_text(t->f, name);
  fputs("}}", t->f);
  begin_event(t, "M", pid, tid < 0 ? 0 : tid);
  fprintf(t->f,
          ", \"name\": \"%s_sort_index\", \"args\": {\"sort_index\": %d}}",
          what, place);
}

/* ---- lanes -------------------------------------------------------------- */

static bool is_copy(gscale_action_kind k)
{
  return k == GSCALE_COPY_D2D || k == GSCALE_COPY_D2H || k == GSCALE_COPY_H2D;
}

static bool has_work(const gscale_lane_action *a)
{
  return isfinite(a->at.begin) && isfinite(a->at.end);
}

static bool has_call(const gscale_lane_action *a)
{
  return isfinite(a->at.call) && isfinite(a->at.back);
}

static bool moves_itself(const gscale_lane_action *a)
{
  return isfinite(a->sends) && isfinite(a->sent);
}

static bool uses(const gscale_lane_action *a, resource r)
{
  if (!has_work(a) || a->gpu < 0 || a->stream < 0) return false;
  if (r == LINK)
    return is_copy(a->kind) || a->kind == GSCALE_COLLECTIVE || moves_itself(a);
  return is_copy(a->kind) == (r == COPY_ENGINE);
}

/* Returns when a resource is used. A kernel uses the link from its first byte
 * to its last byte. */
static gscale_span when(const gscale_lane_action *a, resource r)
{
  gscale_span at = a->at;

  if (r == LINK && moves_itself(a)) {
    at.begin = a->sends;
    at.end = a->sent;
  }
  return at;
}

static bool overlap(gscale_span a, gscale_span b)
{
  return a.begin < b.end && b.begin < a.end;
}

static bool is_free(const trace *t, size_t i, resource r, int slot)
{
  const gscale_lane_action *a = &t->a[i];

  for (size_t k = 0; k < i; k++) {
    const gscale_lane_action *b = &t->a[k];

    if (t->slot[k][r] == slot && b->gpu == a->gpu &&
        overlap(when(a, r), when(b, r)))
      return false;
  }
  return true;
}

/* Assigns lanes without overlap, because viewers would nest events. */
static void find_slots(trace *t)
{
  const size_t n = t->n;

  for (size_t i = 0; i < n; i++)
    for (resource r = SMS; r < RESOURCES; r++) {
      t->slot[i][r] = -1;
      if (!uses(&t->a[i], r)) continue;
      for (int slot = 0; t->slot[i][r] < 0; slot++)
        if (is_free(t, i, r, slot)) t->slot[i][r] = slot;
    }
}

/* Numbers lanes of resources after the streams. */
static int tid_of(resource r, int slot)
{
  return SLOTS * ((int)r + 1) + slot;
}

/* Prints the name of an event, such as "launch sweep". */
static void format_name(const gscale_lane_action *a, char *text, size_t size)
{
  snprintf(text, size, "%s%s%s", gscale_action_name(a->kind),
           *a->what ? " " : "", a->what);
}

static void name_resource(trace *t, size_t i, resource r)
{
  const int gpu = t->a[i].gpu, slot = t->slot[i][r];
  char name[64];

  if (slot < 0) return;
  for (size_t k = 0; k < i; k++)
    if (t->slot[k][r] == slot && t->a[k].gpu == gpu) return;
  if (slot == 0)
    snprintf(name, sizeof name, "%s", resource_names[r]);
  else
    snprintf(name, sizeof name, "%s %d", resource_names[r], slot + 1);
  name_lane(t, GPU_PID + gpu, tid_of(r, slot), name, tid_of(r, slot));
}

static void name_gpu(trace *t, const gscale_lane_action *a)
{
  char name[64];

  snprintf(name, sizeof name, t->alike > 1 ? "GPU %d, as each of %d" : "GPU %d",
           a->gpu, t->alike);
  name_lane(t, GPU_PID + a->gpu, -1, name, GPU_PID + a->gpu);
}

/* Names the lane of an action at its first event. */
static void name_new(trace *t, size_t i)
{
  const gscale_lane_action *a = &t->a[i];
  const bool streams = a->gpu >= 0 && a->stream >= 0;
  bool thread = true, gpu = streams, stream = streams;
  char name[GSCALE_LANE_TEXT];

  for (size_t k = 0; k < i; k++) {
    const gscale_lane_action *b = &t->a[k];

    if (b->thread == a->thread) thread = false;
    if (b->stream < 0 || b->gpu != a->gpu) continue;
    gpu = false;
    if (b->stream == a->stream) stream = false;
  }
  snprintf(name, sizeof name, "thread %d", a->thread);
  if (thread) name_lane(t, HOST_PID, a->thread, name, a->thread);
  if (gpu) name_gpu(t, a);
  snprintf(name, sizeof name, "stream %.*s", GSCALE_LANE_TEXT - 8,
           a->stream_name);
  if (stream) name_lane(t, GPU_PID + a->gpu, a->stream, name, a->stream);
}

static void name_lanes(trace *t)
{
  const size_t n = t->n;

  name_lane(t, HOST_PID, -1, "host", HOST_PID);
  for (size_t i = 0; i < n; i++) {
    name_new(t, i);
    for (resource r = SMS; r < RESOURCES; r++) name_resource(t, i, r);
  }
}

/* ---- events -------------------------------------------------------------- */

static void put_event(trace *t, const gscale_lane_action *a, int pid, int tid,
                      const char *name, double begin, double end)
{
  const char *const when = a->parity == GSCALE_ODD_STEPS    ? "odd steps"
                           : a->parity == GSCALE_EVEN_STEPS ? "even steps"
                                                            : "every step";

  begin_event(t, "X", pid, tid);
  put_field(t, "name", name);
  put_field(t, "cat", pid == HOST_PID ? "call" : "work");
  put_time(t, "ts", begin);
  put_time(t, "dur", fmax(0.0, end - begin));
  fprintf(t->f, ", \"args\": {\"when\": \"%s\", \"times a step\": %.17g}}",
          when, a->repeats);
}

/* Draws an arrow from a call to the action it starts. */
static void put_flow(trace *t, const gscale_lane_action *a)
{
  const size_t id = t->flows++;

  begin_event(t, "s", HOST_PID, a->thread);
  put_time(t, "ts", a->at.call);
  fprintf(t->f, ", \"id\": %zu, \"name\": \"starts\", \"cat\": \"flow\"}", id);
  begin_event(t, "f", GPU_PID + a->gpu, a->stream);
  put_time(t, "ts", a->at.begin);
  fprintf(t->f,
          ", \"id\": %zu, \"bp\": \"e\", \"name\": \"starts\", "
          "\"cat\": \"flow\"}",
          id);
}

static void put_action(trace *t, size_t i)
{
  const gscale_lane_action *a = &t->a[i];
  const int pid = GPU_PID + a->gpu;
  char name[2 * GSCALE_LANE_TEXT];

  format_name(a, name, sizeof name);
  if (has_call(a))
    put_event(t, a, HOST_PID, a->thread, name, a->at.call, a->at.back);
  if (!has_work(a) || a->gpu < 0 || a->stream < 0) return;
  put_event(t, a, pid, a->stream, *a->what ? a->what : name, a->at.begin,
            a->at.end);
  for (resource r = SMS; r < RESOURCES; r++)
    if (t->slot[i][r] >= 0)
      put_event(t, a, pid, tid_of(r, t->slot[i][r]), name, when(a, r).begin,
                when(a, r).end);
  if (has_call(a)) put_flow(t, a);
}

static void put_trace(trace *t, const question *q, size_t i)
{
  const size_t n = t->n;

  fputs("{\"displayTimeUnit\": \"ns\",\n\"otherData\": {\"made by\": "
        "\"gpuscale " GSCALE_VERSION "\", \"command\": ",
        t->f);
  put_json_text(t->f, made_command());
  fputs(", \"workload\": ", t->f);
  put_json_text(t->f, gscale_workload_about(q->workload).name);
  fputs(", \"system\": ", t->f);
  put_json_text(t->f, q->name);
  fprintf(t->f,
          ", \"paradigm\": \"%s\", \"gpus\": \"%d\", \"step_us\": \"%.17g\"},\n"
          "\"traceEvents\": [",
          question_paradigm(q, i), q->gpus[0], 1e6 * t->step);
  name_lanes(t);
  for (size_t k = 0; k < n; k++) put_action(t, k);
  fputs("\n]}\n", t->f);
}

/* Copies the actions of even steps, then those of odd steps, one step later. */
static bool take_actions(trace *t, const gscale_lanes *l)
{
  *t = (trace){.n = gscale_lanes_count(l),
               .alike = gscale_lanes_alike(l),
               .step = gscale_lanes_time(l),
               .comma = ""};
  t->a = malloc((t->n + 1) * sizeof *t->a);
  t->slot = malloc((t->n + 1) * sizeof *t->slot);
  if (!t->a || !t->slot) return false;
  for (size_t i = 0; i < t->n; i++) {
    gscale_span *at = &t->a[i].at;

    t->a[i] = *gscale_lanes_at(l, i);
    if (t->a[i].parity != GSCALE_ODD_STEPS) continue;
    at->call += t->step;
    at->back += t->step;
    at->begin += t->step;
    at->end += t->step;
    t->a[i].sends += t->step;
    t->a[i].sent += t->step;
  }
  return true;
}

static int write_actions(trace *t, const question *q, size_t i,
                         const char *path, failure *why)
{
  output out;
  int st = output_open(&out, path, why);

  if (st != EXIT_OK) return st;
  t->f = out.f;
  put_trace(t, q, i);
  return output_close(&out, why);
}

int trace_write(const question *q, size_t i, const char *path, failure *why)
{
  gscale_lanes *lanes = NULL;
  trace t = {0};
  int st = lanes_new(q, i, 0, &lanes, why);

  if (st == EXIT_OK && !take_actions(&t, lanes)) st = no_memory(why);
  if (st == EXIT_OK) {
    find_slots(&t);
    st = write_actions(&t, q, i, path, why);
  }
  free(t.slot);
  free(t.a);
  gscale_lanes_free(lanes);
  return st;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
