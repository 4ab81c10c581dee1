/* lines.c - bytes of lines that were seen since the last synchronisation.
 *
 * Nearly all stores are whole words of 4 B, so that a line is 32 bits.  Parts
 * of words are in a second table.  A cell of adjacent lines is as large as a
 * cache line of the processor, because most of the cost is the fetch of a cell.
 *
 * The table uses open addressing with linear probing.  Cells of past epochs are
 * free, so that it costs nothing to forget all cells, and no single cell is
 * ever removed. */

#include "replay/replay.h"

#include <stdlib.h>
#include <string.h>

enum {
  FIRST_ROOM = 64
};

/* ---- sparse bits --------------------------------------------------------- */

/* Cells of a table without memory, which are never written. */
static const gscale__cell nobodys[2];

void gscale__bits_init(gscale__bits *b)
{
  *b = (gscale__bits){.cell = (gscale__cell *)nobodys, .shift = 63, .epoch = 1};
}

void gscale__bits_free(gscale__bits *b)
{
  free(b->memory);
}

void gscale__bits_forget(gscale__bits *b)
{
  b->used = 0;
  if (++b->epoch != 0) return;
  /* only after 2^32 epochs */
  for (size_t i = 0; i < b->room; i++) b->cell[i].epoch = 0;
  b->epoch = 1;
}

/* Allocates free cells, of which none lies in two cache lines. */
static bool allot(gscale__bits *b, size_t room)
{
  b->memory = calloc(room + 1, sizeof *b->cell);
  if (!b->memory) return false;
  const size_t beyond = (uintptr_t)b->memory % sizeof *b->cell;
  b->cell = (gscale__cell *)((char *)b->memory + sizeof *b->cell - beyond);
  b->room = room;
  b->shift = gscale__shift_for(room);
  return true;
}

/* Returns the cell of a key, or the free cell for a new key. */
static gscale__cell *probe(const gscale__bits *b, uint64_t key)
{
  gscale__cell *c = gscale__cell_first(b, key);

  while (c->epoch == b->epoch && c->key != key)
    if (++c == b->cell + b->room) c = b->cell;
  return c;
}

static bool enlarge(gscale__bits *b)
{
  gscale__bits more = *b;

  if (!allot(&more, b->room ? 2 * b->room : FIRST_ROOM)) return false;
  for (size_t i = 0; i < b->room; i++)
    if (b->cell[i].epoch == b->epoch)
      *probe(&more, b->cell[i].key) = b->cell[i];
  free(b->memory);
  *b = more;
  return true;
}

gscale__cell *gscale__cell_find(gscale__bits *b, uint64_t key)
{
  gscale__cell *c = probe(b, key);

  if (c->epoch == b->epoch) return c;
  if (4 * b->used >= 3 * b->room) {
    if (!enlarge(b)) return NULL;
    c = probe(b, key);
  }
  *c = (gscale__cell){.key = key, .epoch = b->epoch};
  b->used++;
  return c;
}

static bool copy(gscale__bits *to, const gscale__bits *from)
{
  gscale__bits_forget(to);
  if (from->used == 0) return true;
  if (to->room != from->room) {
    gscale__bits_free(to);
    gscale__bits_init(to);
    if (!allot(to, from->room)) return false;
  }
  memcpy(to->cell, from->cell, from->room * sizeof *from->cell);
  to->used = from->used;
  to->epoch = from->epoch;
  return true;
}

/* ---- masks ----------------------------------------------------------------
 */

/* Sums 2, 4 and 8 adjacent bits, then all bytes at once [Knuth11].  Without a
 * flag for the processor, compilers call a function to count bits. */
int gscale__count64(uint64_t m)
{
  const uint64_t twos = 0x5555555555555555, fours = 0x3333333333333333,
                 eights = 0x0f0f0f0f0f0f0f0f, ones = 0x0101010101010101;

  m -= m >> 1 & twos;
  m = (m & fours) + (m >> 2 & fours);
  m = (m + (m >> 4)) & eights;
  return (int)(m * ones >> 56);
}

int gscale__count(gscale__mask m)
{
  if (!gscale__both_halves(m))
    return gscale__count64(gscale__low(m) | gscale__high(m));
  return gscale__count64(gscale__low(m)) + gscale__count64(gscale__high(m));
}

/* ---- lines --------------------------------------------------------------- */

void gscale__lines_init(gscale__lines *l)
{
  gscale__bits_init(&l->words);
  gscale__bits_init(&l->bytes);
  l->notes = l->half = 0;
}

void gscale__lines_free(gscale__lines *l)
{
  gscale__bits_free(&l->words);
  gscale__bits_free(&l->bytes);
}

void gscale__lines_forget(gscale__lines *l)
{
  gscale__bits_forget(&l->words);
  gscale__bits_forget(&l->bytes);
}

bool gscale__lines_copy(gscale__lines *to, const gscale__lines *from)
{
  return copy(&to->words, &from->words) && copy(&to->bytes, &from->bytes);
}

/* Returns the first bit of each whole word in half a line. */
static uint64_t whole_words(uint64_t bytes)
{
  const uint64_t pairs = bytes & bytes >> 1;
  return pairs & pairs >> 2 & 0x1111111111111111;
}

/* Returns all bytes of some words, given their first bits. */
static uint64_t bytes_of(uint64_t firsts)
{
  return firsts * (((uint64_t)1 << GSCALE__WORD) - 1);
}

/* Compresses every fourth bit into pairs and fours.  A product without carries
 * between its partial sums then moves the fours to the top. */
static uint32_t gather(uint64_t firsts)
{
  firsts = (firsts | firsts >> 3) & 0x0303030303030303;
  firsts = (firsts | firsts >> 6) & 0x000f000f000f000f;
  return (uint32_t)(firsts * 0x0001001001001000 >> 48);
}

/* Inverts gather(). */
static uint64_t scatter(uint32_t words)
{
  uint64_t bits = words;

  bits = (bits | bits << 24) & 0x000000ff000000ff;
  bits = (bits | bits << 12) & 0x000f000f000f000f;
  bits = (bits | bits << 6) & 0x0303030303030303;
  return (bits | bits << 3) & 0x1111111111111111;
}

gscale__mask gscale__mask_of_words(uint32_t words)
{
  return gscale__join(bytes_of(scatter(words & 0xffff)),
                      bytes_of(scatter(words >> 16)));
}

/* The bytes of a line: whole words, and bytes in parts of words. */
typedef struct written {
  uint32_t words;
  gscale__mask parts;
} written;

static written written_of(gscale__mask bytes)
{
  const uint64_t low = gscale__low(bytes), high = gscale__high(bytes);

  if (gscale__both_halves(bytes)) {
    const uint64_t lows = whole_words(low), highs = whole_words(high);
    return (written){gather(lows) | gather(highs) << 16,
                     bytes ^ gscale__join(bytes_of(lows), bytes_of(highs))};
  }
  const uint64_t half = low | high, firsts = whole_words(half);
  const uint64_t parts = half ^ bytes_of(firsts);
  return (written){gather(firsts) << gscale__start(bytes) / GSCALE__WORD,
                   (gscale__mask)parts << gscale__start(bytes)};
}

/* Adds bytes to a line with partly stored words.  `words` were stored whole. */
static int add_parts(gscale__lines *l, uint64_t key, gscale__mask bytes,
                     gscale__mask parts, uint32_t words)
{
  gscale__mask before = gscale__mask_of_words(words);
  uint32_t quarter;

  for (unsigned q = 0; q < 4; q++) {
    if (!gscale__bits_set(&l->bytes, 4 * gscale__line_of(key) + q,
                          gscale__dst_of(key), (uint32_t)(parts >> 32 * q),
                          &quarter))
      return -1;
    before |= (gscale__mask)quarter << 32 * q;
  }
  return gscale__count(bytes & before);
}

int gscale__lines_add(gscale__lines *l, uint64_t key, gscale__mask bytes)
{
  const written now = written_of(bytes);
  uint32_t before;

  if (!gscale__bits_set(&l->words, gscale__line_of(key), gscale__dst_of(key),
                        now.words, &before))
    return -1;
  if (now.parts || l->bytes.used > 0)
    return add_parts(l, key, bytes, now.parts, before);
  return gscale__words_count(before & now.words);
}

/* ---- notes --------------------------------------------------------------- */

/* Counts useful bytes that had been sent before. */
static void count_again(gscale_replay *r, uint64_t bytes)
{
  gscale_replay_counts *const n = &r->now->n;

  n->useful_bytes -= bytes;
  *(r->machine->gathers ? &n->unused_bytes : &n->redundant_bytes) += bytes;
}

/* Makes n notes.  The notes do not depend on when they are made. */
static void make_notes(gscale_replay *r, gscale__lines *l,
                       const gscale__note *k, unsigned n)
{
  uint64_t again = 0;

  for (const gscale__note *const end = k + n; k != end; k++) {
    gscale__cell *const c = gscale__cell_of(&l->words, k->cell);
    if (!c) {
      r->status = GSCALE_ENOMEM;
      break;
    }
    const uint32_t before = c->bits[k->group];
    c->bits[k->group] = before | k->words;
    again += k->copies * (uint64_t)gscale__words_count(before & k->words);
  }
  count_again(r, again);
}

/* Returns the half of the notes that is not being filled. */
static const gscale__note *other_half(const gscale__lines *l)
{
  return &l->note[l->notes < GSCALE__BATCH ? GSCALE__BATCH : 0];
}

/* Issues all prefetches together, because a prefetch with a TLB miss delays
 * later instructions that are not prefetches. */
void gscale__notes_advance(gscale_replay *r, gscale__lines *l)
{
  const gscale__note *const full = &l->note[l->notes - GSCALE__BATCH];

  for (const gscale__note *k = full; k != full + GSCALE__BATCH; k++)
    gscale__cell_prefetch(&l->words, k->cell);
  l->notes %= 2 * GSCALE__BATCH;
  make_notes(r, l, &l->note[l->notes], l->half);
  l->half = GSCALE__BATCH;
}

void gscale__notes_end(gscale_replay *r, gscale__lines *l)
{
  make_notes(r, l, other_half(l), l->half);
  make_notes(r, l, &l->note[l->notes / GSCALE__BATCH * GSCALE__BATCH],
             l->notes % GSCALE__BATCH);
  l->notes = l->half = 0;
}

void gscale__deliver_any(gscale_replay *r, gscale__lines *l, uint64_t key,
                         gscale__bytes bytes, uint64_t copies)
{
  gscale__notes_end(r, l);
  const int again = gscale__lines_add(l, key, gscale__mask_of(bytes));

  if (again < 0)
    r->status = GSCALE_ENOMEM;
  else
    count_again(r, copies * (uint64_t)again);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
