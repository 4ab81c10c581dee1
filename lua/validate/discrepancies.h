/* discrepancies.h - runs of programs to the model's own error. */
#ifndef GPUSCALE_DISCREPANCIES_H
#define GPUSCALE_DISCREPANCIES_H

#include "cli/cli.h"

typedef struct discrepancy_row {
  gscale_discrepancy fit;
  gscale_spread spread;
  gscale_score score;
} discrepancy_row;

typedef struct discrepancies {
  size_t n;
  discrepancy_row *of;
} discrepancies;

/* Replaces the discrepancies of *s by those of the runs in the files of `list`,
 * "a.csv,b.csv": one for each program and paradigm, on more than one GPU, with
 * the parameters *s has.  Free out->of in either case. */
int discrepancies_fit(gscale_system *s, const char *list, discrepancies *out,
                      failure *why);

#endif /* GPUSCALE_DISCREPANCIES_H */

/* SPDX-License-Identifier: GPL-3.0-or-later */
