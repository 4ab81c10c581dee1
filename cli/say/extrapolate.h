/* extrapolate.h - steps that were not run, given those that were. */
#ifndef GPUSCALE_AHEAD_H
#define GPUSCALE_AHEAD_H

#include "say/predict.h"
#include "validate/study.h"

/* Runs, behind which the steps stand that are asked for. */
typedef struct ahead {
  const char *files, *program; /* as given; NULL: nothing describes it */
  study s;
  rivals r;
  size_t made;     /* runs; those that are asked for follow */
  int most;        /* GPUs that they were made on */
  run_list others; /* runs on other systems */
  run_list read;   /* those on this one, before repeats became one */
} ahead;

/* Reads the runs of o->runs, those that were made on o->system, by its name or
 * file, or on no system that they say; EXIT_USAGE for these if several are
 * asked about.
 */
int ahead_read(ahead *a, const options *o, failure *why);
/* Whether the system was fitted to one of them, which is *row then. */
bool ahead_has_row(const ahead *a, const run **row);
/* Room for n steps more, behind the last; NULL without memory. */
run *ahead_room(ahead *a, size_t n, failure *why);
/* All steps, by the model given the runs, and those on other systems, and by
 * laws; *learned, unless NULL,
 * takes the numbers that the runs tell. */
int ahead_answer(ahead *a, gscale_system *learned, failure *why);
/* Says on stderr which series the description does not fit. */
void ahead_note_misfits(const ahead *a);
/* And which run that could be made would tell most of the fastest step on the
 * most GPUs. */
void ahead_note_next(const ahead *a);
void ahead_free(ahead *a);
/* A note on stderr, not twice the same: one question may be loaded often. */
void ahead_note(const char *words, ...) __attribute__((format(printf, 1, 2)));

/* One series: all but N is the same. */
bool ahead_same_series(const run *x, const run *y);
/* The name of a program or a system, with or without the path and the end of a
 * file's name. */
bool ahead_same_name(const char *a, const char *b);

/* predict [WORKLOAD] --runs FILE,...: on more GPUs than the runs were made on,
 * by the model given the runs, by laws, and by both as they are weighed;
 * without a workload by laws alone.  *none: the runs are of the program, but
 * some way has none on several GPUs of the system with these knobs; nothing was
 * printed. */
int ahead_main(options *o, bool *none, failure *why);

#endif /* GPUSCALE_AHEAD_H */

/* SPDX-License-Identifier: GPL-3.0-or-later */
