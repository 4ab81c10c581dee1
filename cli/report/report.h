/* report.h - a page about one program on one system. */
#ifndef GPUSCALE_REPORT_H
#define GPUSCALE_REPORT_H

#include "describe/describe.h"
#include "figures/drawn.h"
#include "report/sliders.h"
#include "validate/study.h"

/* Measurements for the page. */
typedef struct evidence {
  const char *files;  /* NULL: none */
  const measured *at; /* for the figure */
  size_t n;
  const study *s;         /* the runs with predictions */
  const profile *profile; /* NULL: none */
} evidence;

/* Writes the page on a question with several N, whose answers have errors.  It
 * has the answer in three sentences, the scaling curve, the bound of the best
 * paradigm, the breakdown of a profiled step, errors on runs, the next
 * measurement, the origin of each number and the limits.  Sliders update the
 * curve, the ranking and the answer unless m is NULL. */
int report_write(FILE *f, const question *q, const answer *a, const evidence *e,
                 const moves *m, failure *why);
/* Writes the section on a profile with the step as the figure of that number
 * (profiled.c). */
int put_profile(FILE *f, const profile *p, int number, failure *why);

#endif /* GPUSCALE_REPORT_H */

/* SPDX-License-Identifier: GPL-3.0-or-later */
