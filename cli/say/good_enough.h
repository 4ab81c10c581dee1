/* good_enough.h - the least system within a share of the best. */
#ifndef GPUSCALE_GOOD_ENOUGH_H
#define GPUSCALE_GOOD_ENOUGH_H

#include "say/ranking.h"

/* The quantity to minimize; ties go to the faster. */
typedef enum frugality {
  SLOWEST_LINK, /* or least demanding value */
  FEWEST_GPUS,
  SIMPLEST_WAY,
  FRUGALITIES
} frugality;

typedef struct within {
  entrant best;               /* NULL: nothing runs */
  double factor;              /* largest time ratio */
  entrant least[FRUGALITIES]; /* NULL: not found */
  entrant nearest;            /* fastest candidate */
} within;

/* Finds the best and the least demanding entrants.  With --link the system's
 * own link is only the reference. */
int within_find(within *w, const comparison *c, double share, failure *why);

/* Appends to predict's columns the ratio to the best, the probability to be
 * within the share, and the question answered. */
size_t within_columns(const column **out);
int within_rows(rows *r, size_t columns, const comparison *c, double share,
                failure *why);

#endif /* GPUSCALE_GOOD_ENOUGH_H */

/* SPDX-License-Identifier: GPL-3.0-or-later */
