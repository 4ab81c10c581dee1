/* queue.h - a fully associative queue, for model/replay/ only. */
#ifndef GPUSCALE_REPLAY_QUEUE_H
#define GPUSCALE_REPLAY_QUEUE_H

#include "replay/piece.h"

enum {
  GSCALE__CAPACITY_MAX = 32768
};

typedef struct gscale__entry {
  uint64_t key;
  uint16_t back;  /* distance to the previous entry of the bucket */
  uint8_t copies; /* receivers; 0: entry is removed */
  gscale__mask bytes;
} gscale__entry;

/* Entries have numbers in a ring, in the order of addition, from `oldest` to
 * before `next`.  A removed entry keeps its place until it is the oldest entry.
 * Each bucket stores the lowest bits of the number of its newest entry, even
 * after that entry has left.  The number of a lost entry is mostly before
 * `oldest`, and otherwise leads to another key. */
typedef struct gscale__fifo {
  gscale__entry *entry;
  uint16_t *bucket;
  int shift;      /* from a hash to a bucket */
  uint32_t bound; /* number of places - 1, at most 65535 */
  uint32_t oldest, next;
  uint32_t count; /* number of entries, without removed ones */
} gscale__fifo;

bool gscale__fifo_init(gscale__fifo *q, int capacity);
void gscale__fifo_free(gscale__fifo *q);
void gscale__fifo_copy(gscale__fifo *to, const gscale__fifo *from);
/* Returns the entry of a key, or NULL. */
gscale__entry *gscale__fifo_find(const gscale__fifo *q, uint64_t key);
/* Adds a new key while the queue has fewer entries than its capacity. */
void gscale__fifo_add(gscale__fifo *q, uint64_t key, gscale__mask bytes,
                      uint64_t copies);
/* Removes an entry.  Its content stays readable until another is added. */
void gscale__fifo_remove(gscale__fifo *q, gscale__entry *e);
void gscale__fifo_clear(gscale__fifo *q);

static inline gscale__entry *gscale__fifo_at(const gscale__fifo *q,
                                             uint32_t number)
{
  return &q->entry[number & q->bound];
}

#endif /* GPUSCALE_REPLAY_QUEUE_H */

/* SPDX-License-Identifier: GPL-3.0-or-later */
