/* piece.h - a piece of a step: what the host waits for at once.  For step.c and
 * points.c only. */
#ifndef GPUSCALE_PREDICT_PIECE_H
#define GPUSCALE_PREDICT_PIECE_H

#include "predict/step.h"

/* The one of the first phases; false behind the last. */
gscale__piece gscale__first_piece(const gscale_plan *p, size_t paradigm,
                                  bool by_device);
bool gscale__next_piece(const gscale_plan *p, size_t paradigm, bool by_device,
                        gscale__piece *a);

/* Fills the costs that the form looks at.  The plan's cost of a wait is for
 * another GPU's event; for one of its own it costs the host what a record does.
 */
void gscale__piece_costs(const gscale_plan *p, const gscale__form *f,
                         double *cost);

/* How many durations of phases are used: the first of form->used. */
int gscale__piece_slots(const gscale__piece *a);

/* How long the kernels of each phase last, s; and those that are bound by
 * arithmetic so many times longer. */
typedef struct gscale__kernels_of {
  double last[GSCALE__PHASES_MAX], slower;
} gscale__kernels_of;
gscale__kernels_of gscale__piece_kernels(const gscale_plan *p,
                                         const gscale__piece *a,
                                         const gscale__stage *stage);

#endif /* GPUSCALE_PREDICT_PIECE_H */

/* SPDX-License-Identifier: GPL-3.0-or-later */
