/* runs.h - measured runs of programs. */
#ifndef GPUSCALE_RUNS_H
#define GPUSCALE_RUNS_H

#include "common/cli.h"
#include "validate/intern.h"

/* ---- runs --------------------------------------------------------------- */

/* The reader keeps each text once, because there may be millions of runs. */
typedef struct run {
  const char *workload, *knobs; /* as in the file */
  const char *program;          /* one text for all runs_alike() */
  const char *path; /* text of the caller; runs of one file form one session */
  const char *system; /* system of the run; "": the asked one */
  double time, sigma; /* s */
  gscale_knobs k;     /* knobs of the paradigm */
  size_t paradigm;
  const char *way; /* name in a file of runs_read_bare; NULL: the model's */
  int gpus, line;
  bool asked; /* a step to predict, which informs no fit */
  int parts;  /* 1, or 4 if a quarter of the work ran alone on one GPU */
} run;

/* Holds runs; free() them. */
typedef struct run_list {
  run *run;
  size_t n;
} run_list;

/* Appends the rows workload,paradigm,knobs,gpus,time_s,sigma_s of a file to the
 * n runs of *out, which is NULL at first.  Rows with a `share` below 1 go to
 * *shares, unless it is NULL.  Free *out even after a failure, and then
 * *keep. */
int runs_read(const char *path, run **out, size_t *n, run_list *shares,
              lexicon *keep, failure *why);
/* Reads runs as runs_read does, but keeps repeated rows in *into instead of as
 * runs of their own (repeated_rows.h). */
typedef struct repeat_list repeat_list;
int runs_read_repeats(const char *path, run **out, size_t *n, run_list *shares,
                      lexicon *keep, repeat_list *into, failure *why);
/* Reads runs of programs without a description.  Only gpus and time_s are
 * required, and a paradigm may have any name.  The file's name replaces a
 * missing workload. */
int runs_read_bare(const char *path, run **out, size_t *n, lexicon *keep,
                   failure *why);
/* Reads runs without the last two columns, which are not yet measured. */
int runs_read_plan(const char *path, run **out, size_t *n, lexicon *keep,
                   failure *why);
/* Makes a step that was not run, with the knobs of a row.  The lexicon `keep`
 * holds its texts. */
int run_make(lexicon *keep, const char *workload, size_t paradigm,
             const char *knobs, run *r, failure *why);
/* Returns the workload's knobs of the run. */
settings run_settings(const run *r);
/* Puts "path:line: " before the words of *why. */
int runs_blame(const run *r, failure *why);
/* Returns the name of the run's paradigm. */
const char *run_way(const run *r);
/* Writes the program with its knobs, "jacobi n=512;word=4". */
void run_title(const run *r, char *text, size_t size);
/* Returns whether two runs have the same program and workload knobs, whatever
 * the paradigm's knobs are. */
bool runs_alike(const run *a, const run *b);
/* Returns whether two runs have the same program, paradigm, knobs and number of
 * GPUs. */
bool runs_same_knobs(const run *a, const run *b);
bool runs_same_row(const run *a, const run *b);
/* Returns the program's infinite run on so many GPUs, preferably from its own
 * file, or NULL. */
const run *runs_infinite(const run *runs, size_t n, const run *of, int gpus);
/* Returns the program's infinite run on one GPU. */
const run *runs_single(const run *runs, size_t n, const run *of);
/* Makes the run the measured single-GPU time of *w. */
int runs_give_single(const run *single, gscale_workload *w, failure *why);
/* Returns whether run i is the fastest of the runs of its file that differ only
 * in the paradigm's knobs. */
bool runs_is_best(const run *runs, size_t n, size_t i);

/* Counts measured times that differ over 100-fold from their predictions.  They
 * may be of many steps or in another unit. */
typedef struct far_runs {
  size_t n, of;
  run first;
  double predicted; /* prediction for the first */
} far_runs;
void far_add(far_runs *f, const run *r, double predicted);
/* Adds the runs of `more` behind these. */
void far_more(far_runs *f, const far_runs *more);
void far_note(const far_runs *f); /* prints a note on stderr if n > 0 */

/* Groups of runs share these.  BY_SESSION: a program of one file. */
enum {
  BY_PROGRAM = 1,
  BY_FILE = 2,
  BY_SESSION = BY_PROGRAM | BY_FILE,
  BY_GPUS = 4,
  BY_PARADIGM = 8,
  BY_KNOBS = 16, /* of the paradigm */
  BY_SYSTEM = 32,
  BY_WORKLOAD = 64
};
/* Groups runs as group_rows() does (run_relations.c). */
size_t *group_runs(const run *r, size_t n, unsigned by);

#endif /* GPUSCALE_RUNS_H */

/* SPDX-License-Identifier: GPL-3.0-or-later */
