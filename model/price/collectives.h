/* collectives.h - the machine of collectives, from a system's parameters, for
 * model/ only. */
#ifndef GPUSCALE_PRICE_COLLECTIVES_H
#define GPUSCALE_PRICE_COLLECTIVES_H

#include "price/traffic.h"

/* Returns true if the GPUs' switch can reduce, which needs NVLink 4 or
 * later. */
bool gscale__coll_switched(const gscale_fabric *f, const gscale_link *l);
gscale__coll_wires gscale__coll_wires_of(const gscale__source *s);
/* Returns useful B / wire B of collectives' stores, which fill whole
 * packets. */
double gscale__coll_goodput(const gscale_link *l);
/* Returns the machine for collectives of one kind, or of any for
 * GSCALE_COLL_KIND_END.  `node` GPUs are joined without a network, and `rails`
 * is the number of a node's cards, or 0 if nothing leaves a node. */
gscale_coll_machine gscale__coll_machine(const gscale__source *s,
                                         gscale_coll_kind kind, double goodput,
                                         int node, int rails);
/* Sets LL128 between nodes in proportion to LL, by NCCL's tables: steps of 4.0
 * and 2.7 us in a ring, 8.5 and 5.0 us in a tree. */
void gscale__coll_follow(gscale_coll_machine *m);
/* Returns the machine for all collectives of a system. */
gscale_coll_machine gscale__coll_known(const gscale_system *s);

/* Finds the paths among n GPUs in nodes of `node`, the longest of all nodes. */
gscale__coll_paths gscale__coll_paths_of(const gscale__source *s, int n,
                                         int node, gscale__traffic_room *room);

/* Sets the routes of a call, and returns the path of its data. */
gscale__coll_path gscale__coll_route(const gscale__coll_paths *p,
                                     gscale_coll_call *c);

/* The GPUs of a call. */
typedef struct gscale__coll_site {
  const gscale__coll_wires *wires;
  const gscale__coll_paths *paths;
  double goodput; /* gscale__coll_goodput() */
  int node, rails;
  double share; /* of a node's GPUs, which use as much of its cards */
} gscale__coll_site;

/* Prices a call, whose routes are those of the site.  Whoever needs the time of
 * a collective asks here. */
gscale_coll_choice gscale__coll_price(const gscale__source *s,
                                      const gscale__coll_site *at,
                                      const gscale_coll_call *call,
                                      gscale_coll_algorithm a,
                                      gscale_coll_protocol by);

/* Fills in the collective that moves a phase's counted traffic. */
void gscale__coll_fill(const gscale_phase *w, int n, gscale__phase_plan *f);
/* Chooses the algorithm and protocol of a phase's collective, unless the knobs
 * (NULL: none) name them. */
gscale_coll_choice gscale__coll_of(const gscale_plan *p,
                                   const gscale__phase_plan *f,
                                   const gscale_knobs *k);

/* Returns the bytes that all GPUs together send. */
gscale_bytes gscale__coll_bytes(const gscale_plan *p, gscale_coll_kind kind,
                                double bytes, const gscale_coll_choice *k);

#endif /* GPUSCALE_PRICE_COLLECTIVES_H */

/* SPDX-License-Identifier: GPL-3.0-or-later */
