/* solve.c - the minimum of the loss, and the covariance at the minimum.
 *
 * The unknowns are z of the numbers with leverage, and b of the model's
 * discrepancies.  All unknowns are standard normal in the prior, so that each
 * unknown is also a residual.  The loss of a run with residual r is f(r)^2,
 * where
 *
 *   f(r) = r if |r| <= k,  f(r) = sign(r) sqrt(2 k |r| - k^2) if |r| > k.
 *
 * Huber's loss is thus a least-squares problem. */

#include "learn/posterior/posterior.h"

#include "ground/numeric.h"

#include <gsl/gsl_blas.h>
#include <gsl/gsl_linalg.h>
#include <gsl/gsl_randist.h>
#include <string.h>

static const double FARTHEST = 1e3; /* residual of a run without prediction */

static const double SETTLED = 0.01; /* least progress of a step */

enum {
  STARTS = 3,
  LOOK = 5,   /* most iterations per start */
  FINISH = 25 /* most iterations per pass */
};

/* The state of a solution.  The Jacobian of the runs is dense in columns of
 * numbers, and has one entry per level in columns of discrepancies.  Residuals
 * of the prior have the slope 1. */
typedef struct work {
  gscale_posterior *p;
  predicted *base, *moved; /* predictions of all runs */
  size_t unknowns;
  gsl_matrix *j;      /* Jacobian by number */
  gsl_matrix *j_own;  /* Jacobian by level */
  gsl_vector *at;     /* the x at which j was computed */
  double done, share; /* progress, and share of the current start */
} work;

static double loss_root(double r)
{
  const double a = fabs(r);

  return a <= GSCALE__ROBUST ? r
                             : copysign(sqrt(2.0 * GSCALE__ROBUST * a -
                                             GSCALE__ROBUST * GSCALE__ROBUST),
                                        r);
}

static double loss_slope(double r)
{
  return fabs(r) <= GSCALE__ROBUST ? 1.0 : GSCALE__ROBUST / fabs(loss_root(r));
}

/* Returns the residual of run i for its prediction and the discrepancies in
 * x. */
static double residual(const gscale_posterior *p, size_t i, const predicted *at,
                       const double *x)
{
  const datum *d = &p->datum[i];
  const double off = gscale__posterior_off(p, i, x);
  const double r = (d->log_time - log(at[i].time) - off) / d->s;

  return isfinite(r) ? fmax(-FARTHEST, fmin(FARTHEST, r)) : FARTHEST;
}

static void fill_residuals(const gsl_vector *x, work *w, gsl_vector *f)
{
  gscale_posterior *p = w->p;

  gscale__posterior_place(w->p, x->data);
  gscale__predict_all(p, w->base, NULL);
  for (size_t i = 0; i < p->runs; i++)
    gsl_vector_set(f, i, loss_root(residual(p, i, w->base, x->data)));
  for (size_t k = 0; k < w->unknowns; k++)
    gsl_vector_set(f, p->runs + k, gsl_vector_get(x, k));
}

/* Computes the slopes of a cell's runs by one number.  w->base has the
 * predictions at x. */
static void fill_cell(work *w, const gsl_vector *x, size_t column, size_t c)
{
  const double step = w->p->latent[w->p->free[column]].step;
  gscale_posterior *p = w->p;
  const cell *now = &p->cell[c];

  gscale__predict_cell(p, c, w->moved);
  for (size_t k = now->first; k < now->first + now->n; k++) {
    const size_t i = p->order[k];
    const double r = residual(p, i, w->base, x->data);
    const double d = log(w->moved[i].time / w->base[i].time);

    if (isfinite(d))
      gsl_matrix_set(w->j, i, column,
                     -loss_slope(r) * d / (step * p->datum[i].s));
  }
}

static void fill_slopes(work *w, const gsl_vector *x)
{
  gscale_posterior *p = w->p;

  if (gsl_vector_equal(x, w->at)) return;
  gsl_matrix_set_zero(w->j);
  gscale__posterior_place(p, x->data);
  gscale__predict_all(p, w->base, NULL);
  for (size_t k = 0; k < p->columns; k++) {
    gscale__posterior_place_one(p, x->data, p->free[k],
                                gsl_vector_get(x, k) +
                                    p->latent[p->free[k]].step);
    for (size_t c = 0; c < p->cells; c++)
      if (p->felt[k * p->cells + c]) fill_cell(w, x, k, c);
  }
  for (size_t i = 0; i < p->runs; i++) {
    const datum *d = &p->datum[i];
    const double r = residual(p, i, w->base, x->data);

    for (int level = 0; level < GSCALE__LEVELS; level++)
      gsl_matrix_set(w->j_own, i, (size_t)level,
                     -loss_slope(r) *
                         gscale__posterior_load(&d->own_by, level, p->held) /
                         d->s);
  }
  gsl_vector_memcpy(w->at, x);
}

/* Computes v = J u. */
static void multiply(const work *w, const gsl_vector *u, gsl_vector *v)
{
  const gscale_posterior *p = w->p;

  for (size_t i = 0; i < p->runs; i++) {
    double sum = 0.0;
    for (size_t k = 0; k < p->columns; k++)
      sum += gsl_matrix_get(w->j, i, k) * gsl_vector_get(u, k);
    for (size_t level = 0; level < GSCALE__LEVELS; level++)
      sum += gsl_matrix_get(w->j_own, i, level) *
             gsl_vector_get(u, p->columns + p->datum[i].own[level]);
    gsl_vector_set(v, i, sum);
  }
  for (size_t k = 0; k < w->unknowns; k++)
    gsl_vector_set(v, p->runs + k, gsl_vector_get(u, k));
}

/* Computes v = J' u. */
static void multiply_back(const work *w, const gsl_vector *u, gsl_vector *v)
{
  const gscale_posterior *p = w->p;

  for (size_t k = 0; k < w->unknowns; k++)
    gsl_vector_set(v, k, gsl_vector_get(u, p->runs + k));
  for (size_t i = 0; i < p->runs; i++) {
    const double by = gsl_vector_get(u, i);
    for (size_t k = 0; k < p->columns; k++)
      *gsl_vector_ptr(v, k) += gsl_matrix_get(w->j, i, k) * by;
    for (size_t level = 0; level < GSCALE__LEVELS; level++)
      *gsl_vector_ptr(v, p->columns + p->datum[i].own[level]) +=
          gsl_matrix_get(w->j_own, i, level) * by;
  }
}

/* Adds the row of a run to the lower half of J' J. */
static void add_square(const gscale_posterior *p, const gsl_matrix *j,
                       const gsl_matrix *j_own, size_t i, gsl_matrix *square)
{
  for (size_t k = 0; k < p->columns; k++) {
    const double by = gsl_matrix_get(j, i, k);
    if (!(fabs(by) > 0.0)) continue;
    for (size_t l = 0; l <= k; l++)
      *gsl_matrix_ptr(square, k, l) += by * gsl_matrix_get(j, i, l);
  }
  for (size_t a = 0; a < GSCALE__LEVELS; a++) {
    const size_t row = p->columns + p->datum[i].own[a];
    const double by = gsl_matrix_get(j_own, i, a);
    for (size_t k = 0; k < p->columns; k++)
      *gsl_matrix_ptr(square, row, k) += by * gsl_matrix_get(j, i, k);
    for (size_t b = 0; b <= a; b++)
      *gsl_matrix_ptr(square, row, p->columns + p->datum[i].own[b]) +=
          by * gsl_matrix_get(j_own, i, b);
  }
}

/* Computes J' J of the prior and of all runs that are not left out. */
static void fill_square(const work *w, const bool *left, gsl_matrix *square)
{
  gsl_matrix_set_identity(square);
  for (size_t i = 0; i < w->p->runs; i++)
    if (!left || !left[i]) add_square(w->p, w->j, w->j_own, i, square);
}

/* The state of Levenberg and Marquardt's method with the damping of
 * [Nielsen99]. */
typedef struct descent {
  gsl_matrix *square, *damped; /* J' J */
  gsl_vector *f, *f_to, *to;   /* residuals, trial residuals, trial x */
  gsl_vector *slope, *step;    /* J' f */
  gsl_vector *scale;           /* largest norm of each column */
  double damping, growth;
} descent;

static bool open_descent(descent *d, size_t n, size_t residuals)
{
  *d = (descent){.square = gscale__matrix(n, n),
                 .damped = gscale__matrix(n, n),
                 .f = gscale__vector(residuals),
                 .f_to = gscale__vector(residuals),
                 .to = gscale__vector(n),
                 .slope = gscale__vector(n),
                 .step = gscale__vector(n),
                 .scale = gscale__vector(n),
                 .damping = 1e-3,
                 .growth = 2.0};
  return d->square && d->damped && d->f && d->f_to && d->to && d->slope &&
         d->step && d->scale;
}

static void close_descent(descent *d)
{
  free(d->square);
  free(d->damped);
  free(d->f);
  free(d->f_to);
  free(d->to);
  free(d->slope);
  free(d->step);
  free(d->scale);
}

static double square_of(const gsl_vector *f)
{
  const double norm = gsl_blas_dnrm2(f);

  return norm * norm;
}

static void linearize(work *w, const gsl_vector *x, descent *d)
{
  fill_slopes(w, x);
  fill_square(w, NULL, d->square);
  multiply_back(w, d->f, d->slope);
  for (size_t k = 0; k < w->unknowns; k++)
    gsl_vector_set(d->scale, k,
                   fmax(gsl_vector_get(d->scale, k),
                        sqrt(gsl_matrix_get(d->square, k, k))));
}

/* Solves (J' J + damping * scale^2) step = -J' f.  Returns the decrease of the
 * sum of squares in the linear model, or 0 if there is no solution. */
static double propose(descent *d)
{
  double falls = 0.0;

  gsl_matrix_memcpy(d->damped, d->square);
  for (size_t k = 0; k < d->step->size; k++) {
    const double scale = gsl_vector_get(d->scale, k);

    *gsl_matrix_ptr(d->damped, k, k) += d->damping * scale * scale;
    gsl_vector_set(d->step, k, -gsl_vector_get(d->slope, k));
  }
  if (!gscale__cholesky(d->damped)) return 0.0;
  gsl_linalg_cholesky_svx(d->damped, d->step);
  for (size_t k = 0; k < d->step->size; k++) {
    const double scale = gsl_vector_get(d->scale, k);
    const double by = gsl_vector_get(d->step, k);

    falls +=
        by * (d->damping * scale * scale * by - gsl_vector_get(d->slope, k));
  }
  return falls;
}

/* Takes one descending step from x, or returns false if there is none. */
static bool descend_once(work *w, gsl_vector *x, descent *d, double *loss)
{
  const int tries = 16;

  for (int i = 0; i < tries; i++) {
    const double expected = propose(d);

    gsl_vector_memcpy(d->to, x);
    gsl_vector_add(d->to, d->step);
    if (expected > 0.0) fill_residuals(d->to, w, d->f_to);
    const double to = expected > 0.0 ? square_of(d->f_to) : *loss;
    if (to < *loss) {
      const double b = 2.0 * (*loss - to) / expected - 1.0;

      gsl_vector_memcpy(x, d->to);
      gsl_vector_memcpy(d->f, d->f_to);
      *loss = to;
      d->damping *= fmax(1.0 / 3.0, 1.0 - b * b * b);
      d->growth = 2.0;
      linearize(w, x, d);
      return true;
    }
    d->damping *= d->growth;
    d->growth *= 2.0;
  }
  return false;
}

/* Takes at most `most` steps from x, and sets x and *loss to the end. */
static gscale_status descend(work *w, gsl_vector *x, int most, double *loss,
                             gscale_diag *diag)
{
  gscale_posterior *p = w->p;
  descent d;
  bool descends = open_descent(&d, w->unknowns, p->runs + w->unknowns);
  const bool room = descends;

  gsl_vector_set_all(w->at, NAN); /* slopes are out of date */
  if (room) {
    fill_residuals(x, w, d.f);
    *loss = square_of(d.f);
    linearize(w, x, &d);
  }
  for (int i = 0; i < most && descends; i++) {
    const double before = *loss;

    descends = descend_once(w, x, &d, loss) && !(before - *loss < SETTLED);
    if (p->progress)
      p->progress(p->closure, w->done + w->share * (i + 1) / most);
  }
  w->done += w->share;
  close_descent(&d);
  return room ? GSCALE_OK
              : gscale__fail(diag, GSCALE_ENOMEM, "no memory to fit %zu runs",
                             p->runs);
}

/* Sets x to a starting point.  The first start is the base, and all other
 * starts are drawn from the prior. */
static void draw_start(gsl_rng *random, int start, gsl_vector *x)
{
  for (size_t k = 0; k < x->size; k++)
    gsl_vector_set(x, k, start == 0 ? 0.0 : gsl_ran_gaussian(random, 0.7));
}

static gscale_status best_start(work *w, gsl_rng *random, int starts,
                                gsl_vector *x, gscale_diag *diag)
{
  gsl_vector *now = gscale__vector(x->size);
  double least = INFINITY, loss = INFINITY;
  gscale_status st = now ? GSCALE_OK : GSCALE_ENOMEM;

  for (int i = 0; st == GSCALE_OK && i < starts; i++) {
    draw_start(random, i, now);
    st = descend(w, now, LOOK, &loss, diag);
    if (st != GSCALE_OK || !(loss < least)) continue;
    least = loss;
    gsl_vector_memcpy(x, now);
  }
  free(now);
  if (st == GSCALE_OK && !isfinite(least))
    return gscale__fail(diag, GSCALE_ENUMERIC,
                        "no start of the fit comes to an end");
  return st;
}

/* Reports that J' J has no inverse, which only rounding can cause, because J' J
 * includes the prior. */
static gscale_status singular(gscale_diag *diag)
{
  return gscale__fail(diag, GSCALE_ENUMERIC,
                      "the runs' errors are too small beside the others");
}

static gscale_status store(work *w, const gsl_vector *x, gscale_diag *diag)
{
  gscale_posterior *p = w->p;
  gsl_vector *f = gscale__vector(p->runs + w->unknowns);
  gsl_vector *by = gscale__vector(p->runs + w->unknowns);
  bool inverted = false;

  p->cov = gscale__matrix(w->unknowns, w->unknowns);
  p->at = malloc(w->unknowns * sizeof *p->at);
  p->innovation = malloc(p->runs * sizeof *p->innovation);
  const bool room = f && by && p->cov && p->at && p->innovation;
  if (room) {
    fill_residuals(x, w, f);
    fill_slopes(w, x);
    fill_square(w, NULL, p->cov);
    inverted = gscale__cholesky(p->cov);
    if (inverted) gsl_linalg_cholesky_invert(p->cov);
    memcpy(p->at, x->data, w->unknowns * sizeof *p->at);
    multiply(w, x, by);
    gsl_vector_sub(f, by);
    memcpy(p->innovation, f->data, p->runs * sizeof *p->innovation);
    p->j = w->j;
    p->j_own = w->j_own;
    w->j = w->j_own = NULL;
  }
  free(f);
  free(by);
  if (!room) return gscale__fail(diag, GSCALE_ENOMEM, "no memory for errors");
  return inverted ? GSCALE_OK : singular(diag);
}

/* Removes the factor `held` from the discrepancies, so that errors of numbers
 * include full discrepancies. */
static void remove_held(work *w, gsl_vector *x)
{
  gscale_posterior *p = w->p;

  for (size_t k = p->columns; k < w->unknowns; k++)
    gsl_vector_set(x, k, p->held * gsl_vector_get(x, k));
  p->held = 1.0;
  gscale__posterior_place(p, x->data);
  gscale__predict_all(p, w->base, NULL);
  gscale__posterior_scale(p, w->base);
  gsl_vector_set_all(w->at, NAN);
}

/* Finds the minimum in two passes, because the scale of discrepancies depends
 * on predicted times. */
static gscale_status solve(work *w, int starts, gsl_rng *random, gsl_vector *x,
                           gscale_diag *diag)
{
  double loss;

  w->done = 0.2;
  w->share = 0.4 / starts;
  gscale_status st = best_start(w, random, starts, x, diag);
  for (int pass = 0; st == GSCALE_OK && pass < 2; pass++) {
    w->share = 0.2;
    gscale__posterior_place(w->p, x->data);
    gscale__predict_all(w->p, w->base, NULL);
    gscale__posterior_scale(w->p, w->base);
    st = descend(w, x, FINISH, &loss, diag);
  }
  if (st == GSCALE_OK) remove_held(w, x);
  return st == GSCALE_OK ? store(w, x, diag) : st;
}

gscale_status gscale__posterior_solve(gscale_posterior *p, int starts,
                                      gscale_diag *diag)
{
  work w = {.p = p,
            .base = malloc(2 * p->runs * sizeof(predicted)),
            .unknowns = p->columns + p->owns};
  gsl_rng *random = gscale__random(0);
  gsl_vector *x = gscale__vector(w.unknowns);
  gscale_status st = GSCALE_ENOMEM;

  w.moved = w.base ? w.base + p->runs : NULL;
  w.j = gscale__matrix(p->runs, p->columns > 0 ? p->columns : 1);
  w.j_own = gscale__matrix(p->runs, GSCALE__LEVELS);
  w.at = gscale__vector(w.unknowns);
  if (w.base && random && x && w.j && w.j_own && w.at)
    st = solve(&w, starts > 0 ? starts : STARTS, random, x, diag);
  else
    gscale__fail(diag, st, "no memory to fit %zu runs", p->runs);
  free(x);
  free(w.at);
  free(w.j);
  free(w.j_own);
  free(random);
  free(w.base);
  if (st == GSCALE_OK && p->no_memory)
    return gscale__fail(diag, GSCALE_ENOMEM, "no memory to fit %zu runs",
                        p->runs);
  return st;
}

/* Solves x = -(J' J)^-1 J' f0 over the runs that are kept. */
gscale_status gscale__posterior_without(const gscale_posterior *p,
                                        const bool *left, double *x,
                                        gscale_diag *diag)
{
  const size_t n = p->columns + p->owns;
  const work w = {.p = (gscale_posterior *)(uintptr_t)p,
                  .unknowns = n,
                  .j = p->j,
                  .j_own = p->j_own};
  gsl_matrix *square = gscale__matrix(n, n);
  gsl_vector *u = gscale__vector(p->runs + n);
  gsl_vector *to = gscale__vector(n);
  bool inverted = false;
  const bool room = square && u && to;

  if (room) {
    for (size_t i = 0; i < p->runs; i++)
      gsl_vector_set(u, i, left[i] ? 0.0 : -p->innovation[i]);
    multiply_back(&w, u, to);
    fill_square(&w, left, square);
    inverted = gscale__cholesky(square);
    if (inverted) gsl_linalg_cholesky_svx(square, to);
    memcpy(x, to->data, n * sizeof *x);
  }
  free(square);
  free(u);
  free(to);
  if (!room) return gscale__fail(diag, GSCALE_ENOMEM, "no memory for a fit");
  return inverted ? GSCALE_OK : singular(diag);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
