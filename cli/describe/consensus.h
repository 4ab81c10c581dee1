/* consensus.h - the sequence that most of many have, each of which lacks some
 * of it. */
#ifndef GPUSCALE_AGREED_H
#define GPUSCALE_AGREED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Sequences one behind the other: the k-th is symbol[from[k]] to symbol[from[k
 * + 1]]. */
typedef struct sequences {
  uint32_t *symbol;
  size_t *from;
  size_t n;
} sequences;

/* What most have. */
typedef struct agreed {
  uint32_t *symbol;
  size_t *of, *at; /* a sequence that has it, and where there */
  size_t n;
} agreed;

/* Whether the next symbols of two are the same, as far as there are; of b round
 * and round. */
bool same_from(const uint32_t *a, size_t n, size_t i, const uint32_t *b,
               size_t m, size_t j, bool round);
/* Moves both on to where they are the same again; false if that is far. */
bool meet_again(const uint32_t *a, size_t n, size_t *i, const uint32_t *b,
                size_t m, size_t *j, bool round);
bool agree_on(const sequences *s, agreed *out);
void agreed_free(agreed *a);
/* at[j]: the place in a of b's j-th symbol, in order; SIZE_MAX: it is not
 * there. */
void align(const uint32_t *a, size_t n, const uint32_t *b, size_t m,
           size_t *at);

#endif /* GPUSCALE_AGREED_H */

/* SPDX-License-Identifier: GPL-3.0-or-later */
