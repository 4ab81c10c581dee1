/* good_enough.h - finds the least system that is almost as fast as the best. */
#ifndef GPUSCALE_GOOD_ENOUGH_H
#define GPUSCALE_GOOD_ENOUGH_H

#include "say/ranking.h"

/* The quantity to minimize. Of equal candidates, the fastest is chosen. */
typedef enum frugality {
  SLOWEST_LINK, /* or least demanding value */
  FEWEST_GPUS,
  SIMPLEST_PARADIGM,
  FRUGALITIES
} frugality;

typedef struct within {
  entrant best;               /* NULL if nothing runs */
  double factor;              /* largest time ratio */
  entrant least[FRUGALITIES]; /* NULL if not found */
  entrant nearest;            /* fastest candidate */
} within;

/* Finds the best and the least demanding entrants. With --link, the system's
 * original link is only the reference. */
int within_find(within *w, const comparison *c, double share, failure *why);

/* Appends three columns to those of `predict`: the ratio to the best, the
 * probability to be within the share, and the answered questions. */
size_t within_columns(const column **out);
int within_rows(rows *r, size_t columns, const comparison *c, double share,
                failure *why);

#endif /* GPUSCALE_GOOD_ENOUGH_H */

/* SPDX-License-Identifier: GPL-3.0-or-later */
