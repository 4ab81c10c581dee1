/* system_ratios.h - compares pairs of systems by speedup and cost. */
#ifndef GPUSCALE_SYSTEM_RATIOS_H
#define GPUSCALE_SYSTEM_RATIOS_H

#include "say/ranking.h"

/* Two systems on the same number of GPUs, each with its best paradigm. */
typedef struct versus {
  entrant a, b;
  double ratio;     /* of times, b / a */
  double low, high; /* at one standard error */
  double faster;    /* probability that a is faster */
  double pays;      /* probability; NaN without prices */
  double enough;    /* probability; NaN if not asked */
} versus;

/* Compares a pair. If `share` is 0, the last probability is not computed. */
versus versus_weigh(const entrant *a, const entrant *b, double share);

/* Adds a row for each pair and each N that both systems have. */
int versus_rows(rows *r, const comparison *c, const options *o, failure *why);
size_t versus_columns(const column **out);
/* Prints the pairs for people. */
int versus_print(FILE *f, const comparison *c, const options *o, failure *why);

#endif /* GPUSCALE_SYSTEM_RATIOS_H */

/* SPDX-License-Identifier: GPL-3.0-or-later */
