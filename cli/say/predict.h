/* predict.h - questions about systems and their answers, for predict, compare,
 * explain, tune and scripts. */
#ifndef GPUSCALE_PREDICT_H
#define GPUSCALE_PREDICT_H

#include "common/cli.h"

/* ---- question (question.c) ---------------------------------------------- */

/* A workload scaled to some N. */
typedef struct grown {
  gscale_workload *workload; /* NULL: no such size */
  char size[64];             /* "n=645" */
  char *settings;            /* with the size */
} grown;

/* Numbers of GPUs that were left out. */
typedef struct left_out {
  size_t n, among; /* count, whole range */
  int first, last;
  char why[GSCALE_TEXT_MAX]; /* reason for the first */
} left_out;

/* Corrections from --runs (findings.h). */
typedef struct findings findings;

typedef struct question {
  gscale_system *system;
  gscale_workload *workload;
  description *described; /* its file */
  grown *weak;            /* --weak, by N; NULL: fixed */
  char rule[64];          /* of growth, "n~N^(1/3)" */
  size_t scheduled;       /* cost of all schedules */
  double alone;           /* s, --weak: ideal time */
  about about_system, about_workload;
  system_label name; /* of the system */
  size_t paradigms;
  size_t paradigm[PARADIGMS_MAX];
  size_t between[PARADIGMS_MAX];                 /* method in its name */
  char pair[PARADIGMS_MAX][2 * GSCALE_NAME_MAX]; /* "memcpy+gpudirect" */
  gscale_knobs knobs[PARADIGMS_MAX];             /* as given, else NaN */
  /* each -P and --link: "n=512;link=pcie5" */
  char settings[SETTINGS_TEXT + 2 * GSCALE_NAME_MAX];
  double steps; /* for averaging setup costs; 0: left out */
  double price; /* per GPU hour; NaN: not given */
  bool named;   /* the user named paradigms */
  size_t n;
  int gpus[GPUS_MAX];
  left_out left;       /* N without a workload */
  gscale_joint *joint; /* of answers, or NULL */
  bool joint_owned;    /* freed with the question */
  findings *given;     /* NULL: no runs */
} question;

/* Returns the workload on n GPUs, scaled with --weak. */
const gscale_workload *question_workload(const question *q, int n);
/* Returns the settings on n GPUs, with the size of --weak. */
const char *question_settings(const question *q, int n);
/* Sets the reference of --weak speedups by a plan of `workload` on one GPU of
 * the question's system or a trial one. */
int question_alone(question *q, const gscale_plan *one, failure *why);

/* Numbers of GPUs if no option sets them. */
typedef enum default_gpus {
  GPUS_DOUBLED, /* 1, 2, 4, ... as built */
  GPUS_EVERY    /* 1 .. as built */
} default_gpus;

/* Loads the question of the options, whose last argument is the workload.  Free
 * it even after a failure. */
int question_load(question *q, options *o, default_gpus gpus, failure *why);
/* Reloads the workload with other knobs and keeps the system.  It must not be
 * used with --runs. */
int question_again(question *q, options *o, default_gpus gpus, failure *why);
/* Stores the settings in the syntax of -P and of files of runs. */
void question_note(question *q, const options *o);
/* Names the i-th paradigm with its method between nodes. */
void question_name_pair(question *q, size_t i);
/* Sets only the paradigms, as --paradigm does, with all knobs unset. */
int question_paradigms(question *q, const char *text, bool proposed,
                       failure *why);
void question_free(question *q);

/* The prediction of one paradigm on one N. */
typedef struct answer {
  bool met;            /* false: it cannot run */
  bool again;          /* an earlier answer's method */
  bool bound;          /* zero-cost communication: a bound */
  gscale_status unmet; /* the reason */
  gscale_prediction p;
  gscale_lost lost;
  double err;        /* s, or NaN */
  double energy;     /* J, NaN without the system's power */
  double energy_err; /* J, NaN if not requested */
  gscale_applicability applicability;
  char word[16]; /* extrapolated why, or "" */
  size_t row;    /* in the question's joint */
} answer;

/* Leaves out the N that exceed the system or its memory, with notes on stderr
 * unless `quiet`.  It fails if none is left and computes nothing. */
int question_fit(question *q, bool quiet, failure *why);
/* Starts a joint of all later answers with errors.  It is freed with the
 * question. */
int question_join(question *q, failure *why);
/* Allocates all answers: answers[i * q->n + j] is paradigm i on q->gpus[j].  It
 * returns NULL if out of memory. */
answer *question_answers(const question *q);
/* Answers the i-th paradigm by a plan into a[i * stride], after its
 * predecessors, with an error unless u is NULL.  A paradigm that cannot run is
 * not met; that is no failure. */
int question_answer_by(const question *q, const gscale_plan *plan, size_t i,
                       gscale_uncertainty *u, answer *a, size_t stride,
                       failure *why);
/* Correct a prediction of the i-th paradigm on n GPUs, or its error, by the
 * given runs. */
void question_given(const question *q, size_t i, int n, gscale_prediction *p);
void question_given_error(const question *q, size_t i, int n,
                          const gscale_prediction *p, gscale_error *e);
/* Says "12 runs: ours-given 60%, usl 40%", or "" without runs. */
void say_given(const question *q, size_t i, int n, char *text, size_t size);
/* Computes all answers on q->gpus[j]. */
int question_answer_at(const question *q, size_t j, bool with_error, answer *a,
                       failure *why);
/* Returns true if an unmet answer must be reported: the user named it, or the
 * failure is not an unmet need. */
bool question_misses(const question *q, const answer *a);
/* Explains why a plan cannot run the i-th paradigm. */
void question_reason(const question *q, const gscale_plan *plan, size_t i,
                     gscale_diag *diag);
/* Fails because no paradigm runs on q->gpus[j], and lists the needs of each. */
int question_refuse(const question *q, size_t j, failure *why);
/* Lists the needs of all paradigms for a plan, as text. */
void question_needs(const question *q, const gscale_plan *plan, char *text,
                    size_t size);
/* Notes on stderr, unless `quiet`, which paradigms are not met and why.  It
 * fails if none is met anywhere, or only a bound. */
int question_settle(const question *q, const answer *a, bool quiet,
                    failure *why);
/* Notes on stderr that t1 is another system's, and returns true if so. */
bool question_note_t1(const question *q);
/* Prints one note on stderr for all N beyond the built size. */
void question_note_beyond(const question *q);
/* Drops the paradigms that cannot run on every N, unless the user named them,
 * because a mesh may lack peer access on some N.  Paradigm i on the j-th of n
 * is a[i * n + j]; `has`, unless NULL, marks the N with answers. */
void drop_partial(const question *q, answer *a, const bool *has, size_t n);
/* Runs all these steps. */
int question_answer(question *q, bool with_error, answer **out, failure *why);
/* ---- ties (best.c) ------------------------------------------------------ */

/* Returns true if an answer may be chosen.  A bound may only be chosen if
 * nothing else was asked for. */
bool way_counts(const question *q, const answer *a);
/* Returns the fastest answer that may be chosen, q->paradigms if none.  On one
 * GPU `infinite` is the last choice.  Paradigm i is a[i * stride]. */
size_t fastest_way(const question *q, const answer *a, size_t stride);
/* Lists the ties of the fastest and returns their number, the plainest first,
 * then the faster.  A tie takes at most 1 % longer, or less than a tenth of the
 * error of the ratio if that is known. */
size_t ways_tied(const question *q, const answer *a, size_t stride, size_t *of);
/* Returns the first of the ties, the best; q->paradigms if nothing ran. */
size_t best_way(const question *q, const answer *a, size_t stride);
/* Return the best and the ties among the answers on q->gpus[j]. */
size_t question_best(const question *q, const answer *a, size_t j);
size_t question_tied(const question *q, const answer *a, size_t j, size_t *of);
/* Ranks the answers on q->gpus[j] that move data, the best first and then by
 * time.  It returns their number. */
size_t question_rank(const question *q, const answer *a, size_t j,
                     size_t *rank);
/* Returns gscale_paradigm.plain of the i-th paradigm. */
int way_plain(const question *q, size_t i);
/* Names the i-th paradigm, with a mark if nobody measured it: "broadcast
 * (unmeasured)".  Between nodes this depends on the method, k->between. */
typedef char way_words[4 * GSCALE_NAME_MAX];
const char *say_way(const question *q, size_t i, const gscale_knobs *k,
                    way_words text);
/* Lists all ties but the first: "rdl, inline", with "..." if they do not
 * fit. */
void say_also(const question *q, const size_t *of, size_t n, const char *comma,
              char *text, size_t size);
/* The rank of the i-th paradigm among answers a[0], a[stride], ... */
typedef struct standing {
  const char *place; /* "best", "tie" or "" */
  char also[256];    /* ties of the best */
} standing;
void say_standing(const question *q, const answer *a, size_t stride, size_t i,
                  standing *out);
/* ---- probabilities (probability.c) -------------------------------------- */

/* Returns the probability that a takes less than `factor` times what b takes,
 * from the question's joint; without one it is 0, 1/2 or 1 by the times. */
double answer_faster(const question *q, const answer *a, const answer *b,
                     double factor);
/* Returns true if neither answer is faster with a certainty of one standard
 * deviation, or their lead is below 0.5 %. */
bool answers_alike(const question *q, const answer *a, const answer *b);
/* "inside", "outside: machine", "assumed: number" */
typedef char range_words[48];
const char *say_range(const answer *a, range_words text);

/* The peak or the knee of a curve, and the range of N that errors leave
 * possible.  The array a holds q->n answers of one paradigm. */
typedef struct spot {
  int gpus, from, to;
} spot;
/* Returns true if the curve has all N; otherwise it has no peak or knee. */
bool curve_is_whole(const question *q, const answer *a);
spot curve_peak(const question *q, const answer *a);
spot curve_knee(const question *q, const answer *a);
/* "4", "4 (2-8)" */
typedef char spot_words[48];
const char *say_spot(const spot *s, spot_words text);
/* "4", "2-8" */
const char *say_reach(const spot *s, spot_words text);

/* Names the i-th paradigm with its method between nodes, or without it for rows
 * that list it among the knobs. */
const char *question_paradigm(const question *q, size_t i);
const char *question_inside(const question *q, size_t i);
/* Describes the paradigm in one line. */
const char *question_summary(const question *q, size_t i);
/* Returns true if the paradigm has a row for some N. */
bool question_shows(const question *q, const answer *a, size_t i);

/* "ring/LL" */
void print_way(char *text, size_t size, const gscale_move *m);
/* Says how a phase's collective runs, the loss of the next choice, and where
 * that wins (runner.c): "all-reduce; tree/LL +12%; ring/LL128 from 1.3 MB". */
void say_runner_up(const gscale_plan *p, size_t phase, const gscale_knobs *k,
                   char *text, size_t size);
/* Prints the collective of each phase after any knobs:
 * "apply=ring/LL;turn=direct/LL". */
void print_moves(char *text, size_t size, const gscale_workload *w,
                 const gscale_prediction *p);

/* ---- comparisons (comparison.c) ----------------------------------------- */

/* Values of one number, each a variant of the question. */
typedef struct variants {
  const char *name; /* as in -P */
  size_t n;
  const double *x;
  const char (*text)[64];  /* for -P, 17 digits */
  const char (*label)[64]; /* "450 GB/s" */
} variants;

typedef struct subject {
  question q;
  answer *a;
  size_t base;  /* system and link */
  size_t value; /* index of the variant */
  bool linked;  /* has a requested link */
} subject;

typedef struct comparison {
  size_t n;
  subject *v;
  const variants *over; /* NULL: none */
  bool links;           /* --link was given */
  gscale_joint *joint;  /* of answers with errors */
  size_t jobs;          /* concurrent processes; 0: this one */
} comparison;

/* Loads each system of --system, also with each link of --link, and each of
 * these with each variant.  There must be two subjects unless prices are asked
 * for.  Names are unique.  Free it even after a failure. */
int comparison_load(comparison *c, options *o, default_gpus gpus,
                    const variants *over, failure *why);
int comparison_answer(comparison *c, bool with_error, failure *why);
void comparison_free(comparison *c);

/* ---- prices (pareto.c) -------------------------------------------------- */

/* Takes the price of a GPU hour of the question's system from --price, NAME=X
 * or a default X; NaN without the option. */
int take_price(question *q, const options *o, failure *why);

/* A prediction with its price. */
typedef struct offer {
  const subject *s;
  size_t i, j;       /* paradigm and N */
  double time, cost; /* of a step, with setup */
  bool front;        /* on the Pareto front */
} offer;

/* Makes all offers in the order of prediction_rows(); free them. */
int offers_new(const comparison *c, offer **out, size_t *n, failure *why);
/* Append prices to predict's columns (gpu_price.c). */
size_t priced_columns(const column **out);
int priced_rows(rows *r, size_t columns, const comparison *c, failure *why);
/* Prints the front for people, the cheapest first. */
int print_front(output *out, const comparison *c, failure *why);

/* ---- rows (prediction.c) ------------------------------------------------ */

/* Returns the number of columns, which README.md documents. */
size_t prediction_columns(const column **out);
/* Copies the columns of predictions to `all`, with n more at the end. */
enum {
  PREDICTION_ROOM = 128
};
size_t prediction_columns_and(const column *more, size_t n, column *all);
/* Fills the columns of paradigm i on q->gpus[j] from all answers a. */
void prediction_row(cell *c, const question *q, size_t i, size_t j,
                    const answer *a);
/* Appends a row for each answer whose needs were met. */
void prediction_rows(rows *r, const question *q, const answer *a);
/* The answers behind a list of rows. */
typedef struct met_answers {
  const question *q;
  const answer *a;
  size_t *at;
} met_answers;
/* Returns rows that are made when written, to save memory.  The answers and *m,
 * whose `at` the caller frees, must outlive them. */
rows *prediction_list(const question *q, const answer *a, met_answers *m);
/* Describes a mechanism in words: "compute: ...". */
const char *mechanism_words(gscale_mechanism m);
/* Returns true if the model's own error is known. */
bool error_is_known(const gscale_system *s);
/* Names the largest part of that error: "of its host". */
const char *error_words(const gscale_error *e);

/* ---- sensitivities (next_measurement.c) --------------------------------- */

/* Effects of each number on one prediction. */
typedef struct influences {
  gscale_uncertainty *u;
  size_t n;
  gscale_influence *of;
  size_t *order; /* largest error first */
} influences;

/* Computes the influences on paradigm i on q->gpus[j] at set knobs.  Clear *f
 * before the call, and free it even after a failure. */
int influences_find(influences *f, const question *q, size_t i, size_t j,
                    const gscale_knobs *k, failure *why);
void influences_free(influences *f);
/* Returns false for effects below 0.5 % of the time. */
bool influence_matters(const gscale_influence *f, double time);

/* A number that should be measured better. */
typedef struct wanted {
  const gscale_number *number; /* of the influences */
  double share;                /* effect on the time */
  double left;                 /* error / time without it */
  char how[96];                /* "bench membw" */
} wanted;

/* Names a number for people, with the place of a point of a curve:
 * "device.membw at 512 MiB". */
typedef char number_label[128];
const char *say_number(const question *q, const gscale_number *n,
                       number_label text);
/* Lists at most `most` numbers that add 0.5 % of the time or more to its error
 * err (s), and returns how many. */
size_t measure_next(const question *q, const influences *f, double time,
                    double err, wanted *out, size_t most);

/* ---- causes (error_causes.c) -------------------------------------------- */

typedef enum error_cause {
  CAUSE_NETWORK,   /* network and transfers */
  CAUSE_GROWTH,    /* more nodes than measured */
  CAUSE_IMBALANCE, /* work and hosts */
  CAUSE_HOST,
  CAUSES
} error_cause;

const char *error_cause_name(error_cause c); /* "growth"; or NULL */
/* Splits the last error into causes (s).  They need not add up to the error,
 * since some parts have none of these causes. */
void error_causes(const gscale_uncertainty *u, const gscale_error *e,
                  const gscale_prediction *p, double by[CAUSES]);

/* ---- inputs (inputs.c) -------------------------------------------------- */

/* One paradigm on one N, and the numbers that determine its time. */
typedef struct grounds {
  question q; /* large */
  size_t way; /* the best */
  gscale_prediction p;
  gscale_error e;
  influences by;
  size_t n; /* number of effects */
} grounds;

/* Finds the prediction of the options; messages begin with `who`.  Clear *g
 * before the call, and free it even after a failure. */
int grounds_find(grounds *g, options *o, const char *who, failure *why);
void grounds_free(grounds *g);

/* ---- summaries (summary.c) ---------------------------------------------- */

/* Prints the best paradigm on each N, and a ranking on the largest. */
int summary_print(output *out, const question *q, const answer *a,
                  failure *why);
/* Formats the standard error of a time: "4.6%", or "+38/-28%" if its sides
 * differ, or "" without one. */
void say_interval(const answer *a, char *text, size_t size);
/* Formats an error for a sentence: "+/- 4.6%", "+38/-28%". */
void say_error(const answer *a, char *text, size_t size);
/* ---- sentences (answer_row.c) ------------------------------------------- */

/* Says "On 8 GPUs of S one step of W takes T (+/- 5 %) by way, ..." of paradigm
 * i. */
void claim_time(claim *c, const question *q, size_t i, int gpus,
                const answer *a);
/* Lists what an answer loses over an even share of one GPU's step, in shares of
 * the step, the largest first: "host 19%, communication 7%" (lost.c). */
typedef char lost_words[160];
const char *say_lost(const answer *a, lost_words text);
/* Returns the largest loss, END for none; END is "nothing". */
gscale_loss most_lost(const answer *a);
const char *loss_name(gscale_loss k);
/* Names the largest loss in a column, "comm." for communication. */
const char *say_most_lost(const answer *a);
void claim_lost(claim *c, const answer *a);
/* Returns the probability that the best paradigm on q->gpus[j] or one of its
 * ties is the fastest that moves data; NaN without errors. */
double best_chance(const question *q, const answer *a, size_t j);
/* Describes the best paradigm on the most GPUs: its time, its certainty, its
 * bound and its scaling limit. */
void claim_question(claim *c, const question *q, const answer *a);
/* Prints the peak, the knee and the bound of each curve. */
void summary_curves(FILE *f, const question *q, const answer *a);
/* Prints the rule of --weak growth and the efficiency. */
void summary_weak(FILE *f, const question *q);
/* Prints from which N on the system's numbers were not measured, if any. */
void summary_range(FILE *f, const question *q);

/* ---- timelines (lanes.c) ------------------------------------------------ */

/* Makes the timeline of paradigm i on q->gpus[j]; free it. */
int lanes_new(const question *q, size_t i, size_t j, gscale_lanes **out,
              failure *why);
/* Makes a row for each action; free them. */
rows *lanes_rows(const gscale_lanes *l);
/* Writes the timeline of paradigm i on q->gpus[0] for a trace viewer
 * (perfetto.c). */
int trace_write(const question *q, size_t i, const char *path, failure *why);

#endif /* GPUSCALE_PREDICT_H */

/* SPDX-License-Identifier: GPL-3.0-or-later */
