/* mask.h - bytes of a line, for model/replay/ only.
 *
 * Nearly all stores are whole words of 4 B, and a line of words takes 32 bits.
 * A line of words is much less work than the 128 bits of a line of bytes. */
#ifndef GPUSCALE_REPLAY_MASK_H
#define GPUSCALE_REPLAY_MASK_H

#include <stdbool.h>
#include <stdint.h>

enum {
  GSCALE__LINE = 128, /* B of a line */
  GSCALE__LINE_BITS = 7,
  GSCALE__WORD = 4,   /* B of a word */
  GSCALE__SECTOR = 32 /* B of a sector */
};

/* Each bit is a byte of a line, and the lowest bit is the first byte. */
__extension__ typedef unsigned __int128 gscale__mask;

/* Functions that take bytes are inlined.  A call would pass 16 B through
 * memory, and would stall on a read of two writes of 8 B. */
#define GSCALE__INLINE static inline __attribute__((always_inline))

/* The compiler optimises the other branch. */
#define GSCALE__RARELY(condition) __builtin_expect(condition, 0)

/* Some bytes of a line. */
typedef struct gscale__bytes {
  gscale__mask bits; /* one bit per word if `whole` */
  bool whole;        /* words, not bytes */
} gscale__bytes;

/* Return the number of set bits.  Most callers count one word inline. */
int gscale__count64(uint64_t m);
int gscale__count(gscale__mask m);

/* ---- masks --------------------------------------------------------------- */

static inline uint64_t gscale__low(gscale__mask m)
{
  return (uint64_t)m;
}

static inline uint64_t gscale__high(gscale__mask m)
{
  return (uint64_t)(m >> 64);
}

static inline gscale__mask gscale__join(uint64_t low, uint64_t high)
{
  return (gscale__mask)high << 64 | low;
}

/* Returns true if both halves have set bits.  Scattered stores set bits in one
 * half, which is much less work.  Because the set half is unpredictable, only
 * the smaller half is compared with 0. */
static inline bool gscale__both_halves(gscale__mask m)
{
  const uint64_t low = gscale__low(m), high = gscale__high(m);
  return (low < high ? low : high) != 0;
}

/* Returns the first byte of the half that is not empty. */
static inline int gscale__start(gscale__mask m)
{
  return (gscale__high(m) != 0) * 64;
}

/* ---- runs ---------------------------------------------------------------- */

typedef struct gscale__run {
  int offset, length; /* in B */
} gscale__run;

static inline int gscale__lowest(gscale__mask m)
{
  return gscale__low(m) ? __builtin_ctzll(gscale__low(m))
                        : 64 + __builtin_ctzll(gscale__high(m));
}

static inline int gscale__highest(gscale__mask m)
{
  return gscale__high(m) ? 127 - __builtin_clzll(gscale__high(m))
                         : 63 - __builtin_clzll(gscale__low(m));
}

/* Takes the first contiguous run from *m, which is not empty.  The sum with the
 * lowest bit carries through the run: 0110 + 0010 = 1000. */
static inline gscale__run gscale__take_run(gscale__mask *m)
{
  if (gscale__both_halves(*m)) {
    const gscale__mask carried = *m + (*m & -*m);
    const gscale__mask run = *m & ~carried;
    const int offset = gscale__lowest(run);

    *m &= carried;
    return (gscale__run){offset, gscale__highest(run) - offset + 1};
  }
  const uint64_t half = gscale__low(*m) | gscale__high(*m);
  const int start = gscale__start(*m);
  const uint64_t carried = half + (half & -half), rest = half & carried;
  const int offset = __builtin_ctzll(half);

  *m = (gscale__mask)rest << start;
  return (gscale__run){start + offset,
                       64 - __builtin_clzll(half & ~carried) - offset};
}

/* ---- bytes --------------------------------------------------------------- */

gscale__mask gscale__mask_of_words(uint32_t words);

static inline uint32_t gscale__words_of(gscale__bytes b)
{
  return (uint32_t)b.bits;
}

static inline gscale__mask gscale__mask_of(gscale__bytes b)
{
  return b.whole ? gscale__mask_of_words(gscale__words_of(b)) : b.bits;
}

/* Returns 1 to 16 B from an offset, all within the line. */
static inline gscale__bytes gscale__bytes_at(unsigned offset, unsigned size)
{
  if ((offset | size) % GSCALE__WORD == 0)
    return (gscale__bytes){(((uint32_t)1 << size / GSCALE__WORD) - 1)
                               << offset / GSCALE__WORD,
                           true};
  return (gscale__bytes){(((gscale__mask)1 << size) - 1) << offset, false};
}

GSCALE__INLINE gscale__bytes gscale__bytes_or(gscale__bytes a, gscale__bytes b)
{
  if (a.whole && b.whole)
    return (gscale__bytes){gscale__words_of(a) | gscale__words_of(b), true};
  return (gscale__bytes){gscale__mask_of(a) | gscale__mask_of(b), false};
}

GSCALE__INLINE gscale__bytes gscale__bytes_without(gscale__bytes a,
                                                   gscale__bytes b)
{
  if (a.whole && b.whole)
    return (gscale__bytes){gscale__words_of(a) & ~gscale__words_of(b), true};
  return (gscale__bytes){gscale__mask_of(a) & ~gscale__mask_of(b), false};
}

GSCALE__INLINE bool gscale__bytes_meet(gscale__bytes a, gscale__bytes b)
{
  return (gscale__mask_of(a) & gscale__mask_of(b)) != 0;
}

/* Returns the bytes of words.  Usually a single word is set. */
static inline int gscale__words_count(uint32_t words)
{
  if ((words & (words - 1)) == 0) return (words != 0) * GSCALE__WORD;
  return GSCALE__WORD * gscale__count64(words);
}

/* Returns the number of sectors with any word.  Combines the 8 bits of each
 * sector in the sector's lowest bit, and sums these bits. */
static inline uint32_t gscale__sectors(uint32_t words)
{
  words |= words >> 4;
  words |= words >> 2;
  words |= words >> 1;
  return (words & 0x01010101) * 0x01010101 >> 24;
}

GSCALE__INLINE int gscale__bytes_count(gscale__bytes b)
{
  return b.whole ? gscale__words_count(gscale__words_of(b))
                 : gscale__count(b.bits);
}

/* Returns true if the words have no gap between them. */
static inline bool gscale__words_side_by_side(uint32_t words)
{
  return (words & ((uint64_t)words + (words & -words))) == 0;
}

/* Takes the first run, like gscale__take_run(). */
GSCALE__INLINE gscale__run gscale__bytes_take_run(gscale__bytes *b)
{
  if (!b->whole) return gscale__take_run(&b->bits);
  const uint64_t words = gscale__words_of(*b);
  const uint64_t carried = words + (words & -words);
  const int first = __builtin_ctzll(words);

  b->bits = words & carried;
  return (gscale__run){GSCALE__WORD * first,
                       GSCALE__WORD * (__builtin_ctzll(carried) - first)};
}

#endif /* GPUSCALE_REPLAY_MASK_H */

/* SPDX-License-Identifier: GPL-3.0-or-later */
