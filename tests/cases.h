/* cases.h - systems and workloads for tests, by hand and at random. */
#ifndef GPUSCALE_TEST_CASES_H
#define GPUSCALE_TEST_CASES_H

#include "random.h"

#include <assert.h>
#include <string.h>

static inline void set(gscale_system *s, const char *name, double v, double err)
{
  const gscale_param p = {v, err, err > 0 ? GSCALE_MEASURED : GSCALE_SPEC,
                          "test", GSCALE_BY_ORIGIN};
  const gscale_status st =
      gscale_system_set(s, gscale_param_find(name), &p, NULL);
  assert(st == GSCALE_OK);
  (void)st;
}

/* A system with awkward numbers; every parameter that costs something does. */
static inline gscale_system *some_system(gscale_topology t, const char *link)
{
  gscale_system *s = gscale_system_new("some");

  gscale_system_set_link(s, gscale_link_find(link), NULL);
  gscale_fabric f;

  gscale_fabric_init(&f, t);
  gscale_system_set_shape(s, &f, 8, true, 4, NULL);
  const gscale_can all = {GSCALE_PEER_ATOMICS, true, true};
  gscale_system_set_can(s, &all, NULL);
  set(s, "device.memory", 141e9, 0);
  set(s, "finepack.subheader", 5, 0);
  set(s, "device.sms", 132, 0);
  set(s, "device.threads", 2048, 0);
  set(s, "device.flops", 51e12, 1e12);
  set(s, "device.flops_fp64", 23e12, 1e12);
  set(s, "device.flops_fp64_tensor", 47e12, 1e12);
  set(s, "device.flops_tf32", 390e12, 9e12);
  set(s, "device.flops_fp16", 810e12, 9e12);
  set(s, "device.flops_fp8", 1700e12, 9e12);
  set(s, "device.membw", 4.1e12, 0.05e12);
  set(s, "device.start", 2.3e-6, 0.1e-6);
  set(s, "host.launch", 2.1e-6, 0.1e-6);
  set(s, "host.copy", 1.9e-6, 0.1e-6);
  set(s, "host.event", 0.7e-6, 0.1e-6);
  set(s, "host.launch_contention", 0.02, 0.01);
  set(s, "host.copy_contention", 0.15, 0.02);
  set(s, "host.sync", 5.7e-6, 0.3e-6);
  set(s, "host.sync_more", 1.1e-6, 0.1e-6);
  set(s, "host.barrier", 0.41e-6, 0.05e-6);
  set(s, "host.barrier_more", 0.13e-6, 0.02e-6);
  if (strcmp(link, "raw") == 0) set(s, "link.rate", 31e9, 0);
  set(s, "copy.efficiency", 0.97, 0.01);
  set(s, "copy.all_active", 0.96, 0.01);
  set(s, "copy.contended", 0.7, 0.03);
  set(s, "copy.initiation", 1.7e-6, 0.1e-6);
  set(s, "copy.latency", 1.3e-6, 0.1e-6);
  set(s, "copy.interference", 3.1e-14, 1e-14);
  set(s, "staged.rate", 21e9, 1e9);
  set(s, "staged.all_active", 0.83, 0.02);
  set(s, "staged.host", 60e9, 2e9);
  set(s, "staged.pinned", 27e9, 1e9);
  set(s, "staged.buffer", 3e5, 1e5);
  set(s, "staged.initiation", 15.7e-6, 1e-6);
  set(s, "staged.latency", 6.3e-6, 1e-6);
  set(s, "store.efficiency", 0.91, 0.02);
  set(s, "store.all_active", 0.94, 0.01);
  set(s, "store.rate", 7.3e9, 0.2e9);
  set(s, "store.wide_rate", 9.1e9, 0.2e9);
  set(s, "store.latency", 1.2e-6, 0.1e-6);
  set(s, "store.interference", 5.3e-14, 1e-14);
  set(s, "agent.thread_rate", 0.11e9, 0.01e9);
  set(s, "agent.turn", 190e-9, 10e-9);
  set(s, "agent.word", 31e-9, 1e-9);
  set(s, "agent.sm_rate", 47e9, 1e9);
  set(s, "agent.gap", 1.4e-6, 0.1e-6);
  set(s, "agent.latency", 2.6e-6, 0.2e-6);
  set(s, "agent.track", 1.9e-9, 0.2e-9);
  set(s, "store.ingress", 6.1e9, 0.1e9);
  set(s, "store.ingress_few", 0.2, 0.02);
  set(s, "copy.same", 0.68, 0.02);
  set(s, "store.same", 0.77, 0.02);
  set(s, "store.same_small", 0.78, 0.02);
  set(s, "atomic.same_small", 0.8, 0.02);
  set(s, "load.same", 0.71, 0.02);
  set(s, "atomic.same", 0.73, 0.02);
  set(s, "load.all_active", 0.81, 0.02);
  set(s, "atomic.all_active", 0.67, 0.02);
  set(s, "device.latency", 0.41e-6, 0.01e-6);
  set(s, "device.cache_latency", 0.17e-6, 0.01e-6);
  set(s, "cdp.gap", 0.23e-6, 0.02e-6);
  set(s, "cdp.latency", 13.7e-6, 0.4e-6);
  set(s, "cdp.start", 2.1e-6, 0.2e-6);
  set(s, "cdp.queue", 3.4e-6, 0.3e-6);
  set(s, "cdp.few", 1.2e-6, 0.1e-6);
  set(s, "device.l1", 262144, 0);
  set(s, "load.efficiency", 0.93, 0.01);
  set(s, "load.rate", 6.3e9, 0.1e9);
  set(s, "load.latency", 0.97e-6, 0.03e-6);
  set(s, "atomic.rate", 5.9e9, 0.2e9);
  set(s, "um.fault_start", 170e-6, 20e-6);
  set(s, "um.fault_rate", 13.3e9, 0.5e9);
  set(s, "um.prefetch_start", 21e-6, 1e-6);
  set(s, "um.prefetch_rate", 207e9, 5e9);
  set(s, "um.peer_start", 28e-6, 2e-6);
  set(s, "um.peer_rate", 181e9, 4e9);
  set(s, "um.touch_start", 310e-6, 30e-6);
  set(s, "um.touch_rate", 11.9e9, 0.5e9);
  assert(gscale_system_check(s, NULL) == GSCALE_OK);
  return s;
}

/* A workload of one phase. */
static inline gscale_workload *one_phase(gscale_phase p)
{
  gscale_workload *w = gscale_workload_new("one");
  const gscale_status st = gscale_workload_add(w, &p, NULL);
  assert(st == GSCALE_OK);
  (void)st;
  return w;
}

/* So many blocks that each publishes so much. */
static inline double blocks_of(const gscale_phase *p, double bytes)
{
  return p->publish / bytes;
}

static inline void add_blocks(gscale_phase *p, gscale_blocks b)
{
  p->group[p->groups++] = b;
}

static inline gscale_phase halo_phase(double n)
{
  gscale_phase p;

  gscale_phase_init(&p, "sweep");
  p.units = n;
  p.flop = 6 * n * n * n;
  p.bytes = 8 * n * n * n;
  p.footprint = 8 * n * n * n;
  p.to = GSCALE_TO_NEIGHBOURS;
  p.publish = 4 * n * n;
  p.blocks = n * blocks_of(&p, 1024);
  const gscale_blocks face = {
      .share = 1 / n, .per = GSCALE_PER_FACE, .publishes = 0.5};
  add_blocks(&p, face);
  add_blocks(&p, (gscale_blocks){.rest = true});
  add_blocks(&p, face);
  return p;
}

static inline gscale_phase gather_phase(double bytes, double work)
{
  gscale_phase p;

  gscale_phase_init(&p, "produce");
  p.units = floor(bytes / 4096);
  p.bytes = bytes * work;
  p.flop = bytes;
  p.footprint = bytes;
  p.to = GSCALE_TO_ALL;
  p.publish = bytes;
  return p;
}

static inline double maybe(rng *r, double low, double high)
{
  return pick(r, 3) ? spread(r, low, high) : 0;
}

/* A topology for n GPUs; a mesh of 8 with links missing here and there. */
static inline gscale_fabric random_fabric(rng *r)
{
  gscale_fabric f;

  gscale_fabric_init(&f, (gscale_topology)pick(r, GSCALE_TOPOLOGY_END));
  f.ingress = pick(r, 2) ? 1 : uniform(r, 0.3, 2);
  f.group = 1 + pick(r, 5);
  f.uplink = uniform(r, 0.2, 4);
  f.root = pick(r, 2) ? INFINITY : uniform(r, 0.5, 9);
  f.split = pick(r, 2) ? 0 : 64;
  f.arc = uniform(r, 0.1, 1);
  if (f.kind != GSCALE_MESH) return f;
  f.mesh_gpus = 8;
  f.staged = uniform(r, 0.05, 1);
  for (int i = 0; i < 8; i++)
    for (int j = 0; j < 8; j++)
      f.mesh[i][j] = i != j && pick(r, 4) ? uniform(r, 0.05, 0.5) : 0;
  if (pick(r, 2)) return f;
  f.staged = 0; /* relayed: GPU 0 is everybody's neighbour */
  for (int i = 1; i < 8; i++) f.mesh[0][i] = f.mesh[i][0] = uniform(r, 0.1, 1);
  return f;
}

/* Links of GPUs come before those between nodes. */
static inline int gpu_links(void)
{
  int n = 0;

  while (gscale_link_at((size_t)n) &&
         !gscale_link_between(gscale_link_at((size_t)n)))
    n++;
  return n;
}

static inline gscale_system *random_system(rng *r)
{
  const size_t link = (size_t)pick(r, gpu_links());
  gscale_system *s = some_system(GSCALE_SWITCH, gscale_link_at(link)->name);
  const gscale_fabric f = random_fabric(r);
  static const char *const times[] = {
      "device.start", "host.launch",     "host.copy",    "host.event",
      "host.sync",    "host.sync_more",  "host.barrier", "host.barrier_more",
      "agent.gap",    "copy.initiation", "copy.latency", "store.latency",
      "agent.latency"};
  static const char *const fractions[] = {
      "copy.efficiency",  "copy.all_active",   "store.efficiency",
      "store.all_active", "copy.contended",    "copy.same",
      "store.same",       "store.same_small",  "load.same",
      "load.all_active",  "atomic.all_active", "atomic.same"};

  for (size_t i = 0; i < sizeof times / sizeof *times; i++)
    set(s, times[i], maybe(r, 1e-8, 1e-4), 0);
  for (size_t i = 0; i < sizeof fractions / sizeof *fractions; i++)
    set(s, fractions[i], uniform(r, 0.2, 1), 0);
  gscale_system_set_shape(s, &f, 8, f.kind != GSCALE_MESH, 0, NULL);
  set(s, "device.flops", spread(r, 1e12, 1e14), 0);
  set(s, "device.membw", spread(r, 1e11, 1e13), 0);
  set(s, "link.rate", spread(r, 1e9, 1e12), 0);
  set(s, "link.duplex", uniform(r, 1, 2), 0);
  set(s, "host.launch_contention", maybe(r, 1e-3, 1), 0);
  set(s, "host.copy_contention", maybe(r, 1e-3, 1), 0);
  set(s, "copy.interference", maybe(r, 1e-15, 1e-11), 0);
  set(s, "store.interference", maybe(r, 1e-15, 1e-11), 0);
  set(s, "store.rate", spread(r, 1e7, 1e11), 0);
  rng aside = {~r->state}; /* what came later leaves the others as they were */
  set(s, "store.wide_rate", spread(&aside, 1e7, 1e11), 0);
  set(s, "store.reach", maybe(&aside, 1e6, 1e10), 0);
  set(s, "atomic.same_small", uniform(&aside, 0.5, 1), 0);
  set(s, "staged.ring", spread(&aside, 1e8, 1e11), 0);
  set(s, "staged.step", maybe(&aside, 1e-7, 1e-5), 0);
  set(s, "agent.thread_rate", spread(r, 1e6, 1e9), 0);
  set(s, "agent.track", maybe(r, 1e-11, 1e-7), 0);
  set(s, "agent.contention", spread(r, 1, 20), 0);
  set(s, "store.ingress", spread(r, 1e7, 1e11), 0);
  set(s, "store.ingress_few", uniform(r, 0, 1), 0);
  set(s, "device.latency", spread(r, 1e-8, 1e-5), 0);
  set(s, "device.cache_latency", spread(r, 1e-8, 1e-5), 0);
  set(s, "agent.hold", maybe(r, 1e-8, 1e-4), 0);
  set(s, "um.thrash_window", spread(r, 1e-6, 1e-2), 0);
  set(s, "store.line", pick(r, 2) ? INFINITY : spread(r, 1, 256), 0);
  set(s, "atomic.rate", spread(r, 1e7, 1e11), 0);
  set(s, "cdp.gap", spread(r, 1e-8, 1e-5), 0);
  set(s, "cdp.latency", spread(r, 1e-6, 1e-4), 0);
  set(s, "cdp.start", maybe(r, 1e-7, 1e-5), 0);
  set(s, "cdp.queue", maybe(r, 1e-7, 1e-5), 0);
  set(s, "cdp.few", maybe(r, 1e-7, 1e-5), 0);
  set(s, "device.l1", maybe(r, 1e4, 1e6), 0);
  set(s, "device.l2", maybe(r, 1e6, 1e8), 0);
  set(s, "load.efficiency", uniform(r, 0.2, 1), 0);
  set(s, "load.rate", spread(r, 1e7, 1e11), 0);
  set(s, "load.latency", spread(r, 1e-7, 1e-5), 0);
  set(s, "staged.rate", spread(r, 1e8, 1e11), 0);
  set(s, "staged.all_active", uniform(r, 0.2, 1), 0);
  set(s, "staged.host", pick(r, 2) ? INFINITY : spread(r, 1e9, 1e12), 0);
  set(s, "staged.buffer", maybe(r, 1e3, 1e7), 0);
  set(s, "staged.initiation", spread(r, 1e-7, 1e-4), 0);
  set(s, "staged.latency", maybe(r, 1e-7, 1e-4), 0);
  set(s, "um.fault_start", spread(r, 1e-5, 1e-3), 0);
  set(s, "um.fault_rate", spread(r, 1e8, 1e11), 0);
  set(s, "um.prefetch_start", spread(r, 1e-6, 1e-4), 0);
  set(s, "um.prefetch_rate", spread(r, 1e9, 1e12), 0);
  set(s, "um.touch_start", spread(r, 1e-5, 1e-3), 0);
  set(s, "um.touch_rate", spread(r, 1e8, 1e11), 0);
  const gscale_can host_only = {GSCALE_PEER_NONE, true, true};
  if (pick(r, 5) == 0) gscale_system_set_can(s, &host_only, NULL);
  if (pick(r, 2)) {
    gscale_curve c = {.n = (size_t)(1 + pick(r, 6))};
    double x = 1e4;
    for (size_t i = 0; i < c.n; i++) {
      c.x[i] = x *= spread(r, 2, 100);
      c.y[i] = uniform(r, 0.3, 3);
    }
    gscale_system_set_membw_curve(s, &c, NULL);
  }
  return s;
}

/* One to six groups, of which the first is the rest; some publish. */
static inline void random_blocks(rng *r, gscale_phase *p)
{
  double left = 1, publishes = 1;

  p->groups = (size_t)pick(r, GSCALE_BLOCKS_MAX + 1);
  for (size_t i = 0; i < p->groups; i++) {
    gscale_blocks *b = &p->group[i];
    const bool last = i + 1 == p->groups;

    *b = (gscale_blocks){.rest = i == 0,
                         .scattered = pick(r, 4) == 0,
                         .reads = pick(r, 3) == 0,
                         .kinds = (size_t)pick(r, GSCALE_PATH_MAX + 1),
                         .straggler = pick(r, 2) ? 0 : uniform(r, 0, 1)};
    b->publishes = last ? publishes : pick(r, 3) ? uniform(r, 0, publishes) : 0;
    publishes -= b->publishes;
    for (size_t k = 0; k < b->kinds; k++)
      b->path[k] =
          (gscale_loads){maybe(r, 1, 1e3), maybe(r, 1e4, 1e10), pick(r, 2)};
    if (b->rest) continue;
    b->per = (gscale_per)pick(r, GSCALE_PER_END);
    if (!(b->publishes > 0)) b->per = GSCALE_PER_GPU;
    b->share = pick(r, 4) ? uniform(r, 0, left) : 0;
    if (b->per == GSCALE_PER_FACE) b->share = uniform(r, 0.001, 0.3);
    if (b->per == GSCALE_PER_GPU) left -= b->share;
    rng aside = {~r->state};
    if (pick(&aside, 4) == 0) b->count = uniform(&aside, 1, 1e4);
    if (pick(&aside, 8) == 0) b->each = uniform(&aside, 1, 1e3);
  }
}

static inline bool has_faces(const gscale_phase *p)
{
  for (size_t i = 0; i < p->groups; i++)
    if (p->group[i].per == GSCALE_PER_FACE) return true;
  return false;
}

static inline gscale_phase random_phase(rng *r)
{
  gscale_phase p;

  gscale_phase_init(&p, "random");
  p.repeats = 1 + pick(r, 5);
  p.units = floor(spread(r, 1, 1e6));
  p.fetch = spread(r, 1, 256);
  p.loads = maybe(r, 1, 1e8);
  p.spread = maybe(r, 100, 1e9);
  p.atomic = pick(r, 4) == 0;
  rng aside = {~r->state};
  p.prefetch = pick(&aside, 2);
  p.serial = pick(r, 3) ? 0 : uniform(r, 0, 1);
  p.kernels = 1 + pick(r, 3);
  p.flop = spread(r, 1e4, 1e12);
  p.bytes = maybe(r, 1e4, 1e11);
  p.footprint = maybe(r, 1e4, 1e10);
  if (p.footprint > 1e7)
    p.gathered = (gscale_gathered){p.bytes / 3, p.footprint / 7};
  p.to = (gscale_pattern)pick(r, GSCALE_PATTERN_END);
  p.publish = maybe(r, 1, 1e9);
  p.copies = 1 + pick(r, 4);
  p.stores.n = (size_t)(1 + pick(r, 3));
  double left = 1;
  for (size_t i = 0; i < p.stores.n; i++) {
    p.stores.size[i] = floor(spread(r, 1, 300));
    p.stores.masked[i] = pick(r, 2);
    p.stores.share[i] = i + 1 < p.stores.n ? left * uniform(r, 0, 1) : left;
    left -= p.stores.share[i];
  }
  for (int k = 0; k < 4; k++) p.subscribers[k] = uniform(r, 0, 0.25);
  p.over = pick(r, 2) ? 1 : uniform(r, 1, 10);
  p.compute_max = pick(r, 2) ? 1 : uniform(r, 1, 3);
  p.egress_max = pick(r, 2) ? 1 : uniform(r, 1, 3);
  p.ingress_max = pick(r, 2) ? 1 : uniform(r, 1, 3);
  p.calls = (gscale_calls){pick(r, 3), pick(r, 2), pick(r, 2)};
  p.pack = (gscale_packing){pick(r, 3), maybe(r, 1e3, 1e9), maybe(r, 1e3, 1e9)};
  p.rewrites = pick(r, 2) ? 1 : uniform(r, 1, 5);
  p.read = pick(r, 2) ? 1 : uniform(r, 0, 1);
  p.blocks = blocks_of(&p, spread(r, 128, 65536));
  do random_blocks(r, &p);
  while (p.to == GSCALE_TO_NEIGHBOURS && !has_faces(&p));
  return p;
}

static inline gscale_workload *random_workload(rng *r)
{
  gscale_workload *w = gscale_workload_new("random");
  const int phases = 1 + pick(r, 3);

  for (int i = 0; i < phases; i++) {
    const gscale_phase p = random_phase(r);
    gscale_workload_add(w, &p, NULL);
  }
  if (pick(r, 2)) {
    const gscale_param single = {spread(r, 1e-6, 1), 1e-8, GSCALE_MEASURED,
                                 "test", GSCALE_BY_ORIGIN};
    gscale_workload_set_single(w, single, NULL);
  }
  gscale_host host = gscale_host_default;
  host.threads = pick(r, 3) ? 0 : 1 + pick(r, 9);
  host.streams = 1 + pick(r, 3);
  if (pick(r, 4) == 0) host.waits = (gscale_waits)pick(r, GSCALE_WAITS_END);
  host.order = (gscale_order)pick(r, GSCALE_ORDER_END);
  gscale_workload_set_host(w, &host, NULL);
  return w;
}

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
