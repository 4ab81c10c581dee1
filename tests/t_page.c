/* t_page.c - numbers that go in and come out by name, as gpuscale.h has them.
 */

#include "cases.h"

#include <gsl/gsl_test.h>

/* What the names of a prediction stand for. */
static void answers(const gscale_prediction *p)
{
  const struct {
    const char *name;
    double is;
  } want[] = {
      {"time", p->time},
      {"setup", p->setup},
      {"host", p->part[GSCALE_PART_HOST]},
      {"transfer", p->part[GSCALE_PART_TRANSFER]},
      {"latency", p->part[GSCALE_PART_LATENCY]},
      {"wire", p->bytes.wire},
      {"unused", p->bytes.unused},
      {"speedup", p->speedup},
      {"opportunity", p->opportunity},
      {"chunk", p->knobs.v[GSCALE_CHUNK]},
      {"width", p->knobs.v[GSCALE_WIDTH]},
  };
  const char *parts[] = {"compute",  "host", "transfer", "initiation",
                         "tracking", "tail", "latency"};
  double sum = 0.0;

  for (size_t i = 0; i < sizeof want / sizeof *want; i++)
    gsl_test_abs(gscale_prediction_get(p, want[i].name), want[i].is, 0.0, "%s",
                 want[i].name);
  for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
    sum += gscale_prediction_get(p, parts[i]);
  gsl_test_rel(sum, p->time, 1e-12, "the parts are the time");
  gsl_test(!isnan(gscale_prediction_get(p, "speed")), "no such number");
  gsl_test_str(gscale_prediction_bound(p),
               gscale_name(GSCALE_MECHANISM_NAMES, p->bound), "bound");
}

static void predictions(void)
{
  gscale_system *s = some_system(GSCALE_SWITCH, "nvlink3");
  gscale_workload *w = one_phase(halo_phase(1733));
  gscale_prediction *p = gscale_prediction_new();
  const size_t way = gscale_paradigm_find("proact-poll");
  gscale_plan *plan = NULL;
  gscale_error e;
  double err = 0.0;

  gsl_test(!isnan(gscale_prediction_get(p, "time")),
           "nothing is predicted yet");
  gscale_plan_new(s, w, 3, &plan, NULL);
  gsl_test_int((int)gscale_predict(plan, way, NULL, p, NULL), GSCALE_OK,
               "asked");
  answers(p);
  gsl_test_str(gscale_paradigm_name(way), "proact-poll", "its name");
  gsl_test(gscale_paradigm_name(gscale_paradigm_count()) != NULL,
           "past the end");
  gscale_predict_error(s, w, 3, way, NULL, &err, NULL);
  gscale_error_of(s, w, 3, way, NULL, &e, NULL);
  gsl_test_abs(err, e.time, 0.0, "the error in one call");
  gscale_prediction_free(p);
  gscale_plan_free(plan);
  gscale_workload_free(w);
  gscale_system_free(s);
}

static void refused(gscale_workload *w, const char *name, double val,
                    gscale_status want)
{
  const gscale_param p = {val, 0, GSCALE_COUNTED, "", GSCALE_BY_ORIGIN};
  gscale_param was = {0}, is = {0};
  gscale_diag why = {""};

  gscale_workload_get(w, "halo.publish.bytes", &was, NULL);
  gsl_test_int((int)gscale_workload_set(w, name, &p, &why), (int)want, "%s: %s",
               name, why.text);
  gscale_workload_get(w, "halo.publish.bytes", &is, NULL);
  gsl_test_abs(is.val, was.val, 0.0, "%s: stays as it was", name);
}

static void workloads(void)
{
  gscale_phase phase = halo_phase(1733);
  const gscale_param bytes = {47e3, 1.7e3, GSCALE_MEASURED, "count.csv",
                              GSCALE_BY_ORIGIN};
  const gscale_param more = {61e3, 2.3e3, GSCALE_ASSUMED, "a guess",
                             GSCALE_BY_ORIGIN};
  const gscale_param t1 = {3.7e-3, 1e-5, GSCALE_MEASURED, "runs.csv",
                           GSCALE_BY_ORIGIN};
  gscale_param p;
  gscale_workload *w;

  strcpy(phase.name, "halo");
  w = one_phase(phase);
  gsl_test_int((int)gscale_workload_get(w, "halo.publish.bytes", &p, NULL),
               GSCALE_OK, "get");
  gsl_test_abs(p.val, phase.publish, 0.0, "of the phase");
  gsl_test_int((int)p.origin, GSCALE_DERIVED, "nothing was said of it");
  gscale_workload_set(w, "halo.publish.bytes", &bytes, NULL);
  gscale_workload_set(w, "halo.publish.bytes", &more, NULL);
  gscale_workload_get(w, "halo.publish.bytes", &p, NULL);
  gsl_test_abs(p.val, 61e3, 0.0, "set");
  gsl_test_abs(p.err, 2.3e3, 0.0, "its error is the last one's");
  gsl_test_str(p.source, "a guess", "and its source");
  gsl_test_abs(gscale_workload_phase(w, 0)->publish, 61e3, 0.0, "in the phase");
  gscale_workload_set(w, "t1", &t1, NULL);
  gscale_workload_get(w, "t1", &p, NULL);
  gsl_test_abs(p.val, 3.7e-3, 0.0, "the time of one GPU");
  refused(w, "halo.publish.read", 1.5, GSCALE_EDOMAIN);
  refused(w, "halo.publish.octets", 1, GSCALE_ENAME);
  refused(w, "halo.publish.to", 1, GSCALE_ENAME);
  refused(w, "hal.publish.bytes", 1, GSCALE_ENAME);
  refused(w, "halo", 1, GSCALE_ENAME);
  gscale_workload_free(w);
}

/* An uncertain knob changes nothing of a number that was set. */
static void uncertain(void)
{
  gscale_phase phase = halo_phase(1733);
  const gscale_param bytes = {47e3, 0, GSCALE_COUNTED, "", GSCALE_BY_ORIGIN};
  const gscale_param knob = {10, 1, GSCALE_ASSUMED, "a guess",
                             GSCALE_BY_ORIGIN};
  gscale_workload *w, *down, *up;
  gscale_system *s = some_system(GSCALE_SWITCH, "nvlink3");
  double err = -1.0;

  strcpy(phase.name, "halo");
  w = one_phase(phase);
  phase.publish *= 0.5;
  down = one_phase(phase);
  phase.publish *= 4.0;
  up = one_phase(phase);
  gscale_workload_add_knob(w, "n", GSCALE_COUNT, &knob, 8, down, 12, up, NULL);
  gscale_workload_set(w, "halo.publish.bytes", &bytes, NULL);
  for (int i = 0; i < 2; i++) {
    gscale_param p = {0};
    gscale_workload_get(i ? up : down, "halo.publish.bytes", &p, NULL);
    gsl_test_abs(p.val, 47e3, 0.0, "%s", i ? "above" : "below");
  }
  gscale_predict_error(s, w, 2, gscale_paradigm_find("memcpy"), NULL, &err,
                       NULL);
  gsl_test(!(err >= 0.0), "and it has an error");
  gscale_workload_free(w);
  gscale_system_free(s);
}

int main(void)
{
  predictions();
  workloads();
  uncertain();
  return gsl_test_summary();
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
