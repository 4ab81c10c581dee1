/* other_systems.h - corrections from runs on other machines. */
#ifndef GPUSCALE_OTHER_SYSTEMS_H
#define GPUSCALE_OTHER_SYSTEMS_H

#include "validate/study.h"

/* Sets trial.off and trial.known of each predicted run from the residuals of
 * runs on other systems.  Each of these runs names its system, which predicts
 * it. */
int elsewhere_learn(study *s, const run_list *others, failure *why);
/* Applies the corrections to the predictions. */
void elsewhere_move(study *s);

#endif /* GPUSCALE_OTHER_SYSTEMS_H */

/* SPDX-License-Identifier: GPL-3.0-or-later */
