/* extrapolate.h - predicts steps given measured runs. */
#ifndef GPUSCALE_EXTRAPOLATE_H
#define GPUSCALE_EXTRAPOLATE_H

#include "say/predict.h"
#include "validate/study.h"

/* The measured runs, followed by the requested steps. */
typedef struct ahead {
  const char *files, *program; /* as given; NULL: no description */
  char name[GSCALE_NAME_MAX];  /* of the program; "": not known */
  bool has_program;            /* a run is of the program */
  study s;
  rivals r;
  size_t made;     /* number of measured runs */
  int most;        /* largest N of measured runs */
  run_list others; /* runs on other systems */
  run_list read;   /* runs before repeats are merged */
} ahead;

/* Reads the runs of o->runs whose system is o->system (name or file) or not
 * named. Fails with EXIT_USAGE if several systems must share unnamed runs. */
int ahead_read(ahead *a, const options *o, failure *why);
/* Returns true if the system was fitted to one of the runs, which is *row. */
bool ahead_has_row(const ahead *a, const run **row);
/* Makes room for n more steps after the last. Returns NULL without memory. */
run *ahead_room(ahead *a, size_t n, failure *why);
/* Predicts all steps by laws, and by the model given the runs. If not NULL,
 * *learned takes the numbers that were fitted to the runs. */
int ahead_answer(ahead *a, gscale_system *learned, failure *why);
/* Notes on stderr which series disagree with the description. */
void ahead_note_misfits(const ahead *a);
/* Notes which additional run would most reduce the error of the fastest step on
 * the most GPUs. */
void ahead_note_next(const ahead *a);
void ahead_free(ahead *a);
/* Prints a note on stderr only once, even if a question is loaded again. */
void ahead_note(const char *words, ...) __attribute__((format(printf, 1, 2)));

/* Compares names of programs or systems, ignoring paths and extensions. */
bool ahead_same_name(const char *a, const char *b);

/* Implements `predict [WORKLOAD] --runs FILE,...`. Predicts steps on more GPUs
 * than the runs by the model given the runs, by laws, and by their weighted
 * mean. Without a workload only laws are used. If the program has runs but some
 * paradigm has none on several GPUs, *none is true and nothing is printed. */
int ahead_main(options *o, bool *none, failure *why);

/* A step of runs without a description: measured, or by laws. */
typedef struct ahead_point {
  int gpus;
  double time, err; /* s, of ln(time) */
  bool ran;
} ahead_point;

/* The answer of laws to runs without a description, for the fastest series. */
typedef struct ahead_curve {
  ahead_point v[GPUS_LISTED]; /* in order of N, two or more */
  size_t n;
  int most; /* largest N of the runs */
  char name[GSCALE_NAME_MAX];
  claim c;             /* of the last N */
  char formulas[1024]; /* lines on the laws, the knee and the fastest N */
  spot knee, peak;     /* ranges: by single laws */
  int limit;           /* largest N of knee and peak */
} ahead_curve;

/* Answers the asked numbers of GPUs, by default 1 to `times` the largest. */
int ahead_bare(options *o, int times, ahead_curve *b, failure *why);

#endif /* GPUSCALE_EXTRAPOLATE_H */

/* SPDX-License-Identifier: GPL-3.0-or-later */
