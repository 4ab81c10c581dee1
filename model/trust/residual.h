/* residual.h - the distribution of residuals, only for model/. */
#ifndef GPUSCALE_TRUST_RESIDUAL_H
#define GPUSCALE_TRUST_RESIDUAL_H

#include "gpuscale/score.h"

/* Computes the parts of a run's residual of ln(time) that runs have in common,
 * and returns the variance of all other errors. */
double gscale__residual_parts(const gscale_residual *r,
                              const gscale_residuals *w,
                              double u[GSCALE_RESIDUAL_PARTS]);
/* Returns one standard error, in units of the scale of a t distribution with 3
 * degrees of freedom. */
double gscale__residual_point(void);
/* Returns the probability of a residual below z standard errors for a t
 * distribution with 3 degrees of freedom, which has 68.27 % within one standard
 * error. */
double gscale__residual_below(double z);

#endif /* GPUSCALE_TRUST_RESIDUAL_H */
