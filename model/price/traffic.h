/* traffic.h - traffic of a phase and its routes, for model/ only. */
#ifndef GPUSCALE_PRICE_TRAFFIC_H
#define GPUSCALE_PRICE_TRAFFIC_H

#include "ground/ground.h"
#include "price/plan.h"

/* Returns wire bytes of long messages after / before the root cuts packets. */
double gscale__across(const gscale_link *l, const gscale_fabric *f,
                      gscale_access a);

/* Returns the fraction of the published bytes that other GPUs need. */
double gscale__leaving(const gscale_phase *w, int n);

/* Returns the bytes that a phase publishes.  For neighbours, the result is the
 * largest cut of all dimensions. */
double gscale__published(const gscale_phase *w);

/* Fills bytes and copies of the busiest GPU, and of all. *f must be zero. */
void gscale__count_traffic(const gscale_phase *w, int n, gscale__phase_plan *f);

/* Splits the counted traffic into traffic inside nodes of `node` < n GPUs and
 * the rest, f->far.  GPUs are assigned to nodes in contiguous groups. */
void gscale__split_traffic(const gscale_phase *w, int n, int node,
                           gscale__phase_plan *f);

/* Bytes and messages that a group of GPUs sends and receives. */
typedef struct gscale__crossing {
  double out, in, sent, got;
} gscale__crossing;

/* Scratch memory for n GPUs. */
struct gscale__traffic_room {
  gscale_pair *pair, *inside; /* all pairs; pairs of one node */
  gscale__crossing *crossing; /* crossings of nodes or leaf switches */
  double *out, *in;
};

bool gscale__traffic_room_open(gscale__traffic_room *room, int n);
void gscale__traffic_room_close(gscale__traffic_room *room);

/* Returns the bytes that pass the busiest resource. */
double gscale__route(const gscale__source *s, const gscale_demand *d,
                     gscale_access a);
/* Returns the access between GPUs that exchange data.  In a mesh, GPUs that
 * reach each other only through the host (`staged`) have no peer access. */
gscale_peer gscale__peer_of(const gscale__source *s, const gscale_demand *d);

/* Fills the routes of counted traffic, which must not be empty.  Sets `peer` to
 * the least access of all pairs. */
void gscale__route_traffic(const gscale__source *s, const gscale_phase *w,
                           int n, gscale__traffic_room *room,
                           gscale__phase_plan *f);
/* Copies the routes of a phase with the same traffic over the same system. */
void gscale__copy_routes(const gscale__phase_plan *from,
                         gscale__phase_plan *to);

#endif /* GPUSCALE_PRICE_TRAFFIC_H */

/* SPDX-License-Identifier: GPL-3.0-or-later */
