/* projection_pairs.h - rules of projection, tried between machines. */
#ifndef GPUSCALE_PAIRS_H
#define GPUSCALE_PAIRS_H

#include "common/cli.h"

/* A row for each number that two machines measured, of each two of them. */
int pairs_print(const options *o, failure *why);

#endif /* GPUSCALE_PAIRS_H */

/* SPDX-License-Identifier: GPL-3.0-or-later */
