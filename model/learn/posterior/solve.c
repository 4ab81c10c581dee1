/* solve.c - the minimum, and how sharp it is.
 *
 * Unknown are the z of the numbers with leverage, then the b of the model's own
 * discrepancies; all are standard normal beforehand, so that each adds a
 * residual that is itself.  The loss of a residual r of a run is the square of
 *
 *   f(r) = r within k,  sign(r) sqrt(2 k |r| - k^2) beyond
 *
 * which makes Huber's loss a problem of least squares. */

#include "learn/posterior/posterior.h"

#include <gsl/gsl_blas.h>
#include <gsl/gsl_linalg.h>
#include <gsl/gsl_multifit_nlinear.h>
#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>
#include <string.h>

static const double HUBER = 1.345; /* [Huber64] */
static const double FARTHEST = 50.0; /* residual where nothing is predicted */

enum {
  STARTS = 3,
  LOOK = 6,   /* iterations from each start */
  FINISH = 40 /* from the best of them, in each pass */
};

typedef struct work {
  gscale_posterior *p;
  said *base, *moved; /* of all runs */
  size_t unknowns;
  double done, share; /* of all the work: before, and by what is under way */
} work;

/* ---- residuals ---------------------------------------------------------- */

static double loss_root(double r)
{
  const double a = fabs(r);

  return a <= HUBER ? r : copysign(sqrt(2.0 * HUBER * a - HUBER * HUBER), r);
}

/* d loss_root / d r */
static double loss_slope(double r)
{
  return fabs(r) <= HUBER ? 1.0 : HUBER / fabs(loss_root(r));
}

/* Of run i, by what the model says and its own discrepancy. */
static double residual(const gscale_posterior *p, size_t i, const said *at,
                       const double *x)
{
  const datum *d = &p->datum[i];
  double off = 0.0;

  for (int level = 0; level < GSCALE__LEVELS; level++)
    off += d->u * p->own[d->own[level]].tau * x[p->columns + d->own[level]];
  const double r = (d->log_time - log(at[i].time) - off) / d->s;

  return isfinite(r) ? fmax(-FARTHEST, fmin(FARTHEST, r)) : FARTHEST;
}

static int fill_residuals(const gsl_vector *x, void *closure, gsl_vector *f)
{
  work *w = closure;
  const gscale_posterior *p = w->p;

  gscale__posterior_place(w->p, x->data);
  gscale__posterior_say_all(p, w->base, NULL);
  for (size_t i = 0; i < p->runs; i++)
    gsl_vector_set(f, i, loss_root(residual(p, i, w->base, x->data)));
  for (size_t k = 0; k < w->unknowns; k++)
    gsl_vector_set(f, p->runs + k, gsl_vector_get(x, k));
  return GSL_SUCCESS;
}

/* ---- slopes ------------------------------------------------------------- */

/* Of the runs of a cell by one number, w->base being what is said at x. */
static void fill_cell(work *w, const gsl_vector *x, size_t column, size_t c,
                      gsl_matrix *j)
{
  const gscale_posterior *p = w->p;
  const cell *now = &p->cell[c];

  gscale__posterior_say_cell(p, c, w->moved);
  for (size_t k = now->first; k < now->first + now->n; k++) {
    const size_t i = p->order[k];
    const double r = residual(p, i, w->base, x->data);
    const double d = log(w->moved[i].time / w->base[i].time);

    if (isfinite(d))
      gsl_matrix_set(j, i, column,
                     -loss_slope(r) * d / (GSCALE__STEP * p->datum[i].s));
  }
}

static int fill_slopes(const gsl_vector *x, void *closure, gsl_matrix *j)
{
  work *w = closure;
  gscale_posterior *p = w->p;

  gsl_matrix_set_zero(j);
  gscale__posterior_place(p, x->data);
  gscale__posterior_say_all(p, w->base, NULL);
  for (size_t k = 0; k < p->columns; k++) {
    gscale__posterior_place_one(p, x->data, p->free[k],
                                gsl_vector_get(x, k) + GSCALE__STEP);
    for (size_t c = 0; c < p->cells; c++)
      if (p->felt[k * p->cells + c]) fill_cell(w, x, k, c, j);
  }
  for (size_t i = 0; i < p->runs; i++) {
    const datum *d = &p->datum[i];
    const double r = residual(p, i, w->base, x->data);

    for (int level = 0; level < GSCALE__LEVELS; level++)
      gsl_matrix_set(j, i, p->columns + d->own[level],
                     -loss_slope(r) * d->u * p->own[d->own[level]].tau / d->s);
  }
  for (size_t k = 0; k < w->unknowns; k++)
    gsl_matrix_set(j, p->runs + k, k, 1.0);
  return GSL_SUCCESS;
}

/* ---- the minimum -------------------------------------------------------- */

/* At most `most` iterations from x; x and *loss become those of the end.  A
 * solver that gives up leaves its best point, which is what is wanted. */
static gscale_status descend(work *w, gsl_vector *x, int most, double *loss,
                             gscale_diag *diag)
{
  gscale_posterior *p = w->p;
  gsl_multifit_nlinear_parameters how =
      gsl_multifit_nlinear_default_parameters();
  how.solver = gsl_multifit_nlinear_solver_cholesky; /* priors: full rank */
  gsl_multifit_nlinear_fdf f = {.f = fill_residuals,
                                .df = fill_slopes,
                                .n = p->runs + w->unknowns,
                                .p = w->unknowns,
                                .params = w};
  gsl_multifit_nlinear_workspace *solver = gsl_multifit_nlinear_alloc(
      gsl_multifit_nlinear_trust, &how, f.n, f.p);
  int st = solver ? gsl_multifit_nlinear_init(x, &f, solver) : GSL_ENOMEM;
  int info;

  for (int i = 0; i < most && st == GSL_SUCCESS; i++) {
    st = gsl_multifit_nlinear_iterate(solver);
    if (p->progress)
      p->progress(p->closure, w->done + w->share * (i + 1) / most);
    if (st == GSL_SUCCESS &&
        gsl_multifit_nlinear_test(1e-5, 1e-6, 0.0, &info, solver) ==
            GSL_SUCCESS)
      break;
  }
  w->done += w->share;
  if (solver) {
    gsl_vector_memcpy(x, gsl_multifit_nlinear_position(solver));
    *loss = gsl_blas_dnrm2(gsl_multifit_nlinear_residual(solver));
  }
  gsl_multifit_nlinear_free(solver);
  if (st == GSL_ENOMEM)
    return gscale__fail(diag, GSCALE_ENOMEM, "no memory to fit %zu runs",
                        p->runs);
  return GSCALE_OK;
}

/* The first start is the base, the others are drawn beforehand. */
static void draw_start(gsl_rng *random, int start, gsl_vector *x)
{
  for (size_t k = 0; k < x->size; k++)
    gsl_vector_set(x, k, start == 0 ? 0.0 : gsl_ran_gaussian(random, 0.7));
}

static gscale_status best_start(work *w, gsl_rng *random, int starts,
                                gsl_vector *x, gscale_diag *diag)
{
  gsl_vector *now = gsl_vector_alloc(x->size);
  double least = INFINITY, loss = INFINITY;
  gscale_status st = now ? GSCALE_OK : GSCALE_ENOMEM;

  for (int i = 0; st == GSCALE_OK && i < starts; i++) {
    draw_start(random, i, now);
    st = descend(w, now, LOOK, &loss, diag);
    if (st != GSCALE_OK || !(loss < least)) continue;
    least = loss;
    gsl_vector_memcpy(x, now);
  }
  if (now) gsl_vector_free(now);
  if (st == GSCALE_OK && !isfinite(least))
    return gscale__fail(diag, GSCALE_ENUMERIC,
                        "no start of the fit comes to an end");
  return st;
}

/* ---- how sharp it is ---------------------------------------------------- */

/* C = (J'J)^-1, the priors' rows included: it is always there. */
static void invert(const gsl_matrix *j, gsl_matrix *cov)
{
  gsl_blas_dsyrk(CblasLower, CblasTrans, 1.0, j, 0.0, cov);
  gsl_linalg_cholesky_decomp1(cov);
  gsl_linalg_cholesky_invert(cov);
}

static gscale_status keep(work *w, const gsl_vector *x, gscale_diag *diag)
{
  gscale_posterior *p = w->p;
  const size_t n = p->runs + w->unknowns;
  gsl_matrix *j = gsl_matrix_alloc(n, w->unknowns);
  gsl_vector *f = gsl_vector_alloc(n);

  p->cov = gsl_matrix_alloc(w->unknowns, w->unknowns);
  p->j = gsl_matrix_alloc(p->runs, w->unknowns);
  p->at = malloc(w->unknowns * sizeof *p->at);
  p->innovation = malloc(p->runs * sizeof *p->innovation);
  const bool room = j && f && p->cov && p->j && p->at && p->innovation;
  if (room) {
    fill_residuals(x, w, f);
    fill_slopes(x, w, j);
    invert(j, p->cov);
    memcpy(p->at, x->data, w->unknowns * sizeof *p->at);
    gsl_matrix_const_view of_runs =
        gsl_matrix_const_submatrix(j, 0, 0, p->runs, w->unknowns);
    gsl_matrix_memcpy(p->j, &of_runs.matrix);
    gsl_vector_view first = gsl_vector_subvector(f, 0, p->runs);
    gsl_blas_dgemv(CblasNoTrans, -1.0, p->j, x, 1.0, &first.vector);
    memcpy(p->innovation, f->data, p->runs * sizeof *p->innovation);
  }
  gsl_matrix_free(j);
  gsl_vector_free(f);
  return room ? GSCALE_OK
              : gscale__fail(diag, GSCALE_ENOMEM, "no memory for errors");
}

/* The discrepancy's scale follows the times, which have moved: two passes. */
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
    gscale__posterior_say_all(w->p, w->base, NULL);
    gscale__posterior_scale(w->p, w->base);
    st = descend(w, x, FINISH, &loss, diag);
  }
  return st == GSCALE_OK ? keep(w, x, diag) : st;
}

gscale_status gscale__posterior_solve(gscale_posterior *p, int starts,
                                      gscale_diag *diag)
{
  work w = {.p = p,
            .base = malloc(2 * p->runs * sizeof(said)),
            .unknowns = p->columns + p->owns};
  gsl_rng *random = gsl_rng_alloc(gsl_rng_mt19937); /* its seed is fixed */
  gsl_vector *x = gsl_vector_calloc(w.unknowns);
  gscale_status st = GSCALE_ENOMEM;

  w.moved = w.base ? w.base + p->runs : NULL;
  if (w.base && random && x)
    st = solve(&w, starts > 0 ? starts : STARTS, random, x, diag);
  else
    gscale__fail(diag, st, "no memory to fit %zu runs", p->runs);
  gsl_vector_free(x);
  if (random) gsl_rng_free(random);
  free(w.base);
  return st;
}
