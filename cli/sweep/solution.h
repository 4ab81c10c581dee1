/* solution.h - finds the value of a number that reaches a target, or at which
 * two paradigms or links are equally fast. */
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
  PAYS,      /* probability of beating the fewest GPUs that have room */
  CROSSOVER, /* of two paradigms or links */
  MEASURES
} measure;

/* Returns a name such as "efficiency". A crossover has no name. */
const char *measure_name(measure what);

typedef struct target {
  measure what;
  double value;
} target;
int parse_target(const char *text, target *t, failure *why); /* of --until */

/* A side has the times of all paradigms of one walk. */
typedef struct side {
  options o; /* large */
  walk *w;
} side;

typedef struct problem {
  target t;
  side a, b;           /* b: second side of a crossover */
  int sigmas;          /* -1, 0, 1: lower end, time, upper end of A */
  gscale_joint *joint; /* errors at one value and end */
  char axis[512];
  char sides[2][128]; /* texts of A and B */
  gscale_axis grid;
  const over *number;
  failure failed; /* at a point; initially EXIT_OK */
} problem;

typedef struct found {
  gscale_crossing at;
  double lo, hi;                     /* NaN: out of range */
  char fastest[2 * GSCALE_NAME_MAX]; /* fastest paradigm, as asked */
  bool timed;                        /* the paradigm was measured */
} found;

typedef struct solution {
  size_t n;
  found v[FOUND_MAX];
  bool first;              /* the target holds at the start */
  double least, most;      /* range of the excess, if n is 0 */
  bool may;                /* n is 0, but the interval crosses */
  double may_from, may_to; /* where it crosses; NaN: anywhere */
} solution;

/* Opens the problem of --for and --until or --crossover. The texts of the
 * options outlive the problem. The caller closes the problem even after a
 * failure. */
int problem_open(problem *m, options *o, failure *why);
void problem_close(problem *m);
/* Finds all crossings in the range, with an interval for each. The interval
 * lies between the crossings of the time plus and minus one standard error. A
 * crossover uses the ratio of both times, whose errors are largely shared. */
int problem_solve(problem *m, solution *s, failure *why);
/* Answers the question at the start of the range. */
int problem_at_start(problem *m, point *p, failure *why);
/* Returns whether no value in the range reaches the target. */
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
  SOLVE_PARADIGM,
  SOLVE_SETTINGS,
  SOLVE_COLUMNS
};

const column *solution_columns(void);
/* Fills a cleared row, except its values, with texts that outlive the row: the
 * number, the target, the range where the target holds, and the paradigm. */
void solution_row(cell *c, const question *q, const char *number,
                  const char *until, const char *holds, const char *fastest);
void found_row(cell *c, const problem *m, const question *q, const found *f);

/* ---- knee --------------------------------------------------------------- */

/* Stores the largest default N, which is the built number of GPUs. For a system
 * that grows, the largest default N is 64, or twice the built number. */
int most_gpus(const options *o, int *most, failure *why);

/* The turning points on the curve of the fastest paradigm on each N. */
typedef enum turn {
  KNEE, /* last N that gives half of the ideal gain or more */
  PEAK, /* fastest N */
  TURNS
} turn;

typedef struct knee {
  question q; /* large */
  answer *a;
  answer *best;    /* on each N */
  size_t *fastest; /* index of `best` in the question */
  spot at[TURNS];
  char gpus[32];
} knee;

/* Finds the knee and the peak over all N of --gpus, or over 1 .. most_gpus(),
 * with steps between neighbouring N. The joint errors give both ranges. *k must
 * be freed even after a failure, and must not be moved. */
int knee_find(knee *k, options *o, failure *why);
void knee_free(knee *k);
size_t knee_index(const knee *k, turn which); /* index of an N */
/* Fills a row as solution_row() does. */
void knee_row(cell *c, const knee *k, turn which);

#endif /* GPUSCALE_SOLUTION_H */

/* SPDX-License-Identifier: GPL-3.0-or-later */
