/* transfer.h - numbers of a measured machine applied to another of its kind. */
#ifndef GPUSCALE_TRANSFER_H
#define GPUSCALE_TRANSFER_H

#include "common/cli.h"

/* Replaces assumed numbers of `s` by those measured on machine `from`, with
 * errors widened by the scatter between machines with that link.  The loss is
 * noted on stderr. */
int transfer(gscale_system *s, const char *from, failure *why);

/* Inherits numbers that the base `from` measured and these measurements lack.
 * Their errors are widened by gscale_param_population(), or by the scatter
 * between machines with that link if no population is known.  Numbers that the
 * base inherited are kept, as are those that -P set. */
int inherit(gscale_system *s, const gscale_calibration *fitted, settings *said,
            const char *from, failure *why);

#endif /* GPUSCALE_TRANSFER_H */

/* SPDX-License-Identifier: GPL-3.0-or-later */
