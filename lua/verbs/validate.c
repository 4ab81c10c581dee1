/* validate.c - gpuscale validate: predicted against measured times.
 *
 * The infinite run on one GPU is given to the model; all that it says about
 * other runs is prediction. */

#include "../cli.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef enum role {
  INPUT,
  BASELINE,
  SCORED,
  ROLES
} role;

static const char *const role_names[ROLES] = {
    [INPUT] = "input", [BASELINE] = "baseline", [SCORED] = "scored"};

typedef struct trial {
  role role;
  gscale_prediction p;
  double err; /* s */
} trial;

typedef struct study {
  const options *o;
  gscale_system *system;
  run *runs;
  trial *trials; /* one for each run */
  size_t n;
} study;

/* ---- choosing the runs -------------------------------------------------- */

/* -P that no system took chooses the runs with that knob. */
static bool has_knobs(const run *r, const settings *wanted)
{
  bool all = true;

  for (size_t i = 0; i < wanted->n; i++) {
    bool found = wanted->v[i].used;
    for (size_t j = 0; !found && j < r->set.n; j++)
      found = strcmp(r->set.v[j].name, wanted->v[i].name) == 0 &&
              strcmp(r->set.v[j].value, wanted->v[i].value) == 0;
    all = all && found;
  }
  return all;
}

static int choose_runs(study *s, const settings *wanted, failure *why)
{
  run *kept = calloc(s->n, sizeof *kept);
  size_t n = 0;

  if (!kept) return fail(why, EXIT_INTERNAL, "no memory for the runs");
  for (size_t i = 0; i < s->n; i++)
    if (has_knobs(&s->runs[i], wanted) &&
        (!s->o->best || runs_is_best(s->runs, s->n, i)))
      kept[n++] = s->runs[i];
  free(s->runs);
  s->runs = kept;
  s->n = n;
  if (n > 0) return EXIT_OK;
  return fail(why, EXIT_DATA, "%.200s: no run with the knobs given by -P",
              s->o->argument[0]);
}

/* ---- predicting the runs ------------------------------------------------ */

/* The run's program, with its measured single-GPU time if there is one that may
 * be used. */
static int load_program(const study *s, const run *r, gscale_workload **w,
                        failure *why)
{
  const run *single = s->o->no_single ? NULL : runs_single(s->runs, s->n, r);
  settings set = r->set;
  int st = load_workload(r->workload, &set, w, NULL, why);

  if (st != EXIT_OK) return st;
  st = settings_all_used(&set, why);
  if (st == EXIT_OK && gscale_workload_origin(*w) == GSCALE_FITTED)
    st = fail(why, EXIT_DATA,
              "%s: numbers fitted to run times cannot be validated with run "
              "times",
              r->workload);
  if (st == EXIT_OK && single) st = runs_give_single(single, *w, why);
  if (st == EXIT_OK) return st;
  gscale_workload_free(*w);
  *w = NULL;
  return runs_blame(s->o->argument[0], r, why);
}

static int predict_run(const study *s, const gscale_workload *w, const run *r,
                       trial *t, failure *why)
{
  gscale_plan *plan = NULL;
  gscale_diag diag;
  gscale_error e;
  gscale_status st = gscale_plan_new(s->system, w, r->gpus, &plan, &diag);

  if (st == GSCALE_OK)
    st = gscale_predict(plan, r->paradigm, &r->k, &t->p, &diag);
  if (st == GSCALE_OK)
    st = gscale_predict_error(s->system, w, r->gpus, r->paradigm, &t->p.knobs,
                              &e, &diag);
  gscale_plan_free(plan);
  if (st != GSCALE_OK) {
    fail_gscale(why, st, &diag);
    return runs_blame(s->o->argument[0], r, why);
  }
  t->err = e.time;
  return EXIT_OK;
}

static role role_of(const study *s, const run *r)
{
  if (r->gpus > 1) return SCORED;
  return !s->o->no_single && runs_single(s->runs, s->n, r) == r ? INPUT
                                                                : BASELINE;
}

/* Predicts all runs of the program of runs[first]. */
static int predict_program(study *s, size_t first, bool *done, failure *why)
{
  gscale_workload *w = NULL;
  int st = load_program(s, &s->runs[first], &w, why);

  if (st != EXIT_OK) return st;
  for (size_t i = first; st == EXIT_OK && i < s->n; i++) {
    if (done[i] || !runs_alike(&s->runs[i], &s->runs[first])) continue;
    done[i] = true;
    s->trials[i].role = role_of(s, &s->runs[i]);
    st = predict_run(s, w, &s->runs[i], &s->trials[i], why);
  }
  gscale_workload_free(w);
  return st;
}

static int predict_all(study *s, failure *why)
{
  bool *done = calloc(s->n, sizeof *done);
  int st = EXIT_OK;

  s->trials = calloc(s->n, sizeof *s->trials);
  if (!done || !s->trials)
    st = fail(why, EXIT_INTERNAL, "no memory for the predictions");
  for (size_t i = 0; st == EXIT_OK && i < s->n; i++)
    if (!done[i]) st = predict_program(s, i, done, why);
  free(done);
  return st;
}

/* ---- rows --------------------------------------------------------------- */

enum {
  WORKLOAD,
  PARADIGM,
  KNOBS,
  OWN_KNOBS, /* the paradigm's, for the table */
  GPUS,
  MEASURED,
  SIGMA,
  PREDICTED,
  PREDICTED_ERR,
  ERR_SHARE,
  ERROR,
  BOUND,
  ROLE,
  COLUMNS
};

static const column columns[COLUMNS] = {
    [WORKLOAD] = TEXT("workload", NULL), /* a heading of its own */
    [PARADIGM] = TEXT("paradigm", "paradigm"),
    [KNOBS] = TEXT("knobs", NULL),
    [OWN_KNOBS] = {NULL, "knobs", GSCALE_COUNT, COLUMN_TEXT, true},
    [GPUS] = INTEGER("gpus", "GPUs"),
    [MEASURED] = NUMBER("measured_s", "measured", GSCALE_TIME),
    [SIGMA] = NUMBER("sigma_s", NULL, GSCALE_TIME),
    [PREDICTED] = NUMBER("predicted_s", "predicted", GSCALE_TIME),
    [PREDICTED_ERR] = NUMBER("predicted_err_s", NULL, GSCALE_TIME),
    [ERR_SHARE] = SHARE("+/-"),
    [ERROR] = PERCENT("error", "error"),
    [BOUND] = TEXT("bound", "bound by"),
    [ROLE] = TEXT("role", "role"),
};

static double relative_error(const run *r, const trial *t)
{
  return t->p.time / r->time - 1.0;
}

static void fill_row(cell *c, const run *r, const trial *t)
{
  set_text(&c[WORKLOAD], r->workload);
  set_text(&c[PARADIGM], gscale_paradigm_at(r->paradigm)->name);
  set_text(&c[KNOBS], r->knobs);
  print_knobs(c[OWN_KNOBS].text, sizeof c[OWN_KNOBS].text, &r->k);
  c[GPUS].number = r->gpus;
  c[MEASURED].number = r->time;
  c[SIGMA].number = r->sigma;
  c[PREDICTED].number = t->p.time;
  c[PREDICTED_ERR].number = t->err;
  c[ERR_SHARE].number = t->err / t->p.time;
  c[ERROR].number = relative_error(r, t);
  set_text(&c[BOUND], gscale_mechanism_name(t->p.bound));
  set_text(&c[ROLE], role_names[t->role]);
}

/* The runs of the same program as *of, or all if that is NULL. */
static int print_rows(output *out, const study *s, const run *of, failure *why)
{
  rows *r = rows_new("gpuscale.validate/1", columns, COLUMNS);
  int st = r ? EXIT_OK : fail(why, EXIT_INTERNAL, "no memory for the rows");

  for (size_t i = 0; st == EXIT_OK && i < s->n; i++) {
    cell *c;

    if (of && !runs_alike(&s->runs[i], of)) continue;
    c = rows_add(r);
    if (c)
      fill_row(c, &s->runs[i], &s->trials[i]);
    else
      st = fail(why, EXIT_INTERNAL, "no memory for the rows");
  }
  if (st == EXIT_OK) st = rows_write(r, s->o->format, out, why);
  rows_free(r);
  return st;
}

/* "jacobi n=512;word=4" above the table of its runs. */
static void print_program(FILE *f, const run *r)
{
  fprintf(f, "%s", r->workload);
  for (size_t i = 0; i < r->set.n; i++)
    fprintf(f, "%c%s=%s", i ? ';' : ' ', r->set.v[i].name, r->set.v[i].value);
  fprintf(f, "\n");
}

static int print_programs(output *out, const study *s, failure *why)
{
  int st = EXIT_OK;

  for (size_t i = 0; st == EXIT_OK && i < s->n; i++) {
    size_t first = 0;

    while (!runs_alike(&s->runs[first], &s->runs[i])) first++;
    if (first < i) continue; /* printed already */
    if (i > 0) fprintf(out->f, "\n");
    print_program(out->f, &s->runs[i]);
    st = print_rows(out, s, &s->runs[i], why);
  }
  return st;
}

/* ---- scores ------------------------------------------------------------- */

enum {
  ANY = GPUS_MAX
};

/* Scores the rows of a role and a paradigm (ANY: all). */
static int score(const study *s, role wanted, size_t paradigm,
                 gscale_score *out, failure *why)
{
  double *v = malloc(4 * s->n * sizeof *v);
  double *predicted = v, *err = v + s->n, *measured = err + s->n,
         *sigma = measured + s->n;
  gscale_diag diag;
  gscale_status st = GSCALE_OK;
  size_t n = 0;

  if (!v) return fail(why, EXIT_INTERNAL, "no memory for the scores");
  for (size_t i = 0; i < s->n; i++) {
    if (s->trials[i].role != wanted ||
        (paradigm != ANY && s->runs[i].paradigm != paradigm))
      continue;
    predicted[n] = s->trials[i].p.time;
    err[n] = s->trials[i].err;
    measured[n] = s->runs[i].time;
    sigma[n] = s->runs[i].sigma;
    n++;
  }
  *out = (gscale_score){0};
  if (n > 0)
    st = gscale_score_rows(predicted, err, measured, sigma, n, out, &diag);
  free(v);
  return st == GSCALE_OK ? EXIT_OK : fail_gscale(why, st, &diag);
}

static const column score_columns[] = {
    TEXT(NULL, ""),
    INTEGER(NULL, "rows"),
    PERCENT(NULL, "mean |error|"),
    PERCENT(NULL, "bias"),
    PERCENT(NULL, "worst"),
    PERCENT(NULL, "within +/-"),
};

static int add_score(rows *out, const study *s, role wanted, size_t paradigm,
                     const char *name, failure *why)
{
  gscale_score of;
  cell *c;
  int st = score(s, wanted, paradigm, &of, why);

  if (st != EXIT_OK || of.n == 0) return st;
  c = rows_add(out);
  if (!c) return fail(why, EXIT_INTERNAL, "no memory for the rows");
  set_text(&c[0], name);
  c[1].number = (double)of.n;
  c[2].number = of.mean_abs;
  c[3].number = of.bias;
  c[4].number = of.worst;
  c[5].number = of.covered;
  return EXIT_OK;
}

static int print_scores(output *out, const study *s, failure *why)
{
  rows *r = rows_new("", score_columns,
                     sizeof score_columns / sizeof score_columns[0]);
  int st = EXIT_OK;

  if (!r) return fail(why, EXIT_INTERNAL, "no memory for the scores");
  for (size_t p = 0; st == EXIT_OK && gscale_paradigm_at(p); p++)
    st = add_score(r, s, SCORED, p, gscale_paradigm_at(p)->name, why);
  if (st == EXIT_OK) st = add_score(r, s, SCORED, ANY, "all scored", why);
  if (st == EXIT_OK)
    st = add_score(r, s, BASELINE, ANY, "on one GPU (not scored)", why);
  fprintf(out->f, "\n");
  if (st == EXIT_OK) st = rows_write(r, FORMAT_TABLE, out, why);
  rows_free(r);
  return st;
}

/* ---- was the best paradigm named right? --------------------------------- */

/* How one (program, N) was decided. */
typedef struct contest {
  size_t rivals;        /* paradigms measured */
  size_t first, second; /* measured best and next */
  size_t named;         /* predicted best */
} contest;

static bool competes(const study *s, size_t i)
{
  const gscale_paradigm *p = gscale_paradigm_at(s->runs[i].paradigm);

  return s->trials[i].role == SCORED && !p->proposed &&
         strcmp(p->name, "infinite") != 0 && runs_is_best(s->runs, s->n, i);
}

static contest decide(const study *s, size_t of)
{
  contest c = {0, s->n, s->n, s->n};

  for (size_t i = 0; i < s->n; i++) {
    if (!competes(s, i) || s->runs[i].gpus != s->runs[of].gpus ||
        !runs_alike(&s->runs[i], &s->runs[of]))
      continue;
    c.rivals++;
    if (c.first == s->n || s->runs[i].time < s->runs[c.first].time) {
      c.second = c.first;
      c.first = i;
    } else if (c.second == s->n || s->runs[i].time < s->runs[c.second].time) {
      c.second = i;
    }
    if (c.named == s->n || s->trials[i].p.time < s->trials[c.named].p.time)
      c.named = i;
  }
  return c;
}

static void print_contests(FILE *f, const study *s)
{
  const double clear = 1.05; /* leads by more than 5 % */
  int clear_ones = 0, right = 0;

  for (size_t i = 0; i < s->n; i++) {
    contest c;

    if (!competes(s, i)) continue;
    c = decide(s, i);
    if (c.first != i || c.rivals < 2 ||
        !(s->runs[c.second].time > clear * s->runs[c.first].time))
      continue;
    clear_ones++;
    right += c.named == c.first;
  }
  if (clear_ones)
    fprintf(f,
            "\nbest paradigm named right: %d of %d where it leads by more "
            "than 5%%\n",
            right, clear_ones);
}

/* ---- the verb ----------------------------------------------------------- */

static int print_tables(output *out, const study *s, failure *why)
{
  int st = print_programs(out, s, why);

  if (st == EXIT_OK) st = print_scores(out, s, why);
  if (st == EXIT_OK) print_contests(out->f, s);
  return st;
}

static int print(const study *s, failure *why)
{
  output out;
  int st = output_open(&out, s->o->output, why);

  if (st != EXIT_OK) return st;
  st = s->o->format == FORMAT_TABLE ? print_tables(&out, s, why)
                                    : print_rows(&out, s, NULL, why);
  if (st == EXIT_OK) return output_close(&out, why);
  output_discard(&out);
  return st;
}

static int judge(const study *s, failure *why)
{
  gscale_score all;
  int st;

  if (isnan(s->o->max_error)) return EXIT_OK;
  st = score(s, SCORED, ANY, &all, why);
  if (st == EXIT_OK && all.n == 0)
    st = fail(why, EXIT_DATA, "validate: no run on more than one GPU to score");
  if (st == EXIT_OK && !(all.mean_abs <= s->o->max_error))
    st = fail(why, EXIT_NO, "mean |error| %.1f%% exceeds %.1f%%",
              100.0 * all.mean_abs, 100.0 * s->o->max_error);
  return st;
}

int validate_main(options *o, failure *why)
{
  study s = {.o = o};
  system_label name;
  int st = need_arguments(o, 1, "RUNS.csv", why);

  if (st == EXIT_OK) st = load_asked_system(o, &s.system, NULL, name, why);
  if (st == EXIT_OK) st = runs_read(o->argument[0], &s.runs, &s.n, why);
  if (st == EXIT_OK) st = choose_runs(&s, &o->set, why);
  if (st == EXIT_OK) st = predict_all(&s, why);
  if (st == EXIT_OK) st = print(&s, why);
  if (st == EXIT_OK) st = judge(&s, why);
  free(s.trials);
  free(s.runs);
  gscale_system_free(s.system);
  return st;
}
