/* sliders.h - computes answers in a page for values set by sliders. */
#ifndef GPUSCALE_SLIDERS_H
#define GPUSCALE_SLIDERS_H

#include "say/predict.h"

enum {
  MOVES_AXES = 3 /* sliders except that of N */
};

typedef struct moves moves;

/* Answers the question *q of the options at each value of each --over by times,
 * intervals, bounds and the best paradigm for each N. *out must be freed even
 * after a failure. */
int moves_new(const question *q, const options *o, moves **out, failure *why);
void moves_free(moves *m);

/* Writes the sliders, which are hidden without a script, and the script with
 * the answers (sliders.js). */
void moves_put(FILE *f, const moves *m);

#endif /* GPUSCALE_SLIDERS_H */

/* SPDX-License-Identifier: GPL-3.0-or-later */
