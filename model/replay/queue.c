/* queue.c - a fully associative queue in the order of addition.
 *
 * Entries lie in one array; buckets chain them by key, links by age. */

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

static void forget(gscale__fifo *q)
{
  q->oldest = q->newest = q->free = GSCALE__NONE;
  q->count = q->touched = 0;
}

bool gscale__fifo_init(gscale__fifo *q, int capacity)
{
  const size_t buckets = buckets_for(capacity);

  q->entry = calloc((size_t)capacity, sizeof *q->entry);
  q->bucket = malloc(buckets * sizeof *q->bucket);
  if (!q->entry || !q->bucket) return false;
  q->buckets = buckets;
  memset(q->bucket, 0xff, buckets * sizeof *q->bucket); /* NONE */
  forget(q);
  return true;
}

/* Few entries clear their own buckets, many all at once. */
void gscale__fifo_clear(gscale__fifo *q)
{
  if (FEW * q->touched < q->buckets)
    for (uint16_t i = 0; i < q->touched; i++)
      q->bucket[gscale__place(q->entry[i].key, q->buckets)] = GSCALE__NONE;
  else
    memset(q->bucket, 0xff, q->buckets * sizeof *q->bucket); /* NONE */
  forget(q);
}

/* Of the same capacity. */
void gscale__fifo_copy(gscale__fifo *to, const gscale__fifo *from)
{
  gscale__entry *const entry = to->entry;
  uint16_t *const bucket = to->bucket;

  memcpy(entry, from->entry, from->touched * sizeof *entry);
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

static void unchain(gscale__fifo *q, uint16_t i)
{
  uint16_t *at = &q->bucket[gscale__place(q->entry[i].key, q->buckets)];
  while (*at != i) at = &q->entry[*at].chain;
  *at = q->entry[i].chain;
}

void gscale__fifo_remove(gscale__fifo *q, uint16_t i)
{
  gscale__entry *const e = &q->entry[i];

  unchain(q, i);
  if (e->older != GSCALE__NONE)
    q->entry[e->older].newer = e->newer;
  else
    q->oldest = e->newer;
  if (e->newer != GSCALE__NONE)
    q->entry[e->newer].older = e->older;
  else
    q->newest = e->older;
  e->chain = q->free;
  q->free = i;
  q->count--;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
