/* inline.c - kernels that store straight into the memory of their peers.
 *
 *  transfer = max( wire bytes / rate, packets sent / packets per second,
 *                  packets received / packets per second into a GPU ).
 *  device = compute, perhaps held up by stores (gscale_flow_time), + latency.
 *
 * The last term of `transfer` does not apply within store.reach, where words of
 * 8 B or more are sent at store.wide_rate.  If separate blocks make the stores
 * (`reads`), the last of these blocks still has to store at the end.  Wire
 * bytes are computed from the store sizes that the SM's coalescer produces.
 * Rewritten bytes count each time, and each stored byte slows compute.
 *
 * Source: [Proact21] direct inline stores: no tracking, no initiation. */

#include "paradigm/paradigm.h"

#include <math.h>

/* Blocks that only store to other GPUs occupy all slots of a GPU until the link
 * has taken their data, except for a line in flight from each warp.  Blocks
 * that also do other work can continue. */
static double ahead_of(const gscale_plan *p, const gscale__phase_plan *f)
{
  const double line = 128.0;

  return f->away < 1.0 ? gscale__warps(p) * line / f->local : 1.0;
}

/* Returns the time in s for the packets of a byte to leave a GPU.  For a small
 * range of addresses, words of 8 B or more leave faster than shorter words.
 * For a large range, all words wait for address translation. */
static double leaving(const gscale_plan *p, const gscale__phase_plan *f,
                      bool within)
{
  const double rate = gscale__ask(p, GSCALE_STORE_RATE);

  if (f->atomic)
    return f->packets /
           fmin(rate, gscale__ask(p, GSCALE_ATOMIC_RATE) *
                          gscale__ask(p, GSCALE_ATOMIC_ALL_ACTIVE));
  if (!within) return f->packets / rate;
  return (f->packets - f->wide) / rate +
         f->wide / fmax(rate, gscale__ask(p, GSCALE_STORE_WIDE_RATE));
}

static void prepare(const gscale_plan *p, const gscale__phase_plan *f,
                    const gscale_knobs *k, gscale__stage *out)
{
  (void)k;
  gscale__compute_only(p, f, out);
  if (!(f->out > 0.0)) return;

  const double stored = f->out * f->rewrites;

  gscale__stores(p, f, f->ratio, f->rewrites, out);
  const bool within = f->touched <= gscale__ask(p, GSCALE_STORE_REACH);
  const double entering =
      within && !f->atomic ? 0.0 : f->packets * gscale__ingress(p, f);
  const double longer = gscale__access_contention(
      p, f, f->atomic ? GSCALE_ATOMIC_SAME_SMALL : GSCALE_STORE_SAME_SMALL);

  out->flow.issue = f->rewrites * fmax(longer * f->out * leaving(p, f, within),
                                       f->in * entering);
  out->flow.ready = &f->stored;
  out->flow.slowdown = stored * gscale__ask(p, GSCALE_STORE_INTERFERENCE);
  out->flow.latency = gscale__ask(p, GSCALE_STORE_LATENCY);
  out->flow.window = ahead_of(p, f);
  out->flow.burst = fmin(f->block, f->piece) / f->local;
}

const gscale__paradigm gscale__inline = {
    .about = {"inline", "the kernel stores into its peers' memory",
              .needs = {.peer = GSCALE_PEER_STORES}, .updates = true,
              .plain = 5, .measured = true},
    .stores = true,
    .prepare = prepare,
};

/* SPDX-License-Identifier: GPL-3.0-or-later */
