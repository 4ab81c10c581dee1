/* groups.h - which rows are alike, in time that grows with their number. */
#ifndef GPUSCALE_GROUPS_H
#define GPUSCALE_GROUPS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define NO_ROW SIZE_MAX

/* What makes rows alike: same() is an equivalence, and rows that are the same
 * have one hash. */
typedef struct likeness {
  uint64_t (*hash)(const void *all, size_t i);
  bool (*same)(const void *all, size_t i, size_t j);
  const void *all;
} likeness;

/* first[i] = the first row like row i, which may be i.  Free it; NULL if out of
 * memory.  n >= 1. */
size_t *group_rows(size_t n, likeness l);
/* next[i] = the next row after i with the same first[], NO_ROW if none. */
size_t *chain_rows(size_t n, const size_t *first);

/* A hash of one thing more. */
uint64_t hash_number(uint64_t hash, uint64_t number);
uint64_t hash_text(uint64_t hash, const char *text);

#endif /* GPUSCALE_GROUPS_H */

/* SPDX-License-Identifier: GPL-3.0-or-later */
