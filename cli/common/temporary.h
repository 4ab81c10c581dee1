/* temporary.h - temporary files that signals remove. */
#ifndef GPUSCALE_TEMPORARY_H
#define GPUSCALE_TEMPORARY_H

#include <stdbool.h>

/* A file in the directory of `target` that will replace it. */
typedef struct temporary {
  int fd;     /* -1: none */
  char *path; /* NULL: nameless or renamed */
} temporary;

/* These functions return false with errno on failure.  A signal that ends the
 * program removes every temporary file first. */
bool temporary_beside(temporary *t, const char *target);
/* Makes a nameless file in $TMPDIR or /tmp. */
bool temporary_nameless(temporary *t);
/* Renames the file to `target` and ends; it is removed if that fails. */
bool temporary_becomes(temporary *t, const char *target);
void temporary_remove(temporary *t);
/* Forgets the temporary files of the parent in a forked process, and restores
 * the default actions of signals. */
void temporary_disown(void);

#endif /* GPUSCALE_TEMPORARY_H */

/* SPDX-License-Identifier: GPL-3.0-or-later */
