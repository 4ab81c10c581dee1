/* fabric.h - routes for checked arguments, only for model/. */
#ifndef GPUSCALE_EQUATION_FABRIC_H
#define GPUSCALE_EQUATION_FABRIC_H

#include "ground/ground.h"

/* Equals gscale_route_busiest() for a fabric that joins the GPUs and for a
 * valid demand.  The work is linear in GPUs and pairs, except on a mesh, which
 * has at most GSCALE_MESH_MAX GPUs.
 *
 *    ports     load = out[i] * (sum of in - in[i]), and likewise for receives.
 *    tree      load = a group's sum of out * all other groups' sum of in.
 *    ring      load of arc k = load of arc k-1 + bytes that k sends in this
 *              direction - bytes that k receives.
 *
 * Limits   within 1e-13 of the busiest load, the result of the matrix. */
double gscale__busiest(const gscale_fabric *f, const gscale_demand *d,
                       double duplex, double across);
/* Returns the byte-weighted mean of gscale_route_alone(), or NaN without
 * bytes. */
double gscale__alone(const gscale_fabric *f, const gscale_demand *d,
                     double across);
/* Equals gscale_route_alone() without checks. */
double gscale__route_alone(const gscale_fabric *f, int n, int i, int j,
                           double across);

/* The next two functions price copies that are staged in the host, in B of one
 * leg. */
double gscale__busiest_staged(const gscale_fabric *f, const gscale_demand *d);
double gscale__alone_staged(const gscale_fabric *f);

/* Returns the total rate, relative to link.rate, of rings through the first n
 * GPUs of a mesh, which use each direction of a link at most once; 0 if there
 * is no ring.
 *
 * Limits   the best packing within 3000 hops, which is exact for cube meshes of
 *           eight GPUs.
 * Source   NCCL packs rings in the same manner, with two rings on each link for
 *           up to four GPUs [Nccl]. */
double gscale__rings(const gscale_fabric *f, int n);

/* Returns the bytes that the busiest receiver receives. */
double gscale__most_received(const gscale_demand *d);

#endif /* GPUSCALE_EQUATION_FABRIC_H */

/* SPDX-License-Identifier: GPL-3.0-or-later */
