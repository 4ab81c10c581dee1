/* lines.c - which bytes of which lines were seen since a synchronisation.
 *
 * Open addressing with linear probing.  A slot of a past epoch is free, so that
 * forgetting everything costs nothing; nothing else is ever removed. */

#include "replay/replay.h"

#include <stdlib.h>
#include <string.h>

enum {
  FIRST_ROOM = 1024
};

bool gscale__lines_init(gscale__lines *l)
{
  l->slot = calloc(FIRST_ROOM, sizeof *l->slot);
  l->room = FIRST_ROOM;
  l->epoch = 1;
  return l->slot != NULL;
}

void gscale__lines_free(gscale__lines *l)
{
  free(l->slot);
}

void gscale__lines_forget(gscale__lines *l)
{
  l->used = 0;
  if (++l->epoch != 0) return;
  memset(l->slot, 0, l->room * sizeof *l->slot); /* after 2^32 epochs */
  l->epoch = 1;
}

/* The slot of the key, or the free one in which it belongs. */
static gscale__seen *probe(const gscale__lines *l, uint64_t key)
{
  size_t i = gscale__hash(key) & (l->room - 1);
  while (l->slot[i].epoch == l->epoch && l->slot[i].key != key)
    i = (i + 1) & (l->room - 1);
  return &l->slot[i];
}

static bool grow(gscale__lines *l)
{
  gscale__lines more = *l;

  more.room = 2 * l->room;
  more.slot = calloc(more.room, sizeof *more.slot);
  if (!more.slot) return false;
  for (size_t i = 0; i < l->room; i++)
    if (l->slot[i].epoch == l->epoch)
      *probe(&more, l->slot[i].key) = l->slot[i];
  free(l->slot);
  *l = more;
  return true;
}

bool gscale__lines_add(gscale__lines *l, uint64_t key, gscale__mask bytes,
                       gscale__mask *before)
{
  gscale__seen *s = probe(l, key);

  if (s->epoch == l->epoch) {
    *before = s->bytes;
    s->bytes |= bytes;
    return true;
  }
  *before = 0;
  if (2 * (l->used + 1) > l->room) {
    if (!grow(l)) return false;
    s = probe(l, key);
  }
  *s = (gscale__seen){bytes, key, l->epoch};
  l->used++;
  return true;
}
