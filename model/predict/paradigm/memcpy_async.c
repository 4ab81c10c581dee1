/* memcpy_async.c - bulk copies on a second stream, beside compute.
 *
 * To neighbours: the boundary is computed first, by a kernel of its own; its
 * copies run beside the interior.
 *
 *   device = max( C(N) + start + slowdown, boundary + latency + copies )
 *
 * after both kernels have been launched, the interior's second.
 *
 * To others: the kernel is cut into ceil(local/chunk) kernels; the copies of a
 * piece run beside the kernel of the next (gscale_flow_time, with the
 * initiation of the copies to all destinations as the gap of a serial pipe).
 *
 * Where the host's calls take longer than all that, the last copy follows them.
 *
 * With three GPUs or more the pieces of different GPUs come to meet at one of
 * them, whatever order each keeps: the rate is `contended`.  Of copies by way
 * of the host nobody measured that: they only share what all of them share.
 *
 * Source: ours; the usual program in both cases. */

#include "internal.h"
#include "object.h"

#include <math.h>

static const char *needs(const gscale_plan *p, const gscale__phase_plan *f)
{
  if (f->to == GSCALE_TO_NEIGHBOURS && f->out > 0.0 && !f->bounded)
    return "the fraction of compute that makes the boundary (phase.boundary)";
  return gscale__copies_need(p, f);
}

/* Only a kernel that is cut has chunks. */
static bool obeys(const gscale__phase_plan *f, gscale_knob k)
{
  (void)k;
  return f->to != GSCALE_TO_NEIGHBOURS;
}

static void split(const gscale_plan *p, const gscale__phase_plan *f,
                  gscale__stage *out)
{
  const double start = gscale__ask(p, GSCALE_DEVICE_START);

  gscale__copies(p, f, 1.0, out);
  out->flow.compute = f->compute + start;
  out->before = f->boundary + start;
  out->lead = gscale__issue(p, (gscale_calls){.launches = 2.0});
  out->host = gscale__issue_phase(
      p, f, (gscale_calls){.launches = f->kernels + 1.0, .copies = f->copies});
  gscale__last_of(p, f, 1.0, out);
}

static void cut(const gscale_plan *p, const gscale__phase_plan *f, double chunk,
                gscale__stage *out)
{
  const double n = gscale__max(1.0, ceil(f->local / chunk));

  gscale__copies(p, f, n, out);
  if (p->n > 2 && !gscale__staged(p)) {
    out->copies.wire /= gscale__ask(p, GSCALE_COPY_CONTENDED);
    out->copies.queue /= gscale__ask(p, GSCALE_COPY_CONTENDED);
  }
  out->flow.wire = gscale__max(out->copies.wire, out->copies.queue);
  out->flow.gap = out->copies.initiation;
  out->flow.latency = out->copies.latency;
  out->flow.bytes = f->local;
  out->flow.chunk = f->local / n;
  out->flow.serial = true;
  gscale__last_of(p, f, n, out);
  out->last.latency = out->copies.latency; /* of its event */
  out->flow.compute = f->compute + (n - 1.0) * f->start;
  out->host = gscale__issue_phase(p, f,
                                  (gscale_calls){.launches = f->kernels * n,
                                                 .copies = f->copies * n,
                                                 .events = 2.0 * n});
}

static void prepare(const gscale_plan *p, const gscale__phase_plan *f,
                    const gscale_knobs *k, gscale__stage *out)
{
  gscale__compute_only(p, f, out);
  if (!(f->out > 0.0)) return;

  out->sync = gscale__sync(p, 2.0);
  out->flow.slowdown =
      f->out * f->over * gscale__ask(p, GSCALE_COPY_INTERFERENCE);
  if (f->to == GSCALE_TO_NEIGHBOURS)
    split(p, f, out);
  else
    cut(p, f, k->v[GSCALE_CHUNK], out);
}

static double device(const gscale__stage *l, const double *on)
{
  const gscale_flow flow = gscale__flow_on(&l->flow, on);
  const double kernels = gscale_flow_time(&flow);
  const double copies = on[GSCALE_M_COMPUTE] * l->before +
                        on[GSCALE_M_LATENCY] * l->copies.latency +
                        gscale__bulk(&l->copies, on);

  return l->flow.chunk > 0.0 ? kernels : gscale__max(kernels, copies);
}

const gscale__paradigm gscale__memcpy_async = {
    .about = {"memcpy-async",
              "bulk copies beside compute, second stream",
              false,
              {[GSCALE_CHUNK] = true},
              {.peer = GSCALE_PEER_NONE},
              false},
    .obeys = obeys,
    .needs = needs,
    .prepare = prepare,
    .device = device,
};
