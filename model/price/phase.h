/* phase.h - compute and published data of a phase, for model/price/ only. */
#ifndef GPUSCALE_PRICE_PHASE_H
#define GPUSCALE_PRICE_PHASE_H

#include "price/plan.h"

/* Returns the bytes of the arrays on one of n GPUs. */
double gscale__footprint(const gscale_phase *w, int n);
/* Returns the rate of the phase's arithmetic in flop/s. */
double gscale__flops(const gscale__source *s, const gscale_phase *w);
/* Fills the roofline and the additional calls of the busiest of n GPUs. */
void gscale__fill_roofline(const gscale__source *s, const gscale_phase *w,
                           int n, gscale__phase_plan *f);
/* Returns the time in s that a second limit (see phase.c) sets for a kernel of
 * `factor` times its roofline. */
double gscale__other_limit(const gscale__source *s, const gscale_phase *w,
                           int n, const gscale__phase_plan *f, double factor);
/* Scales the kernel work by `factor`, or to `other` s if that is longer. */
void gscale__scale_work(gscale__phase_plan *f, double factor, double other);
/* Fills the data that a phase publishes and receives. */
void gscale__fill_publish(const gscale__source *s, const gscale_phase *w, int n,
                          gscale__phase_plan *f);
/* Returns the time in s of the norm's kernel on the busiest GPU. */
double gscale__norm_kernel(const gscale__source *s, const gscale_host *h,
                           int n);

#endif /* GPUSCALE_PRICE_PHASE_H */

/* SPDX-License-Identifier: GPL-3.0-or-later */
