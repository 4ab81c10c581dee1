/* point.c - the question at one point, loaded anew, or asked again of the
 * workload's file if only its knobs changed. */

#include "sweep/walk.h"

#include <stdlib.h>
#include <string.h>

static void forget_errors(walk *w, int n)
{
  gscale_uncertainty_free(w->u[n]);
  w->u[n] = NULL;
}

static void forget_probes(walk *w)
{
  for (int n = 0; n <= w->last; n++) {
    forget_errors(w, n);
    gscale_probe_free(w->probe[n]);
    w->probe[n] = NULL;
  }
  w->last = 0;
  gscale_workload_free(w->first);
  w->first = NULL;
}

/* Copies the options and adds the settings of this point. */
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

/* Replaces the settings by those of a later point. */
static void move_settings(walk *w)
{
  size_t k = w->o->set.n;

  for (size_t i = 0; i < w->axes; i++) {
    if (w->v[i].kind != OVER_SETTING) continue;
    struct setting *said = &w->asked.set.v[k++];
    snprintf(said->value, sizeof said->value, "%.17g%s", w->x[i], w->v[i].unit);
  }
}

/* Returns whether all changing settings are knobs of the workload's step(). */
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
  forget_probes(w);
  question_free(&w->q);
}

/* Keeps only the built number of GPUs if --gpus is not given. */
static void take_question(walk *w)
{
  if (!w->asked.gpus) w->q.gpus[0] = w->q.gpus[w->q.n - 1];
  if (!w->asked.gpus) w->q.n = 1;
  w->q.joint = w->joint;
}

/* Gives the probes the current workload, or discards them. */
static void move_probes(walk *w)
{
  if (w->o->weak || gscale_workload_about(w->first).phases !=
                        gscale_workload_about(w->q.workload).phases) {
    forget_probes(w);
    return;
  }
  for (int n = 0; n <= w->last; n++) {
    forget_errors(w, n);
    if (w->probe[n]) gscale_probe_workload(w->probe[n], w->q.workload, NULL);
  }
}

static int ask_again(walk *w, failure *why)
{
  if (!w->first) {
    w->first = w->q.workload;
    w->q.workload = NULL;
  }
  move_settings(w);
  const int st = question_again(&w->q, &w->asked, GPUS_DOUBLED, why);
  if (!w->q.workload) { /* the question keeps its only workload */
    w->q.workload = w->first;
    w->first = NULL;
  }
  if (st != EXIT_OK) return st;
  take_question(w);
  move_probes(w);
  return EXIT_OK;
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

/* Makes a probe of the first workload, or else of the current one. */
static gscale_status new_probe(walk *w, int n, gscale_diag *diag)
{
  const gscale_workload *now = n ? question_workload(&w->q, n) : w->q.workload;
  const gscale_workload *base = w->first ? w->first : now;
  const int gpus = n ? n : 1;
  gscale_probe *p;
  gscale_status st = gscale_probe_new(w->q.system, base, gpus, &p, diag);

  if (st != GSCALE_OK && base != now) {
    st = gscale_probe_new(w->q.system, now, gpus, &p, diag);
    if (st == GSCALE_OK) forget_probes(w);
    base = now;
  }
  if (st != GSCALE_OK) return st;
  w->probe[n] = p;
  if (n > w->last) w->last = n;
  gscale_probe_ways(p, w->q.paradigm, w->q.paradigms);
  return base == now ? st : gscale_probe_workload(p, now, diag);
}

gscale_status walk_probe(walk *w, int n, gscale_probe **out, gscale_diag *diag)
{
  gscale_status st = GSCALE_OK;

  if (!w->probe[n]) st = new_probe(w, n, diag);
  for (size_t i = 0; st == GSCALE_OK && i < w->axes; i++) {
    const over *v = &w->v[i];
    const gscale_system *now = gscale_probe_system(w->probe[n]);

    if (v->kind != OVER_PARAMETER ||
        is_same(gscale_system_get(now, v->parameter)->val, w->x[i]))
      continue;
    st = gscale_probe_set(w->probe[n], v->parameter, w->x[i], diag);
    if (st == GSCALE_OK && w->u[n] &&
        !gscale_uncertainty_put(w->u[n], v->parameter))
      forget_errors(w, n);
  }
  *out = w->probe[n];
  return st;
}

gscale_status walk_errors(walk *w, int n, gscale_diag *diag)
{
  if (!w->o->errors || w->u[n]) return GSCALE_OK;
  return gscale_probe_uncertainty(w->probe[n], false, &w->u[n], diag);
}

int walk_compare(walk *w, failure *why)
{
  gscale_diag diag;
  gscale_probe *p;
  const gscale_plan *plan;
  gscale_status st;

  if (!w->q.weak) return EXIT_OK;
  st = walk_probe(w, 0, &p, &diag);
  if (st == GSCALE_OK) st = gscale_probe_plan(p, &plan, &diag);
  return st == GSCALE_OK ? question_alone(&w->q, plan, why)
                         : fail_gscale(why, st, &diag);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
