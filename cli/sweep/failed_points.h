/* failed_points.h - points of a study that have no answer, and why. */
#ifndef GPUSCALE_GAPS_H
#define GPUSCALE_GAPS_H

#include "common/jobs.h"
#include "say/predict.h"

/* How many there are of a kind, and why the first is: (point, N) without any
 * row; and of each paradigm, beside others' rows. */
typedef struct gaps {
  struct gap {
    size_t n;
    char reason[GSCALE_TEXT_MAX];
  } of[1 + PARADIGMS_MAX];
} gaps;

void gaps_add(gaps *g, size_t of, size_t n, const char *why);
/* As notes on stderr; nothing if all had answers. */
void gaps_note(const gaps *g);
/* From one process to another: forgets what it sends, adds what it takes. */
void gaps_send(gaps *g, FILE *f);
void gaps_take(gaps *g, passage *p);

#endif /* GPUSCALE_GAPS_H */

/* SPDX-License-Identifier: GPL-3.0-or-later */
