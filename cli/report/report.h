/* report.h - writes a page about one program on one system. */
#ifndef GPUSCALE_REPORT_H
#define GPUSCALE_REPORT_H

#include "describe/describe.h"
#include "figures/drawn.h"
#include "report/sliders.h"
#include "say/extrapolate.h"
#include "validate/study.h"

/* Measurements for the page. */
typedef struct evidence {
  const char *files;  /* NULL without files */
  const measured *at; /* for the figure */
  size_t n;
  const study *s; /* runs with predictions */
} evidence;

/* Writes the page on a question with several N, whose answers have errors. The
 * page has the answer in three sentences, the scaling curve, the bound of the
 * best paradigm, errors on runs, the next measurement, the origin of each
 * number and the limits. Unless m is NULL, sliders update the curve, the
 * ranking and the answer. */
int report_write(FILE *f, const question *q, const answer *a, const evidence *e,
                 const moves *m, failure *why);

/* Writes the page of runs without a description: the answer, the curve, the
 * laws as formulas, the knee and the fastest N. */
int report_runs(FILE *f, const ahead_curve *b, failure *why);

#endif /* GPUSCALE_REPORT_H */

/* SPDX-License-Identifier: GPL-3.0-or-later */
