/* drawn.h - draws figures of predictions for `plot` and for pages. */
#ifndef GPUSCALE_DRAWN_H
#define GPUSCALE_DRAWN_H

#include "figures/figures.h"
#include "sweep/sweep.h"
#include "validate/runs.h"

/* ---- scaling (plot_scaling.c) -------------------------------------------- */

/* A measured run whose speedup is drawn. */
typedef struct measured {
  int gpus;
  size_t paradigm, between; /* inter-node method */
  double speedup, err;
} measured;

/* Runs of the question's program with its knobs, and of each paradigm and N the
 * fastest (measured.c). */
typedef struct measured_runs {
  run *runs;
  lexicon names;
  bool *shown; /* which runs are shown */
  size_t n;
  const run *single; /* run on one GPU */
  far_runs far;
} measured_runs;

/* Reads the runs of --runs. The question's program takes its single-GPU time
 * from the runs, as in `validate`, unless the user gave another time. *m must
 * be 0 at first, and must be freed even after a failure. */
int measured_read(measured_runs *m, options *o, question *q, failure *why);
/* Notes on stderr the runs that contradict the predictions. */
void measured_note_far(measured_runs *m, const question *q, const answer *a);
/* Lists the runs. The caller frees the list. Returns NULL without memory. */
measured *measured_list(const measured_runs *m, size_t *n, failure *why);
void measured_free(measured_runs *m);

/* Draws speedup and efficiency over N of all paradigms that can run, with the n
 * measured runs m. The figure is SVG, or characters if `text`. The answers must
 * have errors. A single N gives EXIT_USAGE. */
int draw_scaling(const question *q, const answer *a, const measured *m,
                 size_t n, bool text, FILE *out, failure *why);

struct ahead_curve; /* say/extrapolate.h */
/* Draws the curve of runs without a description. */
int draw_runs(const struct ahead_curve *b, bool text, FILE *out, failure *why);

/* ---- one step ------------------------------------------------------------ */

/* Draws a step of paradigm i on q->gpus[j] as SVG, or as characters if
 * `text`. */
typedef int step_drawer(const question *q, const answer *a, size_t i, size_t j,
                        bool text, FILE *out, failure *why);
/* Draws the parts between an even share of one GPU's step and the prediction
 * (plot_waterfall.c). */
step_drawer draw_waterfall;
/* Draws the host threads and streams (plot_timeline.c). */
step_drawer draw_timeline;
/* Computes the answers for one N and draws the step of one paradigm, by default
 * the best, into the output (plot_waterfall.c). */
int plot_step(options *o, const char *arguments, step_drawer *draw_one,
              failure *why);

/* ---- axes (tics.c) ------------------------------------------------------- */

/* Puts at most five values on an axis of boxes, including the first and the
 * last. The position of a tic is the index of the value's box. */
void put_values(FILE *f, const char *axis, const over *v, const gscale_axis *a);

/* ---- for all ------------------------------------------------------------- */

/* Returns a subtitle with the settings, such as "n=512", or "". */
const char *asked(const question *q);

/* Returns the largest N with valid numbers, which is measured or built. */
int last_known(const question *q);

#endif /* GPUSCALE_DRAWN_H */

/* SPDX-License-Identifier: GPL-3.0-or-later */
