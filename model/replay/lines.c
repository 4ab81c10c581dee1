/* lines.c - which bytes of which lines were seen since a synchronisation.
 *
 * Nearly all stores are of whole words of 4 B, so a line is 32 bits; what is
 * not has a second table.  Cells of neighbouring lines are as large as a line
 * of the processor's cache, since to fetch one is most of the cost.
 *
 * Open addressing with linear probing.  A cell of a past epoch is free, so that
 * forgetting everything costs nothing; nothing else is ever removed. */

#include "replay/replay.h"

#include <stdlib.h>
#include <string.h>

enum {
  FIRST_ROOM = 64
};

/* ---- sparse bits --------------------------------------------------------- */

void gscale__bits_init(gscale__bits *b)
{
  *b = (gscale__bits){.epoch = 1};
}

void gscale__bits_free(gscale__bits *b)
{
  free(b->memory);
}

void gscale__bits_forget(gscale__bits *b)
{
  b->used = 0;
  if (++b->epoch != 0) return;
  /* after 2^32 epochs */
  for (size_t i = 0; i < b->room; i++) b->cell[i].epoch = 0;
  b->epoch = 1;
}

/* Free cells, none across two lines of the cache. */
static bool allot(gscale__bits *b, size_t room)
{
  b->memory = calloc(room + 1, sizeof *b->cell);
  if (!b->memory) return false;
  const size_t beyond = (uintptr_t)b->memory % sizeof *b->cell;
  b->cell = (gscale__cell *)((char *)b->memory + sizeof *b->cell - beyond);
  b->room = room;
  return true;
}

bool gscale__bits_enlarge(gscale__bits *b)
{
  gscale__bits more = *b;

  if (!allot(&more, b->room ? 2 * b->room : FIRST_ROOM)) return false;
  for (size_t i = 0; i < b->room; i++)
    if (b->cell[i].epoch == b->epoch)
      *gscale__bits_cell(&more, b->cell[i].key) = b->cell[i];
  free(b->memory);
  *b = more;
  return true;
}

static bool copy(gscale__bits *to, const gscale__bits *from)
{
  gscale__bits_forget(to);
  if (from->used == 0) return true;
  if (to->room != from->room) {
    gscale__bits_free(to);
    *to = (gscale__bits){0};
    if (!allot(to, from->room)) return false;
  }
  memcpy(to->cell, from->cell, from->room * sizeof *from->cell);
  to->used = from->used;
  to->epoch = from->epoch;
  return true;
}

/* ---- lines --------------------------------------------------------------- */

void gscale__lines_init(gscale__lines *l)
{
  gscale__bits_init(&l->words);
  gscale__bits_init(&l->bytes);
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

/* Half a line: the first bit of each word whose bytes are all there. */
static uint64_t whole_words(uint64_t bytes)
{
  const uint64_t pairs = bytes & bytes >> 1;
  return pairs & pairs >> 2 & 0x1111111111111111;
}

/* All bytes of those words. */
static uint64_t bytes_of(uint64_t firsts)
{
  return firsts * (((uint64_t)1 << GSCALE__WORD) - 1);
}

/* One bit in four moves next to the others: into pairs, fours, then by a
 * product whose partial sums do not meet, to the top. */
static uint32_t gather(uint64_t firsts)
{
  firsts = (firsts | firsts >> 3) & 0x0303030303030303;
  firsts = (firsts | firsts >> 6) & 0x000f000f000f000f;
  return (uint32_t)(firsts * 0x0001001001001000 >> 48);
}

/* The inverse. */
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

/* A line by its words, and what is in part of a word. */
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

/* Adds a line with bytes of words that are, or were, stored in part; `words`
 * are those that were stored whole. */
static bool add_parts(gscale__lines *l, uint64_t key, gscale__mask bytes,
                      gscale__mask parts, uint32_t words, int *again)
{
  gscale__mask before = gscale__mask_of_words(words);
  uint32_t quarter;

  for (unsigned q = 0; q < 4; q++) {
    if (!gscale__bits_set(&l->bytes, 4 * gscale__line_of(key) + q,
                          gscale__dst_of(key), (uint32_t)(parts >> 32 * q),
                          &quarter))
      return false;
    before |= (gscale__mask)quarter << 32 * q;
  }
  *again = gscale__count(bytes & before);
  return true;
}

bool gscale__lines_add_any(gscale__lines *l, uint64_t key, gscale__mask bytes,
                           int *again)
{
  const written now = written_of(bytes);
  uint32_t before;

  if (!gscale__bits_set(&l->words, gscale__line_of(key), gscale__dst_of(key),
                        now.words, &before))
    return false;
  if (now.parts || l->bytes.used > 0)
    return add_parts(l, key, bytes, now.parts, before, again);
  *again = gscale__words_count(before & now.words);
  return true;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
