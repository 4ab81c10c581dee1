/* predict.h - questions about systems and their answers, for `predict`,
 * `compare`, `explain`, `tune` and scripts. */
#ifndef GPUSCALE_PREDICT_H
#define GPUSCALE_PREDICT_H

#include "common/cli.h"

/* ---- question (question.c) ---------------------------------------------- */

/* A workload that is scaled to some N. */
typedef struct grown {
  gscale_workload *workload; /* NULL if no size fits */
  char size[64];             /* such as "n=645" */
  char *settings;            /* including the size */
  double memory[2];          /* of `about` */
} grown;

/* The numbers of GPUs that were left out. */
typedef struct left_out {
  size_t n, among; /* left out, of a total */
  int first, last;
  char why[GSCALE_TEXT_MAX]; /* reason for the first N */
} left_out;

/* Corrections from --runs (findings.h). */
typedef struct findings findings;

typedef struct question {
  gscale_system *system;
  gscale_workload *workload;
  description *described; /* file of the workload */
  grown *weak;            /* by N with --weak; NULL: fixed size */
  char rule[64];          /* of growth, such as "n~N^(1/3)" */
  size_t scheduled;       /* total cost of schedules */
  double alone;           /* ideal time with --weak in s */
  about about_system, about_workload;
  system_label name; /* label of the system */
  size_t paradigms;
  size_t paradigm[PARADIGMS_MAX];
  size_t between[PARADIGMS_MAX]; /* method in the name */
  char pair[PARADIGMS_MAX]
           [2 * GSCALE_NAME_MAX];    /* such as "memcpy+gpudirect" */
  gscale_knobs knobs[PARADIGMS_MAX]; /* NaN if not given */
  /* -P and --link, such as "n=512;link=pcie5" */
  char settings[SETTINGS_TEXT + 2 * GSCALE_NAME_MAX];
  double steps; /* steps per setup; 0: ignore setup */
  double price; /* USD per GPU hour; NaN: not given */
  bool named;   /* the user named the paradigms */
  size_t n;
  int gpus[GPUS_LISTED];
  left_out left;       /* N without a workload */
  gscale_joint *joint; /* distribution of answers, or NULL */
  bool joint_owned;    /* freed with the question */
  findings *given;     /* NULL without --runs */
} question;

/* Returns the workload on n GPUs. With --weak the workload is scaled. */
const gscale_workload *question_workload(const question *q, int n);
/* Returns the settings on n GPUs. With --weak the settings include the size. */
const char *question_settings(const question *q, int n);
/* Sets the reference of --weak speedups by a plan of `workload` on one GPU. The
 * GPU is of the question's system or of a trial system. */
int question_alone(question *q, const gscale_plan *one, failure *why);

/* The numbers of GPUs if no option gives them. */
typedef enum default_gpus {
  GPUS_DOUBLED, /* 1, 2, 4, ... up to the built size */
  GPUS_EVERY    /* 1, 2, 3, ... up to the built size */
} default_gpus;

/* Loads the question of the options, whose last argument is the workload. The
 * question must be freed even after a failure. */
int question_load(question *q, options *o, default_gpus gpus, failure *why);
/* Reloads the workload with other knobs and keeps the system. The function must
 * not be used with --runs. */
int question_again(question *q, options *o, default_gpus gpus, failure *why);
/* Names the i-th paradigm with its inter-node method. */
void question_name_pair(question *q, size_t i);
/* Sets only the paradigms, as --paradigm does. All knobs remain unset. */
int question_paradigms(question *q, const char *text, bool proposed,
                       failure *why);
void question_free(question *q);

/* The prediction of one paradigm on one N. */
typedef struct answer {
  bool met;            /* false if it cannot run */
  bool again;          /* same method as an earlier answer */
  bool bound;          /* zero-cost communication is a bound */
  gscale_status unmet; /* why the needs are not met */
  gscale_prediction p;
  gscale_lost lost;
  double err;        /* s, or NaN */
  double err_t1;     /* s, what t1 would leave of err */
  double err_ratio;  /* of T(1) / T(N), as s of the time; T(1) may be common */
  double energy;     /* J; NaN without power numbers */
  double energy_err; /* J, NaN if not requested */
  gscale_applicability applicability;
  char word[16]; /* why extrapolated, or "" */
  size_t row;    /* in the question's joint */
  double bus;    /* B/s as in nccl-tests; 0, NaN: the step is not collectives */
} answer;

/* Leaves out the N that exceed the system or its memory. Notes go to stderr
 * unless `quiet`. Fails if no N remains, and computes nothing. */
int question_fit(question *q, bool quiet, failure *why);
/* Starts the joint distribution of later answers, freed with the question. */
int question_join(question *q, failure *why);
/* Allocates all answers. answers[i * q->n + j] is of paradigm i on q->gpus[j].
 * Returns NULL if memory is exhausted. */
answer *question_answers(const question *q);
/* Computes the answer of the i-th paradigm by a plan into a[i * stride], after
 * the answers of earlier paradigms. The answer has an error unless u is NULL.
 * If the paradigm cannot run, the answer is unmet, which is no failure. */
int question_answer_by(const question *q, const gscale_plan *plan, size_t i,
                       gscale_uncertainty *u, answer *a, size_t stride,
                       failure *why);
/* Functions that correct the prediction of the i-th paradigm on n GPUs, and the
 * error of the prediction, by the given runs. */
void question_given(const question *q, size_t i, int n, gscale_prediction *p);
void question_given_error(const question *q, size_t i, int n,
                          const gscale_prediction *p, gscale_error *e);
/* Says "12 runs: ours-given 60%, usl 40%", for example, or "" without runs. */
void say_given(const question *q, size_t i, int n, char *text, size_t size);
/* Takes the errors of a prediction, whose time the answer has. */
void answer_take_error(answer *a, const gscale_error *e);
/* Computes all answers on q->gpus[j]. */
int question_answer_at(const question *q, size_t j, bool with_error, answer *a,
                       failure *why);
/* Returns true if an unmet answer must be reported, because the user named the
 * paradigm or because its failure is not an unmet need. */
bool question_misses(const question *q, const answer *a);
/* Explains why a plan cannot run the i-th paradigm. */
void question_reason(const question *q, const gscale_plan *plan, size_t i,
                     gscale_diag *diag);
/* Fails because no paradigm runs on q->gpus[j], and lists their needs. */
int question_refuse(const question *q, size_t j, failure *why);
/* Lists as text what all paradigms need from a plan. */
void question_needs(const question *q, const gscale_plan *plan, char *text,
                    size_t size);
/* Notes on stderr, unless `quiet`, which paradigms are unmet and why. Fails if
 * only a bound is met, or no paradigm at all. */
int question_settle(const question *q, const answer *a, bool quiet,
                    failure *why);
/* Notes on stderr that t1 is of another system, and returns true if so. */
bool question_note_t1(const question *q);
/* Prints one note on stderr for all N beyond the built size. */
void question_note_beyond(const question *q);
/* Drops the paradigms that cannot run on every N, because a mesh may lack peer
 * access on some N. Paradigms that the user named remain. a[i * n + j] is of
 * paradigm i on the j-th N. `has` marks the N with answers, unless it is
 * NULL. */
void drop_partial(const question *q, answer *a, const bool *has, size_t n);
/* Computes all answers by the functions above. */
int question_answer(question *q, bool with_error, answer **out, failure *why);
/* ---- ties (best.c) ------------------------------------------------------ */

/* Returns true if an answer may be chosen. A bound may be chosen only if it is
 * the only requested paradigm. */
bool paradigm_counts(const question *q, const answer *a);
/* Returns the fastest answer that may be chosen, or q->paradigms if there is
 * none. On one GPU `infinite` comes last. a[i * stride] is of paradigm i. */
size_t fastest_paradigm(const question *q, const answer *a, size_t stride);
/* Lists the ties of the fastest answer and returns their number. Plainer
 * paradigms come first, then faster ones. A tie takes at most 1 % longer, or
 * less than a tenth of the error of the ratio if the error is known. */
size_t paradigms_tied(const question *q, const answer *a, size_t stride,
                      size_t *of);
/* Returns the best paradigm, the first tie, or q->paradigms if nothing ran. */
size_t best_paradigm(const question *q, const answer *a, size_t stride);
/* Functions that return the best and the ties of the answers on q->gpus[j]. */
size_t question_best(const question *q, const answer *a, size_t j);
size_t question_tied(const question *q, const answer *a, size_t j, size_t *of);
/* Ranks the answers on q->gpus[j] that move data. The best is first, and the
 * others are sorted by time. Returns their number. */
size_t question_rank(const question *q, const answer *a, size_t j,
                     size_t *rank);
/* Returns gscale_paradigm.plain of the i-th paradigm. */
int paradigm_plain(const question *q, size_t i);
/* Names the i-th paradigm. If nobody measured the paradigm, a mark is added, as
 * in "broadcast (unmeasured)". On several nodes the mark depends on
 * k->between. */
typedef char paradigm_words[4 * GSCALE_NAME_MAX];
const char *say_paradigm(const question *q, size_t i, const gscale_knobs *k,
                         paradigm_words text);
/* Lists all ties but the first: "rdl, inline", with "..." if some do not
 * fit. */
void say_also(const question *q, const size_t *of, size_t n, const char *comma,
              char *text, size_t size);
/* The rank of the i-th paradigm among the answers a[0], a[stride], ... */
typedef struct standing {
  const char *place; /* "best", "tie" or "" */
  char also[256];    /* ties of the best */
} standing;
void say_standing(const question *q, const answer *a, size_t stride, size_t i,
                  standing *out);
/* ---- probabilities (probability.c) -------------------------------------- */

/* Returns the probability that a takes less than `factor` times the time of b,
 * from the question's joint distribution. Without a joint distribution the
 * result is 0, 1/2 or 1. */
double answer_faster(const question *q, const answer *a, const answer *b,
                     double factor);
/* Returns true if neither answer is faster by one standard deviation, or if the
 * lead is below 0.5 %. */
bool answers_alike(const question *q, const answer *a, const answer *b);
/* Returns a text such as "inside", "outside: machine" or "assumed: number". */
typedef char range_words[48];
const char *say_range(const answer *a, range_words text);

/* The peak or the knee of a curve, and the range of N that errors leave
 * possible. The array `a` below holds q->n answers of one paradigm. */
typedef struct spot {
  int gpus, from, to;
} spot;
/* Returns true if the curve has all N. An incomplete curve has no peak or
 * knee. */
bool curve_is_whole(const question *q, const answer *a);
size_t curve_fastest(const question *q, const answer *a); /* index of an N */
spot curve_peak(const question *q, const answer *a);
spot curve_knee(const question *q, const answer *a);
/* Prints a spot such as "4" or "4 (2-8)". */
typedef char spot_words[48];
const char *say_spot(const spot *s, spot_words text);
/* Prints the range of a spot, such as "4" or "2-8". */
const char *say_reach(const spot *s, spot_words text);

/* question_paradigm() includes the inter-node method in a paradigm's name.
 * question_inside() omits the method, for rows that list methods among the
 * knobs. */
const char *question_paradigm(const question *q, size_t i);
const char *question_inside(const question *q, size_t i);
/* Returns a line that describes the paradigm. */
const char *question_summary(const question *q, size_t i);
/* Returns true if the paradigm has a row for some N. */
bool question_shows(const question *q, const answer *a, size_t i);

/* Prints a choice such as "ring/LL". */
void print_choice(char *text, size_t size, const gscale_move *m);
/* Describes a phase's collective, the loss of the next choice, and the size at
 * which another is faster (runner.c): "all-reduce; tree/LL +12%; ring/LL128
 * from 1.3 MB". */
void say_runner_up(const gscale_plan *p, size_t phase, const gscale_knobs *k,
                   char *text, size_t size);
/* Appends the collective of each phase to the knobs, such as
 * "apply=ring/LL;turn=direct/LL". */
void print_moves(char *text, size_t size, const gscale_workload *w,
                 const gscale_prediction *p);

/* ---- comparisons (comparison.c) ----------------------------------------- */

/* Values of one number. Each value gives a variant of the question. */
typedef struct variants {
  const char *name; /* name as in -P */
  size_t n;
  const double *x;
  const char (*text)[64];  /* 17 digits for -P */
  const char (*label)[64]; /* such as "450 GB/s" */
} variants;

typedef struct subject {
  question q;
  answer *a;
  size_t base;  /* index of system and link */
  size_t value; /* index of the variant */
  bool linked;  /* has a link of --link */
} subject;

typedef struct comparison {
  size_t n;
  subject *v;
  const variants *over; /* NULL if nothing varies */
  bool links;           /* --link was given */
  gscale_joint *joint;  /* distribution of answers */
  size_t jobs;          /* concurrent processes; 0: only this one */
} comparison;

/* Loads each system of --system with each link of --link, and each combination
 * with each variant. At least two subjects are required unless prices are
 * requested. Names are unique. *c must be freed even after a failure. */
int comparison_load(comparison *c, options *o, default_gpus gpus,
                    const variants *over, failure *why);
int comparison_answer(comparison *c, bool with_error, failure *why);
void comparison_free(comparison *c);

/* ---- prices (pareto.c) -------------------------------------------------- */

/* Takes the GPU-hour price of the question's system from --price, which has
 * NAME=X and a default X. The price is NaN without the option. */
int take_price(question *q, const options *o, failure *why);

/* The prediction of a step with its price. */
typedef struct offer {
  const subject *s;
  size_t i, j;       /* indices of paradigm and N */
  double time, cost; /* of a step, including setup */
  bool front;        /* on the Pareto front */
} offer;

/* Lists all offers in the order of prediction_rows(). The caller frees the
 * offers. */
int offers_new(const comparison *c, offer **out, size_t *n, failure *why);
/* Functions that append prices to the columns of `predict` (gpu_price.c). */
size_t priced_columns(const column **out);
int priced_rows(rows *r, size_t columns, const comparison *c, failure *why);
/* Prints the Pareto front for people, the cheapest offer first. */
int print_front(output *out, const comparison *c, failure *why);

/* ---- rows (prediction.c) ------------------------------------------------ */

/* Returns the number of columns, which README.md documents. */
size_t prediction_columns(const column **out);
/* Copies the columns of predictions to `all` and appends n more columns. */
enum {
  PREDICTION_ROOM = 128
};
size_t prediction_columns_and(const column *more, size_t n, column *all);
/* Fills the columns of paradigm i on q->gpus[j] from all answers `a`. */
void prediction_row(cell *c, const question *q, size_t i, size_t j,
                    const answer *a);
/* Appends a row for each answer whose needs were met. */
void prediction_rows(rows *r, const question *q, const answer *a);
/* The answers that a list of rows shows. */
typedef struct met_answers {
  const question *q;
  const answer *a;
  size_t *at;
} met_answers;
/* Returns rows that are computed when they are written, to save memory. The
 * answers and *m must outlive the rows. The caller frees m->at. */
rows *prediction_list(const question *q, const answer *a, met_answers *m);
/* Describes a mechanism in words, such as "compute: ...". */
const char *mechanism_words(gscale_mechanism m);
/* Returns true if the error of the model is known. */
bool error_is_known(const gscale_system *s);
/* Names the largest part of the model's error, such as "of its host". */
const char *error_words(const gscale_error *e);

/* ---- sensitivities (next_measurement.c) --------------------------------- */

/* Influences of each number on one prediction. */
typedef struct influences {
  gscale_uncertainty *u;
  size_t n;
  gscale_influence *of;
  size_t *order; /* numbers by decreasing error */
} influences;

/* Computes the influences on paradigm i on q->gpus[j] for the given knobs. *f
 * must be cleared before the call and freed even after a failure. */
int influences_find(influences *f, const question *q, size_t i, size_t j,
                    const gscale_knobs *k, failure *why);
void influences_free(influences *f);
/* Returns false for effects below 0.5 % of the time. */
bool influence_matters(const gscale_influence *f, double time);

/* A number that should be measured better. */
typedef struct wanted {
  const gscale_number *number; /* one of the influences */
  double share;                /* effect on the time */
  double left;                 /* error / time without it */
  char how[96];                /* such as "bench membw" */
} wanted;

/* Names a number for people. For a point of a curve the position is included,
 * as in "device.membw at 512 MiB". */
typedef char number_label[128];
const char *say_number(const question *q, const gscale_number *n,
                       number_label text);
/* Returns the error (s) of a time whose error is *e if the i-th number were
 * exact. */
double error_without(const question *q, const influences *f, size_t i,
                     const gscale_error *e, double time);
/* Lists at most `most` numbers that contribute 0.5 % of the time or more to its
 * error. Returns the length of the list. */
size_t measure_next(const question *q, const influences *f, double time,
                    const gscale_error *e, wanted *out, size_t most);

/* ---- causes (error_causes.c) -------------------------------------------- */

typedef enum error_cause {
  CAUSE_NETWORK,   /* network and transfers */
  CAUSE_GROWTH,    /* more nodes than measured */
  CAUSE_IMBALANCE, /* uneven work and hosts */
  CAUSE_HOST,
  CAUSES
} error_cause;

const char *error_cause_name(error_cause c); /* such as "growth"; NULL: none */
/* Splits the last error by causes (s). The parts need not sum to the error,
 * since some errors have no listed cause. */
void error_causes(const gscale_uncertainty *u, const gscale_error *e,
                  const gscale_prediction *p, double by[CAUSES]);

/* ---- inputs (inputs.c) -------------------------------------------------- */

/* A paradigm on some N, and the numbers that determine its time. */
typedef struct grounds {
  question q;     /* large */
  size_t fastest; /* index of the best */
  gscale_prediction p;
  gscale_error e;
  influences by;
  size_t n; /* number of effects */
} grounds;

/* Loads a question about one number of GPUs, the largest without --gpus. */
int question_load_one(question *q, options *o, const char *who, failure *why);
/* Finds the prediction of the options. Messages begin with `who`. *g must be
 * cleared before the call and freed even after a failure. */
int grounds_find(grounds *g, options *o, const char *who, failure *why);
void grounds_free(grounds *g);

/* ---- summaries (summary.c) ---------------------------------------------- */

/* Prints the best paradigm on each N, and a ranking on the largest N. */
int summary_print(output *out, const question *q, const answer *a,
                  failure *why);
/* Formats the standard error of a time, such as "4.6%". If the sides differ,
 * the text is like "+38/-28%". Without an error the text is "". */
void say_interval(const answer *a, char *text, size_t size);
/* Formats an error for a sentence, such as "+/- 4.6%" or "+38/-28%". */
void say_error(const answer *a, char *text, size_t size);
/* ---- sentences (answer_row.c) ------------------------------------------- */

/* Says "On 8 GPUs of S one step of W takes T (+/- 5 %) by P, ..." for the i-th
 * paradigm P. */
/* Says what a run on one GPU would leave of the error, if it is half of the
 * variance or less. Returns false if it says nothing. */
bool claim_single(claim *c, const answer *a);
void claim_time(claim *c, const question *q, size_t i, int gpus,
                const answer *a);
/* Lists the losses of an answer compared with an even share of one GPU's step,
 * as shares of the step: "host 19%, communication 7%" (lost.c). */
typedef char lost_words[160];
const char *say_lost(const answer *a, lost_words text);
/* Returns the largest loss. END means that there is none. */
gscale_loss most_lost(const answer *a);
const char *loss_name(gscale_loss k);
/* Names the largest loss for a column, such as "comm." for communication. */
const char *say_most_lost(const answer *a);
void claim_lost(claim *c, const answer *a);
/* Returns the probability that the best paradigm on q->gpus[j] or one of its
 * ties is the fastest that moves data. Without errors the probability is
 * NaN. */
double best_chance(const question *q, const answer *a, size_t j);
/* Describes the best paradigm on the most GPUs by its time, certainty, bound
 * and scaling limit. */
void claim_question(claim *c, const question *q, const answer *a);
/* Prints the peak, the knee and the bound of each curve. */
void summary_curves(FILE *f, const question *q, const answer *a);
/* Prints the rule of --weak growth and the efficiency. */
void summary_weak(FILE *f, const question *q);

/* ---- timelines (lanes.c) ------------------------------------------------ */

/* Creates the timeline of paradigm i on q->gpus[j]. The caller frees the
 * timeline. */
int lanes_new(const question *q, size_t i, size_t j, gscale_lanes **out,
              failure *why);
/* Creates a row for each action. The caller frees the rows. */
rows *lanes_rows(const gscale_lanes *l);
/* Writes a trace of paradigm i on q->gpus[0] for a viewer (perfetto.c). */
int trace_write(const question *q, size_t i, const char *path, failure *why);

#endif /* GPUSCALE_PREDICT_H */

/* SPDX-License-Identifier: GPL-3.0-or-later */
