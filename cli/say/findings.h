/* findings.h - corrects predictions by measured runs. */
#ifndef GPUSCALE_FINDINGS_H
#define GPUSCALE_FINDINGS_H

#include "say/predict.h"

/* Reads --runs. If all runs of the program share a knob that -P does not set,
 * the knob is added to o->set. *out must be freed even after a failure. */
int findings_open(findings **out, options *o, failure *why);
/* Keeps the settings that the system did not use. */
void findings_keep(findings *f, const settings *set);
/* Finds the correction for each paradigm and N of a loaded question. The
 * question's system takes the fitted numbers, and its program takes the
 * measured single-GPU time. */
int findings_take(findings *f, question *q, failure *why);
/* Adjusts the corrections after the system's link was replaced: each shrinks to
 * the share that residuals of different machines have in common. */
void findings_swap(findings *f, const question *q);
void findings_free(findings *f);

/* Corrects the prediction of the i-th paradigm on n GPUs. */
void findings_time(const findings *f, size_t i, int n, gscale_prediction *p);
/* Corrects the error of a prediction on n GPUs. */
void findings_error(const findings *f, size_t i, int n,
                    const gscale_prediction *p, gscale_error *e);
/* Says "12 runs: ours-given 60%, usl 40%", for example, or "" without runs. */
void findings_say(const findings *f, size_t i, int n, char *text, size_t size);

#endif /* GPUSCALE_FINDINGS_H */

/* SPDX-License-Identifier: GPL-3.0-or-later */
