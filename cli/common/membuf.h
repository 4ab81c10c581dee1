/* membuf.h - text in the making, in memory. */
#ifndef GPUSCALE_DRAFT_H
#define GPUSCALE_DRAFT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* What a stream wrote.  open_memstream() does this too, but glibc's loses what
 * it has no memory for without an error on the stream, and its fclose() may
 * return 0 with no text at all. */
typedef struct draft {
  FILE *f;
  char *at; /* ended by a NUL */
  size_t size, room;
  size_t written; /* in all; ftell(f) says this too */
  int lost;       /* errno of the first write that failed, 0: none */
  /* Takes what is written in place of memory, or returns false with errno; may
   * be NULL. */
  bool (*overflow)(struct draft *t, const char *more, size_t n, void *closure);
  void *closure;
} draft;

/* False if out of memory.  The text must stay where it is until it is freed. */
bool draft_open(draft *t);
/* Ends the stream; false, with errno, unless all that was written is there. */
bool draft_end(draft *t);
void draft_free(draft *t); /* ends it if need be; *t is then all 0 */
/* Appends, as the stream does; for who overflows. */
bool draft_append(draft *t, const char *more, size_t n);

#endif /* GPUSCALE_DRAFT_H */

/* SPDX-License-Identifier: GPL-3.0-or-later */
