/* joules.h - standard error of a step's energy, for model/trust/ only. */
#ifndef GPUSCALE_TRUST_JOULES_H
#define GPUSCALE_TRUST_JOULES_H

#include "trust/perturb.h"

/* Numbers contribute to the energy of a step. */
typedef struct gscale__joules {
  double of_time;              /* W of the whole step */
  double of_kernels;           /* additional W of kernels */
  double err;                  /* J so far, or NaN */
  double by[GSCALE_PARAM_END]; /* J by parameter, signed */
} gscale__joules;

/* Sets NaN if the system does not give its power. */
void gscale__joules_open(const gscale_uncertainty *u, const gscale_knobs *k,
                         gscale__joules *j);
/* Adds number i, which has influence f on the time. */
void gscale__joules_add(const gscale_uncertainty *u, size_t i,
                        const gscale_influence *f, gscale__joules *j);
/* Returns J of a prediction with the errors of its watts.  `common` is the
 * covariance of fitted numbers, J^2. */
double gscale__joules_error(const gscale_uncertainty *u,
                            const gscale_prediction *r, const gscale__joules *j,
                            double common);

#endif /* GPUSCALE_TRUST_JOULES_H */

/* SPDX-License-Identifier: GPL-3.0-or-later */
