/* groups.c - groups equal rows. */

#include "validate/groups.h"

#include <stdlib.h>

/* In the finaliser of splitmix64, every bit of the input affects every bit. */
uint64_t hash_number(uint64_t hash, uint64_t number)
{
  uint64_t z = hash + 0x9e3779b97f4a7c15u + number;

  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

uint64_t hash_text(uint64_t hash, const char *text)
{
  for (; *text; text++) hash = (hash ^ (unsigned char)*text) * 0x100000001b3u;
  return hash_number(hash, 0);
}

/* Returns the number of slots, which is a power of two and at least 2 n. */
static size_t slots_for(size_t n)
{
  size_t slots = 16;

  while (slots / 2 < n) slots *= 2;
  return slots;
}

size_t *group_rows(size_t n, likeness l)
{
  const size_t slots = slots_for(n);
  size_t *first = malloc(n * sizeof *first);
  size_t *slot = first ? malloc(slots * sizeof *slot) : NULL;

  if (!slot) {
    free(first);
    return NULL;
  }
  for (size_t k = 0; k < slots; k++) slot[k] = NO_ROW;
  for (size_t i = 0; i < n; i++) {
    size_t k = (size_t)l.hash(l.all, i) & (slots - 1);

    while (slot[k] != NO_ROW && !l.same(l.all, slot[k], i))
      k = (k + 1) & (slots - 1);
    if (slot[k] == NO_ROW) slot[k] = i;
    first[i] = slot[k];
  }
  free(slot);
  return first;
}

size_t *chain_rows(size_t n, const size_t *first)
{
  size_t *next = malloc(n * sizeof *next);
  size_t *head = next ? malloc(n * sizeof *head) : NULL;

  if (!head) {
    free(next);
    return NULL;
  }
  for (size_t i = 0; i < n; i++) head[i] = NO_ROW;
  for (size_t i = n; i-- > 0;) {
    next[i] = head[first[i]];
    head[first[i]] = i;
  }
  free(head);
  return next;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
