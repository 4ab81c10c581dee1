/* repeats.h - rows of files that ask the same, which are one run of a study:
 * there may be millions, and memory does not grow with them. */
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

/* All rows, in their order: a stretch of them is held, the others are in a file
 * without a name once they are more than that. */
struct repeat_list {
  size_t n;
  repeated *of; /* of each run */
  repeat *held;
  size_t begins, holds; /* the first that is held, and how many are */
  bool dirty;           /* what is held is not in the file */
  FILE *file;
  bool lost;    /* some were not written, or not read again */
  size_t *slot; /* runs by what they ask; NO_ROW: free */
  size_t slots, runs;
};

/* Which of the n runs asks what *r does: n, and it is to be the next, if none
 * does.  NO_ROW without memory. */
size_t repeats_find(repeat_list *p, const run *runs, size_t n, const run *r);
/* Appends a row of the run. */
bool repeats_add(repeat_list *p, size_t of, const run *r);
/* The i-th, until the next is asked for; zeros where it is lost. */
const repeat *repeats_at(repeat_list *p, size_t i);
/* Leaves out the rows of runs that are left out, to[run] == NO_ROW, and gives
 * the others the numbers to[run]. */
int repeats_keep(repeat_list *p, const size_t *to, failure *why);
/* A failure if rows were lost. */
int repeats_whole(const repeat_list *p, failure *why);
void repeats_free(repeat_list *p);

#endif /* GPUSCALE_REPEATS_H */

/* SPDX-License-Identifier: GPL-3.0-or-later */
