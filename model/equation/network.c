/* network.c - messages between nodes. */

#include "ground/ground.h"

#include <math.h>

/* ---- messages of a path -------------------------------------------------- */

const gscale_regime *gscale_path_regime(const gscale_path *p, double bytes)
{
  return bytes < p->from ? &p->below : &p->above;
}

static bool is_regime(const gscale_regime *r)
{
  return r->overhead >= 0.0 && r->latency >= 0.0 && r->rate > 0.0 &&
         r->node_rate > 0.0 && r->stage >= 0.0;
}

double gscale_path_busy(const gscale_path *p, double bytes)
{
  const bool fetched = bytes > p->within && bytes < p->from;

  if (!(bytes >= 0.0) || !(p->fetch >= 0.0)) return (double)NAN;
  return gscale_path_regime(p, bytes)->overhead + (fetched ? p->fetch : 0.0);
}

double gscale_path_time(const gscale_path *p, double bytes)
{
  const gscale_regime *r = gscale_path_regime(p, bytes);

  if (!(bytes >= 0.0) || !is_regime(r)) return (double)NAN;
  return r->latency + bytes * (1.0 / r->rate + r->stage);
}

double gscale_path_shared(const gscale_path *p, double bytes, double pairs,
                          double rails)
{
  const gscale_regime *r = gscale_path_regime(p, bytes);

  if (!(bytes >= 0.0) || !(pairs >= 1.0) || !(rails > 0.0) || !is_regime(r))
    return (double)NAN;
  const double node = pairs * bytes / fmin(r->node_rate, rails);
  return r->latency + bytes * r->stage +
         fmax(fmax(bytes / r->rate, node), (pairs - 1.0) / p->messages);
}

double gscale_path_rate(const gscale_path *p, double bytes, double pairs,
                        double rails)
{
  const gscale_regime *r = gscale_path_regime(p, bytes);

  if (!(bytes > 0.0) || !(pairs >= 1.0) || !(rails > 0.0) || !is_regime(r))
    return (double)NAN;
  const double alone =
      pairs * bytes / (gscale_path_busy(p, bytes) + bytes / r->rate);
  return fmin(fmin(alone, p->messages * bytes), fmin(r->node_rate, rails));
}

/* ---- what a phase sends -------------------------------------------------- */

gscale_sent gscale_path_sends(const gscale_path *p, const gscale_sends *s,
                              double rails)
{
  const gscale_regime *r = gscale_path_regime(p, s->bytes);
  const gscale_sent none = {0.0, 0.0, 0.0};
  const double nan = (double)NAN;

  if (!(s->messages >= 0.0) || !(s->bytes >= 0.0) || !(rails > 0.0) ||
      !is_regime(r))
    return (gscale_sent){nan, nan, nan};
  if (!(s->messages > 0.0)) return none;

  const double busy = gscale_path_busy(p, s->bytes);
  const double post = s->messages * busy;
  const double pair = s->messages * s->bytes / r->rate;
  const double node = s->node_bytes / fmin(r->node_rate, rails);
  const double turns = s->node_messages / p->messages - (post - busy);

  return (gscale_sent){
      .post = post,
      .latency = fmax(0.0, r->latency - busy) + s->bytes * r->stage,
      .transfer = fmax(fmax(pair, node), fmax(turns, s->uplink / rails))};
}

/* ---- networks ------------------------------------------------------------ */

static const char *const topologies[GSCALE_NET_TOPOLOGY_END] = {
    [GSCALE_NET_FLAT] = "flat",
    [GSCALE_NET_FAT_TREE] = "fat-tree",
    [GSCALE_NET_RAILS] = "rails",
};

const char *gscale_net_topology_name(gscale_net_topology t)
{
  return t < GSCALE_NET_TOPOLOGY_END ? topologies[t] : NULL;
}

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
  if (n->leaf == 0 || n->kind == GSCALE_NET_FLAT) return (double)INFINITY;
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
  if (!(jitter >= 0.0) || nodes < 1) return (double)NAN;
  return jitter * sqrt(2.0 * log(nodes));
}
