/* collectives.h - a system's parameters as what collectives are made by, for
 * model/ only. */
#ifndef GPUSCALE_PRICE_COLLECTIVES_H
#define GPUSCALE_PRICE_COLLECTIVES_H

#include "price/traffic.h"

/* Whether the GPUs' switch can add up: one of NVLink 4 or later. */
bool gscale__coll_switched(const gscale_fabric *f, const gscale_link *l);
gscale__coll_wires gscale__coll_wires_of(const gscale__source *s);
/* Useful B / wire B of what collectives store over a link: whole packets. */
double gscale__coll_goodput(const gscale_link *l);
/* For collectives of a kind, or of any: GSCALE_COLL_KIND_END.  With that
 * goodput, `node` GPUs being joined without a network; `rails`: network cards
 * of a node, 0 if nothing leaves one. */
gscale_coll_machine gscale__coll_machine(const gscale__source *s,
                                         gscale_coll_kind kind, double goodput,
                                         int node, int rails);
/* Between nodes steps by LL128 take as much more than by LL as in the library's
 * tables: 4.0 and 2.7 us of a ring, 8.5 and 5.0 us of a tree. */
void gscale__coll_follow(gscale_coll_machine *m);
/* All that is known of a system. */
gscale_coll_machine gscale__coll_known(const gscale_system *s);

/* The routes of collectives of the plan's GPUs. */
void gscale__coll_place(gscale_plan *p, gscale__traffic_room *room);

/* Fills in as which collective a phase of n GPUs moves what was counted. */
void gscale__coll_fill(const gscale_phase *w, int n, gscale__phase_plan *f);
/* How what was filled in is done, by what the knobs name (NULL: nothing). */
gscale_coll_choice gscale__coll_of(const gscale_plan *p,
                                   const gscale__phase_plan *f,
                                   const gscale_knobs *k);

/* What it moves that way, all GPUs together: each byte where it is sent. */
gscale_bytes gscale__coll_moved(const gscale_plan *p, gscale_coll_kind kind,
                                double bytes, const gscale_coll_choice *k);

#endif /* GPUSCALE_PRICE_COLLECTIVES_H */

/* SPDX-License-Identifier: GPL-3.0-or-later */
