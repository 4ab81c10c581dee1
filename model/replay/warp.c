/* warp.c - the coalescer of the SMs: lanes of a warp instruction become
 * transactions.
 *
 * Transactions wait in a window before their machine takes them, while what it
 * will note them in is fetched: one after the other it would be waited for. */

#include "replay/replay.h"

#include <stdlib.h>
#include <string.h>

/* ---- transactions -------------------------------------------------------- */

static uint64_t sectors_of(const gscale__piece *p)
{
  const uint64_t low = gscale__low(p->bits), high = gscale__high(p->bits);

  if (p->whole)
    return (uint64_t)((low & 0xff) != 0) + ((low & 0xff00) != 0) +
           ((low & 0xff0000) != 0) + (low >> 24 != 0);
  return (uint64_t)((uint32_t)low != 0) + (low >> 32 != 0) +
         ((uint32_t)high != 0) + (high >> 32 != 0);
}

/* Lanes may have bytes in common. */
static uint64_t distinct_bytes(const gscale__piece *p, int pieces)
{
  uint64_t n = 0;

  for (int i = 0; i < pieces; i++)
    n += (uint64_t)gscale__bytes_count(gscale__bytes_of(&p[i]));
  return n;
}

static void count_stores(gscale_replay *r, const gscale__piece *p, int pieces)
{
  gscale_replay_counts *const n = &r->now->n;
  uint64_t sectors = 0;

  for (int i = 0; i < pieces; i++) sectors += sectors_of(&p[i]);
  n->sectors += sectors;
  n->store_bytes += r->merged ? distinct_bytes(p, pieces) : r->bytes;
  n->stores += (uint64_t)pieces;
  if (r->first.kind == GSCALE_OP_ATOMIC) n->atomics += (uint64_t)pieces;
}

static void take_oldest(gscale_replay *r)
{
  const gscale__instruction *const in =
      &r->instruction[r->oldest_instruction++ % GSCALE__INSTRUCTIONS];

  r->machine->take(r, in->gpu, in->kind, &r->piece[r->oldest], in->pieces);
  r->gpu[in->gpu].clock += (uint64_t)in->lanes;
  r->oldest += in->pieces;
}

/* Fetches for what came since, all at once: a fetch whose page the processor
 * does not know holds up what follows, but for the next ones. */
static void fetch(gscale_replay *r)
{
  r->machine->expect(r, &r->piece[r->fetched], r->begun - r->fetched);
  r->fetched = r->begun;
}

/* What waits, and what is being put together. */
static void move_to_front(gscale_replay *r)
{
  memmove(r->piece, &r->piece[r->oldest],
          (size_t)(r->begun - r->oldest + r->pieces) * sizeof *r->piece);
  r->begun -= r->oldest;
  r->fetched -= r->oldest;
  r->oldest = 0;
}

static void empty_window(gscale_replay *r)
{
  fetch(r);
  while (r->oldest < r->begun) take_oldest(r);
  move_to_front(r);
}

/* Takes what was fetched for before, while it is fetched for what came since.
 */
static void advance(gscale_replay *r)
{
  const int fetched = r->fetched;

  fetch(r);
  while (r->oldest < fetched) take_oldest(r);
  if (r->begun + GSCALE__WINDOW + GSCALE__PIECES_MAX > GSCALE__PIECES_ROOM)
    move_to_front(r);
}

/* The instruction is complete: its transactions leave the SM. */
static void issue(gscale_replay *r)
{
  const gscale_operation kind = (gscale_operation)r->first.kind;

  if (r->lanes == 0) return;
  r->now->n.instructions++;
  if (kind == GSCALE_OP_LOAD)
    r->now->n.loads += (uint64_t)r->pieces;
  else
    count_stores(r, &r->piece[r->begun], r->pieces);
  r->instruction[r->instructions++ % GSCALE__INSTRUCTIONS] =
      (gscale__instruction){kind, r->first.gpu, r->lanes, r->pieces};
  r->begun += r->pieces;
  r->lanes = r->pieces = 0;
  if (r->begun - r->fetched >= GSCALE__WINDOW) advance(r);
}

void gscale__issue(gscale_replay *r)
{
  issue(r);
  empty_window(r);
}

/* ---- lanes --------------------------------------------------------------- */

static void begin(gscale_replay *r, const gscale_record *v)
{
  r->first = *v;
  r->bytes = 0;
  r->merged = false;
  if (++r->serial != (uint32_t)1 << (32 - GSCALE__PIECE_BITS)) return;
  memset(r->slot, 0, sizeof r->slot);
  r->serial = 1;
}

static void new_piece(gscale_replay *r, uint64_t key, gscale__bytes bytes,
                      unsigned part)
{
  gscale__piece *const p = &r->piece[r->begun + r->pieces++];

  p->bits = bytes.bits;
  p->key = key;
  p->part = (uint8_t)part;
  p->gpu = r->first.gpu;
  p->kind = r->first.kind;
  p->whole = bytes.whole;
}

static void join_piece(gscale__piece *p, gscale__bytes bytes)
{
  const gscale__bytes both = gscale__bytes_or(gscale__bytes_of(p), bytes);

  p->bits = both.bits;
  p->whole = both.whole;
}

/* One of a warp's atomics: with others of the same `merge` B, if none of them
 * is of its bytes. */
static void add_atomic(gscale_replay *r, const gscale_record *v)
{
  gscale__piece *const p = &r->piece[r->begun];
  const unsigned offset = (unsigned)(v->address % GSCALE__LINE);
  const gscale__bytes bytes = gscale__bytes_at(offset, v->size);
  const uint64_t key = gscale__key(v->address / GSCALE__LINE, v->dst);
  const unsigned part = offset / (unsigned)r->o.merge;

  for (int i = 0; r->o.merge > GSCALE__ALONE && i < r->pieces; i++)
    if (p[i].key == key && p[i].part == part &&
        !gscale__bytes_meet(gscale__bytes_of(&p[i]), bytes)) {
      join_piece(&p[i], bytes);
      return;
    }
  new_piece(r, key, bytes, part);
}

static inline bool dst_ok(const gscale_record *v, int gpus)
{
  return v->dst < gpus || v->dst == GSCALE_DST_ALL;
}

/* Those as they should be; returns how many come before one that is not. */
static int add_atomics(gscale_replay *r, const gscale_record *v, int n)
{
  for (int i = 0; i < n; i++) {
    if (v[i].address % GSCALE__LINE + v[i].size > GSCALE__LINE ||
        !dst_ok(&v[i], r->o.gpus))
      return i;
    add_atomic(r, &v[i]);
  }
  return n;
}

/* Adds bytes to the transaction for the key, a new one if there is none yet;
 * returns which it is. */
static inline int add_bytes(gscale_replay *r, uint64_t key, gscale__bytes bytes)
{
  gscale__piece *const p = &r->piece[r->begun];
  size_t i = gscale__place(key, GSCALE__SLOTS);

  for (; r->slot[i] >> GSCALE__PIECE_BITS == r->serial;
       i = (i + 1) % GSCALE__SLOTS) {
    const int there = (int)(r->slot[i] % GSCALE__PIECES_MAX);
    if (p[there].key != key) continue;
    join_piece(&p[there], bytes);
    r->merged = true;
    return there;
  }
  r->slot[i] = r->serial << GSCALE__PIECE_BITS | (uint32_t)r->pieces;
  new_piece(r, key, bytes, 0);
  return r->pieces - 1;
}

/* A lane across two lines; false if it ends beyond the last one. */
static __attribute__((noinline)) bool add_across(gscale_replay *r,
                                                 const gscale_record *v)
{
  const unsigned first = (unsigned)(-v->address % GSCALE__LINE);
  const uint64_t key = gscale__key(v->address / GSCALE__LINE, v->dst);

  if (v->address + v->size - 1 < v->address) return false;
  add_bytes(r, key, gscale__bytes_at(GSCALE__LINE - first, first));
  add_bytes(r, key + GSCALE__LINE, gscale__bytes_at(0, v->size - first));
  return true;
}

/* Lanes that store to the same line are one transaction; mostly that of the
 * lane before.  They differ in address and destination; returns how many come
 * before one that is not as it should be. */
static int add_lanes(gscale_replay *r, const gscale_record *v, int n)
{
  gscale__piece *const p = &r->piece[r->begun];
  int last = r->pieces - 1;

  for (int i = 0; i < n; i++) {
    const unsigned offset = (unsigned)(v[i].address % GSCALE__LINE);
    const uint64_t key = gscale__key(v[i].address / GSCALE__LINE, v[i].dst);

    if (!dst_ok(&v[i], r->o.gpus)) return i;
    if (offset + v->size > GSCALE__LINE) {
      if (!add_across(r, &v[i])) return i;
      last = r->pieces - 1;
      continue;
    }
    const gscale__bytes bytes = gscale__bytes_at(offset, v->size);
    if (last < 0 || p[last].key != key) {
      last = add_bytes(r, key, bytes);
    } else {
      join_piece(&p[last], bytes);
      r->merged = true;
    }
  }
  return n;
}

/* ---- records ------------------------------------------------------------- */

/* Size, GPU, destination and kind. */
static inline uint32_t form_of(const gscale_record *v)
{
  uint32_t form;

  memcpy(&form, &v->size, sizeof form);
  return form;
}

/* Sizes from 1 to 16, and 0 where there is nothing to store. */
static bool size_ok(const gscale_record *v)
{
  return v->kind >= GSCALE_OP_FENCE ? v->size == 0 : (unsigned)v->size - 1 < 16;
}

static bool form_ok(const gscale_record *v, int gpus)
{
  return v->kind < GSCALE_OP_END && size_ok(v) && v->gpu < gpus &&
         dst_ok(v, gpus);
}

static bool address_ok(const gscale_record *v)
{
  return v->kind >= GSCALE_OP_FENCE ||
         v->address % GSCALE__LINE + v->size <= GSCALE__LINE ||
         (v->kind != GSCALE_OP_ATOMIC &&
          v->address + v->size - 1 >= v->address);
}

const char *gscale__record_wrong(const gscale_record *v, int gpus, char *text,
                                 size_t size)
{
  const unsigned long long address = v->address;

  if (form_ok(v, gpus) && address_ok(v)) return NULL;
  if (v->kind >= GSCALE_OP_END)
    gscale__print(text, size, "kind: %d is none", v->kind);
  else if (v->gpu >= gpus)
    gscale__print(text, size, "gpu: %d is not 0 .. %d", v->gpu, gpus - 1);
  else if (v->dst >= gpus && v->dst != GSCALE_DST_ALL)
    gscale__print(text, size, "dst: %d is not 0 .. %d, nor all", v->dst,
                  gpus - 1);
  else if (v->kind >= GSCALE_OP_FENCE)
    gscale__print(text, size, "size: %d, but a %s has none", v->size,
                  gscale_operation_name((gscale_operation)v->kind));
  else if (!size_ok(v))
    gscale__print(text, size, "size: %d is not 1 .. 16", v->size);
  else if (v->address + v->size - 1 < v->address)
    gscale__print(text, size, "address: %d B at 0x%llx end beyond 2^64",
                  v->size, address);
  else
    gscale__print(text, size,
                  "address: an atomic of %d B at 0x%llx crosses a line of "
                  "128 B",
                  v->size, address);
  return text;
}

/* In one comparison: that only the GPU is another is hard to predict. */
static bool same_instruction(const gscale_record *a, const gscale_record *b)
{
  return ((a->group ^ b->group) | (uint32_t)(a->gpu ^ b->gpu) |
          (uint32_t)(a->kind ^ b->kind)) == 0;
}

/* All but address and destination. */
static inline uint64_t tail_of(const gscale_record *v)
{
  static const gscale_record others = {
      .size = UINT8_MAX, .gpu = UINT8_MAX, .kind = UINT8_MAX};
  return (uint64_t)v->group << 32 | (form_of(v) & form_of(&others));
}

/* How many records from v on are alike but for these, and lanes of the
 * instruction that v begins or continues. */
static int count_lanes(const gscale_replay *r, const gscale_record *v, size_t n)
{
  const int room = GSCALE__LANES - r->lanes;
  const int most = n < (size_t)room ? (int)n : room;
  const uint64_t tail = tail_of(v);
  int i = 1;

  while (i < most && tail_of(&v[i]) == tail) i++;
  return i;
}

/* Takes the next records, one instruction's at most; returns how many, 0 if the
 * next is not as it should be.  What was right of the last one needs no second
 * look. */
static int take_records(gscale_replay *r, const gscale_record *v, size_t n)
{
  int lanes;

  if (r->checked != form_of(v) || !form_of(v)) {
    if (!form_ok(v, r->o.gpus)) return 0;
    r->checked = form_of(v);
  }
  if (r->lanes == 0 || r->lanes == GSCALE__LANES ||
      !same_instruction(v, &r->first)) {
    issue(r);
    begin(r, v);
  }
  if (v->kind >= GSCALE_OP_FENCE) {
    empty_window(r);
    r->now->n.records++;
    gscale__synchronise(r, v);
    return 1;
  }
  lanes = count_lanes(r, v, n);
  lanes = v->kind == GSCALE_OP_ATOMIC ? add_atomics(r, v, lanes)
                                      : add_lanes(r, v, lanes);
  r->lanes += lanes;
  r->bytes += (uint64_t)lanes * v->size;
  r->now->n.records += (uint64_t)lanes;
  return lanes;
}

size_t gscale__coalesce(gscale_replay *r, const gscale_record *v, size_t n)
{
  size_t done = 0;

  for (int some = 1; done < n && some > 0; done += (size_t)some)
    some = take_records(r, v + done, n - done);
  empty_window(r);
  return done;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
