/* conditioning.c - converts measured runs for gscale_posterior_new(). */

#include "validate/conditioning.h"
#include "validate/groups.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- programs ----------------------------------------------------------- */

/* All runs of a program with the same t1 share one workload. */
typedef struct made_of {
  const run *runs;
  const run **single;
} made_of;

static uint64_t hash_made(const void *all, size_t i)
{
  const made_of *of = all;

  return hash_number(hash_number(0, (uintptr_t)of->runs[i].program),
                     (uintptr_t)of->single[i]);
}

static bool same_made(const void *all, size_t i, size_t j)
{
  const made_of *of = all;

  return of->single[i] == of->single[j] &&
         of->runs[i].program == of->runs[j].program;
}

static int make_program(given *g, size_t i, const run *single, failure *why)
{
  const study *s = g->s;
  gscale_workload **w = &g->made[g->n_made];
  int st = study_load(s, &s->runs[i], w, why);

  if (st != EXIT_OK) return st;
  g->n_made++;
  *w = gscale_workload_trim(*w);
  return single ? study_give_single(s, single, *w, why) : EXIT_OK;
}

/* Loads all programs. Run i shares the workload of run first[i]. */
static int load_all(given *g, const run **singles, const size_t *first,
                    failure *why)
{
  const study *s = g->s;
  int st = EXIT_OK;

  for (size_t i = 0; st == EXIT_OK && i < s->n; i++) {
    const run *r = &s->runs[i];

    if (first[i] == i) st = make_program(g, i, singles[i], why);
    if (st != EXIT_OK) break;
    g->single[i] = r->gpus == 1;
    g->run[i] =
        (gscale_run){.program = first[i] == i ? g->made[g->n_made - 1]
                                              : g->run[first[i]].program,
                     .paradigm = r->paradigm,
                     .knobs = r->k,
                     .gpus = r->gpus,
                     .time = r->time,
                     .sigma = r->sigma,
                     .file = r->path,
                     .line = r->line,
                     .off = s->trials ? s->trials[i].off : 0.0,
                     .known = s->trials ? s->trials[i].known : 0.0};
  }
  return st;
}

int given_load(given *g, const study *s, failure *why)
{
  const run **singles = study_singles(s, why);
  const made_of all = {s->runs, singles};
  size_t *first =
      singles ? group_rows(s->n, (likeness){hash_made, same_made, &all}) : NULL;
  int st = singles ? EXIT_OK : why->status;

  *g = (given){.s = s,
               .run = calloc(s->n, sizeof *g->run),
               .single = calloc(s->n, sizeof *g->single),
               .made = calloc(s->n, sizeof(gscale_workload *))};
  if (st == EXIT_OK && (!first || !g->run || !g->single || !g->made))
    st = no_memory(why);
  if (st == EXIT_OK) st = load_all(g, singles, first, why);
  free(first);
  free(singles);
  return st;
}

void given_free(given *g)
{
  for (size_t i = 0; i < g->n_made; i++) gscale_workload_free(g->made[i]);
  free(g->made);
  free(g->run);
  free(g->single);
  *g = (given){0};
}

/* ---- posteriors --------------------------------------------------------- */

/* With only three starts, fits of few runs on eight A100 end 2 points worse. */
enum {
  STARTS = 8,
  STARTS_OF_MANY = 3,
  FEW = 64,   /* number of runs */
  MOST = 96,  /* runs of a fit for asked steps; more add little */
  MANY = 1024 /* runs of any fit; the time grows with the cube of the runs */
};

/* Marks the runs of each program with an asked step, and sets *any if there is
 * one. Equal program names have one address. */
static bool *mark_asked(const study *s, bool *any)
{
  bool *asked = calloc(s->n + 1, sizeof *asked);
  size_t *first = group_runs(s->runs, s->n, BY_PROGRAM);

  *any = false;
  for (size_t k = 0; asked && first && k < s->n; k++) {
    *any = *any || s->runs[k].asked;
    asked[first[k]] = asked[first[k]] || s->runs[k].asked;
  }
  for (size_t k = 0; asked && first && k < s->n; k++)
    asked[k] = asked[first[k]];
  if (!first) {
    free(asked);
    asked = NULL;
  }
  free(first);
  return asked;
}

/* Reduces the runs to MANY, or to MOST if a step is asked. All runs of asked
 * programs are kept. The golden ratio spreads the other kept runs evenly,
 * because most files repeat paradigms and N periodically. */
static int thin_out(const study *s, size_t *row, size_t *n, failure *why)
{
  const double golden = 0.6180339887498949;
  size_t close = 0, kept = 0, far = 0;
  bool any, *asked = mark_asked(s, &any);

  if (!asked) return no_memory(why);
  for (size_t k = 0; k < *n; k++) close += asked[row[k]];
  const size_t most = any ? MOST : MANY, others = *n - close,
               room = close < most ? most - close : 0;
  for (size_t k = 0; k < *n; k++) {
    const bool one = asked[row[k]];

    if (one || others <= room ||
        fmod((double)far * golden, 1.0) * (double)others < (double)room)
      row[kept++] = row[k];
    far += !one;
  }
  *n = kept;
  free(asked);
  return EXIT_OK;
}

static void say_progress(void *closure, double done)
{
  const size_t parts = 100;

  (void)closure;
  progress("fitting", (size_t)(done * (double)parts), parts);
}

int given_fit(const given *g, const gscale_system *base, double own,
              bool (*taken)(const void *closure, size_t i), const void *closure,
              gscale_posterior **p, size_t **row, size_t *n, failure *why)
{
  const size_t all = g->s->n;
  gscale_run *runs = malloc((all + 1) * sizeof *runs);
  gscale_diag diag;

  *row = malloc((all + 1) * sizeof **row);
  *n = 0;
  if (!runs || !*row) {
    free(runs);
    return no_memory(why);
  }
  for (size_t i = 0; i < all; i++) {
    if (g->single[i] || (taken && !taken(closure, i))) continue;
    (*row)[(*n)++] = i;
  }
  if (thin_out(g->s, *row, n, why) != EXIT_OK) {
    free(runs);
    return why->status;
  }
  for (size_t k = 0; k < *n; k++) runs[k] = g->run[(*row)[k]];
  if (*n == 0) {
    free(runs);
    return fail(why, EXIT_DATA,
                "%.200s: all runs are on one GPU, where nothing moves",
                g->s->runs[0].path);
  }
  const gscale_status st = gscale_posterior_new(
      base, runs, *n, own, *n > FEW ? STARTS_OF_MANY : STARTS, say_progress,
      NULL, p, &diag);
  progress_end();
  free(runs);
  if (st == GSCALE_EUNIT) return fail(why, EXIT_NO, "%s", diag.text);
  return check_gscale(why, st, &diag);
}

/* ---- hashes ------------------------------------------------------------- */

uint64_t run_hash(const run *r)
{
  char text[512];
  sha256_text hex;

  snprintf(text, sizeof text, "%s|%s|%d|%.17g", r->program,
           gscale_paradigm_at(r->paradigm)->name, r->gpus, r->time);
  for (size_t k = 0; k < GSCALE_KNOB_END; k++)
    if (!isnan(r->k.v[k]))
      gscale_append(text, sizeof text, "|%zu=%.17g", k, r->k.v[k]);
  sha256(text, strlen(text), hex);
  hex[16] = '\0';
  return strtoull(hex, NULL, 16);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
