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
  CROSSOVER, /* of two ways or links */
  MEASURES
} measure;

/* "efficiency"; not of a crossover. */
const char *measure_name(measure what);

typedef struct target {
  measure what;
  double value;
} target;

/* What is looked at: the times by the ways of one walk, or their interval. */
typedef struct side {
  options o; /* large */
  walk *w;
  int sigmas; /* -1, 0, 1: the time's lower end, itself, its upper end */
} side;

typedef struct problem {
  target t;
  side a, b; /* b: of a crossover */
  char axis[512];
  char sides[2][128]; /* A and B of a crossover */
  gscale_axis grid;
  const over *number;
  failure failed; /* at some point; its status is EXIT_OK before */
} problem;

typedef struct found {
  gscale_crossing at;
  double lo, hi; /* NaN: beyond the range */
  size_t way;
} found;

typedef struct solution {
  size_t n;
  found v[FOUND_MAX];
  bool first;         /* it holds at the beginning of the range */
  double least, most; /* of the excess over the range, if n is 0 */
} solution;

/* What the options ask with --for and --until or --crossover, whose texts
 * outlive it.  Close it in either case. */
int problem_open(problem *m, options *o, failure *why);
void problem_close(problem *m);
/* All crossings of the range, each with where the ends of the interval of one
 * standard error of the time cross. */
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
/* Fills a cleared row, but for the values. */
void solution_row(cell *c, const problem *m, const question *q, const found *f);

#endif /* GPUSCALE_SOLUTION_H */
