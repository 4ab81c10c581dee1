/* other_systems.c - computes corrections from runs on other machines. Residuals
 * repeat for a program, a paradigm and a size. */

#include "say/other_systems.h"
#include "validate/groups.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct residuals {
  gscale_residual *of;
  size_t n;
} residuals;

/* Identifies a machine by its name, whatever file its runs are in. */
static void place(gscale_residual *r, const gscale_system *s)
{
  r->of[GSCALE_RESIDUAL_MACHINE] =
      (size_t)hash_text(4, gscale_system_about(s).name);
}

/* Predicts the runs of one system and adds their residuals. */
static int add_system(residuals *to, const run_list *others, size_t first,
                      failure *why)
{
  const char *name = others->run[first].system;
  settings none = {0};
  study s = {.runs = malloc(others->n * sizeof *s.runs)};
  int st =
      s.runs ? load_system(name, &none, &s.system, NULL, why) : no_memory(why);

  if (st != EXIT_OK && s.runs) runs_blame(&others->run[first], why);
  for (size_t i = first; st == EXIT_OK && i < others->n; i++)
    if (strcmp(others->run[i].system, name) == 0)
      s.runs[s.n++] = others->run[i];
  if (st == EXIT_OK) st = study_predict(&s, why);
  for (size_t i = 0; st == EXIT_OK && i < s.n; i++) {
    if (s.trials[i].role != ROLE_SCORED) continue;
    study_residual(&s, i, &to->of[to->n]);
    place(&to->of[to->n++], s.system);
  }
  study_free(&s);
  return st;
}

static int add_all(residuals *to, const run_list *others, failure *why)
{
  int st = EXIT_OK;

  for (size_t i = 0; st == EXIT_OK && i < others->n; i++) {
    size_t k = 0;

    while (k < i && strcmp(others->run[k].system, others->run[i].system) != 0)
      k++;
    if (k == i) st = add_system(to, others, i, why);
  }
  return st;
}

void elsewhere_move(study *s)
{
  for (size_t i = 0; i < s->n; i++) {
    trial *t = &s->trials[i];
    const double all = pow(asinh(t->err / t->time), 2.0);
    const double own = fmax(0.0, all - pow(t->of_parameters / t->time, 2.0));

    if (t->role != ROLE_SCORED) continue;
    t->time *= exp(t->off);
    t->infinite *= exp(t->off);
    for (size_t k = 0; k < GSCALE_PART_END; k++) t->part[k] *= exp(t->off);
    t->err = t->time * sinh(sqrt(fmax(0.0, all - t->known * own)));
  }
}

int elsewhere_learn(study *s, const run_list *others, failure *why)
{
  const gscale_residuals *r = gscale_system_about(s->system).residuals;
  residuals from = {malloc((others->n + 1) * sizeof *from.of), 0};
  int st = from.of ? add_all(&from, others, why) : no_memory(why);

  for (size_t i = 0; st == EXIT_OK && from.n > 0 && i < s->n; i++) {
    trial *t = &s->trials[i];
    gscale_residual to;
    gscale_diag diag;
    double left;

    if (s->runs[i].gpus == 1) continue;
    study_residual(s, i, &to);
    place(&to, s->system);
    const gscale_status made =
        gscale_residuals_given(r, from.of, from.n, &to, &t->off, &left, &diag);
    if (made != GSCALE_OK) st = fail_gscale(why, made, &diag);
    t->known = 1.0 - left * left;
  }
  free(from.of);
  return st;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
