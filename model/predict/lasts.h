/* lasts.h - how long the durations of a schedule last, and what they are made
 * of, for model/predict/ only. */
#ifndef GPUSCALE_PREDICT_LASTS_H
#define GPUSCALE_PREDICT_LASTS_H

#include "equation/flow.h"
#include "paradigm/emit.h"
#include "price/actions.h"

/* s, of a duration of a phase (gscale__slot), l being what the paradigm makes
 * of it; its parts, but for its flow, unless that is NULL (slots.c). */
double gscale__slot_parts(const gscale_plan *p, size_t phase,
                          const gscale__stage *l, int s, gscale__lasts *parts);
/* Whether it hangs on what the paradigm makes of the phase; else that is not
 * read. */
bool gscale__slot_staged(int s);
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
/* Of GSCALE__AT_ONCE steps beside each other, s[i * GSCALE__AT_ONCE + k] of
 * step k. */
void gscale__parts_beside(const double *spent, const double *saved,
                          double *time, double *part, int *bound);

/* The part of a cost of a timeline (spent.c). */
gscale_mechanism gscale__cost_mechanism(int cost);
/* Adds what 1 % less of a time would save, too. */
static inline void gscale__spend_time(double time, double *of, double *saved)
{
  *of += time;
  *saved += 0.01 * time;
}
void gscale__spend(gscale__spent *s, gscale_mechanism m, double time);
enum {
  GSCALE__LASTS = 7 /* numbers of a gscale__lasts, and the mechanism of each */
};
extern const gscale_mechanism gscale__lasts_are[GSCALE__LASTS];
void gscale__spend_lasts(gscale__spent *s, const gscale__lasts *l,
                         double times);
/* Of a flow that takes `whole`, so many times. */
void gscale__spend_flow(gscale__spent *s, const gscale_flow *f, double whole,
                        double times);
/* Of GSCALE__AT_ONCE flows beside each other, with these numbers, and all else
 * of *like; of a mechanism m of flow k to of[m * GSCALE__AT_ONCE + k], and what
 * 1 % less would save to saved[]. */
void gscale__spend_flows(double *of, double *saved, const gscale_flow *like,
                         const gscale__chunks *c, const double *numbers,
                         const double *whole, const double *times);

#endif /* GPUSCALE_PREDICT_LASTS_H */

/* SPDX-License-Identifier: GPL-3.0-or-later */
