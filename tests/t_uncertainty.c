/* t_uncertainty.c - every number's error reaches the prediction: by hand, and
 * against draws of all numbers at once. */

#include "cases.h"
#include "language/language.h"
#include "paradigm/paradigm.h"
#include "trust/uncertain_numbers.h"

#include <gsl/gsl_test.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- by hand ------------------------------------------------------------- */

static gscale_error error_of(const gscale_system *s, const gscale_workload *w,
                             int n, const char *paradigm)
{
  gscale_error e = {0};
  gscale_diag why = {""};

  gsl_test_int((int)gscale_error_of(s, w, n, gscale_paradigm_find(paradigm),
                                    NULL, &e, &why),
               GSCALE_OK, "error of %s at %d: %s", paradigm, n, why.text);
  return e;
}

static void doubt(gscale_workload *w, const char *field, size_t i, double err,
                  gscale_origin o)
{
  const gscale_field *f = gscale_field_find(GSCALE_OF_PHASE, field);
  const gscale_param p = {
      *gscale_field_number(f, (void *)(uintptr_t)gscale_workload_phase(w, 0),
                           i),
      err, o, "test", GSCALE_BY_ORIGIN};
  gscale_diag why = {""};

  gsl_test_int((int)gscale_workload_doubt(w, 0, f, i, &p, &why), GSCALE_OK,
               "%s: %s", field, why.text);
}

/* A number of a phase counts as one of the system does. */
static void counts_add_up(void)
{
  gscale_system *s = some_system(GSCALE_SWITCH, "nvlink4");
  gscale_workload *w = one_phase(gather_phase(400e6, 1));
  set(s, "link.duplex", 2, 0);
  const gscale_error before = error_of(s, w, 4, "memcpy");
  double width = 0;

  gsl_test_abs(before.of_workload, 0, 0, "plain counts are exact");
  for (double err = 1e6; err < 1e15; err *= 3) {
    gscale_workload *v = one_phase(gather_phase(400e6, 1));
    doubt(v, "publish.bytes", 0, err, GSCALE_ASSUMED);
    const gscale_error e = error_of(s, v, 4, "memcpy");
    gsl_test(!(e.of_workload > width), "a wider range, a wider error: %g",
             e.of_workload);
    gsl_test_rel(e.time, hypot(e.of_system, e.of_workload), 1e-14, "both");
    gsl_test_rel(e.of_system, before.of_system, 1e-14, "the system's stays");
    gsl_test_int((int)e.applicability, GSCALE_BY_ASSUMPTION, "by assumption");
    gsl_test_str(e.reason, "produce.publish.bytes", "and by which");
    width = e.of_workload;
    gscale_workload_free(v);
  }
  /* each GPU sends a quarter to three others: 3/4 of the error */
  doubt(w, "publish.bytes", 0, 4e6, GSCALE_MEASURED);
  const gscale_error e = error_of(s, w, 4, "memcpy");
  gsl_test(!(e.of_workload > 0), "measured");
  gsl_test_int((int)e.applicability, GSCALE_INSIDE, "measured is inside");
  gscale_workload_free(w);
  gscale_system_free(s);
}

/* Curves and topologies. */
static void systems_add_up(void)
{
  gscale_system *s = some_system(GSCALE_TREE, "pcie4");
  gscale_workload *w = one_phase(gather_phase(400e6, 20));
  const gscale_curve c = {2, {1e3, 1e12}, {1, 1}};
  const gscale_param each = {1, 0.1, GSCALE_MEASURED, "test", GSCALE_BY_ORIGIN};
  const gscale_param uplink = {1, 0.2, GSCALE_MEASURED, "test",
                               GSCALE_BY_ORIGIN};
  const gscale_param bad = {1, -1, GSCALE_MEASURED, "test", GSCALE_BY_ORIGIN};
  const double before = error_of(s, w, 4, "memcpy").of_system;

  gscale_system_set_membw_curve(s, &c, NULL);
  gsl_test_rel(error_of(s, w, 4, "memcpy").of_system, before, 1e-12,
               "an exact curve");
  gscale_system_doubt_membw_curve(s, &each, NULL);
  const double curved = error_of(s, w, 4, "memcpy").of_system;
  gsl_test(!(curved > 1.01 * before), "a curve's error: %g, %g", before,
           curved);
  const gscale_field *f = gscale_field_find(GSCALE_OF_TOPOLOGY, "tree.uplink");
  gsl_test_int((int)gscale_system_doubt_topology(s, f, &uplink, NULL),
               GSCALE_OK, "an uplink's error");
  gsl_test(!(error_of(s, w, 4, "memcpy").of_system > 1.01 * curved),
           "it counts");
  gsl_test_int((int)gscale_system_doubt_topology(s, f, &bad, NULL),
               GSCALE_EDOMAIN, "a negative error");
  gsl_test_int((int)gscale_system_doubt_membw_curve(s, &bad, NULL),
               GSCALE_EDOMAIN, "of a curve");
  gscale_workload_free(w);
  gscale_system_free(s);
}

/* A default that is a guess is assumed, and counts. */
static void defaults_that_are_guesses(void)
{
  gscale_system *s = some_system(GSCALE_SWITCH, "nvlink4");
  gscale_workload *w = one_phase(gather_phase(400e6, 1));
  size_t guesses = 0;

  for (size_t id = 0; id < GSCALE_PARAM_END; id++) {
    const gscale_param_info *info = gscale_param_info_at(id);
    const gscale_param p = gscale_param_default(id);
    const bool guess = info->high > info->low;

    guesses += guess;
    gsl_test_int((int)p.origin, guess ? GSCALE_ASSUMED : GSCALE_SPEC,
                 "default of %s", info->name);
    gsl_test((p.err > 0) != guess, "    ... and its error %g", p.err);
    gsl_test(guess && !(info->low <= p.val && p.val <= info->high),
             "    ... in its range");
  }
  gsl_test(guesses < 3, "%zu defaults are guesses", guesses);
  const gscale_error guessed = error_of(s, w, 4, "memcpy");
  gsl_test_str(guessed.reason, "link.duplex", "by assumption");
  set(s, "link.duplex", 2, 0);
  const gscale_error known = error_of(s, w, 4, "memcpy");
  gsl_test(!(guessed.of_system > 1.1 * known.of_system),
           "a guess counts: %g, known %g", guessed.of_system, known.of_system);
  gscale_workload_free(w);
  gscale_system_free(s);
}

/* Knobs that nobody set are the best of the grid, for the error too. */
static void unset_knobs(void)
{
  gscale_system *s = some_system(GSCALE_SWITCH, "nvlink4");
  gscale_workload *w = one_phase(gather_phase(400e6, 1));
  const size_t poll = gscale_paradigm_find("proact-poll");
  gscale_uncertainty *u = NULL;
  gscale_plan *plan = NULL;
  gscale_prediction best = {0};
  gscale_error set = {0}, unset = {0};

  gscale_plan_new(s, w, 4, &plan, NULL);
  gscale_predict(plan, poll, NULL, &best, NULL);
  gscale_uncertainty_new(s, w, 4, false, &u, NULL);
  gsl_test_rel(
      gscale_predict_time(gscale_uncertainty_plan(u), poll, &best.knobs),
      gscale_predict_time(plan, poll, &best.knobs), 0, "its plan");
  gscale_uncertainty_error(u, poll, &best.knobs, &set, NULL);
  gscale_uncertainty_error(u, poll, NULL, &unset, NULL);
  gsl_test(!(set.of_parameters > 0), "an error");
  gsl_test_rel(unset.of_parameters, set.of_parameters, 1e-15, "the same");
  gscale_uncertainty_free(u);
  gscale_plan_free(plan);
  gscale_workload_free(w);
  gscale_system_free(s);
}

/* ---- uncertain knobs ----------------------------------------------------- */

static const char squared[] =
    "local gs = require \"gpuscale\"\n"
    "return gs.workload { name = \"w\", knobs = {\n"
    "    n = gs.knob { default = %s, least = 1 } },\n"
    "  step = function (k) return { gs.phase { name = \"p\", units = 1e6,\n"
    "    bytes = 1e3 * k.n ^ 2, footprint = 1e9, to = \"all\", publish = 1e4 "
    "} } end }\n";

static void knobs_reach_through_step(void)
{
  gscale_system *s = some_system(GSCALE_SWITCH, "nvlink4");
  gscale_workload *w = NULL;
  gscale_uncertainty *u = NULL;
  failure why = {0};
  char text[512];
  FILE *f = fopen("knob.lua", "w");

  snprintf(text, sizeof text, squared,
           "gs.assumed(1e4, {1e4 - 346.41016151377545, 1e4 + "
           "346.41016151377545}, \"?\")");
  gsl_test(!f || fputs(text, f) < 0 || fclose(f) != 0, "a file");
  gsl_test(load_workload("knob.lua", NULL, &w, NULL, &why), "%s", why.text);
  if (!w) return;
  const size_t infinite = gscale_paradigm_find("infinite");
  gscale_uncertainty_new(s, w, 1, false, &u, NULL);
  const size_t last = gscale_uncertainty_count(u) - 1;
  gsl_test_str(gscale_uncertainty_number(u, last)->name, "n", "a knob");
  /* 1e11 B: twice the knob's error of 2 % */
  const gscale_influence of =
      gscale_uncertainty_influence(u, last, infinite, NULL);
  const double work = 1e11 / gscale_system_get(s, GSCALE_DEVICE_MEMBW)->val;
  const double d = 0.02 * sqrt(1.8);
  gsl_test_rel(of.up, (pow(1 + d, 2) - 1) * work, 1e-9, "to one side");
  gsl_test_rel(-of.down, (1 - pow(1 - d, 2)) * work, 1e-9, "to the other");
  gsl_test_rel(of.err, 0.04 * work, 1e-3, "its error");
  gsl_test_rel(of.shift, 0.02 * 0.02 * work, 1e-9, "and the mean of a square");
  gscale_uncertainty_free(u);
  gscale_workload_free(w);

  /* Given by -P it is exact, unless -P says otherwise. */
  static const char *const given[] = {"n=1e4", "n=1e4 +- 100"};
  for (int i = 0; i < 2; i++) {
    settings set = {0};
    w = NULL;
    settings_add(&set, given[i], &why);
    gsl_test(load_workload("knob.lua", &set, &w, NULL, &why), "%s", why.text);
    if (!w) continue;
    gsl_test_rel(error_of(s, w, 1, "infinite").of_workload, i * 0.02 * work,
                 1e-3, "-P %s", given[i]);
    gscale_workload_free(w);
  }
  remove("knob.lua");
  gscale_system_free(s);
}

/* ---- draws --------------------------------------------------------------- */

/* Cases of what is shipped, of all sorts of errors. */
static const struct {
  const char *workload, *system, *paradigm, *set;
  int gpus;
} sampled[] = {
    {"jacobi", "h200x8", "memcpy", NULL, 4},
    {"jacobi", "h200x8", "memcpy-async", NULL, 8},
    {"jacobi", "dgx-a100", "inline", NULL, 4},
    {"jacobi", "dgx1", "memcpy", "t1=2ms +- 5 %", 8},
    {"allgather", "h200x8", "memcpy", NULL, 4},
    {"allgather", "h200x8", "proact-poll", NULL, 4},
    {"allgather", "dgx-a100", "memcpy", NULL, 8},
    {"allgather", "v100x4", "memcpy", NULL, 4},
    {"pagerank", "h200x8", "inline", "pull=no", 4},
    {"pagerank", "h200x8", "rdl", "pull=yes", 4},
    {"pagerank", "h200x8", "memcpy", "pull=yes", 2},
    {"sssp", "h200x8", "inline", NULL, 4},
    {"sssp", "h200x8", "memcpy", "whole=yes", 4},
    {"als", "h200x8", "inline", NULL, 4},
    {"als", "p100x4", "memcpy", NULL, 4},
    {"ct", "h200x8", "memcpy", NULL, 4},
    {"eqwp", "pcie-tree4", "memcpy", NULL, 4},
    {"transpose", "dgx2", "memcpy", NULL, 16},
    {"hit", "dgx-a100", "memcpy-async", NULL, 4},
    {"scatter", "h200x8", "proact-cdp", "all=yes", 2},
};

/* The model's own part is no number: it is left out on both sides. */
static void check_case(size_t i, size_t draws, double *time, size_t *bent)
{
  gscale_system *s = NULL;
  gscale_workload *w = NULL;
  gscale_uncertainty *u = NULL;
  description *d = NULL;
  gscale_plan *plan = NULL;
  gscale_prediction p;
  gscale_error e = {0};
  settings set = {0};
  failure why = {0};
  const size_t paradigm = gscale_paradigm_find(sampled[i].paradigm);
  double mean = 0, square = 0;

  if (sampled[i].set) settings_add(&set, sampled[i].set, &why);
  if (load_system(sampled[i].system, NULL, &s, NULL, &why) != EXIT_OK ||
      open_workload(sampled[i].workload, &set, &d, &w, NULL, &why) != EXIT_OK ||
      load_schedules(s, d, &set, &sampled[i].gpus, 1, &w, &why) != EXIT_OK ||
      gscale_plan_new(s, w, sampled[i].gpus, &plan, NULL) != GSCALE_OK ||
      gscale_predict(plan, paradigm, NULL, &p, NULL) != GSCALE_OK ||
      gscale_uncertainty_new(s, w, sampled[i].gpus, false, &u, NULL) !=
          GSCALE_OK) {
    gsl_test(1, "%s on %s: %s", sampled[i].workload, sampled[i].system,
             why.text);
    goto done;
  }
  gscale_uncertainty_error(u, paradigm, &p.knobs, &e, NULL);
  const size_t n =
      gscale_uncertainty_sample(u, paradigm, &p.knobs, 42 + i, time, draws);
  gsl_test((double)n < 0.99 * (double)draws, "%zu of %zu draws", n, draws);
  for (size_t k = 0; k < n; k++) mean += time[k] / (double)n;
  for (size_t k = 0; k < n; k++) square += pow(time[k] - mean, 2) / (double)n;
  const double sigma = sqrt(square);
  *bent += e.nonlinear;
  gsl_test(!(e.of_parameters > 0), "%s has an error", sampled[i].workload);
  gsl_test(!e.nonlinear && !(fabs(e.of_parameters / sigma - 1) < 0.1),
           "%s on %d of %s by %s: propagated %.3g, %zu draws %.3g (%+.1f %%)%s",
           sampled[i].workload, sampled[i].gpus, sampled[i].system,
           sampled[i].paradigm, e.of_parameters, n, sigma,
           100 * (e.of_parameters / sigma - 1),
           e.nonlinear ? ", said not to be linear" : "");
  gsl_test(!(time[n / 6] <= p.time && p.time <= time[n - 1 - n / 6]) &&
               !e.nonlinear,
           "    ... around what is predicted");
done:
  close_workload(d);
  gscale_uncertainty_free(u);
  gscale_plan_free(plan);
  gscale_workload_free(w);
  gscale_system_free(s);
}

static void draws_agree(void)
{
  const size_t draws = (size_t)slow_cases(1000, 3000, 10000);
  double *time = malloc(draws * sizeof *time);
  size_t bent = 0;

  if (!time) abort();
  for (size_t i = 0; i < sizeof sampled / sizeof *sampled; i++)
    check_case(i, draws, time, &bent);
  gsl_test(bent > 14, "%zu of the cases are said not to be linear", bent);
  free(time);
}

/* T exp(-+ z asinh(err / T)): as wide as two errors, and above 0. */
static void intervals(void)
{
  const double time = 2.3e-3;

  for (double share = 0.0; share < 4.0; share += 0.37) {
    const gscale_interval i = gscale_interval_of(time, share * time, 1.0),
                          twice = gscale_interval_of(time, share * time, 2.0);

    gsl_test_rel(i.hi - i.lo, 2.0 * share * time, 1e-12,
                 "as wide as two errors of %g", share);
    gsl_test_rel(i.lo * i.hi, time * time, 1e-12, "median");
    gsl_test_rel(twice.hi / time, i.hi / time * (i.hi / time), 1e-12,
                 "two standard errors");
  }
  gsl_test(!isnan(gscale_interval_of(0.0, 1.0, 1.0).lo) ||
               !isnan(gscale_interval_of(1.0, (double)NAN, 1.0).hi),
           "outside the domain");
}

int main(void)
{
  intervals();
  counts_add_up();
  systems_add_up();
  defaults_that_are_guesses();
  unset_knobs();
  draws_agree();
  if (chdir("/tmp") == 0) knobs_reach_through_step();
  return gsl_test_summary();
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
