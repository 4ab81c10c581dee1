/* direct.c - machines without a write queue: sm, plain, bulk. */

#include "replay/replay.h"

static void take_sm(gscale_replay *r, const gscale__piece *p, int n)
{
  if (p->tag.kind == GSCALE_OP_LOAD) return;
  for (int i = 0; i < n; i++) gscale__send_piece(r, &p[i], 1);
}

static void take_loads(gscale_replay *r, const gscale__piece *p, int n)
{
  for (int i = 0; i < n; i++)
    r->now->n.loads_remote += gscale__loads_remotely(r, p[i].tag.gpu, p[i].key);
}

/* Returns how many GPUs receive a store, and counts stores without
 * receivers. */
static inline uint64_t copies_of(gscale_replay *r, const gscale__piece *p)
{
  const uint64_t copies =
      gscale__gpus_in(gscale__receivers(r, p->tag.gpu, p->key));
  r->now->n.local += copies == 0;
  return copies;
}

static void take_plain(gscale_replay *r, const gscale__piece *p, int n)
{
  if (p->tag.kind == GSCALE_OP_LOAD) {
    take_loads(r, p, n);
    return;
  }
  for (int i = 0; i < n; i++) {
    const uint64_t copies = copies_of(r, &p[i]);
    if (copies > 0) gscale__send_piece(r, &p[i], copies);
  }
}

/* ---- bulk ---------------------------------------------------------------- */

/* Counts a granule's copy at the end of the phase when the granule is first
 * written.  The copied bytes are unused until a store writes them. */
static inline void note_bulk(gscale_replay *r, const gscale__piece *p,
                             uint64_t copies)
{
  gscale__gpu *const g = &r->gpu[p->tag.gpu];
  gscale_replay_counts *const n = &r->now->n;
  const gscale__bytes bytes = gscale__bytes_of(r, p);
  const uint64_t all = copies * (uint64_t)gscale__bytes_count(bytes);
  const uint64_t region =
      gscale__line_of(p->key) >> (r->granule_bits - GSCALE__LINE_BITS);
  uint32_t before;

  if (!gscale__bits_set(&g->regions, region, gscale__dst_of(p->key), 1,
                        &before))
    r->status = GSCALE_ENOMEM;
  if (!before) {
    n->sends += copies;
    r->now->copies += copies;
    n->unused_bytes += copies * r->o.granule;
  }
  n->useful_bytes += all;
  n->unused_bytes -= all;
  gscale__deliver(r, &g->sent, p->key, bytes, copies);
}

static void take_bulk(gscale_replay *r, const gscale__piece *p, int n)
{
  if (p->tag.kind == GSCALE_OP_LOAD) {
    take_loads(r, p, n);
    return;
  }
  for (int i = 0; i < n; i++) {
    const uint64_t copies = copies_of(r, &p[i]);
    if (copies > 0) note_bulk(r, &p[i], copies);
  }
}

static void end_phase(gscale_replay *r, int gpu, gscale_flush why)
{
  if (why == GSCALE_FLUSH_PHASE) gscale__bits_forget(&r->gpu[gpu].regions);
}

const gscale__machine gscale__machine_sm = {.take = take_sm};
const gscale__machine gscale__machine_plain = {.take = take_plain,
                                               .expect = gscale__pages_fetch};
const gscale__machine gscale__machine_bulk = {.take = take_bulk,
                                              .drain = end_phase,
                                              .expect = gscale__pages_fetch,
                                              .phases_only = true,
                                              .gathers = true};

/* SPDX-License-Identifier: GPL-3.0-or-later */
