/* ideal_schedule.c - a schedule without the actions that serve other GPUs. */

#include "describe/program.h"

#include <stdlib.h>

bool gscale__leaves(const gscale_schedule *s, const gscale_action *a)
{
  return a->kind == GSCALE_COPY_D2D && a->peer != s->stream_gpu[a->stream];
}

typedef struct pruning {
  const gscale_schedule *s;
  bool *keep;  /* true for each action that stays */
  int *work;   /* number of works left per stream */
  int *waited; /* number of waits left per event */
  int *behind; /* number of records after work */
  int *near;   /* GPU that records an event */
} pruning;

enum {
  NOBODY = -1, /* no record is left */
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

static void count_kept(pruning *v)
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

/* Keeps all records of an event that is recorded both after work and without
 * work, since waits for the event would otherwise refer to another record. */
static bool still_recorded(const pruning *v, int event)
{
  return v->waited[event] > 0 && v->behind[event] > 0;
}

static bool still_serves(const pruning *v, const gscale_action *a)
{
  const gscale_schedule *s = v->s;

  if (gscale__leaves(s, a) || a->kind == GSCALE_COLLECTIVE ||
      a->kind == GSCALE_PUBLISH)
    return false;
  if (a->kind == GSCALE_RECORD) return still_recorded(v, a->event);
  if (uses_stream(a->kind) && v->work[a->stream] == 0) return false;
  if (!waits(a->kind)) return true;
  if (v->behind[a->event] == 0) return false;
  return a->kind == GSCALE_SYNC_EVENT || v->near[a->event] == SEVERAL ||
         v->near[a->event] == s->stream_gpu[a->stream];
}

static void prune(pruning *v)
{
  const gscale_schedule *s = v->s;
  bool changed = true;

  for (size_t i = 0; i < s->actions; i++) v->keep[i] = true;
  count_kept(v);
  while (changed) {
    changed = false;
    for (size_t i = 0; i < s->actions; i++) {
      if (!v->keep[i] || still_serves(v, &s->action[i])) continue;
      v->keep[i] = false;
      changed = true;
    }
    count_kept(v);
  }
}

gscale_action *gscale__local_actions(const gscale_schedule *s, size_t *n)
{
  const size_t streams = (size_t)s->streams + 1, events = (size_t)s->events + 1;
  pruning v = {s,
               calloc(s->actions, sizeof(bool)),
               calloc(streams, sizeof(int)),
               calloc(events, sizeof(int)),
               calloc(events, sizeof(int)),
               calloc(events, sizeof(int))};
  gscale_action *list = malloc(s->actions * sizeof *list);

  *n = 0;
  if (v.keep && v.work && v.waited && v.behind && v.near && list) {
    prune(&v);
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

/* SPDX-License-Identifier: GPL-3.0-or-later */
