/* t_sums.c - arrays that all GPUs add up, by collectives and by what programs
 * do without them. */

#include "cases.h"

#include <gsl/gsl_test.h>

static const double ARRAY = 3.7e6; /* B */

static gscale_phase sum_phase(double bytes)
{
  gscale_phase p;

  gscale_phase_init(&p, "add");
  p.units = 1000;
  p.flop = 2.3e9;
  p.bytes = 0.7e9;
  p.footprint = 1.1e9;
  p.reduce = bytes;
  p.stores.size[0] = 64;
  return p;
}

static gscale_plan *planned(const gscale_system *s, const gscale_workload *w,
                            int n)
{
  gscale_plan *p = NULL;
  gscale_diag why = {""};

  gsl_test_int((int)gscale_plan_new(s, w, n, &p, &why), GSCALE_OK, "%d: %s", n,
               why.text);
  return p;
}

static gscale_prediction predicted(const gscale_plan *p, const char *paradigm)
{
  gscale_prediction out = {0};
  gscale_diag why = {""};

  gsl_test_int(
      (int)gscale_predict(p, gscale_paradigm_find(paradigm), NULL, &out, &why),
      GSCALE_OK, "%s: %s", paradigm, why.text);
  return out;
}

/* Every GPU stores, or copies, its array to all others. */
static void bytes(void)
{
  static const char *const direct[] = {"memcpy", "memcpy-async", "inline",
                                       "rdl",    "um",           "proact-poll"};
  gscale_system *s = some_system(GSCALE_SWITCH, "nvlink4");
  gscale_workload *w = one_phase(sum_phase(ARRAY));

  for (int n = 1; n <= 5; n++) {
    gscale_plan *p = planned(s, w, n);
    for (size_t i = 0; i < sizeof direct / sizeof *direct; i++)
      gsl_test_rel(predicted(p, direct[i]).bytes.useful, n * (n - 1) * ARRAY,
                   1e-12, "%s on %d", direct[i], n);
    gsl_test_rel(predicted(p, "nccl").bytes.useful, 2 * (n - 1) * ARRAY, 1e-12,
                 "a ring on %d", n);
    gsl_test_abs(predicted(p, "infinite").bytes.wire, 0, 0, "none on %d", n);
    gscale_plan_free(p);
  }
  gscale_workload_free(w);
  gscale_system_free(s);
}

/* The collective's parts are the equation's. */
static void parts(void)
{
  gscale_system *s = some_system(GSCALE_SWITCH, "nvlink4");
  gscale_workload *w = one_phase(sum_phase(ARRAY));

  for (int n = 2; n <= 4; n++) {
    gscale_plan *p = planned(s, w, n);
    const gscale_prediction r = predicted(p, "nccl");
    gscale_coll_kind kind;
    double size;
    const gscale_coll_choice c = gscale_plan_moves(p, 0, NULL, &kind, &size);
    gsl_test_int((int)kind, GSCALE_COLL_ALL_REDUCE, "a sum");
    gsl_test_rel(size, ARRAY, 1e-15, "of the array");
    gsl_test_rel(r.part[GSCALE_PART_INITIATION], c.time.start, 1e-12, "start");
    gsl_test_rel(r.part[GSCALE_PART_LATENCY], c.time.latency, 1e-12, "steps");
    gsl_test_rel(r.part[GSCALE_PART_TRANSFER], c.time.transfer, 1e-12,
                 "transfer");
    gsl_test_rel(r.part[GSCALE_PART_COMPUTE],
                 predicted(p, "infinite").part[GSCALE_PART_COMPUTE], 1e-12,
                 "the library adds up");
    /* without it the next kernel reads n - 1 arrays more */
    gsl_test_rel(predicted(p, "memcpy").part[GSCALE_PART_COMPUTE] -
                     predicted(p, "infinite").part[GSCALE_PART_COMPUTE],
                 (n - 1) * ARRAY / 4.1e12, 1e-9, "others add up");
    gscale_plan_free(p);
  }
  gscale_workload_free(w);
  gscale_system_free(s);
}

/* What a phase publishes moves as the collective that is meant for it. */
static void patterns(void)
{
  const struct {
    gscale_pattern to;
    gscale_coll_kind kind;
    double bytes; /* on 4 GPUs, of 1 MB */
  } cases[] = {{GSCALE_TO_ALL, GSCALE_COLL_ALL_GATHER, 1e6},
               {GSCALE_TO_NEIGHBOURS, GSCALE_COLL_SEND_RECV, 2e6},
               {GSCALE_TO_PARTITION, GSCALE_COLL_ALL_TO_ALL, 1e6 / 4},
               {GSCALE_TO_NONE, GSCALE_COLL_KIND_END, 0}};
  gscale_system *s = some_system(GSCALE_SWITCH, "nvlink4");

  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    gscale_phase f = sum_phase(0);
    f.to = cases[i].to;
    f.publish = 1e6;
    gscale_workload *w = one_phase(f);
    gscale_plan *p = planned(s, w, 4);
    gscale_coll_kind kind;
    double size;
    gscale_plan_moves(p, 0, NULL, &kind, &size);
    gsl_test_int((int)kind, (int)cases[i].kind, "pattern %d", (int)cases[i].to);
    gsl_test_rel(size, cases[i].bytes, 1e-12, "pattern %d: bytes",
                 (int)cases[i].to);
    gscale_plan_free(p);
    gscale_workload_free(w);
  }
  gscale_system_free(s);
}

/* By the way that is named; refused where it cannot be. */
static void named(void)
{
  gscale_system *s = some_system(GSCALE_SWITCH, "nvlink4");
  gscale_phase f = sum_phase(ARRAY);

  gscale_knobs k = gscale_knobs_best;
  k.algorithm = 1 + GSCALE_COLL_TREE;
  k.protocol = 1 + GSCALE_COLL_SIMPLE;
  gscale_workload *w = one_phase(f);
  gscale_plan *p = planned(s, w, 4);
  const size_t nccl = gscale_paradigm_find("nccl");
  gscale_coll_kind kind;
  double size;
  const gscale_coll_choice c = gscale_plan_moves(p, 0, &k, &kind, &size);
  gsl_test_int((int)c.algorithm, GSCALE_COLL_TREE, "tree");
  gsl_test_int((int)c.protocol, GSCALE_COLL_SIMPLE, "simple");
  gscale_prediction by, best;
  gsl_test_int((int)gscale_predict(p, nccl, &k, &by, NULL), GSCALE_OK, "by it");
  gsl_test_int((int)gscale_predict(p, nccl, NULL, &best, NULL), GSCALE_OK,
               "by the fastest");
  gsl_test_rel(by.time - best.time,
               c.total - gscale_plan_moves(p, 0, NULL, &kind, &size).total,
               1e-9, "that much slower");
  gsl_test_int((int)by.knobs.algorithm, (int)k.algorithm, "and says so");

  k.algorithm = 1 + GSCALE_COLL_DIRECT;
  gscale_diag why = {""};
  gsl_test_int((int)gscale_predict(p, nccl, &k, &by, &why), GSCALE_ENEED,
               "no sum is direct: %s", why.text);
  k.algorithm = 1 + GSCALE_COLL_ALGORITHM_END;
  gsl_test_int((int)gscale_predict(p, nccl, &k, &by, &why), GSCALE_EDOMAIN,
               "none such: %s", why.text);
  gscale_plan_free(p);
  gscale_workload_free(w);
  gscale_system_free(s);
}

/* Two phases in a stream: one wait, not two, and all the rest. */
static void one_wait(void)
{
  gscale_system *s = some_system(GSCALE_SWITCH, "nvlink4");
  gscale_workload *w = gscale_workload_new("two");
  gscale_phase a = sum_phase(8), b = sum_phase(0);
  const double sync = 5.7e-6, barrier = 0.41e-6;

  a.flop = b.flop = 3e11; /* the host is not waited for */
  gscale_workload_add(w, &a, NULL);
  gscale_workload_add(w, &b, NULL);
  gscale_plan *p = planned(s, w, 2);
  const gscale_knobs run = {.v = {NAN, NAN}, .as_run = true};
  const gscale_prediction bound = predicted(p, "infinite"),
                          once = predicted(p, "nccl");
  gscale_prediction many;

  gsl_test_int((int)gscale_predict(p, gscale_paradigm_find("infinite"), &run,
                                   &many, NULL),
               GSCALE_OK, "infinite, as it is run");
  gsl_test_rel(bound.part[GSCALE_PART_HOST], once.part[GSCALE_PART_HOST], 1e-12,
               "the bound waits once, too");
  gsl_test_rel(many.part[GSCALE_PART_COMPUTE], once.part[GSCALE_PART_COMPUTE],
               1e-12, "the same kernels");
  const double less = many.part[GSCALE_PART_HOST] - once.part[GSCALE_PART_HOST];
  gsl_test(!(less > sync && less < 2 * (sync + barrier + 2.2e-6)),
           "a wait, a barrier and a launch less: %g s", less);
  gscale_plan_free(p);
  gscale_workload_free(w);
  gscale_system_free(s);
}

static void refused(void)
{
  gscale_workload *w = gscale_workload_new("both");
  gscale_phase f = sum_phase(8);
  gscale_diag why = {""};

  f.to = GSCALE_TO_ALL;
  f.publish = 8;
  gsl_test_int((int)gscale_workload_add(w, &f, &why), GSCALE_EDOMAIN, "both");
  gsl_test_str(why.text, "add: reduce and to: a phase moves one of them", "");
  f = sum_phase(-1);
  gsl_test_int((int)gscale_workload_add(w, &f, NULL), GSCALE_EDOMAIN, "< 0");
  gscale_workload_free(w);
}

int main(void)
{
  bytes();
  parts();
  patterns();
  named();
  one_wait();
  refused();
  return gsl_test_summary();
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
