/* schedule.c - the program says itself, call by call, what its host threads do;
 * it is predicted as it is written (model/predict/written.c).
 *
 * The paradigm is a row of the table only: a workload without a schedule of its
 * own cannot run it, and one that has a schedule runs nothing else but
 * `infinite`, which leaves out what serves other GPUs. */

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

const gscale__paradigm gscale__schedule = {
    .about = {"schedule",
              "the program's own schedule, as written",
              false,
              {false},
              {.peer = GSCALE_PEER_NONE},
              false},
    .prepare = prepare,
    .device = device,
};
