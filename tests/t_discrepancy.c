/* t_discrepancy.c - spreads against what made them, pooling by hand, and their
 * part in a prediction's error. */

#include "cases.h"

#include <gsl/gsl_test.h>
#include <stdio.h>
#include <string.h>

/* ---- spreads ------------------------------------------------------------- */

static double normal(rng *r)
{
  const double radius = sqrt(-2 * log(1 - uniform(r, 0, 1)));
  return radius * cos(6.283185307179586 * uniform(r, 0, 1));
}

static void spread_by_hand(void)
{
  /* r = 0.02, -0.04, 0.1 with v = 0.03^2 (as 0.018, 0.024) each:
   * rms^2 = (4 + 16 + 100 - 27)/3 1e-4.  Two of three are within 0.04: the
   * middle needs more than 2/3, all three: sqrt(0.1^2 - 0.03^2).  Half are two:
   * 0.04/0.67449 = 0.0593, sqrt(0.0593^2 - 0.03^2). */
  const double p[] = {2, 5, 10}, m[] = {2.04, 4.8, 11};
  const double err[] = {0.018 * 2, 0.018 * 5, 0.018 * 10},
               sigma[] = {0.024 * 2, 0.024 * 5, 0.024 * 10};
  gscale_spread s;
  gsl_test_int((int)gscale_spread_of(p, err, m, sigma, NULL, 3, &s, NULL),
               GSCALE_OK, "spread: by hand");
  gsl_test_int((int)s.n, 3, "spread: n");
  gsl_test_rel(s.rms, sqrt(31e-4), 1e-12, "spread: rms");
  gsl_test_rel(s.middle, sqrt(0.01 - 9e-4), 1e-8, "spread: middle");
  gsl_test_rel(s.median, sqrt(0.0016 / 0.674489750196 / 0.674489750196 - 9e-4),
               1e-8, "spread: median");
}

/* The same residuals, held against twice the predicted times: half. */
static void spread_scaled(void)
{
  const double p[] = {2, 5, 10}, m[] = {2.04, 4.8, 11}, twice[] = {4, 10, 20};
  const double bad[] = {4, 0, 20};
  gscale_spread one, half;
  gscale_diag diag = {""};
  gscale_spread_of(p, NULL, m, NULL, NULL, 3, &one, NULL);
  gscale_spread_of(p, NULL, m, NULL, twice, 3, &half, NULL);
  gsl_test_rel(2 * half.rms, one.rms, 1e-12, "spread: scaled rms");
  gsl_test_rel(2 * half.middle, one.middle, 1e-8, "spread: scaled middle");
  gsl_test_rel(2 * half.median, one.median, 1e-8, "spread: scaled median");
  gsl_test_int((int)gscale_spread_of(p, NULL, m, NULL, bad, 3, &one, &diag),
               GSCALE_EDOMAIN, "spread: no scale");
  gsl_test_str(diag.text, "row 1: scale 0 s", "spread: no scale, words");
}

static void scales(void)
{
  gsl_test_rel(gscale_discrepancy_scale(1.3, 1.3), 0.065, 1e-14,
               "scale: of infinite");
  gsl_test_rel(gscale_discrepancy_scale(1.3, 0.9), hypot(0.4, 0.065), 1e-14,
               "scale: by hand");
  gsl_test(!isnan(gscale_discrepancy_scale(1.3, 1.4)), "scale: too fast");
  gsl_test(!isnan(gscale_discrepancy_scale(0, 0)), "scale: no time");
}

static void spread_explained(void)
{
  const double p[] = {2, 5}, m[] = {2.04, 4.8}, err[] = {0.4, 1.0};
  gscale_spread s;
  gscale_spread_of(p, err, m, NULL, NULL, 2, &s, NULL);
  gsl_test_abs(s.rms + s.middle + s.median, 0, 0, "spread: all is explained");
  gscale_spread_of(p, NULL, p, NULL, NULL, 2, &s, NULL);
  gsl_test_abs(s.rms + s.middle + s.median, 0, 0, "spread: nothing is off");
}

enum {
  ROWS = 20000
};

/* Residuals of 0.07 beside errors of up to 0.1. */
static void spread_recovers(void)
{
  static double p[ROWS], m[ROWS], err[ROWS];
  rng r = {4711};
  gscale_spread s;

  for (int i = 0; i < ROWS; i++) {
    const double v = uniform(&r, 0, 0.1);
    p[i] = spread(&r, 1e-6, 1);
    err[i] = v * p[i];
    m[i] = p[i] * (1 + hypot(v, 0.07) * normal(&r));
  }
  gscale_spread_of(p, err, m, NULL, NULL, ROWS, &s, NULL);
  gsl_test_rel(s.rms, 0.07, 0.03, "spread: rms recovers");
  gsl_test_rel(s.middle, 0.07, 0.03, "spread: middle recovers");
  gsl_test_rel(s.median, 0.07, 0.03, "spread: median recovers");

  for (int i = 0; i < ROWS / 50; i++) m[i] = 1.9 * p[i]; /* a heavy tail */
  gscale_spread_of(p, err, m, NULL, NULL, ROWS, &s, NULL);
  gsl_test(s.rms < 0.13, "spread: a tail shows in the rms");
  gsl_test_rel(s.median, 0.07, 0.08, "spread: hardly in the median");
}

static void spread_refusals(void)
{
  const double p[] = {2, -5}, m[] = {2.04, 4.8};
  gscale_spread s = {.rms = 0.625};
  gscale_diag diag = {""};
  gsl_test_int((int)gscale_spread_of(p, NULL, m, NULL, NULL, 2, &s, &diag),
               GSCALE_EDOMAIN, "spread: refuses");
  gsl_test_str(diag.text, "row 1: predicted time -5 s", "spread: words");
  gsl_test_int((int)gscale_spread_of(p, NULL, m, NULL, NULL, 0, &s, &diag),
               GSCALE_EDATA, "spread: no rows");
  gsl_test_abs(s.rms, 0.625, 0, "spread: output untouched");
}

/* ---- pooling ------------------------------------------------------------- */

static gscale_discrepancy entry(const char *workload, const char *paradigm,
                                double sigma)
{
  gscale_discrepancy d = {
      .paradigm = gscale_paradigm_find(paradigm),
      .sigma = {sigma, 0, GSCALE_MEASURED, "test", GSCALE_BY_ORIGIN},
      .rows = 7};
  strcpy(d.workload, workload);
  return d;
}

static void add(gscale_system *s, const char *workload, const char *paradigm,
                double sigma)
{
  const gscale_discrepancy d = entry(workload, paradigm, sigma);
  gsl_test_int((int)gscale_system_add_discrepancy(s, &d, NULL), GSCALE_OK,
               "adds %s by %s", workload, paradigm);
}

static void check_pool(const gscale_system *s, const char *workload,
                       const char *paradigm, double square, int programs,
                       bool same)
{
  const gscale_pooled p =
      gscale_system_pool(s, workload, gscale_paradigm_find(paradigm));
  gsl_test_rel(p.sigma, sqrt(square), 1e-14, "pool: %s by %s", workload,
               paradigm);
  gsl_test_int((int)p.programs, programs, "pool: its programs");
  if (programs > 0)
    gsl_test_int(p.same_paradigm, same, "pool: of the same paradigm");
}

static void pools_by_hand(void)
{
  gscale_system *s = some_system(GSCALE_SWITCH, "nvlink4");
  check_pool(s, "jacobi", "memcpy", 0, 0, false);
  add(s, "jacobi", "memcpy", 0.03);
  check_pool(s, "jacobi", "memcpy", 0, 0, false);
  add(s, "jacobi", "infinite", 0.01);
  add(s, "als", "memcpy", 0.05);
  add(s, "als", "inline", 0.2);
  add(s, "sssp", "memcpy", 0.04);
  check_pool(s, "jacobi", "memcpy", 0.05 * 0.04, 2, true);
  check_pool(s, "als", "memcpy", 0.03 * 0.04, 2, true);
  check_pool(s, "new", "memcpy", pow(0.03 * 0.05 * 0.04, 2 / 3.0), 3, true);
  check_pool(s, "sssp", "inline", 0.04, 1, true);
  /* Nobody else has it: the mean square of each other program, then the
   * geometric mean of programs. */
  check_pool(s, "als", "inline", sqrt((9e-4 + 1e-4) / 2 * 16e-4), 2, false);
  check_pool(s, "new", "proact-poll",
             cbrt((9e-4 + 1e-4) / 2 * (25e-4 + 400e-4) / 2 * 16e-4), 3, false);
  /* A program that its own errors explain says nothing of the model's. */
  add(s, "ct", "memcpy", 0.0);
  check_pool(s, "jacobi", "memcpy", 0.05 * 0.04, 2, true);
  gscale_system_clear_discrepancies(s);
  check_pool(s, "new", "memcpy", 0, 0, false);
  gscale_system_free(s);
}

static void refuse(gscale_system *s, gscale_discrepancy d, gscale_status st,
                   const char *why)
{
  gscale_diag diag = {""};
  gsl_test_int((int)gscale_system_add_discrepancy(s, &d, &diag), (int)st,
               "refuses: %s", why);
  gsl_test_str(diag.text, why, "refuses: words");
}

static void refusals(void)
{
  gscale_system *s = some_system(GSCALE_SWITCH, "nvlink4");
  gscale_discrepancy d = entry("jacobi", "memcpy", 0.03), bad;
  gscale_system_add_discrepancy(s, &d, NULL);
  refuse(s, d, GSCALE_ENAME, "discrepancy: jacobi by memcpy is there twice");
  refuse(s, entry("", "memcpy", 0.03), GSCALE_EDOMAIN,
         "discrepancy: no workload");
  refuse(s, entry("als", "memcpy", -1), GSCALE_EDOMAIN,
         "discrepancy: sigma: -1");
  refuse(s, entry("als", "memcpy", INFINITY), GSCALE_EDOMAIN,
         "discrepancy: sigma: inf");
  bad = entry("als", "memcpy", 0.1);
  bad.rows = 0;
  refuse(s, bad, GSCALE_EDOMAIN, "discrepancy: rows: 0");
  bad = entry("als", "memcpy", 0.1);
  bad.paradigm = gscale_paradigm_count();
  gsl_test_int((int)gscale_system_add_discrepancy(s, &bad, NULL),
               GSCALE_EDOMAIN, "refuses: no such paradigm");
  gsl_test(gscale_system_discrepancy(s, 0) == NULL, "the first is there");
  gsl_test(gscale_system_discrepancy(s, 1) != NULL, "and no other");
  for (int i = 1; i < GSCALE_DISCREPANCIES_MAX; i++) {
    snprintf(d.workload, sizeof d.workload, "w%d", i);
    gscale_system_add_discrepancy(s, &d, NULL);
  }
  refuse(s, entry("als", "memcpy", 0.1), GSCALE_ESIZE,
         "discrepancy: more than 1024");
  gscale_system_free(s);
}

/* ---- in a prediction ----------------------------------------------------- */

static gscale_error error_on(const gscale_system *s, const gscale_workload *w,
                             int n, gscale_prediction *p)
{
  const size_t memcpy_ = gscale_paradigm_find("memcpy");
  gscale_plan *plan = NULL;
  gscale_error e = {0};

  gsl_test_int((int)gscale_plan_new(s, w, n, &plan, NULL), GSCALE_OK, "plan");
  gscale_predict(plan, memcpy_, NULL, p, NULL);
  gscale_error_of(s, w, n, memcpy_, &p->knobs, &e, NULL);
  gscale_plan_free(plan);
  return e;
}

static void errors_add_up(void)
{
  gscale_system *s = some_system(GSCALE_SWITCH, "nvlink4");
  gscale_workload *w = one_phase(halo_phase(128));
  gscale_prediction p;
  const gscale_error before = error_on(s, w, 4, &p);
  gsl_test_rel(before.time, before.of_parameters, 1e-15, "only parameters");
  gsl_test_int((int)before.model.programs, 0, "no program is known");

  add(s, "one", "memcpy", 0.5); /* the program itself */
  gsl_test_rel(error_on(s, w, 4, &p).time, before.time, 1e-15,
               "its own discrepancy is left out");
  add(s, "jacobi", "memcpy", 0.08);
  const gscale_error after = error_on(s, w, 4, &p);
  gsl_test_rel(after.of_parameters, before.of_parameters, 1e-15,
               "parameters stay");
  const double own = 0.08 * hypot(p.time * (1 - p.opportunity), 0.05 * p.time);
  gsl_test_rel(after.of_model, own, 1e-12, "the model's own");
  gsl_test_rel(after.time, hypot(before.time, own), 1e-12, "in quadrature");
  gsl_test_abs(error_on(s, w, 1, &p).of_model, 0, 0, "not on one GPU");
  gscale_workload_free(w);
  gscale_system_free(s);
}

int main(void)
{
  spread_by_hand();
  spread_scaled();
  scales();
  spread_explained();
  spread_recovers();
  spread_refusals();
  pools_by_hand();
  refusals();
  errors_add_up();
  return gsl_test_summary();
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
