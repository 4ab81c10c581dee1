/* collectives.c - a system's parameters as what collectives are made by.
 *
 * LL sends a flag of 4 B with every 4 B, LL128 one of 8 B in every 128 B
 * [Nccl].  Adding up reads two numbers and writes one. */

#include "predict/collectives.h"

#include <math.h>

gscale_coll_machine gscale__coll_machine(const double *p, const gscale_link *l,
                                         int node)
{
  const double many = 1048576.0; /* B: whole packets */
  const double formatted =
      p[GSCALE_LINK_RATE] * gscale_goodput(l, GSCALE_STORE, many, false);

  return (gscale_coll_machine){
      .start = p[GSCALE_COLL_START],
      .by = {[GSCALE_COLL_LL] = {0.0, p[GSCALE_COLL_STEP],
                                 p[GSCALE_COLL_LL_RATE], 4.0 / 8.0},
             [GSCALE_COLL_LL128] = {0.0, p[GSCALE_COLL_FLAG_STEP],
                                    p[GSCALE_COLL_LL128_RATE], 120.0 / 128.0},
             [GSCALE_COLL_SIMPLE] = {p[GSCALE_COLL_SIMPLE_START],
                                     p[GSCALE_COLL_FLAG_STEP], (double)INFINITY,
                                     1.0}},
      .link = formatted * p[GSCALE_COLL_EFFICIENCY],
      .pair_start = p[GSCALE_COLL_PAIR_START],
      .channel = p[GSCALE_COLL_CHANNEL],
      .channels = p[GSCALE_COLL_CHANNELS],
      .in_switch = formatted * p[GSCALE_COLL_SWITCH],
      .add = p[GSCALE_DEVICE_MEMBW] / 3.0,
      .node = node,
  };
}
