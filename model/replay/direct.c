/* direct.c - machines without a write queue: sm, plain, bulk. */

#include "replay/replay.h"

static void take_sm(gscale_replay *r, int gpu, gscale_operation kind,
                    const gscale__piece *p, int n)
{
  if (kind == GSCALE_OP_LOAD) return;
  for (int i = 0; i < n; i++) gscale__send_piece(r, gpu, kind, &p[i], 1);
}

/* How many GPUs get what is stored; counts loads, and stores of which none
 * does. */
static uint64_t copies_of(gscale_replay *r, int gpu, gscale_operation kind,
                          const gscale__piece *p)
{
  if (kind == GSCALE_OP_LOAD) {
    r->now->n.loads_remote += gscale__loads_remotely(r, gpu, p->key);
    return 0;
  }
  const uint64_t copies = gscale__gpus_in(gscale__receivers(r, gpu, p->key));
  r->now->n.local += copies == 0;
  return copies;
}

static void take_plain(gscale_replay *r, int gpu, gscale_operation kind,
                       const gscale__piece *p, int n)
{
  for (int i = 0; i < n; i++) {
    const uint64_t copies = copies_of(r, gpu, kind, &p[i]);
    if (copies > 0) gscale__send_piece(r, gpu, kind, &p[i], copies);
  }
}

/* ---- bulk ---------------------------------------------------------------- */

/* The copy that the end of the phase will make is counted when its granule is
 * first written.  Its bytes are unused until somebody writes them. */
static void note_bulk(gscale_replay *r, int gpu, const gscale__piece *p,
                      uint64_t copies)
{
  gscale__gpu *const g = &r->gpu[gpu];
  gscale_replay_counts *const n = &r->now->n;
  uint32_t before;

  const uint64_t region =
      gscale__line_of(p->key) >> (r->granule_bits - GSCALE__LINE_BITS);
  if (!gscale__bits_set(&g->regions, region, gscale__dst_of(p->key), 1,
                        &before))
    r->status = GSCALE_ENOMEM;
  if (!before) {
    n->sends += copies;
    r->now->copies += copies;
    n->unused_bytes += copies * r->o.granule;
  }
  const int all = gscale__bytes_count(gscale__bytes_of(p));
  const int again = gscale__lines_add(&g->sent, p->key, gscale__bytes_of(p));
  if (again < 0) r->status = GSCALE_ENOMEM;
  const uint64_t fresh = (uint64_t)(all - again);
  n->useful_bytes += copies * fresh;
  n->unused_bytes -= copies * fresh;
}

static void fetch_bulk(const gscale_replay *r, const gscale__piece *p, int n)
{
  for (int i = 0; i < n; i++)
    gscale__cell_prefetch(
        &r->gpu[p[i].gpu].sent.words,
        gscale__cell_key(gscale__line_of(p[i].key) / GSCALE__CELL,
                         gscale__dst_of(p[i].key)));
}

static void take_bulk(gscale_replay *r, int gpu, gscale_operation kind,
                      const gscale__piece *p, int n)
{
  for (int i = 0; i < n; i++) {
    const uint64_t copies = copies_of(r, gpu, kind, &p[i]);
    if (copies > 0) note_bulk(r, gpu, &p[i], copies);
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
                                              .expect = fetch_bulk,
                                              .phases_only = true};

/* SPDX-License-Identifier: GPL-3.0-or-later */
