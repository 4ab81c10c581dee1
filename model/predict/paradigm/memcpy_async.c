/* memcpy_async.c - bulk copies on a second stream, beside compute.
 *
 * To neighbours: the boundary is computed first, by a kernel of its own in a
 * second stream; its copies follow it there, beside the interior.
 *
 *   schedule   launch boundary; launch interior; copies behind the boundary
 *
 * Without a kernel there is nothing to wait for: copies alone, to whomever.
 *
 * To others: the kernel is cut into ceil(local/chunk) kernels; the copies of a
 * piece run beside the kernel of the next: one flow, with the initiation of the
 * copies to all destinations as the gap of a serial pipe.  The host's calls for
 * all pieces go on beside it; where they take longer the last copy follows
 * them.
 *
 *   schedule   launch; all other calls; last copy
 *
 * With three GPUs or more the pieces of different GPUs come to meet at one of
 * them, whatever order each keeps: gscale_meeting, `contended`.  Of copies by
 * way of the host nobody measured that: they only share what all of them share.
 *
 * Source: ours; the usual program in both cases. */

#include "internal.h"
#include "predict/step.h"

#include <math.h>

static const char *needs(const gscale_plan *p, const gscale__phase_plan *f)
{
  if (f->to == GSCALE_TO_NEIGHBOURS && f->out > 0.0 && f->kernels > 0.0 &&
      !f->bounded)
    return "the blocks that make a face (blocks = { {share =, per = \"face\", "
           "publishes =} })";
  return gscale__copies_need(p, f);
}

/* Otherwise the kernel is cut: only then are there chunks. */
static bool in_a_row(const gscale__phase_plan *f)
{
  return f->to == GSCALE_TO_NEIGHBOURS || !(f->kernels > 0.0);
}

static bool obeys(const gscale__phase_plan *f, gscale_knob k)
{
  (void)k;
  return !in_a_row(f);
}

static void split(const gscale_plan *p, const gscale__phase_plan *f,
                  gscale__stage *out)
{
  const double start =
      f->kernels > 0.0 ? gscale__ask(p, GSCALE_DEVICE_START) : 0.0;

  gscale__copies(p, f, 1.0, out);
  gscale__last_of(p, f, 1.0, out);
  out->row = true;
  out->flow.compute = f->compute + start;
  out->before = f->boundary + start;
}

static void cut(const gscale_plan *p, const gscale__phase_plan *f, double chunk,
                gscale__stage *out)
{
  const double n = gscale__max(1.0, gscale__ceil(f->local / chunk));

  gscale__copies(p, f, n, out);
  const double longer = gscale__copies_meet(p, f, true) /
                        gscale__copies_meet(p, f, p->host.streams > 1);
  out->copies.wire *= longer;
  out->copies.queue *= longer;
  gscale__last_of(p, f, n, out);
  out->flow.wire = gscale__max(out->copies.wire, out->copies.queue);
  out->flow.gap = out->copies.initiation;
  out->flow.latency = out->last.latency = out->copies.latency;
  out->flow.bytes = f->local;
  out->flow.chunk = f->local / n;
  out->flow.serial = true;
  out->flow.compute = f->compute + (n - 1.0) * f->start;
  out->kernels = 0.0; /* no row: one flow with their copies */
  out->more.launches += f->kernels * n - 1.0;
  out->more.copies += f->copies * n - 1.0;
  out->more.events += 2.0 * n;
}

static void prepare(const gscale_plan *p, const gscale__phase_plan *f,
                    const gscale_knobs *k, gscale__stage *out)
{
  gscale__compute_only(p, f, out);
  if (!(f->out > 0.0)) return;

  out->flow.slowdown =
      f->out * f->over * gscale__ask(p, GSCALE_COPY_INTERFERENCE);
  if (in_a_row(f))
    split(p, f, out);
  else
    cut(p, f, k->v[GSCALE_CHUNK], out);
}

static void launch(gscale__emit *e)
{
  if (in_a_row(gscale__emit_phase(e))) {
    if (gscale__emit_phase(e)->kernels > 0.0)
      gscale__emit_launch(e, GSCALE__BOUNDARY, GSCALE__BESIDE);
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
    .about = {"memcpy-async",
              "bulk copies beside compute, second stream",
              false,
              {[GSCALE_CHUNK] = true},
              {.peer = GSCALE_PEER_NONE},
              false,
              false},
    .packs = true,
    .obeys = obeys,
    .needs = needs,
    .prepare = prepare,
    .launch = launch,
    .publish = publish,
    .beside = true,
};
