/* pages.c - subscriptions of pages, and the GPUs that receive a store. */

#include "replay/replay.h"

#include <stdlib.h>

enum {
  FIRST_ROOM = 256,
  NEAR = 4096 /* slots that are always cached */
};

bool gscale__pages_init(gscale__pages *p)
{
  p->slot = calloc(FIRST_ROOM, sizeof *p->slot);
  p->room = FIRST_ROOM;
  p->shift = gscale__shift_for(FIRST_ROOM);
  return p->slot != NULL;
}

void gscale__pages_free(gscale__pages *p)
{
  free(p->slot);
}

static gscale__page *probe(const gscale__pages *p, uint64_t number)
{
  gscale__page *page = gscale__pages_first(p, number);

  while (page->subscribers && page->number != number)
    if (++page == p->slot + p->room) page = p->slot;
  return page;
}

static bool grow(gscale__pages *p)
{
  gscale__pages more = {NULL, 2 * p->room, p->used, p->shift - 1};

  more.slot = calloc(more.room, sizeof *more.slot);
  if (!more.slot) return false;
  for (size_t i = 0; i < p->room; i++)
    if (p->slot[i].subscribers) *probe(&more, p->slot[i].number) = p->slot[i];
  free(p->slot);
  *p = more;
  return true;
}

/* Returns a page, with the given subscribers if the page is new, or NULL if
 * memory is exhausted.  The page is valid until the next call. */
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
gscale__page *gscale__page_of(gscale_replay *r, int gpu, uint64_t number)
{
  const bool alone = r->o.profile > 0 && !r->profiling;
  gscale__page *const page =
      page_at(&r->pages, number, alone ? gscale__bit(gpu) : r->everyone);

  if (!page) r->status = GSCALE_ENOMEM;
  return page;
}

void gscale__pages_fetch(const gscale_replay *r, const gscale__piece *p, int n)
{
  const int bits = r->page_bits - GSCALE__LINE_BITS;

  if (r->pages.room <= NEAR) return;
  for (int i = 0; i < n; i++)
    if (gscale__dst_of(p[i].key) == GSCALE__ALL)
      __builtin_prefetch(
          gscale__pages_first(&r->pages, gscale__line_of(p[i].key) >> bits), 1);
}

bool gscale__loads_remotely(gscale_replay *r, int gpu, uint64_t key)
{
  const gscale__page *page;

  if (gscale__dst_of(key) != GSCALE__ALL)
    return gscale__dst_of(key) != (unsigned)gpu;
  page = gscale__touch(r, gpu, gscale__line_of(key));
  return page && !(page->subscribers & gscale__bit(gpu));
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
