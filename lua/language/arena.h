/* arena.h - memory for one run of a description, with a limit that holds for
 * what is really taken from the system. */
#ifndef GPUSCALE_ARENA_H
#define GPUSCALE_ARENA_H

#include <stdbool.h>
#include <stddef.h>

enum {
  ARENA_CLASSES = 36
};

/* Small blocks come in classes of size from chunks; a chunk stays with its
 * class, so that what is free in one class cannot serve another.  Large blocks
 * are pages of their own and go back.  All of it, the free blocks too, counts
 * against the limit: memory in pieces is not memory to spare. */
typedef struct arena {
  size_t most, used; /* B, of chunks and pages */
  struct arena_chunk *chunks;
  struct arena_pages *pages;
  void *free[ARENA_CLASSES];
  char *next[ARENA_CLASSES], *end[ARENA_CLASSES]; /* the last chunk's rest */
  bool over; /* the limit refused a block */
} arena;

/* realloc() of a block of `before` bytes; NULL, and the block is as it was, if
 * the limit (`over`) or the system refuses.  Shrinking never fails. */
void *arena_resize(arena *a, void *old, size_t before, size_t after);
void arena_release(arena *a); /* everything at once */

#endif /* GPUSCALE_ARENA_H */

/* SPDX-License-Identifier: GPL-3.0-or-later */
