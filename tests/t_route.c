/* t_route.c - fabric.c by hand, against a brute-force router, and its domain.
 */

#include "random.h"

#include <gsl/gsl_test.h>

#include "cases.h"
#include "equation/fabric.h"

/* ---- by hand ---------------------------------------------------------------
 */

static double busiest(const gscale_fabric *f, int n, const double *bytes)
{
  return gscale_route_busiest(f, n, bytes, 2, 1);
}

static void small(void)
{
  /* 0 -> 1: 5, 0 -> 2: 7, 2 -> 0: 4, 1 -> 2: 6 (diagonal unused):
   * egress 12, 6, 4; ingress 4, 5, 13; both 16, 11, 17; sum 22 */
  const double b[] = {(double)NAN, 5, 7, 0, -1, 6, 4, 0, 99};
  gscale_fabric f;

  gscale_fabric_init(&f, GSCALE_SWITCH);
  gsl_test_rel(busiest(&f, 3, b), 13, 1e-15, "switch: the busiest ingress");
  gsl_test_rel(gscale_route_busiest(&f, 3, b, 1.2, 1), 17 / 1.2, 1e-15,
               "both directions share 1.2");
  f.ingress = 2;
  gsl_test_rel(busiest(&f, 3, b), 12, 1e-15, "ingress twice as fast: egress");
  gscale_fabric_init(&f, GSCALE_BUS);
  gsl_test_rel(busiest(&f, 3, b), 22, 1e-15, "bus: all of it");
}

static void all_pairs(double *b, int n, double bytes)
{
  for (int i = 0; i < n * n; i++) b[i] = i % (n + 1) ? bytes : 0;
}

static void four_gpu_tree(void)
{
  /* protocols 7.5: P = 4, g = 2: uplink g(P-g) m = 4 m, GPU link 3 m; with the
   * root's 64 B packets 280/256 becomes 88/64 (PCIe): 1.257 times. */
  double b[16];
  gscale_fabric f;

  all_pairs(b, 4, 3.7e6);
  gscale_fabric_init(&f, GSCALE_TREE);
  gsl_test_rel(busiest(&f, 4, b), 4 * 3.7e6, 1e-14, "uplink binds");
  f.uplink = 2;
  gsl_test_rel(busiest(&f, 4, b), 3 * 3.7e6, 1e-14, "wide uplink: ports bind");
  f.uplink = 1;
  gsl_test_rel(gscale_route_busiest(&f, 4, b, 2, 1.257), 4 * 3.7e6 * 1.257,
               1e-14, "re-split at the root");
  f.root = 1.5;
  gsl_test_rel(busiest(&f, 4, b), 8 * 3.7e6 / 1.5, 1e-14, "the root binds");
  f.group = 4;
  gsl_test_rel(busiest(&f, 4, b), 3 * 3.7e6, 1e-14, "one switch: no uplink");
}

static gscale_fabric dgx1(double staged)
{
  /* Quads {0..3} and {4..7} complete, and i to i+4: four links each. */
  gscale_fabric f;

  gscale_fabric_init(&f, GSCALE_MESH);
  f.mesh_gpus = 8;
  f.staged = staged;
  for (int i = 0; i < 8; i++)
    for (int j = 0; j < 8; j++)
      if (i != j && (i / 4 == j / 4 || i % 4 == j % 4)) f.mesh[i][j] = 0.25;
  return f;
}

static void dgx1_all_to_all(void)
{
  /* Relayed: the 16 m from quad to quad cross 4 links: 4 m on a link of a
   * quarter port.  Staged: 3 distant partners of m each; or the direct m. */
  double b[64];
  gscale_fabric f = dgx1(0);

  all_pairs(b, 8, 1.3e6);
  gsl_test_rel(busiest(&f, 8, b), 4 * 1.3e6 / 0.25, 1e-14, "relayed");
  f = dgx1(0.1);
  gsl_test_rel(busiest(&f, 8, b), 3 * 1.3e6 / 0.1, 1e-14, "staged");
  int direct = 0;
  for (int j = 1; j < 8; j++) direct += f.mesh[0][j] > 0;
  gsl_test_int(direct, 4, "four neighbours, three at a distance");
}

static void ring_by_hand(void)
{
  /* Six on a ring, all pairs m: each arc carries 1 + 2 + 3/2 = 4.5 m one way
   * (m n^2/8); on half a port: 9 m. */
  double b[36];
  gscale_fabric f;

  gscale_fabric_init(&f, GSCALE_RING);
  all_pairs(b, 6, 2.1e6);
  gsl_test_rel(busiest(&f, 6, b), 9 * 2.1e6, 1e-14, "six on a ring");
}

/* ---- a brute-force router ---------------------------------------------------
 */

/* Nodes: GPUs, then what the topology has; edges with a rate.  Traffic goes
 * over all shortest ways, an equal part over each; found by walking. */
enum {
  NODES = 64
};
typedef struct graph {
  int nodes;
  double rate[NODES][NODES]; /* 0 = no edge */
  double load[NODES][NODES];
} graph;

static int distance(const graph *g, int from, int to)
{
  int d[NODES], queue[NODES], head = 0, tail = 0;

  for (int i = 0; i < g->nodes; i++) d[i] = -1;
  d[from] = 0;
  queue[tail++] = from;
  while (head < tail) {
    const int at = queue[head++];
    for (int k = 0; k < g->nodes; k++)
      if (g->rate[at][k] > 0 && d[k] < 0) {
        d[k] = d[at] + 1;
        queue[tail++] = k;
      }
  }
  return d[to];
}

static double ways(const graph *g, int from, int to, int steps)
{
  double sum = 0;

  if (steps == 0) return from == to;
  for (int k = 0; k < g->nodes; k++)
    if (g->rate[from][k] > 0) sum += ways(g, k, to, steps - 1);
  return sum;
}

static void walk(graph *g, int from, int to, int steps, double each)
{
  if (steps == 0) return;
  for (int k = 0; k < g->nodes; k++) {
    if (!(g->rate[from][k] > 0)) continue;
    const double through = each * ways(g, k, to, steps - 1);
    if (through > 0) {
      g->load[from][k] += through;
      walk(g, k, to, steps - 1, each);
    }
  }
}

static double route(graph *g, int n, const double *bytes)
{
  double worst = 0;

  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      if (i == j || !(bytes[i * n + j] > 0)) continue;
      const int steps = distance(g, i, j);
      walk(g, i, j, steps, bytes[i * n + j] / ways(g, i, j, steps));
    }
  for (int i = 0; i < g->nodes; i++)
    for (int j = 0; j < g->nodes; j++)
      if (g->rate[i][j] > 0) worst = fmax(worst, g->load[i][j] / g->rate[i][j]);
  return worst;
}

static void build_tree(graph *g, const gscale_fabric *f, int n)
{
  const int groups = (n + f->group - 1) / f->group;

  g->nodes = n + groups + 2; /* the root is an edge between two nodes */
  for (int i = 0; i < n; i++) {
    g->rate[i][n + i / f->group] = 1e9; /* ports are looked at apart */
    g->rate[n + i / f->group][i] = 1e9;
  }
  for (int k = 0; k < groups; k++) {
    g->rate[n + k][n + groups] = f->uplink;
    g->rate[n + groups + 1][n + k] = f->uplink;
  }
  g->rate[n + groups][n + groups + 1] = f->root;
}

static void build_ring(graph *g, const gscale_fabric *f, int n)
{
  g->nodes = n;
  for (int i = 0; i < n; i++)
    g->rate[i][(i + 1) % n] = g->rate[(i + 1) % n][i] = f->arc;
}

/* Pairs without a link go over a node of their own: nothing else does. */
static void build_mesh(graph *g, const gscale_fabric *f, int n)
{
  g->nodes = f->mesh_gpus;
  for (int i = 0; i < f->mesh_gpus; i++)
    for (int j = 0; j < f->mesh_gpus; j++) g->rate[i][j] = f->mesh[i][j];
  (void)n;
}

static double staged(const gscale_fabric *f, int n, const double *bytes)
{
  double worst = 0;

  for (int i = 0; i < n; i++) {
    double out = 0, in = 0;
    for (int j = 0; j < n; j++) {
      if (j == i) continue;
      out += f->mesh[i][j] > 0 ? 0 : bytes[i * n + j];
      in += f->mesh[j][i] > 0 ? 0 : bytes[j * n + i];
    }
    worst = fmax(worst, fmax(out, in) / f->staged);
  }
  return worst;
}

static double brute_force(const gscale_fabric *f, int n, double *bytes)
{
  static graph g;
  gscale_fabric plain = *f;
  double direct[256];

  g = (graph){0};
  plain.kind = GSCALE_SWITCH;
  const double at_ports = busiest(&plain, n, bytes);
  for (int i = 0; i < n * n; i++) direct[i] = bytes[i];
  if (f->kind == GSCALE_TREE) build_tree(&g, f, n);
  if (f->kind == GSCALE_RING) build_ring(&g, f, n);
  if (f->kind == GSCALE_MESH) build_mesh(&g, f, n);
  double more = 0;
  if (f->kind == GSCALE_MESH && f->staged > 0) {
    more = staged(f, n, bytes);
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++)
        if (!(f->mesh[i][j] > 0)) direct[i * n + j] = 0;
  }
  return fmax(at_ports, fmax(more, route(&g, n, direct)));
}

static void against_brute_force(void)
{
  rng r = {1736};
  const int n_cases = cases(2000, 50000);
  int wrong = 0, compared = 0;

  for (int k = 0; k < n_cases; k++) {
    const gscale_fabric f = random_fabric(&r);
    const int n = 2 + pick(&r, 7); /* a ring of 2 is two arcs between a pair */
    double b[64];
    if (f.kind == GSCALE_SWITCH || f.kind == GSCALE_BUS) continue;
    if (f.kind == GSCALE_RING && n < 3) continue;
    for (int i = 0; i < n * n; i++) b[i] = pick(&r, 3) ? spread(&r, 1, 1e9) : 0;
    for (int i = 0; i < n; i++) b[i * (n + 1)] = 0;
    const double want = brute_force(&f, n, b);
    wrong += !(fabs(busiest(&f, n, b) - want) <= 1e-9 * want);
    compared++;
  }
  gsl_test_int(wrong, 0, "%d random topologies and patterns", compared);
}

/* A byte that moves alone passes what a pattern of one pair passes. */
static void alone(void)
{
  rng r = {2311};
  int wrong = 0;

  for (int k = 0; k < 1000; k++) {
    const gscale_fabric f = random_fabric(&r);
    const int n = 2 + pick(&r, 7), i = pick(&r, n),
              j = (i + 1 + pick(&r, n - 1)) % n;
    const double across = f.kind == GSCALE_TREE ? spread(&r, 1, 2) : 1;
    double b[64] = {0};
    b[i * n + j] = 1;
    const double want = gscale_route_busiest(&f, n, b, 1.5, across);
    wrong += !(fabs(gscale_route_alone(&f, n, i, j, across) - want) <= 1e-12);
  }
  gsl_test_int(wrong, 0, "a pair alone, by either function");
}

/* ---- patterns without a matrix ---------------------------------------------
 */

enum {
  MOST = 64
};

/* A demand, and what its matrix is. */
typedef struct pattern {
  double out[MOST], in[MOST], bytes[MOST * MOST];
  gscale_pair pair[3 * MOST];
  gscale_demand demand;
} pattern;

static void random_factors(rng *r, int n, double *v)
{
  const int kind = pick(r, 3);

  for (int i = 0; i < n; i++)
    v[i] = kind == 0 ? 2.3 : pick(r, 4) || kind == 1 ? spread(r, 0.01, 1e6) : 0;
}

static void random_pattern(rng *r, int n, pattern *p)
{
  const int kind = pick(r, 3);

  random_factors(r, n, p->out);
  random_factors(r, n, p->in);
  for (int i = 0; i < n * n; i++)
    p->bytes[i] = kind > 0 ? p->out[i / n] * p->in[i % n] : 0;
  p->demand = (gscale_demand){.gpus = n, .pair = p->pair};
  if (kind > 0) p->demand.out = p->out, p->demand.in = p->in;
  for (int k = pick(r, 3 * n); kind != 1 && k >= 0; k--) {
    const gscale_pair one = {pick(r, n), pick(r, n), spread(r, 1, 1e6)};
    p->pair[p->demand.pairs++] = one;
    p->bytes[one.from * n + one.to] += one.bytes;
  }
}

/* Of each byte of a matrix alone. */
static double mean_alone(const gscale_fabric *f, int n, const double *bytes,
                         double across)
{
  double sum = 0, passed = 0;

  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      if (i == j || !(bytes[i * n + j] > 0)) continue;
      sum += bytes[i * n + j];
      passed += bytes[i * n + j] * gscale_route_alone(f, n, i, j, across);
    }
  return passed / sum;
}

/* Pair by pair. */
static double route_staged(const gscale_fabric *f, int n, const double *bytes)
{
  gscale_pair pair[MOST * MOST];

  for (int k = 0; k < n * n; k++)
    pair[k] = (gscale_pair){k / n, k % n, bytes[k]};
  return gscale__busiest_staged(
      f, &(gscale_demand){n, NULL, NULL, (size_t)(n * n), pair});
}

static double most_received(int n, const double *bytes)
{
  double most = 0;

  for (int j = 0; j < n; j++) {
    double in = 0;
    for (int i = 0; i < n; i++) in += i == j ? 0 : bytes[i * n + j];
    most = fmax(most, in);
  }
  return most;
}

static bool near(double got, double want, double error)
{
  return isnan(want) ? isnan(got) : fabs(got - want) <= error;
}

/* On a ring, running sums are taken from one another. */
static double rounding(const gscale_fabric *f, const gscale_demand *d)
{
  double out = 0, in = 0, narrowest = fmin(f->arc, fmin(f->ingress, 1));

  for (int i = 0; f->kind == GSCALE_RING && d->out && i < d->gpus; i++) {
    out += d->out[i];
    in += d->in[i];
  }
  return 1e-13 * out * in / narrowest;
}

/* Linear in GPUs and pairs, and the same as pair by pair. */
static void demands(void)
{
  rng r = {40961};
  const int n_cases = cases(3000, 30000);
  int wrong[4] = {0}, kinds[GSCALE_TOPOLOGY_END] = {0};
  static pattern p;

  for (int k = 0; k < n_cases; k++) {
    const gscale_fabric f = random_fabric(&r);
    const int most = f.kind == GSCALE_MESH ? f.mesh_gpus : MOST;
    const int n = 2 + pick(&r, most - 1);
    const double duplex = uniform(&r, 1, 2), across = spread(&r, 1, 2);
    random_pattern(&r, n, &p);
    kinds[f.kind]++;
    const double want[] = {gscale_route_busiest(&f, n, p.bytes, duplex, across),
                           mean_alone(&f, n, p.bytes, across),
                           route_staged(&f, n, p.bytes),
                           most_received(n, p.bytes)};
    const double got[] = {gscale__busiest(&f, &p.demand, duplex, across),
                          gscale__alone(&f, &p.demand, across),
                          gscale__busiest_staged(&f, &p.demand),
                          gscale__most_received(&p.demand)};
    for (int i = 0; i < 4; i++)
      wrong[i] +=
          !near(got[i], want[i],
                1e-12 * want[i] + (i == 0 ? rounding(&f, &p.demand) : 0));
  }
  gsl_test_int(wrong[0], 0, "%d demands: the busiest resource", n_cases);
  gsl_test_int(wrong[1], 0, "a byte alone, in the mean");
  gsl_test_int(wrong[2], 0, "by way of the host");
  gsl_test_int(wrong[3], 0, "what reaches the GPU that gets most");
  for (int t = 0; t < GSCALE_TOPOLOGY_END; t++)
    gsl_test(kinds[t] < n_cases / 20, "%s: %d of them",
             gscale_topology_name((gscale_topology)t), kinds[t]);
}

/* Patterns as workloads make them: what arrives is what was sent. */
static void relabelled(void)
{
  rng r = {7};
  int wrong = 0;

  for (int k = 0; k < 1000; k++) {
    double b[36], c[36];
    int to[6] = {0, 1, 2, 3, 4, 5};
    for (int i = 0; i < 36; i++) b[i] = floor(uniform(&r, 0, 100));
    for (int i = 5; i > 0; i--) {
      const int j = pick(&r, i + 1), t = to[i];
      to[i] = to[j];
      to[j] = t;
    }
    for (int i = 0; i < 36; i++) c[to[i / 6] * 6 + to[i % 6]] = b[i];
    for (gscale_topology t = GSCALE_SWITCH; t <= GSCALE_BUS; t++) {
      gscale_fabric f;
      gscale_fabric_init(&f, t);
      wrong += gscale_route_busiest(&f, 6, b, 1.7, 1) !=
               gscale_route_busiest(&f, 6, c, 1.7, 1);
    }
  }
  gsl_test_int(wrong, 0, "relabelling GPUs changes nothing");
}

/* By way of the host: 0 -> 1: 5, 0 -> 2: 7, 2 -> 0: 4, 1 -> 2: 6, 22 in all.
 * In groups of two, up 18 and 4, down 9 and 13: those within a group go by the
 * host as well. */
static void staged_by_hand(void)
{
  const double b[] = {0, 5, 7, 0, 0, 6, 4, 0, 0};
  gscale_fabric f;

  gscale_fabric_init(&f, GSCALE_SWITCH);
  gsl_test_rel(route_staged(&f, 3, b), 13, 1e-15, "the busiest port");
  gsl_test_rel(gscale__alone_staged(&f), 1, 1e-15, "one byte over a port");
  f.ingress = 4;
  gsl_test_rel(route_staged(&f, 3, b), 12, 1e-15, "egress");
  gscale_fabric_init(&f, GSCALE_BUS);
  gsl_test_rel(route_staged(&f, 3, b), 44, 1e-15, "up and down a bus");
  gsl_test_rel(gscale__alone_staged(&f), 2, 1e-15, "a byte, too");
  gscale_fabric_init(&f, GSCALE_TREE);
  gsl_test_rel(route_staged(&f, 3, b), 18, 1e-15, "a switch's uplink");
  f.uplink = 2;
  f.root = 3;
  gsl_test_rel(route_staged(&f, 3, b), 44 / 3.0, 1e-15, "the root");
}

static void demand_by_hand(const gscale_fabric *f)
{
  const double one[] = {1, 1};
  const gscale_pair pair = {0, 1, 5};
  const gscale_demand right = {2, one, one, 1, &pair};

  gsl_test_rel(gscale__busiest(f, &right, 2, 1), 6, 1e-15, "a demand");
  gsl_test_rel(gscale__alone(f, &right, 1), 1, 1e-15, "on a switch");
}

static void domain(void)
{
  const double b[] = {0, 1, 1, 0}, bad[] = {0, -1, 0, 0};
  gscale_fabric f;
  gscale_diag why;

  gscale_fabric_init(&f, GSCALE_SWITCH);
  gsl_test(!isnan(gscale_route_busiest(&f, 2, b, 2.1, 1)), "duplex > 2");
  gsl_test(!isnan(gscale_route_busiest(&f, 2, b, 2, 0.9)), "across < 1");
  gsl_test(!isnan(gscale_route_busiest(&f, 0, b, 2, 1)), "no GPUs");
  gsl_test(!isnan(gscale_route_busiest(&f, 2049, b, 2, 1)), "1025 GPUs");
  gsl_test(!isnan(gscale_route_busiest(&f, 2, bad, 2, 1)), "bytes < 0");
  gsl_test(!isnan(gscale_route_alone(&f, 2, 1, 1, 1)), "to itself");
  gsl_test(!isnan(gscale_route_alone(&f, 2, 0, 2, 1)), "to a third of two");
  gsl_test(!isnan(gscale_route_alone(&f, 2, 0, 1, 0.9)), "alone, across < 1");
  demand_by_hand(&f);
  f.ingress = 0;
  gsl_test_int((int)gscale_fabric_check(&f, &why), GSCALE_EDOMAIN, "ingress 0");
  gsl_test(!strstr(why.text, "ingress"), "%s", why.text);
  gscale_fabric_init(&f, GSCALE_TREE);
  f.group = 0;
  gsl_test_int((int)gscale_fabric_check(&f, &why), GSCALE_EDOMAIN, "group 0");
  f = dgx1(0);
  f.mesh[0][4] = f.mesh[0][1] = f.mesh[0][2] = f.mesh[0][3] = 0;
  gsl_test_int((int)gscale_fabric_check(&f, &why), GSCALE_EDOMAIN, "cut off");
  gsl_test(!strstr(why.text, "no route from 0"), "%s", why.text);
  f = dgx1(0);
  gsl_test(!isnan(gscale_route_busiest(&f, 9, b, 2, 1)), "more than the mesh");
  f.mesh_gpus = 17;
  gsl_test_int((int)gscale_fabric_check(&f, &why), GSCALE_EDOMAIN, "17");
  gscale_fabric_init(&f, GSCALE_TOPOLOGY_END);
  gsl_test_int((int)gscale_fabric_check(&f, &why), GSCALE_EDOMAIN, "kind");
  for (int t = 0; t < GSCALE_TOPOLOGY_END; t++)
    gsl_test(!gscale_topology_name((gscale_topology)t), "%d has a name", t);
  gsl_test(gscale_topology_name(GSCALE_TOPOLOGY_END) != NULL, "past the end");
}

int main(void)
{
  small();
  four_gpu_tree();
  dgx1_all_to_all();
  ring_by_hand();
  against_brute_force();
  alone();
  demands();
  staged_by_hand();
  relabelled();
  domain();
  return gsl_test_summary();
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
