/* t_fit.c - fit.c against hand calculation, GSL, and the truth of made-up data.
 *
 * fit.c is compiled into this program, so that its allocation can be made to
 * fail and its parts can be tested alone. */

#include <stddef.h>
#include <stdlib.h>

static int no_memory;

static void *malloc_if_allowed(size_t size)
{
  return no_memory ? NULL : malloc(size);
}

#define malloc malloc_if_allowed
#include "ground/fit.c"
#undef malloc

#include "random.h"

#include <gsl/gsl_multifit.h>
#include <gsl/gsl_sort.h>
#include <gsl/gsl_test.h>

enum {
  POINTS_MAX = 400,
  TERMS_MAX = 4
};

static const double PI = 3.14159265358979323846;

/* ---- made-up data -------------------------------------------------------- */

static double normal(rng *r)
{
  const double u = uniform(r, 0, 1), v = uniform(r, 0, 1);
  return sqrt(-2 * log1p(-u)) * cos(2 * PI * v);
}

typedef enum tail {
  NORMAL,
  STUDENT, /* of 5 degrees of freedom, variance 1 */
  MIXED,   /* one in twenty is three times as wide */
  TAIL_END
} tail;

static const char *const tail_name[TAIL_END] = {"normal", "Student-5", "mixed"};

static double noise_of(rng *r, tail kind)
{
  double sum = 0;

  if (kind == MIXED) return uniform(r, 0, 1) < 0.05 ? 3 * normal(r) : normal(r);
  if (kind == NORMAL) return normal(r);
  for (int i = 0; i < 5; i++) sum += pow(normal(r), 2);
  return normal(r) / sqrt(sum / 3);
}

typedef struct sample {
  size_t n, m;
  double c[TERMS_MAX]; /* the truth */
  double x[POINTS_MAX * TERMS_MAX], y[POINTS_MAX];
} sample;

/* Multiplies every time by 1 + noise times a random number. */
static void shake(sample *s, rng *r, double noise, tail kind)
{
  for (size_t i = 0; i < s->n; i++)
    s->y[i] *= fmax(0.05, 1 + noise * noise_of(r, kind));
}

/* Time of a transfer of 4 KiB .. 256 MiB with 1 to 8 chunks: latency, time per
 * byte, time per chunk; at most 3 terms, of sizes 1e-6, 1e-12 and 1e-7. */
static void make(sample *s, rng *r, size_t n, size_t m, double noise, tail kind)
{
  s->n = n;
  s->m = m;
  s->c[0] = spread(r, 1e-7, 1e-5);
  s->c[1] = spread(r, 1e-13, 1e-11);
  s->c[2] = spread(r, 1e-7, 1e-6);
  for (size_t i = 0; i < n; i++) {
    const double row[3] = {1, 4096 * pow(65536, (double)i / ((double)n - 1)),
                           1 + pick(r, 8)};
    s->y[i] = 0;
    for (size_t j = 0; j < m; j++) {
      s->x[i * m + j] = row[j];
      s->y[i] += s->c[j] * row[j];
    }
  }
  shake(s, r, noise, kind);
}

/* The same with random numbers of points and terms, and 1 to 10 % noise. */
static void make_some(sample *s, rng *r, size_t least, size_t most, tail kind)
{
  const size_t n = least + (size_t)pick(r, (int)(most - least) + 1);
  const size_t m = 1 + (size_t)pick(r, 3);
  const double noise = spread(r, 0.01, 0.1);
  make(s, r, n, m, noise, kind);
}

/* The same with 3 terms, of which the third is 0. */
static void make_zero(sample *s, rng *r, size_t n, double noise, tail kind)
{
  make(s, r, n, 3, 0, kind);
  for (size_t i = 0; i < n; i++) s->y[i] -= s->c[2] * s->x[i * 3 + 2];
  s->c[2] = 0;
  shake(s, r, noise, kind);
}

static gscale_fit fit(const sample *s)
{
  gscale_fit f = {.points = 0};
  gscale_diag diag = {""};
  const gscale_status st =
      gscale_fit_linear(s->x, s->y, NULL, s->n, s->m, 0, &f, &diag);
  if (st != GSCALE_OK) gsl_test(1, "fit of a sample: %s", diag.text);
  return f;
}

/* ---- by hand ------------------------------------------------------------- */

static void mean_by_hand(void)
{
  /* 3 us (1 + off), off = -.02 .02 -.03 .03 0: the mean; nothing is clipped,
   * for the median of |off| is .02, the scale .02/.6745 = .0297, 1.345 scales
   * .0399.  Error sqrt(sum off^2 / 4 / 5) = sqrt(.0026/20); t(.975, 4) =
   * 2.7764451.  Without a point the mean of the others is 3 us (1 - off/4). */
  const double off[] = {-0.02, 0.02, -0.03, 0.03, 0};
  const double x[] = {1, 1, 1, 1, 1};
  double y[5], mean_abs = 0, left_out = 0;
  gscale_fit f;

  for (int i = 0; i < 5; i++) {
    y[i] = 3e-6 * (1 + off[i]);
    mean_abs += fabs(1 / (1 + off[i]) - 1) / 5;
    left_out += fabs((1 - off[i] / 4) / (1 + off[i]) - 1) / 5;
  }
  gsl_test_int((int)gscale_fit_linear(x, y, NULL, 5, 1, 0, &f, NULL), GSCALE_OK,
               "mean: fits");
  gsl_test_rel(f.value[0], 3e-6, 1e-13, "mean: value");
  gsl_test_rel(f.err[0], 3e-6 * sqrt(0.0026 / 20), 1e-10, "mean: error");
  gsl_test_rel(f.limit[0], 3e-6 + 2.7764451 * f.err[0], 1e-8, "mean: limit");
  gsl_test_rel(f.scatter, 0.02 / 0.6744897502, 1e-9, "mean: scatter");
  gsl_test_rel(f.mean_abs, mean_abs, 1e-12, "mean: mean_abs");
  gsl_test_rel(f.left_out, left_out, 1e-12, "mean: left_out");
  gsl_test_rel(f.worst, 1 / 0.97 - 1, 1e-12, "mean: worst");
  gsl_test(f.bound[0] || f.unknown[0], "mean: known and free");
  gsl_test_int((int)f.points, 5, "mean: points");
  gsl_test_int((int)f.terms, 1, "mean: terms");
  gsl_test_int((int)f.outliers, 0, "mean: no outliers");
}

static void precision_by_hand(void)
{
  /* relative errors 1 1 4 %: weights 1 1 1/16; the residuals 0.6 0.4 and
   * 3.4/4 % do not reach 1.345 * 0.6/0.6745.  A floor of 4 % evens them out. */
  const double x[] = {1, 1, 1}, y[] = {1, 1.01, 1.04};
  const double sigma[] = {0.01, 0.0101, 0.0416};
  gscale_fit f;

  gscale_fit_linear(x, y, sigma, 3, 1, 0, &f, NULL);
  gsl_test_rel(f.value[0], (1 + 1.01 + 1.04 / 16) / (2 + 1.0 / 16), 1e-12,
               "precision: weighted mean");
  gsl_test_rel(f.scatter, (1 - 1 / f.value[0]) / 0.6744897502, 1e-9,
               "precision: scatter is that of the points");
  gscale_fit_linear(x, y, sigma, 3, 1, 0.04, &f, NULL);
  gsl_test_rel(f.value[0], 3.05 / 3, 1e-12, "precision: floor");
}

static void exact(void)
{
  rng r = {4711};
  sample s;

  for (int k = 0; k < 200; k++) {
    make_some(&s, &r, 4, 43, NORMAL);
    make(&s, &r, s.n, s.m, 0, NORMAL);
    const gscale_fit f = fit(&s);
    for (size_t j = 0; j < s.m; j++) {
      if (f.unknown[j]) continue; /* every sample has the same chunks */
      gsl_test_rel(f.value[j], s.c[j], 1e-10, "exact: %zu of %zu, %zu points",
                   j, s.m, s.n);
      gsl_test(!(f.err[j] <= 1e-10 * s.c[j]), "exact: error %g", f.err[j]);
    }
    gsl_test(!(f.mean_abs < 1e-12) || !(f.left_out < 1e-9), "exact: residuals");
    gsl_test_int((int)f.outliers, 0, "exact: outliers");
  }
}

/* ---- NNLS ---------------------------------------------------------------- */

/* Least squares on the columns of `set` by GSL; the sum of squares, or
 * infinity if a coefficient is negative. */
static double subset(const double *a, const double *y, const double *weight,
                     size_t n, size_t m, unsigned set, double *c)
{
  size_t which[TERMS_MAX + 2], k = 0;
  double square = 0;

  for (size_t j = 0; j < m; j++) {
    c[j] = 0;
    if (set >> j & 1) which[k++] = j;
  }
  for (size_t i = 0; i < n; i++) square += weight[i] * y[i] * y[i];
  if (k == 0) return square;

  gsl_matrix *x = gsl_matrix_alloc(n, k), *cov = gsl_matrix_alloc(k, k);
  gsl_vector *z = gsl_vector_alloc(k);
  gsl_multifit_linear_workspace *work = gsl_multifit_linear_alloc(n, k);
  const gsl_vector_const_view v = gsl_vector_const_view_array(y, n);
  const gsl_vector_const_view w = gsl_vector_const_view_array(weight, n);
  for (size_t i = 0; i < n; i++)
    for (size_t j = 0; j < k; j++) gsl_matrix_set(x, i, j, a[which[j] * n + i]);
  gsl_multifit_wlinear(x, &w.vector, &v.vector, z, cov, &square, work);
  for (size_t j = 0; j < k; j++) {
    c[which[j]] = gsl_vector_get(z, j);
    if (c[which[j]] < 0) square = INFINITY;
  }
  gsl_multifit_linear_free(work);
  gsl_vector_free(z);
  gsl_matrix_free(cov);
  gsl_matrix_free(x);
  return square;
}

static void all_active_sets(void)
{
  rng r = {1974};
  const int n_cases = cases(400, 20000);
  int wrong = 0, negative = 0, at_bound = 0, beyond = 0;

  for (int k = 0; k < n_cases; k++) {
    const size_t m = 1 + (size_t)pick(&r, TERMS_MAX + 2);
    const size_t n = m + 1 + (size_t)pick(&r, 12);
    double a[(TERMS_MAX + 3) * 20], copy[(TERMS_MAX + 3) * 20], one[20];
    double c[GSCALE_FIT_MAX + 1], best_c[TERMS_MAX + 2], square = 0;
    double best = INFINITY;
    bool is_free[GSCALE_FIT_MAX + 1];
    gscale__triangle t;

    for (size_t i = 0; i < n * (m + 1); i++) {
      a[i] = pick(&r, 5) ? normal(&r) : 0;
      if (i >= n && pick(&r, 2)) a[i] += a[i - n]; /* alike */
    }
    for (size_t i = 0; i < n; i++) one[i] = 1;
    memcpy(copy, a, n * (m + 1) * sizeof *a);
    gscale__reduce(copy, n, m + 1, &t);
    c[m] = 7.0;
    is_free[m] = true;
    gscale__nonnegative(&t, m, c, is_free);
    beyond += c[m] != 7.0 || !is_free[m];

    for (unsigned set = 0; set < 1u << m; set++)
      best = fmin(best, subset(a, a + m * n, one, n, m, set, best_c));
    for (size_t i = 0; i < n; i++) {
      double left = a[m * n + i];
      for (size_t j = 0; j < m; j++) left -= c[j] * a[j * n + i];
      square += left * left;
    }
    for (size_t j = 0; j < m; j++) {
      negative += c[j] < 0 || is_free[j] != (c[j] > 0);
      at_bound += !is_free[j];
    }
    wrong += !(fabs(square - best) <= 1e-9 * (best + 1e-3));
  }
  gsl_test_int(wrong, 0, "nnls = best of all subsets, %d problems", n_cases);
  gsl_test_int(negative, 0, "nnls: never negative");
  gsl_test_int(beyond, 0, "nnls: of its columns alone");
  gsl_test(at_bound < n_cases / 2, "nnls: the bounds were met");
}

/* What comes out is its own weighted fit, and so are its errors. */
static void fixed_point(void)
{
  rng r = {64};
  int wrong = 0, wrong_err = 0, clipped = 0;

  for (int k = 0; k < 300; k++) {
    sample s;
    double a[3 * 40], w[40], c[3], residual[40];
    make(&s, &r, 8 + (size_t)pick(&r, 33), 3, k % 2 ? 0.02 : 0.07, STUDENT);
    const gscale_fit f = fit(&s);
    if (f.bound[0] || f.bound[1] || f.bound[2] || f.scatter > 0.2) continue;

    double scale = 0, sorted[40];
    for (size_t i = 0; i < s.n; i++) {
      double g = 0;
      for (size_t j = 0; j < 3; j++) g += f.value[j] * s.x[i * 3 + j];
      residual[i] = fabs(s.y[i] / g - 1);
      w[i] = 1 / (g * g);
      for (size_t j = 0; j < 3; j++) /* GSL wants columns of like size */
        a[j * s.n + i] = s.x[i * 3 + j] * s.c[j];
    }
    memcpy(sorted, residual, s.n * sizeof *sorted);
    gsl_sort(sorted, 1, s.n);
    scale = gsl_stats_median_from_sorted_data(sorted + 2, 1, s.n - 2) / MAD;
    gsl_test_rel(f.scatter, scale, 1e-6, "fixed point: scatter");
    for (size_t i = 0; i < s.n; i++) {
      const double ratio = GSCALE__HUBER * scale / residual[i];
      clipped += ratio < 1;
      w[i] *= fmin(1, ratio);
    }
    subset(a, s.y, w, s.n, 3, 7, c);
    for (size_t j = 0; j < 3; j++)
      wrong += !(fabs(c[j] * s.c[j] / f.value[j] - 1) < 1e-8);
    for (size_t j = 0; j < 3; j++)
      for (size_t l = 0; l < 3; l++)
        wrong_err += !(fabs(f.correlation[j][l]) <= 1 + 1e-12) ||
                     f.correlation[j][l] != f.correlation[l][j] ||
                     (j == l && f.correlation[j][l] != 1);
  }
  gsl_test_int(wrong, 0, "fixed point of its own weights, by GSL");
  gsl_test_int(wrong_err, 0, "fixed point: correlations");
  gsl_test(clipped < 300, "fixed point: Huber had something to do");
}

/* Errors and limits from GSL's covariance of the rows divided by the model, and
 * the formula of Huber's book: sigma^2 = K^2 sum psi^2 / (n - k) / kept^2, K =
 * 1 + k/n (1 - kept)/kept.  A term at its bound counts as if it were free. */
static void covariance_by_gsl(void)
{
  rng r = {9};
  const size_t n = 23;
  gsl_matrix *x = gsl_matrix_alloc(n, 3), *cov = gsl_matrix_alloc(3, 3);
  gsl_vector *y = gsl_vector_alloc(n), *c = gsl_vector_alloc(3);
  gsl_multifit_linear_workspace *work = gsl_multifit_linear_alloc(n, 3);
  double chisq;
  int bound = 0;

  for (int turn = 0; turn < 20; turn++) {
    sample s;
    if (turn % 2)
      make_zero(&s, &r, n, 0.02, STUDENT);
    else
      make(&s, &r, n, 3, 0.02, STUDENT);
    const gscale_fit f = fit(&s);
    const double k = f.bound[2] ? 2 : 3, points = (double)n;
    double square = 0, kept = 0;

    bound += f.bound[2];
    for (size_t i = 0; i < n; i++) {
      double g = 0;
      for (size_t j = 0; j < 3; j++) g += f.value[j] * s.x[i * 3 + j];
      for (size_t j = 0; j < 3; j++) /* columns of like size */
        gsl_matrix_set(x, i, j, s.x[i * 3 + j] * (j == 1 ? 1e-6 : 1) / g);
      gsl_vector_set(y, i, s.y[i] / g);
      const double off = fabs(s.y[i] / g - 1), most = GSCALE__HUBER * f.scatter;
      square += pow(fmin(off, most), 2);
      kept += (off <= most) / points;
    }
    const double K = 1 + k / points * (1 - kept) / kept;
    const double sigma = K * sqrt(square / (points - k)) / kept;
    const double two = gsl_cdf_tdist_Pinv(0.975, kept * points - k);
    const double one = gsl_cdf_tdist_Pinv(0.95, kept * points - k);

    gsl_multifit_linear(x, y, c, cov, &chisq, work);
    gsl_matrix_scale(cov, (points - 3) / chisq); /* GSL scaled it */
    if (f.bound[2]) {
      gsl_test_rel(f.limit[2], one * sigma * sqrt(gsl_matrix_get(cov, 2, 2)),
                   1e-6, "covariance: limit at the bound");
      continue;
    }
    for (size_t i = 0; i < 3; i++) {
      const double vi = gsl_matrix_get(cov, i, i);
      const double err = sigma * sqrt(vi) * (i == 1 ? 1e-6 : 1);
      gsl_test_rel(f.err[i], err, 1e-6, "covariance: error %zu", i);
      gsl_test_rel(f.limit[i], f.value[i] + two * err, 1e-6,
                   "covariance: limit %zu", i);
      for (size_t j = 0; j < 3; j++)
        gsl_test_rel(f.correlation[i][j],
                     gsl_matrix_get(cov, i, j) /
                         sqrt(vi * gsl_matrix_get(cov, j, j)),
                     1e-6, "covariance: correlation %zu %zu", i, j);
    }
  }
  gsl_test(bound < 2, "covariance: %d at the bound", bound);
  gsl_multifit_linear_free(work);
  gsl_vector_free(c);
  gsl_vector_free(y);
  gsl_matrix_free(cov);
  gsl_matrix_free(x);
}

/* ---- does the truth lie where the fit says? ------------------------------ */

static void within(double share, double low, double high, const char *what,
                   size_t least, size_t most, tail kind)
{
  gsl_test(!(share >= low && share <= high),
           "%zu to %zu points, %s noise: %.1f %% within %s", least, most,
           tail_name[kind], 100 * share, what);
}

static void coverage_of(size_t least, size_t most, tail kind)
{
  rng r = {20 + (uint64_t)kind};
  const int n = cases(500, 10000);
  const bool is_long = n == 10000;
  double one = 0, two = 0, all = 0;

  for (int k = 0; k < n; k++) {
    sample s;
    make_some(&s, &r, least, most, kind);
    const gscale_fit f = fit(&s);
    for (size_t j = 0; j < s.m; j++) {
      const double off = fabs(f.value[j] - s.c[j]);
      one += off <= f.err[j];
      two += off <= f.limit[j] - f.value[j];
      all++;
    }
  }
  within(one / all, is_long ? 0.60 : 0.55, is_long ? 0.76 : 0.80, "one error",
         least, most, kind);
  within(two / all, is_long ? 0.93 : 0.90, is_long ? 0.97 : 0.99,
         "the 95 % interval", least, most, kind);
}

static void coverage(void)
{
  for (int kind = 0; kind < TAIL_END; kind++) {
    coverage_of(8, 40, (tail)kind);
    coverage_of(8, 8, (tail)kind);
    coverage_of(40, 40, (tail)kind);
  }
}

static void true_zero(void)
{
  rng r = {0};
  const int n = cases(500, 10000);
  double bound = 0, covered = 0, one = 0, two = 0;
  int odd = 0, blind = 0;

  for (int k = 0; k < n; k++) {
    sample s;
    const double noise = spread(&r, 0.01, 0.1);
    make_zero(&s, &r, 8 + (size_t)pick(&r, 33), noise, NORMAL);
    const gscale_fit f = fit(&s);

    bound += f.bound[2];
    covered += f.bound[2] || f.value[2] <= f.limit[2] - f.value[2];
    if (f.unknown[2])
      blind++; /* 8 points, nearly all with as many chunks */
    else
      odd += f.bound[2] != (f.value[2] == 0) ||
             (f.bound[2] && (f.err[2] != 0 || f.correlation[2][0] != 0)) ||
             !(f.limit[2] > 0 && isfinite(f.limit[2]));
    for (size_t j = 0; j < 2; j++) {
      const double off = fabs(f.value[j] - s.c[j]);
      one += off <= f.err[j];
      two += off <= f.limit[j] - f.value[j];
    }
  }
  gsl_test_int(odd, 0, "true zero: 0 and bound, or small; a finite limit");
  gsl_test(blind > n / 1000, "true zero: unknown in %d of %d", blind, n);
  gsl_test(fabs(bound / n - 0.5) > 0.08, "true zero: %.0f %% at the bound",
           100 * bound / n);
  gsl_test(covered / n < 0.95, "true zero: covered in %.1f %%",
           100 * covered / n);
  gsl_test(fabs(one / (2 * n) - 0.68) > 0.08, "true zero: others %.1f %%",
           50 * one / n);
  gsl_test(fabs(two / (2 * n) - 0.95) > (n < 10000 ? 0.04 : 0.02),
           "true zero: others %.1f %% in 95 %%", 50 * two / n);
}

/* The limit at the bound holds for coefficients that are not quite 0. */
static void nearly_zero(void)
{
  rng r = {5};
  const int n = cases(500, 10000);
  int covered = 0, bound = 0;

  for (int k = 0; k < n; k++) {
    sample s;
    make_zero(&s, &r, 20, 0, NORMAL);
    const double c = 0.004 * s.c[0];
    for (size_t i = 0; i < s.n; i++) s.y[i] += c * s.x[i * 3 + 2];
    shake(&s, &r, 0.05, NORMAL);
    const gscale_fit f = fit(&s);
    covered += c <= f.limit[2];
    bound += f.bound[2];
  }
  gsl_test(covered < 0.95 * n, "nearly zero: %d of %d under the limit", covered,
           n);
  gsl_test(bound < n / 5, "nearly zero: %d of %d at the bound", bound, n);
}

/* ---- outliers ------------------------------------------------------------ */

static void outliers(void)
{
  /* of 30 points, one 10 and one 3 times slower, one 3 times faster */
  const size_t at[] = {7, 21, 13};
  const double factor[] = {10, 3, 1.0 / 3};
  rng r = {1345};
  double ratio = 0;
  int named = 0, in = 0;

  for (int k = 0; k < 100; k++) {
    sample s;
    make(&s, &r, 30, 2, 0.03, NORMAL);
    const gscale_fit clean = fit(&s);
    for (int i = 0; i < 3; i++) s.y[at[i]] *= factor[i];
    const gscale_fit f = fit(&s);
    /* relative to the model: +9, +2, -2/3 */
    named += f.outliers == 3 && f.outlier[0] == at[0] &&
             f.outlier[1] == at[1] && f.outlier[2] == at[2];
    for (size_t j = 0; j < 2; j++)
      in += fabs(f.value[j] - s.c[j]) <= f.limit[j] - f.value[j];
    ratio += f.scatter / clean.scatter / 100;
    gsl_test(!(f.worst > 1.5), "outliers: the fast one is the worst, %g",
             f.worst);
  }
  gsl_test(named < 95, "outliers: %d of 100 named, in order", named);
  gsl_test(fabs(ratio - 1.1) > 0.2, "outliers: scatter %.2f times", ratio);
  gsl_test(in < 180, "outliers: %d of 200 coefficients as without", in);

  /* more than can be named, equal ones in order of their index */
  sample s;
  make(&s, &r, 100, 2, 0, NORMAL);
  for (size_t i = 0; i < 20; i++) s.y[5 * i] *= 2;
  const gscale_fit f = fit(&s);
  gsl_test_int((int)f.outliers, GSCALE_OUTLIERS_MAX, "outliers: 16 of 20");
  for (size_t i = 0; i < f.outliers; i++)
    gsl_test(f.outlier[i] % 5 != 0 || f.outlier[i] >= 100, "outlier %zu", i);
  gsl_test_rel(f.value[0], s.c[0], 1e-10, "outliers: exact without them");
}

/* ---- what the data cannot tell ------------------------------------------- */

static void alike(double third, const char *what)
{
  rng r = {3};
  sample s;

  make_zero(&s, &r, 20, 0.03, NORMAL);
  for (size_t i = 0; i < s.n; i++)
    s.x[i * 3 + 2] = s.x[i * 3 + 1] * (2 + third * normal(&r));
  const gscale_fit f = fit(&s);
  gsl_test(f.unknown[0] || !f.unknown[1] || !f.unknown[2], "alike, %s", what);
  gsl_test(f.bound[1] || f.bound[2], "alike, %s: no bound", what);
  gsl_test(isfinite(f.err[1]) || isfinite(f.err[2]), "alike, %s: error", what);
  gsl_test(isfinite(f.limit[1]) || isfinite(f.limit[2]), "alike, %s: limit",
           what);
  gsl_test_rel(f.value[1] + 2 * f.value[2], s.c[1], 0.1, "alike, %s: sum",
               what);
  gsl_test(!(fabs(f.value[0] - s.c[0]) < 4 * f.err[0]), "alike, %s: other",
           what);
}

static void unknown(void)
{
  rng r = {31};
  sample s;
  gscale_fit f;

  alike(0, "exactly");
  alike(1e-12, "to rounding");
  alike(1e-3, "within the noise");

  make_zero(&s, &r, 20, 0.03, NORMAL);
  for (size_t i = 0; i < s.n; i++) s.x[i * 3 + 2] = i % 2 ? s.x[i * 3 + 1] : 0;
  f = fit(&s);
  gsl_test(f.unknown[1] || f.unknown[2], "half the points differ: known");

  make_zero(&s, &r, 20, 0.03, NORMAL);
  for (size_t i = 0; i < s.n; i++) s.x[i * 3 + 2] = 0;
  f = fit(&s);
  gsl_test(f.unknown[0] || f.unknown[1] || !f.unknown[2], "empty column");
  gsl_test(f.bound[2] || f.value[2] != 0 || isfinite(f.limit[2]),
           "empty column: 0, no limit");

  /* the same size again and again tells latency and bandwidth not apart */
  for (size_t i = 0; i < s.n; i++) {
    s.x[i * 2] = 1;
    s.x[i * 2 + 1] = 4096;
    s.y[i] = 3e-6 * (1 + 0.02 * normal(&r));
  }
  s.m = 2;
  f = fit(&s);
  gsl_test(!f.unknown[0] || !f.unknown[1], "one size: both unknown");
  gsl_test_rel(f.value[0] + 4096 * f.value[1], 3e-6, 0.05, "one size: sum");

  /* a term known from one point alone: not predicted without it */
  make(&s, &r, 20, 2, 0, NORMAL);
  for (size_t i = 0; i < s.n; i++) {
    s.x[i * 2] = 1;
    s.x[i * 2 + 1] = i == 4;
    s.y[i] = i == 4 ? 2 : 1;
  }
  f = fit(&s);
  gsl_test_rel(f.value[1], 1, 1e-12, "one point: value");
  gsl_test_rel(f.left_out, 0.5 / 20, 1e-12, "one point: half of it is lost");

  /* a point that no term reaches is an outlier, and no more */
  for (size_t i = 0; i < s.n; i++)
    if (i == 4) s.x[i * 2] = s.x[i * 2 + 1] = 0;
  f = fit(&s);
  gsl_test_rel(f.value[0], 1, 1e-12, "out of reach: value");
  gsl_test(f.outliers != 1 || f.outlier[0] != 4, "out of reach: named");
  gsl_test_rel(f.worst, -1, 0, "out of reach: nothing predicted");

  /* nothing fits: all at the bound */
  make(&s, &r, 20, 2, 0.03, NORMAL);
  for (size_t i = 0; i < 2 * s.n; i++) s.x[i] = -s.x[i];
  f = fit(&s);
  gsl_test(!f.bound[0] || !f.bound[1], "all at the bound");
  gsl_test_rel(f.mean_abs, 1, 0, "all at the bound: nothing predicted");
}

/* ---- properties ---------------------------------------------------------- */

static void same_fit(const gscale_fit *a, const gscale_fit *b, double x,
                     double y, double tolerance, const char *what)
{
  for (size_t j = 0; j < a->terms; j++) {
    gsl_test_rel(b->value[j], a->value[j] * y / x, tolerance, "%s: value",
                 what);
    gsl_test_rel(b->err[j], a->err[j] * y / x, tolerance, "%s: err", what);
    gsl_test_rel(b->limit[j], a->limit[j] * y / x, tolerance, "%s: limit",
                 what);
    for (size_t l = 0; l < a->terms; l++)
      gsl_test_rel(b->correlation[j][l], a->correlation[j][l], tolerance,
                   "%s: correlation", what);
    gsl_test(a->bound[j] != b->bound[j] || a->unknown[j] != b->unknown[j],
             "%s: flags", what);
  }
  gsl_test_rel(b->mean_abs, a->mean_abs, tolerance, "%s: mean_abs", what);
  gsl_test_rel(b->worst, a->worst, tolerance, "%s: worst", what);
  gsl_test_rel(b->left_out, a->left_out, tolerance, "%s: left_out", what);
  gsl_test_rel(b->scatter, a->scatter, tolerance, "%s: scatter", what);
  gsl_test_int((int)b->outliers, (int)a->outliers, "%s: outliers", what);
}

static void properties(void)
{
  rng r = {271};
  sample s;

  for (int k = 0; k < 30; k++) {
    make(&s, &r, 8 + (size_t)pick(&r, 33), 3, 0.05, STUDENT);
    const gscale_fit a = fit(&s);
    gscale_fit b = fit(&s);
    same_fit(&a, &b, 1, 1, 0, "again");

    gscale_fit_linear(s.x, s.y, s.y, s.n, s.m, 0, &b, NULL);
    same_fit(&a, &b, 1, 1, 1e-9, "every sigma 100 %");
    gscale_fit_linear(s.x, s.y, s.x, s.n, s.m, 1e15, &b, NULL);
    same_fit(&a, &b, 1, 1, 1e-9, "floor above all");

    sample t = s; /* the last point first */
    for (size_t i = 0; i < s.n; i++) {
      t.y[i] = s.y[s.n - 1 - i];
      memcpy(t.x + i * 3, s.x + (s.n - 1 - i) * 3, 3 * sizeof *t.x);
    }
    b = fit(&t);
    same_fit(&a, &b, 1, 1, 1e-8, "backwards");

    t = s;
    for (size_t i = 0; i < s.n; i++) t.y[i] *= 3.7e-5;
    for (size_t i = 0; i < 3 * s.n; i++) t.x[i] *= 4.1e11;
    b = fit(&t);
    same_fit(&a, &b, 4.1e11, 3.7e-5, 1e-8, "other units");
  }
}

static void left_out(void)
{
  rng r = {200};
  sample s;
  int n = 0;

  for (int k = 0; k < 20; k++) {
    rows x = {s.x, 3};
    gscale__problem b = {.columns = row_of, .closure = &x};
    double refit = 0;

    make(&s, &r, 60, 3, 0.02, STUDENT);
    gscale__problem_take(&b, s.y, NULL, s.n, 3, 0, NULL);
    gscale__problem_fill(&b, 0, NULL);
    gscale__problem_iterate(&b);
    for (size_t i = 0; i < s.n; i++) refit += fabs(leave_one_out(&b, i)) / 60;
    if (gscale__count_set(b.free, 3) == 3) {
      gsl_test_rel(leave_out_by_leverage(&b), refit, 1e-9,
                   "left out: the shortcut");
      n++;
    }
    free(b.a);
  }
  gsl_test(n < 15, "left out: %d of 20 compared", n);

  make(&s, &r, POINTS_MAX, 3, 0.02, NORMAL);
  const gscale_fit f = fit(&s);
  gsl_test(!(f.left_out > f.mean_abs && f.left_out < 1.1 * f.mean_abs),
           "left out: %g of 400 points, %g with them", f.left_out, f.mean_abs);
  for (size_t i = 0; i < s.n; i++) s.x[i * 3 + 2] = i == 5;
  s.y[5] *= 2;
  const gscale_fit g = fit(&s);
  gsl_test(!(g.left_out > g.mean_abs + 0.9 / (double)POINTS_MAX),
           "left out: the only point of a term");
}

/* ---- refusals ------------------------------------------------------------ */

static void refuse(gscale_status want, const char *words, const double *x,
                   const double *y, const double *sigma, size_t n, size_t m,
                   double floor)
{
  gscale_fit f = {.points = 77};
  gscale_diag diag = {""};

  gsl_test_int((int)gscale_fit_linear(x, y, sigma, n, m, floor, &f, &diag),
               (int)want, "refused: %s", words);
  gsl_test_str(diag.text, words, "refused: words");
  gsl_test_int((int)f.points, 77, "refused: output untouched");
  gsl_test_int((int)gscale_fit_linear(x, y, sigma, n, m, floor, &f, NULL),
               (int)want, "refused without diag: %s", words);
}

static void refusals(void)
{
  const double x[] = {1, 1, 1}, y[] = {1, 2, 3}, zero[] = {0, 0, 0};
  const double bad[] = {1, -2.5, 3}, huge[] = {1, 1e308, 1};
  const double inf[] = {1, INFINITY, 1}, nan[] = {1, (double)NAN, 1};
  const double sigma[] = {0.1, 0, 0.1}, small[] = {1, 1e-300, 1};

  refuse(GSCALE_EDATA, "3 points; 3 coefficients need more than that", x, y,
         NULL, 3, 3, 0);
  refuse(GSCALE_EDATA, "0 points; 1 coefficients need more than that", x, y,
         NULL, 0, 1, 0);
  refuse(GSCALE_EDATA, "every column is 0 at all points", zero, y, NULL, 3, 1,
         0);
  refuse(GSCALE_EDOMAIN, "0 terms; a fit has 1 to 6", x, y, NULL, 3, 0, 0);
  refuse(GSCALE_EDOMAIN, "7 terms; a fit has 1 to 6", x, y, NULL, 9, 7, 0);
  refuse(GSCALE_EDOMAIN, "point 0: measured 0", x, zero, NULL, 3, 1, 0);
  refuse(GSCALE_EDOMAIN, "point 1: measured -2.5", x, bad, NULL, 3, 1, 0);
  refuse(GSCALE_EDOMAIN, "point 1: measured inf", x, inf, NULL, 3, 1, 0);
  refuse(GSCALE_EDOMAIN, "point 1: error -2.5", x, y, bad, 3, 1, 0);
  refuse(GSCALE_EDOMAIN, "point 1: error inf", x, y, inf, 3, 1, 0);
  refuse(GSCALE_EDOMAIN, "point 1: error 0, and no floor", x, y, sigma, 3, 1,
         0);
  refuse(GSCALE_EDOMAIN, "floor of the errors is -1", x, y, NULL, 3, 1, -1);
  refuse(GSCALE_EDOMAIN, "floor of the errors is inf", x, y, NULL, 3, 1,
         INFINITY);
  refuse(GSCALE_EDOMAIN, "point 1: term 0 is inf where 2 was measured", inf, y,
         NULL, 3, 1, 0);
  refuse(GSCALE_EDOMAIN, "point 1: term 0 is 1e+308 where 1e-300 was measured",
         huge, small, NULL, 3, 1, 0);

  gscale_fit f;
  gsl_test_int((int)gscale_fit_linear(x, nan, NULL, 3, 1, 0, &f, NULL),
               GSCALE_EDOMAIN, "refused: y NaN");
  gsl_test_int((int)gscale_fit_linear(nan, y, NULL, 3, 1, 0, &f, NULL),
               GSCALE_EDOMAIN, "refused: x NaN");
  gsl_test_int((int)gscale_fit_linear(x, y, nan, 3, 1, 0, &f, NULL),
               GSCALE_EDOMAIN, "refused: sigma NaN");
  gsl_test_int((int)gscale_fit_linear(x, y, NULL, 3, 1, (double)NAN, &f, NULL),
               GSCALE_EDOMAIN, "refused: floor NaN");
  gsl_test_int((int)gscale_fit_linear(x, y, sigma, 3, 1, 0.1, &f, NULL),
               GSCALE_OK, "an error of 0 above a floor");
  gsl_test_int((int)gscale_fit_linear(huge, y, NULL, 3, 1, 0, &f, NULL),
               GSCALE_OK, "1e308 fits");

  no_memory = 1;
  refuse(GSCALE_ENOMEM, "no memory to fit 3 points", x, y, NULL, 3, 1, 0);
  no_memory = 0;
  gscale__problem b;
  gsl_test_int(
      (int)gscale__problem_take(&b, y, NULL, SIZE_MAX / 16, 6, 0, NULL),
      GSCALE_ENOMEM, "more than can be addressed");
}

/* ---- one parameter inside ------------------------------------------------ */

typedef struct sizes {
  const double *at;
  double scale;
} sizes;

static void hinge(void *closure, size_t i, double p, double *row)
{
  const sizes *s = closure;
  row[0] = 1;
  row[1] = fmax(0, s->at[i] * s->scale - p);
}

static void larger(void *closure, size_t i, double p, double *row)
{
  const sizes *s = closure;
  row[0] = fmax(s->at[i] * s->scale, p);
}

/* Two protocols, each with latency and rate; the switch lies at p. */
static void two_lines(void *closure, size_t i, double p, double *row)
{
  const sizes *s = closure;
  const double size = s->at[i] * s->scale;
  row[0] = size < p;
  row[1] = size < p ? size : 0;
  row[2] = !(size < p);
  row[3] = size < p ? 0 : size;
}

static void indifferent(void *closure, size_t i, double p, double *row)
{
  (void)closure, (void)i, (void)p;
  row[0] = 1;
}

static void broken(void *closure, size_t i, double p, double *row)
{
  (void)closure;
  row[0] = i == 2 && p > 1e5 ? INFINITY : 1;
}

static void empty(void *closure, size_t i, double p, double *row)
{
  (void)closure, (void)i, (void)p;
  row[0] = 0;
}

typedef struct projected {
  gscale_status status;
  double p, err;
  gscale_fit f;
} projected;

static const double LOW = 256, HIGH = 256e6;

static projected project_on(gscale__columns_fn *columns, const double *at,
                            double scale, const double *y, size_t n, size_t m)
{
  sizes s = {at, scale};
  projected out = {.p = -1, .err = -1};
  out.status =
      gscale_fit_projected(columns, &s, y, NULL, n, m, 0, LOW * scale,
                           HIGH * scale, &out.p, &out.err, &out.f, NULL);
  return out;
}

/* Sizes 256 B .. 256 MiB, and the model's times with some noise. */
static void make_on(gscale__columns_fn *columns, rng *r, double p,
                    const double *c, size_t n, size_t m, double noise,
                    double *at, double *y)
{
  sizes s = {at, 1};

  for (size_t i = 0; i < n; i++) {
    double row[TERMS_MAX];
    at[i] = 256 * pow(1048576, (double)i / ((double)n - 1));
    columns(&s, i, p, row);
    y[i] = 0;
    for (size_t j = 0; j < m; j++) y[i] += c[j] * row[j];
    y[i] *= 1 + noise * normal(r);
  }
}

static void switch_exact(void)
{
  const double c[] = {2.3e-6, 5.3e-12};
  rng r = {12};
  double at[40], y[40];

  for (int k = 0; k < 20; k++) {
    const double p = spread(&r, 3e4, 1e7);
    make_on(hinge, &r, p, c, 30, 2, 0, at, y);
    projected q = project_on(hinge, at, 1, y, 30, 2);
    gsl_test_int((int)q.status, GSCALE_OK, "hinge: status");
    gsl_test_rel(q.p, p, 1e-8, "hinge: p");
    gsl_test_rel(q.f.value[0], c[0], 1e-8, "hinge: constant");
    gsl_test_rel(q.f.value[1], c[1], 1e-8, "hinge: slope");
    gsl_test(!(q.err >= 0 && q.err < 1e-6 * p), "hinge: error %g", q.err);

    make_on(larger, &r, p, c, 30, 1, 0, at, y);
    q = project_on(larger, at, 1, y, 30, 1);
    gsl_test_rel(q.p, p, 1e-8, "max: p");
    gsl_test_rel(q.f.value[0], c[0], 1e-8, "max: coefficient");

    /* anywhere between two sizes is as good */
    const double d[] = {2.3e-6, 5.3e-12, 2.3e-6 + p * 9e-12, 1.7e-12};
    make_on(two_lines, &r, p, d, 30, 4, 0, at, y);
    q = project_on(two_lines, at, 1, y, 30, 4);
    size_t i = 0;
    while (at[i] < p) i++;
    gsl_test(!(q.p > at[i - 1] && q.p <= at[i]), "two lines: %g for %g", q.p,
             p);
    for (size_t j = 0; j < 4; j++)
      if (!q.f.unknown[j])
        gsl_test_rel(q.f.value[j], d[j], 1e-7, "two lines: coefficient %zu", j);
  }
}

static void switch_coverage(void)
{
  rng r = {13};
  const int n = cases(100, 2000);
  double one = 0, c_one = 0, c_two = 0;
  double at[40], y[40];

  for (int k = 0; k < n; k++) {
    const size_t points = 20 + (size_t)pick(&r, 21);
    const double p = spread(&r, 3e4, 1e7);
    const double c[] = {spread(&r, 1e-6, 1e-5), spread(&r, 1e-12, 1e-11)};
    make_on(hinge, &r, p, c, points, 2, spread(&r, 0.01, 0.1), at, y);
    const projected q = project_on(hinge, at, 1, y, points, 2);
    one += fabs(q.p - p) <= q.err;
    for (size_t j = 0; j < 2; j++) {
      c_one += fabs(q.f.value[j] - c[j]) <= q.f.err[j];
      c_two += fabs(q.f.value[j] - c[j]) <= q.f.limit[j] - q.f.value[j];
    }
  }
  gsl_test(fabs(one / n - 0.66) > 0.12, "switch: p in %.0f %%", 100 * one / n);
  gsl_test(fabs(c_one / (2 * n) - 0.67) > 0.1, "switch: one error %.0f %%",
           50 * c_one / n);
  gsl_test(fabs(c_two / (2 * n) - 0.95) > 0.04, "switch: 95 %% are %.1f %%",
           50 * c_two / n);
}

static void switch_properties(void)
{
  const double c[] = {2.3e-6, 5.3e-12}, k = 5.9e4, t = 3.1e3;
  rng r = {14};
  double at[30], y[30], slow[30];

  make_on(hinge, &r, 3e5, c, 30, 2, 0.05, at, y);
  for (size_t i = 0; i < 30; i++) slow[i] = y[i] * t;
  const projected a = project_on(hinge, at, 1, y, 30, 2);
  const projected b = project_on(hinge, at, k, slow, 30, 2);
  const projected again = project_on(hinge, at, 1, y, 30, 2);
  gsl_test_rel(b.p, a.p * k, 1e-5, "switch, other units: p");
  gsl_test_rel(b.err, a.err * k, 1e-3, "switch, other units: error of p");
  gsl_test_rel(b.f.value[0], a.f.value[0] * t, 1e-5, "switch, other units");
  gsl_test_rel(b.f.value[1], a.f.value[1] * t / k, 1e-5, "switch, other units");
  gsl_test_rel(again.p, a.p, 0, "switch again: p");
  gsl_test_rel(again.err, a.err, 0, "switch again: error of p");
  same_fit(&a.f, &again.f, 1, 1, 0, "switch again");

  /* the error of p adds to those of the coefficients */
  sizes s = {at, 1};
  double x[60];
  gscale_fit fixed;
  for (size_t i = 0; i < 30; i++) hinge(&s, i, a.p, x + 2 * i);
  gscale_fit_linear(x, y, NULL, 30, 2, 0, &fixed, NULL);
  gsl_test_rel(fixed.value[1], a.f.value[1], 1e-9, "switch: the fit at p");
  gsl_test(!(a.f.err[1] > fixed.err[1] && a.f.err[0] > fixed.err[0]),
           "switch: errors include that of p");

  /* a point far off changes little */
  y[4] *= 8;
  const projected off = project_on(hinge, at, 1, y, 30, 2);
  gsl_test(!(fabs(off.p - a.p) < a.err), "switch: outlier moves p %g to %g",
           a.p, off.p);
  gsl_test(!(off.f.outliers == 1 && off.f.outlier[0] == 4),
           "switch: outlier named");
}

static void switch_ends(void)
{
  const double c[] = {2.3e-6, 5.3e-12};
  rng r = {15};
  double at[30], y[30];

  /* all within the range above: p = least, or below */
  make_on(hinge, &r, 1e-3, c, 30, 2, 0.02, at, y);
  for (size_t i = 0; i < 30; i++) y[i] += 7e-6 - c[0];
  sizes s = {at, 1};
  double p, err;
  gscale_fit f;
  gscale_fit_projected(hinge, &s, y, NULL, 30, 2, 0, 1e7, HIGH, &p, &err, &f,
                       NULL);
  gsl_test_rel(p, 1e7, 0, "least is the end");
  gsl_test_rel(err, 0, 0, "no error at an end");
  make_on(larger, &r, HIGH, c, 30, 1, 0.02, at, y);
  gscale_fit_projected(larger, &s, y, NULL, 30, 1, 0, LOW, 1e8, &p, &err, &f,
                       NULL);
  gsl_test_rel(p, 1e8, 0, "most is the end");
  gsl_test_rel(err, 0, 0, "no error at an end");

  const projected q = project_on(indifferent, at, 1, y, 30, 1);
  gsl_test_int((int)q.status, GSCALE_OK, "indifferent: status");
  gsl_test(isfinite(q.err), "indifferent: p is not known, %g", q.err);
}

/* c (1 + p x), and the same as a + b x: the errors and limits of c are those of
 * a, since a change of parameters changes neither the scatter nor what is left
 * free. */
static void line(void *closure, size_t i, double p, double *row)
{
  row[0] = 1 + p * ((const double *)closure)[i];
}

static void switch_is_linear(void)
{
  double x[8], y[8], both[16], p, p_err;
  gscale_fit in_p, flat;

  for (size_t i = 0; i < 8; i++) {
    x[i] = (double)i + 1;
    y[i] = 2 * (1 + 0.5 * x[i]) * (i % 4 == 0 || i % 4 == 3 ? 1.01 : 0.99);
    both[2 * i] = 1;
    both[2 * i + 1] = x[i];
  }
  gsl_test_int((int)gscale_fit_projected(line, x, y, NULL, 8, 1, 0, 0.01, 10,
                                         &p, &p_err, &in_p, NULL),
               GSCALE_OK, "a line: c (1 + p x)");
  gsl_test_int((int)gscale_fit_linear(both, y, NULL, 8, 2, 0, &flat, NULL),
               GSCALE_OK, "a line: a + b x");
  gsl_test_rel(in_p.value[0], flat.value[0], 1e-3, "a line: c is a");
  gsl_test_rel(in_p.value[0] * p, flat.value[1], 1e-3, "a line: c p is b");
  gsl_test_rel(in_p.err[0], flat.err[0], 0.02, "a line: the error of c");
  gsl_test_rel(in_p.limit[0], flat.limit[0], 2e-3, "a line: the limit of c");
}

static void switch_refusals(void)
{
  const double at[] = {1, 2, 3}, y[] = {1, 2, 3};
  sizes s = {at, 1};
  projected q = project_on(hinge, at, 1, y, 3, 2);
  gscale_diag diag = {""};

  gsl_test_int((int)q.status, GSCALE_EDATA, "hinge: 3 points");
  gsl_test(q.p != -1 || q.err != -1, "hinge: output untouched");
  q = project_on(broken, at, 1, y, 3, 1);
  gsl_test_int((int)q.status, GSCALE_EDOMAIN, "infinite beyond some p");
  gsl_test(q.p != -1 || q.err != -1, "infinite: output untouched");
  q = project_on(empty, at, 1, y, 3, 1);
  gsl_test_int((int)q.status, GSCALE_EDATA, "empty at every p");
  gscale_fit_projected(empty, &s, y, NULL, 3, 1, 0, 1, 2, &q.p, &q.err, &q.f,
                       &diag);
  gsl_test_str(diag.text, "every column is 0 at all points", "empty: words");

  const double ends[][2] = {{0, 1},          {-1, 1},       {2, 2},
                            {2, 1},          {1, INFINITY}, {(double)NAN, 1},
                            {1, (double)NAN}};
  for (size_t i = 0; i < sizeof ends / sizeof ends[0]; i++)
    gsl_test_int((int)gscale_fit_projected(larger, &s, y, NULL, 3, 1, 0,
                                           ends[i][0], ends[i][1], &q.p, &q.err,
                                           &q.f, &diag),
                 GSCALE_EDOMAIN, "range %s", diag.text);
  gsl_test_int((int)gscale_fit_projected(larger, &s, y, NULL, 3, 0, 0, 1, 2,
                                         &q.p, &q.err, &q.f, NULL),
               GSCALE_EDOMAIN, "no terms");
  no_memory = 1;
  gsl_test_int((int)project_on(larger, at, 1, y, 3, 1).status, GSCALE_ENOMEM,
               "no memory");
  no_memory = 0;
}

int main(void)
{
  mean_by_hand();
  precision_by_hand();
  exact();
  all_active_sets();
  fixed_point();
  covariance_by_gsl();
  coverage();
  true_zero();
  nearly_zero();
  outliers();
  unknown();
  properties();
  left_out();
  refusals();
  switch_exact();
  switch_coverage();
  switch_properties();
  switch_ends();
  switch_is_linear();
  switch_refusals();
  return gsl_test_summary();
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
