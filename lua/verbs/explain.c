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
  gscale_uncertainty *u;     /* its numbers */
  gscale_influence *of;      /* of each */
  double quantile[3], sigma; /* s, of draws, if it is not linear */
} reason;

enum {
  DRAWS = 2000
};

/* ---- which paradigm ----------------------------------------------------- */

/* What lies where, of the times that the errors allow. */
static int find_quantiles(reason *r, failure *why)
{
  static const double at[] = {0.1587, 0.5, 0.8413}; /* -1, 0, +1 sigma */
  double *time = malloc(DRAWS * sizeof *time), mean = 0.0, square = 0.0;
  size_t n;

  if (!time) return fail(why, EXIT_INTERNAL, "no memory for draws");
  n = gscale_uncertainty_sample(r->u, r->q.paradigm[r->chosen], &r->p.knobs, 1,
                                time, DRAWS);
  for (size_t i = 0; i < n; i++) mean += time[i] / (double)n;
  for (size_t i = 0; i < n; i++)
    square += (time[i] - mean) * (time[i] - mean) / (double)n;
  for (size_t i = 0; n > 0 && i < sizeof at / sizeof *at; i++)
    r->quantile[i] = time[(size_t)(at[i] * (double)(n - 1))];
  r->sigma = sqrt(square);
  free(time);
  return EXIT_OK;
}

static int find_influences(reason *r, failure *why)
{
  const size_t n = gscale_uncertainty_count(r->u);

  r->of = calloc(n, sizeof *r->of);
  if (!r->of) return fail(why, EXIT_INTERNAL, "no memory for the numbers");
  for (size_t i = 0; i < n; i++)
    r->of[i] = gscale_uncertainty_influence(r->u, i, r->q.paradigm[r->chosen],
                                            &r->p.knobs);
  return r->e.nonlinear ? find_quantiles(r, why) : EXIT_OK;
}

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
  st = gscale_uncertainty_new(q->system, q->workload, q->gpus[0], true, &r->u,
                              &diag);
  if (st == GSCALE_OK)
    st = gscale_uncertainty_error(r->u, q->paradigm[r->chosen], &r->p.knobs,
                                  &r->e, &diag);
  if (st != GSCALE_OK) return fail_gscale(why, st, &diag);
  return find_influences(r, why);
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

static void fill_number(cell *c, const reason *r, size_t i)
{
  const gscale_number *n = gscale_uncertainty_number(r->u, i);

  set_text(&c[PARAMETER], n->name);
  c[VALUE].number = n->p.val;
  c[VALUE_ERR].number = n->p.err;
  show_value(&n->p, n->dim, c[SHOWN].text, sizeof c[SHOWN].text);
  set_text(&c[UNIT], gscale_dim_unit(n->dim));
  set_text(&c[ORIGIN], gscale_origin_name(n->p.origin));
  c[ELASTICITY].number = r->of[i].elasticity;
  c[TIME_ERR].number = r->of[i].err;
  c[ERR_SHARE].number = r->of[i].err / r->p.time;
  set_text(&c[SOURCE], n->p.source);
}

/* Sorted by the error they cause, then by |elasticity|, then as declared. */
static void sort_numbers(const reason *r, size_t n, size_t *order)
{
  for (size_t i = 0; i < n; i++) {
    size_t j = i;

    for (; j > 0; j--) {
      const gscale_influence *a = &r->of[i], *b = &r->of[order[j - 1]];

      if (!(a->err > b->err) &&
          !(a->err >= b->err && fabs(a->elasticity) > fabs(b->elasticity)))
        break;
      order[j] = order[j - 1];
    }
    order[j] = i;
  }
}

/* For people only those that matter. */
static bool matters(const gscale_influence *f, double time)
{
  const double least = 0.005;

  return fabs(f->elasticity) >= least || f->err >= least * time;
}

static int fill_numbers(rows *out, const reason *r, bool all, failure *why)
{
  const size_t n = gscale_uncertainty_count(r->u);
  size_t *order = malloc(n * sizeof *order);
  int st = EXIT_OK;

  if (!order) return fail(why, EXIT_INTERNAL, "no memory for the numbers");
  sort_numbers(r, n, order);
  for (size_t i = 0; st == EXIT_OK && i < n; i++) {
    cell *c;

    if (!all && !matters(&r->of[order[i]], r->p.time)) continue;
    c = rows_add(out);
    if (c)
      fill_number(c, r, order[i]);
    else
      st = fail(why, EXIT_INTERNAL, "no memory for the rows");
  }
  free(order);
  return st;
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

/* What a standard error says badly. */
static void print_draws(FILE *f, const reason *r)
{
  char text[4][48];

  if (!r->e.nonlinear) return;
  for (int i = 0; i < 3; i++)
    gscale_format_quantity(r->quantile[i], GSCALE_TIME, text[i],
                           sizeof text[i]);
  gscale_format_quantity(r->sigma, GSCALE_TIME, text[3], sizeof text[3]);
  fprintf(f,
          "its numbers do not act linearly: of %d draws 68%% lie in %s .. %s, "
          "half below %s,\n  their standard deviation is %s\n",
          DRAWS, text[0], text[2], text[1], text[3]);
}

/* Whose error it is, and from which programs the model's own is known. */
static void print_error(FILE *f, const reason *r)
{
  const gscale_error *e = &r->e;
  const size_t programs = e->model.programs;

  if (programs == 0) {
    fprintf(f, "the model's own error is not known: no other program was "
               "measured\n");
    print_draws(f, r);
    return;
  }
  if (e->of_workload > 0.0)
    fprintf(f,
            "of the error %.1f%% is the system's numbers', %.1f%% the "
            "workload's, ",
            100.0 * e->of_system / r->p.time,
            100.0 * e->of_workload / r->p.time);
  else
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
  print_draws(f, r);
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
  fprintf(f, "\nsystem %s: %s\n", r->q.about_system.path,
          r->q.about_system.summary);
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
  fputs(numbers ? "\nnumbers that matter, what adds most to the error first: "
                  "measure this next\n(elasticity: % of time per % of the "
                  "number)\n"
                : "\nno number matters\n",
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
  if (st == EXIT_OK) st = fill_numbers(list, r, !table, why);
  if (st == EXIT_OK && table) print_words(out.f, r, rows_count(list));
  if (st == EXIT_OK && (!table || rows_count(list)))
    st = rows_write(list, o->format, &out, why);
  rows_free(list);
  if (st == EXIT_OK) return output_close(&out, why);
  output_discard(&out);
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
  if (st == EXIT_OK) st = print(&r, o, why);
  gscale_uncertainty_free(r.u);
  free(r.of);
  question_free(&r.q);
  return st;
}
