/* collective.c - traffic and time of collectives. */

#include "equation/collective.h"

#include <math.h>

static bool rooted(gscale_coll_kind k)
{
  return k == GSCALE_COLL_BROADCAST || k == GSCALE_COLL_REDUCE;
}

static bool of_pairs(gscale_coll_kind k)
{
  return k == GSCALE_COLL_ALL_TO_ALL || k == GSCALE_COLL_SEND_RECV;
}

/* The versions of the library that introduced each feature, and the measured
 * efficiency of the switch [Nccl]. */
enum {
  NVLS = 21701,
  NVLS_TREE = 21801,
  EFFICIENCY = 22800
};

static bool can_do(gscale_coll_kind k, gscale_coll_algorithm a)
{
  switch (a) {
  case GSCALE_COLL_RING:
    return !of_pairs(k);
  case GSCALE_COLL_TREE:
  case GSCALE_COLL_SWITCH_TREE:
  case GSCALE_COLL_ONE_SHOT:
  case GSCALE_COLL_TWO_SHOT:
    return k == GSCALE_COLL_ALL_REDUCE;
  case GSCALE_COLL_PAIRWISE:
    return k == GSCALE_COLL_ALL_TO_ALL;
  case GSCALE_COLL_DIRECT:
    return of_pairs(k);
  case GSCALE_COLL_IN_SWITCH:
    return !of_pairs(k) && !rooted(k);
  default:
    return false; /* algorithms of MPI */
  }
}

static bool of_trees(gscale_coll_algorithm a)
{
  return a == GSCALE_COLL_TREE || a == GSCALE_COLL_SWITCH_TREE;
}

static double passes(gscale_coll_kind k)
{
  return k == GSCALE_COLL_ALL_REDUCE ? 2.0 : 1.0;
}

/* Returns the number of levels of a tree of nodes. */
static double depth(int n, int node)
{
  return ceil(log2(gscale__coll_nodes(n, node)));
}

double gscale_coll_steps(gscale_coll_kind kind, gscale_coll_algorithm a, int n,
                         int node)
{
  if (kind >= GSCALE_COLL_KIND_END || n < 1 || node < 1 || !can_do(kind, a))
    return NAN;
  if (n == 1) return 0.0;
  if (a == GSCALE_COLL_TREE)
    return 2.0 * (fmin(n, node) - 1.0 + depth(n, node));
  if (a == GSCALE_COLL_SWITCH_TREE) return 2.0 * (1.0 + depth(n, node));
  if (a == GSCALE_COLL_IN_SWITCH) return passes(kind);
  if (a == GSCALE_COLL_TWO_SHOT) return 2.0;
  return a == GSCALE_COLL_DIRECT || a == GSCALE_COLL_ONE_SHOT
             ? 1.0
             : passes(kind) * (n - 1.0);
}

double gscale_coll_hops(gscale_coll_kind kind, gscale_coll_algorithm a, int n,
                        int node)
{
  const double all = gscale_coll_steps(kind, a, n, node);

  if (isnan(all) || n <= node) return all * 0.0;
  if (a == GSCALE_COLL_RING)
    return passes(kind) * (gscale__coll_nodes(n, node) - 1.0);
  if (of_trees(a)) return 2.0 * depth(n, node);
  return a == GSCALE_COLL_PAIRWISE ? n - node : 1.0;
}

double gscale_coll_leaving(gscale_coll_kind kind, gscale_coll_algorithm a,
                           int n, int node)
{
  const double all = gscale_coll_traffic(kind, a, n, node);

  if (node < 1) return NAN;
  if (isnan(all) || n <= node) return all * 0.0;
  if (kind == GSCALE_COLL_ALL_TO_ALL) return node * ((double)n - node) / n;
  if (of_trees(a)) return gscale__coll_nodes(n, node) == 2 ? 1.0 : 2.0;
  return all;
}

double gscale_coll_traffic(gscale_coll_kind kind, gscale_coll_algorithm a,
                           int n, int node)
{
  const double others = (n - 1.0) / n, m = fmin(n, node);

  if (kind >= GSCALE_COLL_KIND_END || n < 1 || node < 1 || !can_do(kind, a))
    return NAN;
  if (n == 1) return 0.0;
  if (rooted(kind) || kind == GSCALE_COLL_SEND_RECV) return 1.0;
  if (kind != GSCALE_COLL_ALL_REDUCE) return others;
  if (a == GSCALE_COLL_TREE) return fmin(2.0, m - 1.0);
  if (a == GSCALE_COLL_ONE_SHOT) return n - 1.0;
  if (a == GSCALE_COLL_RING || a == GSCALE_COLL_TWO_SHOT) return 2.0 * others;
  return (m + 1.0) / m;
}

double gscale_coll_idle(gscale_coll_kind kind, gscale_coll_algorithm a, int n)
{
  if (kind >= GSCALE_COLL_KIND_END || a >= GSCALE_COLL_ALGORITHM_END || n < 1)
    return NAN;
  if (n == 1 || rooted(kind) || kind == GSCALE_COLL_SEND_RECV) return 0.0;
  if (kind == GSCALE_COLL_ALL_TO_ALL) return n > 2 ? 1.0 / n : 0.0;
  return a == GSCALE_COLL_RING ? 1.0 / n : 0.0;
}

double gscale_coll_channels(double bytes, int n, double channels)
{
  const double part = 16.0 * 1048576.0; /* B of 32 buffers of 512 KiB each
                                         * [Nccl] */
  double c = channels;

  if (!(bytes >= 0.0) || n < 2 || !(channels >= 1.0) || !isfinite(channels))
    return NAN;
  while (c * n > channels && c > 1.0) c /= 2.0;
  c = fmax(1.0, c);
  while (bytes > part * c && 2.0 * c <= channels) c *= 2.0;
  return c;
}

double gscale_coll_held(int n, gscale_coll_protocol p)
{
  if (n < 1 || (int)p >= GSCALE_COLL_LINES) return NAN;
  if (p == GSCALE_COLL_LL) return 0.0;
  return n > 2 ? 2.0 : n - 1.0;
}

static const gscale_coll_time nothing = {0.0, 0.0, 0.0};

/* smaller() and larger() are fmin and fmax, without a call, for b not NaN. */
static inline double smaller(double a, double b)
{
  return a < b ? a : b;
}

static inline double larger(double a, double b)
{
  return a > b ? a : b;
}

/* Returns the bytes that a GPU sends to one other GPU. */
static double to_one(const gscale_coll_call *c)
{
  return c->kind == GSCALE_COLL_ALL_TO_ALL ? c->bytes / c->n : c->bytes;
}

static double route_of(const gscale_coll_call *c, gscale_coll_algorithm a)
{
  return a == GSCALE_COLL_DIRECT && c->kind == GSCALE_COLL_ALL_TO_ALL
             ? c->route_all
             : c->route;
}

/* Returns the total rate of the channels on which a GPU sends at once, B/s. */
static double channels_rate(const gscale_coll_machine *m,
                            const gscale_coll_call *c, gscale_coll_algorithm a)
{
  if (!of_pairs(c->kind)) return INFINITY;
  const bool all = c->kind == GSCALE_COLL_ALL_TO_ALL && a == GSCALE_COLL_DIRECT;
  const double pairs = all ? c->n - 1.0 : 1.0;

  return pairs * gscale_coll_channels(to_one(c), c->n, m->channels) *
         m->channel;
}

/* Returns the bytes that a GPU reduces. */
static double added(const gscale_coll_call *c, gscale_coll_algorithm a)
{
  const bool adds = c->kind == GSCALE_COLL_ALL_REDUCE ||
                    c->kind == GSCALE_COLL_REDUCE_SCATTER ||
                    c->kind == GSCALE_COLL_REDUCE;

  if (!adds || a == GSCALE_COLL_IN_SWITCH || a == GSCALE_COLL_SWITCH_TREE)
    return 0.0;
  return c->kind == GSCALE_COLL_REDUCE ? c->bytes
                                       : (c->n - 1.0) / c->n * c->bytes;
}

/* Between nodes, a tree has one slot of a channel in flight (B), and a rooted
 * call has all eight slots.  LL has no such limit, because flags travel with
 * the data [Nccl]. */
static const double CHUNK[GSCALE_COLL_LINES] = {
    [GSCALE_COLL_LL] = INFINITY,
    [GSCALE_COLL_LL128] = 128.0 * 1024.0,
    [GSCALE_COLL_SIMPLE] = 512.0 * 1024.0};
static const double SLOTS[GSCALE_COLL_LINES] = {
    [GSCALE_COLL_LL] = 0.0,
    [GSCALE_COLL_LL128] = 8.0 * 576000.0,
    [GSCALE_COLL_SIMPLE] = 8.0 * 524288.0};

static bool has_network(const gscale_coll_machine *m)
{
  return m->net.by[GSCALE_COLL_SIMPLE].rate > 0.0;
}

static bool crosses_nodes(const gscale_coll_machine *m,
                          const gscale_coll_call *c)
{
  return has_network(m) && c->n > m->node;
}

/* Returns the load of the busiest switch's uplinks as the load of one node. */
static double through_uplinks(const gscale_coll_machine *m,
                              const gscale_coll_call *c,
                              gscale_coll_algorithm a)
{
  if (!(m->net.leaf * m->node < c->n)) return 0.0;
  return gscale_coll_leaving(c->kind, a, c->n, (int)m->net.leaf * m->node) /
         (m->net.leaf * m->net.taper);
}

/* Returns the useful bytes through the NICs of the busiest node.  Bytes that
 * only one NIC carries count once for each NIC.  If uplinks are slower than
 * NICs, the result is the bytes that take the NICs as long. */
static double through_cards(const gscale_coll_machine *m,
                            const gscale_coll_call *c, gscale_coll_algorithm a)
{
  const double cards = c->kind == GSCALE_COLL_SEND_RECV ? m->net.cards : 1.0;

  return larger(gscale_coll_leaving(c->kind, a, c->n, m->node) * cards,
                through_uplinks(m, c, a)) *
         c->bytes;
}

/* The properties of a call by one algorithm, equal for all protocols. */
typedef struct call_terms {
  gscale_coll_algorithm algorithm;
  bool leaves, held; /* crosses nodes; is paced by a stream */
  bool of_pairs;
  double link;        /* rate of a port, B/s */
  double wire;        /* useful B on the busiest link */
  double idle;        /* B of pauses with simple */
  double carried;     /* s of the channels */
  double full;        /* share of the NICs' rate */
  double steps, hops; /* all steps, and steps between nodes */
  double out;         /* B through the NICs */
  double piece;       /* B that each hop passes on */
  double adding;      /* s of additions */
} call_terms;

static double all_cards(const gscale_coll_machine *m, gscale_coll_kind k)
{
  const double many = 8.0;

  return m->net.full > 0.0 && m->net.cards >= many && !of_pairs(k) ? m->net.full
                                                                   : 1.0;
}

/* Describes the call by algorithm a for more than one GPU. */
static call_terms terms_of(const gscale_coll_machine *m,
                           const gscale_coll_call *c, gscale_coll_algorithm a)
{
  call_terms w = {.algorithm = a,
                  .leaves = crosses_nodes(m, c),
                  .held = c->streamed && rooted(c->kind),
                  .of_pairs = of_pairs(c->kind),
                  .full = all_cards(m, c->kind),
                  .link = m->link,
                  .adding = added(c, a) / m->add};
  const int node = w.leaves ? m->node : c->n;

  if (rooted(c->kind) && c->n == 2) w.link *= larger(1.0, m->one_way);
  w.wire = gscale_coll_traffic(c->kind, a, c->n, node) * c->bytes;
  w.carried = w.wire / channels_rate(m, c, a);
  w.wire *= route_of(c, a);
  w.idle = m->turn * gscale_coll_idle(c->kind, a, c->n) * c->bytes;
  if (!w.held) w.steps = gscale_coll_steps(c->kind, a, c->n, node);
  if (!w.leaves) return w;
  w.hops = gscale_coll_hops(c->kind, a, c->n, m->node);
  w.out = through_cards(m, c, a);
  if (of_trees(a))
    w.piece = c->bytes / 2.0; /* half of the array by each
                               * tree */
  if (rooted(c->kind)) w.piece = c->bytes;
  return w;
}

/* Returns the useful rate at which a GPU's port carries all sends, B/s. */
static double rate_of(const gscale_coll_machine *m, const call_terms *w,
                      gscale_coll_protocol p)
{
  if (w->algorithm == GSCALE_COLL_IN_SWITCH ||
      w->algorithm == GSCALE_COLL_SWITCH_TREE)
    return m->in_switch;
  return smaller(m->by[p].rate, m->by[p].payload * w->link);
}

/* Returns the total useful rate of all NICs of a node, B/s. */
static double cards_rate(const gscale_coll_machine *m, gscale_coll_protocol p)
{
  return smaller(m->net.by[p].rate,
                 m->by[p].payload * m->net.by[GSCALE_COLL_SIMPLE].rate);
}

/* Returns the time of all steps inside and between nodes, s. */
static double steps_time(const gscale_coll_machine *m,
                         const gscale_coll_call *c, const call_terms *w,
                         gscale_coll_protocol p)
{
  const double steps = w->held ? gscale_coll_held(c->n, p) : w->steps;

  if (!w->leaves) return steps * m->by[p].step;
  const double hops = smaller(steps, w->hops);
  const double hop =
      of_trees(w->algorithm) ? m->net.by[p].tree : m->net.by[p].step;
  const bool slow = p == GSCALE_COLL_SIMPLE && !of_trees(w->algorithm);
  const double step =
      slow ? larger(m->net.inside, m->by[p].step) : m->by[p].step;
  return (steps - hops) * step + hops * hop;
}

/* Returns the time, s, in which a piece of a tree or rooted call leaves a hop.
 */
static double pieces_time(const gscale_coll_machine *m, const call_terms *w,
                          gscale_coll_protocol p)
{
  const double most = of_trees(w->algorithm) ? CHUNK[p] : SLOTS[p];

  return w->hops * smaller(w->piece, most) / cards_rate(m, p);
}

/* Returns the time of the bytes, s.  With LL, only a ring's messages between
 * nodes take time, because steps inside a node overlap: (k-1)/k replaces
 * (n-1)/n. */
static double transfer_time(const gscale_coll_machine *m,
                            const gscale_coll_call *c, const call_terms *w,
                            gscale_coll_protocol p)
{
  const bool in_parts = p != GSCALE_COLL_LL;
  const double wire = w->wire + (p == GSCALE_COLL_SIMPLE ? w->idle : 0.0);
  const double port = larger(wire / rate_of(m, w, p), w->carried);
  const double inside = larger(port, w->adding);

  if (!w->leaves) return inside;
  const double nodes = gscale__coll_nodes(c->n, m->node), n = c->n;
  const double card = m->by[p].payload * m->net.by[GSCALE_COLL_SIMPLE].rate;
  const double cards = w->out / (in_parts ? cards_rate(m, p) : card) / w->full;
  if (w->algorithm == GSCALE_COLL_TREE && p == GSCALE_COLL_SIMPLE)
    return inside + cards;
  if (w->algorithm == GSCALE_COLL_TREE && p == GSCALE_COLL_LL)
    return inside + larger(0.0, cards - pieces_time(m, w, p));
  if (in_parts) return larger(inside, cards);
  return larger(larger(inside, cards), w->out * (1.0 - 1.0 / nodes) /
                                           (1.0 - 1.0 / n) / cards_rate(m, p));
}

/* Returns the start of the algorithm, s.  A tree takes the start inside a node
 * if that start is faster.  A streamed LL call waits for no remote GPU. */
static double start_time(const gscale_coll_machine *m, const call_terms *w,
                         gscale_coll_protocol p)
{
  const double inside = m->by[p].start, between = m->net.by[p].start;

  if (!w->leaves || (w->held && p == GSCALE_COLL_LL)) return inside;
  return of_trees(w->algorithm) ? smaller(inside, between) : between;
}

static gscale_coll_time time_by(const gscale_coll_machine *m,
                                const gscale_coll_call *c, const call_terms *w,
                                gscale_coll_protocol p)
{
  gscale_coll_time t = {
      .start =
          m->start + start_time(m, w, p) + (w->of_pairs ? m->pair_start : 0.0),
      .latency = steps_time(m, c, w, p),
      .transfer = transfer_time(m, c, w, p),
  };

  if (w->leaves && w->piece > 0.0) t.latency += pieces_time(m, w, p);
  return t;
}

static bool in_domain(const gscale_coll_machine *m, const gscale_coll_call *c)
{
  return c->kind < GSCALE_COLL_KIND_END && c->n >= 1 && c->bytes >= 0.0 &&
         isfinite(c->bytes) && c->route >= 1.0 && c->route_all >= 1.0 &&
         m->start >= 0.0 && m->link > 0.0 && m->turn >= 0.0 && m->add > 0.0 &&
         m->node >= 1 &&
         (!has_network(m) || (m->net.cards >= 1.0 && m->net.leaf >= 1.0 &&
                              m->net.taper > 0.0 && m->net.taper <= 1.0));
}

static bool is_available(const gscale_coll_machine *m,
                         const gscale_coll_call *c, gscale_coll_algorithm a)
{
  if (!can_do(c->kind, a)) return false;
  if (of_pairs(c->kind))
    return m->pair_start >= 0.0 && m->channel > 0.0 && m->channels >= 1.0;
  if (a == GSCALE_COLL_IN_SWITCH)
    return m->in_switch > 0.0 && c->n <= m->node && m->version >= NVLS;
  if (a == GSCALE_COLL_SWITCH_TREE)
    return m->in_switch > 0.0 && crosses_nodes(m, c) && m->version >= NVLS_TREE;
  return true;
}

/* The switch reduces only with the simple protocol, and pairs on several nodes
 * use no flags. */
static bool supports_protocol(const gscale_coll_machine *m,
                              const gscale_coll_call *c,
                              gscale_coll_algorithm a, gscale_coll_protocol p)
{
  const bool simple = p == GSCALE_COLL_SIMPLE;

  if ((int)p >= GSCALE_COLL_LINES || !(m->by[p].start >= 0.0) ||
      !(m->by[p].step >= 0.0) || !(m->by[p].rate > 0.0) ||
      !(m->by[p].payload > 0.0))
    return false;
  if (!simple && (a == GSCALE_COLL_IN_SWITCH || a == GSCALE_COLL_SWITCH_TREE))
    return false;
  if (!crosses_nodes(m, c)) return true;
  return (simple || !of_pairs(c->kind)) && m->net.by[p].rate > 0.0 &&
         m->net.by[p].start >= 0.0 && m->net.by[p].step >= 0.0 &&
         m->net.by[p].tree >= 0.0;
}

/* Returns the rate of a GPU's channel through the switch, B/s, which is the
 * highest listed speed at which n + 1 channels fit into a port [Nccl]. */
static double switch_channel(const gscale_coll_machine *m, int n)
{
  static const double speeds[] = {90e9, 80e9, 70e9, 60e9, 50e9, 40e9,
                                  30e9, 24e9, 20e9, 15e9, 12e9};
  const bool later = m->port > 600e9; /* NVLink 5 has three more speeds */
  const double room = 0.824 * m->port / (n + 1.0);

  for (size_t i = later ? 0 : 3; i < sizeof speeds / sizeof *speeds; i++)
    if (speeds[i] <= room) return speeds[i];
  return room;
}

/* Returns true if the library's estimate for the switch is better than for a
 * ring at 0.8 of the port.  Gathers use the switch only on request. */
static bool switch_pays(const gscale_coll_machine *m, const gscale_coll_call *c)
{
  const int n = c->n;
  if (c->kind != GSCALE_COLL_ALL_REDUCE) return false;
  const double share = m->version < EFFICIENCY ? 5.0 / 6
                       : m->port > 600e9       ? 0.74
                                               : 0.85;

  return share * n * switch_channel(m, n) > 0.8 * m->port * n / (2.0 * (n - 1));
}

/* Returns the library's own estimate, s.  The library assumes that a tree's
 * array passes the NICs of a node, or the links in a single node, twice at 0.92
 * of the rate [Nccl].  The library therefore uses a ring for large arrays on
 * two GPUs, although a tree sends as many bytes and never pauses. */
static double estimate(const gscale_coll_machine *m, const call_terms *w,
                       gscale_coll_protocol p, double bytes, double total)
{
  const double rate = w->leaves ? cards_rate(m, p) : rate_of(m, w, p);
  const double sent = w->leaves ? w->out : w->wire;

  if (w->algorithm != GSCALE_COLL_TREE || p == GSCALE_COLL_LL) return total;
  return total + larger(0.0, 2.0 * bytes / (0.92 * rate) - sent / rate);
}

/* Tries each protocol and keeps the best choice. */
static void try_protocols(const gscale_coll_machine *m,
                          const gscale_coll_call *c, gscale_coll_algorithm a,
                          gscale_coll_protocol only, gscale_coll_choice *best)
{
  const bool alone = c->n == 1;
  const call_terms w = alone ? (call_terms){0} : terms_of(m, c, a);

  for (int i = 0; i < GSCALE_COLL_LINES; i++) {
    const gscale_coll_protocol p = (gscale_coll_protocol)i;
    if ((only != GSCALE_COLL_PROTOCOL_END && only != p) ||
        !supports_protocol(m, c, a, p))
      continue;
    const gscale_coll_time t = alone ? nothing : time_by(m, c, &w, p);
    const double total = t.start + t.latency + t.transfer;
    const double seen = alone ? total : estimate(m, &w, p, c->bytes, total);
    if (!isnan(total) && !(seen >= best->seen))
      *best = (gscale_coll_choice){a, p, t, total, seen};
  }
}

gscale_coll_choice gscale_coll_best(const gscale_coll_machine *m,
                                    const gscale_coll_call *c,
                                    gscale_coll_algorithm a,
                                    gscale_coll_protocol p)
{
  const bool any = a == GSCALE_COLL_ALGORITHM_END;
  gscale_coll_choice best = gscale__coll_none;

  if (!in_domain(m, c)) return best;
  if (gscale__coll_of_mpi(a, p)) return gscale__coll_mpi(m, c, a, p);
  if (gscale__coll_by_peers(a)) return gscale__coll_peers(m, c, a, p);
  for (int i = 0; i < GSCALE_COLL_OF_NCCL; i++) {
    const gscale_coll_algorithm by = (gscale_coll_algorithm)i;
    if ((!any && a != by) || !is_available(m, c, by)) continue;
    if (any && by == GSCALE_COLL_IN_SWITCH && c->n > 1 && !switch_pays(m, c))
      continue;
    try_protocols(m, c, by, p, &best);
  }
  return best;
}

double gscale_coll_beside(double kernel, double collective, double share)
{
  if (!(kernel >= 0.0) || !(collective >= 0.0) ||
      !(share >= 0.0 && share < 1.0))
    return NAN;
  return fmin(kernel + share * collective, kernel / (1.0 - share));
}

double gscale_waves_beside(double blocks, double residents, double sms,
                           double channels)
{
  if (!(blocks > 0.0) || !(residents > 0.0) ||
      !(channels >= 0.0 && channels < sms))
    return NAN;
  if (residents >= 4.0 && blocks > residents * sms)
    return sms / (sms - channels);
  return ceil(blocks / (residents * (sms - channels))) /
         ceil(blocks / (residents * sms));
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
