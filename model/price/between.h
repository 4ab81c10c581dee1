/* between.h - what leaves a node, and the methods by which it goes.
 *
 * A paradigm says what happens inside a node; what leaves it goes by a
 * method of gpuscale/message.h, which says what it is. */
#ifndef GPUSCALE_PRICE_BETWEEN_H
#define GPUSCALE_PRICE_BETWEEN_H

#include "price/stage.h"

/* NULL past the end. */
const gscale_method *gscale__between_at(size_t i);
size_t gscale__between_find(const char *name); /* past the end if unknown */
/* NULL, or what the system lacks for that method. */
const char *gscale__between_needs(const gscale_plan *p, size_t method);

/* B/s, useful, what all network cards of a node attain in one direction, with
 * messages of so many B. */
double gscale__rails(const gscale_plan *p, double bytes);
/* The path between GPUs, whose memory cards read no faster than they can. */
gscale_path gscale__gpudirect(const gscale_plan *p);

/* Adds what leaves the node by a method, and its bytes. */
void gscale__add_far(const gscale_plan *p, const gscale__phase_plan *f,
                     size_t method, gscale__stage *out);

/* s, that hosts of several nodes take to meet: a barrier and the last one. */
double gscale__meeting(const gscale_plan *p);

#endif /* GPUSCALE_PRICE_BETWEEN_H */

/* SPDX-License-Identifier: GPL-3.0-or-later */
