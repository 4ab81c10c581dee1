/* temporary.h - creates temporary files that signals remove. */
#ifndef GPUSCALE_TEMPORARY_H
#define GPUSCALE_TEMPORARY_H

#include <stdbool.h>
#include <stddef.h>

/* A temporary file is in the directory of the target that it will replace. */
typedef struct temporary {
  int fd;     /* -1: none */
  char *path; /* NULL if nameless or renamed */
} temporary;

/* All functions here return false with errno on failure. A signal that ends the
 * program first removes every temporary file. */
bool temporary_beside(temporary *t, const char *target);
/* Creates a nameless file in $TMPDIR or /tmp. */
bool temporary_nameless(temporary *t);
/* Renames the file to `target`. If renaming fails, the file is removed. */
bool temporary_becomes(temporary *t, const char *target);
void temporary_remove(temporary *t);
/* Forgets the parent's temporary files in a forked process, and restores the
 * default actions of signals. */
void temporary_disown(void);
/* Writes all bytes to any file. */
bool write_all(int fd, const void *text, size_t size);

#endif /* GPUSCALE_TEMPORARY_H */

/* SPDX-License-Identifier: GPL-3.0-or-later */
