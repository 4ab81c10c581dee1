/* fabric.h - routes between GPUs, and networks between nodes. */
#ifndef GSCALE_FABRIC_H
#define GSCALE_FABRIC_H

#include "gpuscale.h"
#include "gpuscale/packet.h"

/* ---- routes -------------------------------------------------------------- */

typedef enum gscale_topology {
  GSCALE_SWITCH, /* all pairs of ports have the full rate */
  GSCALE_BUS,    /* all transfers share one resource */
  GSCALE_TREE,   /* switches of `group` GPUs below a root */
  GSCALE_RING,   /* two neighbours each, with routes in the shorter direction */
  GSCALE_MESH,   /* links of any rate between some pairs */
  GSCALE_TOPOLOGY_END
} gscale_topology;

const char *gscale_topology_name(gscale_topology t); /* "switch"; or NULL */

enum {
  GSCALE_MESH_MAX = 16
};

/** The topology of a node's ports.  Rates are relative to link.rate, the
 *  largest send rate of a GPU.  Defaults of gscale_fabric_init are in
 *  brackets. */
typedef struct gscale_fabric {
  gscale_topology kind;
  double ingress; /* rate into a GPU, > 0 [1] */
  int group;      /* tree: GPUs of one switch, >= 1 [2] */
  double uplink;  /* tree: rate of an uplink, each direction, > 0 [1] */
  double root;    /* tree: total rate of the root, > 0 [INFINITY] */
  double split;   /* tree: payload of packets that the root splits, B; 0 = no
                   * split [0] */
  double arc;     /* ring: rate of a link, one direction, > 0 [0.5] */
  int mesh_gpus;  /* mesh: GPUs, 2 to GSCALE_MESH_MAX [0] */
  double mesh[GSCALE_MESH_MAX][GSCALE_MESH_MAX]; /* mesh: rate of the link from
                                                  * i to j; 0 = no link [0] */
  double staged; /* mesh: rate between GPUs without a link, staged in the host;
                  * 0 = relayed by common neighbours, INFINITY = staged.rate
                  * of the system, without a limit outside of a system [0] */
} gscale_fabric;

void gscale_fabric_init(gscale_fabric *f, gscale_topology kind);
/** Checks a fabric and fails with GSCALE_EDOMAIN, naming the wrong field.  Each
 *  pair of a mesh must have a link, a staged path or a common neighbour. */
gscale_status gscale_fabric_check(const gscale_fabric *f, gscale_diag *diag);

/** Returns the bytes that pass the busiest resource, scaled to the rate of one
 *  direction of a port.
 *
 *    result = max over directed resources of (bytes / relative rate).
 *
 *    all      ports: egress / 1, ingress / f->ingress, both sums / duplex.
 *    switch   only ports.
 *    bus      ports, and one resource for all bytes.
 *    tree     between groups, the sender's uplink, the root and the receiver's
 *             uplink, with bytes counted `across` times.
 *    ring     the arcs of the shorter direction, or half of the bytes in each
 *             direction if both are equally long.
 *    mesh     the link, or a staged path that all staged traffic of a GPU
 *             shares, or equal parts over all common neighbours.
 *
 *  Given    bytes    n*n numbers, B: bytes[i*n+j] from GPU i to GPU j.
 *           duplex   rate of both directions together / rate of one, 1 to 2; 2
 *                    for independent directions.
 *           across   wire bytes after the root / wire bytes before, >= 1.
 *  Returns  B, where time = result / rate of one direction.  NaN if n exceeds
 *           the GPUs of a mesh.
 *  Omits    congestion inside switches; adaptive routing.
 *  Source   ours: a link takes bytes/rate, and the slowest link decides. [Nccl]
 *           topology constants: root complexes split peer writes to 64 B. */
double gscale_route_busiest(const gscale_fabric *f, int n, const double *bytes,
                            double duplex, double across);

/** Returns the bytes that pass the busiest resource per byte from GPU i to GPU
 *  j while no other data move, as for consecutive copies.
 *
 *  Given    two different GPUs i and j in 0 to n-1; other arguments as for
 *  gscale_route_busiest().
 *  Returns >= 1; NaN if n exceeds the GPUs of a mesh.
 *  Source ours. */
double gscale_route_alone(const gscale_fabric *f, int n, int i, int j,
                          double across);

/** The traffic between GPUs without a matrix, as a sum of products and of
 *  pairs.
 *
 *  bytes(i, j) = out[i] in[j] + all pairs from i to j, i != j. */
typedef struct gscale_pair {
  int from, to; /* equal ends are ignored */
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
  GSCALE_NET_FLAT,     /* all pairs of rails have the full rate */
  GSCALE_NET_FAT_TREE, /* leaf switches with `leaf` ports below spine
                        * switches */
  GSCALE_NET_RAILS,    /* one fat tree per rail of a node */
  GSCALE_NET_TOPOLOGY_END
} gscale_net_topology;

/** A network of nodes.  Consecutive GPUs fill one node after another. */
typedef struct gscale_network {
  int nodes;  /* number of nodes; 0: there is no network */
  int rails;  /* NICs per node, each with one link */
  int shared; /* described nodes per NIC; 0 counts as 1 */
  int leaf;   /* down ports of a leaf switch of a fat tree or rail; 0: any
               * number */
  bool grows; /* more nodes can be added */
  gscale_net_topology kind;
  gscale_link link; /* format and rate of a rail */
} gscale_network;

/** Checks a network and fails with GSCALE_EDOMAIN, naming the wrong field.  The
 *  number of rails must divide the GPUs of a node or be a multiple of them.  A
 *  node must not have more rails than a leaf switch has ports.  The link must
 *  be a link between nodes with a packet format.
 *
 *  Given    gpus  number of GPUs of a node. */
gscale_status gscale_network_check(const gscale_network *n, int gpus,
                                   gscale_diag *diag);

/** Returns the number of nodes that a leaf switch joins at full rate.
 *
 *    nodes = leaf / rails for a fat tree, leaf for rails; all if flat or leaf =
 *    0.
 *
 *  Returns  >= 1. */
double gscale_network_leaf(const gscale_network *n);

/** Returns the steps of a barrier or a tree between nodes.
 *
 *    steps = ceil(log2 nodes).
 *
 *  Given    nodes  >= 1.
 *  Returns  0 for one node.
 *  Source   dissemination barrier [HensgenFinkelManber88]. */
double gscale_network_depth(int nodes);

/** Returns the mean delay of the slowest of `nodes` nodes with random times,
 *  relative to the mean node.
 *
 *    delay = jitter * sqrt(2 ln nodes).
 *
 *  Given    jitter  standard deviation of one node's step, s, >= 0.
 *  Returns  s; 0 for one node.  NaN outside the domain.
 *  Limits   for many nodes, slow growth without bound (3.1 * jitter for 128
 *           nodes).
 *  Omits    nodes that are always slow.
 *  Source   the bound on the mean of the largest of n normal variables, which
 *           is approached for large n ([Boucheron13] 2.5). */
double gscale_network_straggle(double jitter, int nodes);

#endif /* GSCALE_FABRIC_H */

/* SPDX-License-Identifier: GPL-3.0-or-later */
