/* program.c - storage, checks and compilation of a workload's own schedules. */

#include "describe/program.h"

#include <stdlib.h>
#include <string.h>

/* ---- checks -------------------------------------------------------------- */

static gscale_status check_work(const gscale_workload *w, const gscale_work *k,
                                size_t d, gscale_diag *diag)
{
  const bool kernel = k->kind == GSCALE_LAUNCH || k->kind == GSCALE_GRAPH;
  const bool publish = k->kind == GSCALE_PUBLISH;
  const bool moves = k->kind >= GSCALE_MEMSET && k->kind <= GSCALE_COLLECTIVE;

  if (!kernel && !moves && !publish && k->kind != GSCALE_HOST_WORK)
    return gscale__fail(diag, GSCALE_EDATA, "duration %zu: kind %d", d,
                        (int)k->kind);
  if ((kernel || publish) && k->phase >= w->phases)
    return gscale__fail(diag, GSCALE_ENAME, "duration %zu: no phase %zu of %zu",
                        d, k->phase, w->phases);
  if (k->more > 0 &&
      (k->kind != GSCALE_GRAPH || k->more >= w->phases - k->phase))
    return gscale__fail(diag, GSCALE_ENAME,
                        "duration %zu: no %zu phases behind %zu in a graph", d,
                        k->more, k->phase);
  if (kernel && !(k->share > 0.0 && k->share <= 1.0))
    return gscale__fail(diag, GSCALE_EDOMAIN,
                        "duration %zu: share: %g is not > 0 and <= 1", d,
                        k->share);
  if (moves && !(k->bytes > 0.0 && isfinite(k->bytes)))
    return gscale__fail(diag, GSCALE_EDOMAIN, "duration %zu: bytes: %g", d,
                        k->bytes);
  if (k->kind == GSCALE_COLLECTIVE &&
      (k->coll >= GSCALE_COLL_KIND_END ||
       k->algorithm > GSCALE_COLL_ALGORITHM_END ||
       k->protocol > GSCALE_COLL_PROTOCOL_END))
    return gscale__fail(diag, GSCALE_EDOMAIN,
                        "duration %zu: no such collective, algorithm or "
                        "protocol",
                        d);
  if (k->kind == GSCALE_HOST_WORK && !(k->time >= 0.0 && isfinite(k->time)))
    return gscale__fail(diag, GSCALE_EDOMAIN, "duration %zu: time: %g", d,
                        k->time);
  return GSCALE_OK;
}

static bool lasts(gscale_action_kind k)
{
  return k <= GSCALE_COLLECTIVE || k == GSCALE_HOST_WORK || k == GSCALE_PUBLISH;
}

/* Checks all rules that gscale_timeline_new() has not checked before. */
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

/* ---- copies -------------------------------------------------------------- */

static void *copy_of(const void *from, size_t n, size_t size)
{
  void *to = malloc(n > 0 ? n * size : 1);

  if (to && n > 0) memcpy(to, from, n * size);
  return to;
}

/* Copies the list and its text into one block.  If `from` is NULL, returns NULL
 * and leaves *ok unchanged. */
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

static void free_version(gscale__version *v)
{
  free((void *)v->as.schedule.action);
  free((void *)v->as.schedule.stream_gpu);
  free((void *)v->as.work);
  free((void *)v->as.stream_name);
  free((void *)v->as.event_name);
  gscale__form_close(&v->form);
}

gscale__program *gscale__program_hold(const gscale__program *g)
{
  gscale__program *held = (gscale__program *)(uintptr_t)g;

  if (g) held->held++;
  return held;
}

void gscale__program_drop(gscale__program *g)
{
  if (!g || g->held-- > 0) return;
  free_version(&g->whole);
  free_version(&g->ideal);
  free(g->stays_of);
  free(g);
}

void gscale__program_free(gscale__program *all)
{
  while (all) {
    gscale__program *next = all->next;
    gscale__program_drop(all);
    all = next;
  }
}

/* ---- hand-overs ---------------------------------------------------------- */

/* Kind and GPU of the last work in a stream, or before an event. */
typedef struct brought {
  enum {
    NO_WORK,
    KERNEL,
    COPY
  } last;
  int gpu;
} brought;

typedef struct carried {
  brought *stream, *waited; /* for each stream */
  brought *event;           /* for each event */
} carried;

/* Returns the kind of work before the event for which the action's work waits,
 * and notes the action's own work. */
static gscale__follows follow(const gscale_schedule *s, const gscale_action *a,
                              carried *c)
{
  const bool copies = a->kind >= GSCALE_COPY_D2D && a->kind <= GSCALE_COPY_H2D;

  if (a->kind == GSCALE_RECORD) c->event[a->event] = c->stream[a->stream];
  if (a->kind == GSCALE_WAIT) c->waited[a->stream] = c->event[a->event];
  if (a->kind > GSCALE_COLLECTIVE) return GSCALE__FOLLOWS_STREAM;

  const brought w = c->waited[a->stream];
  const int gpu = s->stream_gpu[a->stream];
  c->waited[a->stream].last = NO_WORK;
  c->stream[a->stream] = (brought){copies ? COPY : KERNEL, gpu};
  if (w.gpu != gpu) return GSCALE__FOLLOWS_STREAM;
  if (copies && w.last == KERNEL) return GSCALE__FOLLOWS_KERNEL;
  if (!copies && w.last == COPY) return GSCALE__FOLLOWS_COPY;
  return GSCALE__FOLLOWS_STREAM;
}

/* Calls each(a, f) in the second of two passes over the list, because a wait
 * may be for the previous step. */
static void for_each_follower(gscale__version *v, carried *c,
                              void (*each)(gscale_action *a, gscale__follows f,
                                           int works))
{
  const gscale_schedule *s = &v->as.schedule;
  gscale_action *action = (gscale_action *)s->action;
  double waits_of = 0.0, far = 0.0;

  for (size_t i = 0; i < 2 * s->actions; i++) {
    gscale_action *a = &action[i % s->actions];
    const gscale__follows f = follow(s, a, c);
    if (i < s->actions) continue; /* events have no records yet */
    if (a->kind <= GSCALE_COLLECTIVE) each(a, f, v->works);
    if (a->kind != GSCALE_WAIT) continue;
    waits_of += 1.0;
    far += c->event[a->event].gpu != s->stream_gpu[a->stream];
  }
  v->far = waits_of > 0.0 ? far / waits_of : 0.0;
}

/* Gives work after another kind of work a separate duration. */
static void split_duration(gscale_action *a, gscale__follows f, int works)
{
  a->length += (int)f * works;
}

/* Gives work whose hand-over was removed the original duration again. */
static void merge_duration(gscale_action *a, gscale__follows f, int works)
{
  if (a->length / works != (int)f) a->length %= works;
}

static bool visit_hand_overs(gscale__version *v,
                             void (*each)(gscale_action *a, gscale__follows f,
                                          int works))
{
  const gscale_schedule *s = &v->as.schedule;
  const size_t streams = (size_t)s->streams + 1, events = (size_t)s->events + 1;
  carried c = {calloc(streams, sizeof *c.stream),
               calloc(streams, sizeof *c.waited),
               calloc(events, sizeof *c.event)};
  const bool ok = c.stream && c.waited && c.event;

  if (ok) for_each_follower(v, &c, each);
  free(c.stream);
  free(c.waited);
  free(c.event);
  return ok;
}

/* ---- local copies -------------------------------------------------------- */

static bool is_local_copy(const gscale_schedule *s, const gscale_action *a)
{
  return a->kind == GSCALE_COPY_D2D && !gscale__leaves(s, a);
}

/* Gives copies of a GPU to itself, which use no link, a new duration at the end
 * if they share one with copies to other GPUs. v->as must be a copy. */
static bool split_local_copies(gscale__version *v, int *given)
{
  gscale_schedule *s = &v->as.schedule;
  const size_t n = (size_t)s->durations;
  int *own = calloc(n + 1, sizeof *own);
  gscale_work *work = realloc((void *)v->as.work, (2 * n + 1) * sizeof *work);

  if (work) v->as.work = work;
  for (size_t i = 0; own && work && i < s->actions; i++)
    if (gscale__leaves(s, &s->action[i])) own[s->action[i].length] = -1;
  for (size_t i = 0; own && work && i < s->actions; i++) {
    gscale_action *a = (gscale_action *)&s->action[i];
    if (!is_local_copy(s, a) || own[a->length] == 0) continue;
    if (own[a->length] < 0) {
      work[s->durations] = work[a->length];
      given[s->durations - (int)n] = a->length;
      own[a->length] = s->durations++;
    }
    a->length = own[a->length];
  }
  const bool ok = own && work;
  free(own);
  return ok;
}

/* Gives duration d the variants d + follows * works, in a copy v->as. */
static bool find_hand_overs(gscale__version *v)
{
  gscale_schedule *s = &v->as.schedule;
  const size_t n = (size_t)s->durations, all = n * GSCALE__FOLLOWS_END;
  gscale_work *work = realloc((void *)v->as.work, (all + 1) * sizeof *work);

  if (!work) return false;
  for (size_t d = n; d < all; d++) work[d] = work[d - n];
  v->as.work = work;
  v->works = s->durations;
  s->durations = (int)all;
  return visit_hand_overs(v, split_duration);
}

/* ---- compilation --------------------------------------------------------- */

/* Returns true if a stream has collectives but no kernels.  Also returns false
 * if memory is exhausted, which compilation then reports. */
static bool has_collective_streams(const gscale_schedule *s)
{
  bool *kernels = calloc((size_t)s->streams + 1, sizeof *kernels);
  bool apart = false;

  for (size_t i = 0; kernels && i < s->actions; i++)
    if (s->action[i].kind <= GSCALE_GRAPH) kernels[s->action[i].stream] = true;
  for (size_t i = 0; kernels && i < s->actions; i++)
    apart = apart || (s->action[i].kind == GSCALE_COLLECTIVE &&
                      !kernels[s->action[i].stream]);
  free(kernels);
  return apart;
}

static bool is_kernel(gscale_action_kind k)
{
  return k <= GSCALE_MEMSET || k == GSCALE_COLLECTIVE;
}

/* Returns true if the hosts wait for all kernels of a GPU before they issue a
 * copy from that GPU.  Makes two passes over the list, as steps repeat.  Also
 * returns false if memory is exhausted. */
static bool copies_behind_waits(const gscale_schedule *s)
{
  bool *waited = calloc((size_t)s->gpus + 1, sizeof *waited);
  bool all = waited, any = false;

  for (size_t i = 0; waited && i < 2 * s->actions; i++) {
    const gscale_action *a = &s->action[i % s->actions];
    if (a->kind > GSCALE_SYNC_STREAM) continue;
    const int gpu = s->stream_gpu[a->stream];
    if (is_kernel(a->kind)) waited[gpu] = false;
    if (a->kind == GSCALE_SYNC_STREAM) waited[gpu] = true;
    if (a->kind < GSCALE_COPY_D2D || a->kind > GSCALE_COPY_H2D) continue;
    any = true;
    if (i >= s->actions) all = all && waited[gpu];
  }
  free(waited);
  return all && any;
}

static size_t count_leaving(const gscale_schedule *s)
{
  size_t n = 0;

  for (size_t i = 0; i < s->actions; i++) n += gscale__leaves(s, &s->action[i]);
  return n;
}

static gscale_status compile(gscale__version *v, gscale_diag *diag)
{
  const gscale_schedule *s = &v->as.schedule;
  const gscale_status st = gscale__form_open(&v->form, s, true, diag);

  v->form.far = v->far;
  v->form.behind_waits = copies_behind_waits(s);
  v->apart = has_collective_streams(s);
  v->leaving = count_leaving(s);
  return st;
}

static gscale_status check_timeline(gscale_schedule s, gscale_diag *diag)
{
  gscale_timeline *t = NULL;

  s.crowd = 1.0;
  const gscale_status st = gscale_timeline_new(&s, &t, diag);
  gscale_timeline_free(t);
  return st;
}

/* Checks the schedule with a memset in place of each publish. */
static gscale_status check_without_publishes(const gscale_schedule *s,
                                             gscale_diag *diag)
{
  gscale_action *list = copy_of(s->action, s->actions, sizeof *list);
  gscale_schedule plain = *s;

  if (!list)
    return gscale__fail(diag, GSCALE_ENOMEM, "no memory for a schedule");
  for (size_t i = 0; i < s->actions; i++)
    if (list[i].kind == GSCALE_PUBLISH) list[i].kind = GSCALE_MEMSET;
  plain.action = list;
  const gscale_status st = check_timeline(plain, diag);
  free(list);
  return st;
}

/* Checks the program as the caller gave it. */
static gscale_status check_given(const gscale_workload *w,
                                 const gscale_program *p, gscale_diag *diag)
{
  const bool publishes = gscale__any_publish(&p->schedule);
  gscale_status st = publishes ? check_without_publishes(&p->schedule, diag)
                               : check_timeline(p->schedule, diag);

  if (st == GSCALE_OK) st = check_program(w, p, diag);
  if (st == GSCALE_OK && publishes) st = gscale__check_published(w, p, diag);
  return st;
}

/* Keeps only the actions that serve their own GPU. */
static bool prune_version(gscale__version *v)
{
  gscale_schedule *s = &v->as.schedule;
  size_t n;
  gscale_action *kept = gscale__local_actions(s, &n);

  if (!kept) return false;
  free((void *)s->action);
  s->action = kept;
  s->actions = n;
  return true;
}

/* Fills only the lists, because their compilation depends on the paradigm. */
static gscale_status fill_published(const gscale_program *p, gscale__program *g,
                                    gscale_diag *diag)
{
  if (!copy_program(p, &g->whole.as) || !copy_program(p, &g->ideal.as) ||
      !prune_version(&g->ideal))
    return gscale__fail(diag, GSCALE_ENOMEM, "no memory for a schedule");
  g->whole.works = g->ideal.works = p->schedule.durations;
  gscale__note_published(g);
  return GSCALE_OK;
}

static gscale_status fill(const gscale_workload *w, const gscale_program *p,
                          gscale__program *g, gscale_diag *diag)
{
  gscale_status st = check_given(w, p, diag);

  if (st != GSCALE_OK) return st;
  g->given = p->schedule.durations;
  g->stays_of = calloc((size_t)g->given + 1, sizeof *g->stays_of);
  if (gscale__any_publish(&p->schedule)) return fill_published(p, g, diag);
  if (!g->stays_of || !copy_program(p, &g->whole.as) ||
      !split_local_copies(&g->whole, g->stays_of) ||
      !find_hand_overs(&g->whole) ||
      !copy_program(&g->whole.as, &g->ideal.as) || !prune_version(&g->ideal))
    return gscale__fail(diag, GSCALE_ENOMEM, "no memory for a schedule");
  if (g->ideal.as.schedule.actions == 0)
    return gscale__fail(diag, GSCALE_EDATA,
                        "schedule: nothing but copies to other GPUs and "
                        "collectives");
  g->ideal.works = g->whole.works;
  if (!visit_hand_overs(&g->ideal, merge_duration))
    return gscale__fail(diag, GSCALE_ENOMEM, "no memory for a schedule");
  g->whole.as.schedule.crowd = g->ideal.as.schedule.crowd = 1.0;
  st = compile(&g->whole, diag);
  return st == GSCALE_OK ? compile(&g->ideal, diag) : st;
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
    gscale__program_drop(g);
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

/* SPDX-License-Identifier: GPL-3.0-or-later */
