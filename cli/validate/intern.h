/* intern.h - texts that many rows share, each kept once. */
#ifndef GPUSCALE_LEXICON_H
#define GPUSCALE_LEXICON_H

#include <stddef.h>

typedef struct lexicon {
  const char **slot; /* open addressing; NULL: free */
  size_t slots, used;
  struct lexicon_block *blocks; /* where the texts are */
} lexicon;

/* The one copy of a text, which lasts as long as the names: equal texts have
 * the same address.  NULL if out of memory. */
const char *lexicon_keep(lexicon *n, const char *text);
void lexicon_free(lexicon *n);

#endif /* GPUSCALE_LEXICON_H */

/* SPDX-License-Identifier: GPL-3.0-or-later */
