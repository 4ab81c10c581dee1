/* direct.c - machines without a write queue: sm, plain, bulk. */

#include "replay/replay.h"

static void take_sm(gscale_replay *r, const gscale__piece *p)
{
  if (p->kind != GSCALE_OP_LOAD) gscale__send_piece(r, p, 1);
}

/* Returns how many GPUs receive a store, and counts loads of other GPUs' memory
 * and stores without receivers. */
static uint64_t copies_of(gscale_replay *r, const gscale__piece *p)
{
  if (p->kind == GSCALE_OP_LOAD) {
    r->now->n.loads_remote += gscale__loads_remotely(r, p->gpu, p->key);
    return 0;
  }
  const uint64_t copies = gscale__gpus_in(gscale__receivers(r, p->gpu, p->key));
  r->now->n.local += copies == 0;
  return copies;
}

static void take_plain(gscale_replay *r, const gscale__piece *p)
{
  const uint64_t copies = copies_of(r, p);

  if (copies > 0) gscale__send_piece(r, p, copies);
}

/* Counts a granule's copy at the end of the phase when the granule is first
 * written.  The copied bytes are unused until a store writes them. */
static void take_bulk(gscale_replay *r, const gscale__piece *p)
{
  gscale__gpu *const g = &r->gpu[p->gpu];
  gscale_replay_counts *const n = &r->now->n;
  const uint64_t copies = copies_of(r, p);
  const uint64_t all = copies * (uint64_t)gscale__count(p->bytes);
  const uint64_t region =
      gscale__line_of(p->key) >> (r->granule_bits - GSCALE__LINE_BITS);
  gscale__mask before;

  if (copies == 0) return;
  if (!gscale__lines_add(
          &g->regions, gscale__key(region, gscale__dst_of(p->key)), 1, &before))
    r->status = GSCALE_ENOMEM;
  if (!before) {
    n->sends += copies;
    r->now->copies += copies;
    n->unused_bytes += copies * r->o.granule;
  }
  n->useful_bytes += all;
  n->unused_bytes -= all;
  gscale__deliver(r, &g->sent, p->key, p->bytes, copies);
}

static void end_phase(gscale_replay *r, int gpu, gscale_flush why)
{
  if (why == GSCALE_FLUSH_PHASE) gscale__lines_forget(&r->gpu[gpu].regions);
}

const gscale__machine gscale__machine_sm = {.take = take_sm};
const gscale__machine gscale__machine_plain = {.take = take_plain};
const gscale__machine gscale__machine_bulk = {.take = take_bulk,
                                              .drain = end_phase,
                                              .phases_only = true,
                                              .gathers = true};

/* SPDX-License-Identifier: GPL-3.0-or-later */
