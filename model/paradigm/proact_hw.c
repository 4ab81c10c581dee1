/* proact_hw.c - PROACT with hardware of its own: counters and a copy agent
 * beside the SMs.
 *
 *   device = compute beside a pipe of chunks (gscale_flow_time) without
 * start-up cost,
 *            + latency of a store
 *
 * Nothing is taken from the SMs: counting is a write that the unit sees, the
 * agent has no threads, a chunk begins when it is complete.  What stays is the
 * link, the tail behind the last chunk, and bytes that slow the memory.
 *
 * Omits: the number of counters the unit has.
 * Source: [Proact21] dedicated hardware; [Diss22] ch. II. */

#include "paradigm/paradigm.h"

#include <math.h>

static void prepare(const gscale_plan *p, const gscale__phase_plan *f,
                    const gscale_knobs *k, gscale__stage *out)
{
  gscale__compute_only(p, f, out);
  if (!(f->out > 0.0)) return;

  gscale__packed(p, f, out);
  out->flow.ready = &f->counted;
  out->flow.slowdown = f->out * gscale__ask(p, GSCALE_STORE_INTERFERENCE);
  out->flow.latency = gscale__ask(p, GSCALE_STORE_LATENCY);
  out->flow.bytes = f->local;
  out->flow.chunk = fmin(f->piece, k->v[GSCALE_CHUNK]);
}

const gscale__paradigm gscale__proact_hw = {
    .about = {"proact-hw",
              "PROACT: counters and copy agent in hardware",
              true,
              {[GSCALE_CHUNK] = true},
              {.peer = GSCALE_PEER_STORES},
              false,
              false,
              .plain = 10},
    .packs = true,
    .stores = true,
    .prepare = prepare,
};

/* SPDX-License-Identifier: GPL-3.0-or-later */
