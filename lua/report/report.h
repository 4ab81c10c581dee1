/* report.h - one page that answers for one program on one system. */
#ifndef GPUSCALE_REPORT_H
#define GPUSCALE_REPORT_H

#include "figures/drawn.h"
#include "validate/study.h"

/* What was measured. */
typedef struct evidence {
  const char *files;  /* NULL: nothing */
  const measured *at; /* for the figure */
  size_t n;
  const study *s; /* the same runs, predicted */
} evidence;

/* Writes the page on the answers, which have errors, to a question of more than
 * one N: the answer in three sentences, the curve, what limits the best way on
 * the most GPUs, how far it was off on runs, if there are any, what to measure
 * next, where each number comes from, how far all this holds. */
int report_write(FILE *f, const question *q, const answer *a, const evidence *e,
                 failure *why);

#endif /* GPUSCALE_REPORT_H */
