/* memcpy.c - compute followed by bulk copies of the copy engines.
 *
 * The kernel takes C(N).  In the kernel's stream, the copies come next and take
 * as long as the busiest link or a queue of (initiation + bytes/B), whichever
 * is longer.  The last copy begins when all other copies have ended and the
 * host has issued it.
 *
 * Copies of one host thread and stream run one after the other, each over the
 * links between its two GPUs.  Different threads and streams copy at the same
 * time.  Without peer access, a copy passes the host's memory (copies.c).
 *
 * The model omits that the driver blocks the host's thread while it stages a
 * long copy.
 *
 * Source: [Proact21] cudaMemcpy duplication.  The two laws of broadcasting in
 * [Proact21], one shared resource and N ports, are limits of the busiest
 * link. */

#include "paradigm/emit.h"

static void prepare(const gscale_plan *p, const gscale__phase_plan *f,
                    const gscale_knobs *k, gscale__stage *out)
{
  (void)k;
  gscale__compute_only(p, f, out);
  if (!(f->out > 0.0)) return;

  gscale__copies(p, f, 1.0, out);
  gscale__last_of(p, f, 1.0, out);
  out->row = true;
}

static void publish(gscale__emit *e)
{
  gscale__emit_copies(e, GSCALE__MAIN);
}

const gscale__paradigm gscale__memcpy = {
    .about = {"memcpy", "compute, then copy in bulk", .plain = 2,
              .measured = true},
    .packs = true,
    .needs = gscale__copies_need,
    .prepare = prepare,
    .publish = publish,
};

/* SPDX-License-Identifier: GPL-3.0-or-later */
