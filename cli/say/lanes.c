/* lanes.c - lists when each action of a step was issued and when it ran. */

#include "say/predict.h"

#include <math.h>

enum {
  STEP,
  THREAD,
  HOST,
  GPU,
  STREAM,
  WHERE, /* HOST and WHERE: tables only */
  ACTION,
  WHAT,
  CALL,
  BACK,
  BEGIN,
  END,
  PHASE,
  REPEATS,
  ALIKE,
  COLUMNS
};

static const column columns[COLUMNS] = {
    [STEP] = TEXT("step", NULL),
    [THREAD] = INTEGER("thread", NULL),
    [HOST] = TEXT(NULL, "host"),
    [GPU] = INTEGER("gpu", NULL),
    [STREAM] = TEXT("stream", NULL),
    [WHERE] = TEXT(NULL, "stream"),
    [ACTION] = TEXT("action", "action"),
    [WHAT] = TEXT("what", "what"),
    [CALL] = NUMBER("call_s", "called", GSCALE_TIME),
    [BACK] = NUMBER("back_s", NULL, GSCALE_TIME),
    [BEGIN] = NUMBER("begin_s", "begin", GSCALE_TIME),
    [END] = NUMBER("end_s", "end", GSCALE_TIME),
    [PHASE] = INTEGER("phase", NULL),
    [REPEATS] = NUMBER("repeats", NULL, GSCALE_COUNT),
    [ALIKE] = INTEGER("alike", NULL),
};

/* Writes a host thread and parity, such as "0" or "0 odd". */
static void show_host(const gscale_lane_action *a, const char *step, cell *c)
{
  const bool every = a->parity == GSCALE_EVERY_STEP;

  snprintf(c->text, sizeof c->text, "%d%s%s", a->thread, every ? "" : " ",
           every ? "" : step);
}

/* Writes a GPU and stream, such as "0 main". */
static void show_stream(const gscale_lane_action *a, cell *c)
{
  if (a->gpu >= 0)
    snprintf(c->text, sizeof c->text, "%d %s", a->gpu, a->stream_name);
  else
    set_text(c, "");
}

static void fill_row(cell *c, const gscale_lanes *l,
                     const gscale_lane_action *a)
{
  static const char *const steps[GSCALE_PARITY_END] = {
      [GSCALE_EVERY_STEP] = "every",
      [GSCALE_EVEN_STEPS] = "even",
      [GSCALE_ODD_STEPS] = "odd"};

  set_text(&c[STEP], steps[a->parity]);
  show_host(a, steps[a->parity], &c[HOST]);
  show_stream(a, &c[WHERE]);
  c[THREAD].number = a->thread;
  c[GPU].number = a->gpu >= 0 ? a->gpu : (double)NAN;
  set_text(&c[STREAM], a->stream_name);
  set_text(&c[ACTION], gscale_action_name(a->kind));
  set_text(&c[WHAT], a->what);
  c[CALL].number = a->at.call;
  c[BACK].number = a->at.back;
  c[BEGIN].number = a->at.begin;
  c[END].number = a->at.end;
  c[PHASE].number = a->phase >= 0 ? a->phase + 1 : (double)NAN;
  c[REPEATS].number = a->repeats;
  c[ALIKE].number = gscale_lanes_alike(l);
}

int lanes_new(const question *q, size_t i, size_t j, gscale_lanes **out,
              failure *why)
{
  const gscale_workload *w = question_workload(q, q->gpus[j]);
  gscale_plan *plan = NULL;
  gscale_diag diag;
  gscale_status st = gscale_plan_new(q->system, w, q->gpus[j], &plan, &diag);

  if (st == GSCALE_OK)
    st = gscale_lanes_new(plan, w, q->paradigm[i], &q->knobs[i], out, &diag);
  gscale_plan_free(plan);
  return check_gscale(why, st, &diag);
}

rows *lanes_rows(const gscale_lanes *l)
{
  rows *r = rows_new("gpuscale.timeline/1", columns, COLUMNS);

  for (size_t i = 0; i < gscale_lanes_count(l); i++)
    fill_row(rows_add(r), l, gscale_lanes_at(l, i));
  return r;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
