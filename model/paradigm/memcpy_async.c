/* memcpy_async.c - bulk copies in a second stream that overlap compute.
 *
 * Neighbours: a separate kernel in the second stream first computes the
 * boundary.  The boundary's copies come next in that stream and overlap the
 * interior.  Phases without a kernel only copy.
 *
 * Other patterns: kernels are cut where one of ceil(local / chunk) chunks for
 * all GPUs is complete, or where a chunk for one receiver is complete.  Copies
 * of a piece overlap the kernel of the next piece.  The phase is one flow in a
 * serial pipe, whose gap is the initiation of the copies to all destinations.
 * The host's calls for all pieces overlap the flow, and the last copy waits for
 * these calls if they take longer.
 *
 * Chunks have the bytes of the knob, except for a smaller last one.  Equal
 * chunks would make the last copy shorter where more is sent.
 *
 * Pieces run one after the other.  A piece with fewer blocks than the GPU has
 * SMs takes as long as a full one (gscale_filling_cut).  Pieces of uncounted
 * blocks are assumed to fill the GPU, since published data does not tell the
 * number of blocks.  Blocks complete a chunk one `row` at a time.  Each group
 * that counts its blocks is a separate kernel, and only publishing groups are
 * cut.
 *
 * With three or more GPUs, pieces of different GPUs contend at one of them, in
 * any order (gscale_meeting, `contended`).  Contention was not measured for
 * copies through the host, which share only the host's memory.
 *
 * The model omits that each of a few blocks has more memory bandwidth, and that
 * data of unequal pieces is ready earlier or later.
 *
 * Source: ours, from the usual programs. */

#include "ground/ground.h"
#include "paradigm/emit.h"

#include <math.h>

static const char *needs(const gscale_plan *p, const gscale__phase_plan *f)
{
  if (f->to == GSCALE_TO_NEIGHBOURS && f->out > 0.0 && f->kernels > 0.0 &&
      !f->bounded)
    return "the blocks that make a face (blocks = { {share =, per = \"face\", "
           "publishes =} })";
  return gscale__copies_need(p, f);
}

/* Returns false if the kernel is cut into chunks. */
static bool in_a_row(const gscale__phase_plan *f)
{
  return f->to == GSCALE_TO_NEIGHBOURS || !(f->kernels > 0.0);
}

/* Returns true if a separate kernel computes the boundary, after which messages
 * to other nodes are sent. */
static bool splits(const gscale__phase_plan *f)
{
  return in_a_row(f) && f->kernels > 0.0 && f->bounded;
}

static bool obeys(const gscale__phase_plan *f, gscale_knob k)
{
  (void)k;
  return !in_a_row(f);
}

static void split_kernels(const gscale_plan *p, const gscale__phase_plan *f,
                          gscale__stage *out)
{
  const double start = f->kernels > 0.0 ? gscale__start(p) : 0.0;

  out->flow.compute = f->compute + start;
  out->before = f->boundary + start;
}

static void split(const gscale_plan *p, const gscale__phase_plan *f,
                  gscale__stage *out)
{
  gscale__copies(p, f, 1.0, out);
  gscale__last_of(p, f, 1.0, out);
  out->row = true;
  split_kernels(p, f, out);
}

/* The pieces into which kernels are cut where chunks are complete. */
typedef struct gscale__cuts {
  double pieces;  /* kernels that complete chunks */
  double kernels; /* launches */
  double longer;  /* slowdown by partial pieces */
} gscale__cuts;

/* Returns the number of pieces of a group if there are n chunks.  One row of
 * blocks may complete several chunks. */
static double pieces_of(const gscale__group *g, double n)
{
  const double rows = gscale__max(1.0, floor(g->blocks / g->row));
  const double pieces = ceil(n * g->publishes);
  return gscale__max(1.0, g->blocks > 0.0 ? fmin(pieces, rows) : pieces);
}

static gscale__cuts cuts_of(const gscale_plan *p, const gscale__phase_plan *f,
                            double n)
{
  const double sms = gscale__ask(p, GSCALE_DEVICE_SMS);
  gscale__cuts c = {.longer = 1.0};

  for (size_t i = 0; i < f->groups; i++) {
    const gscale__group *g = &f->group[i];
    const double pieces = pieces_of(g, n);
    c.pieces += pieces;
    if (g->blocks > 0.0)
      c.longer +=
          g->extent * (gscale_filling_cut(g->blocks, pieces, sms) - 1.0);
  }
  c.kernels = f->apart
                  ? gscale__max(0.0, f->kernels - (double)f->groups) + c.pieces
                  : f->kernels * c.pieces;
  return c;
}

/* Returns true if each chunk goes to one GPU. */
static bool dealt(const gscale__phase_plan *f)
{
  return f->to == GSCALE_TO_PARTITION || f->to == GSCALE_TO_RANDOM;
}

static void cut(const gscale_plan *p, const gscale__phase_plan *f, double chunk,
                gscale__stage *out)
{
  const double of =
      dealt(f) ? f->copy : f->local; /* B that are cut into chunks */
  const double whole =
      gscale__max(1.0, of / chunk); /* number of chunks, with a fraction */
  const double each = gscale__ceil(whole);
  const double copies = f->copies * each;
  const double n = dealt(f) ? copies : each; /* number of whole chunks */
  const gscale__cuts c = cuts_of(p, f, n);
  const double alone = f->compute - f->start; /* s of whole kernels */

  gscale__copies(p, f, whole, out);
  out->copies.initiation *= each / n; /* initiation of a chunk's copies */
  const double longer = gscale__copy_contention(p, f, true) /
                        gscale__copy_contention(p, f, p->host.streams > 1);
  out->copies.wire *= longer;
  out->copies.queue *= longer;
  gscale__last_of(p, f, whole, out);
  out->flow.wire = gscale__max(out->copies.wire, out->copies.queue);
  out->flow.gap = out->copies.initiation;
  out->flow.latency = out->last.latency = out->copies.latency;
  out->flow.bytes = f->local;
  out->flow.chunk = f->local / (n / each * whole);
  out->flow.serial = true;
  out->flow.compute = alone * c.longer + f->start * c.kernels / f->kernels;
  out->kernels = 0.0; /* kernels and copies are one flow */
  out->more.launches += c.kernels - 1.0;
  out->more.copies += copies - 1.0;
  out->more.events += 2.0 * c.pieces;
}

static void prepare(const gscale_plan *p, const gscale__phase_plan *f,
                    const gscale_knobs *k, gscale__stage *out)
{
  gscale__compute_only(p, f, out);
  if (!(f->out > 0.0)) {
    if (f->far.out > 0.0 && splits(f)) split_kernels(p, f, out);
    return;
  }

  out->flow.slowdown =
      f->out * f->over * gscale__ask(p, GSCALE_COPY_INTERFERENCE);
  if (in_a_row(f))
    split(p, f, out);
  else
    cut(p, f, k->v[GSCALE_CHUNK], out);
}

static void launch(gscale__emit *e)
{
  const gscale__phase_plan *f = gscale__emit_phase(e);

  if (in_a_row(f) || !(f->out > 0.0)) {
    if (splits(f)) gscale__emit_launch(e, GSCALE__BOUNDARY, GSCALE__BESIDE);
    gscale__emit_kernels(e, GSCALE__MAIN);
  } else {
    gscale__emit_launch(e, GSCALE__KERNELS, GSCALE__MAIN);
    gscale__emit_calls(e, GSCALE__MORE_CALLS);
  }
}

static void publish(gscale__emit *e)
{
  if (in_a_row(gscale__emit_phase(e)))
    gscale__emit_copies(e, GSCALE__BESIDE);
  else
    gscale__emit_copy(e, GSCALE__LAST_COPY, GSCALE__BESIDE);
}

const gscale__paradigm gscale__memcpy_async = {
    .about = {"memcpy-async", "bulk copies in a second stream, beside compute",
              .uses = {[GSCALE_CHUNK] = true}, .plain = 3, .measured = true},
    .packs = true,
    .obeys = obeys,
    .needs = needs,
    .prepare = prepare,
    .launch = launch,
    .splits = splits,
    .publish = publish,
    .beside = true,
};

/* SPDX-License-Identifier: GPL-3.0-or-later */
