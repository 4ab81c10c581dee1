/* broadcast.c - the kernel stores what it publishes to all other GPUs, whoever
 * needs it.
 *
 *   inline, with N - 1 destinations for every byte
 *
 * It is what a program can do that does not know its readers, and what GPS does
 * before it has learned them.
 *
 * Omits: what inline omits; that a byte published to one neighbour and to the
 * other is the same one.
 * Source: [Gps21] subscription to all; ours. */

#include "ground/ground.h"
#include "paradigm/paradigm.h"

/* Every GPU sends as much to every other as the busiest makes. */
static gscale__phase_plan to_all(const gscale_plan *p,
                                 const gscale__phase_plan *f)
{
  gscale__phase_plan all = *f;

  all.destinations = p->near - 1.0;
  all.out = f->local * all.destinations;
  all.in = gscale__max(f->in, all.out);
  all.all = f->all / f->destinations * all.destinations;
  all.read = f->read * f->destinations / all.destinations;
  all.store_route = f->all_route;
  return all;
}

static void prepare(const gscale_plan *p, const gscale__phase_plan *f,
                    const gscale_knobs *k, gscale__stage *out)
{
  if (!(f->out > 0.0)) {
    gscale__compute_only(p, f, out);
    return;
  }
  const gscale__phase_plan all = to_all(p, f);
  gscale__inline.prepare(p, &all, k, out);
  out->flow.ready = &f->stored; /* `all` ends here */
}

const gscale__paradigm gscale__broadcast = {
    .about = {"broadcast",
              "the kernel stores into all GPUs' memory, needed or not",
              false,
              {false},
              {.peer = GSCALE_PEER_STORES},
              true,
              false,
              .plain = 4},
    .stores = true,
    .prepare = prepare,
};

/* SPDX-License-Identifier: GPL-3.0-or-later */
