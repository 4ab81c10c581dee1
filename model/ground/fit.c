/* fit.c - non-negative coefficients, with errors, from measurements.
 *
 * Inside, nothing has a unit.  Point i is divided by y_i and weighed by its
 * precision q_i (1 for the best point), column j is divided by its norm:
 *
 *   a_ij = q_i x_ij / (y_i unit_j)         model_i = y_i sum_j c_j a_ij / q_i
 *
 * so that a fit is one of 1 by numbers near 1, whatever is measured.
 *
 * Residuals are taken relative to the model, not to y: points that came out
 * low would otherwise weigh more, and with errors of 10 % all coefficients
 * come out 2 % low, which is more than their standard error for 40 points. */

#include "ground/ground.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum {
  WIDE = GSCALE_FIT_MAX + 2, /* columns: coefficients, y, slope in p */
  ITERATIONS = 500,          /* of the weights */
  SETTLE = 400,   /* thereafter scale and denominators stay: it converges */
  REFIT_MAX = 200 /* points up to which each is left out by a fit of its own */
};

static const double HUBER = 1.345;        /* in scales; [Huber64] */
static const double MAD = 0.674489750196; /* median of |x|, x standard normal */
static const double FAR = 5.0;            /* scales of an outlier */
static const double LEAST = 0.25;         /* denominator, of y */
static const double DEPENDENT = 1e-9; /* of a column, apart from the others */
static const double TINY = 1e-14;     /* relative: rounding */
static const double CONVERGED = 1e-12;

/* ---- least squares ------------------------------------------------------ */

/* Upper triangle T with T'T = A'A, column after column. */
typedef struct triangle {
  double at[WIDE][WIDE]; /* [column][row] */
} triangle;

/* T of the columns of `a`, which lie `rows` apart; by reflections
 * (Householder), which destroy a. */
static void reduce(double *a, size_t rows, size_t columns, triangle *t)
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

static double dot_of(const double *a, const double *b, size_t n)
{
  double sum = 0.0;
  for (size_t i = 0; i < n; i++) sum += a[i] * b[i];
  return sum;
}

/* The triangle of the k columns named by `which`.  Returns how many of them
 * come before the first that is, to rounding, a combination of those before. */
static size_t choose(const triangle *t, const size_t *which, size_t k,
                     triangle *out)
{
  double a[WIDE * WIDE];
  size_t j = 0;

  for (size_t l = 0; l < k; l++)
    memcpy(a + l * WIDE, t->at[which[l]], sizeof t->at[0]);
  reduce(a, WIDE, k, out);
  while (j < k && fabs(out->at[j][j]) >
                      DEPENDENT * sqrt(dot_of(out->at[j], out->at[j], j + 1)))
    j++;
  return j;
}

/* Least squares on the columns in `free`, the others 0; y is column m.  False,
 * z undefined, if they are dependent. */
static bool solve(const triangle *t, size_t m, const bool *free, double *z)
{
  size_t which[WIDE], k = 0;
  double x[GSCALE_FIT_MAX];
  triangle s;

  for (size_t j = 0; j < m; j++) {
    z[j] = 0.0;
    if (free[j]) which[k++] = j;
  }
  which[k] = m;
  if (choose(t, which, k + 1, &s) < k) return false;
  for (size_t i = k; i-- > 0;) {
    x[i] = s.at[k][i];
    for (size_t j = i + 1; j < k; j++) x[i] -= s.at[j][i] * x[j];
    x[i] /= s.at[i][i];
    z[which[i]] = x[i];
  }
  return true;
}

/* From c towards z, as far as no coefficient turns negative; the one that
 * would is set to 0 and leaves `free`. */
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

/* The coefficient at 0 that lowers the sum of squares fastest; m if none. */
static size_t steepest(const triangle *t, size_t m, const double *c,
                       const bool *free, const bool *barred)
{
  double left[WIDE], most = 0.0;
  size_t best = m;

  memcpy(left, t->at[m], sizeof left);
  for (size_t j = 0; j < m; j++)
    for (size_t i = 0; i <= j; i++) left[i] -= c[j] * t->at[j][i];
  const double size = sqrt(dot_of(t->at[m], t->at[m], WIDE));
  for (size_t j = 0; j < m; j++) {
    if (free[j] || barred[j]) continue;
    const double norm = sqrt(dot_of(t->at[j], t->at[j], WIDE));
    const double fall = norm > 0.0 ? dot_of(t->at[j], left, WIDE) / norm : 0.0;
    if (fall > TINY * size && fall > most) {
      most = fall;
      best = j;
    }
  }
  return best;
}

/* min |y - sum_j c_j column_j|, c >= 0  [LawsonHanson74, algorithm NNLS]; c is
 * zero where not free. */
static void nnls(const triangle *t, size_t m, double *c, bool *free)
{
  bool barred[GSCALE_FIT_MAX] = {false};
  double z[GSCALE_FIT_MAX];
  size_t j;

  for (size_t k = 0; k < m; k++) {
    c[k] = 0.0;
    free[k] = false;
  }
  /* Each round lowers the sum, so that no set of free columns comes twice;
   * the count only guards against rounding. */
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
  triangle t;

  reduce(a, rows, m + 1, &t);
  nnls(&t, m, c, free);
}

/* ---- the problem -------------------------------------------------------- */

typedef void columns_fn(void *closure, size_t i, double p, double *row);

typedef struct problem {
  size_t n, m;
  columns_fn *columns;
  void *closure;
  const double *y;
  double unit[GSCALE_FIT_MAX]; /* norm of x_ij q_i / y_i; 0: column is empty */
  double *a;                   /* m columns of n */
  double *q;                   /* precision of each point, 1 for the best */
  double *model;               /* model / y */
  double *under;               /* denominator / y */
  double *r;                   /* residual q (y - model) / denominator */
  double *weight;              /* root of Huber's */
  double *slope; /* d model / d p, in the units of r, while slope_known */
  double *work;  /* m + 2 columns of n */
  double scale;  /* of r, robust */
  bool held;     /* scale and under stay as they are */
  bool slope_known;
  double least, most;       /* of p */
  double c[GSCALE_FIT_MAX]; /* of a */
  bool free[GSCALE_FIT_MAX];
} problem;

/* Domain of all that does not depend on p. */
static gscale_status check(const double *y, const double *sigma, size_t n,
                           size_t m, double floor, gscale_diag *diag)
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

static gscale_status take(problem *b, const double *y, const double *sigma,
                          size_t n, size_t m, double floor, gscale_diag *diag)
{
  const size_t columns = 2 * m + 8; /* a, six of one each, work */
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

/* The columns at p. */
static gscale_status fill(problem *b, double p, gscale_diag *diag)
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
    for (size_t i = 0; i < n; i++) a[i] /= most[j]; /* squares stay finite */
    const double norm = sqrt(dot_of(a, a, n));
    for (size_t i = 0; i < n; i++) a[i] /= norm;
    b->unit[j] = norm * most[j];
    any = true;
  }
  if (!any)
    return gscale__fail(diag, GSCALE_EDATA, "every column is 0 at all points");
  return GSCALE_OK;
}

/* Triangle of the columns and y (column m), of the slope too if known. */
static void triangle_of(problem *b, const double *weight, size_t skip,
                        triangle *t)
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
  reduce(b->work, rows, columns, t);
}

/* Model and residuals of c. */
static void judge(problem *b)
{
  for (size_t i = 0; i < b->n; i++) {
    double f = 0.0;
    for (size_t j = 0; j < b->m; j++) f += b->c[j] * b->a[j * b->n + i];
    b->model[i] = f / b->q[i];
    if (!b->held) b->under[i] = fmax(b->model[i], LEAST);
    b->r[i] = b->q[i] * (1.0 - b->model[i]) / b->under[i];
  }
}

static size_t count(const bool *set, size_t m)
{
  size_t k = 0;
  for (size_t j = 0; j < m; j++) k += set[j];
  return k;
}

/* Median of |r|, not counting the residuals that the k coefficients can make
 * zero, as the scale of a normal distribution. */
static double scale_of(const double *r, size_t n, size_t k, double *work)
{
  const size_t first = k > 1 ? k - 1 : 0, left = n - first;

  for (size_t i = 0; i < n; i++) work[i] = fabs(r[i]);
  const double low = gsl_stats_select(work, 1, n, first + (left - 1) / 2);
  const double high = gsl_stats_select(work, 1, n, first + left / 2);
  return fmax(0.5 * (low + high) / MAD, TINY);
}

/* Coefficients of the columns as they are; weights to a fixed point. */
static void iterate(problem *b)
{
  const bool held = b->held;
  double old[GSCALE_FIT_MAX] = {0.0};
  triangle t;

  for (size_t i = 0; i < b->n; i++) {
    b->weight[i] = 1.0;
    if (!held) b->under[i] = 1.0;
  }
  for (int round = 0; round < ITERATIONS; round++) {
    double change = 0.0, size = 0.0;
    triangle_of(b, b->weight, b->n, &t);
    nnls(&t, b->m, b->c, b->free);
    for (size_t j = 0; j < b->m; j++) {
      change = fmax(change, fabs(b->c[j] - old[j]));
      size = fmax(size, b->c[j]);
      old[j] = b->c[j];
    }
    b->held = held || round >= SETTLE;
    judge(b);
    if (!b->held)
      b->scale = scale_of(b->r, b->n, count(b->free, b->m), b->work);
    if (change <= CONVERGED * size) break;
    for (size_t i = 0; i < b->n; i++)
      b->weight[i] = sqrt(fmin(1.0, HUBER * b->scale / fabs(b->r[i])));
  }
  b->held = held;
}

/* ---- what the data say -------------------------------------------------- */

/* Distance of column j from all the others together, 0 .. its norm. */
static double apart(const triangle *t, size_t m, size_t j)
{
  double base[GSCALE_FIT_MAX][WIDE];
  size_t k = 0;

  for (size_t turn = 0; turn < m; turn++) {
    const size_t from = turn + 1 < m ? (turn < j ? turn : turn + 1) : j;
    double *v = base[k];
    memcpy(v, t->at[from], sizeof base[0]);
    const double norm = sqrt(dot_of(v, v, WIDE));
    for (int twice = 0; twice < 2; twice++)
      for (size_t l = 0; l < k; l++) {
        const double along = dot_of(v, base[l], WIDE);
        for (size_t i = 0; i < WIDE; i++) v[i] -= along * base[l][i];
      }
    const double left = sqrt(dot_of(v, v, WIDE));
    if (from == j) return left;
    if (left <= DEPENDENT * norm) continue;
    for (size_t i = 0; i < WIDE; i++) v[i] /= left;
    k++;
  }
  return 0.0;
}

/* Standard deviation of the residuals as it enters the errors, with n - k
 * degrees of freedom ([Huber81] section 7.6); *kept is the share not clipped.
 */
static double spread_of(const problem *b, size_t k, double *kept)
{
  const double n = (double)b->n, most = HUBER * b->scale;
  double square = 0.0, inside = 0.0;

  for (size_t i = 0; i < b->n; i++) {
    const double r = fmin(fabs(b->r[i]), most);
    square += r * r;
    inside += fabs(b->r[i]) <= most;
  }
  *kept = fmax(inside, 1.0) / n; /* 0 if the scale held is that of rounding */
  const double small = 1.0 + (double)k / n * (1.0 - *kept) / *kept;
  return small * sqrt(square / (n - (double)k)) / *kept;
}

/* Covariance, per unit of variance, of the k columns of s. */
static void covariance(const triangle *s, size_t k, double v[WIDE][WIDE])
{
  double inverse[WIDE][WIDE] = {{0.0}}; /* [row][column] */

  for (size_t j = 0; j < k; j++)
    for (size_t i = j + 1; i-- > 0;) {
      double sum = i == j ? 1.0 : 0.0;
      for (size_t l = i + 1; l <= j; l++) sum -= s->at[l][i] * inverse[l][j];
      inverse[i][j] = sum / s->at[i][i];
    }
  for (size_t i = 0; i < k; i++)
    for (size_t j = 0; j < k; j++) v[i][j] = dot_of(inverse[i], inverse[j], k);
}

/* Errors, limits, correlations. */
static void errors(problem *b, gscale_fit *out)
{
  const size_t m = b->m, extra = b->slope_known ? 1 : 0;
  const size_t k = count(b->free, m);
  size_t which[WIDE], at = 0;
  double kept, v[WIDE][WIDE];
  triangle t, s;

  const double spread = spread_of(b, k + extra, &kept);
  /* A clipped residual says little about the scatter; t_fit.c simulates it. */
  const double freedom = fmax(1.0, kept * (double)b->n - (double)(k + extra));
  const double two_sided = gsl_cdf_tdist_Pinv(0.975, freedom);
  const double one_sided = gsl_cdf_tdist_Pinv(0.95, freedom);
  triangle_of(b, NULL, b->n, &t);
  const double all = sqrt(dot_of(t.at[m], t.at[m], WIDE));

  for (size_t j = 0; j < m; j++)
    if (b->free[j]) which[at++] = j;
  if (extra) which[at++] = m + 1;
  at = choose(&t, which, at, &s); /* without p, if it does as they do */
  covariance(&s, at, v);

  for (size_t j = 0; j < m; j++) {
    out->value[j] = b->unit[j] > 0.0 ? b->c[j] / b->unit[j] : 0.0;
    out->correlation[j][j] = 1.0;
    /* Can its error be as large as if it made up all of y alone? */
    out->unknown[j] =
        b->unit[j] == 0.0 || !(apart(&t, m, j) > fmax(spread / all, DEPENDENT));
    out->bound[j] = !b->free[j] && !out->unknown[j];
    if (out->unknown[j]) {
      out->err[j] = out->limit[j] = INFINITY;
    } else if (out->bound[j]) {
      which[at] = j;
      out->limit[j] = choose(&t, which, at + 1, &s) > at
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

/* model/y - 1 of point i by a fit to the others, with the same weights. */
static double without(problem *b, size_t i)
{
  double c[GSCALE_FIT_MAX], f = 0.0;
  bool free[GSCALE_FIT_MAX];
  triangle t;

  triangle_of(b, b->weight, i, &t);
  nnls(&t, b->m, c, free);
  for (size_t j = 0; j < b->m; j++) f += c[j] * b->a[j * b->n + i];
  return f / b->q[i] - 1.0;
}

/* The same for all points, had the same coefficients stayed free: residuals
 * grow by 1/(1 - leverage). */
static double left_out_quickly(problem *b)
{
  size_t which[WIDE], k = 0;
  double sum = 0.0;
  triangle t, s;

  triangle_of(b, b->weight, b->n, &t);
  for (size_t j = 0; j < b->m; j++)
    if (b->free[j]) which[k++] = j;
  choose(&t, which, k, &s);
  for (size_t i = 0; i < b->n; i++) {
    double u[WIDE], leverage = 0.0; /* |row S^-1|^2 */
    for (size_t j = 0; j < k; j++) {
      u[j] = b->a[which[j] * b->n + i] * b->weight[i] / b->under[i];
      for (size_t l = 0; l < j; l++) u[j] -= s.at[j][l] * u[l];
      u[j] /= s.at[j][j];
      leverage += u[j] * u[j];
    }
    sum += leverage < 1.0 - DEPENDENT
               ? fabs(b->model[i] - 1.0) / (1.0 - leverage)
               : 1.0; /* alone it tells a coefficient: not predicted at all */
  }
  return sum / (double)b->n;
}

static void residuals(problem *b, gscale_fit *out)
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

  while (out->outliers < GSCALE_OUTLIERS_MAX) { /* the next largest */
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

  double *bare = b->work + n; /* residuals whatever their precision */
  for (size_t i = 0; i < n; i++) bare[i] = b->r[i] / b->q[i];
  out->scatter = scale_of(bare, n, count(b->free, b->m), b->work);
}

static void report(problem *b, gscale_fit *out)
{
  gscale_fit f = {.points = b->n, .terms = b->m};
  double sum = 0.0;

  errors(b, &f);
  residuals(b, &f);
  b->slope_known = false;
  if (b->n > REFIT_MAX) {
    f.left_out = left_out_quickly(b);
  } else {
    for (size_t i = 0; i < b->n; i++) sum += fabs(without(b, i));
    f.left_out = sum / (double)b->n;
  }
  *out = f;
}

/* ---- linear ------------------------------------------------------------- */

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
  problem b = {.columns = row_of, .closure = &r};
  gscale_status st = check(y, sigma, points, terms, floor, diag);

  if (st == GSCALE_OK) st = take(&b, y, sigma, points, terms, floor, diag);
  if (st == GSCALE_OK) st = fill(&b, 0.0, diag);
  if (st == GSCALE_OK) {
    iterate(&b);
    report(&b, out);
  }
  free(b.a);
  return st;
}

/* ---- one parameter inside ----------------------------------------------- */

static const int GRID = 64, GOLDEN = 60, BISECT = 50;
static const double NEAR = 1e-6; /* an end of the range, in steps of the grid */

static double p_of(const problem *b, double u)
{
  return u <= log(b->least)  ? b->least /* exp may be off by a bit */
         : u >= log(b->most) ? b->most
                             : exp(u);
}

/* Fits at exp(u).  *loss is Huber's, in the scale that is held, or the sum of
 * |r| if none is; without any column it is infinite. */
static gscale_status try_at(problem *b, double u, double *loss,
                            gscale_diag *diag)
{
  const gscale_status st = fill(b, p_of(b, u), diag);
  const double most = HUBER * b->scale;
  double sum = 0.0;

  *loss = INFINITY;
  if (st != GSCALE_OK) return st == GSCALE_EDATA ? GSCALE_OK : st;
  iterate(b);
  for (size_t i = 0; i < b->n; i++) {
    const double r = fabs(b->r[i]);
    sum += !b->held ? r : r <= most ? r * r : most * (2.0 * r - most);
  }
  *loss = sum;
  return GSCALE_OK;
}

/* Least loss between low and high, both in log p. */
typedef struct span {
  double low, high, step;
  double best, loss;
} span;

static gscale_status scan(problem *b, span *s, gscale_diag *diag)
{
  s->loss = INFINITY;
  for (int k = 0; k < GRID; k++) {
    const double u = k + 1 < GRID ? s->low + k * s->step : s->high;
    double loss;
    const gscale_status st = try_at(b, u, &loss, diag);
    if (st != GSCALE_OK) return st;
    if (loss < s->loss) {
      s->loss = loss;
      s->best = u;
    }
  }
  return GSCALE_OK;
}

/* By golden section, within one step of s->best. */
static gscale_status refine(problem *b, span *s, gscale_diag *diag)
{
  const double g = 0.5 * (sqrt(5.0) - 1.0);
  double left = fmax(s->low, s->best - s->step);
  double right = fmin(s->high, s->best + s->step);
  double u[2] = {right - g * (right - left), left + g * (right - left)};
  double loss[2];
  gscale_status st = try_at(b, u[0], &loss[0], diag);
  if (st == GSCALE_OK) st = try_at(b, u[1], &loss[1], diag);

  for (int k = 0; k < GOLDEN && st == GSCALE_OK; k++) {
    const int keep = loss[1] < loss[0]; /* the one that stays inside */
    if (loss[keep] < s->loss) {
      s->loss = loss[keep];
      s->best = u[keep];
    }
    *(keep ? &left : &right) = u[!keep];
    u[!keep] = u[keep];
    loss[!keep] = loss[keep];
    u[keep] = keep ? left + g * (right - left) : right - g * (right - left);
    st = try_at(b, u[keep], &loss[keep], diag);
  }
  return st;
}

/* Where, from s->best towards `end`, the loss first exceeds `most`; *found is
 * false if it never does. */
static gscale_status crossing(problem *b, const span *s, double end,
                              double most, double *u, bool *found,
                              gscale_diag *diag)
{
  const double step = copysign(s->step, end - s->best);
  double in = s->best, loss;
  gscale_status st;

  *u = end;
  for (*found = false; !*found && in != end;) {
    *u = fabs(end - in) > s->step ? in + step : end;
    if ((st = try_at(b, *u, &loss, diag)) != GSCALE_OK) return st;
    if (loss > most)
      *found = true;
    else
      in = *u;
  }
  for (int k = 0; k < BISECT && *found; k++) {
    const double middle = 0.5 * (in + *u);
    if ((st = try_at(b, middle, &loss, diag)) != GSCALE_OK) return st;
    *(loss > most ? u : &in) = middle;
  }
  return GSCALE_OK;
}

/* Where the loss has risen by the variance of the residuals: half of both
 * sides, or one side if the other has no end, or infinite. */
static gscale_status error_of_p(problem *b, const span *s, double *err,
                                gscale_diag *diag)
{
  const double p = p_of(b, s->best);
  double kept, left, right;
  bool is_left, is_right;
  const double spread = spread_of(b, count(b->free, b->m) + 1, &kept);
  const double most = s->loss + kept * spread * spread;
  gscale_status st = crossing(b, s, s->low, most, &left, &is_left, diag);

  if (st == GSCALE_OK)
    st = crossing(b, s, s->high, most, &right, &is_right, diag);
  if (st != GSCALE_OK) return st;
  left = p - exp(left);
  right = exp(right) - p;
  *err = is_left && is_right ? 0.5 * (left + right)
         : is_left           ? left
         : is_right          ? right
                             : (double)INFINITY;
  return GSCALE_OK;
}

/* d model / d log p, over one error of p to both sides. */
static void slope_in_p(problem *b, double p, double low, double high)
{
  for (size_t i = 0; i < b->n; i++) {
    double below[GSCALE_FIT_MAX], above[GSCALE_FIT_MAX], sum = 0.0;
    b->columns(b->closure, i, low, below);
    b->columns(b->closure, i, high, above);
    for (size_t j = 0; j < b->m; j++)
      if (b->unit[j] > 0.0)
        sum += b->c[j] * ((above[j] - below[j]) / b->y[i] / b->unit[j]);
    b->slope[i] = b->q[i] * sum * (p / (high - low));
  }
  b->slope_known = true;
}

static gscale_status project(problem *b, double *p, double *p_err,
                             gscale_fit *out, gscale_diag *diag)
{
  span s = {.low = log(b->least), .high = log(b->most)};
  gscale_status st;
  double err;

  s.step = (s.high - s.low) / (GRID - 1);
  if ((st = scan(b, &s, diag)) != GSCALE_OK) return st;
  if (s.loss == INFINITY) return GSCALE_EDATA; /* diag is fill's */
  for (int round = 0; round < 2; round++) {
    /* scale and denominators of the best so far, for all p alike */
    b->held = false;
    if ((st = try_at(b, s.best, &s.loss, diag)) != GSCALE_OK) return st;
    b->held = true;
    if ((st = scan(b, &s, diag)) != GSCALE_OK) return st;
    if ((st = refine(b, &s, diag)) != GSCALE_OK) return st;
  }

  if (s.best - s.low < NEAR * s.step) s.best = s.low;
  if (s.high - s.best < NEAR * s.step) s.best = s.high;
  const bool at_end = s.best == s.low || s.best == s.high;
  const double at = p_of(b, s.best);
  if ((st = try_at(b, s.best, &s.loss, diag)) != GSCALE_OK) return st;
  if ((st = error_of_p(b, &s, &err, diag)) != GSCALE_OK) return st;
  if (at_end && isfinite(err)) err = 0.0;
  b->held = false;
  if ((st = try_at(b, s.best, &s.loss, diag)) != GSCALE_OK) return st;
  if (err > 0.0)
    slope_in_p(b, at, fmax(b->least, at - err), fmin(b->most, at + err));
  report(b, out);
  *p = at;
  *p_err = err;
  return GSCALE_OK;
}

gscale_status gscale_fit_projected(
    void (*columns)(void *closure, size_t i, double p, double *row),
    void *closure, const double *y, const double *sigma, size_t points,
    size_t terms, double floor, double least, double most, double *p,
    double *p_err, gscale_fit *out, gscale_diag *diag)
{
  problem b = {
      .columns = columns, .closure = closure, .least = least, .most = most};
  gscale_status st = check(y, sigma, points, terms, floor, diag);

  if (st == GSCALE_OK && points < terms + 2)
    st = gscale__fail(diag, GSCALE_EDATA,
                      "%zu points; %zu coefficients and one inside need more",
                      points, terms);
  if (st == GSCALE_OK && (!(least > 0.0) || !(most > least) || !isfinite(most)))
    st = gscale__fail(diag, GSCALE_EDOMAIN, "range %g .. %g to search", least,
                      most);
  if (st == GSCALE_OK) st = take(&b, y, sigma, points, terms, floor, diag);
  if (st == GSCALE_OK) st = project(&b, p, p_err, out, diag);
  free(b.a);
  return st;
}
