/* residual.h - the distribution of residuals, for model/ only. */
#ifndef GPUSCALE_TRUST_RESIDUAL_H
#define GPUSCALE_TRUST_RESIDUAL_H

#include "gpuscale/score.h"

/* Fills the parts of a run's residual of ln(time), which runs have in common.
 * Returns the variance of its other errors. */
double gscale__residual_parts(const gscale_residual *r,
                              const gscale_residuals *w,
                              double u[GSCALE_RESIDUAL_PARTS]);
/* Returns one standard error in scales of a t with 3 degrees of freedom. */
double gscale__residual_point(void);
/* Returns the number of standard errors that hold 95 %. */
double gscale__residual_tail(void);
/* Returns the probability of a residual below z standard errors.  It is a t
 * with 3 degrees of freedom, 68.27 % of which lie within one. */
double gscale__residual_below(double z);

#endif /* GPUSCALE_TRUST_RESIDUAL_H */
