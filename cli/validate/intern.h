/* intern.h - stores each text once that many rows share. */
#ifndef GPUSCALE_LEXICON_H
#define GPUSCALE_LEXICON_H

typedef struct lexicon {
  void *root; /* root of tsearch()'s tree */
} lexicon;

/* Returns the only copy of a text, so that equal texts have the same address.
 * The copy lives as long as the lexicon. Returns NULL without memory. */
const char *lexicon_keep(lexicon *n, const char *text);
void lexicon_free(lexicon *n);

#endif /* GPUSCALE_LEXICON_H */

/* SPDX-License-Identifier: GPL-3.0-or-later */
