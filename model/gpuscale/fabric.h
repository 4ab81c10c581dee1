/*
 * fabric.h - routes between GPUs.
 *
 * Included by gpuscale.h, which says what holds for all of them.
 */
#ifndef GSCALE_FABRIC_H
#define GSCALE_FABRIC_H

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

/** The same per byte from GPU i to GPU j, while nothing else moves: one copy
 *  after the other has no other links than its own.
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

#ifdef __cplusplus
}
#endif

#endif /* GSCALE_FABRIC_H */
