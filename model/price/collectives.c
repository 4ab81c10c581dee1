/* collectives.c - the machine of collectives, from a system's parameters.
 *
 * LL sends a flag of 4 B with every 4 B, and LL128 one of 8 B in every 128 B
 * [Nccl].  A reduction reads two numbers and writes one. */

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

gscale__coll_wires gscale__coll_wires_of(const gscale__source *s)
{
  const gscale__machine of = gscale__machine_of(s);

  return (gscale__coll_wires){
      .switched =
          gscale__coll_switched(gscale__read_fabric(s), of.link) ? 1.0 : 0.0,
      .leaf = gscale_network_leaf(of.network),
      .port = of.link->rate};
}

double gscale__coll_goodput(const gscale_link *l)
{
  const double many = 1048576.0; /* B: whole packets */

  return gscale_goodput(l, GSCALE_STORE, many, false);
}

/* The payload is useful B / B sent, with flags. */
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

void gscale__coll_follow(gscale_coll_machine *m)
{
  m->net.by[GSCALE_COLL_LL128].start = m->net.by[GSCALE_COLL_LL].start;
  m->net.by[GSCALE_COLL_LL128].step =
      m->net.by[GSCALE_COLL_LL].step * (4.0 / 2.7);
  m->net.by[GSCALE_COLL_LL128].tree =
      m->net.by[GSCALE_COLL_LL].tree * (8.5 / 5.0);
}

/* Returns B/s of a node's cards, at most the rate of their links. */
static double past_cards(const gscale__source *s, bool asked, int rails,
                         gscale_param_id attained)
{
  const double most = read_if(s, asked, GSCALE_NETWORK_RATE, INFINITY);

  return fmin(read_if(s, asked, attained, 0.0), rails * most);
}

/* Reads only parameters that a kind needs.  Members are set one by one, because
 * returning or clearing the whole structure doubles the time. */
static void fill_net(const gscale__source *s, const gscale__coll_wires *by,
                     gscale_coll_kind kind, int node, int rails,
                     gscale_coll_machine *m)
{
  const bool any = kind == GSCALE_COLL_KIND_END, net = rails > 0;
  const bool flags = net && (any || !of_pairs(kind));
  const bool trees = net && (any || kind == GSCALE_COLL_ALL_REDUCE);

  gscale__clear(&m->net, sizeof m->net);
  m->net.cards = 1.0;
  m->net.leaf = (double)INFINITY;
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
  gscale__coll_follow(m);
}

static void fill_machine(const gscale__source *s, const gscale__coll_wires *by,
                         gscale_coll_kind kind, double goodput, int node,
                         int rails, gscale_coll_machine *m)
{
  const bool any = kind == GSCALE_COLL_KIND_END;
  const bool pairs = any || of_pairs(kind), others = any || !of_pairs(kind);
  const bool switched = others && by->switched > 0.0;
  const double formatted = gscale__read(s, GSCALE_LINK_RATE) * goodput;

  m->start = gscale__read(s, GSCALE_COLL_START);
  for (int i = 0; i < GSCALE_COLL_LINES; i++) {
    m->by[i].start = 0.0;
    m->by[i].step = gscale__read(s, GSCALE_COLL_FLAG_STEP);
    m->by[i].payload = payload[i];
  }
  m->by[GSCALE_COLL_SIMPLE].start = gscale__read(s, GSCALE_COLL_SIMPLE_START);
  m->by[GSCALE_COLL_LL].step = gscale__read(s, GSCALE_COLL_STEP);
  m->by[GSCALE_COLL_LL].rate = gscale__read(s, GSCALE_COLL_LL_RATE);
  m->by[GSCALE_COLL_LL128].rate = gscale__read(s, GSCALE_COLL_LL128_RATE);
  m->by[GSCALE_COLL_SIMPLE].rate = (double)INFINITY;
  m->link = formatted * gscale__read(s, GSCALE_COLL_EFFICIENCY);
  m->turn = read_if(s, others, GSCALE_COLL_TURN, 0.0);
  m->pair_start = read_if(s, pairs, GSCALE_COLL_PAIR_START, 0.0);
  m->channel = read_if(s, pairs, GSCALE_COLL_CHANNEL, 0.0);
  m->channels = read_if(s, pairs, GSCALE_COLL_CHANNELS, 0.0);
  m->in_switch = formatted * read_if(s, switched, GSCALE_COLL_SWITCH, 0.0);
  m->port = by->port > 0.0 ? by->port : gscale__read(s, GSCALE_LINK_RATE);
  m->version = gscale__read(s, GSCALE_COLL_VERSION);
  m->add =
      read_if(s, any || adds(kind), GSCALE_DEVICE_MEMBW, (double)INFINITY) /
      3.0;
  m->node = node;
  fill_net(s, by, kind, node, rails, m);
  gscale__clear(&m->peer, sizeof m->peer);
  gscale__clear(&m->mpi, sizeof m->mpi);
}

/* Fills peer copies and MPI. */
static void add_others(const gscale__source *s, int rails,
                       gscale_coll_machine *m)
{
  m->peer.start = gscale__read(s, GSCALE_PEER_START);
  m->peer.barrier = gscale__read(s, GSCALE_PEER_BARRIER);
  m->peer.rate = gscale__read(s, GSCALE_PEER_RATE);
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
  gscale_coll_machine m;

  fill_machine(s, &by, kind, goodput, node, rails, &m);
  add_others(s, rails, &m);
  return m;
}

gscale_coll_machine gscale__coll_known(const gscale_system *s)
{
  gscale__source_room room;

  return gscale__coll_machine(
      gscale__source_in(&room, s, NULL), GSCALE_COLL_KIND_END,
      gscale__coll_goodput(&s->link), s->gpus, s->network.rails);
}

/* ---- routes -------------------------------------------------------------- */

static double busiest(const gscale__source *s, const gscale_demand *d)
{
  const gscale_fabric *f = gscale__read_fabric(s);

  return gscale__busiest(
      f, d, gscale__read(s, GSCALE_LINK_DUPLEX),
      gscale__across(gscale__machine_of(s).link, f, GSCALE_STORE));
}

/* Each GPU sends a byte to the next one. */
static double route_ring(const gscale__source *s, int n,
                         gscale__traffic_room *room)
{
  const gscale_demand d = {.gpus = n, .pairs = (size_t)n, .pair = room->pair};

  for (int i = 0; i < n; i++)
    room->pair[i] = (gscale_pair){i, (i + 1) % n, 1.0};
  return fmax(1.0, busiest(s, &d));
}

/* Each GPU sends a byte to all others. */
static double route_all(const gscale__source *s, int n,
                        gscale__traffic_room *room)
{
  const gscale_demand d = {.gpus = n, .out = room->out, .in = room->in};

  for (int i = 0; i < n; i++) room->out[i] = room->in[i] = 1.0;
  return fmax(1.0, busiest(s, &d) / (n - 1.0));
}

/* Ports limit a ring alone, as each GPU sends and receives at once. */
static double route_ports(const gscale__source *s)
{
  const double in = 1.0 / gscale__read_fabric(s)->ingress;
  const double both = (1.0 + 1.0) / gscale__read(s, GSCALE_LINK_DUPLEX);

  return fmax(1.0, fmax(in, both));
}

/* NCCL builds the rings of a mesh along all its links. */
void gscale__coll_place(gscale_plan *p, gscale__traffic_room *room)
{
  const gscale__source *s = p->source;

  p->ring_route = p->all_route = 1.0;
  if (p->near < 2) return;
  p->ring_route = gscale__read_fabric(s)->kind == GSCALE_MESH
                      ? route_ports(s)
                      : route_ring(s, p->near, room);
  p->all_route = route_all(s, p->near, room);
}

/* ---- phases -------------------------------------------------------------- */

/* A halo goes to both neighbours in one group of sends.  Data for one or some
 * readers goes to all GPUs in parts. */
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

gscale_coll_choice gscale_plan_collective(const gscale_plan *p,
                                          gscale_coll_kind kind, double bytes,
                                          bool streamed,
                                          gscale_coll_algorithm a,
                                          gscale_coll_protocol by)
{
  const int rails = p->n > p->node ? p->rails : 0;
  gscale_coll_machine m;

  fill_machine(p->source, &p->wires, kind, p->goodput, p->node, rails, &m);
  if (a < GSCALE_COLL_ALGORITHM_END || by < GSCALE_COLL_PROTOCOL_END)
    add_others(p->source, rails, &m);
  const gscale_coll_call c = {kind,          p->n,         bytes,
                              p->ring_route, p->all_route, streamed};

  return gscale_coll_best(&m, &c, a, by);
}

gscale_bytes gscale__coll_bytes(const gscale_plan *p, gscale_coll_kind kind,
                                double bytes, const gscale_coll_choice *k)
{
  const bool mpi = k->algorithm > GSCALE_COLL_MPI;
  const double useful =
      mpi ? gscale_mpi_sent(kind, k->algorithm, p->n) * bytes
      : k->algorithm == GSCALE_COLL_TREE
          ? 2.0 * (p->n - 1.0) * bytes /* up and down edges */
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
  if (!there)
    return (gscale_coll_choice){.algorithm = GSCALE_COLL_ALGORITHM_END,
                                .protocol = GSCALE_COLL_PROTOCOL_END,
                                .total = (double)NAN};
  return gscale__coll_of(p, &p->phase[phase], k);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
