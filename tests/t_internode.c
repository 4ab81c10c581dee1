/* t_internode.c - message.c, exchange.c and energy.c: by hand, against what was
 * printed, their laws, their domain. */

#include "random.h"

#include <gsl/gsl_test.h>
#include <string.h>

static const double us = 1e-6, kib = 1024.0;

/* Numbers that differ from each other and from all special ones. */
static gscale_remote machine(void)
{
  return (gscale_remote){
      .path = {.latency = 3e-6,
               .rate = 3.2e9,
               .read = 0.97e9,
               .write = 2.9e9,
               .far_read = 0.35e9,
               .far_write = 1.1e9,
               .post = 0.05e-6,
               .gap = 1.2e-6},
      .stage = {.copy = 3.1e-6,
                .start = 8.7e-6,
                .down = 5.9e9,
                .up = 5.7e9,
                .buffer = 7.3e9,
                .chunk = 262144.0,
                .direct = 8192.0,
                .query = 20e-6,
                .handshake = 23e-6,
                .match = 6e-6},
      .control = {.post_gpu = 10.66e-6,
                  .post_host = 12.46e-6,
                  .poll_gpu = 8.27e-6,
                  .poll_host = 15.69e-6,
                  .stamp_gpu = 1.76e-6,
                  .stamp_host = 2.33e-6,
                  .serial_host = 0.458e-6,
                  .put = 5.1e-6,
                  .notify = 10.8e-6,
                  .watch = 0.6e-6,
                  .assist = 9.2e-6,
                  .scan = 0.125e-6,
                  .launch = 10e-6},
      .space = {.store = 3e-6,
                .load = 5.6e-6,
                .rate = 1.4e9,
                .payload = 64.0,
                .header = 48.0,
                .values = 16.0,
                .outstanding = 25.0,
                .flag = 3e-6,
                .flag_more = 0.33e-6},
  };
}

static gscale_message send(const gscale_remote *m, const char *method,
                           const gscale_remote_call *c)
{
  return gscale_remote_message(m, gscale_method_find(method), c);
}

static double atomic(const gscale_remote *m, const char *method,
                     gscale_place queues)
{
  return gscale_remote_atomic(m, gscale_method_find(method), queues);
}

static gscale_message by(const char *method, double bytes)
{
  const gscale_remote m = machine();
  const gscale_remote_call c = gscale_remote_call_of(bytes);

  return send(&m, method, &c);
}

/* ---- by hand ------------------------------------------------------------- */

static void is(double got, double expected, const char *name)
{
  gsl_test_rel(got, expected, 1e-12, "%s", name);
}

static void rates(void)
{
  const gscale_remote m = machine();
  gscale_remote_call c = gscale_remote_call_of(1.0);

  is(gscale_remote_rate(&m, &c), 0.97e9, "GPU to GPU: the read");
  c.from = GSCALE_ON_HOST;
  is(gscale_remote_rate(&m, &c), 2.9e9, "host to GPU: the write");
  c.to = GSCALE_ON_HOST;
  is(gscale_remote_rate(&m, &c), 3.2e9, "host to host: the wire");
  c.sharing = 4.0;
  is(gscale_remote_rate(&m, &c), 0.8e9, "one of four");
  c = gscale_remote_call_of(1.0);
  c.far = true;
  is(gscale_remote_rate(&m, &c), 0.35e9, "from behind the other socket");
  c.from = GSCALE_ON_HOST;
  is(gscale_remote_rate(&m, &c), 1.1e9, "to behind it");
}

static void pipelines(void)
{
  const double start[] = {1.0, 2.0, 0.5}, rate[] = {10.0, 20.0, 5.0};

  /* Chunks of 10 B take 2, 2.5 and 2.5 s. */
  is(gscale_pipeline(start, rate, 3, 10.0, 10.0), 7.0, "one chunk");
  is(gscale_pipeline(start, rate, 3, 30.0, 10.0), 12.0, "three chunks");
  is(gscale_pipeline(start, rate, 1, 25.0, 10.0), 5.5, "one stage");
  is(gscale_pipeline(start, rate, 2, 0.0, 10.0), 3.0, "nothing");
  /* Two full ones end at 4 and 7; 5 B more: 1.5, then 2.25 s. */
  is(gscale_pipeline(start, rate, 2, 25.0, 10.0), 9.25, "a smaller last one");
}

/* The recurrence itself. */
static double slow_pipeline(const double *start, const double *rate, size_t n,
                            double bytes, double chunk)
{
  double end[4] = {0};

  for (double left = bytes; left > 0.0; left -= chunk) {
    double before = 0.0;
    for (size_t k = 0; k < n; k++) {
      end[k] = fmax(before, end[k]) + start[k] + fmin(left, chunk) / rate[k];
      before = end[k];
    }
  }
  return end[n - 1];
}

static void closed_form_is_recurrence(void)
{
  rng seed = {7101};
  double worst = 0.0;

  for (int i = 0; i < 2000; i++) {
    double start[4], rate[4];
    const size_t n = 1 + (size_t)pick(&seed, 4);
    const double chunk = uniform(&seed, 1.0, 101.0);
    const double bytes = chunk * uniform(&seed, 0.1, 9.1);

    for (size_t k = 0; k < 4; k++) {
      start[k] = uniform(&seed, 0.0, 1.0);
      rate[k] = uniform(&seed, 1.0, 101.0);
    }
    const double fast = gscale_pipeline(start, rate, n, bytes, chunk);
    const double slow = slow_pipeline(start, rate, n, bytes, chunk);
    worst = fmax(worst, fabs(fast / slow - 1.0));
  }
  gsl_test(!(worst < 1e-12), "pipeline: off its recurrence by %g", worst);
}

static void by_hosts(void)
{
  const double s = 100.0 * kib;

  is(by("staged", s).latency,
     2 * 8.7e-6 + s / 5.9e9 + 3e-6 + s / 3.2e9 + s / 5.7e9, "staged");
  is(by("staged-copies", s).latency, by("staged", s).latency + 2 * s / 7.3e9,
     "staged-copies");
  is(by("staged-pipelined", s).latency,
     3e-6 + 2 * 3.1e-6 + 20.05e-6 + s / 5.9e9 + s / 3.2e9 + s / 5.7e9,
     "staged-pipelined, one chunk");
  is(by("gpudirect", s).latency, 3e-6 + s / 0.97e9, "gpudirect");
  is(by("gpudirect", s).gap, s / 0.97e9, "its gap");
  is(by("gpudirect", 8.0).gap, 1.2e-6, "its gap, of little");
  is(by("gpi2", 8192.0).latency, by("gpudirect", 8192.0).latency,
     "gpi2, direct");
  is(by("gpi2", 8192.0).busy, 0.05e-6, "the host only posts");
  is(by("gpi2", s).latency, 3e-6 + 3.1e-6 + s / 5.9e9 + 20.05e-6 + s / 2.9e9,
     "gpi2, staged");
  is(by("gpi2", s).busy, 3.1e-6 + 20.05e-6 + s / 5.9e9, "the host is busy");
  is(by("mpi", 1.0).latency, 6e-6 + 2 * 3e-6 + by("gpudirect", 1.0).latency,
     "mpi");
  is(by("host-assisted", 1.0).latency, 9.2e-6 + by("gpudirect", 1.0).latency,
     "host-assisted");
  is(by("host-assisted", 1.0).gap, 9.2e-6, "one thread serves");
  gscale_remote_call c = gscale_remote_call_of(1.0);
  const gscale_remote m = machine();
  c.connections = 5.0;
  is(send(&m, "host-assisted", &c).gap, 9.7e-6, "five connections");
}

static void by_mpi_acc(void)
{
  const double p = 256.0 * kib, slowest = 20e-6 + p / 3.2e9;

  is(by("mpi-acc", p - 1.0).latency, by("mpi-manual", p - 1.0).latency,
     "mpi-acc below a packet");
  is(by("mpi-acc", 4.0 * p).latency,
     23e-6 + 3e-6 + 2 * 3.1e-6 + p / 5.9e9 + 4 * slowest + p / 5.7e9,
     "mpi-acc, four packets");
  is(by("mpi-manual-chunked", 4.0 * p).latency,
     3e-6 + 2 * 3.1e-6 + p / 5.9e9 + 4 * (slowest + 23e-6) + p / 5.7e9,
     "a message of each");
}

static bool gets(const char *method)
{
  static const char *const names[] = {"gpudirect", "host-assisted", "put-ib",
                                      "put-rma", "nvshmem-ibgda"};

  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (strcmp(names[i], method) == 0) return true;
  return false;
}

/* What a get takes more than the put, and of nothing what an atomic takes. */
static void by_gets(void)
{
  static const char *const one_sided[] = {"gpudirect", "host-assisted",
                                          "put-ib"};
  const gscale_remote m = machine();
  gscale_remote_call c = gscale_remote_call_of(0.0);

  c.get = true;
  for (size_t i = 0; i < 3; i++)
    is(send(&m, one_sided[i], &c).latency,
       atomic(&m, one_sided[i], GSCALE_ON_GPU), one_sided[i]);
  c.bytes = 32.0;
  is(send(&m, "gpudirect", &c).latency, by("gpudirect", 32.0).latency + 3e-6,
     "the request first");
  is(send(&m, "gpudirect", &c).gap, by("gpudirect", 32.0).gap,
     "many are on their way");
  is(send(&m, "put-rma", &c).gap, by("put-rma", 32.0).gap + 3e-6,
     "each waits for the last");
  is(send(&m, "nvshmem-ibgda", &c).latency,
     10.66e-6 + 2 * 3e-6 + 32.0 / 0.97e9 + 8.27e-6, "the completion is taken");
  for (size_t w = 0; gscale_method_at(w); w++)
    gsl_test(isnan(gscale_remote_message(&m, w, &c).latency) !=
                 !gets(gscale_method_at(w)->name),
             "gets by %s", gscale_method_at(w)->name);
}

static void by_gpus(void)
{
  const gscale_remote m = machine();
  gscale_remote_call c = gscale_remote_call_of(32.0);
  const double b = 32.0 / 0.97e9;

  is(by("put-ib", 32.0).latency, 8.9e-6 + 3e-6 + b + 0.6e-6, "GPU queues");
  c.queues = GSCALE_ON_HOST;
  is(send(&m, "put-ib", &c).latency, 10.13e-6 + 3e-6 + b + 0.6e-6,
     "host queues");
  c.connections = 16.0;
  c.polled = true;
  is(send(&m, "put-ib", &c).gap, (12.46e-6 + 15.69e-6 + 15 * 0.458e-6) / 16,
     "16 connections");
  is(send(&m, "nvshmem-ibgda", &c).gap, (10.66e-6 + 8.27e-6) / 16,
     "IBGDA has queues of the GPU");
  is(by("nvshmem-ibgda", 32.0).latency, 10.66e-6 + 3e-6 + b + 0.6e-6,
     "IBGDA stamps nothing");
  is(by("put-rma", 32.0).latency, 5.1e-6 + b, "put by descriptor");
  c.notified = true;
  is(send(&m, "put-rma", &c).latency, 15.9e-6 + b, "with notifications");
  is(by("ggas", 8.0).latency, 3e-6, "a store");
  is(by("ggas", 640.0).latency, 3e-6 + 9 * 112 / 1.4e9, "640 B");
  is(by("ggas", 640.0).gap, 10 * 112 / 1.4e9, "640 B of many");
  is(by("ggas", 640.0).busy, 10 * 112 / 1.4e9, "busy as long");
  is(by("ggas-load", 256.0).latency, 5.6e-6 + 5.6e-6 / 25,
     "two loads of 128 B");
  is(atomic(&m, "put-ib", GSCALE_ON_HOST), 34.15e-6, "atomic");
  is(atomic(&m, "host-assisted", GSCALE_ON_HOST), 15.2e-6,
     "atomic by the host");
  is(atomic(&m, "gpudirect", GSCALE_ON_HOST), 6e-6, "atomic of the host");
}

/* Table 6.1 of [Oden14]. */
static void requests(void)
{
  const gscale_remote m = machine();
  static const double cells[6][4] = {
      {1, 1, 1, 1},       {16, 1, 16, 2},        {64, 4, 64, 8},
      {256, 16, 256, 32}, {1024, 64, 1024, 128}, {4096, 256, 4096, 512}};

  for (size_t i = 0; i < 6; i++) {
    const double n = cells[i][0];
    is(gscale_remote_requests(&m, n, 4, 1, false), cells[i][1], "consecutive");
    is(gscale_remote_requests(&m, n, 4, 1, true), cells[i][1], "loads");
    is(gscale_remote_requests(&m, n, 4, 2, false), cells[i][2], "stores");
    is(gscale_remote_requests(&m, n, 4, 2, true), cells[i][3], "strided loads");
  }
}

static void built(void)
{
  const gscale_remote m = machine();
  const double v = 4096.0, mem = 150e9;
  const double store = by("ggas", v).latency;
  const double gap = by("ggas", v).gap;
  const double bar = 9e-6 + 6 * 0.33e-6;

  is(gscale_remote_barrier(&m, 2, false), 9e-6, "barrier of two");
  is(gscale_remote_barrier(&m, 8, true), bar + 10e-6, "of eight, a kernel");
  is(gscale_remote_reduce(&m, GSCALE_GATHER_ALL, 8, v, mem, true),
     store + 6 * gap + bar + 8 * v / mem, "all");
  is(gscale_remote_reduce(&m, GSCALE_GATHER_ROOT, 8, v, mem, true),
     2 * (store + 6 * gap + bar) + 8 * v / mem, "root, back to all");
  is(gscale_remote_reduce(&m, GSCALE_GATHER_TREE, 8, v, mem, false),
     3 * (store + 3e-6 + 2 * v / mem), "tree");
  is(gscale_remote_reduce(&m, GSCALE_GATHER_READ, 3, v, mem, false),
     9.33e-6 + 2 * by("ggas-load", v).latency, "read");
  is(gscale_remote_reduce(&m, GSCALE_GATHER_ALL_TO_ALL, 8, v, mem, false),
     2 * (by("ggas", v / 8).latency + 6 * by("ggas", v / 8).gap + bar) +
         v / mem,
     "all-to-all");
  is(gscale_host_allreduce(&m, 16, 4, GSCALE_ON_GPU),
     2 * 8.7e-6 + 8 * (3e-6 + 3 * 1.2e-6), "16 processes, 4 a node");
  is(gscale_host_allreduce(&m, 2, 1, GSCALE_ON_HOST), 6e-6, "two hosts");
}

static void contention(void)
{
  is(gscale_opposite(0.193), 0.5965, "both directions");
  is(gscale_opposite(1.0), 1.0, "full duplex");
  gsl_test(!isnan(gscale_opposite(-0.1)), "less than one direction");
  is(gscale_queued(40e-6, 30e-6, 1.0, 0.5), 1.375, "behind one packet");
  is(gscale_queued(40e-6, 30e-6, 16.0, 0.5), 7.0, "behind all");
  gsl_test(!isnan(gscale_queued(0.0, 1e-6, 1.0, 0.5)), "no copy");
  gsl_test(!isnan(gscale_queued(1e-6, 1e-6, 1.0, 1.5)), "always and more");
  is(gscale_on_stream_0(3e-6, 5e-6), 8e-6, "stream 0");
  is(gscale_on_streams(3e-6, 5e-6), 5e-6, "streams of their own");
  gsl_test(!isnan(gscale_on_stream_0(-1.0, 1.0)), "less than nothing");
}

static void steps(void)
{
  const gscale_halves h = {.compute = 50e-6,
                           .send = 70e-6,
                           .post = 9e-6,
                           .poll = 8e-6,
                           .event = 12e-6,
                           .between = 3e-6,
                           .launch = 10e-6,
                           .blocks = 30.0,
                           .wait = 1e-9,
                           .barrier = 11e-6};

  is(gscale_control_step(GSCALE_CONTROL_HOST, &h), 140e-6, "host");
  is(gscale_control_step(GSCALE_CONTROL_STREAM, &h), 2 * 113e-6, "stream");
  is(gscale_control_step(GSCALE_CONTROL_DEVICE, &h), 2 * 104e-6, "device");
  is(gscale_control_step(GSCALE_CONTROL_IN_KERNEL, &h), 2 * 88.9e-6,
     "in-kernel");
  is(gscale_control_step(GSCALE_CONTROL_GLOBAL, &h), 261e-6, "global");
  gsl_test(!isnan(gscale_control_step(GSCALE_CONTROL_END, &h)), "nobody");
}

static void energy(void)
{
  const gscale_power p = {180, 45, 50, 26, 3.9, 2.2, 400e-12};

  is(gscale_energy(&p, 2.0, 1.5, 0.5, 1e9),
     180 * 1.5 + 45 * 0.5 + 53.9 * 0.5 + 28.2 * 1.5 + 0.4, "energy");
  is(gscale_energy(&p, 0.0, 0.0, 0.0, 0.0), 0.0, "of nothing");
  gsl_test(!isnan(gscale_energy(&p, 1.0, 1.1, 0.5, 0.0)),
           "longer than the step");
  gsl_test(!isnan(gscale_energy(&p, 1.0, 0.5, -0.1, 0.0)), "less than nothing");
  gscale_power unknown = p;
  unknown.gpu_idle = (double)NAN;
  gsl_test(!isnan(gscale_energy(&unknown, 1.0, 1.0, 0.0, 0.0)), "not known");
}

/* ---- laws ---------------------------------------------------------------- */

/* Each number of a machine is a double: a time or a rate. */
static bool is_gain(const gscale_remote *m, const double *at)
{
  const double *gains[] = {&m->path.rate,      &m->path.read,
                           &m->path.write,     &m->path.far_read,
                           &m->path.far_write, &m->stage.down,
                           &m->stage.up,       &m->stage.buffer,
                           &m->space.rate,     &m->space.outstanding};

  for (size_t i = 0; i < sizeof gains / sizeof *gains; i++)
    if (gains[i] == at) return true;
  return false;
}

/* Limits between regimes, sizes, and what is taken off. */
static bool is_neither(const gscale_remote *m, const double *at)
{
  return at == &m->stage.chunk || at == &m->stage.direct ||
         at == &m->space.payload || at == &m->space.values ||
         at == &m->control.stamp_gpu || at == &m->control.stamp_host;
}

/* More of a rate never slows, more of a time never speeds. */
static void monotone(void)
{
  const gscale_remote before = machine();
  const size_t n = sizeof before / sizeof(double);
  const double sizes[] = {0, 8, 5000, 3e5, 4e6};

  for (size_t i = 0; i < n; i++) {
    gscale_remote after = before;
    double *x = (double *)&after + i;
    const double sign = is_gain(&after, x) ? -1.0 : 1.0;

    if (is_neither(&after, x) || !(*x > 0.0)) continue;
    *x *= 1.1;
    for (size_t w = 0; gscale_method_at(w); w++)
      for (size_t s = 0; s < 5; s++) {
        gscale_remote_call c = gscale_remote_call_of(sizes[s]);
        c.polled = c.notified = true;
        const gscale_message a = gscale_remote_message(&before, w, &c);
        const gscale_message b = gscale_remote_message(&after, w, &c);
        gsl_test(!(sign * (b.latency - a.latency) >= -1e-18 &&
                   sign * (b.gap - a.gap) >= -1e-18),
                 "number %zu, %s, %g B: from %g to %g us", i,
                 gscale_method_at(w)->name, sizes[s], a.latency / us,
                 b.latency / us);
      }
  }
}

static void more_bytes_take_longer(void)
{
  for (size_t w = 0; gscale_method_at(w); w++) {
    double last = 0.0;

    for (double s = 1.0; s < 2e8; s *= 4.0) {
      const gscale_message m = by(gscale_method_at(w)->name, s);
      gsl_test(!(m.latency >= last && m.busy >= 0.0 && m.gap > 0.0), "%s: %g B",
               gscale_method_at(w)->name, s);
      /* From a packet on MPI-ACC's pipeline is faster: that is what it is for.
       */
      if (w != gscale_method_find("mpi-acc") &&
          w != gscale_method_find("mpi-manual-chunked"))
        last = m.latency;
    }
  }
}

static void switches(void)
{
  const gscale_remote m = machine();
  gscale_remote_call c = gscale_remote_call_of(0.0);
  const double at = gscale_remote_switch(&m, &c);
  gscale_remote direct = m, stage = m;

  direct.stage.direct = INFINITY;
  stage.stage.direct = 0.0;
  stage.path.post = 0.0; /* which the closed form leaves out */
  c.bytes = at;
  gsl_test_rel(send(&direct, "gpi2", &c).latency,
               send(&stage, "gpi2", &c).latency, 1e-12,
               "at %g B both are as fast", at);
  direct.path.read = 3e9;
  gsl_test(isfinite(gscale_remote_switch(&direct, &c)), "reads are fast");
}

/* ---- domain -------------------------------------------------------------- */

static void lacking(void)
{
  const gscale_remote none = {.path = {.latency = 1e-6}};
  const gscale_remote m = machine();
  gscale_remote_call c = gscale_remote_call_of(8.0);

  for (size_t w = 0; gscale_method_at(w); w++) {
    const gscale_message a = gscale_remote_message(&none, w, &c);
    gsl_test(!(isnan(a.busy) && isnan(a.latency) && isnan(a.gap)), "%s: %s",
             gscale_method_at(w)->name, "of an unknown machine");
  }
  gsl_test(!isnan(send(&m, "none", &c).gap), "no way");
  c.bytes = -1.0;
  gsl_test(!isnan(send(&m, "ggas", &c).gap), "bytes");
  c = gscale_remote_call_of(8.0);
  c.connections = 0.5;
  gsl_test(!isnan(send(&m, "put-ib", &c).gap), "half a connection");
  gsl_test(!isnan(gscale_remote_barrier(&m, 0, false)), "no GPU");
  gsl_test(!isnan(gscale_remote_barrier(&none, 2, false)), "no addresses");
  gsl_test(!isnan(gscale_remote_reduce(&m, GSCALE_GATHER_END, 2, 8, 1, true)),
           "no way to gather");
  gsl_test(!isnan(gscale_host_allreduce(&m, 2, 0, GSCALE_ON_GPU)), "sharing");
  gsl_test(!isnan(gscale_remote_requests(&m, 1, 4, 0.5, true)), "stride");
  gsl_test(!isnan(atomic(&m, "ggas", GSCALE_ON_GPU)), "GGAS has no atomics");
  gsl_test(!isnan(gscale_pipeline(NULL, NULL, 0, 1, 1)), "no stage");
  is(gscale_remote_barrier(&m, 1, true), 0.0, "alone");
  is(gscale_remote_reduce(&m, GSCALE_GATHER_ALL, 1, 8, 1, true), 0.0, "alone");
  is(gscale_host_allreduce(&m, 1, 1, GSCALE_ON_GPU), 0.0, "alone");
}

static void names(void)
{
  for (size_t w = 0; gscale_method_at(w); w++)
    gsl_test(gscale_method_find(gscale_method_at(w)->name) != w, "%s",
             gscale_method_at(w)->name);
  gsl_test(gscale_method_at(gscale_method_find("post")) != NULL, "no such way");
  gsl_test(gscale_method_at(1000) != NULL, "past the end");
  gsl_test_str(gscale_name(GSCALE_PLACE_NAMES, GSCALE_ON_HOST), "host",
               "place");
  gsl_test_str(gscale_name(GSCALE_GATHER_NAMES, GSCALE_GATHER_ALL_TO_ALL),
               "all-to-all", "gather");
  gsl_test_str(gscale_name(GSCALE_CONTROL_NAMES, GSCALE_CONTROL_IN_KERNEL),
               "in-kernel", "control");
}

int main(void)
{
  rates();
  pipelines();
  closed_form_is_recurrence();
  by_hosts();
  by_mpi_acc();
  by_gpus();
  by_gets();
  requests();
  built();
  contention();
  steps();
  energy();
  monotone();
  more_bytes_take_longer();
  switches();
  lacking();
  names();
  return gsl_test_summary();
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
