/* other_systems.h - computes corrections from runs on other machines. */
#ifndef GPUSCALE_OTHER_SYSTEMS_H
#define GPUSCALE_OTHER_SYSTEMS_H

#include "validate/study.h"

/* Sets trial.off and trial.known of each predicted run from residuals of runs
 * on other systems. Each such run names its system, which predicts the run. */
int elsewhere_learn(study *s, const run_list *others, failure *why);
/* Applies the corrections to the predictions. */
void elsewhere_move(study *s);

#endif /* GPUSCALE_OTHER_SYSTEMS_H */

/* SPDX-License-Identifier: GPL-3.0-or-later */
