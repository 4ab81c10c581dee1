/* piece.h - what leaves an SM for one line, and its key, for model/replay/
 * only. */
#ifndef GPUSCALE_REPLAY_PIECE_H
#define GPUSCALE_REPLAY_PIECE_H

#include "replay/mask.h"

enum {
  GSCALE__ALL = (1 << GSCALE__LINE_BITS) - 1, /* GSCALE_DST_ALL in a key */
  GSCALE__ALONE = 4,                          /* B of an atomic with no other */
  GSCALE__LANES = 32,                         /* of a warp instruction */
  GSCALE__PIECES_MAX = 2 * GSCALE__LANES,     /* each lane across two lines */
  GSCALE__PIECE_BITS = 6,                     /* that number them */
  GSCALE__SLOTS = 8 * GSCALE__PIECES_MAX,     /* to find them by line */
  GSCALE__WINDOW = 64, /* of them are fetched for at once */
  GSCALE__PIECES_ROOM = 8 * GSCALE__WINDOW
};

/* Of whom a transaction is, and how. */
typedef struct gscale__tag {
  uint8_t gpu, kind;
  uint8_t part;   /* of an atomic being put together: of `merge` B, of its line;
                   * then the lanes of the instruction, with its last one */
  bool whole : 1; /* its bytes are whole words */
  bool joined : 1; /* of more than one lane */
} gscale__tag;

/* What leaves an SM for one line.  Key: line number and destination.  Bytes
 * that are not whole words lie apart, so that four are a line of the
 * processor's cache. */
typedef struct gscale__piece {
  uint64_t key;
  uint32_t words;
  gscale__tag tag;
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

/* Multiplicative hashing [Knuth98], of which the highest bits are taken:
 * numbers in a row, which lines mostly are, then lie far from one another. */
static inline uint64_t gscale__hash_of(uint64_t line_lowest)
{
  return line_lowest * 0x9e3779b97f4a7c15u;
}

static inline uint64_t gscale__hash(uint64_t key)
{
  return gscale__hash_of(key >> GSCALE__LINE_BITS |
                         key << (64 - GSCALE__LINE_BITS));
}

/* The shift that leaves of a hash one of `room` places, 2 or a higher power of
 * two. */
static inline int gscale__shift_for(size_t room)
{
  return 64 - __builtin_ctzll(room);
}

#endif /* GPUSCALE_REPLAY_PIECE_H */

/* SPDX-License-Identifier: GPL-3.0-or-later */
