/* collectives.h - a system's parameters as what collectives are made by, for
 * model/ only. */
#ifndef GPUSCALE_PREDICT_COLLECTIVES_H
#define GPUSCALE_PREDICT_COLLECTIVES_H

#include "object.h"

/* Of the values p[GSCALE_PARAM_END], `node` GPUs being joined without a
 * network.
 */
gscale_coll_machine gscale__coll_machine(const double *p, const gscale_link *l,
                                         int node);

#endif /* GPUSCALE_PREDICT_COLLECTIVES_H */
