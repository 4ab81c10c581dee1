/* traffic.h - traffic of a phase and its routes, for model/ only. */
#ifndef GPUSCALE_PRICE_TRAFFIC_H
#define GPUSCALE_PRICE_TRAFFIC_H

#include "ground/ground.h"
#include "price/plan.h"

/* Returns wire bytes of packets cut by the root of the fabric / as sent, for
 * long messages. */
double gscale__across(const gscale_link *l, const gscale_fabric *f,
                      gscale_access a);

/* Returns the fraction of the published bytes that other GPUs need. */
double gscale__leaving(const gscale_phase *w, int n);

/* B that a phase publishes; to neighbours, the largest cut of all. */
double gscale__published(const gscale_phase *w);

/* Fills bytes and copies of the busiest of n GPUs, and of all.  *f must be
 * zero. */
void gscale__count_traffic(const gscale_phase *w, int n, gscale__phase_plan *f);

/* Splits counted traffic into that inside nodes of `node` < n GPUs and the
 * rest, f->far.  GPUs are placed in blocks. */
void gscale__split_traffic(const gscale_phase *w, int n, int node,
                           gscale__phase_plan *f);

/* A group of GPUs sends and receives these B and messages. */
typedef struct gscale__crossing {
  double out, in, sent, got;
} gscale__crossing;

/* Scratch for n GPUs. */
struct gscale__traffic_room {
  gscale_pair *pair, *inside; /* all; of one node */
  gscale__crossing *crossing; /* of nodes or leaf switches */
  double *out, *in;
  double *spare; /* both once more */
};

bool gscale__traffic_room_open(gscale__traffic_room *room, int n);
void gscale__traffic_room_close(gscale__traffic_room *room);

/* Returns the bytes that pass the busiest resource. */
double gscale__route(const gscale__source *s, const gscale_demand *d,
                     gscale_access a);
/* Returns the access between GPUs that exchange data.  A mesh whose GPUs reach
 * some others only through the host (`staged`) has no peer access to those. */
gscale_peer gscale__peer_of(const gscale__source *s, const gscale_demand *d);

/* Fills the routes of counted traffic, which is not empty, and `peer` for pairs
 * with less access. */
void gscale__route_traffic(const gscale__source *s, const gscale_phase *w,
                           int n, gscale__traffic_room *room,
                           gscale__phase_plan *f);
/* Copies the routes of a phase with the same traffic over the same system. */
void gscale__copy_routes(const gscale__phase_plan *from,
                         gscale__phase_plan *to);

#endif /* GPUSCALE_PRICE_TRAFFIC_H */

/* SPDX-License-Identifier: GPL-3.0-or-later */
