/* traffic.c - traffic of a phase, and its load on the busiest resource. */

#include "price/traffic.h"

#include "equation/fabric.h"

#include <math.h>
#include <stdlib.h>

/* ---- demand -------------------------------------------------------------- */

/* Returns the bytes that GPU i produces if units are divided evenly.  In a
 * reduction, every GPU has the whole array. */
static double produced(const gscale_phase *w, int n, int i)
{
  if (w->reduce > 0.0) return w->reduce;
  const double each = floor(w->units / n);
  const double more = fmod(w->units, n); /* the first GPUs have one more unit */
  return w->publish * (each + (i < more ? 1.0 : 0.0)) / w->units;
}

/* A fraction `leaving` of the bytes leaves its GPU, and each of these bytes
 * goes to `each` other GPUs. */
typedef struct readers {
  double leaving, each;
} readers;

static readers readers_of(const gscale_phase *w, int n)
{
  readers r = {1.0, 1.0};
  double leaving = 0.0, sent = 0.0;

  if (w->reduce > 0.0) return (readers){1.0, n - 1.0};
  switch (w->to) {
  case GSCALE_TO_ALL:
    r.each = n - 1;
    break;
  case GSCALE_TO_RANDOM:
  case GSCALE_TO_PARTITION:
    r.leaving = (n - 1.0) / n;
    break;
  case GSCALE_TO_SUBSCRIBERS:
    for (int k = 0; k < GSCALE_MESH_MAX; k++) {
      leaving += w->subscribers[k];
      sent += w->subscribers[k] * (k + 1 < n ? k + 1 : n - 1);
    }
    if (w->readers > 0.0) sent = leaving * fmin(w->readers, n - 1.0);
    r = (readers){leaving, sent / leaving};
    break;
  case GSCALE_TO_NONE:
  case GSCALE_TO_NEIGHBOURS:
  case GSCALE_PATTERN_END:
    break;
  }
  return r;
}

double gscale__leaving(const gscale_phase *w, int n)
{
  return readers_of(w, n).leaving;
}

/* ---- neighbours ---------------------------------------------------------- */

static double cut_of(const gscale_phase *w, int d)
{
  return w->cut[d] > 0.0 ? w->cut[d] : w->publish;
}

/* The GPUs along all other dimensions share the cut across one dimension. */
static gscale__arrangement grid_of(const gscale_phase *w, int n)
{
  gscale__arrangement a = {.active = w->units < n ? (int)w->units : n,
                           .periodic = w->periodic};
  int apart = 1;

  if (!gscale_phase_grid(w, n, a.gpus)) a.active = 0;
  for (int d = GSCALE_DIMS_MAX - 1; d >= 0; d--) {
    a.share[d] = (double)a.gpus[d] / n;
    a.bytes[d] = cut_of(w, d) * a.share[d];
    a.apart[d] = apart;
    apart *= a.gpus[d];
  }
  return a;
}

int gscale__faces_of(const gscale__arrangement *a, int i, gscale__side *f)
{
  int n = 0;

  for (int d = 0; d < GSCALE_DIMS_MAX && i < a->active; d++)
    for (int step = -1; step <= 1 && a->gpus[d] > 1; step += 2) {
      const int at = i / a->apart[d] % a->gpus[d], next = at + step;
      const int round = (next + a->gpus[d]) % a->gpus[d];
      const int to = i + (round - at) * a->apart[d];
      if ((a->periodic || next == round) && to < a->active)
        f[n++] = (gscale__side){to, a->bytes[d], a->share[d]};
    }
  return n;
}

double gscale__published(const gscale_phase *w)
{
  double most = 0.0;

  if (w->to != GSCALE_TO_NEIGHBOURS) return w->publish;
  for (int d = 0; d < GSCALE_DIMS_MAX; d++) most = fmax(most, cut_of(w, d));
  return most;
}

/* ---- patterns ------------------------------------------------------------ */

/* Returns the weight of GPU i's traffic.  The busiest GPU has `most` times the
 * mean, and the other GPUs share the rest equally. */
static double weight(double most, int n, int i, int busiest)
{
  const double capped = fmin(most, n);
  return i == busiest ? capped : (n - capped) / (n - 1);
}

/* Each face is sent to the neighbour on its side.  Because the busiest sender
 * may have few faces, weights are scaled up until all GPUs together send as
 * much as with equal weights. */
static void demand_of_neighbours(const gscale_phase *w, int n,
                                 gscale__traffic_room *room, gscale_demand *d)
{
  const gscale__arrangement a = grid_of(w, n);
  gscale__side f[GSCALE__FACES_MAX];
  double all = 0.0, sent = 0.0;

  for (int i = 0; i < a.active; i++) {
    const int faces = gscale__faces_of(&a, i, f);
    for (int k = 0; k < faces; k++) {
      const double bytes = f[k].bytes * weight(w->egress_max, n, i, 0) *
                           weight(w->ingress_max, n, f[k].to, n - 1);
      room->pair[d->pairs++] = (gscale_pair){i, f[k].to, bytes};
      all += f[k].bytes;
      sent += bytes;
    }
  }
  for (size_t k = 0; k < d->pairs && sent < all; k++)
    room->pair[k].bytes *= all / sent;
  d->pair = room->pair;
}

/* Each GPU sends equally to all others, except to the busiest receiver. */
static void demand_of_exchange(const gscale_phase *w, int n,
                               gscale__traffic_room *room, gscale_demand *d)
{
  const readers r = readers_of(w, n);

  for (int i = 0; i < n; i++) {
    const double each = produced(w, n, i) * r.leaving * r.each / (n - 1);
    room->out[i] = each * weight(w->egress_max, n, i, 0);
    room->in[i] = weight(w->ingress_max, n, i, n - 1);
  }
  d->out = room->out;
  d->in = room->in;
}

static gscale_demand demand_of(const gscale_phase *w, int n,
                               gscale__traffic_room *room)
{
  gscale_demand d = {.gpus = n};

  if (w->to == GSCALE_TO_NEIGHBOURS)
    demand_of_neighbours(w, n, room, &d);
  else
    demand_of_exchange(w, n, room, &d);
  return d;
}

/* Fills the traffic of the busiest GPU, and of all GPUs together. */
static void fill_neighbours(const gscale_phase *w, int n, gscale__phase_plan *f)
{
  gscale__side all[GSCALE__FACES_MAX];

  f->grid = grid_of(w, n);
  for (int i = 0; i < f->grid.active; i++) {
    const int faces = gscale__faces_of(&f->grid, i, all);
    double bytes = 0.0, cuts = 0.0;
    for (int k = 0; k < faces; k++) {
      bytes += all[k].bytes;
      cuts += all[k].share;
    }
    f->all += bytes;
    if (!(bytes > f->local)) continue;
    f->local = bytes;
    f->cuts = cuts;
    f->faces = faces;
  }
  f->piece = f->faces > 0.0 ? f->local / f->faces : 0.0;
  f->destinations = f->share = 1.0;
  f->copies = f->faces * w->copies;
}

static double published(const gscale_phase *w, int n)
{
  return w->reduce > 0.0 ? n * w->reduce : w->publish;
}

static void fill_exchange(const gscale_phase *w, int n, gscale__phase_plan *f)
{
  const readers r = readers_of(w, n);
  const double mean = published(w, n) / n;
  const double busiest = fmax(produced(w, n, 0), mean * fmin(w->egress_max, n));

  f->local = busiest * r.leaving;
  f->piece = f->local;
  f->cuts = 1.0;
  f->destinations = r.each;
  f->share = w->to == GSCALE_TO_SUBSCRIBERS
                 ? fmin(1.0, r.leaving * r.each / (n - 1))
                 : 1.0;
  f->all = published(w, n) * r.leaving * r.each;
  f->copies = (n - 1) * w->copies;
}

void gscale__count_traffic(const gscale_phase *w, int n, gscale__phase_plan *f)
{
  const bool any = w->to != GSCALE_TO_NONE && gscale__published(w) > 0.0;

  if (n == 1 || !(any || w->reduce > 0.0)) return;
  if (w->to == GSCALE_TO_NEIGHBOURS)
    fill_neighbours(w, n, f);
  else
    fill_exchange(w, n, f);
  f->out = f->local * f->destinations;
  f->over = w->over;
  if (f->copies > 0.0) f->copy = f->out * w->over / f->copies;
}

/* ---- nodes --------------------------------------------------------------- */

static int size_of_node(int n, int node, int k)
{
  const int rest = n - k * node;

  return rest < node ? rest : node;
}

/* Separates faces inside a node from faces to other nodes, and counts each kind
 * on the GPU with the most bytes of that kind. */
static void split_neighbours(const gscale_phase *w, int node,
                             gscale__phase_plan *f)
{
  const double all = f->all;
  gscale__side g[GSCALE__FACES_MAX];
  double local = 0.0, near = 0.0, most = 0.0;

  f->cuts = f->all = 0.0;
  for (int i = 0; i < f->grid.active; i++) {
    const int faces = gscale__faces_of(&f->grid, i, g);
    double bytes = 0.0, cuts = 0.0, out = 0.0, leave = 0.0, stay = 0.0;
    for (int k = 0; k < faces; k++) {
      const bool far = g[k].to / node != i / node;
      *(far ? &out : &bytes) += g[k].bytes;
      *(far ? &leave : &stay) += 1.0;
      if (!far) cuts += g[k].share;
    }
    f->all += bytes;
    f->far.out = fmax(f->far.out, out);
    most = fmax(most, leave);
    if (!(bytes > local)) continue;
    local = bytes;
    near = stay;
    f->cuts = cuts;
  }
  f->local = local;
  f->faces = near;
  f->piece = near > 0.0 ? local / near : 0.0;
  f->copies = near * w->copies;
  f->far.messages = most * w->copies;
  f->far.all = all - f->all;
}

/* All readers need equal amounts of data, and a fraction `inside` of the
 * readers is in the same node. */
static void split_exchange(const gscale_phase *w, int n, int node,
                           gscale__phase_plan *f)
{
  const int last = size_of_node(n, node, (n - 1) / node);
  const double inside = (node - 1.0) / (n - 1.0);
  const double each = f->destinations * inside;
  const double full = (double)(n - last) / n; /* share of GPUs in full nodes */
  const double stay =
      (full * (node - 1.0) + (1.0 - full) * (last - 1.0)) / (n - 1.0);

  f->far.out = f->out * (n - last) / (n - 1.0);
  f->far.messages = (n - last) * w->copies;
  f->far.all = f->all * (1.0 - stay);
  f->all *= stay;
  f->copies = (node - 1.0) * w->copies;
  f->local *= fmin(1.0, each);
  f->piece = f->local;
  f->destinations = fmax(1.0, each);
}

void gscale__split_traffic(const gscale_phase *w, int n, int node,
                           gscale__phase_plan *f)
{
  if (n <= node || !(f->out > 0.0)) return;
  if (w->to == GSCALE_TO_NEIGHBOURS)
    split_neighbours(w, node, f);
  else
    split_exchange(w, n, node, f);
  f->out = f->local * f->destinations;
  f->copy = f->copies > 0.0 ? f->out * w->over / f->copies : 0.0;
}

gscale_traffic gscale_workload_traffic(const gscale_workload *w, int n)
{
  gscale_traffic t = {0.0, 0.0};

  for (size_t i = 0; n > 0 && i < w->phases; i++) {
    gscale__phase_plan f = {0};
    gscale_phase room;
    const gscale_phase *on = gscale__phase_on(w, i, n, &room);
    gscale__count_traffic(on, n, &f);
    t.messages += on->repeats * f.copies;
    t.bytes += on->repeats * f.out;
  }
  return t;
}

/* ---- routes -------------------------------------------------------------- */

double gscale__across(const gscale_link *l, const gscale_fabric *f,
                      gscale_access a)
{
  gscale_link cut = *l;
  const double long_message = 1048576.0;

  if (!(f->split > 0.0)) return 1.0;
  cut.copy_payload = fmin(cut.copy_payload, f->split);
  cut.store_payload = fmin(cut.store_payload, f->split);
  return gscale_goodput(l, a, long_message, false) /
         gscale_goodput(&cut, a, long_message, false);
}

static double across(const gscale__source *s, gscale_access a)
{
  return gscale__across(gscale__link_of(s), gscale__read_fabric(s), a);
}

double gscale__route(const gscale__source *s, const gscale_demand *d,
                     gscale_access a)
{
  return gscale__busiest(gscale__read_fabric(s), d,
                         gscale__read(s, GSCALE_LINK_DUPLEX), across(s, a));
}

static bool has_link(const gscale_fabric *f, int i, int j)
{
  return i == j || f->mesh[i][j] > 0.0;
}

gscale_peer gscale__peer_of(const gscale__source *s, const gscale_demand *d)
{
  const gscale_fabric *f = gscale__read_fabric(s);
  const gscale_peer peer = gscale__machine_of(s).can->peer;
  bool all = true;

  if (f->kind != GSCALE_MESH || !(f->staged > 0.0)) return peer;
  for (int i = 0; d->out && i < d->gpus; i++)
    for (int j = 0; j < d->gpus; j++)
      all = all && (has_link(f, i, j) || !(d->out[i] * d->in[j] > 0.0));
  for (size_t k = 0; k < d->pairs; k++)
    all = all && has_link(f, d->pair[k].from, d->pair[k].to);
  return all ? peer : GSCALE_PEER_NONE;
}

static void route_copies(const gscale__source *s, const gscale_demand *d,
                         gscale__phase_plan *f)
{
  if (gscale__machine_of(s).can->peer == GSCALE_PEER_NONE) {
    f->copy_route = gscale__busiest_staged(gscale__read_fabric(s), d) / f->out;
    f->alone_route = gscale__alone_staged(gscale__read_fabric(s));
  } else {
    f->copy_route = gscale__route(s, d, GSCALE_COPY) / f->out;
    f->alone_route =
        gscale__alone(gscale__read_fabric(s), d, across(s, GSCALE_COPY));
  }
}

/* Stores take the routes of copies, unless the root cuts their packets
 * differently. */
static double route_stores(const gscale__source *s, const gscale_demand *d,
                           const gscale__phase_plan *f)
{
  const double copies = across(s, GSCALE_COPY),
               stores = across(s, GSCALE_STORE);
  const bool alike = !(stores < copies) && !(stores > copies);

  return gscale__machine_of(s).can->peer != GSCALE_PEER_NONE && alike
             ? f->copy_route
             : gscale__route(s, d, GSCALE_STORE) / f->out;
}

static void route_near(const gscale__source *s, const gscale_demand *d,
                       gscale__phase_plan *f)
{
  f->peer = gscale__peer_of(s, d);
  route_copies(s, d, f);
  f->store_route = route_stores(s, d, f);
  f->in = gscale__most_received(d);
}

/* ---- inter-node routes --------------------------------------------------- */

typedef gscale__crossing crossing;

static double sum_of(const double *v, int n)
{
  double sum = 0.0;

  for (int i = 0; i < n; i++) sum += v[i];
  return sum;
}

/* Sums the traffic between each group of `size` GPUs and all others. */
static void sum_crossings(const gscale_phase *w, const gscale_demand *d,
                          int size, crossing *c)
{
  const int groups = (d->gpus - 1) / size + 1;
  const double sent = d->out ? sum_of(d->out, d->gpus) : 0.0,
               got = d->out ? sum_of(d->in, d->gpus) : 0.0;

  for (int k = 0; k < groups; k++) {
    const int n = size_of_node(d->gpus, size, k);
    c[k] = (crossing){0};
    if (!d->out) continue;
    const double out = sum_of(d->out + k * size, n),
                 in = sum_of(d->in + k * size, n);
    c[k].out = out * (got - in);
    c[k].in = in * (sent - out);
    c[k].sent = c[k].got = (double)n * (d->gpus - n) * w->copies;
  }
  for (size_t i = 0; i < d->pairs; i++) {
    const gscale_pair *p = &d->pair[i];
    const int from = p->from / size, to = p->to / size;
    if (from == to) continue;
    c[from].out += p->bytes;
    c[from].sent += w->copies;
    c[to].in += p->bytes;
    c[to].got += w->copies;
  }
}

static double most_bytes(const crossing *c, int groups)
{
  double most = 0.0;

  for (int k = 0; k < groups; k++) most = fmax(most, fmax(c[k].out, c[k].in));
  return most;
}

/* Finds the load of the busiest node's NICs and the busiest leaf's uplinks. */
static void route_far(const gscale__source *s, const gscale_phase *w,
                      const gscale_demand *d, gscale__traffic_room *room,
                      gscale__phase_plan *f)
{
  const gscale__machine of = gscale__machine_of(s);
  const int gpus = of.gpus, nodes = (d->gpus - 1) / gpus + 1;
  const double leaf = gscale_network_leaf(of.network);

  sum_crossings(w, d, gpus, room->crossing);
  f->far.node_bytes = most_bytes(room->crossing, nodes);
  for (int k = 0; k < nodes; k++)
    f->far.node_messages =
        fmax(f->far.node_messages,
             fmax(room->crossing[k].sent, room->crossing[k].got));
  if (!(leaf < nodes)) return;
  sum_crossings(w, d, (int)leaf * gpus, room->crossing);
  f->far.leaf_bytes =
      most_bytes(room->crossing, (nodes - 1) / (int)leaf + 1) / leaf;
}

/* Returns the demand among the GPUs of node k.  Pairs are in the order of their
 * senders, and *next is the first pair of node k. */
static gscale_demand inside(const gscale_demand *d, int node, int k,
                            size_t *next, gscale__traffic_room *room)
{
  const int first = k * node;
  gscale_demand one = {.gpus = size_of_node(d->gpus, node, k),
                       .out = d->out ? d->out + first : NULL,
                       .in = d->out ? d->in + first : NULL,
                       .pair = room->inside};

  for (; *next < d->pairs && d->pair[*next].from / node == k; ++*next) {
    gscale_pair p = d->pair[*next];
    if (p.to / node != k) continue;
    p.from -= first;
    p.to -= first;
    room->inside[one.pairs++] = p;
  }
  return one;
}

static bool has_traffic(const gscale_demand *d)
{
  double sum = 0.0;

  for (size_t i = 0; i < d->pairs; i++) sum += d->pair[i].bytes;
  for (int i = 0; d->out && i < d->gpus; i++)
    sum += d->out[i] * (sum_of(d->in, d->gpus) - d->in[i]);
  return sum > 0.0;
}

static void keep_worst(const gscale__phase_plan *one, gscale__phase_plan *f)
{
  f->copy_route = fmax(f->copy_route, one->copy_route);
  f->alone_route = fmax(f->alone_route, one->alone_route);
  f->store_route = fmax(f->store_route, one->store_route);
  f->in = fmax(f->in, one->in);
  if (one->peer < f->peer) f->peer = one->peer;
}

/* `room` keeps the demand while routes inside nodes are found. */
static void route_nodes(const gscale__source *s, const gscale_phase *w,
                        const gscale_demand *d, gscale__traffic_room *room,
                        gscale__phase_plan *f)
{
  const int gpus = gscale__machine_of(s).gpus, nodes = (d->gpus - 1) / gpus + 1;
  size_t next = 0;

  route_far(s, w, d, room, f);
  for (int k = 0; k < nodes && f->out > 0.0; k++) {
    const gscale_demand one = inside(d, gpus, k, &next, room);
    gscale__phase_plan worst = {.out = f->out};
    if (one.gpus < 2 || !has_traffic(&one)) continue;
    route_near(s, &one, &worst);
    keep_worst(&worst, f);
  }
}

void gscale__route_traffic(const gscale__source *s, const gscale_phase *w,
                           int n, gscale__traffic_room *room,
                           gscale__phase_plan *f)
{
  const gscale_demand d = demand_of(w, n, room);

  const gscale__machine of = gscale__machine_of(s);

  if (of.network->nodes > 0 && n > of.gpus)
    route_nodes(s, w, &d, room, f);
  else
    route_near(s, &d, f);
}

void gscale__copy_routes(const gscale__phase_plan *from, gscale__phase_plan *to)
{
  to->peer = from->peer;
  to->copy_route = from->copy_route;
  to->alone_route = from->alone_route;
  to->store_route = from->store_route;
  to->in = from->in;
  to->far = from->far;
}

bool gscale__traffic_room_open(gscale__traffic_room *room, int n)
{
  const size_t gpus = (size_t)n, pairs = GSCALE__FACES_MAX * gpus;

  room->pair =
      malloc(2 * pairs * sizeof *room->pair + gpus * sizeof *room->crossing +
             2 * gpus * sizeof(double));
  if (!room->pair) return false;
  room->inside = room->pair + pairs;
  room->crossing = (gscale__crossing *)(void *)(room->inside + pairs);
  room->out = (double *)(void *)(room->crossing + gpus);
  room->in = room->out + gpus;
  return true;
}

void gscale__traffic_room_close(gscale__traffic_room *room)
{
  free(room->pair);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
