/* slow_replay.h - replay once more, from its description alone: byte by byte,
 * with lists that are searched from the front.  Shares no code with model/. */
#ifndef GPUSCALE_TEST_SLOW_REPLAY_H
#define GPUSCALE_TEST_SLOW_REPLAY_H

#include "gpuscale/all.h"

#include <stdlib.h>
#include <string.h>

enum {
  SLOW_LISTS = 4096, /* elements of every list */
  SLOW_LINE = 128
};

/* Bytes of one line, stored by one GPU under one dst. */
typedef struct slow_bytes {
  uint64_t line;
  int gpu, dst;
  bool on[SLOW_LINE];
} slow_bytes;

typedef struct slow_list {
  int n;
  slow_bytes v[SLOW_LISTS];
} slow_list;

typedef struct slow_page {
  uint64_t number;
  bool subscribed[GSCALE_REPLAY_GPUS_MAX], touched[GSCALE_REPLAY_GPUS_MAX];
  bool collapsed;
} slow_page;

typedef struct slow_window {
  int n, available;
  uint64_t base, opened, last;
  slow_bytes v[SLOW_LINE];
} slow_window;

/* One packet: bytes of a line, or so much payload, or a granule. */
typedef struct slow_packet {
  enum {
    SLOW_BYTES,
    SLOW_PAYLOAD,
    SLOW_GRANULE
  } kind;
  int payload;
  bool on[SLOW_LINE];
} slow_packet;

typedef struct slow {
  gscale_replay_options o;
  int stage;
  gscale_replay_counts n[GSCALE_STAGE_END];
  uint64_t collapsed, opened, time;
  int pages;
  slow_page page[SLOW_LISTS];
  slow_list sent;    /* since the last synchronisation */
  slow_list regions; /* granules written in this phase, as lines */
  slow_list queue[8];
  struct {
    uint64_t page, used;
    bool valid;
  } tlb[8][64];
  slow_window window[8][8][4];
  uint64_t clock[8];
  int packets[GSCALE_STAGE_END];
  slow_packet packet[GSCALE_STAGE_END][16 * SLOW_LISTS];
} slow;

static inline gscale_replay_counts *slow_now(slow *s)
{
  return &s->n[s->stage];
}

static inline int slow_count(const bool *on)
{
  int n = 0;
  for (int i = 0; i < SLOW_LINE; i++) n += on[i];
  return n;
}

static inline bool slow_overlap(const bool *a, const bool *b)
{
  for (int i = 0; i < SLOW_LINE; i++)
    if (a[i] && b[i]) return true;
  return false;
}

static inline void slow_merge(bool *to, const bool *from)
{
  for (int i = 0; i < SLOW_LINE; i++) to[i] = to[i] || from[i];
}

static inline int slow_find(const slow_bytes *v, int n, const slow_bytes *b)
{
  for (int i = 0; i < n; i++)
    if (v[i].line == b->line && v[i].gpu == b->gpu && v[i].dst == b->dst)
      return i;
  return -1;
}

static inline void slow_remove(slow_bytes *v, int *n, int i)
{
  memmove(v + i, v + i + 1, (size_t)(*n - i - 1) * sizeof *v);
  --*n;
}

/* ---- pages --------------------------------------------------------------- */

static inline uint64_t slow_page_of(const slow *s, uint64_t line)
{
  return line * SLOW_LINE / s->o.page;
}

static inline slow_page *slow_touch(slow *s, int gpu, uint64_t line)
{
  const uint64_t number = slow_page_of(s, line);
  const bool profiled = s->o.profile > 0 && s->stage == GSCALE_STAGE_STEADY;
  int i = 0;

  while (i < s->pages && s->page[i].number != number) i++;
  slow_page *p = &s->page[i];
  if (i == s->pages) {
    s->pages++;
    p->number = number;
    for (int g = 0; g < s->o.gpus; g++)
      p->subscribed[g] = !profiled || g == gpu;
  }
  p->touched[gpu] = true;
  return p;
}

static inline int slow_subscribers(const slow *s, const slow_page *p)
{
  int n = 0;
  for (int g = 0; g < s->o.gpus; g++) n += p->subscribed[g];
  return n;
}

/* True if GPU `g` gets what b says. */
static inline bool slow_gets(slow *s, const slow_bytes *b, int g)
{
  if (b->dst != GSCALE_DST_ALL) return g == b->dst && g != b->gpu;
  return slow_touch(s, b->gpu, b->line)->subscribed[g] && g != b->gpu;
}

static inline int slow_copies(slow *s, const slow_bytes *b)
{
  int n = 0;
  for (int g = 0; g < s->o.gpus; g++) n += slow_gets(s, b, g);
  return n;
}

static inline bool slow_remote_load(slow *s, const slow_bytes *b)
{
  if (b->dst != GSCALE_DST_ALL) return b->dst != b->gpu;
  return !slow_touch(s, b->gpu, b->line)->subscribed[b->gpu];
}

/* ---- sending ------------------------------------------------------------- */

static inline void slow_send(slow *s, slow_packet p)
{
  s->packet[s->stage][s->packets[s->stage]++] = p;
  slow_now(s)->sends++;
}

static inline void slow_send_bytes(slow *s, const bool *on, int copies)
{
  slow_packet p = {.kind = SLOW_BYTES};
  memcpy(p.on, on, sizeof p.on);
  for (int i = 0; i < copies; i++) slow_send(s, p);
}

/* Adds b to a list; *before, if not NULL, is what was there. */
static inline void slow_note(slow_list *l, const slow_bytes *b, bool *before)
{
  const int i = slow_find(l->v, l->n, b);

  if (before) memset(before, 0, SLOW_LINE);
  if (i < 0) {
    l->v[l->n++] = *b;
    return;
  }
  if (before) memcpy(before, l->v[i].on, SLOW_LINE);
  slow_merge(l->v[i].on, b->on);
}

static inline void slow_deliver(slow *s, const slow_bytes *b, int copies)
{
  bool before[SLOW_LINE];

  slow_note(&s->sent, b, before);
  for (int i = 0; i < SLOW_LINE; i++) {
    if (!b->on[i]) continue;
    if (before[i])
      slow_now(s)->redundant_bytes += (uint64_t)copies;
    else
      slow_now(s)->useful_bytes += (uint64_t)copies;
  }
}

static inline void slow_send_alone(slow *s, int kind, const slow_bytes *b,
                                   int copies)
{
  slow_send_bytes(s, b->on, copies);
  if (kind == GSCALE_OP_STORE)
    slow_deliver(s, b, copies);
  else
    slow_now(s)->useful_bytes += (uint64_t)(copies * slow_count(b->on));
}

static inline void slow_forget(slow_list *l, int gpu)
{
  for (int i = l->n - 1; i >= 0; i--)
    if (l->v[i].gpu == gpu) slow_remove(l->v, &l->n, i);
}

/* ---- gps ----------------------------------------------------------------- */

static inline void slow_translate(slow *s, int gpu, uint64_t line)
{
  const uint64_t page = slow_page_of(s, line);
  const int sets = s->o.tlb / s->o.ways;
  const int set = (int)(page % (uint64_t)sets);
  int victim = -1;

  slow_now(s)->tlb_lookups++;
  s->time++;
  for (int i = set; i < s->o.tlb; i += sets) {
    if (s->tlb[gpu][i].valid && s->tlb[gpu][i].page == page) {
      slow_now(s)->tlb_hits++;
      s->tlb[gpu][i].used = s->time;
      return;
    }
    if (victim < 0 || s->tlb[gpu][i].used < s->tlb[gpu][victim].used)
      victim = i;
  }
  s->tlb[gpu][victim].valid = true;
  s->tlb[gpu][victim].page = page;
  s->tlb[gpu][victim].used = s->time;
}

static inline void slow_gps_leave(slow *s, int gpu, int i, gscale_flush why)
{
  const slow_bytes b = s->queue[gpu].v[i];
  const int copies = slow_copies(s, &b);
  bool all[SLOW_LINE];

  slow_remove(s->queue[gpu].v, &s->queue[gpu].n, i);
  slow_translate(s, gpu, b.line);
  slow_now(s)->flushes[why]++;
  slow_now(s)->entries++;
  memset(all, 1, sizeof all);
  slow_send_bytes(s, all, copies);
  slow_now(s)->unused_bytes +=
      (uint64_t)(copies * (SLOW_LINE - slow_count(b.on)));
  slow_deliver(s, &b, copies);
}

static inline void slow_gps_overlap(slow *s, const slow_bytes *b,
                                    gscale_flush why)
{
  slow_list *q = &s->queue[b->gpu];
  const int i = slow_find(q->v, q->n, b);
  if (i >= 0 && slow_overlap(q->v[i].on, b->on))
    slow_gps_leave(s, b->gpu, i, why);
}

static inline void slow_gps_store(slow *s, const slow_bytes *b)
{
  slow_list *q = &s->queue[b->gpu];
  const int i = slow_find(q->v, q->n, b);
  const int mark = s->o.watermark ? s->o.watermark : s->o.capacity - 1;

  slow_now(s)->queued++;
  if (i >= 0) {
    slow_merge(q->v[i].on, b->on);
    slow_now(s)->hits++;
    return;
  }
  q->v[q->n++] = *b;
  if (q->n >= mark) slow_gps_leave(s, b->gpu, 0, GSCALE_FLUSH_WATERMARK);
}

static inline void slow_gps_load(slow *s, const slow_bytes *b)
{
  slow_list *q = &s->queue[b->gpu];
  bool all = true;

  if (!slow_remote_load(s, b)) return;
  const int i = slow_find(q->v, q->n, b);
  for (int k = 0; i >= 0 && k < SLOW_LINE; k++)
    if (b->on[k] && !q->v[i].on[k]) all = false;
  if (i >= 0 && all) {
    slow_now(s)->loads_queued++;
  } else {
    slow_gps_overlap(s, b, GSCALE_FLUSH_LOAD);
    slow_now(s)->loads_remote++;
  }
}

static inline void slow_gps_collapse(slow *s, const slow_bytes *b)
{
  slow_page *p = slow_touch(s, b->gpu, b->line);

  for (int g = 0; g < s->o.gpus; g++)
    for (int i = 0; i < s->queue[g].n;)
      if (s->queue[g].v[i].dst == GSCALE_DST_ALL &&
          slow_page_of(s, s->queue[g].v[i].line) == p->number)
        slow_gps_leave(s, g, i, GSCALE_FLUSH_SYSTEM);
      else
        i++;
  for (int g = 0; g < s->o.gpus; g++) p->subscribed[g] = g == b->gpu;
  p->collapsed = true;
  s->collapsed++;
}

static inline void slow_gps_direct(slow *s, int kind, const slow_bytes *b,
                                   int copies)
{
  slow_now(s)->direct += (uint64_t)copies;
  slow_send_alone(s, kind, b, copies);
}

static inline void slow_gps(slow *s, int kind, const slow_bytes *b)
{
  const bool all = b->dst == GSCALE_DST_ALL;

  if (kind == GSCALE_OP_LOAD) {
    slow_gps_load(s, b);
    return;
  }
  const bool one =
      all && slow_subscribers(s, slow_touch(s, b->gpu, b->line)) == 1;
  if (kind == GSCALE_OP_SYSTEM) {
    if (all && !one) slow_gps_collapse(s, b);
    if (!all) slow_gps_overlap(s, b, GSCALE_FLUSH_SYSTEM);
  }
  const int copies = slow_copies(s, b);
  if (copies == 0) {
    slow_now(s)->local++;
  } else if (kind == GSCALE_OP_STORE && !one) {
    slow_gps_store(s, b);
  } else if (kind == GSCALE_OP_ATOMIC && !one) {
    slow_gps_overlap(s, b, GSCALE_FLUSH_ATOMIC);
    slow_translate(s, b->gpu, b->line);
    slow_gps_direct(s, kind, b, copies);
  } else {
    slow_gps_direct(s, kind, b, copies);
  }
}

/* ---- finepack ------------------------------------------------------------ */

static inline void slow_fine_flush(slow *s, slow_window *w, gscale_flush why)
{
  slow_packet p = {.kind = SLOW_PAYLOAD};

  slow_now(s)->flushes[why]++;
  for (int e = 0; e < w->n; e++) {
    slow_now(s)->entries++;
    slow_deliver(s, &w->v[e], 1);
    for (int i = 0; i < SLOW_LINE; i++) {
      int end = i;
      while (end < SLOW_LINE && w->v[e].on[end]) end++;
      if (end == i) continue;
      const int size = end - i + s->o.subheader;
      if (p.payload + size > s->o.payload) {
        slow_send(s, p);
        slow_now(s)->splits++;
        p.payload = 0;
      }
      p.payload += size;
      slow_now(s)->subpackets++;
      i = end;
    }
  }
  slow_send(s, p);
  w->n = 0;
}

static inline void slow_fine_expire(slow *s, int gpu, int dst)
{
  for (int i = 0; s->o.timeout && i < s->o.windows; i++) {
    slow_window *w = &s->window[gpu][dst][i];
    if (w->n > 0 && s->clock[gpu] > w->last + s->o.timeout)
      slow_fine_flush(s, w, GSCALE_FLUSH_TIMEOUT);
  }
}

static inline slow_window *slow_fine_window(slow *s, int gpu, int dst,
                                            uint64_t base)
{
  slow_window *v = s->window[gpu][dst], *w = NULL;

  for (int i = 0; i < s->o.windows; i++)
    if (v[i].n > 0 && v[i].base == base) return &v[i];
  for (int i = 0; i < s->o.windows && !w; i++)
    if (v[i].n == 0) w = &v[i];
  if (!w) {
    w = v;
    for (int i = 1; i < s->o.windows; i++)
      if (v[i].opened < w->opened) w = &v[i];
    slow_fine_flush(s, w, GSCALE_FLUSH_WINDOW);
  }
  w->base = base;
  w->available = s->o.payload;
  w->opened = s->opened++;
  return w;
}

static inline void slow_fine_reopen(slow *s, slow_window *w, gscale_flush why)
{
  slow_fine_flush(s, w, why);
  w->available = s->o.payload;
  w->opened = s->opened++;
}

/* Bytes of one window. */
static inline void slow_fine_add(slow *s, const slow_bytes *b, uint64_t base)
{
  slow_fine_expire(s, b->gpu, b->dst);
  slow_window *w = slow_fine_window(s, b->gpu, b->dst, base);
  int i = slow_find(w->v, w->n, b);
  const int fresh = s->o.subheader + slow_count(b->on);
  int cost = fresh;

  if (i >= 0) {
    cost = 0;
    for (int k = 0; k < SLOW_LINE; k++) cost += b->on[k] && !w->v[i].on[k];
  }
  if (i < 0 && w->n == s->o.capacity / s->o.windows) {
    slow_fine_reopen(s, w, GSCALE_FLUSH_ENTRIES);
  } else if (cost > w->available) {
    slow_fine_reopen(s, w, GSCALE_FLUSH_PAYLOAD);
    i = -1;
    cost = fresh;
  }
  slow_now(s)->queued++;
  slow_now(s)->hits += i >= 0;
  if (i >= 0)
    slow_merge(w->v[i].on, b->on);
  else
    w->v[w->n++] = *b;
  w->available -= cost;
  w->last = s->clock[b->gpu];
}

static inline void slow_fine_store(slow *s, const slow_bytes *b)
{
  const uint64_t range = (uint64_t)1 << (8 * s->o.subheader - 10);
  slow_bytes part;

  for (int i = 0; i < SLOW_LINE;) {
    const uint64_t base = (b->line * SLOW_LINE + (uint64_t)i) / range;
    part = *b;
    memset(part.on, 0, sizeof part.on);
    for (; i < SLOW_LINE && (b->line * SLOW_LINE + (uint64_t)i) / range == base;
         i++)
      part.on[i] = b->on[i];
    if (slow_count(part.on)) slow_fine_add(s, &part, base);
  }
}

static inline void slow_fine_overlap(slow *s, const slow_bytes *b,
                                     gscale_flush why)
{
  slow_fine_expire(s, b->gpu, b->dst);
  for (int i = 0; i < s->o.windows; i++) {
    slow_window *w = &s->window[b->gpu][b->dst][i];
    const int e = slow_find(w->v, w->n, b);
    if (e >= 0 && slow_overlap(w->v[e].on, b->on)) slow_fine_flush(s, w, why);
  }
}

static inline void slow_fine_drain(slow *s, int gpu, gscale_flush why)
{
  for (int dst = 0; dst < s->o.gpus; dst++) {
    slow_fine_expire(s, gpu, dst);
    for (int i = 0; i < s->o.windows; i++)
      if (s->window[gpu][dst][i].n > 0)
        slow_fine_flush(s, &s->window[gpu][dst][i], why);
  }
}

static inline void slow_fine(slow *s, int kind, const slow_bytes *b)
{
  const bool remote = kind == GSCALE_OP_LOAD && slow_remote_load(s, b);

  if (remote) slow_now(s)->loads_remote++;
  if (kind == GSCALE_OP_LOAD && !remote) return;
  if (kind != GSCALE_OP_LOAD && slow_copies(s, b) == 0) {
    slow_now(s)->local++;
    return;
  }
  if (kind == GSCALE_OP_SYSTEM) slow_fine_drain(s, b->gpu, GSCALE_FLUSH_SYSTEM);
  for (int g = 0; g < s->o.gpus; g++) {
    slow_bytes one = *b;
    if (!slow_gets(s, b, g)) continue;
    one.dst = g;
    if (kind == GSCALE_OP_LOAD) slow_fine_overlap(s, &one, GSCALE_FLUSH_LOAD);
    if (kind == GSCALE_OP_STORE) slow_fine_store(s, &one);
    if (kind == GSCALE_OP_ATOMIC)
      slow_fine_overlap(s, &one, GSCALE_FLUSH_ATOMIC);
    if (kind == GSCALE_OP_ATOMIC || kind == GSCALE_OP_SYSTEM) {
      slow_now(s)->direct++;
      slow_send_alone(s, kind, &one, 1);
    }
  }
}

/* ---- without queue ------------------------------------------------------- */

static inline void slow_bulk(slow *s, const slow_bytes *b)
{
  const int copies = slow_copies(s, b);
  slow_bytes region = *b;
  bool before[SLOW_LINE];

  region.line = b->line * SLOW_LINE / s->o.granule;
  if (slow_find(s->regions.v, s->regions.n, &region) < 0) {
    slow_note(&s->regions, &region, NULL);
    for (int i = 0; i < copies; i++)
      slow_send(s, (slow_packet){.kind = SLOW_GRANULE});
    slow_now(s)->unused_bytes += (uint64_t)copies * s->o.granule;
  }
  slow_note(&s->sent, b, before);
  for (int i = 0; i < SLOW_LINE; i++)
    if (b->on[i] && !before[i]) {
      slow_now(s)->useful_bytes += (uint64_t)copies;
      slow_now(s)->unused_bytes -= (uint64_t)copies;
    }
}

static inline void slow_direct(slow *s, int kind, const slow_bytes *b)
{
  if (s->o.queue == GSCALE_QUEUE_SM) {
    if (kind != GSCALE_OP_LOAD) slow_send_alone(s, kind, b, 1);
  } else if (kind == GSCALE_OP_LOAD) {
    slow_now(s)->loads_remote += slow_remote_load(s, b);
  } else if (slow_copies(s, b) == 0) {
    slow_now(s)->local++;
  } else if (s->o.queue == GSCALE_QUEUE_BULK) {
    slow_bulk(s, b);
  } else {
    slow_send_alone(s, kind, b, slow_copies(s, b));
  }
}

/* ---- records ------------------------------------------------------------- */

static inline void slow_take(slow *s, int kind, const slow_bytes *b)
{
  gscale_replay_counts *n = slow_now(s);

  if (kind == GSCALE_OP_LOAD) {
    n->loads++;
  } else {
    n->stores++;
    n->atomics += kind == GSCALE_OP_ATOMIC;
    n->store_bytes += (uint64_t)slow_count(b->on);
    for (int i = 0; i < SLOW_LINE; i += 32) {
      bool any = false;
      for (int k = i; k < i + 32; k++) any = any || b->on[k];
      n->sectors += any;
    }
  }
  if (s->o.queue == GSCALE_QUEUE_GPS)
    slow_gps(s, kind, b);
  else if (s->o.queue == GSCALE_QUEUE_FINEPACK)
    slow_fine(s, kind, b);
  else
    slow_direct(s, kind, b);
}

static inline void slow_drain(slow *s, int gpu, gscale_flush why)
{
  while (s->queue[gpu].n > 0) slow_gps_leave(s, gpu, 0, why);
  slow_fine_drain(s, gpu, why);
  if (why == GSCALE_FLUSH_PHASE) slow_forget(&s->regions, gpu);
  if (why == GSCALE_FLUSH_PHASE || s->o.queue != GSCALE_QUEUE_BULK)
    slow_forget(&s->sent, gpu);
}

static inline void slow_synchronise(slow *s, const gscale_record *v)
{
  s->clock[v->gpu]++;
  slow_now(s)->records++;
  if (v->kind == GSCALE_OP_FENCE) {
    s->clock[v->gpu]--;
    slow_drain(s, v->gpu, GSCALE_FLUSH_FENCE);
    s->clock[v->gpu]++;
    return;
  }
  s->clock[v->gpu]--;
  for (int g = 0; g < s->o.gpus; g++) slow_drain(s, g, GSCALE_FLUSH_PHASE);
  s->clock[v->gpu]++;
  slow_now(s)->phases++;
  if (s->stage == GSCALE_STAGE_STEADY ||
      slow_now(s)->phases < (uint64_t)s->o.profile)
    return;
  for (int i = 0; i < s->pages; i++)
    for (int g = 0; g < s->o.gpus && !s->page[i].collapsed; g++)
      s->page[i].subscribed[g] = s->page[i].touched[g];
  s->stage = GSCALE_STAGE_STEADY;
}

/* Whether an atomic of a warp goes with those of b, which began in `part`. */
static inline bool slow_joins(const slow *s, const slow_bytes *b, uint64_t part,
                              const gscale_record *v)
{
  if (s->o.merge <= 4 || b->dst != v->dst ||
      part != v->address / (uint64_t)s->o.merge)
    return false;
  for (int k = 0; k < v->size; k++)
    if (b->on[(v->address + (uint64_t)k) % SLOW_LINE]) return false;
  return true;
}

/* One warp instruction: n lanes. */
static inline void slow_instruction(slow *s, const gscale_record *v, int n)
{
  static slow_bytes b[64];
  static uint64_t part[64];
  int lines = 0, atomic = 0;

  for (int i = 0; i < n; i++)
    for (int k = 0; k < v[i].size; k++) {
      const uint64_t at = v[i].address + (uint64_t)k;
      slow_bytes one = {at / SLOW_LINE, v[i].gpu, v[i].dst, {false}};
      int to = slow_find(b, lines, &one);
      if (v->kind == GSCALE_OP_ATOMIC && k == 0) {
        for (to = 0; to < lines; to++)
          if (slow_joins(s, &b[to], part[to], &v[i])) break;
        atomic = to;
        part[to] = at / (uint64_t)s->o.merge;
        if (to == lines) to = -1;
      } else if (v->kind == GSCALE_OP_ATOMIC) {
        to = atomic;
      }
      if (to < 0) {
        to = lines++;
        b[to] = one;
      }
      b[to].on[at % SLOW_LINE] = true;
    }
  slow_now(s)->records += (uint64_t)n;
  slow_now(s)->instructions++;
  for (int i = 0; i < lines; i++) slow_take(s, v->kind, &b[i]);
  s->clock[v->gpu] += (uint64_t)n;
}

static inline void slow_replay(slow *s, const gscale_replay_options *o,
                               const gscale_record *v, int n)
{
  memset(s, 0, sizeof *s);
  s->o = *o;
  s->stage = o->profile > 0 ? GSCALE_STAGE_PROFILING : GSCALE_STAGE_STEADY;
  for (int i = 0; i < n;) {
    int lanes = 1;
    if (v[i].kind >= GSCALE_OP_FENCE) {
      slow_synchronise(s, &v[i++]);
      continue;
    }
    while (lanes < 32 && i + lanes < n && v[i + lanes].gpu == v[i].gpu &&
           v[i + lanes].kind == v[i].kind && v[i + lanes].group == v[i].group)
      lanes++;
    slow_instruction(s, &v[i], lanes);
    i += lanes;
  }
  for (int g = 0; g < o->gpus; g++) slow_drain(s, g, GSCALE_FLUSH_PHASE);
}

/* ---- bytes on a link ----------------------------------------------------- */

/* Units with bytes of the part from `from` up to `to` must have all. */
static inline bool slow_masked(const bool *on, int from, int to, int unit)
{
  for (int i = from / unit * unit; i < to; i++)
    if (!on[i]) return true;
  return to % unit != 0;
}

static inline void slow_add(double *wire, double *packets, const gscale_link *l,
                            const bool *on, int from, int to)
{
  const bool masked = slow_masked(on, from, to, (int)l->unit);
  const double offset = from % (int)fmin(SLOW_LINE, l->store_payload);
  *wire += gscale_wire_bytes_at(l, GSCALE_STORE, offset, to - from, masked);
  *packets += gscale_packets_at(l, GSCALE_STORE, offset, to - from);
}

static inline void slow_add_bytes(double *wire, double *packets,
                                  const gscale_link *l, const bool *on)
{
  int first = SLOW_LINE, last = 0;

  for (int i = 0; i < SLOW_LINE; i++) {
    int end = i;
    if (on[i] && i < first) first = i;
    if (on[i]) last = i;
    while (end < SLOW_LINE && on[end]) end++;
    if (end == i || l->format == GSCALE_NVLINK) continue;
    slow_add(wire, packets, l, on, i, end);
    i = end;
  }
  if (l->format == GSCALE_NVLINK)
    slow_add(wire, packets, l, on, first, last + 1);
}

static inline double slow_wire(const slow *s, int stage, const gscale_link *l,
                               double *packets)
{
  gscale_link large = *l;
  double wire = 0;

  *packets = 0;
  large.store_payload = s->o.payload;
  for (int i = 0; i < s->packets[stage]; i++) {
    const slow_packet *p = &s->packet[stage][i];
    const gscale_access a =
        p->kind == SLOW_GRANULE ? GSCALE_COPY : GSCALE_STORE;
    const double bytes =
        p->kind == SLOW_GRANULE ? (double)s->o.granule : p->payload;
    if (p->kind == SLOW_BYTES) {
      slow_add_bytes(&wire, packets, l, p->on);
    } else {
      wire += gscale_wire_bytes(&large, a, bytes, false);
      *packets += gscale_packets_at(&large, a, 0, bytes);
    }
  }
  if (!s->o.configured || s->o.queue != GSCALE_QUEUE_FINEPACK) return wire;
  *packets += (double)s->n[stage].subpackets;
  return wire + l->frame * 10 * (double)s->n[stage].subpackets;
}

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
