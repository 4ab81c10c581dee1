/* network.c - systems of several nodes. */

#include "describe/ask.h"
#include "ground/ground.h"

#include <string.h>

gscale_status gscale_system_set_network(gscale_system *s,
                                        const gscale_network *n,
                                        gscale_diag *diag)
{
  gscale_param rate = {n->link.rate, 0.0, GSCALE_SPEC, "", GSCALE_BY_ORIGIN};
  const gscale_status st = gscale_network_check(n, s->gpus, diag);

  if (st != GSCALE_OK) return st;
  if (n->nodes > GSCALE__GPUS_MAX / s->gpus)
    return gscale__fail(diag, GSCALE_EDOMAIN,
                        "nodes: %d of %d GPUs are more than %d", n->nodes,
                        s->gpus, GSCALE__GPUS_MAX);
  gscale__copy_text(rate.source, sizeof rate.source, n->link.name);
  if (isinf(gscale_system_get(s, GSCALE_NETWORK_RATE)->val))
    gscale__param_put(s, GSCALE_NETWORK_RATE, &rate);
  s->network = *n;
  s->grows = n->grows;
  return GSCALE_OK;
}

void gscale_system_take_node(gscale_system *s, gscale_system *node,
                             const bool *said)
{
  gscale_system with = *node;

  memcpy(with.name, s->name, sizeof with.name);
  with.network = s->network;
  for (size_t id = 0; id < GSCALE_PARAM_END; id++)
    if (said[id]) gscale__param_take(&with, s, id);
  gscale__take_remote(&with, s);
  *s = with;
  node->row = NULL; /* the list belongs to *s */
  node->correlation = NULL;
  node->rows = node->correlations = 0;
}

/* Paths keep their measured numbers, but rates scale with the link.  A pair, or
 * a node, attains the same share of the new link as of the old link. */
static void carry(gscale_system *s, gscale_param_id id, double faster)
{
  gscale_param p = *gscale_system_get(s, id);

  if (!(p.val > 0.0) || isinf(p.val)) return;
  p.val *= faster;
  p.err = fmax(p.err * faster, 0.3 * p.val / sqrt(12.0));
  p.origin = GSCALE_ASSUMED;
  gscale__copy_text(p.source, sizeof p.source,
                    "scaled with the rate of the network's link");
  gscale__param_put(s, id, &p);
}

gscale_status gscale__swap_network(gscale_system *s, const gscale_link *l,
                                   gscale_diag *diag)
{
  static const gscale_param_id rates[] = {
      GSCALE_GPUDIRECT_RATE,      GSCALE_GPUDIRECT_NODE_RATE,
      GSCALE_GPUDIRECT_LONG_RATE, GSCALE_GPUDIRECT_LONG_NODE_RATE,
      GSCALE_HOSTPATH_RATE,       GSCALE_HOSTPATH_NODE_RATE,
      GSCALE_HOSTPATH_LONG_RATE,  GSCALE_HOSTPATH_LONG_NODE_RATE,
      GSCALE_COLL_NET_RATE};
  const double faster =
      l->rate / gscale_system_get(s, GSCALE_NETWORK_RATE)->val;
  gscale_param rate = {l->rate, 0.0, GSCALE_SPEC, "", GSCALE_BY_ORIGIN};

  if (s->network.nodes == 0)
    return gscale__fail(diag, GSCALE_EDOMAIN,
                        "link: %s joins nodes, and %s is one", l->name,
                        s->name);
  for (size_t i = 0; i < LENGTH(rates); i++) carry(s, rates[i], faster);
  gscale__copy_text(rate.source, sizeof rate.source, l->name);
  gscale__param_put(s, GSCALE_NETWORK_RATE, &rate);
  s->network.link = *l;
  return GSCALE_OK;
}

static gscale_status check_path(const gscale__source *s, gscale_param_id first,
                                const char *group, gscale_diag *diag)
{
  const gscale_param_id i = first - GSCALE_GPUDIRECT_OVERHEAD;

  if (isinf(gscale__read(s, i + GSCALE_GPUDIRECT_FROM)) ||
      gscale__read(s, i + GSCALE_GPUDIRECT_LONG_RATE) > 0.0)
    return GSCALE_OK;
  return gscale__fail(diag, GSCALE_ENEED,
                      "%s: %s.long_rate is missing (%s.from is set)",
                      gscale__machine_of(s).name, group, group);
}

gscale_status gscale__check_paths(const gscale__source *s, gscale_diag *diag)
{
  if (gscale__machine_of(s).network->nodes == 0) return GSCALE_OK;
  const gscale_status st =
      check_path(s, GSCALE_GPUDIRECT_OVERHEAD, "gpudirect", diag);
  return st == GSCALE_OK
             ? check_path(s, GSCALE_HOSTPATH_OVERHEAD, "hostpath", diag)
             : st;
}

static gscale_regime regime_of(const gscale__source *s, gscale_param_id first)
{
  const gscale_param_id i = first - GSCALE_GPUDIRECT_OVERHEAD;

  return (gscale_regime){
      .overhead = gscale__read(s, i + GSCALE_GPUDIRECT_OVERHEAD),
      .latency = gscale__read(s, i + GSCALE_GPUDIRECT_LATENCY),
      .rate = gscale__read(s, i + GSCALE_GPUDIRECT_RATE),
      .node_rate = gscale__read(s, i + GSCALE_GPUDIRECT_NODE_RATE),
      .stage = gscale__read(s, i + GSCALE_GPUDIRECT_STAGE)};
}

/* Both regimes of a path have their numbers in the same order. */
gscale_path gscale__read_path(const gscale__source *s, gscale_param_id first)
{
  const gscale_param_id i = first - GSCALE_GPUDIRECT_OVERHEAD,
                        above = i + GSCALE_GPUDIRECT_LONG_OVERHEAD;

  return (gscale_path){.below = regime_of(s, first),
                       .above = regime_of(s, above),
                       .from = gscale__read(s, i + GSCALE_GPUDIRECT_FROM),
                       .messages =
                           gscale__read(s, i + GSCALE_GPUDIRECT_MESSAGES),
                       .within = gscale__read(s, i + GSCALE_GPUDIRECT_INLINE),
                       .fetch = gscale__read(s, i + GSCALE_GPUDIRECT_FETCH)};
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
