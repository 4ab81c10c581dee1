/* learned.h - what a system says of the runs that its numbers were fitted to.
 */
#ifndef GPUSCALE_LEARNED_H
#define GPUSCALE_LEARNED_H

#include "language/reader.h"

/* fitted_to = { "0123456789abcdef", ... }, a hash of each row;
 * fitted_over = { { "memcpy", 2, 4, "1 MB", "64 MB" }, ... }, what they cover;
 * correlations = { { "host.sync", "host.launch", -0.4 }, ... }. */
void read_learned(const reader *r, job *j);

#endif /* GPUSCALE_LEARNED_H */

/* SPDX-License-Identifier: GPL-3.0-or-later */
