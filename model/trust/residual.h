/* residual.h - how residuals are distributed, for model/ only. */
#ifndef GPUSCALE_TRUST_RESIDUAL_H
#define GPUSCALE_TRUST_RESIDUAL_H

#include "gpuscale/score.h"

/* Of ln(time) of a run: the model's own residual by its parts, which is what
 * runs have in common; returns the square of what it is off by besides. */
double gscale__residual_parts(const gscale_residual *r,
                              const gscale_residuals *w,
                              double u[GSCALE_RESIDUAL_PARTS]);
/* One standard error, in scales of a t with 3 degrees of freedom. */
double gscale__residual_point(void);
/* Standard errors that hold 95 % of them. */
double gscale__residual_tail(void);
/* Probability that one is below z standard errors: a t with 3 degrees of
 * freedom, 68.27 % of which lie within one. */
double gscale__residual_below(double z);

#endif /* GPUSCALE_TRUST_RESIDUAL_H */
