/* posterior_numbers.h - fits numbers of a system to runs, and reports them. */
#ifndef GPUSCALE_POSTERIOR_NUMBERS_H
#define GPUSCALE_POSTERIOR_NUMBERS_H

#include "calibrate/calibrate.h"
#include "validate/conditioning.h"

/* Predictions of runs that a fit did not use. */
typedef struct left_out {
  char what[GSCALE_NAME_MAX + 8]; /* "N = 4", or a program */
  size_t rows;
  double before, after; /* mean |error| */
} left_out;

enum {
  LEFT_OUT_MAX = 33
};

/* Predictions by the written system for one program and paradigm over N. */
typedef struct told {
  size_t of; /* index of its first run */
  size_t rows;
  double off; /* mean |error| on several GPUs */
} told;

typedef struct learning {
  study s;
  given g;
  gscale_posterior *p;
  size_t *row, n;    /* index of each run */
  size_t *measure;   /* most informative runs */
  double *after;     /* standard deviations after them */
  gscale_run *could; /* candidate runs */
  size_t n_could;
  left_out out[LEFT_OUT_MAX];
  size_t outs;
  told *told; /* for each curve */
  size_t n_told;
} learning;

/* The largest error of a curve that the system's numbers explain. */
#define EXPLAINED 0.10

/* The largest distance of a number from its prior in standard deviations. One
 * in 16 000 machines exceeds this distance. */
#define IMPLAUSIBLE 4.0

/* Fits the numbers of c->system to the runs of c->run_file, and stores the
 * numbers with the hashes of the rows. */
int learning_make(learning *l, calibration *c, failure *why);
void learning_free(learning *l);
/* Returns EXIT_NO and names the curves that the written system does not
 * explain, or the implausible number. */
int learning_judge(const learning *l, failure *why);

/* Prints the report to stdout. */
int learning_print(const learning *l, const options *o, failure *why);

#endif /* GPUSCALE_POSTERIOR_NUMBERS_H */

/* SPDX-License-Identifier: GPL-3.0-or-later */
