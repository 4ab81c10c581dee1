/* learned.h - the runs to which a system's numbers were fitted. */
#ifndef GPUSCALE_LEARNED_H
#define GPUSCALE_LEARNED_H

#include "language/reader.h"

/* Reads the keys fitted_to, fitted_over and correlations. fitted_to lists
 * hashes of rows such as "0123456789abcdef". fitted_over lists ranges such as {
 * "memcpy", 2, 4, "1 MB", "64 MB" }. correlations lists items such as {
 * "host.sync", "host.launch", -0.4 }. */
void read_learned(const reader *r, job *j);

#endif /* GPUSCALE_LEARNED_H */

/* SPDX-License-Identifier: GPL-3.0-or-later */
