/* phase.h - a phase on n GPUs, for model/price/ only. */
#ifndef GPUSCALE_PRICE_PHASE_H
#define GPUSCALE_PRICE_PHASE_H

#include "price/plan.h"

/* B, of the arrays of one of n GPUs. */
double gscale__footprint(const gscale_phase *w, int n);
/* The rate that it computes at. */
double gscale__flops(const gscale__source *s, const gscale_phase *w);
/* Fills in the roofline of the busiest of n GPUs, and its calls. */
void gscale__fill_roofline(const gscale__source *s, const gscale_phase *w,
                           int n, gscale__phase_plan *f);
/* s, what holds up a kernel that takes `factor` times its roofline, besides. */
double gscale__other_leg(const gscale__source *s, const gscale_phase *w, int n,
                         const gscale__phase_plan *f, double factor);
/* So does it take then. */
void gscale__scale_work(gscale__phase_plan *f, double factor, double other);
/* Fills in what it makes of what it publishes, and of what others do. */
void gscale__fill_publish(const gscale__source *s, const gscale_phase *w, int n,
                          gscale__phase_plan *f);
/* s, the kernel that finds the norm, of the busiest GPU's share. */
double gscale__norm_kernel(const gscale__source *s, const gscale_host *h,
                           int n);

#endif /* GPUSCALE_PRICE_PHASE_H */

/* SPDX-License-Identifier: GPL-3.0-or-later */
