/* knee.c - finds the knee and the peak of a program over numbers of GPUs. */

#include "sweep/solution.h"

#include <stdlib.h>
#include <string.h>

/* ---- range -------------------------------------------------------------- */

int most_gpus(const options *o, int *most, failure *why)
{
  options asked = *o;
  gscale_system *s = NULL;
  system_label label;
  const int st = load_asked_system(&asked, &s, NULL, label, why);

  if (st != EXIT_OK) return st;
  const int built = gscale_system_about(s).gpus;

  *most = !gscale_system_about(s).grows ? built : built < 32 ? 64 : 2 * built;
  gscale_system_free(s);
  return EXIT_OK;
}

/* ---- curve -------------------------------------------------------------- */

/* Loads the question for all N of the curve. *k owns the text of the N. */
static int load(knee *k, options *o, failure *why)
{
  int most, st = EXIT_OK;

  if (!o->gpus) {
    st = most_gpus(o, &most, why);
    if (st != EXIT_OK) return st;
    snprintf(k->gpus, sizeof k->gpus, "1-%d", most);
    o->gpus = k->gpus;
  }
  st = question_load(&k->q, o, GPUS_EVERY, why);
  if (st == EXIT_OK && k->q.n < 2)
    st = fail(why, EXIT_USAGE, "--knee: needs more than one number of GPUs");
  return st;
}

/* Stores the answer of the fastest paradigm on each N. */
static int take_best(knee *k, failure *why)
{
  const question *q = &k->q;

  k->best = calloc(q->n, sizeof *k->best);
  k->fastest = calloc(q->n, sizeof *k->fastest);
  if (!k->best || !k->fastest) return no_memory(why);
  for (size_t j = 0; j < q->n; j++) {
    k->fastest[j] = question_best(q, k->a, j);
    if (k->fastest[j] == q->paradigms)
      return fail(why, EXIT_DATA, "solve: no paradigm can run %s on %s",
                  gscale_workload_about(q->workload).name, q->name);
    k->best[j] = k->a[k->fastest[j] * q->n + j];
  }
  return EXIT_OK;
}

int knee_find(knee *k, options *o, failure *why)
{
  int st;

  *k = (knee){0};
  if (o->until || o->crossover)
    return fail(why, EXIT_USAGE,
                "solve: --knee, --until and --crossover "
                "exclude one another");
  if (o->what && strcmp(o->what, "gpus") != 0)
    return fail(why, EXIT_USAGE, "--knee: is of gpus, not of '%.60s'", o->what);
  st = load(k, o, why);
  if (st == EXIT_OK) st = question_answer(&k->q, true, &k->a, why);
  if (st == EXIT_OK) st = take_best(k, why);
  if (st != EXIT_OK) return st;
  k->at[KNEE] = curve_knee(&k->q, k->best);
  k->at[PEAK] = curve_peak(&k->q, k->best);
  return EXIT_OK;
}

void knee_free(knee *k)
{
  question_free(&k->q);
  free(k->a);
  free(k->best);
  free(k->fastest);
  *k = (knee){0};
}

size_t knee_index(const knee *k, turn which)
{
  size_t j = 0;

  while (k->q.gpus[j] != k->at[which].gpus) j++;
  return j;
}

static const char *knee_paradigm(const knee *k, turn which)
{
  return question_paradigm(&k->q, k->fastest[knee_index(k, which)]);
}

/* ---- rows ---------------------------------------------------------------- */

void knee_row(cell *c, const knee *k, turn which)
{
  static const char *const names[TURNS] = {[KNEE] = "knee", [PEAK] = "peak"};
  static const char *const hold[TURNS] = {
      [KNEE] = "up to there", [PEAK] = "there"};

  solution_row(c, &k->q, "gpus", names[which], hold[which],
               knee_paradigm(k, which));
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
