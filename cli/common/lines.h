/* lines.h - reads the lines of a file, and distinguishes the end from read
 * errors. */
#ifndef GPUSCALE_LINES_H
#define GPUSCALE_LINES_H

#include "language/language.h"

#include <sys/types.h>

/* Unlike getline(), this reader distinguishes the end of a file from errors.
 * The reader is initialized as {.f = f, .name = name}. */
typedef struct lines {
  FILE *f;
  const char *name; /* name in failure messages */
  char *at;         /* current line with its newline */
  size_t size;      /* size of the line; 0: end of file */
  size_t room;
} lines;

/* Reads the next line. The size is 0 at the end of the file. */
int lines_next(lines *l, failure *why);
void lines_free(lines *l); /* the file stays open */

#endif /* GPUSCALE_LINES_H */

/* SPDX-License-Identifier: GPL-3.0-or-later */
