/* t_sobol.c - shares of the variance, against closed forms. */

#include "gpuscale/all.h"

#include <gsl/gsl_test.h>
#include <math.h>

static const double pi = 3.14159265358979324;

/* Ishigami's function on (-pi, pi)^3 [Ishigami90]. */
static double ishigami(const double *x, void *closure)
{
  const double a = 7, b = 0.1;
  const double y[3] = {pi * (2 * x[0] - 1), pi * (2 * x[1] - 1),
                       pi * (2 * x[2] - 1)};

  (void)closure;
  return sin(y[0]) + a * pow(sin(y[1]), 2) + b * pow(y[2], 4) * sin(y[0]);
}

static void by_closed_form(uint64_t seed)
{
  const double a = 7, b = 0.1;
  const double v1 = 0.5 * pow(1 + b * pow(pi, 4) / 5, 2);
  const double v2 = a * a / 8;
  const double v13 = b * b * pow(pi, 8) * (1.0 / 18 - 1.0 / 50);
  const double v = v1 + v2 + v13;
  gscale_sobol s[3];
  double mean, variance;

  gsl_test(gscale_sobol_indices(ishigami, NULL, 3, 4096, seed, s, &mean,
                                &variance, NULL) != GSCALE_OK,
           "Ishigami's function");
  gsl_test_rel(mean, a / 2, 0.01, "mean");
  gsl_test_rel(variance, v, 0.01, "variance");
  gsl_test_abs(s[0].first, v1 / v, 0.01, "first alone");
  gsl_test_abs(s[1].first, v2 / v, 0.01, "second alone");
  gsl_test_abs(s[2].first, 0, 0.01, "third alone");
  gsl_test_abs(s[0].total, (v1 + v13) / v, 0.01, "first in all");
  gsl_test_abs(s[1].total, v2 / v, 0.01, "second in all");
  gsl_test_abs(s[2].total, v13 / v, 0.01, "third in all");
  gsl_test(!(s[0].first_err > 0 && s[0].first_err < 0.01), "its error %g",
           s[0].first_err);
}

enum {
  FEW = 20, /* all of Sobol's sequence */
  MANY = 48
};

/* The closure is how many. */
static double sum(const double *x, void *closure)
{
  double y = 0;

  for (int i = 0; i < *(int *)closure; i++) y += (i + 1) * x[i];
  return y;
}

/* Sobol's product, whose factors are 1 in the mean [Sobol93]: few matter, of
 * the first inputs and of the last. */
static double weight(int i)
{
  return i == 0 || i == MANY - 2 ? 0.3 : i == 1 || i == MANY - 1 ? 1 : 40;
}

static double product(const double *x, void *closure)
{
  double y = 1;

  (void)closure;
  for (int i = 0; i < MANY; i++)
    y *= (fabs(4 * x[i] - 2) + weight(i)) / (1 + weight(i));
  return y;
}

static double own_variance(int i)
{
  return 1 / (3 * pow(1 + weight(i), 2));
}

/* More inputs than the sequence has dimensions for: those that matter most
 * partly among the others, and not alone. */
static void many(uint64_t seed)
{
  gscale_sobol s[MANY];
  double all = 1, mean, variance;
  int off = 0, alone = 0;

  for (int i = 0; i < MANY; i++) all *= 1 + own_variance(i);
  gsl_test(gscale_sobol_indices(product, NULL, MANY, 4096, seed, s, &mean,
                                &variance, NULL) != GSCALE_OK,
           "a product of %d", MANY);
  gsl_test_rel(mean, 1, 0.01, "its mean");
  gsl_test_rel(variance, all - 1, 0.03, "its variance");
  for (int i = 0; i < MANY; i++) {
    const double v = own_variance(i), first = v / (all - 1),
                 total = v * all / (1 + v) / (all - 1);

    off += fabs(s[i].first - first) > fmax(0.01, 4 * s[i].first_err) ||
           fabs(s[i].total - total) > fmax(0.01, 4 * s[i].total_err) ||
           s[i].first_err > 0.02 || s[i].total_err > 0.02;
    alone += s[i].total > s[i].first + 0.02;
  }
  gsl_test_int(off, 0, "shares of a product that are off");
  gsl_test_int(alone, 4, "inputs that take part in others' shares");
}

/* Of a sum they are its squares. */
static void adds_up(int n, size_t points)
{
  gscale_sobol s[MANY];
  double squares = 0;
  int off = 0;

  for (int i = 1; i <= n; i++) squares += i * i;
  gsl_test(gscale_sobol_indices(sum, &n, (size_t)n, points, 1, s, NULL, NULL,
                                NULL) != GSCALE_OK,
           "a sum of %d", n);
  for (int i = 0; i < n; i++)
    off += fabs(s[i].first - (i + 1) * (i + 1) / squares) > 0.01 ||
           fabs(s[i].total - s[i].first) > 0.01;
  gsl_test(off > 0, "of %d shares %d are off", n, off);
}

static double constant(const double *x, void *closure)
{
  (void)closure;
  return 3 + 0 * x[0];
}

static double nowhere(const double *x, void *closure)
{
  (void)closure;
  return x[0] > 0.1 ? (double)NAN : 1;
}

static void others(void)
{
  static gscale_sobol s[GSCALE_SOBOL_MAX];
  int n = GSCALE_SOBOL_MAX;

  adds_up(FEW, 2048);
  adds_up(FEW + 1, 2048);
  adds_up(MANY, 4096);
  for (uint64_t seed = 1; seed <= 2; seed++) many(seed);
  gsl_test(gscale_sobol_indices(sum, &n, GSCALE_SOBOL_MAX, 16, 1, s, NULL, NULL,
                                NULL) != GSCALE_OK,
           "as many as there may be");
  gsl_test(gscale_sobol_indices(constant, NULL, 2, 64, 1, s, NULL, NULL,
                                NULL) != GSCALE_OK,
           "a constant");
  gsl_test_abs(s[0].total, 0, 0, "has no shares");
  gsl_test(gscale_sobol_indices(nowhere, NULL, 1, 64, 1, s, NULL, NULL, NULL) !=
               GSCALE_ENUMERIC,
           "hardly anywhere finite");
  gsl_test(gscale_sobol_indices(sum, &n, GSCALE_SOBOL_MAX + 1, 64, 1, s, NULL,
                                NULL, NULL) != GSCALE_EDOMAIN,
           "too many inputs");
}

int main(void)
{
  for (uint64_t seed = 1; seed <= 3; seed++) by_closed_form(seed);
  others();
  return gsl_test_summary();
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
