/* t_posterior.c - numbers of a system from runs of programs.
 *
 * once: its draws are statistics, and long. */

#include "cases.h"
#include "trust/uncertain_numbers.h"

#include <gsl/gsl_errno.h>
#include <gsl/gsl_test.h>
#include <stdio.h>

enum {
  SIZES = 2,
  PROGRAMS = 2,
  RUNS_MAX = 96
};

/* ---- machines ----------------------------------------------------------- */

static void assume(gscale_system *s, const char *name, double low, double high)
{
  const gscale_param p = {(low + high) / 2, (high - low) / sqrt(12.0),
                          GSCALE_ASSUMED, "test", GSCALE_BY_ORIGIN};

  gscale_system_set(s, gscale_param_find(name), &p, NULL);
}

/* Host, copies and stores are assumed, the rest was measured. */
static gscale_system *base_system(void)
{
  gscale_system *s = some_system(GSCALE_SWITCH, "nvlink4");

  assume(s, "host.launch", 1.5e-6, 6e-6);
  assume(s, "host.copy", 0.8e-6, 4e-6);
  assume(s, "host.sync", 2e-6, 9e-6);
  assume(s, "host.barrier", 0.2e-6, 2e-6);
  assume(s, "copy.initiation", 1e-6, 6e-6);
  assume(s, "copy.latency", 0.5e-6, 8e-6);
  assume(s, "copy.efficiency", 0.6, 1);
  assume(s, "store.latency", 0.4e-6, 4e-6);
  assume(s, "store.efficiency", 0.6, 1);
  return s;
}

static double normal(rng *r)
{
  return sqrt(-2.0 * log(uniform(r, 1e-12, 1))) *
         cos(6.283185307179586 * uniform(r, 0, 1));
}

/* A draw of a number as its prior says, inside its domain. */
static double drawn(rng *r, const gscale_param *p,
                    const gscale_param_info *info)
{
  double v;

  do v = gscale__quantile(p, normal(r));
  while (!(v >= info->least && v <= info->most));
  return v;
}

/* One of the machines that the base may be: exact numbers.  Guesses are drawn
 * relative to host.launch, which comes before them. */
static gscale_system *drawn_system(rng *r, const gscale_system *base)
{
  gscale_system *s = base_system();
  double slower = 1.0;

  for (size_t id = 0; id < GSCALE_PARAM_END; id++) {
    const gscale_param_info *info = gscale_param_info_at(id);
    gscale_param p = *gscale_system_get(base, (gscale_param_id)id);

    if (!(p.err > 0.0)) continue;
    p.val = drawn(r, &p, info);
    if (gscale_system_guessed(base, (gscale_param_id)id) &&
        info->dim == GSCALE_TIME)
      p.val *= slower;
    p.err = 0.0;
    if (id == GSCALE_HOST_LAUNCH)
      slower = p.val / gscale_system_get(base, GSCALE_HOST_LAUNCH)->val;
    gscale_system_set(s, (gscale_param_id)id, &p, NULL);
  }
  return s;
}

/* ---- runs of it --------------------------------------------------------- */

static gscale_workload *program(int which, int size, double t1)
{
  static const double sizes[PROGRAMS][SIZES] = {{192, 640}, {4e6, 90e6}};
  const double n = sizes[which][size];
  gscale_workload *w = gscale_workload_new(which ? "gather" : "halo");
  const gscale_phase p = which ? gather_phase(n, 8) : halo_phase(n);
  const gscale_param time = {t1, 0.002 * t1, GSCALE_MEASURED, "test",
                             GSCALE_BY_ORIGIN};

  gscale_workload_add(w, &p, NULL);
  if (t1 > 0.0) gscale_workload_set_single(w, time, NULL);
  return w;
}

static double time_of(const gscale_system *s, const gscale_run *r)
{
  gscale_plan *p = NULL;
  gscale_prediction out = {0};

  if (gscale_plan_new(s, r->program, r->gpus, &p, NULL) == GSCALE_OK)
    gscale_predict(p, r->paradigm, &r->knobs, &out, NULL);
  gscale_plan_free(p);
  return out.time;
}

static double infinite_of(const gscale_system *s, const gscale_run *r)
{
  gscale_run infinite = *r;

  infinite.paradigm = gscale_paradigm_find("infinite");
  return time_of(s, &infinite);
}

typedef struct machine {
  gscale_system *base, *truth;
  gscale_workload *w[PROGRAMS][SIZES];
  gscale_run run[RUNS_MAX];
  size_t runs;
} machine;

/* What the model is off: of a program by a paradigm, of a size, of a run. */
static double off(rng *r, const gscale_system *s, const gscale_run *run,
                  double of_program, double of_size)
{
  const double time = time_of(s, run);
  const double u =
      gscale_residual_moving(time, fmin(time, infinite_of(s, run))) / time;

  return 0.3 * u *
             (sqrt(0.3) * of_program + sqrt(0.5) * of_size +
              sqrt(0.2) * normal(r)) +
         0.01 * normal(r);
}

static void add_runs(machine *m, rng *r, int which, const char *paradigm)
{
  const double of_program = normal(r);

  for (int size = 0; size < SIZES; size++) {
    const double of_size = normal(r);

    for (int n = 2; n <= 4; n++) {
      gscale_run *run = &m->run[m->runs++];

      *run = (gscale_run){.program = m->w[which][size],
                          .paradigm = gscale_paradigm_find(paradigm),
                          .knobs = {.v = {65536, 2048}},
                          .gpus = n,
                          .file = "runs.csv",
                          .line = (int)m->runs + 1};
      run->time = time_of(m->truth, run) *
                  exp(off(r, m->truth, run, of_program, of_size));
      run->sigma = 0.002 * run->time;
    }
  }
}

static void open_machine(machine *m, rng *r)
{
  static const char *const paradigms[] = {"infinite", "memcpy", "inline",
                                          "memcpy-async"};

  *m = (machine){.base = base_system()};
  m->truth = drawn_system(r, m->base);
  for (int which = 0; which < PROGRAMS; which++)
    for (int size = 0; size < SIZES; size++) {
      gscale_workload *w = program(which, size, 0.0);
      const gscale_run one = {.program = w, .gpus = 1};
      const double t1 = infinite_of(m->truth, &one);

      gscale_workload_free(w);
      m->w[which][size] = program(which, size, t1);
    }
  for (int which = 0; which < PROGRAMS; which++)
    for (size_t p = 0; p < sizeof paradigms / sizeof *paradigms; p++)
      add_runs(m, r, which, paradigms[p]);
}

static void close_machine(machine *m)
{
  for (int which = 0; which < PROGRAMS; which++)
    for (int size = 0; size < SIZES; size++)
      gscale_workload_free(m->w[which][size]);
  gscale_system_free(m->base);
  gscale_system_free(m->truth);
}

static gscale_posterior *fit(const machine *m, gscale_diag *diag)
{
  gscale_posterior *p = NULL;

  return gscale_posterior_new(m->base, m->run, m->runs, 1.0, 1, NULL, NULL, &p,
                              diag) == GSCALE_OK
             ? p
             : NULL;
}

/* ---- recovery ----------------------------------------------------------- */

typedef struct tally {
  size_t numbers, inside, kept, changed;
} tally;

static void tally_numbers(const machine *m, const gscale_posterior *p, tally *t)
{
  const gscale_learned *n;

  for (size_t i = 0; (n = gscale_posterior_number(p, i)) != NULL; i++) {
    const gscale_param_id id = gscale_param_find(n->name);

    if (n->of_workload || id == GSCALE_PARAM_END) continue;
    const double truth = gscale_system_get(m->truth, id)->val;
    if (n->moved) {
      t->numbers++;
      t->inside += truth >= n->low && truth <= n->high;
    } else {
      t->kept++;
      t->changed += n->posterior.val < n->prior.val ||
                    n->posterior.val > n->prior.val ||
                    n->posterior.origin != n->prior.origin;
    }
  }
}

/* What the runs say nothing of is told together with nothing; a number that
 * they tell with itself, and with another as the other with it. */
static bool is_correlated(const gscale_posterior *p)
{
  const size_t n = gscale_posterior_count(p);
  size_t alone = 0, wrong = 0;

  for (size_t i = 0; i < n; i++) {
    const double own = gscale_posterior_correlation(p, i, i);
    alone += !(own > 0.0);
    wrong += own > 0.0 && fabs(own - 1.0) > 1e-12;
    wrong += !(own > 0.0) && gscale_posterior_number(p, i)->moved;
    for (size_t j = 0; j < i; j++) {
      const double r = gscale_posterior_correlation(p, i, j);
      wrong += fabs(r - gscale_posterior_correlation(p, j, i)) > 1e-12;
      wrong += fabs(r) > 1.0 + 1e-12 || (!(own > 0.0) && fabs(r) > 0.0);
    }
  }
  return wrong == 0 && alone > 0;
}

typedef struct seen {
  double last;
  size_t calls, wrong; /* no share, or less than before */
} seen;

static void see(void *closure, double share)
{
  seen *s = closure;

  s->calls++;
  s->wrong += !(share >= s->last && share <= 1.0);
  s->last = share;
}

static void test_progress(void)
{
  rng r = {20261127};
  seen s = {0};
  machine m;
  gscale_posterior *p = NULL;

  open_machine(&m, &r);
  gsl_test_int((int)gscale_posterior_new(m.base, m.run, m.runs, 1.0, 1, see, &s,
                                         &p, NULL),
               GSCALE_OK, "progress: fitted");
  gsl_test(s.calls < 10, "progress: %zu calls", s.calls);
  gsl_test(s.wrong > 0, "progress: %zu of them rise to no share", s.wrong);
  gscale_posterior_free(p);
  close_machine(&m);
}

static void test_recovery(void)
{
  const int machines = slow_cases(15, 60, 1000);
  rng r = {20261122};
  tally t = {0};
  size_t failed = 0;

  for (int i = 0; i < machines; i++) {
    machine m;
    gscale_posterior *p;

    open_machine(&m, &r);
    p = fit(&m, NULL);
    failed += !p;
    if (p) tally_numbers(&m, p, &t);
    if (p) gsl_test(!is_correlated(p), "machine %d: correlations", i);
    gscale_posterior_free(p);
    close_machine(&m);
  }
  const double share = (double)t.inside / (double)t.numbers;
  gsl_test(failed > 0, "%zu of %d machines could not be fitted", failed,
           machines);
  const double least = machines > 60 ? 0.93 : machines == 60 ? 0.92 : 0.88;
  const double most = machines > 60 ? 0.97 : machines == 60 ? 0.98 : 1.0;
  gsl_test(!(share >= least && share <= most),
           "the truth is inside 95 %% intervals in %.1f %% of %zu", 100 * share,
           t.numbers);
  gsl_test(t.numbers < (size_t)machines * 5, "%zu numbers were told",
           t.numbers);
  gsl_test(t.changed > 0 || t.kept == 0,
           "%zu of %zu numbers without leverage changed", t.changed, t.kept);
}

/* ---- what would explain runs --------------------------------------------- */

/* Runs as they would be if one number were another. */
static void explained(const gscale_system *s, const gscale_workload *w,
                      const gscale_system *truth, const gscale_workload *other,
                      const char *name, double factor)
{
  gscale_run run[4];
  gscale_misfit m;

  for (int i = 0; i < 4; i++) {
    run[i] = (gscale_run){.program = other,
                          .paradigm = gscale_paradigm_find("memcpy"),
                          .knobs = gscale_knobs_best,
                          .gpus = 2 * (i + 1)};
    run[i].time = time_of(truth, &run[i]);
  }
  gsl_test_int((int)gscale_misfit_of(s, w, run, 4, &m, NULL), GSCALE_OK,
               "%s: a misfit", name);
  gsl_test_str(m.name, name, "what explains runs");
  gsl_test(!(m.before > 0.05 && m.left < 0.02 * m.before),
           "%s: %g of %g is left", name, m.left, m.before);
  if (isfinite(factor))
    gsl_test_rel(m.factor, factor, 0.02, "%s: factor", name);
}

static void test_misfit(void)
{
  gscale_system *s = base_system();
  gscale_workload *w = program(1, 1, 0.0), *other;
  const gscale_run one = {.program = w, .gpus = 1};
  const double t1 = infinite_of(s, &one);
  gscale_run run = {.program = w, .gpus = 2};
  gscale_misfit m;

  gscale_workload_free(w);
  w = program(1, 1, t1);
  gscale_phase p = *gscale_workload_phase(w, 0);
  p.serial = 0.4;
  other = gscale_workload_new("gather");
  const gscale_param time = {t1, 0, GSCALE_MEASURED, "test", GSCALE_BY_ORIGIN};
  gscale_workload_add(other, &p, NULL);
  gscale_workload_set_single(other, time, NULL);
  char serial[64];
  snprintf(serial, sizeof serial, "%s.compute.serial", p.name);
  explained(s, w, s, other, serial, INFINITY);
  p.serial = 0.0;
  p.publish *= 5.0;
  gscale_workload_free(other);
  other = gscale_workload_new("gather");
  gscale_workload_add(other, &p, NULL);
  gscale_workload_set_single(other, time, NULL);
  snprintf(serial, sizeof serial, "%s.publish.bytes", p.name);
  explained(s, w, s, other, serial, 5.0);
  gsl_test_int((int)gscale_misfit_of(s, w, &run, 1, &m, NULL), GSCALE_EDOMAIN,
               "a run of no time");
  gsl_test_int((int)gscale_misfit_of(s, w, &run, 0, &m, NULL), GSCALE_EDOMAIN,
               "no runs");
  gscale_workload_free(w);
  gscale_workload_free(other);
  gscale_system_free(s);
}

static void mine(const char *reason, const char *file, int line, int error)
{
  gsl_test(1, "%s:%d: %s, %d", file, line, reason, error);
}

int main(void)
{
  gsl_set_error_handler(mine);
  test_misfit();
  test_progress();
  test_recovery();
  gsl_test(gsl_set_error_handler(mine) != mine,
           "GSL's handler is the caller's");
  return gsl_test_summary();
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
