/* commonest.h - finds the most frequent of many sequences. */
#ifndef GPUSCALE_COMMONEST_H
#define GPUSCALE_COMMONEST_H

#include <stddef.h>
#include <stdint.h>

/* A sequence has the hash of its symbols, its place and its length. */
typedef struct stretch {
  uint64_t key;
  size_t at, n;
} stretch;

/* Adds one symbol to the hash of a sequence. The initial hash is the length. */
static inline uint64_t hash_more(uint64_t h, uint64_t symbol)
{
  h = (h ^ symbol) * 0x9E3779B97F4A7C15;
  return h ^ h >> 29;
}

/* Orders sequences by hash and place, for qsort(). */
int by_stretch(const void *a, const void *b);
/* Sorts sequences by_stretch(). Returns how often the most frequent
 * sequence occurs, and of equals the longest. The first occurrence is
 * v[*first]. */
size_t commonest(stretch *v, size_t n, size_t *first);

#endif /* GPUSCALE_COMMONEST_H */

/* SPDX-License-Identifier: GPL-3.0-or-later */
