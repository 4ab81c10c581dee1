/* study.h - measured runs with their predictions, as validate, freeze and
 * calibrate --runs use them. */
#ifndef GPUSCALE_STUDY_H
#define GPUSCALE_STUDY_H

#include "common/cli.h"
#include "common/membuf.h"
#include "validate/repeated_rows.h"
#include "validate/runs.h"

typedef enum role {
  ROLE_INPUT,  /* single-GPU time given to the model */
  ROLE_SINGLE, /* other runs on one GPU, where nothing moves; not scored */
  ROLE_SCORED,
  ROLES
} role;

const char *role_name(role r);

typedef struct trial { /* prediction of one run */
  role role;
  const char *program;   /* name of the workload, not of its file */
  double time, infinite; /* s, with and without transfers; NaN: not frozen */
  double err;            /* s */
  double of_parameters;  /* s, part of err from the parameters, or NaN */
  double of_known;       /* s, see gscale_error */
  gscale_residual_at at; /* conditions of the residual */
  double doublings;      /* see gscale_system_widened */
  bool given;            /* the program's description has its single time */
  double off, known;     /* residuals of other machines, see gscale_run */
  double part[GSCALE_PART_END];
  gscale_mechanism bound;
  gscale_applicability applicability;

  /* These members relate the run to the others. */
  size_t session; /* index of the first run of its file and program */
  bool best;      /* see runs_is_best */
  double beside;  /* s, measured infinite run on as many GPUs, or NaN */
} trial;

/* Run i is runs[i] with trials[i].  Rows that ask the same may be folded into
 * one run with the time of the first row. */
typedef struct study {
  gscale_system *system;
  settings *set; /* -P for programs, which knobs of runs override, or NULL */
  const settings *where; /* knobs of the chosen runs; NULL: all */
  bool no_single;
  bool bare;         /* no program is described; only laws predict */
  const run *givers; /* sources of single-GPU times; NULL: the runs */
  size_t n_givers;
  run *runs;
  trial *trials;
  size_t n;
  run_list shares; /* runs of parts of the work on one GPU, which are inputs */
  lexicon names;   /* texts of the runs and trials */
  far_runs far;    /* runs far from their predictions */
  bool far_noted;  /* whether the far runs were noted already */
  size_t jobs;     /* parallel processes; 0: this one only */
  repeat_list *rows; /* rows of all runs; NULL: one row each */
} study;

/* ---- rows --------------------------------------------------------------- */

/* Holds a measured row of run `of` with its own time. */
typedef struct measured_row {
  size_t of;
  double time, sigma; /* s */
  int line;
  role role;
} measured_row;

size_t study_rows(const study *s);
/* Returns row i. */
measured_row study_row(const study *s, size_t i);
run study_row_run(const study *s, size_t i);
double study_row_error(const study *s, const measured_row *r);
/* Returns NaN if no infinite run was measured on as many GPUs. */
gscale_split study_row_split(const study *s, const measured_row *r);
/* Returns the fastest row of a run, and stores its time. */
size_t study_least(const study *s, size_t run, double *time);
/* Returns whether some row of a run has the role. */
bool study_has_role(const study *s, size_t run, role r);

/* Folds rows that ask the same into one run from here on. */
int study_fold(study *s, failure *why);
/* Reads all the files. */
int study_read(study *s, const char *const *paths, size_t files, failure *why);
/* Keeps the runs with all the knobs in `wanted`, compared by value.  The flag
 * `best` keeps only those of runs_is_best. */
int study_choose(study *s, const settings *wanted, bool best, failure *why);
/* Returns whether study_choose() would keep the run without `best`. */
bool study_wants(const study *s, const run *r);
/* Loads the run's program with its knobs and those of s->set. */
int study_load(const study *s, const run *r, gscale_workload **out,
               failure *why);
/* Counts the given single-GPU run in *f if its description predicts a far time,
 * because other predictions are then as far off.  A program that states a
 * measured time is skipped, because that time is of one machine. */
void far_add_single(far_runs *f, const gscale_system *s,
                    const gscale_workload *w, const run *single);
/* Makes a run on one GPU the single-GPU time of *w.  The time excludes the
 * calls of a paradigm other than infinite. */
int study_give_single(const study *s, const run *single, gscale_workload *w,
                      failure *why);
/* Predicts every run from its program's measured single-GPU time, if there is a
 * usable one. */
int study_predict(study *s, failure *why);
/* Replaces study_predict() without descriptions, and predicts no time. */
int study_pass(study *s, failure *why);
/* Returns EXIT_USAGE with the first of s->set that neither system nor program
 * took. */
int study_all_used(const study *s, failure *why);
/* Relates the trials to each other, however they were predicted. */
int study_relate(study *s, failure *why);
void study_free(study *s);

/* Return the source of each run's t1, or NULL, and the fastest run that differs
 * from it only in the paradigm's knobs (run_relations.c).  Free them.  NULL
 * means out of memory. */
const run **study_singles(const study *s, failure *why);
size_t *study_fastest(const study *s, failure *why);
/* Returns for each run its program's infinite run on one GPU, preferably from
 * its file, or SIZE_MAX.  Free it.  NULL means out of memory. */
size_t *study_infinite_singles(const study *s, failure *why);

/* Merges repeats of one run, which differ only in time and line, into their
 * mean with its error. */
int study_merge(study *s, failure *why);
/* Returns for each run the first run of its file that differs only in N.  Free
 * it.  NULL means out of memory. */
size_t *study_curves(const study *s, failure *why);

/* Stores a predicted run as a residual of the model.  Runs of one file are of
 * one machine. */
void study_residual(const study *s, size_t i, gscale_residual *out);

/* Returns the system's half-width of a 95 % interval in standard errors.
 * Frozen predictions use that of a normal distribution. */
double study_tail(const study *s);

/* Returns predicted / measured - 1. */
double study_error(const study *s, size_t i);

/* Selects runs by picked() from all runs, or from a chain of chain_rows(). */
typedef struct choice {
  bool (*picked)(const void *closure, size_t i);
  const void *closure;
  size_t first;       /* first run of the chain */
  const size_t *next; /* chain; NULL: all runs */
} choice;

/* Scores the chosen runs with their errors, or only those of the parameters if
 * asked. out->n is 0 if none is chosen. */
int study_score(const study *s, const choice *c, bool of_parameters,
                gscale_score *out, failure *why);
/* Holds the times and errors of the chosen runs side by side.  If asked, err
 * has the errors of the parameters only.  The caller frees `predicted`, which
 * owns all. */
typedef struct series {
  double *predicted, *err, *measured, *sigma;
  size_t n;
} series;
int study_series(const study *s, const choice *c, bool of_parameters,
                 series *out, failure *why);

/* ---- summary ------------------------------------------------------------ */

typedef struct contest { /* one cell: a program of a file on N GPUs */
  size_t rivals;         /* measured paradigms that move data */
  size_t first, second;  /* indices of the two best, as measured */
  size_t named; /* index of the run predicted to be best, with any knobs */
  bool clear;   /* the first leads by more than 5 % */
  bool right;   /* whether the named run has the paradigm of the first */
} contest;

typedef struct knee_pair { /* one paradigm of a program of a file over N */
  size_t of;               /* index of one of its runs */
  int measured, predicted; /* N of the knee */
} knee_pair;

typedef struct score_line { /* line of a summary */
  const char *group;        /* "all", "paradigm", "gpus", ... */
  char name[160];
  gscale_score s;
  double compute, transfer; /* mean of |split|; NaN if unknown */
  size_t clear, right;      /* clear cells, and those that are named right */
  size_t curves, knees;     /* curves, and those whose knee is right */
} score_line;

typedef struct summary {
  size_t lines, contests, curves;
  score_line *line; /* lines; the first covers all runs */
  gscale_score
      bare; /* score of all with errors of parameters only; n = 0: unknown */
  contest *contest;
  knee_pair *curve;
} summary;

int summary_new(const study *s, summary *out, failure *why);
void summary_free(summary *m);

/* ---- laws --------------------------------------------------------------- */

enum {
  RIVAL_SCALED = GSCALE_LAW_END, /* model with one fitted factor */
  RIVAL_GIVEN,                   /* model with fitted numbers */
  RIVAL_EXCESS,   /* that with its excess over perfect scaling carried on */
  RIVAL_ADDED,    /* that with its residual of the last run added */
  RIVAL_WEIGHTED, /* weighted mean of these and the laws */
  RIVALS
};
const char *rival_name(size_t rival);
/* Returns false for rivals that only contribute to the weighted answer. */
bool rival_is_shown(size_t rival);

typedef struct rivals {
  bool wants_next; /* whether to find the most informative run (next_run.c) */
  size_t target;   /* step that the run should inform */
  int next;        /* GPUs of that run of its series; 0: none */
  double next_err; /* standard error of the target's ln(time) after it */
  size_t fits;     /* number of given N */
  int *fit;        /* given N, rising */
  double (*time)[RIVALS]; /* times of each run; NaN if not fitted */
  char reason[RIVALS][GSCALE_TEXT_MAX]; /* reason for a failed fit, or "" */
  size_t unfitted[RIVALS]; /* number of scored runs without a fit */
  double *bare; /* time by the fitted numbers alone, without discrepancies */
  double *err;  /* standard error of ln(time) by RIVAL_GIVEN, by run */
  double *weighted;         /* standard error of the weighted answer, by run */
  gscale_system *learned;   /* receives the fitted numbers, or NULL */
  double (*weight)[RIVALS]; /* weight of each answer for each run, or 0 */
} rivals;

/* Returns whether the rivals predict run i, which is asked or on more GPUs than
 * the given runs. */
bool rivals_scores(const study *s, const rivals *r, size_t i);
/* Fits each law, and the model if `list` is not "", to each series of runs on
 * the numbers of GPUs in `list`.  A series is a program of a file by one
 * paradigm with one setting of its knobs. */
int rivals_new(const study *s, const char *list, rivals *out, failure *why);
void rivals_free(rivals *r);
/* The given runs of a series, N rising. */
typedef struct points {
  size_t n;
  size_t run[GPUS_MAX]; /* run indices */
  int gpus[GPUS_MAX];
  double time[GPUS_MAX]; /* s */
  gscale_traffic traffic[GPUS_MAX];
} points;

/* Sets RIVAL_GIVEN and `bare` of all runs (mixture.c). */
int rivals_model(const study *s, rivals *r, failure *why);
/* Sets RIVAL_EXCESS and RIVAL_ADDED in time[RIVALS] of a step on `gpus` GPUs
 * from points on two N at least; bare: its time by the model. */
void rivals_carry(const rivals *r, const points *p, int gpus, double bare,
                  double *time);
/* Sets RIVAL_WEIGHTED of step i from its other answers. The array seen[RIVALS]
 * has those to the last N of p by the others, or is NULL. */
void rivals_mix(rivals *r, size_t i, const points *p, int gpus,
                const double *seen);
/* Carries residuals over to paradigms without runs, and takes measured
 * steps. */
int rivals_finish(const study *s, rivals *r, failure *why);
/* Writes the weights as "ours-excess 62%, usl 38%". */
void print_weights(const rivals *r, size_t i, char *text, size_t size);
/* Scores a rival on the runs that it has times for, and the model on the same
 * runs. */
int rivals_score(const study *s, const rivals *r, size_t rival,
                 gscale_score *theirs, gscale_score *ours, failure *why);

/* ---- report ------------------------------------------------------------- */

/* Prints the rows, the summary, or both, as the options ask. r may be NULL. */
int report_print(const study *s, const summary *m, const rivals *r,
                 const options *o, const char *head, failure *why);

/* Print the wrongly named cells and knees, and the worst predictions with their
 * parts, in words (outliers.c). */
void print_choices(FILE *f, const study *s, const summary *m);
/* Names the worst run, and the command that explains it. */
void claim_worst(claim *c, const study *s);
int print_misses(FILE *f, const study *s, int most, failure *why);

/* ---- demands ------------------------------------------------------------ */

/* Return EXIT_NO with a line for each demand of --max-error and --require that
 * is not met, and EXIT_USAGE for one that is not understood. */
int demand_check(const options *o, failure *why);
int demand_judge(const summary *m, const study *s, const rivals *r,
                 const options *o, failure *why);

/* ---- coverage ----------------------------------------------------------- */

/* Prints the residuals of runs when less and less is known.  The table of cases
 * has the columns gap,machine,system,settings,files.  A case names the runs of
 * a machine and the system that predicts them under its gscale_gap.  The
 * settings "link=pcie5;can.peer=none" and the files are lists.  The option
 * --estimate DIR writes the fitted residuals to DIR/residuals.csv. */
int coverage_print(const options *o, failure *why);

/* ---- freezing ----------------------------------------------------------- */

/* Writes the predictions of all runs of a plan with the commit that made them,
 * so that later runs can test them. */
int frozen_write(const study *s, const options *o, failure *why);
/* Gives each run its frozen prediction.  A run on one GPU without one becomes
 * an input, and any other run without one is a failure.  *head states the
 * origin of the predictions; draft_free() it. */
int frozen_read(study *s, const char *path, draft *head, failure *why);

#endif /* GPUSCALE_STUDY_H */

/* SPDX-License-Identifier: GPL-3.0-or-later */
