/* jobs.h - work in pieces that share nothing, in several processes. */
#ifndef GPUSCALE_JOBS_H
#define GPUSCALE_JOBS_H

#include "common/cli.h"

/* Work in pieces 0 .. pieces - 1.  What each() writes of a piece goes to take()
 * of this process, piece by piece in their order, however many processes there
 * are: what comes of it is the same.  The first piece that fails, in that
 * order, ends all.
 *
 * each() runs in a process that is a copy of this one: what it leaves in memory
 * is gone when it returns, or, in one process, must not matter.  What it says
 * on stderr comes before what take() does. */
typedef struct jobs {
  size_t pieces;
  int (*each)(size_t piece, FILE *f, void *closure, failure *why);
  int (*take)(size_t piece, const char *text, size_t size, void *closure,
              failure *why);
  void *closure;
} jobs;

/* In at most n processes beside this one, or, where n is 1, in this one.  They
 * end when this one does, however that ends. */
int jobs_run(const jobs *j, size_t n, failure *why);

/* How many: --jobs, or all processors that this process may use; at most
 * `most`, at least 1. */
size_t jobs_count(const options *o, size_t most);

/* Plain data as each() writes and take() reads it. */
typedef struct passage {
  const char *at;
  size_t left;
} passage;
/* False, and zeros, if there is not that much. */
bool passage_take(passage *p, void *to, size_t size);

/* Fills n results of `size` bytes, plain data without pointers of their own:
 * answer(i) fills the i-th, to[i * size]. */
typedef struct filling {
  void *to;
  size_t size, n;
  const char *what; /* of progress() */
  int (*answer)(size_t i, void *closure, failure *why);
  void *closure;
} filling;
int jobs_fill(const filling *f, size_t jobs, failure *why);

#endif /* GPUSCALE_JOBS_H */

/* SPDX-License-Identifier: GPL-3.0-or-later */
