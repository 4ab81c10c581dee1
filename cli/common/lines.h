/* lines.h - lines of a file, whose end is not taken for a failure. */
#ifndef GPUSCALE_LINES_H
#define GPUSCALE_LINES_H

#include "language/language.h"

#include <stdbool.h>
#include <sys/types.h>

/* getline() says -1 at the end of a file, and where it cannot read or has no
 * memory.  Begins as {.f = f, .name = name}. */
typedef struct lines {
  FILE *f;
  const char *name; /* what a failure names */
  char *at;         /* this line, with its newline if it has one */
  size_t size;      /* of it; 0: the file has ended */
  size_t room;
} lines;

/* The next line, or size 0 where there is none. */
int lines_next(lines *l, failure *why);
bool line_is_whole(const lines *l); /* it ends with a newline */
void lines_free(lines *l);          /* the file stays open */

#endif /* GPUSCALE_LINES_H */

/* SPDX-License-Identifier: GPL-3.0-or-later */
