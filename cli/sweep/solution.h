/* solution.h - the value of a number that reaches a target, or a crossover of
 * two paradigms or links. */
#ifndef GPUSCALE_SOLUTION_H
#define GPUSCALE_SOLUTION_H

#include "sweep/sweep.h"

enum {
  FOUND_MAX = 64 /* most crossings of an answer */
};

typedef enum measure {
  EFFICIENCY,
  SPEEDUP,
  OPPORTUNITY,
  TIME,
  PAYS,      /* probability that these GPUs beat the fewest that can run it */
  CROSSOVER, /* of two paradigms or links */
  MEASURES
} measure;

/* Returns a name such as "efficiency".  A crossover has none. */
const char *measure_name(measure what);

typedef struct target {
  measure what;
  double value;
} target;

/* A side gives the times of all paradigms of one walk. */
typedef struct side {
  options o; /* large */
  walk *w;
} side;

typedef struct problem {
  target t;
  side a, b;           /* b: second side of a crossover */
  int sigmas;          /* -1, 0, 1: A's lower end, its time, its upper end */
  gscale_joint *joint; /* joint errors at one place and end */
  char axis[512];
  char sides[2][128]; /* A and B of a crossover */
  gscale_axis grid;
  const over *number;
  failure failed; /* failure at a point; EXIT_OK before */
} problem;

typedef struct found {
  gscale_crossing at;
  double lo, hi;                 /* NaN: beyond the range */
  char way[2 * GSCALE_NAME_MAX]; /* fastest paradigm, as asked */
  bool timed;                    /* whether that paradigm was measured */
} found;

typedef struct solution {
  size_t n;
  found v[FOUND_MAX];
  bool first;              /* whether it holds at the start of the range */
  double least, most;      /* range of the excess, if n is 0 */
  bool may;                /* n is 0, but the interval has crossings */
  double may_from, may_to; /* ends of those crossings; NaN: anywhere */
} solution;

/* Opens the problem of --for and --until or --crossover.  The texts of the
 * options outlive it.  Close it even after a failure. */
int problem_open(problem *m, options *o, failure *why);
void problem_close(problem *m);
/* Finds all crossings of the range, each with the crossings of the interval of
 * one standard error of the time.  A crossover uses the ratio of both times,
 * because their errors have much in common. */
int problem_solve(problem *m, solution *s, failure *why);
/* Answers the question at the start of the range. */
int problem_at_start(problem *m, point *p, failure *why);
/* Returns whether no value of the range reaches the target. */
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
/* Fills a cleared row, except its values, with texts that outlive it.  The
 * texts are the number, the target, the range where it holds, and the
 * paradigm. */
void solution_row(cell *c, const question *q, const char *number,
                  const char *until, const char *holds, const char *way);
void found_row(cell *c, const problem *m, const question *q, const found *f);

/* ---- knee --------------------------------------------------------------- */

/* Stores the largest default N, which is the built number of GPUs.  A system
 * that grows has 64, or twice the built number. */
int most_gpus(const options *o, int *most, failure *why);

/* The curve of the fastest paradigm on each N turns at these points. */
typedef enum turn {
  KNEE, /* last N whose step gives half or more of what its GPUs could */
  PEAK, /* fastest N */
  TURNS
} turn;

typedef struct knee {
  question q; /* large */
  answer *a;
  answer *best; /* best answer on each N */
  size_t *way;  /* its index among the question's paradigms */
  spot at[TURNS];
  char gpus[32];
} knee;

/* Finds the knee and the peak over all N of --gpus, or over 1 .. most_gpus(),
 * with steps between neighbours.  The joint errors give the probability of
 * each.  Free *k even after a failure, and do not move it. */
int knee_find(knee *k, options *o, failure *why);
void knee_free(knee *k);
size_t knee_index(const knee *k, turn which); /* index among the question's N */
const char *knee_way(const knee *k, turn which);
/* Fills a row as solution_row() does. */
void knee_row(cell *c, const knee *k, turn which);

#endif /* GPUSCALE_SOLUTION_H */

/* SPDX-License-Identifier: GPL-3.0-or-later */
