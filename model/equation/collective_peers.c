/* collective_peers.c - all-reduces by kernels that access the memory of all
 * peers. */

#include "equation/collective.h"

#include <math.h>

/* A call needs a barrier of all GPUs before the first load and after the last
 * load.  A two-shot call needs a third barrier between both halves. */
static double barriers(gscale_coll_algorithm a)
{
  return a == GSCALE_COLL_ONE_SHOT ? 2.0 : 3.0;
}

/* LL sends as many bytes of flags as of data, needs no barrier, and does only
 * one-shot calls. */
static gscale_coll_choice choice_by(const gscale_coll_machine *m,
                                    const gscale_coll_call *c,
                                    gscale_coll_algorithm a,
                                    gscale_coll_protocol p)
{
  const bool flags = p == GSCALE_COLL_LL;
  gscale_coll_choice k = gscale__coll_none;

  if (flags && a != GSCALE_COLL_ONE_SHOT) return k;
  const double wire =
      gscale_coll_traffic(c->kind, a, c->n, c->n) * c->bytes * c->route_all;
  const double rate = fmin(m->peer.rate, m->link) * (flags ? 0.5 : 1.0);

  k.algorithm = a;
  k.protocol = p;
  k.time.start = m->peer.start;
  k.time.latency = (flags ? 1.0 : barriers(a)) * m->peer.barrier;
  k.time.transfer =
      fmax(wire / rate, (c->n - 1.0) * c->bytes / m->add /
                            (a == GSCALE_COLL_ONE_SHOT ? 1.0 : c->n));
  if (c->n == 1) k.time = (gscale_coll_time){0.0, 0.0, 0.0};
  k.seen = k.total = k.time.start + k.time.latency + k.time.transfer;
  return k;
}

gscale_coll_choice gscale__coll_peers(const gscale_coll_machine *m,
                                      const gscale_coll_call *c,
                                      gscale_coll_algorithm a,
                                      gscale_coll_protocol p)
{
  gscale_coll_choice simple, flags;

  if (c->kind != GSCALE_COLL_ALL_REDUCE || c->n > m->node ||
      !(m->peer.rate > 0.0) || !(m->peer.start >= 0.0) ||
      !(m->peer.barrier >= 0.0) || p == GSCALE_COLL_LL128)
    return gscale__coll_none;
  if (p != GSCALE_COLL_PROTOCOL_END) return choice_by(m, c, a, p);
  simple = choice_by(m, c, a, GSCALE_COLL_SIMPLE);
  flags = choice_by(m, c, a, GSCALE_COLL_LL);
  return flags.total < simple.total ? flags : simple;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
