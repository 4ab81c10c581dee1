/* explain.c - gpuscale explain: what one prediction is made of and rests on. */

#include "predict/predict.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* One prediction with all that is known about it. */
typedef struct reason {
  question q;    /* one N; every paradigm that could be meant */
  size_t chosen; /* index into q.paradigm */
  gscale_prediction p;
  gscale_error e;
} reason;

/* ---- which paradigm ----------------------------------------------------- */

static int reason_about(reason *r, failure *why)
{
  question *q = &r->q;
  answer *a = NULL;
  gscale_diag diag;
  gscale_status st;
  int done = question_answer(q, false, &a, why);

  if (done != EXIT_OK) return done;
  r->chosen = question_best(q, a, 0);
  if (r->chosen < q->paradigms) r->p = a[r->chosen].p;
  free(a);
  if (r->chosen == q->paradigms)
    return fail(why, EXIT_DATA, "explain: no paradigm can run %s",
                gscale_workload_name(q->workload));
  st = gscale_predict_error(q->system, q->workload, q->gpus[0],
                            q->paradigm[r->chosen], &r->p.knobs, &r->e, &diag);
  return st == GSCALE_OK ? EXIT_OK : fail_gscale(why, st, &diag);
}

/* ---- the parameters ----------------------------------------------------- */

enum {
  PARAMETER,
  VALUE,
  VALUE_ERR,
  SHOWN, /* the last two for people */
  UNIT,
  ORIGIN,
  ELASTICITY,
  TIME_ERR,
  ERR_SHARE,
  SOURCE,
  COLUMNS
};

static const column columns[COLUMNS] = {
    [PARAMETER] = TEXT("parameter", "parameter"),
    [VALUE] = NUMBER("value", NULL, GSCALE_COUNT),
    [VALUE_ERR] = NUMBER("err", NULL, GSCALE_COUNT),
    [SHOWN] = TEXT(NULL, "value"),
    [UNIT] = TEXT("unit", NULL),
    [ORIGIN] = TEXT("origin", "origin"),
    [ELASTICITY] = NUMBER("elasticity", "elasticity", GSCALE_COUNT),
    [TIME_ERR] = NUMBER("time_err_s", NULL, GSCALE_TIME),
    [ERR_SHARE] = PERCENT(NULL, "moves time by"),
    [SOURCE] = TEXT("source", "source"),
};

static const char *const units[GSCALE_DIM_END] = {
    [GSCALE_COUNT] = "1",   [GSCALE_TIME] = "s",
    [GSCALE_BYTES] = "B",   [GSCALE_BYTERATE] = "B/s",
    [GSCALE_FLOP] = "flop", [GSCALE_FLOPRATE] = "flop/s",
    [GSCALE_RATE] = "1/s",  [GSCALE_TIME_PER_BYTE] = "s/B",
};

/* "2.31 us +/- 0.9%" */
static void show_value(const gscale_param *p, gscale_dim dim, char *text,
                       size_t size)
{
  char value[48];

  gscale_format_quantity(p->val, dim, value, sizeof value);
  if (p->err > 0.0 && fabs(p->val) > 0.0)
    snprintf(text, size, "%s +/- %.2g%%", value, 100.0 * p->err / fabs(p->val));
  else
    snprintf(text, size, "%s", value);
}

static void fill_parameter(cell *c, const reason *r, size_t id)
{
  const gscale_param_info *info = gscale_param_info_at(id);
  const gscale_param *p = gscale_system_get(r->q.system, (gscale_param_id)id);

  set_text(&c[PARAMETER], info->name);
  c[VALUE].number = p->val;
  c[VALUE_ERR].number = p->err;
  show_value(p, info->dim, c[SHOWN].text, sizeof c[SHOWN].text);
  set_text(&c[UNIT], units[info->dim]);
  set_text(&c[ORIGIN], gscale_origin_name(p->origin));
  c[ELASTICITY].number = r->e.of[id].elasticity;
  c[TIME_ERR].number = r->e.of[id].err;
  c[ERR_SHARE].number = r->e.of[id].err / r->p.time;
  set_text(&c[SOURCE], p->source);
}

/* Sorted by |elasticity|, then by the error they cause, then as declared. */
static void sort_parameters(const gscale_error *e, size_t *order)
{
  for (size_t i = 0; i < GSCALE_PARAM_END; i++) {
    size_t j = i;

    for (; j > 0; j--) {
      const gscale_sensitivity *a = &e->of[i], *b = &e->of[order[j - 1]];
      const double more = fabs(a->elasticity) - fabs(b->elasticity);

      if (!(more > 0.0) && !(more >= 0.0 && a->err > b->err)) break;
      order[j] = order[j - 1];
    }
    order[j] = i;
  }
}

/* For people only those that matter. */
static bool matters(const gscale_sensitivity *s, double time)
{
  const double least = 0.005;

  return fabs(s->elasticity) >= least || s->err >= least * time;
}

static int fill_parameters(rows *out, const reason *r, bool all, failure *why)
{
  size_t order[GSCALE_PARAM_END];

  sort_parameters(&r->e, order);
  for (size_t i = 0; i < GSCALE_PARAM_END; i++) {
    cell *c;

    if (!all && !matters(&r->e.of[order[i]], r->p.time)) continue;
    c = rows_add(out);
    if (!c) return fail(why, EXIT_INTERNAL, "no memory for the rows");
    fill_parameter(c, r, order[i]);
  }
  return EXIT_OK;
}

/* ---- words -------------------------------------------------------------- */

static void print_quantity(FILE *f, const char *what, double value,
                           gscale_dim dim, double whole)
{
  char text[48];

  gscale_format_quantity(value, dim, text, sizeof text);
  fprintf(f, "  %-12s %10s", what, text);
  if (whole > 0.0) fprintf(f, "  %5.1f%%", 100.0 * value / whole);
  putc('\n', f);
}

/* Whose error it is, and from which programs the model's own is known. */
static void print_error(FILE *f, const reason *r)
{
  const gscale_error *e = &r->e;
  const size_t programs = e->model.programs;

  if (programs == 0) {
    fprintf(f, "the model's own error is not known: no other program was "
               "measured\n");
    return;
  }
  fprintf(f, "of the error %.1f%% is the parameters', ",
          100.0 * e->of_parameters / r->p.time);
  if (r->q.gpus[0] == 1)
    fprintf(f, "the model's own is for more GPUs\n");
  else
    fprintf(f, "%.1f%% the model's own (%s on %zu other program%s)\n",
            100.0 * e->of_model / r->p.time,
            e->model.same_paradigm ? question_paradigm(&r->q, r->chosen)
                                   : "all paradigms",
            programs, programs == 1 ? "" : "s");
}

static void print_time(FILE *f, const reason *r)
{
  const int gpus = r->q.gpus[0];
  char time[48], err[48];

  gscale_format_quantity(r->p.time, GSCALE_TIME, time, sizeof time);
  gscale_format_quantity(r->e.time, GSCALE_TIME, err, sizeof err);
  fprintf(f, "%s on %d GPU%s of %s by %s\n\n",
          gscale_workload_name(r->q.workload), gpus, gpus == 1 ? "" : "s",
          r->q.name, question_paradigm(&r->q, r->chosen));
  fprintf(f, "one step takes %s +/- %s (%.1f%%)\n", time, err,
          100.0 * r->e.time / r->p.time);
  print_error(f, r);
  fprintf(f, "speedup %.2f, efficiency %.1f%%, fraction of ideal %.1f%%\n",
          r->p.speedup, 100.0 * r->p.efficiency, 100.0 * r->p.opportunity);
  fprintf(f, "bound by %s\n", mechanism_words(r->p.bound));
  fprintf(f, "applicability: %s%s%s%s\n",
          gscale_applicability_name(r->e.applicability),
          r->e.reason[0] ? " (" : "", r->e.reason, r->e.reason[0] ? ")" : "");
}

static void print_parts(FILE *f, const gscale_prediction *p)
{
  static const char *const parts[GSCALE_PART_END] = {
      [GSCALE_PART_COMPUTE] = "compute",
      [GSCALE_PART_HOST] = "host, sync",
      [GSCALE_PART_TRANSFER] = "transfer",
      [GSCALE_PART_INITIATION] = "initiation",
      [GSCALE_PART_TRACKING] = "tracking",
      [GSCALE_PART_TAIL] = "tail",
      [GSCALE_PART_LATENCY] = "latency"};

  fprintf(f, "\nwhere the time goes\n");
  for (size_t i = 0; i < GSCALE_PART_END; i++)
    print_quantity(f, parts[i], p->part[i], GSCALE_TIME, p->time);
}

static void print_bytes(FILE *f, const gscale_bytes *b)
{
  if (!(b->wire > 0.0)) {
    fprintf(f, "\nno bytes move\n");
    return;
  }
  fprintf(f, "\nbytes that all GPUs send\n");
  print_quantity(f, "useful", b->useful, GSCALE_BYTES, b->wire);
  print_quantity(f, "protocol", b->protocol, GSCALE_BYTES, b->wire);
  print_quantity(f, "redundant", b->redundant, GSCALE_BYTES, b->wire);
  print_quantity(f, "unused", b->unused, GSCALE_BYTES, b->wire);
  print_quantity(f, "sum", b->wire, GSCALE_BYTES, 0.0);
}

static void print_paradigm_knobs(FILE *f, const reason *r)
{
  const size_t paradigm = r->q.paradigm[r->chosen];
  const gscale_knobs *given = &r->q.knobs[r->chosen];

  for (size_t k = 0; k < GSCALE_KNOB_END; k++) {
    char text[48];

    if (!gscale_paradigm_at(paradigm)->uses[k]) continue;
    if (gscale_knob_dim((gscale_knob)k) == GSCALE_COUNT)
      snprintf(text, sizeof text, "%.0f", r->p.knobs.v[k]);
    else
      gscale_format_quantity(r->p.knobs.v[k], gscale_knob_dim((gscale_knob)k),
                             text, sizeof text);
    fprintf(f, "  %-12s %10s  %s\n", gscale_knob_name((gscale_knob)k), text,
            isnan(given->v[k]) ? "chosen by the model" : "given");
  }
}

static void print_described(FILE *f, const reason *r)
{
  const about *w = &r->q.about_workload;

  fprintf(f, "\nworkload %s: %s\n", w->path, w->summary);
  for (size_t i = 0; i < w->knobs; i++)
    fprintf(f, "  %-12s %10s  %s\n", w->knob[i].name, w->knob[i].value,
            w->knob[i].doc);
  fprintf(f, "  its weakest number is %s\n",
          gscale_origin_name(gscale_workload_origin(r->q.workload)));
  if (r->e.of_single > 0.0)
    print_quantity(f, "error by t1", r->e.of_single, GSCALE_TIME, r->p.time);
  fprintf(f, "\nsystem %s: %s\n", r->q.about_system.path,
          r->q.about_system.summary);
}

/* Where the program says its own schedule. */
static int print_lanes(output *out, const reason *r, failure *why)
{
  rows *lanes = NULL;
  int st;

  if (!gscale_workload_has_program(r->q.workload)) return EXIT_OK;
  st = lanes_new(&r->q, r->chosen, 0, &lanes, why);
  if (st != EXIT_OK) return st;
  fputs("\nits schedule in the long run, from the first call on\n", out->f);
  st = rows_write(lanes, FORMAT_TABLE, out, why);
  rows_free(lanes);
  return st;
}

static void print_words(FILE *f, const reason *r, size_t numbers)
{
  const gscale_paradigm *p = gscale_paradigm_at(r->q.paradigm[r->chosen]);

  print_time(f, r);
  print_parts(f, &r->p);
  print_bytes(f, &r->p.bytes);
  fprintf(f, "\nparadigm %s: %s%s\n", p->name, p->summary,
          p->proposed ? " (proposed hardware)" : "");
  print_paradigm_knobs(f, r);
  print_described(f, r);
  fputs(numbers ? "\nnumbers of the system that matter; elasticity: % of time "
                  "per % of the number\n"
                : "\nno number of the system matters\n",
        f);
}

/* ---- the verb ----------------------------------------------------------- */

static int print(const reason *r, const options *o, failure *why)
{
  const bool table = o->format == FORMAT_TABLE;
  rows *list = rows_new("gpuscale.explain/1", columns, COLUMNS);
  output out;
  int st = output_open(&out, o->output, why);

  if (st == EXIT_OK && !list)
    st = fail(why, EXIT_INTERNAL, "no memory for the rows");
  if (st == EXIT_OK) st = fill_parameters(list, r, !table, why);
  if (st == EXIT_OK && table) print_words(out.f, r, rows_count(list));
  if (st == EXIT_OK && (!table || rows_count(list)))
    st = rows_write(list, o->format, &out, why);
  if (st == EXIT_OK && table) st = print_lanes(&out, r, why);
  rows_free(list);
  if (st == EXIT_OK) return output_close(&out, why);
  output_discard(&out);
  return st;
}

/* --timeline: nothing else. */
static int print_timeline(const reason *r, const options *o, failure *why)
{
  rows *lanes = NULL;
  int st = lanes_new(&r->q, r->chosen, 0, &lanes, why);

  if (st == EXIT_OK) st = rows_print(lanes, o, why);
  rows_free(lanes);
  return st;
}

int explain_main(options *o, failure *why)
{
  static reason r; /* large */
  int st = need_arguments(o, 1, "a WORKLOAD", why);

  if (st == EXIT_OK && !o->gpus)
    st = fail(why, EXIT_USAGE, "explain: needs --gpus N");
  if (st != EXIT_OK) return st;
  st = question_load(&r.q, o, GPUS_DOUBLED, why);
  if (st == EXIT_OK && r.q.n != 1)
    st = fail(why, EXIT_USAGE, "explain: one number of GPUs, not '%.100s'",
              o->gpus);
  if (st == EXIT_OK && r.q.named && r.q.paradigms != 1)
    st = fail(why, EXIT_USAGE, "explain: one paradigm, not '%.100s'",
              o->paradigm);
  if (st == EXIT_OK) st = reason_about(&r, why);
  if (st == EXIT_OK)
    st = o->timeline ? print_timeline(&r, o, why) : print(&r, o, why);
  question_free(&r.q);
  return st;
}
