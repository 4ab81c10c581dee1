/* piece.h - the part of a transaction in a line, for model/replay/ only. */
#ifndef GPUSCALE_REPLAY_PIECE_H
#define GPUSCALE_REPLAY_PIECE_H

#include "replay/mask.h"

enum {
  GSCALE__ALL = (1 << GSCALE__LINE_BITS) - 1, /* GSCALE_DST_ALL in a key */
  GSCALE__ALONE = 4,                          /* B of a single atomic */
  GSCALE__LANES = 32,                         /* lanes of a warp instruction */
  GSCALE__PIECES_MAX = 2 * GSCALE__LANES      /* two lines per lane */
};

/* The piece that an SM sends for one line.  The key has line number and
 * destination. */
typedef struct gscale__piece {
  uint64_t key;
  uint8_t gpu, kind;
  unsigned part; /* of the line, for `merge` */
  gscale__mask bytes;
} gscale__piece;

static inline uint64_t gscale__key(uint64_t line, unsigned dst)
{
  return line << GSCALE__LINE_BITS | (dst & GSCALE__ALL);
}

static inline uint64_t gscale__line_of(uint64_t key)
{
  return key >> GSCALE__LINE_BITS;
}

static inline unsigned gscale__dst_of(uint64_t key)
{
  return (unsigned)key & GSCALE__ALL;
}

/* Hashes by multiplication [Knuth98].  Users take the highest bits, so that
 * consecutive numbers, as most lines have, lie far apart. */
static inline uint64_t gscale__hash_of(uint64_t line_lowest)
{
  return line_lowest * 0x9e3779b97f4a7c15u;
}

static inline uint64_t gscale__hash(uint64_t key)
{
  return gscale__hash_of(key >> GSCALE__LINE_BITS |
                         key << (64 - GSCALE__LINE_BITS));
}

/* Returns the shift from a hash to a place.  `room` is a power of 2, >= 2. */
static inline int gscale__shift_for(size_t room)
{
  return 64 - __builtin_ctzll(room);
}

#endif /* GPUSCALE_REPLAY_PIECE_H */

/* SPDX-License-Identifier: GPL-3.0-or-later */
