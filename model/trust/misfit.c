/* misfit.c - search for the number that best explains the residuals of runs. */

#include "ground/ground.h"
#include "trust/uncertain_numbers.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
  GRID = 6,   /* values per number */
  FEW = 4,    /* candidates to refine */
  STEPS = 12, /* halvings of the distance */
  RUNS_MAX = 64
};
static const double FACTORS[GRID] = {0.125, 0.25, 0.5, 2.0, 4.0, 8.0};
static const double FRACTION = 0.125;
static const double ROOM = 0.7; /* ln(factor), both sides */

typedef struct search {
  const gscale_system *s;
  const gscale_workload *w;
  const gscale_run *run;
  size_t n;
  gscale_system moved;
  gscale_workload *other;
  double part; /* unit of times that are 0 */
} search;

static double time_of(const search *c, const gscale_run *r)
{
  gscale_plan *plan = NULL;
  gscale_prediction p = {.time = NAN};

  if (gscale_plan_new(&c->moved, c->other, r->gpus, &plan, NULL) != GSCALE_OK)
    return NAN;
  if (gscale_predict(plan, r->paradigm, &r->knobs, &p, NULL) != GSCALE_OK)
    p.time = NAN;
  gscale_plan_free(plan);
  return p.time;
}

/* Returns the root mean square of ln(measured / predicted), or infinity if a
 * run cannot be predicted. */
static double misfit(const search *c)
{
  double sum = 0.0;

  for (size_t i = 0; i < c->n; i++) {
    const double e = log(c->run[i].time / time_of(c, &c->run[i]));

    sum += e * e;
  }
  return isfinite(sum) ? sqrt(sum / (double)c->n) : INFINITY;
}

/* Returns the unit of a number, which is the value, or, for a value of 0,
 * `part` for a time and 1/8 for a fraction. */
static double unit_of(const search *c, const gscale__entry *e)
{
  if (e->about.p.val > 0.0) return e->about.p.val;
  return e->about.dim == GSCALE_TIME ? c->part : FRACTION;
}

static bool is_fraction(const gscale__entry *e)
{
  const gscale_field *f = e->count.field;

  return e->kind == GSCALE__OF_COUNT && f->dim == GSCALE_COUNT &&
         !(f->least < 0.0) && f->most <= 1.0;
}

/* Returns the misfit with one number at `factor` times the number's unit. */
static double misfit_with(search *c, const gscale__entry *e, double factor)
{
  c->moved = *c->s;
  gscale__copy_workload(c->other, c->w);
  gscale__move(e, factor * unit_of(c, e), &c->moved, c->other, c->w);
  return misfit(c);
}

/* Returns true for a cost of calls. */
static bool is_call(const gscale__entry *e)
{
  return e->kind == GSCALE__OF_PARAM && e->about.dim == GSCALE_TIME &&
         e->about.p.val > 0.0;
}

/* Returns true if a number is a candidate.  Of numbers that are 0, only times
 * and fractions are candidates. */
static bool is_tried(const gscale__entry *e)
{
  return e->count.field->kind == GSCALE_NUMBER &&
         (e->about.p.val > 0.0 || e->about.dim == GSCALE_TIME ||
          is_fraction(e));
}

/* A number with its best factor, and the misfit at this factor. */
typedef struct candidate {
  gscale__entry e;
  double factor, left;
} candidate;

/* The best candidates in order of misfit. */
typedef struct few {
  candidate of[FEW];
  size_t n;
} few;

static candidate try_grid(search *c, const gscale__entry *e)
{
  candidate out = {*e, 1.0, INFINITY};

  for (int k = 0; k < GRID; k++) {
    const double left = misfit_with(c, e, FACTORS[k]);

    if (!(left < out.left)) continue;
    out.left = left;
    out.factor = FACTORS[k];
  }
  return out;
}

static void keep(few *all, const candidate *one)
{
  size_t at = all->n;

  while (at > 0 && one->left < all->of[at - 1].left) at--;
  if (at == FEW) return;
  if (all->n < FEW) all->n++;
  memmove(&all->of[at + 1], &all->of[at], (all->n - 1 - at) * sizeof *all->of);
  all->of[at] = *one;
}

static void refine(search *c, candidate *one)
{
  double room = ROOM;

  for (int k = 0; k < STEPS; k++, room *= 0.5)
    for (int side = -1; side <= 1; side += 2) {
      const double factor = one->factor * exp(0.5 * side * room);
      const double left = misfit_with(c, &one->e, factor);

      if (!(left < one->left)) continue;
      one->left = left;
      one->factor = factor;
    }
}

static void consider(search *c, const gscale__entry *e, few *all)
{
  const candidate one = try_grid(c, e);

  if (isfinite(one.left)) keep(all, &one);
}

static void consider_all(search *c, const gscale__numbers *l, few *all)
{
  const gscale_field *f;

  for (size_t i = 0; i < l->n; i++)
    if (is_call(&l->entry[i])) consider(c, &l->entry[i], all);
  for (size_t i = 0; i < c->w->phases; i++)
    for (gscale_leaf at = {.of = GSCALE_OF_PHASE};
         (f = gscale_field_next(&at));)
      for (size_t m = 0; m < gscale_field_numbers(f); m++) {
        const gscale__entry e = gscale__count_entry(c->w, i, f, m);

        if (is_tried(&e)) consider(c, &e, all);
      }
}

static void find(search *c, const gscale__numbers *l, gscale_misfit *out)
{
  few all = {.n = 0};
  const candidate *best = all.of;

  consider_all(c, l, &all);
  for (size_t k = 0; k < all.n; k++) {
    refine(c, &all.of[k]);
    if (all.of[k].left < best->left) best = &all.of[k];
  }
  if (all.n == 0 || !(best->left < out->before)) return;
  const gscale_number *of = &best->e.about;
  gscale__copy_text(out->name, sizeof out->name, of->name);
  out->dim = of->dim;
  out->left = best->left;
  out->value = best->factor * unit_of(c, &best->e);
  if (is_fraction(&best->e)) out->value = fmin(1.0, out->value);
  out->factor = of->p.val > 0.0 ? best->factor : INFINITY;
}

gscale_status gscale_misfit_of(const gscale_system *s, const gscale_workload *w,
                               const gscale_run *runs, size_t n,
                               gscale_misfit *out, gscale_diag *diag)
{
  gscale__numbers l = {0, NULL};
  search c = {.s = s, .w = w, .run = runs, .n = n, .part = INFINITY};

  *out = (gscale_misfit){.factor = 1.0};
  if (n < 1 || n > RUNS_MAX)
    return gscale__fail(diag, GSCALE_EDOMAIN, "%zu runs: not 1 .. %d", n,
                        RUNS_MAX);
  for (size_t i = 0; i < n; i++) {
    if (!(runs[i].time > 0.0) || !isfinite(runs[i].time))
      return gscale__fail(diag, GSCALE_EDOMAIN, "run %zu: %g s", i,
                          runs[i].time);
    c.part = fmin(c.part, 0.25 * runs[i].time);
  }
  c.other = malloc(sizeof *c.other);
  const bool room = c.other && gscale__list_numbers(&l, s, w, false);
  if (room) {
    c.moved = *s;
    gscale__copy_workload(c.other, w);
    out->before = out->left = misfit(&c);
    if (isfinite(out->before)) find(&c, &l, out);
  }
  gscale__free_numbers(&l);
  free(c.other);
  return room ? GSCALE_OK
              : gscale__fail(diag, GSCALE_ENOMEM, "no memory for the runs");
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
