/* memcpy_staged.c - bulk copies by way of host memory: up, then down.
 *
 *   schedule   launch; copies, in the kernel's stream
 *   copies     twice those of memcpy
 *
 * Omits: that the second copy of a piece can run beside the first of the next.
 * Source: ours. */

#include "paradigm/emit.h"

static void prepare(const gscale_plan *p, const gscale__phase_plan *f,
                    const gscale_knobs *k, gscale__stage *out)
{
  (void)k; /* it has no knobs */
  gscale__compute_only(p, f, out);
  if (!(f->out > 0.0)) return; /* one GPU, or nothing to publish */

  gscale__copies(p, f, 1.0, out); /* whole, not cut into pieces */
  out->copies.wire *= 2.0;
  out->copies.queue *= 2.0;
  out->copies.initiation *= 2.0;
  gscale__last_of(p, f, 1.0, out); /* the one that the others are before */
  out->row = true;
}

static void publish(gscale__emit *e)
{
  gscale__emit_copies(e, GSCALE__MAIN);
}

const gscale__paradigm gscale__memcpy_staged = {
    .about = {"memcpy-staged", "bulk copies by way of host memory", false,
              {false}, {.peer = GSCALE_PEER_NONE}, false, false,
              .plain = 3},
    .needs = gscale__copies_need,
    .prepare = prepare,
    .publish = publish,
};
/* SPDX-License-Identifier: GPL-3.0-or-later */
