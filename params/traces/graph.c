/* graph.c - sparse matrices and graphs. */

#include "graph.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static matrix with_rows(size_t rows, size_t elements)
{
  return (matrix){.rows = rows,
                  .first = need(rows + 1, sizeof(uint32_t)),
                  .column = need(elements, sizeof(uint32_t))};
}

size_t row_length(const matrix *a, size_t row)
{
  return a->first[row + 1] - a->first[row];
}

void matrix_free(matrix *a)
{
  free(a->first);
  free(a->column);
  free(a->origin);
  *a = (matrix){0};
}

/* The elements (row[i], column[i]), sorted by rows only. */
static matrix by_rows(size_t rows, const uint32_t *row, const uint32_t *column,
                      size_t n)
{
  matrix a = with_rows(rows, n);

  a.origin = need(n, sizeof *a.origin);
  for (size_t i = 0; i < n; i++) a.first[row[i] + 1]++;
  for (size_t i = 0; i < rows; i++) a.first[i + 1] += a.first[i];
  /* first[r] runs through row r, and so becomes first[r + 1] */
  for (size_t i = 0; i < n; i++) {
    const uint32_t at = a.first[row[i]]++;
    a.column[at] = column[i];
    a.origin[at] = (uint32_t)i;
  }
  memmove(a.first + 1, a.first, rows * sizeof *a.first);
  a.first[0] = 0;
  return a;
}

/* Ascending columns follow from going through the rows in their order. */
matrix matrix_transpose(const matrix *a)
{
  const size_t n = a->first[a->rows];
  uint32_t *row = need(n, sizeof *row);

  for (size_t i = 0; i < a->rows; i++)
    for (size_t e = a->first[i]; e < a->first[i + 1]; e++) row[e] = (uint32_t)i;
  const matrix t = by_rows(a->rows, a->column, row, n);
  free(row);
  return t;
}

/* ---- links --------------------------------------------------------------- */

/* Ranks whose degrees fall like (rank + flat)^-(1/(exponent - 1)): degrees then
 * have a tail of that exponent, and `flat` keeps the first ranks from having
 * most of the links. */
static uint32_t draw_rank(rng *r, size_t n, double exponent)
{
  const double flat = 10.0, b = 1.0 - 1.0 / (exponent - 1.0);
  const double low = pow(flat, b), high = pow((double)n + flat, b);
  const double x = low + rng_uniform(r) * (high - low);
  const double rank = floor(pow(x, 1.0 / b) - flat);
  return rank < 0.0 ? 0 : rank >= (double)n ? (uint32_t)n - 1 : (uint32_t)rank;
}

uint32_t *permutation(size_t n, rng *r)
{
  uint32_t *p = need(n, sizeof *p);

  for (size_t i = 0; i < n; i++) { /* inside out */
    const uint32_t j = rng_below(r, (uint32_t)i + 1);
    p[i] = p[j];
    p[j] = (uint32_t)i;
  }
  return p;
}

static void drop_repeats(matrix *a)
{
  uint32_t n = 0, e = 0;

  for (size_t i = 0; i < a->rows; i++) {
    const uint32_t begin = n;
    for (; e < a->first[i + 1]; e++)
      if (n == begin || a->column[n - 1] != a->column[e])
        a->column[n++] = a->column[e];
    a->first[i + 1] = n;
  }
}

/* Exponents of the Web's links [Broder00]: 2.72 out, 2.09 in. */
matrix matrix_of_links(size_t rows, size_t links, rng *r)
{
  const size_t n = rows * links;
  uint32_t *from = need(n, sizeof *from), *to = need(n, sizeof *to);
  uint32_t *source = permutation(rows, r), *target = permutation(rows, r);

  for (size_t i = 0; i < n; i++) {
    from[i] = source[draw_rank(r, rows, 2.72)];
    to[i] = target[draw_rank(r, rows, 2.09)];
  }
  matrix backward = by_rows(rows, to, from, n);
  matrix forward = matrix_transpose(&backward);
  drop_repeats(&forward);
  matrix_free(&backward);
  free(from);
  free(to);
  free(source);
  free(target);
  return forward;
}

/* ---- a band -------------------------------------------------------------- */

matrix matrix_of_band(size_t rows, size_t elements, size_t reach, rng *r)
{
  matrix a = with_rows(rows, rows * elements);
  uint32_t n = 0;

  for (size_t i = 0; i < rows; i++) {
    const size_t low = i > reach ? i - reach : 0;
    const size_t high = i + reach < rows ? i + reach + 1 : rows;
    const size_t width = high - low, some = least(elements, width);
    for (size_t k = 0; k < some; k++) { /* one in each of `some` parts */
      const size_t part = low + width * k / some;
      const size_t end = low + width * (k + 1) / some;
      a.column[n++] = (uint32_t)part + rng_below(r, (uint32_t)(end - part));
    }
    a.first[i + 1] = n;
  }
  return a;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
