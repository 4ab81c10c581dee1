/* runs.h - measured runs of programs. */
#ifndef GPUSCALE_RUNS_H
#define GPUSCALE_RUNS_H

#include "common/cli.h"
#include "validate/intern.h"

/* ---- measured runs (runs.c) --------------------------------------------- */

/* There may be millions: texts are kept once, by who reads them. */
typedef struct run {
  const char *workload, *knobs; /* as in the file */
  const char *program;          /* one text for all runs_alike() */
  const char *path;   /* the caller's: runs of one file are one session */
  const char *system; /* that it was made on; "": the one that is asked about */
  double time, sigma; /* s */
  gscale_knobs k;     /* the paradigm's */
  size_t paradigm;
  const char *way; /* what runs_read_bare's file calls it; NULL: as we do */
  int gpus, line;
  bool asked; /* a step yet to be predicted: nothing is learned from it */
  int parts;  /* 1, or 4 where a quarter of the work ran alone on one GPU */
} run;

/* Some runs; free() them. */
typedef struct run_list {
  run *run;
  size_t n;
} run_list;

/* Appends the rows workload,paradigm,knobs,gpus,time_s,sigma_s of a file to
 * *out (n of them; NULL and 0 at first).  Free *out in either case, and *keep
 * after it.  Those of a column `share` below 1 go to *shares, if there is a
 * place for them. */
int runs_read(const char *path, run **out, size_t *n, run_list *shares,
              lexicon *keep, failure *why);
/* The same, where rows that ask what one before them does are no runs of their
 * own (repeated_rows.h). */
typedef struct repeat_list repeat_list;
int runs_read_repeats(const char *path, run **out, size_t *n, run_list *shares,
                      lexicon *keep, repeat_list *into, failure *why);
/* Reads runs of programs that nothing describes: only gpus and time_s have to
 * be there, and a way may have any name; a program is then called as the file.
 */
int runs_read_bare(const char *path, run **out, size_t *n, lexicon *keep,
                   failure *why);
/* Reads runs without the last two columns: they are yet to be measured. */
int runs_read_plan(const char *path, run **out, size_t *n, lexicon *keep,
                   failure *why);
/* A step that was not run, with the knobs of a row; the texts are kept. */
int run_make(lexicon *keep, const char *workload, size_t paradigm,
             const char *knobs, run *r, failure *why);
/* The workload's knobs that the run has. */
settings run_settings(const run *r);
/* Puts "path:line: " before the words of *why. */
int runs_blame(const run *r, failure *why);
/* The name of its way. */
const char *run_way(const run *r);
/* "jacobi n=512;word=4": its program with its knobs. */
void run_title(const run *r, char *text, size_t size);
/* Whether two runs are of one program with the same knobs of its own, whatever
 * the paradigm's. */
bool runs_alike(const run *a, const run *b);
/* Whether two runs are by one paradigm with the same knobs of its own, on as
 * many GPUs. */
bool runs_same_row(const run *a, const run *b);
/* Its infinite run on so many GPUs, from its own file if there is one; NULL if
 * it was not measured. */
const run *runs_infinite(const run *runs, size_t n, const run *of, int gpus);
/* The run of that program on one GPU. */
const run *runs_single(const run *runs, size_t n, const run *of);
/* Makes it the measured single-GPU time of *w. */
int runs_give_single(const run *single, gscale_workload *w, failure *why);
/* True for the fastest of the runs of its file that differ in the paradigm's
 * knobs only. */
bool runs_is_best(const run *runs, size_t n, size_t i);

/* Measured times of another kind than the predicted ones, whatever either is
 * worth: of many steps, or in another unit. */
typedef struct far_runs {
  size_t n, of;
  run first;
  double predicted; /* of the first */
} far_runs;
void far_add(far_runs *f, const run *r, double predicted);
/* Adds those that were found elsewhere, behind these. */
void far_more(far_runs *f, const far_runs *more);
void far_note(const far_runs *f); /* on stderr, if there are any */

#endif /* GPUSCALE_RUNS_H */

/* SPDX-License-Identifier: GPL-3.0-or-later */
