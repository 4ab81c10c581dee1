/* mask.h - bytes of a line, for model/replay/ only.
 *
 * Nearly all stores are of whole words of 4 B; their lines are 32 bits, which
 * is much less work than 128.  What is not has a bit for each byte. */
#ifndef GPUSCALE_REPLAY_MASK_H
#define GPUSCALE_REPLAY_MASK_H

#include <stdbool.h>
#include <stdint.h>

enum {
  GSCALE__LINE = 128, /* B */
  GSCALE__LINE_BITS = 7,
  GSCALE__WORD = 4 /* B */
};

/* A bit for each byte of a line, the first lowest. */
__extension__ typedef unsigned __int128 gscale__mask;

/* Some bytes of a line. */
typedef struct gscale__bytes {
  gscale__mask bits; /* a bit for each word if they are */
  bool whole;        /* words, else for each byte */
} gscale__bytes;

/* ---- masks --------------------------------------------------------------- */

/* Bits set: sums of 2, 4 and 8 bits side by side, then of all bytes at once
 * [Knuth11].  Without a flag for the processor the compiler calls a function.
 */
static inline int gscale__count64(uint64_t m)
{
  const uint64_t twos = 0x5555555555555555, fours = 0x3333333333333333,
                 eights = 0x0f0f0f0f0f0f0f0f, ones = 0x0101010101010101;

  m -= m >> 1 & twos;
  m = (m & fours) + (m >> 2 & fours);
  m = (m + (m >> 4)) & eights;
  return (int)(m * ones >> 56);
}

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

/* Stores that scatter touch one half of a line, which is much less work.  Which
 * half nobody could predict: hence one comparison, of the smaller. */
static inline bool gscale__both_halves(gscale__mask m)
{
  const uint64_t low = gscale__low(m), high = gscale__high(m);
  return (low < high ? low : high) != 0;
}

/* The first byte of the half that is not empty. */
static inline int gscale__start(gscale__mask m)
{
  return (gscale__high(m) != 0) * 64;
}

static inline int gscale__count(gscale__mask m)
{
  if (!gscale__both_halves(m))
    return gscale__count64(gscale__low(m) | gscale__high(m));
  return gscale__count64(gscale__low(m)) + gscale__count64(gscale__high(m));
}

/* ---- masks by runs ------------------------------------------------------- */

typedef struct gscale__run {
  int offset, length; /* B */
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

/* Takes the first run of contiguous bytes from *m, which is not empty.  Adding
 * the lowest bit carries through the run: 0110 + 0010 = 1000. */
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

/* ---- bytes, be they words or not ----------------------------------------- */

gscale__mask gscale__mask_of_words(uint32_t words);

static inline uint32_t gscale__words_of(gscale__bytes b)
{
  return (uint32_t)b.bits;
}

static inline gscale__mask gscale__mask_of(gscale__bytes b)
{
  return b.whole ? gscale__mask_of_words(gscale__words_of(b)) : b.bits;
}

/* From 1 to 16 B on from an offset, all in the line. */
static inline gscale__bytes gscale__bytes_at(unsigned offset, unsigned size)
{
  if ((offset | size) % GSCALE__WORD == 0)
    return (gscale__bytes){(((uint32_t)1 << size / GSCALE__WORD) - 1)
                               << offset / GSCALE__WORD,
                           true};
  return (gscale__bytes){(((gscale__mask)1 << size) - 1) << offset, false};
}

static inline gscale__bytes gscale__bytes_or(gscale__bytes a, gscale__bytes b)
{
  if (a.whole && b.whole)
    return (gscale__bytes){gscale__words_of(a) | gscale__words_of(b), true};
  return (gscale__bytes){gscale__mask_of(a) | gscale__mask_of(b), false};
}

static inline gscale__bytes gscale__bytes_without(gscale__bytes a,
                                                  gscale__bytes b)
{
  if (a.whole && b.whole)
    return (gscale__bytes){gscale__words_of(a) & ~gscale__words_of(b), true};
  return (gscale__bytes){gscale__mask_of(a) & ~gscale__mask_of(b), false};
}

static inline bool gscale__bytes_meet(gscale__bytes a, gscale__bytes b)
{
  return (gscale__mask_of(a) & gscale__mask_of(b)) != 0;
}

/* Mostly it is one. */
static inline int gscale__words_count(uint32_t words)
{
  if ((words & (words - 1)) == 0) return words ? GSCALE__WORD : 0;
  return GSCALE__WORD * gscale__count64(words);
}

static inline int gscale__bytes_count(gscale__bytes b)
{
  return b.whole ? gscale__words_count(gscale__words_of(b))
                 : gscale__count(b.bits);
}

/* As gscale__take_run. */
static inline gscale__run gscale__bytes_take_run(gscale__bytes *b)
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
