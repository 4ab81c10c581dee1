/* collective_mpi.c - collectives of MPI.
 *
 * Consecutive processes fill one node after another, so that near partners
 * share a node.  If the distance doubles in each round, the first rounds stay
 * inside nodes, and the last ceil(log2 nodes) rounds cross nodes.  In a
 * crossing round, all processes of a node send through the node's NICs at once.
 * In a ring, each process waits in turn for the messages of all others, of
 * which one per node crosses nodes. */

#include "equation/collective.h"

#include <math.h>

/* Segments (B) of binary trees and of chains.  Broadcasts use chains from LONG
 * bytes on [OpenMPI]. */
static const double SHORTER = 1024.0, LONGER = 8192.0, LONG = 370728.0;

/* The costs of a message and of its bytes. */
typedef struct messages {
  double step, per;         /* s and s/B of one process */
  double net_step, net_per; /* s and s/B of the NICs */
  double add;               /* s/B of a reduction, or 0 */
} messages;

/* The processes of a call. */
typedef struct group {
  double n, m, k;        /* number of processes, processes per node, nodes */
  double rounds, leaves; /* ceil(log2 n), and rounds between nodes */
  double segment;        /* B of a segment */
  double routed;         /* share of the NICs' rate */
  bool even;             /* n is a power of two */
} group;

static double log2_up(double n)
{
  return ceil(log2(n) - 1e-12);
}

/* Returns the share of links in use if each pair chooses a path independently,
 * which is the attainable share of a full bisection. */
static double routed(double pairs)
{
  return pairs > 1.0 ? 1.0 - pow(1.0 - 1.0 / pairs, pairs) : 1.0;
}

static group group_of(const gscale_coll_machine *m, const gscale_coll_call *c)
{
  group g = {.n = c->n,
             .m = fmin(c->n, m->node),
             .k = gscale__coll_nodes(c->n, m->node)};

  g.leaves = log2_up(g.k);
  g.rounds = fmax(log2_up(g.n), g.leaves);
  g.even = (c->n & (c->n - 1)) == 0;
  g.routed =
      isfinite(m->net.leaf) && m->net.leaf >= g.k ? 1.0 : routed(g.k / 2.0);
  return g;
}

static gscale_coll_time part(double latency, double transfer)
{
  return (gscale_coll_time){0.0, latency, transfer};
}

/* Returns the time per byte, s/B, of a round in which all processes of a node
 * send to another node. */
static double crossing_cost(const messages *w, const group *g)
{
  return fmax(g->m * w->net_per, w->per) / g->routed;
}

/* In each round, partners exchange all bytes.  Two more rounds serve processes
 * without a partner. */
static gscale_coll_time doubling(const messages *w, const group *g, double s)
{
  const double all = g->even ? g->rounds : floor(log2(g->n)) + 2.0;
  const double near = fmax(0.0, all - g->leaves);

  return part(near * w->step + g->leaves * w->net_step,
              s * (near * (w->per + w->add) +
                   g->leaves * (crossing_cost(w, g) + w->add)));
}

/* In each round, partners exchange half of the remaining bytes, distant
 * partners first.  `times` is 2 if the exchange is then reversed. */
static gscale_coll_time halving(const messages *w, const group *g, double s,
                                double times)
{
  const double near = g->rounds - g->leaves, others = (g->n - 1.0) / g->n;

  return part(
      times * (near * w->step + g->leaves * w->net_step),
      s * (others * (times * w->per + w->add) +
           times * g->m * (g->k - 1.0) / g->k * w->net_per / g->routed));
}

/* Each process sends 1/n of the array to the next process, n - 1 times per
 * pass.  Only the first of `times` passes reduces. */
static gscale_coll_time ring(const messages *w, const group *g, double s,
                             double times)
{
  const double far = times * (g->k - 1.0), all = times * (g->n - 1.0);
  const double per = g->k > 1.0 ? fmax(w->per, w->net_per) : w->per;

  return part((all - far) * w->step + far * w->net_step,
              s / g->n * (all * per + (g->n - 1.0) * w->add));
}

static gscale_coll_time binomial(const messages *w, const group *g, double s)
{
  const double near = g->rounds - g->leaves;

  return part(
      near * w->step + g->leaves * w->net_step,
      s * (near * (w->per + w->add) + g->leaves * (w->net_per + w->add)));
}

/* Each half of the array goes down one of two binary trees in segments, and
 * then to the other tree.  An inner process receives each segment once and
 * sends the segment twice. */
static gscale_coll_time split_tree(const messages *w, const group *g, double s)
{
  const double half = s / 2.0, b = fmin(half, g->segment);
  const double more = fmax(0.0, half / b - 1.0);
  const double near = w->step + b * w->per, far = w->net_step + b * w->net_per;
  const double each = g->k > 1.0 ? fmax(3.0 * near, far) : 3.0 * near;

  return part((g->rounds - g->leaves) * near + g->leaves * far + w->step,
              more * each + half * w->per);
}

/* Segments go down a chain, in which each process receives a segment and sends
 * it to the next process. */
static gscale_coll_time chain(const messages *w, const group *g, double s)
{
  const double b = fmin(s, g->segment), more = fmax(0.0, s / b - 1.0);
  const double near = w->step + b * w->per, far = w->net_step + b * w->net_per;

  return part((g->n - g->k) * near + (g->k - 1.0) * far,
              more * (near + (g->k > 1.0 ? fmax(near, far) : near)) +
                  s * w->add);
}

/* Each round sends half of all bytes. */
static gscale_coll_time bruck(const messages *w, const group *g, double s)
{
  const double near = g->rounds - g->leaves;

  return part(near * w->step + g->leaves * w->net_step,
              s / 2.0 * (near * w->per + g->leaves * crossing_cost(w, g)));
}

/* Each process exchanges 1/n of the array with every other process in turn. */
static gscale_coll_time pairwise(const messages *w, const group *g, double s)
{
  const double near = g->m - 1.0, far = g->n - g->m;

  return part(
      near * w->step + far * w->net_step,
      s / g->n *
          (near * (w->per + w->add) + far * (crossing_cost(w, g) + w->add)));
}

/* Both the distance and the gathered bytes double in each round. */
static gscale_coll_time recursive_gather(const messages *w, const group *g,
                                         double s)
{
  return part((g->rounds - g->leaves) * w->step + g->leaves * w->net_step,
              s * ((g->m - 1.0) / g->n * w->per +
                   (g->k - 1.0) / g->k * crossing_cost(w, g)));
}

static bool can_do(gscale_coll_kind k, gscale_coll_algorithm a)
{
  switch (k) {
  case GSCALE_COLL_ALL_REDUCE:
    return a == GSCALE_COLL_RECURSIVE_DOUBLING ||
           a == GSCALE_COLL_RABENSEIFNER || a == GSCALE_COLL_MPI_RING;
  case GSCALE_COLL_ALL_GATHER:
    return a == GSCALE_COLL_RECURSIVE_DOUBLING || a == GSCALE_COLL_MPI_RING;
  case GSCALE_COLL_REDUCE_SCATTER:
    return a == GSCALE_COLL_RABENSEIFNER || a == GSCALE_COLL_MPI_PAIRWISE;
  case GSCALE_COLL_BROADCAST:
    return a == GSCALE_COLL_BINOMIAL || a == GSCALE_COLL_SPLIT_TREE ||
           a == GSCALE_COLL_CHAIN;
  case GSCALE_COLL_REDUCE:
    return a == GSCALE_COLL_BINOMIAL || a == GSCALE_COLL_CHAIN;
  case GSCALE_COLL_ALL_TO_ALL:
    return a == GSCALE_COLL_BRUCK || a == GSCALE_COLL_MPI_PAIRWISE;
  case GSCALE_COLL_SEND_RECV:
  case GSCALE_COLL_KIND_END:
    break;
  }
  return false;
}

static gscale_coll_time time_by(gscale_coll_kind kind, gscale_coll_algorithm a,
                                const messages *w, const group *g, double s)
{
  const double ways = kind == GSCALE_COLL_ALL_REDUCE ? 2.0 : 1.0;

  switch (a) {
  case GSCALE_COLL_RECURSIVE_DOUBLING:
    return kind == GSCALE_COLL_ALL_GATHER ? recursive_gather(w, g, s)
                                          : doubling(w, g, s);
  case GSCALE_COLL_RABENSEIFNER:
    return halving(w, g, s, ways);
  case GSCALE_COLL_MPI_RING:
    return ring(w, g, s, ways);
  case GSCALE_COLL_BINOMIAL:
    return binomial(w, g, s);
  case GSCALE_COLL_SPLIT_TREE:
    return split_tree(w, g, s);
  case GSCALE_COLL_CHAIN:
    return chain(w, g, s);
  case GSCALE_COLL_BRUCK:
    return bruck(w, g, s);
  default:
    return pairwise(w, g, s);
  }
}

/* Returns the algorithm that MPICH uses [Thakur05]. */
static gscale_coll_algorithm of_mpich(const gscale_coll_call *c)
{
  const double kib = 1024.0;
  const bool even = (c->n & (c->n - 1)) == 0;

  switch (c->kind) {
  case GSCALE_COLL_ALL_REDUCE:
    return c->bytes <= 2.0 * kib ? GSCALE_COLL_RECURSIVE_DOUBLING
                                 : GSCALE_COLL_RABENSEIFNER;
  case GSCALE_COLL_ALL_GATHER:
    return c->bytes < (even ? 512.0 : 80.0) * kib
               ? GSCALE_COLL_RECURSIVE_DOUBLING
               : GSCALE_COLL_MPI_RING;
  case GSCALE_COLL_REDUCE_SCATTER:
    return c->bytes < 512.0 * kib ? GSCALE_COLL_RABENSEIFNER
                                  : GSCALE_COLL_MPI_PAIRWISE;
  case GSCALE_COLL_ALL_TO_ALL:
    return c->bytes / c->n <= 256.0 && c->n >= 8 ? GSCALE_COLL_BRUCK
                                                 : GSCALE_COLL_MPI_PAIRWISE;
  default:
    return c->bytes < 12.0 * kib || c->n < 8 ? GSCALE_COLL_BINOMIAL
                                             : GSCALE_COLL_CHAIN;
  }
}

/* Returns the segment, B, of Open MPI's long broadcasts down a chain, which is
 * the largest segment whose limit exceeds the number of processes [OpenMPI]. */
static double chain_segment(const gscale_coll_call *c)
{
  static const struct {
    double segment, per, more;
  } of[] = {{131072.0, 1.6134e-6, 2.1102},
            {65536.0, 2.3679e-6, 1.1787},
            {16384.0, 3.2118e-6, 8.7936}};

  for (size_t i = 0; i < sizeof of / sizeof *of; i++)
    if (c->n < of[i].per * c->bytes + of[i].more) return of[i].segment;
  return LONGER;
}

/* Few processes use trees if the largest segments are not faster [OpenMPI]. */
static bool in_trees(const gscale_coll_call *c)
{
  const double largest = 131072.0;

  return c->n < 13 && chain_segment(c) < largest;
}

static double segment_of(const gscale_coll_machine *m,
                         const gscale_coll_call *c, gscale_coll_algorithm a)
{
  const bool open_mpi = m->mpi.rules == GSCALE_MPI_OPEN_MPI &&
                        c->kind == GSCALE_COLL_BROADCAST && c->bytes >= LONG;

  if (a == GSCALE_COLL_SPLIT_TREE) return open_mpi ? LONGER : SHORTER;
  return open_mpi ? chain_segment(c) : LONGER;
}

/* Returns the algorithm that Open MPI up to version 4.0 uses [OpenMPI]. */
static gscale_coll_algorithm of_open_mpi(const gscale_coll_call *c)
{
  const double small = 10000.0, short_one = 2048.0;

  switch (c->kind) {
  case GSCALE_COLL_ALL_REDUCE:
    return c->bytes < small ? GSCALE_COLL_RECURSIVE_DOUBLING
                            : GSCALE_COLL_MPI_RING;
  case GSCALE_COLL_ALL_TO_ALL:
    return c->bytes / c->n < 200.0 && c->n > 12 ? GSCALE_COLL_BRUCK
                                                : GSCALE_COLL_MPI_PAIRWISE;
  case GSCALE_COLL_BROADCAST:
    if (c->bytes < short_one) return GSCALE_COLL_BINOMIAL;
    return c->bytes < LONG || in_trees(c) ? GSCALE_COLL_SPLIT_TREE
                                          : GSCALE_COLL_CHAIN;
  case GSCALE_COLL_REDUCE:
    return c->bytes < short_one ? GSCALE_COLL_BINOMIAL : GSCALE_COLL_CHAIN;
  default:
    return of_mpich(c);
  }
}

/* Returns true if the library or the caller chooses algorithm a. */
static bool is_chosen(const gscale_coll_machine *m, const gscale_coll_call *c,
                      gscale_coll_algorithm a, gscale_coll_algorithm only)
{
  if (!can_do(c->kind, a)) return false;
  if (only > GSCALE_COLL_MPI && only < GSCALE_COLL_ALGORITHM_END)
    return a == only;
  if (m->mpi.rules == GSCALE_MPI_OPEN_MPI) return a == of_open_mpi(c);
  return m->mpi.rules != GSCALE_MPI_MPICH || a == of_mpich(c);
}

static bool adds(gscale_coll_kind k)
{
  return k == GSCALE_COLL_ALL_REDUCE || k == GSCALE_COLL_REDUCE_SCATTER ||
         k == GSCALE_COLL_REDUCE;
}

/* Returns the size of one message, B, or infinity if messages differ in
 * size. */
static double message_of(const gscale_coll_call *c, gscale_coll_algorithm a,
                         const group *g)
{
  switch (a) {
  case GSCALE_COLL_BINOMIAL:
    return c->bytes;
  case GSCALE_COLL_SPLIT_TREE:
    return fmin(c->bytes / 2.0, g->segment);
  case GSCALE_COLL_CHAIN:
    return fmin(c->bytes, g->segment);
  default:
    return INFINITY;
  }
}

/* Returns the costs of messages between GPU memories or between host memories.
 * Eager messages between GPUs have a separate rate. */
static messages messages_of(const gscale_coll_machine *m, gscale_coll_kind k,
                            gscale_coll_protocol p, double bytes)
{
  const double at_once = 8192.0;
  const bool direct = p == GSCALE_COLL_GPUDIRECT;
  const double port = m->mpi.port;
  const double rate = direct ? m->mpi.gpu_rate : m->mpi.rate;
  const double net_rate = direct ? m->mpi.gpu_net_rate : m->mpi.net_rate;
  const double attained = net_rate > 0.0 ? fmin(net_rate, port) : port;
  const double copied =
      direct && bytes <= at_once && m->mpi.gpu_short_rate > 0.0
          ? 1.0 / m->mpi.gpu_short_rate
          : 0.0;

  return (messages){.step = direct ? m->mpi.gpu_step : m->mpi.step,
                    .net_step = direct ? m->mpi.gpu_net_step : m->mpi.net_step,
                    .per = 1.0 / rate + copied,
                    .net_per = (attained > 0.0 ? 1.0 / attained : 0.0) + copied,
                    .add = adds(k) ? 1.0 / m->mpi.add : 0.0};
}

static gscale_coll_choice choice_by(const gscale_coll_machine *m,
                                    const gscale_coll_call *c,
                                    gscale_coll_algorithm a,
                                    gscale_coll_protocol p)
{
  group g = group_of(m, c);
  gscale_coll_choice k = {.algorithm = a, .protocol = p};

  g.segment = segment_of(m, c, a);
  const messages w = messages_of(m, c->kind, p, message_of(c, a, &g));
  if (c->n > 1) {
    k.time = time_by(c->kind, a, &w, &g, fmax(c->bytes, 1.0));
    k.time.start = m->mpi.start;
    if (p == GSCALE_COLL_STAGED) {
      k.time.start += m->mpi.copy_start;
      k.time.transfer += 2.0 * c->bytes / m->mpi.copy_rate;
    }
  }
  k.seen = k.total = k.time.start + k.time.latency + k.time.transfer;
  return k;
}

/* Reductions are staged, because host processes reduce.  For all other calls,
 * Open MPI sends directly between GPUs, and other libraries use the faster
 * protocol. */
static bool uses_protocol(const gscale_coll_machine *m, gscale_coll_kind k,
                          gscale_coll_protocol p, gscale_coll_protocol only)
{
  if (only != GSCALE_COLL_PROTOCOL_END) return p == only;
  if (p == GSCALE_COLL_STAGED)
    return adds(k) || m->mpi.rules != GSCALE_MPI_OPEN_MPI;
  return p == GSCALE_COLL_GPUDIRECT && !adds(k);
}

static bool in_domain(const gscale_coll_machine *m, const gscale_coll_call *c)
{
  return m->mpi.start >= 0.0 && m->mpi.step >= 0.0 && m->mpi.rate > 0.0 &&
         m->mpi.add > 0.0 && m->mpi.copy_start >= 0.0 &&
         m->mpi.copy_rate > 0.0 && m->mpi.gpu_step >= 0.0 &&
         m->mpi.gpu_rate > 0.0 &&
         (c->n <= m->node || (m->mpi.net_step >= 0.0 && m->mpi.port > 0.0 &&
                              m->mpi.gpu_net_step >= 0.0));
}

gscale_coll_choice gscale__coll_mpi(const gscale_coll_machine *m,
                                    const gscale_coll_call *c,
                                    gscale_coll_algorithm a,
                                    gscale_coll_protocol p)
{
  gscale_coll_choice best = gscale__coll_none;

  if (!in_domain(m, c)) return best;
  for (int i = GSCALE_COLL_MPI + 1; i < GSCALE_COLL_ALGORITHM_END; i++)
    for (int k = GSCALE_COLL_HOST; k < GSCALE_COLL_PROTOCOL_END; k++) {
      const gscale_coll_algorithm by = (gscale_coll_algorithm)i;
      const gscale_coll_protocol through = (gscale_coll_protocol)k;
      if (!is_chosen(m, c, by, a) || !uses_protocol(m, c->kind, through, p))
        continue;
      const gscale_coll_choice one = choice_by(m, c, by, through);
      if (!isnan(one.total) && !(one.total >= best.total)) best = one;
    }
  return best;
}

double gscale_mpi_sent(gscale_coll_kind kind, gscale_coll_algorithm a, int n)
{
  const double others = n - 1.0;

  if (n < 1 || !can_do(kind, a)) return NAN;
  if (kind == GSCALE_COLL_ALL_REDUCE)
    return a == GSCALE_COLL_RECURSIVE_DOUBLING ? n * log2_up(n) : 2.0 * others;
  return a == GSCALE_COLL_BRUCK ? n * log2_up(n) / 2.0 : others;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
