/* ahead.c - steps given those that were run, on as many GPUs as that or any
 * others.
 *
 * A step that is asked for is a run more: nothing is fitted to it, and its time
 * is never looked at. */

#include "validate/ahead.h"
#include "predict/predict.h"
#include "validate/given.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct ahead {
  options *o;
  study s;
  rivals r;
  system_label name;
  size_t made; /* runs; those that are asked for follow */
  int most;    /* GPUs that they were made on */
  settings where;
} ahead;

static int no_memory(failure *why)
{
  return fail(why, EXIT_INTERNAL, "no memory for the runs");
}

/* ---- the runs ----------------------------------------------------------- */

static int add_file(const char *word, void *closure, failure *why)
{
  ahead *a = closure;
  const char *path = lexicon_keep(&a->s.names, word);

  if (!path) return no_memory(why);
  return runs_read(path, &a->s.runs, &a->s.n, &a->s.shares, &a->s.names, why);
}

/* Fitted twice to the same run, a number would seem known better than it is. */
static int check_fresh(const ahead *a, failure *why)
{
  for (size_t i = 0; i < a->s.n; i++) {
    if (!gscale_system_has_row(a->s.system, run_hash(&a->s.runs[i]))) continue;
    fail(why, EXIT_DATA, "%s was fitted to this run already; give its base",
         a->name);
    return runs_blame(&a->s.runs[i], why);
  }
  return EXIT_OK;
}

static int read_runs(ahead *a, failure *why)
{
  const int st = each_word("--runs", a->o->runs, add_file, a, why);

  if (st != EXIT_OK) return st;
  a->made = a->s.n;
  for (size_t i = 0; i < a->s.n; i++)
    if (a->s.runs[i].gpus > a->most) a->most = a->s.runs[i].gpus;
  return check_fresh(a, why);
}

/* What -P says of no number of the system says which runs are meant. */
static void take_where(ahead *a)
{
  for (size_t i = 0; i < a->o->set.n; i++)
    if (!a->o->set.v[i].used) a->where.v[a->where.n++] = a->o->set.v[i];
  a->s.where = &a->where;
}

/* ---- the steps that are asked for --------------------------------------- */

static bool same_series(const run *x, const run *y)
{
  run other = *x;

  other.gpus = y->gpus;
  return other.path == y->path && runs_same_row(&other, y);
}

/* "jacobi" of "lua/workloads/jacobi.lua". */
static size_t bare_name(const char *text, const char **begin)
{
  const char *slash = strrchr(text, '/');
  const char *const end = ".lua";

  *begin = slash ? slash + 1 : text;
  const size_t n = strlen(*begin), more = strlen(end);
  return n > more && strcmp(*begin + n - more, end) == 0 ? n - more : n;
}

/* With or without the path and the end of a file's name. */
static bool same_program(const char *a, const char *b)
{
  const char *x, *y;
  const size_t n = bare_name(a, &x), m = bare_name(b, &y);

  return n == m && strncmp(x, y, n) == 0;
}

/* The last run of a series on several GPUs stands for it. */
static bool is_asked(const ahead *a, size_t i)
{
  const run *r = &a->s.runs[i];
  size_t j = i + 1;

  if (r->gpus == 1 || !same_program(r->workload, a->o->argument[0]) ||
      !study_wants(&a->s, r))
    return false;
  while (j < a->made &&
         (a->s.runs[j].gpus == 1 || !same_series(&a->s.runs[j], r)))
    j++;
  return j == a->made;
}

static int add_steps(ahead *a, const int *gpus, size_t n, failure *why)
{
  run *runs = realloc(a->s.runs, a->made * (n + 1) * sizeof *runs);

  if (!runs) return no_memory(why);
  a->s.runs = runs;
  for (size_t i = 0; i < a->made; i++)
    for (size_t k = 0; k < n && is_asked(a, i); k++) {
      run *to = &a->s.runs[a->s.n];

      *to = a->s.runs[i];
      to->gpus = gpus[k];
      to->asked = true;
      a->s.n++;
    }
  if (a->s.n > a->made) return EXIT_OK;
  return fail(why, EXIT_DATA,
              "%.200s: no run of %s on several GPUs with these knobs",
              a->o->runs, a->o->argument[0]);
}

/* Twice and four times as many, unless it is said. */
static int ask_steps(ahead *a, failure *why)
{
  int *gpus = malloc(GPUS_MAX * sizeof *gpus);
  size_t n = 2;
  int st = gpus ? EXIT_OK : no_memory(why);

  if (st == EXIT_OK && a->o->gpus) {
    st = parse_gpus("--gpus", a->o->gpus, gpus, &n, why);
  } else if (st == EXIT_OK) {
    gpus[0] = 2 * a->most;
    gpus[1] = 4 * a->most;
  }
  if (st == EXIT_OK) st = add_steps(a, gpus, n, why);
  free(gpus);
  return st;
}

/* ---- answers ------------------------------------------------------------ */

/* "1,2,3": the numbers of GPUs of the runs, all of which are given. */
static void list_given(const ahead *a, char *text, size_t size)
{
  size_t used = 0;

  for (int n = 1; n <= a->most && used < size; n++) {
    size_t i = 0;

    while (i < a->made && a->s.runs[i].gpus != n) i++;
    if (i < a->made)
      used += (size_t)snprintf(text + used, size - used, "%s%d",
                               used ? "," : "", n);
  }
}

static int answer_all(ahead *a, failure *why)
{
  char list[4096];
  int st = study_predict(&a->s, why);

  if (st == EXIT_OK) st = study_relate(&a->s, why);
  if (st != EXIT_OK) return st;
  list_given(a, list, sizeof list);
  st = rivals_new(&a->s, list, &a->r, why);
  if (st == EXIT_OK && *a->r.reason[RIVAL_GIVEN])
    fprintf(stderr, "gpuscale: note: by laws alone: %s\n",
            a->r.reason[RIVAL_GIVEN]);
  return st;
}

/* ---- a description that does not fit ------------------------------------- */

static const double LITTLE = 0.25; /* of the weights, and ... */
static const double FAR_OFF = 0.1; /* ... |ln(time)| that is not the runs' */

/* The run on the most GPUs of the series of a step. */
static const run *last_of(const ahead *a, size_t step)
{
  const run *found = NULL;

  for (size_t i = 0; i < a->made; i++) {
    const run *r = &a->s.runs[i];
    if (same_series(r, &a->s.runs[step]) && (!found || r->gpus > found->gpus))
      found = r;
  }
  return found;
}

static void note_misfit(const ahead *a, size_t step)
{
  const run *r = last_of(a, step);
  char took[48], says[48];

  if (!r) return;
  const trial *t = &a->s.trials[r - a->s.runs];
  if (!(fabs(log(t->time / r->time)) > FAR_OFF)) return;
  gscale_format_quantity(r->time, GSCALE_TIME, took, sizeof took);
  gscale_format_quantity(t->time, GSCALE_TIME, says, sizeof says);
  fprintf(
      stderr,
      "gpuscale: note: the description does not fit the runs by %s (its "
      "weight is %.0f%%): on %d GPUs %s where it says %s, bound by %s; %s\n",
      gscale_paradigm_at(r->paradigm)->name,
      100.0 * a->r.weight[step][RIVAL_GIVEN], r->gpus, took, says,
      gscale_mechanism_name(t->bound),
      r->time > t->time
          ? "kernels that do not shrink (fixed, serial), host calls or "
            "copies are not in it"
          : "something in it is not done, or done at the same time");
}

/* Once for each series. */
static void note_misfits(const ahead *a)
{
  for (size_t i = a->made; i < a->s.n; i++) {
    const bool first =
        i == a->made || !same_series(&a->s.runs[i - 1], &a->s.runs[i]);

    if (first && !*a->r.reason[RIVAL_GIVEN] &&
        a->r.weight[i][RIVAL_GIVEN] < LITTLE)
      note_misfit(a, i);
  }
}

enum {
  WORKLOAD,
  PARADIGM,
  KNOBS,
  GPUS,
  TIME,
  SHARE_OF_IT,
  LOW,
  HIGH,
  ALONE,
  AMDAHL,
  USL,
  MESSAGES,
  NORMAL_FORM,
  GIVEN,
  WEIGHTS,
  COLUMNS
};

static const column columns[COLUMNS] = {
    [WORKLOAD] = TEXT("workload", NULL),
    [PARADIGM] = TEXT("paradigm", "paradigm"),
    [KNOBS] = TEXT("knobs", NULL),
    [GPUS] = INTEGER("gpus", "GPUs"),
    [TIME] = NUMBER("time_s", "time", GSCALE_TIME),
    [SHARE_OF_IT] = SHARE("+/-"),
    [LOW] = SECONDS("time_lo"),
    [HIGH] = SECONDS("time_hi"),
    [ALONE] = NUMBER("alone_s", "no runs", GSCALE_TIME),
    [AMDAHL] = SECONDS("amdahl"),
    [USL] = SECONDS("usl"),
    [MESSAGES] = SECONDS("messages"),
    [NORMAL_FORM] = SECONDS("extra_p"),
    [GIVEN] = NUMBER("given_s", "model", GSCALE_TIME),
    [WEIGHTS] = TEXT("weights", "by weights of"),
};

static void fill_step(const ahead *a, size_t i, cell *c)
{
  const run *r = &a->s.runs[i];
  const double *time = a->r.time[i];

  set_text(&c[WORKLOAD], r->workload);
  set_text(&c[PARADIGM], gscale_paradigm_at(r->paradigm)->name);
  set_text(&c[KNOBS], r->knobs);
  c[GPUS].number = r->gpus;
  c[TIME].number = time[RIVAL_WEIGHTED];
  c[SHARE_OF_IT].number = a->r.weighted[i];
  c[LOW].number = time[RIVAL_WEIGHTED] * exp(-a->r.weighted[i]);
  c[HIGH].number = time[RIVAL_WEIGHTED] * exp(a->r.weighted[i]);
  c[GIVEN].number = time[RIVAL_GIVEN];
  c[ALONE].number = a->s.trials[i].time;
  c[AMDAHL].number = time[GSCALE_AMDAHL];
  c[USL].number = time[GSCALE_USL];
  c[MESSAGES].number = time[GSCALE_MESSAGES];
  c[NORMAL_FORM].number = time[GSCALE_NORMAL_FORM];
  print_weights(&a->r, i, c[WEIGHTS].text, sizeof c[WEIGHTS].text);
}

static int print_steps(const ahead *a, failure *why)
{
  rows *r = rows_new("gpuscale.ahead/1", columns, COLUMNS);

  for (size_t i = a->made; i < a->s.n; i++) fill_step(a, i, rows_add(r));
  return rows_print(EXIT_OK, r, a->o, why);
}

int ahead_main(options *o, failure *why)
{
  ahead a = {.o = o, .where = {.option = "-P"}};
  int st = load_asked_system(o, &a.s.system, NULL, a.name, why);

  if (st == EXIT_OK) take_where(&a);
  if (st == EXIT_OK) st = read_runs(&a, why);
  if (st == EXIT_OK) st = ask_steps(&a, why);
  if (st == EXIT_OK) st = answer_all(&a, why);
  if (st == EXIT_OK) note_misfits(&a);
  if (st == EXIT_OK) st = print_steps(&a, why);
  rivals_free(&a.r);
  study_free(&a.s);
  return st;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
