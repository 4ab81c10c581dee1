/* fabric.c - routes of bytes in a topology, and its busiest resource. */

#include "equation/routed.h"

#include <math.h>
#include <stdlib.h>

static bool reaches(const gscale_fabric *f, int i, int j)
{
  if (f->mesh[i][j] > 0.0 || f->staged > 0.0) return true;
  for (int k = 0; k < f->mesh_gpus; k++)
    if (f->mesh[i][k] > 0.0 && f->mesh[k][j] > 0.0) return true;
  return false;
}

static gscale_status check_mesh(const gscale_fabric *f, gscale_diag *diag)
{
  if (f->mesh_gpus < 2 || f->mesh_gpus > GSCALE_MESH_MAX)
    return gscale__fail(diag, GSCALE_EDOMAIN, "mesh: %d GPUs: not in 2 .. %d",
                        f->mesh_gpus, (int)GSCALE_MESH_MAX);
  for (int i = 0; i < f->mesh_gpus; i++)
    for (int j = 0; j < f->mesh_gpus; j++) {
      if (!(f->mesh[i][j] >= 0.0) || !isfinite(f->mesh[i][j]))
        return gscale__fail(diag, GSCALE_EDOMAIN, "mesh: link %d to %d: %g", i,
                            j, f->mesh[i][j]);
      if (i != j && !reaches(f, i, j))
        return gscale__fail(diag, GSCALE_EDOMAIN,
                            "mesh: no route from %d to %d: neither a link, a "
                            "common neighbour nor a staged path",
                            i, j);
    }
  return GSCALE_OK;
}

gscale_status gscale_fabric_check(const gscale_fabric *f, gscale_diag *diag)
{
  const struct {
    const char *name;
    double value;
  } rates[] = {{"ingress", f->ingress},
               {"uplink", f->uplink},
               {"root", f->root},
               {"arc", f->arc}};

  if (f->kind >= GSCALE_TOPOLOGY_END)
    return gscale__fail(diag, GSCALE_EDOMAIN, "topology: %d", (int)f->kind);
  for (size_t i = 0; i < LENGTH(rates); i++)
    if (!(rates[i].value > 0.0))
      return gscale__fail(diag, GSCALE_EDOMAIN, "topology: %s: %g is not > 0",
                          rates[i].name, rates[i].value);
  if (f->group < 1)
    return gscale__fail(diag, GSCALE_EDOMAIN, "topology: group: %d is not >= 1",
                        f->group);
  if (!(f->split >= 0.0) || !(f->staged >= 0.0))
    return gscale__fail(diag, GSCALE_EDOMAIN,
                        "topology: split %g B, staged %g: not >= 0", f->split,
                        f->staged);
  return f->kind == GSCALE_MESH ? check_mesh(f, diag) : GSCALE_OK;
}

enum {
  HOPS_MAX = 4 + 2 * GSCALE_MESH_MAX
};

/* A range of resources, first to end - 1, each of which carries `share` of the
 * bytes. */
typedef struct hop {
  int first, end;
  double share;
} hop;

typedef struct path {
  int hops;
  hop hop[HOPS_MAX];
} path;

/* Returns the number of resources of a topology. */
static int resources(const gscale__routed *w)
{
  switch (w->f->kind) {
  case GSCALE_BUS:
    return gscale__shared(w) + 1;
  case GSCALE_TREE:
    return gscale__shared(w) + 2 * gscale__groups(w) + 1;
  case GSCALE_RING: /* arcs and ends of arcs */
    return gscale__shared(w) + 2 * (w->n + 1);
  case GSCALE_MESH:
    return gscale__shared(w) + GSCALE__MESH_LINKS + 2 * GSCALE_MESH_MAX;
  case GSCALE_SWITCH:
  case GSCALE_TOPOLOGY_END:
    break;
  }
  return gscale__shared(w);
}

static void add_hop(path *p, int resource, double share)
{
  p->hop[p->hops++] = (hop){resource, resource + 1, share};
}

/* Adds the route up an uplink, through the root, and down an uplink. */
static void through_root(const gscale__routed *w, int i, int j, double share,
                         path *p)
{
  const int up = gscale__shared(w), down = up + gscale__groups(w),
            root = down + gscale__groups(w);

  add_hop(p, up + i / w->f->group, share);
  add_hop(p, down + j / w->f->group, share);
  add_hop(p, root, w->staged ? 2.0 * share : share);
}

/* Adds arcs of one direction: arc k leads from k to k+1 forward, or from k+1 to
 * k backward. */
static void add_arcs(const gscale__routed *w, int way, int from, int steps,
                     double share, path *p)
{
  const int arc = gscale__shared(w) + way * (w->n + 1);
  const int over = from + steps - w->n;

  p->hop[p->hops++] =
      (hop){arc + from, arc + (over > 0 ? w->n : from + steps), share};
  if (over > 0) p->hop[p->hops++] = (hop){arc, arc + over, share};
}

static void round_ring(const gscale__routed *w, int i, int j, path *p)
{
  const int steps = (j - i + w->n) % w->n;
  const double share = 2 * steps == w->n ? 0.5 : 1.0;

  if (2 * steps <= w->n) add_arcs(w, 0, i, steps, share, p);
  if (2 * steps >= w->n) add_arcs(w, 1, j, w->n - steps, share, p);
}

static int link_of(const gscale__routed *w, int i, int j)
{
  return gscale__shared(w) + i * GSCALE_MESH_MAX + j;
}

static void relayed(const gscale__routed *w, int i, int j, path *p)
{
  const gscale_fabric *f = w->f;
  int ways = 0;

  for (int k = 0; k < f->mesh_gpus; k++)
    ways += f->mesh[i][k] > 0.0 && f->mesh[k][j] > 0.0;
  for (int k = 0; k < f->mesh_gpus; k++)
    if (f->mesh[i][k] > 0.0 && f->mesh[k][j] > 0.0) {
      add_hop(p, link_of(w, i, k), 1.0 / ways);
      add_hop(p, link_of(w, k, j), 1.0 / ways);
    }
}

static void over_mesh(const gscale__routed *w, int i, int j, path *p)
{
  const int out = gscale__shared(w) + GSCALE__MESH_LINKS,
            in = out + GSCALE_MESH_MAX;

  if (w->f->mesh[i][j] > 0.0) {
    add_hop(p, link_of(w, i, j), 1.0);
  } else if (w->f->staged > 0.0) {
    add_hop(p, out + i, 1.0);
    add_hop(p, in + j, 1.0);
  } else {
    relayed(w, i, j, p);
  }
}

/* A staged byte goes up from one GPU to the host, and down to another GPU.
 * Staged bytes use the links of a bus or a tree like all transfers.  In other
 * topologies, each GPU has a separate port to the host. */
static void over_topology(const gscale__routed *w, int i, int j, path *p)
{
  switch (w->f->kind) {
  case GSCALE_BUS:
    add_hop(p, gscale__shared(w), w->staged ? 2.0 : 1.0);
    break;
  case GSCALE_TREE:
    if (w->staged || i / w->f->group != j / w->f->group)
      through_root(w, i, j, w->across, p);
    break;
  case GSCALE_RING:
    if (!w->staged) round_ring(w, i, j, p);
    break;
  case GSCALE_MESH:
    if (!w->staged) over_mesh(w, i, j, p);
    break;
  case GSCALE_SWITCH:
  case GSCALE_TOPOLOGY_END:
    break;
  }
}

/* Returns the path from i to j != i. */
static path path_of(const gscale__routed *w, int i, int j)
{
  path p;

  p.hops = 0;
  add_hop(&p, i, 1.0);
  add_hop(&p, w->n + j, 1.0);
  add_hop(&p, 2 * w->n + i, 1.0);
  add_hop(&p, 2 * w->n + j, 1.0);
  over_topology(w, i, j, &p);
  return p;
}

static double rate_of_shared(const gscale__routed *w, int k)
{
  const gscale_fabric *f = w->f;
  const int i = k / GSCALE_MESH_MAX, j = k % GSCALE_MESH_MAX;

  switch (f->kind) {
  case GSCALE_TREE:
    return k < 2 * gscale__groups(w) ? f->uplink : f->root;
  case GSCALE_RING:
    return f->arc;
  case GSCALE_MESH:
    return k < GSCALE__MESH_LINKS ? f->mesh[i][j] : f->staged;
  case GSCALE_BUS:
  case GSCALE_SWITCH:
  case GSCALE_TOPOLOGY_END:
    break;
  }
  return 1.0;
}

static double rate_of(const gscale__routed *w, int resource)
{
  if (resource < w->n) return 1.0;
  if (resource < 2 * w->n) return w->f->ingress;
  if (resource < 3 * w->n) return w->duplex;
  return rate_of_shared(w, resource - gscale__shared(w));
}

double *gscale__no_loads(const gscale__routed *w)
{
  double *on = calloc((size_t)resources(w), sizeof *on);

  if (!on) gscale__refused();
  return on;
}

void gscale__add_flow(const gscale__routed *w, int i, int j, double bytes,
                      double *on)
{
  if (i == j || !(bytes > 0.0)) return;

  const path p = path_of(w, i, j);
  for (int k = 0; k < p.hops; k++) {
    const hop *h = &p.hop[k];
    on[h->first] += h->share * bytes;
    if (gscale__are_arcs(w) && h->first >= gscale__shared(w))
      on[h->end] -= h->share * bytes;
  }
}

static double busiest_arc(const gscale__routed *w, const double *on, int way)
{
  const double *change = &on[gscale__shared(w) + way * (w->n + 1)];
  double load = 0.0, worst = 0.0;

  for (int i = 0; i < w->n; i++) {
    load += change[i];
    worst = fmax(worst, load);
  }
  return worst / w->f->arc;
}

double gscale__busiest_of(const gscale__routed *w, double *on)
{
  const int each = gscale__are_arcs(w) ? gscale__shared(w) : resources(w);
  double worst = 0.0;

  if (!on) return NAN;
  for (int i = 0; i < each; i++)
    if (on[i] > 0.0) worst = fmax(worst, on[i] / rate_of(w, i));
  if (gscale__are_arcs(w))
    worst = fmax(worst, fmax(busiest_arc(w, on, 0), busiest_arc(w, on, 1)));
  free(on);
  return worst;
}

double gscale__alone_of(const gscale__routed *w, int i, int j)
{
  const path p = path_of(w, i, j);
  double worst = 0.0;

  for (int k = 0; k < p.hops; k++)
    worst = fmax(worst, p.hop[k].share / rate_of(w, p.hop[k].first));
  return worst;
}

/* Returns true if the fabric joins n GPUs with the relative rate `across`. */
static bool can_route(const gscale_fabric *f, int n, double across)
{
  return n >= 1 && n <= GSCALE__NODE_MAX && across >= 1.0 &&
         gscale_fabric_check(f, NULL) == GSCALE_OK &&
         !(f->kind == GSCALE_MESH && n > f->mesh_gpus);
}

double gscale_route_busiest(const gscale_fabric *f, int n, const double *bytes,
                            double duplex, double across)
{
  const gscale__routed w = {f, n, duplex, across, false};

  if (!can_route(f, n, across) || !(duplex >= 1.0 && duplex <= 2.0)) return NAN;
  for (int i = 0; i < n * n; i++)
    if (i % (n + 1) && !(bytes[i] >= 0.0)) return NAN;
  double *on = gscale__no_loads(&w);
  for (int i = 0; on && i < n * n; i++)
    gscale__add_flow(&w, i / n, i % n, bytes[i], on);
  return gscale__busiest_of(&w, on);
}

double gscale__route_alone(const gscale_fabric *f, int n, int i, int j,
                           double across)
{
  const gscale__routed w = {f, n, INFINITY, across, false};

  return gscale__alone_of(&w, i, j);
}

double gscale_route_alone(const gscale_fabric *f, int n, int i, int j,
                          double across)
{
  if (i < 0 || j < 0 || i >= n || j >= n || i == j || !can_route(f, n, across))
    return NAN;
  return gscale__route_alone(f, n, i, j, across);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
