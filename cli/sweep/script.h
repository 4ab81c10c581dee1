/* script.h - studies in scripts of users. */
#ifndef GPUSCALE_SWEEP_SCRIPT_H
#define GPUSCALE_SWEEP_SCRIPT_H

#include "common/cli.h"

/* Runs a script that may also call gs.sweep and gs.solve. The script writes to
 * the output of the options, and takes at most `seconds` of processor time, or
 * those of any script for 0. */
int script_run(const options *o, const char *path, double seconds,
               failure *why);

#endif /* GPUSCALE_SWEEP_SCRIPT_H */

/* SPDX-License-Identifier: GPL-3.0-or-later */
