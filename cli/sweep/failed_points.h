/* failed_points.h - counts points without an answer, with reasons. */
#ifndef GPUSCALE_GAPS_H
#define GPUSCALE_GAPS_H

#include "common/jobs.h"
#include "say/predict.h"

/* Counts the gaps and keeps the first reason. Element 0 counts the (point, N)
 * without any row, and element 1 + i counts (point, N) where paradigm i has no
 * row but another paradigm has. */
typedef struct gaps {
  struct gap {
    size_t n;
    char reason[GSCALE_TEXT_MAX];
  } of[1 + PARADIGMS_MAX];
} gaps;

void gaps_add(gaps *g, size_t of, size_t n, const char *why);
/* Prints the gaps as notes on stderr, if there are any. */
void gaps_note(const gaps *g);
/* gaps_send() and gaps_take() pass gaps between processes. gaps_send() also
 * clears the gaps. */
void gaps_send(gaps *g, FILE *f);
void gaps_take(gaps *g, passage *p);

#endif /* GPUSCALE_GAPS_H */

/* SPDX-License-Identifier: GPL-3.0-or-later */
