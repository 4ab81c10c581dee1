/* pair_order.h - the predicted and the measured order of two paradigms. */
#ifndef GPUSCALE_PAIRS_H
#define GPUSCALE_PAIRS_H

#include "validate/study.h"

typedef struct verdict { /* order of two paradigms of one program on one N */
  double sure;           /* probability of the predicted order, >= 1/2 */
  bool right;            /* whether the predicted order was measured */
  size_t program;        /* index of a run of the program */
} verdict;

typedef struct verdicts {
  verdict *of;
  size_t n;
} verdicts;

/* Maps each run to the first run of its cell: a program of a file on one N, by
 * any paradigm.  The caller frees the array; NULL means out of memory. */
size_t *group_cells(const study *s);
/* Appends a verdict for each pair of runs that move data and are the best of
 * their paradigm.  The runs must be predicted and related. */
int pairs_judge(const study *s, verdicts *out, failure *why);

#endif /* GPUSCALE_PAIRS_H */

/* SPDX-License-Identifier: GPL-3.0-or-later */
