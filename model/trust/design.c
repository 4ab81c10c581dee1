/* design.c - the points of design studies. */

#include "ground/ground.h"
#include "ground/numeric.h"

#include <math.h>
#include <stdlib.h>

static const uint64_t MOST = (uint64_t)1 << 53; /* limit of whole numbers in a
                                                 * double */

static gscale_status check_axis(const gscale_axis *a, size_t number,
                                bool on_grid, gscale_diag *diag)
{
  if (on_grid && a->steps < 1)
    return gscale__fail(diag, GSCALE_EDOMAIN, "axis %zu: no values", number);
  if (a->list) {
    for (size_t i = 0; i < a->steps; i++)
      if (!isfinite(a->list[i]))
        return gscale__fail(diag, GSCALE_EDOMAIN, "axis %zu: %g", number,
                            a->list[i]);
    return GSCALE_OK;
  }
  if (!isfinite(a->from) || !isfinite(a->to))
    return gscale__fail(diag, GSCALE_EDOMAIN, "axis %zu: from %g to %g", number,
                        a->from, a->to);
  if (a->from > a->to)
    return gscale__fail(diag, GSCALE_EDOMAIN,
                        "axis %zu: from %g to %g runs backwards", number,
                        a->from, a->to);
  if (a->log && !(a->from > 0.0))
    return gscale__fail(diag, GSCALE_EDOMAIN,
                        "axis %zu: no equal ratios from %g on", number,
                        a->from);
  return GSCALE_OK;
}

gscale_status gscale_design_check(const gscale_design *d, gscale_diag *diag)
{
  const bool grid = d->kind == GSCALE_GRID;
  double points = grid ? 1.0 : (double)gscale_design_points(d);

  if (d->axes < 1 || d->axes > GSCALE_AXES_MAX)
    return gscale__fail(diag, GSCALE_EDOMAIN, "%zu axes: not 1 .. %d", d->axes,
                        GSCALE_AXES_MAX);
  for (size_t i = 0; i < d->axes; i++) {
    const gscale_status st = check_axis(&d->axis[i], i + 1, grid, diag);

    if (st != GSCALE_OK) return st;
    if (grid) points *= (double)d->axis[i].steps;
  }
  if (!(points >= 1.0) || points > (double)MOST)
    return gscale__fail(diag, GSCALE_EDOMAIN, "%g points: not 1 .. 2^53",
                        points);
  return GSCALE_OK;
}

uint64_t gscale_design_points(const gscale_design *d)
{
  uint64_t points = 1;

  if (d->kind == GSCALE_LISTED) return d->axis[0].steps;
  if (d->kind != GSCALE_GRID) return d->points;
  for (size_t i = 0; i < d->axes; i++) points *= d->axis[i].steps;
  return points;
}

static bool is_drawn(const gscale_design *d)
{
  return d->kind == GSCALE_RANDOM || d->kind == GSCALE_QUASI;
}

/* Returns the value at a share of the length of the axis. */
static double at_share(const gscale_axis *a, double share)
{
  double x = a->log ? a->from * pow(a->to / a->from, share)
                    : a->from + (a->to - a->from) * share;

  if (a->whole) x = round(x);
  return fmin(fmax(x, a->from), a->to);
}

double gscale_axis_value(const gscale_axis *a, size_t i)
{
  if (a->list) return a->list[i];
  if (i == 0 || a->steps < 2) return a->from;
  if (i + 1 >= a->steps) return a->to;
  return at_share(a, (double)i / (double)(a->steps - 1));
}

struct gscale_points {
  gscale_design design;
  uint64_t next;
  gsl_rng *random;
  gsl_qrng *quasi;
};

/* Returns the value for a number of [0, 1) along the axis.  Each value of a
 * list has an equal part of [0, 1). */
static double along(const gscale_axis *a, double share)
{
  if (a->list) return a->list[(size_t)(share * (double)a->steps)];
  return at_share(a, share);
}

static void next_shares(gscale_points *p, double *share)
{
  if (p->quasi) {
    gsl_qrng_get(p->quasi, share);
    return;
  }
  for (size_t i = 0; i < p->design.axes; i++)
    share[i] = gsl_rng_uniform(p->random);
}

static void next_undrawn(const gscale_design *d, uint64_t point, double *x)
{
  for (size_t i = d->axes; i-- > 0;) {
    const gscale_axis *a = &d->axis[i];

    x[i] = gscale_axis_value(a, (size_t)(point % a->steps));
    if (d->kind == GSCALE_GRID) point /= a->steps;
  }
}

static bool open_sequence(gscale_points *p)
{
  if (p->design.kind == GSCALE_RANDOM)
    p->random = gscale__random((unsigned long)p->design.seed);
  if (p->design.kind == GSCALE_QUASI)
    p->quasi = gscale__quasi((unsigned)p->design.axes);
  return p->random || p->quasi || !is_drawn(&p->design);
}

gscale_status gscale_points_new(const gscale_design *d, uint64_t first,
                                gscale_points **out, gscale_diag *diag)
{
  gscale_points *p = calloc(1, sizeof *p);
  double share[GSCALE_AXES_MAX];

  if (p) p->design = *d;
  if (!p || !open_sequence(p)) {
    gscale_points_free(p);
    return gscale__fail(diag, GSCALE_ENOMEM, "no memory for a design");
  }
  p->next = first;
  for (uint64_t i = 0; is_drawn(d) && i < first; i++) next_shares(p, share);
  *out = p;
  return GSCALE_OK;
}

void gscale_points_next(gscale_points *p, double *x)
{
  const gscale_design *d = &p->design;
  double share[GSCALE_AXES_MAX];

  if (!is_drawn(d)) {
    next_undrawn(d, p->next++, x);
    return;
  }
  p->next++;
  next_shares(p, share);
  for (size_t i = 0; i < d->axes; i++) x[i] = along(&d->axis[i], share[i]);
}

void gscale_points_free(gscale_points *p)
{
  if (!p) return;
  free(p->random);
  free(p->quasi);
  free(p);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
