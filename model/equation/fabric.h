/* fabric.h - routes for checked arguments, for model/ only. */
#ifndef GPUSCALE_EQUATION_FABRIC_H
#define GPUSCALE_EQUATION_FABRIC_H

#include "ground/ground.h"

/* Equals gscale_route_busiest() for a fabric that joins the GPUs and a valid
 * demand, in time that is linear in GPUs and pairs (except on a mesh, which has
 * at most GSCALE_MESH_MAX GPUs).
 *
 *    ports     out[i] (sum of in - in[i]), and so in
 *    tree      a group's sum of out times the others' of in
 *    ring      arc k carries the load of arc k-1, plus what k sends in this
 *              direction, minus what k receives
 *
 * Limits   as the matrix, to 1e-13 of the busiest Source   ours: sums of
 * products are products of sums */
double gscale__busiest(const gscale_fabric *f, const gscale_demand *d,
                       double duplex, double across);
/* Returns the byte-weighted mean of gscale_route_alone(), or NaN without
 * bytes. */
double gscale__alone(const gscale_fabric *f, const gscale_demand *d,
                     double across);
/* Equals gscale_route_alone() without checks. */
double gscale__route_alone(const gscale_fabric *f, int n, int i, int j,
                           double across);

/* These price copies staged in the host, in B of one leg. */
double gscale__busiest_staged(const gscale_fabric *f, const gscale_demand *d);
double gscale__alone_staged(const gscale_fabric *f);

/* Returns the rate of all rings together that can be packed through the first n
 * GPUs of a mesh along its links, each direction of a link busy once, relative
 * to link.rate; 0 if no ring closes.
 *
 * Limits   the best packing found within 3000 hops, exact for cube meshes of
 * eight   Source   NCCL packs rings so, and two on each link for up to four
 * GPUs [Nccl] */
double gscale__rings(const gscale_fabric *f, int n);

/* Returns the bytes that the busiest receiver gets. */
double gscale__most_received(const gscale_demand *d);

#endif /* GPUSCALE_EQUATION_FABRIC_H */

/* SPDX-License-Identifier: GPL-3.0-or-later */
