/* learned.h - runs that a system's numbers were fitted to. */
#ifndef GPUSCALE_LEARNED_H
#define GPUSCALE_LEARNED_H

#include "language/reader.h"

/* Reads fitted_to, the hashes of rows such as "0123456789abcdef". Reads
 * fitted_over, their coverage, with items { "memcpy", 2, 4, "1 MB", "64 MB" }.
 * Reads correlations with items { "host.sync", "host.launch", -0.4 }. */
void read_learned(const reader *r, job *j);

#endif /* GPUSCALE_LEARNED_H */

/* SPDX-License-Identifier: GPL-3.0-or-later */
