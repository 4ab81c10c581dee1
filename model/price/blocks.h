/* blocks.h - data readiness and waits of a phase's thread blocks. */
#ifndef GPUSCALE_PRICE_BLOCKS_H
#define GPUSCALE_PRICE_BLOCKS_H

#include "price/plan.h"

/* Returns the time in s of the longest path of dependent loads of any group,
 * with all loads from local memory.  The path adds to the kernel's time because
 * the longest thread may begin last. */
double gscale__path_time(const gscale__source *s, const gscale_phase *w,
                         double footprint);

/* Returns how many times longer arithmetic takes on a GPU with `part` of the
 * problem than if its counted blocks filled the GPU (gscale_filling). */
double gscale__filling(const gscale__source *s, const gscale_phase *w,
                       double part);

/* Fills the members ready, reading, away, stay, wait, block and slots and, from
 * `local`, groups.  The GPU has `part` of the problem and arrays of `footprint`
 * B, and sends a share `leaving` of its data. */
void gscale__fill_blocks(const gscale__source *s, const gscale_phase *w,
                         double footprint, double leaving, double part,
                         gscale__phase_plan *f);

/* Returns the share of one GPU's kernel that computes a face; 0: unknown. */
double gscale__face(const gscale_phase *w);

#endif /* GPUSCALE_PRICE_BLOCKS_H */

/* SPDX-License-Identifier: GPL-3.0-or-later */
