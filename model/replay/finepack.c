/* finepack.c - FinePack: windows of stores, each a packet when it is flushed.
 *
 * A store to many goes into a window for each; but while destinations get the
 * same stores, as they do from programs that write for all, their windows are
 * the same: an outlet holds them once, and is parted when something concerns
 * only some of its destinations. */

#include "replay/replay.h"

#include <stdlib.h>

/* ---- outlets ------------------------------------------------------------- */

static void set_destinations(gscale__outlet *o, uint64_t to)
{
  o->to = to;
  o->copies = gscale__gpus_in(to);
}

/* All others get the same. */
static void join_outlets(const gscale_replay *r, gscale__gpu *g)
{
  g->outlets = 1;
  set_destinations(&g->outlet[0],
                   r->everyone & ~gscale__bit((int)(g - r->gpu)));
  for (int i = 0; i < r->o.gpus; i++) g->outlet_of[i] = 0;
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
  g->outlet_of = malloc((size_t)r->o.gpus);
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

/* The destinations of an outlet that are in `to` get an outlet of their own. */
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
    g->outlet_of[__builtin_ctzll(left)] = (uint8_t)g->outlets;
  g->outlets++;
  return o;
}

/* An outlet to the first of those destinations, and to no others. */
static gscale__outlet *outlet_to(gscale_replay *r, int gpu, uint64_t to)
{
  gscale__gpu *const g = &r->gpu[gpu];
  gscale__outlet *const o = &g->outlet[g->outlet_of[__builtin_ctzll(to)]];

  return o->to & ~to ? part(r, g, o, to) : o;
}

/* ---- the packetizer ------------------------------------------------------ */

/* What is counted of a flush, before it is counted for each destination. */
typedef struct packing {
  int filled; /* B of the packet */
  uint64_t packets, subpackets;
} packing;

static void send_packet(gscale_replay *r, packing *k, uint64_t copies)
{
  r->now->packed[k->filled] += copies;
  k->packets++;
  k->filled = 0;
}

static inline void pack_run(gscale_replay *r, int length, packing *k,
                            uint64_t copies)
{
  const int size = r->o.subheader + length;

  if (k->filled + size > r->o.payload) send_packet(r, k, copies);
  k->filled += size;
  k->subpackets++;
}

/* Returns the bytes of an entry that is more than words side by side. */
static __attribute__((noinline)) int
pack_any(gscale_replay *r, gscale__bytes rest, packing *k, uint64_t copies)
{
  int all = 0;

  while (rest.bits) {
    const int length = gscale__bytes_take_run(&rest).length;
    pack_run(r, length, k, copies);
    all += length;
  }
  return all;
}

/* Appends an entry, run by run; returns its bytes. */
GSCALE__INLINE int pack(gscale_replay *r, gscale__bytes bytes, packing *k,
                        uint64_t copies)
{
  const uint32_t words = gscale__words_of(bytes);

  if (!bytes.whole || !gscale__words_side_by_side(words))
    return pack_any(r, bytes, k, copies);
  const int all = gscale__words_count(words);
  pack_run(r, all, k, copies);
  return all;
}

static __attribute__((noinline)) void flush(gscale_replay *r, gscale__outlet *o,
                                            gscale__window *w, gscale_flush why)
{
  const gscale__fifo *const q = &w->queue;
  gscale_replay_counts *const n = &r->now->n;
  packing k = {0};

  for (uint32_t i = q->oldest; i != q->next; i++) { /* none was removed */
    const gscale__entry *const e = gscale__fifo_at(q, i);
    const int all = pack(r, gscale__bytes_in(e), &k, o->copies);
    gscale__deliver(r, &o->sent, e->key, gscale__bytes_in(e), all, o->copies);
  }
  send_packet(r, &k, o->copies);
  n->sends += o->copies * k.packets;
  n->splits += o->copies * (k.packets - 1);
  n->subpackets += o->copies * k.subpackets;
  n->flushes[why] += o->copies;
  n->entries += o->copies * q->count;
  gscale__fifo_clear(&w->queue);
}

/* ---- windows ------------------------------------------------------------- */

static bool open(const gscale__window *w)
{
  return w->queue.count > 0;
}

/* Flushes what timed out.  Whenever that was since, nothing came between. */
static void expire(gscale_replay *r, int gpu, gscale__outlet *o)
{
  if (r->o.timeout == 0) return;
  for (int i = 0; i < r->o.windows; i++)
    if (open(&o->window[i]) &&
        r->gpu[gpu].clock - o->window[i].last > r->o.timeout)
      flush(r, o, &o->window[i], GSCALE_FLUSH_TIMEOUT);
}

/* The open window with that base; NULL if there is none. */
static gscale__window *find_window(const gscale_replay *r,
                                   const gscale__outlet *o, uint64_t base)
{
  for (int i = 0; i < r->o.windows; i++)
    if (open(&o->window[i]) && o->window[i].base == base) return &o->window[i];
  return NULL;
}

/* A closed window; if there is none the one opened first, after a flush. */
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

/* B of the payload that a store to no entry takes. */
GSCALE__INLINE int cost_of(const gscale_replay *r, gscale__bytes bytes)
{
  return r->o.subheader + gscale__bytes_count(bytes);
}

/* A store that needs a new entry, after a flush if it does not fit. */
GSCALE__INLINE void add_entry(gscale_replay *r, gscale__outlet *o,
                              gscale__window *w, uint64_t key,
                              gscale__bytes bytes)
{
  const int cost = cost_of(r, bytes);

  if ((int)w->queue.count == r->entries || cost > w->available) {
    flush(r, o, w,
          (int)w->queue.count == r->entries ? GSCALE_FLUSH_ENTRIES
                                            : GSCALE_FLUSH_PAYLOAD);
    open_window(r, w, w->base);
  }
  gscale__fifo_add(&w->queue, key, bytes, o->copies);
  w->available -= cost;
}

/* A store to the line of an entry; false if it does not fit. */
GSCALE__INLINE bool merge(gscale_replay *r, gscale__outlet *o,
                          gscale__window *w, gscale__entry *e,
                          gscale__bytes bytes)
{
  const int cost =
      gscale__bytes_count(gscale__bytes_without(bytes, gscale__bytes_in(e)));

  if (cost > w->available) {
    flush(r, o, w, GSCALE_FLUSH_PAYLOAD);
    open_window(r, w, w->base);
    return false;
  }
  gscale__merge(e, bytes);
  w->available -= cost;
  r->now->n.hits += o->copies;
  return true;
}

GSCALE__INLINE void add(gscale_replay *r, int gpu, gscale__outlet *o,
                        gscale__window *w, uint64_t key, gscale__bytes bytes)
{
  gscale__entry *const e = gscale__fifo_find(&w->queue, key);

  r->now->n.queued += o->copies;
  if (!e || !merge(r, o, w, e, bytes)) add_entry(r, o, w, key, bytes);
  w->last = r->gpu[gpu].clock;
}

GSCALE__INLINE void store_to(gscale_replay *r, int gpu, gscale__outlet *o,
                             uint64_t key, gscale__bytes bytes, uint64_t base)
{
  gscale__window *w = o->window;

  expire(r, gpu, o);
  if (!open(w) || w->base != base) {
    w = find_window(r, o, base);
    if (!w) {
      w = free_window(r, o);
      open_window(r, w, base);
    }
  }
  add(r, gpu, o, w, key, bytes);
}

/* Entries of an outlet, whose destinations are known, are found by line. */
static uint64_t key_in_outlet(uint64_t key)
{
  return key | GSCALE__ALL;
}

/* With sub-headers of 2 B a window is half a line; a store to both is two. */
static __attribute__((noinline)) void store_halves(gscale_replay *r, int gpu,
                                                   gscale__outlet *o,
                                                   const gscale__piece *p)
{
  const uint64_t key = key_in_outlet(p->key);
  const gscale__mask bits = gscale__mask_of(gscale__bytes_of(p));

  for (unsigned i = 0; i < 2; i++) {
    const gscale__mask half = (gscale__mask)UINT64_MAX << 64 * i;
    const gscale__bytes part = {bits & half, false};
    if (part.bits)
      store_to(r, gpu, o, key, part, 2 * gscale__line_of(p->key) + i);
  }
}

GSCALE__INLINE void store(gscale_replay *r, int gpu, gscale__outlet *o,
                          const gscale__piece *p)
{
  const int bits = r->offset_bits - GSCALE__LINE_BITS;

  if (bits < 0)
    store_halves(r, gpu, o, p);
  else
    store_to(r, gpu, o, key_in_outlet(p->key), gscale__bytes_of(p),
             gscale__line_of(p->key) >> bits);
}

/* ---- what is not packed -------------------------------------------------- */

static bool overlaps(const gscale__window *w, const gscale__piece *p)
{
  const gscale__entry *const e =
      gscale__fifo_find(&w->queue, key_in_outlet(p->key));
  return e && gscale__bytes_meet(gscale__bytes_in(e), gscale__bytes_of(p));
}

/* Flushes the windows that hold bytes of the piece. */
static void flush_overlap(gscale_replay *r, int gpu, gscale__outlet *o,
                          const gscale__piece *p, gscale_flush why)
{
  expire(r, gpu, o);
  for (int i = 0; i < r->o.windows; i++)
    if (open(&o->window[i]) && overlaps(&o->window[i], p))
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

/* All destinations are alike again. */
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

/* To each of some destinations the same. */
static void flush_overlaps(gscale_replay *r, int gpu, const gscale__piece *p,
                           uint64_t to, gscale_flush why)
{
  while (to) {
    gscale__outlet *const o = outlet_to(r, gpu, to);
    flush_overlap(r, gpu, o, p, why);
    to &= ~o->to;
  }
}

static void load(gscale_replay *r, int gpu, const gscale__piece *p)
{
  if (!gscale__loads_remotely(r, gpu, p->key)) return;
  r->now->n.loads_remote++;
  flush_overlaps(r, gpu, p, gscale__receivers(r, gpu, p->key),
                 GSCALE_FLUSH_LOAD);
}

/* The outlet through which the store went, if that was one. */
static gscale__outlet *take_store(gscale_replay *r, int gpu,
                                  const gscale__piece *p, uint64_t to)
{
  const uint64_t all = to;
  gscale__outlet *o = NULL;

  while (to) {
    o = outlet_to(r, gpu, to);
    store(r, gpu, o, p);
    to &= ~o->to;
  }
  return o && o->to == all ? o : NULL;
}

/* Mostly one instruction's transactions go to the same GPUs. */
static void take_stores(gscale_replay *r, int gpu, const gscale__piece *p,
                        int n)
{
  gscale__outlet *o = NULL;

  for (int i = 0; i < n; i++) {
    const uint64_t to = gscale__receivers(r, gpu, p[i].key);
    if (!to)
      r->now->n.local++;
    else if (o && o->to == to)
      store(r, gpu, o, &p[i]);
    else
      o = take_store(r, gpu, &p[i], to);
  }
}

/* An atomic or a system store is a packet for each receiver. */
static void take_direct(gscale_replay *r, int gpu, gscale_operation kind,
                        const gscale__piece *p, uint64_t to)
{
  const uint64_t copies = gscale__gpus_in(to);

  if (kind == GSCALE_OP_SYSTEM)
    flush_all(r, gpu, GSCALE_FLUSH_SYSTEM);
  else
    flush_overlaps(r, gpu, p, to, GSCALE_FLUSH_ATOMIC);
  r->now->n.direct += copies;
  gscale__send_piece(r, gpu, kind, p, copies);
}

static void take(gscale_replay *r, int gpu, gscale_operation kind,
                 const gscale__piece *p, int n)
{
  if (kind == GSCALE_OP_STORE) {
    take_stores(r, gpu, p, n);
    return;
  }
  for (int i = 0; i < n; i++) {
    if (kind == GSCALE_OP_LOAD) {
      load(r, gpu, &p[i]);
      continue;
    }
    const uint64_t to = gscale__receivers(r, gpu, p[i].key);
    if (to)
      take_direct(r, gpu, kind, &p[i], to);
    else
      r->now->n.local++;
  }
}

const gscale__machine gscale__machine_finepack = {
    prepare, release, take, drain, gscale__pages_fetch, false};

/* SPDX-License-Identifier: GPL-3.0-or-later */
