/* ranking.h - the fastest of several systems, and its probability. */
#ifndef GPUSCALE_RANKING_H
#define GPUSCALE_RANKING_H

#include "say/predict.h"

/* A system and its best paradigm. */
typedef struct entrant {
  const subject *s; /* NULL: none */
  size_t paradigm;  /* of the question */
  int gpus;
  double time; /* s */
  const answer *a;
} entrant;

typedef struct race { /* on one N */
  size_t entrants;
  entrant first, second;
  double sure; /* probability of the first */
  double any;  /* of its system */
} race;

/* Returns the index of a number of GPUs, or q->n if it is not asked about. */
size_t question_gpus(const question *q, int gpus);
/* Returns the best of a system; .s is NULL if nothing runs. */
entrant entrant_best(const subject *s, int gpus);
const char *entrant_way(const entrant *e);
/* Lists its ties on that system, like question_tied(). */
size_t entrant_tied(const entrant *e, size_t *of);
/* Compares two entrants; on one GPU all paradigms are alike. */
bool entrants_alike(const entrant *a, const entrant *b);
/* Lists all entrants that move data on so many GPUs, or each system once on one
 * GPU.  The list has room for entrants_most().  It returns their number. */
size_t entrants_list(const comparison *c, int gpus, entrant *of);
size_t entrants_most(const comparison *c);

race race_run(const comparison *c, int gpus);
/* Returns whether the first is faster than the second with 90 %. */
bool race_leads(const race *r);
/* Computes the probabilities of the first. */
int race_weigh(const comparison *c, race *r, failure *why);

#endif /* GPUSCALE_RANKING_H */

/* SPDX-License-Identifier: GPL-3.0-or-later */
