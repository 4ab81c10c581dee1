/* between.h - messages between nodes, and the methods that send them.
 *
 * A paradigm moves data inside a node.  A method of gpuscale/message.h moves
 * data that leaves a node. */
#ifndef GPUSCALE_PRICE_BETWEEN_H
#define GPUSCALE_PRICE_BETWEEN_H

#include "price/stage.h"

size_t
gscale__between_find(const char *name); /* index past the end: unknown name */
/* Returns the names of the numbers that a method lacks, or NULL. */
const char *gscale__between_needs(const gscale_plan *p, size_t method);

/* Returns the useful rate in B/s of all NICs of a node in one direction, with
 * messages of `bytes` B. */
double gscale__rails(const gscale_plan *p, double bytes);
/* Returns the GPUDirect path, limited by how fast NICs read GPU memory. */
gscale_path gscale__gpudirect(const gscale_plan *p);

/* Adds the messages that leave the node by a method, and the bytes moved. */
void gscale__add_internode(const gscale_plan *p, const gscale__phase_plan *f,
                           size_t method, gscale__stage *out);

/* Returns the time in s of a barrier of the nodes' hosts, with stragglers. */
double gscale__node_barrier(const gscale_plan *p);

#endif /* GPUSCALE_PRICE_BETWEEN_H */

/* SPDX-License-Identifier: GPL-3.0-or-later */
