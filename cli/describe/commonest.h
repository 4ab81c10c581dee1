/* commonest.h - which of many sequences occurs most often. */
#ifndef GPUSCALE_COMMONEST_H
#define GPUSCALE_COMMONEST_H

#include <stddef.h>
#include <stdint.h>

/* A sequence: the hash of its symbols, where it is, how long it is. */
typedef struct stretch {
  uint64_t key;
  size_t at, n;
} stretch;

/* The hash of a sequence with one symbol more; one of n begins with n. */
static inline uint64_t hash_more(uint64_t h, uint64_t symbol)
{
  h = (h ^ symbol) * 0x9E3779B97F4A7C15;
  return h ^ h >> 29;
}

/* Sorts sequences by hash and place.  Returns how many are alike of those that
 * are most, and of as many longest; the first of them is v[*first]. */
size_t commonest(stretch *v, size_t n, size_t *first);

#endif /* GPUSCALE_COMMONEST_H */

/* SPDX-License-Identifier: GPL-3.0-or-later */
