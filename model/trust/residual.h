/* residual.h - how residuals are distributed, for model/ only. */
#ifndef GPUSCALE_TRUST_RESIDUAL_H
#define GPUSCALE_TRUST_RESIDUAL_H

/* One standard error, in scales of a t with 3 degrees of freedom. */
double gscale__residual_point(void);
/* Standard errors that hold 95 % of them. */
double gscale__residual_tail(void);
/* Probability that one is below z standard errors: a t with 3 degrees of
 * freedom, 68.27 % of which lie within one. */
double gscale__residual_below(double z);

#endif /* GPUSCALE_TRUST_RESIDUAL_H */
