/* other_systems.h - what runs on other machines say of those on one. */
#ifndef GPUSCALE_ELSEWHERE_H
#define GPUSCALE_ELSEWHERE_H

#include "validate/study.h"

/* Gives each run of a study, predicted, what runs on other systems say that the
 * model is off by on it: trial.off and trial.known.  Each of the others says
 * its system, by which it is predicted. */
int elsewhere_learn(study *s, const run_list *others, failure *why);
/* Moves the predictions by what was learned. */
void elsewhere_move(study *s);

#endif /* GPUSCALE_ELSEWHERE_H */

/* SPDX-License-Identifier: GPL-3.0-or-later */
