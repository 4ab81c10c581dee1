/* mask.h - bytes of a line, for model/replay/ only. */
#ifndef GPUSCALE_REPLAY_MASK_H
#define GPUSCALE_REPLAY_MASK_H

#include <stdint.h>

enum {
  GSCALE__LINE = 128, /* B of a line */
  GSCALE__LINE_BITS = 7,
  GSCALE__SECTOR = 32 /* B of a sector */
};

/* Each bit is a byte of a line, and the lowest bit is the first byte. */
__extension__ typedef unsigned __int128 gscale__mask;

static inline uint64_t gscale__low(gscale__mask m)
{
  return (uint64_t)m;
}

static inline uint64_t gscale__high(gscale__mask m)
{
  return (uint64_t)(m >> 64);
}

/* Returns 1 to 16 B from an offset, all within the line. */
static inline gscale__mask gscale__bytes_at(unsigned offset, unsigned size)
{
  return (((gscale__mask)1 << size) - 1) << offset;
}

static inline int gscale__count(gscale__mask m)
{
  return __builtin_popcountll(gscale__low(m)) +
         __builtin_popcountll(gscale__high(m));
}

/* ---- runs ---------------------------------------------------------------- */

typedef struct gscale__run {
  int offset, length; /* in B */
} gscale__run;

/* Returns the span from the first to the last byte of a mask that is not
 * empty. */
static inline gscale__run gscale__span(gscale__mask m)
{
  const uint64_t low = gscale__low(m), high = gscale__high(m);
  const int first = low ? __builtin_ctzll(low) : 64 + __builtin_ctzll(high);
  const int last =
      high ? 127 - __builtin_clzll(high) : 63 - __builtin_clzll(low);

  return (gscale__run){first, last - first + 1};
}

/* Takes the first contiguous run from *m, which is not empty.  The sum with the
 * lowest bit carries through the run: 0110 + 0010 = 1000. */
static inline gscale__run gscale__take_run(gscale__mask *m)
{
  const gscale__mask carried = *m + (*m & -*m), run = *m & ~carried;

  *m &= carried;
  return gscale__span(run);
}

#endif /* GPUSCALE_REPLAY_MASK_H */

/* SPDX-License-Identifier: GPL-3.0-or-later */
