/* t_residual.c - residuals by hand, in a prediction, and fitted to what was
 * drawn from them. */

#include "cases.h"
#include "random.h"

#include <gsl/gsl_test.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- by hand ------------------------------------------------------------- */

static gscale_residuals some(void)
{
  gscale_residuals r = gscale_residuals_none;

  r.part[GSCALE_RESIDUAL_STEP] = 0.02;
  r.part[GSCALE_RESIDUAL_HOST] = 0.1;
  r.part[GSCALE_RESIDUAL_BESIDE] = 0.2;
  r.part[GSCALE_RESIDUAL_MOVED] = 0.3;
  r.way[GSCALE_RESIDUAL_BESIDE][2] = log(0.5);
  r.way[GSCALE_RESIDUAL_MOVED][2] = log(2.0);
  return r;
}

static void parts_by_hand(void)
{
  const gscale_residuals r = some();
  double u[GSCALE_RESIDUAL_PARTS];

  gscale_residual_of(&r, &(gscale_residual_at){1, 0, 0.25, 0.36}, u);
  gsl_test_rel(u[GSCALE_RESIDUAL_STEP], 0.02, 1e-15, "of the step");
  gsl_test_rel(u[GSCALE_RESIDUAL_HOST], 0.025, 1e-15, "of the host");
  gsl_test_rel(u[GSCALE_RESIDUAL_BESIDE], 0.2 * 0.48, 1e-15, "beside");
  gsl_test_rel(u[GSCALE_RESIDUAL_MOVED], 0.3 * 0.36, 1e-15, "moved");
  gscale_residual_of(&r, &(gscale_residual_at){2, 0, 0.25, 0.36}, u);
  gsl_test_rel(u[GSCALE_RESIDUAL_BESIDE], 0.1 * 0.48, 1e-14, "half as much");
  gsl_test_rel(u[GSCALE_RESIDUAL_MOVED], 0.6 * 0.36, 1e-14, "twice as much");
  gscale_residual_of(&r, &(gscale_residual_at){1, 0, 1.5, 1.5}, u);
  gsl_test_rel(u[GSCALE_RESIDUAL_HOST], 0.1, 1e-15, "no more than all");
  gsl_test_abs(u[GSCALE_RESIDUAL_BESIDE], 0.0, 0, "nothing beside it");
}

static void wider(void)
{
  const gscale_residuals r = some();
  const gscale_widened w = {.factor = 2.0, .program = 0.4};
  double u[GSCALE_RESIDUAL_PARTS];

  gscale_residual_widened(&r, &(gscale_residual_at){1, 0, 0.25, 0.5}, &w, u);
  gsl_test_rel(u[GSCALE_RESIDUAL_HOST], 0.05, 1e-15, "wider: by the factor");
  gsl_test_rel(u[GSCALE_RESIDUAL_STEP], hypot(2.0 * 0.02, 0.4), 1e-15,
               "wider: the step, by a stranger's program too");
}

static void together(void)
{
  gscale_residuals r = gscale_residuals_none;
  const bool none[GSCALE_RESIDUAL_AXES] = {false};
  const bool two[GSCALE_RESIDUAL_AXES] = {
      [GSCALE_RESIDUAL_SIZE] = true, [GSCALE_RESIDUAL_GPUS] = true};

  r.together[GSCALE_RESIDUAL_TRANSFER][GSCALE_RESIDUAL_SIZE] = 0.5;
  r.together[GSCALE_RESIDUAL_TRANSFER][GSCALE_RESIDUAL_GPUS] = 0.7;
  gsl_test_rel(gscale_residual_together(&r, GSCALE_RESIDUAL_TRANSFER, none), 1,
               0, "the same run");
  gsl_test_rel(gscale_residual_together(&r, GSCALE_RESIDUAL_TRANSFER, two),
               0.35, 1e-15, "the product");
  gsl_test_rel(gscale_residual_together(&r, GSCALE_RESIDUAL_CALLS, two), 1, 0,
               "of that kind alone");
}

static void scales(void)
{
  gsl_test_rel(gscale_residual_moving(2.0, 1.0), hypot(1.0, 0.1), 1e-15,
               "moving");
  gsl_test_rel(gscale_residual_moving(2.0, 2.0), 0.1, 1e-15, "nothing moves");
  gsl_test(!isnan(gscale_residual_moving(1.0, 2.0)), "faster than infinite");
}

static void refusals(void)
{
  gscale_system *s = some_system(GSCALE_SWITCH, "nvlink4");
  gscale_residuals r = some();
  gscale_diag diag = {""};

  r.part[GSCALE_RESIDUAL_HOST] = -1.0;
  gsl_test_int((int)gscale_system_set_residuals(s, &r, &diag), GSCALE_EDOMAIN,
               "refuses a share");
  gsl_test_str(diag.text, "residuals: host: -1 is not in 0 .. 1000", "words");
  r = some();
  r.together[GSCALE_RESIDUAL_CALLS][GSCALE_RESIDUAL_WAY] = 1.5;
  gsl_test_int((int)gscale_system_set_residuals(s, &r, &diag), GSCALE_EDOMAIN,
               "refuses a correlation");
  gsl_test_str(diag.text, "residuals: together: way: 1.5 is not in 0 .. 1",
               "words");
  gsl_test_abs(gscale_system_about(s).residuals->part[GSCALE_RESIDUAL_HOST], 0,
               0, "nothing was set");
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

/* Of a machine that nobody measured both count; of one that was, what its
 * numbers explain is in the residual. */
static void errors_add_up(void)
{
  gscale_system *s = some_system(GSCALE_SWITCH, "nvlink4");
  gscale_workload *w = one_phase(halo_phase(128));
  gscale_residuals r = gscale_residuals_none;
  gscale_prediction p;
  gscale_fabric f;

  gscale_fabric_init(&f, GSCALE_SWITCH);
  gscale_system_set_shape(s, &f, 4, true, 0, NULL);
  const gscale_error before = error_on(s, w, 4, &p);
  gsl_test_rel(before.time, before.of_parameters, 1e-15, "only parameters");

  r.part[GSCALE_RESIDUAL_STEP] = 0.5;
  gscale_system_set_residuals(s, &r, NULL);
  const gscale_error guessed = error_on(s, w, 4, &p);
  gsl_test_rel(guessed.of_parameters, before.of_parameters, 1e-15,
               "parameters stay");
  gsl_test_rel(guessed.of_model, 0.5 * p.time, 1e-12, "the model's own");
  gsl_test_rel(guessed.time, hypot(before.time, 0.5 * p.time), 1e-12,
               "in quadrature");
  gsl_test_abs(error_on(s, w, 1, &p).of_model, 0, 0, "not on one GPU");

  gscale_system_set_shape(s, &f, 4, true, 4, NULL);
  const gscale_error measured = error_on(s, w, 4, &p);
  gsl_test(!(measured.of_known > 0.0), "numbers of a machine have errors");
  gsl_test_rel(
      measured.of_model,
      sqrt(0.25 * p.time * p.time - measured.of_known * measured.of_known),
      1e-12, "less what numbers explain");
  gscale_workload_free(w);
  gscale_system_free(s);
}

/* ---- fitted -------------------------------------------------------------- */

enum {
  PROGRAMS = 10,
  SIZES = 6,
  WAYS = 3,
  NUMBERS = 3,
  MACHINES = 3,
  ROWS = PROGRAMS * SIZES * WAYS * NUMBERS * MACHINES
};

static double normal(rng *dice)
{
  double sum = -6.0;

  for (int i = 0; i < 12; i++) sum += uniform(dice, 0.0, 1.0);
  return sum;
}

/* A t with 3 degrees of freedom, 68.27 % of them within one. */
static double drawn(rng *dice)
{
  double square = 0.0;

  for (int i = 0; i < 3; i++) {
    const double z = normal(dice);
    square += z * z;
  }
  return normal(dice) / sqrt(square / 3.0) / 1.1968870;
}

/* Residuals of which calls' repeat on other ways, transfer's on machines. */
static size_t make(gscale_residual *r, const gscale_residuals *w)
{
  rng dice = {7};
  static double calls[SIZES][NUMBERS][MACHINES], moved[SIZES][NUMBERS][WAYS];
  size_t n = 0;

  for (size_t p = 0; p < PROGRAMS; p++) {
    for (size_t s = 0; s < SIZES; s++)
      for (size_t g = 0; g < NUMBERS; g++) {
        for (size_t m = 0; m < MACHINES; m++) calls[s][g][m] = drawn(&dice);
        for (size_t v = 0; v < WAYS; v++) moved[s][g][v] = drawn(&dice);
      }
    for (size_t i = 0; i < ROWS / PROGRAMS; i++) {
      const size_t s = i % SIZES, v = i / SIZES % WAYS;
      const size_t g = i / SIZES / WAYS % NUMBERS;
      const size_t m = i / SIZES / WAYS / NUMBERS;
      gscale_residual one = {.predicted = 1.0,
                             .program = p,
                             .cluster = p * MACHINES + m,
                             .of = {s, v, v, g, m}};
      double u[GSCALE_RESIDUAL_PARTS];

      one.at = (gscale_residual_at){v, 0, uniform(&dice, 0.0, 0.9),
                                    m > 0 ? uniform(&dice, 0.0, 0.9) : 0.0};
      gscale_residual_of(w, &one.at, u);
      one.measured = exp(u[GSCALE_RESIDUAL_HOST] * calls[s][g][m] +
                         u[GSCALE_RESIDUAL_MOVED] * moved[s][g][v]);
      r[n++] = one;
    }
  }
  return n;
}

static void recovers(void)
{
  static gscale_residual r[ROWS];
  gscale_residuals truth = gscale_residuals_none, found = {.measured = 2};
  gscale_diag diag = {""};

  truth.part[GSCALE_RESIDUAL_HOST] = 0.12;
  truth.part[GSCALE_RESIDUAL_MOVED] = 0.2;
  const size_t n = make(r, &truth);
  gsl_test_int((int)gscale_residuals_fit(r, n, SIZE_MAX, &found, &diag),
               GSCALE_OK, "fit: %s", diag.text);
  gsl_test_abs(found.part[GSCALE_RESIDUAL_STEP], 0, 0.01, "none of the step");
  gsl_test_abs(found.part[GSCALE_RESIDUAL_HOST], 0.12, 0.03, "of the host");
  gsl_test_abs(found.part[GSCALE_RESIDUAL_MOVED], 0.2, 0.06, "of the transfer");
  gsl_test_abs(found.together[GSCALE_RESIDUAL_CALLS][GSCALE_RESIDUAL_WAY], 1,
               0.25, "calls repeat on other ways");
  gsl_test_abs(found.together[GSCALE_RESIDUAL_CALLS][GSCALE_RESIDUAL_SIZE], 0,
               0.25, "and not at other sizes");
  gsl_test_abs(
      found.together[GSCALE_RESIDUAL_TRANSFER][GSCALE_RESIDUAL_MACHINE], 1,
      0.25, "transfers repeat on other machines");
  gsl_test_abs(found.together[GSCALE_RESIDUAL_TRANSFER][GSCALE_RESIDUAL_GPUS],
               0, 0.25, "and not on other N");
}

/* Runs of GAP_COMPUTE that are off by ln(time) = off. */
static size_t add_runs(gscale_residual *r, size_t n, size_t cluster,
                       size_t runs, double off)
{
  for (size_t i = n; i < n + runs; i++)
    r[i] = (gscale_residual){.gap = GSCALE_GAP_COMPUTE,
                             .predicted = 1.0,
                             .measured = exp(off),
                             .of_compute = 1.0,
                             .program = i,
                             .cluster = cluster};
  return n + runs;
}

static double compute_of(const gscale_residual *r, size_t n)
{
  gscale_residuals found = {.measured = 1};

  gsl_test_int((int)gscale_residuals_fit(r, n, SIZE_MAX, &found, NULL),
               GSCALE_OK, "clusters: fit");
  return found.compute;
}

/* The error of a run is asinh(compute), which is to hold 68.27 % of the
 * clusters, of four that are three, however many runs one has. */
static void clusters_weigh_alike(void)
{
  gscale_residual r[11];
  size_t n = add_runs(r, 0, 0, 8, 0.4);

  for (size_t c = 1; c < 4; c++) n = add_runs(r, n, c, 1, 0.1);
  gsl_test_rel(compute_of(r, n), sinh(0.1), 1e-6,
               "clusters: eight runs of one machine are one that is far off");
  n = add_runs(r, 0, 0, 8, 0.1);
  for (size_t c = 1; c < 4; c++) n = add_runs(r, n, c, 1, 0.4);
  gsl_test_rel(compute_of(r, n), sinh(0.4), 1e-6,
               "clusters: eight runs of one machine do not hide three");
}

/* ---- collectives --------------------------------------------------------- */

/* sqrt(1 + 0.25 log2(32 / 2)) is sqrt(2); beyond 64 MiB nodes change nothing.
 */
static void collectives_off(void)
{
  gscale_system *s = some_system(GSCALE_SWITCH, "nvlink4");
  const double mib = 1048576.0, growth = sqrt(2.0);

  set(s, "coll.net_off_small", 0.3, 0);
  set(s, "coll.net_off_middle", 0.2, 0);
  set(s, "coll.net_off_large", 0.1, 0);
  set(s, "coll.off_large", 0.05, 0);
  gsl_test_rel(gscale_coll_off(s, 0.5 * mib, 2), 0.3, 1e-15, "off: two nodes");
  gsl_test_rel(gscale_coll_off(s, 0.5 * mib, 32), 0.3 * growth, 1e-15,
               "off: small ones grow with the nodes");
  gsl_test_rel(gscale_coll_off(s, 64.0 * mib, 32), 0.2 * growth, 1e-15,
               "off: up to 64 MiB");
  gsl_test_rel(gscale_coll_off(s, 64.0 * mib + 1.0, 32), 0.1, 1e-15,
               "off: large ones do not");
  gsl_test_rel(gscale_coll_off(s, 256.0 * mib, 2), 0.1, 1e-15,
               "off: nor fewer nodes");
  gsl_test_rel(gscale_coll_off(s, 256.0 * mib, 1), 0.05, 1e-15,
               "off: one node has its own");
  gscale_system_free(s);
}

static void fit_refusals(void)
{
  gscale_residual r = {.predicted = 1.0, .measured = -1.0};
  gscale_residuals w = {.measured = 1};
  gscale_diag diag = {""};

  gsl_test_int((int)gscale_residuals_fit(&r, 0, SIZE_MAX, &w, &diag),
               GSCALE_EDATA, "no runs");
  gsl_test_int((int)gscale_residuals_fit(&r, 1, SIZE_MAX, &w, &diag),
               GSCALE_EDOMAIN, "no time");
  gsl_test_str(diag.text, "run 0: 1 s, -1 s", "words");
}

int main(void)
{
  parts_by_hand();
  wider();
  together();
  scales();
  refusals();
  errors_add_up();
  recovers();
  clusters_weigh_alike();
  collectives_off();
  fit_refusals();
  return gsl_test_summary();
}
