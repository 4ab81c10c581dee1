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
  q->bucket = calloc(buckets(q), sizeof *q->bucket);
  return q->entry && q->bucket;
}

/* Copies a queue of the same capacity. */
void gscale__fifo_copy(gscale__fifo *to, const gscale__fifo *from)
{
  const gscale__fifo own = *to;

  memcpy(own.entry, from->entry, ((size_t)from->bound + 1) * sizeof *own.entry);
  memcpy(own.bucket, from->bucket, buckets(from) * sizeof *own.bucket);
  *to = *from;
  to->entry = own.entry;
  to->bucket = own.bucket;
}

void gscale__fifo_free(gscale__fifo *q)
{
  free(q->entry);
  free(q->bucket);
}

/* Returns the bucket of a key, which has the number of its newest entry. */
static uint16_t *bucket_of(const gscale__fifo *q, uint64_t key)
{
  return &q->bucket[gscale__hash(key) >> q->shift];
}

gscale__entry *gscale__fifo_find(const gscale__fifo *q, uint64_t key)
{
  const uint32_t all = q->next - q->oldest;
  uint32_t i = (uint16_t)(*bucket_of(q, key) - q->oldest);

  while (i < all) {
    gscale__entry *const e = gscale__fifo_at(q, q->oldest + i);
    if (e->key == key && e->copies > 0) return e;
    if ((uint32_t)e->back - 1 >= i) break; /* no entry is left */
    i -= e->back;
  }
  return NULL;
}

/* Puts a new key into a free place and its bucket. */
static void put(gscale__fifo *q, uint64_t key, gscale__mask bytes,
                uint64_t copies)
{
  uint16_t *const bucket = bucket_of(q, key);

  *gscale__fifo_at(q, q->next) = (gscale__entry){
      key, (uint16_t)(q->next - *bucket), (uint8_t)copies, bytes};
  *bucket = (uint16_t)q->next++;
  q->count++;
}

/* Frees removed entries.  All other entries stay or move forward. */
static void compact(gscale__fifo *q)
{
  const uint32_t all = q->next - q->oldest;

  memset(q->bucket, 0, buckets(q) * sizeof *q->bucket);
  q->next = q->oldest;
  q->count = 0;
  for (uint32_t i = 0; i < all; i++) {
    const gscale__entry e = *gscale__fifo_at(q, q->oldest + i);
    if (e.copies > 0) put(q, e.key, e.bytes, e.copies);
  }
}

void gscale__fifo_add(gscale__fifo *q, uint64_t key, gscale__mask bytes,
                      uint64_t copies)
{
  if (q->next - q->oldest > q->bound) compact(q);
  put(q, key, bytes, copies);
}

void gscale__fifo_remove(gscale__fifo *q, gscale__entry *e)
{
  e->copies = 0;
  if (--q->count == 0)
    q->oldest = q->next;
  else
    while (gscale__fifo_at(q, q->oldest)->copies == 0) q->oldest++;
}

void gscale__fifo_clear(gscale__fifo *q)
{
  q->oldest = q->next;
  q->count = 0;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
