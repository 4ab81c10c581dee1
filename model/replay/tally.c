/* tally.c - packets by shape, and their bytes on a link. */

#include "replay/replay.h"

#include <math.h>

/* ---- counting ------------------------------------------------------------ */

/* Counts the runs and the span of a line with gaps. */
static void count_gaps(gscale__tally *t, gscale__mask bytes, uint64_t copies)
{
  const gscale__run span = gscale__span(bytes);

  t->span[span.offset][span.length] += copies;
  while (bytes) {
    const gscale__run run = gscale__take_run(&bytes);
    t->part[run.offset][run.length] += copies;
  }
}

void gscale__send_piece(gscale_replay *r, const gscale__piece *p,
                        uint64_t copies)
{
  gscale__mask rest = p->bytes;
  const gscale__run run = gscale__take_run(&rest);

  if (rest)
    count_gaps(r->now, p->bytes, copies);
  else
    r->now->whole[run.offset][run.length] += copies;
  r->now->n.sends += copies;
  r->now->n.useful_bytes += copies * (uint64_t)gscale__count(p->bytes);
  if (p->kind == GSCALE_OP_STORE)
    gscale__deliver(r, &r->gpu[p->gpu].sent, p->key, p->bytes, copies);
}

/* ---- links --------------------------------------------------------------- */

typedef struct load {
  double wire, packets;
} load;

static void add_message(load *out, const gscale_link *l, gscale_access a,
                        double offset, double bytes, bool masked, uint64_t n)
{
  out->wire += (double)n * gscale_wire_bytes_at(l, a, offset, bytes, masked);
  out->packets += (double)n * gscale_packets_at(l, a, offset, bytes);
}

/* Adds packets of stores, with byte masks for gaps and parts of units. */
static void add_shapes(load *out, const gscale_link *l,
                       const gscale__shapes shapes, bool gaps)
{
  for (int offset = 0; offset < GSCALE__LINE; offset++)
    for (int length = 1; offset + length <= GSCALE__LINE; length++) {
      const uint64_t n = shapes[offset][length];
      const bool masked =
          gaps || fmod(offset, l->unit) > 0.0 || fmod(length, l->unit) > 0.0;

      if (n > 0)
        add_message(out, l, GSCALE_STORE, fmod(offset, l->store_payload),
                    length, masked, n);
    }
}

static void add_packed(load *out, const gscale_replay *r,
                       const gscale__tally *t, const gscale_link *l)
{
  /* B: 2 of sequence number, 4 of link check, 4 of end check [Diss22] 5.5.3 */
  const double own_packet = 10.0;
  gscale_link large = *l;

  large.store_payload = r->o.payload;
  for (int payload = 1; payload <= r->o.payload; payload++)
    if (t->packed[payload] > 0)
      add_message(out, &large, GSCALE_STORE, 0, payload, false,
                  t->packed[payload]);
  if (!r->o.configured) return;
  out->wire += l->frame * own_packet * (double)t->n.subpackets;
  out->packets += (double)t->n.subpackets;
}

gscale_bytes gscale_replay_bytes(const gscale_replay *r, gscale_stage s,
                                 const gscale_link *l, double *packets)
{
  const gscale__tally *const t = &r->tally[s];
  const bool by_line = l->format == GSCALE_NVLINK;
  load out = {0.0, 0.0};

  add_shapes(&out, l, t->whole, false);
  add_shapes(&out, l, by_line ? t->span : t->part, by_line);
  if (t->packed) add_packed(&out, r, t, l);
  if (t->copies > 0)
    add_message(&out, l, GSCALE_COPY, 0, (double)r->o.granule, false,
                t->copies);

  if (packets) *packets = out.packets;
  gscale_bytes b = {.wire = out.wire,
                    .useful = (double)t->n.useful_bytes,
                    .redundant = (double)t->n.redundant_bytes,
                    .unused = (double)t->n.unused_bytes};
  b.protocol = b.wire - b.useful - b.redundant - b.unused;
  return b;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
