/* lanes.c - a program's own schedule as it was run: each action, when it was
 * called and when it was done. */

#include "predict/predict.h"

#include <math.h>
#include <stdlib.h>

enum {
  STEP,
  THREAD,
  GPU,
  STREAM,
  ACTION,
  WHAT,
  CALL,
  BACK,
  BEGIN,
  END,
  COLUMNS
};

static const column columns[COLUMNS] = {
    [STEP] = TEXT("step", "step"),
    [THREAD] = INTEGER("thread", "thread"),
    [GPU] = INTEGER("gpu", "GPU"),
    [STREAM] = TEXT("stream", "stream"),
    [ACTION] = TEXT("action", "action"),
    [WHAT] = TEXT("what", "what"),
    [CALL] = NUMBER("call_s", "called", GSCALE_TIME),
    [BACK] = NUMBER("back_s", "back", GSCALE_TIME),
    [BEGIN] = NUMBER("begin_s", "begin", GSCALE_TIME),
    [END] = NUMBER("end_s", "end", GSCALE_TIME),
};

typedef struct shown {
  const gscale_program *p;
  const gscale_workload *w;
  const gscale_plan *plan;
} shown;

static bool has_stream(gscale_action_kind k)
{
  return k <= GSCALE_SYNC_STREAM;
}

/* "all-reduce of 1 MB by ring/LL128" */
static void say_collective(const shown *s, const gscale_work *k, char *text,
                           size_t size)
{
  const gscale_coll_choice c = gscale_plan_collective(
      s->plan, k->coll, k->bytes, k->algorithm, k->protocol);
  char amount[48];

  gscale_format_quantity(k->bytes, GSCALE_BYTES, amount, sizeof amount);
  snprintf(text, size, "%s of %s by %s/%s", gscale_coll_kind_name(k->coll),
           amount, gscale_coll_algorithm_name(c.algorithm),
           gscale_coll_protocol_name(c.protocol));
}

/* "sweep", "64 KiB to GPU 1", "swept of GPU 0" ... */
static void say_what(const shown *s, const gscale_action *a, char *text,
                     size_t size)
{
  const gscale_work *k = &s->p->work[a->length];
  const int gpus = s->p->schedule.gpus;
  char amount[48];

  text[0] = '\0';
  switch (a->kind) {
  case GSCALE_LAUNCH:
  case GSCALE_GRAPH:
    snprintf(text, size, "%s", gscale_workload_phase(s->w, k->phase)->name);
    break;
  case GSCALE_COPY_D2D:
  case GSCALE_COPY_D2H:
  case GSCALE_COPY_H2D:
  case GSCALE_MEMSET:
    gscale_format_quantity(k->bytes, GSCALE_BYTES, amount, sizeof amount);
    if (a->kind == GSCALE_COPY_D2D)
      snprintf(text, size, "%s to GPU %d", amount, a->peer);
    else
      snprintf(text, size, "%s", amount);
    break;
  case GSCALE_COLLECTIVE:
    say_collective(s, k, text, size);
    break;
  case GSCALE_RECORD:
  case GSCALE_WAIT:
  case GSCALE_SYNC_EVENT:
    snprintf(text, size, "%s of GPU %d", s->p->event_name[a->event],
             a->event % gpus);
    break;
  default:
    break;
  }
}

static void fill_row(cell *c, const shown *s, size_t i, bool odd,
                     const gscale_span *at)
{
  const gscale_action *a = &s->p->schedule.action[i];
  const bool stream = has_stream(a->kind);

  set_text(&c[STEP], a->parity == GSCALE_EVERY_STEP ? "every"
                     : odd                          ? "odd"
                                                    : "even");
  c[THREAD].number = a->thread;
  c[GPU].number = stream ? s->p->schedule.stream_gpu[a->stream]
                  : a->kind == GSCALE_SET_DEVICE ? a->peer
                                                 : (double)NAN;
  set_text(&c[STREAM], stream ? s->p->stream_name[a->stream] : "");
  set_text(&c[ACTION], gscale_action_name(a->kind));
  say_what(s, a, c[WHAT].text, sizeof c[WHAT].text);
  c[CALL].number = at->call;
  c[BACK].number = at->back;
  c[BEGIN].number = at->begin;
  c[END].number = at->end;
}

/* What this kind of step leaves out has no times. */
static bool is_in(const gscale_action *a, bool odd)
{
  if (a->parity == GSCALE_EVERY_STEP) return !odd;
  return (a->parity == GSCALE_ODD_STEPS) == odd;
}

static int fill_rows(rows *r, const shown *s, const gscale_span *span,
                     failure *why)
{
  const size_t n = s->p->schedule.actions;

  for (int odd = 0; odd < 2; odd++)
    for (size_t i = 0; i < n; i++) {
      cell *c;

      if (!is_in(&s->p->schedule.action[i], odd)) continue;
      c = rows_add(r);
      if (!c) return fail(why, EXIT_INTERNAL, "no memory for the rows");
      fill_row(c, s, i, odd, &span[odd ? n + i : i]);
    }
  return EXIT_OK;
}

static int fill_times(rows *r, const question *q, const gscale_plan *plan,
                      size_t i, failure *why)
{
  const shown s = {gscale_plan_program(plan, q->paradigm[i]), q->workload,
                   plan};
  gscale_span *span;
  gscale_diag diag;
  gscale_status st;
  int done;

  if (!s.p)
    return fail(why, EXIT_DATA,
                "explain: %s has no schedule of its own to be shown",
                gscale_workload_name(q->workload));
  span = malloc(2 * s.p->schedule.actions * sizeof *span);
  if (!span) return fail(why, EXIT_INTERNAL, "no memory for the times");
  st = gscale_plan_times(plan, q->paradigm[i], span, &diag);
  done = st == GSCALE_OK ? fill_rows(r, &s, span, why)
                         : fail_gscale(why, st, &diag);
  free(span);
  return done;
}

int lanes_new(const question *q, size_t i, size_t j, rows **out, failure *why)
{
  gscale_plan *plan = NULL;
  gscale_diag diag;
  const gscale_status st =
      gscale_plan_new(q->system, q->workload, q->gpus[j], &plan, &diag);
  int done = EXIT_OK;

  if (st != GSCALE_OK) return fail_gscale(why, st, &diag);
  *out = rows_new("gpuscale.timeline/1", columns, COLUMNS);
  if (!*out) done = fail(why, EXIT_INTERNAL, "no memory for the rows");
  if (done == EXIT_OK) rows_repeat(*out, WHAT);
  if (done == EXIT_OK) done = fill_times(*out, q, plan, i, why);
  gscale_plan_free(plan);
  if (done == EXIT_OK) return EXIT_OK;
  rows_free(*out);
  *out = NULL;
  return done;
}
