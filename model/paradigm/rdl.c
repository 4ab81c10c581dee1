/* rdl.c - remote demand loads: readers load from the owner's memory.
 *
 *  transfer = max( wire bytes / rate, loads / loads per second,
 *                  loads * round trip / warps ).
 *  compute  = C(N) + extra wait of the longest thread's remote loads.
 *  device   = (1 - away) * compute + max( away * compute, transfer )
 *             + round trip.
 *
 * Here, `away` is the share of blocks that load from other GPUs.  The dependent
 * loads of the longest thread overlap all other loads.
 *
 * Only data that is read moves, and moves as often as it is loaded, because a
 * reader caches remote memory only in its SM.  An SM loads data once if the
 * SM's cache keeps the data (device.l1).  Loads overlap the reader's own work
 * as long as enough warps wait for them (Little's law).  Loads of published
 * data count in the phase that publishes the data, although the next phase
 * makes the loads.
 *
 * The model omits more than one load in flight per warp, and words that are
 * loaded more often than other words.
 * Source: [Gps21] remote demand loads; ours for the latency. */

#include "paradigm/paradigm.h"

static const char *needs(const gscale_plan *p, const gscale__phase_plan *f)
{
  if (f->out > 0.0 &&
      !(f->kernels > 0.0)) /* the loads count in this phase's kernel */
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
    .about = {"rdl", "readers load from the owner's memory",
              .needs = {.peer = GSCALE_PEER_STORES}, .plain = 6,
              .measured = true},
    .needs = needs,
    .prepare = prepare,
};

/* SPDX-License-Identifier: GPL-3.0-or-later */
