/* finepack.c - FinePack, in which windows of stores become packets when they
 * are flushed.
 *
 * Each destination of a store has a window for the store.  Programs that write
 * for all GPUs give all destinations the same stores, and these destinations
 * share windows in one outlet.  An outlet is split when an event concerns only
 * some of its destinations. */

#include "replay/replay.h"

#include <stdlib.h>

/* ---- outlets ------------------------------------------------------------- */

static void set_destinations(gscale__outlet *o, uint64_t to)
{
  o->to = to;
  o->copies = gscale__gpus_in(to);
}

/* Joins all other GPUs to one outlet. */
static void join_outlets(const gscale_replay *r, gscale__gpu *g)
{
  g->outlets = 1;
  set_destinations(&g->outlet[0],
                   r->everyone & ~gscale__bit((int)(g - r->gpu)));
  for (int i = 0; i < r->o.gpus; i++) g->outlet_of[i] = &g->outlet[0];
}

static void release_outlet(const gscale_replay *r, gscale__outlet *o)
{
  for (int i = 0; o->window && i < r->o.windows; i++)
    gscale__fifo_free(&o->window[i].queue);
  free(o->window);
  gscale__lines_free(&o->sent);
  *o = (gscale__outlet){0};
}

static bool prepare_outlet(const gscale_replay *r, gscale__outlet *o)
{
  bool ok;

  if (o->window) return true;
  gscale__lines_init(&o->sent);
  o->window = calloc((size_t)r->o.windows, sizeof *o->window);
  ok = o->window != NULL;
  for (int i = 0; ok && i < r->o.windows; i++)
    ok = gscale__fifo_init(&o->window[i].queue, r->entries);
  if (!ok) release_outlet(r, o);
  return ok;
}

static bool prepare(gscale_replay *r, gscale__gpu *g)
{
  g->outlet = calloc((size_t)r->o.gpus, sizeof *g->outlet);
  g->outlet_of = malloc((size_t)r->o.gpus * sizeof *g->outlet_of);
  if (!g->outlet || !g->outlet_of) return false;
  join_outlets(r, g);
  return prepare_outlet(r, &g->outlet[0]);
}

static void release(gscale_replay *r, gscale__gpu *g)
{
  for (int d = 0; g->outlet && d < r->o.gpus; d++)
    release_outlet(r, &g->outlet[d]);
  free(g->outlet);
  free(g->outlet_of);
}

static bool copy_outlet(const gscale_replay *r, gscale__outlet *to,
                        const gscale__outlet *from)
{
  if (!prepare_outlet(r, to) || !gscale__lines_copy(&to->sent, &from->sent))
    return false;
  for (int i = 0; i < r->o.windows; i++) {
    gscale__window *const w = &to->window[i];
    const gscale__fifo queue = w->queue;
    *w = from->window[i];
    w->queue = queue;
    gscale__fifo_copy(&w->queue, &from->window[i].queue);
  }
  return true;
}

/* Splits off an outlet for the destinations in `to`. */
static __attribute__((noinline)) gscale__outlet *
part(gscale_replay *r, gscale__gpu *g, gscale__outlet *from, uint64_t to)
{
  gscale__outlet *const o = &g->outlet[g->outlets];

  gscale__notes_end(r, &from->sent);
  if (!copy_outlet(r, o, from)) {
    r->status = GSCALE_ENOMEM;
    return from;
  }
  set_destinations(o, from->to & to);
  set_destinations(from, from->to & ~to);
  for (uint64_t left = o->to; left; left &= left - 1)
    g->outlet_of[__builtin_ctzll(left)] = o;
  g->outlets++;
  return o;
}

/* Returns an outlet to the first destination in `to`, and to none outside. */
static gscale__outlet *outlet_to(gscale_replay *r, int gpu, uint64_t to)
{
  gscale__gpu *const g = &r->gpu[gpu];
  gscale__outlet *const o = g->outlet_of[__builtin_ctzll(to)];

  return o->to & ~to ? part(r, g, o, to) : o;
}

/* ---- packetizer ---------------------------------------------------------- */

/* Counts of a flush for one destination. */
typedef struct packing {
  int filled; /* B in the packet */
  uint64_t packets, subpackets, bytes;
} packing;

static void send_packet(gscale_replay *r, packing *k, uint64_t copies)
{
  r->now->packed[k->filled] += copies;
  k->packets++;
  k->filled = 0;
}

GSCALE__INLINE void pack_run(gscale_replay *r, int length, packing *k,
                             uint64_t copies)
{
  const int size = r->o.subheader + length;

  if (k->filled + size > r->o.payload) send_packet(r, k, copies);
  k->filled += size;
  k->subpackets++;
  k->bytes += (uint64_t)length;
}

/* Packs words with gaps, or any bytes, run by run. */
static __attribute__((noinline)) void
pack_any(gscale_replay *r, gscale__bytes rest, packing *k, uint64_t copies)
{
  while (rest.bits)
    pack_run(r, gscale__bytes_take_run(&rest).length, k, copies);
}

static __attribute__((noinline)) void
pack_words(gscale_replay *r, uint64_t words, packing *k, uint64_t copies)
{
  while (words) {
    const uint64_t carried = words + (words & -words);
    const int length = __builtin_ctzll(carried) - __builtin_ctzll(words);
    pack_run(r, GSCALE__WORD * length, k, copies);
    words &= carried;
  }
}

static __attribute__((noinline)) void flush(gscale_replay *r, gscale__outlet *o,
                                            gscale__window *w, gscale_flush why)
{
  const gscale__fifo *const q = &w->queue;
  const uint64_t copies = o->copies;
  gscale_replay_counts *const n = &r->now->n;
  packing k = {0};

  for (uint32_t i = q->oldest; i != q->next; i++) { /* no entry was removed */
    const gscale__entry *const e = gscale__fifo_at(q, i);

    if (GSCALE__RARELY(!e->whole)) {
      const gscale__bytes bytes = gscale__bytes_in(q, e);
      pack_any(r, bytes, &k, copies);
      gscale__deliver(r, &o->sent, e->key, bytes, copies);
      continue;
    }
    if (gscale__words_side_by_side(e->words))
      pack_run(r, gscale__words_count(e->words), &k, copies);
    else
      pack_words(r, e->words, &k, copies);
    gscale__deliver_words(r, &o->sent, e->key, e->words, copies);
  }
  send_packet(r, &k, copies);
  n->sends += copies * k.packets;
  n->splits += copies * (k.packets - 1);
  n->subpackets += copies * k.subpackets;
  n->useful_bytes += copies * k.bytes;
  n->flushes[why] += copies;
  n->entries += copies * q->count;
  gscale__fifo_clear(&w->queue);
}

/* ---- windows ------------------------------------------------------------- */

static bool open(const gscale__window *w)
{
  return w->queue.count > 0;
}

/* Flushes windows that timed out since the previous store. */
static void expire(gscale_replay *r, int gpu, gscale__outlet *o)
{
  if (r->o.timeout == 0) return;
  for (int i = 0; i < r->o.windows; i++)
    if (open(&o->window[i]) &&
        r->gpu[gpu].clock - o->window[i].last > r->o.timeout)
      flush(r, o, &o->window[i], GSCALE_FLUSH_TIMEOUT);
}

/* Returns the open window with base `base`, or NULL. */
static gscale__window *find_window(const gscale_replay *r,
                                   const gscale__outlet *o, uint64_t base)
{
  for (int i = 0; i < r->o.windows; i++)
    if (open(&o->window[i]) && o->window[i].base == base) return &o->window[i];
  return NULL;
}

/* Returns a closed window, or flushes the window that was opened first. */
static gscale__window *free_window(gscale_replay *r, gscale__outlet *o)
{
  gscale__window *const w = o->window;
  gscale__window *first = w;

  for (int i = 0; i < r->o.windows; i++) {
    if (!open(&w[i])) return &w[i];
    if (w[i].opened < first->opened) first = &w[i];
  }
  flush(r, o, first, GSCALE_FLUSH_WINDOW);
  return first;
}

static void open_window(gscale_replay *r, gscale__window *w, uint64_t base)
{
  w->base = base;
  w->available = r->o.payload;
  w->opened = r->opened++;
}

/* ---- stores -------------------------------------------------------------- */

/* Returns the payload bytes of a store without an entry. */
GSCALE__INLINE int cost_of(const gscale_replay *r, gscale__bytes bytes)
{
  return r->o.subheader + gscale__bytes_count(bytes);
}

/* Adds an entry for a store, after a flush if the store does not fit. */
static void add_entry(gscale_replay *r, gscale__outlet *o, gscale__window *w,
                      uint64_t key, gscale__bytes bytes)
{
  const int cost = cost_of(r, bytes);
  const bool full = (int)w->queue.count == r->entries;

  if (full || cost > w->available) {
    flush(r, o, w, full ? GSCALE_FLUSH_ENTRIES : GSCALE_FLUSH_PAYLOAD);
    open_window(r, w, w->base);
  }
  gscale__fifo_add(&w->queue, key, bytes, o->copies);
  w->available -= cost;
}

/* Merges a store into its line's entry, or returns false if too large. */
static bool merge(gscale_replay *r, gscale__outlet *o, gscale__window *w,
                  gscale__entry *e, gscale__bytes bytes)
{
  const int cost = gscale__bytes_count(
      gscale__bytes_without(bytes, gscale__bytes_in(&w->queue, e)));

  if (cost > w->available) {
    flush(r, o, w, GSCALE_FLUSH_PAYLOAD);
    open_window(r, w, w->base);
    return false;
  }
  gscale__merge(&w->queue, e, bytes);
  w->available -= cost;
  r->now->n.hits += o->copies;
  return true;
}

/* Returns the key of an entry.  Entries of an outlet are found by line, because
 * their destinations are known. */
static uint64_t key_in_outlet(uint64_t key)
{
  return key | GSCALE__ALL;
}

static void store_to(gscale_replay *r, int gpu, gscale__outlet *o, uint64_t key,
                     gscale__bytes bytes, uint64_t base)
{
  gscale__window *w;

  expire(r, gpu, o);
  w = find_window(r, o, base);
  if (!w) {
    w = free_window(r, o);
    open_window(r, w, base);
  }
  gscale__entry *const e = gscale__fifo_find(&w->queue, key);
  r->now->n.queued += o->copies;
  if (!e || !merge(r, o, w, e, bytes)) add_entry(r, o, w, key, bytes);
  w->last = r->gpu[gpu].clock;
}

/* Stores to windows of half a line, which sub-headers of 2 B imply. */
static void store_halves(gscale_replay *r, int gpu, gscale__outlet *o,
                         const gscale__piece *p)
{
  const gscale__mask bits = gscale__mask_of(gscale__bytes_of(r, p));

  for (unsigned i = 0; i < 2; i++) {
    const gscale__mask half = (gscale__mask)UINT64_MAX << 64 * i;
    const gscale__bytes part = {bits & half, false};
    if (part.bits)
      store_to(r, gpu, o, key_in_outlet(p->key), part,
               2 * gscale__line_of(p->key) + i);
  }
}

/* Returns the line without the address bits that the sub-header contains. */
static uint64_t base_of(const gscale_replay *r, uint64_t key)
{
  return gscale__line_of(key) >> (r->offset_bits - GSCALE__LINE_BITS);
}

static void store(gscale_replay *r, int gpu, gscale__outlet *o,
                  const gscale__piece *p)
{
  if (r->offset_bits < GSCALE__LINE_BITS)
    store_halves(r, gpu, o, p);
  else
    store_to(r, gpu, o, key_in_outlet(p->key), gscale__bytes_of(r, p),
             base_of(r, p->key));
}

/* ---- direct packets ------------------------------------------------------ */

static bool overlaps(const gscale_replay *r, const gscale__window *w,
                     const gscale__piece *p)
{
  const gscale__entry *const e =
      gscale__fifo_find(&w->queue, key_in_outlet(p->key));
  return e && gscale__bytes_meet(gscale__bytes_in(&w->queue, e),
                                 gscale__bytes_of(r, p));
}

/* Flushes the windows that contain bytes of the piece. */
static void flush_overlap(gscale_replay *r, int gpu, gscale__outlet *o,
                          const gscale__piece *p, gscale_flush why)
{
  expire(r, gpu, o);
  for (int i = 0; i < r->o.windows; i++)
    if (open(&o->window[i]) && overlaps(r, &o->window[i], p))
      flush(r, o, &o->window[i], why);
}

static void flush_all(gscale_replay *r, int gpu, gscale_flush why)
{
  for (int k = 0; k < r->gpu[gpu].outlets; k++) {
    gscale__outlet *const o = &r->gpu[gpu].outlet[k];
    expire(r, gpu, o);
    for (int i = 0; i < r->o.windows; i++)
      if (open(&o->window[i])) flush(r, o, &o->window[i], why);
  }
}

/* Empties all outlets, which are then joined again. */
static void drain(gscale_replay *r, int gpu, gscale_flush why)
{
  gscale__gpu *const g = &r->gpu[gpu];

  flush_all(r, gpu, why);
  for (int k = 0; k < g->outlets; k++) {
    gscale__notes_end(r, &g->outlet[k].sent);
    gscale__lines_forget(&g->outlet[k].sent);
  }
  join_outlets(r, g);
}

/* Flushes overlaps in every outlet of some destinations. */
static void flush_overlaps(gscale_replay *r, int gpu, const gscale__piece *p,
                           uint64_t to, gscale_flush why)
{
  while (to) {
    gscale__outlet *const o = outlet_to(r, gpu, to);
    flush_overlap(r, gpu, o, p, why);
    to &= ~o->to;
  }
}

static void load(gscale_replay *r, const gscale__piece *p)
{
  const int gpu = p->tag.gpu;

  if (!gscale__loads_remotely(r, gpu, p->key)) return;
  r->now->n.loads_remote++;
  flush_overlaps(r, gpu, p, gscale__receivers(r, gpu, p->key),
                 GSCALE_FLUSH_LOAD);
}

static __attribute__((noinline)) void
reopen(gscale_replay *r, gscale__outlet *o, gscale_flush why, uint64_t base)
{
  if (open(o->window)) flush(r, o, o->window, why);
  open_window(r, o->window, base);
}

/* Adds the next stores to the outlet of the first store while they come from
 * one GPU, are whole words, and have entries of whole words.  Returns the
 * number of stores added. store() has the same effect, but this function keeps
 * the queue of the only window in registers. */
static int add_run(gscale_replay *r, gscale__outlet *o, const gscale__piece *p,
                   int most)
{
  gscale__window *const w = o->window;
  const bool all = gscale__dst_of(p->key) == GSCALE__ALL;
  const uint32_t entries = (uint32_t)r->entries;
  uint64_t hits = 0;
  int i;

  if (!gscale__fifo_reserve(&w->queue, most)) return 0;
  gscale__fifo q = w->queue;
  int available = w->available;
  for (i = 0; i < most && gscale__goes_with(&p[i], p); i++) {
    const uint64_t key = key_in_outlet(p[i].key), base = base_of(r, key);
    const uint32_t words = p[i].words;
    uint16_t *const bucket = gscale__fifo_bucket(&q, key);
    gscale__entry *const e = gscale__fifo_find_in(&q, bucket, key);
    const bool moved = q.count == 0 || base != w->base;

    if (all && gscale__receivers(r, p->tag.gpu, p[i].key) != o->to) break;
    if (e && !moved) {
      const int more = gscale__words_count(words & ~e->words);
      if (!e->whole || more > available) break;
      e->words |= words;
      available -= more;
      hits++;
      continue;
    }
    const int cost = r->o.subheader + gscale__words_count(words);
    if (moved || q.count == entries || cost > available) {
      const gscale_flush why = moved                ? GSCALE_FLUSH_WINDOW
                               : q.count == entries ? GSCALE_FLUSH_ENTRIES
                                                    : GSCALE_FLUSH_PAYLOAD;
      gscale__fifo_move(&w->queue, &q);
      reopen(r, o, why, base);
      gscale__fifo_move(&q, &w->queue);
      available = w->available;
    }
    gscale__fifo_put(&q, bucket, key, (gscale__bytes){words, true}, o->copies);
    q.count++;
    available -= cost;
  }
  gscale__fifo_move(&w->queue, &q);
  w->available = available;
  r->now->n.queued += o->copies * (uint64_t)i;
  r->now->n.hits += o->copies * hits;
  return i;
}

/* Adds a store to one outlet after the other. */
static __attribute__((noinline)) void
store_parted(gscale_replay *r, int gpu, const gscale__piece *p, uint64_t to)
{
  while (to) {
    gscale__outlet *const o = outlet_to(r, gpu, to);
    store(r, gpu, o, p);
    to &= ~o->to;
  }
}

/* Adds one store, or more of the next n, and returns the number added. */
static int add_some(gscale_replay *r, const gscale__piece *p, int n)
{
  const int gpu = p->tag.gpu;
  const uint64_t to = gscale__receivers(r, gpu, p->key);
  gscale__outlet *const o =
      to ? r->gpu[gpu].outlet_of[__builtin_ctzll(to)] : NULL;
  int run = 0;

  if (!o) {
    r->now->n.local++;
    return 1;
  }
  if (o->to != to) {
    store_parted(r, gpu, p, to);
    return 1;
  }
  if (r->plainly) {
    const int most = gscale__run_most(p, n);
    run = most > 0 ? add_run(r, o, p, most) : 0;
  }
  if (run > 0) return run;
  store(r, gpu, o, p);
  return 1;
}

static void add_stores(gscale_replay *r, const gscale__piece *p, int n)
{
  for (int i = 0; i < n;) {
    const int some = add_some(r, &p[i], n - i);
    if (some == 1) r->gpu[p[i].tag.gpu].clock += p[i].tag.part;
    i += some;
  }
}

/* Sends an atomic or a system store as one packet to each receiver. */
static void take_direct(gscale_replay *r, const gscale__piece *p)
{
  const int gpu = p->tag.gpu;
  const uint64_t to = gscale__receivers(r, gpu, p->key);
  const uint64_t copies = gscale__gpus_in(to);

  if (!to) {
    r->now->n.local++;
    return;
  }
  if (p->tag.kind == GSCALE_OP_SYSTEM)
    flush_all(r, gpu, GSCALE_FLUSH_SYSTEM);
  else
    flush_overlaps(r, gpu, p, to, GSCALE_FLUSH_ATOMIC);
  r->now->n.direct += copies;
  gscale__send_piece(r, p, copies);
}

static void take(gscale_replay *r, const gscale__piece *p, int n)
{
  if (p->tag.kind == GSCALE_OP_STORE) {
    add_stores(r, p, n);
    return;
  }
  for (int i = 0; i < n; i++) {
    if (p->tag.kind == GSCALE_OP_LOAD)
      load(r, &p[i]);
    else
      take_direct(r, &p[i]);
    r->gpu[p[i].tag.gpu].clock += p[i].tag.part;
  }
}

const gscale__machine gscale__machine_finepack = {
    prepare, release, take, drain, gscale__pages_fetch, false, false};

/* SPDX-License-Identifier: GPL-3.0-or-later */
