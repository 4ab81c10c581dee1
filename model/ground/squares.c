/* squares.c - least squares of a few columns with free or non-negative
 * coefficients. */

#include "ground/squares.h"

#include <string.h>

void gscale__reduce(double *a, size_t rows, size_t columns, gscale__triangle *t)
{
  memset(t, 0, sizeof *t);
  for (size_t j = 0; j < columns; j++) {
    double *v = a + j * rows, square = 0.0;
    for (size_t i = 0; i < j && i < rows; i++) t->at[j][i] = v[i];
    for (size_t i = j; i < rows; i++) square += v[i] * v[i];
    if (square == 0.0) continue;

    const double norm = copysign(sqrt(square), v[j]);
    const double beta = 1.0 / (square + norm * v[j]);
    t->at[j][j] = -norm;
    v[j] += norm;
    for (size_t k = j + 1; k < columns; k++) {
      double *u = a + k * rows, dot = 0.0;
      for (size_t i = j; i < rows; i++) dot += v[i] * u[i];
      dot *= beta;
      for (size_t i = j; i < rows; i++) u[i] -= dot * v[i];
    }
  }
}

double gscale__dot(const double *a, const double *b, size_t n)
{
  double sum = 0.0;
  for (size_t i = 0; i < n; i++) sum += a[i] * b[i];
  return sum;
}

size_t gscale__choose(const gscale__triangle *t, const size_t *which, size_t k,
                      gscale__triangle *out)
{
  double a[GSCALE__WIDE * GSCALE__WIDE];
  size_t j = 0;

  for (size_t l = 0; l < k; l++)
    memcpy(a + l * GSCALE__WIDE, t->at[which[l]], sizeof t->at[0]);
  gscale__reduce(a, GSCALE__WIDE, k, out);
  while (j < k && fabs(out->at[j][j]) >
                      GSCALE__DEPENDENT *
                          sqrt(gscale__dot(out->at[j], out->at[j], j + 1)))
    j++;
  return j;
}

/* Solves least squares on the columns in `free`, with coefficients 0 for all
 * others. y is column m.  Returns false, with z undefined, if columns are
 * dependent. */
static bool solve(const gscale__triangle *t, size_t m, const bool *free,
                  double *z)
{
  size_t which[GSCALE__WIDE], k = 0;
  double x[GSCALE_FIT_MAX];
  gscale__triangle s;

  for (size_t j = 0; j < m; j++) {
    z[j] = 0.0;
    if (free[j]) which[k++] = j;
  }
  which[k] = m;
  if (gscale__choose(t, which, k + 1, &s) < k) return false;
  for (size_t i = k; i-- > 0;) {
    x[i] = s.at[k][i];
    for (size_t j = i + 1; j < k; j++) x[i] -= s.at[j][i] * x[j];
    x[i] /= s.at[i][i];
    z[which[i]] = x[i];
  }
  return true;
}

/* Moves c towards z until a coefficient would become negative.  This
 * coefficient is set to 0 and removed from `free`. */
static void step_back(double *c, const double *z, bool *free, size_t m)
{
  double part = 1.0;
  size_t stop = m;

  for (size_t j = 0; j < m; j++)
    if (free[j] && z[j] <= 0.0 && c[j] / (c[j] - z[j]) <= part) {
      part = c[j] / (c[j] - z[j]);
      stop = j;
    }
  for (size_t j = 0; j < m; j++)
    if (free[j]) c[j] += part * (z[j] - c[j]);
  for (size_t j = 0; j < m; j++)
    if (free[j] && (j == stop || c[j] <= 0.0)) {
      c[j] = 0.0;
      free[j] = false;
    }
}

static bool all_positive(const double *z, const bool *free, size_t m)
{
  for (size_t j = 0; j < m; j++)
    if (free[j] && !(z[j] > 0.0)) return false;
  return true;
}

/* Returns the coefficient at 0 that lowers the sum of squares fastest, or m if
 * no coefficient does. */
static size_t steepest(const gscale__triangle *t, size_t m, const double *c,
                       const bool *free, const bool *barred)
{
  double left[GSCALE__WIDE], most = 0.0;
  size_t best = m;

  memcpy(left, t->at[m], sizeof left);
  for (size_t j = 0; j < m; j++)
    for (size_t i = 0; i <= j; i++) left[i] -= c[j] * t->at[j][i];
  const double size = sqrt(gscale__dot(t->at[m], t->at[m], GSCALE__WIDE));
  for (size_t j = 0; j < m; j++) {
    if (free[j] || barred[j]) continue;
    const double norm = sqrt(gscale__dot(t->at[j], t->at[j], GSCALE__WIDE));
    const double fall =
        norm > 0.0 ? gscale__dot(t->at[j], left, GSCALE__WIDE) / norm : 0.0;
    if (fall > GSCALE__TINY * size && fall > most) {
      most = fall;
      best = j;
    }
  }
  return best;
}

void gscale__nonnegative(const gscale__triangle *t, size_t m, double *c,
                         bool *free)
{
  bool barred[GSCALE_FIT_MAX] = {false};
  double z[GSCALE_FIT_MAX];
  size_t j;

  for (size_t k = 0; k < m; k++) {
    c[k] = 0.0;
    free[k] = false;
  }
  /* Each round lowers the sum, so that no set of free columns occurs twice.
   * The count protects only against rounding. */
  for (int round = 0; round < 4 << GSCALE_FIT_MAX; round++) {
    if ((j = steepest(t, m, c, free, barred)) == m) return;
    free[j] = true;
    if (!solve(t, m, free, z) || !(z[j] > 0.0)) {
      free[j] = false;
      barred[j] = true;
      continue;
    }
    while (!all_positive(z, free, m)) {
      step_back(c, z, free, m);
      solve(t, m, free, z);
    }
    memcpy(c, z, m * sizeof *c);
    memset(barred, 0, sizeof barred);
  }
}

void gscale__nnls(double *a, size_t rows, size_t m, double *c)
{
  bool free[GSCALE_FIT_MAX];
  gscale__triangle t;

  gscale__reduce(a, rows, m + 1, &t);
  gscale__nonnegative(&t, m, c, free);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
