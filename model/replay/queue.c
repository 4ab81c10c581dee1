/* queue.c - a fully associative queue in the order of addition. */

#include "replay/replay.h"

#include <stdlib.h>
#include <string.h>

static uint32_t power_of_two_from(size_t n)
{
  uint32_t power = 4;
  while (power < n) power *= 2;
  return power;
}

static size_t buckets(const gscale__fifo *q)
{
  return (size_t)1 << (64 - q->shift);
}

/* Half as many places again as entries, for removed ones.  All buckets have
 * number 0, which no entry has. */
bool gscale__fifo_init(gscale__fifo *q, int capacity)
{
  const size_t entries = (size_t)capacity;

  *q =
      (gscale__fifo){.shift = gscale__shift_for(power_of_two_from(8 * entries)),
                     .room = power_of_two_from(entries + entries / 2)};
  q->oldest = q->next = q->room;
  q->entry = calloc(q->room, sizeof *q->entry);
  q->bucket = calloc(buckets(q), sizeof *q->bucket);
  return q->entry && q->bucket;
}

/* Of the same capacity. */
void gscale__fifo_copy(gscale__fifo *to, const gscale__fifo *from)
{
  gscale__entry *const entry = to->entry;
  uint32_t *const bucket = to->bucket;

  memcpy(entry, from->entry, from->room * sizeof *entry);
  memcpy(bucket, from->bucket, buckets(from) * sizeof *bucket);
  *to = *from;
  to->entry = entry;
  to->bucket = bucket;
}

void gscale__fifo_free(gscale__fifo *q)
{
  free(q->entry);
  free(q->bucket);
}

/* In their places or before, by the lowest numbers for these. */
void gscale__fifo_compact(gscale__fifo *q)
{
  const uint32_t all = q->next - q->oldest;

  memset(q->bucket, 0, buckets(q) * sizeof *q->bucket);
  q->oldest = q->next = (q->oldest & (q->room - 1)) + q->room;
  q->count = 0;
  for (uint32_t i = 0; i < all; i++) {
    const gscale__entry e = *gscale__fifo_at(q, q->oldest + i);
    if (e.copies > 0)
      gscale__fifo_put(q, e.key, gscale__bytes_in(&e), e.copies);
  }
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
