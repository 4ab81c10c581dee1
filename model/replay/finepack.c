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
  o->window = calloc((size_t)r->o.windows, sizeof *o->window);
  ok = o->window;
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
static gscale__outlet *part(gscale_replay *r, gscale__gpu *g,
                            gscale__outlet *from, uint64_t to)
{
  gscale__outlet *const o = &g->outlet[g->outlets];

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

static void pack_run(gscale_replay *r, int length, packing *k, uint64_t copies)
{
  const int size = r->o.subheader + length;

  if (k->filled + size > r->o.payload) send_packet(r, k, copies);
  k->filled += size;
  k->subpackets++;
  k->bytes += (uint64_t)length;
}

static void flush(gscale_replay *r, gscale__outlet *o, gscale__window *w,
                  gscale_flush why)
{
  const gscale__fifo *const q = &w->queue;
  const uint64_t copies = o->copies;
  gscale_replay_counts *const n = &r->now->n;
  packing k = {0};

  for (uint32_t i = q->oldest; i != q->next; i++) { /* no entry was removed */
    const gscale__entry *const e = gscale__fifo_at(q, i);

    for (gscale__mask rest = e->bytes; rest;)
      pack_run(r, gscale__take_run(&rest).length, &k, copies);
    gscale__deliver(r, &o->sent, e->key, e->bytes, copies);
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
static int cost_of(const gscale_replay *r, gscale__mask bytes)
{
  return r->o.subheader + gscale__count(bytes);
}

/* Adds an entry for a store, after a flush if the store does not fit. */
static void add_entry(gscale_replay *r, gscale__outlet *o, gscale__window *w,
                      uint64_t key, gscale__mask bytes)
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
                  gscale__entry *e, gscale__mask bytes)
{
  const int cost = gscale__count(bytes & ~e->bytes);

  if (cost > w->available) {
    flush(r, o, w, GSCALE_FLUSH_PAYLOAD);
    open_window(r, w, w->base);
    return false;
  }
  e->bytes |= bytes;
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
                     gscale__mask bytes, uint64_t base)
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
  for (unsigned i = 0; i < 2; i++) {
    const gscale__mask half = p->bytes & (gscale__mask)UINT64_MAX << 64 * i;

    if (half)
      store_to(r, gpu, o, key_in_outlet(p->key), half,
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
    store_to(r, gpu, o, key_in_outlet(p->key), p->bytes, base_of(r, p->key));
}

/* ---- direct packets ------------------------------------------------------ */

static bool overlaps(const gscale__window *w, const gscale__piece *p)
{
  const gscale__entry *const e =
      gscale__fifo_find(&w->queue, key_in_outlet(p->key));
  return e && e->bytes & p->bytes;
}

/* Flushes the windows that contain bytes of the piece. */
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

/* Empties all outlets, which are then joined again. */
static void drain(gscale_replay *r, int gpu, gscale_flush why)
{
  gscale__gpu *const g = &r->gpu[gpu];

  flush_all(r, gpu, why);
  for (int k = 0; k < g->outlets; k++) {
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
  const int gpu = p->gpu;

  if (!gscale__loads_remotely(r, gpu, p->key)) return;
  r->now->n.loads_remote++;
  flush_overlaps(r, gpu, p, gscale__receivers(r, gpu, p->key),
                 GSCALE_FLUSH_LOAD);
}

/* Adds a store to one outlet after the other. */
static void add_store(gscale_replay *r, const gscale__piece *p)
{
  uint64_t to = gscale__receivers(r, p->gpu, p->key);

  r->now->n.local += to == 0;
  while (to) {
    gscale__outlet *const o = outlet_to(r, p->gpu, to);
    store(r, p->gpu, o, p);
    to &= ~o->to;
  }
}

/* Sends an atomic or a system store as one packet to each receiver. */
static void take_direct(gscale_replay *r, const gscale__piece *p)
{
  const int gpu = p->gpu;
  const uint64_t to = gscale__receivers(r, gpu, p->key);
  const uint64_t copies = gscale__gpus_in(to);

  if (!to) {
    r->now->n.local++;
    return;
  }
  if (p->kind == GSCALE_OP_SYSTEM)
    flush_all(r, gpu, GSCALE_FLUSH_SYSTEM);
  else
    flush_overlaps(r, gpu, p, to, GSCALE_FLUSH_ATOMIC);
  r->now->n.direct += copies;
  gscale__send_piece(r, p, copies);
}

static void take(gscale_replay *r, const gscale__piece *p)
{
  if (p->kind == GSCALE_OP_STORE)
    add_store(r, p);
  else if (p->kind == GSCALE_OP_LOAD)
    load(r, p);
  else
    take_direct(r, p);
}

const gscale__machine gscale__machine_finepack = {prepare, release, take,
                                                  drain,   false,   false};

/* SPDX-License-Identifier: GPL-3.0-or-later */
