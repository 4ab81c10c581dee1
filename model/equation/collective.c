/* collective.c - what collectives move and how long that takes. */

#include "ground/ground.h"

#include <math.h>
#include <stddef.h>

static const char *const kinds[GSCALE_COLL_KIND_END] = {
    [GSCALE_COLL_ALL_REDUCE] = "all-reduce",
    [GSCALE_COLL_ALL_GATHER] = "all-gather",
    [GSCALE_COLL_REDUCE_SCATTER] = "reduce-scatter",
    [GSCALE_COLL_BROADCAST] = "broadcast",
    [GSCALE_COLL_REDUCE] = "reduce",
    [GSCALE_COLL_ALL_TO_ALL] = "all-to-all",
    [GSCALE_COLL_SEND_RECV] = "send-recv",
};

static const char *const algorithms[GSCALE_COLL_ALGORITHM_END] = {
    [GSCALE_COLL_RING] = "ring",           [GSCALE_COLL_TREE] = "tree",
    [GSCALE_COLL_PAIRWISE] = "pairwise",   [GSCALE_COLL_DIRECT] = "direct",
    [GSCALE_COLL_IN_SWITCH] = "in-switch",
};

static const char *const protocols[GSCALE_COLL_PROTOCOL_END] = {
    [GSCALE_COLL_LL] = "LL",
    [GSCALE_COLL_LL128] = "LL128",
    [GSCALE_COLL_SIMPLE] = "simple",
};

const char *gscale_coll_kind_name(gscale_coll_kind k)
{
  return k < GSCALE_COLL_KIND_END ? kinds[k] : NULL;
}

const char *gscale_coll_algorithm_name(gscale_coll_algorithm a)
{
  return a < GSCALE_COLL_ALGORITHM_END ? algorithms[a] : NULL;
}

const char *gscale_coll_protocol_name(gscale_coll_protocol p)
{
  return p < GSCALE_COLL_PROTOCOL_END ? protocols[p] : NULL;
}

/* ---- algorithms --------------------------------------------------------- */

static bool rooted(gscale_coll_kind k)
{
  return k == GSCALE_COLL_BROADCAST || k == GSCALE_COLL_REDUCE;
}

static bool of_pairs(gscale_coll_kind k)
{
  return k == GSCALE_COLL_ALL_TO_ALL || k == GSCALE_COLL_SEND_RECV;
}

static bool can_do(gscale_coll_kind k, gscale_coll_algorithm a)
{
  switch (a) {
  case GSCALE_COLL_RING:
    return !of_pairs(k);
  case GSCALE_COLL_TREE:
    return rooted(k) || k == GSCALE_COLL_ALL_REDUCE;
  case GSCALE_COLL_PAIRWISE:
    return k == GSCALE_COLL_ALL_TO_ALL;
  case GSCALE_COLL_DIRECT:
    return of_pairs(k);
  case GSCALE_COLL_IN_SWITCH:
    return !of_pairs(k) && !rooted(k);
  case GSCALE_COLL_ALGORITHM_END:
    break;
  }
  return false;
}

/* From the root of a tree to its last GPU: a chain through a node, a binary
 * tree of nodes. */
static double depth(int n, int node)
{
  const int chain = n < node ? n : node;

  return chain - 1.0 + ceil(log2((double)n / chain));
}

double gscale_coll_steps(gscale_coll_kind kind, gscale_coll_algorithm a, int n,
                         int node)
{
  const double ways = kind == GSCALE_COLL_ALL_REDUCE ? 2.0 : 1.0;

  if (kind >= GSCALE_COLL_KIND_END || n < 1 || node < 1 || !can_do(kind, a))
    return (double)NAN;
  if (n == 1) return 0.0;
  if (a == GSCALE_COLL_TREE) return ways * depth(n, node);
  if (a == GSCALE_COLL_IN_SWITCH) return ways;
  return a == GSCALE_COLL_DIRECT ? 1.0 : ways * (n - 1.0);
}

double gscale_coll_hops(gscale_coll_kind kind, gscale_coll_algorithm a, int n,
                        int node)
{
  const double all = gscale_coll_steps(kind, a, n, node);
  const double ways = kind == GSCALE_COLL_ALL_REDUCE ? 2.0 : 1.0;

  if (isnan(all) || n <= node) return all * 0.0;
  const double nodes = ceil((double)n / node);
  if (a == GSCALE_COLL_RING) return ways * (nodes - 1.0);
  if (a == GSCALE_COLL_TREE) return ways * ceil(log2(nodes));
  return a == GSCALE_COLL_PAIRWISE ? n - node : 1.0;
}

double gscale_coll_leaving(gscale_coll_kind kind, gscale_coll_algorithm a,
                           int n, int node)
{
  const double all = gscale_coll_traffic(kind, a, n);

  if (node < 1) return (double)NAN;
  if (isnan(all) || n <= node) return all * 0.0;
  if (kind == GSCALE_COLL_ALL_TO_ALL) return node * ((double)n - node) / n;
  return all;
}

double gscale_coll_traffic(gscale_coll_kind kind, gscale_coll_algorithm a,
                           int n)
{
  const double others = (n - 1.0) / n;
  const bool both = kind == GSCALE_COLL_ALL_REDUCE;

  if (kind >= GSCALE_COLL_KIND_END || n < 1 || !can_do(kind, a))
    return (double)NAN;
  if (n == 1) return 0.0;
  if (rooted(kind) || kind == GSCALE_COLL_SEND_RECV) return 1.0;
  if (!both) return others;
  if (a == GSCALE_COLL_TREE) return 2.0;
  return a == GSCALE_COLL_RING ? 2.0 * others : (n + 1.0) / n;
}

double gscale_coll_channels(double bytes, int n, double channels)
{
  const double part = 16.0 * 1048576.0; /* B: 32 buffers of 512 KiB [Nccl] */
  double c = channels;

  if (!(bytes >= 0.0) || n < 2 || !(channels >= 1.0) || !isfinite(channels))
    return (double)NAN;
  while (c * n > channels && c > 1.0) c /= 2.0;
  c = fmax(1.0, c);
  while (bytes > part * c && 2.0 * c <= channels) c *= 2.0;
  return c;
}

double gscale_coll_held(int n, gscale_coll_protocol p)
{
  if (n < 1 || p >= GSCALE_COLL_PROTOCOL_END) return (double)NAN;
  if (p == GSCALE_COLL_LL) return 0.0;
  return n > 2 ? 2.0 : n - 1.0;
}

/* ---- time ---------------------------------------------------------------- */

static const gscale_coll_time nothing = {0.0, 0.0, 0.0};

/* fmin and fmax as they are needed here, without a call: the second number is
 * one. */
static inline double smaller(double a, double b)
{
  return a < b ? a : b;
}

static inline double larger(double a, double b)
{
  return a > b ? a : b;
}

/* What a GPU sends to one other. */
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

/* B/s that the channels of all pairs carry that a GPU sends to at once. */
static double carried(const gscale_coll_machine *m, const gscale_coll_call *c,
                      gscale_coll_algorithm a)
{
  if (!of_pairs(c->kind)) return INFINITY;
  const bool all = c->kind == GSCALE_COLL_ALL_TO_ALL && a == GSCALE_COLL_DIRECT;
  const double pairs = all ? c->n - 1.0 : 1.0;

  return pairs * gscale_coll_channels(to_one(c), c->n, m->channels) *
         m->channel;
}

/* B that a GPU adds to others. */
static double added(const gscale_coll_call *c, gscale_coll_algorithm a)
{
  const bool adds = c->kind == GSCALE_COLL_ALL_REDUCE ||
                    c->kind == GSCALE_COLL_REDUCE_SCATTER ||
                    c->kind == GSCALE_COLL_REDUCE;

  if (!adds || a == GSCALE_COLL_IN_SWITCH) return 0.0;
  return c->kind == GSCALE_COLL_REDUCE ? c->bytes
                                       : (c->n - 1.0) / c->n * c->bytes;
}

/* ---- between nodes ------------------------------------------------------- */

static bool leaves(const gscale_coll_machine *m, const gscale_coll_call *c)
{
  return m->net.rate > 0.0 && c->n > m->node;
}

/* Useful B through the cards of the busiest node, once for each of them where
 * one card would take it. */
static double through_cards(const gscale_coll_machine *m,
                            const gscale_coll_call *c, gscale_coll_algorithm a)
{
  const double cards = c->kind == GSCALE_COLL_SEND_RECV ? m->net.cards : 1.0;

  return gscale_coll_leaving(c->kind, a, c->n, m->node) * c->bytes * cards;
}

/* ---- an algorithm, by each protocol ---------------------------------------
 */

/* Of a call by an algorithm, whatever the protocol. */
typedef struct way {
  gscale_coll_algorithm algorithm;
  bool leaves, held;  /* goes to other nodes; may not run ahead: streamed */
  double wire;        /* B, useful, on the busiest link */
  double carried;     /* B/s */
  double steps, hops; /* of these, so many leave a node */
  double out;         /* B through the cards */
  double adding;      /* s */
} way;

/* Of more than one GPU. */
static way way_of(const gscale_coll_machine *m, const gscale_coll_call *c,
                  gscale_coll_algorithm a)
{
  way w = {.algorithm = a,
           .leaves = leaves(m, c),
           .held = c->streamed && rooted(c->kind),
           .carried = carried(m, c, a),
           .adding = added(c, a) / m->add};

  w.wire = gscale_coll_traffic(c->kind, a, c->n) * route_of(c, a) * c->bytes;
  if (!w.held) w.steps = gscale_coll_steps(c->kind, a, c->n, m->node);
  if (!w.leaves) return w;
  w.hops = gscale_coll_hops(c->kind, a, c->n, m->node);
  w.out = through_cards(m, c, a);
  return w;
}

/* Of all that a GPU sends at once, useful B/s. */
static double rate_of(const gscale_coll_machine *m, const way *w,
                      gscale_coll_protocol p)
{
  if (w->algorithm == GSCALE_COLL_IN_SWITCH) return m->in_switch;
  return smaller(smaller(m->by[p].rate, m->by[p].payload * m->link),
                 w->carried);
}

/* s, all steps, of which some leave a node. */
static double stepping(const gscale_coll_machine *m, const gscale_coll_call *c,
                       const way *w, gscale_coll_protocol p)
{
  const double steps = w->held ? gscale_coll_held(c->n, p) : w->steps;

  if (!w->leaves) return steps * m->by[p].step;
  const double hops = fmin(steps, w->hops);
  return (steps - hops) * m->by[p].step + hops * m->net.step;
}

static gscale_coll_time time_by(const gscale_coll_machine *m,
                                const gscale_coll_call *c, const way *w,
                                gscale_coll_protocol p)
{
  const double cards =
      w->leaves ? w->out / (m->by[p].payload * m->net.rate) : 0.0;

  return (gscale_coll_time){
      .start = m->start + m->by[p].start +
               (of_pairs(c->kind) ? m->pair_start : 0.0) +
               (p == GSCALE_COLL_SIMPLE && w->leaves ? m->net.start : 0.0),
      .latency = stepping(m, c, w, p),
      .transfer = larger(larger(w->wire / rate_of(m, w, p), cards), w->adding),
  };
}

/* ---- which are possible ---------------------------------------------------
 */

static bool in_domain(const gscale_coll_machine *m, const gscale_coll_call *c)
{
  return c->kind < GSCALE_COLL_KIND_END && c->n >= 1 && c->bytes >= 0.0 &&
         isfinite(c->bytes) && c->route >= 1.0 && c->route_all >= 1.0 &&
         m->start >= 0.0 && m->link > 0.0 && m->add > 0.0 && m->node >= 1 &&
         m->net.start >= 0.0 && m->net.step >= 0.0 && m->net.rate >= 0.0 &&
         (m->net.cards >= 1.0 || !(m->net.rate > 0.0));
}

static bool can_go(const gscale_coll_machine *m, const gscale_coll_call *c,
                   gscale_coll_algorithm a)
{
  if (!can_do(c->kind, a)) return false;
  if (of_pairs(c->kind))
    return m->pair_start >= 0.0 && m->channel > 0.0 && m->channels >= 1.0;
  return a != GSCALE_COLL_IN_SWITCH || (m->in_switch > 0.0 && c->n <= m->node);
}

static bool can_by(const gscale_coll_machine *m, gscale_coll_algorithm a,
                   gscale_coll_protocol p)
{
  return p < GSCALE_COLL_PROTOCOL_END && m->by[p].start >= 0.0 &&
         m->by[p].step >= 0.0 && m->by[p].rate > 0.0 &&
         m->by[p].payload > 0.0 &&
         (a != GSCALE_COLL_IN_SWITCH || p == GSCALE_COLL_SIMPLE);
}

/* The best of these protocols, if it is better than *best. */
static void try_protocols(const gscale_coll_machine *m,
                          const gscale_coll_call *c, gscale_coll_algorithm a,
                          gscale_coll_protocol only, gscale_coll_choice *best)
{
  const bool alone = c->n == 1;
  const way w = alone ? (way){0} : way_of(m, c, a);

  for (int i = 0; i < GSCALE_COLL_PROTOCOL_END; i++) {
    const gscale_coll_protocol p = (gscale_coll_protocol)i;
    if ((only != GSCALE_COLL_PROTOCOL_END && only != p) || !can_by(m, a, p))
      continue;
    const gscale_coll_time t = alone ? nothing : time_by(m, c, &w, p);
    const double total = t.start + t.latency + t.transfer;
    if (!isnan(total) && !(total >= best->total))
      *best = (gscale_coll_choice){a, p, t, total};
  }
}

gscale_coll_choice gscale_coll_best(const gscale_coll_machine *m,
                                    const gscale_coll_call *c,
                                    gscale_coll_algorithm a,
                                    gscale_coll_protocol p)
{
  gscale_coll_choice best = {GSCALE_COLL_ALGORITHM_END,
                             GSCALE_COLL_PROTOCOL_END, nothing, (double)NAN};

  if (!in_domain(m, c)) return best;
  for (int i = 0; i < GSCALE_COLL_ALGORITHM_END; i++) {
    const gscale_coll_algorithm by = (gscale_coll_algorithm)i;
    if ((a == GSCALE_COLL_ALGORITHM_END || a == by) && can_go(m, c, by))
      try_protocols(m, c, by, p, &best);
  }
  return best;
}

double gscale_coll_beside(double kernel, double collective, double share)
{
  if (!(kernel >= 0.0) || !(collective >= 0.0) ||
      !(share >= 0.0 && share < 1.0))
    return (double)NAN;
  return fmin(kernel + share * collective, kernel / (1.0 - share));
}
