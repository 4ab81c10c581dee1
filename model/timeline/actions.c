/* actions.c - kinds of actions, and checks of schedules. */

#include "timeline/timeline.h"

#include <math.h>
#include <stdlib.h>

/* ---- kinds --------------------------------------------------------------- */

const gscale__kind_info gscale__kinds[GSCALE_ACTION_END] = {
    [GSCALE_LAUNCH] = {"launch", true, false, false, true, true,
                       GSCALE__COMPUTE},
    [GSCALE_GRAPH] = {"graph", true, false, false, true, true, GSCALE__COMPUTE},
    [GSCALE_MEMSET] = {"memset", true, false, false, true, true,
                       GSCALE__COMPUTE},
    [GSCALE_COPY_D2D] = {"copy-d2d", true, false, true, true, true,
                         GSCALE__COPY},
    [GSCALE_COPY_D2H] = {"copy-d2h", true, false, false, true, true,
                         GSCALE__COPY},
    [GSCALE_COPY_H2D] = {"copy-h2d", true, false, false, true, true,
                         GSCALE__COPY},
    [GSCALE_COLLECTIVE] = {"collective", true, true, false, true, true,
                           GSCALE__COMPUTE},
    [GSCALE_RECORD] = {"record", true, true, false, false, true, GSCALE__EVENT},
    [GSCALE_WAIT] = {"wait", true, true, false, false, true, GSCALE__EVENT},
    [GSCALE_SYNC_STREAM] = {"sync-stream", true, false, false, false, false,
                            GSCALE__HOST},
    [GSCALE_SYNC_EVENT] = {"sync-event", false, true, false, false, false,
                           GSCALE__HOST},
    [GSCALE_SET_DEVICE] = {"set-device", false, false, true, false, false,
                           GSCALE__HOST},
    [GSCALE_BARRIER] = {"barrier", false, false, false, false, false,
                        GSCALE__HOST},
    [GSCALE_HOST_WORK] = {"host", false, false, false, true, false,
                          GSCALE__HOST},
};

const char *gscale_action_name(gscale_action_kind k)
{
  if (k == GSCALE_PUBLISH) return "publish";
  return k < GSCALE_ACTION_END ? gscale__kinds[k].name : NULL;
}

gscale_status gscale__refuse_action(gscale_diag *diag, gscale_status st,
                                    const gscale_action *list, size_t i,
                                    const char *fmt, ...)
{
  const gscale_action *a = &list[i];
  char why[GSCALE_TEXT_MAX], stream[32] = "";
  va_list args;

  va_start(args, fmt);
  gscale__vprint(why, sizeof why, fmt, args);
  va_end(args);
  const char *name = gscale_action_name(a->kind);
  if (name && (a->kind == GSCALE_PUBLISH || gscale__kinds[a->kind].stream))
    gscale__print(stream, sizeof stream, ", stream %d", a->stream);
  return gscale__fail(diag, st, "action %zu (%s, thread %d%s): %s", i,
                      name ? name : "?", a->thread, stream, why);
}

/* ---- checks of schedules ------------------------------------------------- */

static gscale_status check_sizes(const gscale_schedule *s, gscale_diag *diag)
{
  const struct {
    const char *name;
    int value, least;
  } size[] = {{"gpus", s->gpus, 1},       {"threads", s->threads, 1},
              {"streams", s->streams, 0}, {"events", s->events, 0},
              {"depth", s->depth, 0},     {"durations", s->durations, 0}};

  for (size_t i = 0; i < LENGTH(size); i++)
    if (size[i].value < size[i].least || size[i].value > GSCALE__COUNT_MAX)
      return gscale__fail(diag, GSCALE_EDOMAIN,
                          "schedule: %s: %d not in %d .. %d", size[i].name,
                          size[i].value, size[i].least, GSCALE__COUNT_MAX);
  if (!(s->crowd >= 0.0) || !isfinite(s->crowd))
    return gscale__fail(diag, GSCALE_EDOMAIN, "schedule: crowd: %g", s->crowd);
  if (s->actions == 0)
    return gscale__fail(diag, GSCALE_EDATA, "schedule: no actions");
  if (s->actions > GSCALE__COUNT_MAX)
    return gscale__fail(diag, GSCALE_ESIZE, "schedule: %zu actions, at most %d",
                        s->actions, GSCALE__COUNT_MAX);
  for (int i = 0; i < s->streams; i++)
    if (s->stream_gpu[i] < 0 || s->stream_gpu[i] >= s->gpus)
      return gscale__fail(diag, GSCALE_ENAME, "stream %d: no GPU %d of %d", i,
                          s->stream_gpu[i], s->gpus);
  return GSCALE_OK;
}

static gscale_status check_action(const gscale_schedule *s, size_t i,
                                  gscale_diag *diag)
{
  const gscale_action *a = &s->action[i];

  if (a->kind >= GSCALE_ACTION_END || a->parity >= GSCALE_PARITY_END)
    return gscale__refuse_action(diag, GSCALE_EDOMAIN, s->action, i,
                                 "kind %d, parity %d", (int)a->kind,
                                 (int)a->parity);
  const gscale__kind_info *k = &gscale__kinds[a->kind];
  const struct {
    bool used;
    const char *name;
    int value, n;
  } field[] = {{true, "thread", a->thread, s->threads},
               {k->stream, "stream", a->stream, s->streams},
               {k->event, "event", a->event, s->events},
               {k->peer, "GPU", a->peer, s->gpus},
               {k->length, "duration", a->length, s->durations}};

  for (size_t f = 0; f < LENGTH(field); f++)
    if (field[f].used && (field[f].value < 0 || field[f].value >= field[f].n))
      return gscale__refuse_action(diag, GSCALE_ENAME, s->action, i,
                                   "no %s %d of %d", field[f].name,
                                   field[f].value, field[f].n);
  return GSCALE_OK;
}

int gscale__gpu_of(const gscale_schedule *s, const gscale_action *a)
{
  if (gscale__kinds[a->kind].stream) return s->stream_gpu[a->stream];
  return gscale__kinds[a->kind].peer ? a->peer : -1;
}

/* Counts that show whether the actions fit together. */
typedef struct census {
  int *feeder; /* thread + 1 of each stream, or 0 */
  int *of_gpu; /* number of actions of each GPU */
  struct {
    bool recorded;
    int members[2]; /* members of a collective per slot */
  } * event;
  struct {
    int actions, barriers[2];
  } * thread;
  int fewest[2]; /* thread with the fewest barriers */
} census;

static bool census_new(const gscale_schedule *s, census *c)
{
  *c = (census){.feeder = calloc((size_t)s->streams + 1, sizeof *c->feeder),
                .of_gpu = calloc((size_t)s->gpus, sizeof *c->of_gpu),
                .event = calloc((size_t)s->events + 1, sizeof *c->event),
                .thread = calloc((size_t)s->threads, sizeof *c->thread)};
  return c->feeder && c->of_gpu && c->event && c->thread;
}

static void census_free(census *c)
{
  free(c->feeder);
  free(c->of_gpu);
  free(c->event);
  free(c->thread);
}

static gscale_status count_action(const gscale_schedule *s, size_t i, census *c,
                                  gscale_diag *diag)
{
  const gscale_action *a = &s->action[i];
  const int gpu = gscale__gpu_of(s, a);
  int *count = gpu >= 0 ? &c->of_gpu[gpu] : &c->thread[a->thread].actions;

  if (++*count > GSCALE_ACTIONS_MAX)
    return gscale__refuse_action(
        diag, GSCALE_ESIZE, s->action, i, "more than %d actions of %s %d",
        GSCALE_ACTIONS_MAX, gpu >= 0 ? "GPU" : "thread",
        gpu >= 0 ? gpu : a->thread);
  if (gscale__kinds[a->kind].entry) {
    int *feeder = &c->feeder[a->stream];
    if (*feeder && *feeder != a->thread + 1)
      return gscale__refuse_action(diag, GSCALE_EDATA, s->action, i,
                                   "thread %d feeds this stream", *feeder - 1);
    *feeder = a->thread + 1;
  }
  if (a->kind == GSCALE_RECORD) c->event[a->event].recorded = true;
  for (int slot = 0; slot < 2; slot++) {
    if (!gscale__in_slot(a, slot)) continue;
    if (a->kind == GSCALE_COLLECTIVE) c->event[a->event].members[slot]++;
    if (a->kind == GSCALE_BARRIER) c->thread[a->thread].barriers[slot]++;
  }
  return GSCALE_OK;
}

/* Finds the thread with the fewest barriers in each slot. */
static void find_fewest(const gscale_schedule *s, census *c)
{
  for (int slot = 0; slot < 2; slot++)
    for (int t = c->fewest[slot] = 0; t < s->threads; t++)
      if (c->thread[t].barriers[slot] <
          c->thread[c->fewest[slot]].barriers[slot])
        c->fewest[slot] = t;
}

static gscale_status check_barrier(const gscale_schedule *s, size_t i,
                                   const census *c, gscale_diag *diag)
{
  const gscale_action *a = &s->action[i];

  for (int slot = 0; slot < 2; slot++) {
    const int most = c->thread[a->thread].barriers[slot];
    const int fewest = c->thread[c->fewest[slot]].barriers[slot];
    if (gscale__in_slot(a, slot) && fewest < most)
      return gscale__refuse_action(
          diag, GSCALE_EDATA, s->action, i,
          "of the %d barriers in %s steps thread %d reaches %d", most,
          slot ? "odd" : "even", c->fewest[slot], fewest);
  }
  return GSCALE_OK;
}

static gscale_status check_meeting(const gscale_schedule *s, size_t i,
                                   const census *c, gscale_diag *diag)
{
  const gscale_action *a = &s->action[i];

  if ((a->kind == GSCALE_WAIT || a->kind == GSCALE_SYNC_EVENT) &&
      !c->event[a->event].recorded)
    return gscale__refuse_action(diag, GSCALE_ENAME, s->action, i,
                                 "nobody records event %d", a->event);
  if (a->kind == GSCALE_COLLECTIVE) {
    const int *members = c->event[a->event].members;
    const int even = members[0], odd = members[1];
    if (even != odd && even && odd)
      return gscale__refuse_action(
          diag, GSCALE_EDATA, s->action, i,
          "%d join collective %d in even steps, %d in odd ones", even, a->event,
          odd);
  }
  return a->kind == GSCALE_BARRIER ? check_barrier(s, i, c, diag) : GSCALE_OK;
}

static gscale_status check_list(const gscale_schedule *s, census *c,
                                gscale_diag *diag)
{
  gscale_status st = GSCALE_OK;

  for (size_t i = 0; i < s->actions && st == GSCALE_OK; i++) {
    st = check_action(s, i, diag);
    if (st == GSCALE_OK) st = count_action(s, i, c, diag);
  }
  find_fewest(s, c);
  for (size_t i = 0; i < s->actions && st == GSCALE_OK; i++)
    st = check_meeting(s, i, c, diag);
  return st;
}

gscale_status gscale__check_schedule(const gscale_schedule *s,
                                     gscale_diag *diag)
{
  gscale_status st = check_sizes(s, diag);
  census c;

  if (st != GSCALE_OK) return st;
  st = census_new(s, &c)
           ? check_list(s, &c, diag)
           : gscale__fail(diag, GSCALE_ENOMEM, "no memory for a timeline");
  census_free(&c);
  return st;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
