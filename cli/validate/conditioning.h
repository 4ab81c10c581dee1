/* conditioning.h - runs of programs that are given to the model. */
#ifndef GPUSCALE_GIVEN_H
#define GPUSCALE_GIVEN_H

#include "validate/study.h"

/* ---- what a posterior is made from (conditioning.c)
 * ---------------------------- */

/* The programs of a study's runs, with the t1 that they start from, and the
 * runs of which a posterior can be made. */
typedef struct given {
  const study *s;
  gscale_run *run; /* of all runs of the study */
  bool *single;    /* those that only give a t1, or nothing: on one GPU */
  gscale_workload **made; /* the programs */
  size_t n_made;
} given;

/* Loads the programs.  A program starts from its infinite run on one GPU, or
 * from that by another paradigm, if there is none. */
int given_load(given *g, const study *s, failure *why);
void given_free(given *g);

/* The posterior of those runs on several GPUs that `taken` says; own: see
 * gscale_posterior_new.  *row: the
 * study's index of each of the *n runs of the posterior; free() it.  Says on
 * a terminal how far it is.  EXIT_NO: the runs are in a wrong unit. */
int given_fit(const given *g, const gscale_system *base, double own,
              bool (*taken)(const void *closure, size_t i), const void *closure,
              gscale_posterior **p, size_t **row, size_t *n, failure *why);

/* Fills the offers of r, and what each would leave of the target by ours. */
int rivals_ask_next(const given *g, rivals *r, gscale_posterior *p,
                    failure *why);
/* Only the offers; whether there are any. */
bool rivals_offer(const study *s, rivals *r);
/* Chooses of the offers when all is weighed. */
void rivals_next(const study *s, rivals *r);

/* What identifies a row, wherever it is: of program, knobs, paradigm, GPUs and
 * time. */
uint64_t run_hash(const run *r);

#endif /* GPUSCALE_GIVEN_H */

/* SPDX-License-Identifier: GPL-3.0-or-later */
