/* durations.h - durations of a schedule and their attribution, for
 * model/predict/ only. */
#ifndef GPUSCALE_PREDICT_LASTS_H
#define GPUSCALE_PREDICT_LASTS_H

#include "equation/flow.h"
#include "paradigm/emit.h"
#include "price/actions.h"

/* Returns the time in s of slot s (gscale__slot) of a phase with the stage l,
 * without the slot's flow.  Fills *parts unless `parts` is NULL. */
double gscale__slot_parts(const gscale_plan *p, size_t phase,
                          const gscale__stage *l, int s,
                          gscale__duration *parts);
/* Returns the time in s of a slot with the slot's flow. */
double gscale__slot_time(const gscale_plan *p, size_t phase,
                         const gscale__stage *l, int s);

typedef struct gscale__terms {
  gscale_term *term;
  size_t n, most;
} gscale__terms;
/* Adds a term: a cost, or a phase's slot if `cost` is above GSCALE_COST_END. */
void gscale__add_term(gscale__terms *to, const gscale_plan *p, size_t phase,
                      const gscale__stage *l, int cost, double times,
                      double each);
/* Adds the term of an action in the program's own schedule. */
void gscale__add_work_term(gscale__terms *to, size_t phase,
                           gscale_action_kind kind, const gscale__duration *d,
                           double times, double each);

/* Attribution of a step's time to mechanisms. */
typedef struct gscale__attribution {
  gscale__terms *terms; /* or NULL */
  double time;
  double of[GSCALE_MECHANISM_END];    /* s, on the critical cycle */
  double saved[GSCALE_MECHANISM_END]; /* s saved if 1 % faster */
  double flow[GSCALE__PHASES_MAX];    /* dT/d(length of each flow) */
} gscale__attribution;

/* Parts of a step's time, with the mechanism that would save most. */
typedef struct gscale__parts {
  double time;                /* s */
  double of[GSCALE_PART_END]; /* s */
  gscale_mechanism bound;
} gscale__parts;
void gscale__parts_of(const gscale__attribution *s, gscale__parts *out);

/* Returns the mechanism of a timeline's cost (attribution.c). */
gscale_mechanism gscale__cost_mechanism(int cost);
/* Adds a time, and 1 % of the time to what the mechanism saves. */
void gscale__attribute(gscale__attribution *s, gscale_mechanism m, double time);
void gscale__attribute_duration(gscale__attribution *s,
                                const gscale__duration *l, double times);
/* Adds `times` flows that take `whole` s each. */
void gscale__attribute_flow(gscale__attribution *s, const gscale_flow *f,
                            double whole, double times);

/* Returns the time in s of a flow with a share `kernels` of its kernels, and
 * without its data unless `moves`. */
double gscale__flow_kept(const gscale_flow *f, double kernels, bool moves);

#endif /* GPUSCALE_PREDICT_LASTS_H */

/* SPDX-License-Identifier: GPL-3.0-or-later */
