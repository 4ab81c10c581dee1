/* conditioning.c - residual of a run, conditioned on other runs of the
 * program. */

#include "ground/ground.h"
#include "ground/numeric.h"
#include "trust/residual.h"

#include <gsl/gsl_linalg.h>
#include <math.h>
#include <stdlib.h>

enum {
  MOST = 600 /* most runs */
};

static const double FREEDOM = 3.0;
static const double CUT = 2.5;  /* limit of residuals in standard errors */
static const double DAY = 0.01; /* standard deviation of ln(time) between
                                 * days */

static double square_of(double x)
{
  return x * x;
}

/* A run with the parts of its residual, its other errors and its covariance
 * with the target. */
typedef struct related {
  const gscale_residual *r;
  double u[GSCALE_RESIDUAL_PARTS], besides, k;
} related;

static double covariance(const gscale_residuals *w, const related *x,
                         const related *y)
{
  bool differ[GSCALE_RESIDUAL_AXES];
  double sum = 0.0;

  for (size_t a = 0; a < GSCALE_RESIDUAL_AXES; a++)
    differ[a] = x->r->of[a] != y->r->of[a];
  for (size_t p = 0; p < GSCALE_RESIDUAL_PARTS; p++)
    sum += x->u[p] * y->u[p] *
           gscale_residual_together(w, gscale_residual_kind_of(p), differ);
  return sum;
}

static int by_covariance(const void *a, const void *b)
{
  const related *x = a, *y = b;

  if (x->k > y->k || x->k < y->k) return x->k > y->k ? -1 : 1;
  return GSCALE_ORDER(x->r, y->r);
}

/* Returns ln(measured / predicted), clipped at CUT standard errors. */
static double clipped_residual(const related *v)
{
  double sum = v->besides + square_of(DAY);

  for (size_t p = 0; p < GSCALE_RESIDUAL_PARTS; p++) sum += square_of(v->u[p]);
  const double most = CUT * sqrt(sum);
  return fmax(-most, fmin(most, log(v->r->measured / v->r->predicted)));
}

/* Gathers the runs of the same program with the largest covariance, and returns
 * the number of these runs. */
static size_t gather(const gscale_residuals *w, const gscale_residual *r,
                     size_t n, const related *to, related *of)
{
  size_t kept = 0;

  for (size_t i = 0; i < n; i++) {
    related *v = &of[kept];

    if (r[i].program != to->r->program) continue;
    v->r = &r[i];
    v->besides = gscale__residual_parts(v->r, w, v->u);
    v->k = covariance(w, v, to);
    kept++;
  }
  qsort(of, kept, sizeof *of, by_covariance);
  return kept < MOST ? kept : MOST;
}

typedef struct algebra {
  gsl_matrix *k;
  gsl_vector *e, *x, *y; /* residuals; k; (K + S)^-1 k */
} algebra;

static void free_algebra(algebra *a)
{
  free(a->k);
  free(a->e);
  free(a->x);
  free(a->y);
}

static bool new_algebra(algebra *a, size_t n)
{
  *a = (algebra){gscale__matrix(n, n), gscale__vector(n), gscale__vector(n),
                 gscale__vector(n)};
  return a->k && a->e && a->x && a->y;
}

static void fill(const gscale_residuals *w, const related *of, size_t n,
                 const algebra *a)
{
  for (size_t i = 0; i < n; i++) {
    for (size_t j = 0; j <= i; j++) {
      const double k = covariance(w, &of[i], &of[j]);

      gsl_matrix_set(a->k, i, j, k);
      gsl_matrix_set(a->k, j, i, k);
    }
    *gsl_matrix_ptr(a->k, i, i) += of[i].besides + square_of(DAY);
    gsl_vector_set(a->e, i, clipped_residual(&of[i]));
    gsl_vector_set(a->x, i, of[i].k);
  }
}

static double dot(const gsl_vector *a, const gsl_vector *b)
{
  double sum = 0.0;

  for (size_t i = 0; i < a->size; i++)
    sum += gsl_vector_get(a, i) * gsl_vector_get(b, i);
  return sum;
}

/* Solves for the target's residual, whose variance without the runs is
 * `own`. */
static bool solve(const algebra *a, double own, double *off, double *left)
{
  const double point = gscale__residual_point();

  if (!gscale__cholesky(a->k)) return false;
  gsl_linalg_cholesky_solve(a->k, a->x, a->y);
  *off = dot(a->y, a->e);
  *left = sqrt(fmax(0.0, own - dot(a->y, a->x)) / own);
  gsl_linalg_cholesky_solve(a->k, a->e, a->y);
  const double q = point * point * dot(a->e, a->y);
  *left *= sqrt((FREEDOM + q) / (FREEDOM + (double)a->e->size));
  return isfinite(*off + *left);
}

static gscale_status check(const gscale_residual *r, size_t n,
                           gscale_diag *diag)
{
  for (size_t i = 0; i < n; i++)
    if (!(r[i].predicted > 0.0 && r[i].measured > 0.0) ||
        !isfinite(r[i].predicted + r[i].measured))
      return gscale__fail(diag, GSCALE_EDOMAIN, "run %zu: %g s, %g s", i,
                          r[i].predicted, r[i].measured);
  return GSCALE_OK;
}

gscale_status gscale_residuals_given(const gscale_residuals *w,
                                     const gscale_residual *r, size_t n,
                                     const gscale_residual *to, double *off,
                                     double *left, gscale_diag *diag)
{
  gscale_status st = check(r, n, diag);
  related of_to = {.r = to}, *of = malloc((n + 1) * sizeof *of);
  algebra a = {NULL, NULL, NULL, NULL};
  double own = 0.0;

  *off = 0.0;
  *left = 1.0;
  if (!of) st = gscale__fail(diag, GSCALE_ENOMEM, "no memory for the runs");
  if (st == GSCALE_OK) gscale__residual_parts(to, w, of_to.u);
  for (size_t p = 0; p < GSCALE_RESIDUAL_PARTS; p++)
    own += of_to.u[p] * of_to.u[p];
  const size_t kept =
      st == GSCALE_OK && own > 0.0 ? gather(w, r, n, &of_to, of) : 0;
  if (kept > 0) {
    if (!new_algebra(&a, kept)) {
      st = gscale__fail(diag, GSCALE_ENOMEM, "no memory for the runs");
    } else {
      fill(w, of, kept, &a);
      if (!solve(&a, own, off, left))
        st = gscale__fail(diag, GSCALE_ENUMERIC, "runs contradict each other");
    }
    free_algebra(&a);
  }
  free(of);
  return st;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
