/* study.h - measured runs with what the model says of each: what validate,
 * freeze and calibrate --runs share. */
#ifndef GPUSCALE_STUDY_H
#define GPUSCALE_STUDY_H

#include "common/cli.h"
#include "common/membuf.h"
#include "validate/repeated_rows.h"
#include "validate/runs.h"

typedef enum role {
  ROLE_INPUT,  /* the single-GPU time that the model was given */
  ROLE_SINGLE, /* other runs on one GPU: nothing moves, not scored */
  ROLE_SCORED,
  ROLES
} role;

const char *role_name(role r);

typedef struct trial { /* one run, predicted */
  role role;
  const char *program;   /* name of the workload, not of its file */
  double time, infinite; /* s, predicted; infinite: without any transfer; NaN
                          * for an input that no prediction was frozen for */
  double err;            /* s */
  double of_parameters;  /* s, what of it is the parameters'; or NaN */
  double of_known;       /* s, see gscale_error */
  gscale_residual_at at; /* what moves */
  double doublings;      /* see gscale_system_widened */
  bool given;            /* the program's description has its single time */
  double off, known;     /* what runs of other machines say, see gscale_run */
  double part[GSCALE_PART_END];
  gscale_mechanism bound;
  gscale_applicability applicability;

  /* How it stands among the runs. */
  size_t session; /* index of the first run of its file and program */
  bool best;      /* see runs_is_best */
  double beside;  /* s, measured without any transfer on as many GPUs; or NaN */
} trial;

/* The runs are rows of `runs` and `trials` with the same index.  Where a file
 * may have millions of rows, those that ask the same are one run, with the time
 * of the first of them. */
typedef struct study {
  gscale_system *system;
  settings *set; /* -P: what the system did not take is the programs', unless
                  * the runs say otherwise; or NULL */
  const settings *where; /* which runs were chosen; NULL: all */
  bool no_single;
  bool bare; /* nothing describes the programs: only laws say something */
  const run *givers; /* where single-GPU times are taken from ... */
  size_t n_givers;   /* ... if not from the runs themselves */
  run *runs;
  trial *trials;
  size_t n;
  run_list shares;   /* of the work, on one GPU: inputs, as single times are */
  lexicon names;     /* texts of both */
  far_runs far;      /* runs that cannot be meant so */
  bool far_noted;    /* already: they are not noted again */
  size_t jobs;       /* processes that predict at once; 0: this one */
  repeat_list *rows; /* of all runs; NULL: each is one row */
} study;

/* ---- rows --------------------------------------------------------------- */

/* A row as it was measured: run `of`, with the row's own time. */
typedef struct measured_row {
  size_t of;
  double time, sigma; /* s */
  int line;
  role role;
} measured_row;

size_t study_rows(const study *s);
/* The i-th; quickest one after the other. */
measured_row study_row(const study *s, size_t i);
run study_row_run(const study *s, size_t i);
double study_row_error(const study *s, const measured_row *r);
/* NaN if no infinite run was measured on as many GPUs. */
gscale_split study_row_split(const study *s, const measured_row *r);
/* The fastest row of a run, and its time. */
size_t study_least(const study *s, size_t run, double *time);
/* Whether some row of a run has the role. */
bool study_has_role(const study *s, size_t run, role r);

/* Has rows that ask the same as one run from here on. */
int study_fold(study *s, failure *why);
/* Reads all the files. */
int study_read(study *s, const char *const *paths, size_t files, failure *why);
/* Keeps the runs with all the knobs in `wanted`, compared by value; and of
 * them, if `best`, those of runs_is_best. */
int study_choose(study *s, const settings *wanted, bool best, failure *why);
/* True if study_choose() would keep it, but for `best`. */
bool study_wants(const study *s, const run *r);
/* The run's program with its knobs, and with those of s->set. */
int study_load(const study *s, const run *r, gscale_workload **out,
               failure *why);
/* Counts the single-GPU run that is given against what the program says of
 * itself: what the others are predicted from is as far off as they are.  A
 * program whose own time is a measured one, of some machine, says nothing of
 * others. */
void far_add_single(far_runs *f, const gscale_system *s,
                    const gscale_workload *w, const run *single);
/* Makes a run on one GPU the single-GPU time of *w: as it is if nothing moves,
 * else less what its paradigm calls besides. */
int study_give_single(const study *s, const run *single, gscale_workload *w,
                      failure *why);
/* Predicts every run, with its program's measured single-GPU time if there is
 * one that may be used. */
int study_predict(study *s, failure *why);
/* What study_predict() does where nothing is described: no time. */
int study_pass(study *s, failure *why);
/* EXIT_USAGE naming the first of s->set that neither system nor program took.
 */
int study_all_used(const study *s, failure *why);
/* Says how the trials, predicted in whatever way, stand among each other. */
int study_relate(study *s, failure *why);
void study_free(study *s);

/* For each run (run_relations.c): the one whose time its program starts from,
 * or NULL; the index of the fastest that differ from it in the paradigm's knobs
 * only. Free them; NULL without memory. */
const run **study_singles(const study *s, failure *why);
size_t *study_fastest(const study *s, failure *why);
/* For each run the infinite one of its program on one GPU, of its file if there
 * is one, or SIZE_MAX.  Free it; NULL without memory. */
size_t *study_infinite_singles(const study *s, failure *why);

/* Makes repeats of one run, which differ in nothing but time and line, one with
 * their mean and its error. */
int study_merge(study *s, failure *why);
/* For each run the first of its file that differs in N only.  Free it; NULL
 * without memory. */
size_t *study_curves(const study *s, failure *why);

/* A predicted run as the residuals of the model take it: runs of one file are
 * of one machine. */
void study_residual(const study *s, size_t i, gscale_residual *out);

/* Standard errors of an interval of 95 %: the system's; of frozen predictions
 * those of a normal distribution. */
double study_tail(const study *s);

/* predicted/measured - 1 */
double study_error(const study *s, size_t i);

/* Some of the runs: those picked of all, or of a chain of chain_rows(). */
typedef struct choice {
  bool (*picked)(const void *closure, size_t i);
  const void *closure;
  size_t first;       /* of the chain */
  const size_t *next; /* NULL: no chain, the one behind it */
} choice;

/* Scores those that are chosen, by the errors of the parameters only if asked;
 * out->n = 0 if none is. */
int study_score(const study *s, const choice *c, bool of_parameters,
                gscale_score *out, failure *why);
/* The times and errors of the chosen runs, side by side: predicted, err (of
 * the parameters only, if asked), measured, sigma.  Free them by the first. */
typedef struct series {
  double *predicted, *err, *measured, *sigma;
  size_t n;
} series;
int study_series(const study *s, const choice *c, bool of_parameters,
                 series *out, failure *why);

/* ---- summaries (summary.c) ---------------------------------------------- */

/* Everything that validate says about many runs at once. */
typedef struct contest { /* one cell: a program of a file on N GPUs */
  size_t rivals;         /* paradigms that move data, measured */
  size_t first, second;  /* indices of the best and the next, as measured */
  size_t named;          /* of the one predicted to be best, with any knobs */
  bool clear;            /* the first leads by more than 5 % */
  bool right;            /* the named one has the paradigm of the first */
} contest;

typedef struct knee_pair { /* one paradigm of a program of a file over N */
  size_t of;               /* index of one of its runs */
  int measured, predicted; /* N of the knee */
} knee_pair;

typedef struct score_line { /* of a summary */
  const char *group;        /* "all", "paradigm", "gpus", ... */
  char name[160];
  gscale_score s;
  double compute, transfer; /* mean of |split|; NaN if never known */
  size_t clear, right;      /* cells that are clear, and named right */
  size_t curves, knees;     /* curves, and those whose knee is right */
} score_line;

typedef struct summary {
  size_t lines, contests, curves;
  score_line *line; /* the first is that of all */
  gscale_score
      bare; /* of all, with errors of parameters only; n = 0: unknown */
  contest *contest;
  knee_pair *curve;
} summary;

int summary_new(const study *s, summary *out, failure *why);
void summary_free(summary *m);

/* ---- laws fitted to the same runs (laws.c) ---------------------------- */

enum {
  RIVAL_SCALED = GSCALE_LAW_END, /* ours, one factor fitted */
  RIVAL_GIVEN,                   /* ours, its numbers fitted */
  RIVAL_WEIGHTED,                /* that and the laws, by their weights */
  RIVALS
};
const char *rival_name(size_t rival);
/* False of those that only take part in the weighted one. */
bool rival_is_shown(size_t rival);

/* A run that could be made: like one of the study's, on other GPUs. */
typedef struct offered {
  size_t like;
  int gpus;
  double left; /* of the error of ln(time) of the target by ours, if it were */
} offered;

enum {
  OFFERS_MAX = 32
};

typedef struct rivals {
  bool wants_next;     /* which run would tell most; then (next_run.c): */
  size_t target;       /* of this step */
  size_t offers, next; /* next: of the offers; == offers: none */
  double next_err;     /* standard error of its ln(time) that would be left */
  offered offer[OFFERS_MAX];
  size_t fits;            /* numbers of GPUs given to them ... */
  int *fit;               /* ... rising */
  double (*time)[RIVALS]; /* for each run; NaN if not fitted or not asked */
  char reason[RIVALS][GSCALE_TEXT_MAX]; /* why some were not fitted, or "" */
  size_t unfitted[RIVALS];              /* runs to be scored without a fit */
  double *err;      /* of each run, standard error of ln(time) by ours given */
  double *weighted; /* and by the weighted answer */
  gscale_system *learned;   /* takes the numbers that the runs tell; or NULL */
  double (*weight)[RIVALS]; /* of each run's answers in the weighted one; 0 of
                             * those that are not in it */
} rivals;

/* Whether they say something of it: it was asked for, or is on more GPUs than
 * those whose runs they are given. */
bool rivals_scores(const study *s, const rivals *r, size_t i);
/* Fits each law, and ours if `list` is not "", to each series of runs, a
 * program of a file by one paradigm with one setting of its knobs, on the
 * numbers of GPUs in `list`. */
int rivals_new(const study *s, const char *list, rivals *out, failure *why);
void rivals_free(rivals *r);
/* The times by ours given those runs, and the weighted ones, where laws have
 * theirs (mixture.c).  `seen`: the same rivals that were not given the runs on
 * the largest N that they may have; NULL if there are too few. */
int rivals_weigh(const study *s, rivals *r, const rivals *seen, failure *why);
/* What ours would have said of the runs on more GPUs than it was given; without
 * them where they are too few to give. */
int rivals_look_back(const study *s, rivals *seen, failure *why);
/* "ours-given 62%, usl 38%" */
void print_weights(const rivals *r, size_t i, char *text, size_t size);
/* Scores one on the runs it has a time for, and ours on the same. */
int rivals_score(const study *s, const rivals *r, size_t rival,
                 gscale_score *theirs, gscale_score *ours, failure *why);

/* ---- what is printed (report.c) ----------------------------------------- */

/* The rows, the summary, or both, as the options say.  r may be NULL. */
int report_print(const study *s, const summary *m, const rivals *r,
                 const options *o, const char *head, failure *why);

/* In words (outliers.c): the cells and knees that were named wrong; the worst
 * predictions with their parts. */
void print_choices(FILE *f, const study *s, const summary *m);
/* Says which run is the worst, and what tells why. */
void claim_worst(claim *c, const study *s);
int print_misses(FILE *f, const study *s, int most, failure *why);

/* ---- demands (thresholds.c) -------------------------------------------------
 */

/* EXIT_NO with a line for each demand of --max-error and --require that is not
 * met; EXIT_USAGE for one that is not understood. */
int demand_check(const options *o, failure *why);
int demand_judge(const summary *m, const study *s, const rivals *r,
                 const options *o, failure *why);

/* ---- coverage (coverage.c) ---------------------------------------------- */

/* How far runs are off where less and less is known, by a table of cases:
 *   gap,machine,system,settings,files
 * each the runs of a machine, predicted by a system under what is said of
 * gscale_gap; settings "link=pcie5;can.peer=none" and files are lists.  With
 * --estimate DIR the residuals that the runs show go to DIR/residuals.csv. */
int coverage_print(const options *o, failure *why);

/* ---- frozen predictions (frozen.c) -------------------------------------- */

/* Writes the predictions of all runs of a plan, with the commit they were made
 * at, so that they can be held against runs later. */
int frozen_write(const study *s, const options *o, failure *why);
/* Gives each run the prediction frozen for it.  Runs on one GPU without one are
 * left out; others without one are a failure.  *head says where the predictions
 * come from; draft_free() it. */
int frozen_read(study *s, const char *path, draft *head, failure *why);

#endif /* GPUSCALE_STUDY_H */

/* SPDX-License-Identifier: GPL-3.0-or-later */
