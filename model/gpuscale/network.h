/*
 * network.h - how nodes are joined.
 *
 * Included by gpuscale.h, which says what holds for all of them.
 */
#ifndef GSCALE_NETWORK_H
#define GSCALE_NETWORK_H

#include "gpuscale/packet.h"
#include "gpuscale/status.h"

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

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
  int leaf;   /* fat tree, rails: ports of a leaf switch, down; 0: any */
  bool grows; /* more nodes could be added */
  gscale_net_topology kind;
  gscale_link link; /* of a rail: format and rate */
} gscale_network;

/** GSCALE_EDOMAIN naming the field that is wrong.
 *
 *  Given    gpus  of a node
 *  Wrong    rails that neither divide the GPUs of a node nor are a multiple of
 *           them; a node with more rails than a leaf switch has ports; a link
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

#endif /* GSCALE_NETWORK_H */
