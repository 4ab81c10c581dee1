/* discrepancies.c - runs of programs to the model's own error.
 *
 * Runs never change a parameter.  They say how far the equations are off where
 * the parameters and the measurements cannot be blamed, and that is used for
 * other programs only. */

#include "validate/discrepancies.h"
#include "validate/study.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- files -------------------------------------------------------------- */

enum {
  FILES_MAX = 64
};

typedef struct files {
  char *path[FILES_MAX];
  size_t n;
} files;

static int add_file(const char *word, void *closure, failure *why)
{
  files *f = closure;

  if (f->n == FILES_MAX)
    return fail(why, EXIT_USAGE, "--runs: more than %d files", (int)FILES_MAX);
  f->path[f->n] = strdup(word);
  if (!f->path[f->n++]) return fail(why, EXIT_INTERNAL, "no memory for a path");
  return EXIT_OK;
}

static void free_files(files *f)
{
  for (size_t i = 0; i < f->n; i++) free(f->path[i]);
}

/* ---- one program by one paradigm ---------------------------------------- */

typedef struct pick {
  const study *s;
  size_t of;
} pick;

static bool is_alike(const study *s, size_t i, size_t j)
{
  return s->runs[i].paradigm == s->runs[j].paradigm &&
         strcmp(s->trials[i].program, s->trials[j].program) == 0;
}

static bool is_picked(const void *closure, size_t i)
{
  const pick *p = closure;

  return p->s->trials[i].role == ROLE_SCORED && is_alike(p->s, i, p->of);
}

static bool is_first(const study *s, size_t i)
{
  const pick p = {s, i};
  size_t j = 0;

  while (j < i && !is_picked(&p, j)) j++;
  return j == i && s->trials[i].role == ROLE_SCORED;
}

/* "runs.csv, runs-allgather.csv": each name once, as many as fit. */
static void name_files(const pick *p, char *text, size_t size)
{
  text[0] = '\0';
  for (size_t i = 0; i < p->s->n; i++) {
    const char *slash = strrchr(p->s->runs[i].path, '/');
    const char *name = slash ? slash + 1 : p->s->runs[i].path;
    const size_t used = strlen(text);

    if (!is_picked(p, i) || strstr(text, name) ||
        used + strlen(name) + 3 > size)
      continue;
    snprintf(text + used, size - used, "%s%s", used ? ", " : "", name);
  }
}

/* Scales of the rows of a series, in its order. */
static void fill_scales(const pick *p, double *scale)
{
  for (size_t i = 0; i < p->s->n; i++) {
    const trial *t = &p->s->trials[i];

    if (is_picked(p, i))
      *scale++ = gscale_discrepancy_scale(t->time, fmin(t->infinite, t->time));
  }
}

static int measure(const pick *p, const series *v, discrepancy_row *d,
                   failure *why)
{
  double *scale = malloc(v->n * sizeof *scale);
  gscale_diag diag;
  gscale_status st;

  if (!scale) return fail(why, EXIT_INTERNAL, "no memory for the scales");
  fill_scales(p, scale);
  st = gscale_spread_of(v->predicted, v->err, v->measured, v->sigma, scale,
                        v->n, &d->spread, &diag);
  if (st == GSCALE_OK)
    st = gscale_score_rows(v->predicted, v->err, v->measured, v->sigma, v->n,
                           study_tail(p->s), &d->score, &diag);
  free(scale);
  return st == GSCALE_OK ? EXIT_OK : fail_gscale(why, st, &diag);
}

/* The middle two thirds are used: what one standard deviation has to cover.  A
 * few wild rows do not widen everybody's intervals; they show in the root mean
 * square, which the report has beside it. */
static int fit_one(const pick *p, discrepancy_row *d, failure *why)
{
  series v;
  int st = study_series(p->s, &(choice){is_picked, p, 0, NULL}, true, &v, why);

  if (st != EXIT_OK) return st;
  *d = (discrepancy_row){
      .fit = {.paradigm = p->s->runs[p->of].paradigm, .rows = v.n}};
  snprintf(d->fit.workload, sizeof d->fit.workload, "%s",
           p->s->trials[p->of].program);
  st = measure(p, &v, d, why);
  free(v.predicted);
  d->fit.sigma =
      (gscale_param){.val = d->spread.middle,
                     .err = d->spread.middle / sqrt(2.0 * (double)d->fit.rows),
                     .origin = GSCALE_MEASURED};
  name_files(p, d->fit.sigma.source, sizeof d->fit.sigma.source);
  return st;
}

/* ---- all of them -------------------------------------------------------- */

static int fit_all(study *s, discrepancies *out, failure *why)
{
  gscale_diag diag;
  int st = EXIT_OK;

  out->of = calloc(GSCALE_DISCREPANCIES_MAX, sizeof *out->of);
  if (!out->of)
    return fail(why, EXIT_INTERNAL, "no memory for the discrepancies");
  for (size_t i = 0; st == EXIT_OK && i < s->n; i++) {
    const pick p = {s, i};

    if (!is_first(s, i)) continue;
    if (out->n == GSCALE_DISCREPANCIES_MAX)
      return fail(why, EXIT_DATA, "--runs: more than %d programs and paradigms",
                  (int)GSCALE_DISCREPANCIES_MAX);
    st = fit_one(&p, &out->of[out->n], why);
    if (st == EXIT_OK &&
        gscale_system_add_discrepancy(s->system, &out->of[out->n].fit, &diag) !=
            GSCALE_OK)
      st = fail(why, EXIT_DATA, "%s", diag.text);
    out->n++;
  }
  return st;
}

int discrepancies_fit(gscale_system *s, const char *list, discrepancies *out,
                      failure *why)
{
  study runs = {.system = s};
  files f = {{0}, 0};
  int st = each_word("--runs", list, add_file, &f, why);

  gscale_system_clear_discrepancies(s);
  if (st == EXIT_OK)
    st = study_read(&runs, (const char *const *)f.path, f.n, why);
  if (st == EXIT_OK) st = study_predict(&runs, why);
  if (st == EXIT_OK) st = fit_all(&runs, out, why);
  runs.system = NULL; /* not ours to free */
  study_free(&runs);
  free_files(&f);
  return st;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
