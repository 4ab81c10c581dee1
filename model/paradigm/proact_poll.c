/* proact_poll.c - PROACT, decoupled: a resident agent polls and stores.
 *
 * Blocks write locally and count down their chunk's counter; threads of a
 * resident kernel poll the counters and store complete chunks to the peers,
 * densely packed.
 *
 *   compute  = C(N) with the agent's SMs taken from the arithmetic leg
 *              + blocks * track
 *   transfer = max( wire bytes / rate, loaded bytes / (width * thread rate) )
 *
 * Each byte is loaded once and stored once for each destination.  While a
 * kernel keeps the memory busy the agent's loads and polls wait behind the
 * kernel's: loading and the gap take `beside` times as long.
 *
 *   device   = compute beside a pipe of chunks (overlap.c), each with the
 *              agent's gap, + latency
 *
 * after two launches, the agent's first.
 *
 * Omits: polling's own memory traffic.
 * Source: [Proact21] persistent polling threads; [Diss22] ch. II. */

#include "internal.h"
#include "object.h"

#include <math.h>

static double tracking_of(const gscale_plan *p, const gscale__phase_plan *f,
                          double width)
{
  const double taken =
      width / (p->p[GSCALE_DEVICE_SMS] * p->p[GSCALE_DEVICE_THREADS]);
  const double slowed =
      gscale__max(f->flop_leg / (1.0 - taken), f->memory_leg) + f->start;
  const double blocks = f->local / f->block;

  return slowed - f->compute + blocks * p->p[GSCALE_AGENT_TRACK];
}

/* How much of the kernel's time the memory is busy.  Measured only at 1; that
 * the agent's slow-down is proportional to it is an assumption of ours. */
static double busy_memory(const gscale__phase_plan *f)
{
  const double work = gscale__max(f->flop_leg, f->memory_leg);
  return work > 0.0 ? f->memory_leg / work : 0.0;
}

static void prepare(const gscale_plan *p, const gscale__phase_plan *f,
                    const gscale_knobs *k, gscale__legs *out)
{
  gscale__compute_only(p, f, out);
  if (!(f->out > 0.0)) return;

  const double width = k->v[GSCALE_WIDTH];
  const double packed = fmin(p->link.store_payload, f->piece);
  const double wire = gscale_wire_bytes(&p->link, GSCALE_STORE, packed, false);

  gscale__stores(p, f, wire / packed, 1.0, out);
  out->host =
      gscale__issue_phase(p, f, (gscale_calls){.launches = f->kernels + 1.0});
  out->lead = gscale__issue(p, (gscale_calls){.launches = 2.0});
  out->sync = gscale__sync(p, 2.0);
  out->issue = f->local / (width * p->p[GSCALE_AGENT_THREAD_RATE]);
  out->initiation = p->p[GSCALE_AGENT_GAP];
  out->tracking = tracking_of(p, f, width);
  out->slowdown = f->out * p->p[GSCALE_STORE_INTERFERENCE];
  out->latency = p->p[GSCALE_AGENT_LATENCY];
  out->bytes = f->local;
  out->beside = 1.0 + (p->p[GSCALE_AGENT_BESIDE] - 1.0) * busy_memory(f);
  out->chunk = f->piece / ceil(f->piece / k->v[GSCALE_CHUNK]);
}

const gscale__paradigm gscale__proact_poll = {
    .about = {"proact-poll",
              "PROACT: resident threads poll and store chunks",
              false,
              {[GSCALE_CHUNK] = true, [GSCALE_WIDTH] = true}},
    .prepare = prepare,
    .device = gscale__overlapped,
};
