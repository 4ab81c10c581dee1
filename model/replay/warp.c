/* warp.c - the coalescer of SMs: from lanes of a warp instruction to
 * transactions.
 *
 * Transactions wait in a window before their machine takes them, while their
 * data is prefetched.  Without the window, each transaction would wait for its
 * own fetch. */

#include "replay/replay.h"

#include <stdlib.h>
#include <string.h>

/* ---- transactions -------------------------------------------------------- */

static uint64_t sectors_of(gscale__bytes b)
{
  const uint64_t low = gscale__low(b.bits), high = gscale__high(b.bits);

  if (b.whole) return (uint64_t)gscale__sectors((uint32_t)low);
  return (uint64_t)((uint32_t)low != 0) + (low >> 32 != 0) +
         ((uint32_t)high != 0) + (high >> 32 != 0);
}

static void count_joined(gscale_replay *r, const gscale__piece *p, int pieces)
{
  for (int i = 0; i < pieces; i++) {
    const gscale__bytes b = gscale__bytes_of(r, &p[i]);
    if (!p[i].tag.joined) continue;
    r->sectors += sectors_of(b);
    r->bytes += (uint64_t)gscale__bytes_count(b);
  }
}

/* Counts transactions of a kind, with their bytes and sectors. */
static void count(gscale_replay *r, unsigned kind, uint64_t pieces,
                  uint64_t bytes, uint64_t sectors)
{
  gscale_replay_counts *const n = &r->now->n;

  if (kind == GSCALE_OP_LOAD) {
    n->loads += pieces;
    return;
  }
  n->sectors += sectors;
  n->store_bytes += bytes;
  n->stores += pieces;
  if (kind == GSCALE_OP_ATOMIC) n->atomics += pieces;
}

/* ---- window -------------------------------------------------------------- */

/* Returns how many transactions of one kind come next, before `end`. */
static int of_a_kind(const gscale__piece *p, int end)
{
  int n = 1;

  while (n < end && p[n].tag.kind == p->tag.kind) n++;
  return n;
}

static void take_until(gscale_replay *r, int end)
{
  while (r->oldest < end) {
    const gscale__piece *const p = &r->piece[r->oldest];
    const int n = of_a_kind(p, end - r->oldest);
    r->machine->take(r, p, n);
    r->oldest += n;
  }
}

/* Issues the prefetches of new transactions together, because a prefetch with a
 * TLB miss delays later instructions that are not prefetches. */
static void fetch(gscale_replay *r)
{
  if (r->machine->expect)
    r->machine->expect(r, &r->piece[r->fetched], r->begun - r->fetched);
  r->fetched = r->begun;
}

/* Moves pending and unfinished transactions to the front. */
static void move_to_front(gscale_replay *r)
{
  const size_t n = (size_t)(r->begun - r->oldest + r->pieces);

  memmove(r->piece, &r->piece[r->oldest], n * sizeof *r->piece);
  memmove(r->piece_bytes, &r->piece_bytes[r->oldest],
          n * sizeof *r->piece_bytes);
  r->begun -= r->oldest;
  r->fetched -= r->oldest;
  r->oldest = 0;
}

static void empty_window(gscale_replay *r)
{
  fetch(r);
  take_until(r, r->begun);
  move_to_front(r);
}

/* Takes prefetched transactions while new prefetches are in flight. */
static void advance(gscale_replay *r)
{
  const int fetched = r->fetched;

  if (r->begun - r->fetched < GSCALE__WINDOW) return;
  fetch(r);
  take_until(r, fetched);
  if (r->begun + GSCALE__WINDOW + GSCALE__PIECES_MAX > GSCALE__PIECES_ROOM)
    move_to_front(r);
}

/* Sends the transactions of the complete instruction from the SM. */
static void issue(gscale_replay *r)
{
  const unsigned kind = r->first.kind;
  gscale__piece *const p = &r->piece[r->begun];

  if (r->lanes == 0) return;
  r->now->n.instructions++;
  if (r->merged) count_joined(r, p, r->pieces);
  count(r, kind, (uint64_t)r->pieces, r->bytes, r->sectors);
  if (kind == GSCALE_OP_ATOMIC)
    for (int i = 0; i < r->pieces; i++) p[i].tag.part = 0;
  p[r->pieces - 1].tag.part = (uint8_t)r->lanes;
  r->begun += r->pieces;
  r->lanes = r->pieces = 0;
  advance(r);
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

/* Adds a lane to a piece.  Because lanes may share bytes, joined pieces are
 * counted when the instruction is complete. */
GSCALE__INLINE void join_piece(gscale_replay *r, gscale__piece *p,
                               gscale__bytes bytes)
{
  if (!p->tag.joined) {
    const gscale__bytes before = gscale__bytes_of(r, p);
    r->merged = p->tag.joined = true;
    r->sectors -= sectors_of(before);
    r->bytes -= (uint64_t)gscale__bytes_count(before);
  }
  if (bytes.whole && p->tag.whole) {
    p->words |= gscale__words_of(bytes);
    return;
  }
  const gscale__bytes both = gscale__bytes_or(gscale__bytes_of(r, p), bytes);
  p->tag.whole = both.whole;
  p->words = gscale__words_of(both);
  r->piece_bytes[p - r->piece] = both.bits;
}

static inline uint64_t sectors_from(uint64_t at, unsigned size)
{
  return 1 + (uint64_t)(at % GSCALE__SECTOR + size > GSCALE__SECTOR);
}

/* Opens a piece for a lane at an address. */
static gscale__piece *new_piece(gscale_replay *r, uint64_t key,
                                gscale__bytes bytes, uint64_t at, unsigned size)
{
  const int i = r->begun + r->pieces++;

  r->piece[i] = (gscale__piece){
      key,
      gscale__words_of(bytes),
      {.gpu = r->first.gpu, .kind = r->first.kind, .whole = bytes.whole}};
  r->piece_bytes[i] = bytes.bits;
  r->bytes += size;
  r->sectors += sectors_from(at, size);
  return &r->piece[i];
}

static inline bool dst_ok(const gscale_record *v, int gpus)
{
  return v->dst < gpus || v->dst == GSCALE_DST_ALL;
}

/* Slots hold a serial and the number of a piece.  With another serial, the
 * result is out of range, and the slot is free. */
static inline uint32_t piece_in(uint32_t slot, uint32_t serial)
{
  return slot ^ serial << GSCALE__PIECE_BITS;
}

/* Returns the slot of a key among some pieces, or a free slot. */
static inline uint32_t *slot_of(gscale_replay *r, const gscale__piece *p,
                                uint32_t serial, uint64_t key)
{
  uint64_t i = gscale__hash(key) >> gscale__shift_for(GSCALE__SLOTS);

  for (;; i = (i + 1) % GSCALE__SLOTS) {
    const uint32_t piece = piece_in(r->slot[i], serial);
    if (piece >= GSCALE__PIECES_MAX || p[piece].key == key) return &r->slot[i];
  }
}

/* Adds `size` bytes at an address to the transaction of a key, maybe new. */
static gscale__piece *add_bytes(gscale_replay *r, uint64_t key,
                                gscale__bytes bytes, uint64_t at, unsigned size)
{
  gscale__piece *const p = &r->piece[r->begun];
  uint32_t *const slot = slot_of(r, p, r->serial, key);
  const uint32_t piece = piece_in(*slot, r->serial);

  if (piece < GSCALE__PIECES_MAX) {
    join_piece(r, &p[piece], bytes);
    return &p[piece];
  }
  *slot = r->serial << GSCALE__PIECE_BITS | (uint32_t)r->pieces;
  return new_piece(r, key, bytes, at, size);
}

/* Adds a lane of any bytes, perhaps in two lines.  Returns the transaction of
 * the lane's end, or NULL if the end is beyond the last line. */
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

/* Returns all members but address and destination. */
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

/* Returns the words of a line from an address on, or 0 if the words are not
 * whole or leave the line. */
static inline uint32_t words_at(uint64_t at, uint64_t first_words)
{
  const uint64_t words = first_words << at / GSCALE__WORD % 32;
  return at % GSCALE__WORD || words > UINT32_MAX ? 0 : (uint32_t)words;
}

/* Returns one bit for each word of `size` bytes, or 0 for parts of words. */
static inline uint64_t first_words_of(unsigned size)
{
  return size % GSCALE__WORD ? 0 : ((uint64_t)1 << size / GSCALE__WORD) - 1;
}

/* Returns all members but the address. */
static inline uint64_t rest_of(const gscale_record *v)
{
  uint64_t rest;

  memcpy(&rest, &v->group, sizeof rest);
  return rest;
}

/* Joins words to a piece of words, like join_piece(). */
GSCALE__INLINE void join_words(gscale_replay *r, gscale__piece *p,
                               uint32_t words)
{
  if (!p->tag.joined) {
    r->merged = p->tag.joined = true;
    r->sectors -= (uint64_t)gscale__sectors(p->words);
    r->bytes -= (uint64_t)gscale__words_count(p->words);
  }
  p->words |= words;
}

/* Adds lanes of whole words that differ only by address, in the previous lane's
 * line or in a new one.  Returns the number of lanes before another lane, or
 * before one that may be another. */
static int add_words(gscale_replay *r, const gscale_record *v, int most)
{
  const uint64_t rest = rest_of(v), first_words = first_words_of(v->size);
  const uint64_t dst = v->dst & GSCALE__ALL, size = v->size;
  const gscale__tag tag = {
      .gpu = r->first.gpu, .kind = r->first.kind, .whole = true};
  gscale__piece *const before = &r->piece[r->begun + r->pieces];
  gscale__piece *p = before;
  const uint32_t serial = r->serial << GSCALE__PIECE_BITS;
  uint32_t number = serial | (uint32_t)r->pieces;
  const uint64_t none = gscale__key(0, ~v->dst); /* key of no lane here */
  uint64_t last = r->pieces > 0 && p[-1].tag.whole ? p[-1].key : none;
  uint64_t sectors = 0;
  int i;

  if (!first_words) return 0;
  for (i = 0; i < most && rest_of(&v[i]) == rest; i++) {
    const uint64_t at = v[i].address;
    const uint64_t words = first_words << at / GSCALE__WORD % 32;
    const uint64_t key = gscale__key(at / GSCALE__LINE, 0) | dst;

    if (GSCALE__RARELY((at % GSCALE__WORD | words >> 32) != 0)) break;
    if (key == last) {
      join_words(r, p - 1, (uint32_t)words);
      continue;
    }
    uint32_t *const slot =
        &r->slot[gscale__hash(key) >> gscale__shift_for(GSCALE__SLOTS)];
    if ((*slot ^ serial) < GSCALE__PIECES_MAX) break;
    *slot = number++;
    *p++ = (gscale__piece){key, (uint32_t)words, tag};
    last = key;
    sectors += at % GSCALE__SECTOR + size > GSCALE__SECTOR;
  }
  r->pieces += (int)(p - before);
  r->bytes += (uint64_t)(p - before) * size;
  r->sectors += (uint64_t)(p - before) + sectors;
  return i;
}

/* Adds at most `most` lanes that differ only by address and destination.  Lanes
 * of one line are one transaction, usually that of the previous lane, and
 * usually of whole words.  Returns the number of lanes before another or an
 * invalid lane. */
static int add_lanes(gscale_replay *r, const gscale_record *v, int most)
{
  const uint64_t tail = tail_of(v);
  int i = 0;

  while (i < most && tail_of(&v[i]) == tail && dst_ok(&v[i], r->o.gpus)) {
    const int some = add_words(r, &v[i], most - i);
    if (some == 0 && !add_any(r, &v[i])) break;
    i += some > 0 ? some : 1;
  }
  return i;
}

/* Adds an atomic.  Disjoint atomics in the same `merge` B are joined. */
static __attribute__((noinline)) void add_atomic(gscale_replay *r,
                                                 const gscale_record *v)
{
  gscale__piece *const p = &r->piece[r->begun];
  const unsigned offset = (unsigned)(v->address % GSCALE__LINE);
  const uint64_t key = gscale__key(v->address / GSCALE__LINE, v->dst);
  const gscale__bytes bytes = gscale__bytes_at(offset, v->size);
  const uint8_t part = (uint8_t)(offset / (unsigned)r->o.merge);

  for (int i = 0; r->o.merge > GSCALE__ALONE && i < r->pieces; i++)
    if (p[i].key == key && p[i].tag.part == part &&
        !gscale__bytes_meet(gscale__bytes_of(r, &p[i]), bytes)) {
      join_piece(r, &p[i], bytes);
      return;
    }
  new_piece(r, key, bytes, offset, v->size)->tag.part = part;
}

/* Adds atomics like add_lanes().  Most atomics are unjoined whole words. */
static int add_atomics(gscale_replay *r, const gscale_record *v, int most)
{
  const uint64_t tail = tail_of(v), first_words = first_words_of(v->size);
  const gscale__tag tag = {
      .gpu = r->first.gpu, .kind = r->first.kind, .whole = true};
  const bool alone = r->o.merge == GSCALE__ALONE;
  int i;

  for (i = 0; i < most && tail_of(&v[i]) == tail; i++) {
    const uint64_t at = v[i].address;
    const uint32_t words = words_at(at, first_words);

    if (at % GSCALE__LINE + v->size > GSCALE__LINE || !dst_ok(&v[i], r->o.gpus))
      break;
    if (!alone || !words) {
      add_atomic(r, &v[i]);
      continue;
    }
    r->piece[r->begun + r->pieces++] =
        (gscale__piece){gscale__key(at / GSCALE__LINE, v[i].dst), words, tag};
    r->bytes += v->size;
    r->sectors += sectors_from(at, v->size);
  }
  return i;
}

/* ---- records ------------------------------------------------------------- */

/* Returns size, GPU, destination and kind. */
static inline uint32_t form_of(const gscale_record *v)
{
  uint32_t form;

  memcpy(&form, &v->size, sizeof form);
  return form;
}

/* Returns true for a size of 1 to 16, or 0 if the record stores nothing. */
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
    gscale__print(
        text, size, "size: %d, but a %s has none", v->size,
        gscale_name(GSCALE_OPERATION_NAMES, (gscale_operation)v->kind));
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

/* Compares all members together, as changes of the GPU are unpredictable. */
static bool same_instruction(const gscale_record *a, const gscale_record *b)
{
  return ((a->group ^ b->group) | (uint32_t)(a->gpu ^ b->gpu) |
          (uint32_t)(a->kind ^ b->kind)) == 0;
}

/* Returns how many lanes of n records fit into the instruction. */
static int room_for_lanes(const gscale_replay *r, size_t n)
{
  const int room = GSCALE__LANES - r->lanes;
  return n < (size_t)room ? (int)n : room;
}

/* Takes instructions of one lane each, all of one kind and size, with whole
 * words in a line.  The last record may continue.  Returns the number of
 * instructions. */
static int take_alone(gscale_replay *r, const gscale_record *v, size_t n)
{
  const uint64_t first_words = first_words_of(v->size);
  const gscale__tag tag = {.kind = v->kind, .part = 1, .whole = true};
  const int most = n - 1 < GSCALE__WINDOW ? (int)n - 1 : GSCALE__WINDOW;
  gscale__piece *const p = &r->piece[r->begun];
  uint64_t sectors = 0;
  int i;

  for (i = 0; i < most && !same_instruction(&v[i], &v[i + 1]); i++) {
    const uint64_t at = v[i].address;
    const uint32_t words = words_at(at, first_words);

    if (v[i].kind != v->kind || v[i].size != v->size || v[i].gpu >= r->o.gpus ||
        !dst_ok(&v[i], r->o.gpus) || !words)
      break;
    p[i] =
        (gscale__piece){gscale__key(at / GSCALE__LINE, v[i].dst), words, tag};
    p[i].tag.gpu = v[i].gpu;
    sectors += sectors_from(at, v->size);
  }
  r->now->n.records += (uint64_t)i;
  r->now->n.instructions += (uint64_t)i;
  count(r, v->kind, (uint64_t)i, (uint64_t)i * v->size, sectors);
  r->begun += i;
  advance(r);
  return i;
}

/* Takes one record, or lanes of the same instruction. */
static int take_lanes(gscale_replay *r, const gscale_record *v, size_t n)
{
  int lanes;

  if (v->kind >= GSCALE_OP_FENCE) {
    empty_window(r);
    r->now->n.records++;
    gscale__synchronise(r, v);
    return 1;
  }
  lanes = room_for_lanes(r, n);
  if (v->kind == GSCALE_OP_ATOMIC)
    lanes = add_atomics(r, v, lanes);
  else
    lanes = add_lanes(r, v, lanes);
  r->lanes += lanes;
  r->now->n.records += (uint64_t)lanes;
  return lanes;
}

/* Takes the next records, of one instruction or of many instructions with one
 * lane.  Returns how many were taken, or 0 for an invalid record.  A form that
 * was just valid is not checked again. */
static int take_records(gscale_replay *r, const gscale_record *v, size_t n)
{
  int alone = 0;

  if (r->checked != form_of(v) || !form_of(v)) {
    if (!form_ok(v, r->o.gpus)) return 0;
    r->checked = form_of(v);
  }
  if (r->lanes == 0 || r->lanes == GSCALE__LANES ||
      !same_instruction(v, &r->first)) {
    issue(r);
    if (n > 1 && v->kind < GSCALE_OP_FENCE && !same_instruction(v, v + 1))
      alone = take_alone(r, v, n);
    if (alone > 0) return alone;
    begin(r, v);
  }
  return take_lanes(r, v, n);
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
