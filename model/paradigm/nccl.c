/* nccl.c - kernels and the library's collectives between them, in one stream.
 *
 * A kernel takes C(N), and a collective takes its set-up, its steps and the
 * time of the busiest link (gscale_plan_moves).  The stream orders its work, so
 * that the host waits only at the end of a step.  A step in a stream may be
 * faster than a run that omits its copies and waits.  For repeated phases, the
 * host waits as in other paradigms.
 *
 * The model omits three things: collectives that overlap kernels of another
 * stream, buffers registered with the library, and copies to and from the
 * library's own buffers.
 *
 * Source: [Nccl]; equation/collective.c. */

#include "paradigm/emit.h"
#include "price/collectives.h"

/* Counts the bytes of all GPUs, since most GPUs send less than the busiest.
 * Bytes that no GPU reads are unused. */
static void count(const gscale_plan *p, const gscale__phase_plan *f,
                  gscale__stage *out)
{
  if (!gscale__sends(f)) return;

  const gscale_bytes b =
      gscale__coll_bytes(p, f->coll.kind, f->coll.bytes, &out->collective);
  const double all =
      f->coll.kind == GSCALE_COLL_ALL_REDUCE ? b.useful : f->all + f->far.all;

  out->moved = (gscale_bytes){.useful = all * f->read,
                              .unused = all * (1.0 - f->read),
                              .protocol = all * b.protocol / b.useful};
}

static void prepare(const gscale_plan *p, const gscale__phase_plan *f,
                    const gscale_knobs *k, gscale__stage *out)
{
  gscale__compute_only(p, f, out);
  if (gscale__sends(f)) out->collective = gscale__coll_of(p, f, k);
}

static void publish(gscale__emit *e)
{
  gscale__emit_collective(e, GSCALE__COLLECTIVE, GSCALE__MAIN);
}

static const char *needs(const gscale_plan *p, const gscale__phase_plan *f)
{
  if (f->far.out > 0.0 && !(gscale__ask(p, GSCALE_COLL_NET_RATE) > 0.0))
    return "coll.net_rate of the system";
  if (f->to != GSCALE_TO_NONE && p->paths.all.host > 0.0 &&
      p->can.peer < GSCALE_PEER_STORES &&
      !(gscale__ask(p, GSCALE_STAGED_RING) > 0.0))
    return "staged.ring of the system, which has no peer access";
  return NULL;
}

const gscale__paradigm gscale__nccl = {
    .about = {"nccl", "collectives of NCCL in the stream of the kernels",
              .collective = true, .plain = 7, .measured = true},
    .needs = needs,
    .prepare = prepare,
    .count = count,
    .publish = publish,
    .in_stream = true,
    .joined = true,
    .adds = true,
};

/* SPDX-License-Identifier: GPL-3.0-or-later */
