/* point.c - the question of a study at one of its points: loaded, or followed
 * to it from the one before. */

#include "sweep/walk.h"

#include <stdlib.h>
#include <string.h>

/* How often a tape may be of no use before none is made any more. */
enum {
  USELESS_MAX = 4
};

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
}

/* The options with what the settings of this point say. */
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

/* Its settings again, those of a point after the last that was loaded. */
static void note_settings(walk *w)
{
  size_t k = w->o->set.n;

  for (size_t i = 0; i < w->axes; i++) {
    if (w->v[i].kind != OVER_SETTING) continue;
    struct setting *said = &w->asked.set.v[k++];
    snprintf(said->value, sizeof said->value, "%.17g%s", w->x[i], w->v[i].unit);
  }
  question_note(&w->q, &w->asked);
}

static void forget_tape(walk *w)
{
  tape_free(w->f.tape);
  gscale_workload_free(w->f.first);
  w->f.tape = NULL;
  w->f.first = NULL;
}

/* Whether all that is loaded anew are numbers that the workload's step() knows,
 * and nothing else is made of it. */
static bool can_follow(const walk *w)
{
  const about *more = &w->q.about_workload;
  bool all = !w->o->runs && !w->o->weak && w->f.useless < USELESS_MAX;

  for (size_t i = 0; all && i < w->axes; i++) {
    size_t k = 0;
    if (w->v[i].kind != OVER_SETTING) continue;
    while (k < more->knobs && strcmp(more->knob[k].name, w->v[i].name) != 0)
      k++;
    all = k < more->knobs;
  }
  return all && walk_loads(w);
}

/* Records what step() makes of the knobs that vary. */
static int record(walk *w, failure *why)
{
  const char *name[GSCALE_AXES_MAX], *unit[GSCALE_AXES_MAX];
  gscale_workload *moved;
  size_t n = 0;

  if (!can_follow(w)) return EXIT_OK;
  for (size_t i = 0; i < w->axes; i++) {
    if (w->v[i].kind != OVER_SETTING) continue;
    name[n] = w->v[i].name;
    unit[n++] = w->v[i].unit;
  }
  w->f.useless++;
  const int st = load_tape(w->q.system, w->q.about_workload.path, &w->asked.set,
                           name, unit, n, w->q.gpus, w->q.n, w->q.workload,
                           &w->f.tape, &moved, why);
  if (st != EXIT_OK || !w->f.tape) return st;
  w->f.first = w->q.workload;
  w->q.workload = moved;
  return EXIT_OK;
}

/* The values of a point that the tape is of. */
static void take_settings(const walk *w, const double *x, double *value)
{
  for (size_t i = 0; i < w->axes; i++)
    if (w->v[i].kind == OVER_SETTING) *value++ = x[i];
}

/* What loading would refuse need not be loaded. */
static bool refuses(const walk *w, const double *x, failure *why)
{
  double value[GSCALE_AXES_MAX];

  take_settings(w, x, value);
  return w->f.tape && tape_refuses(w->f.tape, value, why);
}

/* The question's workload as it is at a point, by its tape. */
static bool follow_to(walk *w, const double *x)
{
  double value[GSCALE_AXES_MAX];

  take_settings(w, x, value);
  if (!w->f.tape || !tape_move(w->f.tape, value, w->q.workload)) return false;
  w->f.useless = 0;
  for (int n = 0; n <= w->last; n++) {
    forget_errors(w, n);
    if (w->probe[n]) gscale_probe_workload(w->probe[n], w->q.workload, NULL);
  }
  return true;
}

void walk_forget(walk *w)
{
  forget_probes(w);
  question_free(&w->q);
  forget_tape(w);
}

int walk_load(walk *w, failure *why)
{
  options *const asked = &w->asked;
  int st = take_options(w, why);

  walk_forget(w);
  w->loaded = false;
  if (st == EXIT_OK) st = question_load(&w->q, asked, GPUS_DOUBLED, why);
  if (st != EXIT_OK) return st;
  if (!asked->gpus) w->q.gpus[0] = w->q.gpus[w->q.n - 1];
  if (!asked->gpus) w->q.n = 1;
  w->q.joint = w->joint;
  w->loaded = true;
  return record(w, why);
}

int walk_move(walk *w, const double *x, failure *why)
{
  bool again = !w->loaded || w->astray;

  for (size_t i = 0; i < w->axes; i++)
    again = again || (w->v[i].kind == OVER_SETTING && !is_same(x[i], w->x[i]));
  memcpy(w->x, x, w->axes * sizeof *x);
  if (again) {
    w->astray = refuses(w, x, why);
    if (w->astray) return why->status;
    const bool follows = follow_to(w, x);
    const int st = follows ? EXIT_OK : walk_load(w, why);
    if (st != EXIT_OK) return st;
    if (follows) note_settings(w);
  }
  for (size_t i = 0; i < w->axes; i++) {
    const over *v = &w->v[i];

    for (size_t k = 0; v->kind == OVER_KNOB && k < w->q.paradigms; k++)
      if (w->q.paradigm[k] == v->paradigm) w->q.knobs[k].v[v->knob] = x[i];
  }
  return EXIT_OK;
}

/* One that follows the question's workload stands by what was loaded. */
static gscale_status new_probe(walk *w, int n, gscale_diag *diag)
{
  const gscale_workload *now = n ? question_workload(&w->q, n) : w->q.workload;
  const gscale_status st =
      gscale_probe_new(w->q.system, w->f.first ? w->f.first : now, n ? n : 1,
                       &w->probe[n], diag);

  if (st != GSCALE_OK) return st;
  if (n > w->last) w->last = n;
  gscale_probe_ways(w->probe[n], w->q.paradigm, w->q.paradigms);
  return w->f.first ? gscale_probe_workload(w->probe[n], now, diag) : st;
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
