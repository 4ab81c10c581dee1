/* t_tape.c - every numeric knob of every shipped workload: what a recording
 * makes of a value is what loading the description anew makes of it, to the
 * last bit; and which knobs a recording serves. */

#include "language/language.h"
#include "random.h"

#include <gsl/gsl_test.h>
#include <stdlib.h>
#include <string.h>

enum {
  VALUES = 8,
  SIZES = 3,
  TOLD = 3
};

static const int sizes[SIZES] = {1, 2, 8};

/* What else each knob is tried with. */
static const char *const beside[] = {"", "flat=yes", "pull=yes", "whole=yes",
                                     "norm=1"};

/* Loops go up to them, or each of their few values is another program. */
static const char *const loaded[] = {
    "all-reduce count", "pagerank hub",      "sssp at",           "sssp band",
    "jacobi dims",      "diffusion kernels", "stencil-host dims", "sgd word"};

static gscale_system *machine;
static size_t compared, differ, served, refused;

typedef struct tried {
  const char *path, *name, *knob, *unit, *with;
  bool whole;
} tried;

/* As load_workload() and load_schedules() have it; NULL: it is refused. */
static gscale_workload *load_at(const tried *t, double x, settings *set)
{
  char text[128];
  failure why;
  gscale_workload *w = NULL;

  *set = (settings){0};
  snprintf(text, sizeof text, "%s=%.17g%s", t->knob, x, t->unit);
  if (*t->with && settings_add(set, t->with, &why) != EXIT_OK) return NULL;
  if (settings_add(set, text, &why) != EXIT_OK ||
      load_workload(t->path, set, &w, NULL, &why) != EXIT_OK)
    return NULL;
  if (load_schedules(machine, t->path, set, sizes, SIZES, &w, &why) == EXIT_OK)
    return w;
  gscale_workload_free(w);
  return NULL;
}

static bool same_numbers(const gscale_workload *a, const gscale_workload *b)
{
  const size_t n = gscale_workload_phases(a);
  const gscale_field *f;

  if (n != gscale_workload_phases(b) ||
      memcmp(gscale_workload_host(a), gscale_workload_host(b),
             sizeof(gscale_host)) != 0 ||
      memcmp(&gscale_workload_t1(a)->val, &gscale_workload_t1(b)->val,
             sizeof(double)) != 0)
    return false;
  for (size_t i = 0; i < n; i++) {
    if (memcmp(gscale_workload_phase(a, i), gscale_workload_phase(b, i),
               sizeof(gscale_phase)) != 0)
      return false;
    for (gscale_leaf at = {.of = GSCALE_OF_PHASE};
         (f = gscale_field_next(&at)) != NULL;)
      for (size_t m = 0; m < gscale_field_numbers(f); m++) {
        const gscale_param *p = gscale_workload_doubted(a, i, f, m),
                           *q = gscale_workload_doubted(b, i, f, m);
        if ((p != NULL) != (q != NULL) ||
            (p && (memcmp(&p->val, &q->val, sizeof p->val) != 0 ||
                   memcmp(&p->err, &q->err, sizeof p->err) != 0 ||
                   p->origin != q->origin)))
          return false;
      }
  }
  return true;
}

static bool same_time(const gscale_plan *a, const gscale_plan *b)
{
  bool same = true;

  for (size_t i = 0; i < gscale_paradigm_count(); i++) {
    gscale_prediction p, q;
    const gscale_status st = gscale_predict(a, i, NULL, &p, NULL),
                        so = gscale_predict(b, i, NULL, &q, NULL);
    same = same && st == so &&
           (st != GSCALE_OK || memcmp(&p.time, &q.time, sizeof p.time) == 0);
  }
  return same;
}

/* A plan of the one, and one that a probe of `first` makes of the other. */
static bool same_plans(const gscale_workload *fresh,
                       const gscale_workload *first,
                       const gscale_workload *moved, int n)
{
  gscale_plan *a = NULL;
  const gscale_plan *b;
  gscale_probe *p = NULL;
  bool same = true;

  if (gscale_probe_new(machine, first, n, &p, NULL) != GSCALE_OK) return true;
  const gscale_status st = gscale_plan_new(machine, fresh, n, &a, NULL);
  gscale_status so = gscale_probe_workload(p, moved, NULL);
  if (so == GSCALE_OK) so = gscale_probe_plan(p, &b, NULL);
  same = st == so && (st != GSCALE_OK || same_time(a, b));
  gscale_plan_free(a);
  gscale_probe_free(p);
  return same;
}

static void tell(const tried *t, double x, const char *what)
{
  if (differ++ < TOLD)
    printf("%s, %s = %.17g%s %s: %s\n", t->name, t->knob, x, t->unit, t->with,
           what);
}

/* Whether the tape served it. */
static bool compare(const tried *t, tape *on, gscale_workload *moved,
                    const gscale_workload *first, double x)
{
  settings set;
  failure why;
  gscale_workload *fresh = load_at(t, x, &set);
  const bool serves = tape_move(on, &x, moved);

  compared++;
  refused += tape_refuses(on, &x, &why);
  if (tape_refuses(on, &x, &why) && fresh) tell(t, x, "is refused");
  if (serves && !fresh) tell(t, x, "is none to load");
  if (serves && fresh && !same_numbers(fresh, moved)) tell(t, x, "numbers");
  for (int k = 1; serves && fresh && k < SIZES; k++)
    if (!same_plans(fresh, first, moved, sizes[k])) tell(t, x, "times");
  gscale_workload_free(fresh);
  served += serves;
  return serves;
}

static bool is_loaded(const tried *t)
{
  char text[128];
  size_t i = 0;

  snprintf(text, sizeof text, "%s %s", t->name, t->knob);
  while (i < sizeof loaded / sizeof *loaded && strcmp(loaded[i], text) != 0)
    i++;
  return i < sizeof loaded / sizeof *loaded;
}

/* Recorded where it is not what the description has, which some ask for. */
static void try_knob(const tried *t, double now)
{
  const double near = t->whole ? now + 1.0 : 1.001 * now;
  const double value[VALUES] = {
      near, now, 2.0 * now, t->whole ? 3.0 * now + 1.0 : 0.7 * now,
      1.0,  8.0, 130.0,     0.0};
  settings set;
  failure why;
  tape *on = NULL;
  gscale_workload *first = load_at(t, near, &set), *moved = NULL;
  int serves = 0;

  if (!first) first = load_at(t, now, &set);
  if (!first) return;
  gsl_test(load_tape(machine, t->path, &set, &t->knob, &t->unit, 1, sizes,
                     SIZES, first, &on, &moved, &why),
           "%s, %s %s: recorded", t->name, t->knob, t->with);
  for (int i = 0; on && i < VALUES; i++)
    serves += compare(t, on, moved, first, value[i]);
  if (!*t->with && now > 1.0)
    gsl_test((serves > 1) == is_loaded(t), "%s, %s: %s for each value", t->name,
             t->knob, is_loaded(t) ? "loaded" : "not loaded");
  tape_free(on);
  gscale_workload_free(moved);
  gscale_workload_free(first);
}

static bool has_knob(const about *more, const char *setting)
{
  const size_t n = strcspn(setting, "=");
  size_t k = 0;

  while (k < more->knobs && (strlen(more->knob[k].name) != n ||
                             strncmp(more->knob[k].name, setting, n) != 0))
    k++;
  return !*setting || k < more->knobs;
}

/* The number that a knob's text is, and its unit. */
static bool is_number(const char *text, double *x, const char **unit)
{
  char *end;

  *x = strtod(text, &end);
  if (end == text) return false;
  while (*end == ' ') end++;
  *unit = end;
  return true;
}

static int try_workload(const char *path, const char *name, void *closure,
                        failure *why)
{
  static about more; /* large */
  settings set = {0};
  gscale_workload *w = NULL;
  const int st = load_workload(path, &set, &w, &more, why);

  (void)closure;
  gsl_test(st, "%s: loaded", name);
  gscale_workload_free(w);
  for (size_t k = 0; st == EXIT_OK && k < more.knobs; k++)
    for (size_t i = 0; i < sizeof beside / sizeof *beside; i++) {
      tried t = {.path = path,
                 .name = name,
                 .knob = more.knob[k].name,
                 .with = beside[i],
                 .whole = more.knob[k].whole};
      double x;
      if (has_knob(&more, t.with) && is_number(more.knob[k].value, &x, &t.unit))
        try_knob(&t, x);
    }
  return EXIT_OK;
}

int main(void)
{
  settings none = {0};
  failure why;

  if (load_system("h200x8", &none, &machine, NULL, &why) != EXIT_OK) {
    printf("%s\n", why.text);
    return 1;
  }
  each_description(KIND_WORKLOAD, try_workload, NULL, &why);
  gsl_test(differ > 0 || compared < 500 || served < compared / 4 ||
               refused == 0,
           "%zu values of knobs, %zu by recordings, %zu refused", compared,
           served, refused);
  gscale_system_free(machine);
  return gsl_test_summary();
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
