/* piece.h - a piece of a step: what the host waits for at once.  For step.c,
 * knobs.c only. */
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

/* s, the duration `at` of phases. */
static inline double gscale__piece_slot(const gscale_plan *p,
                                        const gscale__piece *a,
                                        const gscale__stage *stage, int at)
{
  const size_t phase = a->first + (size_t)(at / GSCALE__SLOTS);

  return gscale__slot_time(p, phase, &stage[phase], at % GSCALE__SLOTS);
}

/* Fills the durations of the program's own work; then costs and all. */
void gscale__piece_fill_works(const gscale_plan *p, const gscale__piece *a,
                              const gscale__stage *stage, double *d);
void gscale__piece_fill(const gscale_plan *p, const gscale__piece *a,
                        const gscale__stage *stage, double *cost);
/* A timeline looks at all costs: those that nothing fills are 0. */
void gscale__piece_clear(const gscale__piece *a, double *cost);

/* s, one period; spent may be NULL. */
double gscale__piece_time(const gscale_plan *p, const gscale__piece *a,
                          const gscale__stage *stage, gscale__spent *spent);

#endif /* GPUSCALE_PREDICT_PIECE_H */

/* SPDX-License-Identifier: GPL-3.0-or-later */
