/* gps.c - GPS: a write queue per GPU, a TLB and subscriptions. */

#include "replay/replay.h"

#include <stdlib.h>
#include <string.h>

static bool prepare(gscale_replay *r, gscale__gpu *g)
{
  g->tlb = calloc((size_t)r->o.tlb, sizeof *g->tlb);
  return g->tlb && gscale__fifo_init(&g->queue, r->o.capacity);
}

static void release(gscale_replay *r, gscale__gpu *g)
{
  (void)r;
  free(g->tlb);
  gscale__fifo_free(&g->queue);
}

/* Looks up the page of a line in its set, whose pages are in the order of use.
 * The least recently used page leaves. */
static void translate(gscale_replay *r, gscale__gpu *g, uint64_t key)
{
  const uint64_t page = gscale__page_at(r, key) + 1;
  const int ways = r->o.ways, sets = r->o.tlb / ways;
  uint64_t *const set = &g->tlb[(page - 1) % (uint64_t)sets * (uint64_t)ways];
  int i = 0;

  while (i < ways - 1 && set[i] != page) i++;
  r->now->n.tlb_lookups++;
  r->now->n.tlb_hits += set[i] == page;
  memmove(&set[1], set, (size_t)i * sizeof *set);
  set[0] = page;
}

/* ---- departures ---------------------------------------------------------- */

static void send_direct(gscale_replay *r, const gscale__piece *p,
                        uint64_t copies)
{
  r->now->n.direct += copies;
  gscale__send_piece(r, p, copies);
}

/* Sends an entry as a whole line to all its receivers.  The entry has left
 * before other GPUs subscribe to its page. */
static void send_entry(gscale_replay *r, gscale__gpu *g, gscale__entry *e,
                       gscale_flush why)
{
  gscale_replay_counts *const n = &r->now->n;
  const uint64_t copies = e->copies;
  const uint64_t bytes = copies * (uint64_t)gscale__count(e->bytes);

  gscale__fifo_remove(&g->queue, e);
  translate(r, g, e->key);
  n->flushes[why]++;
  n->entries++;
  n->sends += copies;
  r->now->whole[0][GSCALE__LINE] += copies;
  n->useful_bytes += bytes;
  n->unused_bytes += copies * GSCALE__LINE - bytes;
  gscale__deliver(r, &g->sent, e->key, e->bytes, copies);
}

static void drain(gscale_replay *r, int gpu, gscale_flush why)
{
  gscale__gpu *const g = &r->gpu[gpu];
  gscale__fifo *const q = &g->queue;

  while (q->count > 0) send_entry(r, g, gscale__fifo_at(q, q->oldest), why);
}

/* Sends an entry that overlaps a piece, to keep the order of accesses. */
static void drain_overlap(gscale_replay *r, const gscale__piece *p,
                          gscale_flush why)
{
  gscale__gpu *const g = &r->gpu[p->gpu];

  if (g->queue.count == 0) return;
  gscale__entry *const e = gscale__fifo_find(&g->queue, p->key);
  if (e && e->bytes & p->bytes) send_entry(r, g, e, why);
}

/* ---- stores -------------------------------------------------------------- */

/* The route of a store to `copies` GPUs.  The store passes the queue unless its
 * page has a single copy, on any GPU. */
typedef struct route {
  uint64_t copies;
  bool queued;
} route;

static inline route route_of(gscale_replay *r, unsigned gpu, uint64_t key)
{
  const gscale__page *page;

  if (gscale__dst_of(key) != GSCALE__ALL)
    return (route){gscale__dst_of(key) != gpu, true};
  page = gscale__touch(r, (int)gpu, key);
  if (!page) return (route){0, false};
  const uint64_t all = page->subscribers;
  return (route){gscale__gpus_in(all & ~gscale__bit((int)gpu)),
                 (all & (all - 1)) != 0};
}

static void enqueue(gscale_replay *r, const gscale__piece *p, uint64_t copies)
{
  gscale__gpu *const g = &r->gpu[p->gpu];
  gscale__fifo *const q = &g->queue;
  gscale__entry *const e = gscale__fifo_find(q, p->key);

  r->now->n.queued++;
  if (e) {
    e->bytes |= p->bytes;
    r->now->n.hits++;
    return;
  }
  gscale__fifo_add(q, p->key, p->bytes, copies);
  if ((int)q->count == r->o.watermark)
    send_entry(r, g, gscale__fifo_at(q, q->oldest), GSCALE_FLUSH_WATERMARK);
}

static void store(gscale_replay *r, const gscale__piece *p)
{
  const route path = route_of(r, p->gpu, p->key);

  if (path.copies == 0)
    r->now->n.local++;
  else if (path.queued)
    enqueue(r, p, path.copies);
  else
    send_direct(r, p, 1);
}

static void take_atomic(gscale_replay *r, const gscale__piece *p)
{
  const route path = route_of(r, p->gpu, p->key);

  if (path.copies == 0) {
    r->now->n.local++;
  } else if (!path.queued) {
    send_direct(r, p, 1);
  } else {
    drain_overlap(r, p, GSCALE_FLUSH_ATOMIC);
    translate(r, &r->gpu[p->gpu], p->key);
    send_direct(r, p, path.copies);
  }
}

/* ---- system stores ------------------------------------------------------- */

static void drain_page(gscale_replay *r, int gpu, uint64_t page)
{
  gscale__gpu *const g = &r->gpu[gpu];
  const gscale__fifo *const q = &g->queue;
  const uint32_t end = q->next;

  for (uint32_t i = q->oldest; i != end; i++) {
    gscale__entry *const e = gscale__fifo_at(q, i);
    if (e->copies > 0 && gscale__dst_of(e->key) == GSCALE__ALL &&
        gscale__page_at(r, e->key) == page)
      send_entry(r, g, e, GSCALE_FLUSH_SYSTEM);
  }
}

/* Leaves a page's only copy to the writer, as for pages mostly read. */
static void collapse(gscale_replay *r, int gpu, uint64_t key)
{
  for (int i = 0; i < r->o.gpus; i++) drain_page(r, i, gscale__page_at(r, key));
  gscale__page *const page = gscale__touch(r, gpu, key);
  if (!page) return;
  page->subscribers = page->touched = gscale__bit(gpu);
  page->collapsed = true;
  r->collapsed++;
}

static void store_system(gscale_replay *r, const gscale__piece *p)
{
  const int gpu = p->gpu;

  if (gscale__dst_of(p->key) != GSCALE__ALL)
    drain_overlap(r, p, GSCALE_FLUSH_SYSTEM);
  else if (route_of(r, p->gpu, p->key).queued)
    collapse(r, gpu, p->key);
  if (gscale__receivers(r, gpu, p->key))
    send_direct(r, p, 1);
  else
    r->now->n.local++;
}

/* ---- loads --------------------------------------------------------------- */

/* Counts a load, which the queue answers if it has all bytes of the load. */
static void load(gscale_replay *r, const gscale__piece *p)
{
  const gscale__fifo *const q = &r->gpu[p->gpu].queue;

  if (!gscale__loads_remotely(r, p->gpu, p->key)) return;
  const gscale__entry *const e = gscale__fifo_find(q, p->key);
  if (e && !(p->bytes & ~e->bytes)) {
    r->now->n.loads_queued++;
    return;
  }
  drain_overlap(r, p, GSCALE_FLUSH_LOAD);
  r->now->n.loads_remote++;
}

static void take(gscale_replay *r, const gscale__piece *p)
{
  if (p->kind == GSCALE_OP_STORE)
    store(r, p);
  else if (p->kind == GSCALE_OP_ATOMIC)
    take_atomic(r, p);
  else if (p->kind == GSCALE_OP_LOAD)
    load(r, p);
  else
    store_system(r, p);
}

const gscale__machine gscale__machine_gps = {prepare, release, take,
                                             drain,   false,   false};

/* SPDX-License-Identifier: GPL-3.0-or-later */
