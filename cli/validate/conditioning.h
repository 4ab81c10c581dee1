/* conditioning.h - measured runs that condition the model. */
#ifndef GPUSCALE_GIVEN_H
#define GPUSCALE_GIVEN_H

#include "validate/study.h"

/* ---- input -------------------------------------------------------------- */

/* Holds the programs of a study with their t1, and the runs that can condition
 * a posterior. */
typedef struct given {
  const study *s;
  gscale_run *run;        /* one for each run of the study */
  bool *single;           /* true of runs on one GPU, which give at most a t1 */
  gscale_workload **made; /* loaded programs */
  size_t n_made;
} given;

/* Loads the programs.  The t1 of a program is its infinite run on one GPU, or
 * else its run there by another paradigm. */
int given_load(given *g, const study *s, failure *why);
void given_free(given *g);

/* Fits the posterior to the runs on several GPUs that `taken` accepts.  The
 * parameter `own` is that of gscale_posterior_new.  *row holds the study's
 * index of each of the *n fitted runs; free() it.  A terminal shows the
 * progress.  EXIT_NO means that the runs are in a wrong unit. */
int given_fit(const given *g, const gscale_system *base, double own,
              bool (*taken)(const void *closure, size_t i), const void *closure,
              gscale_posterior **p, size_t **row, size_t *n, failure *why);

/* Sets the target, `next` and `next_err` of r. */
void rivals_next(const study *s, rivals *r);

/* Hashes the program, knobs, paradigm, GPUs and time of a run, which identify
 * its row in any file. */
uint64_t run_hash(const run *r);

#endif /* GPUSCALE_GIVEN_H */

/* SPDX-License-Identifier: GPL-3.0-or-later */
