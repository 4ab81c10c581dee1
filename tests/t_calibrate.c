/* t_calibrate.c - parameters come back from the times they would cause, and
 * from the measurements that are shipped. */

#include "cases.h"
#include "price/collectives.h"
#include "source.h"

#include <gsl/gsl_test.h>
#include <stdio.h>

/* ---- synthetic measurements
 * -------------------------------------------------- */

typedef struct rig {
  gscale_measurements *m;
  const gscale_system *s; /* the truth */
  rng r;
  double noise; /* relative */
} rig;

static double truth(const rig *g, const char *name)
{
  return gscale_system_get(g->s, gscale_param_find(name))->val;
}

static void add_row(rig *g, gscale_measurement r, const char *bench,
                    const char *access, double time)
{
  const double wobble = g->noise * uniform(&g->r, -1.7, 1.7);

  snprintf(r.bench, sizeof r.bench, "%s", bench);
  snprintf(r.access, sizeof r.access, "%s", access);
  snprintf(r.file, sizeof r.file, "%s.csv", bench);
  if (!*r.src) strcpy(r.src, "0");
  if (!*r.dst) strcpy(r.dst, "1");
  r.time = time * (1 + wobble);
  r.sigma = g->noise * time;
  r.line = (int)gscale_measurements_count(g->m) + 2;
  gsl_test_int((int)gscale_measurements_add(g->m, &r, NULL), GSCALE_OK, "%s",
               bench);
}

static void row_inflight(rig *g, const char *bench, const char *access,
                         int gpus, double size, double count, double threads,
                         double inflight, double time)
{
  add_row(g,
          (gscale_measurement){.gpus = gpus,
                               .size = size,
                               .count = count,
                               .threads = threads,
                               .inflight = inflight,
                               .repeats = 21},
          bench, access, time);
}

static void row(rig *g, const char *bench, const char *access, int gpus,
                double size, double count, double threads, double time)
{
  row_inflight(g, bench, access, gpus, size, count, threads, 1, time);
}

/* One item from `src` to GPU 1. */
static void row_between(rig *g, const char *src, const char *bench, double size,
                        double time)
{
  gscale_measurement r = {
      .gpus = 2, .size = size, .count = 1, .inflight = 1, .repeats = 21};

  snprintf(r.src, sizeof r.src, "%s", src);
  add_row(g, r, bench, "copy", time);
}

static double wire(const rig *g, gscale_access a, double bytes)
{
  return gscale_wire_bytes(gscale_system_about(g->s).link, a, bytes, false) /
         truth(g, "link.rate");
}

static void host_rows(rig *g)
{
  const double launch = truth(g, "host.launch"),
               start = truth(g, "device.start");
  const double sync = truth(g, "host.sync");

  for (int t = 1; t <= 8; t++) {
    const double l =
        launch * (1 + truth(g, "host.launch_contention") * (t - 1));
    const double c = truth(g, "host.copy") *
                     (1 + truth(g, "host.copy_contention") * (t - 1));
    const double barrier = t > 1 ? truth(g, "host.barrier") +
                                       truth(g, "host.barrier_more") * (t - 2)
                                 : 0;
    row(g, "issue_launch", "host", t, 0, 200, t, 200 * l);
    row(g, "issue_copy", "host", t, 4096, 200, t, 200 * c);
    row(g, "issue_event", "host", t, 0, 200, t, 200 * truth(g, "host.event"));
    row(g, "launch_sync", "host", t, 0, 200, t, 200 * (l + start + sync));
    row(g, "launch_sync2", "host", t, 0, 200, t,
        200 * (2 * l + start + sync + truth(g, "host.sync_more")));
    row(g, "launch_sync_barrier", "host", t, 0, 200, t,
        200 * (l + start + sync + barrier));
  }
  row(g, "kernel_gap", "kernel", 1, 0, 200, 32, 200 * start);
  for (double b = 1 << 20; b <= 8e9; b *= 2) {
    const double kernel = start + b / truth(g, "device.membw");
    row(g, "membw", "kernel", 1, b, 20, 1e5, 20 * kernel);
    if (b <= 3e8)
      row(g, "membw_sync", "host", 1, b, 20, 1, 20 * (launch + kernel + sync));
  }
}

/* Threads that share a GPU, for each GPU. */
static double sharing(const rig *g, int gpus, int threads)
{
  return gscale_timeline_crowd((threads + gpus - 1) / gpus,
                               truth(g, "share.room"));
}

static double slower(const rig *g, const char *crowd, const char *share,
                     int gpus, int threads)
{
  return threads > gpus ? 1 + truth(g, share) * sharing(g, gpus, threads)
                        : 1 + truth(g, crowd) * (threads - 1);
}

static void call_rows(rig *g, int gpus, int threads)
{
  static const struct {
    const char *bench, *issue, *crowd, *share;
  } calls[] = {
      {"call_launch", "host.launch", "host.launch_contention", "share.launch"},
      {"call_graph", "host.graph", "contention.graph", "share.graph"},
      {"call_graph8", "host.graph", "contention.graph", "share.graph"},
      {"call_memset", "host.memset", "contention.memset", "share.memset"},
      {"call_copy", "host.copy", "host.copy_contention", "share.copy"},
      {"call_d2h", "host.d2h", "contention.d2h", "share.d2h"},
      {"call_h2d", "host.h2d", "contention.h2d", "share.h2d"},
      {"call_record", "host.event", "contention.event", "share.event"},
      {"call_near", "host.event", "contention.event", "share.event"},
      {"call_far", "host.wait_remote", "contention.wait_remote",
       "share.wait_remote"},
      {"call_idle", "host.sync_more", "contention.sync", "share.sync"},
      {"call_done", "host.sync_event", "contention.sync_event",
       "share.sync_event"},
      {"call_device", "host.set_device", "contention.set_device",
       "share.set_device"},
  };

  for (size_t i = 0; i < sizeof calls / sizeof *calls; i++)
    row(g, calls[i].bench, "host", gpus, 0, 100, threads,
        100 * truth(g, calls[i].issue) *
            slower(g, calls[i].crowd, calls[i].share, gpus, threads));
}

/* A kernel of 12 us; a query takes 1.5 us. */
static void wake_rows(rig *g, int gpus, int threads)
{
  const double sync = truth(g, "host.sync"), wake = truth(g, "host.wake");
  const double c = threads > gpus ? sharing(g, gpus, threads) : 0;
  const double time = 12e-6 + sync * (1 + truth(g, "share.wake") * c);
  const double late = threads > gpus
                          ? truth(g, "share.straggle") * c
                          : truth(g, "host.straggle") +
                                truth(g, "host.straggle_more") * (threads - 2);

  row(g, "wake_stream", "host", gpus, 0, 20, threads, 20 * time);
  row(g, "wake_event", "host", gpus, 0, 20, threads, 20 * time);
  row(g, "wake_query", "host", gpus, 0, 20, threads,
      20 * (time - wake + 1.5e-6));
  row(g, "call_query", "host", gpus, 0, 100, threads, 100 * 1.5e-6);
  if (threads > 1)
    row(g, "wake_spread", "host", gpus, 0, 20, threads, 20 * 2 * late);
}

/* k takes 6.1 us, c 2.3 us, what is before the first of them 3 and 7 us. */
static void hand_rows(rig *g)
{
  const double k = 6.1e-6, c = 2.3e-6, first = 3e-6, before_copy = 7e-6;
  const double there = truth(g, "copy.latency");
  const double back = truth(g, "hand.copy_kernel");
  const double near = truth(g, "hand.near"), far = truth(g, "hand.remote");

  for (double n = 1; n <= 20; n += 19) {
    row(g, "hand_k", "kernel", 1, 0, n, 1, first + n * k);
    row(g, "hand_c", "kernel", 2, 0, n, 1, before_copy + n * c);
    row(g, "hand_kc", "kernel", 2, 0, n, 1,
        first + n * (k + there + c) + (n - 1) * back);
    row(g, "hand_kd", "kernel", 1, 0, n, 1,
        first + n * (k + there + c) + (n - 1) * back);
  }
  row(g, "hand_near", "kernel", 1, 0, 20, 1, first + 20 * (k + near));
  row(g, "hand_near_kc", "kernel", 2, 0, 20, 1,
      first + 10 * (k + there + c + back + 2 * near) - back);
  row(g, "hand_far", "kernel", 2, 0, 20, 1, first + 20 * (k + far));
  row(g, "hand_far_kc", "kernel", 2, 0, 20, 1,
      before_copy + 10 * (k + c + 2 * far));
  row(g, "hand_meet", "kernel", 2, 0, 20, 1,
      first + 20 * (k + truth(g, "hand.meet")));
}

static void timeline_rows(rig *g)
{
  for (int gpus = 1; gpus <= 4; gpus++) {
    call_rows(g, gpus, gpus);
    wake_rows(g, gpus, gpus);
  }
  for (int gpus = 1; gpus <= 4; gpus *= 2)
    for (int threads = 2 * gpus; threads <= 8; threads *= 2) {
      call_rows(g, gpus, threads);
      wake_rows(g, gpus, threads);
    }
  for (int t = 1; t <= 8; t++)
    row(g, "barrier_bare", "host", 1, 0, 1000, t,
        1000 * (t > 1 ? truth(g, "host.barrier_bare") +
                            truth(g, "host.barrier_bare_more") * (t - 2)
                      : 11e-9));
  hand_rows(g);
}

static void copy_rows(rig *g)
{
  const double init = truth(g, "copy.initiation");
  const double e = truth(g, "copy.efficiency");
  const double active = truth(g, "copy.all_active");
  const double latency = truth(g, "copy.latency"), idle = 3e-6;

  row(g, "null_kernel", "kernel", 1, 0, 1, 32, 4e-6);
  for (double b = 64; b <= 3e8; b *= 4) {
    const double w = wire(g, GSCALE_COPY, b) / e;
    row(g, "dma", "copy", 2, b, 32, 0, 32 * (init + w));
    row(g, "dma_single", "copy", 2, b, 1, 0, idle + init + w);
    if (b <= 4096)
      row(g, "dma_after_kernel", "copy", 2, b, 1, 0, 4e-6 + init + latency);
  }
  for (int n = 2; n <= 4; n++)
    for (double b = 65536; b <= 7e7; b *= 4) {
      const double w = wire(g, GSCALE_COPY, b) / e / active;
      row(g, "ring", "copy", n, b, n, 0, idle + init + w);
      row(g, "alltoall_row", "copy", n, b, n * (n - 1), 0,
          idle + (n - 1) * (init + w));
      row(g, "alltoall", "copy", n, b, n * (n - 1), 0,
          (idle + (n - 1) * (init + w)) *
              gscale_meeting(truth(g, "copy.contended"), n));
    }
  row(g, "overlap_none", "kernel", 1, 0, 4, 1e6, 4 * 500e-6);
  for (double b = 1e8; b < 1e9; b *= 2)
    row(g, "overlap_copy_both", "copy", 2, b, 4, 0,
        4 * 500e-6 + b / 2 * truth(g, "copy.interference"));
}

static void staged_rows(rig *g)
{
  const double rate = truth(g, "staged.rate"), idle = 3e-6;
  const double buffer = truth(g, "staged.buffer");
  const double init = truth(g, "staged.initiation");

  for (double b = 64; b <= 3e8; b *= 4) {
    const double one = init + (b + fmin(b, buffer)) / rate;
    row(g, "staged_copy", "copy", 2, b, 32, 0, 32 * one);
    if (b <= 4096)
      row(g, "staged_after_kernel", "copy", 2, b, 1, 32,
          4e-6 + init + truth(g, "staged.latency"));
  }
  for (int n = 2; n <= 4; n++)
    for (double b = 1 << 24; b <= 7e7; b *= 2)
      row(g, "staged_ring", "copy", n, b, n, 0,
          idle + init +
              b * fmax(1 / (rate * truth(g, "staged.all_active")),
                       n / truth(g, "staged.host")));
}

static void store_rows(rig *g)
{
  const double e = truth(g, "store.efficiency");
  const double packet = wire(g, GSCALE_STORE, 128) / e;

  for (double word = 4; word <= 16; word *= 2)
    row(g, "store_dense", "store", 2, word, 268435456 / word, 1e5,
        268435456 / 128.0 * packet);
  for (double run = 4; run <= 32; run *= 2)
    row(g, "store_scatter", "store", 2, run, 4194304, 1e5,
        4194304 / truth(g, "store.rate"));
  for (int n = 2; n <= 4; n++)
    for (double b = 16777216; b <= 7e7; b *= 4) {
      const double w =
          wire(g, GSCALE_STORE, b) / e / truth(g, "store.all_active");
      row(g, "ring", "store", n, b, n, 1e5, 5e-6 + w);
      row(g, "alltoall", "store", n, b, n * (n - 1), 1e5, 5e-6 + (n - 1) * w);
    }
  row(g, "flag_pingpong", "store", 2, 4, 200, 2,
      400 * truth(g, "store.latency"));
  for (double b = 1e8; b < 1e9; b *= 2) { /* all of it moved beside compute */
    const double alone = b / 300e9;
    const double time = 4 * 500e-6 + b * truth(g, "store.interference") / 2;
    const char *const ways[] = {"overlap_store_out", "overlap_store_in"};
    row(g, "copy_alone", "store", 2, b, 1, 4096, alone);
    for (int k = 0; k < 2; k++) {
      char t[32];
      snprintf(t, sizeof t, "%s_t", ways[k]);
      row(g, ways[k], "store", 2, b, 4, 4096, time);
      row(g, t, "store", 2, b, 1, 4096, time / 2);
    }
  }
}

/* Threads that carry 256 words each, a warp a block or all of an SM. */
static void carry_rows(rig *g)
{
  for (double loads = 1; loads <= 8; loads *= 2)
    for (double blocks = 1; blocks <= 8; blocks *= 2)
      row_inflight(
          g, "carry_copy", "store", 2, 131072, blocks, 32 * blocks, loads,
          truth(g, "device.start") + 256 / loads * truth(g, "agent.turn") +
              256 * truth(g, "agent.word"));
  for (double blocks = 1; blocks <= 4; blocks *= 2)
    row_inflight(g, "carry_copy", "store", 2, 4194304, blocks, 1024 * blocks, 8,
                 4194304 / truth(g, "agent.sm_rate"));
}

static void agent_rows(rig *g)
{
  for (double t = 256; t <= 2048; t *= 2)
    row(g, "agent_width", "store", 2, 67108864, 1, t,
        67108864 / t / truth(g, "agent.thread_rate"));
  for (double t = 1024; t <= 16384; t *= 4)
    row(g, "agent_chunk", "store", 2, 4096, 1024, t,
        1024 * truth(g, "agent.gap"));
  row(g, "agent_latency", "store", 2, 0, 200, 256, 200 * 2e-6);
  row(g, "agent_latency", "store", 2, 128, 200, 256,
      200 * (1e-6 + truth(g, "agent.latency")));
  row(g, "track_wait_off", "kernel", 1, 128, 262144, 1e5, 262144 * 3e-9);
  row(g, "track_wait_on", "kernel", 1, 128, 262144, 1e5,
      262144 * (3e-9 + truth(g, "agent.hold") / (132 * 8)));
  for (int k = 0; k < 3; k++) {
    row(g, "track_off", "kernel", 1, 4096, 65536, 1e5, 65536 * 2e-9);
    row(g, "track_on", "kernel", 1, 4096, 65536, 1e5,
        65536 * (2e-9 + truth(g, "agent.track")));
  }
}

static void cdp_rows(rig *g)
{
  const double gap = truth(g, "cdp.gap"), latency = truth(g, "cdp.latency");

  row(g, "cdp_none", "kernel", 1, 0, 1, 32, 5e-6);
  row(g, "cdp_launch", "kernel", 1, 0, 1, 32, 5e-6 + latency);
  for (double n = 128; n <= 4096; n *= 2)
    row_inflight(g, "cdp_launch", "kernel", 1, 0, n, 32, 128, 41e-6 + n * gap);
  for (double n = 2; n <= 16; n *= 2)
    row_inflight(g, "cdp_launch", "kernel", 1, 0, n, 4096, n,
                 5e-6 + latency + truth(g, "cdp.queue") +
                     (n - 1.0) * truth(g, "cdp.few"));
  row(g, "cdp_sync_plain", "host", 1, 0, 200, 32, 200 * 8e-6);
  row(g, "cdp_sync", "host", 1, 0, 200, 32,
      200 * (8e-6 + truth(g, "cdp.start")));
}

static void load_rows(rig *g)
{
  const double packet =
      wire(g, GSCALE_STORE, 128) / truth(g, "load.efficiency");

  for (double t = 32; t <= 1024; t *= 2)
    for (double flight = 1; flight <= 4; flight *= 4)
      row_inflight(g, "load_threads", "load", 2, 16, 2048 * t, t, flight,
                   2048 / flight * truth(g, "load.latency"));
  for (double t = 65536; t <= 262144; t *= 2)
    row(g, "load_threads", "load", 2, 16, 16777216, t, 16777216 / 8.0 * packet);
  row_between(g, "1", "load_latency", 4, truth(g, "device.cache_latency"));
  row_between(g, "1", "load_latency_memory", 4, truth(g, "device.latency"));
  row(g, "load_scatter", "load", 2, 4, 4e6, 1e5, 4e6 / truth(g, "load.rate"));
  row(g, "atomic_remote_scatter", "atomic", 2, 4, 2e6, 1e5,
      2e6 / truth(g, "atomic.rate"));
}

/* All of n GPUs use all others, `item` s for each of 1e6 runs of one. */
static void same_rows(rig *g, const char *access, double size, double item,
                      const char *c3)
{
  for (int n = 2; n <= 4; n++)
    row(g, "contend_same", access, n, size, 1e6 * n * (n - 1), 1e5,
        1e6 * (n - 1) * item * gscale_meeting(truth(g, c3), n));
}

static void both_ways_rows(rig *g, const char *access, double alone,
                           double active)
{
  for (int n = 2; n <= 4; n++) {
    const double t = 1e6 * (n - 1) * alone;
    row(g, "contend_out", access, n, 4, 1e6 * (n - 1), 1e5, t);
    row(g, "contend_rotated", access, n, 4, 1e6 * n * (n - 1), 1e5, t / active);
    row(g, "contend_mixed", access, n, 4, 1e6 * n * (n - 1), 1e5, t / active);
  }
}

static void contend_rows(rig *g)
{
  for (int n = 2; n <= 4; n++)
    for (double b = 16777216; b <= 7e7; b *= 4) {
      const double apart = (n - 1) * b / 380e9;
      row(g, "contend_rotated", "copy", n, b, n * (n - 1), 0, apart);
      row(g, "contend_same", "copy", n, b, n * (n - 1), 0,
          apart * gscale_meeting(truth(g, "copy.same"), n));
    }
  same_rows(g, "store", 128, 1 / 2.8e9, "store.same");
  same_rows(g, "load", 128, 1 / 2.6e9, "load.same");
  same_rows(g, "atomic", 128, 1 / 1.4e9, "atomic.same");
  same_rows(g, "store", 8, 1 / 9.1e9, "store.same_small");
  same_rows(g, "load", 4, 1 / 6.3e9, "store.same_small");
  for (int n = 2; n <= 4; n++)
    for (double size = 4; size <= 32; size *= 2)
      row(g, "scatter_in", "store", n, size, 1e6 * (n - 1), 1e5,
          1e6 * (n - 1) *
              fmax(1 / 8e9,
                   gscale_ingress(truth(g, "store.ingress"),
                                  truth(g, "store.ingress_few"), n - 1.0)));
  both_ways_rows(g, "load", 1 / 8.2e9, truth(g, "load.all_active"));
  both_ways_rows(g, "atomic", 1 / 6.3e9, truth(g, "atomic.all_active"));
}

/* Small atomics; words of 8 and 16 B, over 128 MiB to 2 GiB. */
static void word_rows(rig *g)
{
  same_rows(g, "atomic", 4, 1 / 6.3e9, "atomic.same_small");
  for (double word = 8; word <= 16; word *= 2) {
    const double wide = truth(g, "store.wide_rate");
    row(g, "scatter_all", "store", 2, word, 2 * 1048576, 1e5, 1048576 / wide);
    for (double slots = 262144; slots <= 4194304; slots *= 4)
      row(g, "store_words", "store", 2, word, slots, 1e5,
          slots / (slots < 4e6 ? wide : truth(g, "store.rate")));
  }
}

static void managed_rows(rig *g)
{
  static const struct {
    const char *bench, *from, *name;
  } moved[] = {{"um_migrate", "0", "um.fault"},
               {"um_prefetch", "h", "um.prefetch"},
               {"um_prefetch", "0", "um.peer"},
               {"um_fault", "h", "um.touch"}};

  for (size_t i = 0; i < sizeof moved / sizeof *moved; i++)
    for (double b = 2097152; b < 3e8; b *= 2) {
      char start[32], rate[32];
      snprintf(start, sizeof start, "%s_start", moved[i].name);
      snprintf(rate, sizeof rate, "%s_rate", moved[i].name);
      row_between(g, moved[i].from, moved[i].bench, b,
                  truth(g, start) + b / truth(g, rate));
    }
}

/* In the switch on eight GPUs, where that is faster. */
static void collective_rows(rig *g)
{
  static const struct {
    const char *bench;
    gscale_coll_kind kind;
  } kinds[] = {{"allreduce", GSCALE_COLL_ALL_REDUCE},
               {"allgather", GSCALE_COLL_ALL_GATHER},
               {"broadcast_gate", GSCALE_COLL_BROADCAST},
               {"alltoall", GSCALE_COLL_ALL_TO_ALL},
               {"ring", GSCALE_COLL_SEND_RECV}};

  for (int n = 2; n <= 8; n++) {
    gscale_coll_machine m = gscale__coll_machine(
        SOURCE_OF(g->s), GSCALE_COLL_KIND_END,
        gscale__coll_goodput(gscale_system_about(g->s).link), 8, 0);
    if (n < 8) m.in_switch = 0;
    row(g, "nccl_issue", "host", n, 8, 1, 1, n * truth(g, "coll.issue"));
    for (size_t i = 0; i < 5; i++)
      for (double b = 8; b <= 1 << 28; b *= 4) {
        const bool all = kinds[i].kind == GSCALE_COLL_ALL_TO_ALL;
        const gscale_coll_call c = {kinds[i].kind, n, all ? n * b : b, 1, 1,
                                    true};
        const double items = all ? n * (n - 1) : i == 4 ? n : 1;
        gscale_measurement r = {.gpus = n, .size = b, .count = items};
        strcpy(r.src, "all");
        strcpy(r.dst, "all");
        add_row(g, r, kinds[i].bench, "kernel",
                gscale_coll_best(&m, &c, GSCALE_COLL_ALGORITHM_END,
                                 GSCALE_COLL_PROTOCOL_END)
                    .total);
      }
  }
}

/* In a mesh nothing adds up, however fast all its links together are. */
static void no_switch_in_a_mesh(void)
{
  rig g = {
      gscale_measurements_new(), some_system(GSCALE_SWITCH, "nvlink2"), {1}, 0};
  gscale_system *s = some_system(GSCALE_SWITCH, "nvlink2");
  gscale_calibration report;
  gscale_diag why = {""};
  gscale_fabric f;

  gscale_fabric_init(&f, GSCALE_MESH);
  f.mesh_gpus = 8;
  f.staged = 0.07;
  for (int i = 0; i < 8; i++)
    for (int k = 0; k < 8; k++)
      f.mesh[i][k] = i != k && (i / 4 == k / 4 || i % 4 == k % 4) ? 0.25 : 0;
  gsl_test_int((int)gscale_system_set_shape(s, &f, 8, false, 0, &why),
               GSCALE_OK, "%s", why.text);
  set((gscale_system *)g.s, "coll.switch", 0, 0);
  collective_rows(&g);
  gsl_test_int((int)gscale_calibrate(s, g.m, &report, &why), GSCALE_OK, "%s",
               why.text);
  gsl_test(report.of[GSCALE_COLL_SWITCH].fitted, "coll.switch of a mesh");
  gscale_calibration_free(&report);
  gscale_measurements_free(g.m);
  gscale_system_free((gscale_system *)g.s);
  gscale_system_free(s);
}

static void all_rows(rig *g)
{
  host_rows(g);
  copy_rows(g);
  staged_rows(g);
  store_rows(g);
  agent_rows(g);
  carry_rows(g);
  cdp_rows(g);
  load_rows(g);
  contend_rows(g);
  managed_rows(g);
  timeline_rows(g);
  collective_rows(g);
  word_rows(g);
  for (double b = 1048576; b <= 3e8; b *= 2) {
    const double start = truth(g, "copy.initiation");
    row(g, "dma_pinned", "copy", 1, b, 1, 0,
        start + b / truth(g, "staged.pinned"));
    row(g, "dma_pageable", "copy", 1, b, 1, 0,
        start + b / truth(g, "staged.pageable"));
  }
}

/* The sheet's, or read off the data without a fit of their own. */
static bool has_no_rows(size_t id)
{
  return id == GSCALE_LINK_RATE || id == GSCALE_LINK_DUPLEX ||
         id == GSCALE_DEVICE_L1 || id == GSCALE_DEVICE_L2 ||
         id == GSCALE_AGENT_CONTENTION || id == GSCALE_STORE_LINE ||
         id == GSCALE_ATOMIC_MERGE || id == GSCALE_STORE_REACH ||
         id == GSCALE_CDP_WAITS || id == GSCALE_CDP_AT_ONCE ||
         id == GSCALE_UM_THRASH_WINDOW || id == GSCALE_STAGED_RING ||
         id == GSCALE_STAGED_STEP || id == GSCALE_COLL_CHANNELS ||
         id == GSCALE_COLL_VERSION ||
         (id >= GSCALE_COLL_NET_START && id <= GSCALE_MPI_OFF) ||
         id >= GSCALE_GPS_ENTRIES; /* hardware that nobody can measure; several
                                    * nodes and MPI, which t_nodes.c and t_mpi.c
                                    * have */
}

/* A base with other numbers of the same kind of machine. */
static gscale_system *other_system(void)
{
  gscale_system *s = some_system(GSCALE_SWITCH, "nvlink4");

  for (size_t id = GSCALE_DEVICE_MEMBW; id < GSCALE_PARAM_END; id++) {
    const gscale_param_info *info = gscale_param_info_at(id);
    if (has_no_rows(id)) continue;
    const double v = gscale_system_get(s, (gscale_param_id)id)->val * 0.7;
    set(s, info->name, fmax(v, info->least), 0.1 * v);
  }
  return s;
}

/* ---- tests
 * -------------------------------------------------------------------------- */

static void recovery(void)
{
  rig g = {
      gscale_measurements_new(), some_system(GSCALE_SWITCH, "nvlink4"), {1}, 0};
  gscale_system *s = other_system();
  gscale_calibration report;
  gscale_diag why = {""};

  set((gscale_system *)g.s, "agent.hold", 2.3e-6, 0);
  set((gscale_system *)g.s, "coll.switch", 0.73, 0);
  all_rows(&g);
  gsl_test_int((int)gscale_calibrate(s, g.m, &report, &why), GSCALE_OK, "%s",
               why.text);
  for (size_t id = GSCALE_DEVICE_MEMBW; id < GSCALE_PARAM_END; id++) {
    const char *name = gscale_param_info_at(id)->name;
    if (has_no_rows(id)) continue;
    gsl_test(!report.of[id].fitted, "%s: %s", name, report.of[id].note);
    gsl_test_rel(gscale_system_get(s, (gscale_param_id)id)->val,
                 truth(&g, name), 1e-6, "%s comes back", name);
  }
  gsl_test_rel(gscale_system_get(s, GSCALE_STORE_REACH)->val, 1073741824, 1e-12,
               "between 512 MiB and 2 GiB");
  for (size_t id = 0; id < GSCALE_PARAM_END; id++) {
    const gscale_param_info *info = gscale_param_info_at(id);
    gsl_test(report.of[id].fitted && strcmp(info->recipe, "none") == 0,
             "%s: its row names no recipe", info->name);
  }
  gsl_test_int((int)gscale_system_about(s).membw->n, 13, "1 MiB ... 4 GiB");
  gsl_test(report.of[GSCALE_LINK_RATE].fitted, "the rate is the sheet's");
  gscale_calibration_free(&report);
  gscale_measurements_free(g.m);
  gscale_system_free((gscale_system *)g.s);
  gscale_system_free(s);
}

/* Where a copy that waited was timed, its latency is that one's. */
static void copies_that_wait(void)
{
  rig g = {
      gscale_measurements_new(), some_system(GSCALE_SWITCH, "nvlink4"), {3}, 0};
  gscale_system *s = other_system();
  gscale_calibration report;
  const double latency = 5.3e-6;

  all_rows(&g);
  for (int gpus = 1; gpus <= 4; gpus++) {
    const double without = 27e-6 + gpus * 1e-7;
    row(&g, "wait_sync", "host", gpus, 0, 200, gpus, 200 * without);
    row(&g, "wait_copy_sync", "host", gpus, 4096, 200, gpus,
        200 * (without + truth(&g, "copy.initiation") + latency));
  }
  gsl_test_int((int)gscale_calibrate(s, g.m, &report, NULL), GSCALE_OK,
               "waits");
  gsl_test_rel(gscale_system_get(s, GSCALE_COPY_LATENCY)->val, latency, 1e-6,
               "what a copy waits that has waited");
  gscale_calibration_free(&report);
  gscale_measurements_free(g.m);
  gscale_system_free((gscale_system *)g.s);
  gscale_system_free(s);
}

static void noisy_and_repeatable(void)
{
  rig g = {gscale_measurements_new(),
           some_system(GSCALE_SWITCH, "nvlink4"),
           {2},
           0.01};
  gscale_system *s = other_system(), *t = other_system();
  gscale_calibration report, again;
  int far = 0, differ = 0;

  all_rows(&g);
  gsl_test_int((int)gscale_calibrate(s, g.m, &report, NULL), GSCALE_OK,
               "1 %% of noise: no fit is refused");
  gsl_test_int((int)gscale_calibrate(t, g.m, &again, NULL), GSCALE_OK, "again");
  for (size_t id = 0; id < GSCALE_PARAM_END; id++) {
    const gscale_calibrated *c = &report.of[id];
    gsl_test(strstr(c->note, "refused") != NULL, "%s: %s",
             gscale_param_info_at(id)->name, c->note);
    if (!c->fitted) continue;
    if (id >= GSCALE_COLL_OFF_SMALL && id <= GSCALE_COLL_OFF_LARGE)
      continue; /* what the noise makes them */
    differ += c->value != again.of[id].value || c->err != again.of[id].err;
    far += fabs(c->value - truth(&g, gscale_param_info_at(id)->name)) >
           5 * c->err + 0.02 * c->value;
  }
  gsl_test_int(differ, 0, "the same bits again");
  gsl_test_int(far, 0, "1 %% of noise: nothing is far off");
  gscale_calibration_free(&report);
  gscale_calibration_free(&again);
  gscale_measurements_free(g.m);
  gscale_system_free((gscale_system *)g.s);
  gscale_system_free(s);
  gscale_system_free(t);
}

/* A row of one GPU says nothing of GPUs that meet. */
static void one_meets_nobody(void)
{
  double same[2];

  for (int alone = 0; alone < 2; alone++) {
    rig g = {gscale_measurements_new(),
             some_system(GSCALE_SWITCH, "nvlink4"),
             {7},
             0};
    gscale_system *s = other_system();
    gscale_calibration report;

    same_rows(&g, "store", 128, 1 / 2.8e9, "store.same");
    if (alone) row(&g, "contend_same", "store", 1, 128, 1e6, 1e5, 3e-3);
    gsl_test_int((int)gscale_calibrate(s, g.m, &report, NULL), GSCALE_OK,
                 "stores that meet");
    same[alone] = report.of[GSCALE_STORE_SAME].value;
    gscale_calibration_free(&report);
    gscale_measurements_free(g.m);
    gscale_system_free((gscale_system *)g.s);
    gscale_system_free(s);
  }
  gsl_test_rel(same[1], same[0], 0, "    ... and one that meets nobody");
}

/* 64 all-reduces on eight GPUs, as many as there is room for at first. */
static void switch_of_64_rows(void)
{
  rig g = {
      gscale_measurements_new(), some_system(GSCALE_SWITCH, "nvlink4"), {2}, 0};
  gscale_system *s = some_system(GSCALE_SWITCH, "nvlink4");
  gscale_calibration report;
  double b = 1024;

  set((gscale_system *)g.s, "coll.switch", 0.8, 0);
  const gscale_coll_machine m = gscale__coll_machine(
      SOURCE_OF(g.s), GSCALE_COLL_KIND_END,
      gscale__coll_goodput(gscale_system_about(g.s).link), 8, 0);
  for (int i = 0; i < 64; i++, b *= 1.25) {
    const gscale_coll_call c = {GSCALE_COLL_ALL_REDUCE, 8, b, 1, 1, true};
    gscale_measurement r = {.gpus = 8, .size = b, .count = 1};
    strcpy(r.src, "all");
    strcpy(r.dst, "all");
    add_row(&g, r, "allreduce", "kernel",
            gscale_coll_best(&m, &c, GSCALE_COLL_ALGORITHM_END,
                             GSCALE_COLL_PROTOCOL_END)
                .total);
  }
  gsl_test_int((int)gscale_calibrate(s, g.m, &report, NULL), GSCALE_OK,
               "64 all-reduces");
  gsl_test_rel(report.of[GSCALE_COLL_SWITCH].value, truth(&g, "coll.switch"),
               0.02, "    ... in the switch: %s",
               report.of[GSCALE_COLL_SWITCH].note);
  gsl_test(!report.of[GSCALE_COLL_SWITCH].fitted, "    ... is fitted");
  gscale_calibration_free(&report);
  gscale_measurements_free(g.m);
  gscale_system_free((gscale_system *)g.s);
  gscale_system_free(s);
}

static void what_is_missing(void)
{
  rig g = {
      gscale_measurements_new(), some_system(GSCALE_SWITCH, "nvlink4"), {3}, 0};
  gscale_system *s = other_system();
  gscale_calibration report;
  gscale_diag why = {""};
  const double before = gscale_system_get(s, GSCALE_COPY_INITIATION)->val;

  gsl_test_int((int)gscale_calibrate(s, g.m, &report, &why), GSCALE_EDATA,
               "nothing: %s", why.text);
  row(&g, "unheard_of", "copy", 1, 1, 1, 1, 1e-6);
  gsl_test_int((int)gscale_calibrate(s, g.m, &report, &why), GSCALE_EDATA,
               "nothing known: %s", why.text);
  store_rows(&g);
  gsl_test_int((int)gscale_calibrate(s, g.m, &report, &why), GSCALE_OK,
               "stores only");
  gsl_test(report.of[GSCALE_COPY_INITIATION].fitted, "no copies");
  gsl_test_str(report.of[GSCALE_COPY_INITIATION].note, "not measured", "said");
  gsl_test_rel(gscale_system_get(s, GSCALE_COPY_INITIATION)->val, before, 0,
               "the base stays");
  gsl_test_int((int)report.unused, 1, "one row of no use");
  gsl_test_str(report.unused_benches, "unheard_of", "by name");
  gscale_calibration_free(&report);
  gscale_measurements_free(g.m);
  gscale_system_free((gscale_system *)g.s);
  gscale_system_free(s);
}

/* 7 names of 30 letters, and one of 31 that just fits; one that does not. */
static void many_unused(void)
{
  rig g = {
      gscale_measurements_new(), some_system(GSCALE_SWITCH, "nvlink4"), {3}, 0};
  gscale_system *s = other_system();
  gscale_calibration report;
  char name[9][32], want[256] = "";

  store_rows(&g);
  for (int i = 0; i < 9; i++) {
    memset(name[i], 'a' + i, 31);
    name[i][i == 7 ? 31 : 30] = '\0';
    row(&g, name[i], "copy", 1, 1, 1, 1, 1e-6);
    if (i < 8) {
      strcat(want, i > 0 ? ", " : "");
      strcat(want, name[i]);
    }
  }
  gsl_test_int((int)gscale_calibrate(s, g.m, &report, NULL), GSCALE_OK,
               "many of no use");
  gsl_test_int((int)report.unused, 9, "many of no use: rows");
  gsl_test_int((int)strlen(want), 255, "many of no use: as long as fits");
  gsl_test_str(report.unused_benches, want, "many of no use: names");
  gscale_calibration_free(&report);
  gscale_measurements_free(g.m);
  gscale_system_free((gscale_system *)g.s);
  gscale_system_free(s);
}

/* ---- fabrics that are no switch ------------------------------------------ */

/* Four GPUs, one quarter of a port between any two, half of it between 0 and 1,
 * and 2 and 3 reached by way of the host only. */
static gscale_system *meshed(double scale)
{
  gscale_system *s = some_system(GSCALE_SWITCH, "nvlink1");
  gscale_fabric f;

  gscale_fabric_init(&f, GSCALE_MESH);
  f.mesh_gpus = 4;
  f.staged = 0.07;
  for (int i = 0; i < 4; i++)
    for (int j = 0; j < 4; j++) f.mesh[i][j] = i == j ? 0 : 0.25;
  f.mesh[0][1] = f.mesh[1][0] = 0.5;
  f.mesh[2][3] = f.mesh[3][2] = 0;
  gscale_system_set_shape(s, &f, 4, false, 0, NULL);
  set(s, "copy.efficiency", 0.97 * scale, 0);
  set(s, "copy.all_active", 0.96 * scale, 0);
  set(s, "store.efficiency", 0.91 * scale, 0);
  set(s, "store.all_active", 0.94 * scale, 0);
  set(s, "load.efficiency", 0.93 * scale, 0);
  return s;
}

static void pair_row(rig *g, int src, int dst, const char *bench,
                     const char *access, double size, double count,
                     double threads, double time)
{
  gscale_measurement r = {.gpus = 2,
                          .size = size,
                          .count = count,
                          .threads = threads,
                          .inflight = 1,
                          .repeats = 21};

  snprintf(r.src, sizeof r.src, "%d", src);
  snprintf(r.dst, sizeof r.dst, "%d", dst);
  add_row(g, r, bench, access, time);
}

static void pair_rows(rig *g, int src, int dst, double ports)
{
  const double line = wire(g, GSCALE_STORE, 128) * ports;

  for (double b = 65536; b <= 3e8; b *= 16)
    pair_row(
        g, src, dst, "dma", "copy", b, 32, 0,
        32 * (truth(g, "copy.initiation") +
              ports * wire(g, GSCALE_COPY, b) / truth(g, "copy.efficiency")));
  pair_row(g, src, dst, "store_dense", "store", 16, 1 << 24, 1e5,
           (1 << 21) * line / truth(g, "store.efficiency"));
  pair_row(g, src, dst, "load_threads", "load", 16, 1 << 24, 1e5,
           (1 << 21) * line / truth(g, "load.efficiency"));
}

static void of_a_mesh(void)
{
  static const char *const names[] = {"copy.efficiency", "copy.all_active",
                                      "store.efficiency", "store.all_active",
                                      "load.efficiency"};
  rig g = {gscale_measurements_new(), meshed(1), {4}, 0};
  gscale_system *s = meshed(0.8);
  gscale_calibration report;
  gscale_diag why = {""};

  pair_rows(&g, 0, 1, 2);
  pair_rows(&g, 0, 2, 4);
  pair_rows(&g, 3, 1, 4);
  pair_rows(&g, 2, 3, 1 / 0.07);
  for (double b = 16777216; b <= 7e7; b *= 4) {
    const double copy = truth(&g, "copy.efficiency"),
                 store = truth(&g, "store.efficiency"),
                 c = wire(&g, GSCALE_COPY, b) / copy /
                     truth(&g, "copy.all_active"),
                 w = wire(&g, GSCALE_STORE, b) / store /
                     truth(&g, "store.all_active");
    const double init = truth(&g, "copy.initiation");
    /* to the next: 2 to 3 and 1 to 2 are slowest; three GPUs have 1/4 at most;
     * to all: the way between 2 and 3 again */
    row(&g, "ring", "copy", 4, b, 4, 0, 5e-6 + init + c / 0.07);
    row(&g, "ring", "copy", 3, b, 3, 0, 5e-6 + init + 4 * c);
    row(&g, "ring", "store", 2, b, 2, 1e5, 5e-6 + 2 * w);
    row(&g, "alltoall_row", "copy", 3, b, 6, 0, 5e-6 + 2 * init + 8 * c);
    row(&g, "alltoall", "store", 3, b, 6, 1e5, 5e-6 + 4 * w);
    row(&g, "alltoall", "store", 4, b, 12, 1e5, 5e-6 + w / 0.07);
  }
  gsl_test_int((int)gscale_calibrate(s, g.m, &report, &why), GSCALE_OK, "%s",
               why.text);
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    gsl_test_rel(gscale_system_get(s, gscale_param_find(names[i]))->val,
                 truth(&g, names[i]), 1e-6, "of a mesh: %s comes back",
                 names[i]);
  gscale_calibration_free(&report);

  pair_row(&g, 1, 6, "dma", "copy", 65536, 1, 0, 1e-5);
  gsl_test_int((int)gscale_calibrate(s, g.m, &report, &why), GSCALE_EDATA, "%s",
               why.text);
  gscale_measurements_free(g.m);
  gscale_system_free((gscale_system *)g.s);
  gscale_system_free(s);
}

static gscale_system *joined(const gscale_fabric *f, double scale)
{
  gscale_system *s = some_system(GSCALE_SWITCH, "nvlink1");

  gscale_system_set_shape(s, f, 4, false, 0, NULL);
  set(s, "copy.efficiency", 0.97 * scale, 0);
  set(s, "copy.all_active", 0.96 * scale, 0);
  set(s, "store.efficiency", 0.91 * scale, 0);
  set(s, "load.efficiency", 0.93 * scale, 0);
  return s;
}

/* Four GPUs of a fabric: ports' worth of a byte from 0 to 1 and from 0 to 2,
 * and of messages to the next, and to all in a row. */
static void of_a_fabric(const gscale_fabric *f, double near, double far,
                        double ring, double all)
{
  static const char *const names[] = {"copy.efficiency", "copy.all_active",
                                      "store.efficiency", "load.efficiency"};
  rig g = {gscale_measurements_new(), joined(f, 1), {4}, 0};
  gscale_system *s = joined(f, 0.8);
  gscale_calibration report;
  gscale_diag why = {""};

  pair_rows(&g, 0, 1, near);
  pair_rows(&g, 3, 2, near);
  pair_rows(&g, 0, 2, far);
  pair_rows(&g, 3, 1, far);
  for (double b = 16777216; b <= 7e7; b *= 4) {
    const double c = wire(&g, GSCALE_COPY, b) / truth(&g, "copy.efficiency") /
                     truth(&g, "copy.all_active");
    const double init = truth(&g, "copy.initiation");
    row(&g, "ring", "copy", 4, b, 4, 0, 5e-6 + init + ring * c);
    row(&g, "alltoall_row", "copy", 4, b, 12, 0, 5e-6 + 3 * init + all * c);
  }
  gsl_test_int((int)gscale_calibrate(s, g.m, &report, &why), GSCALE_OK, "%s",
               why.text);
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    gsl_test_rel(gscale_system_get(s, gscale_param_find(names[i]))->val,
                 truth(&g, names[i]), 1e-6, "of a %s: %s comes back",
                 gscale_topology_name(f->kind), names[i]);
  gscale_calibration_free(&report);
  gscale_measurements_free(g.m);
  gscale_system_free((gscale_system *)g.s);
  gscale_system_free(s);
}

static void of_a_tree(void)
{
  /* Pairs below an uplink of half a port.  To the next: 1 to 2 and 3 to 0 go
   * up; two further on all do, two from each pair; three further on, as one. */
  gscale_fabric f;

  gscale_fabric_init(&f, GSCALE_TREE);
  f.uplink = 0.5;
  of_a_fabric(&f, 1, 2, 2, 2 + 4 + 2);
}

static void of_a_ring(void)
{
  /* Arcs of 0.4 of a port; two further on a message goes half either way. */
  gscale_fabric f;

  gscale_fabric_init(&f, GSCALE_RING);
  f.arc = 0.4;
  of_a_fabric(&f, 1 / 0.4, 0.5 / 0.4, 1 / 0.4, (1 + 1 + 1) / 0.4);
}

static void of_a_bus(void)
{
  /* One transfer at a time. */
  gscale_fabric f;

  gscale_fabric_init(&f, GSCALE_BUS);
  of_a_fabric(&f, 1, 1, 4, 12);
}

/* ---- fits that mean nothing ---------------------------------------------- */

/* Of messages in the middle of the sizes, every one takes `times` as long. */
static gscale_status with_a_hole(double times, gscale_diag *why)
{
  rig g = {
      gscale_measurements_new(), some_system(GSCALE_SWITCH, "nvlink4"), {5}, 0};
  gscale_system *s = other_system();
  gscale_calibration report;

  for (double b = 1; b <= 5e6; b *= 2) {
    const double t = 3e-6 + b / 12e9, hole = b > 8192 && b < 2e6 ? times : 1;
    row(&g, "dma", "copy", 2, b, 1, 0, hole * t);
  }
  const gscale_status st = gscale_calibrate(s, g.m, &report, why);
  if (st == GSCALE_OK) gscale_calibration_free(&report);
  gsl_test(
      st != GSCALE_OK &&
          !(gscale_system_get(s, GSCALE_COPY_EFFICIENCY)->val == 0.97 * 0.7),
      "a refusal leaves the system as it was");
  gscale_measurements_free(g.m);
  gscale_system_free((gscale_system *)g.s);
  gscale_system_free(s);
  return st;
}

static void bad_fits(void)
{
  gscale_diag why = {""};

  gsl_test_int((int)with_a_hole(1, &why), GSCALE_OK, "a line");
  gsl_test_int((int)with_a_hole(1.5, &why), GSCALE_OK, "nearly a line");
  gsl_test_int((int)with_a_hole(300, &why), GSCALE_EDATA, "%s", why.text);
  gsl_test(strstr(why.text, "dma.csv:") == NULL, "it names the worst point");
}

/* ---- measured curves: the shipped ones and others'
 * ------------------------------------ */

static void read_of(gscale_measurements *m, const char *machine,
                    const char *file)
{
  const char *root = getenv("SRC");
  gscale_diag why = {""};
  char path[512];

  snprintf(path, sizeof path, "%s/data/%s/micro/%s.csv", root ? root : ".",
           machine, file);
  gsl_test_int((int)gscale_measurements_read(m, path, &why), GSCALE_OK, "%s",
               why.text);
}

static void read_shipped(gscale_measurements *m, const char *file)
{
  read_of(m, "h200x8", file);
}

/* What the finished model says of a bench. */
static const gscale_fit *curve_of(const gscale_calibration *c,
                                  const char *bench)
{
  static const gscale_fit none = {.mean_abs = INFINITY};

  for (size_t i = 0; i < c->fits; i++)
    if (c->fit[i].of.terms == 0 && strcmp(c->fit[i].benches, bench) == 0)
      return &c->fit[i].of;
  return &none;
}

/* Mean |error| of the points of a fit from a size on. */
static double error_from(const gscale_calibration *c, gscale_param_id id,
                         double least)
{
  const gscale_calibration_fit *f = &c->fit[c->of[id].fit];
  double sum = 0, n = 0;

  for (size_t i = 0; i < f->n; i++) {
    const gscale_fit_point *p = &c->point[f->first + i];
    if (p->from->size < least) continue;
    sum += fabs(p->model / p->measured - 1);
    n++;
  }
  return sum / n;
}

static void shipped_curves(void)
{
  static const char *const files[] = {"dma",   "store", "exchange", "launch",
                                      "membw", "agent", "overlap",  "track"};
  gscale_measurements *m = gscale_measurements_new();
  gscale_system *s = some_system(GSCALE_SWITCH, "nvlink4");
  gscale_calibration c;

  for (size_t i = 0; i < sizeof files / sizeof *files; i++)
    read_shipped(m, files[i]);
  gscale_calibrate(s, m, &c, NULL);
  const double dma = error_from(&c, GSCALE_COPY_EFFICIENCY, 4096);
  const gscale_fit *stores = curve_of(&c, "store_scatter");
  gsl_test(!(dma < 0.05), "copies, 4 KiB to 256 MiB: mean error %.1f %%",
           100 * dma);
  gsl_test(!(stores->mean_abs < 0.10), "scattered stores: mean error %.1f %%",
           100 * stores->mean_abs);
  gsl_test(!(fabs(stores->worst) < 0.20), "scattered stores: worst %.1f %%",
           100 * stores->worst);
  gscale_calibration_free(&c);
  gscale_measurements_free(m);
  gscale_system_free(s);
}

/* Five standard deviations of what machines say of each other. */
static bool is_among(const gscale_param *p, const gscale_param *of)
{
  if (of->spread == GSCALE_PLAIN)
    return fabs(p->val - of->val) < 5 * (of->err + p->err);
  return fabs(log(p->val / of->val)) < 5 * (of->err + p->err) / of->val;
}

/* The guesses about machines that were not asked are what this one said, or as
 * all that said it. */
static void shipped_calls(void)
{
  gscale_measurements *m = gscale_measurements_new();
  gscale_system *s = some_system(GSCALE_SWITCH, "nvlink4");
  gscale_system *other = some_system(GSCALE_SWITCH, "nvlink4");
  gscale_calibration c;
  double off = 0, n = 0;

  read_of(m, "h200x4", "launch");
  read_of(m, "h200x4", "membw");
  read_of(m, "h200x4", "calls");
  read_of(m, "h200x4", "nccl");
  gscale_calibrate(s, m, &c, NULL);
  gscale_system_set(other, GSCALE_HOST_LAUNCH,
                    gscale_system_get(s, GSCALE_HOST_LAUNCH), NULL);
  for (size_t id = 0; id < GSCALE_PARAM_END; id++) {
    const gscale_param_info *info = gscale_param_info_at(id);
    const gscale_param *of = gscale_system_get(s, (gscale_param_id)id);
    gscale_param others;

    if (!info->scales || id == GSCALE_HAND_MEET) continue; /* not asked it */
    if (gscale_param_population(id, false, &others)) {
      gsl_test(!is_among(of, &others), "%s: is among others", info->name);
      continue;
    }
    gsl_test(!c.of[id].fitted, "%s: %s", info->name, c.of[id].note);
    gsl_test(!(fabs(gscale_system_get(other, (gscale_param_id)id)->val -
                    of->val) <= 0.06 * of->val + 1.1 * of->err),
             "%s: the guess is the measured one", info->name);
    if (isnan(c.of[id].mean_abs)) continue;
    off += c.of[id].mean_abs;
    n++;
  }
  gsl_test(!(off / n < 0.13), "mean error of their fits %.1f %%",
           100 * off / n);
  gscale_calibration_free(&c);
  gscale_measurements_free(m);
  gscale_system_free(s);
  gscale_system_free(other);
}

/* One thread's calls alone: what they cost, not how threads crowd. */
static void calls_of_one_thread(void)
{
  rig g = {
      gscale_measurements_new(), some_system(GSCALE_SWITCH, "nvlink4"), {8}, 0};
  gscale_system *s = other_system();
  const double crowd = gscale_system_get(s, GSCALE_CONTENTION_D2H)->val;
  gscale_calibration c;

  call_rows(&g, 1, 1);
  gscale_calibrate(s, g.m, &c, NULL);
  gsl_test_rel(gscale_system_get(s, GSCALE_HOST_D2H)->val,
               truth(&g, "host.d2h"), 1e-9, "a call");
  gsl_test_rel(gscale_system_get(s, GSCALE_CONTENTION_D2H)->val, crowd, 0,
               "its crowding stays");
  gsl_test_rel(gscale_system_get(s, GSCALE_HOST_SYNC_MORE)->val,
               truth(&g, "host.sync_more"), 1e-9, "a wait for nothing");
  gsl_test(c.of[GSCALE_SHARE_ROOM].fitted || c.of[GSCALE_SHARE_D2H].fitted ||
               c.of[GSCALE_HAND_NEAR].fitted,
           "and what was not measured");
  gscale_calibration_free(&c);
  gscale_measurements_free(g.m);
  gscale_system_free((gscale_system *)g.s);
  gscale_system_free(s);
}

/* Calls of one and of two threads alone do not tell cost and crowd: with the
 * crowd that holds the cost makes what two threads take.  The other bench of
 * the same call tells both.  Either way the crowd is counted once. */
static void calls_of_two_threads(bool both)
{
  rig g = {
      gscale_measurements_new(), some_system(GSCALE_SWITCH, "nvlink4"), {8}, 0};
  gscale_system *s = other_system();
  gscale_calibration c;

  for (int t = 1; t <= 2; t++) {
    const double l = truth(&g, "host.launch") *
                     (1 + (t - 1) * truth(&g, "host.launch_contention"));
    row(&g, "issue_launch", "host", t, 0, 200, t, 200 * l);
    if (both) row(&g, "call_launch", "host", t, 0, 100, t, 100 * l);
  }
  gscale_calibrate(s, g.m, &c, NULL);
  const gscale_param *cost = gscale_system_get(s, GSCALE_HOST_LAUNCH);
  const gscale_param *crowd =
      gscale_system_get(s, GSCALE_HOST_LAUNCH_CONTENTION);
  gsl_test_rel(cost->val * (1 + crowd->val),
               truth(&g, "host.launch") *
                   (1 + truth(&g, "host.launch_contention")),
               1e-9, "two threads' calls, %d", both);
  gsl_test_int(c.of[GSCALE_HOST_LAUNCH_CONTENTION].fitted, both,
               "both are told");
  if (both)
    gsl_test_rel(cost->val, truth(&g, "host.launch"), 1e-9, "one thread's");
  gscale_calibration_free(&c);
  gscale_measurements_free(g.m);
  gscale_system_free((gscale_system *)g.s);
  gscale_system_free(s);
}

/* A barrier takes no less than one alone, however little of its round trip is
 * left beside slower launches. */
static void barrier_alone(void)
{
  rig g = {
      gscale_measurements_new(), some_system(GSCALE_SWITCH, "nvlink4"), {8}, 0};
  gscale_system *s = other_system();
  gscale_calibration c;

  for (int t = 1; t <= 2; t++) {
    row(&g, "issue_launch", "host", t, 0, 200, t, 200 * 4e-6 * t);
    row(&g, "call_launch", "host", t, 0, 200, t, 200 * 4e-6 * t);
    row(&g, "launch_sync", "host", t, 0, 200, t, 200 * 9e-6);
    row(&g, "launch_sync_barrier", "host", t, 0, 200, t, 200 * 9.5e-6);
    row(&g, "barrier", "host", t, 0, 1000, t, 1000 * 0.3e-6);
  }
  gscale_calibrate(s, g.m, &c, NULL);
  gsl_test_rel(gscale_system_get(s, GSCALE_HOST_BARRIER)->val, 0.3e-6, 1e-9,
               "a barrier alone");
  gscale_calibration_free(&c);
  gscale_measurements_free(g.m);
  gscale_system_free((gscale_system *)g.s);
  gscale_system_free(s);
}

/* Stores of a kernel into pinned host memory: PCIe 5 packets for real.  The
 * host takes so many parts of a line per second, whatever their size; a whole
 * line, 64 B, it need not read before it writes, and the link decides. */
static void pcie_stores(void)
{
  gscale_measurements *m = gscale_measurements_new();
  gscale_system *s = some_system(GSCALE_BUS, "pcie5");
  gscale_calibration c;

  read_shipped(m, "pinned");
  gscale_calibrate(s, m, &c, NULL);
  const gscale_fit *stores = curve_of(&c, "store_pinned_scatter");
  gsl_test_abs(gscale_system_get(s, GSCALE_STORE_EFFICIENCY)->val, 0.99, 0.02,
               "dense stores: of the formatted rate");
  gsl_test_abs(gscale_system_get(s, GSCALE_STORE_LINE)->val, 64, 0,
               "a line of the host");
  gsl_test(!(stores->mean_abs < 0.10), "PCIe stores: mean error %.1f %%",
           100 * stores->mean_abs);
  gsl_test(!(fabs(stores->worst) < 0.20), "PCIe stores: worst %.1f %%",
           100 * stores->worst);
  gscale_calibration_free(&c);
  gscale_measurements_free(m);
  gscale_system_free(s);
}

/* A P100's copies over one NVLink, 29 sizes measured by others; skipped where
 * the file is not. */
static void dgx1_copies(void)
{
  const char *root = getenv("SRC");
  gscale_table *t = NULL;
  gscale_fit fit;
  size_t size, latency;
  double x[128], y[64];
  char path[512];
  const gscale_link *l = gscale_link_find("nvlink1");

  snprintf(path, sizeof path,
           "%s/../shared/external/tartan/dgx1_p100_p2p_by_size.csv",
           root ? root : ".");
  if (gscale_table_read(path, &t, NULL) != GSCALE_OK) {
    gsl_test(0, "skipped: the measurements of others are not here");
    return;
  }
  gscale_table_column(t, "bytes", &size, NULL);
  gscale_table_column(t, "nvlink_lat_us", &latency, NULL);
  const size_t n = gscale_table_rows(t);
  for (size_t i = 0; i < n && i < 64; i++) {
    double bytes = 0, us = 0;
    gscale_table_number(t, i, size, &bytes, NULL);
    gscale_table_number(t, i, latency, &us, NULL);
    x[2 * i] = 1;
    x[2 * i + 1] = gscale_wire_bytes(l, GSCALE_COPY, bytes, false) / 20e9;
    y[i] = us * 1e-6;
  }
  gsl_test_int((int)gscale_fit_linear(x, y, NULL, n, 2, 0.01, &fit, NULL),
               GSCALE_OK, "29 sizes");
  gsl_test(!(fit.mean_abs < 0.05), "DGX-1 copies: mean error %.1f %%",
           100 * fit.mean_abs);
  gsl_test_abs(fit.value[0], 9.8e-6, 0.2e-6, "initiation");
  gsl_test_abs(1 / fit.value[1], 0.98, 0.02, "of the formatted rate");
  gscale_table_free(t);
}

int main(void)
{
  recovery();
  copies_that_wait();
  noisy_and_repeatable();
  what_is_missing();
  many_unused();
  of_a_mesh();
  one_meets_nobody();
  switch_of_64_rows();
  no_switch_in_a_mesh();
  of_a_tree();
  of_a_ring();
  of_a_bus();
  bad_fits();
  shipped_curves();
  shipped_calls();
  calls_of_one_thread();
  calls_of_two_threads(false);
  calls_of_two_threads(true);
  barrier_alone();
  pcie_stores();
  dgx1_copies();
  return gsl_test_summary();
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
