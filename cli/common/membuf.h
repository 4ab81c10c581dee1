/* membuf.h - implements a memory stream that reports lost writes. */
#ifndef GPUSCALE_MEMBUF_H
#define GPUSCALE_MEMBUF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* A draft has the text of a stream. glibc's open_memstream() is similar, but if
 * memory is exhausted it drops text and reports no error on the stream. Also,
 * fclose() of a memory stream of glibc may return 0 although there is no text
 * at all. */
typedef struct draft {
  FILE *f;
  char *at; /* ends with a NUL */
  size_t size, room;
  size_t written; /* total, also ftell(f) */
  int lost;       /* errno of the first failure */
  /* If not NULL, overflow() takes text instead of memory, and returns false
   * with errno on failure. */
  bool (*overflow)(struct draft *t, const char *more, size_t n, void *closure);
  void *closure;
} draft;

/* Returns false without memory. The struct must not move until it is freed. */
bool draft_open(draft *t);
/* Ends the stream. Returns false with errno if any text was lost. */
bool draft_end(draft *t);
void draft_free(draft *t); /* ends the stream, clears *t */
/* Appends text to memory, for an overflow function that keeps the text. */
bool draft_append(draft *t, const char *more, size_t n);

#endif /* GPUSCALE_MEMBUF_H */

/* SPDX-License-Identifier: GPL-3.0-or-later */
