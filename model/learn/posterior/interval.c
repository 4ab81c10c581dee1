/* interval.c - the distribution of a number given the runs.
 *
 * The posterior of a measured number is normal in z: z +- sd.  The prior of an
 * assumed number is uniform over a range.  The runs determine x = p, or x = ln
 * p if the logarithm is uniform, with a normal error.  Here x' = dx/dz is the
 * slope at the minimum, and i = 1 / sd^2 - 1 is the information of the runs
 * relative to the prior.  The distributions of x are
 *
 *   from the runs alone     x + x' z / i  +-  x' / sqrt(i)  (normal),
 *   with the range          this normal distribution, truncated at both ends.
 */

#include "learn/posterior/posterior.h"

#include <gsl/gsl_cdf.h>

/* The factor on standard errors that corrects for slopes that change around the
 * minimum.  Without this factor, 1.96 standard errors contain the truth for
 * 92.5 % of drawn machines (tests/t_posterior.c).  With the fitted factor, the
 * intervals contain the truth for 95 %. */
static const double WIDER = 1.12;
static const double FAR = 8.0;   /* both ends in z */
static const double SLOPE = 0.1; /* step of a slope in z, to both sides */

/* Returns the quantile `share` of a normal distribution truncated to [a, b],
 * computed in the tail in which both ends keep significant digits. */
static double truncated_quantile(double a, double b, double share)
{
  if (a > 0.0) return -truncated_quantile(-b, -a, 1.0 - share);
  const double low = gsl_cdf_ugaussian_P(fmax(a, -30.0));
  const double high = gsl_cdf_ugaussian_P(fmax(b, -30.0));
  const double at = low + share * (high - low);

  return at > 0.0 && high > low ? gsl_cdf_ugaussian_Pinv(fmin(at, 1.0 - 1e-16))
                                : b;
}

typedef struct range {
  double low, high, at, slope;
} range;

/* Returns the range of a number as values of x. */
static range range_of(const latent *l, double z, bool logarithm)
{
  double v[5] = {gscale__posterior_value(l, -FAR),
                 gscale__posterior_value(l, FAR), gscale__posterior_value(l, z),
                 gscale__posterior_value(l, z - SLOPE),
                 gscale__posterior_value(l, z + SLOPE)};

  for (int i = 0; logarithm && i < 5; i++) v[i] = log(v[i]);
  return (range){v[0], v[1], v[2], (v[4] - v[3]) / (2.0 * SLOPE)};
}

double gscale__posterior_quantile(const gscale_posterior *p, const latent *l,
                                  double share)
{
  const gscale__spread kind = gscale__spread_of(&l->entry->about.p);
  const bool even = kind == GSCALE__EVEN || kind == GSCALE__LOG_EVEN;
  const double z = p->at[l->column];
  const double linear = sqrt(gsl_matrix_get(p->cov, l->column, l->column));
  const double information = (1.0 / (linear * linear) - 1.0) / (WIDER * WIDER);
  const double sd = 1.0 / sqrt(1.0 + fmax(0.0, information));
  const range r = range_of(l, z, kind == GSCALE__LOG_EVEN);

  if (!even || !(information > 1e-6) || !(r.slope > 0.0))
    return gscale__posterior_value(l, z + sd * gsl_cdf_ugaussian_Pinv(share));
  const double alone = r.at + r.slope * z / information;
  const double err = r.slope / sqrt(information);
  const double x =
      alone + err * truncated_quantile((r.low - alone) / err,
                                       (r.high - alone) / err, share);
  const double inside = fmax(r.low, fmin(r.high, x));
  return kind == GSCALE__LOG_EVEN ? exp(inside) : inside;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
