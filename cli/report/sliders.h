/* sliders.h - the answers that a page holds besides its own, for values that
 * are moved by hand. */
#ifndef GPUSCALE_MOVES_H
#define GPUSCALE_MOVES_H

#include "say/predict.h"

enum {
  MOVES_AXES = 3 /* that have a slider, beside the number of GPUs */
};

typedef struct moves moves;

/* Asks the question that the options ask, and that *q is, at each value of each
 * --over: for each N what each way takes, with its interval, what bounds it,
 * which way is the best.  Free it in either case. */
int moves_new(const question *q, const options *o, moves **out, failure *why);
void moves_free(moves *m);

/* Into the page: where the sliders stand, hidden without a script, then the
 * script with the answers (sliders.js). */
void moves_put(FILE *f, const moves *m);

#endif /* GPUSCALE_MOVES_H */

/* SPDX-License-Identifier: GPL-3.0-or-later */
