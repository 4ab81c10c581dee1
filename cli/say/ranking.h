/* ranking.h - which of several systems is fastest on so many GPUs, and how
 * sure.
 */
#ifndef GPUSCALE_LUA_PREDICT_RACE_H
#define GPUSCALE_LUA_PREDICT_RACE_H

#include "say/predict.h"

/* A system and the paradigm that is best on it. */
typedef struct entrant {
  const subject *s; /* NULL: nobody */
  size_t paradigm;  /* index into the question's */
  int gpus;
  double time; /* s */
  const answer *a;
} entrant;

typedef struct race { /* on some number of GPUs */
  size_t entrants;
  entrant first, second;
  double sure; /* probability of the first to be the best of all, */
  double any;  /* and of its system by any paradigm */
} race;

/* Index of a number of GPUs; q->n if the question does not have it. */
size_t question_gpus(const question *q, int gpus);
/* The best of a system; .s is NULL if none runs there. */
entrant entrant_best(const subject *s, int gpus);
const char *entrant_way(const entrant *e);
/* What ties with the best of its system there: question_tied(). */
size_t entrant_tied(const entrant *e, size_t *of);
/* On one GPU nothing moves, by no paradigm. */
bool entrants_alike(const entrant *a, const entrant *b);
/* All that run on so many GPUs, by any paradigm that moves data (on one GPU
 * nothing moves: then each system once), into a list with room for
 * entrants_most().  Returns how many. */
size_t entrants_list(const comparison *c, int gpus, entrant *of);
size_t entrants_most(const comparison *c);

race race_run(const comparison *c, int gpus);
/* False if the second is alike. */
bool race_leads(const race *r);
/* How sure it is that the first is the best of all. */
int race_weigh(const comparison *c, race *r, failure *why);

#endif /* GPUSCALE_LUA_PREDICT_RACE_H */

/* SPDX-License-Identifier: GPL-3.0-or-later */
