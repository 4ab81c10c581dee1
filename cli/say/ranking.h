/* ranking.h - finds the fastest of several systems, and its probability. */
#ifndef GPUSCALE_RANKING_H
#define GPUSCALE_RANKING_H

#include "say/predict.h"

/* An entrant is a system with its best paradigm. */
typedef struct entrant {
  const subject *s; /* NULL if nothing runs */
  size_t paradigm;  /* index in the question */
  int gpus;
  double time; /* s */
  const answer *a;
} entrant;

typedef struct race { /* a race on one N */
  size_t entrants;
  entrant first, second;
  double any; /* probability that the first's system is the fastest */
} race;

/* Returns the index of a number of GPUs, or q->n if it was not requested. */
size_t question_gpus(const question *q, int gpus);
/* Returns the best of a system. If nothing runs,.s is NULL. */
entrant entrant_best(const subject *s, int gpus);
/* Finds the fastest entrant on any N. */
entrant best_of_all(const comparison *c);
const char *entrant_paradigm(const entrant *e);
/* Lists the ties of an entrant on its system, like question_tied(). */
size_t entrant_tied(const entrant *e, size_t *of);
/* Compares two entrants. On one GPU all paradigms are equal. */
bool entrants_alike(const entrant *a, const entrant *b);
/* Lists all entrants that move data on the given GPUs. On one GPU each system
 * has only one. The list has room for entrants_most(). Returns their number. */
size_t entrants_list(const comparison *c, int gpus, entrant *of);
size_t entrants_most(const comparison *c);

race race_run(const comparison *c, int gpus);
/* Returns whether the first entrant is the fastest with 90 % probability. */
bool race_leads(const race *r);
/* Computes the probability of the first entrant. */
int race_weigh(const comparison *c, race *r, failure *why);

#endif /* GPUSCALE_RANKING_H */

/* SPDX-License-Identifier: GPL-3.0-or-later */
