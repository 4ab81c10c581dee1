/* gps.c - GPS: a write queue per GPU, a TLB and subscriptions. */

#include "replay/replay.h"

#include <stdlib.h>
#include <string.h>

static bool prepare_tlb(const gscale_replay *r, gscale__tlb *t)
{
  const uint64_t in_order = 0x0706050403020100;

  if (r->o.ways > GSCALE__WAYS) {
    t->page = calloc((size_t)r->o.tlb, sizeof *t->page);
    return t->page != NULL;
  }
  t->set = calloc(r->sets, sizeof *t->set);
  for (uint64_t i = 0; t->set && i < r->sets; i++) t->set[i].way = in_order;
  return t->set != NULL;
}

static bool prepare(gscale_replay *r, gscale__gpu *g)
{
  return prepare_tlb(r, &g->tlb) && gscale__fifo_init(&g->queue, r->o.capacity);
}

static void release(gscale_replay *r, gscale__gpu *g)
{
  (void)r;
  free(g->tlb.set);
  free(g->tlb.page);
  gscale__fifo_free(&g->queue);
}

/* ---- TLB ----------------------------------------------------------------- */

static uint64_t page_of(const gscale_replay *r, uint64_t key)
{
  return gscale__line_of(key) >> (r->page_bits - GSCALE__LINE_BITS);
}

/* Returns the set of a page, without a division for powers of two. */
static uint64_t set_of(const gscale_replay *r, uint64_t page)
{
  const bool power = (r->sets & (r->sets - 1)) == 0;
  return power ? page & (r->sets - 1) : page % r->sets;
}

/* Puts `first` into the lowest byte.  Bytes within `upto` move up by one. */
static inline uint64_t put_first(uint64_t bytes, uint64_t first, uint64_t upto)
{
  return bytes ^ ((bytes ^ (bytes << 8 | first)) & upto);
}

/* Returns the highest bit of a way's byte in the order of use, after another
 * page had the same mark.  Searches all ways; for a miss, returns the last
 * way. */
static __attribute__((noinline)) uint64_t find_slowly(const gscale__set *s,
                                                      int ways, uint64_t page)
{
  int i = 0;

  while (i < ways - 1 && s->page[s->way >> 8 * i & 0xff] != page) i++;
  return (uint64_t)1 << (8 * i + 7);
}

static inline uint64_t way_at(const gscale__set *s, uint64_t at)
{
  return s->way >> (__builtin_ctzll(at) - 7) & 0xff;
}

/* Looks up a page, and replaces the least recently used page on a miss.
 * Because way and hit are unpredictable, only equal marks of other pages
 * branch.  The lowest zero byte has the lowest bit of `marked` [Knuth11]. */
static inline bool find_at_once(gscale__set *s, int ways, uint64_t page)
{
  const uint64_t ones = 0x0101010101010101;
  const uint64_t mark = gscale__hash_of(page) >> 56;
  const uint64_t others = s->mark ^ mark * ones;
  const uint64_t marked = (others - ones) & ~others & ones << 7;
  uint64_t at = marked | (uint64_t)(marked == 0) << (8 * ways - 1);
  uint64_t way = way_at(s, at);

  bool there = s->page[way] == page;

  if (GSCALE__RARELY((marked != 0) != there)) {
    at = find_slowly(s, ways, page);
    way = way_at(s, at);
    there = s->page[way] == page;
  }
  const uint64_t upto = at ^ (at - 1);
  s->page[way] = page;
  s->way = put_first(s->way, way, upto);
  s->mark = put_first(s->mark, mark, upto);
  return there;
}

/* Looks up a page among any number of ways, which are in the order of use. */
static bool find_in_turn(uint64_t *set, int ways, uint64_t page)
{
  int i = 0;

  while (i < ways - 1 && set[i] != page) i++;
  const bool there = set[i] == page;
  memmove(&set[1], set, (size_t)i * sizeof *set);
  set[0] = page;
  return there;
}

/* Looks up the page of a line.  Most lookups find the previous page. */
static void translate(gscale_replay *r, const gscale__tlb *t, uint64_t key)
{
  const uint64_t page = page_of(r, key) + 1, set = set_of(r, page - 1);
  const int ways = r->o.ways;
  gscale__set *const s = t->set ? &t->set[set] : NULL;

  r->now->n.tlb_lookups++;
  if (!s)
    r->now->n.tlb_hits +=
        find_in_turn(&t->page[set * (uint64_t)ways], ways, page);
  else if (s->page[s->way & 0xff] == page)
    r->now->n.tlb_hits++;
  else
    r->now->n.tlb_hits += find_at_once(s, ways, page);
}

/* ---- departures ---------------------------------------------------------- */

static void send_direct(gscale_replay *r, const gscale__piece *p,
                        uint64_t copies)
{
  r->now->n.direct += copies;
  gscale__send_piece(r, p, copies);
}

/* Counts of entries that leave the queue. */
typedef struct gone {
  uint64_t entries, copies, bytes;
} gone;

static void count_gone(gscale_replay *r, const gone *k, gscale_flush why)
{
  gscale_replay_counts *const n = &r->now->n;

  n->flushes[why] += k->entries;
  n->entries += k->entries;
  n->sends += k->copies;
  r->now->whole[0][GSCALE__LINE] += k->copies;
  n->useful_bytes += k->bytes;
  n->unused_bytes += k->copies * GSCALE__LINE - k->bytes;
}

/* Sends an entry as a whole line to all its receivers.  The entry has left
 * before other GPUs subscribe to its page. */
static void send_entry(gscale_replay *r, gscale__gpu *g, gscale__entry *e,
                       gscale_flush why)
{
  const gscale__bytes bytes = gscale__bytes_in(&g->queue, e);
  const uint64_t copies = e->copies;
  const gone k = {1, copies, copies * (uint64_t)gscale__bytes_count(bytes)};

  gscale__fifo_remove(&g->queue, e);
  translate(r, &g->tlb, e->key);
  count_gone(r, &k, why);
  gscale__deliver(r, &g->sent, e->key, bytes, copies);
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
  gscale__gpu *const g = &r->gpu[p->tag.gpu];

  if (g->queue.count == 0) return;
  gscale__entry *const e = gscale__fifo_find(&g->queue, p->key);
  if (e && gscale__bytes_meet(gscale__bytes_in(&g->queue, e),
                              gscale__bytes_of(r, p)))
    send_entry(r, g, e, why);
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
  page = gscale__touch(r, (int)gpu, gscale__line_of(key));
  if (!page) return (route){0, false};
  const uint64_t all = page->subscribers;
  return (route){gscale__gpus_in(all & ~gscale__bit((int)gpu)),
                 (all & (all - 1)) != 0};
}

static void enqueue(gscale_replay *r, const gscale__piece *p, uint64_t copies)
{
  gscale__gpu *const g = &r->gpu[p->tag.gpu];
  gscale__fifo *const q = &g->queue;
  gscale__entry *const e = gscale__fifo_find(q, p->key);

  r->now->n.queued++;
  if (e) {
    gscale__merge(q, e, gscale__bytes_of(r, p));
    r->now->n.hits++;
    return;
  }
  gscale__fifo_add(q, p->key, gscale__bytes_of(r, p), copies);
  if ((int)q->count == r->o.watermark)
    send_entry(r, g, gscale__fifo_at(q, q->oldest), GSCALE_FLUSH_WATERMARK);
}

static void store(gscale_replay *r, const gscale__piece *p)
{
  const route path = route_of(r, p->tag.gpu, p->key);

  if (path.copies == 0)
    r->now->n.local++;
  else if (path.queued)
    enqueue(r, p, path.copies);
  else
    send_direct(r, p, 1);
}

/* Takes the next stores while they come from one GPU, are whole words, are
 * queued, and have entries of whole words.  Returns the number of stores taken.
 * store() has the same effect, but this function keeps the queue in
 * registers. */
static int store_run(gscale_replay *r, const gscale__piece *p, int most)
{
  gscale__gpu *const g = &r->gpu[p->tag.gpu];
  const uint32_t full = (uint32_t)r->o.watermark - 1;
  const uint64_t sets = r->sets - 1;
  const bool all = gscale__dst_of(p->key) == GSCALE__ALL;
  route path = {gscale__dst_of(p->key) != p->tag.gpu, true};
  uint64_t hits = 0, there = 0;
  gone k = {0};
  int i;

  if (!r->plainly || !gscale__fifo_reserve(&g->queue, most)) return 0;
  gscale__fifo q = g->queue;
  const uint32_t before = q.count;
  for (i = 0; i < most && gscale__goes_with(&p[i], p); i++) {
    const uint64_t key = p[i].key;
    uint16_t *const bucket = gscale__fifo_bucket(&q, key);
    gscale__entry *const e = gscale__fifo_find_in(&q, bucket, key);
    const gscale__entry *const oldest = gscale__fifo_at(&q, q.oldest);
    const gscale__bytes bytes = {p[i].words, true};

    if (all) path = route_of(r, p->tag.gpu, key);
    if (GSCALE__RARELY(path.copies == 0 || !path.queued)) break;
    if (e) {
      if (GSCALE__RARELY(!e->whole)) break;
      e->words |= p[i].words;
      hits++;
      continue;
    }
    if (GSCALE__RARELY(q.count < full)) {
      gscale__fifo_put(&q, bucket, key, bytes, path.copies);
      q.count++;
      continue;
    }
    if (GSCALE__RARELY(!oldest->whole)) break;
    gscale__fifo_put(&q, bucket, key, bytes, path.copies);
    gscale__fifo_drop(&q);
    const uint64_t page = page_of(r, oldest->key), copies = oldest->copies;
    there += find_at_once(&g->tlb.set[page & sets], r->o.ways, page + 1);
    k.copies += copies;
    k.bytes += copies * (uint64_t)gscale__words_count(oldest->words);
    gscale__deliver_words(r, &g->sent, oldest->key, oldest->words, copies);
  }
  gscale__fifo_move(&g->queue, &q);
  k.entries = (uint64_t)i - hits - (q.count - before);
  r->now->n.queued += (uint64_t)i;
  r->now->n.hits += hits;
  r->now->n.tlb_lookups += k.entries;
  r->now->n.tlb_hits += there;
  count_gone(r, &k, GSCALE_FLUSH_WATERMARK);
  return i;
}

static void take_stores(gscale_replay *r, const gscale__piece *p, int n)
{
  for (int i = 0; i < n;) {
    const int most = gscale__run_most(&p[i], n - i);
    const int run = most > 0 ? store_run(r, &p[i], most) : 0;
    if (run == 0) store(r, &p[i]);
    i += run > 0 ? run : 1;
  }
}

static void take_atomic(gscale_replay *r, const gscale__piece *p)
{
  const route path = route_of(r, p->tag.gpu, p->key);

  if (path.copies == 0) {
    r->now->n.local++;
  } else if (!path.queued) {
    send_direct(r, p, 1);
  } else {
    drain_overlap(r, p, GSCALE_FLUSH_ATOMIC);
    translate(r, &r->gpu[p->tag.gpu].tlb, p->key);
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
        page_of(r, e->key) == page)
      send_entry(r, g, e, GSCALE_FLUSH_SYSTEM);
  }
}

/* Leaves a page's only copy to the writer, as for pages mostly read. */
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

static void store_system(gscale_replay *r, const gscale__piece *p)
{
  const int gpu = p->tag.gpu;

  if (gscale__dst_of(p->key) != GSCALE__ALL)
    drain_overlap(r, p, GSCALE_FLUSH_SYSTEM);
  else if (route_of(r, p->tag.gpu, p->key).queued)
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
  const gscale__fifo *const q = &r->gpu[p->tag.gpu].queue;

  if (!gscale__loads_remotely(r, p->tag.gpu, p->key)) return;
  const gscale__entry *const e = gscale__fifo_find(q, p->key);
  if (e &&
      !gscale__bytes_without(gscale__bytes_of(r, p), gscale__bytes_in(q, e))
           .bits) {
    r->now->n.loads_queued++;
    return;
  }
  drain_overlap(r, p, GSCALE_FLUSH_LOAD);
  r->now->n.loads_remote++;
}

static void take(gscale_replay *r, const gscale__piece *p, int n)
{
  const unsigned kind = p->tag.kind;

  if (kind == GSCALE_OP_STORE)
    take_stores(r, p, n);
  else if (kind == GSCALE_OP_ATOMIC)
    for (int i = 0; i < n; i++) take_atomic(r, &p[i]);
  else if (kind == GSCALE_OP_LOAD)
    for (int i = 0; i < n; i++) load(r, &p[i]);
  else
    for (int i = 0; i < n; i++) store_system(r, &p[i]);
}

const gscale__machine gscale__machine_gps = {
    prepare, release, take, drain, gscale__pages_fetch, false, false};

/* SPDX-License-Identifier: GPL-3.0-or-later */
