/* projected.c - variable projection: a fit with one nonlinear parameter.
 *
 * For each value of the parameter, fit.c solves for the coefficients.  A search
 * finds the best value. */

#include "ground/fit.h"

#include <stdlib.h>

static const int GRID = 64, GOLDEN = 60, BISECT = 50;
static const double NEAR = 1e-6; /* distance from an end, in grid steps */

static double p_of(const gscale__problem *b, double u)
{
  return u <= log(b->least)  ? b->least /* exp may round */
         : u >= log(b->most) ? b->most
                             : exp(u);
}

/* Fits the coefficients at p = exp(u). *loss is Huber's loss at the fixed
 * scale, or the sum of |r| if no scale is fixed, or infinite if every column is
 * empty. */
static gscale_status try_at(gscale__problem *b, double u, double *loss,
                            gscale_diag *diag)
{
  const gscale_status st = gscale__problem_fill(b, p_of(b, u), diag);
  const double most = GSCALE__HUBER * b->scale;
  double sum = 0.0;

  *loss = INFINITY;
  if (st != GSCALE_OK) return st == GSCALE_EDATA ? GSCALE_OK : st;
  gscale__problem_iterate(b);
  for (size_t i = 0; i < b->n; i++) {
    const double r = fabs(b->r[i]);
    sum += !b->held ? r : r <= most ? r * r : most * (2.0 * r - most);
  }
  *loss = sum;
  return GSCALE_OK;
}

/* The range of log p, and the point of least loss. */
typedef struct span {
  double low, high, step;
  double best, loss;
} span;

static gscale_status scan(gscale__problem *b, span *s, gscale_diag *diag)
{
  s->loss = INFINITY;
  for (int k = 0; k < GRID; k++) {
    const double u = k + 1 < GRID ? s->low + k * s->step : s->high;
    double loss;
    const gscale_status st = try_at(b, u, &loss, diag);
    if (st != GSCALE_OK) return st;
    if (loss < s->loss) {
      s->loss = loss;
      s->best = u;
    }
  }
  return GSCALE_OK;
}

/* Refines the minimum by golden section within one step of s->best. */
static gscale_status refine(gscale__problem *b, span *s, gscale_diag *diag)
{
  const double g = 0.5 * (sqrt(5.0) - 1.0);
  double left = fmax(s->low, s->best - s->step);
  double right = fmin(s->high, s->best + s->step);
  double u[2] = {right - g * (right - left), left + g * (right - left)};
  double loss[2];
  gscale_status st = try_at(b, u[0], &loss[0], diag);
  if (st == GSCALE_OK) st = try_at(b, u[1], &loss[1], diag);

  for (int k = 0; k < GOLDEN && st == GSCALE_OK; k++) {
    const int keep =
        loss[1] <
        loss[0]; /* index of the point that remains inside the bracket */
    if (loss[keep] < s->loss) {
      s->loss = loss[keep];
      s->best = u[keep];
    }
    *(keep ? &left : &right) = u[!keep];
    u[!keep] = u[keep];
    loss[!keep] = loss[keep];
    u[keep] = keep ? left + g * (right - left) : right - g * (right - left);
    st = try_at(b, u[keep], &loss[keep], diag);
  }
  return st;
}

/* Finds the first u, from s->best towards `end`, at which the loss exceeds
 * `most`. *found is false if the loss never exceeds `most`. */
static gscale_status crossing(gscale__problem *b, const span *s, double end,
                              double most, double *u, bool *found,
                              gscale_diag *diag)
{
  const double step = copysign(s->step, end - s->best);
  double in = s->best, loss;
  gscale_status st;

  *u = end;
  for (*found = false; !*found && in != end;) {
    *u = fabs(end - in) > s->step ? in + step : end;
    if ((st = try_at(b, *u, &loss, diag)) != GSCALE_OK) return st;
    if (loss > most)
      *found = true;
    else
      in = *u;
  }
  for (int k = 0; k < BISECT && *found; k++) {
    const double middle = 0.5 * (in + *u);
    if ((st = try_at(b, middle, &loss, diag)) != GSCALE_OK) return st;
    *(loss > most ? u : &in) = middle;
  }
  return GSCALE_OK;
}

/* Estimates the error of p from the two points at which the loss has risen by
 * the variance of the residuals. *err is half the distance of these points, or
 * the distance of one point if only one exists, or infinite. */
static gscale_status error_of_p(gscale__problem *b, const span *s, double *err,
                                gscale_diag *diag)
{
  const double p = p_of(b, s->best);
  double kept, left, right;
  bool is_left, is_right;
  const double spread =
      gscale__problem_spread(b, gscale__count_set(b->free, b->m) + 1, &kept);
  const double most = s->loss + kept * spread * spread;
  gscale_status st = crossing(b, s, s->low, most, &left, &is_left, diag);

  if (st == GSCALE_OK)
    st = crossing(b, s, s->high, most, &right, &is_right, diag);
  if (st != GSCALE_OK) return st;
  left = p - exp(left);
  right = exp(right) - p;
  *err = is_left && is_right ? 0.5 * (left + right)
         : is_left           ? left
         : is_right          ? right
                             : INFINITY;
  return GSCALE_OK;
}

/* Computes d model / d log p from a difference over one error of p on either
 * side. */
static void slope_in_p(gscale__problem *b, double p, double low, double high)
{
  for (size_t i = 0; i < b->n; i++) {
    double below[GSCALE_FIT_MAX], above[GSCALE_FIT_MAX], sum = 0.0;
    b->columns(b->closure, i, low, below);
    b->columns(b->closure, i, high, above);
    for (size_t j = 0; j < b->m; j++)
      if (b->unit[j] > 0.0)
        sum += b->c[j] * ((above[j] - below[j]) / b->y[i] / b->unit[j]);
    b->slope[i] = b->q[i] * sum * (p / (high - low));
  }
  b->slope_known = true;
}

static gscale_status project(gscale__problem *b, double *p, double *p_err,
                             gscale_fit *out, gscale_diag *diag)
{
  span s = {.low = log(b->least), .high = log(b->most)};
  gscale_status st;
  double err;

  s.step = (s.high - s.low) / (GRID - 1);
  if ((st = scan(b, &s, diag)) != GSCALE_OK) return st;
  if (s.loss == INFINITY)
    return GSCALE_EDATA; /* gscale__problem_fill() has set diag */
  for (int round = 0; round < 2; round++) {
    /* All values of p use the scale and denominators of the best fit. */
    b->held = false;
    if ((st = try_at(b, s.best, &s.loss, diag)) != GSCALE_OK) return st;
    b->held = true;
    if ((st = scan(b, &s, diag)) != GSCALE_OK) return st;
    if ((st = refine(b, &s, diag)) != GSCALE_OK) return st;
  }

  if (s.best - s.low < NEAR * s.step) s.best = s.low;
  if (s.high - s.best < NEAR * s.step) s.best = s.high;
  const bool at_end = s.best == s.low || s.best == s.high;
  const double at = p_of(b, s.best);
  if ((st = try_at(b, s.best, &s.loss, diag)) != GSCALE_OK) return st;
  if ((st = error_of_p(b, &s, &err, diag)) != GSCALE_OK) return st;
  if (at_end && isfinite(err)) err = 0.0;
  b->held = false;
  if ((st = try_at(b, s.best, &s.loss, diag)) != GSCALE_OK) return st;
  if (err > 0.0)
    slope_in_p(b, at, fmax(b->least, at - err), fmin(b->most, at + err));
  gscale__problem_report(b, out);
  *p = at;
  *p_err = err;
  return GSCALE_OK;
}

gscale_status gscale_fit_projected(
    void (*columns)(void *closure, size_t i, double p, double *row),
    void *closure, const double *y, const double *sigma, size_t points,
    size_t terms, double floor, double least, double most, double *p,
    double *p_err, gscale_fit *out, gscale_diag *diag)
{
  gscale__problem b = {
      .columns = columns, .closure = closure, .least = least, .most = most};
  gscale_status st =
      gscale__problem_check(y, sigma, points, terms, floor, diag);

  if (st == GSCALE_OK && points < terms + 2)
    st = gscale__fail(diag, GSCALE_EDATA,
                      "%zu points; %zu coefficients and one inside need more",
                      points, terms);
  if (st == GSCALE_OK && (!(least > 0.0) || !(most > least) || !isfinite(most)))
    st = gscale__fail(diag, GSCALE_EDOMAIN, "range %g .. %g to search", least,
                      most);
  if (st == GSCALE_OK)
    st = gscale__problem_take(&b, y, sigma, points, terms, floor, diag);
  if (st == GSCALE_OK) st = project(&b, p, p_err, out, diag);
  free(b.a);
  return st;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
