/* fabric.h - routes between GPUs, and networks between nodes.
 *
 * gpuscale.h states the rules for all headers. */
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

/* ---- routes -------------------------------------------------------------- */

typedef enum gscale_topology {
  GSCALE_SWITCH, /* all pairs of ports at full rate */
  GSCALE_BUS,    /* one resource for all transfers */
  GSCALE_TREE,   /* switches of `group` GPUs below a root */
  GSCALE_RING,   /* two neighbours, shortest way round */
  GSCALE_MESH,   /* links of any rate between some pairs */
  GSCALE_TOPOLOGY_END
} gscale_topology;

const char *gscale_topology_name(gscale_topology t); /* "switch"; or NULL */

enum {
  GSCALE_MESH_MAX = 16
};

/** The topology of ports.  Rates are relative to link.rate, the largest send
 *  rate of a GPU.  gscale_fabric_init gives the defaults in brackets. */
typedef struct gscale_fabric {
  gscale_topology kind;
  double ingress; /* rate into a GPU, > 0 [1] */
  int group;      /* tree: GPUs below one switch, >= 1 [2] */
  double uplink;  /* tree: a switch's uplink, each way, > 0 [1] */
  double root;    /* tree: total through the root, > 0 [INFINITY] */
  double split;   /* tree: B, payload to which the root splits packets; 0 = none
                   * [0] */
  double arc;     /* ring: one link, one way, > 0 [0.5] */
  int mesh_gpus;  /* mesh: 2 .. GSCALE_MESH_MAX [0] */
  double mesh[GSCALE_MESH_MAX][GSCALE_MESH_MAX]; /* mesh: link from i to j, one
                                                  * way; 0 = none [0] */
  double staged; /* mesh: rate of a GPU to those without a link, staged in the
                  * host; 0 = relayed by common neighbours [0] */
} gscale_fabric;

void gscale_fabric_init(gscale_fabric *f, gscale_topology kind);
/** Checks a fabric; GSCALE_EDOMAIN names the wrong field.  A mesh is wrong if a
 *  pair has neither link, staged path nor common neighbour. */
gscale_status gscale_fabric_check(const gscale_fabric *f, gscale_diag *diag);

/** Returns the bytes that pass the busiest resource, in units of one port's
 *  direction.
 *
 *    max over directed resources of  bytes on it / its relative rate.
 *
 *    every    ports: egress / 1, ingress / f->ingress, and their sum / duplex.
 *    switch   nothing else;   bus   one resource for the sum of all.
 *    tree     between groups: up the sender's uplink, the root, down the
 *             receiver's; bytes there count `across` times.
 *    ring     the arcs of the shorter way; half each way when both are equal.
 *    mesh     the link; without one the staged path, which both ends share with
 *             their other staged traffic; or both links of each common
 *             neighbour, an equal part over each.
 *
 *  Given    bytes    B, n*n, bytes[i*n+j] from GPU i to GPU j; diagonal unused.
 *           duplex   rate of both directions together / rate of one, 1 .. 2; 2
 *                    = they are independent.
 *           across   >= 1, wire bytes behind the root / before it.
 *  Returns  B: time = this / rate of one direction.  NaN if n exceeds a mesh.
 *  Omits    congestion inside switches; routes that adapt to load.
 *  Source   ours: a link is busy for bytes/rate, the busiest decides.  Root
 *           complexes that split peer writes to 64 B: [Nccl] topology
 *           constants. */
double gscale_route_busiest(const gscale_fabric *f, int n, const double *bytes,
                            double duplex, double across);

/** Returns the bytes that pass the busiest resource per byte from GPU i to GPU
 *  j, while nothing else moves, as for consecutive copies.
 *
 *  Given    as above; i and j in 0 .. n-1, not the same.
 *  Returns  >= 1.  NaN as above.
 *  Source   ours. */
double gscale_route_alone(const gscale_fabric *f, int n, int i, int j,
                          double across);

/** The traffic between GPUs without a matrix: products, for patterns that
 *  depend on the two GPUs alone, and pairs; their sum if both.
 *
 *    B from i to j != i  =  out[i] in[j] + all pairs from i to j */
typedef struct gscale_pair {
  int from, to; /* equal ends count for nothing */
  double bytes; /* B, >= 0 */
} gscale_pair;

typedef struct gscale_demand {
  int gpus;
  const double *out, *in; /* `gpus` factors each, >= 0; NULL: none */
  size_t pairs;
  const gscale_pair *pair;
} gscale_demand;

/* ---- networks of nodes --------------------------------------------------- */

typedef enum gscale_net_topology {
  GSCALE_NET_FLAT,     /* all pairs of rails at full rate */
  GSCALE_NET_FAT_TREE, /* switches of `leaf` ports below others */
  GSCALE_NET_RAILS,    /* one fat tree per rail of a node */
  GSCALE_NET_TOPOLOGY_END
} gscale_net_topology;

/** A network of nodes.  GPUs are placed in blocks, the first node first. */
typedef struct gscale_network {
  int nodes;  /* as built; 0: there is no network */
  int rails;  /* network cards per node, one link each */
  int shared; /* described nodes per card; 0 as 1 */
  int leaf;   /* down ports of a leaf switch, for fat trees and rails; 0: any
               * number */
  bool grows; /* more nodes can be added */
  gscale_net_topology kind;
  gscale_link link; /* format and rate of a rail */
} gscale_network;

/** Checks a network; GSCALE_EDOMAIN names the wrong field.  Rails must divide
 *  the GPUs of a node, or be a multiple of them.  A node must not have more
 *  rails than a leaf switch has ports.  The link must be one between nodes,
 *  with a packet format.
 *
 *  Given    gpus  of a node. */
gscale_status gscale_network_check(const gscale_network *n, int gpus,
                                   gscale_diag *diag);

/** Returns the number of nodes that a leaf switch joins at full rate.
 *
 *    fat tree  leaf / rails;  rails  leaf;  flat, or leaf 0: all.
 *
 *  Returns  >= 1. */
double gscale_network_leaf(const gscale_network *n);

/** Returns the doublings from one node to `nodes`: steps of a barrier, or of a
 *  tree, between them.
 *
 *    ceil(log2 nodes).
 *
 *  Given    nodes  >= 1.
 *  Returns  0 for one node.
 *  Source   dissemination barrier [HensgenFinkelManber88]. */
double gscale_network_depth(int nodes);

/** Returns the mean delay of the last of `nodes` nodes, whose times differ by
 *  chance, over their mean.
 *
 *    jitter sqrt(2 ln nodes).
 *
 *  Given    jitter  s, standard deviation of one node's step, >= 0.
 *  Returns  s; 0 for one node.  NaN outside the domain.
 *  Limits   grows without bound, but slowly: 3.1 jitter for 128 nodes.
 *  Omits    nodes that are always slow.
 *  Source   bound on the mean of the largest of n normal variables, approached
 *           for many [Boucheron13] 2.5. */
double gscale_network_straggle(double jitter, int nodes);

#ifdef __cplusplus
}
#endif

#endif /* GSCALE_FABRIC_H */

/* SPDX-License-Identifier: GPL-3.0-or-later */
