/* consensus.h - finds the consensus of many incomplete sequences. */
#ifndef GPUSCALE_CONSENSUS_H
#define GPUSCALE_CONSENSUS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Concatenated sequences: sequence k has symbols from[k] .. from[k + 1] - 1. */
typedef struct sequences {
  uint32_t *symbol;
  size_t *from;
  size_t n;
} sequences;

/* The consensus. */
typedef struct agreed {
  uint32_t *symbol;
  size_t *of, *at; /* sequence and place of each symbol */
  size_t n;
} agreed;

/* Returns true if the next symbols of two sequences match. `round` repeats
 * b. */
bool same_from(const uint32_t *a, size_t n, size_t i, const uint32_t *b,
               size_t m, size_t j, bool round);
/* Advances *i and *j to the next match. Returns false if the next match is too
 * far away. */
bool meet_again(const uint32_t *a, size_t n, size_t *i, const uint32_t *b,
                size_t m, size_t *j, bool round);
bool agree_on(const sequences *s, agreed *out);
void agreed_free(agreed *a);
/* Sets at[j] to the place in a of symbol j of b, in order, or to SIZE_MAX. */
void align(const uint32_t *a, size_t n, const uint32_t *b, size_t m,
           size_t *at);

#endif /* GPUSCALE_CONSENSUS_H */

/* SPDX-License-Identifier: GPL-3.0-or-later */
