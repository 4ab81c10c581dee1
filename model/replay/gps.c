/* gps.c - GPS: a write queue for each GPU, a TLB, subscriptions. */

#include "replay/replay.h"

#include <stdlib.h>

static bool prepare(gscale_replay *r, gscale__gpu *g)
{
  g->tlb.page = calloc((size_t)r->o.tlb, sizeof *g->tlb.page);
  return g->tlb.page && gscale__fifo_init(&g->queue, r->o.capacity);
}

static void release(gscale_replay *r, gscale__gpu *g)
{
  (void)r;
  free(g->tlb.page);
  gscale__fifo_free(&g->queue);
}

static uint64_t page_of(const gscale_replay *r, uint64_t key)
{
  return gscale__line_of(key) >> (r->page_bits - GSCALE__LINE_BITS);
}

/* Divides only where it must. */
static uint64_t set_of(const gscale_replay *r, uint64_t page)
{
  const bool power = (r->sets & (r->sets - 1)) == 0;
  return power ? page & (r->sets - 1) : page % r->sets;
}

/* Puts what came from the way before into this one; true if its page was the
 * one that is looked up. */
static inline bool shift(uint64_t *way, uint64_t *moved, uint64_t page)
{
  const uint64_t there = *way;

  *way = *moved;
  *moved = there;
  return there == page;
}

/* Looks the page up and puts it in front of its set; those before it, or all,
 * move back by one. */
static inline bool find_in_set(uint64_t *set, int ways, uint64_t page)
{
  uint64_t moved = page;
  int i = 0;

  for (; i + 4 <= ways; i += 4)
    if (shift(&set[i], &moved, page) || shift(&set[i + 1], &moved, page) ||
        shift(&set[i + 2], &moved, page) || shift(&set[i + 3], &moved, page))
      return true;
  for (; i < ways; i++)
    if (shift(&set[i], &moved, page)) return true;
  return false;
}

static inline void translate(gscale_replay *r, int gpu, uint64_t key)
{
  const uint64_t page = page_of(r, key) + 1; /* 0: free */
  uint64_t *const set =
      r->gpu[gpu].tlb.page + set_of(r, page - 1) * (uint64_t)r->o.ways;

  r->now->n.tlb_lookups++;
  r->now->n.tlb_hits += find_in_set(set, r->o.ways, page);
}

static void send_direct(gscale_replay *r, int gpu, gscale_operation kind,
                        const gscale__piece *p, uint64_t copies)
{
  r->now->n.direct += copies;
  gscale__send_piece(r, gpu, kind, p, copies);
}

/* An entry leaves as a whole line, to all who get it: before others subscribe
 * to its page, it has left. */
GSCALE__INLINE void leave(gscale_replay *r, int gpu, gscale__entry *e,
                          gscale_flush why)
{
  gscale_replay_counts *const n = &r->now->n;
  const uint64_t copies = e->copies;
  const gscale__bytes bytes = gscale__bytes_in(e);
  const int all = gscale__bytes_count(bytes);

  gscale__fifo_remove(&r->gpu[gpu].queue, e);
  translate(r, gpu, e->key);
  n->flushes[why]++;
  n->entries++;
  n->sends += copies;
  r->now->whole[0][GSCALE__LINE] += copies;
  n->unused_bytes += copies * (uint64_t)(GSCALE__LINE - all);
  gscale__deliver(r, &r->gpu[gpu].sent, e->key, bytes, all, copies);
}

static __attribute__((noinline)) void
send_entry(gscale_replay *r, int gpu, gscale__entry *e, gscale_flush why)
{
  leave(r, gpu, e, why);
}

static void drain(gscale_replay *r, int gpu, gscale_flush why)
{
  gscale__fifo *const q = &r->gpu[gpu].queue;
  while (q->count > 0) send_entry(r, gpu, gscale__fifo_at(q, q->oldest), why);
}

/* The order of accesses to the same bytes holds. */
static void drain_overlap(gscale_replay *r, int gpu, const gscale__piece *p,
                          gscale_flush why)
{
  const gscale__fifo *const q = &r->gpu[gpu].queue;

  if (q->count == 0) return;
  gscale__entry *const e = gscale__fifo_find(q, p->key);
  if (e && gscale__bytes_meet(gscale__bytes_in(e), gscale__bytes_of(p)))
    send_entry(r, gpu, e, why);
}

/* ---- stores and atomics -------------------------------------------------- */

static inline void enqueue(gscale_replay *r, int gpu, const gscale__piece *p,
                           uint64_t to)
{
  gscale__gpu *const g = &r->gpu[gpu];
  gscale__fifo *const q = &g->queue;
  gscale__entry *const e = gscale__fifo_find(q, p->key);

  r->now->n.queued++;
  if (e) {
    gscale__merge(e, gscale__bytes_of(p));
    r->now->n.hits++;
    return;
  }
  gscale__fifo_add(q, p->key, gscale__bytes_of(p), gscale__gpus_in(to));
  if ((int)q->count == r->o.watermark)
    leave(r, gpu, gscale__fifo_at(q, q->oldest), GSCALE_FLUSH_WATERMARK);
}

/* Where a store goes, and whether through the queue: not if there is one copy
 * of the page, here or elsewhere. */
typedef struct route {
  uint64_t to;
  bool queued;
} route;

static inline route route_of(gscale_replay *r, int gpu, uint64_t key)
{
  const gscale__page *page;

  if (gscale__dst_of(key) != GSCALE__ALL)
    return (route){gscale__receivers(r, gpu, key), true};
  page = gscale__touch(r, gpu, gscale__line_of(key));
  if (!page) return (route){0, false};
  return (route){page->subscribers & ~gscale__bit(gpu),
                 (page->subscribers & (page->subscribers - 1)) != 0};
}

static void store(gscale_replay *r, int gpu, gscale_operation kind,
                  const gscale__piece *p)
{
  const route way = route_of(r, gpu, p->key);

  if (!way.to) {
    r->now->n.local++;
  } else if (!way.queued) {
    send_direct(r, gpu, kind, p, 1);
  } else if (kind == GSCALE_OP_STORE) {
    enqueue(r, gpu, p, way.to);
  } else {
    drain_overlap(r, gpu, p, GSCALE_FLUSH_ATOMIC);
    translate(r, gpu, p->key);
    send_direct(r, gpu, kind, p, gscale__gpus_in(way.to));
  }
}

/* ---- stores of system scope ---------------------------------------------- */

static void drain_page(gscale_replay *r, int gpu, uint64_t page)
{
  const gscale__fifo *const q = &r->gpu[gpu].queue;
  const uint32_t end = q->next;

  for (uint32_t i = q->oldest; i != end; i++) {
    gscale__entry *const e = gscale__fifo_at(q, i);
    if (e->copies > 0 && gscale__dst_of(e->key) == GSCALE__ALL &&
        page_of(r, e->key) == page)
      send_entry(r, gpu, e, GSCALE_FLUSH_SYSTEM);
  }
}

/* The writer keeps the only copy, as with pages that are mostly read. */
static void collapse(gscale_replay *r, int gpu, uint64_t key)
{
  const uint64_t line = gscale__line_of(key);

  for (int i = 0; i < r->o.gpus; i++) drain_page(r, i, page_of(r, key));
  gscale__page *const page = gscale__touch(r, gpu, line);
  if (!page) return;
  page->subscribers = page->touched = gscale__bit(gpu);
  page->collapsed = true;
  r->collapsed++;
}

static void store_system(gscale_replay *r, int gpu, const gscale__piece *p)
{
  if (gscale__dst_of(p->key) != GSCALE__ALL)
    drain_overlap(r, gpu, p, GSCALE_FLUSH_SYSTEM);
  else if (route_of(r, gpu, p->key).queued)
    collapse(r, gpu, p->key);
  if (gscale__receivers(r, gpu, p->key))
    send_direct(r, gpu, GSCALE_OP_SYSTEM, p, 1);
  else
    r->now->n.local++;
}

/* ---- loads --------------------------------------------------------------- */

/* Answered by the queue if it has all the bytes. */
static void load(gscale_replay *r, int gpu, const gscale__piece *p)
{
  const gscale__fifo *const q = &r->gpu[gpu].queue;

  if (!gscale__loads_remotely(r, gpu, p->key)) return;
  const gscale__entry *const e = gscale__fifo_find(q, p->key);
  if (e &&
      !gscale__bytes_without(gscale__bytes_of(p), gscale__bytes_in(e)).bits) {
    r->now->n.loads_queued++;
    return;
  }
  drain_overlap(r, gpu, p, GSCALE_FLUSH_LOAD);
  r->now->n.loads_remote++;
}

static void take(gscale_replay *r, int gpu, gscale_operation kind,
                 const gscale__piece *p, int n)
{
  if (kind == GSCALE_OP_STORE || kind == GSCALE_OP_ATOMIC) {
    for (int i = 0; i < n; i++) store(r, gpu, kind, &p[i]);
    return;
  }
  for (int i = 0; i < n; i++)
    if (kind == GSCALE_OP_LOAD)
      load(r, gpu, &p[i]);
    else
      store_system(r, gpu, &p[i]);
}

const gscale__machine gscale__machine_gps = {
    prepare, release, take, drain, gscale__pages_fetch, false};

/* SPDX-License-Identifier: GPL-3.0-or-later */
