/* graph.h - sparse matrices, or graphs, shaped like those of the papers. */
#ifndef GPUSCALE_GRAPH_H
#define GPUSCALE_GRAPH_H

#include "trace.h"

/* Row i holds column[first[i]] ... column[first[i + 1] - 1], ascending. */
typedef struct matrix {
  size_t rows; /* and columns */
  uint32_t *first, *column;
  uint32_t *origin; /* of a transpose: where the element was */
} matrix;

/* 0..n-1 in a random order, to be freed. */
uint32_t *permutation(size_t n, rng *r);

/* A graph of links: rows x `links` of them are drawn, those drawn twice count
 * once.  Degrees follow power laws; numbers say nothing about neighbours. */
matrix matrix_of_links(size_t rows, size_t links, rng *r);
/* A band: `elements` in each row, spread evenly over the columns up to `reach`
 * before and after the diagonal. */
matrix matrix_of_band(size_t rows, size_t elements, size_t reach, rng *r);
size_t row_length(const matrix *a, size_t row);
matrix matrix_transpose(const matrix *a);
void matrix_free(matrix *a);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
