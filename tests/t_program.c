/* t_program.c - workloads that say their own schedule. */

#include "cases.h"
#include "describe/program.h"
#include "predict/step.h"
#include "price/costs.h"
#include "price/plan.h"
#include "source.h"

#include <gsl/gsl_test.h>
#include <math.h>
#include <stdlib.h>

enum {
  ACTIONS = 64,
  KERNEL = 0, /* durations */
  COPY,
  NORM,
  LATE,
  WORKS
};

/* A schedule under construction; GPU g has streams 2g, for kernels, and 2g + 1,
 * for copies, and event g. */
typedef struct draft {
  gscale_program p;
  int stream_gpu[16];
  gscale_action action[ACTIONS];
  gscale_work work[WORKS];
} draft;

static void begin(draft *d, int gpus, int threads)
{
  memset(d, 0, sizeof *d);
  for (int i = 0; i < 2 * gpus; i++) d->stream_gpu[i] = i / 2;
  d->work[KERNEL] = (gscale_work){.kind = GSCALE_LAUNCH, .share = 1.0};
  d->work[COPY] = (gscale_work){.kind = GSCALE_COPY_D2D, .bytes = 3e6};
  d->work[NORM] = (gscale_work){.kind = GSCALE_COPY_D2H, .bytes = 4};
  d->work[LATE] = (gscale_work){.kind = GSCALE_HOST_WORK, .time = 7e-6};
  d->p = (gscale_program){.schedule = {.gpus = gpus,
                                       .threads = threads,
                                       .streams = 2 * gpus,
                                       .events = gpus,
                                       .durations = WORKS,
                                       .stream_gpu = d->stream_gpu,
                                       .action = d->action,
                                       .depth = 1024},
                          .work = d->work};
}

static void put(draft *d, gscale_action a)
{
  d->action[d->p.schedule.actions++] = a;
}

/* A kernel and a wait. */
static void alone(draft *d)
{
  begin(d, 1, 1);
  put(d, (gscale_action){.kind = GSCALE_LAUNCH, .length = KERNEL});
  put(d, (gscale_action){.kind = GSCALE_SYNC_STREAM});
}

/* Kernels, copies behind them on other streams, waits, a barrier. */
static void halo(draft *d, int gpus)
{
  begin(d, gpus, gpus);
  for (int g = 0; g < gpus; g++) {
    const gscale_action on = {.thread = g, .stream = 2 * g, .event = g};
    gscale_action a = on;
    a.kind = GSCALE_LAUNCH;
    put(d, a);
    a.kind = GSCALE_RECORD;
    put(d, a);
    a.stream = 2 * g + 1;
    a.kind = GSCALE_WAIT;
    put(d, a);
    for (int to = g - 1; to <= g + 1; to += 2) {
      if (to < 0 || to >= gpus) continue;
      a.kind = GSCALE_COPY_D2D;
      a.peer = to;
      a.length = COPY;
      put(d, a);
    }
    a = on;
    a.kind = GSCALE_SYNC_STREAM;
    put(d, a);
    a.stream = 2 * g + 1;
    put(d, a);
    a.kind = GSCALE_BARRIER;
    put(d, a);
  }
}

static gscale_workload *work_of(double bytes)
{
  gscale_workload *w = gscale_workload_new("own");
  gscale_phase p;

  gscale_phase_init(&p, "sweep");
  p.units = 1024;
  p.bytes = bytes;
  p.footprint = 1e9;
  gscale_workload_add(w, &p, NULL);
  return w;
}

static gscale_prediction ask(const gscale_system *s, const gscale_workload *w,
                             int n, const char *paradigm)
{
  gscale_plan *plan = NULL;
  gscale_prediction p = {.time = (double)NAN};
  gscale_diag why = {""};
  const size_t id = gscale_paradigm_find(paradigm);
  gscale_status st = gscale_plan_new(s, w, n, &plan, &why);

  if (st == GSCALE_OK) st = gscale_predict(plan, id, NULL, &p, &why);
  gsl_test_int((int)st, GSCALE_OK, "%s on %d: %s", paradigm, n, why.text);
  if (st == GSCALE_OK)
    gsl_test_rel(gscale_predict_time(plan, id, &p.knobs), p.time, 1e-12,
                 "only the time");
  gscale_plan_free(plan);
  return p;
}

static double value(const gscale_system *s, const char *name)
{
  return gscale_system_get(s, gscale_param_find(name))->val;
}

static void add(gscale_workload *w, const draft *d)
{
  gscale_diag why = {""};
  gsl_test_int((int)gscale_workload_add_program(w, &d->p, &why), GSCALE_OK,
               "a schedule for %d: %s", d->p.schedule.gpus, why.text);
}

/* A kernel and a wait on one GPU is what every paradigm does there. */
static void one_gpu(const gscale_system *s)
{
  gscale_workload *w = work_of(5e9), *plain = work_of(5e9);
  draft d;

  alone(&d);
  add(w, &d);
  const gscale_prediction p = ask(s, w, 1, "schedule");
  gsl_test_rel(p.time, ask(s, plain, 1, "memcpy").time, 1e-14,
               "one GPU as by paradigms");
  gsl_test_rel(ask(s, w, 1, "infinite").time, p.time, 0, "and by infinite");
  gsl_test_rel(p.speedup, 1.0, 0, "speedup 1");
  gsl_test_abs(p.bytes.wire, 0.0, 0, "no byte moves");
  gsl_test_int((int)p.bound, GSCALE_M_COMPUTE, "bound by compute");
  gscale_workload_free(plain);
  gscale_workload_free(w);
}

static void check_sums(const gscale_prediction *p)
{
  double sum = 0.0;

  for (int i = 0; i < GSCALE_PART_END; i++) {
    gsl_test(!(p->part[i] >= 0.0), "part %d", i);
    sum += p->part[i];
  }
  gsl_test_rel(sum, p->time, 1e-12, "parts sum to the time");
  gsl_test_rel(p->bytes.useful + p->bytes.protocol, p->bytes.wire, 1e-12,
               "and bytes");
}

/* From GPU `from` to all three others at once by two streams: s. */
static double to_three(const gscale_system *s, int from)
{
  gscale_workload *w = work_of(5e9);
  draft d;
  int stream = 2 * from;

  alone(&d);
  add(w, &d);
  begin(&d, 4, 1);
  put(&d, (gscale_action){
              .kind = GSCALE_LAUNCH, .stream = stream, .length = KERNEL});
  for (int to = 0; to < 4; to++) {
    if (to == from) continue;
    put(&d, (gscale_action){.kind = GSCALE_COPY_D2D,
                            .stream = stream,
                            .peer = to,
                            .length = COPY});
    stream = stream % 2 ? stream - 1 : stream + 1;
  }
  for (int i = 0; i < 2; i++)
    put(&d,
        (gscale_action){.kind = GSCALE_SYNC_STREAM, .stream = 2 * from + i});
  add(w, &d);
  const double time = ask(s, w, 4, "schedule").time;
  gscale_workload_free(w);
  return time;
}

/* Copies to three others meet, whoever the others are. */
static void met_by_three(void)
{
  gscale_system *s = some_system(GSCALE_SWITCH, "nvlink4");

  set(s, "copy.contended", 1, 0);
  const double apart = to_three(s, 0);
  set(s, "copy.contended", 0.1, 0);
  const double meet = to_three(s, 0);
  gsl_test(!(meet > 1.1 * apart), "copies that meet take longer");
  for (int from = 1; from < 4; from++)
    gsl_test_rel(to_three(s, from), meet, 1e-12, "from GPU %d", from);
  gscale_system_free(s);
}

/* What is copied first in a step is copied. */
static void copied_first(const gscale_system *s)
{
  gscale_workload *w = work_of(5e9);
  draft d;

  alone(&d);
  add(w, &d);
  begin(&d, 2, 1);
  put(&d, (gscale_action){
              .kind = GSCALE_COPY_D2D, .stream = 1, .peer = 1, .length = COPY});
  put(&d, (gscale_action){.kind = GSCALE_LAUNCH, .length = KERNEL});
  put(&d, (gscale_action){.kind = GSCALE_SYNC_STREAM});
  put(&d, (gscale_action){.kind = GSCALE_SYNC_STREAM, .stream = 1});
  add(w, &d);
  gsl_test_rel(ask(s, w, 2, "schedule").bytes.useful, 3e6, 1e-15,
               "a copy before all else");
  gscale_workload_free(w);

  /* How crowded the driver is the system says, not the schedule. */
  w = work_of(5e9);
  alone(&d);
  d.p.schedule.crowd = -1.0;
  add(w, &d);
  gsl_test(!isfinite(ask(s, w, 1, "schedule").time), "crowd is not read");
  gscale_workload_free(w);
}

/* Worked out by hand, as model/timeline/README.md does. */
static void exchange(const gscale_system *s)
{
  gscale_workload *w = work_of(5e9);
  draft d;

  alone(&d);
  add(w, &d);
  halo(&d, 4);
  add(w, &d);
  const gscale_prediction p = ask(s, w, 4, "schedule");
  const double wire =
      gscale_wire_bytes(gscale_link_find("nvlink3"), GSCALE_COPY, 3e6, false);
  const double rate = value(s, "link.rate") * value(s, "copy.efficiency") *
                      value(s, "copy.all_active");
  const double kernel =
      5e9 / 4 / value(s, "device.membw") + value(s, "device.start");
  const gscale__source *v = SOURCE_OF(s);
  double cost[GSCALE_COST_END];

  gscale__costs(v, 4, 4, cost);
  const double launch =
      cost[GSCALE_COST_ISSUE + (int)GSCALE_LAUNCH] +
      gscale__crowd(v, 4, 4) * cost[GSCALE_COST_CROWD + (int)GSCALE_LAUNCH];
  const double meet = cost[GSCALE_COST_WAKE] + cost[GSCALE_COST_STRAGGLE] +
                      cost[GSCALE_COST_BARRIER] +
                      2 * cost[GSCALE_COST_BARRIER_MORE];

  /* The first copy follows an event of the kernel, the second the first. */
  gsl_test_rel(p.time,
               launch + kernel + cost[GSCALE_COST_NEAR] +
                   gscale__read(v, GSCALE_COPY_LATENCY) +
                   2 * (value(s, "copy.initiation") + wire / rate) +
                   cost[GSCALE_COST_COPY_HOST] + meet,
               1e-12, "a halo on four GPUs");
  gsl_test_rel(p.part[GSCALE_PART_TRANSFER], 2 * wire / rate, 1e-12,
               "transfer");
  gsl_test_rel(p.part[GSCALE_PART_INITIATION], 2 * value(s, "copy.initiation"),
               1e-12, "initiation");
  gsl_test_rel(p.part[GSCALE_PART_COMPUTE], kernel, 1e-12, "compute");
  gsl_test_rel(p.bytes.useful, 6 * 3e6, 1e-15, "six copies");
  gsl_test_rel(p.bytes.wire, 6 * wire, 1e-15, "and their packets");
  check_sums(&p);

  const gscale_prediction i = ask(s, w, 4, "infinite");
  gsl_test_rel(i.time, launch + kernel + cost[GSCALE_COST_KERNEL_HOST] + meet,
               1e-12, "infinite has no copies, events, nor their waits");
  gsl_test_abs(i.bytes.wire, 0.0, 0, "and moves no byte");
  check_sums(&i);
  gsl_test_rel(p.opportunity, i.time / p.time, 1e-12, "opportunity");
  gsl_test_rel(p.speedup, ask(s, w, 1, "infinite").time / p.time, 1e-12,
               "speedup");
  gscale_workload_free(w);
}

static int count_kind(const gscale_program *p, gscale_action_kind k)
{
  int n = 0;

  for (size_t i = 0; i < p->schedule.actions; i++)
    n += p->schedule.action[i].kind == k;
  return n;
}

/* What a plan ran, and when. */
static void shown(const gscale_system *s)
{
  const size_t ideal = gscale_paradigm_find("infinite");
  const size_t own = gscale_paradigm_find("schedule");
  gscale_workload *w = work_of(5e9);
  gscale_plan *plan = NULL;
  gscale_lanes *lanes = NULL;
  draft d;

  alone(&d);
  add(w, &d);
  halo(&d, 2);
  add(w, &d);
  gsl_test_int((int)gscale_plan_new(s, w, 2, &plan, NULL), GSCALE_OK, "a plan");
  const gscale_program *i =
      &gscale__version_of(plan, gscale__paradigm_at(ideal))->as;
  gsl_test_int((int)i->schedule.actions, 6, "launch, sync, barrier of each");
  gsl_test_int(count_kind(i, GSCALE_SYNC_STREAM), 2, "a wait of each");
  gsl_test_int(count_kind(i, GSCALE_BARRIER), 2, "barriers stay");
  const gscale_program *p =
      &gscale__version_of(plan, gscale__paradigm_at(own))->as;
  gsl_test_int((int)p->schedule.actions, 14, "all as written");
  gsl_test_int((int)gscale_lanes_new(plan, w, own, NULL, &lanes, NULL),
               GSCALE_OK, "times");
  const gscale_span first = gscale_lanes_at(lanes, 0)->at,
                    third = gscale_lanes_at(lanes, 3)->at;
  gsl_test_rel(first.begin, first.back, 1e-12, "the kernel follows its call");
  gsl_test_rel(third.end - third.begin,
               value(s, "copy.latency") + value(s, "copy.initiation") +
                   gscale_wire_bytes(gscale_link_find("nvlink3"), GSCALE_COPY,
                                     3e6, false) /
                       value(s, "link.rate") / value(s, "copy.efficiency") /
                       value(s, "copy.all_active"),
               1e-9, "a copy");
  gscale_lanes_free(lanes);
  gscale_plan_free(plan);
  gscale_workload_free(w);
}

/* On one GPU a program runs as it is written, with what it calls for the sake
 * of others: that is what its step on one GPU took. */
static void idle(const gscale_system *s)
{
  gscale_workload *w = work_of(5e9), *v = work_of(5e9);
  draft d;

  alone(&d);
  add(w, &d);
  halo(&d, 1);
  add(v, &d);
  gsl_test_rel(ask(s, v, 1, "infinite").time, ask(s, v, 1, "schedule").time, 0,
               "one GPU: infinite is the program");
  gsl_test(!(ask(s, v, 1, "schedule").time > ask(s, w, 1, "schedule").time),
           "whose streams without work are waited for");
  gscale_workload_free(w);
  gscale_workload_free(v);
}

/* The kernel of the same GPU waits for its neighbour's last step; the host
 * never waits, but for a norm of the step before. */
static void chain(draft *d, bool norm)
{
  begin(d, 2, 1);
  d->p.schedule.events = 6;
  for (int odd = 0; odd < 2; odd++)
    for (int g = 0; g < 2; g++) {
      gscale_action a = {.parity = odd ? GSCALE_ODD_STEPS : GSCALE_EVEN_STEPS,
                         .stream = 2 * g,
                         .peer = 1 - g};
      a.kind = GSCALE_WAIT;
      a.event = 2 * (1 - odd) + 1 - g;
      put(d, a);
      a.kind = GSCALE_LAUNCH;
      a.length = KERNEL;
      put(d, a);
      a.kind = GSCALE_COPY_D2D;
      a.length = COPY;
      put(d, a);
      a.kind = GSCALE_RECORD;
      a.event = 2 * odd + g;
      put(d, a);
      if (!norm) continue;
      a.kind = GSCALE_COPY_D2H;
      a.length = NORM;
      put(d, a);
      a.kind = GSCALE_RECORD;
      a.event = 4 + g;
      put(d, a);
      a.kind = GSCALE_SYNC_EVENT;
      put(d, a);
    }
}

static void chained(const gscale_system *s)
{
  gscale_workload *w = work_of(5e9), *v = work_of(5e9);
  gscale_plan *plan = NULL;
  draft d;

  alone(&d);
  add(w, &d);
  add(v, &d);
  chain(&d, false);
  add(w, &d);
  gscale_prediction i = ask(s, w, 2, "infinite");
  gsl_test_rel(i.time,
               5e9 / 2 / value(s, "device.membw") + value(s, "device.start"),
               1e-12, "nobody waits: a kernel behind the other");
  gsl_test(!(ask(s, w, 2, "schedule").time > i.time), "chained takes longer");

  chain(&d, true);
  add(v, &d);
  gscale_plan_new(s, v, 2, &plan, NULL);
  const gscale_program *p =
      &gscale__version_of(plan,
                          gscale__paradigm_at(gscale_paradigm_find("infinite")))
           ->as;
  gsl_test_int(count_kind(p, GSCALE_SYNC_EVENT), 4, "the host's waits stay");
  gsl_test_int(count_kind(p, GSCALE_RECORD), 4, "and what they wait for");
  gsl_test_int(count_kind(p, GSCALE_WAIT), 0, "waits for other GPUs go");
  gsl_test_int(count_kind(p, GSCALE_COPY_D2H), 4, "copies to the host stay");
  gscale_plan_free(plan);
  gscale_workload_free(w);
  gscale_workload_free(v);
}

/* The measured step of one GPU is what its timeline takes. */
static void measured(const gscale_system *s)
{
  const double hosts = value(s, "host.launch") + value(s, "host.sync");
  const double times[] = {1e-3, 3e-3, hosts + 9e-6, 123.4e-6};
  draft d;

  for (size_t i = 0; i < sizeof times / sizeof *times; i++) {
    gscale_workload *w = work_of(5e9);
    const gscale_param t1 = {times[i], times[i] / 50, GSCALE_MEASURED, "x",
                             GSCALE_BY_ORIGIN};
    gscale_error e;

    gscale_workload_set_single(w, t1, NULL);
    alone(&d);
    put(&d, (gscale_action){.kind = GSCALE_HOST_WORK, .length = LATE});
    if (i == 2) d.p.schedule.actions--;
    add(w, &d);
    halo(&d, 2);
    add(w, &d);
    gsl_test_rel(ask(s, w, 1, "schedule").time, times[i], 1e-12, "t1 %g s",
                 times[i]);
    const double two = ask(s, w, 2, "infinite").time;
    gsl_test(!(two < times[i]) && i != 2, "and less on two: %g s", two);
    gsl_test_int((int)gscale_error_of(s, w, 2, gscale_paradigm_find("schedule"),
                                      NULL, &e, NULL),
                 GSCALE_OK, "an error");
    gsl_test(!(e.of_workload > times[i] / 200) && i != 2, "t1's error counts");
    gsl_test(!(e.of_system > 0.0), "that of the system's numbers too");
    gscale_workload_free(w);
  }
}

/* Kernels that hide behind the host: a shorter time makes it shorter. */
static void hidden(const gscale_system *s)
{
  const double shorts[] = {1e-6, 20e-6};

  for (int i = 0; i < 2; i++) {
    gscale_workload *w = work_of(5e6);
    const gscale_param t1 = {shorts[i], 0, GSCALE_MEASURED, "x",
                             GSCALE_BY_ORIGIN};
    draft d;

    gscale_workload_set_single(w, t1, NULL);
    begin(&d, 1, 1);
    d.work[LATE].time = 20e-6;
    put(&d, (gscale_action){.kind = GSCALE_LAUNCH, .length = KERNEL});
    put(&d, (gscale_action){.kind = GSCALE_HOST_WORK, .length = LATE});
    add(w, &d);
    gsl_test_rel(ask(s, w, 1, "schedule").time, shorts[i], 1e-12,
                 "%g s of the host alone", shorts[i]);
    gscale_workload_free(w);
  }
}

/* Plans are compared byte by byte, so those between members are of no stack. */
static void same_bytes(const gscale_system *s)
{
  gscale_workload *w = work_of(5e9);
  gscale_plan *plan = NULL;
  gscale_host a, b;
  draft d;

  alone(&d);
  add(w, &d);
  halo(&d, 2);
  add(w, &d);
  gsl_test_int((int)gscale_plan_new(s, w, 2, &plan, NULL), GSCALE_OK, "a plan");
  memset(&a, 0xaa, sizeof a);
  memset(&b, 0x55, sizeof b);
  gscale__program_host(plan->own, &a);
  gscale__program_host(plan->own, &b);
  gsl_test(memcmp(&a, &b, sizeof a) != 0, "a host has the same bytes always");
  gsl_test(memcmp(&a, &plan->host, sizeof a) != 0, "so has a plan's");
  gscale_plan_free(plan);
  gscale_workload_free(w);
}

/* A bus carries all copies; a switch those of one port. */
static void contention(void)
{
  gscale_system *bus = some_system(GSCALE_BUS, "nvlink3");
  gscale_system *port = some_system(GSCALE_SWITCH, "nvlink3");
  gscale_workload *w = work_of(5e9);
  draft d;

  alone(&d);
  add(w, &d);
  halo(&d, 4);
  add(w, &d);
  const double shared = ask(bus, w, 4, "schedule").part[GSCALE_PART_TRANSFER];
  const double own = ask(port, w, 4, "schedule").part[GSCALE_PART_TRANSFER];
  gsl_test_rel(shared, 3 * own, 1e-12, "six copies on a bus, two on a port");
  gscale_workload_free(w);
  gscale_system_free(bus);
  gscale_system_free(port);
}

static void refuse(const draft *d, gscale_status want, const char *word)
{
  gscale_workload *w = work_of(5e9);
  gscale_diag why = {""};

  gsl_test_int((int)gscale_workload_add_program(w, &d->p, &why), (int)want,
               "refused: %s", word);
  gsl_test(!strstr(why.text, word), "'%s' says '%s'", why.text, word);
  gsl_test(gscale_workload_about(w).has_program, "and nothing is kept");
  gscale_workload_free(w);
}

static void refusals(void)
{
  draft d;

  halo(&d, 2);
  d.action[3].peer = 2;
  refuse(&d, GSCALE_ENAME, "no GPU 2 of 2");
  halo(&d, 2);
  d.p.schedule.actions--;
  refuse(&d, GSCALE_EDATA, "barriers");
  halo(&d, 2);
  d.action[1].kind = GSCALE_LAUNCH;
  refuse(&d, GSCALE_ENAME, "nobody records");
  halo(&d, 2);
  d.work[KERNEL].phase = 1;
  refuse(&d, GSCALE_ENAME, "no phase 1 of 1");
  halo(&d, 2);
  d.work[KERNEL].share = 1.5;
  refuse(&d, GSCALE_EDOMAIN, "share");
  halo(&d, 2);
  d.work[COPY].bytes = 0.0;
  refuse(&d, GSCALE_EDOMAIN, "bytes");
  halo(&d, 2);
  d.work[LATE].time = (double)NAN;
  refuse(&d, GSCALE_EDOMAIN, "time");
  halo(&d, 2);
  d.action[0].length = COPY;
  refuse(&d, GSCALE_EDATA, "duration 1 is of a copy-d2d");
  halo(&d, 2);
  d.work[LATE].kind = GSCALE_WAIT;
  refuse(&d, GSCALE_EDATA, "kind");
  begin(&d, 2, 2);
  put(&d, (gscale_action){.kind = GSCALE_COPY_D2D, .length = COPY, .peer = 1});
  refuse(&d, GSCALE_EDATA, "nothing but copies");
}

static void expect_need(const gscale_system *s, const gscale_workload *w, int n,
                        const char *paradigm, const char *word)
{
  gscale_plan *plan = NULL;
  gscale_diag why = {""};
  gscale_prediction p;
  gscale_status st = gscale_plan_new(s, w, n, &plan, &why);

  if (st == GSCALE_OK)
    st = gscale_predict(plan, gscale_paradigm_find(paradigm), NULL, &p, &why);
  gsl_test_int((int)st, GSCALE_ENEED, "%s on %d", paradigm, n);
  gsl_test(!strstr(why.text, word), "'%s' says '%s'", why.text, word);
  gscale_plan_free(plan);
}

static void needs(gscale_system *s)
{
  gscale_workload *w = work_of(5e9), *plain = work_of(5e9);
  const gscale_param t1 = {1e-3, 0, GSCALE_MEASURED, "x", GSCALE_BY_ORIGIN};
  const gscale_can far = {GSCALE_PEER_NONE, true, true};
  draft d;

  expect_need(s, plain, 2, "schedule", "a schedule of the program's own");
  halo(&d, 2);
  add(w, &d);
  expect_need(s, w, 2, "schedule", "no schedule for 1 GPU, which speedups");
  alone(&d);
  add(w, &d);
  gscale_diag why;
  gsl_test_int((int)gscale_workload_add_program(w, &d.p, &why), GSCALE_EDATA,
               "the same twice");
  gscale_workload_set_single(w, t1, NULL);
  expect_need(s, w, 4, "schedule", "no schedule for 4 GPUs");
  expect_need(s, w, 2, "memcpy", "paradigms schedule and infinite only");

  d.work[NORM].bytes = 4096;
  put(&d, (gscale_action){.kind = GSCALE_COPY_D2H, .length = NORM});
  gscale_workload *v = work_of(5e9);
  add(v, &d);
  const double staged = ask(s, v, 1, "schedule").time;
  gsl_test(!(staged > ask(s, w, 1, "schedule").time), "a copy to the host");
  set(s, "staged.rate", 0, 0);
  gscale_system_set_can(s, &far, NULL);
  expect_need(s, w, 2, "schedule", "staged.rate and staged.initiation");
  set(s, "staged.rate", 21e9, 0);
  const gscale_prediction p = ask(s, w, 2, "schedule");
  gsl_test(!(p.part[GSCALE_PART_TRANSFER] > 3e6 / 21e9), "by way of the host");
  gsl_test_rel(p.bytes.wire, 6e6, 1e-15, "whose protocol is in its rate");
  gscale_workload_free(v);
  gscale_workload_free(w);
  gscale_workload_free(plain);
}

/* Calls at random: each GPU records its event, then does anything. */
static void random_calls(rng *r, draft *d, int gpus)
{
  static const gscale_action_kind kinds[] = {
      GSCALE_LAUNCH, GSCALE_COPY_D2D, GSCALE_COPY_D2H,    GSCALE_RECORD,
      GSCALE_WAIT,   GSCALE_WAIT,     GSCALE_SYNC_STREAM, GSCALE_SYNC_EVENT,
      GSCALE_LAUNCH, GSCALE_HOST_WORK};
  const int threads = pick(r, 2) ? gpus : 1;

  begin(d, gpus, threads);
  for (int g = 0; g < gpus; g++) {
    const int thread = threads > 1 ? g : 0;
    put(d, (gscale_action){.kind = GSCALE_LAUNCH,
                           .thread = thread,
                           .stream = 2 * g,
                           .length = KERNEL});
    put(d, (gscale_action){.kind = GSCALE_RECORD,
                           .thread = thread,
                           .stream = 2 * g,
                           .event = g});
    for (int i = pick(r, 10); i > 0; i--) {
      gscale_action a = {.kind = kinds[pick(r, 10)],
                         .parity = (gscale_parity)pick(r, 3),
                         .thread = thread,
                         .stream = 2 * g + pick(r, 2),
                         .event = pick(r, gpus),
                         .peer = pick(r, gpus)};
      if (a.kind == GSCALE_RECORD) a.event = g;
      if (a.kind == GSCALE_COPY_D2D) a.length = COPY;
      if (a.kind == GSCALE_COPY_D2H) a.length = NORM;
      if (a.kind == GSCALE_HOST_WORK) a.length = LATE;
      put(d, a);
    }
    put(d, (gscale_action){.kind = GSCALE_BARRIER, .thread = thread});
  }
}

/* The laws of all predictions hold for any calls. */
static void laws(const gscale_system *s)
{
  const size_t own = gscale_paradigm_find("schedule");
  const size_t ideal = gscale_paradigm_find("infinite");
  const int trials = 2000;
  int refused = 0, sum = 0, faster = 0, only = 0, moved = 0;
  rng r = {20};

  for (int k = 0; k < trials; k++) {
    const int gpus = 1 + pick(&r, 4);
    gscale_workload *w = work_of(1e6 * (1 + pick(&r, 300)));
    gscale_plan *plan = NULL;
    gscale_prediction p = {0}, i = {0};
    draft d;

    random_calls(&r, &d, gpus);
    refused += gscale_workload_add_program(w, &d.p, NULL) != GSCALE_OK;
    alone(&d);
    if (gpus > 1) gscale_workload_add_program(w, &d.p, NULL);
    refused += gscale_plan_new(s, w, gpus, &plan, NULL) != GSCALE_OK ||
               gscale_predict(plan, own, NULL, &p, NULL) != GSCALE_OK ||
               gscale_predict(plan, ideal, NULL, &i, NULL) != GSCALE_OK;
    if (!plan) continue;
    double parts = -p.time;
    for (int j = 0; j < GSCALE_PART_END; j++) parts += p.part[j];
    sum += !(fabs(parts) <= 1e-12 * p.time);
    faster += !(p.time >= i.time * (1 - 1e-12));
    only += !(fabs(gscale_predict_time(plan, own, NULL) - p.time) <=
              1e-12 * p.time);
    moved += i.bytes.wire > 0 || (gpus == 1 && p.bytes.wire > 0);
    gscale_plan_free(plan);
    gscale_workload_free(w);
  }
  gsl_test_int(refused, 0, "%d schedules at random: none refused", trials);
  gsl_test_int(sum, 0, "parts sum up");
  gsl_test_int(faster, 0, "nothing is faster than infinite");
  gsl_test_int(only, 0, "only the time is the same time");
  gsl_test_int(moved, 0, "bytes move between GPUs, and not by infinite");
}

/* Two GPUs that wait first, for events of so many others, which the step before
 * recorded: a wait is as near as what records it. */
static void waits_of(int others, double far)
{
  gscale_workload *w = work_of(5e9);
  draft d;

  begin(&d, 2, 2);
  for (int g = 0; g < 2; g++) {
    gscale_action a = {.thread = g, .stream = 2 * g};
    a.kind = GSCALE_WAIT;
    a.event = g < others ? 1 - g : g;
    put(&d, a);
    a.kind = GSCALE_LAUNCH;
    put(&d, a);
    a.kind = GSCALE_RECORD;
    a.event = g;
    put(&d, a);
    a.kind = GSCALE_SYNC_STREAM;
    put(&d, a);
  }
  add(w, &d);
  gsl_test_abs(gscale__program_find(w, 2)->whole.far, far, 0,
               "%d of two waits are for the other GPU's event", others);
  gscale_workload_free(w);
}

int main(void)
{
  gscale_system *s = some_system(GSCALE_SWITCH, "nvlink3");

  one_gpu(s);
  exchange(s);
  copied_first(s);
  met_by_three();
  shown(s);
  idle(s);
  chained(s);
  measured(s);
  hidden(s);
  same_bytes(s);
  contention();
  waits_of(0, 0.0);
  waits_of(1, 0.5);
  waits_of(2, 1.0);
  refusals();
  laws(s);
  needs(s);
  gscale_system_free(s);
  return gsl_test_summary();
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
