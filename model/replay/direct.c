/* direct.c - machines without a write queue: sm, plain, bulk. */

#include "replay/replay.h"

static bool no_memory_needed(gscale_replay *r, gscale__gpu *g)
{
  (void)r;
  (void)g;
  return true;
}

static void nothing_to_release(gscale_replay *r, gscale__gpu *g)
{
  (void)r;
  (void)g;
}

static void take_sm(gscale_replay *r, int gpu, gscale_operation kind,
                    const gscale__piece *p)
{
  if (kind != GSCALE_OP_LOAD) gscale__send_piece(r, gpu, kind, p, 1);
}

static void take_plain(gscale_replay *r, int gpu, gscale_operation kind,
                       const gscale__piece *p)
{
  if (kind == GSCALE_OP_LOAD) {
    r->now->n.loads_remote += gscale__loads_remotely(r, gpu, p->key);
    return;
  }
  const uint64_t to = gscale__receivers(r, gpu, p->key);
  if (to)
    gscale__send_piece(r, gpu, kind, p, gscale__gpus_in(to));
  else
    r->now->n.local++;
}

/* ---- bulk ---------------------------------------------------------------- */

static bool prepare_bulk(gscale_replay *r, gscale__gpu *g)
{
  (void)r;
  gscale__bits_init(&g->regions);
  return true;
}

static void release_bulk(gscale_replay *r, gscale__gpu *g)
{
  (void)r;
  gscale__bits_free(&g->regions);
}

/* The copy that the end of the phase will make is counted when its granule is
 * first written.  Its bytes are unused until somebody writes them. */
static void take_bulk(gscale_replay *r, int gpu, gscale_operation kind,
                      const gscale__piece *p)
{
  gscale__gpu *const g = &r->gpu[gpu];
  gscale_replay_counts *const n = &r->now->n;
  uint32_t before;
  int again = 0;

  if (kind == GSCALE_OP_LOAD) {
    r->now->n.loads_remote += gscale__loads_remotely(r, gpu, p->key);
    return;
  }
  const uint64_t to = gscale__receivers(r, gpu, p->key);
  const uint64_t copies = gscale__gpus_in(to);
  if (!to) {
    n->local++;
    return;
  }
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
  if (!gscale__lines_add(&g->sent, p->key, p->bytes, &again))
    r->status = GSCALE_ENOMEM;
  const uint64_t fresh = (uint64_t)(gscale__count(p->bytes) - again);
  n->useful_bytes += copies * fresh;
  n->unused_bytes -= copies * fresh;
}

static void end_phase(gscale_replay *r, int gpu, gscale_flush why)
{
  if (why == GSCALE_FLUSH_PHASE) gscale__bits_forget(&r->gpu[gpu].regions);
}

const gscale__machine gscale__machine_sm = {
    no_memory_needed, nothing_to_release, take_sm, NULL, gscale__expect, false};
const gscale__machine gscale__machine_plain = {
    no_memory_needed, nothing_to_release,
    take_plain,       NULL,
    gscale__expect,   false};
const gscale__machine gscale__machine_bulk = {
    prepare_bulk, release_bulk, take_bulk, end_phase, gscale__expect, true};
