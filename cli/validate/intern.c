/* intern.c - one copy of each text that many rows share. */

#include "validate/intern.h"
#include "validate/groups.h"

#include <stdlib.h>
#include <string.h>

enum {
  BLOCK = 1 << 16 /* B */
};

struct lexicon_block {
  struct lexicon_block *next;
  size_t used, room;
  char text[];
};

/* Returns the slot of the text, or a free slot for it. */
static const char **find(const lexicon *n, const char *text)
{
  size_t i = (size_t)hash_text(0, text) & (n->slots - 1);

  while (n->slot[i] && strcmp(n->slot[i], text) != 0)
    i = (i + 1) & (n->slots - 1);
  return &n->slot[i];
}

/* Keeps at least half of the slots free. */
static int make_room(lexicon *n)
{
  lexicon more = *n;

  if (2 * (n->used + 1) <= n->slots) return 1;
  more.slots = n->slots ? 2 * n->slots : 64;
  more.slot = calloc(more.slots, sizeof *more.slot);
  if (!more.slot) return 0;
  for (size_t i = 0; i < n->slots; i++)
    if (n->slot[i]) *find(&more, n->slot[i]) = n->slot[i];
  free(n->slot);
  *n = more;
  return 1;
}

static char *copy(lexicon *n, const char *text, size_t size)
{
  struct lexicon_block *b = n->blocks;

  if (!b || b->room - b->used < size) {
    const size_t room = size > BLOCK ? size : BLOCK;

    b = malloc(sizeof *b + room);
    if (!b) return NULL;
    *b = (struct lexicon_block){.next = n->blocks, .room = room};
    n->blocks = b;
  }
  b->used += size;
  return memcpy(b->text + b->used - size, text, size);
}

const char *lexicon_keep(lexicon *n, const char *text)
{
  const char **at;

  if (!make_room(n)) return NULL;
  at = find(n, text);
  if (*at) return *at;
  *at = copy(n, text, strlen(text) + 1);
  n->used += *at != NULL;
  return *at;
}

void lexicon_free(lexicon *n)
{
  while (n->blocks) {
    struct lexicon_block *next = n->blocks->next;

    free(n->blocks);
    n->blocks = next;
  }
  free(n->slot);
  *n = (lexicon){0};
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
