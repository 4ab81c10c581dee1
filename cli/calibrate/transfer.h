/* transfer.h - numbers that a calibrated machine inherits from its base. */
#ifndef GPUSCALE_TRANSFER_H
#define GPUSCALE_TRANSFER_H

#include "common/cli.h"

/* Inherits numbers that the base `from` measured and the new measurements lack.
 * The errors are widened by gscale_param_population(), or by the scatter
 * between machines with the same link if no population is known. Numbers that
 * the base inherited or -P set remain unchanged. */
int inherit(gscale_system *s, const gscale_calibration *fitted, settings *said,
            const char *from, failure *why);

#endif /* GPUSCALE_TRANSFER_H */

/* SPDX-License-Identifier: GPL-3.0-or-later */
