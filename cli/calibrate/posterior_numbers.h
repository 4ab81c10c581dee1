/* posterior_numbers.h - numbers of a system fitted to runs, and their
 * report. */
#ifndef GPUSCALE_POSTERIOR_NUMBERS_H
#define GPUSCALE_POSTERIOR_NUMBERS_H

#include "calibrate/calibrate.h"
#include "validate/conditioning.h"

/* Predictions of runs that a fit did not use. */
typedef struct left_out {
  char what[GSCALE_NAME_MAX + 8]; /* "N = 4"; a program */
  size_t rows;
  double before, after; /* mean |error| */
} left_out;

enum {
  LEFT_OUT_MAX = 33
};

/* Predictions of the written system for one program and paradigm over N. */
typedef struct told {
  size_t of; /* its first run */
  size_t rows;
  double off; /* mean |error|, several GPUs */
} told;

typedef struct learning {
  study s;
  given g;
  gscale_posterior *p;
  size_t *row, n;    /* index of each run */
  size_t *measure;   /* most informative runs */
  double *after;     /* standard deviations then */
  gscale_run *could; /* candidate runs */
  size_t n_could;
  left_out out[LEFT_OUT_MAX];
  size_t outs;
  told *told; /* of each curve */
  size_t n_told;
} learning;

/* The largest error of a curve that the system's numbers explain. */
#define EXPLAINED 0.10

/* The largest distance of a number from its prior, in standard deviations: 1 in
 * 16 000 machines exceeds it. */
#define IMPLAUSIBLE 4.0

/* Fits the numbers of c->system to the runs of c->run_file, and stores them
 * with the hashes of the rows. */
int learning_make(learning *l, calibration *c, failure *why);
void learning_free(learning *l);
/* Returns EXIT_NO with the curves that the written system does not explain, or
 * the implausible number. */
int learning_judge(const learning *l, failure *why);

/* Prints the report to stdout. */
int learning_print(const learning *l, const options *o, failure *why);

#endif /* GPUSCALE_POSTERIOR_NUMBERS_H */

/* SPDX-License-Identifier: GPL-3.0-or-later */
