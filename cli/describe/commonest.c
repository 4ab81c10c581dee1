/* commonest.c - finds the most frequent of many sequences. */

#include "describe/commonest.h"

#include <stdlib.h>

int by_stretch(const void *a, const void *b)
{
  const stretch *const x = a, *const y = b;
  if (x->key != y->key) return x->key < y->key ? -1 : 1;
  return (x->at > y->at) - (x->at < y->at);
}

size_t commonest(stretch *v, size_t n, size_t *first)
{
  size_t most = 0;

  *first = 0;
  qsort(v, n, sizeof *v, by_stretch);
  for (size_t i = 0, same; i < n; i += same) {
    for (same = 1; i + same < n && v[i + same].key == v[i].key;) same++;
    if (same < most || (same == most && v[i].n <= v[*first].n)) continue;
    most = same;
    *first = i;
  }
  return most;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
