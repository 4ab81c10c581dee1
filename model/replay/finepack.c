/* finepack.c - FinePack: windows of stores, each a packet when it is flushed.
 */

#include "replay/replay.h"

#include <stdlib.h>

static int window_count(const gscale_replay *r)
{
  return r->o.gpus * r->o.windows;
}

static bool prepare(gscale_replay *r, gscale__gpu *g)
{
  bool ok;

  g->window = calloc((size_t)window_count(r), sizeof *g->window);
  ok = g->window != NULL;
  for (int i = 0; ok && i < window_count(r); i++)
    ok = gscale__fifo_init(&g->window[i].queue, r->o.capacity / r->o.windows);
  return ok;
}

static void release(gscale_replay *r, gscale__gpu *g)
{
  for (int i = 0; g->window && i < window_count(r); i++)
    gscale__fifo_free(&g->window[i].queue);
  free(g->window);
}

/* ---- the packetizer ------------------------------------------------------ */

static void send_packet(gscale_replay *r, int payload)
{
  r->now->packed[payload]++;
  r->now->n.sends++;
}

/* Appends the runs of an entry to a packet that holds `filled` bytes. */
static int pack_entry(gscale_replay *r, gscale__mask bytes, int filled)
{
  while (bytes) {
    const int size = r->o.subheader + gscale__take_run(&bytes).length;

    if (filled + size > r->o.payload) {
      send_packet(r, filled);
      r->now->n.splits++;
      filled = 0;
    }
    filled += size;
    r->now->n.subpackets++;
  }
  return filled;
}

static void flush(gscale_replay *r, int gpu, gscale__window *w,
                  gscale_flush why)
{
  const gscale__fifo *const q = &w->queue;
  int filled = 0;

  for (uint16_t i = q->oldest; i != GSCALE__NONE; i = q->entry[i].newer) {
    filled = pack_entry(r, q->entry[i].bytes, filled);
    gscale__deliver(r, gpu, q->entry[i].key, q->entry[i].bytes, 1);
  }
  send_packet(r, filled);
  r->now->n.flushes[why]++;
  r->now->n.entries += q->count;
  gscale__fifo_clear(&w->queue);
}

/* ---- windows ------------------------------------------------------------- */

static bool open(const gscale__window *w)
{
  return w->queue.count > 0;
}

static gscale__window *windows_to(const gscale_replay *r, int gpu, int dst)
{
  return r->gpu[gpu].window + dst * r->o.windows;
}

/* Flushes what timed out.  Whenever that was since, nothing came between. */
static void expire(gscale_replay *r, int gpu, int dst)
{
  gscale__window *const w = windows_to(r, gpu, dst);

  if (r->o.timeout == 0) return;
  for (int i = 0; i < r->o.windows; i++)
    if (open(&w[i]) && r->gpu[gpu].clock - w[i].last > r->o.timeout)
      flush(r, gpu, &w[i], GSCALE_FLUSH_TIMEOUT);
}

/* The open window with that base; NULL if there is none. */
static gscale__window *find_window(const gscale_replay *r, int gpu, int dst,
                                   uint64_t base)
{
  gscale__window *const w = windows_to(r, gpu, dst);

  for (int i = 0; i < r->o.windows; i++)
    if (open(&w[i]) && w[i].base == base) return &w[i];
  return NULL;
}

/* A closed window; if there is none the one opened first, after a flush. */
static gscale__window *free_window(gscale_replay *r, int gpu, int dst)
{
  gscale__window *const w = windows_to(r, gpu, dst);
  gscale__window *first = w;

  for (int i = 0; i < r->o.windows; i++) {
    if (!open(&w[i])) return &w[i];
    if (w[i].opened < first->opened) first = &w[i];
  }
  flush(r, gpu, first, GSCALE_FLUSH_WINDOW);
  return first;
}

static void open_window(gscale_replay *r, gscale__window *w, uint64_t base)
{
  w->base = base;
  w->available = r->o.payload;
  w->opened = r->opened++;
}

/* ---- stores -------------------------------------------------------------- */

/* What has to go before the store fits; GSCALE_FLUSH_END if it does. */
static gscale_flush obstacle(const gscale_replay *r, const gscale__window *w,
                             uint16_t entry, int cost)
{
  const bool full = w->queue.count == r->o.capacity / r->o.windows;
  if (entry == GSCALE__NONE && full) return GSCALE_FLUSH_ENTRIES;
  return cost > w->available ? GSCALE_FLUSH_PAYLOAD : GSCALE_FLUSH_END;
}

static int cost_of(const gscale_replay *r, const gscale__window *w,
                   uint16_t entry, gscale__mask bytes)
{
  if (entry == GSCALE__NONE) return r->o.subheader + gscale__count(bytes);
  return gscale__count(bytes & ~w->queue.entry[entry].bytes);
}

static void add(gscale_replay *r, int gpu, gscale__window *w, uint64_t key,
                gscale__mask bytes)
{
  uint16_t entry = gscale__fifo_find(&w->queue, key);
  int cost = cost_of(r, w, entry, bytes);
  const gscale_flush why = obstacle(r, w, entry, cost);

  if (why != GSCALE_FLUSH_END) {
    flush(r, gpu, w, why);
    open_window(r, w, w->base);
    entry = GSCALE__NONE;
    cost = cost_of(r, w, entry, bytes);
  }
  r->now->n.queued++;
  if (entry == GSCALE__NONE) {
    gscale__lines_prefetch(&r->gpu[gpu].sent, key); /* for when it leaves */
    gscale__fifo_add(&w->queue, key, bytes);
  } else {
    w->queue.entry[entry].bytes |= bytes;
    r->now->n.hits++;
  }
  w->available -= cost;
  w->last = r->gpu[gpu].clock;
}

static void store_to(gscale_replay *r, int gpu, int dst, uint64_t line,
                     gscale__mask bytes, uint64_t base)
{
  gscale__window *w;

  expire(r, gpu, dst);
  w = find_window(r, gpu, dst, base);
  if (!w) {
    w = free_window(r, gpu, dst);
    open_window(r, w, base);
  }
  add(r, gpu, w, gscale__key(line, (unsigned)dst), bytes);
}

/* With sub-headers of 2 B a window is half a line; a store to both is two. */
static void store(gscale_replay *r, int gpu, int dst, const gscale__piece *p)
{
  const int bits = r->offset_bits;
  const uint64_t line = gscale__line_of(p->key);
  const gscale__mask half = ((gscale__mask)1 << GSCALE__LINE / 2) - 1;

  if (bits >= GSCALE__LINE_BITS) {
    store_to(r, gpu, dst, line, p->bytes, line >> (bits - GSCALE__LINE_BITS));
    return;
  }
  if (p->bytes & half) store_to(r, gpu, dst, line, p->bytes & half, 2 * line);
  if (p->bytes & ~half)
    store_to(r, gpu, dst, line, p->bytes & ~half, 2 * line + 1);
}

/* ---- what is not packed -------------------------------------------------- */

/* Flushes the windows that hold bytes of the piece. */
static void flush_overlap(gscale_replay *r, int gpu, int dst,
                          const gscale__piece *p, gscale_flush why)
{
  const uint64_t key = gscale__key(gscale__line_of(p->key), (unsigned)dst);
  gscale__window *const w = windows_to(r, gpu, dst);

  expire(r, gpu, dst);
  for (int i = 0; i < r->o.windows; i++) {
    const uint16_t e = gscale__fifo_find(&w[i].queue, key);
    if (e != GSCALE__NONE && (w[i].queue.entry[e].bytes & p->bytes))
      flush(r, gpu, &w[i], why);
  }
}

static void drain(gscale_replay *r, int gpu, gscale_flush why)
{
  gscale__window *const w = r->gpu[gpu].window;

  for (int dst = 0; dst < r->o.gpus; dst++) expire(r, gpu, dst);
  for (int i = 0; i < window_count(r); i++)
    if (open(&w[i])) flush(r, gpu, &w[i], why);
}

static void load(gscale_replay *r, int gpu, const gscale__piece *p)
{
  if (!gscale__loads_remotely(r, gpu, p->key)) return;
  r->now->n.loads_remote++;
  for (int dst = 0; dst < r->o.gpus; dst++)
    if (gscale__receivers(r, gpu, p->key) & gscale__bit(dst))
      flush_overlap(r, gpu, dst, p, GSCALE_FLUSH_LOAD);
}

static void take_store(gscale_replay *r, int gpu, const gscale__piece *p,
                       uint64_t to)
{
  for (; to; to &= to - 1) store(r, gpu, __builtin_ctzll(to), p);
}

/* An atomic or a system store is a packet for each receiver. */
static void take_direct(gscale_replay *r, int gpu, gscale_operation kind,
                        const gscale__piece *p, uint64_t to)
{
  const uint64_t copies = gscale__gpus_in(to);

  if (kind == GSCALE_OP_SYSTEM) drain(r, gpu, GSCALE_FLUSH_SYSTEM);
  for (; kind == GSCALE_OP_ATOMIC && to; to &= to - 1)
    flush_overlap(r, gpu, __builtin_ctzll(to), p, GSCALE_FLUSH_ATOMIC);
  r->now->n.direct += copies;
  gscale__send_piece(r, gpu, kind, p, copies);
}

static void take(gscale_replay *r, int gpu, gscale_operation kind,
                 const gscale__piece *p)
{
  uint64_t to;

  if (kind == GSCALE_OP_LOAD) {
    load(r, gpu, p);
    return;
  }
  to = gscale__receivers(r, gpu, p->key);
  if (!to)
    r->now->n.local++;
  else if (kind == GSCALE_OP_STORE)
    take_store(r, gpu, p, to);
  else
    take_direct(r, gpu, kind, p, to);
}

const gscale__machine gscale__machine_finepack = {prepare, release, take, drain,
                                                  false};
