/* arena.h - memory of one run of a description, limited by what is taken from
 * the system. */
#ifndef GPUSCALE_ARENA_H
#define GPUSCALE_ARENA_H

#include <stdbool.h>
#include <stddef.h>

enum {
  ARENA_CLASSES = 36
};

/* Small blocks have size classes and come from chunks. A chunk stays with its
 * class, so that its free blocks serve no other class. Large blocks are pages
 * of their own and are returned. All of it, including free blocks, counts
 * against the limit. */
typedef struct arena {
  size_t most, used; /* B */
  struct arena_chunk *chunks;
  struct arena_pages *pages;
  void *free[ARENA_CLASSES];
  char *next[ARENA_CLASSES], *end[ARENA_CLASSES]; /* current chunk */
  bool over;                                      /* limit refused a block */
} arena;

/* Reallocates a block of `before` bytes. If the limit (`over`) or the system
 * refuses, the result is NULL and the block unchanged. Shrinking never
 * fails. */
void *arena_resize(arena *a, void *old, size_t before, size_t after);
void arena_release(arena *a); /* frees everything */

#endif /* GPUSCALE_ARENA_H */

/* SPDX-License-Identifier: GPL-3.0-or-later */
