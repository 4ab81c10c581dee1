/* posterior_numbers.h - what runs teach a system, and how it is told. */
#ifndef GPUSCALE_CALIBRATE_LEARNED_H
#define GPUSCALE_CALIBRATE_LEARNED_H

#include "calibrate/calibrate.h"
#include "validate/conditioning.h"

/* Predictions of runs that a fit did not have. */
typedef struct left_out {
  char what[GSCALE_NAME_MAX + 8]; /* "N = 4"; a program */
  size_t rows;
  double before, after; /* mean |error| by the base, given the others */
} left_out;

enum {
  LEFT_OUT_MAX = 33
};

/* What the system that is written says of one program by one way, over its N.
 */
typedef struct told {
  size_t of; /* the study's index of its first run */
  size_t rows;
  double off; /* mean |error|; on several GPUs only */
} told;

typedef struct learning {
  study s;
  given g;
  gscale_posterior *p;
  size_t *row, n;    /* the study's index of each of the posterior's runs */
  size_t *measure;   /* for each number: the run that would tell most of it */
  double *after;     /* and what it would leave of its standard deviation */
  gscale_run *could; /* such runs */
  size_t n_could;
  left_out out[LEFT_OUT_MAX];
  size_t outs;
  told *told; /* of each curve */
  size_t n_told;
} learning;

/* Curves that are missed by more are no longer explained by a system's numbers.
 */
#define EXPLAINED 0.10

/* Nor is it one of the machines that its priors are of, or that was measured,
 * if a number lies as far off as one in 16 000 does. */
#define IMPLAUSIBLE 4.0

/* Fits the numbers of c->system to the runs of c->run_file, and gives them to
 * it, with the hashes of the rows. */
int learning_make(learning *l, calibration *c, failure *why);
void learning_free(learning *l);
/* EXIT_NO, naming the curves that the written system does not explain, or the
 * number that it would need. */
int learning_judge(const learning *l, failure *why);

/* The report, to stdout. */
int learning_print(const learning *l, const options *o, failure *why);

#endif /* GPUSCALE_CALIBRATE_LEARNED_H */

/* SPDX-License-Identifier: GPL-3.0-or-later */
