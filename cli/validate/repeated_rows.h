/* repeated_rows.h - stores repeated rows of files as one run of a study. */
#ifndef GPUSCALE_REPEATS_H
#define GPUSCALE_REPEATS_H

#include "validate/runs.h"

typedef struct repeat { /* one row */
  double time, sigma;   /* s */
  size_t of;            /* index of the row's run */
  int line;
} repeat;

/* The rows of one run. */
typedef struct repeated {
  size_t n,
      first;    /* number of rows, and the first, which gives the run's time */
  size_t least; /* fastest row, or the first of equals */
  double time;  /* time of the fastest row in s */
} repeated;

/* All rows in their order. */
struct repeat_list {
  size_t n, room;
  repeated *of; /* for each run */
  repeat *row;
  size_t *slot; /* hash table of the runs; NO_ROW: free */
  size_t slots, runs;
};

/* Returns which of the n runs asks for the same prediction as *r. If no run
 * does, returns n, and the caller appends *r. Returns NO_ROW without memory. */
size_t repeats_find(repeat_list *p, const run *runs, size_t n, const run *r);
/* Appends a row of the run. Returns false if memory is exhausted. */
bool repeats_add(repeat_list *p, size_t of, const run *r);
const repeat *repeats_at(const repeat_list *p, size_t i);
/* Drops the rows of each run with to[run] == NO_ROW. Renumbers the runs of the
 * other rows by to[run]. */
void repeats_keep(repeat_list *p, const size_t *to);
void repeats_free(repeat_list *p);

#endif /* GPUSCALE_REPEATS_H */

/* SPDX-License-Identifier: GPL-3.0-or-later */
