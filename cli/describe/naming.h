/* naming.h - what a description names: phases, streams, sizes, partners. */
#ifndef GPUSCALE_DESCRIBE_FOUND_H
#define GPUSCALE_DESCRIBE_FOUND_H

#include "describe/body.h"

/* What a slot of the GPU that is written down does. */
const gscale_recorded_what *slot_what(const body *b, size_t j);
/* A copy to another GPU. */
bool goes_out(const body *b, size_t j);
/* Fill in what the body names. */
void find_phases(body *b);
void find_streams(body *b);
void find_sizes(body *b);
bool find_partners(body *b);
/* Its place among the body's streams; a copies' one is made if it is new. */
size_t stream_of(body *b, int stream, bool copies);
/* Bytes that differ by what is no difference. */
bool is_one_size(double a, double b);
/* Its place among the body's sizes. */
size_t size_of(const body *b, double bytes);

#endif /* GPUSCALE_DESCRIBE_FOUND_H */

/* SPDX-License-Identifier: GPL-3.0-or-later */
