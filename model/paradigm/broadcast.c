/* broadcast.c - kernels that store what they publish to all other GPUs.
 *
 * The cost of broadcast is that of inline with N - 1 destinations per byte.  A
 * program that does not know its readers can broadcast, and GPS does so before
 * it has learned the readers.
 *
 * The model omits what inline omits, and counts a byte for both neighbours
 * twice.
 *
 * Source: [Gps21] subscription to all; ours. */

#include "ground/ground.h"
#include "paradigm/paradigm.h"

/* Every GPU sends as much to every other GPU as the busiest GPU produces. */
static gscale__phase_plan to_all(const gscale_plan *p,
                                 const gscale__phase_plan *f)
{
  gscale__phase_plan all = *f;

  all.destinations = p->near - 1.0;
  all.out = f->local * all.destinations;
  all.in = gscale__max(f->in, all.out);
  all.all = f->all / f->destinations * all.destinations;
  all.read = f->read * f->destinations / all.destinations;
  all.store_route = p->paths.all.route;
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
  out->flow.ready = &f->stored; /* avoids a pointer into `all` */
}

const gscale__paradigm gscale__broadcast = {
    .about = {"broadcast",
              "the kernel stores into all GPUs' memory, needed or not",
              .needs = {.peer = GSCALE_PEER_STORES}, .updates = true,
              .plain = 4},
    .stores = true,
    .prepare = prepare,
};

/* SPDX-License-Identifier: GPL-3.0-or-later */
