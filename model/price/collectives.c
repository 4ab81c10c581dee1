/* collectives.c - prices of collectives from a system's parameters.
 *
 * LL sends a flag of 4 B with every 4 B of data, and LL128 sends a flag of 8 B
 * in every 128 B [Nccl].  A reduction reads two numbers and writes one. */

#include "price/collectives.h"

#include "equation/fabric.h"

#include <math.h>
#include <string.h>

bool gscale__coll_switched(const gscale_fabric *f, const gscale_link *l)
{
  static const char name[] = "nvlink";

  return f->kind == GSCALE_SWITCH &&
         strncmp(l->name, name, sizeof name - 1) == 0 &&
         l->name[sizeof name - 1] >= '4';
}

static bool has_peers(const gscale__source *s)
{
  return gscale__machine_of(s).can->peer >= GSCALE_PEER_STORES;
}

gscale__coll_wires gscale__coll_wires_of(const gscale__source *s)
{
  const gscale__machine of = gscale__machine_of(s);

  return (gscale__coll_wires){
      .switched = gscale__coll_switched(gscale__read_fabric(s), of.link),
      .leaf = gscale_network_leaf(of.network),
      .port = of.link->rate,
      .peers = has_peers(s)};
}

double gscale__coll_goodput(const gscale_link *l)
{
  const double many = 1048576.0; /* B, in whole packets */

  return gscale_goodput(l, GSCALE_STORE, many, false);
}

/* The payload of a protocol is useful B / B sent with flags. */
static const double payload[GSCALE_COLL_LINES] = {[GSCALE_COLL_LL] = 4.0 / 8.0,
                                                  [GSCALE_COLL_LL128] =
                                                      120.0 / 128.0,
                                                  [GSCALE_COLL_SIMPLE] = 1.0};

static bool of_pairs(gscale_coll_kind kind)
{
  return kind == GSCALE_COLL_ALL_TO_ALL || kind == GSCALE_COLL_SEND_RECV;
}

static bool adds(gscale_coll_kind kind)
{
  return kind == GSCALE_COLL_ALL_REDUCE || kind == GSCALE_COLL_REDUCE_SCATTER ||
         kind == GSCALE_COLL_REDUCE;
}

static double read_if(const gscale__source *s, bool needed, gscale_param_id id,
                      double otherwise)
{
  return needed ? gscale__read(s, id) : otherwise;
}

/* Sets the inter-node steps of LL128 in proportion to the steps of LL.  NCCL's
 * tables have 4.0 us (LL128) and 2.7 us (LL) in a ring, 8.5 and 5.0 us in a
 * tree. */
static void follow_ll(gscale_coll_machine *m)
{
  m->net.by[GSCALE_COLL_LL128].start = m->net.by[GSCALE_COLL_LL].start;
  m->net.by[GSCALE_COLL_LL128].step =
      m->net.by[GSCALE_COLL_LL].step * (4.0 / 2.7);
  m->net.by[GSCALE_COLL_LL128].tree =
      m->net.by[GSCALE_COLL_LL].tree * (8.5 / 5.0);
}

/* Returns the rate in B/s of a node's NICs, at most the rate of their links. */
static double past_cards(const gscale__source *s, bool asked, int rails,
                         gscale_param_id attained)
{
  const double most = read_if(s, asked, GSCALE_NETWORK_RATE, INFINITY);

  return fmin(read_if(s, asked, attained, 0.0), rails * most);
}

/* Reads only parameters that a kind of collective needs.  Members are set one
 * by one, as returning or clearing the whole structure doubles the time. */
static void fill_net(const gscale__source *s, const gscale__coll_wires *by,
                     gscale_coll_kind kind, int node, int rails,
                     gscale_coll_machine *m)
{
  const bool any = kind == GSCALE_COLL_KIND_END, net = rails > 0;
  const bool flags = net && (any || !of_pairs(kind));
  const bool trees = net && (any || kind == GSCALE_COLL_ALL_REDUCE);

  gscale__clear(&m->net, sizeof m->net);
  m->net.cards = 1.0;
  m->net.leaf = INFINITY;
  m->net.taper = 1.0;
  if (!net) return;
  m->net.by[GSCALE_COLL_SIMPLE].start = gscale__read(s, GSCALE_COLL_NET_START);
  m->net.by[GSCALE_COLL_SIMPLE].step =
      gscale__read(s, GSCALE_COLL_NET_SIMPLE_STEP);
  m->net.by[GSCALE_COLL_SIMPLE].tree =
      read_if(s, trees, GSCALE_COLL_TREE_SIMPLE_STEP, 0.0);
  m->net.by[GSCALE_COLL_SIMPLE].rate =
      past_cards(s, true, rails, GSCALE_COLL_NET_RATE);
  m->net.inside = gscale__read(s, GSCALE_COLL_NET_INSIDE);
  m->net.cards = fmin(rails, node);
  m->net.leaf = by->leaf;
  m->net.taper = gscale__read(s, GSCALE_NETWORK_TAPER);
  if (!flags) return;
  m->net.by[GSCALE_COLL_LL].start = gscale__read(s, GSCALE_COLL_NET_LL_START);
  m->net.by[GSCALE_COLL_LL].step = gscale__read(s, GSCALE_COLL_NET_STEP);
  m->net.by[GSCALE_COLL_LL].tree =
      read_if(s, trees, GSCALE_COLL_TREE_STEP, 0.0);
  m->net.by[GSCALE_COLL_LL].rate =
      past_cards(s, true, rails, GSCALE_COLL_NET_LL_RATE);
  m->net.by[GSCALE_COLL_LL128].rate =
      past_cards(s, true, rails, GSCALE_COLL_NET_LL128_RATE);
  m->net.full = gscale__read(s, GSCALE_COLL_NET_FULL);
  follow_ll(m);
}

/* Through host memory, NCCL uses no LL128 [Nccl] and hides pauses. */
static void fill_machine(const gscale__source *s, const gscale__coll_wires *by,
                         gscale_coll_kind kind, double goodput,
                         const gscale__coll_path *path, int node, int rails,
                         gscale_coll_machine *m)
{
  const bool any = kind == GSCALE_COLL_KIND_END;
  const bool pairs = any || of_pairs(kind), others = any || !of_pairs(kind);
  const bool host = path->host > 0.0, all = host && !(by->peers > 0.0);
  const bool switched = others && by->switched > 0.0 && !host;
  const double hop = read_if(s, host, GSCALE_STAGED_STEP, 0.0);
  const double formatted =
      all ? path->rate : gscale__read(s, GSCALE_LINK_RATE) * goodput;

  m->start = gscale__read(s, GSCALE_COLL_START);
  for (int i = 0; i < GSCALE_COLL_LINES; i++) {
    m->by[i].start = 0.0;
    m->by[i].step = gscale__read(s, GSCALE_COLL_FLAG_STEP) + hop;
    m->by[i].payload = payload[i];
  }
  m->by[GSCALE_COLL_SIMPLE].start = gscale__read(s, GSCALE_COLL_SIMPLE_START);
  m->by[GSCALE_COLL_LL].step = gscale__read(s, GSCALE_COLL_STEP) + hop;
  m->by[GSCALE_COLL_LL].rate = gscale__read(s, GSCALE_COLL_LL_RATE);
  m->by[GSCALE_COLL_LL128].rate =
      read_if(s, !host, GSCALE_COLL_LL128_RATE, 0.0);
  m->by[GSCALE_COLL_SIMPLE].rate = INFINITY;
  m->link = formatted * gscale__read(s, GSCALE_COLL_EFFICIENCY);
  m->one_way =
      all ? fmin(2.0, gscale__read(s, GSCALE_STAGED_PINNED) / path->rate) : 1.0;
  m->turn =
      read_if(s, kind != GSCALE_COLL_SEND_RECV && !host, GSCALE_COLL_TURN, 0.0);
  m->pair_start = read_if(s, pairs, GSCALE_COLL_PAIR_START, 0.0);
  m->channel = read_if(s, pairs, GSCALE_COLL_CHANNEL, 0.0);
  m->channels = read_if(s, pairs, GSCALE_COLL_CHANNELS, 0.0);
  m->in_switch = formatted * read_if(s, switched, GSCALE_COLL_SWITCH, 0.0);
  m->port = by->port > 0.0 ? by->port : gscale__read(s, GSCALE_LINK_RATE);
  m->version = gscale__read(s, GSCALE_COLL_VERSION);
  m->add = read_if(s, any || adds(kind), GSCALE_DEVICE_MEMBW, INFINITY) / 3.0;
  m->node = node;
  fill_net(s, by, kind, node, rails, m);
  gscale__clear(&m->peer, sizeof m->peer);
  gscale__clear(&m->mpi, sizeof m->mpi);
}

/* Fills the members for MPI and peer copies, which need full peer access. */
static void add_others(const gscale__source *s, bool host, int rails,
                       gscale_coll_machine *m)
{
  m->peer.start = gscale__read(s, GSCALE_PEER_START);
  m->peer.barrier = gscale__read(s, GSCALE_PEER_BARRIER);
  m->peer.rate = host ? 0.0 : gscale__read(s, GSCALE_PEER_RATE);
  m->mpi.rules = (gscale_mpi_rules)lround(gscale__read(s, GSCALE_MPI_RULES));
  m->mpi.start = gscale__read(s, GSCALE_MPI_START);
  m->mpi.step = gscale__read(s, GSCALE_MPI_STEP);
  m->mpi.rate = gscale__read(s, GSCALE_MPI_RATE);
  m->mpi.add = gscale__read(s, GSCALE_MPI_ADD);
  m->mpi.net_step = gscale__read(s, GSCALE_MPI_NET_STEP);
  m->mpi.net_rate = gscale__read(s, GSCALE_MPI_NET_RATE);
  m->mpi.copy_start = gscale__read(s, GSCALE_MPI_COPY_START);
  m->mpi.copy_rate = gscale__read(s, GSCALE_MPI_COPY_RATE);
  m->mpi.gpu_step = gscale__read(s, GSCALE_MPI_GPU_STEP);
  m->mpi.gpu_rate = gscale__read(s, GSCALE_MPI_GPU_RATE);
  m->mpi.gpu_short_rate = gscale__read(s, GSCALE_MPI_GPU_SHORT_RATE);
  m->mpi.gpu_net_step = gscale__read(s, GSCALE_MPI_GPU_NET_STEP);
  m->mpi.gpu_net_rate = gscale__read(s, GSCALE_MPI_GPU_NET_RATE);
  m->mpi.port = rails > 0 ? rails * gscale__read(s, GSCALE_NETWORK_RATE) : 0.0;
}

gscale_coll_machine gscale__coll_machine(const gscale__source *s,
                                         gscale_coll_kind kind, double goodput,
                                         int node, int rails)
{
  const gscale__coll_wires by = gscale__coll_wires_of(s);
  const bool host = !has_peers(s);
  const gscale__coll_path path = {1.0, host ? 1.0 : 0.0,
                                  read_if(s, host, GSCALE_STAGED_RING, 0.0)};
  gscale_coll_machine m;

  fill_machine(s, &by, kind, goodput, &path, node, rails, &m);
  add_others(s, host, rails, &m);
  return m;
}

gscale_coll_machine gscale__coll_known(const gscale_system *s)
{
  gscale__source_room room;

  return gscale__coll_machine(
      gscale__source_in(&room, s, NULL), GSCALE_COLL_KIND_END,
      gscale__coll_goodput(&s->link), s->gpus, s->network.rails);
}

/* ---- paths --------------------------------------------------------------- */

/* Returns the path of a demand in which each GPU sends `sent` bytes. */
static gscale__coll_path path_of(const gscale__source *s,
                                 const gscale_demand *d, double sent)
{
  if (has_peers(s))
    return (gscale__coll_path){
        fmax(1.0, gscale__route(s, d, GSCALE_STORE) / sent),
        gscale__peer_of(s, d) < GSCALE_PEER_STORES ? 1.0 : 0.0, 0.0};

  const double legs = gscale__busiest_staged(gscale__read_fabric(s), d) / sent;
  const double host = gscale__read(s, GSCALE_STAGED_HOST) * legs / d->gpus;
  return (gscale__coll_path){legs, 1.0,
                             fmin(gscale__read(s, GSCALE_STAGED_RING), host)};
}

/* Returns the path if each GPU sends a byte to the next GPU. */
static gscale__coll_path path_next(const gscale__source *s, int n,
                                   gscale__traffic_room *room)
{
  const gscale_demand d = {.gpus = n, .pairs = (size_t)n, .pair = room->pair};

  for (int i = 0; i < n; i++)
    room->pair[i] = (gscale_pair){i, (i + 1) % n, 1.0};
  return path_of(s, &d, 1.0);
}

/* Returns the path if each GPU sends a byte to all other GPUs. */
static gscale__coll_path path_all(const gscale__source *s, int n,
                                  gscale__traffic_room *room)
{
  const gscale_demand d = {.gpus = n, .out = room->out, .in = room->in};

  for (int i = 0; i < n; i++) room->out[i] = room->in[i] = 1.0;
  return path_of(s, &d, n - 1.0);
}

/* Returns the path of rings over the links of a mesh, or through the host if no
 * ring closes.  A ring is as fast as its slowest hop. */
static gscale__coll_path path_rings(const gscale__source *s, int n)
{
  const gscale_fabric *f = gscale__read_fabric(s);
  const double both = 2.0 / gscale__read(s, GSCALE_LINK_DUPLEX);
  const double rings = gscale__rings(f, n);
  const double slowest = rings > 0.0 ? rings : f->staged;

  return (gscale__coll_path){
      fmax(1.0 / slowest, fmax(1.0, fmax(1.0 / f->ingress, both))),
      rings > 0.0 ? 0.0 : 1.0, 0.0};
}

static gscale__coll_path longer(gscale__coll_path a, gscale__coll_path b)
{
  return (gscale__coll_path){fmax(a.route, b.route), fmax(a.host, b.host),
                             fmin(a.rate, b.rate)};
}

static gscale__coll_paths paths_of(const gscale__source *s, int n,
                                   gscale__traffic_room *room)
{
  gscale__coll_paths p = {.next = path_next(s, n, room),
                          .all = path_all(s, n, room)};

  p.ring = p.next;
  if (gscale__read_fabric(s)->kind == GSCALE_MESH && has_peers(s)) {
    const gscale__coll_path rings = path_rings(s, n);
    if (isfinite(rings.route)) p.ring = rings;
  }
  return p;
}

static const gscale__coll_path alone = {1.0, 0.0, 0.0};

gscale__coll_paths gscale__coll_paths_of(const gscale__source *s, int n,
                                         int node, gscale__traffic_room *room)
{
  const int near = n < node ? n : node, rest = n % near;
  gscale__coll_paths p = {alone, alone, alone};

  if (near < 2) return p;
  p = paths_of(s, near, room);
  if (rest < 2) return p;
  const gscale__coll_paths q = paths_of(s, rest, room);
  return (gscale__coll_paths){longer(p.ring, q.ring), longer(p.next, q.next),
                              longer(p.all, q.all)};
}

/* ---- phases -------------------------------------------------------------- */

/* A halo is sent to both neighbours in one group of sends.  Data for one or
 * some readers is sent as an all-to-all. */
void gscale__coll_fill(const gscale_phase *w, int n, gscale__phase_plan *f)
{
  f->coll.kind = GSCALE_COLL_ALL_TO_ALL;
  f->coll.bytes = f->out * n / (n - 1.0);
  if (w->reduce > 0.0) {
    f->coll.kind = GSCALE_COLL_ALL_REDUCE;
    f->coll.bytes = w->reduce;
  } else if (w->to == GSCALE_TO_ALL) {
    f->coll.kind = GSCALE_COLL_ALL_GATHER;
    f->coll.bytes = n * f->local;
  } else if (w->to == GSCALE_TO_NEIGHBOURS) {
    f->coll.kind = GSCALE_COLL_SEND_RECV;
    f->coll.bytes = f->out;
  }
}

/* ---- plans --------------------------------------------------------------- */

static const gscale_coll_choice none = {.algorithm = GSCALE_COLL_ALGORITHM_END,
                                        .protocol = GSCALE_COLL_PROTOCOL_END,
                                        .total = NAN};

/* The path of a pairwise all-to-all is the longer one of the path to the next
 * GPU and the path of all pairs at once. */
gscale__coll_path gscale__coll_route(const gscale__coll_paths *p,
                                     gscale_coll_call *c)
{
  const gscale__coll_path path = c->kind == GSCALE_COLL_SEND_RECV ? p->next
                                 : c->kind == GSCALE_COLL_ALL_TO_ALL
                                     ? longer(p->next, p->all)
                                     : p->ring;

  c->route = path.route;
  c->route_all = p->all.route;
  return path;
}

/* Scales a node's NICs and inter-node rates to the share of GPUs in use. */
static void scale_net(gscale_coll_machine *m, double share)
{
  m->net.cards = fmax(1.0, m->net.cards * share);
  for (int p = 0; p < GSCALE_COLL_LINES; p++) m->net.by[p].rate *= share;
  m->mpi.port *= share;
  m->mpi.net_rate *= share;
  m->mpi.gpu_net_rate *= share;
}

gscale_coll_choice gscale__coll_price(const gscale__source *s,
                                      const gscale__coll_site *at,
                                      const gscale_coll_call *call,
                                      gscale_coll_algorithm a,
                                      gscale_coll_protocol by)
{
  const int rails = call->n > at->node ? at->rails : 0;
  gscale_coll_call c = *call;
  const gscale__coll_path path = gscale__coll_route(at->paths, &c);
  gscale_coll_machine m;

  fill_machine(s, at->wires, c.kind, at->goodput, &path, at->node, rails, &m);
  if (a < GSCALE_COLL_ALGORITHM_END || by < GSCALE_COLL_PROTOCOL_END)
    add_others(s, at->paths->all.host > 0.0, rails, &m);
  if (at->share < 1.0) scale_net(&m, at->share);
  double *net = &m.net.by[GSCALE_COLL_SIMPLE].rate;
  /* If NCCL's rate between nodes is unknown, the rate of the NICs is used. */
  if (rails > 0 && a == GSCALE_COLL_ALGORITHM_END && !(*net > 0.0))
    *net = at->share * rails * gscale__read(s, GSCALE_NETWORK_RATE);
  return gscale_coll_best(&m, &c, a, by);
}

gscale_coll_choice gscale_plan_collective(const gscale_plan *p,
                                          gscale_coll_kind kind, double bytes,
                                          bool streamed,
                                          gscale_coll_algorithm a,
                                          gscale_coll_protocol by)
{
  const gscale__coll_site at = {&p->wires, &p->paths, p->goodput,
                                p->node,   p->rails,  1.0};
  const gscale_coll_call c = {kind, p->n, bytes, 1.0, 1.0, streamed};

  return gscale__coll_price(p->source, &at, &c, a, by);
}

gscale_bytes gscale__coll_bytes(const gscale_plan *p, gscale_coll_kind kind,
                                double bytes, const gscale_coll_choice *k)
{
  const bool mpi = k->algorithm > GSCALE_COLL_MPI;
  const double useful =
      mpi ? gscale_mpi_sent(kind, k->algorithm, p->n) * bytes
      : k->algorithm == GSCALE_COLL_TREE
          ? 2.0 * (p->n - 1.0) * bytes /* both ways over each edge */
          : p->n * gscale_coll_traffic(kind, k->algorithm, p->n, p->node) *
                bytes;
  gscale_bytes b = {0};

  if (!(useful > 0.0)) return b;
  b.useful = useful;
  b.protocol =
      useful / (mpi ? 1.0 : payload[k->protocol]) / p->goodput - useful;
  b.wire = b.useful + b.protocol;
  return b;
}

gscale_coll_choice gscale__coll_of(const gscale_plan *p,
                                   const gscale__phase_plan *f,
                                   const gscale_knobs *k)
{
  const bool by_algorithm = k && k->algorithm > 0;
  const bool by_protocol = k && k->protocol > 0;

  return gscale_plan_collective(
      p, f->coll.kind, f->coll.bytes, false,
      by_algorithm ? (gscale_coll_algorithm)(k->algorithm - 1)
                   : GSCALE_COLL_ALGORITHM_END,
      by_protocol ? (gscale_coll_protocol)(k->protocol - 1)
                  : GSCALE_COLL_PROTOCOL_END);
}

gscale_coll_choice gscale_plan_moves(const gscale_plan *p, size_t phase,
                                     const gscale_knobs *k,
                                     gscale_coll_kind *kind, double *bytes)
{
  const bool there = phase < p->phases && p->n > 1 &&
                     p->phase[phase].coll.kind < GSCALE_COLL_KIND_END;

  *kind = there ? p->phase[phase].coll.kind : GSCALE_COLL_KIND_END;
  *bytes = there ? p->phase[phase].coll.bytes : 0.0;
  if (!there) return none;
  return gscale__coll_of(p, &p->phase[phase], k);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
