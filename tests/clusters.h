/* clusters.h - nodes of a random system, joined anyhow. */
#ifndef GPUSCALE_TEST_CLUSTERS_H
#define GPUSCALE_TEST_CLUSTERS_H

#include "cases.h"

#include <gsl/gsl_test.h>
#include <stdio.h>

static inline void random_path(gscale_system *s, const char *group, rng *r)
{
  static const struct {
    const char *name;
    double least, most;
  } number[] = {{"overhead", 1e-8, 1e-5},
                {"latency", 1e-7, 1e-4},
                {"rate", 1e8, 1e11},
                {"node_rate", 1e8, 1e12},
                {"stage", 1e-13, 1e-9},
                {"messages", 1e4, 1e9},
                {"from", 1e2, 1e7},
                {"long_overhead", 1e-8, 1e-5},
                {"long_latency", 1e-7, 1e-4},
                {"long_rate", 1e8, 1e11},
                {"long_node_rate", 1e8, 1e12},
                {"long_stage", 1e-13, 1e-9}};
  char name[64];

  for (size_t i = 0; i < sizeof number / sizeof *number; i++) {
    snprintf(name, sizeof name, "%s.%s", group, number[i].name);
    set(s, name, spread(r, number[i].least, number[i].most), 0);
  }
}

/* Nodes of as many GPUs as the system has, joined anyhow. */
static inline void join(gscale_system *s, rng *r)
{
  const int kind = pick(r, GSCALE_NET_TOPOLOGY_END);
  const gscale_network n = {.nodes = 3,
                            .rails = 1 << pick(r, 4),
                            .leaf = kind == GSCALE_NET_RAILS ? 2 : 16,
                            .grows = true,
                            .kind = (gscale_net_topology)kind,
                            .link = *gscale_link_find("ib-edr")};

  gsl_test_int((int)gscale_system_set_network(s, &n, NULL), GSCALE_OK,
               "a network");
  random_path(s, "gpudirect", r);
  random_path(s, "hostpath", r);
  set(s, "network.efficiency", uniform(r, 0.2, 1), 0);
  set(s, "network.read", spread(r, 1e8, 1e12), 0);
  set(s, "network.taper", uniform(r, 0.05, 1), 0);
  set(s, "network.barrier", maybe(r, 1e-8, 1e-4), 0);
  set(s, "network.jitter", maybe(r, 1e-8, 1e-4), 0);
  set(s, "coll.net_start", maybe(r, 1e-7, 1e-4), 0);
  set(s, "coll.net_inside", maybe(r, 1e-7, 1e-5), 0);
  set(s, "coll.net_step", maybe(r, 1e-7, 1e-4), 0);
  set(s, "coll.net_rate", spread(r, 1e9, 1e12), 0);
}

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
