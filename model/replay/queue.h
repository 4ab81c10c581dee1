/* queue.h - a fully associative queue, for model/replay/ only. */
#ifndef GPUSCALE_REPLAY_QUEUE_H
#define GPUSCALE_REPLAY_QUEUE_H

#include "replay/piece.h"

#include <string.h>

enum {
  GSCALE__CAPACITY_MAX = 32768
};

/* Four entries fill a cache line. */
typedef struct gscale__entry {
  uint64_t key;
  uint32_t words; /* if whole, else bytes are in q->bytes */
  uint16_t back;  /* distance to the previous entry of the bucket */
  uint8_t copies; /* receivers; 0: entry is removed */
  bool whole;
} gscale__entry;

/* Entries have numbers in a ring, in the order of addition, from `oldest` to
 * before `next`.  A removed entry keeps its place until it is the oldest entry.
 * Each bucket stores the lowest bits of the number of its newest entry, even
 * after that entry has left.  The number of a lost entry is mostly before
 * `oldest`, and otherwise leads to another key. */
typedef struct gscale__fifo {
  gscale__entry *entry;
  gscale__mask *bytes; /* bytes of entries that are not whole */
  uint16_t *bucket;
  int shift;      /* from a hash to a bucket */
  uint32_t bound; /* number of places - 1, at most 65535 */
  uint32_t oldest, next;
  uint32_t count; /* number of entries, without removed ones */
} gscale__fifo;

bool gscale__fifo_init(gscale__fifo *q, int capacity);
void gscale__fifo_free(gscale__fifo *q);
void gscale__fifo_copy(gscale__fifo *to, const gscale__fifo *from);
/* Frees the places of removed entries. */
void gscale__fifo_compact(gscale__fifo *q);

static inline gscale__entry *gscale__fifo_at(const gscale__fifo *q,
                                             uint32_t number)
{
  return &q->entry[number & q->bound];
}

/* Returns the bucket of a key, which has the number of its newest entry. */
static inline uint16_t *gscale__fifo_bucket(const gscale__fifo *q, uint64_t key)
{
  return &q->bucket[gscale__hash(key) >> q->shift];
}

static inline gscale__bytes gscale__bytes_in(const gscale__fifo *q,
                                             const gscale__entry *e)
{
  return e->whole ? (gscale__bytes){e->words, true}
                  : (gscale__bytes){q->bytes[e - q->entry], false};
}

GSCALE__INLINE void gscale__fifo_hold(gscale__fifo *q, gscale__entry *e,
                                      gscale__bytes bytes)
{
  e->words = gscale__words_of(bytes);
  e->whole = bytes.whole;
  if (!bytes.whole) q->bytes[e - q->entry] = bytes.bits;
}

GSCALE__INLINE void gscale__merge(gscale__fifo *q, gscale__entry *e,
                                  gscale__bytes bytes)
{
  if (e->whole && bytes.whole)
    e->words |= gscale__words_of(bytes);
  else
    gscale__fifo_hold(q, e, gscale__bytes_or(gscale__bytes_in(q, e), bytes));
}

/* Returns the entry of a key, or NULL. */
static inline gscale__entry *gscale__fifo_find_in(const gscale__fifo *q,
                                                  const uint16_t *bucket,
                                                  uint64_t key)
{
  const uint32_t oldest = q->oldest, all = q->next - oldest;
  uint32_t i = (uint16_t)(*bucket - oldest);

  while (i < all) {
    gscale__entry *const e = gscale__fifo_at(q, oldest + i);
    if (e->key == key && e->copies > 0) return e;
    if ((uint32_t)e->back - 1 >= i) break; /* no entry is left */
    i -= e->back;
  }
  return NULL;
}

static inline gscale__entry *gscale__fifo_find(const gscale__fifo *q,
                                               uint64_t key)
{
  return gscale__fifo_find_in(q, gscale__fifo_bucket(q, key), key);
}

/* Puts a new key into a free place and its bucket, but does not count it. */
GSCALE__INLINE void gscale__fifo_put(gscale__fifo *q, uint16_t *bucket,
                                     uint64_t key, gscale__bytes bytes,
                                     uint64_t copies)
{
  const uint32_t number = q->next;
  gscale__entry *const e = gscale__fifo_at(q, number);

  e->key = key;
  e->back = (uint16_t)(number - *bucket);
  e->copies = (uint8_t)copies;
  gscale__fifo_hold(q, e, bytes);
  *bucket = (uint16_t)number;
  q->next = number + 1;
}

/* Copies only the members that change.  A copy of the whole queue would stall
 * on reads of more bytes than were written together. */
static inline void gscale__fifo_move(gscale__fifo *q, const gscale__fifo *to)
{
  q->oldest = to->oldest;
  q->next = to->next;
  q->count = to->count;
}

/* Returns true if the queue has `places` free places. */
static inline bool gscale__fifo_reserve(gscale__fifo *q, int places)
{
  const uint32_t most = q->bound + 1 - (uint32_t)places;

  if (q->next - q->oldest > most) gscale__fifo_compact(q);
  return q->next - q->oldest <= most;
}

/* Adds a new key while the queue has fewer entries than its capacity. */
static inline void gscale__fifo_add(gscale__fifo *q, uint64_t key,
                                    gscale__bytes bytes, uint64_t copies)
{
  gscale__fifo_reserve(q, 1);
  gscale__fifo_put(q, gscale__fifo_bucket(q, key), key, bytes, copies);
  q->count++;
}

/* Removes the oldest entry but does not count it.  The entry's content stays
 * readable in its place for now. */
static inline void gscale__fifo_drop(gscale__fifo *q)
{
  do q->oldest++;
  while (gscale__fifo_at(q, q->oldest)->copies == 0);
}

static inline void gscale__fifo_remove(gscale__fifo *q, gscale__entry *e)
{
  e->copies = 0;
  if (--q->count == 0)
    q->oldest = q->next;
  else
    while (gscale__fifo_at(q, q->oldest)->copies == 0) q->oldest++;
}

static inline void gscale__fifo_clear(gscale__fifo *q)
{
  q->oldest = q->next;
  q->count = 0;
}

#endif /* GPUSCALE_REPLAY_QUEUE_H */

/* SPDX-License-Identifier: GPL-3.0-or-later */
