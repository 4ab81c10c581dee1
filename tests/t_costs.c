/* t_costs.c - a system's parameters as costs of timelines, and what these then
 * say of the benches that were measured. */

#include "cases.h"
#include "halo.h"
#include "price/costs.h"
#include "source.h"

#include <gsl/gsl_test.h>
#include <stdio.h>

enum {
  STREAMS = 2,
  FIRST = GSCALE_COST_END, /* durations */
  SECOND,
  COSTS
};

typedef struct machine {
  gscale_measurements *m;
  gscale_system *s;
} machine;

static double value(const machine *h, gscale_param_id id)
{
  return gscale_system_get(h->s, id)->val;
}

/* Calibrated from what is shipped of the machine on which calls were timed. */
static machine shipped(void)
{
  static const char *const files[] = {"launch", "membw", "dma", "calls"};
  const char *root = getenv("SRC");
  machine h = {gscale_measurements_new(),
               some_system(GSCALE_SWITCH, "nvlink4")};
  gscale_calibration c;

  for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
    char path[512];
    gscale_diag why = {""};
    snprintf(path, sizeof path, "%s/data/h200x4/micro/%s.csv",
             root ? root : ".", files[i]);
    gsl_test_int((int)gscale_measurements_read(h.m, path, &why), GSCALE_OK,
                 "%s", why.text);
  }
  gsl_test_int((int)gscale_calibrate(h.s, h.m, &c, NULL), GSCALE_OK, "fits");
  gscale_calibration_free(&c);
  return h;
}

static void machine_free(machine *h)
{
  gscale_measurements_free(h->m);
  gscale_system_free(h->s);
}

/* Seconds of all rounds; NaN if there is no such row. */
static double measured(const machine *h, const char *bench, int gpus,
                       double threads, double count)
{
  const gscale_measurement *r;

  for (size_t i = 0; (r = gscale_measurements_at(h->m, i)) != NULL; i++)
    if (strcmp(r->bench, bench) == 0 && r->gpus == gpus &&
        fabs(r->threads - threads) < 0.5 && fabs(r->count - count) < 0.5)
      return r->time;
  return (double)NAN;
}

/* Of each further round behind the gate. */
static double each(const machine *h, const char *bench, int gpus)
{
  return (measured(h, bench, gpus, 1, 20) - measured(h, bench, gpus, 1, 1)) /
         19;
}

static double copy_time(const machine *h, double bytes)
{
  return value(h, GSCALE_COPY_INITIATION) +
         gscale_wire_bytes(gscale_system_about(h->s).link, GSCALE_COPY, bytes,
                           false) /
             value(h, GSCALE_LINK_RATE) / value(h, GSCALE_COPY_EFFICIENCY);
}

static double period(const gscale_schedule *s, const double *cost)
{
  gscale_timeline *t = NULL;
  gscale_diag why = {""};

  gsl_test_int((int)gscale_timeline_new(s, &t, &why), GSCALE_OK, "%s",
               why.text);
  void *scratch = malloc(gscale_timeline_scratch(t));
  const double T = gscale_timeline_period(t, cost, scratch, NULL);
  free(scratch);
  gscale_timeline_free(t);
  return T;
}

/* Schedules of one thread and two streams, the second of GPU `other`. */
static double period_of(const gscale_action *a, size_t n, int other,
                        const double *cost)
{
  const int stream_gpu[STREAMS] = {0, other};
  const gscale_schedule s = {.gpus = 1 + other,
                             .threads = 1,
                             .streams = STREAMS,
                             .events = 2,
                             .durations = 2,
                             .stream_gpu = stream_gpu,
                             .actions = n,
                             .action = a,
                             .depth = 1024};

  return period(&s, cost);
}

/* Costs behind a gate: all calls were made before. */
static void gated(const machine *h, double *cost)
{
  gscale__costs(SOURCE_OF(h->s), 1, 1, cost);
  for (int k = 0; k < GSCALE_CALL_END; k++) cost[GSCALE_COST_ISSUE + k] = 0;
}

/* ---- the mapping -------------------------------------------------------- */

static machine some_machine(void)
{
  machine h = {gscale_measurements_new(),
               some_system(GSCALE_SWITCH, "nvlink4")};

  for (size_t id = GSCALE_HOST_GRAPH; id <= GSCALE_HAND_REMOTE; id++)
    set(h.s, gscale_param_info_at(id)->name,
        (1 + (double)id / 64) *
            (gscale_param_info_at(id)->dim == GSCALE_TIME ? 1e-6 : 0.1),
        0);
  return h;
}

static void what_is_what(void)
{
  machine h = some_machine();
  const gscale__source *p = SOURCE_OF(h.s);
  const double room = value(&h, GSCALE_SHARE_ROOM);
  double alone[GSCALE_COST_END], four[GSCALE_COST_END], two[GSCALE_COST_END];

  gscale__costs(p, 1, 1, alone);
  gscale__costs(p, 4, 4, four);
  gscale__costs(p, 4, 8, two);
  for (int i = 0; i < GSCALE_COST_END; i++)
    gsl_test(!(alone[i] >= 0 && four[i] >= 0 && two[i] >= 0), "cost %d: >= 0",
             i);
  for (int k = 0; k < GSCALE_CALL_END; k++)
    gsl_test(!(four[GSCALE_COST_ISSUE + k] > 0 &&
               four[GSCALE_COST_CROWD + k] > 0 &&
               two[GSCALE_COST_CROWD + k] > 0),
             "call %d: costs something", k);
  gsl_test_rel(four[GSCALE_COST_CROWD + (int)GSCALE_COPY_D2D],
               value(&h, GSCALE_HOST_COPY) *
                   value(&h, GSCALE_HOST_COPY_CONTENTION),
               1e-12, "copies of threads with a GPU each");
  gsl_test_rel(two[GSCALE_COST_CROWD + (int)GSCALE_COPY_D2D],
               value(&h, GSCALE_HOST_COPY) * value(&h, GSCALE_SHARE_COPY),
               1e-12, "and of two that share one");
  gsl_test_abs(gscale__crowd(p, 1, 1), 0, 0, "alone");
  gsl_test_rel(gscale__crowd(p, 4, 4), 3, 1e-12, "four with a GPU each");
  gsl_test_rel(gscale__crowd(p, 4, 8), 1, 1e-12, "two a GPU");
  gsl_test_rel(gscale__crowd(p, 2, 8), gscale_timeline_crowd(4, room), 1e-12,
               "four a GPU");
  gsl_test_rel(gscale__crowd(p, 3, 7), gscale_timeline_crowd(3, room), 1e-12,
               "the fullest GPU counts");
  gsl_test_rel(four[GSCALE_COST_WAKE] + four[GSCALE_COST_KERNEL_HOST],
               value(&h, GSCALE_HOST_SYNC), 1e-12, "host.sync is both");
  gsl_test_rel(two[GSCALE_COST_WAKE] - four[GSCALE_COST_WAKE],
               value(&h, GSCALE_HOST_SYNC) * value(&h, GSCALE_SHARE_WAKE), 1e-9,
               "longer where two share a GPU");
  gsl_test_abs(alone[GSCALE_COST_STRAGGLE], 0, 0, "nobody to wait for");
  gsl_test_rel(four[GSCALE_COST_STRAGGLE],
               fmax(value(&h, GSCALE_HOST_STRAGGLE) +
                        2 * value(&h, GSCALE_HOST_STRAGGLE_MORE),
                    value(&h, GSCALE_HOST_BARRIER) +
                        2 * value(&h, GSCALE_HOST_BARRIER_MORE) -
                        value(&h, GSCALE_HOST_BARRIER_BARE) -
                        2 * value(&h, GSCALE_HOST_BARRIER_BARE_MORE)),
               1e-12, "four straggle");
  gsl_test_rel(two[GSCALE_COST_STRAGGLE], value(&h, GSCALE_SHARE_STRAGGLE),
               1e-12, "two that share a GPU");
  set(h.s, "host.wake", 1, 0);
  gscale__costs(SOURCE_OF(h.s), 1, 1, alone);
  gsl_test_abs(alone[GSCALE_COST_KERNEL_HOST], 0, 0, "no more than host.sync");
  gsl_test_rel(alone[GSCALE_COST_WAKE], value(&h, GSCALE_HOST_SYNC), 1e-12,
               "all of it");
  machine_free(&h);
}

/* ---- what was measured -------------------------------------------------- */

/* Launch a kernel and wait for it. */
static void wait_for_a_kernel(void)
{
  static const gscale_action a[] = {{.kind = GSCALE_LAUNCH},
                                    {.kind = GSCALE_SYNC_STREAM}};
  machine h = shipped();
  double cost[COSTS];

  gscale__costs(SOURCE_OF(h.s), 1, 1, cost);
  cost[SECOND] = 0;
  cost[FIRST] = value(&h, GSCALE_DEVICE_START);
  gsl_test_rel(period_of(a, 2, 0, cost) * 200,
               measured(&h, "launch_sync", 1, 1, 200), 0.1,
               "launch and synchronise");

  /* the kernel runs; so many threads on its GPU wait for theirs */
  const double kernel =
      measured(&h, "wake_stream", 1, 1, 20) / 20 - value(&h, GSCALE_HOST_SYNC);
  for (int threads = 2; threads <= 8; threads *= 2) {
    gscale__costs(SOURCE_OF(h.s), 1, threads, cost);
    cost[GSCALE_COST_ISSUE + (int)GSCALE_LAUNCH] = 0;
    cost[FIRST] = kernel;
    gsl_test_rel(period_of(a, 2, 0, cost) * 20,
                 measured(&h, "wake_stream", 1, threads, 20), 0.05,
                 "%d threads wake up", threads);
  }
  machine_free(&h);
}

static void rounds_in_a_stream(void)
{
  static const gscale_action kc[] = {
      {.kind = GSCALE_LAUNCH},
      {.kind = GSCALE_COPY_D2D, .peer = 0, .length = 1}};
  static const gscale_action kd[] = {{.kind = GSCALE_LAUNCH},
                                     {.kind = GSCALE_COPY_D2H, .length = 1}};
  static const gscale_action km[] = {{.kind = GSCALE_LAUNCH},
                                     {.kind = GSCALE_MEMSET, .length = 1}};
  machine h = shipped();
  double cost[COSTS];

  gated(&h, cost);
  cost[FIRST] = each(&h, "hand_k", 1);
  cost[SECOND] = copy_time(&h, 4096);
  gsl_test_rel(period_of(kc, 2, 0, cost), each(&h, "hand_kc", 2), 0.03,
               "kernel and copy to a GPU in turn");
  gsl_test_rel(period_of(kd, 2, 0, cost), each(&h, "hand_kd", 1), 0.03,
               "and to the host");
  cost[SECOND] = each(&h, "hand_m", 1);
  gsl_test_rel(period_of(km, 2, 0, cost), each(&h, "hand_km", 1), 0.03,
               "kernel and memset in turn");
  machine_free(&h);
}

/* Two streams in turn, each behind an event of the other. */
static void rounds_by_events(void)
{
  static const gscale_action kk[] = {
      {.kind = GSCALE_LAUNCH},
      {.kind = GSCALE_RECORD},
      {.kind = GSCALE_WAIT, .stream = 1},
      {.kind = GSCALE_LAUNCH, .stream = 1, .length = 1},
      {.kind = GSCALE_RECORD, .stream = 1, .event = 1},
      {.kind = GSCALE_WAIT, .event = 1}};
  gscale_action kc[6], ck[6];
  machine h = shipped();
  double cost[COSTS];
  const double k = each(&h, "hand_k", 1), c = copy_time(&h, 4096);
  const double first = measured(&h, "hand_k", 1, 1, 1) - k;
  const double before_copy = measured(&h, "hand_c", 2, 1, 1) - c;

  memcpy(kc, kk, sizeof kk);
  memcpy(ck, kk, sizeof kk);
  kc[3].kind = GSCALE_COPY_D2D;
  ck[0].kind = GSCALE_COPY_D2D;
  gated(&h, cost);
  cost[FIRST] = cost[SECOND] = k;
  gsl_test_rel(first + 10 * period_of(kk, 6, 0, cost),
               measured(&h, "hand_near", 1, 1, 20), 0.02, "near kernels");
  gsl_test_rel(first + 10 * period_of(kk, 6, 1, cost),
               measured(&h, "hand_far", 2, 1, 20), 0.2, "far kernels");
  cost[FIRST] = c;
  gsl_test_rel(before_copy + 10 * period_of(ck, 6, 1, cost),
               measured(&h, "hand_far_kc", 2, 1, 20), 0.2, "far copies");
  cost[FIRST] = k + value(&h, GSCALE_HAND_COPY_KERNEL);
  cost[SECOND] = c + value(&h, GSCALE_COPY_LATENCY);
  gsl_test_rel(first + 10 * period_of(kc, 6, 0, cost),
               measured(&h, "hand_near_kc", 2, 1, 20), 0.04, "near copies");
  machine_free(&h);
}

/* One thread that waits for another GPU's event each step. */
static void far_waits(void)
{
  machine h = shipped();
  const double alone = gscale__far_wait(SOURCE_OF(h.s), 2, 1);
  double cost[GSCALE_COST_END];

  gscale__costs(SOURCE_OF(h.s), 2, 1, cost);
  gsl_test_rel(cost[GSCALE_COST_ISSUE + (int)GSCALE_WAIT] + alone,
               value(&h, GSCALE_HOST_WAIT_REMOTE), 1e-12, "alone");
  gscale__costs(SOURCE_OF(h.s), 1, 4, cost);
  gsl_test_rel(cost[GSCALE_COST_ISSUE + (int)GSCALE_WAIT] +
                   gscale__crowd(SOURCE_OF(h.s), 1, 4) *
                       cost[GSCALE_COST_CROWD + (int)GSCALE_WAIT] +
                   gscale__far_wait(SOURCE_OF(h.s), 1, 4),
               measured(&h, "call_far", 1, 4, 100) / 100, 0.25,
               "four that share a GPU");
  machine_free(&h);
}

/* A kernel of some 20 us on each of n GPUs, a copy to the next behind it in its
 * stream, and a wait for both: as halos are exchanged by copies. */
static double exchange(const machine *h, int n, double kernel, bool copies)
{
  int stream_gpu[4] = {0, 1, 2, 3};
  gscale_action a[12];
  gscale_schedule s = {.gpus = n,
                       .threads = n,
                       .streams = n,
                       .durations = 2,
                       .stream_gpu = stream_gpu,
                       .action = a,
                       .depth = 1024,
                       .crowd = gscale__crowd(SOURCE_OF(h->s), n, n)};
  double cost[COSTS];

  for (int g = 0; g < n; g++) {
    a[s.actions++] =
        (gscale_action){.kind = GSCALE_LAUNCH, .thread = g, .stream = g};
    if (copies)
      a[s.actions++] = (gscale_action){.kind = GSCALE_COPY_D2D,
                                       .thread = g,
                                       .stream = g,
                                       .peer = (g + 1) % n,
                                       .length = 1};
    a[s.actions++] =
        (gscale_action){.kind = GSCALE_SYNC_STREAM, .thread = g, .stream = g};
  }
  gscale__costs(SOURCE_OF(h->s), n, n, cost);
  cost[FIRST] = kernel;
  cost[SECOND] = copy_time(h, 4096);
  return period(&s, cost);
}

static void halos_by_copies(void)
{
  machine h = shipped();

  for (int n = 2; n <= 4; n++) {
    const double without = measured(&h, "wait_sync", n, n, 200) / 200;
    const double kernel = without - exchange(&h, n, 0, false);
    gsl_test_rel(exchange(&h, n, kernel, true) * 200,
                 measured(&h, "wait_copy_sync", n, n, 200), 0.04,
                 "%d GPUs exchange halos", n);
  }
  machine_free(&h);
}

/* The same with copies in a stream of their own, behind an event, and a barrier
 * of the threads. */
static void halos_by_events(void)
{
  machine h = shipped();
  halo *two = halo_new(2, false);
  const gscale__source *p = SOURCE_OF(h.s);
  double cost[HALO_COSTS];

  gscale__costs(p, 2, 2, cost);
  two->s.crowd = gscale__crowd(p, 2, 2);
  cost[HALO_KERNEL] = 20e-6;
  cost[HALO_COPY] = copy_time(&h, 4096) + value(&h, GSCALE_COPY_LATENCY);
  gsl_test_rel(period(&two->s, cost),
               value(&h, GSCALE_HOST_LAUNCH) *
                       (1 + value(&h, GSCALE_HOST_LAUNCH_CONTENTION)) +
                   20e-6 + value(&h, GSCALE_HAND_NEAR) +
                   value(&h, GSCALE_COPY_LATENCY) + copy_time(&h, 4096) +
                   value(&h, GSCALE_HOST_SYNC) +
                   value(&h, GSCALE_HOST_BARRIER_BARE) +
                   fmax(value(&h, GSCALE_HOST_STRAGGLE),
                        value(&h, GSCALE_HOST_BARRIER) -
                            value(&h, GSCALE_HOST_BARRIER_BARE)),
               1e-12, "launch, kernel, event, copy, wait, barrier");
  halo_free(two);
  machine_free(&h);
}

int main(void)
{
  what_is_what();
  wait_for_a_kernel();
  rounds_in_a_stream();
  rounds_by_events();
  far_waits();
  halos_by_copies();
  halos_by_events();
  return gsl_test_summary();
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
