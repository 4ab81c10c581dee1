/* report.h - one page that answers for one program on one system. */
#ifndef GPUSCALE_REPORT_H
#define GPUSCALE_REPORT_H

#include "predict/predict.h"

/* Writes the page on the answers, which have errors, to a question of more than
 * one N: the answer in three sentences, the curve, what limits the best way on
 * the most GPUs, what to measure next, where each number comes from, how far
 * all this holds. */
int report_write(FILE *f, const question *q, const answer *a, failure *why);

#endif /* GPUSCALE_REPORT_H */
