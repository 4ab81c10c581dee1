/* runs.h - measured runs of programs. */
#ifndef GPUSCALE_RUNS_H
#define GPUSCALE_RUNS_H

#include "common/cli.h"
#include "validate/intern.h"

/* ---- runs --------------------------------------------------------------- */

/* A run. Each text is stored once, because there may be millions of runs. */
typedef struct run {
  const char *workload, *knobs; /* as in the file */
  const char *program;          /* the same text for all runs_alike() */
  const char *path;   /* the caller's text; runs of one file form a session */
  const char *system; /* where it ran; "": the question's system */
  double time, sigma; /* s */
  gscale_knobs k;     /* knobs of the paradigm */
  size_t paradigm;
  const char *label; /* name that only a file gives; NULL: the model's */
  int gpus, line;
  bool asked; /* a step to predict, which no fit uses */
  int parts;  /* 1, or 4 if a quarter of the work ran alone on one GPU */
} run;

/* A list of runs. The caller frees `run`. */
typedef struct run_list {
  run *run;
  size_t n;
} run_list;

/* Appends the rows workload,paradigm,knobs,gpus,time_s,sigma_s of a file to the
 * n runs of *out, which is NULL at first. Rows with a `share` below 1 go to
 * *shares, unless `shares` is NULL. The caller frees *out, and then *keep. */
int runs_read(const char *path, run **out, size_t *n, run_list *shares,
              lexicon *keep, failure *why);
/* Reads runs like runs_read, but stores repeated rows in *into rather than as
 * separate runs (repeated_rows.h). */
typedef struct repeat_list repeat_list;
int runs_read_repeats(const char *path, run **out, size_t *n, run_list *shares,
                      lexicon *keep, repeat_list *into, failure *why);
/* Reads runs of programs without a description. Only gpus and time_s are
 * required, and a paradigm may have any name. If the workload is missing, the
 * file's name is used. */
int runs_read_bare(const char *path, run **out, size_t *n, lexicon *keep,
                   failure *why);
/* Reads planned runs, without the last two columns. */
int runs_read_plan(const char *path, run **out, size_t *n, lexicon *keep,
                   failure *why);
/* Creates a step that was not run, with the knobs of a row. The lexicon `keep`
 * holds the texts of *r. */
int run_make(lexicon *keep, const char *workload, size_t paradigm,
             const char *knobs, run *r, failure *why);
/* Returns the settings of the run's workload. */
settings run_settings(const run *r);
/* Puts "path:line: " before the text of *why. */
int runs_blame(const run *r, failure *why);
/* Returns the name of the run's paradigm. */
const char *run_paradigm(const run *r);
/* Writes the program with its knobs, such as "jacobi n=512;word=4". */
void run_title(const run *r, char *text, size_t size);
/* Returns whether two runs have the same program and workload knobs. Knobs of
 * the paradigm may differ. */
bool runs_alike(const run *a, const run *b);
/* Returns whether two runs have the same program, paradigm, knobs and number of
 * GPUs. */
bool runs_same_row(const run *a, const run *b);
/* Returns the program's infinite run on one GPU, preferably from the same file,
 * or NULL. */
const run *runs_single(const run *runs, size_t n, const run *of);
/* Sets the single-GPU time of *w to the time of the run. */
int runs_give_single(const run *single, gscale_workload *w, failure *why);
/* Returns whether run i is the fastest run of its file, among runs that differ
 * only in the paradigm's knobs. */
bool runs_is_best(const run *runs, size_t n, size_t i);

/* Counts measured times that differ more than 100-fold from predictions. A time
 * that differs so much may be of many steps or have another unit. */
typedef struct far_runs {
  size_t n, of;
  run first;
  double predicted; /* prediction for the first run */
} far_runs;
void far_add(far_runs *f, const run *r, double predicted);
/* Appends the runs of `more`. */
void far_more(far_runs *f, const far_runs *more);
void far_note(const far_runs *f); /* prints a note on stderr if n > 0 */

/* Flags that state what runs of a group share. BY_SESSION: program and file. */
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
/* Groups runs like group_rows() (run_relations.c). */
size_t *group_runs(const run *r, size_t n, unsigned by);

#endif /* GPUSCALE_RUNS_H */

/* SPDX-License-Identifier: GPL-3.0-or-later */
