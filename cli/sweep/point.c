/* point.c - loads the question at a point. If only knobs of the workload
 * changed, step() is called again without reloading the file. */

#include "sweep/walk.h"

#include <stdlib.h>
#include <string.h>

static void forget_plans(walk *w)
{
  for (int n = 0; n <= w->last; n++) {
    gscale_uncertainty_free(w->u[n]);
    gscale_plan_free(w->plan[n]);
    w->u[n] = NULL;
    w->plan[n] = NULL;
  }
  w->last = 0;
}

/* Copies the options and adds the settings of the current point. */
static int take_options(walk *w, failure *why)
{
  char text[256];
  int st = EXIT_OK;

  w->asked = *w->o;
  if (*w->gpus) w->asked.gpus = w->gpus;
  for (size_t i = 0; st == EXIT_OK && i < w->axes; i++) {
    const over *v = &w->v[i];

    if (v->kind != OVER_SETTING) continue;
    snprintf(text, sizeof text, "%s=%.17g%s", v->name, w->x[i], v->unit);
    st = settings_add(&w->asked.set, text, why);
  }
  return st;
}

/* Replaces the settings by those of the current point. */
static void move_settings(walk *w)
{
  size_t k = w->o->set.n;

  for (size_t i = 0; i < w->axes; i++) {
    if (w->v[i].kind != OVER_SETTING) continue;
    struct setting *said = &w->asked.set.v[k++];
    snprintf(said->value, sizeof said->value, "%.17g%s", w->x[i], w->v[i].unit);
  }
}

/* Returns whether all varied settings are knobs of the workload's step(). */
static bool moves_knobs(const walk *w)
{
  const about *more = &w->q.about_workload;
  bool all = w->loaded && !w->o->runs;

  for (size_t i = 0; all && i < w->axes; i++) {
    size_t k = 0;
    if (w->v[i].kind != OVER_SETTING) continue;
    while (k < more->knobs && strcmp(more->knob[k].name, w->v[i].name) != 0)
      k++;
    all = k < more->knobs;
  }
  return all;
}

void walk_forget(walk *w)
{
  forget_plans(w);
  question_free(&w->q);
}

/* Without --gpus, keeps only the built number of GPUs. */
static void take_question(walk *w)
{
  if (!w->asked.gpus) w->q.gpus[0] = w->q.gpus[w->q.n - 1];
  if (!w->asked.gpus) w->q.n = 1;
  w->q.joint = w->joint;
}

static int ask_again(walk *w, failure *why)
{
  forget_plans(w);
  move_settings(w);
  const int st = question_again(&w->q, &w->asked, GPUS_DOUBLED, why);
  if (st == EXIT_OK) take_question(w);
  return st;
}

int walk_load(walk *w, failure *why)
{
  int st = take_options(w, why);

  walk_forget(w);
  w->loaded = false;
  if (st == EXIT_OK) st = question_load(&w->q, &w->asked, GPUS_DOUBLED, why);
  if (st != EXIT_OK) return st;
  take_question(w);
  w->loaded = true;
  return EXIT_OK;
}

int walk_move(walk *w, const double *x, failure *why)
{
  bool again = !w->loaded || w->astray;

  for (size_t i = 0; i < w->axes; i++)
    again = again || (w->v[i].kind == OVER_SETTING && !is_same(x[i], w->x[i]));
  memcpy(w->x, x, w->axes * sizeof *x);
  if (again) {
    const int st = moves_knobs(w) ? ask_again(w, why) : walk_load(w, why);
    w->astray = st != EXIT_OK;
    if (st != EXIT_OK) return st;
  }
  for (size_t i = 0; i < w->axes; i++) {
    const over *v = &w->v[i];

    for (size_t k = 0; v->kind == OVER_KNOB && k < w->q.paradigms; k++)
      if (w->q.paradigm[k] == v->paradigm) w->q.knobs[k].v[v->knob] = x[i];
  }
  return EXIT_OK;
}

/* Sets the parameters of the current point in the system. */
static gscale_status move_system(walk *w, gscale_diag *diag)
{
  gscale_status st = GSCALE_OK;

  for (size_t i = 0; st == GSCALE_OK && i < w->axes; i++) {
    const gscale_param to = {.val = w->x[i], .origin = GSCALE_ASSUMED};
    const over *v = &w->v[i];

    if (v->kind != OVER_PARAMETER ||
        is_same(gscale_system_get(w->q.system, v->parameter)->val, to.val))
      continue;
    forget_plans(w);
    st = gscale_system_set(w->q.system, v->parameter, &to, diag);
  }
  return st;
}

gscale_status walk_plan(walk *w, int n, const gscale_plan **out,
                        gscale_diag *diag)
{
  const gscale_workload *of = n ? question_workload(&w->q, n) : w->q.workload;
  const int gpus = n ? n : 1;
  const bool errors = w->o->errors && n;
  gscale_status st = move_system(w, diag);

  if (st == GSCALE_OK && !w->u[n] && (errors || !w->plan[n])) {
    if (n > w->last) w->last = n;
    st = errors ? gscale_uncertainty_new(w->q.system, of, gpus, false, &w->u[n],
                                         diag)
                : gscale_plan_new(w->q.system, of, gpus, &w->plan[n], diag);
  }
  *out = w->u[n] ? gscale_uncertainty_plan(w->u[n]) : w->plan[n];
  return st;
}

int walk_compare(walk *w, failure *why)
{
  gscale_diag diag;
  const gscale_plan *plan;

  if (!w->q.weak) return EXIT_OK;
  const gscale_status st = walk_plan(w, 0, &plan, &diag);
  return st == GSCALE_OK ? question_alone(&w->q, plan, why)
                         : fail_gscale(why, st, &diag);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
