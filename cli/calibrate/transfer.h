/* transfer.h - numbers of a measured machine for another of its kind. */
#ifndef GPUSCALE_TRANSFER_H
#define GPUSCALE_TRANSFER_H

#include "common/cli.h"

/* Puts the numbers that were measured on machine `from` in place of those that
 * `s` only assumes, as assumptions whose errors are widened by what machines of
 * that link differ by.  What this loses is noted on stderr. */
int transfer(gscale_system *s, const char *from, failure *why);

/* What the base `from` measured and these measurements did not becomes
 * inherited: its error is widened by what one machine more differs by,
 * gscale_param_population(), and where no population is known by what machines
 * of that link differ by.  What the base itself inherited stays, and so does
 * what -P says of the new machine. */
int inherit(gscale_system *s, const gscale_calibration *fitted, settings *said,
            const char *from, failure *why);

#endif /* GPUSCALE_TRANSFER_H */

/* SPDX-License-Identifier: GPL-3.0-or-later */
