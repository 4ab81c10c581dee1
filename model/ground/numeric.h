/* numeric.h - what GSL works on, made without GSL, for model/ only.
 *
 * Where there is no memory, or a matrix is not positive, GSL calls the error
 * handler, which belongs to the whole process and by default ends it.  These
 * return NULL or false instead.  All are freed by free(). */
#ifndef GPUSCALE_GROUND_NUMERIC_H
#define GPUSCALE_GROUND_NUMERIC_H

#include <gsl/gsl_matrix.h>
#include <gsl/gsl_qrng.h>
#include <gsl/gsl_rng.h>
#include <stdbool.h>

/* Zeros. */
gsl_vector *gscale__vector(size_t n);
gsl_matrix *gscale__matrix(size_t rows, size_t columns);
/* MT19937, and Sobol's sequence of 1 .. 40 dimensions. */
gsl_rng *gscale__random(unsigned long seed);
gsl_qrng *gscale__quasi(unsigned dimensions);

/* Replaces the lower half of A by L, A = L L'; false if A is not positive. */
bool gscale__cholesky(gsl_matrix *a);

#endif /* GPUSCALE_GROUND_NUMERIC_H */

/* SPDX-License-Identifier: GPL-3.0-or-later */
