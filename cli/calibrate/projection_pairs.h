/* projection_pairs.h - tests the projection rules between machines. */
#ifndef GPUSCALE_PROJECTION_PAIRS_H
#define GPUSCALE_PROJECTION_PAIRS_H

#include "common/cli.h"

/* Prints a row for each number and each pair of machines that measured it. */
int pairs_print(const options *o, failure *why);

#endif /* GPUSCALE_PROJECTION_PAIRS_H */

/* SPDX-License-Identifier: GPL-3.0-or-later */
