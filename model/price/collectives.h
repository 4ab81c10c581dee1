/* collectives.h - prices of collectives on a system, for model/ only. */
#ifndef GPUSCALE_PRICE_COLLECTIVES_H
#define GPUSCALE_PRICE_COLLECTIVES_H

#include "price/traffic.h"

/* Returns true if the GPUs' switch can reduce, which needs NVLink 4 or
 * later. */
bool gscale__coll_switched(const gscale_fabric *f, const gscale_link *l);
gscale__coll_wires gscale__coll_wires_of(const gscale__source *s);
/* Returns useful B / wire B of a collective's stores in whole packets. */
double gscale__coll_goodput(const gscale_link *l);
/* Returns the parameters of collectives of one kind, or of every kind for
 * GSCALE_COLL_KIND_END. `node` GPUs are joined without a network.  `rails` is
 * the number of NICs of a node, or 0 if no data leaves a node. */
gscale_coll_machine gscale__coll_machine(const gscale__source *s,
                                         gscale_coll_kind kind, double goodput,
                                         int node, int rails);
/* Returns the parameters of all kinds of collectives of a system. */
gscale_coll_machine gscale__coll_known(const gscale_system *s);

/* Finds the paths among n GPUs in nodes of `node` GPUs.  Each path is that of
 * the node with the longest path. */
gscale__coll_paths gscale__coll_paths_of(const gscale__source *s, int n,
                                         int node, gscale__traffic_room *room);

/* Sets the routes of a call and returns the path of the call's data. */
gscale__coll_path gscale__coll_route(const gscale__coll_paths *p,
                                     gscale_coll_call *c);

/* The GPUs of a call. */
typedef struct gscale__coll_site {
  const gscale__coll_wires *wires;
  const gscale__coll_paths *paths;
  double goodput; /* gscale__coll_goodput() */
  int node, rails;
  double share; /* share of a node's GPUs and NICs in use */
} gscale__coll_site;

/* Prices a call over the routes of the site.  Every caller that needs the time
 * of a collective uses this function. */
gscale_coll_choice gscale__coll_price(const gscale__source *s,
                                      const gscale__coll_site *at,
                                      const gscale_coll_call *call,
                                      gscale_coll_algorithm a,
                                      gscale_coll_protocol by);

/* Fills in the collective that moves a phase's counted traffic. */
void gscale__coll_fill(const gscale_phase *w, int n, gscale__phase_plan *f);
/* Chooses the algorithm and protocol of a phase's collective.  Knobs may fix
 * both, and `k` may be NULL. */
gscale_coll_choice gscale__coll_of(const gscale_plan *p,
                                   const gscale__phase_plan *f,
                                   const gscale_knobs *k);

/* Returns the bytes that all GPUs together send in a collective. */
gscale_bytes gscale__coll_bytes(const gscale_plan *p, gscale_coll_kind kind,
                                double bytes, const gscale_coll_choice *k);

#endif /* GPUSCALE_PRICE_COLLECTIVES_H */

/* SPDX-License-Identifier: GPL-3.0-or-later */
