/* drawn.h - figures of predictions, for `plot` and for pages that hold them. */
#ifndef GPUSCALE_DRAWN_H
#define GPUSCALE_DRAWN_H

#include "figures/figures.h"
#include "sweep/sweep.h"
#include "validate/runs.h"

/* ---- comparisons (plot_comparison.c) ------------------------------------- */

enum {
  TITLE_SIZE = 160
};

/* Begins a figure of systems: its title, and its axis, which is called `axis`
 * and the first one. */
int comparison_begin(figure *g, const comparison *c, const char *axis,
                     char *title, const options *o, failure *why);

/* ---- scaling (plot_scaling.c) -------------------------------------------- */

/* A measured run, of which a figure shows the speedup. */
typedef struct measured {
  int gpus;
  size_t paradigm, between; /* and its way between nodes */
  double speedup, err;
} measured;

/* Runs of files that are of the question's program with its knobs,
 * each the fastest of its paradigm on its N (measured.c). */
typedef struct measured_runs {
  run *runs;
  lexicon names;
  bool *shown; /* of the runs */
  size_t n;
  const run *single; /* the measured single-GPU run */
  far_runs far;
} measured_runs;

/* Reads the runs of --runs; the question's program starts from the measured
 * single-GPU time, as in `validate`, unless the user gave another.  Free it in
 * either case, *m is all 0 at first. */
int measured_read(measured_runs *m, options *o, question *q, failure *why);
/* Says on stderr which of them cannot be meant so. */
void measured_note_far(measured_runs *m, const question *q, const answer *a);
/* Free it; NULL without memory. */
measured *measured_list(const measured_runs *m, size_t *n, failure *why);
void measured_free(measured_runs *m);

/* Speedup and efficiency over the number of GPUs of all paradigms that can run,
 * as SVG, or, if `text`, of characters; `a` with errors; m of the n measured
 * runs besides. EXIT_USAGE of a single number of GPUs. */
int draw_scaling(const question *q, const answer *a, const measured *m,
                 size_t n, bool text, FILE *out, failure *why);

/* ---- waterfall (plot_waterfall.c) ---------------------------------------- */

/* From an even share of one GPU's step to the prediction of paradigm i on
 * q->gpus[j], what each part adds. */
int draw_waterfall(const question *q, const answer *a, size_t i, size_t j,
                   bool text, FILE *out, failure *why);

/* ---- timeline (plot_timeline.c) ------------------------------------------ */

/* What each host thread and stream does during a step of paradigm i on
 * q->gpus[j]. */
int draw_timeline(const question *q, size_t i, size_t j, bool text, FILE *out,
                  failure *why);

/* ---- axes (tics.c) ------------------------------------------------------- */

/* Five values of an axis at most, the first and the last with them, at their
 * place: of the value, or of its box, 0, 1, ... */
void put_values(FILE *f, const char *axis, const over *v, const gscale_axis *a,
                bool by_place);
/* 1, 2, 5, 10, ... on a logarithmic axis; beyond three decades only 1, 10, and
 * within one some more. */
void put_decades(FILE *f, const char *axis, double low, double high);
/* The same, said in units: 2e12 of units of 1e12 with a T behind is 2T. */
void put_units(FILE *f, const char *axis, double low, double high, double unit,
               const char *behind);

/* ---- for all ------------------------------------------------------------- */

/* What `plot` asks of one N and one paradigm, the best unless it is named: *i;
 * free *a and the question in either case. */
int chosen_one(question *q, options *o, answer **a, size_t *i, failure *why);
/* "n=512": what was asked, as a second line of the title; "" if nothing. */
const char *asked(const question *q);

/* The last N that the numbers hold for: measured together, or built. */
int last_known(const question *q);

#endif /* GPUSCALE_DRAWN_H */

/* SPDX-License-Identifier: GPL-3.0-or-later */
