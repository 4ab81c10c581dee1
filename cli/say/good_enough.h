/* good_enough.h - what is enough to come within a share of the best. */
#ifndef GPUSCALE_LUA_PREDICT_WITHIN_H
#define GPUSCALE_LUA_PREDICT_WITHIN_H

#include "say/ranking.h"

/* What is asked to be small; of what is as small the faster is taken. */
typedef enum frugality {
  SLOWEST_LINK, /* or, of several values of a number, the least demanding */
  FEWEST_GPUS,
  SIMPLEST_WAY,
  FRUGALITIES
} frugality;

typedef struct within {
  entrant best;               /* of all, .s is NULL if nothing runs */
  double factor;              /* of its time that is still within */
  entrant least[FRUGALITIES]; /* .s is NULL: nothing that is asked for */
  entrant nearest;            /* to the best, of what is asked for */
} within;

/* With links that are asked for, the system's own is what they are compared
 * with, and not an answer. */
int within_find(within *w, const comparison *c, double share, failure *why);

/* predict's columns, and how far each is behind the best, how likely it is
 * within the share, and what it is the answer to. */
size_t within_columns(const column **out);
int within_rows(rows *r, size_t columns, const comparison *c, double share,
                failure *why);

#endif /* GPUSCALE_LUA_PREDICT_WITHIN_H */

/* SPDX-License-Identifier: GPL-3.0-or-later */
