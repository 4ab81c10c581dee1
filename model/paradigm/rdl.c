/* rdl.c - remote demand loads: nothing is sent, readers load from the owner.
 *
 *   transfer = max( wire bytes / rate, loads / loads per second,
 *                   loads * round trip / warps )
 *   compute  = C(N) + what the far loads of the longest thread wait longer
 *   device   = (1 - away) compute + max( away compute, transfer ) + round trip
 *
 * with `away` the share of the blocks that load from others.  The loads of the
 * longest thread, each of which waits for the last, go on beside all others.
 *
 * Only what is read is moved, as often as it is loaded: another GPU's memory
 * is cached in the reader's SM and no further.  Loads run beside the reader's
 * own work as long as enough warps wait for them (Little's law); the loads of
 * what a phase publishes are charged to that phase, though the next one makes
 * them.
 *
 * What the cache of an SM keeps (device.l1) it loads once.
 *
 * Omits: how many loads a warp has in flight beyond one; that some words are
 * loaded more often than others.
 * Source: [Gps21] remote demand loads; ours for the latency. */

#include "paradigm/paradigm.h"

static const char *needs(const gscale_plan *p, const gscale__phase_plan *f)
{
  if (f->out > 0.0 && !(f->kernels > 0.0)) /* they are charged to its kernel */
    return "a kernel that loads (host.kernels)";
  if (f->to != GSCALE_TO_NONE &&
      !(gscale__ask(p, GSCALE_LOAD_LATENCY) > 0.0 &&
        gscale__ask(p, GSCALE_LOAD_EFFICIENCY) > 0.0))
    return "load.latency and load.efficiency of the system";
  return NULL;
}

static void prepare(const gscale_plan *p, const gscale__phase_plan *f,
                    const gscale_knobs *k, gscale__stage *out)
{
  (void)k;
  gscale__compute_only(p, f, out);
  if (f->out > 0.0) gscale__loads(p, f, out);
}

const gscale__paradigm gscale__rdl = {
    .about = {"rdl",
              "readers load from the owner's memory",
              false,
              {false},
              {.peer = GSCALE_PEER_STORES},
              false,
              false,
              .plain = 6,
              .measured = true},
    .needs = needs,
    .prepare = prepare,
};

/* SPDX-License-Identifier: GPL-3.0-or-later */
