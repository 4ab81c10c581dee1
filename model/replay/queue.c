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

/* Allocates a queue.  Half of the capacity is added for removed entries. */
bool gscale__fifo_init(gscale__fifo *q, int capacity)
{
  const size_t entries = (size_t)capacity;

  *q =
      (gscale__fifo){.shift = gscale__shift_for(power_of_two_from(8 * entries)),
                     .bound = power_of_two_from(entries + entries / 2) - 1};
  q->entry = calloc((size_t)q->bound + 1, sizeof *q->entry);
  q->bytes = calloc((size_t)q->bound + 1, sizeof *q->bytes);
  q->bucket = calloc(buckets(q), sizeof *q->bucket);
  return q->entry && q->bytes && q->bucket;
}

/* Copies a queue of the same capacity. */
void gscale__fifo_copy(gscale__fifo *to, const gscale__fifo *from)
{
  const gscale__fifo own = *to;
  const size_t room = (size_t)from->bound + 1;

  memcpy(own.entry, from->entry, room * sizeof *own.entry);
  memcpy(own.bytes, from->bytes, room * sizeof *own.bytes);
  memcpy(own.bucket, from->bucket, buckets(from) * sizeof *own.bucket);
  *to = *from;
  to->entry = own.entry;
  to->bytes = own.bytes;
  to->bucket = own.bucket;
}

void gscale__fifo_free(gscale__fifo *q)
{
  free(q->entry);
  free(q->bytes);
  free(q->bucket);
}

/* Frees removed entries.  All other entries stay or move forward. */
void gscale__fifo_compact(gscale__fifo *q)
{
  const uint32_t all = q->next - q->oldest;

  memset(q->bucket, 0, buckets(q) * sizeof *q->bucket);
  q->next = q->oldest;
  q->count = 0;
  for (uint32_t i = 0; i < all; i++) {
    const gscale__entry *const e = gscale__fifo_at(q, q->oldest + i);
    if (e->copies == 0) continue;
    gscale__fifo_put(q, gscale__fifo_bucket(q, e->key), e->key,
                     gscale__bytes_in(q, e), e->copies);
    q->count++;
  }
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
