/* arena.c - memory of one run of a description. */

#define _GNU_SOURCE /* mremap() */

#include "language/arena.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum {
  CHUNK = 64 * 1024, /* B */
  GRAIN = 16,        /* B, of small classes */
  FINE = 8,          /* linear classes */
  LARGE = 16 * 1024, /* B, larger: pages */
  PAGE = 4096        /* B */
};

/* This head precedes all blocks of a chunk. */
struct arena_chunk {
  struct arena_chunk *next;
  size_t unused; /* keeps blocks aligned */
};

/* This head precedes a large block. */
struct arena_pages {
  struct arena_pages *before, *after;
  size_t size, unused; /* size: B, whole pages */
};

/* ---- classes ------------------------------------------------------------- */

/* The sizes are multiples of 16 B up to 128 B, then four an octave. Beyond 128
 * B at most a fifth is wasted. */
static size_t class_of(size_t n)
{
  size_t octave = 7; /* 2^octave < n */

  if (n <= FINE * GRAIN) return (n + GRAIN - 1) / GRAIN - 1;
  while ((size_t)2 << octave < n) octave++;
  return FINE + 4 * (octave - 7) +
         (n - 1 - ((size_t)1 << octave)) / ((size_t)1 << (octave - 2));
}

static size_t size_of(size_t class)
{
  const size_t octave = 7 + (class - FINE) / 4;

  if (class < FINE) return (class + 1) * GRAIN;
  return ((size_t)1 << octave) +
         ((class - FINE) % 4 + 1) * ((size_t)1 << (octave - 2));
}

/* ---- pages --------------------------------------------------------------- */

/* Returns whether the limit allows `more` bytes. */
static bool allowed(arena *a, size_t more)
{
  a->over = more > a->most - a->used;
  return !a->over;
}

static bool add_chunk(arena *a, size_t class)
{
  struct arena_chunk *c = allowed(a, CHUNK) ? malloc(CHUNK) : NULL;

  if (!c) return false;
  a->used += CHUNK;
  c->next = a->chunks;
  a->chunks = c;
  a->next[class] = (char *)(c + 1);
  a->end[class] = (char *)c + CHUNK;
  return true;
}

static size_t whole_pages(size_t n)
{
  return (n + sizeof(struct arena_pages) + PAGE - 1) & ~(size_t)(PAGE - 1);
}

static void link_pages(arena *a, struct arena_pages *p)
{
  p->before = NULL;
  p->after = a->pages;
  if (a->pages) a->pages->before = p;
  a->pages = p;
}

static void unlink_pages(arena *a, const struct arena_pages *p)
{
  if (p->after) p->after->before = p->before;
  if (p->before)
    p->before->after = p->after;
  else
    a->pages = p->after;
}

static void *map_pages(arena *a, size_t n)
{
  const size_t size = whole_pages(n);
  struct arena_pages *p;

  if (!allowed(a, size)) return NULL;
  p = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1,
           0);
  if (p == MAP_FAILED) return NULL;
  p->size = size;
  a->used += size;
  link_pages(a, p);
  return p + 1;
}

static void unmap_pages(arena *a, struct arena_pages *p)
{
  unlink_pages(a, p);
  a->used -= p->size;
  munmap(p, p->size);
}

static void *resize_pages(arena *a, struct arena_pages *p, size_t n)
{
  const size_t size = whole_pages(n), was = p->size;
  struct arena_pages *moved;

  if (size > was && !allowed(a, size - was)) return NULL;
  unlink_pages(a, p);
  moved = size == was ? p : mremap(p, was, size, MREMAP_MAYMOVE);
  if (moved == MAP_FAILED) {
    link_pages(a, p);
    return size < was ? p + 1 : NULL;
  }
  a->used = a->used - was + size;
  moved->size = size;
  link_pages(a, moved);
  return moved + 1;
}

/* ---- blocks -------------------------------------------------------------- */

static void *get_block(arena *a, size_t n)
{
  const size_t class = n > LARGE ? 0 : class_of(n);
  void *block = a->free[class];

  if (n > LARGE) return map_pages(a, n);
  if (block) {
    memcpy(&a->free[class], block, sizeof a->free[class]);
    return block;
  }
  if ((size_t)(a->end[class] - a->next[class]) < size_of(class) &&
      !add_chunk(a, class))
    return NULL;
  block = a->next[class];
  a->next[class] += size_of(class);
  return block;
}

static void free_block(arena *a, void *block, size_t n)
{
  if (n > LARGE) {
    unmap_pages(a, (struct arena_pages *)block - 1);
  } else {
    memcpy(block, &a->free[class_of(n)], sizeof a->free[0]);
    a->free[class_of(n)] = block;
  }
}

void *arena_resize(arena *a, void *old, size_t before, size_t after)
{
  void *block;

  if (after == 0) {
    if (old) free_block(a, old, before);
    return NULL;
  }
  if (!old) return get_block(a, after);
  if (before > LARGE && after > LARGE)
    return resize_pages(a, (struct arena_pages *)old - 1, after);
  if (before <= LARGE && after <= LARGE && class_of(before) == class_of(after))
    return old;
  block = get_block(a, after);
  if (!block) return after < before ? old : NULL; /* serves its new class */
  memcpy(block, old, before < after ? before : after);
  free_block(a, old, before);
  return block;
}

void arena_release(arena *a)
{
  while (a->pages) unmap_pages(a, a->pages);
  while (a->chunks) {
    struct arena_chunk *next = a->chunks->next;

    free(a->chunks);
    a->chunks = next;
  }
  *a = (arena){.most = a->most};
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
