/* numeric.c - GSL vectors, matrices and sequences, each allocated as one
 * block. */

#include "ground/numeric.h"

#include <math.h>
#include <stdlib.h>

gsl_vector *gscale__vector(size_t n)
{
  gsl_vector *v = calloc(1, sizeof *v + n * sizeof *v->data);

  if (v) *v = (gsl_vector){n, 1, (double *)(void *)(v + 1), NULL, 0};
  return v;
}

gsl_matrix *gscale__matrix(size_t rows, size_t columns)
{
  gsl_matrix *m = calloc(1, sizeof *m + rows * columns * sizeof *m->data);

  if (m)
    *m = (gsl_matrix){rows, columns, columns, (double *)(void *)(m + 1),
                      NULL, 0};
  return m;
}

gsl_rng *gscale__random(unsigned long seed)
{
  gsl_rng *r = calloc(1, sizeof *r + gsl_rng_mt19937->size);

  if (!r) return NULL;
  *r = (gsl_rng){gsl_rng_mt19937, r + 1};
  gsl_rng_set(r, seed);
  return r;
}

gsl_qrng *gscale__quasi(unsigned dimensions)
{
  const size_t size = gsl_qrng_sobol->state_size(dimensions);
  gsl_qrng *q = calloc(1, sizeof *q + size);

  if (!q) return NULL;
  *q = (gsl_qrng){gsl_qrng_sobol, dimensions, size, q + 1};
  gsl_qrng_init(q);
  return q;
}

bool gscale__cholesky(gsl_matrix *a)
{
  for (size_t i = 0; i < a->size1; i++) {
    double *const row = a->data + i * a->tda;

    for (size_t j = 0; j <= i; j++) {
      const double *const other = a->data + j * a->tda;
      double left = row[j];

      for (size_t k = 0; k < j; k++) left -= row[k] * other[k];
      if (i == j && !(left > 0.0 && isfinite(left))) return false;
      row[j] = i == j ? sqrt(left) : left / other[j];
    }
  }
  return true;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
