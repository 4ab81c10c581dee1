/* jobs.h - runs independent pieces of work in several processes. */
#ifndef GPUSCALE_JOBS_H
#define GPUSCALE_JOBS_H

#include "common/cli.h"

/* The work has the pieces 0.. pieces - 1. The parent passes the output of
 * each() to take() in the order of the pieces, so that the result does not
 * depend on the number of processes. The first piece in that order that fails
 * ends the work.
 *
 * each() runs in a copy of this process, so that its changes of memory are lost
 * when it returns. With one process the changes persist and must not matter. On
 * stderr, messages of each() come before messages of take(). */
typedef struct jobs {
  size_t pieces;
  int (*each)(size_t piece, FILE *f, void *closure, failure *why);
  int (*take)(size_t piece, const char *text, size_t size, void *closure,
              failure *why);
  void *closure;
} jobs;

/* Runs the work in at most n child processes, or in this process if n is 1. The
 * children end when this process ends for any reason. */
int jobs_run(const jobs *j, size_t n, failure *why);

/* Returns the number of processes between 1 and `most`. The number is set by
 * --jobs, and by default is the number of processors that this process may
 * use. */
size_t jobs_count(const options *o, size_t most);

/* A passage is plain data that each() writes and take() reads. */
typedef struct passage {
  const char *at;
  size_t left;
} passage;
/* Copies `size` bytes. Returns false and zeros if fewer bytes are left. */
bool passage_take(passage *p, void *to, size_t size);

/* Fills n results of `size` bytes of plain data without pointers. answer(i)
 * fills the result i at to[i * size]. */
typedef struct filling {
  void *to;
  size_t size, n;
  const char *what; /* label for progress() */
  int (*answer)(size_t i, void *closure, failure *why);
  void *closure;
} filling;
int jobs_fill(const filling *f, size_t jobs, failure *why);

#endif /* GPUSCALE_JOBS_H */

/* SPDX-License-Identifier: GPL-3.0-or-later */
