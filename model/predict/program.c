/* program.c - a workload's own schedules: kept, checked, compiled; and what is
 * left of them where data moves in no time. */

#include "program.h"

#include <stdlib.h>
#include <string.h>

/* ---- checks ---------------------------------------------------------------
 */

static gscale_status check_work(const gscale_workload *w, const gscale_work *k,
                                size_t d, gscale_diag *diag)
{
  const bool kernel = k->kind == GSCALE_LAUNCH || k->kind == GSCALE_GRAPH;
  const bool moves = k->kind >= GSCALE_MEMSET && k->kind <= GSCALE_COPY_H2D;

  if (!kernel && !moves && k->kind != GSCALE_HOST_WORK)
    return gscale__fail(diag, GSCALE_EDATA, "duration %zu: kind %d", d,
                        (int)k->kind);
  if (kernel && k->phase >= w->phases)
    return gscale__fail(diag, GSCALE_ENAME, "duration %zu: no phase %zu of %zu",
                        d, k->phase, w->phases);
  if (kernel && !(k->share > 0.0 && k->share <= 1.0))
    return gscale__fail(diag, GSCALE_EDOMAIN,
                        "duration %zu: share: %g is not > 0 and <= 1", d,
                        k->share);
  if (moves && !(k->bytes > 0.0 && isfinite(k->bytes)))
    return gscale__fail(diag, GSCALE_EDOMAIN, "duration %zu: bytes: %g", d,
                        k->bytes);
  if (k->kind == GSCALE_HOST_WORK && !(k->time >= 0.0 && isfinite(k->time)))
    return gscale__fail(diag, GSCALE_EDOMAIN, "duration %zu: time: %g", d,
                        k->time);
  return GSCALE_OK;
}

static bool lasts(gscale_action_kind k)
{
  return k <= GSCALE_COLLECTIVE || k == GSCALE_HOST_WORK;
}

/* What gscale_timeline_new() does not look at; it has been there. */
static gscale_status check_program(const gscale_workload *w,
                                   const gscale_program *p, gscale_diag *diag)
{
  const gscale_schedule *s = &p->schedule;
  gscale_status st = GSCALE_OK;

  for (int d = 0; st == GSCALE_OK && d < s->durations; d++)
    st = check_work(w, &p->work[d], (size_t)d, diag);
  for (size_t i = 0; st == GSCALE_OK && i < s->actions; i++) {
    const gscale_action *a = &s->action[i];
    if (lasts(a->kind) && p->work[a->length].kind != a->kind)
      st = gscale__fail(diag, GSCALE_EDATA,
                        "action %zu (%s, thread %d): duration %d is of a %s", i,
                        gscale_action_name(a->kind), a->thread, a->length,
                        gscale_action_name(p->work[a->length].kind));
  }
  return st;
}

/* ---- without what serves other GPUs ---------------------------------------
 */

bool gscale__leaves(const gscale_schedule *s, const gscale_action *a)
{
  return a->kind == GSCALE_COPY_D2D && a->peer != s->stream_gpu[a->stream];
}

typedef struct sieve {
  const gscale_schedule *s;
  bool *keep;  /* of each action */
  int *work;   /* of each stream, what is kept */
  int *waited; /* of each event: waits and synchronisations that are kept */
  int *behind; /* of each event: records in streams with work */
  int *near;   /* of each event: the GPU of its records, or ... */
} sieve;

enum {
  NOBODY = -1, /* none is left */
  SEVERAL = -2
};

static bool uses_stream(gscale_action_kind k)
{
  return k <= GSCALE_SYNC_STREAM;
}

static bool waits(gscale_action_kind k)
{
  return k == GSCALE_WAIT || k == GSCALE_SYNC_EVENT;
}

static void count(sieve *v)
{
  const gscale_schedule *s = v->s;

  for (int i = 0; i < s->streams; i++) v->work[i] = 0;
  for (int e = 0; e < s->events; e++) {
    v->waited[e] = v->behind[e] = 0;
    v->near[e] = NOBODY;
  }
  for (size_t i = 0; i < s->actions; i++) {
    const gscale_action *a = &s->action[i];
    if (!v->keep[i]) continue;
    if (a->kind <= GSCALE_COLLECTIVE) v->work[a->stream]++;
    if (waits(a->kind)) v->waited[a->event]++;
  }
  for (size_t i = 0; i < s->actions; i++) {
    const gscale_action *a = &s->action[i];
    if (!v->keep[i] || a->kind != GSCALE_RECORD) continue;
    const int gpu = s->stream_gpu[a->stream], was = v->near[a->event];
    v->near[a->event] = was == NOBODY || was == gpu ? gpu : SEVERAL;
    v->behind[a->event] += v->work[a->stream] > 0;
  }
}

/* An event that is recorded both behind work and where none is keeps all its
 * records: without one, those who wait would mean another. */
static bool still_recorded(const sieve *v, int event)
{
  return v->waited[event] > 0 && v->behind[event] > 0;
}

static bool still_serves(const sieve *v, const gscale_action *a)
{
  const gscale_schedule *s = v->s;

  if (gscale__leaves(s, a)) return false;
  if (a->kind == GSCALE_RECORD) return still_recorded(v, a->event);
  if (uses_stream(a->kind) && v->work[a->stream] == 0) return false;
  if (!waits(a->kind)) return true;
  if (v->behind[a->event] == 0) return false;
  return a->kind == GSCALE_SYNC_EVENT || v->near[a->event] == SEVERAL ||
         v->near[a->event] == s->stream_gpu[a->stream];
}

static void sift(sieve *v)
{
  const gscale_schedule *s = v->s;
  bool changed = true;

  for (size_t i = 0; i < s->actions; i++) v->keep[i] = true;
  count(v);
  while (changed) {
    changed = false;
    for (size_t i = 0; i < s->actions; i++) {
      if (!v->keep[i] || still_serves(v, &s->action[i])) continue;
      v->keep[i] = false;
      changed = true;
    }
    count(v);
  }
}

/* The actions that are kept; NULL without memory. */
static gscale_action *sifted(const gscale_schedule *s, size_t *n)
{
  const size_t streams = (size_t)s->streams + 1, events = (size_t)s->events + 1;
  sieve v = {s,
             calloc(s->actions, sizeof(bool)),
             calloc(streams, sizeof(int)),
             calloc(events, sizeof(int)),
             calloc(events, sizeof(int)),
             calloc(events, sizeof(int))};
  gscale_action *list = malloc(s->actions * sizeof *list);

  *n = 0;
  if (v.keep && v.work && v.waited && v.behind && v.near && list) {
    sift(&v);
    for (size_t i = 0; i < s->actions; i++)
      if (v.keep[i]) list[(*n)++] = s->action[i];
  } else {
    free(list);
    list = NULL;
  }
  free(v.keep);
  free(v.work);
  free(v.waited);
  free(v.behind);
  free(v.near);
  return list;
}

/* ---- copies ---------------------------------------------------------------
 */

static void *copy_of(const void *from, size_t n, size_t size)
{
  void *to = malloc(n > 0 ? n * size : 1);

  if (to && n > 0) memcpy(to, from, n * size);
  return to;
}

/* The list and its text in one block; NULL stays NULL, and so *ok. */
static const char *const *copy_names(const char *const *from, int n, bool *ok)
{
  size_t size = (size_t)n * sizeof(char *);
  char **to, *text;

  if (!from) return NULL;
  for (int i = 0; i < n; i++) size += strlen(from[i]) + 1;
  to = malloc(size > 0 ? size : 1);
  *ok = *ok && to;
  if (!to) return NULL;
  text = (char *)(to + n);
  for (int i = 0; i < n; i++) {
    to[i] = strcpy(text, from[i]);
    text += strlen(text) + 1;
  }
  return (const char *const *)to;
}

static bool copy_program(const gscale_program *from, gscale_program *to)
{
  const gscale_schedule *s = &from->schedule;
  bool ok = true;

  *to = *from;
  to->schedule.action = copy_of(s->action, s->actions, sizeof *s->action);
  to->schedule.stream_gpu =
      copy_of(s->stream_gpu, (size_t)s->streams, sizeof *s->stream_gpu);
  to->work = copy_of(from->work, (size_t)s->durations, sizeof *from->work);
  to->stream_name = copy_names(from->stream_name, s->streams, &ok);
  to->event_name = copy_names(from->event_name, s->events, &ok);
  return ok && to->schedule.action && to->schedule.stream_gpu && to->work;
}

static void free_one(gscale__program *g)
{
  if (!g) return;
  free((void *)g->whole.as.schedule.action);
  free((void *)g->whole.as.schedule.stream_gpu);
  free((void *)g->whole.as.work);
  free((void *)g->whole.as.stream_name);
  free((void *)g->whole.as.event_name);
  free((void *)g->ideal.as.schedule.action);
  free(g->whole.follows);
  free(g->ideal.follows);
  gscale_timeline_free(g->whole.timeline);
  gscale_timeline_free(g->ideal.timeline);
  free(g);
}

void gscale__program_free(gscale__program *all)
{
  while (all) {
    gscale__program *next = all->next;
    free_one(all);
    all = next;
  }
}

/* ---- hand-overs -----------------------------------------------------------
 */

/* What a stream, or an event, brings: the kind and GPU of the last work. */
typedef struct brought {
  enum {
    NO_WORK,
    KERNEL,
    COPY
  } last;
  int gpu;
} brought;

static void follow(const gscale_schedule *s, const gscale_action *a,
                   brought *stream, brought *event, brought *waited,
                   gscale__version *v)
{
  const bool copies = a->kind >= GSCALE_COPY_D2D && a->kind <= GSCALE_COPY_H2D;
  const int gpu = a->kind <= GSCALE_WAIT ? s->stream_gpu[a->stream] : 0;
  const bool near =
      a->kind <= GSCALE_COLLECTIVE && waited[a->stream].gpu == gpu;

  if (a->kind == GSCALE_RECORD) event[a->event] = stream[a->stream];
  if (a->kind == GSCALE_WAIT) waited[a->stream] = event[a->event];
  if (a->kind > GSCALE_COLLECTIVE) return;
  if (near && copies && waited[a->stream].last == KERNEL)
    v->follows[a->length] = GSCALE__FOLLOWS_KERNEL;
  if (near && !copies && waited[a->stream].last == COPY)
    v->follows[a->length] = GSCALE__FOLLOWS_COPY;
  waited[a->stream].last = NO_WORK;
  stream[a->stream] = (brought){copies ? COPY : KERNEL, gpu};
}

/* Twice over the list: a wait may be for the step before. */
static bool find_hand_overs(gscale__version *v)
{
  const gscale_schedule *s = &v->as.schedule;
  const size_t streams = (size_t)s->streams + 1, events = (size_t)s->events + 1;
  brought *stream = calloc(streams, sizeof *stream);
  brought *waited = calloc(streams, sizeof *waited);
  brought *event = calloc(events, sizeof *event);
  double waits_of = 0.0, far = 0.0;

  v->follows = calloc((size_t)s->durations + 1, sizeof *v->follows);
  const bool ok = stream && waited && event && v->follows;
  for (size_t i = 0; ok && i < 2 * s->actions; i++) {
    const gscale_action *a = &s->action[i % s->actions];
    follow(s, a, stream, event, waited, v);
    if (a->kind != GSCALE_WAIT) continue;
    waits_of += 1.0;
    far += event[a->event].gpu != s->stream_gpu[a->stream];
  }
  v->far = waits_of > 0.0 ? far / waits_of : 0.0;
  free(stream);
  free(waited);
  free(event);
  return ok;
}

/* ---- compiled -------------------------------------------------------------
 */

static gscale_status compile(gscale__version *v, gscale_diag *diag)
{
  gscale_timeline *full = NULL;
  gscale_status st = gscale_timeline_new(&v->as.schedule, &full, diag);

  if (st == GSCALE_OK)
    st = gscale_timeline_lump(full, NULL, &v->timeline, diag);
  gscale_timeline_free(full);
  if (st == GSCALE_OK && !find_hand_overs(v))
    st = gscale__fail(diag, GSCALE_ENOMEM, "no memory for a schedule");
  return st;
}

static gscale_status fill(const gscale_workload *w, const gscale_program *p,
                          gscale__program *g, gscale_diag *diag)
{
  gscale_schedule *ideal = &g->ideal.as.schedule;

  gscale__version given = {.as = *p};

  given.as.schedule.crowd = 1.0;
  gscale_status st = compile(&given, diag);
  g->whole.timeline = given.timeline;
  g->whole.follows = given.follows;
  g->whole.far = given.far;
  if (st == GSCALE_OK) st = check_program(w, &given.as, diag);
  if (st != GSCALE_OK) return st;
  if (!copy_program(&given.as, &g->whole.as))
    return gscale__fail(diag, GSCALE_ENOMEM, "no memory for a schedule");

  g->ideal.as = g->whole.as;
  ideal->action = sifted(&g->whole.as.schedule, &ideal->actions);
  if (!ideal->action)
    return gscale__fail(diag, GSCALE_ENOMEM, "no memory for a schedule");
  if (ideal->actions == 0)
    return gscale__fail(diag, GSCALE_EDATA,
                        "schedule: nothing but copies to other GPUs");
  return compile(&g->ideal, diag);
}

gscale_status gscale_workload_add_program(gscale_workload *w,
                                          const gscale_program *p,
                                          gscale_diag *diag)
{
  if (gscale__program_find(w, p->schedule.gpus))
    return gscale__fail(diag, GSCALE_EDATA,
                        "%s: there is a schedule for %d GPUs already", w->name,
                        p->schedule.gpus);
  gscale__program *g = calloc(1, sizeof *g);
  if (!g) return gscale__fail(diag, GSCALE_ENOMEM, "no memory for a schedule");

  const gscale_status st = fill(w, p, g, diag);
  if (st != GSCALE_OK) {
    free_one(g);
    return st;
  }
  g->next = w->program;
  w->program = g;
  return GSCALE_OK;
}

const gscale__program *gscale__program_find(const gscale_workload *w, int n)
{
  const gscale__program *g = w->program;

  while (g && g->whole.as.schedule.gpus != n) g = g->next;
  return g;
}

const gscale_program *gscale_workload_program(const gscale_workload *w, int n)
{
  const gscale__program *g = gscale__program_find(w, n);
  return g ? &g->whole.as : NULL;
}

bool gscale_workload_has_program(const gscale_workload *w)
{
  return w->program != NULL;
}
