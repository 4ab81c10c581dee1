/* traffic.h - what a phase sends and over what, for model/ only. */
#ifndef GPUSCALE_PRICE_TRAFFIC_H
#define GPUSCALE_PRICE_TRAFFIC_H

#include "ground/ground.h"
#include "price/plan.h"

/* Wire bytes of packets cut by the root of the fabric / as sent, for long
 * messages. */
double gscale__across(const gscale_link *l, const gscale_fabric *f,
                      gscale_access a);

/* The fraction of the published bytes that other GPUs need. */
double gscale__leaving(const gscale_phase *w, int n);

/* B that a phase publishes; to neighbours, the largest cut of all. */
double gscale__published(const gscale_phase *w);

/* Fills what n GPUs send in a phase: bytes and copies, of the busiest and of
 * all.  *f is zero before. */
void gscale__count_traffic(const gscale_phase *w, int n, gscale__phase_plan *f);

/* Of what was counted, leaves in *f what stays inside nodes of `node` GPUs, of
 * which n have more than one; the rest is f->far.  GPUs are placed in blocks.
 */
void gscale__split_traffic(const gscale_phase *w, int n, int node,
                           gscale__phase_plan *f);

/* B, and messages, that leave some GPUs for others, and that come. */
typedef struct gscale__crossing {
  double out, in, sent, got;
} gscale__crossing;

/* What the traffic of n GPUs is written to. */
struct gscale__traffic_room {
  gscale_pair *pair, *inside; /* of all, of one node */
  gscale__crossing *crossing; /* of nodes, or of leaf switches */
  double *out, *in;
  double *spare; /* as much as both */
};

bool gscale__traffic_room_open(gscale__traffic_room *room, int n);
void gscale__traffic_room_close(gscale__traffic_room *room);

/* Fills in, the routes, and peer for pairs that have less, of what was counted,
 * which is not nothing. */
void gscale__route_traffic(const gscale__source *s, const gscale_phase *w,
                           int n, gscale__traffic_room *room,
                           gscale__phase_plan *f);
/* Takes the routes of a phase with the same traffic over the same system. */
void gscale__copy_routes(const gscale__phase_plan *from,
                         gscale__phase_plan *to);

#endif /* GPUSCALE_PRICE_TRAFFIC_H */

/* SPDX-License-Identifier: GPL-3.0-or-later */
