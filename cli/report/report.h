/* report.h - one page that answers for one program on one system. */
#ifndef GPUSCALE_REPORT_H
#define GPUSCALE_REPORT_H

#include "describe/describe.h"
#include "figures/drawn.h"
#include "report/sliders.h"
#include "validate/study.h"

/* What was measured. */
typedef struct evidence {
  const char *files;  /* NULL: nothing */
  const measured *at; /* for the figure */
  size_t n;
  const study *s;         /* the same runs, predicted */
  const profile *profile; /* NULL: none */
} evidence;

/* Writes the page on the answers, which have errors, to a question of more than
 * one N: the answer in three sentences, the curve, what limits the best way on
 * the most GPUs, where the time of a profiled step goes and how far it was off
 * on runs, if there are any, what to measure next, where each number comes
 * from, how far all this holds.  With answers that are moved by hand, unless m
 * is NULL, the curve, the ranking and the answer follow it. */
int report_write(FILE *f, const question *q, const answer *a, const evidence *e,
                 const moves *m, failure *why);
/* What a profile shows: its step, where each GPU's time goes, the step drawn as
 * the page's figure of that number (profiled.c). */
int put_profile(FILE *f, const profile *p, int number, failure *why);

#endif /* GPUSCALE_REPORT_H */

/* SPDX-License-Identifier: GPL-3.0-or-later */
