/* proact_cdp.c - PROACT, decoupled, with copy kernels that GPU blocks launch.
 *
 * Blocks write to local memory and count their chunk.  The block that completes
 * a chunk launches a kernel of `width` threads, which stores the chunk to the
 * peers.  Kernels of several chunks run at the same time.
 *
 *  compute  = C(N) + blocks * track.
 *  threads  = width * concurrent kernels, or width for the last chunk.
 *  transfer = max( wire bytes / rate,
 *                  loaded bytes / (threads * rate of a thread) ).
 *  device   = compute with a pipe of chunks (gscale_flow_time), each with the
 *             gap between two launches, + latency of a launch.
 *
 * Each byte is loaded once and stored once for each destination.  If a kernel
 * that keeps the memory busy still runs when copies begin, loads of the copies
 * wait for loads of the kernel (`beside`, as in proact-poll).
 *
 * If several kernels are launched at once, the first 16 begin in sequence:
 *
 *  latency  = launch + queue [if > 1] + few * (min(kernels, 16) - 1).
 *
 * A kernel that may launch others takes cdp.start longer, whether or not it
 * launches any.
 *
 * With cdp.waits = 1, as measured on H200, copies queue behind those blocks of
 * the kernel that already wait.  If the kernel has more blocks than slots, no
 * copy begins before the last of these blocks.  With cdp.waits = 0, as in
 * [Proact21] on Kepler, Pascal and Volta, copies begin at once.
 *
 * Concurrent copies take threads from the kernel's arithmetic, which ends later
 * by the time that all threads would need to load all bytes.
 *
 * The model omits whole SMs that small copies block for larger blocks.
 *
 * Source: [Proact21] CUDA dynamic parallelism; [Diss22] ch. II. */

#include "ground/ground.h"
#include "paradigm/paradigm.h"

#include <math.h>

/* Returns the time in s from the launch of several kernels until the last one
 * has begun, beyond the gap of a long sequence. */
static double launching(const gscale_plan *p, double kernels)
{
  if (!(kernels > 1.0)) return gscale__ask(p, GSCALE_CDP_LATENCY);
  return gscale__ask(p, GSCALE_CDP_LATENCY) + gscale__ask(p, GSCALE_CDP_QUEUE) +
         gscale__ask(p, GSCALE_CDP_FEW) * (fmin(kernels, GSCALE__FEW) - 1.0);
}

static const char *needs(const gscale_plan *p, const gscale__phase_plan *f)
{
  if (f->to != GSCALE_TO_NONE && !(gscale__ask(p, GSCALE_CDP_GAP) > 0.0 &&
                                   gscale__ask(p, GSCALE_CDP_LATENCY) > 0.0))
    return "cdp.gap and cdp.latency of the system";
  return NULL;
}

/* Returns the time in s of arithmetic during copies.  Copies occupy threads for
 * t s of all threads, so that T = flop * T / (T - t) gives flop + t.  Copies
 * take at most half of the threads. */
static double slowed(const gscale_plan *p, const gscale__phase_plan *f,
                     double width, const gscale_flow *copies)
{
  const double one = f->local / gscale__agent_thread(p, f, width); /* s */
  const double all = one * copies->beside / gscale__threads(p);

  return f->flop_leg + fmin(f->flop_leg, all * (1.0 - copies->held));
}

static void prepare(const gscale_plan *p, const gscale__phase_plan *f,
                    const gscale_knobs *k, gscale__stage *out)
{
  gscale__compute_only(p, f, out);
  if (!(f->out > 0.0)) return;

  const double width = k->v[GSCALE_WIDTH];
  const double room = gscale__threads(p);
  const double chunk = fmin(f->piece, k->v[GSCALE_CHUNK]);
  const double all = gscale__ceil(f->piece / chunk) * f->local / f->piece;
  const double one = width * gscale__agent_thread(p, f, width); /* B/s */
  const double at_once =
      gscale__max(1.0, fmin(gscale__ask(p, GSCALE_CDP_AT_ONCE), room / width));

  const double waves = f->local / f->block / f->slots;

  gscale__packed(p, f, out);
  out->flow.ready = &f->counted;
  out->flow.issue = f->local / (at_once * one);
  out->flow.start = chunk / one;
  out->flow.gap = gscale__ask(p, GSCALE_CDP_GAP);
  out->flow.slowdown = f->out * gscale__ask(p, GSCALE_STORE_INTERFERENCE);
  out->flow.compute += gscale__ask(p, GSCALE_CDP_START);
  out->flow.latency = launching(p, all);
  out->flow.bytes = f->local;
  out->flow.held =
      gscale__ask(p, GSCALE_CDP_WAITS) * gscale__max(0.0, 1.0 - 1.0 / waves);
  out->flow.beside = gscale__ask(p, GSCALE_AGENT_CONTENTION);
  out->flow.tracking = gscale__tracking(p, f, slowed(p, f, width, &out->flow));
  out->flow.busy = f->busy * f->compute * (1.0 - out->flow.held);
  out->flow.chunk = chunk;
}

const gscale__paradigm gscale__proact_cdp = {
    .about = {"proact-cdp",
              "PROACT: a kernel for each chunk, launched by the GPU",
              .uses = {[GSCALE_CHUNK] = true, [GSCALE_WIDTH] = true},
              .needs = {.peer = GSCALE_PEER_STORES, .device_launch = true},
              .plain = 9, .measured = true},
    .packs = true,
    .needs = needs,
    .stores = true,
    .prepare = prepare,
};

/* SPDX-License-Identifier: GPL-3.0-or-later */
