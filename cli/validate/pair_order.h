/* pair_order.h - which of two ways is faster, as predicted and as measured. */
#ifndef GPUSCALE_PAIRS_H
#define GPUSCALE_PAIRS_H

#include "validate/study.h"

typedef struct verdict { /* on two paradigms of one program on one N */
  double sure;           /* predicted probability of the one, >= 1/2 */
  bool right;            /* it was the faster one */
  size_t program;        /* index of a run of it */
} verdict;

typedef struct verdicts {
  verdict *of;
  size_t n;
} verdicts;

/* Appends those of all pairs among the runs, predicted and related, that are
 * the best of their paradigm and move data. */
int pairs_judge(const study *s, verdicts *out, failure *why);

#endif /* GPUSCALE_PAIRS_H */

/* SPDX-License-Identifier: GPL-3.0-or-later */
