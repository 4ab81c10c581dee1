/* naming.h - names phases, streams, sizes and partners in a description. */
#ifndef GPUSCALE_NAMING_H
#define GPUSCALE_NAMING_H

#include "describe/body.h"

/* Returns the work of a slot of the described GPU. */
const gscale_recorded_what *slot_what(const body *b, size_t j);
/* Returns true for a copy to another GPU. */
bool goes_out(const body *b, size_t j);
/* Functions that fill in the names of the body. */
void find_phases(body *b);
void find_streams(body *b);
void find_sizes(body *b);
bool find_partners(body *b);
/* Returns the body's index of a stream. If needed, a new stream is added. */
size_t stream_of(body *b, int stream, bool copies);
/* Returns true if two sizes differ only by rounding. */
bool is_one_size(double a, double b);
/* Returns the body's index of a size. */
size_t size_of(const body *b, double bytes);

#endif /* GPUSCALE_NAMING_H */

/* SPDX-License-Identifier: GPL-3.0-or-later */
