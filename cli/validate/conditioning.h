/* conditioning.h - fits the model's numbers to measured runs. */
#ifndef GPUSCALE_GIVEN_H
#define GPUSCALE_GIVEN_H

#include "validate/study.h"

/* ---- input -------------------------------------------------------------- */

/* The programs of a study with their t1, and the runs for a posterior. */
typedef struct given {
  const study *s;
  gscale_run *run;        /* for each run of the study */
  bool *single;           /* true for runs on one GPU, which only give t1 */
  gscale_workload **made; /* loaded programs */
  size_t n_made;
} given;

/* Loads the programs. The t1 of a program is its infinite run on one GPU. If
 * the infinite run is missing, another paradigm's run on one GPU is used. */
int given_load(given *g, const study *s, failure *why);
void given_free(given *g);

/* Fits the posterior to the runs on several GPUs that `taken` accepts. `own` is
 * passed to gscale_posterior_new. *row has the study's index of each of the *n
 * fitted runs, and the caller frees *row. A terminal shows the progress.
 * EXIT_NO means that the runs have a wrong unit. */
int given_fit(const given *g, const gscale_system *base, double own,
              bool (*taken)(const void *closure, size_t i), const void *closure,
              gscale_posterior **p, size_t **row, size_t *n, failure *why);

/* Sets r->target, r->next and r->next_err. */
void rivals_next(const study *s, rivals *r);

/* Hashes the program, knobs, paradigm, GPUs and time of a run. The hash
 * identifies the run's row in any file. */
uint64_t run_hash(const run *r);

#endif /* GPUSCALE_GIVEN_H */

/* SPDX-License-Identifier: GPL-3.0-or-later */
