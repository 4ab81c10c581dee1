/* t_network.c - messages between nodes, links of networks, networks. */

#include "describe/numbers.h"
#include "path.h"

#include <gsl/gsl_test.h>

#include <math.h>
#include <string.h>

/* Eager up to 16 KiB, rendezvous from there on. */
static const gscale_path path = {
    .below = {0.31e-6, 3.3e-6, 9.7e9, 20.1e9, 0},
    .above = {0.9e-6, 6.7e-6, 15.3e9, 38.9e9, 0},
    .from = 16384,
    .messages = 23.7e6,
};

static gscale_sent path_sends(const gscale_path *p, const gscale_sends *s,
                              double rails)
{
  const gscale_message m = gscale_path_message(p, s->bytes);

  return gscale_messages(&m, s, rails);
}

static void test_one_message(void)
{
  gsl_test_rel(path_time(&path, 0.0), 3.3e-6, 1e-15, "an empty one");
  gsl_test_rel(path_time(&path, 9700.0), 4.3e-6, 1e-14, "a short one");
  gsl_test_rel(path_time(&path, 153e4), 106.7e-6, 1e-14, "a long one");
  gsl_test_rel(path_time(&path, 16384.0), 6.7e-6 + 16384 / 15.3e9, 1e-14,
               "the first long one");
  gsl_test(!isnan(path_time(&path, -1.0)), "less than nothing");
  gscale_path copied = path;
  copied.below.stage = 110e-12;
  gsl_test_rel(path_time(&copied, 9700.0), 5.367e-6, 1e-14, "copied");
}

/* One pair keeps its rate, four share the node's, and small messages are
 * counted. */
static void test_pairs(void)
{
  const double rails = 50e9;

  gsl_test_rel(path_rate(&path, 9700.0, 1, rails), 9700 / 1.31e-6, 1e-14,
               "one pair");
  gsl_test_rel(path_rate(&path, 1e6, 4, rails), 38.9e9, 1e-15,
               "four: the node");
  gsl_test_rel(path_rate(&path, 1e6, 4, 25e9), 25e9, 1e-15, "four: its rails");
  gsl_test_rel(path_rate(&path, 8.0, 16, rails), 8 * 23.7e6, 1e-15,
               "sixteen: messages");
  gsl_test(!isnan(path_rate(&path, 0.0, 1, rails)), "no bytes");
  gsl_test(!isnan(path_rate(&path, 8.0, 0.5, rails)), "half a pair");
}

/* Messages that do not fit into a request; pairs that all send one. */
static void test_busy(void)
{
  gscale_path p = path;
  const double rails = 50e9;
  const double below = p.from / 2.0;

  gsl_test_rel(path_busy(&p, 8.0), p.below.overhead, 1e-15, "below");
  gsl_test_rel(path_busy(&p, p.from), p.above.overhead, 1e-15, "above");
  p.within = 128.0;
  p.fetch = 0.07e-6;
  gsl_test_rel(path_busy(&p, 128.0), p.below.overhead, 1e-15, "within");
  gsl_test_rel(path_busy(&p, 129.0), p.below.overhead + 0.07e-6, 1e-15,
               "fetched");
  gsl_test_rel(path_busy(&p, p.from), p.above.overhead, 1e-15,
               "above it makes no difference");
  gsl_test_rel(path_rate(&p, below, 1, rails),
               below / (p.below.overhead + 0.07e-6 + below / p.below.rate),
               1e-14, "one pair of these");
  gsl_test(!isnan(path_busy(&p, -1.0)), "fewer than no bytes");
  gsl_test_rel(path_shared(&path, 70e3, 1, rails), path_time(&path, 70e3),
               1e-14, "one pair, one message");
  gsl_test_rel(path_shared(&path, 1e6, 4, rails),
               path.above.latency + 1e6 * path.above.stage + 4e6 / 38.9e9,
               1e-14, "four: the node");
  gsl_test_rel(path_shared(&path, 0.0, 1000, rails),
               path.below.latency + 999 / 23.7e6, 1e-13, "many messages");
  gsl_test(!isnan(path_shared(&path, 8.0, 0.5, rails)), "half a pair");
}

static double sum(const gscale_sent *s)
{
  return s->post + s->latency + s->transfer;
}

static void test_sends(void)
{
  gscale_sends s = {1, 70e3, 1, 70e3, 0};
  gscale_sent t = path_sends(&path, &s, 50e9);

  gsl_test_rel(sum(&t), path_time(&path, 70e3), 1e-14, "one message");
  s = (gscale_sends){3, 1e6, 24, 24e6, 0};
  t = path_sends(&path, &s, 50e9);
  gsl_test_rel(t.post, 2.7e-6, 1e-14, "three calls");
  gsl_test_rel(t.latency, 5.8e-6, 1e-14, "one way");
  gsl_test_rel(t.transfer, 24e6 / 38.9e9, 1e-14, "through the node");
  gscale_path copied = path;
  copied.above.stage = 0.7e-12;
  t = path_sends(&copied, &s, 50e9);
  gsl_test_rel(t.latency, 6.5e-6, 1e-14, "the last is copied before");
  s.uplink = 72e6;
  t = path_sends(&path, &s, 50e9);
  gsl_test_rel(t.transfer, 72e6 / 50e9, 1e-14, "through uplinks");
  s = (gscale_sends){1, 8, 1000, 8000, 0};
  t = path_sends(&path, &s, 50e9);
  gsl_test_rel(t.transfer, 1000 / 23.7e6, 1e-13, "many messages");
  s = (gscale_sends){0, 8, 0, 0, 0};
  t = path_sends(&path, &s, 50e9);
  gsl_test_abs(sum(&t), 0.0, 0.0, "none");
  s.messages = -1.0;
  t = path_sends(&path, &s, 50e9);
  gsl_test(!isnan(sum(&t)), "less than none");
}

/* shared facts: a write of an RC connection, packets of 4096 B. */
static void test_links(void)
{
  static const struct {
    const char *name;
    double rate;
  } row[] = {{"ib-qdr", 4e9},
             {"ib-fdr", 6.8181818181818e9},
             {"ib-edr", 12.5e9},
             {"ib-hdr", 25e9},
             {"ib-ndr", 50e9},
             {"ib-xdr", 100e9},
             {"slingshot11", 25e9},
             {"extoll-galibier", 1.256e9},
             {"extoll-tourmalet", 12.5e9}};
  static const struct {
    double bytes, goodput;
  } ib[] = {{64, 0.6038},
            {256, 0.8591},
            {1024, 0.9606},
            {4096, 0.9899},
            {65536, 0.9935}};
  const gscale_link *hdr = gscale_link_find("ib-hdr");

  for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
    const gscale_link *l = gscale_link_find(row[i].name);
    gsl_test(!l || !gscale_link_between(l), "%s is between nodes", row[i].name);
    if (l) gsl_test_rel(l->rate, row[i].rate, 1e-13, "%s", row[i].name);
  }
  for (size_t i = 0; i < sizeof ib / sizeof *ib; i++)
    gsl_test_abs(gscale_goodput(hdr, GSCALE_COPY, ib[i].bytes, false),
                 ib[i].goodput, 5e-5, "RDMA write of %g B", ib[i].bytes);
  gsl_test(gscale_link_between(gscale_link_find("nvlink4")), "NVLink is not");
  gsl_test_rel(1400e6 * gscale_goodput(gscale_link_find("extoll-galibier"),
                                       GSCALE_STORE, 64, false),
               800e6, 1e-14, "remote stores over Extoll");
}

static gscale_network fat_tree(void)
{
  return (gscale_network){.nodes = 16,
                          .rails = 4,
                          .leaf = 24,
                          .kind = GSCALE_NET_FAT_TREE,
                          .link = *gscale_link_find("ib-hdr")};
}

static void refused(const gscale_network *n, int gpus, const char *field)
{
  gscale_diag d = {.text = ""};

  gsl_test(gscale_network_check(n, gpus, &d) != GSCALE_EDOMAIN ||
               strncmp(d.text, field, strlen(field)) != 0,
           "refused: %s (%s)", field, d.text);
}

static void test_networks(void)
{
  gscale_network n = fat_tree();

  gsl_test(gscale_network_check(&n, 8, NULL) != GSCALE_OK, "8 GPUs, 4 rails");
  gsl_test(gscale_network_check(&n, 2, NULL) != GSCALE_OK, "2 GPUs, 4 rails");
  gsl_test_abs(gscale_network_leaf(&n), 6, 0, "nodes of a leaf");
  refused(&n, 6, "rails");
  n.leaf = 3;
  refused(&n, 8, "network.leaf");
  n.kind = GSCALE_NET_RAILS;
  gsl_test_abs(gscale_network_leaf(&n), 3, 0, "a rail's leaf");
  n.link = *gscale_link_find("nvlink4");
  refused(&n, 8, "network.link");
  n.link = *gscale_link_find("raw");
  refused(&n, 8, "network.link");
  n = fat_tree();
  n.nodes = 0;
  refused(&n, 8, "nodes");
  n = fat_tree();
  n.leaf = 0;
  gsl_test(isfinite(gscale_network_leaf(&n)), "one switch for all");
}

static void test_growth(void)
{
  gsl_test_abs(gscale_network_depth(1), 0, 0, "one node");
  gsl_test_abs(gscale_network_depth(2), 1, 0, "two");
  gsl_test_abs(gscale_network_depth(5), 3, 0, "five");
  gsl_test_abs(gscale_network_depth(128), 7, 0, "128");
  gsl_test_abs(gscale_network_straggle(2.3e-6, 1), 0, 0, "one waits for none");
  gsl_test_rel(gscale_network_straggle(2.3e-6, 128), 2.3e-6 * 3.11511, 1e-5,
               "the last of 128");
  gsl_test(!isnan(gscale_network_straggle(-1.0, 2)), "negative jitter");
}

/* A system with a network, and what it takes from a node. */
static void test_systems(void)
{
  const gscale_param four = {4e-6, 0.0, GSCALE_SPEC, "", GSCALE_BY_ORIGIN},
                     five = {5e-6, 0.0, GSCALE_SPEC, "", GSCALE_BY_ORIGIN};
  const gscale_network n = fat_tree();
  bool said[GSCALE_PARAM_END] = {[GSCALE_COPY_LATENCY] = true};
  gscale_system *node = gscale_system_new("node"),
                *s = gscale_system_new("cluster");
  gscale_fabric f;
  gscale_diag d;

  gscale_fabric_init(&f, GSCALE_SWITCH);
  gscale_system_set_shape(node, &f, 8, false, 0, NULL);
  gscale_system_set(node, GSCALE_COPY_INITIATION, &four, NULL);
  gscale_system_set(node, GSCALE_COPY_LATENCY, &four, NULL);
  gscale_system_set(s, GSCALE_COPY_LATENCY, &five, NULL);
  gsl_test(gscale_system_about(node).network != NULL, "a node has no network");
  gscale_system_take_node(s, node, said);
  gsl_test(gscale_system_set_network(s, &n, &d) != GSCALE_OK, "%s", d.text);
  gsl_test(strcmp(gscale_system_about(s).name, "cluster") != 0, "its own name");
  gsl_test_rel(gscale_system_get(s, GSCALE_COPY_INITIATION)->val, 4e-6, 0,
               "the node's");
  gsl_test_rel(gscale_system_get(s, GSCALE_COPY_LATENCY)->val, 5e-6, 0,
               "its own");
  gsl_test_rel(gscale_system_get(s, GSCALE_NETWORK_RATE)->val, 25e9, 0,
               "of the link");
  gsl_test_int(gscale_system_about(s).gpus, 128, "GPUs of all nodes");
  gsl_test_int(gscale_system_about(s).node, 8, "of one");
  gsl_test(gscale_system_set_link(s, gscale_link_find("ib-hdr"), NULL) !=
               GSCALE_EDOMAIN,
           "no link of GPUs");
  gsl_test(gscale_system_swap_link(node, gscale_link_find("ib-ndr"), NULL) !=
               GSCALE_EDOMAIN,
           "no network to swap");
  gsl_test(gscale_system_swap_link(s, gscale_link_find("ib-ndr"), &d) !=
               GSCALE_OK,
           "%s", d.text);
  gsl_test_rel(gscale_system_get(s, GSCALE_NETWORK_RATE)->val, 50e9, 0,
               "swapped");
  gscale_network most = n; /* 65536 GPUs are the most */
  most.nodes = 8192;
  gsl_test(gscale_system_set_network(node, &most, &d) != GSCALE_OK,
           "8192 nodes of 8: %s", d.text);
  gsl_test_int(gscale_system_about(node).gpus, 65536, "GPUs of 8192 nodes");
  most.nodes = 8193;
  gscale_system_take_node(s, node, said);
  gsl_test_int((int)gscale_system_set_network(s, &most, &d), GSCALE_EDOMAIN,
               "8193 nodes");
  gscale_system_free(node);
  gscale_system_free(s);
}

int main(void)
{
  test_one_message();
  test_pairs();
  test_busy();
  test_sends();
  test_links();
  test_networks();
  test_growth();
  test_systems();
  return gsl_test_summary();
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
