/* lines.c - bytes of lines that were seen since the last synchronisation.
 *
 * The table uses open addressing with linear probing.  Lines of past epochs are
 * free, so that it costs nothing to forget all lines, and no single line is
 * ever removed. */

#include "replay/replay.h"

#include <stdlib.h>
#include <string.h>

enum {
  FIRST_ROOM = 64
};

void gscale__lines_free(gscale__lines *l)
{
  free(l->seen);
}

void gscale__lines_forget(gscale__lines *l)
{
  l->used = 0;
  if (++l->epoch != 0) return;
  /* only after 2^32 epochs */
  for (size_t i = 0; i < l->room; i++) l->seen[i].epoch = 0;
  l->epoch = 1;
}

/* Returns the line of a key, or the free line for a new key. */
static gscale__seen *probe(const gscale__lines *l, uint64_t key)
{
  gscale__seen *s = &l->seen[gscale__hash(key) >> gscale__shift_for(l->room)];

  while (s->epoch == l->epoch && s->key != key)
    if (++s == l->seen + l->room) s = l->seen;
  return s;
}

static bool enlarge(gscale__lines *l)
{
  gscale__lines more = *l;

  more.room = l->room ? 2 * l->room : FIRST_ROOM;
  more.epoch = l->room ? l->epoch : 1;
  more.seen = calloc(more.room, sizeof *more.seen);
  if (!more.seen) return false;
  for (size_t i = 0; i < l->room; i++)
    if (l->seen[i].epoch == l->epoch)
      *probe(&more, l->seen[i].key) = l->seen[i];
  free(l->seen);
  *l = more;
  return true;
}

bool gscale__lines_copy(gscale__lines *to, const gscale__lines *from)
{
  gscale__lines_forget(to);
  if (from->used == 0) return true;
  if (to->room != from->room) {
    gscale__lines_free(to);
    *to = (gscale__lines){.seen = malloc(from->room * sizeof *to->seen)};
    if (!to->seen) return false;
  }
  memcpy(to->seen, from->seen, from->room * sizeof *to->seen);
  to->room = from->room;
  to->used = from->used;
  to->epoch = from->epoch;
  return true;
}

bool gscale__lines_add(gscale__lines *l, uint64_t key, gscale__mask bytes,
                       gscale__mask *before)
{
  gscale__seen *s;

  *before = 0;
  if (2 * l->used >= l->room && !enlarge(l)) return false;
  s = probe(l, key);
  if (s->epoch != l->epoch) {
    *s = (gscale__seen){.key = key, .epoch = l->epoch};
    l->used++;
  }
  *before = s->bytes;
  s->bytes |= bytes;
  return true;
}

void gscale__deliver(gscale_replay *r, gscale__lines *l, uint64_t key,
                     gscale__mask bytes, uint64_t copies)
{
  gscale_replay_counts *const n = &r->now->n;
  gscale__mask before;

  if (!gscale__lines_add(l, key, bytes, &before)) r->status = GSCALE_ENOMEM;
  const uint64_t again = copies * (uint64_t)gscale__count(bytes & before);
  n->useful_bytes -= again;
  *(r->machine->gathers ? &n->unused_bytes : &n->redundant_bytes) += again;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
