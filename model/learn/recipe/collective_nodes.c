/* collective_nodes.c - what NCCL's collectives take between nodes, from results
 * of nccl-tests on several nodes of the system.
 *
 * What they take inside a node is known (collective.c).  The rest is
 *
 *   small    hops net_step                       by LL
 *   large    net_start + leaving / net_rate      by the simple protocol
 *
 * of calls whose nodes are sent at most 4 KiB, and at least 1 MiB. */

#include "lines.h"
#include "price/collectives.h"

#include <math.h>
#include <string.h>

static const char NAMES[] = "allreduce, ... of NCCL, nodes";
static const double STEP = 5e-6; /* s, with which a way is chosen at first */
enum {
  ROUNDS = 4
};

/* The next row of several full nodes, and its call. */
static const gscale_measurement *next(bench_run *b, size_t *bench, size_t *i,
                                      gscale_coll_call *c)
{
  const gscale_measurement *r;

  for (; *bench < GSCALE__COLL_BENCHES; ++*bench, *i = 0) {
    const wanted w = {.bench = gscale__coll_benches[*bench].bench,
                      .access = "kernel"};
    while ((r = gscale__next(b, &w, i)) != NULL) {
      if (strcmp(r->dst, "nodes") == 0 && r->size > 0.0 &&
          r->gpus > b->s->gpus && r->gpus % b->s->gpus == 0) {
        *c = gscale__coll_call(gscale__coll_benches[*bench].kind, r);
        return r;
      }
      if (strcmp(r->dst, "nodes") == 0) b->used[*i - 1] = false;
    }
  }
  return NULL;
}

static double leaving(const gscale_coll_machine *m, const gscale_coll_call *c,
                      gscale_coll_algorithm a)
{
  return gscale_coll_leaving(c->kind, a, c->n, m->node) * c->bytes;
}

/* ---- steps --------------------------------------------------------------- */

static bool step_points(bench_run *b, const gscale_coll_machine *m)
{
  const gscale_measurement *r;
  gscale_coll_call c;
  size_t bench = 0;

  gscale__begin(b, 1);
  for (size_t i = 0; (r = next(b, &bench, &i, &c)) != NULL;) {
    const gscale_coll_choice k = gscale__coll_fastest(m, &c);
    if (isnan(k.total) || leaving(m, &c, k.algorithm) > GSCALE__SMALL) continue;
    const double hops = gscale_coll_hops(c.kind, k.algorithm, c.n, m->node);
    if (c.kind != GSCALE_COLL_BROADCAST && c.kind != GSCALE_COLL_REDUCE)
      gscale__add_point(b, r, r->time - (k.total - hops * m->net.step),
                        r->sigma, &hops);
  }
  return b->p.n > 0;
}

static void solve_step(bench_run *b, gscale_coll_machine *m)
{
  m->net.step = STEP;
  for (int i = 0; i < ROUNDS; i++) {
    if (!step_points(b, m)) {
      gscale__set_note(b, GSCALE_COLL_NET_STEP, "no calls of 4 KiB or less");
      m->net.step = gscale__value(b, GSCALE_COLL_NET_STEP);
      return;
    }
    double sum = 0.0;
    for (size_t k = 0; k < b->p.n; k++) sum += b->p.y[k] / b->p.x[k];
    m->net.step = sum / (double)b->p.n;
  }
  gscale__solve_term(b, GSCALE_COLL_NET_STEP, 0, NAMES);
  m->net.step = gscale__value(b, GSCALE_COLL_NET_STEP);
}

/* ---- bytes --------------------------------------------------------------- */

/* Of a long call by the simple protocol, the fastest way without a network's
 * rate. */
static void add_long(bench_run *b, const gscale_coll_machine *m,
                     const gscale_measurement *r, const gscale_coll_call *c)
{
  const gscale_coll_choice k =
      gscale_coll_best(m, c, GSCALE_COLL_ALGORITHM_END, GSCALE_COLL_SIMPLE);
  const double cards = c->kind == GSCALE_COLL_SEND_RECV ? m->net.cards : 1.0;
  const double sent = isnan(k.total) ? 0.0 : leaving(m, c, k.algorithm);
  const double y = r->time - k.time.start - k.time.latency;
  const double x[] = {sent * cards, 1.0};

  if (sent >= GSCALE__MIB && y > 0.5 * r->time)
    gscale__add_point(b, r, y, r->sigma, x);
}

static void long_points(bench_run *b, const gscale_coll_machine *m,
                        size_t terms)
{
  const gscale_measurement *r;
  gscale_coll_call c;
  size_t bench = 0;

  gscale__begin(b, terms);
  for (size_t i = 0; (r = next(b, &bench, &i, &c)) != NULL;)
    add_long(b, m, r, &c);
}

static void solve_rate(bench_run *b, gscale_coll_machine *m)
{
  m->net.start = 0.0;
  m->net.rate = INFINITY;
  long_points(b, m, 2);
  if (b->p.n < 4) long_points(b, m, 1);
  if (b->p.n == 0) {
    gscale__set_note(b, GSCALE_COLL_NET_RATE, "no calls of 1 MiB or more");
    return;
  }
  if (!gscale__solve(b, GSCALE_COLL_NET_RATE, NAMES)) return;
  gscale__conclude_inverse(b, GSCALE_COLL_NET_RATE, 0);
  if (b->p.terms > 1) gscale__conclude_term(b, GSCALE_COLL_NET_START, 1);
}

void gscale__recipes_collective_nodes(bench_run *b)
{
  gscale_coll_machine m = gscale__coll_known(b->s);

  if (b->s->network.nodes == 0) return;
  m.net.rate = INFINITY;
  solve_step(b, &m);
  solve_rate(b, &m);
}
