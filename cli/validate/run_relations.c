/* run_relations.c - computes the relations of runs.h for all runs at once. */

#include "validate/groups.h"
#include "validate/study.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- likeness ----------------------------------------------------------- */

typedef struct runs_by {
  const run *runs;
  unsigned by;
} runs_by;

static uint64_t hash_knobs(uint64_t hash, const gscale_knobs *k)
{
  for (size_t i = 0; i < GSCALE_KNOB_END; i++) {
    const double v = isnan(k->v[i]) ? 0.0 : k->v[i];
    uint64_t bits;

    memcpy(&bits, &v, sizeof bits);
    hash = hash_number(hash, bits);
  }
  return hash;
}

static uint64_t hash_run(const void *all, size_t i)
{
  const runs_by *a = all;
  const run *r = &a->runs[i];
  uint64_t hash = a->by & BY_PROGRAM ? hash_text(0, r->program) : 0;

  if (a->by & BY_WORKLOAD) hash = hash_text(hash, r->workload);
  if (a->by & BY_FILE) hash = hash_number(hash, (uintptr_t)r->path);
  if (a->by & BY_GPUS) hash = hash_number(hash, (uint64_t)r->gpus);
  if (a->by & BY_PARADIGM) hash = hash_number(hash, r->paradigm);
  return a->by & BY_KNOBS ? hash_knobs(hash, &r->k) : hash;
}

/* Equal paths have one address, because one reader stores them. */
static bool same_run(const void *all, size_t i, size_t j)
{
  const runs_by *of = all;
  const run *a = &of->runs[i], *b = &of->runs[j];
  const unsigned by = of->by;

  return (!(by & BY_PROGRAM) || runs_alike(a, b)) &&
         (!(by & BY_WORKLOAD) || strcmp(a->workload, b->workload) == 0) &&
         (!(by & BY_FILE) || a->path == b->path) &&
         (!(by & BY_GPUS) || a->gpus == b->gpus) &&
         (!(by & BY_PARADIGM) || a->paradigm == b->paradigm) &&
         (!(by & BY_KNOBS) || gscale_knobs_same(&a->k, &b->k)) &&
         (!(by & BY_SYSTEM) || strcmp(a->system, b->system) == 0);
}

size_t *group_runs(const run *r, size_t n, unsigned by)
{
  return group_rows(n, (likeness){hash_run, same_run, &(runs_by){r, by}});
}

enum {
  BY_CURVE = BY_SESSION | BY_PARADIGM | BY_KNOBS /* runs differ only in N */
};

size_t *study_curves(const study *s, failure *why)
{
  size_t *first = group_runs(s->runs, s->n, BY_CURVE);

  if (!first) no_memory(why);
  return first;
}

/* ---- repeats ------------------------------------------------------------- */

/* Replaces the first run by the mean of ln(time). The standard error combines
 * the errors of the runs and their spread. */
static void merge(run *r, size_t first, const size_t *next)
{
  double n = 0.0, sum = 0.0, square = 0.0, of_runs = 0.0;

  for (size_t i = first; i != NO_ROW; i = next[i]) {
    const double x = log(r[i].time / r[first].time);

    n += 1.0;
    sum += x;
    square += x * x;
    of_runs += pow(r[i].sigma / r[i].time, 2.0);
  }
  if (n < 2.0) return;
  const double mean = sum / n;
  const double differ = fmax(0.0, square / n - mean * mean) / (n - 1.0);
  r[first].time *= exp(mean);
  r[first].sigma = r[first].time * sqrt(of_runs / (n * n) + differ);
}

int study_merge(study *s, failure *why)
{
  if (s->n == 0) return EXIT_OK;
  size_t *first = group_runs(s->runs, s->n, BY_CURVE | BY_GPUS | BY_SYSTEM);
  size_t *next = first ? chain_rows(s->n, first) : NULL;
  size_t kept = 0;

  for (size_t i = 0; next && i < s->n; i++)
    if (first[i] == i) merge(s->runs, i, next);
  for (size_t i = 0; next && i < s->n; i++)
    if (first[i] == i) s->runs[kept++] = s->runs[i];
  if (next) s->n = kept;
  const int st = next ? EXIT_OK : no_memory(why);
  free(first);
  free(next);
  return st;
}

/* ---- residuals ---------------------------------------------------------- */

void study_residual(const study *s, size_t i, gscale_residual *out)
{
  const run *r = &s->runs[i];
  const trial *t = &s->trials[i];
  const uint64_t paradigm = hash_number(1, r->paradigm);

  *out = (gscale_residual){.predicted = t->time,
                           .measured = r->time,
                           .of_parameters = t->of_parameters,
                           .sigma = r->sigma,
                           .of_known = t->of_known,
                           .at = t->at,
                           .doublings = t->doublings,
                           .program = (size_t)hash_text(3, t->program)};
  out->of[GSCALE_RESIDUAL_SIZE] = (size_t)hash_text(0, r->program);
  out->of[GSCALE_RESIDUAL_WAY] = (size_t)paradigm;
  out->of[GSCALE_RESIDUAL_KNOB] = (size_t)hash_knobs(paradigm, &r->k);
  out->of[GSCALE_RESIDUAL_GPUS] = (size_t)r->gpus;
  out->of[GSCALE_RESIDUAL_MACHINE] = (size_t)hash_text(2, r->path);
}

/* ---- infinite runs ------------------------------------------------------ */

/* For each run, a search finds an infinite run on the same number of GPUs, if
 * possible in the same file. If `single` is set, only one GPU is searched,
 * where another paradigm may replace the infinite run because nothing moves. */
typedef struct sought {
  size_t *own, *any; /* groups within each file, and within all */
  size_t *found;     /* room for 2 n */
} sought;

static bool is_sought(const run *r, bool single, bool infinite)
{
  return !r->asked && (!single || r->gpus == 1) &&
         (!infinite || r->paradigm == gscale_paradigm_find("infinite"));
}

/* Fills the empty places of of[]. */
static void seek(const run *r, size_t n, bool single, bool infinite, sought s,
                 size_t *of)
{
  for (size_t i = 0; i < 2 * n; i++) s.found[i] = NO_ROW;
  for (size_t i = n; i-- > 0;)
    if (is_sought(&r[i], single, infinite))
      s.found[s.own[i]] = s.found[n + s.any[i]] = i;
  for (size_t i = 0; i < n; i++) {
    const size_t own = s.found[s.own[i]];

    if (of[i] == NO_ROW) of[i] = own != NO_ROW ? own : s.found[n + s.any[i]];
  }
}

/* If `others` is set, any paradigm may replace a missing infinite run. */
static size_t *infinite_runs(const run *r, size_t n, bool single, bool others)
{
  const unsigned on = single ? 0 : BY_GPUS;
  const sought s = {group_runs(r, n, BY_SESSION | on),
                    group_runs(r, n, BY_PROGRAM | on),
                    malloc(2 * n * sizeof *s.found)};
  size_t *of = malloc(n * sizeof *of);

  if (s.own && s.any && s.found && of) {
    for (size_t i = 0; i < n; i++) of[i] = NO_ROW;
    seek(r, n, single, true, s, of);
    if (others) seek(r, n, single, false, s, of);
  } else {
    free(of);
    of = NULL;
  }
  free(s.own);
  free(s.any);
  free(s.found);
  return of;
}

const run **study_singles(const study *s, failure *why)
{
  const run **single = calloc(s->n, sizeof *single);
  size_t *of = NULL;

  if (single && s->no_single) return single;
  if (single && s->givers)
    of = group_runs(s->runs, s->n, BY_SESSION);
  else if (single)
    of = infinite_runs(s->runs, s->n, true, true);
  for (size_t i = 0; of && i < s->n; i++)
    if (!s->givers)
      single[i] = of[i] == NO_ROW ? NULL : &s->runs[of[i]];
    else if (of[i] < i)
      single[i] = single[of[i]];
    else
      single[i] = runs_single(s->givers, s->n_givers, &s->runs[i]);
  if (!of) {
    free(single);
    single = NULL;
    no_memory(why);
  }
  free(of);
  return single;
}

size_t *study_infinite_singles(const study *s, failure *why)
{
  size_t *of = infinite_runs(s->runs, s->n, true, false);

  if (!of) no_memory(why);
  return of;
}

/* ---- ranks -------------------------------------------------------------- */

/* Returns whether the fastest row of run i is faster than that of run `than`,
 * or equally fast and earlier. */
static bool is_faster(const study *s, size_t i, size_t than)
{
  double a, b;
  const size_t row = study_least(s, i, &a), other = study_least(s, than, &b);

  return a < b || (!(a > b) && row < other);
}

size_t *study_fastest(const study *s, failure *why)
{
  const run *r = s->runs;
  size_t *first = group_runs(r, s->n, BY_SESSION | BY_GPUS | BY_PARADIGM);
  size_t *fastest = malloc(s->n * sizeof *fastest);

  if (first && fastest) {
    for (size_t i = 0; i < s->n; i++)
      if (first[i] == i || is_faster(s, i, fastest[first[i]]))
        fastest[first[i]] = i;
    for (size_t i = s->n; i-- > 0;) fastest[i] = fastest[first[i]];
  } else {
    free(fastest);
    fastest = NULL;
    no_memory(why);
  }
  free(first);
  return fastest;
}

static int relate_best(study *s, failure *why)
{
  size_t *fastest = study_fastest(s, why);

  if (!fastest) return why->status;
  for (size_t i = 0; i < s->n; i++) s->trials[i].best = fastest[i] == i;
  free(fastest);
  return EXIT_OK;
}

static int relate_sessions(study *s, failure *why)
{
  size_t *first = group_runs(s->runs, s->n, BY_SESSION);

  if (!first) return no_memory(why);
  for (size_t i = 0; i < s->n; i++) s->trials[i].session = first[i];
  free(first);
  return EXIT_OK;
}

static int relate_infinite(study *s, failure *why)
{
  size_t *of = infinite_runs(s->runs, s->n, false, false);

  if (!of) return no_memory(why);
  for (size_t i = 0; i < s->n; i++)
    s->trials[i].beside = of[i] == NO_ROW ? NAN : s->runs[of[i]].time;
  free(of);
  return EXIT_OK;
}

int study_relate(study *s, failure *why)
{
  int st = relate_sessions(s, why);

  if (st == EXIT_OK) st = relate_best(s, why);
  return st == EXIT_OK ? relate_infinite(s, why) : st;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
