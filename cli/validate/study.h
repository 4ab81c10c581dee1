/* study.h - predicts measured runs for validate, freeze and calibrate. */
#ifndef GPUSCALE_STUDY_H
#define GPUSCALE_STUDY_H

#include "common/cli.h"
#include "common/membuf.h"
#include "validate/repeated_rows.h"
#include "validate/runs.h"

typedef enum role {
  ROLE_INPUT,  /* single-GPU time, given to the model */
  ROLE_SINGLE, /* other runs on one GPU, not scored */
  ROLE_SCORED,
  ROLES
} role;

const char *role_name(role r);

typedef struct trial { /* prediction of one run */
  role role;
  const char *program;   /* name of the workload, not of its file */
  double time, infinite; /* s, with and without transfers; NaN: not frozen */
  double err;            /* s */
  double of_parameters;  /* part of err from parameters in s, or NaN */
  double of_known;       /* as in gscale_error, in s */
  gscale_residual_at at; /* conditions of the residual */
  double doublings;      /* as in gscale_system_widened */
  bool given;            /* the description has a t1 */
  double off, known;     /* residuals of other machines, as in gscale_run */
  double part[GSCALE_PART_END];
  gscale_mechanism bound;
  gscale_applicability applicability;

  /* Members that relate the run to other runs. */
  size_t session; /* index of the first run of this file and program */
  bool best;      /* result of runs_is_best() */
  double beside;  /* s, infinite run on as many GPUs, or NaN */
} trial;

/* Run i is runs[i] with trials[i]. Rows that ask for the same prediction may be
 * folded into one run with the time of the first row. */
typedef struct study {
  gscale_system *system;
  settings *set; /* -P for programs, or NULL; knobs of runs take precedence */
  const settings *where; /* knobs of the chosen runs; NULL: all */
  bool no_single;
  bool bare;         /* no program is described; only laws predict */
  const run *givers; /* sources of single-GPU times; NULL: `runs` */
  size_t n_givers;
  run *runs;
  trial *trials;
  size_t n;
  run_list shares;   /* inputs: runs of parts of the work on one GPU */
  lexicon names;     /* texts of the runs and trials */
  far_runs far;      /* runs far from their predictions */
  bool far_noted;    /* `far` was noted already */
  size_t jobs;       /* parallel processes; 0: only this one */
  repeat_list *rows; /* rows of all runs; NULL: one row each */
} study;

/* ---- rows --------------------------------------------------------------- */

/* A measured row of run `of` with its own time. */
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
/* Returns the split of a row, or NaN if it has no measured infinite run. */
gscale_split study_row_split(const study *s, const measured_row *r);
/* Returns the fastest row of a run, and stores its time. */
size_t study_least(const study *s, size_t run, double *time);
/* Returns whether some row of a run has the role. */
bool study_has_role(const study *s, size_t run, role r);

/* After this call, rows that ask for the same prediction share one run. */
int study_fold(study *s, failure *why);
/* Reads all the files. */
int study_read(study *s, const char *const *paths, size_t files, failure *why);
/* Keeps the runs with all the knobs in `wanted`, which are compared by value.
 * With `best`, only runs that are best by runs_is_best() remain. */
int study_choose(study *s, const settings *wanted, bool best, failure *why);
/* Returns whether study_choose() would keep the run if `best` were false. */
bool study_wants(const study *s, const run *r);
/* Loads the run's program with its knobs and the knobs of s->set. */
int study_load(const study *s, const run *r, gscale_workload **out,
               failure *why);
/* Counts a single-GPU run in *f if the description predicts a very different
 * time, because other predictions are then equally wrong. A program with a
 * stated t1 is skipped, because the t1 is of one machine. */
void far_add_single(far_runs *f, const gscale_system *s,
                    const gscale_workload *w, const run *single);
/* Sets the single-GPU time of *w from a run on one GPU. The time excludes the
 * calls of a paradigm other than infinite. */
int study_give_single(const study *s, const run *single, gscale_workload *w,
                      failure *why);
/* Predicts every run from the program's measured single-GPU time, if usable. */
int study_predict(study *s, failure *why);
/* Replaces study_predict() if nothing is described, and predicts no time. */
int study_pass(study *s, failure *why);
/* Returns EXIT_USAGE with the first setting of s->set that neither system nor
 * program used. */
int study_all_used(const study *s, failure *why);
/* Relates the trials to each other after any kind of prediction. */
int study_relate(study *s, failure *why);
void study_free(study *s);

/* study_singles() returns the source of each run's t1, or NULL. study_fastest()
 * returns the fastest run that differs from each run only in the paradigm's
 * knobs (run_relations.c). The caller frees the results. NULL means that memory
 * is exhausted. */
const run **study_singles(const study *s, failure *why);
size_t *study_fastest(const study *s, failure *why);
/* Returns for each run the program's infinite run on one GPU, preferably from
 * the same file, or SIZE_MAX. The caller frees the array. NULL: no memory. */
size_t *study_infinite_singles(const study *s, failure *why);

/* Merges repeats of a run, which differ only in time and line, by their
 * mean. */
int study_merge(study *s, failure *why);
/* Returns for each run the first run of the same file that differs only in N.
 * The caller frees the array. NULL means that memory is exhausted. */
size_t *study_curves(const study *s, failure *why);

/* Stores a predicted run as a residual of the model. Runs of one file are of
 * one machine. */
void study_residual(const study *s, size_t i, gscale_residual *out);

/* Returns the half-width of a 95 % interval in standard errors of the system.
 * Frozen predictions use the half-width of a normal distribution. */
double study_tail(const study *s);

/* Returns predicted / measured - 1. */
double study_error(const study *s, size_t i);

/* Selects runs by picked() from all runs, or from a chain of chain_rows(). */
typedef struct choice {
  bool (*picked)(const void *closure, size_t i);
  const void *closure;
  size_t first;       /* first run of the chain */
  const size_t *next; /* the chain; NULL: all runs */
} choice;

/* Scores the chosen runs with their full errors, or if asked with the errors of
 * the parameters. out->n is 0 if no run is chosen. */
int study_score(const study *s, const choice *c, bool of_parameters,
                gscale_score *out, failure *why);
/* The times and errors of the chosen runs. If asked, err has only the errors of
 * the parameters. The caller frees `predicted`, which owns all arrays. */
typedef struct series {
  double *predicted, *err, *measured, *sigma;
  size_t n;
} series;
int study_series(const study *s, const choice *c, bool of_parameters,
                 series *out, failure *why);

/* ---- summary ------------------------------------------------------------ */

typedef struct contest { /* a program of a file on N GPUs */
  size_t rivals;         /* measured paradigms that move data */
  size_t first, second;  /* measured as best and second best */
  size_t named;          /* predicted as best with any knobs */
  bool clear;            /* the first leads by more than 5 % */
  bool right;            /* `named` and `first` have one paradigm */
} contest;

typedef struct knee_pair { /* a paradigm of a program of a file over N */
  size_t of;               /* index of one of its runs */
  int measured, predicted; /* N of the knee */
} knee_pair;

typedef struct score_line { /* a line of a summary */
  const char *group;        /* "all", "paradigm", "gpus", ... */
  char name[160];
  gscale_score s;
  double compute, transfer; /* mean of |split|; NaN if unknown */
  size_t clear, right;  /* unambiguous cells, and those predicted correctly */
  size_t curves, knees; /* curves, and those with the right knee */
} score_line;

typedef struct summary {
  size_t lines, contests, curves;
  score_line *line;  /* lines; the first covers all runs */
  gscale_score bare; /* of all runs with errors of parameters only, if n > 0 */
  contest *contest;
  knee_pair *curve;
} summary;

int summary_new(const study *s, summary *out, failure *why);
void summary_free(summary *m);

/* ---- laws --------------------------------------------------------------- */

enum {
  RIVAL_SCALED = GSCALE_LAW_END, /* model with one fitted factor */
  RIVAL_GIVEN,                   /* model with fitted numbers */
  RIVAL_EXCESS,                  /* model with extrapolated excess */
  RIVAL_ADDED,                   /* model with the last run's residual */
  RIVAL_WEIGHTED,                /* weighted mean of answers */
  RIVALS
};
const char *rival_name(size_t rival);
/* Returns false for rivals that only contribute to the weighted answer. */
bool rival_is_shown(size_t rival);

typedef struct rivals {
  bool wants_next; /* find the most informative run (next_run.c) */
  size_t target;   /* step that the run should inform */
  int next;        /* N of the next run in the series, or 0 */
  double
      next_err; /* standard error of the target's ln(time) with the next run */
  size_t fits;  /* number of given N */
  int *fit;     /* given N, ascending */
  double (*time)[RIVALS]; /* times of each run; NaN if not fitted */
  char reason[RIVALS][GSCALE_TEXT_MAX]; /* reason of a failed fit, or "" */
  size_t unfitted[RIVALS];  /* number of scored runs without a fit */
  double *bare;             /* time by the fitted numbers alone */
  double *err;              /* standard error of RIVAL_GIVEN's ln(time) */
  double *weighted;         /* standard error of the weighted ln(time) */
  gscale_system *learned;   /* receives the fitted numbers, or NULL */
  double (*weight)[RIVALS]; /* weight of each answer for each run, or 0 */
  double single; /* ln of the factor on the model's T(1), if no run tells it */
} rivals;

/* Returns whether the rivals predict run i. The run must be asked or be on more
 * GPUs than the given runs. */
bool rivals_scores(const study *s, const rivals *r, size_t i);
/* Fits each law, and the model if `list` is not "", to each series of runs on
 * the numbers of GPUs in `list`. A series has one file, program, paradigm and
 * setting of knobs. */
int rivals_new(const study *s, const char *list, rivals *out, failure *why);
void rivals_free(rivals *r);
/* The given runs of a series in order of N. */
typedef struct points {
  size_t n;
  size_t run[GPUS_LISTED]; /* run indices */
  int gpus[GPUS_LISTED];
  double time[GPUS_LISTED]; /* s */
  gscale_traffic traffic[GPUS_LISTED];
} points;

/* Sets RIVAL_GIVEN and `bare` of all runs (mixture.c). */
int rivals_model(const study *s, rivals *r, failure *why);
/* Sets RIVAL_EXCESS and RIVAL_ADDED in time[RIVALS] of a step on `gpus` GPUs
 * from points on two or more N. `bare` is the step's time by the model. */
void rivals_carry(const rivals *r, const points *p, int gpus, double bare,
                  double *time);
/* Sets RIVAL_WEIGHTED of step i from the step's other answers. ran[RIVALS] has
 * the laws' times on the last N of p, and seen[RIVALS] all answers for the last
 * N from the other N, or is NULL. */
void rivals_mix(rivals *r, size_t i, const points *p, int gpus,
                const double *ran, const double *seen);
/* Transfers residuals to paradigms without runs, and takes measured steps. */
int rivals_finish(const study *s, rivals *r, failure *why);
/* Writes the weights, such as "ours-excess 62%, usl 38%". */
void print_weights(const rivals *r, size_t i, char *text, size_t size);
/* Scores a rival on the runs that it predicts, and the model on these runs. */
int rivals_score(const study *s, const rivals *r, size_t rival,
                 gscale_score *theirs, gscale_score *ours, failure *why);

/* ---- report ------------------------------------------------------------- */

/* Prints the rows, the summary, or both, as the options ask. r may be NULL. */
int report_print(const study *s, const summary *m, const rivals *r,
                 const options *o, const char *head, failure *why);

/* Functions that print wrong choices, wrong knees and the worst predictions
 * with their parts in words (outliers.c). */
void print_choices(FILE *f, const study *s, const summary *m);
/* Names the worst run, and the command that explains it. */
void claim_worst(claim *c, const study *s);
int print_misses(FILE *f, const study *s, int most, failure *why);

/* ---- demands ------------------------------------------------------------ */

/* demand_judge() returns EXIT_NO with a line for each unmet demand of
 * --max-error and --require. demand_check() returns EXIT_USAGE for a malformed
 * demand. */
int demand_check(const options *o, failure *why);
int demand_judge(const summary *m, const study *s, const rivals *r,
                 const options *o, failure *why);

/* ---- coverage ----------------------------------------------------------- */

/* Prints the residuals of runs with less and less known. The table of cases has
 * the columns gap,machine,system,settings,files. A case gives the runs of a
 * machine and the system that predicts them under its gscale_gap. The settings
 * "link=pcie5;can.peer=none" and the files are lists. The option --estimate DIR
 * writes the fitted residuals to DIR/residuals.csv. */
int coverage_print(const options *o, failure *why);

/* ---- freezing ----------------------------------------------------------- */

/* Writes the predictions of all runs of a plan with the commit that made them,
 * so that later runs can test them. */
int frozen_write(const study *s, const options *o, failure *why);
/* Gives each run its frozen prediction. A run on one GPU without a prediction
 * becomes an input. Any other missing prediction is a failure. *head has the
 * origin of the predictions, until the caller calls draft_free(). */
int frozen_read(study *s, const char *path, draft *head, failure *why);

#endif /* GPUSCALE_STUDY_H */

/* SPDX-License-Identifier: GPL-3.0-or-later */
