/* findings.h - what measured runs say of a question. */
#ifndef GPUSCALE_FINDINGS_H
#define GPUSCALE_FINDINGS_H

#include "say/predict.h"

/* Reads --runs.  Knobs that all runs of the program agree on, and -P does not
 * say, go to o->set: they are what is asked about.  Free *out in either case.
 */
int findings_open(findings **out, options *o, failure *why);
/* Keeps the settings that are left when the system has taken its own. */
void findings_keep(findings *f, const settings *set);
/* What the runs say of each way on each N of a question that is loaded.  Its
 * system takes the numbers that they tell, its program their time on one GPU.
 */
int findings_take(findings *f, question *q, failure *why);
/* From now on the question's system has another link: what is off there is as
 * far the same as residuals on another machine are. */
void findings_swap(findings *f, const question *q);
void findings_free(findings *f);

/* Makes the i-th way's prediction on n GPUs that given the runs. */
void findings_time(const findings *f, size_t i, int n, gscale_prediction *p);
/* And the error of a prediction that is. */
void findings_error(const findings *f, size_t i, int n,
                    const gscale_prediction *p, gscale_error *e);
/* "12 runs: ours-given 60%, usl 40%"; "" if they say nothing of it. */
void findings_say(const findings *f, size_t i, int n, char *text, size_t size);

#endif /* GPUSCALE_FINDINGS_H */

/* SPDX-License-Identifier: GPL-3.0-or-later */
