/* between.h - what leaves a node, and the ways that it goes by.
 *
 * A paradigm says what happens inside a node; what leaves it goes by a way: a
 * method of gpuscale/message.h that says what it is. */
#ifndef GPUSCALE_PRICE_BETWEEN_H
#define GPUSCALE_PRICE_BETWEEN_H

#include "price/stage.h"

/* NULL past the end. */
const gscale_method *gscale__way_at(size_t i);
size_t gscale__way_find(const char *name); /* past the end if unknown */
/* NULL, or what the system lacks for that way. */
const char *gscale__way_needs(const gscale_plan *p, size_t way);

/* B/s, useful, what all network cards of a node attain in one direction, with
 * messages of so many B. */
double gscale__rails(const gscale_plan *p, double bytes);
/* The path between GPUs, whose memory cards read no faster than they can. */
gscale_path gscale__gpudirect(const gscale_plan *p);

/* Adds what leaves the node by a way, and its bytes. */
void gscale__add_far(const gscale_plan *p, const gscale__phase_plan *f,
                     size_t way, gscale__stage *out);

/* s, that hosts of several nodes take to meet: a barrier and the last one. */
double gscale__meeting(const gscale_plan *p);

#endif /* GPUSCALE_PRICE_BETWEEN_H */
