/* infinite.c - data is where it is needed at once: the bound for all others.
 *
 *   device = C(N)
 *
 * Source: [Proact21] calls it infinite bandwidth and measures it by leaving the
 * copies out. */

#include "object.h"

static void prepare(const gscale_plan *p, const gscale__phase_plan *f,
                    const gscale_knobs *k, gscale__legs *out)
{
  (void)k;
  gscale__compute_only(p, f, out);
}

static double device(const gscale__legs *l, const double *on)
{
  return on[GSCALE_M_COMPUTE] * l->compute;
}

const gscale__paradigm gscale__infinite = {
    .about = {"infinite",
              "data moves in no time: the upper bound",
              false,
              {false},
              {.peer = GSCALE_PEER_NONE},
              false},
    .prepare = prepare,
    .device = device,
};
