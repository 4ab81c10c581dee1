/* intern.c - stores each text once that many rows share. */

#include "validate/intern.h"

#include <search.h>
#include <stdlib.h>
#include <string.h>

static int by_text(const void *a, const void *b)
{
  return strcmp(a, b);
}

const char *lexicon_keep(lexicon *n, const char *text)
{
  char *const *found = tfind(text, &n->root, by_text);
  char *copy = found ? NULL : strdup(text);

  if (found) return *found;
  if (copy && tsearch(copy, &n->root, by_text)) return copy;
  free(copy);
  return NULL;
}

void lexicon_free(lexicon *n)
{
  while (n->root) {
    char *text = *(char **)n->root;

    tdelete(text, &n->root, by_text);
    free(text);
  }
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
