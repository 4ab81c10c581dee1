/* drawn.h - figures of predictions, for `plot` and for pages. */
#ifndef GPUSCALE_DRAWN_H
#define GPUSCALE_DRAWN_H

#include "figures/figures.h"
#include "sweep/sweep.h"
#include "validate/runs.h"

/* ---- scaling (plot_scaling.c) -------------------------------------------- */

/* A measured run whose speedup is drawn. */
typedef struct measured {
  int gpus;
  size_t paradigm, between; /* method between nodes */
  double speedup, err;
} measured;

/* Runs of the question's program with its knobs, the fastest of each paradigm
 * and N (measured.c). */
typedef struct measured_runs {
  run *runs;
  lexicon names;
  bool *shown; /* of the runs */
  size_t n;
  const run *single; /* measured on one GPU */
  far_runs far;
} measured_runs;

/* Reads the runs of --runs.  The question's program starts from their
 * single-GPU time, as in `validate`, unless the user set another.  Free it even
 * after a failure; *m starts as all 0. */
int measured_read(measured_runs *m, options *o, question *q, failure *why);
/* Notes on stderr the runs that contradict the predictions. */
void measured_note_far(measured_runs *m, const question *q, const answer *a);
/* Lists the runs; free the list.  It returns NULL without memory. */
measured *measured_list(const measured_runs *m, size_t *n, failure *why);
void measured_free(measured_runs *m);

/* Draws speedup and efficiency over N of all paradigms that can run, with n
 * measured runs m, as SVG, or as characters if `text`.  Answers need errors.
 * EXIT_USAGE for a single N. */
int draw_scaling(const question *q, const answer *a, const measured *m,
                 size_t n, bool text, FILE *out, failure *why);

/* ---- one step ------------------------------------------------------------ */

/* Draws a step of paradigm i on q->gpus[j], as SVG, or as characters if `text`.
 */
typedef int step_drawer(const question *q, const answer *a, size_t i, size_t j,
                        bool text, FILE *out, failure *why);
/* Draws the parts between an even share of one GPU's step and the prediction
 * (plot_waterfall.c). */
step_drawer draw_waterfall;
/* Draws the host threads and streams (plot_timeline.c). */
step_drawer draw_timeline;
/* Answers for one N and one paradigm, the best unless it is named, and draws
 * the step into the output (plot_waterfall.c). */
int plot_step(options *o, const char *arguments, step_drawer *draw_one,
              failure *why);

/* ---- axes (tics.c) ------------------------------------------------------- */

/* Puts at most five values on an axis, with the first and the last, at the
 * value itself or at the index of its box. */
void put_values(FILE *f, const char *axis, const over *v, const gscale_axis *a,
                bool by_place);
/* Puts 1, 2, 5, 10, ... on a logarithmic axis.  It puts only powers of
 * ten beyond three decades, and more values within one decade. */
void put_decades(FILE *f, const char *axis, double low, double high);
/* ---- for all ------------------------------------------------------------- */

/* Returns a subtitle with the settings such as "n=512", or "". */
const char *asked(const question *q);

/* Returns the largest N with valid numbers: measured or built. */
int last_known(const question *q);

#endif /* GPUSCALE_DRAWN_H */

/* SPDX-License-Identifier: GPL-3.0-or-later */
