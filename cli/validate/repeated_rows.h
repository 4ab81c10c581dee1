/* repeated_rows.h - repeated rows of files, which form one run of a study. */
#ifndef GPUSCALE_REPEATS_H
#define GPUSCALE_REPEATS_H

#include "validate/runs.h"

typedef struct repeat { /* one row */
  double time, sigma;   /* s */
  size_t of;            /* index of its run */
  int line;
} repeat;

/* Summarises the rows of one run. */
typedef struct repeated {
  size_t n, first; /* their number; the first row, whose time the run has */
  size_t least;    /* the fastest row, the first of equals */
  double time;     /* s, of the fastest row */
} repeated;

/* Holds all rows in their order. */
struct repeat_list {
  size_t n, room;
  repeated *of; /* one for each run */
  repeat *row;
  size_t *slot; /* hash table of the runs; NO_ROW: free */
  size_t slots, runs;
};

/* Returns which of the n runs asks the same as *r.  Returns n if none does, and
 * the caller then appends *r.  NO_ROW means out of memory. */
size_t repeats_find(repeat_list *p, const run *runs, size_t n, const run *r);
/* Appends a row of the run.  Returns false without memory. */
bool repeats_add(repeat_list *p, size_t of, const run *r);
const repeat *repeats_at(const repeat_list *p, size_t i);
/* Drops the rows of each run with to[run] == NO_ROW, and renumbers the other
 * runs by to[run]. */
void repeats_keep(repeat_list *p, const size_t *to);
void repeats_free(repeat_list *p);

#endif /* GPUSCALE_REPEATS_H */

/* SPDX-License-Identifier: GPL-3.0-or-later */
