/* blocks.h - what follows from the thread blocks of a phase. */
#ifndef GPUSCALE_PRICE_BLOCKS_H
#define GPUSCALE_PRICE_BLOCKS_H

#include "price/plan.h"

/* s, the longest of its groups' paths of dependent loads, those to what is
 * published answered by this GPU: the longest thread may begin last. */
double gscale__path_time(const gscale__source *s, const gscale_phase *w,
                         double footprint);

/* How much longer its arithmetic takes on a GPU which has `part` of the problem
 * than if the blocks that groups count filled it, >= 1: gscale_filling. */
double gscale__filling(const gscale__source *s, const gscale_phase *w,
                       double part);

/* Fills ready, reading, away, stay, wait, block, slots and, from local,
 * groups: on a GPU of which a share `leaving` of the data goes to others, which
 * has `part` of the problem, and whose arrays take so many B. */
void gscale__fill_blocks(const gscale__source *s, const gscale_phase *w,
                         double footprint, double leaving, double part,
                         gscale__phase_plan *f);

/* Of one GPU's kernel, the share that makes one face; 0 if the groups do not
 * say. */
double gscale__face(const gscale_phase *w);

#endif /* GPUSCALE_PRICE_BLOCKS_H */

/* SPDX-License-Identifier: GPL-3.0-or-later */
