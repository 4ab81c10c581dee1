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

  if (p->whole) return (uint64_t)gscale__sectors((uint32_t)low);
  return (uint64_t)((uint32_t)low != 0) + (low >> 32 != 0) +
         ((uint32_t)high != 0) + (high >> 32 != 0);
}

static void count_stores(gscale_replay *r, const gscale__piece *p, int pieces)
{
  gscale_replay_counts *const n = &r->now->n;

  for (int i = 0; r->merged && i < pieces; i++)
    if (p[i].joined) {
      r->sectors += sectors_of(&p[i]);
      r->bytes += (uint64_t)gscale__bytes_count(gscale__bytes_of(&p[i]));
    }
  n->sectors += r->sectors;
  n->store_bytes += r->bytes;
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
  if (r->machine->expect)
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
  r->bytes = r->sectors = 0;
  r->merged = false;
  if (++r->serial != (uint32_t)1 << (32 - GSCALE__PIECE_BITS)) return;
  memset(r->slot, 0, sizeof r->slot);
  r->serial = 1;
}

/* Lanes may have bytes in common: those of a piece of many are counted when the
 * instruction is complete. */
GSCALE__INLINE void join_piece(gscale_replay *r, gscale__piece *p,
                               gscale__bytes bytes)
{
  const gscale__bytes before = gscale__bytes_of(p);
  const gscale__bytes both = gscale__bytes_or(before, bytes);

  if (!p->joined) {
    r->merged = p->joined = true;
    r->sectors -= sectors_of(p);
    r->bytes -= (uint64_t)gscale__bytes_count(before);
  }
  p->bits = both.bits;
  p->whole = both.whole;
}

/* Of a lane that starts at the address. */
GSCALE__INLINE gscale__piece *new_piece(gscale_replay *r, uint64_t key,
                                        gscale__bytes bytes, uint64_t at,
                                        unsigned size)
{
  gscale__piece *const p = &r->piece[r->begun + r->pieces++];

  p->bits = bytes.bits;
  p->key = key;
  p->gpu = r->first.gpu;
  p->part = 0;
  p->whole = bytes.whole;
  p->joined = false;
  r->bytes += size;
  r->sectors += at % GSCALE__SECTOR + size > GSCALE__SECTOR ? 2 : 1;
  return p;
}

static inline bool dst_ok(const gscale_record *v, int gpus)
{
  return v->dst < gpus || v->dst == GSCALE_DST_ALL;
}

/* Where among those pieces the key's is noted: in a slot of this serial, or a
 * free one. */
static inline uint32_t *slot_of(gscale_replay *r, const gscale__piece *p,
                                uint64_t key)
{
  size_t i = gscale__hash(key) >> gscale__shift_for(GSCALE__SLOTS);

  while (r->slot[i] >> GSCALE__PIECE_BITS == r->serial &&
         p[r->slot[i] % GSCALE__PIECES_MAX].key != key)
    i = (i + 1) % GSCALE__SLOTS;
  return &r->slot[i];
}

/* The transaction for the key, to which bytes are added; a new one if there is
 * none yet.  They are so many from the address on. */
GSCALE__INLINE gscale__piece *add_bytes(gscale_replay *r, uint64_t key,
                                        gscale__bytes bytes, uint64_t at,
                                        unsigned size)
{
  gscale__piece *const p = &r->piece[r->begun];
  uint32_t *const slot = slot_of(r, p, key);

  if (*slot >> GSCALE__PIECE_BITS == r->serial) {
    join_piece(r, &p[*slot % GSCALE__PIECES_MAX], bytes);
    return &p[*slot % GSCALE__PIECES_MAX];
  }
  *slot = r->serial << GSCALE__PIECE_BITS | (uint32_t)r->pieces;
  return new_piece(r, key, bytes, at, size);
}

/* A lane of any bytes, maybe across two lines; returns its transaction, or that
 * of its end; NULL if it ends beyond the last line. */
static __attribute__((noinline)) gscale__piece *add_any(gscale_replay *r,
                                                        const gscale_record *v)
{
  const uint64_t key = gscale__key(v->address / GSCALE__LINE, v->dst);
  const unsigned offset = (unsigned)(v->address % GSCALE__LINE);
  const unsigned room = GSCALE__LINE - offset;
  const unsigned first = v->size < room ? v->size : room;
  const unsigned rest = v->size - first;
  gscale__piece *p;

  if (v->address + v->size - 1 < v->address) return NULL;
  gscale__bytes bytes = gscale__bytes_at(offset, first);
  p = add_bytes(r, key, bytes, offset, first);
  if (rest == 0) return p;
  bytes = gscale__bytes_at(0, rest);
  return add_bytes(r, key + GSCALE__LINE, bytes, 0, rest);
}

/* All but address and destination. */
static inline uint64_t tail_of(const gscale_record *v)
{
  static const gscale_record others = {.group = UINT32_MAX,
                                       .size = UINT8_MAX,
                                       .gpu = UINT8_MAX,
                                       .kind = UINT8_MAX};
  uint64_t tail, mask;

  memcpy(&tail, &v->group, sizeof tail);
  memcpy(&mask, &others.group, sizeof mask);
  return tail & mask;
}

/* Lanes that store to the same line are one transaction; mostly that of the
 * lane before.  They are of whole words mostly, too.  Adds those that are alike
 * but for address and destination, `most` of them; returns how many come before
 * one that is not, or is not as it should be. */
static int add_lanes(gscale_replay *r, const gscale_record *v, int most)
{
  const uint64_t tail = tail_of(v);
  const uint64_t first_words =
      v->size % GSCALE__WORD ? 0 : ((uint64_t)1 << v->size / GSCALE__WORD) - 1;
  gscale__piece none = {.key = ~gscale__key(v->address / GSCALE__LINE, 0)};
  gscale__piece *last =
      r->pieces > 0 ? &r->piece[r->begun + r->pieces - 1] : &none;
  unsigned dst = v->dst;
  int i;

  for (i = 0; i < most && tail_of(&v[i]) == tail; i++) {
    const uint64_t at = v[i].address;
    const uint64_t words = first_words << at / GSCALE__WORD % 32;
    const uint64_t key = gscale__key(at / GSCALE__LINE, v[i].dst);
    const gscale__bytes bytes = {words, true};

    if (v[i].dst != dst && !dst_ok(&v[i], r->o.gpus)) break;
    dst = v[i].dst;
    if (at % GSCALE__WORD || words - 1 >= UINT32_MAX) { /* none, or too far */
      last = add_any(r, &v[i]);
      if (!last) break;
    } else if (last->key == key) {
      join_piece(r, last, bytes);
    } else {
      last = add_bytes(r, key, bytes, at, v->size);
    }
  }
  return i;
}

/* The only lane of its instruction, not an atomic; false if it is not as it
 * should be. */
static inline bool add_alone(gscale_replay *r, const gscale_record *v)
{
  const unsigned offset = (unsigned)(v->address % GSCALE__LINE);
  const uint64_t key = gscale__key(v->address / GSCALE__LINE, v->dst);

  if ((offset | v->size) % GSCALE__WORD || offset + v->size > GSCALE__LINE)
    return add_any(r, v) != NULL;
  new_piece(r, key, gscale__bytes_at(offset, v->size), offset, v->size);
  return true;
}

/* An atomic joins one of the same `merge` B if none of its bytes is there. */
static __attribute__((noinline)) void add_atomic(gscale_replay *r,
                                                 const gscale_record *v)
{
  gscale__piece *const p = &r->piece[r->begun];
  const unsigned offset = (unsigned)(v->address % GSCALE__LINE);
  const uint64_t key = gscale__key(v->address / GSCALE__LINE, v->dst);
  const gscale__bytes bytes = gscale__bytes_at(offset, v->size);
  const uint8_t part = (uint8_t)(offset / (unsigned)r->o.merge);

  for (int i = 0; r->o.merge > GSCALE__ALONE && i < r->pieces; i++)
    if (p[i].key == key && p[i].part == part &&
        !gscale__bytes_meet(gscale__bytes_of(&p[i]), bytes)) {
      join_piece(r, &p[i], bytes);
      return;
    }
  new_piece(r, key, bytes, offset, v->size)->part = part;
}

/* Atomics, as add_lanes; mostly of whole words that nothing joins. */
static int add_atomics(gscale_replay *r, const gscale_record *v, int most)
{
  const uint64_t tail = tail_of(v);
  const bool alone = r->o.merge == GSCALE__ALONE;
  int i;

  for (i = 0; i < most && tail_of(&v[i]) == tail; i++) {
    const unsigned offset = (unsigned)(v[i].address % GSCALE__LINE);

    if (offset + v->size > GSCALE__LINE || !dst_ok(&v[i], r->o.gpus)) break;
    if (alone && (offset | v->size) % GSCALE__WORD == 0)
      new_piece(r, gscale__key(v[i].address / GSCALE__LINE, v[i].dst),
                gscale__bytes_at(offset, v->size), offset, v->size);
    else
      add_atomic(r, &v[i]);
  }
  return i;
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

/* At most so many lanes of n records fit into the instruction. */
static int room_for_lanes(const gscale_replay *r, size_t n)
{
  const int room = GSCALE__LANES - r->lanes;
  return n < (size_t)room ? (int)n : room;
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
  lanes = room_for_lanes(r, n);
  if (v->kind == GSCALE_OP_ATOMIC)
    lanes = add_atomics(r, v, lanes);
  else if (r->lanes == 0 && n > 1 && !same_instruction(v, v + 1))
    lanes = add_alone(r, v);
  else
    lanes = add_lanes(r, v, lanes);
  r->lanes += lanes;
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
