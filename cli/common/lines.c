/* lines.c - reads the lines of a file, and distinguishes the end from read
 * errors. */

#include "common/lines.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int lines_next(lines *l, failure *why)
{
  const ssize_t n = getline(&l->at, &l->room, l->f);

  l->size = n > 0 ? (size_t)n : 0;
  if (n > 0 || (feof(l->f) && !ferror(l->f))) return EXIT_OK;
  if (errno == ENOMEM)
    return fail(why, EXIT_INTERNAL, "no memory to read %.200s", l->name);
  return fail(why, EXIT_IO, "%.200s: cannot be read: %s", l->name,
              strerror(errno));
}

void lines_free(lines *l)
{
  free(l->at);
  *l = (lines){.f = NULL};
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
