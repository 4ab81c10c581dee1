/* fit.c - fit of non-negative coefficients, with errors, to measurements.
 *
 * The fit uses numbers without units.  Point i is divided by y_i and weighted
 * by its precision q_i (1 for the best point), and column j by its norm:
 *
 *   a_ij = q_i x_ij / (y_i unit_j)         model_i = y_i sum_j c_j a_ij / q_i
 *
 * The numbers of every problem are therefore close to 1.
 *
 * Residuals are relative to the model, not to y.  With residuals relative to y,
 * points with low y would have a larger weight: for errors of 10 %, all
 * coefficients would be 2 % too low, which is more than their standard error
 * for 40 points. */

#include "ground/fit.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_statistics_double.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum {
  ITERATIONS = 500, /* iterations of the weights */
  SETTLE = 400,   /* scale and denominators are fixed from this iteration on */
  REFIT_MAX = 200 /* leverages replace refits for more points */
};

static const double MAD =
    0.674489750196;               /* median of |x| if x is standard normal */
static const double FAR = 5.0;    /* distance of outliers, in scales */
static const double LEAST = 0.25; /* smallest denominator, as a share of y */
static const double CONVERGED = 1e-12;

/* ---- problem ------------------------------------------------------------- */

gscale_status gscale__problem_check(const double *y, const double *sigma,
                                    size_t n, size_t m, double floor,
                                    gscale_diag *diag)
{
  if (m < 1 || m > GSCALE_FIT_MAX)
    return gscale__fail(diag, GSCALE_EDOMAIN, "%zu terms; a fit has 1 to %d", m,
                        GSCALE_FIT_MAX);
  if (n <= m)
    return gscale__fail(diag, GSCALE_EDATA,
                        "%zu points; %zu coefficients need more than that", n,
                        m);
  if (!(floor >= 0.0) || !isfinite(floor))
    return gscale__fail(diag, GSCALE_EDOMAIN, "floor of the errors is %g",
                        floor);
  for (size_t i = 0; i < n; i++) {
    if (!(y[i] > 0.0) || !isfinite(y[i]))
      return gscale__fail(diag, GSCALE_EDOMAIN, "point %zu: measured %g", i,
                          y[i]);
    if (sigma && (!(sigma[i] >= 0.0) || !isfinite(sigma[i] / y[i])))
      return gscale__fail(diag, GSCALE_EDOMAIN, "point %zu: error %g", i,
                          sigma[i]);
    if (sigma && floor == 0.0 && sigma[i] == 0.0)
      return gscale__fail(diag, GSCALE_EDOMAIN,
                          "point %zu: error 0, and no floor", i);
  }
  return GSCALE_OK;
}

gscale_status gscale__problem_take(gscale__problem *b, const double *y,
                                   const double *sigma, size_t n, size_t m,
                                   double floor, gscale_diag *diag)
{
  const size_t columns = 2 * m + 8; /* columns of a, six vectors and work */
  double least = INFINITY;

  b->n = n;
  b->m = m;
  b->y = y;
  b->a = n <= PTRDIFF_MAX / (columns * sizeof *b->a)
             ? malloc(n * columns * sizeof *b->a)
             : NULL;
  if (!b->a)
    return gscale__fail(diag, GSCALE_ENOMEM, "no memory to fit %zu points", n);
  b->q = b->a + m * n;
  b->model = b->q + n;
  b->under = b->model + n;
  b->r = b->under + n;
  b->weight = b->r + n;
  b->slope = b->weight + n;
  b->work = b->slope + n;

  for (size_t i = 0; i < n; i++) {
    b->q[i] = sigma ? fmax(sigma[i] / y[i], floor) : 1.0;
    least = fmin(least, b->q[i]);
  }
  for (size_t i = 0; i < n; i++) b->q[i] = least / b->q[i];
  return GSCALE_OK;
}

gscale_status gscale__problem_fill(gscale__problem *b, double p,
                                   gscale_diag *diag)
{
  const size_t n = b->n;
  double most[GSCALE_FIT_MAX] = {0.0};
  bool any = false;

  for (size_t i = 0; i < n; i++) {
    double row[GSCALE_FIT_MAX];
    b->columns(b->closure, i, p, row);
    for (size_t j = 0; j < b->m; j++) {
      const double a = row[j] / b->y[i] * b->q[i];
      if (!isfinite(a))
        return gscale__fail(diag, GSCALE_EDOMAIN,
                            "point %zu: term %zu is %g where %g was measured",
                            i, j, row[j], b->y[i]);
      b->a[j * n + i] = a;
      most[j] = fmax(most[j], fabs(a));
    }
  }
  for (size_t j = 0; j < b->m; j++) {
    double *a = b->a + j * n;
    b->unit[j] = 0.0;
    if (most[j] == 0.0) continue;
    for (size_t i = 0; i < n; i++) a[i] /= most[j]; /* keeps squares finite */
    const double norm = sqrt(gscale__dot(a, a, n));
    for (size_t i = 0; i < n; i++) a[i] /= norm;
    b->unit[j] = norm * most[j];
    any = true;
  }
  if (!any)
    return gscale__fail(diag, GSCALE_EDATA, "every column is 0 at all points");
  return GSCALE_OK;
}

/* Computes the triangle of the columns, of y and, if known, of the slope. */
static void triangle_of(gscale__problem *b, const double *weight, size_t skip,
                        gscale__triangle *t)
{
  const size_t columns = b->m + 1 + (b->slope_known ? 1 : 0);
  const size_t rows = b->n - (skip < b->n ? 1 : 0);
  double *to = b->work;

  for (size_t j = 0; j < columns; j++) {
    const double *from = j < b->m    ? b->a + j * b->n
                         : j == b->m ? b->q
                                     : b->slope;
    for (size_t i = 0; i < b->n; i++)
      if (i != skip) *to++ = from[i] * (weight ? weight[i] : 1.0) / b->under[i];
  }
  gscale__reduce(b->work, rows, columns, t);
}

/* Computes the model and the residuals from the coefficients. */
static void update_residuals(gscale__problem *b)
{
  for (size_t i = 0; i < b->n; i++) {
    double f = 0.0;
    for (size_t j = 0; j < b->m; j++) f += b->c[j] * b->a[j * b->n + i];
    b->model[i] = f / b->q[i];
    if (!b->held) b->under[i] = fmax(b->model[i], LEAST);
    b->r[i] = b->q[i] * (1.0 - b->model[i]) / b->under[i];
  }
}

size_t gscale__count_set(const bool *set, size_t m)
{
  size_t k = 0;
  for (size_t j = 0; j < m; j++) k += set[j];
  return k;
}

/* Returns the median of |r|, scaled to the sigma of a normal distribution.  The
 * median excludes residuals that the k coefficients can make zero. */
static double scale_of(const double *r, size_t n, size_t k, double *work)
{
  const size_t first = k > 1 ? k - 1 : 0, left = n - first;

  for (size_t i = 0; i < n; i++) work[i] = fabs(r[i]);
  const double low = gsl_stats_select(work, 1, n, first + (left - 1) / 2);
  const double high = gsl_stats_select(work, 1, n, first + left / 2);
  return fmax(0.5 * (low + high) / MAD, GSCALE__TINY);
}

void gscale__problem_iterate(gscale__problem *b)
{
  const bool held = b->held;
  double old[GSCALE_FIT_MAX] = {0.0};
  gscale__triangle t;

  for (size_t i = 0; i < b->n; i++) {
    b->weight[i] = 1.0;
    if (!held) b->under[i] = 1.0;
  }
  for (int round = 0; round < ITERATIONS; round++) {
    double change = 0.0, size = 0.0;
    triangle_of(b, b->weight, b->n, &t);
    gscale__nonnegative(&t, b->m, b->c, b->free);
    for (size_t j = 0; j < b->m; j++) {
      change = fmax(change, fabs(b->c[j] - old[j]));
      size = fmax(size, b->c[j]);
      old[j] = b->c[j];
    }
    b->held = held || round >= SETTLE;
    update_residuals(b);
    if (!b->held)
      b->scale =
          scale_of(b->r, b->n, gscale__count_set(b->free, b->m), b->work);
    if (change <= CONVERGED * size) break;
    for (size_t i = 0; i < b->n; i++)
      b->weight[i] = sqrt(fmin(1.0, GSCALE__HUBER * b->scale / fabs(b->r[i])));
  }
  b->held = held;
}

/* ---- errors and residuals ------------------------------------------------ */

/* Returns the distance of column j from the space of all other columns. */
static double distance_of(const gscale__triangle *t, size_t m, size_t j)
{
  double base[GSCALE_FIT_MAX][GSCALE__WIDE];
  size_t k = 0;

  for (size_t turn = 0; turn < m; turn++) {
    const size_t from = turn + 1 < m ? (turn < j ? turn : turn + 1) : j;
    double *v = base[k];
    memcpy(v, t->at[from], sizeof base[0]);
    const double norm = sqrt(gscale__dot(v, v, GSCALE__WIDE));
    for (int twice = 0; twice < 2; twice++)
      for (size_t l = 0; l < k; l++) {
        const double along = gscale__dot(v, base[l], GSCALE__WIDE);
        for (size_t i = 0; i < GSCALE__WIDE; i++) v[i] -= along * base[l][i];
      }
    const double left = sqrt(gscale__dot(v, v, GSCALE__WIDE));
    if (from == j) return left;
    if (left <= GSCALE__DEPENDENT * norm) continue;
    for (size_t i = 0; i < GSCALE__WIDE; i++) v[i] /= left;
    k++;
  }
  return 0.0;
}

double gscale__problem_spread(const gscale__problem *b, size_t k, double *kept)
{
  const double n = (double)b->n, most = GSCALE__HUBER * b->scale;
  double square = 0.0, inside = 0.0;

  for (size_t i = 0; i < b->n; i++) {
    const double r = fmin(fabs(b->r[i]), most);
    square += r * r;
    inside += fabs(b->r[i]) <= most;
  }
  *kept = fmax(inside, 1.0) / n; /* 0 if the scale is a rounding error */
  const double small = 1.0 + (double)k / n * (1.0 - *kept) / *kept;
  return small * sqrt(square / (n - (double)k)) / *kept;
}

/* Computes the covariance of the k columns of s, for a variance of 1. */
static void covariance(const gscale__triangle *s, size_t k,
                       double v[GSCALE__WIDE][GSCALE__WIDE])
{
  double inverse[GSCALE__WIDE][GSCALE__WIDE] = {{0.0}}; /* [row][column] */

  for (size_t j = 0; j < k; j++)
    for (size_t i = j + 1; i-- > 0;) {
      double sum = i == j ? 1.0 : 0.0;
      for (size_t l = i + 1; l <= j; l++) sum -= s->at[l][i] * inverse[l][j];
      inverse[i][j] = sum / s->at[i][i];
    }
  for (size_t i = 0; i < k; i++)
    for (size_t j = 0; j < k; j++)
      v[i][j] = gscale__dot(inverse[i], inverse[j], k);
}

/* Fills the errors, limits and correlations of the coefficients. */
static void errors(gscale__problem *b, gscale_fit *out)
{
  const size_t m = b->m, extra = b->slope_known ? 1 : 0;
  const size_t k = gscale__count_set(b->free, m);
  size_t which[GSCALE__WIDE], at = 0;
  double kept, v[GSCALE__WIDE][GSCALE__WIDE];
  gscale__triangle t, s;

  const double spread = gscale__problem_spread(b, k + extra, &kept);
  /* A clipped residual says little about the scatter (simulated in t_fit.c). */
  const double freedom = fmax(1.0, kept * (double)b->n - (double)(k + extra));
  const double two_sided = gsl_cdf_tdist_Pinv(0.975, freedom);
  const double one_sided = gsl_cdf_tdist_Pinv(0.95, freedom);
  triangle_of(b, NULL, b->n, &t);
  const double all = sqrt(gscale__dot(t.at[m], t.at[m], GSCALE__WIDE));

  for (size_t j = 0; j < m; j++)
    if (b->free[j]) which[at++] = j;
  if (extra) which[at++] = m + 1;
  at = gscale__choose(&t, which, at, &s); /* drops p if p is dependent */
  covariance(&s, at, v);

  for (size_t j = 0; j < m; j++) {
    out->value[j] = b->unit[j] > 0.0 ? b->c[j] / b->unit[j] : 0.0;
    out->correlation[j][j] = 1.0;
    /* A coefficient is unknown if its error can be as large as its value in a
     * fit of y by its column alone. */
    out->unknown[j] =
        b->unit[j] == 0.0 ||
        !(distance_of(&t, m, j) > fmax(spread / all, GSCALE__DEPENDENT));
    out->bound[j] = !b->free[j] && !out->unknown[j];
    if (out->unknown[j]) {
      out->err[j] = out->limit[j] = INFINITY;
    } else if (out->bound[j]) {
      which[at] = j;
      out->limit[j] = gscale__choose(&t, which, at + 1, &s) > at
                          ? one_sided * spread / fabs(s.at[at][at]) / b->unit[j]
                          : INFINITY;
    }
  }
  for (size_t i = 0; i < k; i++) {
    const size_t j = which[i];
    for (size_t l = 0; l < k; l++)
      out->correlation[j][which[l]] =
          i == l ? 1.0 : v[i][l] / sqrt(v[i][i] * v[l][l]);
    if (out->unknown[j]) continue;
    out->err[j] = spread * sqrt(v[i][i]) / b->unit[j];
    out->limit[j] = out->value[j] + two_sided * out->err[j];
  }
}

/* Returns model/y - 1 of point i from a fit of all others, equally weighted. */
static double leave_one_out(gscale__problem *b, size_t i)
{
  double c[GSCALE_FIT_MAX], f = 0.0;
  bool free[GSCALE_FIT_MAX];
  gscale__triangle t;

  triangle_of(b, b->weight, i, &t);
  gscale__nonnegative(&t, b->m, c, free);
  for (size_t j = 0; j < b->m; j++) f += c[j] * b->a[j * b->n + i];
  return f / b->q[i] - 1.0;
}

/* Returns the mean error of points left out of the fit if the same coefficients
 * stay free.  Each residual of a point that is left out grows by 1/(1 -
 * leverage). */
static double leave_out_by_leverage(gscale__problem *b)
{
  size_t which[GSCALE__WIDE], k = 0;
  double sum = 0.0;
  gscale__triangle t, s;

  triangle_of(b, b->weight, b->n, &t);
  for (size_t j = 0; j < b->m; j++)
    if (b->free[j]) which[k++] = j;
  gscale__choose(&t, which, k, &s);
  for (size_t i = 0; i < b->n; i++) {
    double u[GSCALE__WIDE], leverage = 0.0; /* |row S^-1|^2 */
    for (size_t j = 0; j < k; j++) {
      u[j] = b->a[which[j] * b->n + i] * b->weight[i] / b->under[i];
      for (size_t l = 0; l < j; l++) u[j] -= s.at[j][l] * u[l];
      u[j] /= s.at[j][j];
      leverage += u[j] * u[j];
    }
    sum += leverage < 1.0 - GSCALE__DEPENDENT
               ? fabs(b->model[i] - 1.0) / (1.0 - leverage)
               : 1.0; /* no other point determines the coefficient */
  }
  return sum / (double)b->n;
}

static void residuals(gscale__problem *b, gscale_fit *out)
{
  const size_t n = b->n;
  double sum = 0.0, last = INFINITY;
  size_t at = 0;

  for (size_t i = 0; i < n; i++) {
    const double off = b->model[i] - 1.0;
    sum += fabs(off);
    if (fabs(off) > fabs(out->worst)) out->worst = off;
  }
  out->mean_abs = sum / (double)n;

  while (out->outliers <
         GSCALE_OUTLIERS_MAX) { /* adds the next largest outlier */
    size_t next = n;
    for (size_t i = 0; i < n; i++) {
      const double r = fabs(b->r[i]);
      if (!(r > FAR * b->scale) || r > last || (r == last && i <= at)) continue;
      if (next == n || r > fabs(b->r[next])) next = i;
    }
    if (next == n) break;
    out->outlier[out->outliers++] = at = next;
    last = fabs(b->r[next]);
  }

  double *bare = b->work + n; /* residuals without precision */
  for (size_t i = 0; i < n; i++) bare[i] = b->r[i] / b->q[i];
  out->scatter = scale_of(bare, n, gscale__count_set(b->free, b->m), b->work);
}

void gscale__problem_report(gscale__problem *b, gscale_fit *out)
{
  gscale_fit f = {.points = b->n, .terms = b->m};
  double sum = 0.0;

  errors(b, &f);
  residuals(b, &f);
  b->slope_known = false;
  if (b->n > REFIT_MAX) {
    f.left_out = leave_out_by_leverage(b);
  } else {
    for (size_t i = 0; i < b->n; i++) sum += fabs(leave_one_out(b, i));
    f.left_out = sum / (double)b->n;
  }
  *out = f;
}

/* ---- linear fits --------------------------------------------------------- */

typedef struct rows {
  const double *x;
  size_t terms;
} rows;

static void row_of(void *closure, size_t i, double p, double *row)
{
  const rows *r = closure;
  (void)p;
  memcpy(row, r->x + i * r->terms, r->terms * sizeof *row);
}

gscale_status gscale_fit_linear(const double *x, const double *y,
                                const double *sigma, size_t points,
                                size_t terms, double floor, gscale_fit *out,
                                gscale_diag *diag)
{
  rows r = {x, terms};
  gscale__problem b = {.columns = row_of, .closure = &r};
  gscale_status st =
      gscale__problem_check(y, sigma, points, terms, floor, diag);

  if (st == GSCALE_OK)
    st = gscale__problem_take(&b, y, sigma, points, terms, floor, diag);
  if (st == GSCALE_OK) st = gscale__problem_fill(&b, 0.0, diag);
  if (st == GSCALE_OK) {
    gscale__problem_iterate(&b);
    gscale__problem_report(&b, out);
  }
  free(b.a);
  return st;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
