/* pages.c - subscriptions of pages, and the GPUs that receive a store. */

#include "replay/replay.h"

#include <stdlib.h>

enum {
  FIRST_ROOM = 256
};

bool gscale__pages_init(gscale__pages *p)
{
  p->slot = calloc(FIRST_ROOM, sizeof *p->slot);
  p->room = FIRST_ROOM;
  return p->slot;
}

void gscale__pages_free(gscale__pages *p)
{
  free(p->slot);
}

static gscale__page *probe(const gscale__pages *p, uint64_t number)
{
  gscale__page *page =
      &p->slot[gscale__hash_of(number) >> gscale__shift_for(p->room)];

  while (page->subscribers && page->number != number)
    if (++page == p->slot + p->room) page = p->slot;
  return page;
}

static bool grow(gscale__pages *p)
{
  gscale__pages more = {NULL, 2 * p->room, p->used};

  more.slot = calloc(more.room, sizeof *more.slot);
  if (!more.slot) return false;
  for (size_t i = 0; i < p->room; i++)
    if (p->slot[i].subscribers) *probe(&more, p->slot[i].number) = p->slot[i];
  free(p->slot);
  *p = more;
  return true;
}

/* Returns a page, with the given subscribers if the page is new, or NULL if
 * memory is exhausted. */
static gscale__page *page_at(gscale__pages *p, uint64_t number,
                             uint64_t subscribers)
{
  gscale__page *page = probe(p, number);

  if (!page->subscribers) {
    if (4 * (p->used + 1) > p->room) {
      if (!grow(p)) return NULL;
      page = probe(p, number);
    }
    *page = (gscale__page){number, subscribers, 0, false};
    p->used++;
  }
  return page;
}

/* All GPUs subscribe to pages that appear during profiling, or in a replay that
 * never profiles.  A page that appears later has one subscriber, the first GPU
 * that touches the page. */
gscale__page *gscale__touch(gscale_replay *r, int gpu, uint64_t key)
{
  const bool alone = r->o.profile > 0 && !r->profiling;
  gscale__page *const page = page_at(&r->pages, gscale__page_at(r, key),
                                     alone ? gscale__bit(gpu) : r->everyone);

  if (page)
    page->touched |= gscale__bit(gpu);
  else
    r->status = GSCALE_ENOMEM;
  return page;
}

uint64_t gscale__receivers(gscale_replay *r, int gpu, uint64_t key)
{
  const unsigned dst = gscale__dst_of(key);
  uint64_t to = gscale__bit((int)dst & 63);

  if (dst == GSCALE__ALL) {
    const gscale__page *const page = gscale__touch(r, gpu, key);
    to = page ? page->subscribers : 0;
  }
  return to & ~gscale__bit(gpu);
}

bool gscale__loads_remotely(gscale_replay *r, int gpu, uint64_t key)
{
  const gscale__page *page;

  if (gscale__dst_of(key) != GSCALE__ALL)
    return gscale__dst_of(key) != (unsigned)gpu;
  page = gscale__touch(r, gpu, key);
  return page && !(page->subscribers & gscale__bit(gpu));
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
