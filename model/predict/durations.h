/* durations.h - how long the durations of a schedule last, and what they are
 * made of, for model/predict/ only. */
#ifndef GPUSCALE_PREDICT_LASTS_H
#define GPUSCALE_PREDICT_LASTS_H

#include "equation/flow.h"
#include "paradigm/emit.h"
#include "price/actions.h"

/* s, of a duration of a phase (gscale__slot), l being what the paradigm makes
 * of it; its parts, but for its flow, unless that is NULL (durations.c). */
double gscale__slot_parts(const gscale_plan *p, size_t phase,
                          const gscale__stage *l, int s, gscale__lasts *parts);
/* s, with its flow. */
double gscale__slot_time(const gscale_plan *p, size_t phase,
                         const gscale__stage *l, int s);

/* What a step is made of, by mechanism. */
typedef struct gscale__spent {
  double time;
  double of[GSCALE_MECHANISM_END];    /* s, along the critical cycle */
  double saved[GSCALE_MECHANISM_END]; /* s, of it, if it took 1 % less */
  double flow[GSCALE__PHASES_MAX];    /* dT/d(length of each phase's flow) */
} gscale__spent;

/* The parts of a step, which sum to its time, and what would save most. */
typedef struct gscale__parts {
  double time;                /* s */
  double of[GSCALE_PART_END]; /* s */
  gscale_mechanism bound;
} gscale__parts;
void gscale__parts_of(const gscale__spent *s, gscale__parts *out);

/* The part of a cost of a timeline (attribution.c). */
gscale_mechanism gscale__cost_mechanism(int cost);
/* Adds a time, and 1 % of it to what its relaxation saves. */
void gscale__spend(gscale__spent *s, gscale_mechanism m, double time);
void gscale__spend_lasts(gscale__spent *s, const gscale__lasts *l,
                         double times);
/* Of a flow that takes `whole`, so many times. */
void gscale__spend_flow(gscale__spent *s, const gscale_flow *f, double whole,
                        double times);

#endif /* GPUSCALE_PREDICT_LASTS_H */

/* SPDX-License-Identifier: GPL-3.0-or-later */
