/* collectives.h - a system's parameters as what collectives are made by, for
 * model/ only. */
#ifndef GPUSCALE_PRICE_COLLECTIVES_H
#define GPUSCALE_PRICE_COLLECTIVES_H

#include "price/traffic.h"

/* Useful B / wire B of what collectives store over a link: whole packets. */
double gscale__coll_goodput(const gscale_link *l);
/* Of the values p[GSCALE_PARAM_END] and that goodput, `node` GPUs being joined
 * without a network; `rails`: network cards of a node, 0 without. */
gscale_coll_machine gscale__coll_machine(const double *p, double goodput,
                                         int node, int rails);

/* The routes of collectives of n GPUs. */
void gscale__coll_place(gscale_plan *p, const gscale_system *s, int n,
                        gscale__traffic_room *room);

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
