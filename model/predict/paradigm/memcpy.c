/* memcpy.c - compute, then bulk copies by the copy engines, then go on.
 *
 *   device = C(N) + latency + max( busiest link,
 *                                  sum of (initiation + bytes/B) in a row )
 *
 * or, where that is longer, all calls of the host and then the last copy.
 *
 * Copies of one host thread and stream run one after the other, each over the
 * links between its two GPUs; those of different threads and streams at the
 * same time.
 *
 * Without peer access a copy goes by way of the host's memory (common.c).
 *
 * Omits: that the driver holds the host's thread while it stages a long copy.
 * Source: [Proact21] cudaMemcpy duplication; the two laws of broadcasting, one
 * shared resource and N ports, are limits of the busiest link. */

#include "object.h"

static void prepare(const gscale_plan *p, const gscale__phase_plan *f,
                    const gscale_knobs *k, gscale__stage *out)
{
  (void)k;
  gscale__compute_only(p, f, out);
  if (!(f->out > 0.0)) return;

  gscale__copies(p, f, 1.0, out);
  out->host = gscale__issue_phase(
      p, f, (gscale_calls){.launches = f->kernels, .copies = f->copies});
  gscale__last_of(p, f, 1.0, out);
}

static double device(const gscale__stage *l, const double *on)
{
  return on[GSCALE_M_COMPUTE] * l->flow.compute + gscale__bulk(&l->copies, on) +
         on[GSCALE_M_LATENCY] * l->copies.latency;
}

const gscale__paradigm gscale__memcpy = {
    .about = {"memcpy",
              "compute, then copy in bulk",
              false,
              {false},
              {.peer = GSCALE_PEER_NONE},
              false},
    .needs = gscale__copies_need,
    .prepare = prepare,
    .device = device,
};
