/* temporary.h - temporary files that no signal leaves behind. */
#ifndef GPUSCALE_TEMPORARY_H
#define GPUSCALE_TEMPORARY_H

#include <stdbool.h>

/* A file that is to take the place of `target`, made beside it. */
typedef struct temporary {
  int fd;     /* -1: none */
  char *path; /* NULL: it has no name any more */
} temporary;

/* All of these return false with errno.  A signal that ends the program removes
 * every temporary file first. */
bool temporary_beside(temporary *t, const char *target);
/* One without a name, in $TMPDIR or /tmp. */
bool temporary_nameless(temporary *t);
/* Moves it there and is done with it; it is removed if that fails. */
bool temporary_becomes(temporary *t, const char *target);
void temporary_remove(temporary *t);
/* In a copy of the process: its temporary files are the other's, and signals do
 * again what they do. */
void temporary_disown(void);

#endif /* GPUSCALE_TEMPORARY_H */

/* SPDX-License-Identifier: GPL-3.0-or-later */
