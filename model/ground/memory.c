/* memory.c - copying and clearing of memory by calls, growing arrays, text. */

#include "ground/ground.h"

#include <stdlib.h>
#include <string.h>

void gscale__clear(void *at, size_t size)
{
  memset(at, 0, size);
}

void gscale__copy(void *to, const void *from, size_t size)
{
  memcpy(to, from, size);
}

void *gscale_reserve(void *at, size_t *room, size_t need, size_t size)
{
  if (at && need <= *room) return at;
  const size_t more = need < 32 ? 64 : 2 * need;
  void *const moved = realloc(at, more * size);
  if (moved) *room = more;
  return moved;
}

void gscale__copy_text(char *to, size_t size, const char *from)
{
  size_t n = strlen(from);
  if (n >= size) n = size - 1;
  memcpy(to, from, n);
  to[n] = '\0';
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
