/* sensitivity.c - gpuscale sensitivity: which numbers a prediction rests on,
 * and what measuring them would be worth. */

#include "predict/predict.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
  POINTS = 128 /* of each shift of a Sobol sequence, unless --points says */
};

/* ---- one at a time ------------------------------------------------------- */

typedef struct entry {
  size_t at; /* of the uncertainty's numbers */
  gscale_influence by;
  gscale_sobol sobol; /* all 0 beyond the first ones */
} entry;

typedef struct sensitivity {
  question q;
  size_t way; /* of the question's paradigms */
  gscale_uncertainty *u;
  gscale_prediction p;
  gscale_error e;
  entry *v;
  size_t n, indexed; /* entries, those with indices: the first ones */
  double *z;         /* of all numbers */
} sensitivity;

static int larger(const void *a, const void *b)
{
  const entry *x = a, *y = b;

  if (x->by.err < y->by.err || x->by.err > y->by.err)
    return x->by.err < y->by.err ? 1 : -1;
  return (fabs(x->by.elasticity) < fabs(y->by.elasticity)) -
         (fabs(x->by.elasticity) > fabs(y->by.elasticity));
}

static int look(sensitivity *s, failure *why)
{
  const size_t n = gscale_uncertainty_count(s->u);

  s->v = calloc(n + 1, sizeof *s->v);
  s->z = malloc((n + 1) * sizeof *s->z);
  if (!s->v || !s->z) return fail(why, EXIT_INTERNAL, "no memory for numbers");
  for (size_t i = 0; i < n; i++) {
    const gscale_influence by = gscale_uncertainty_influence(
        s->u, i, s->q.paradigm[s->way], &s->p.knobs);

    if (by.err > 0.0 || fabs(by.elasticity) > 1e-9)
      s->v[s->n++] = (entry){.at = i, .by = by};
  }
  qsort(s->v, s->n, sizeof *s->v, larger);
  return EXIT_OK;
}

/* ---- all at once --------------------------------------------------------- */

/* Standard normal quantile, by halving: some ten calls a number and point are
 * nothing beside a prediction. */
static double normal(double share)
{
  double low = -8.0, high = 8.0;

  for (int i = 0; i < 40; i++) {
    const double z = 0.5 * (low + high);
    *(0.5 * erfc(-z * sqrt(0.5)) < share ? &low : &high) = z;
  }
  return 0.5 * (low + high);
}

static double time_at(const double *x, void *closure)
{
  sensitivity *s = closure;
  const size_t n = gscale_uncertainty_count(s->u);

  for (size_t i = 0; i < n; i++) s->z[i] = (double)NAN;
  for (size_t i = 0; i < s->indexed; i++) s->z[s->v[i].at] = normal(x[i]);
  return gscale_uncertainty_time(s->u, s->q.paradigm[s->way], &s->p.knobs,
                                 s->z);
}

/* Of the numbers that are uncertain and matter most. */
static int find_indices(sensitivity *s, const options *o, failure *why)
{
  gscale_sobol index[GSCALE_SOBOL_MAX];
  gscale_diag diag;
  gscale_status st;

  while (s->indexed < s->n && s->indexed < GSCALE_SOBOL_MAX &&
         s->v[s->indexed].by.err > 1e-3 * s->e.of_parameters)
    s->indexed++;
  if (s->indexed == 0) return EXIT_OK;
  st = gscale_sobol_indices(time_at, s, s->indexed,
                            o->points > 0 ? (size_t)o->points : POINTS,
                            (uint64_t)o->seed, index, NULL, NULL, &diag);
  if (st != GSCALE_OK) return fail_gscale(why, st, &diag);
  for (size_t i = 0; i < s->indexed; i++) s->v[i].sobol = index[i];
  return EXIT_OK;
}

/* ---- rows ---------------------------------------------------------------- */

enum {
  SYSTEM,
  WORKLOAD,
  PARADIGM,
  GPUS,
  NUMBER_,
  SHOWN, /* the value, for people */
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

/* The prediction's error if this number were exact. */
static double err_without(const sensitivity *s, const entry *v)
{
  const double left = s->e.time * s->e.time - v->by.err * v->by.err;

  return sqrt(fmax(0.0, left));
}

static int add_row(rows *r, const sensitivity *s, size_t i, failure *why)
{
  const entry *v = &s->v[i];
  const gscale_number *number = gscale_uncertainty_number(s->u, v->at);
  const bool indexed = i < s->indexed;
  cell *c = rows_add(r);

  if (!c) return fail(why, EXIT_INTERNAL, "no memory for the rows");
  set_text(&c[SYSTEM], s->q.name);
  set_text(&c[WORKLOAD], gscale_workload_name(s->q.workload));
  set_text(&c[PARADIGM], question_paradigm(&s->q, s->way));
  c[GPUS].number = s->q.gpus[0];
  set_text(&c[NUMBER_], number->name);
  gscale_format_quantity(number->p.val, number->dim, c[SHOWN].text,
                         sizeof c[SHOWN].text);
  c[VALUE].number = number->p.val;
  set_text(&c[UNIT], gscale_dim_unit(number->dim));
  c[ERR].number = number->p.err;
  set_text(&c[ORIGIN], gscale_origin_name(number->p.origin));
  c[ELASTICITY].number = v->by.elasticity;
  c[TIME_ERR].number = v->by.err;
  c[FIRST].number = indexed ? v->sobol.first : (double)NAN;
  c[FIRST_ERR].number = indexed ? v->sobol.first_err : (double)NAN;
  c[TOTAL].number = indexed ? v->sobol.total : (double)NAN;
  c[TOTAL_ERR].number = indexed ? v->sobol.total_err : (double)NAN;
  c[WITHOUT].number = err_without(s, v);
  c[SETTINGS].whole = s->q.settings;
  return EXIT_OK;
}

static int fill(rows *r, const sensitivity *s, bool all, failure *why)
{
  int st = EXIT_OK;

  for (size_t i = 0; st == EXIT_OK && i < s->n && (all || i < 12); i++)
    st = add_row(r, s, i, why);
  return st;
}

/* ---- words --------------------------------------------------------------- */

static void tell(FILE *f, const sensitivity *s)
{
  char time[64], err[64];

  gscale_format_quantity(s->p.time, GSCALE_TIME, time, sizeof time);
  gscale_format_quantity(s->e.time, GSCALE_TIME, err, sizeof err);
  put_line(f, 2, "%s by %s on %d GPUs of %s: %s +/- %s",
           gscale_workload_name(s->q.workload),
           question_paradigm(&s->q, s->way), s->q.gpus[0], s->q.name, time,
           err);
  putc('\n', f);
}

static void advise(FILE *f, const sensitivity *s)
{
  const gscale_number *first;
  char left[64], model[64];

  putc('\n', f);
  if (s->n == 0 || !(s->v[0].by.err > 0.0)) {
    put_line(f, 2, "no number that it rests on is uncertain");
    return;
  }
  first = gscale_uncertainty_number(s->u, s->v[0].at);
  gscale_format_quantity(err_without(s, &s->v[0]), GSCALE_TIME, left,
                         sizeof left);
  gscale_format_quantity(s->e.of_model, GSCALE_TIME, model, sizeof model);
  put_line(f, 2,
           "measure %s next: if it were exact the error would be %s; of the "
           "model itself it is %s",
           first->name, left, model);
}

static int print(const sensitivity *s, const options *o, failure *why)
{
  rows *r = rows_new("gpuscale.sensitivity/1", columns, COLUMNS);
  output out;
  int st;

  if (!r) return fail(why, EXIT_INTERNAL, "no memory for the rows");
  st = fill(r, s, o->format != FORMAT_TABLE, why);
  if (st == EXIT_OK && o->format != FORMAT_TABLE) {
    st = rows_print(r, o, why);
  } else if (st == EXIT_OK && (st = output_open(&out, o->output, why)) == 0) {
    tell(out.f, s);
    st = rows_write(r, FORMAT_TABLE, &out, why);
    advise(out.f, s);
    if (st == EXIT_OK)
      st = output_close(&out, why);
    else
      output_discard(&out);
  }
  rows_free(r);
  return st;
}

/* ---- the verb ------------------------------------------------------------ */

static int answer_it(sensitivity *s, const options *o, failure *why)
{
  gscale_diag diag;
  answer *a = question_answers(&s->q);
  int st = EXIT_OK;
  gscale_status made;

  if (!a) return fail(why, EXIT_INTERNAL, "no memory for the answers");
  st = question_answer_at(&s->q, 0, false, a, why);
  if (st == EXIT_OK) s->way = question_best(&s->q, a, 0);
  if (st == EXIT_OK && s->way == s->q.paradigms)
    st = fail(why, EXIT_DATA, "sensitivity: no paradigm can run it");
  if (st == EXIT_OK) s->p = a[s->way].p;
  free(a);
  if (st != EXIT_OK) return st;
  made = gscale_uncertainty_new(s->q.system, s->q.workload, s->q.gpus[0], true,
                                &s->u, &diag);
  if (made == GSCALE_OK)
    made = gscale_uncertainty_error(s->u, s->q.paradigm[s->way], &s->p.knobs,
                                    &s->e, &diag);
  if (made != GSCALE_OK) return fail_gscale(why, made, &diag);
  st = look(s, why);
  return st == EXIT_OK ? find_indices(s, o, why) : st;
}

int sensitivity_main(options *o, failure *why)
{
  static sensitivity s; /* large */
  int st = need_arguments(o, 1, "a WORKLOAD", why);

  memset(&s, 0, sizeof s);
  if (st == EXIT_OK) st = question_load(&s.q, o, GPUS_DOUBLED, why);
  if (st == EXIT_OK && !o->gpus) s.q.gpus[0] = s.q.gpus[s.q.n - 1];
  if (st == EXIT_OK && o->gpus && s.q.n != 1)
    st = fail(why, EXIT_USAGE, "sensitivity: --gpus: one number, not '%.100s'",
              o->gpus);
  s.q.n = 1;
  if (st == EXIT_OK) st = answer_it(&s, o, why);
  if (st == EXIT_OK) st = print(&s, o, why);
  gscale_uncertainty_free(s.u);
  free(s.v);
  free(s.z);
  question_free(&s.q);
  return st;
}
