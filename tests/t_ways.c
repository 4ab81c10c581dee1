/* t_ways.c - what leaves a node by the methods of message.h: against their
 * closed forms, in every part; power and energy; how both are described. */

#include "cases.h"

#include <gsl/gsl_test.h>
#include <stdio.h>

/* What a way needs, and more than most machines have. */
static const struct {
  const char *name;
  double value;
} numbers[] = {
    {"path.latency", 3e-6},       {"path.rate", 3.2e9},
    {"path.read", 0.97e9},        {"path.write", 2.9e9},
    {"path.post", 0.05e-6},       {"path.gap", 1.2e-6},
    {"stage.copy", 3.1e-6},       {"stage.start", 8.7e-6},
    {"stage.down", 5.9e9},        {"stage.up", 5.7e9},
    {"stage.chunk", 262144},      {"stage.direct", 8192},
    {"stage.query", 2.3e-6},      {"stage.handshake", 23e-6},
    {"stage.match", 6e-6},        {"control.post_gpu", 10.7e-6},
    {"control.poll_gpu", 8.3e-6}, {"control.stamp_gpu", 1.8e-6},
    {"control.watch", 0.6e-6},    {"control.put", 5.1e-6},
    {"control.notify", 10.8e-6},  {"control.assist", 9.2e-6},
    {"space.store", 3e-6},        {"space.rate", 1.4e9},
    {"space.payload", 64},        {"space.header", 48},
};

enum {
  NUMBERS = sizeof numbers / sizeof *numbers
};

static const char *const ways[] = {
    "gpi2",    "mpi",           "mpi-manual", "mpi-manual-chunked",
    "mpi-acc", "host-assisted", "put-ib",     "put-rma",
    "ggas",    "nvshmem-ibgda"};

enum {
  WAYS = sizeof ways / sizeof *ways
};

static gscale_status say(gscale_system *s, gscale_described of,
                         const char *name, double v, double err,
                         gscale_diag *diag)
{
  const gscale_param p = {v, err, GSCALE_MEASURED, "test", GSCALE_BY_ORIGIN};

  return gscale_system_set_remote(s, gscale_field_find(of, name), &p, diag);
}

/* Two nodes of one GPU; err: relative, of each number. */
static gscale_system *two_nodes(double err)
{
  gscale_system *s = some_system(GSCALE_SWITCH, "nvlink4");
  gscale_fabric f;

  gscale_fabric_init(&f, GSCALE_SWITCH);
  gscale_system_set_shape(s, &f, 1, true, 0, NULL);
  const gscale_network n = {
      .nodes = 2, .rails = 1, .link = *gscale_link_find("ib-qdr")};
  gsl_test_int((int)gscale_system_set_network(s, &n, NULL), GSCALE_OK, "nodes");
  for (size_t i = 0; i < NUMBERS; i++)
    gsl_test_int((int)say(s, GSCALE_OF_REMOTE, numbers[i].name,
                          numbers[i].value, err * numbers[i].value, NULL),
                 GSCALE_OK, "%s", numbers[i].name);
  return s;
}

/* One plane, 64 kB, in one message to the other node. */
static gscale_workload *planes(void)
{
  return one_phase(halo_phase(128));
}

typedef struct asked {
  size_t paradigm;
  gscale_knobs knobs;
} asked;

static asked ask(const char *name)
{
  asked a = {0, gscale_knobs_best};

  gsl_test(!gscale_pair_find(name, &a.paradigm, &a.knobs), "%s", name);
  return a;
}

static gscale_prediction predicted_of(const gscale_system *s,
                                      gscale_workload *w, const char *paradigm,
                                      double *energy)
{
  gscale_prediction out = {.time = (double)NAN};
  gscale_plan *p = NULL;
  gscale_diag why = {""};

  gsl_test_int((int)gscale_plan_new(s, w, 2, &p, &why), GSCALE_OK, "plan: %s",
               why.text);
  const asked a = ask(paradigm);
  gsl_test_int((int)gscale_predict(p, a.paradigm, &a.knobs, &out, &why),
               GSCALE_OK, "%s: %s", paradigm, why.text);
  if (energy) *energy = gscale_predict_energy(p, &out);
  gscale_plan_free(p);
  gscale_workload_free(w);
  return out;
}

static gscale_prediction predicted(const gscale_system *s, const char *paradigm,
                                   double *energy)
{
  return predicted_of(s, planes(), paradigm, energy);
}

/* ---- times ----------------------------------------------------------------
 */

/* All ways post behind the same kernels: they differ as their messages do. */
static void messages(void)
{
  gscale_system *s = two_nodes(0.0);
  const gscale_remote *r = gscale_system_about(s).remote;
  gscale_remote_call c = gscale_remote_call_of(4.0 * 128 * 128);
  double before = 0.0, message = 0.0;

  c.polled = c.notified = true;
  for (size_t i = 0; i < WAYS; i++) {
    const gscale_prediction p = predicted(s, ways[i], NULL);
    const bool device = i >= 5;
    double sum = 0.0;

    for (int k = 0; k < GSCALE_PART_END; k++) sum += p.part[k];
    gsl_test_rel(sum, p.time, 1e-12, "%s: its parts", ways[i]);
    const size_t m = gscale_method_find(ways[i]);
    const double t =
        gscale_remote_message(r, m, &c).latency +
        (gscale_method_at(m)->meets ? gscale_remote_barrier(r, 2, false) : 0.0);
    if (i > 0 && i != 5)
      gsl_test_rel(p.time - before, t - message, 1e-9, "%s after %s", ways[i],
                   ways[i - 1]);
    gsl_test(!(p.time > predicted(s, "infinite", NULL).time),
             "%s: not as fast as nothing", ways[i]);
    gsl_test(!(p.bytes.useful > 0.0), "%s: bytes move", ways[i]);
    gsl_test(device && !(p.part[GSCALE_PART_HOST] <=
                         predicted(s, "gpi2", NULL).part[GSCALE_PART_HOST]),
             "%s: the host has less to do", ways[i]);
    before = p.time;
    message = t;
  }
  gscale_system_free(s);
}

/* The same, with more to compute, messages that are late, and a host that has
 * something of its own to do. */
static gscale_workload *late_planes(double flop, bool late, double fixed)
{
  gscale_phase p = halo_phase(128);
  gscale_host h = gscale_host_default;

  p.flop = flop;
  gscale_workload *w = one_phase(p);
  h.late = late;
  h.fixed = fixed;
  gsl_test_int((int)gscale_workload_set_host(w, &h, NULL), GSCALE_OK, "host");
  return w;
}

static double time_of(const gscale_system *s, const char *way, double flop,
                      bool late, double fixed)
{
  return predicted_of(s, late_planes(flop, late, fixed), way, NULL).time;
}

/* Late messages cost what they take or what is computed, whichever is more, and
 * no more than both; stores gain nothing. */
static void late_messages(void)
{
  gscale_system *s = two_nodes(0.0);

  for (size_t i = 0; i < WAYS; i++)
    for (double flop = 1e6; flop < 1e12; flop *= 10.0) {
      const double both = time_of(s, ways[i], flop, false, 0.0);
      const double late = time_of(s, ways[i], flop, true, 0.0);
      const double ideal = time_of(s, "infinite", flop, true, 0.0);
      const double sent = both - time_of(s, "infinite", flop, false, 0.0);
      const size_t m = gscale_method_find(ways[i]);
      gsl_test(!(late >= ideal), "%s: nothing is faster than infinite",
               ways[i]);
      gsl_test(!(late >= 0.9 * sent), "%s: a message takes its time: %g %g",
               ways[i], late, sent);
      gsl_test(!(late <= both + 20e-6), "%s: no more than one behind the other",
               ways[i]);
      if (gscale_method_at(m)->meets)
        gsl_test(!(late >= both), "%s: stores are in the kernels", ways[i]);
      else if (ideal > 2.0 * sent)
        gsl_test(!(late < ideal + 0.5 * sent), "%s: hidden: %g %g %g", ways[i],
                 late, ideal, sent);
    }
  gscale_system_free(s);
}

/* What a GPU posts late goes beside kernels, but its posts and completions
 * stand between them. */
static void late_posts(void)
{
  static const char *const by[] = {"put-ib", "put-rma", "nvshmem-ibgda"};
  gscale_system *s = two_nodes(0.0);
  gscale_remote_call c = gscale_remote_call_of(4.0 * 128 * 128);

  c.polled = c.notified = true;
  for (size_t i = 0; i < sizeof by / sizeof *by; i++) {
    const double busy = gscale_remote_message(gscale_system_about(s).remote,
                                              gscale_method_find(by[i]), &c)
                            .busy;
    const double more = time_of(s, by[i], 1e11, true, 0.0) -
                        time_of(s, "infinite", 1e11, true, 0.0);
    gsl_test_rel(more, busy, 1e-9, "%s: posts are not hidden", by[i]);
  }
  gscale_system_free(s);
}

/* What a host does of its own is in every time, as it is. */
static void fixed_work(void)
{
  gscale_system *s = two_nodes(0.0);
  static const char *const all[] = {"infinite", "memcpy+mpi", "memcpy+put-rma",
                                    "memcpy-async+gpi2"};

  for (size_t i = 0; i < sizeof all / sizeof *all; i++)
    gsl_test_rel(time_of(s, all[i], 1e9, false, 3e-3) -
                     time_of(s, all[i], 1e9, false, 0.0),
                 3e-3, 1e-9, "%s: host.fixed", all[i]);
  gscale_system_free(s);
}

/* A boundary that is computed first leaves while the rest is computed. */
static void boundary_first(void)
{
  static const char *const by[] = {"gpi2", "mpi", "put-rma", "nvshmem-ibgda"};
  gscale_system *s = two_nodes(0.0);

  for (size_t i = 0; i < sizeof by / sizeof *by; i++) {
    char way[64];
    snprintf(way, sizeof way, "memcpy-async+%s", by[i]);
    const double beside = time_of(s, way, 1e11, false, 0.0);
    const double behind =
        time_of(s, way + sizeof "memcpy-async", 1e11, false, 0.0);
    const double ideal = time_of(s, "infinite", 1e11, false, 0.0);
    gsl_test(!(beside >= ideal), "%s: not beyond infinite", way);
    gsl_test(!(beside - ideal < 0.5 * (behind - ideal)),
             "%s: beside %g, behind %g of %g", way, beside, behind, ideal);
  }
  gscale_system_free(s);
}

static bool is_gain(const char *name)
{
  static const char *const gains[] = {"path.rate",  "path.read", "path.write",
                                      "stage.down", "stage.up",  "space.rate"};

  for (size_t i = 0; i < sizeof gains / sizeof *gains; i++)
    if (strcmp(gains[i], name) == 0) return true;
  return false;
}

static bool is_neither(const char *name)
{
  static const char *const sizes[] = {"stage.chunk", "stage.direct",
                                      "space.payload", "control.stamp_gpu"};

  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
    if (strcmp(sizes[i], name) == 0) return true;
  return false;
}

/* More of a rate never slows a step, more of a time never speeds it. */
static void laws(void)
{
  gscale_system *s = two_nodes(0.0);

  for (size_t k = 0; k < NUMBERS; k++) {
    const double sign = is_gain(numbers[k].name) ? -1.0 : 1.0;

    if (is_neither(numbers[k].name)) continue;
    for (size_t i = 0; i < WAYS; i++) {
      const double before = predicted(s, ways[i], NULL).time;
      say(s, GSCALE_OF_REMOTE, numbers[k].name, 1.3 * numbers[k].value, 0.0,
          NULL);
      const double after = predicted(s, ways[i], NULL).time;
      say(s, GSCALE_OF_REMOTE, numbers[k].name, numbers[k].value, 0.0, NULL);
      gsl_test(!(sign * (after - before) >= -1e-15 * before), "%s: more of %s",
               ways[i], numbers[k].name);
    }
  }
  gscale_system_free(s);
}

/* An error of a number is one of the time, by the ways that use it. */
static void errors(void)
{
  gscale_system *s = two_nodes(0.0);
  gscale_workload *w = planes();
  gscale_error exact, doubted, other;
  const asked ggas = ask("ggas"), gpi2 = ask("gpi2");

  gscale_error_of(s, w, 2, ggas.paradigm, &ggas.knobs, &exact, NULL);
  say(s, GSCALE_OF_REMOTE, "space.rate", 1.4e9, 0.2e9, NULL);
  gscale_error_of(s, w, 2, ggas.paradigm, &ggas.knobs, &doubted, NULL);
  gscale_error_of(s, w, 2, gpi2.paradigm, &gpi2.knobs, &other, NULL);
  gsl_test(!(doubted.time > exact.time + 1e-6), "a doubted rate: %g and %g",
           doubted.time, exact.time);
  gsl_test(!(other.time < doubted.time), "which gpi2 does not use");
  gscale_workload_free(w);
  gscale_system_free(s);
}

static void lacking(void)
{
  gscale_system *s = some_system(GSCALE_SWITCH, "nvlink4"), *n = two_nodes(0.0);
  gscale_workload *w = planes();
  gscale_plan *p = NULL;
  gscale_diag why = {""};

  const asked ggas = ask("ggas");

  gscale_plan_new(s, w, 2, &p, NULL);
  gsl_test_int(
      (int)gscale_pair_needs(p, ggas.paradigm, ggas.knobs.between, &why),
      GSCALE_ENEED, "on one node: %s", why.text);
  gscale_plan_free(p);
  say(n, GSCALE_OF_REMOTE, "space.store", 0.0, 0.0, NULL);
  gscale_plan_new(n, w, 2, &p, NULL);
  gsl_test_int(
      (int)gscale_pair_needs(p, ggas.paradigm, ggas.knobs.between, &why),
      GSCALE_ENEED, "without a number: %s", why.text);
  gsl_test(!strstr(why.text, "remote"), "it says which table: %s", why.text);
  gscale_plan_free(p);
  gscale_workload_free(w);
  gscale_system_free(n);
  gscale_system_free(s);
}

/* ---- energy ---------------------------------------------------------------
 */

static void say_watts(gscale_system *s, const gscale_power *watts)
{
  static const char *const names[] = {
      "gpu_busy",    "gpu_idle",      "host_busy", "host_asleep",
      "memory_busy", "memory_asleep", "link"};

  for (size_t i = 0; i < 7; i++)
    say(s, GSCALE_OF_POWER, names[i], ((const double *)watts)[i], 0.0, NULL);
}

static void energy(void)
{
  gscale_system *s = two_nodes(0.0);
  double host = 0.0, device = 0.0;
  gscale_power watts = {180, 45, 50, 26, 3.9, 2.2, 400e-12};

  predicted(s, "gpi2", &host);
  gsl_test(!isnan(host), "nobody says its power");
  say_watts(s, &watts);
  const gscale_prediction a = predicted(s, "gpi2", &host);
  const gscale_prediction b = predicted(s, "put-ib", &device);
  gsl_test_rel(host,
               2 * gscale_energy(&watts, a.time, a.part[GSCALE_PART_COMPUTE],
                                 a.time, a.bytes.wire / 2),
               1e-12, "a host that polls");
  gsl_test_rel(device,
               2 * gscale_energy(&watts, b.time, b.part[GSCALE_PART_COMPUTE],
                                 b.part[GSCALE_PART_HOST], b.bytes.wire / 2),
               1e-12, "a host that sleeps");
  gscale_system_free(s);
}

/* Energy of so many GPUs, of a step with a shared part of the work. */
static double joules(const gscale_system *s, gscale_phase f, int n,
                     const char *way, bool late)
{
  gscale_workload *w = one_phase(f);
  gscale_host h = gscale_host_default;
  gscale_prediction out = {.time = (double)NAN};
  gscale_plan *p = NULL;

  h.late = late;
  gscale_workload_set_host(w, &h, NULL);
  gsl_test_int((int)gscale_plan_new(s, w, n, &p, NULL), GSCALE_OK, "plan");
  const asked a = ask(way);
  gsl_test_int((int)gscale_predict(p, a.paradigm, &a.knobs, &out, NULL),
               GSCALE_OK, "%s", way);
  const double e = gscale_predict_energy(p, &out);
  gscale_plan_free(p);
  gscale_workload_free(w);
  return e;
}

/* One GPU has nobody to poll for: by every method its host is awake for its own
 * calls only. */
static void energy_alone(void)
{
  static const gscale_power watts = {180, 45, 50, 26, 3.9, 2.2, 400e-12};
  gscale_system *s = two_nodes(0.0);

  say_watts(s, &watts);
  for (size_t i = 0; i < WAYS; i++) {
    gscale_workload *w = one_phase(halo_phase(128));
    const asked a = ask(ways[i]);
    gscale_prediction out = {.time = (double)NAN};
    gscale_plan *p = NULL;

    gsl_test_int((int)gscale_plan_new(s, w, 1, &p, NULL), GSCALE_OK, "plan");
    gsl_test_int((int)gscale_predict(p, a.paradigm, &a.knobs, &out, NULL),
                 GSCALE_OK, "%s", ways[i]);
    gsl_test(!(out.part[GSCALE_PART_HOST] < out.time), "%s: it sleeps",
             ways[i]);
    gsl_test_rel(gscale_predict_energy(p, &out),
                 gscale_energy(&watts, out.time, out.part[GSCALE_PART_COMPUTE],
                               out.part[GSCALE_PART_HOST], 0.0),
                 1e-12, "%s: alone, a host is billed for its calls", ways[i]);
    gscale_plan_free(p);
    gscale_workload_free(w);
  }
  gscale_system_free(s);
}

/* Whatever is hidden behind what: kernels draw their power; and two GPUs never
 * need less than one for work that all of them do. */
static void energy_laws(void)
{
  static const gscale_power watts = {180, 45, 50, 26, 3.9, 2.2, 400e-12};
  gscale_system *s = two_nodes(0.0);
  gscale_phase f = halo_phase(128);

  say_watts(s, &watts);
  f.fixed = 2e-3; /* on each GPU: none gains by the other */
  for (size_t i = 0; i < WAYS; i++)
    for (int late = 0; late < 2; late++) {
      const double two = joules(s, f, 2, ways[i], late);
      gsl_test(!(two >= 2 * 180 * f.fixed), "%s: busy is billed: %g", ways[i],
               two);
      gsl_test(!(two >= joules(s, f, 1, ways[i], late)),
               "%s: two GPUs need no less than one", ways[i]);
      gsl_test(!(two >= joules(s, f, 2, "infinite", late)),
               "%s: no less than infinite", ways[i]);
    }
  gscale_system_free(s);
}

/* J of two nodes by a way, with some of the flops; and its error. */
static double joules_and_error(const gscale_system *s, double flop,
                               const char *way, double *err)
{
  gscale_phase f = halo_phase(128);
  gscale_error e;

  f.flop = flop;
  gscale_workload *w = one_phase(f);
  const asked a = ask(way);
  gsl_test_int((int)gscale_error_of(s, w, 2, a.paradigm, &a.knobs, &e, NULL),
               GSCALE_OK, "error by %s", way);
  gscale_workload_free(w);
  *err = e.energy;
  return joules(s, f, 2, way, false);
}

/* A watt that is off by 1 % is that much of what it draws, a number that moves
 * the time is what it moves the energy, and both go by squares. */
static void energy_errors(void)
{
  static const double watts[] = {180, 45, 50, 26, 3.9, 2.2, 400e-12};
  gscale_system *s = two_nodes(0.0);
  double err = 0.0, squares = 0.0, up = 0.0;
  const gscale_field *row;

  joules_and_error(s, 1e9, "gpi2", &err);
  gsl_test(!isnan(err), "nobody says its power: %g", err);
  for (size_t i = 0; (row = gscale_field_at(GSCALE_OF_POWER, i)); i++)
    say(s, GSCALE_OF_POWER, row->name, watts[i], 0.0, NULL);
  const double exact = joules_and_error(s, 1e9, "gpi2", &up);
  for (size_t i = 0; (row = gscale_field_at(GSCALE_OF_POWER, i)); i++) {
    say(s, GSCALE_OF_POWER, row->name, 1.01 * watts[i], 0.0, NULL);
    const double moved = joules_and_error(s, 1e9, "gpi2", &err) - exact;
    say(s, GSCALE_OF_POWER, row->name, watts[i], 0.01 * watts[i], NULL);
    joules_and_error(s, 1e9, "gpi2", &err);
    gsl_test_rel(sqrt(err * err - up * up), moved, 1e-6, "%s", row->name);
    squares += moved * moved;
    say(s, GSCALE_OF_POWER, row->name, watts[i], 0.0, NULL);
  }
  gsl_test(!(squares > 0.0), "watts matter");
  say(s, GSCALE_OF_REMOTE, "path.rate", 3.2e9, 0.032e9, NULL);
  joules_and_error(s, 1e9, "gpi2", &err);
  say(s, GSCALE_OF_REMOTE, "path.rate", 3.168e9, 0.0, NULL);
  const double slower = joules_and_error(s, 1e9, "gpi2", &squares) - exact;
  gsl_test_rel(sqrt(err * err - up * up), slower, 0.02, "a rate's error");
  gscale_system_free(s);
}

/* ---- descriptions ----------------------------------------------------------
 */

static void described(void)
{
  gscale_system *s = two_nodes(0.01);
  const gscale_field *read = gscale_field_find(GSCALE_OF_REMOTE, "path.read");
  const gscale_field *other = gscale_field_find(GSCALE_OF_LINK, "link.payload");
  const gscale_param p = {1.0, 0.0, GSCALE_SPEC, "", GSCALE_BY_ORIGIN};
  gscale_diag why = {""};

  gsl_test_abs(gscale_system_about(s).remote->path.read, 0.97e9, 0,
               "as it was said");
  gsl_test_rel(gscale_system_remote_said(s, read)->err, 0.0097e9, 1e-12,
               "with its error");
  gsl_test(gscale_system_remote_said(
               s, gscale_field_find(GSCALE_OF_REMOTE, "space.window")) != NULL,
           "nobody said it");
  gsl_test_int((int)say(s, GSCALE_OF_REMOTE, "path.read", -1.0, 0.0, &why),
               GSCALE_EDOMAIN, "%s", why.text);
  gsl_test(!strstr(why.text, "remote.path.read"), "named: %s", why.text);
  gsl_test_int((int)say(s, GSCALE_OF_POWER, "gpu_idle", -1.0, 0.0, &why),
               GSCALE_EDOMAIN, "%s", why.text);
  gsl_test(!strstr(why.text, "power.gpu_idle"), "named: %s", why.text);
  gsl_test_int((int)say(s, GSCALE_OF_POWER, "gpu_idle", (double)NAN, 0, NULL),
               GSCALE_EDOMAIN, "no number");
  gsl_test_int((int)say(s, GSCALE_OF_REMOTE, "path.read", 1.0, -1.0, NULL),
               GSCALE_EDOMAIN, "an error below 0");
  gsl_test_int((int)gscale_system_set_remote(s, other, &p, NULL), GSCALE_ENAME,
               "of another table");
  gsl_test_abs(gscale_system_about(s).remote->path.read, 0.97e9, 0,
               "unchanged");
  gscale_system_free(s);
}

int main(void)
{
  messages();
  late_messages();
  late_posts();
  fixed_work();
  boundary_first();
  laws();
  errors();
  lacking();
  energy();
  energy_alone();
  energy_laws();
  energy_errors();
  described();
  return gsl_test_summary();
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
