/* between.h - messages between nodes, and the methods that send them.
 *
 * A paradigm moves data inside a node.  A method of gpuscale/message.h moves
 * data that leaves it. */
#ifndef GPUSCALE_PRICE_BETWEEN_H
#define GPUSCALE_PRICE_BETWEEN_H

#include "price/stage.h"

size_t gscale__between_find(const char *name); /* past the end: unknown */
/* Returns NULL, or the numbers that the system lacks for a method. */
const char *gscale__between_needs(const gscale_plan *p, size_t method);

/* Returns useful B/s of all network cards of a node in one direction, with
 * messages of `bytes` B. */
double gscale__rails(const gscale_plan *p, double bytes);
/* Returns the path between GPUs at the rate at which cards read their
 * memory. */
gscale_path gscale__gpudirect(const gscale_plan *p);

/* Adds the messages that leave the node by a method, and their bytes. */
void gscale__add_internode(const gscale_plan *p, const gscale__phase_plan *f,
                           size_t method, gscale__stage *out);

/* Returns s for hosts of several nodes to meet at a barrier, with
 * stragglers. */
double gscale__node_barrier(const gscale_plan *p);

#endif /* GPUSCALE_PRICE_BETWEEN_H */

/* SPDX-License-Identifier: GPL-3.0-or-later */
