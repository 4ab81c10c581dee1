/* intern.h - one copy of each text that many rows share. */
#ifndef GPUSCALE_LEXICON_H
#define GPUSCALE_LEXICON_H

typedef struct lexicon {
  void *root; /* of the tree of tsearch() */
} lexicon;

/* Returns the only copy of a text, so that equal texts have one address.  The
 * copy lives as long as the lexicon.  NULL means out of memory. */
const char *lexicon_keep(lexicon *n, const char *text);
void lexicon_free(lexicon *n);

#endif /* GPUSCALE_LEXICON_H */

/* SPDX-License-Identifier: GPL-3.0-or-later */
