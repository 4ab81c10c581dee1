/* memory.c - blocks of memory, where a call is what is wanted. */

#include "ground/ground.h"

#include <string.h>

void gscale__clear(void *at, size_t size)
{
  memset(at, 0, size);
}

void gscale__copy(void *to, const void *from, size_t size)
{
  memcpy(to, from, size);
}
