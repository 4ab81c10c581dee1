/* t_sobol.c - shares of the variance, against closed forms. */

#include "gpuscale.h"

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

static double sum(const double *x, void *closure)
{
  double y = 0;

  (void)closure;
  for (int i = 0; i < GSCALE_SOBOL_MAX; i++) y += (i + 1) * x[i];
  return y;
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
  gscale_sobol s[GSCALE_SOBOL_MAX];
  double squares = 0;
  int off = 0;

  for (int i = 1; i <= GSCALE_SOBOL_MAX; i++) squares += i * i;
  gsl_test(gscale_sobol_indices(sum, NULL, GSCALE_SOBOL_MAX, 2048, 1, s, NULL,
                                NULL, NULL) != GSCALE_OK,
           "a sum of many");
  for (int i = 0; i < GSCALE_SOBOL_MAX; i++)
    off += fabs(s[i].first - (i + 1) * (i + 1) / squares) > 0.01 ||
           fabs(s[i].total - s[i].first) > 0.01;
  gsl_test(off > 0, "%d shares are off", off);
  gsl_test(gscale_sobol_indices(constant, NULL, 2, 64, 1, s, NULL, NULL,
                                NULL) != GSCALE_OK,
           "a constant");
  gsl_test_abs(s[0].total, 0, 0, "has no shares");
  gsl_test(gscale_sobol_indices(nowhere, NULL, 1, 64, 1, s, NULL, NULL, NULL) !=
               GSCALE_ENUMERIC,
           "hardly anywhere finite");
  gsl_test(gscale_sobol_indices(sum, NULL, GSCALE_SOBOL_MAX + 1, 64, 1, s, NULL,
                                NULL, NULL) != GSCALE_EDOMAIN,
           "too many inputs");
}

int main(void)
{
  for (uint64_t seed = 1; seed <= 3; seed++) by_closed_form(seed);
  others();
  return gsl_test_summary();
}
