/* jobs.h - independent pieces of work in several processes. */
#ifndef GPUSCALE_JOBS_H
#define GPUSCALE_JOBS_H

#include "common/cli.h"

/* Work in pieces 0 .. pieces - 1.  The output of each() goes to take() of the
 * parent in the order of the pieces, so the result does not depend on the
 * number of processes.  The first piece that fails, in that order, ends the
 * work.
 *
 * each() runs in a copy of this process, so changes that it makes to memory are
 * lost when it returns.  With one process they persist and must not matter.
 * Its messages on stderr come before those of take(). */
typedef struct jobs {
  size_t pieces;
  int (*each)(size_t piece, FILE *f, void *closure, failure *why);
  int (*take)(size_t piece, const char *text, size_t size, void *closure,
              failure *why);
  void *closure;
} jobs;

/* Runs the work in at most n more processes, or in this one if n is 1.  The
 * others end when this process ends for any reason. */
int jobs_run(const jobs *j, size_t n, failure *why);

/* Returns the number of processes: --jobs, or all processors that this process
 * may use, between 1 and `most`. */
size_t jobs_count(const options *o, size_t most);

/* Plain data that each() writes and take() reads. */
typedef struct passage {
  const char *at;
  size_t left;
} passage;
/* Copies `size` bytes; returns false and zeros if fewer are left. */
bool passage_take(passage *p, void *to, size_t size);

/* Fills n results of `size` bytes of plain data without pointers: answer(i)
 * fills the i-th, to[i * size]. */
typedef struct filling {
  void *to;
  size_t size, n;
  const char *what; /* the label for progress() */
  int (*answer)(size_t i, void *closure, failure *why);
  void *closure;
} filling;
int jobs_fill(const filling *f, size_t jobs, failure *why);

#endif /* GPUSCALE_JOBS_H */

/* SPDX-License-Identifier: GPL-3.0-or-later */
