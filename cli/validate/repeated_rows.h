/* repeated_rows.h - rows of files that ask the same, which are one run of a
 * study. */
#ifndef GPUSCALE_REPEATS_H
#define GPUSCALE_REPEATS_H

#include "validate/runs.h"

typedef struct repeat { /* a row */
  double time, sigma;   /* s */
  size_t of;            /* the run that it is one of */
  int line;
} repeat;

/* The rows of one run. */
typedef struct repeated {
  size_t n, first; /* how many; the first of them, which the run itself has */
  size_t least;    /* the fastest, the first of those as fast, */
  double time;     /* s, and how fast */
} repeated;

/* All rows, in their order. */
struct repeat_list {
  size_t n, room;
  repeated *of; /* of each run */
  repeat *row;
  size_t *slot; /* runs by what they ask; NO_ROW: free */
  size_t slots, runs;
};

/* Which of the n runs asks what *r does: n, and it is to be the next, if none
 * does.  NO_ROW without memory. */
size_t repeats_find(repeat_list *p, const run *runs, size_t n, const run *r);
/* Appends a row of the run; false without memory. */
bool repeats_add(repeat_list *p, size_t of, const run *r);
const repeat *repeats_at(const repeat_list *p, size_t i);
/* Leaves out the rows of runs that are left out, to[run] == NO_ROW, and gives
 * the others the numbers to[run]. */
void repeats_keep(repeat_list *p, const size_t *to);
void repeats_free(repeat_list *p);

#endif /* GPUSCALE_REPEATS_H */

/* SPDX-License-Identifier: GPL-3.0-or-later */
