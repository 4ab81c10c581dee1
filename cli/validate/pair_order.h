/* pair_order.h - compares predicted and measured orders of two paradigms. */
#ifndef GPUSCALE_PAIRS_H
#define GPUSCALE_PAIRS_H

#include "validate/study.h"

typedef struct verdict { /* two paradigms of one program on one N */
  double sure;           /* probability of the predicted order, >= 1/2 */
  bool right;            /* the predicted order was measured */
  size_t program;        /* index of a run of the program */
} verdict;

typedef struct verdicts {
  verdict *of;
  size_t n;
} verdicts;

/* Maps each run to the first run of its cell, which is a program of a file on
 * one N. The caller frees the array. NULL means that memory is exhausted. */
size_t *group_cells(const study *s);
/* Appends a verdict for each pair of runs that move data and are the best of
 * their paradigm. The runs must be predicted and related. */
int pairs_judge(const study *s, verdicts *out, failure *why);

#endif /* GPUSCALE_PAIRS_H */

/* SPDX-License-Identifier: GPL-3.0-or-later */
