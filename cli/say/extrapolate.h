/* extrapolate.h - predictions of steps given measured runs. */
#ifndef GPUSCALE_EXTRAPOLATE_H
#define GPUSCALE_EXTRAPOLATE_H

#include "say/predict.h"
#include "validate/study.h"

/* Measured runs, followed by the requested steps. */
typedef struct ahead {
  const char *files, *program; /* as given; NULL: no description */
  study s;
  rivals r;
  size_t made;     /* measured, at the front */
  int most;        /* their largest N */
  run_list others; /* runs on other systems */
  run_list read;   /* before repeats were merged */
} ahead;

/* Reads the runs of o->runs that are on o->system (its name or file) or on no
 * named system.  EXIT_USAGE if several systems are asked about and some runs
 * name none. */
int ahead_read(ahead *a, const options *o, failure *why);
/* Returns true if the system was fitted to one of them, *row. */
bool ahead_has_row(const ahead *a, const run **row);
/* Makes room for n more steps at the end; NULL without memory. */
run *ahead_room(ahead *a, size_t n, failure *why);
/* Predicts all steps by the model given the runs and by laws.  *learned, unless
 * NULL, takes the numbers fitted to the runs. */
int ahead_answer(ahead *a, gscale_system *learned, failure *why);
/* Notes on stderr which series the description does not fit. */
void ahead_note_misfits(const ahead *a);
/* Notes which further run would reduce the error of the fastest step on the
 * most GPUs most. */
void ahead_note_next(const ahead *a);
void ahead_free(ahead *a);
/* Prints a note on stderr once, since a question may be loaded several
 * times. */
void ahead_note(const char *words, ...) __attribute__((format(printf, 1, 2)));

/* Returns true if all but N is equal. */
bool ahead_same_series(const run *x, const run *y);
/* Compares names of programs or systems without paths and extensions. */
bool ahead_same_name(const char *a, const char *b);

/* Implements predict [WORKLOAD] --runs FILE,...: steps on more GPUs than the
 * runs by the model given the runs, by laws, and by a weighted mean.  Without a
 * workload it uses laws alone.  *none is true, with nothing printed, if the
 * program has runs but some paradigm has none on several GPUs with these
 * knobs. */
int ahead_main(options *o, bool *none, failure *why);

#endif /* GPUSCALE_EXTRAPOLATE_H */

/* SPDX-License-Identifier: GPL-3.0-or-later */
