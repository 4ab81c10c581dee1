/* spread.c - draws, quantiles and scores of the distributions of uncertain
 * numbers. */

#include "trust/uncertain_numbers.h"

#include <gsl/gsl_cdf.h>
#include <math.h>

/* Returns the distribution of a number.  Uniform and normal numbers whose range
 * would pass 0 become log-uniform and log-normal. */
gscale__spread gscale__spread_of(const gscale_param *p)
{
  if (p->spread == GSCALE_PLAIN) return GSCALE__NORMAL;
  if (p->spread == GSCALE_LOG) return GSCALE__LOG_NORMAL;
  const bool even = p->origin == GSCALE_ASSUMED;
  const double reach = even ? sqrt(3.0) : 3.0;

  if (p->val > 0.0 && reach * p->err > p->val)
    return even ? GSCALE__LOG_EVEN : GSCALE__LOG_NORMAL;
  return even ? GSCALE__EVEN : GSCALE__NORMAL;
}

/* Returns the logarithm of (standard deviation / median) of a number whose
 * logarithm is uniform within -+ h of the median. */
static double log_spread(double h)
{
  const double mean = sinh(h) / h;

  return log(sinh(2.0 * h) / (2.0 * h) - mean * mean) / 2.0;
}

/* Returns half of the range, h, of the logarithm of a log-uniform number with
 * median val and standard deviation err.  The secant method starts at h =
 * sqrt(3) err / val and solves
 *
 *   sinh(2 h) / (2 h) - (sinh(h) / h)^2 = (err / val)^2.
 */
static double log_range(const gscale_param *p)
{
  const double r = p->err / p->val;
  double before = asinh(sqrt(3.0) * r), h = 1.1 * before;
  double f_before = log_spread(before) - log(r);

  for (int i = 0; i < 12; i++) {
    const double f = log_spread(h) - log(r);
    const double next = h - f * (h - before) / (f - f_before);

    if (!(fabs(f) > 1e-12) || !(next > 0.0)) break;
    before = h;
    f_before = f;
    h = next;
  }
  return h;
}

/* Returns the standard deviation of the logarithm of a log-normal number with
 * median val and standard deviation err. */
static double log_sigma(const gscale_param *p)
{
  const double r = p->err / p->val;

  return sqrt(log((1.0 + sqrt(1.0 + 4.0 * r * r)) / 2.0));
}

double gscale_param_nodes(const gscale_param *p, double *down, double *up)
{
  const double even = sqrt(9.0 / 5.0), normal = sqrt(3.0);
  double d;

  switch (gscale__spread_of(p)) {
  case GSCALE__LOG_EVEN:
    d = exp(sqrt(3.0 / 5.0) * log_range(p));
    *down = p->val / d;
    *up = p->val * d;
    return 5.0 / 18.0;
  case GSCALE__LOG_NORMAL:
    d = exp(normal * log_sigma(p));
    *down = p->val / d;
    *up = p->val * d;
    return 1.0 / 6.0;
  case GSCALE__EVEN:
    *down = p->val - even * p->err;
    *up = p->val + even * p->err;
    return 5.0 / 18.0;
  case GSCALE__NORMAL:
    break;
  }
  *down = p->val - normal * p->err;
  *up = p->val + normal * p->err;
  return 1.0 / 6.0;
}

double gscale__drawn(const gscale_param *p, double a, double b)
{
  const double two_pi = 6.283185307179586;
  const double normal = sqrt(-2.0 * log(a)) * cos(two_pi * b);

  switch (gscale__spread_of(p)) {
  case GSCALE__LOG_EVEN:
    return p->val * exp(log_range(p) * (2.0 * a - 1.0));
  case GSCALE__LOG_NORMAL:
    return p->val * exp(log_sigma(p) * normal);
  case GSCALE__EVEN:
    return p->val + p->err * sqrt(3.0) * (2.0 * a - 1.0);
  case GSCALE__NORMAL:
    break;
  }
  return p->val + p->err * normal;
}

/* Returns 2 Phi(z) - 1, where Phi is the standard normal distribution. */
static double twice_normal(double z)
{
  return erf(z * sqrt(0.5));
}

double gscale__quantile(const gscale_param *p, double z)
{
  switch (gscale__spread_of(p)) {
  case GSCALE__LOG_EVEN:
    return p->val * exp(log_range(p) * twice_normal(z));
  case GSCALE__LOG_NORMAL:
    return p->val * exp(log_sigma(p) * z);
  case GSCALE__EVEN:
    return p->val + p->err * sqrt(3.0) * twice_normal(z);
  case GSCALE__NORMAL:
    break;
  }
  return p->val + p->err * z;
}

double gscale_normal_quantile(double share)
{
  return gsl_cdf_ugaussian_Pinv(share);
}

/* Returns the z with twice_normal(z) = share. */
static double normal_score(double share)
{
  return gscale_normal_quantile(0.5 + 0.5 * fmax(-1.0, fmin(1.0, share)));
}

double gscale__score(const gscale_param *p, double value)
{
  switch (gscale__spread_of(p)) {
  case GSCALE__LOG_EVEN:
    return value > 0.0 ? normal_score(log(value / p->val) / log_range(p))
                       : -INFINITY;
  case GSCALE__LOG_NORMAL:
    return value > 0.0 ? log(value / p->val) / log_sigma(p) : -INFINITY;
  case GSCALE__EVEN:
    return normal_score((value - p->val) / (p->err * sqrt(3.0)));
  case GSCALE__NORMAL:
    break;
  }
  return (value - p->val) / p->err;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
