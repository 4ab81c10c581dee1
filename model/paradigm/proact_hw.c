/* proact_hw.c - PROACT with counters and a copy agent in hardware.
 *
 *   device = compute with a pipe of chunks (gscale_flow_time) that starts at no
 *            cost, + latency of a store.
 *
 * The hardware takes no time from the SMs: a unit sees the writes that count,
 * the agent has no threads, and a chunk begins when it is complete.  The costs
 * that remain are the link, the tail after the last chunk and bytes that slow
 * the memory.
 *
 * The model omits the number of counters of the unit.
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
    .about = {"proact-hw", "PROACT: counters and copy agent in hardware",
              .proposed = true, .uses = {[GSCALE_CHUNK] = true},
              .needs = {.peer = GSCALE_PEER_STORES}, .plain = 10},
    .packs = true,
    .stores = true,
    .prepare = prepare,
};

/* SPDX-License-Identifier: GPL-3.0-or-later */
