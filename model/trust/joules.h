/* joules.h - standard error of a step's energy, only for model/trust/. */
#ifndef GPUSCALE_TRUST_JOULES_H
#define GPUSCALE_TRUST_JOULES_H

#include "trust/perturb.h"

/* The contributions of numbers to the error of a step's energy. */
typedef struct gscale__joules {
  double of_time;              /* W during the whole step */
  double of_kernels;           /* additional W during kernels */
  double err;                  /* J so far, or NaN */
  double by[GSCALE_PARAM_END]; /* signed J of each parameter */
} gscale__joules;

/* Begins a sum of contributions, which is NaN if the system states no power. */
void gscale__joules_open(const gscale_uncertainty *u, const gscale_knobs *k,
                         gscale__joules *j);
/* Adds number i, which has the influence f on the time. */
void gscale__joules_add(const gscale_uncertainty *u, size_t i,
                        const gscale_influence *f, gscale__joules *j);
/* Returns the error of the energy, J, including the errors of powers.  `common`
 * is the covariance of fitted numbers, J^2. */
double gscale__joules_error(const gscale_uncertainty *u,
                            const gscale_prediction *r, const gscale__joules *j,
                            double common);

#endif /* GPUSCALE_TRUST_JOULES_H */

/* SPDX-License-Identifier: GPL-3.0-or-later */
