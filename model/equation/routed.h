/* routed.h - loads of the resources of a topology, only for model/equation/. */
#ifndef GPUSCALE_EQUATION_ROUTED_H
#define GPUSCALE_EQUATION_ROUTED_H

#include "equation/fabric.h"

/* The resources of n GPUs have numbers from 0: ports (out, in, both
 * directions), then resources of the topology. */
enum {
  GSCALE__MESH_LINKS = GSCALE_MESH_MAX * GSCALE_MESH_MAX
};

/* A topology with n GPUs. */
typedef struct gscale__routed {
  const gscale_fabric *f;
  int n;
  double duplex, across;
  bool staged; /* all bytes go through the host */
} gscale__routed;

static inline int gscale__groups(const gscale__routed *w)
{
  return (w->n - 1) / w->f->group + 1;
}

static inline int gscale__group_end(const gscale__routed *w, int group)
{
  const int end = (group + 1) * w->f->group;

  return end < w->n ? end : w->n;
}

static inline int gscale__shared(const gscale__routed *w)
{
  return 3 * w->n;
}

static inline bool gscale__are_arcs(const gscale__routed *w)
{
  return w->f->kind == GSCALE_RING;
}

/* Returns 0 B on each resource, or NULL without memory.  Arcs have the
 * difference to the previous arc. */
double *gscale__no_loads(const gscale__routed *w);
/* Adds the load of `bytes` from i to j. */
void gscale__add_flow(const gscale__routed *w, int i, int j, double bytes,
                      double *on);
/* Frees the loads, and returns the largest (bytes / rate) of all resources, or
 * NAN for NULL. */
double gscale__busiest_of(const gscale__routed *w, double *on);
/* Returns the time of a byte on an idle fabric, relative to a port. */
double gscale__alone_of(const gscale__routed *w, int i, int j);

#endif /* GPUSCALE_EQUATION_ROUTED_H */

/* SPDX-License-Identifier: GPL-3.0-or-later */
