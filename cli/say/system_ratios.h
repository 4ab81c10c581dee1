/* system_ratios.h - each two of several systems: how much faster, how sure,
 * whether the dearer one pays. */
#ifndef GPUSCALE_LUA_PREDICT_VERSUS_H
#define GPUSCALE_LUA_PREDICT_VERSUS_H

#include "say/ranking.h"

/* Two systems on so many GPUs, each by its best way. */
typedef struct versus {
  entrant a, b;
  double ratio;     /* times as fast as b is a */
  double low, high; /* of one standard error either way */
  double faster;    /* probability that a is faster */
  double pays;      /* that the dearer one's step costs less; NaN: no prices */
  double enough;    /* that the other one is within a share; NaN: not asked */
} versus;

/* With `share` 0 nobody asks whether that is enough. */
versus versus_weigh(const entrant *a, const entrant *b, double share);

/* A row for each pair and each N that both have, by the best way of each. */
int versus_rows(rows *r, const comparison *c, const options *o, failure *why);
size_t versus_columns(const column **out);
/* The same for people. */
int versus_print(FILE *f, const comparison *c, const options *o, failure *why);

#endif /* GPUSCALE_LUA_PREDICT_VERSUS_H */

/* SPDX-License-Identifier: GPL-3.0-or-later */
