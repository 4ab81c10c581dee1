/* queue.c - a fully associative queue in the order of addition.
 *
 * Entries lie in a ring; buckets chain them by key. */

#include "replay/replay.h"

#include <stdlib.h>
#include <string.h>

enum {
  FEW = 64 /* buckets are cleared in the time of one entry's */
};

static size_t buckets_for(int capacity)
{
  size_t n = 4;
  while (n < 8 * (size_t)capacity) n *= 2;
  return n;
}

static void clear_buckets(gscale__fifo *q)
{
  memset(q->bucket, 0xff, q->buckets * sizeof *q->bucket); /* NONE */
}

/* Half as many places again as entries, for removed ones. */
bool gscale__fifo_init(gscale__fifo *q, int capacity)
{
  *q = (gscale__fifo){.buckets = buckets_for(capacity),
                      .room = (uint16_t)(capacity + capacity / 2 + 1)};
  q->shift = gscale__shift_for(q->buckets);
  q->entry = calloc(q->room, sizeof *q->entry);
  q->bucket = malloc(q->buckets * sizeof *q->bucket);
  if (!q->entry || !q->bucket) return false;
  clear_buckets(q);
  return true;
}

/* Of a queue from which none was removed alone: few entries clear their own
 * buckets, many all at once. */
void gscale__fifo_clear(gscale__fifo *q)
{
  if (FEW * q->count < q->buckets)
    for (uint16_t i = 0; i < q->count; i++)
      q->bucket[q->entry[i].in] = GSCALE__NONE;
  else
    clear_buckets(q);
  q->oldest = q->next = q->count = 0;
}

/* Of the same capacity. */
void gscale__fifo_copy(gscale__fifo *to, const gscale__fifo *from)
{
  gscale__entry *const entry = to->entry;
  uint16_t *const bucket = to->bucket;

  memcpy(entry, from->entry, from->room * sizeof *entry);
  memcpy(bucket, from->bucket, from->buckets * sizeof *bucket);
  *to = *from;
  to->entry = entry;
  to->bucket = bucket;
}

void gscale__fifo_free(gscale__fifo *q)
{
  free(q->entry);
  free(q->bucket);
}

void gscale__fifo_compact(gscale__fifo *q)
{
  uint16_t left = q->count;

  clear_buckets(q);
  q->next = q->oldest;
  q->count = 0;
  for (uint16_t i = q->oldest; q->count < left; i = gscale__fifo_after(q, i))
    if (q->entry[i].copies > 0)
      gscale__fifo_put(q, q->entry[i].key, gscale__bytes_in(&q->entry[i]),
                       q->entry[i].copies);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
