/* numeric.h - GSL objects that are allocated without GSL, for model/ only.
 *
 * If memory is exhausted or a matrix is not positive, GSL calls its error
 * handler, which ends the process by default.  The functions of this file
 * return NULL or false instead. free() frees every object. */
#ifndef GPUSCALE_GROUND_NUMERIC_H
#define GPUSCALE_GROUND_NUMERIC_H

#include <gsl/gsl_matrix.h>
#include <gsl/gsl_qrng.h>
#include <gsl/gsl_rng.h>
#include <stdbool.h>

/* All elements are zero. */
gsl_vector *gscale__vector(size_t n);
gsl_matrix *gscale__matrix(size_t rows, size_t columns);
/* MT19937, and Sobol's sequence of 1 .. 40 dimensions. */
gsl_rng *gscale__random(unsigned long seed);
gsl_qrng *gscale__quasi(unsigned dimensions);

/* Replaces the lower half of A by L with A = L L'. Returns false if A is not
 * positive. */
bool gscale__cholesky(gsl_matrix *a);

#endif /* GPUSCALE_GROUND_NUMERIC_H */

/* SPDX-License-Identifier: GPL-3.0-or-later */
