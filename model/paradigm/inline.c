/* inline.c - the kernel stores straight into the memory of its peers.
 *
 *   transfer = max( wire bytes / rate, packets sent / packets per second,
 *                   packets received / packets per second into a GPU )
 *   device   = compute beside a pipe that moves each block's stores as they
 *              are made (overlap.c, no start-up cost per block), + latency
 *
 * with wire bytes from the store sizes the SM's coalescer leaves, each byte as
 * often as it is rewritten, and compute slowed per byte stored.
 *
 * Omits: back-pressure that stalls other work of the same SM.
 * Source: [Proact21] direct inline stores: no tracking, no initiation. */

#include "object.h"

#include <math.h>

static void prepare(const gscale_plan *p, const gscale__phase_plan *f,
                    const gscale_knobs *k, gscale__legs *out)
{
  (void)k;
  gscale__compute_only(p, f, out);
  if (!(f->out > 0.0)) return;

  const double stored = f->out * f->rewrites;

  gscale__stores(p, f, f->ratio, f->rewrites, out);
  const double rate =
      f->atomic ? fmin(p->p[GSCALE_STORE_RATE], p->p[GSCALE_ATOMIC_RATE])
                : p->p[GSCALE_STORE_RATE];

  out->issue = f->rewrites * f->packets *
               fmax(f->out / rate, f->in / p->p[GSCALE_STORE_INGRESS]);
  out->slowdown = stored * p->p[GSCALE_STORE_INTERFERENCE];
  out->latency = p->p[GSCALE_STORE_LATENCY];
  out->bytes = f->local;
  out->chunk = fmin(f->block, f->local);
}

const gscale__paradigm gscale__inline = {
    .about = {"inline",
              "the kernel stores into its peers' memory",
              false,
              {false}},
    .prepare = prepare,
    .device = gscale__overlapped,
};
