/* t_arena.c - the memory of descriptions: blocks keep what is in them, and what
 * is taken from the system stays below the limit. */

#define _GNU_SOURCE /* MAP_FAILED, syscall() */

#include "language/arena.h"
#include "random.h"

#include <errno.h>
#include <gsl/gsl_test.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

enum {
  BLOCKS = 768,
  STEPS = 200000,
  MOST = 2 << 20 /* B */
};

typedef struct block {
  unsigned char *at;
  size_t size;
  unsigned char mark; /* its first and last byte */
} block;

static block blocks[BLOCKS];
static size_t wrong, unaligned, refused, beyond, stuck;

static void stamp(block *b, unsigned char mark)
{
  b->mark = mark;
  if (b->size > 0) b->at[0] = b->at[b->size - 1] = mark;
}

static rng numbers = {20240607};

/* Sizes of all orders, a tenth of them 0. */
static size_t any_size(void)
{
  if (pick(&numbers, 10) == 0) return 0;
  return (size_t)spread(&numbers, 1.0, pick(&numbers, 20) ? 2e3 : 2e5);
}

static void step(arena *a, block *b, unsigned char mark)
{
  const size_t size = any_size(), was = b->size;
  unsigned char *at = arena_resize(a, b->at, was, size);

  if (!at && size > 0) { /* the old block is still there */
    refused++;
    stuck += size <= was;
    wrong += was > 0 && (b->at[0] != b->mark || b->at[was - 1] != b->mark);
    return;
  }
  wrong += was > 0 && size > 0 && at[0] != b->mark;
  wrong += was > 0 && size >= was && at[was - 1] != b->mark;
  unaligned += (uintptr_t)at % 16 != 0;
  b->at = at;
  b->size = size;
  stamp(b, mark);
}

static void random_blocks(void)
{
  arena a = {.most = MOST};

  for (int i = 0; i < STEPS; i++) {
    step(&a, &blocks[pick(&numbers, BLOCKS)], (unsigned char)i);
    beyond += a.used > MOST;
  }
  gsl_test_int((int)wrong, 0, "blocks keep what is in them");
  gsl_test_int((int)unaligned, 0, "blocks are aligned");
  gsl_test_int((int)beyond, 0, "no more is taken than the limit");
  gsl_test_int((int)stuck, 0, "shrinking never fails");
  gsl_test(refused == 0 || refused == STEPS, "the limit refuses some: %zu",
           refused);
  arena_release(&a);
  gsl_test_int((int)a.used, 0, "all of it goes back");
}

/* What is free between blocks is no room for larger ones, and counts. */
static void fragments(void)
{
  static char *small[MOST / 64];
  arena a = {.most = MOST};
  size_t n = 0;

  while ((small[n] = arena_resize(&a, NULL, 0, 64)) != NULL) n++;
  gsl_test(n < MOST / 64 * 9 / 10, "small blocks use the limit: %zu", n);
  gsl_test(!a.over, "    ... which is what refuses more");
  for (size_t i = 0; i < n; i += 2) arena_resize(&a, small[i], 64, 0);
  gsl_test(arena_resize(&a, NULL, 0, 80) != NULL, "room of another size");
  gsl_test(!arena_resize(&a, NULL, 0, 64), "room of the same size");
  gsl_test(a.used > MOST, "    ... within the limit");
  arena_release(&a);
}

static bool no_moves;

/* In place of the system's: fails where it is told to. */
void *mremap(void *at, size_t was, size_t size, int how, ...)
{
  if (!no_moves) return (void *)syscall(SYS_mremap, at, was, size, how, NULL);
  errno = ENOMEM;
  return MAP_FAILED;
}

/* Pages that cannot be moved stay: they are room enough for less, not for more.
 */
static void pages_that_stay(void)
{
  arena a = {.most = MOST};
  unsigned char *at = arena_resize(&a, NULL, 0, MOST / 4);
  const size_t used = a.used;

  memset(at, 7, MOST / 4);
  no_moves = true;
  gsl_test(arena_resize(&a, at, MOST / 4, MOST / 8) != at, "room for less");
  gsl_test(arena_resize(&a, at, MOST / 4, MOST / 2) != NULL, "none for more");
  no_moves = false;
  gsl_test(at[0] != 7 || at[MOST / 4 - 1] != 7, "    ... what is in it stays");
  gsl_test(a.used != used, "    ... and counts");
  arena_release(&a);
  gsl_test_int((int)a.used, 0, "    ... and goes back");
}

/* Every size has a class that holds it, in order. */
static void classes(void)
{
  arena a = {.most = (size_t)64 << 20};
  size_t bad = 0;

  for (size_t n = 1; n <= 20000; n++) {
    unsigned char *p = arena_resize(&a, NULL, 0, n);
    unsigned char *q = arena_resize(&a, NULL, 0, n);

    if (!p || !q) break;
    memset(p, 1, n);
    memset(q, 2, n);
    bad += p[n - 1] != 1 || p[0] != 1;
    arena_resize(&a, q, n, 0);
    arena_resize(&a, p, n, 0);
  }
  gsl_test_int((int)bad, 0, "blocks do not overlap");
  arena_release(&a);
}

int main(void)
{
  random_blocks();
  fragments();
  pages_that_stay();
  classes();
  return gsl_test_summary();
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
