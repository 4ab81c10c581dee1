/* predict.h - a question, asked of one system or several, and its answers: what
 * predict, compare, explain and tune are made of; scripts ask it too. */
#ifndef GPUSCALE_PREDICT_H
#define GPUSCALE_PREDICT_H

#include "common/cli.h"

/* ---- a question: system, workload, paradigms, N (question.c) ------------ */

/* A workload that has grown to some N. */
typedef struct grown {
  gscale_workload *workload; /* NULL: not to that N */
  char size[64];             /* "n=645" */
  char *settings;            /* the question's, and the size */
} grown;

/* Numbers of GPUs that are not asked about after all. */
typedef struct left_out {
  size_t n, among; /* how many, of all from the first to the last */
  int first, last;
  char why[GSCALE_TEXT_MAX]; /* of the first */
} left_out;

/* What --runs say of it (findings.h). */
typedef struct findings findings;

typedef struct question {
  gscale_system *system;
  gscale_workload *workload;
  description *described; /* its file, to be asked again */
  grown *weak;      /* --weak: of each N, GPUS_MAX + 1; NULL: the same on all */
  char rule[64];    /* by which it grows, "n~N^(1/3)" */
  size_t scheduled; /* what the schedules of all N cost to plan */
  double alone;     /* s, --weak: a step on one GPU, without communication */
  about about_system, about_workload;
  system_label name; /* of the system */
  size_t paradigms;
  size_t paradigm[PARADIGMS_MAX];
  size_t between[PARADIGMS_MAX]; /* the way between nodes that is in its name */
  char pair[PARADIGMS_MAX][2 * GSCALE_NAME_MAX];      /* "memcpy+gpudirect" */
  gscale_knobs knobs[PARADIGMS_MAX];                  /* as given, NaN if not */
  char settings[SETTINGS_TEXT + 2 * GSCALE_NAME_MAX]; /* "n=512;link=pcie5":
                                                       * each -P, and --link */
  double steps; /* over which one-off costs are spread; 0: left out */
  double price; /* of an hour of one GPU; NaN: not given */
  bool named;   /* the user gave the names: an unmet need is said */
  size_t n;
  int gpus[GPUS_MAX];
  left_out left;       /* the N that no workload could be made for */
  gscale_joint *joint; /* takes all answers with errors; NULL: none does */
  bool joint_owned;    /* by this question, which frees it */
  findings *given;     /* NULL: no runs are */
} question;

/* The workload on n GPUs, as large as the question has it there. */
const gscale_workload *question_workload(const question *q, int n);
/* What was asked there: its settings, and how far the workload has grown. */
const char *question_settings(const question *q, int n);
/* --weak: what speedups are over, by a plan of `workload` on one GPU (of the
 * question's system, or one that is tried in its place). */
int question_alone(question *q, const gscale_plan *one, failure *why);

/* Numbers of GPUs if the options name none. */
typedef enum default_gpus {
  GPUS_DOUBLED, /* 1, 2, 4, ... as built */
  GPUS_EVERY    /* 1 .. as built */
} default_gpus;

/* What the options ask; their last argument is the workload.  Free it in either
 * case. */
int question_load(question *q, options *o, default_gpus gpus, failure *why);
/* The same for other settings of the workload's knobs: its file is asked again,
 * the system stays.  Not where runs are given. */
int question_again(question *q, options *o, default_gpus gpus, failure *why);
/* What was asked, as -P takes it and as files of runs have it. */
void question_note(question *q, const options *o);
/* How the way i is called, with its method between nodes. */
void question_name_pair(question *q, size_t i);
/* Only its paradigms, as --paradigm has them: knobs are all unset. */
int question_paradigms(question *q, const char *text, bool proposed,
                       failure *why);
void question_free(question *q);

/* The prediction of one (paradigm, N). */
typedef struct answer {
  bool met;   /* false: the paradigm cannot answer; the rest is unset */
  bool again; /* not met, but the rest is set: a way between nodes that `all`
               * has, and an answer before it already is by that way */
  bool bound; /* zero-cost communication on several GPUs: no program attains it
               */
  gscale_status unmet; /* why not */
  gscale_prediction p;
  double err;        /* s, NaN if not asked for */
  double energy;     /* J, NaN if the system does not say its power */
  double energy_err; /* J, NaN if not asked for, too */
  gscale_applicability applicability;
  char word[16]; /* why it is not inside, or "" */
  size_t row;    /* in the question's joint */
} answer;

/* Leaves out the N that the system or its memory has no room for, with notes on
 * stderr unless `quiet`; fails if none is left.  Computes nothing. */
int question_fit(question *q, bool quiet, failure *why);
/* Has all answers with errors in a joint from here on, which is freed with the
 * question. */
int question_join(question *q, failure *why);
/* Room for all of them: answers[i * q->n + j] is paradigm i on q->gpus[j]. NULL
 * if out of memory.  Free it. */
answer *question_answers(const question *q);
/* The answer of its i-th paradigm by a plan, with its error unless u is NULL:
 * a[i * stride], behind those before it.  A paradigm that cannot answer takes
 * nothing from the others: it is not met. */
int question_answer_by(const question *q, const gscale_plan *plan, size_t i,
                       gscale_uncertainty *u, answer *a, size_t stride,
                       failure *why);
/* Makes a prediction of the i-th paradigm on n GPUs what the runs that are
 * given say of it; and the error of one that is. */
void question_given(const question *q, size_t i, int n, gscale_prediction *p);
void question_given_error(const question *q, size_t i, int n,
                          const gscale_prediction *p, gscale_error *e);
/* "12 runs: ours-given 60%, usl 40%"; "" without any. */
void say_given(const question *q, size_t i, int n, char *text, size_t size);
/* All answers on q->gpus[j]. */
int question_answer_at(const question *q, size_t j, bool with_error, answer *a,
                       failure *why);
/* Whether it is to be said that this one is not met: it was asked for by name,
 * or lacks more than what it needs. */
bool question_misses(const question *q, const answer *a);
/* Why the i-th paradigm is not met by a plan. */
void question_reason(const question *q, const gscale_plan *plan, size_t i,
                     gscale_diag *diag);
/* Fails for want of a paradigm on q->gpus[j]: says what each of them needs. */
int question_refuse(const question *q, size_t j, failure *why);
/* The same by a plan, as text. */
void question_needs(const question *q, const gscale_plan *plan, char *text,
                    size_t size);
/* Notes on stderr, unless `quiet`, which paradigms are not met where, and why;
 * fails if none of those asked for is met anywhere, or a bound alone is. */
int question_settle(const question *q, const answer *a, bool quiet,
                    failure *why);
/* A note on stderr if the program's t1 is another system's; whether it is. */
bool question_note_t1(const question *q);
/* One note on stderr, however many N are beyond what was built. */
void question_note_beyond(const question *q);
/* Of all ways only those are shown that can run on every N: in a mesh some N
 * may have no peer access.  What was asked for by name keeps those that it has.
 * That of way i on the j-th of n is a[i * n + j]; `has`, unless NULL, says on
 * which there are any. */
void drop_partial(const question *q, answer *a, const bool *has, size_t n);
/* All of these in one. */
int question_answer(question *q, bool with_error, answer **out, failure *why);
/* ---- the best way, and what ties with it (best.c) ----------------------- */

/* Whether an answer may be chosen.  A bound may only where it alone was asked
 * for; all choices of a paradigm follow this. */
bool way_counts(const question *q, const answer *a);
/* Of these the fastest, the first of equals; on one GPU `infinite` only if
 * there is no other; q->paradigms if there is none.  That of paradigm i is a[i
 * * stride]. */
size_t fastest_way(const question *q, const answer *a, size_t stride);
/* What ties with the fastest, the plainest first, then the faster: what takes
 * at most 1 % longer, or less than a tenth of the error of their ratio; which
 * answers without errors, or without a joint, have not.  Returns how many. */
size_t ways_tied(const question *q, const answer *a, size_t stride, size_t *of);
/* The first of these, which is called the best; q->paradigms if nothing ran. */
size_t best_way(const question *q, const answer *a, size_t stride);
/* Both of the answers on q->gpus[j]. */
size_t question_best(const question *q, const answer *a, size_t j);
size_t question_tied(const question *q, const answer *a, size_t j, size_t *of);
/* Answers that move data on q->gpus[j], the best, then by their times; returns
 * how many. */
size_t question_rank(const question *q, const answer *a, size_t j,
                     size_t *rank);
/* gscale_paradigm.plain of its i-th paradigm. */
int way_plain(const question *q, size_t i);
/* The name of its i-th paradigm, and whether nobody measured it: "broadcast
 * (unmeasured)"; between nodes that may be for its method, k->between. */
typedef char way_words[4 * GSCALE_NAME_MAX];
const char *say_way(const question *q, size_t i, const gscale_knobs *k,
                    way_words text);
/* "rdl, inline": of n that tie, all but the first; "..." without room. */
void say_also(const question *q, const size_t *of, size_t n, const char *comma,
              char *text, size_t size);
/* Where its i-th paradigm stands among answers a[0], a[stride], ... */
typedef struct standing {
  const char *place; /* "best", "tie", either with " unmeasured", or "" */
  char also[256];    /* of the best: what ties with it, with blanks between */
} standing;
void say_standing(const question *q, const answer *a, size_t stride, size_t i,
                  standing *out);
/* ---- what is alike (probability.c)
 * --------------------------------------------- */

/* Probability that a takes less than `factor` times what b does, both in the
 * question's joint; without one, 0, 1/2 or 1 by their times. */
double answer_faster(const question *q, const answer *a, const answer *b,
                     double factor);
/* True if that is less than one standard deviation sure of the faster one, or
 * if it leads by less than half a percent. */
bool answers_alike(const question *q, const answer *a, const answer *b);
/* "inside", "outside: machine", "assumed: number" */
typedef char range_words[48];
const char *say_range(const answer *a, range_words text);

/* The N of a curve, answers a[0 .. q->n - 1] of one paradigm, that may be its
 * peak, and its knee among those up to it: where it is and all that are alike.
 */
typedef struct spot {
  int gpus, from, to;
} spot;
/* A curve that lacks no N: others have neither. */
bool curve_is_whole(const question *q, const answer *a);
spot curve_peak(const question *q, const answer *a);
spot curve_knee(const question *q, const answer *a);
/* "4", "4 (2-8)" */
typedef char spot_words[48];
const char *say_spot(const spot *s, spot_words text);
/* "4", "2-8" */
const char *say_reach(const spot *s, spot_words text);

/* Name of its i-th paradigm: with its way between nodes, or, for rows that have
 * that among the knobs, without. */
const char *question_paradigm(const question *q, size_t i);
const char *question_inside(const question *q, size_t i);
/* What it is, in a line. */
const char *question_summary(const question *q, size_t i);
/* Whether it has a curve of its own: a row for some N. */
bool question_shows(const question *q, const answer *a, size_t i);

/* "ring/LL" */
void print_way(char *text, size_t size, const gscale_move *m);
/* "all-reduce; tree/LL +12%; ring/LL128 from 1.3 MB": what a phase moves its
 * data by, by how much the next way loses, and where another is chosen
 * (runner.c). */
void say_runner_up(const gscale_plan *p, size_t phase, const gscale_knobs *k,
                   char *text, size_t size);
/* "apply=ring/LL;turn=direct/LL": how each phase is moved; and before them, if
 * there are any, the knobs. */
void print_moves(char *text, size_t size, const gscale_workload *w,
                 const gscale_prediction *p);

/* ---- the same question about several systems (comparison.c) ------------- */

/* Values of one number of which each is asked about. */
typedef struct variants {
  const char *name; /* as -P has it */
  size_t n;
  const double *x;
  const char (*text)[64];  /* as -P takes it, of 17 digits */
  const char (*label)[64]; /* "450 GB/s" */
} variants;

typedef struct subject {
  question q;
  answer *a;
  size_t base;  /* which of the systems and links, */
  size_t value; /* and of the variants */
  bool linked;  /* its link is one of --link */
} subject;

typedef struct comparison {
  size_t n;
  subject *v;
  const variants *over; /* NULL: none */
  bool links;           /* --link names some */
  gscale_joint *joint;  /* of all answers, if they have errors */
  size_t jobs;          /* processes that answer at once; 0: this one */
} comparison;

/* Each word of --system, and after each the same system with each word of
 * --link in place of its own, each of them with each variant, if there are any;
 * two at least unless prices are asked for, all with names of their own.  Free
 * it in either case. */
int comparison_load(comparison *c, options *o, default_gpus gpus,
                    const variants *over, failure *why);
int comparison_answer(comparison *c, bool with_error, failure *why);
void comparison_free(comparison *c);

/* ---- what it costs (pareto.c) -------------------------------------------- */

/* What a GPU hour of the question's system costs, as --price says: NAME=X or X,
 * for all that have no price of their own; NaN without that option. */
int take_price(question *q, const options *o, failure *why);

/* A prediction with its price. */
typedef struct offer {
  const subject *s;
  size_t i, j;       /* paradigm i of the question on its j-th N */
  double time, cost; /* of a step, its share of the setup with it */
  bool front;        /* nothing that moves data is as fast for less */
} offer;

/* All that were answered, subject by subject as prediction_rows() has them;
 * free it. */
int offers_new(const comparison *c, offer **out, size_t *n, failure *why);
/* predict's columns, and what is said of prices besides (gpu_price.c). */
size_t priced_columns(const column **out);
int priced_rows(rows *r, size_t columns, const comparison *c, failure *why);
/* For people: the cheapest first, each next one faster. */
int print_front(output *out, const comparison *c, failure *why);

/* ---- predictions as rows (prediction.c) --------------------------------- */

/* The columns, a contract of README.md; returns how many. */
size_t prediction_columns(const column **out);
/* The columns of predictions with n more behind them, in `all`, with room. */
enum {
  PREDICTION_ROOM = 128
};
size_t prediction_columns_and(const column *more, size_t n, column *all);
/* Fills those of paradigm i on q->gpus[j], of all answers a. */
void prediction_row(cell *c, const question *q, size_t i, size_t j,
                    const answer *a);
/* Appends a row for each answer whose needs were met. */
void prediction_rows(rows *r, const question *q, const answer *a);
/* Which answers these are, for rows that are made of them. */
typedef struct met_answers {
  const question *q;
  const answer *a;
  size_t *at;
} met_answers;
/* The rows of predictions, each made when it is written: many would take many
 * times the room of the answers.  *m, whose `at` is to be freed, and the
 * answers outlive them. */
rows *prediction_list(const question *q, const answer *a, met_answers *m);
/* "compute: ...": what a mechanism is, in words. */
const char *mechanism_words(gscale_mechanism m);
/* Whether it is known what the model itself is off by. */
bool error_is_known(const gscale_system *s);
/* Of what the most of that is, as "of its host". */
const char *error_words(const gscale_error *e);

/* ---- what an error is made of (next_measurement.c)
 * ----------------------------------- */

/* What each number does to one prediction. */
typedef struct influences {
  gscale_uncertainty *u;
  size_t n;
  gscale_influence *of;
  size_t *order; /* what adds most to the error first */
} influences;

/* Influences on paradigm i on q->gpus[j] at set knobs; free them in either
 * case, *f is all 0 at first. */
int influences_find(influences *f, const question *q, size_t i, size_t j,
                    const gscale_knobs *k, failure *why);
void influences_free(influences *f);
/* False for what moves a time by less than 0.5 %. */
bool influence_matters(const gscale_influence *f, double time);

/* A number that is worth being measured better. */
typedef struct wanted {
  const gscale_number *number; /* of the influences */
  double share;                /* by how much it moves the time */
  double left;                 /* error / time if it were exact */
  char how[96];                /* "bench membw" */
} wanted;

/* Its name for people: of a point of a curve, where that is: "device.membw at
 * 512 MiB". */
typedef char number_label[128];
const char *say_number(const question *q, const gscale_number *n,
                       number_label text);
/* The first `most` of them, those that add 0.5 % of the time or more to its
 * error err (s); returns how many. */
size_t measure_next(const question *q, const influences *f, double time,
                    double err, wanted *out, size_t most);

/* ---- what an error on several nodes is of (error_causes.c)
 * --------------------- */

typedef enum error_cause {
  CAUSE_NETWORK,   /* its numbers, and what the model is off in transfers */
  CAUSE_GROWTH,    /* more nodes than were measured */
  CAUSE_IMBALANCE, /* of the work, and of hosts that are late */
  CAUSE_HOST,
  CAUSES
} error_cause;

const char *error_cause_name(error_cause c); /* "growth"; or NULL */
/* s of each, of the error that was asked for last; they need not add up to it,
 * as others are left out. */
void error_causes(const gscale_uncertainty *u, const gscale_error *e,
                  const gscale_prediction *p, double by[CAUSES]);

/* ---- what one prediction rests on (inputs.c) ---------------------------- */

/* One N, one way, and the numbers that move it. */
typedef struct grounds {
  question q; /* large */
  size_t way; /* of its paradigms: the best of those that were asked for */
  gscale_prediction p;
  gscale_error e;
  influences by;
  size_t n; /* the first n of by.order move the time */
} grounds;

/* What the options ask; messages begin with `who`.  Free it in either case, *g
 * is all 0 at first. */
int grounds_find(grounds *g, options *o, const char *who, failure *why);
void grounds_free(grounds *g);

/* ---- predictions for people (summary.c) ---------------------------------- */

/* The best way on each N, and a ranking on the largest. */
int summary_print(output *out, const question *q, const answer *a,
                  failure *why);
/* One standard error of a time: "4.6%", or, where its sides differ, "+38/-28%";
 * "" if there is none. */
void say_interval(const answer *a, char *text, size_t size);
/* The same in a sentence: "+/- 4.6%", "+38/-28%". */
void say_error(const answer *a, char *text, size_t size);
/* ---- as answers (answer_row.c) ----------------------------------------------
 */

/* "On 8 GPUs of S one step of W takes T (+/- 5 %) by way, ...": paradigm i. */
void claim_time(claim *c, const question *q, size_t i, int gpus,
                const answer *a);
void claim_bound(claim *c, gscale_mechanism bound);
/* Probability that the best way on q->gpus[j], or what ties with it, is the
 * fastest of those that move data; NaN without errors. */
double best_chance(const question *q, const answer *a, size_t j);
/* The best way on the most GPUs: its time, how sure it is the best, what binds
 * it, where it stops scaling. */
void claim_question(claim *c, const question *q, const answer *a);
/* Peak, knee and bound of each curve, in words. */
void summary_curves(FILE *f, const question *q, const answer *a);
/* --weak: by which rule the workload grows, and what efficiency then is. */
void summary_weak(FILE *f, const question *q);
/* From where on the numbers of the system were not measured, if from any. */
void summary_range(FILE *f, const question *q);

/* ---- a step as it was run (lanes.c) ------------------------------------- */

/* The timeline of paradigm i on q->gpus[j]; free it. */
int lanes_new(const question *q, size_t i, size_t j, gscale_lanes **out,
              failure *why);
/* A row for each action; free them. */
rows *lanes_rows(const gscale_lanes *l);
/* The timeline of paradigm i on q->gpus[0], for a trace viewer (perfetto.c). */
int trace_write(const question *q, size_t i, const char *path, failure *why);

#endif /* GPUSCALE_PREDICT_H */

/* SPDX-License-Identifier: GPL-3.0-or-later */
