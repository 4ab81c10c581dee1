/* groups.h - groups equal rows in linear time. */
#ifndef GPUSCALE_GROUPS_H
#define GPUSCALE_GROUPS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define NO_ROW SIZE_MAX

/* same() must be an equivalence, and equal rows must have equal hashes. */
typedef struct likeness {
  uint64_t (*hash)(const void *all, size_t i);
  bool (*same)(const void *all, size_t i, size_t j);
  const void *all;
} likeness;

/* Returns an array first[] that maps each of n >= 1 rows to the first equal
 * row. The caller frees the array. NULL means that memory is exhausted. */
size_t *group_rows(size_t n, likeness l);
/* Returns an array of the next row with the same first[], or NO_ROW. */
size_t *chain_rows(size_t n, const size_t *first);

/* Adds a number or a text to a hash. */
uint64_t hash_number(uint64_t hash, uint64_t number);
uint64_t hash_text(uint64_t hash, const char *text);

#endif /* GPUSCALE_GROUPS_H */

/* SPDX-License-Identifier: GPL-3.0-or-later */
