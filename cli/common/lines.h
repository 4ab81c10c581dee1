/* lines.h - lines of a file, with its end kept apart from read errors. */
#ifndef GPUSCALE_LINES_H
#define GPUSCALE_LINES_H

#include "language/language.h"

#include <stdbool.h>
#include <sys/types.h>

/* getline() returns -1 at the end of a file and for every error; this reader
 * tells them apart.  It starts as {.f = f, .name = name}. */
typedef struct lines {
  FILE *f;
  const char *name; /* name in failure messages */
  char *at;         /* this line, any newline */
  size_t size;      /* of it; 0: end of file */
  size_t room;
} lines;

/* Reads the next line; size is 0 at the end of the file. */
int lines_next(lines *l, failure *why);
void lines_free(lines *l); /* the file stays open */

#endif /* GPUSCALE_LINES_H */

/* SPDX-License-Identifier: GPL-3.0-or-later */
