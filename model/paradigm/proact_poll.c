/* proact_poll.c - PROACT, decoupled, with resident threads that poll and store.
 *
 * Blocks write to local memory and count down the counter of their chunk.  The
 * agent, a resident kernel in a separate stream, polls the counters and stores
 * complete chunks to the peers, densely packed.
 *
 *  compute  = C(N) + blocks * track.
 *  transfer = max( wire bytes / rate, loaded bytes / (width * thread rate) ).
 *  device   = compute with a pipe of chunks (gscale_flow_time), + latency.
 *
 * Each byte is loaded once and stored once for each destination.  While a
 * kernel keeps the memory busy, the agent's loads and polls wait for loads of
 * the kernel.  Loads and the gap of the agent take `beside` times as long as
 * alone.
 *
 * The threads notice a chunk and then load it, while the wire may still carry
 * the previous chunk.  A chunk may belong to one block of the agent
 * (agent.chunk_of).  The agent's blocks then notice and copy concurrently, and
 * each block copies ceil(n / blocks) of n chunks, one after the other.
 *
 * Each warp of the agent loads a sector of counters, 32 B, in each gap or when
 * the previous sector has come (agent.turn).  These loads are a byte per
 * thread, and slow a kernel that waits for memory by busy * memory_leg * width
 * / max(gap, turn) / membw.
 *
 * The agent's blocks wait at a barrier while one thread of each polls, so they
 * do not slow arithmetic: 0.25 % at most beside an agent of half the GPU's
 * threads on an H200 (flop_beside of data/h200x2/steps/owner.csv).  The model
 * omits thread slots that a resident agent takes from the kernel's blocks.
 * Source: [Proact21] persistent polling threads; [Diss22] ch. II. */

#include "ground/ground.h"
#include "paradigm/emit.h"

#include <math.h>

/* Returns the time in s by which polling slows a memory-bound kernel. */
static double polling(const gscale_plan *p, const gscale__phase_plan *f,
                      double width)
{
  const double each = gscale__max(gscale__ask(p, GSCALE_AGENT_GAP),
                                  gscale__ask(p, GSCALE_AGENT_TURN));

  return f->busy * f->memory_leg *
         fmin(1.0, width / each / gscale__ask(p, GSCALE_DEVICE_MEMBW));
}

/* Returns the number of blocks that copy concurrently, each block a chunk. */
static double owners(const gscale__phase_plan *f, double width)
{
  if (f->agent_of != GSCALE_CHUNK_OF_BLOCK) return 1.0;
  return f->agent_blocks > 0.0
             ? f->agent_blocks
             : gscale__max(1.0, gscale__ceil(width / f->agent_block));
}

/* Each owner notices and copies chunks by itself, with its part of the threads.
 * A round takes as long as a chunk of one owner, even a first round of fewer
 * chunks.  If the link takes longer, chunks pass the link one after the other,
 * and the last chunk takes its owner's time. */
static void deal(gscale_flow *f, double blocks)
{
  const double round = fmin(f->bytes, blocks * f->chunk);
  const double copy = blocks * f->issue * f->chunk / f->bytes;
  const double each = f->gap + copy;

  if (!(blocks > 1.0)) return;
  if (blocks * f->wire * f->chunk / f->bytes > each) {
    f->gap /= blocks;
    f->latency += each - each / blocks;
    return;
  }
  f->issue = copy * f->bytes / round;
  f->burst = 1.0;
  f->chunk = round;
}

static void prepare(const gscale_plan *p, const gscale__phase_plan *f,
                    const gscale_knobs *k, gscale__stage *out)
{
  gscale__compute_only(p, f, out);
  if (!(f->out > 0.0)) return;

  const double width = k->v[GSCALE_WIDTH];

  gscale__packed(p, f, out);
  out->flow.ready = &f->counted;
  out->flow.issue = f->local / (width * gscale__agent_thread(p, f, width));
  out->flow.worker = true;
  out->flow.gap = gscale__ask(p, GSCALE_AGENT_GAP);
  out->flow.tracking =
      gscale__tracking(p, f, f->flop_leg) + polling(p, f, width);
  out->flow.slowdown = f->out * gscale__ask(p, GSCALE_STORE_INTERFERENCE);
  out->flow.latency = gscale__ask(p, GSCALE_AGENT_LATENCY);
  out->flow.bytes = f->local;
  out->flow.beside = gscale__ask(p, GSCALE_AGENT_CONTENTION);
  out->flow.busy = f->busy * f->compute;
  out->flow.chunk = fmin(f->piece, k->v[GSCALE_CHUNK]);
  deal(&out->flow, owners(f, width));
}

static void launch(gscale__emit *e)
{
  gscale__emit_launch(e, GSCALE__AGENT, GSCALE__BESIDE);
  gscale__emit_kernels(e, GSCALE__MAIN);
}

const gscale__paradigm gscale__proact_poll = {
    .about = {"proact-poll", "PROACT: resident threads poll and store chunks",
              .uses = {[GSCALE_CHUNK] = true, [GSCALE_WIDTH] = true},
              .needs = {.peer = GSCALE_PEER_STORES}, .plain = 8,
              .measured = true},
    .packs = true,
    .stores = true,
    .prepare = prepare,
    .launch = launch,
    .beside = true,
};

/* SPDX-License-Identifier: GPL-3.0-or-later */
