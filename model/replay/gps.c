/* gps.c - GPS: a write queue for each GPU, a TLB, subscriptions. */

#include "replay/replay.h"

#include <stdlib.h>
#include <string.h>

enum {
  AHEAD = 32 /* entries */
};

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

/* Looks the page up and puts it in front of its set; those before it, or all,
 * move back by one.  Where it is nobody could predict: hence no branch. */
static void translate(gscale_replay *r, int gpu, uint64_t key)
{
  const uint64_t page = page_of(r, key) + 1; /* 0: free */
  const int ways = r->o.ways;
  uint64_t *const set =
      r->gpu[gpu].tlb.page + set_of(r, page - 1) * (uint64_t)ways;
  int at = ways;

  r->now->n.tlb_lookups++;
  if (set[0] == page) { /* of a stream */
    r->now->n.tlb_hits++;
    return;
  }
  for (int i = 1; i < ways; i++) at = set[i] == page ? i : at;
  r->now->n.tlb_hits += at < ways;
  memmove(set + 1, set, (size_t)(at < ways ? at : ways - 1) * sizeof *set);
  set[0] = page;
}

static void send_direct(gscale_replay *r, int gpu, gscale_operation kind,
                        const gscale__piece *p, uint64_t copies)
{
  r->now->n.direct += copies;
  gscale__send_piece(r, gpu, kind, p, copies);
}

/* Fetches what entries that leave soon will be noted in, AHEAD of them at once:
 * a fetch whose page the processor does not know holds up what follows, but for
 * the next ones.  One added takes the place of the one that left before, so
 * they mostly lie in the order of age. */
static inline __attribute__((always_inline)) void
fetch_ahead(const gscale_replay *r, int gpu, uint16_t leaving)
{
  const gscale__fifo *const q = &r->gpu[gpu].queue;

  if (leaving % AHEAD != 0) return;
  for (int i = leaving + AHEAD; i < leaving + 2 * AHEAD; i++) {
    const int next = i < q->touched ? i : i - q->touched;
    if (next < q->touched)
      gscale__lines_prefetch(&r->gpu[gpu].sent, q->entry[next].key);
  }
}

/* An entry leaves as a whole line, to all who get it. */
static void send_entry(gscale_replay *r, int gpu, uint16_t i, gscale_flush why)
{
  gscale__fifo *const q = &r->gpu[gpu].queue;
  const gscale__entry e = q->entry[i];
  gscale_replay_counts *const n = &r->now->n;
  const uint64_t to = gscale__receivers(r, gpu, e.key);
  const uint64_t copies = gscale__gpus_in(to);
  const gscale__bytes bytes = gscale__bytes_in(&e);
  const int all = gscale__bytes_count(bytes);

  fetch_ahead(r, gpu, i);
  gscale__fifo_remove(q, i);
  translate(r, gpu, e.key);
  n->flushes[why]++;
  n->entries++;
  n->sends += copies;
  r->now->whole[0][GSCALE__LINE] += copies;
  n->unused_bytes += copies * (uint64_t)(GSCALE__LINE - all);
  gscale__deliver(r, &r->gpu[gpu].sent, e.key, bytes, all, copies);
}

static void drain(gscale_replay *r, int gpu, gscale_flush why)
{
  gscale__fifo *const q = &r->gpu[gpu].queue;
  while (q->oldest != GSCALE__NONE) send_entry(r, gpu, q->oldest, why);
}

/* The order of accesses to the same bytes holds. */
static void drain_overlap(gscale_replay *r, int gpu, const gscale__piece *p,
                          gscale_flush why)
{
  const gscale__fifo *const q = &r->gpu[gpu].queue;
  uint16_t i;

  if (q->count == 0) return;
  i = gscale__fifo_find(q, p->key);
  if (i != GSCALE__NONE &&
      gscale__bytes_meet(gscale__bytes_in(&q->entry[i]), gscale__bytes_of(p)))
    send_entry(r, gpu, i, why);
}

/* ---- stores and atomics -------------------------------------------------- */

static void enqueue(gscale_replay *r, int gpu, const gscale__piece *p)
{
  gscale__gpu *const g = &r->gpu[gpu];
  gscale__fifo *const q = &g->queue;
  const uint16_t i = gscale__fifo_find(q, p->key);

  r->now->n.queued++;
  if (i != GSCALE__NONE) {
    gscale__merge(&q->entry[i], gscale__bytes_of(p));
    r->now->n.hits++;
    return;
  }
  gscale__fifo_add(q, p->key, gscale__bytes_of(p));
  if (q->count == r->o.watermark)
    send_entry(r, gpu, q->oldest, GSCALE_FLUSH_WATERMARK);
}

/* Where a store goes, and whether through the queue: not if there is one copy
 * of the page, here or elsewhere. */
typedef struct route {
  uint64_t to;
  bool queued;
} route;

static route route_of(gscale_replay *r, int gpu, uint64_t key)
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
    enqueue(r, gpu, p);
  } else {
    drain_overlap(r, gpu, p, GSCALE_FLUSH_ATOMIC);
    translate(r, gpu, p->key);
    send_direct(r, gpu, kind, p, gscale__gpus_in(way.to));
  }
}

/* ---- stores of system scope ---------------------------------------------- */

static void drain_page(gscale_replay *r, int gpu, uint64_t page)
{
  gscale__fifo *const q = &r->gpu[gpu].queue;

  for (uint16_t i = q->oldest, next; i != GSCALE__NONE; i = next) {
    next = q->entry[i].newer;
    if (gscale__dst_of(q->entry[i].key) == GSCALE__ALL &&
        page_of(r, q->entry[i].key) == page)
      send_entry(r, gpu, i, GSCALE_FLUSH_SYSTEM);
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
  uint16_t i;

  if (!gscale__loads_remotely(r, gpu, p->key)) return;
  i = gscale__fifo_find(q, p->key);
  if (i != GSCALE__NONE &&
      !gscale__bytes_without(gscale__bytes_of(p),
                             gscale__bytes_in(&q->entry[i]))
           .bits) {
    r->now->n.loads_queued++;
    return;
  }
  drain_overlap(r, gpu, p, GSCALE_FLUSH_LOAD);
  r->now->n.loads_remote++;
}

static void take(gscale_replay *r, int gpu, gscale_operation kind,
                 const gscale__piece *p, int n)
{
  for (int i = 0; i < n; i++)
    if (kind == GSCALE_OP_LOAD)
      load(r, gpu, &p[i]);
    else if (kind == GSCALE_OP_SYSTEM)
      store_system(r, gpu, &p[i]);
    else
      store(r, gpu, kind, &p[i]);
}

const gscale__machine gscale__machine_gps = {
    prepare, release, take, drain, gscale__pages_fetch, false};

/* SPDX-License-Identifier: GPL-3.0-or-later */
