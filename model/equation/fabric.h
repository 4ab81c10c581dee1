/* fabric.h - routes of what is known to be right, for model/ only. */
#ifndef GPUSCALE_EQUATION_FABRIC_H
#define GPUSCALE_EQUATION_FABRIC_H

#include "ground/ground.h"

/* gscale_demand_busiest, gscale_demand_alone and gscale_route_alone, of a
 * fabric that joins the GPUs and a demand that is one. */
double gscale__busiest(const gscale_fabric *f, const gscale_demand *d,
                       double duplex, double across);
double gscale__alone(const gscale_fabric *f, const gscale_demand *d,
                     double across);
double gscale__route_alone(const gscale_fabric *f, int n, int i, int j,
                           double across);

/* The same of copies by way of the host, in B of one leg. */
double gscale__busiest_staged(const gscale_fabric *f, const gscale_demand *d);
double gscale__alone_staged(const gscale_fabric *f);
double gscale__route_staged(const gscale_fabric *f, int n, const double *bytes);

/* B that reach the GPU that gets most. */
double gscale__most_received(const gscale_demand *d);

#endif /* GPUSCALE_EQUATION_FABRIC_H */
