/* costs.h - a plan's parameters as the costs of a timeline. */
#ifndef GPUSCALE_PREDICT_COSTS_H
#define GPUSCALE_PREDICT_COSTS_H

#include "internal.h"
#include "object.h"

/* cost[0 .. GSCALE_COST_END-1], in s. */
void gscale__costs(const gscale_plan *p, double *cost);

/* Factor on the costs of crowding of so many host threads. */
double gscale__crowd(const gscale_plan *p, int threads);

#endif /* GPUSCALE_PREDICT_COSTS_H */
