/* ahead.h - steps that were not run, given those that were. */
#ifndef GPUSCALE_AHEAD_H
#define GPUSCALE_AHEAD_H

#include "cli/cli.h"

/* predict WORKLOAD --runs FILE,...: on more GPUs than the runs were made on, by
 * the model given the runs, by laws, and by both as they are weighed. */
int ahead_main(options *o, failure *why);

#endif /* GPUSCALE_AHEAD_H */

/* SPDX-License-Identifier: GPL-3.0-or-later */
