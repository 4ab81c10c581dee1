/* fabric.c - bytes on the busiest resource of a topology. */

#include "equation/fabric.h"

#include <math.h>
#include <stdlib.h>

/* ---- checking ----------------------------------------------------------- */

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
                            "mesh: no way from %d to %d: neither a link, a "
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
  for (size_t i = 0; i < sizeof rates / sizeof *rates; i++)
    if (!(rates[i].value > 0.0))
      return gscale__fail(diag, GSCALE_EDOMAIN, "topology: %s: %g is not > 0",
                          rates[i].name, rates[i].value);
  if (f->group < 1)
    return gscale__fail(diag, GSCALE_EDOMAIN, "topology: group: %d is not >= 1",
                        f->group);
  if (!(f->split >= 0.0) || !(f->staged >= 0.0) || !isfinite(f->staged))
    return gscale__fail(diag, GSCALE_EDOMAIN,
                        "topology: split %g B, staged %g: not >= 0", f->split,
                        f->staged);
  return f->kind == GSCALE_MESH ? check_mesh(f, diag) : GSCALE_OK;
}

/* ---- the way of a byte ----------------------------------------------------
 */

/* What transfers share, of n GPUs, numbered from 0: the ports (out, in, both
 * directions), then what the topology has. */
enum {
  SHARED_MAX = 2 * GSCALE__GPUS_MAX + 2,
  LINKS = GSCALE_MESH_MAX * GSCALE_MESH_MAX,
  RESOURCES_MAX = 3 * GSCALE__GPUS_MAX + SHARED_MAX,
  HOPS_MAX = 4 + 2 * GSCALE_MESH_MAX
};

_Static_assert(SHARED_MAX >= LINKS + 2 * GSCALE_MESH_MAX, "a mesh fits");

typedef struct network {
  const gscale_fabric *f;
  int n;
  double duplex, across;
  bool staged; /* every byte by way of the host */
} network;

/* Of what passes, `share` goes over each resource from first to end - 1. */
typedef struct hop {
  int first, end;
  double share;
} hop;

typedef struct path {
  int hops;
  hop hop[HOPS_MAX];
} path;

static int groups(const network *w)
{
  return (w->n - 1) / w->f->group + 1;
}

static int end_of(const network *w, int group)
{
  const int end = (group + 1) * w->f->group;

  return end < w->n ? end : w->n;
}

static int shared(const network *w)
{
  return 3 * w->n;
}

static int resources(const network *w)
{
  switch (w->f->kind) {
  case GSCALE_BUS:
    return shared(w) + 1;
  case GSCALE_TREE:
    return shared(w) + 2 * groups(w) + 1;
  case GSCALE_RING: /* arcs, and where the last one of each way ends */
    return shared(w) + 2 * (w->n + 1);
  case GSCALE_MESH:
    return shared(w) + LINKS + 2 * GSCALE_MESH_MAX;
  case GSCALE_SWITCH:
  case GSCALE_TOPOLOGY_END:
    break;
  }
  return shared(w);
}

static void add_hop(path *p, int resource, double share)
{
  p->hop[p->hops++] = (hop){resource, resource + 1, share};
}

/* Up, through the root, down. */
static void through_root(const network *w, int i, int j, double share, path *p)
{
  const int up = shared(w), down = up + groups(w), root = down + groups(w);

  add_hop(p, up + i / w->f->group, share);
  add_hop(p, down + j / w->f->group, share);
  add_hop(p, root, w->staged ? 2.0 * share : share);
}

/* Arc k of the way forth leads from k to k+1; of the way back, from k+1 to k.
 */
static void add_arcs(const network *w, int way, int from, int steps,
                     double share, path *p)
{
  const int arc = shared(w) + way * (w->n + 1);
  const int over = from + steps - w->n;

  p->hop[p->hops++] =
      (hop){arc + from, arc + (over > 0 ? w->n : from + steps), share};
  if (over > 0) p->hop[p->hops++] = (hop){arc, arc + over, share};
}

static void round_ring(const network *w, int i, int j, path *p)
{
  const int steps = (j - i + w->n) % w->n;
  const double share = 2 * steps == w->n ? 0.5 : 1.0;

  if (2 * steps <= w->n) add_arcs(w, 0, i, steps, share, p);
  if (2 * steps >= w->n) add_arcs(w, 1, j, w->n - steps, share, p);
}

static int link_of(const network *w, int i, int j)
{
  return shared(w) + i * GSCALE_MESH_MAX + j;
}

static void relayed(const network *w, int i, int j, path *p)
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

static void over_mesh(const network *w, int i, int j, path *p)
{
  const int out = shared(w) + LINKS, in = out + GSCALE_MESH_MAX;

  if (w->f->mesh[i][j] > 0.0) {
    add_hop(p, link_of(w, i, j), 1.0);
  } else if (w->f->staged > 0.0) {
    add_hop(p, out + i, 1.0);
    add_hop(p, in + j, 1.0);
  } else {
    relayed(w, i, j, p);
  }
}

/* By way of the host every byte goes up from its GPU and down to the other,
 * over the wires of a bus or a tree like any transfer, or else over a port of
 * its own that each GPU has to the host. */
static void over_topology(const network *w, int i, int j, path *p)
{
  switch (w->f->kind) {
  case GSCALE_BUS:
    add_hop(p, shared(w), w->staged ? 2.0 : 1.0);
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

/* From i to j, which are not the same. */
static path path_of(const network *w, int i, int j)
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

static double rate_of_shared(const network *w, int k)
{
  const gscale_fabric *f = w->f;
  const int i = k / GSCALE_MESH_MAX, j = k % GSCALE_MESH_MAX;

  switch (f->kind) {
  case GSCALE_TREE:
    return k < 2 * groups(w) ? f->uplink : f->root;
  case GSCALE_RING:
    return f->arc;
  case GSCALE_MESH:
    return k < LINKS ? f->mesh[i][j] : f->staged;
  case GSCALE_BUS:
  case GSCALE_SWITCH:
  case GSCALE_TOPOLOGY_END:
    break;
  }
  return 1.0;
}

static double rate_of(const network *w, int resource)
{
  if (resource < w->n) return 1.0;
  if (resource < 2 * w->n) return w->f->ingress;
  if (resource < 3 * w->n) return w->duplex;
  return rate_of_shared(w, resource - shared(w));
}

/* ---- loads ----------------------------------------------------------------
 */

/* B on each resource; of arcs, the differences between one and the one before
 * it. */
typedef struct loads {
  double on[RESOURCES_MAX];
} loads;

static void no_loads(const network *w, loads *l)
{
  for (int i = resources(w) - 1; i >= 0; i--) l->on[i] = 0.0;
}

static bool are_arcs(const network *w)
{
  return w->f->kind == GSCALE_RING;
}

static void add_flow(const network *w, int i, int j, double bytes, loads *l)
{
  if (i == j || !(bytes > 0.0)) return;

  const path p = path_of(w, i, j);
  for (int k = 0; k < p.hops; k++) {
    const hop *h = &p.hop[k];
    l->on[h->first] += h->share * bytes;
    if (are_arcs(w) && h->first >= shared(w)) l->on[h->end] -= h->share * bytes;
  }
}

static double busiest_arc(const network *w, const loads *l, int way)
{
  const double *change = &l->on[shared(w) + way * (w->n + 1)];
  double load = 0.0, worst = 0.0;

  for (int i = 0; i < w->n; i++) {
    load += change[i];
    worst = fmax(worst, load);
  }
  return worst / w->f->arc;
}

static double busiest(const network *w, const loads *l)
{
  const int each = are_arcs(w) ? shared(w) : resources(w);
  double worst = 0.0;

  for (int i = 0; i < each; i++)
    if (l->on[i] > 0.0) worst = fmax(worst, l->on[i] / rate_of(w, i));
  if (are_arcs(w))
    worst = fmax(worst, fmax(busiest_arc(w, l, 0), busiest_arc(w, l, 1)));
  return worst;
}

/* Of one byte with nothing beside it. */
static double alone(const network *w, int i, int j)
{
  const path p = path_of(w, i, j);
  double worst = 0.0;

  for (int k = 0; k < p.hops; k++)
    worst = fmax(worst, p.hop[k].share / rate_of(w, p.hop[k].first));
  return worst;
}

/* ---- products -------------------------------------------------------------
 */

/* What each GPU i sends each other j is a[i] * c[j]: sums of such products are
 * products of sums. */
typedef struct product {
  const double *a, *c;
} product;

static double sum_of(const double *v, int from, int end)
{
  double sum = 0.0;

  for (int i = from; i < end; i++) sum += v[i];
  return sum;
}

/* Of all but the one at each place; not by taking it from the sum, of which it
 * may be nearly all. */
static void others_of(const double *v, int n, double *rest)
{
  double before = 0.0, after = 0.0;

  for (int i = 0; i < n; i++) {
    rest[i] = before;
    before += v[i];
  }
  for (int i = n - 1; i >= 0; i--) {
    rest[i] += after;
    after += v[i];
  }
}

/* What n of them send one another. */
static double all_of(const double *a, const double *c, int n)
{
  double rest[GSCALE__GPUS_MAX], all = 0.0;

  others_of(c, n, rest);
  for (int i = 0; i < n; i++) all += a[i] * rest[i];
  return all;
}

static void load_ports(const network *w, const product *d, loads *l)
{
  double others_get[GSCALE__GPUS_MAX], others_send[GSCALE__GPUS_MAX];

  others_of(d->c, w->n, others_get);
  others_of(d->a, w->n, others_send);
  for (int i = 0; i < w->n; i++) {
    l->on[i] = d->a[i] * others_get[i];
    l->on[w->n + i] = d->c[i] * others_send[i];
    l->on[2 * w->n + i] = l->on[i] + l->on[w->n + i];
  }
}

/* Sums over the groups of a tree. */
typedef struct by_group {
  double a[GSCALE__GPUS_MAX], c[GSCALE__GPUS_MAX];
  double other_a[GSCALE__GPUS_MAX], other_c[GSCALE__GPUS_MAX];
  double within[GSCALE__GPUS_MAX]; /* what its GPUs send one another */
} by_group;

static void sum_groups(const network *w, const product *d, by_group *s)
{
  for (int g = 0; g < groups(w); g++) {
    const int first = g * w->f->group, end = end_of(w, g);
    s->a[g] = sum_of(d->a, first, end);
    s->c[g] = sum_of(d->c, first, end);
    s->within[g] = all_of(&d->a[first], &d->c[first], end - first);
  }
  others_of(s->a, groups(w), s->other_a);
  others_of(s->c, groups(w), s->other_c);
}

static void load_tree(const network *w, const product *d, loads *l)
{
  const int up = shared(w), down = up + groups(w), root = down + groups(w);
  by_group s;

  sum_groups(w, d, &s);
  for (int g = 0; g < groups(w); g++) {
    const double stays = w->staged ? s.within[g] : 0.0;
    l->on[up + g] = w->across * (s.a[g] * s.other_c[g] + stays);
    l->on[down + g] = w->across * (s.c[g] * s.other_a[g] + stays);
    l->on[root] += (w->staged ? 2.0 : 1.0) * l->on[up + g];
  }
}

/* Running sums, to add up arcs of the ring that lie next to one another. */
typedef struct running {
  int n;
  double upto[GSCALE__GPUS_MAX + 1];
} running;

static void run_up(int n, const double *v, running *r)
{
  r->n = n;
  r->upto[0] = 0.0;
  for (int i = 0; i < n; i++) r->upto[i + 1] = r->upto[i] + v[i];
}

/* Of `length` from `from` on, round the ring. */
static double run_of(const running *r, int from, int length)
{
  const int first = (from + r->n) % r->n, end = first + length;

  if (end <= r->n) return r->upto[end] - r->upto[first];
  return r->upto[r->n] - r->upto[first] + r->upto[end - r->n];
}

/* One way round: from each of a[] to those up to half of the ring further, half
 * of it to the one at exactly half.  Over arc k passes what passes arc k-1,
 * what k sends, not what k gets. */
static void load_way(const network *w, int way, const double *a,
                     const double *c, loads *l)
{
  const int n = w->n, reach = n / 2;
  const double half = n % 2 == 0 ? 0.5 : 0.0;
  double *change = &l->on[shared(w) + way * (n + 1)];
  running sent, got;

  run_up(n, a, &sent);
  run_up(n, c, &got);
  for (int m = 0; m < reach; m++)
    change[0] += a[(n - m) % n] *
                 (run_of(&got, 1, reach - m) - half * c[(reach - m) % n]);
  for (int k = 1; k < n; k++)
    change[k] =
        a[k] * (run_of(&got, k + 1, reach) - half * c[(k + reach) % n]) -
        c[k] * (run_of(&sent, k - reach, reach) - half * a[(k + reach) % n]);
}

static void load_pairs(const network *w, const product *d, loads *l)
{
  for (int i = 0; i < w->n; i++)
    for (int j = 0; j < w->n; j++) add_flow(w, i, j, d->a[i] * d->c[j], l);
}

static void load_product(const network *w, const product *d, loads *l)
{
  const gscale_topology kind = w->f->kind;

  if (kind == GSCALE_MESH && !w->staged) { /* which has a few GPUs */
    load_pairs(w, d, l);
    return;
  }
  load_ports(w, d, l);
  if (kind == GSCALE_BUS)
    l->on[shared(w)] = (w->staged ? 2.0 : 1.0) * all_of(d->a, d->c, w->n);
  if (kind == GSCALE_TREE) load_tree(w, d, l);
  if (kind == GSCALE_RING && !w->staged) {
    load_way(w, 0, d->a, d->c, l);
    load_way(w, 1, d->c, d->a, l); /* as if those who get it sent it forth */
  }
}

/* ---- the mean over all bytes ----------------------------------------------
 */

typedef struct mean {
  double sum, bytes;
} mean;

static void add_alone(const network *w, int i, int j, double bytes, mean *m)
{
  if (i == j || !(bytes > 0.0)) return;
  m->sum += bytes * alone(w, i, j);
  m->bytes += bytes;
}

/* Those in a group go one way, the others another. */
static void alone_in_tree(const network *w, const product *d, mean *m)
{
  double near = 0.0, far = 0.0;
  by_group s;

  sum_groups(w, d, &s);
  for (int g = 0; g < groups(w); g++) {
    near += s.within[g];
    far += s.a[g] * s.other_c[g];
  }
  if (w->f->group > 1 && w->n > 1) add_alone(w, 0, 1, near, m);
  if (w->n > w->f->group) add_alone(w, 0, w->f->group, far, m);
}

/* Those half way round have two ways. */
static void alone_on_ring(const network *w, const product *d, mean *m)
{
  const int half = w->n / 2;
  double far = 0.0;

  for (int i = 0; w->n % 2 == 0 && i < w->n; i++)
    far += d->a[i] * d->c[(i + half) % w->n];
  add_alone(w, 0, half, far, m);
  if (w->n > 2) add_alone(w, 0, 1, all_of(d->a, d->c, w->n) - far, m);
}

static void alone_in_product(const network *w, const product *d, mean *m)
{
  switch (w->f->kind) {
  case GSCALE_TREE:
    alone_in_tree(w, d, m);
    break;
  case GSCALE_RING:
    alone_on_ring(w, d, m);
    break;
  case GSCALE_MESH:
    for (int i = 0; i < w->n; i++)
      for (int j = 0; j < w->n; j++) add_alone(w, i, j, d->a[i] * d->c[j], m);
    break;
  case GSCALE_BUS:
  case GSCALE_SWITCH:
  case GSCALE_TOPOLOGY_END:
    if (w->n > 1) add_alone(w, 0, 1, all_of(d->a, d->c, w->n), m);
    break;
  }
}

/* ---- patterns -------------------------------------------------------------
 */

static product product_of(const gscale_demand *d)
{
  return (product){d->out, d->in};
}

static void load_demand(const network *w, const gscale_demand *d, loads *l)
{
  const product p = product_of(d);

  no_loads(w, l);
  if (d->out) load_product(w, &p, l);
  for (size_t i = 0; i < d->pairs; i++)
    add_flow(w, d->pair[i].from, d->pair[i].to, d->pair[i].bytes, l);
}

double gscale__busiest(const gscale_fabric *f, const gscale_demand *d,
                       double duplex, double across)
{
  const network w = {f, d->gpus, duplex, across, false};
  loads l;

  load_demand(&w, d, &l);
  return busiest(&w, &l);
}

double gscale__alone(const gscale_fabric *f, const gscale_demand *d,
                     double across)
{
  const network w = {f, d->gpus, INFINITY, across, false};
  const product p = product_of(d);
  mean m = {0.0, 0.0};

  if (d->out) alone_in_product(&w, &p, &m);
  for (size_t i = 0; i < d->pairs; i++)
    add_alone(&w, d->pair[i].from, d->pair[i].to, d->pair[i].bytes, &m);
  return m.sum / m.bytes;
}

double gscale__busiest_staged(const gscale_fabric *f, const gscale_demand *d)
{
  const network w = {f, d->gpus, INFINITY, 1.0, true};
  loads l;

  load_demand(&w, d, &l);
  return busiest(&w, &l);
}

double gscale__alone_staged(const gscale_fabric *f)
{
  const network w = {f, 2, INFINITY, 1.0, true};

  return alone(&w, 0, 1);
}

double gscale__most_received(const gscale_demand *d)
{
  const gscale_fabric any = {.kind = GSCALE_SWITCH};
  double most = 0.0;
  loads l;

  const network w = {&any, d->gpus, INFINITY, 1.0, false};
  load_demand(&w, d, &l);
  for (int i = 0; i < w.n; i++) most = fmax(most, l.on[w.n + i]);
  return most;
}

static bool is_bytes(double v)
{
  return v >= 0.0;
}

/* Whether such a fabric joins so many GPUs, at such rates. */
static bool joins(const gscale_fabric *f, int n, double across)
{
  return n >= 1 && n <= GSCALE__GPUS_MAX && across >= 1.0 &&
         gscale_fabric_check(f, NULL) == GSCALE_OK &&
         !(f->kind == GSCALE_MESH && n > f->mesh_gpus);
}

static bool is_demand(const gscale_demand *d)
{
  bool right = !d->out == !d->in;

  for (int i = 0; right && d->out && i < d->gpus; i++)
    right = is_bytes(d->out[i]) && is_bytes(d->in[i]);
  for (size_t k = 0; right && k < d->pairs; k++) {
    const gscale_pair *p = &d->pair[k];
    right = p->from >= 0 && p->from < d->gpus && p->to >= 0 &&
            p->to < d->gpus && is_bytes(p->bytes);
  }
  return right;
}

static bool is_duplex(double duplex)
{
  return duplex >= 1.0 && duplex <= 2.0;
}

double gscale_demand_busiest(const gscale_fabric *f, const gscale_demand *d,
                             double duplex, double across)
{
  if (!joins(f, d->gpus, across) || !is_duplex(duplex) || !is_demand(d))
    return (double)NAN;
  return gscale__busiest(f, d, duplex, across);
}

double gscale_demand_alone(const gscale_fabric *f, const gscale_demand *d,
                           double across)
{
  if (!joins(f, d->gpus, across) || !is_demand(d)) return (double)NAN;
  return gscale__alone(f, d, across);
}

/* ---- matrices -------------------------------------------------------------
 */

static void load_matrix(const network *w, const double *bytes, loads *l)
{
  no_loads(w, l);
  for (int i = 0; i < w->n; i++)
    for (int j = 0; j < w->n; j++) add_flow(w, i, j, bytes[i * w->n + j], l);
}

double gscale_route_busiest(const gscale_fabric *f, int n, const double *bytes,
                            double duplex, double across)
{
  const network w = {f, n, duplex, across, false};
  loads l;

  if (!joins(f, n, across) || !is_duplex(duplex)) return (double)NAN;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      if (i != j && !is_bytes(bytes[i * n + j])) return (double)NAN;
  load_matrix(&w, bytes, &l);
  return busiest(&w, &l);
}

double gscale__route_staged(const gscale_fabric *f, int n, const double *bytes)
{
  const network w = {f, n, INFINITY, 1.0, true};
  loads l;

  load_matrix(&w, bytes, &l);
  return busiest(&w, &l);
}

double gscale__route_alone(const gscale_fabric *f, int n, int i, int j,
                           double across)
{
  const network w = {f, n, INFINITY, across, false};

  return alone(&w, i, j);
}

double gscale_route_alone(const gscale_fabric *f, int n, int i, int j,
                          double across)
{
  if (i < 0 || j < 0 || i >= n || j >= n || i == j || !joins(f, n, across))
    return (double)NAN;
  return gscale__route_alone(f, n, i, j, across);
}
