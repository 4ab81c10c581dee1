/* network.c - networks that join nodes. */

#include "ground/ground.h"

#include <math.h>

gscale_status gscale_network_check(const gscale_network *n, int gpus,
                                   gscale_diag *diag)
{
  if (n->nodes < 1)
    return gscale__fail(diag, GSCALE_EDOMAIN, "nodes: %d is not >= 1",
                        n->nodes);
  if (n->rails < 1 || (gpus % n->rails != 0 && n->rails % gpus != 0))
    return gscale__fail(diag, GSCALE_EDOMAIN,
                        "rails: %d do not divide the %d GPUs of a node",
                        n->rails, gpus);
  if (n->kind >= GSCALE_NET_TOPOLOGY_END)
    return gscale__fail(diag, GSCALE_EDOMAIN, "network.topology: %d",
                        (int)n->kind);
  if (n->leaf < 0)
    return gscale__fail(diag, GSCALE_EDOMAIN, "network.leaf: %d is not >= 0",
                        n->leaf);
  if (n->shared < 0)
    return gscale__fail(diag, GSCALE_EDOMAIN, "shared: %d is negative",
                        n->shared);
  if (n->kind == GSCALE_NET_FAT_TREE && n->leaf > 0 && n->rails > n->leaf)
    return gscale__fail(diag, GSCALE_EDOMAIN,
                        "network.leaf: a node of %d rails is larger than its "
                        "switch of %d ports",
                        n->rails, n->leaf);
  if (!gscale_link_between(&n->link))
    return gscale__fail(diag, GSCALE_EDOMAIN,
                        "network.link: '%s' has no packets between nodes",
                        n->link.name);
  return GSCALE_OK;
}

double gscale_network_leaf(const gscale_network *n)
{
  if (n->leaf == 0 || n->kind == GSCALE_NET_FLAT) return INFINITY;
  return n->kind == GSCALE_NET_FAT_TREE ? floor((double)n->leaf / n->rails)
                                        : n->leaf;
}

double gscale_network_depth(int nodes)
{
  double depth = 0.0;

  for (int n = 1; n < nodes; n *= 2) depth += 1.0;
  return depth;
}

double gscale_network_straggle(double jitter, int nodes)
{
  if (!(jitter >= 0.0) || nodes < 1) return NAN;
  return jitter * sqrt(2.0 * log(nodes));
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
