/* fabric.h - routes of what is known to be right, for model/ only. */
#ifndef GPUSCALE_EQUATION_FABRIC_H
#define GPUSCALE_EQUATION_FABRIC_H

#include "ground/ground.h"

/* gscale_route_busiest of a fabric that joins the GPUs and a demand that is
 * one, in time that is linear in GPUs and pairs (but on a mesh, which has at
 * most GSCALE_MESH_MAX).
 *
 *    ports     out[i] (sum of in - in[i]), and so in
 *    tree      a group's sum of out times the others' of in
 *    ring      over arc k passes what passes arc k-1, and what k sends that
 *              way, without what k gets
 *
 *  Limits   as the matrix, to 1e-13 of the busiest
 *  Source   ours: sums of products are products of sums */
double gscale__busiest(const gscale_fabric *f, const gscale_demand *d,
                       double duplex, double across);
/* gscale_route_alone, in the mean over all bytes.  NaN if there are none. */
double gscale__alone(const gscale_fabric *f, const gscale_demand *d,
                     double across);
/* gscale_route_alone(), for model/ only. */
double gscale__route_alone(const gscale_fabric *f, int n, int i, int j,
                           double across);

/* Of copies by way of the host, in B of one leg. */
double gscale__busiest_staged(const gscale_fabric *f, const gscale_demand *d);
double gscale__alone_staged(const gscale_fabric *f);

/* B that reach the GPU that gets most. */
double gscale__most_received(const gscale_demand *d);

#endif /* GPUSCALE_EQUATION_FABRIC_H */

/* SPDX-License-Identifier: GPL-3.0-or-later */
