/* joules.h - standard error of a step's energy, for model/trust/ only. */
#ifndef GPUSCALE_TRUST_JOULES_H
#define GPUSCALE_TRUST_JOULES_H

#include "trust/perturb.h"

/* What numbers do to the energy of a step. */
typedef struct gscale__joules {
  double of_time;              /* W, all GPUs': of a second more of the step, */
  double of_kernels;           /* and if kernels take it */
  double err;                  /* J, of the numbers so far; NaN stays */
  double by[GSCALE_PARAM_END]; /* J, signed, of each parameter, where some of
                                * them are correlated */
} gscale__joules;

/* NaN where the system does not say its power. */
void gscale__joules_open(const gscale_uncertainty *u, const gscale_knobs *k,
                         gscale__joules *j);
/* Adds number i, which moves the time so. */
void gscale__joules_add(const gscale_uncertainty *u, size_t i,
                        const gscale_influence *f, gscale__joules *j);
/* J, with what its watts are off by, of a step that was predicted so; `common`
 * is what fitted numbers have in common, J^2. */
double gscale__joules_error(const gscale_uncertainty *u,
                            const gscale_prediction *r, const gscale__joules *j,
                            double common);

#endif /* GPUSCALE_TRUST_JOULES_H */

/* SPDX-License-Identifier: GPL-3.0-or-later */
