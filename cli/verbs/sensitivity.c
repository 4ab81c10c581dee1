/* sensitivity.c - gpuscale sensitivity: lists the numbers that determine a
 * prediction, and the gain from measuring them. */

#include "common/jobs.h"
#include "say/predict.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
  POINTS = 128 /* per Sobol shift without --points */
};

typedef struct sensitivity {
  grounds g;
  size_t indexed; /* the first numbers in order of effect */
  gscale_sobol index[GSCALE_SOBOL_MAX];
  double *z;                   /* in standard errors */
  double at[GSCALE_SOBOL_MAX]; /* coordinates of the last point */
} sensitivity;

/* Returns the i-th influence in order of effect. */
static const gscale_influence *influence(const sensitivity *s, size_t i)
{
  return &s->g.by.of[s->g.by.order[i]];
}

static const gscale_number *number_at(const sensitivity *s, size_t i)
{
  return gscale_uncertainty_number(s->g.by.u, s->g.by.order[i]);
}

/* ---- indices ------------------------------------------------------------- */

static double time_at(const double *x, void *closure)
{
  sensitivity *s = closure;
  const grounds *g = &s->g;

  for (size_t i = 0; i < s->indexed; i++) {
    if (!(x[i] < s->at[i]) && !(x[i] > s->at[i]))
      continue; /* most remain unchanged */
    s->at[i] = x[i];
    s->z[g->by.order[i]] = gscale_normal_quantile(x[i]);
  }
  return gscale_uncertainty_time(g->by.u, g->q.paradigm[g->fastest],
                                 &g->p.knobs, s->z);
}

static gscale_status indices(sensitivity *s, const options *o,
                             double (*f)(const double *x, void *closure),
                             void *closure, gscale_diag *diag)
{
  return gscale_sobol_indices(f, closure, s->indexed,
                              o->points > 0 ? (size_t)o->points : POINTS,
                              (uint64_t)o->seed, s->index, NULL, NULL, diag);
}

/* The times for the indices. Each pass computes the times in the same order. */
typedef struct times {
  sensitivity *s;
  const options *o;
  double *of;
  size_t n, asked, from, to;
} times;

/* Computes the time only if it belongs to the current piece of work. */
static double time_of_piece(const double *x, void *closure)
{
  times *t = closure;
  const size_t i = t->asked++;

  if (i >= t->from && i < t->to) t->of[i] = time_at(x, t->s);
  return 1.0;
}

static double known_time(const double *x, void *closure)
{
  times *t = closure;

  (void)x;
  return t->of[t->asked++];
}

enum {
  PIECE = 2048 /* times per piece */
};

static int send_times(size_t i, FILE *f, void *closure, failure *why)
{
  times *t = closure;
  gscale_diag diag;

  t->asked = 0;
  t->from = i * PIECE;
  t->to = t->n - t->from < PIECE ? t->n : t->from + PIECE;
  const gscale_status st = indices(t->s, t->o, time_of_piece, t, &diag);
  fwrite(t->of + t->from, sizeof *t->of, t->to - t->from, f);
  return st == GSCALE_ENOMEM ? fail_gscale(why, st, &diag) : EXIT_OK;
}

static int take_times(size_t i, const char *text, size_t size, void *closure,
                      failure *why)
{
  times *t = closure;

  (void)why;
  memcpy(t->of + i * PIECE, text, size);
  progress("times", i * PIECE, t->n);
  return EXIT_OK;
}

static double count_time(const double *x, void *closure)
{
  times *t = closure;

  (void)x;
  t->n++;
  return 1.0;
}

/* Computes Sobol indices of the most influential uncertain numbers. */
static int evaluate(sensitivity *s, const options *o, failure *why)
{
  times t = {.s = s, .o = o};
  gscale_diag diag;
  gscale_status st = indices(s, o, count_time, &t, &diag);
  const size_t pieces = (t.n + PIECE - 1) / PIECE, n = jobs_count(o, pieces);

  if (st == GSCALE_OK && n == 1) st = indices(s, o, time_at, s, &diag);
  if (st != GSCALE_OK) return fail_gscale(why, st, &diag);
  if (n == 1) return EXIT_OK;
  t.of = malloc(t.n * sizeof *t.of);
  if (!t.of) return no_memory(why);
  const jobs j = {pieces, send_times, take_times, &t};
  const int ran = jobs_run(&j, n, why);
  progress_end();
  t.asked = 0;
  if (ran == EXIT_OK) st = indices(s, o, known_time, &t, &diag);
  free(t.of);
  if (ran != EXIT_OK) return ran;
  return check_gscale(why, st, &diag);
}

static int find_indices(sensitivity *s, const options *o, failure *why)
{
  while (s->indexed < s->g.n && s->indexed < GSCALE_SOBOL_MAX &&
         influence(s, s->indexed)->err > 1e-3 * s->g.e.of_parameters)
    s->indexed++;
  if (s->indexed == 0) return EXIT_OK;
  s->z = malloc(s->g.by.n * sizeof *s->z);
  if (!s->z) return no_memory(why);
  for (size_t i = 0; i < s->g.by.n; i++) s->z[i] = NAN;
  return evaluate(s, o, why);
}

/* ---- rows ---------------------------------------------------------------- */

enum {
  SYSTEM,
  WORKLOAD,
  PARADIGM,
  GPUS,
  NUMBER_,
  SHOWN, /* value in tables */
  VALUE,
  UNIT,
  ERR,
  ORIGIN,
  ELASTICITY,
  TIME_ERR,
  FIRST,
  FIRST_ERR,
  TOTAL,
  TOTAL_ERR,
  WITHOUT,
  SETTINGS,
  COLUMNS
};

static const column columns[COLUMNS] = {
    [SYSTEM] = TEXT("system", NULL),
    [WORKLOAD] = TEXT("workload", NULL),
    [PARADIGM] = TEXT("paradigm", NULL),
    [GPUS] = INTEGER("gpus", NULL),
    [NUMBER_] = TEXT("number", "number"),
    [SHOWN] = TEXT(NULL, "value"),
    [VALUE] = NUMBER("value", NULL, GSCALE_COUNT),
    [UNIT] = TEXT("unit", NULL),
    [ERR] = NUMBER("err", NULL, GSCALE_COUNT),
    [ORIGIN] = TEXT("origin", "origin"),
    [ELASTICITY] = NUMBER("elasticity", "elasticity", GSCALE_COUNT),
    [TIME_ERR] = NUMBER("time_err_s", "moves by", GSCALE_TIME),
    [FIRST] = PERCENT("first_order", "alone"),
    [FIRST_ERR] = NUMBER("first_order_err", NULL, GSCALE_COUNT),
    [TOTAL] = PERCENT("total", "in all"),
    [TOTAL_ERR] = NUMBER("total_err", NULL, GSCALE_COUNT),
    [WITHOUT] = NUMBER("time_err_without_s", "error if exact", GSCALE_TIME),
    [SETTINGS] = TEXT("settings", NULL),
};

static void add_row(rows *r, const sensitivity *s, size_t i, bool people)
{
  const question *q = &s->g.q;
  const gscale_number *number = number_at(s, i);
  const bool indexed = i < s->indexed;
  cell *c = rows_add(r);
  number_label label;

  set_text(&c[SYSTEM], q->name);
  set_text(&c[WORKLOAD], gscale_workload_about(q->workload).name);
  set_text(&c[PARADIGM], question_paradigm(q, s->g.fastest));
  c[GPUS].number = q->gpus[0];
  set_text(&c[NUMBER_], people ? say_number(q, number, label) : number->name);
  gscale_format_quantity(number->p.val, number->dim, c[SHOWN].text,
                         sizeof c[SHOWN].text);
  c[VALUE].number = number->p.val;
  set_text(&c[UNIT], gscale_dim_unit(number->dim));
  c[ERR].number = number->p.err;
  set_text(&c[ORIGIN], gscale_name(GSCALE_ORIGIN_NAMES, number->p.origin));
  c[ELASTICITY].number = influence(s, i)->elasticity;
  c[TIME_ERR].number = influence(s, i)->err;
  c[FIRST].number = indexed ? s->index[i].first : NAN;
  c[FIRST_ERR].number = indexed ? s->index[i].first_err : NAN;
  c[TOTAL].number = indexed ? s->index[i].total : NAN;
  c[TOTAL_ERR].number = indexed ? s->index[i].total_err : NAN;
  c[WITHOUT].number =
      error_without(q, &s->g.by, s->g.by.order[i], &s->g.e, s->g.p.time);
  c[SETTINGS].whole = q->settings;
}

/* ---- words --------------------------------------------------------------- */

/* Advises which number to measure next. */
static void claim_advice(claim *c, const sensitivity *s, const answer *a)
{
  const double most = s->indexed > 0 ? s->index[0].total : NAN;
  char left[64], model[64];
  number_label first;
  wanted w = {.how = ""};

  if (s->g.n == 0 || !(influence(s, 0)->err > 0.0)) {
    claim_say(c, " No number that it rests on is uncertain.");
    return;
  }
  say_number(&s->g.q, number_at(s, 0), first);
  const double without =
      error_without(&s->g.q, &s->g.by, s->g.by.order[0], &s->g.e, s->g.p.time);
  gscale_format_quantity(without, GSCALE_TIME, left, sizeof left);
  gscale_format_quantity(s->g.e.of_model, GSCALE_TIME, model, sizeof model);
  measure_next(&s->g.q, &s->g.by, s->g.p.time, &s->g.e, &w, 1);
  if (isfinite(most))
    claim_say(c, " The numbers' largest error is that of %s (%.0f%%).", first,
              100.0 * most);
  if (claim_single(c, a)) return;
  if (without > 0.995 * s->g.e.time) {
    claim_say(c, " No number would narrow the error: %s is the model's own.",
              model);
    return;
  }
  claim_say(c,
            " Measure %s next%s%s%s: if it were exact the error would be %s, "
            "%.1f%% less; the model's own is %s.",
            first, *w.how ? " (" : "", w.how, *w.how ? ")" : "", left,
            100.0 * (1.0 - without / s->g.e.time), model);
}

static void claim_all(claim *c, const sensitivity *s)
{
  answer a = {.p = s->g.p};

  answer_take_error(&a, &s->g.e);
  claim_begin(c);
  claim_time(c, &s->g.q, s->g.fastest, s->g.q.gpus[0], &a);
  claim_advice(c, s, &a);
}

static int print(const sensitivity *s, const options *o, failure *why)
{
  const bool table = o->format == FORMAT_TABLE;
  rows *r;
  claim c;
  output out;
  int st = output_open(&out, o->output, why);

  if (st != EXIT_OK) return st;
  claim_all(&c, s);
  if (table) claim_put(out.f, &c);
  if (table) putc('\n', out.f);
  r = rows_new("gpuscale.sensitivity/1", columns, COLUMNS);
  for (size_t i = 0; i < s->g.n && (!table || i < 12); i++)
    add_row(r, s, i, table);
  rows_answer(r, &c);
  st = rows_end(st, r, o->format, &out, why);
  return output_end(st, &out, why);
}

/* ---- verb ---------------------------------------------------------------- */

static int sensitivity_main(options *o, failure *why)
{
  static sensitivity s; /* too large for the stack */
  int st = need_arguments(o, 1, "a WORKLOAD", why);

  memset(&s, 0, sizeof s);
  if (st == EXIT_OK) st = grounds_find(&s.g, o, "sensitivity", why);
  if (st == EXIT_OK) st = find_indices(&s, o, why);
  if (st == EXIT_OK) st = print(&s, o, why);
  free(s.z);
  grounds_free(&s.g);
  return st;
}

const verb verb_sensitivity = {
    .place = 150,
    .name = "sensitivity",
    .usage = "WORKLOAD --system SYSTEM --gpus N [options]",
    .summary = "which numbers a prediction rests on, and what to measure next",
    .examples =
        "gpuscale sensitivity jacobi --system h200x8 --gpus 4 -p memcpy\n"
        "gpuscale sensitivity als --system dgx-a100 --gpus 8 --format csv\n",
    .accepts =
        "system link gpus per-node paradigm set points seed proposed runs jobs "
        "format output",
    .run = sensitivity_main,
};

/* SPDX-License-Identifier: GPL-3.0-or-later */
