/*
 * fabric.h - routes between GPUs, and networks between nodes.
 *
 * gpuscale.h says what holds for all headers.
 */
#ifndef GSCALE_FABRIC_H
#define GSCALE_FABRIC_H

#include "gpuscale.h"
#include "gpuscale/packet.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- routes ---------------------------------------------------------------
 */

typedef enum gscale_topology {
  GSCALE_SWITCH, /* every port reaches every other at full rate */
  GSCALE_BUS,    /* one resource that all transfers share */
  GSCALE_TREE,   /* switches of `group` GPUs below one root */
  GSCALE_RING,   /* links to two neighbours, shortest way round */
  GSCALE_MESH,   /* links between pairs, of any rate, some missing */
  GSCALE_TOPOLOGY_END
} gscale_topology;

const char *gscale_topology_name(gscale_topology t); /* "switch"; or NULL */

enum {
  GSCALE_MESH_MAX = 16
};

/** How ports are joined.  Rates are relative to link.rate, which is what one
 *  GPU sends at most.  gscale_fabric_init gives the defaults in brackets. */
typedef struct gscale_fabric {
  gscale_topology kind;
  double ingress; /* rate into a GPU, > 0 [1] */
  int group;      /* tree: GPUs below one switch, >= 1 [2] */
  double uplink;  /* tree: a switch's uplink, each way, > 0 [1] */
  double root;    /* tree: what passes the root in all, > 0 [INFINITY] */
  double split;   /* tree: B, payload to which the root cuts packets; 0 = it
                   * passes them on [0] */
  double arc;     /* ring: one link, one way, > 0 [0.5] */
  int mesh_gpus;  /* mesh: 2 .. GSCALE_MESH_MAX [0] */
  double mesh[GSCALE_MESH_MAX][GSCALE_MESH_MAX]; /* mesh: link from i to j, one
                                                  * way; 0 = none [0] */
  double staged; /* mesh: rate of a GPU to those it has no link to, through
                  * the host; 0 = relayed by the neighbours both have [0] */
} gscale_fabric;

void gscale_fabric_init(gscale_fabric *f, gscale_topology kind);
/** GSCALE_EDOMAIN naming the field that is wrong; a mesh in which a pair has
 *  neither link, staged path nor common neighbour is wrong. */
gscale_status gscale_fabric_check(const gscale_fabric *f, gscale_diag *diag);

/** Bytes that pass the busiest resource, in units of one port's direction.
 *
 *    max over directed resources of  bytes on it / its relative rate
 *
 *    every    ports: egress / 1, ingress / f->ingress, and their sum / duplex
 *    switch   nothing else;   bus   one resource for the sum of all
 *    tree     between groups: up the sender's uplink, the root, down the
 *             receiver's; bytes there count `across` times
 *    ring     the arcs of the shorter way; half each way when both are equal
 *    mesh     the link; without one the staged path, which both ends share with
 *             their other staged traffic; or both links of each common
 *             neighbour, an equal part over each
 *
 *  Given    bytes    B, n*n, bytes[i*n+j] from GPU i to GPU j; diagonal unused
 *           duplex   rate of both directions together / rate of one, 1 .. 2;
 *                    2 = they do not disturb each other
 *           across   >= 1, wire bytes behind the root / before it
 *  Returns  B: time = this / rate of one direction.  NaN if n exceeds a mesh
 *  Omits    congestion inside switches; routes that adapt to load
 *  Source   ours: a link is busy for bytes/rate, the busiest decides.  Root
 *           complexes that cut peer writes to 64 B: [Nccl] topology constants
 */
double gscale_route_busiest(const gscale_fabric *f, int n, const double *bytes,
                            double duplex, double across);

/** Bytes that pass the busiest resource per byte from GPU i to GPU j, while
 *  nothing else moves: one copy after the other has no other links than its
 *  own.
 *
 *  Given    as above; i and j in 0 .. n-1, not the same
 *  Returns  >= 1.  NaN as above
 *  Source   ours */
double gscale_route_alone(const gscale_fabric *f, int n, int i, int j,
                          double across);

/** What GPUs send one another, without a matrix: products, as of patterns in
 *  which it depends on the two GPUs alone, and pairs; their sum if both.
 *
 *    B from i to j != i  =  out[i] in[j] + all pairs from i to j
 */
typedef struct gscale_pair {
  int from, to; /* a pair with itself counts for nothing */
  double bytes; /* B, >= 0 */
} gscale_pair;

typedef struct gscale_demand {
  int gpus;
  const double *out, *in; /* `gpus` factors each, >= 0; NULL: none */
  size_t pairs;
  const gscale_pair *pair;
} gscale_demand;

/* ---- how nodes are joined ----------------------------------------------- */

typedef enum gscale_net_topology {
  GSCALE_NET_FLAT,     /* every rail reaches every other at full rate */
  GSCALE_NET_FAT_TREE, /* switches of `leaf` ports below others */
  GSCALE_NET_RAILS,    /* the same, each rail of a node on its own switches */
  GSCALE_NET_TOPOLOGY_END
} gscale_net_topology;

const char *gscale_net_topology_name(gscale_net_topology t); /* or NULL */

/** How nodes are joined.  GPUs are placed in blocks: the first node is filled
 *  first. */
typedef struct gscale_network {
  int nodes;  /* as built; 0: there is no network */
  int rails;  /* network cards of a node, each with a link of its own */
  int shared; /* nodes, as they are described, that share each card; 0 as 1 */
  int leaf;   /* fat tree, rails: ports of a leaf switch, down; 0: any */
  bool grows; /* more nodes could be added */
  gscale_net_topology kind;
  gscale_link link; /* of a rail: format and rate */
} gscale_network;

/** GSCALE_EDOMAIN naming the field that is wrong.
 *
 *  Given    gpus  of a node
 *  Wrong    rails that neither divide the GPUs of a node nor are a multiple of
 *           them; more rails of a node than a leaf switch has ports; a link
 *           that is none between nodes, or has no packet format
 */
gscale_status gscale_network_check(const gscale_network *n, int gpus,
                                   gscale_diag *diag);

/** Nodes that a leaf switch joins at full rate.
 *
 *    fat tree  leaf / rails;  rails  leaf;  flat, or leaf 0: all
 *
 *  Returns  >= 1 */
double gscale_network_leaf(const gscale_network *n);

/** Doublings from one node to so many: steps of a barrier, or of a tree,
 * between them.
 *
 *    ceil(log2 nodes)
 *
 *  Given    nodes  >= 1
 *  Returns  0 for one node
 *  Source   dissemination barrier [HensgenFinkelManber88]
 */
double gscale_network_depth(int nodes);

/** How much later than the mean the last of so many nodes is, whose times
 * differ by chance.
 *
 *    jitter sqrt(2 ln nodes)
 *
 *  Given    jitter  s, standard deviation of one node's step, >= 0
 *  Returns  s; 0 for one node.  NaN outside the domain
 *  Limits   grows without bound, but slowly: 3.1 jitter for 128 nodes
 *  Omits    nodes that are always slow
 *  Source   bound on the mean of the largest of n normal variables, which it
 *           tends to for many [Boucheron13] 2.5
 */
double gscale_network_straggle(double jitter, int nodes);

#ifdef __cplusplus
}
#endif

#endif /* GSCALE_FABRIC_H */

/* SPDX-License-Identifier: GPL-3.0-or-later */
