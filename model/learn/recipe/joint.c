/* joint.c - a joint fit of several parameters to times of collectives.
 *
 * The logarithms x of the parameters, relative to guesses, minimise
 *
 *   sum rho( w ln(model / measured) ) + sum rho( TIE x / spread )
 *
 * with rho(r) = 2 F^2 (sqrt(1 + (r/F)^2) - 1), which is quadratic for small and
 * linear for large errors.  Parameters that the rows do not identify keep the
 * base's value. */

#include "lines.h"
#include "price/collectives.h"
#include "price/costs.h"

#include <gsl/gsl_blas.h>
#include <gsl/gsl_multifit_nlinear.h>
#include <math.h>

static const double FAR = 0.1;     /* limit F of quadratic errors */
static const double TIE = 0.15;    /* share of a row's weight */
static const double UNKNOWN = 0.9; /* share of the prior's spread */
static const double MOVED = 0.1;   /* smallest change of x */
enum {
  ROUNDS = 100
};

static double huber(double r)
{
  const double x = r / FAR;

  return r * sqrt(2.0 / (sqrt(1.0 + x * x) + 1.0));
}

void gscale__joint_off(const gscale__joint *j, const gscale_coll_machine *m,
                       gsl_vector *f)
{
  gscale__source_room room;
  const gscale__source *source = gscale__source_in(&room, &j->with, NULL);

  for (size_t i = 0; i < j->n; i++) {
    const timed *t = &j->at[i];
    const double time = gscale_coll_best(m, &t->call, j->by, t->protocol).total;
    const double issued =
        t->threads > 0 ? gscale__coll_issue(source, t->r->gpus, t->threads)
                       : 0.0;
    gsl_vector_set(f, i, log(fmax(time, issued) / t->r->time));
  }
}

/* Sets the trial values. */
static void place(gscale__joint *j, const gsl_vector *x)
{
  for (size_t k = 0; k < j->terms; k++)
    gscale__param_move(&j->with, j->term[k].id,
                       j->guess[k] * exp(gsl_vector_get(x, k)));
}

static int residuals(const gsl_vector *x, void *closure, gsl_vector *f)
{
  gscale__joint *j = closure;
  const size_t rows = f->size - j->terms;

  place(j, x);
  const gscale_coll_machine m = gscale__coll_known(&j->with);
  j->off(j, &m, f);
  for (size_t k = 0; k < j->terms; k++)
    gsl_vector_set(f, rows + k, TIE * gsl_vector_get(x, k) / j->term[k].spread);
  for (size_t i = 0; i < f->size; i++)
    gsl_vector_set(f, i, huber(gsl_vector_get(f, i)));
  return GSL_SUCCESS;
}

static void keep(gscale__joint *j, const gsl_multifit_nlinear_workspace *w,
                 gsl_matrix *cov)
{
  gsl_multifit_nlinear_covar(w->J, 0.0, cov);
  j->misfit = gsl_blas_dnrm2(w->f) / sqrt((double)j->n);
  place(j, w->x);
  for (size_t k = 0; k < j->terms; k++) {
    j->x[k] = gsl_vector_get(w->x, k);
    j->left[k] = sqrt(gsl_matrix_get(cov, k, k));
  }
}

void gscale__joint_solve(bench_run *b, gscale__joint *j)
{
  gsl_multifit_nlinear_parameters how =
      gsl_multifit_nlinear_default_parameters();
  gsl_multifit_nlinear_fdf f = {.f = residuals,
                                .n = j->each * j->n + j->terms,
                                .p = j->terms,
                                .params = j};
  gsl_multifit_nlinear_workspace *w =
      gsl_multifit_nlinear_alloc(gsl_multifit_nlinear_trust, &how, f.n, f.p);
  gsl_vector *x = gsl_vector_calloc(f.p);
  gsl_matrix *cov = gsl_matrix_alloc(f.p, f.p);
  int info;

  j->misfit = INFINITY;
  j->with = *b->s;
  if (!w || !x || !cov)
    gscale__no_memory(b);
  else if (gsl_multifit_nlinear_init(x, &f, w) == GSL_SUCCESS) {
    gsl_multifit_nlinear_driver(ROUNDS, 1e-8, 1e-8, 0.0, NULL, NULL, &info, w);
    keep(j, w, cov);
  }
  gsl_matrix_free(cov);
  gsl_vector_free(x);
  gsl_multifit_nlinear_free(w);
}

void gscale__joint_conclude(bench_run *b, const gscale__joint *j,
                            const char *benches)
{
  for (size_t k = 0; k < j->terms; k++) {
    const gscale__joint_term *t = &j->term[k];
    const double value = j->guess[k] * exp(j->x[k]);
    if (!(value > 0.0))
      gscale__set_note(b, t->id, "the rows fit as well without it");
    else if (j->left[k] > UNKNOWN * t->spread / TIE &&
             !b->out->of[t->id].fitted &&
             !(j->all &&
               (!(gscale__value(b, t->id) > 0.0) || fabs(j->x[k]) >= MOVED)))
      gscale__set_note(b, t->id, "the rows do not determine it");
    else
      gscale__conclude_unfitted(
          b, t->id, j->n, value,
          value * hypot(fmin(t->spread, j->left[k] * j->misfit), j->more[k]),
          benches);
  }
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
