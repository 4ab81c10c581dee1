/* membuf.h - a memory stream that reports lost writes. */
#ifndef GPUSCALE_MEMBUF_H
#define GPUSCALE_MEMBUF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* The text of a stream.  glibc's open_memstream() does the same, but drops text
 * without an error on the stream when memory runs out, and its fclose() may
 * return 0 with no text at all. */
typedef struct draft {
  FILE *f;
  char *at; /* ends with a NUL */
  size_t size, room;
  size_t written; /* total, also ftell(f) */
  int lost;       /* errno of first failure */
  /* Takes text in place of memory, or returns false with errno.  It may be
   * NULL. */
  bool (*overflow)(struct draft *t, const char *more, size_t n, void *closure);
  void *closure;
} draft;

/* Returns false without memory.  The struct must not move until it is freed. */
bool draft_open(draft *t);
/* Ends the stream; returns false with errno unless all text is there. */
bool draft_end(draft *t);
void draft_free(draft *t); /* ends it, clears *t */
/* Appends to the memory, for an overflow function that keeps the text. */
bool draft_append(draft *t, const char *more, size_t n);

#endif /* GPUSCALE_MEMBUF_H */

/* SPDX-License-Identifier: GPL-3.0-or-later */
