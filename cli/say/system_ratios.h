/* system_ratios.h - pairs of systems: speedup, its probability, and cost. */
#ifndef GPUSCALE_LUA_PREDICT_VERSUS_H
#define GPUSCALE_LUA_PREDICT_VERSUS_H

#include "say/ranking.h"

/* Two systems on so many GPUs, each with its best paradigm. */
typedef struct versus {
  entrant a, b;
  double ratio;     /* time of b / time of a */
  double low, high; /* bounds, one standard error */
  double faster;    /* probability that a is faster */
  double pays;      /* that the expensive one costs less; NaN: no prices */
  double enough;    /* that the other is within a share; NaN: not asked */
} versus;

/* Compares a pair; with `share` 0 the last probability is not computed. */
versus versus_weigh(const entrant *a, const entrant *b, double share);

/* Adds a row for each pair and each N that both have. */
int versus_rows(rows *r, const comparison *c, const options *o, failure *why);
size_t versus_columns(const column **out);
/* Prints the same for people. */
int versus_print(FILE *f, const comparison *c, const options *o, failure *why);

#endif /* GPUSCALE_LUA_PREDICT_VERSUS_H */

/* SPDX-License-Identifier: GPL-3.0-or-later */
