/* solution.h - which value of a number reaches a target, or where two ways or
 * links take as long. */
#ifndef GPUSCALE_SOLUTION_H
#define GPUSCALE_SOLUTION_H

#include "sweep/sweep.h"

enum {
  FOUND_MAX = 64 /* crossings that are told */
};

typedef enum measure {
  EFFICIENCY,
  SPEEDUP,
  OPPORTUNITY,
  TIME,
  PAYS,      /* how likely these GPUs are faster than as few as can run it */
  CROSSOVER, /* of two ways or links */
  MEASURES
} measure;

/* "efficiency"; not of a crossover. */
const char *measure_name(measure what);

typedef struct target {
  measure what;
  double value;
} target;

/* What is looked at: the times by the ways of one walk. */
typedef struct side {
  options o; /* large */
  walk *w;
} side;

typedef struct problem {
  target t;
  side a, b;  /* b: of a crossover */
  int sigmas; /* -1, 0, 1: A's time at its lower end, itself, at its upper end
               */
  gscale_joint *joint; /* of the answers at one place, at an end */
  char axis[512];
  char sides[2][128]; /* A and B of a crossover */
  gscale_axis grid;
  const over *number;
  failure failed; /* at some point; its status is EXIT_OK before */
} problem;

typedef struct found {
  gscale_crossing at;
  double lo, hi; /* NaN: beyond the range */
  char
      way[2 * GSCALE_NAME_MAX]; /* by which, as it was asked for: the fastest */
  bool timed;                   /* somebody measured that way */
} found;

typedef struct solution {
  size_t n;
  found v[FOUND_MAX];
  bool first;         /* it holds at the beginning of the range */
  double least, most; /* of the excess over the range, if n is 0 */
  bool may;           /* n is 0, but not one standard error away: */
  double may_from,
      may_to; /* where the first and last of those are; NaN: anywhere */
} solution;

/* What the options ask with --for and --until or --crossover, whose texts
 * outlive it.  Close it in either case. */
int problem_open(problem *m, options *o, failure *why);
void problem_close(problem *m);
/* All crossings of the range, each with where the ends of the interval of one
 * standard error of the time cross; of a crossover that of the ratio of both
 * times, whose errors have much in common. */
int problem_solve(problem *m, solution *s, failure *why);
/* The question at the beginning of the range. */
int problem_at_start(problem *m, point *p, failure *why);
/* Whether no value of the range will do. */
bool solution_is_none(const problem *m, const solution *s);

/* ---- rows ---------------------------------------------------------------- */

enum {
  SOLVE_SYSTEM,
  SOLVE_WORKLOAD,
  SOLVE_FOR,
  SOLVE_UNTIL,
  SOLVE_VALUE,
  SOLVE_VALUE_LO,
  SOLVE_VALUE_HI,
  SOLVE_HOLDS,
  SOLVE_WAY,
  SOLVE_SETTINGS,
  SOLVE_COLUMNS
};

const column *solution_columns(void);
/* Fills a cleared row, but for the values, with texts that outlive it: the
 * number that is looked for, the target, where it holds, the paradigm. */
void solution_row(cell *c, const question *q, const char *number,
                  const char *until, const char *holds, const char *way);
void found_row(cell *c, const problem *m, const question *q, const found *f);

/* ---- up to how many GPUs (knee.c) ---------------------------------------- */

/* The largest N to look at unless the user says: as built, and where the system
 * grows beyond, 64 or twice that. */
int most_gpus(const options *o, int *most, failure *why);

/* Where the curve of the fastest way on each N turns. */
typedef enum turn {
  KNEE, /* the last N of which the step from the one before gives half or more
         * of what its GPUs could */
  PEAK, /* the fastest */
  TURNS
} turn;

typedef struct knee {
  question q; /* large */
  answer *a;
  answer *best; /* of each N, */
  size_t *way;  /* and by which of the question's paradigms */
  spot at[TURNS];
  char gpus[32];
} knee;

/* Of all N that --gpus lists, or 1 .. most_gpus(), of which the steps go from
 * one to the next; how sure each is comes from the joint errors.  Free it in
 * either case; it stays where it is. */
int knee_find(knee *k, options *o, failure *why);
void knee_free(knee *k);
size_t knee_index(const knee *k, turn which); /* of the question's N */
const char *knee_way(const knee *k, turn which);
/* As solution_row(). */
void knee_row(cell *c, const knee *k, turn which);

#endif /* GPUSCALE_SOLUTION_H */

/* SPDX-License-Identifier: GPL-3.0-or-later */
