/* study.c - measured runs with what the model says of each.
 *
 * The infinite run on one GPU is given to the model; all that it says about
 * other runs is prediction. */

#include "validate/study.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *role_name(role r)
{
  static const char *const names[ROLES] = {[ROLE_INPUT] = "input",
                                           [ROLE_SINGLE] = "single",
                                           [ROLE_SCORED] = "scored"};

  return names[r];
}

void study_free(study *s)
{
  free(s->trials);
  free(s->runs);
  gscale_system_free(s->system);
  *s = (study){0};
}

/* ---- choosing the runs -------------------------------------------------- */

int study_read(study *s, const char *const *paths, size_t files, failure *why)
{
  int st = EXIT_OK;

  for (size_t i = 0; st == EXIT_OK && i < files; i++)
    st = runs_read(paths[i], &s->runs, &s->n, why);
  return st;
}

/* The same text, or the same quantity: 16 MB and 16000000 B. */
static bool same_value(const char *a, const char *b)
{
  double v, w;

  if (strcmp(a, b) == 0) return true;
  for (gscale_dim d = 0; d < GSCALE_DIM_END; d++)
    if (gscale_parse_quantity(a, d, &v, NULL) == GSCALE_OK &&
        gscale_parse_quantity(b, d, &w, NULL) == GSCALE_OK)
      return v >= w && v <= w;
  return false;
}

static const struct setting *find_setting(const settings *s, const char *name)
{
  for (size_t i = 0; i < s->n; i++)
    if (strcmp(s->v[i].name, name) == 0) return &s->v[i];
  return NULL;
}

bool study_wants(const study *s, const run *r)
{
  for (size_t i = 0; s->where && i < s->where->n; i++) {
    const struct setting *one = &s->where->v[i];
    const struct setting *own = find_setting(&r->set, one->name);

    if (!own || !same_value(own->value, one->value)) return false;
  }
  return true;
}

int study_choose(study *s, const settings *wanted, bool best, failure *why)
{
  run *kept = calloc(s->n, sizeof *kept);
  size_t n = 0;

  if (!kept) return fail(why, EXIT_INTERNAL, "no memory for the runs");
  s->where = wanted;
  for (size_t i = 0; i < s->n; i++)
    if (study_wants(s, &s->runs[i]) &&
        (!best || runs_is_best(s->runs, s->n, i)))
      kept[n++] = s->runs[i];
  const char *path = s->runs[0].path;
  free(s->runs);
  s->runs = kept;
  s->n = n;
  if (n > 0) return EXIT_OK;
  return fail(why, EXIT_DATA, "%.200s: no run with the knobs of --where", path);
}

/* ---- predicting the runs ------------------------------------------------ */

static const run *single_of(const study *s, const run *r)
{
  if (s->no_single) return NULL;
  return s->givers ? runs_single(s->givers, s->n_givers, r)
                   : runs_single(s->runs, s->n, r);
}

/* Puts what -P says of programs behind the knobs of the run, which are data. */
static int add_asked(const settings *asked, settings *set, failure *why)
{
  for (size_t i = 0; asked && i < asked->n; i++) {
    if (find_setting(set, asked->v[i].name)) continue;
    if (set->n == SETTINGS_MAX)
      return fail(why, EXIT_USAGE, "-P %s: more than %d settings",
                  asked->v[i].name, SETTINGS_MAX);
    set->v[set->n++] = asked->v[i];
  }
  return EXIT_OK;
}

/* What the program took of -P counts as used. */
static void mark_used(settings *asked, const settings *set, size_t own)
{
  for (size_t i = own; i < set->n; i++)
    if (set->v[i].used) settings_take(asked, set->v[i].name);
}

int study_load(const study *s, const run *r, gscale_workload **out,
               failure *why)
{
  settings set = r->set;

  if (add_asked(s->set, &set, why) != EXIT_OK) return why->status;
  if (load_workload(r->workload, &set, out, NULL, why) != EXIT_OK)
    return runs_blame(r, why);
  mark_used(s->set, &set, r->set.n);
  set.n = r->set.n;
  if (settings_all_used(&set, why) == EXIT_OK) return EXIT_OK;
  gscale_workload_free(*out);
  *out = NULL;
  return runs_blame(r, why);
}

/* The run's program, with its measured single-GPU time if there is one that may
 * be used. */
static int load_program(const study *s, const run *r, gscale_workload **w,
                        failure *why)
{
  const run *single = single_of(s, r);
  int st = study_load(s, r, w, why);

  if (st != EXIT_OK) return st;
  if (gscale_workload_origin(*w) == GSCALE_FITTED)
    st = fail(why, EXIT_DATA,
              "%s: numbers fitted to run times cannot be validated with run "
              "times",
              r->workload);
  if (st == EXIT_OK && single) st = runs_give_single(single, *w, why);
  if (st == EXIT_OK) return st;
  gscale_workload_free(*w);
  *w = NULL;
  return runs_blame(r, why);
}

static int predict_run(const study *s, const gscale_workload *w, const run *r,
                       trial *t, failure *why)
{
  gscale_plan *plan = NULL;
  gscale_prediction p;
  gscale_diag diag;
  gscale_error e;
  gscale_status st = gscale_plan_new(s->system, w, r->gpus, &plan, &diag);

  if (st == GSCALE_OK) st = gscale_predict(plan, r->paradigm, &r->k, &p, &diag);
  if (st == GSCALE_OK)
    st = gscale_predict_error(s->system, w, r->gpus, r->paradigm, &p.knobs, &e,
                              &diag);
  gscale_plan_free(plan);
  if (st != GSCALE_OK) {
    fail_gscale(why, st, &diag);
    return runs_blame(r, why);
  }
  *t = (trial){.time = p.time,
               .infinite = p.opportunity * p.time,
               .err = e.time,
               .of_parameters = e.of_parameters,
               .bound = p.bound,
               .applicability = e.applicability};
  memcpy(t->part, p.part, sizeof t->part);
  snprintf(t->program, sizeof t->program, "%s", gscale_workload_name(w));
  return EXIT_OK;
}

/* Predicts all runs of the program of runs[first] that start from the same
 * single-GPU time. */
static int predict_program(study *s, size_t first, bool *done, failure *why)
{
  const run *one = &s->runs[first], *single = single_of(s, one);
  gscale_workload *w = NULL;
  int st = load_program(s, one, &w, why);

  if (st != EXIT_OK) return st;
  for (size_t i = first; st == EXIT_OK && i < s->n; i++) {
    const run *r = &s->runs[i];

    if (done[i] || !runs_alike(r, one) || single_of(s, r) != single) continue;
    done[i] = true;
    st = predict_run(s, w, r, &s->trials[i], why);
    s->trials[i].role = r->gpus > 1   ? ROLE_SCORED
                        : r == single ? ROLE_INPUT
                                      : ROLE_SINGLE;
  }
  gscale_workload_free(w);
  return st;
}

int study_predict(study *s, failure *why)
{
  bool *done = calloc(s->n, sizeof *done);
  int st = EXIT_OK;

  free(s->trials);
  s->trials = calloc(s->n, sizeof *s->trials);
  if (!done || !s->trials)
    st = fail(why, EXIT_INTERNAL, "no memory for the predictions");
  for (size_t i = 0; st == EXIT_OK && i < s->n; i++)
    if (!done[i]) st = predict_program(s, i, done, why);
  free(done);
  return st;
}

int study_all_used(const study *s, failure *why)
{
  for (size_t i = 0; i < s->set->n; i++) {
    const struct setting *one = &s->set->v[i];

    for (size_t j = 0; !one->used && j < s->n; j++)
      if (find_setting(&s->runs[j].set, one->name))
        return fail(why, EXIT_USAGE,
                    "-P %s: the runs say it; `--where %s=%s` chooses runs",
                    one->name, one->name, one->value);
  }
  return settings_all_used(s->set, why);
}

/* ---- how they stand among each other ------------------------------------ */

static size_t session_of(const study *s, size_t i)
{
  size_t j = 0;

  while (s->runs[j].path != s->runs[i].path ||
         !runs_alike(&s->runs[j], &s->runs[i]))
    j++;
  return j;
}

void study_relate(study *s)
{
  for (size_t i = 0; i < s->n; i++) {
    const run *r = &s->runs[i];
    const run *infinite = runs_infinite(s->runs, s->n, r, r->gpus);
    trial *t = &s->trials[i];

    t->session = session_of(s, i);
    t->best = runs_is_best(s->runs, s->n, i);
    t->split = gscale_split_error(t->time, t->infinite, r->time,
                                  infinite ? infinite->time : (double)NAN);
  }
}

double study_error(const study *s, size_t i)
{
  return s->trials[i].time / s->runs[i].time - 1.0;
}

/* ---- scores ------------------------------------------------------------- */

int study_series(const study *s, bool (*picked)(const void *closure, size_t i),
                 const void *closure, bool of_parameters, series *out,
                 failure *why)
{
  double *v = malloc(4 * s->n * sizeof *v);

  *out = (series){v, v + s->n, v + 2 * s->n, v + 3 * s->n, 0};
  if (!v) return fail(why, EXIT_INTERNAL, "no memory for the scores");
  for (size_t i = 0; i < s->n; i++) {
    const trial *t = &s->trials[i];

    if (!picked(closure, i)) continue;
    out->predicted[out->n] = t->time;
    out->err[out->n] = of_parameters ? t->of_parameters : t->err;
    out->measured[out->n] = s->runs[i].time;
    out->sigma[out->n] = s->runs[i].sigma;
    out->n++;
  }
  return EXIT_OK;
}

int study_score(const study *s, bool (*picked)(const void *closure, size_t i),
                const void *closure, bool of_parameters, gscale_score *out,
                failure *why)
{
  series v;
  gscale_diag diag;
  gscale_status st = GSCALE_OK;

  *out = (gscale_score){0};
  if (study_series(s, picked, closure, of_parameters, &v, why) != EXIT_OK)
    return why->status;
  if (v.n > 0)
    st = gscale_score_rows(v.predicted, v.err, v.measured, v.sigma, v.n, out,
                           &diag);
  free(v.predicted);
  return st == GSCALE_OK ? EXIT_OK : fail_gscale(why, st, &diag);
}
