/* t_collective.c - collective.c: by hand, its laws, its domain. */

#include "random.h"

#include <gsl/gsl_test.h>
#include <stdlib.h>
#include <string.h>

enum {
  RING = GSCALE_COLL_RING,
  TREE = GSCALE_COLL_TREE,
  PAIRWISE = GSCALE_COLL_PAIRWISE,
  DIRECT = GSCALE_COLL_DIRECT,
  IN_SWITCH = GSCALE_COLL_IN_SWITCH,
  SWITCH_TREE = GSCALE_COLL_SWITCH_TREE,
  ANY_ALGORITHM = GSCALE_COLL_ALGORITHM_END,
  LL = GSCALE_COLL_LL,
  LL128 = GSCALE_COLL_LL128,
  SIMPLE = GSCALE_COLL_SIMPLE,
  ANY_PROTOCOL = GSCALE_COLL_PROTOCOL_END
};

static gscale_coll_machine machine(void)
{
  return (gscale_coll_machine){
      .start = 5.3e-6,
      .by = {[LL] = {0.0, 0.53e-6, 9.7e9, 0.5},
             [LL128] = {0.0, 1.07e-6, 143e9, 0.9375},
             [SIMPLE] = {9.9e-6, 2.7e-6, INFINITY, 1.0}},
      .link = 331e9,
      .pair_start = 1.1e-6,
      .channel = 20.3e9,
      .channels = 32.0,
      .in_switch = 311e9,
      .port = 450e9,
      .version = 22907,
      .add = 1.3e12,
      .node = 8,
  };
}

static gscale_coll_call call(gscale_coll_kind kind, int n, double bytes)
{
  return (gscale_coll_call){kind, n, bytes, 1.0, 1.0, false};
}

static double total(const gscale_coll_machine *m, const gscale_coll_call *c,
                    int a, int p)
{
  return gscale_coll_best(m, c, (gscale_coll_algorithm)a,
                          (gscale_coll_protocol)p)
      .total;
}

static gscale_coll_choice best(const gscale_coll_machine *m,
                               const gscale_coll_call *c)
{
  return gscale_coll_best(m, c, GSCALE_COLL_ALGORITHM_END,
                          GSCALE_COLL_PROTOCOL_END);
}

/* ---- by hand -------------------------------------------------------------
 */

static double transfer_of(const gscale_coll_machine *m,
                          const gscale_coll_call *c, int p)
{
  return gscale_coll_best(m, c, GSCALE_COLL_RING, (gscale_coll_protocol)p)
      .time.transfer;
}

/* 7 GPUs: 2 (n-1)/n and a third of 1/n of 43 MB by 331 GB/s; a broadcast has no
 * such step, and LL128 hides it. */
static void idle_step(void)
{
  gscale_coll_machine m = machine();
  gscale_coll_call c = call(GSCALE_COLL_ALL_REDUCE, 7, 43e6);
  const double with = (12.0 + 1.0 / 3.0) / 7.0 * 43e6 / 331e9;

  m.turn = 1.0 / 3.0;
  gsl_test_rel(transfer_of(&m, &c, SIMPLE), with, 1e-12,
               "a third of the step shows");
  gsl_test_rel(transfer_of(&m, &c, LL128), 12.0 / 7.0 * 43e6 / 143e9, 1e-12,
               "not by LL128");
  c.kind = GSCALE_COLL_BROADCAST;
  gsl_test_rel(transfer_of(&m, &c, SIMPLE), 43e6 / 331e9, 1e-12,
               "not of a broadcast");
  gsl_test_rel(gscale_coll_idle(GSCALE_COLL_ALL_TO_ALL, GSCALE_COLL_DIRECT, 5),
               0.2, 1e-15, "all-to-all copies its own part");
  gsl_test_abs(
      gscale_coll_idle(GSCALE_COLL_ALL_GATHER, GSCALE_COLL_IN_SWITCH, 5), 0.0,
      0.0, "the switch waits for nobody");
  gsl_test_abs(gscale_coll_idle(GSCALE_COLL_ALL_GATHER, GSCALE_COLL_RING, 1),
               0.0, 0.0, "one GPU");
  gsl_test(
      !isnan(gscale_coll_idle(GSCALE_COLL_ALL_GATHER, GSCALE_COLL_RING, 0)),
      "none");
}

static void counted(void)
{
  const struct {
    gscale_coll_kind kind;
    int algorithm, n;
    double steps, traffic;
  } cases[] = {
      {GSCALE_COLL_ALL_REDUCE, RING, 3, 4, 4.0 / 3},
      {GSCALE_COLL_ALL_REDUCE, TREE, 3, 4, 2},
      /* a chain of 8, and 13 nodes in 4 levels */
      {GSCALE_COLL_ALL_REDUCE, TREE, 100, 2 * (7 + 4), 2},
      {GSCALE_COLL_ALL_REDUCE, IN_SWITCH, 7, 2, 8.0 / 7},
      {GSCALE_COLL_ALL_REDUCE, SWITCH_TREE, 80, 2 * (1 + 4), 9.0 / 8},
      {GSCALE_COLL_ALL_GATHER, RING, 5, 4, 4.0 / 5},
      {GSCALE_COLL_ALL_GATHER, IN_SWITCH, 5, 1, 4.0 / 5},
      {GSCALE_COLL_REDUCE_SCATTER, RING, 5, 4, 4.0 / 5},
      {GSCALE_COLL_BROADCAST, RING, 6, 5, 1},
      {GSCALE_COLL_BROADCAST, TREE, 16, (double)NAN, (double)NAN},
      {GSCALE_COLL_REDUCE, RING, 6, 5, 1},
      {GSCALE_COLL_ALL_TO_ALL, PAIRWISE, 7, 6, 6.0 / 7},
      {GSCALE_COLL_ALL_TO_ALL, DIRECT, 7, 1, 6.0 / 7},
      {GSCALE_COLL_SEND_RECV, DIRECT, 7, 1, 1},
      {GSCALE_COLL_ALL_TO_ALL, RING, 7, (double)NAN, (double)NAN},
      {GSCALE_COLL_ALL_GATHER, TREE, 7, (double)NAN, (double)NAN},
      {GSCALE_COLL_ALL_REDUCE, DIRECT, 7, (double)NAN, (double)NAN},
      {GSCALE_COLL_BROADCAST, IN_SWITCH, 7, (double)NAN, (double)NAN},
      {GSCALE_COLL_SEND_RECV, PAIRWISE, 7, (double)NAN, (double)NAN},
  };

  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    const gscale_coll_algorithm a = (gscale_coll_algorithm)cases[i].algorithm;
    const char *kind = gscale_name(GSCALE_COLL_KIND_NAMES, cases[i].kind);
    gsl_test_rel(gscale_coll_steps(cases[i].kind, a, cases[i].n, 8),
                 cases[i].steps, 1e-15, "%s %zu: steps", kind, i);
    gsl_test_rel(gscale_coll_traffic(cases[i].kind, a, cases[i].n, 8),
                 cases[i].traffic, 1e-15, "%s %zu: traffic", kind, i);
  }
}

/* Of 100 GPUs in 13 nodes; none of those of one node. */
static void leaps(void)
{
  const struct {
    gscale_coll_kind kind;
    int algorithm, n;
    double hops;
  } cases[] = {{GSCALE_COLL_ALL_REDUCE, RING, 100, 2 * 12},
               {GSCALE_COLL_ALL_GATHER, RING, 100, 12},
               {GSCALE_COLL_ALL_REDUCE, TREE, 100, 2 * 4},
               {GSCALE_COLL_ALL_TO_ALL, PAIRWISE, 100, 92},
               {GSCALE_COLL_ALL_TO_ALL, DIRECT, 100, 1},
               {GSCALE_COLL_ALL_TO_ALL, DIRECT, 8, 0},
               {GSCALE_COLL_ALL_REDUCE, RING, 7, 0},
               {GSCALE_COLL_ALL_TO_ALL, RING, 7, (double)NAN}};

  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    gsl_test_rel(gscale_coll_hops(cases[i].kind,
                                  (gscale_coll_algorithm)cases[i].algorithm,
                                  cases[i].n, 8),
                 cases[i].hops, 1e-15, "%s %zu: hops",
                 gscale_name(GSCALE_COLL_KIND_NAMES, cases[i].kind), i);
}

static double cards(const gscale_coll_machine *m, const gscale_coll_call *c)
{
  return gscale_coll_best(m, c, GSCALE_COLL_DIRECT, GSCALE_COLL_SIMPLE)
      .time.transfer;
}

/* Nodes of four: what leaves one, of the array. */
static void left(void)
{
  const gscale_coll_kind sum = GSCALE_COLL_ALL_REDUCE;

  gsl_test_rel(gscale_coll_leaving(sum, GSCALE_COLL_TREE, 8, 4), 1, 1e-15,
               "two nodes by trees: half up one, half down the other");
  gsl_test_rel(gscale_coll_leaving(sum, GSCALE_COLL_SWITCH_TREE, 8, 4), 1,
               1e-15, "the same, added up in switches");
  gsl_test_rel(gscale_coll_leaving(sum, GSCALE_COLL_TREE, 12, 4), 2, 1e-15,
               "three: inside one tree, a leaf of the other");
  gsl_test_rel(gscale_coll_leaving(sum, GSCALE_COLL_RING, 8, 4), 1.75, 1e-15,
               "two by ring");
  gsl_test_abs(gscale_coll_leaving(sum, GSCALE_COLL_TREE, 4, 4), 0, 0, "one");
}

/* Four nodes of four H100 and as many cards: 3 hops by LL of 4 kB an array,
 * trees of three levels, chunks of 512 KiB. */
static void between(void)
{
  gscale_coll_machine m = machine();
  gscale_coll_call c = call(GSCALE_COLL_ALL_GATHER, 16, 64e3);

  m.node = 4;
  m.net.by[SIMPLE].start = 50e-6;
  m.net.by[SIMPLE].step = 20e-6;
  m.net.by[SIMPLE].tree = 30e-6;
  m.net.by[SIMPLE].rate = 160e9;
  m.net.by[LL].start = 11e-6;
  m.net.by[LL].step = 5e-6;
  m.net.by[LL].tree = 9e-6;
  m.net.by[LL].rate = 7e9;
  m.net.cards = 4;
  m.net.leaf = INFINITY;
  m.net.taper = 1;
  gsl_test_rel(total(&m, &c, RING, LL),
               5.3e-6 + 11e-6 + 12 * 0.53e-6 + 3 * 5e-6 + 0.75 * 64e3 / 7e9,
               1e-14, "gathered by ring, LL");
  gsl_test(!isnan(total(&m, &c, RING, LL128)), "LL128 is not used between");
  c.bytes = 64e6;
  gsl_test_rel(total(&m, &c, RING, SIMPLE),
               5.3e-6 + 50e-6 + 12 * 2.7e-6 + 3 * 20e-6 +
                   15.0 / 16 * 64e6 / 160e9,
               1e-14, "simple");
  c.kind = GSCALE_COLL_ALL_REDUCE;
  gsl_test_rel(total(&m, &c, TREE, SIMPLE),
               5.3e-6 + 9.9e-6 + 6 * 2.7e-6 + 4 * (30e-6 + 524288 / 160e9) +
                   2 * 64e6 / 331e9 + 2 * 64e6 / 160e9,
               1e-14, "by trees");
  gsl_test_rel(total(&m, &c, SWITCH_TREE, SIMPLE),
               5.3e-6 + 9.9e-6 + 2 * 2.7e-6 + 4 * (30e-6 + 524288 / 160e9) +
                   2 * 64e6 / 160e9,
               1e-14, "by trees, in switches");
  c.bytes = 64e3;
  gsl_test_rel(total(&m, &c, TREE, SIMPLE),
               5.3e-6 + 9.9e-6 + 6 * 2.7e-6 + 4 * (30e-6 + 32e3 / 160e9) +
                   2 * 64e3 / 331e9 + 2 * 64e3 / 160e9,
               1e-14, "by trees, each half of a small array");
  c.bytes = 64e6;
  gsl_test_int((int)best(&m, &c).algorithm, SWITCH_TREE, "which is chosen");
  m.version = 21701;
  gsl_test_int((int)best(&m, &c).algorithm, RING, "before there was it");
  c.bytes = 64e9;
  gsl_test_int((int)best(&m, &c).algorithm, RING, "much goes by ring");
  c.n = 8;
  gsl_test_int((int)best(&m, &c).algorithm, RING, "of two nodes, too");
}

/* 2 x 8 nodes of four GPUs below two switches, each node's cards 40 GB/s. */
static void tapered(void)
{
  gscale_coll_machine m = machine();
  gscale_coll_call c = call(GSCALE_COLL_ALL_TO_ALL, 64, 6.4e9);

  m.node = 4;
  m.net.by[SIMPLE].rate = 40e9;
  m.net.cards = 4;
  m.net.leaf = 8;
  m.net.taper = 1;
  gsl_test_rel(cards(&m, &c), 4 * 60.0 / 64 * 6.4e9 / 40e9, 1e-14,
               "by the cards");
  m.net.taper = 0.25;
  gsl_test_rel(cards(&m, &c), 32 * 32.0 / 64 * 6.4e9 / (8 * 0.25 * 40e9), 1e-14,
               "by the uplinks of eight nodes");
  c.n = 32;
  gsl_test_rel(cards(&m, &c), 4 * 28.0 / 32 * 6.4e9 / 40e9, 1e-14,
               "below one switch");
  m.net.taper = 0;
  gsl_test(!isnan(total(&m, &c, DIRECT, SIMPLE)), "no uplinks");
}

/* What logs of sends between H100s say: 32 MiB by 16, 8, 4 channels of 32. */
static void channels(void)
{
  const double mib = 1048576;

  gsl_test_abs(gscale_coll_channels(32 * mib, 2, 32), 16, 0, "2 GPUs");
  gsl_test_abs(gscale_coll_channels(32 * mib, 4, 32), 8, 0, "4 GPUs");
  gsl_test_abs(gscale_coll_channels(32 * mib, 8, 32), 4, 0, "8 GPUs");
  gsl_test_abs(gscale_coll_channels(64 * mib, 8, 32), 4, 0, "just enough");
  gsl_test_abs(gscale_coll_channels(64 * mib + 1, 8, 32), 8, 0, "1 B more");
  gsl_test_abs(gscale_coll_channels(1e12, 8, 32), 32, 0, "all of them");
  /* where data/h200x2/steps/sends.csv has twice the bandwidth: from 805.0,
   * 816.3 and 875.5 us to 424.8, 428.0 and 775.8, the last by the port */
  static const double most[] = {4, 8, 32};
  for (size_t i = 0; i < sizeof most / sizeof *most; i++) {
    const double full = 8 * mib * most[i];
    gsl_test_abs(gscale_coll_channels(full, 2, most[i]), most[i] / 2, 0,
                 "half of %g channels", most[i]);
    gsl_test_abs(gscale_coll_channels(full + 21, 2, most[i]), most[i], 0,
                 "all %g, for 21 B more", most[i]);
  }
  gsl_test_abs(gscale_coll_channels(1, 100, 32), 1, 0, "many GPUs: one");
  gsl_test(!isnan(gscale_coll_channels(-1, 2, 32)), "less than nothing");
  gsl_test(!isnan(gscale_coll_channels(1, 1, 32)), "one GPU");
  gsl_test(!isnan(gscale_coll_channels(1, 2, 0.5)), "half a channel");
}

static void times(void)
{
  const gscale_coll_machine m = machine();
  gscale_coll_call c = call(GSCALE_COLL_ALL_REDUCE, 3, 4.7e6);

  gsl_test_rel(total(&m, &c, RING, LL),
               5.3e-6 + 4 * 0.53e-6 + 4.0 / 3 * 4.7e6 / 9.7e9, 1e-14, "LL");
  gsl_test_rel(total(&m, &c, RING, LL128),
               5.3e-6 + 4 * 1.07e-6 + 4.0 / 3 * 4.7e6 / 143e9, 1e-14, "LL128");
  gsl_test_rel(total(&m, &c, RING, SIMPLE),
               15.2e-6 + 4 * 2.7e-6 + 4.0 / 3 * 4.7e6 / 331e9, 1e-14, "simple");
  gsl_test_rel(total(&m, &c, IN_SWITCH, SIMPLE),
               15.2e-6 + 2 * 2.7e-6 + 4.0 / 3 * 4.7e6 / 311e9, 1e-14, "switch");
  gsl_test(!isnan(total(&m, &c, IN_SWITCH, LL)), "a switch knows no flags");
  c.route = 1.5;
  gsl_test_rel(total(&m, &c, RING, SIMPLE),
               26e-6 + 1.5 * 4.0 / 3 * 4.7e6 / 331e9, 1e-14,
               "a link that others share");
  c = call(GSCALE_COLL_SEND_RECV, 8, 3.1e7);
  c.route = 3.0;
  gsl_test_rel(total(&m, &c, DIRECT, SIMPLE),
               15.2e-6 + 1.1e-6 + 2.7e-6 + 3.1e7 / (4 * 20.3e9), 1e-14,
               "a pair's channels carry its bytes once");
  c = call(GSCALE_COLL_ALL_TO_ALL, 8, 8 * 3.1e7);
  gsl_test_rel(total(&m, &c, PAIRWISE, SIMPLE),
               16.3e-6 + 7 * 2.7e-6 + 7 * 3.1e7 / (4 * 20.3e9), 1e-14,
               "one pair after the other");
  gsl_test_rel(total(&m, &c, DIRECT, SIMPLE),
               16.3e-6 + 2.7e-6 + 7 * 3.1e7 / 331e9, 1e-14,
               "all at once: the port");
  c.route_all = 2.5;
  gsl_test_rel(total(&m, &c, DIRECT, SIMPLE),
               16.3e-6 + 2.7e-6 + 2.5 * 7 * 3.1e7 / 331e9, 1e-14,
               "all at once: a shared link");
  gsl_test_rel(total(&m, &c, PAIRWISE, SIMPLE),
               16.3e-6 + 7 * 2.7e-6 + 7 * 3.1e7 / (4 * 20.3e9), 1e-14,
               "one after the other: not what all share");
  c = call(GSCALE_COLL_SEND_RECV, 8, 3.1e12);
  c.route_all = 1e3;
  gsl_test_rel(total(&m, &c, DIRECT, SIMPLE), 16.3e-6 + 2.7e-6 + 3.1e12 / 331e9,
               1e-14, "one pair: not what all share");
}

/* Where links are fast, memory is what adding up waits for. */
static void adding(void)
{
  gscale_coll_machine m = machine();
  const gscale_coll_call sum = call(GSCALE_COLL_REDUCE_SCATTER, 5, 4.7e9);
  const gscale_coll_call copy = call(GSCALE_COLL_ALL_GATHER, 5, 4.7e9);

  m.link = 7e12;
  gsl_test_rel(total(&m, &sum, RING, SIMPLE),
               15.2e-6 + 4 * 2.7e-6 + 0.8 * 4.7e9 / 1.3e12, 1e-14, "adds up");
  gsl_test_rel(total(&m, &copy, RING, SIMPLE),
               15.2e-6 + 4 * 2.7e-6 + 0.8 * 4.7e9 / 7e12, 1e-14, "copies");
}

static void streams(void)
{
  const gscale_coll_machine m = machine();
  gscale_coll_call c = call(GSCALE_COLL_BROADCAST, 7, 0.0);

  gsl_test_rel(total(&m, &c, RING, LL), 5.3e-6 + 6 * 0.53e-6, 1e-14, "one");
  c.streamed = true;
  gsl_test_rel(total(&m, &c, RING, LL), 5.3e-6, 1e-14, "many in a row");
  gsl_test_rel(total(&m, &c, RING, LL128), 5.3e-6 + 2 * 1.07e-6, 1e-14,
               "received and sent on");
  c.n = 2;
  gsl_test_rel(total(&m, &c, RING, LL128), 5.3e-6 + 1.07e-6, 1e-14,
               "sent, or received");
  c.n = 7;
  c.kind = GSCALE_COLL_ALL_REDUCE;
  gsl_test_rel(total(&m, &c, RING, LL), 5.3e-6 + 12 * 0.53e-6, 1e-14,
               "a sum needs all");
}

/* 3 s of arithmetic and 2 s of a collective that keeps a quarter. */
static void beside(void)
{
  gsl_test_rel(gscale_coll_beside(3, 2, 0.25), 3.5, 1e-15, "half a second");
  gsl_test_rel(gscale_coll_beside(3, 20, 0.25), 4, 1e-15, "all of it beside");
  gsl_test_rel(gscale_coll_beside(3, 0, 0.25), 3, 1e-15, "nothing beside");
  gsl_test_rel(gscale_coll_beside(3, 2, 0), 3, 1e-15, "nothing kept");
  gsl_test_rel(gscale_waves_beside(132, 1, 132, 24), 2, 1e-15, "two waves");
  gsl_test_rel(gscale_waves_beside(540, 2, 132, 24), 1, 1e-15, "three waves");
  gsl_test_rel(gscale_waves_beside(999, 4, 132, 24), 132 / 108., 1e-15, "many");
  /* Blocks, residents, measured ratio: data/h200x2/steps/beside.csv. */
  const double seen[][3] = {{66, 1, 1.052},   {132, 1, 1.928},  {264, 1, 1.497},
                            {528, 1, 1.272},  {1056, 1, 1.249}, {792, 2, 1.347},
                            {2112, 2, 1.248}, {4224, 4, 1.215}};
  for (size_t i = 0; i < sizeof seen / sizeof *seen; i++)
    gsl_test_rel(gscale_waves_beside(seen[i][0], seen[i][1], 132, 24),
                 seen[i][2], 0.055, "%g blocks beside NCCL", seen[i][0]);
  gsl_test(!isnan(gscale_waves_beside(1, 1, 24, 24)), "none left");
  gsl_test(!isnan(gscale_coll_beside(-1, 2, 0.2)), "kernel < 0");
  gsl_test(!isnan(gscale_coll_beside(1, -2, 0.2)), "collective < 0");
  gsl_test(!isnan(gscale_coll_beside(1, 2, 1)), "all kept");
}

/* ---- choice --------------------------------------------------------------
 */

static void choices(void)
{
  const struct {
    double bytes;
    int n, algorithm, protocol;
  } cases[] = {{8, 4, RING, LL},
               {1e6, 4, RING, LL128},
               {1e9, 3, RING, SIMPLE},
               {1e9, 8, IN_SWITCH, SIMPLE},
               {1e9, 4, RING, SIMPLE},
               {1e9, 5, IN_SWITCH, SIMPLE},
               {3e12, 8, IN_SWITCH, SIMPLE}};
  gscale_coll_machine m = machine();

  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    const gscale_coll_call c =
        call(GSCALE_COLL_ALL_REDUCE, cases[i].n, cases[i].bytes);
    const gscale_coll_choice k = best(&m, &c);
    gsl_test_int((int)k.algorithm, cases[i].algorithm, "case %zu: %s", i,
                 gscale_name(GSCALE_COLL_ALGORITHM_NAMES, k.algorithm));
    gsl_test_int((int)k.protocol, cases[i].protocol, "case %zu: %s", i,
                 gscale_name(GSCALE_COLL_PROTOCOL_NAMES, k.protocol));
  }
  /* Before 2.28 a switch was taken to attain 5/6: 5/6 x 5 x 60 GB/s are more
   * than a ring's 225 on five GPUs; 5/6 x 4 x 60 less than its 240 on four. */
  m.version = 22703;
  for (int n = 4; n <= 5; n++) {
    const gscale_coll_call c = call(GSCALE_COLL_ALL_REDUCE, n, 1e9);
    gsl_test_int((int)best(&m, &c).algorithm, n == 4 ? RING : IN_SWITCH,
                 "before 2.28: %d GPUs", n);
  }
}

static void asked(void)
{
  gscale_coll_machine m = machine();
  const gscale_coll_call c = call(GSCALE_COLL_ALL_REDUCE, 8, 1e9);
  gscale_coll_choice k =
      gscale_coll_best(&m, &c, GSCALE_COLL_RING, GSCALE_COLL_PROTOCOL_END);

  gsl_test_int((int)k.protocol, SIMPLE, "the best protocol of a ring");
  gsl_test_rel(k.total, total(&m, &c, RING, SIMPLE), 1e-15, "its time");
  k = gscale_coll_best(&m, &c, GSCALE_COLL_DIRECT, GSCALE_COLL_PROTOCOL_END);
  gsl_test(!isnan(k.total), "no way");
  gsl_test_int((int)k.algorithm, ANY_ALGORITHM, "no algorithm");
  gsl_test_int((int)k.protocol, ANY_PROTOCOL, "no protocol");
  m.in_switch = 0;
  k = best(&m, &c);
  gsl_test_int((int)k.algorithm, RING, "a switch that adds nothing up");
}

/* ---- laws ----------------------------------------------------------------
 */

/* SEED=N draws others. */
static rng drawn(uint64_t seed)
{
  const char *other = getenv("SEED");

  return (rng){seed ^ (other ? strtoull(other, NULL, 10) << 32 : 0)};
}

static gscale_coll_machine random_machine(rng *r)
{
  gscale_coll_machine m = {.start = spread(r, 1e-6, 1e-4),
                           .link = spread(r, 1e9, 1e12),
                           .pair_start = spread(r, 1e-7, 1e-5),
                           .channel = spread(r, 1e9, 1e11),
                           .channels = 1 << pick(r, 7),
                           .in_switch = pick(r, 2) ? spread(r, 1e9, 1e12) : 0,
                           .add = spread(r, 1e9, 1e13),
                           .node = 1 + pick(r, 16)};

  for (int p = 0; p < GSCALE_COLL_LINES; p++) {
    m.by[p].start = spread(r, 1e-7, 1e-4);
    m.by[p].step = spread(r, 1e-8, 1e-5);
    m.by[p].rate = pick(r, 4) ? spread(r, 1e8, 1e12) : INFINITY;
    m.by[p].payload = uniform(r, 0.1, 1);
  }
  rng aside = {~r->state}; /* what came later leaves the others as they were */

  m.turn = pick(&aside, 2) ? uniform(&aside, 0, 1) : 0;
  return m;
}

/* With a network. */
static gscale_coll_machine random_cluster(rng *r)
{
  gscale_coll_machine m = random_machine(r);

  for (int p = 0; p < GSCALE_COLL_LINES; p++) {
    m.net.by[p].start = spread(r, 1e-7, 1e-4);
    m.net.by[p].step = spread(r, 1e-7, 1e-4);
    m.net.by[p].tree = spread(r, 1e-7, 1e-4);
    m.net.by[p].rate = p == SIMPLE || pick(r, 2) ? spread(r, 1e8, 1e12) : 0;
  }
  m.net.cards = 1 + pick(r, 8);
  m.net.leaf = pick(r, 2) ? 1.0 + pick(r, 20) : INFINITY;
  m.net.taper = uniform(r, 0.1, 1);
  return m;
}

/* B that must leave m of n GPUs, / bytes of the call. */
static double must_leave(gscale_coll_kind k, int m, int n)
{
  const double others = (double)(n - m) / n;

  if (n <= m) return 0;
  if (k == GSCALE_COLL_ALL_TO_ALL) return m * others;
  return k == GSCALE_COLL_ALL_GATHER || k == GSCALE_COLL_REDUCE_SCATTER ? others
                                                                        : 1;
}

/* s, the least: through the cards of a node, the uplinks of a switch, the port.
 */
static double at_least(const gscale_coll_machine *m, const gscale_coll_call *c)
{
  const double rate = m->net.by[SIMPLE].rate;
  const double card =
      c->kind == GSCALE_COLL_SEND_RECV ? rate / m->net.cards : rate;
  const double node = must_leave(c->kind, m->node, c->n) / card;
  const double below = m->net.leaf * m->node;
  const double leaf = below < c->n ? must_leave(c->kind, (int)below, c->n) /
                                         (rate * m->net.leaf * m->net.taper)
                                   : 0;
  const double port = must_leave(c->kind, 1, c->n < m->node ? c->n : m->node) /
                      (c->kind == GSCALE_COLL_ALL_REDUCE && m->in_switch > 0
                           ? fmax(m->link, m->in_switch)
                           : m->link);

  return fmax(fmax(node, leaf), c->kind < GSCALE_COLL_ALL_TO_ALL ? port : 0) *
         c->bytes;
}

/* No way is faster than what must pass a port, cards or uplinks; a node alone
 * is what it is in a cluster. */
static void bounds(void)
{
  rng r = drawn(2103);
  size_t faster = 0, apart = 0;

  for (int i = 0; i < cases(20000, 1000000); i++) {
    const gscale_coll_machine m = random_cluster(&r);
    gscale_coll_machine alone = m;
    const gscale_coll_call c = {
        (gscale_coll_kind)pick(&r, GSCALE_COLL_KIND_END),
        2 + pick(&r, i % 2 ? 8 : 2046),
        spread(&r, 1, 1e10),
        1,
        1,
        pick(&r, 2) == 0};
    for (int a = 0; a < GSCALE_COLL_OF_NCCL; a++)
      for (int p = 0; p < GSCALE_COLL_LINES; p++)
        faster += total(&m, &c, a, p) < at_least(&m, &c) * (1 - 1e-12);
    memset(&alone.net, 0, sizeof alone.net);
    const gscale_coll_choice x = best(&m, &c), y = best(&alone, &c);
    apart += c.n <= m.node && x.total != y.total;
  }
  gsl_test(faster > 0, "%zu ways are faster than their bytes", faster);
  gsl_test(apart > 0, "%zu nodes alone differ from those of a cluster", apart);
}

/* One of its numbers made worse. */
static void worsen(rng *r, gscale_coll_machine *m)
{
  const double by = uniform(r, 1, 3);
  double *costs[] = {&m->net.by[SIMPLE].start,
                     &m->net.by[SIMPLE].step,
                     &m->net.by[LL].tree,
                     &m->net.by[LL].step,
                     &m->start,
                     &m->pair_start,
                     &m->by[LL].start,
                     &m->by[LL].step,
                     &m->by[LL128].step,
                     &m->by[SIMPLE].start,
                     &m->by[SIMPLE].step};
  double *gains[] = {&m->net.by[SIMPLE].rate,
                     &m->net.by[LL].rate,
                     &m->net.taper,
                     &m->link,
                     &m->channel,
                     &m->in_switch,
                     &m->add,
                     &m->by[LL].rate,
                     &m->by[LL128].rate,
                     &m->by[SIMPLE].rate,
                     &m->by[LL].payload};

  if (pick(r, 2))
    *costs[pick(r, sizeof costs / sizeof *costs)] *= by;
  else
    *gains[pick(r, sizeof gains / sizeof *gains)] /= by;
}

/* Where the library changes its way time may rise, for it sees a tree slower
 * than it is; it never falls, as nothing is seen faster than it is. */
static void monotone(void)
{
  rng r = drawn(2101);
  size_t falls = 0;

  for (int i = 0; i < cases(20000, 1000000); i++) {
    gscale_coll_machine m =
        pick(&r, 2) ? random_machine(&r) : random_cluster(&r);
    gscale_coll_call c = {(gscale_coll_kind)pick(&r, GSCALE_COLL_KIND_END),
                          2 + pick(&r, 60),
                          spread(&r, 1, 1e10),
                          uniform(&r, 1, 8),
                          uniform(&r, 1, 8),
                          pick(&r, 2) == 0};
    const gscale_coll_choice k = best(&m, &c);
    const int a = (int)k.algorithm, p = (int)k.protocol;
    gscale_coll_call more = c;

    if (!(k.total > 0.0) || !isfinite(k.total))
      gsl_test(1, "case %d: %s takes %g s", i,
               gscale_name(GSCALE_COLL_KIND_NAMES, c.kind), k.total);
    more.bytes *= uniform(&r, 1, 9);
    if (c.kind < GSCALE_COLL_ALL_TO_ALL && total(&m, &more, a, p) < k.total)
      gsl_test(1, "case %d: more bytes are faster", i);
    falls += c.kind < GSCALE_COLL_ALL_TO_ALL && best(&m, &more).total < k.total;
    worsen(&r, &m);
    if (total(&m, &c, a, p) < k.total * (1.0 - 1e-14))
      gsl_test(1, "case %d: a worse machine is faster", i);
  }
  gsl_test(0, "more to move, or a worse machine, is never faster");
  gsl_test(falls > 0, "at %zu switches of the way more bytes are faster",
           falls);
}

/* A chain of the same numbers on another clock and in other units. */
static void units(void)
{
  rng r = drawn(2102);
  bool same = true;

  for (int i = 0; i < cases(2000, 100000); i++) {
    gscale_coll_machine m = random_machine(&r), u = m;
    const gscale_coll_call c =
        call((gscale_coll_kind)pick(&r, GSCALE_COLL_KIND_END), 2 + pick(&r, 9),
             spread(&r, 1, 1e9));
    const double slower = spread(&r, 1e-3, 1e3);

    u.start *= slower;
    u.pair_start *= slower;
    u.link /= slower;
    u.channel /= slower;
    u.in_switch /= slower;
    u.add /= slower;
    for (int p = 0; p < GSCALE_COLL_LINES; p++) {
      u.by[p].start *= slower;
      u.by[p].step *= slower;
      u.by[p].rate /= slower;
    }
    const double a = best(&m, &c).total * slower, b = best(&u, &c).total;
    same = same && fabs(a - b) <= 1e-12 * a;
  }
  gsl_test(!same, "a clock that is slower by a factor");
}

static void alone(void)
{
  const gscale_coll_machine m = machine();

  for (int k = 0; k < GSCALE_COLL_KIND_END; k++) {
    const gscale_coll_call c = call((gscale_coll_kind)k, 1, 1e9);
    gsl_test_abs(best(&m, &c).total, 0, 0, "one GPU: %s",
                 gscale_name(GSCALE_COLL_KIND_NAMES, c.kind));
  }
}

/* ---- the domain ----------------------------------------------------------
 */

static void refused(void)
{
  const gscale_coll_machine good = machine();
  gscale_coll_machine m[8];
  const gscale_coll_call sum = call(GSCALE_COLL_ALL_REDUCE, 4, 100);
  const gscale_coll_call pair = call(GSCALE_COLL_SEND_RECV, 4, 100);
  gscale_coll_call c[6];

  for (size_t i = 0; i < 8; i++) m[i] = good;
  m[0].start = -1;
  m[1].link = 0;
  m[2].by[LL].rate = 0;
  m[3].by[LL].step = (double)NAN;
  m[4].add = 0;
  m[5].node = 0;
  m[6].by[LL].payload = 0;
  m[7].by[LL].start = -1;
  for (size_t i = 0; i < 8; i++)
    gsl_test(!isnan(total(&m[i], &sum, RING, LL)), "machine %zu", i);
  m[0] = m[1] = good;
  m[0].channel = 0;
  m[1].channels = 0;
  for (size_t i = 0; i < 2; i++)
    gsl_test(!isnan(total(&m[i], &pair, DIRECT, LL)), "pairs %zu", i);

  for (size_t i = 0; i < 6; i++) c[i] = sum;
  c[0].n = 0;
  c[1].bytes = -1;
  c[2].bytes = INFINITY;
  c[3].route = 0.5;
  c[4].route_all = 0.5;
  c[5].kind = GSCALE_COLL_KIND_END;
  for (size_t i = 0; i < 6; i++)
    gsl_test(!isnan(total(&good, &c[i], RING, LL)), "call %zu", i);
  gsl_test(!isnan(gscale_coll_steps(sum.kind, GSCALE_COLL_RING, 0, 8)),
           "steps of no GPU");
  gsl_test(!isnan(gscale_coll_steps(sum.kind, GSCALE_COLL_RING, 2, 0)),
           "nodes of none");
  gsl_test(!isnan(gscale_coll_traffic(sum.kind, GSCALE_COLL_RING, 0, 8)),
           "traffic of no GPU");
  gsl_test(!isnan(gscale_coll_held(0, GSCALE_COLL_LL)), "no GPU is held");
  gsl_test(!isnan(gscale_coll_held(2, GSCALE_COLL_PROTOCOL_END)), "by none");
}

static void names(void)
{
  gsl_test_str(gscale_name(GSCALE_COLL_KIND_NAMES, GSCALE_COLL_SEND_RECV),
               "send-recv", "");
  gsl_test_str(gscale_name(GSCALE_COLL_ALGORITHM_NAMES, GSCALE_COLL_IN_SWITCH),
               "in-switch", "an algorithm");
  gsl_test_str(gscale_name(GSCALE_COLL_PROTOCOL_NAMES, GSCALE_COLL_LL128),
               "LL128", "");
  gsl_test(gscale_name(GSCALE_COLL_KIND_NAMES, GSCALE_COLL_KIND_END) != NULL,
           "kinds end");
  gsl_test(gscale_name(GSCALE_COLL_ALGORITHM_NAMES,
                       GSCALE_COLL_ALGORITHM_END) != NULL,
           "algorithms end");
  gsl_test(gscale_name(GSCALE_COLL_PROTOCOL_NAMES, GSCALE_COLL_PROTOCOL_END) !=
               NULL,
           "protocols end");
}

int main(void)
{
  idle_step();
  counted();
  leaps();
  left();
  between();
  tapered();
  channels();
  times();
  adding();
  streams();
  beside();
  choices();
  asked();
  monotone();
  bounds();
  units();
  alone();
  refused();
  names();
  return gsl_test_summary();
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
