/* t_probe.c - a probe predicts what a plan of such a system would. */

#include "cases.h"
#include "describe/described.h"

#include <gsl/gsl_test.h>

static int predictions, differing, differing_errors, refused, cheap,
    moved_fields, unlike;

/* All paradigms by both plans. */
static void compare(gscale_probe *probe, const gscale_workload *w, int n)
{
  const gscale_plan *tried = NULL;
  gscale_plan *fresh = NULL;
  const gscale_status st = gscale_probe_plan(probe, &tried, NULL);

  differing_errors +=
      st != gscale_plan_new(gscale_probe_system(probe), w, n, &fresh, NULL);
  refused += st != GSCALE_OK;
  for (size_t i = 0; st == GSCALE_OK && i < gscale_paradigm_count(); i++) {
    gscale_prediction a, b;
    const gscale_status sa = gscale_predict(tried, i, NULL, &a, NULL);
    const gscale_status sb = gscale_predict(fresh, i, NULL, &b, NULL);

    differing_errors += sa != sb;
    if (sa != GSCALE_OK || sb != GSCALE_OK) continue;
    predictions++;
    differing += memcmp(&a.time, &b.time, sizeof a.time) != 0 ||
                 memcmp(&a.speedup, &b.speedup, sizeof a.speedup) != 0 ||
                 memcmp(a.part, b.part, sizeof a.part) != 0 ||
                 memcmp(&a.bytes, &b.bytes, sizeof a.bytes) != 0;
  }
  gscale_plan_free(fresh);
}

static void move(gscale_probe *probe, rng *r)
{
  const gscale_param_id id = (gscale_param_id)pick(r, GSCALE_PARAM_END);
  const double was = gscale_system_get(gscale_probe_system(probe), id)->val;

  const bool plans = gscale_probe_plans(probe, id);

  if (gscale_probe_set(probe, id, was * uniform(r, 0.5, 1.5), NULL) ==
      GSCALE_OK)
    cheap += !plans;
}

/* Another value of some number of a phase; what is put twice is as before. */
static void put(gscale_workload *w, rng *r)
{
  const size_t phase = (size_t)pick(r, (int)gscale_workload_phases(w));
  const gscale_phase was = *gscale_workload_phase(w, phase);
  const gscale_field *f = NULL;
  double *at = NULL;

  while (!at) {
    f = gscale_field_at(GSCALE_OF_PHASE, (size_t)pick(r, 60));
    at = f ? gscale_field_number(f, (void *)&was, 0) : NULL;
  }
  gscale_put one = {phase, f, 0, *at * uniform(r, 0.5, 1.5)};
  const bool taken = gscale_workload_put(w, &one, 1, NULL) == GSCALE_OK;

  moved_fields += taken;
  if (taken && pick(r, 4) > 0) return;
  if (taken) gscale_workload_put(w, &one, 1, NULL);
  unlike += memcmp(&was, gscale_workload_phase(w, phase), sizeof was) != 0;
}

static void as_planned(uint64_t seed)
{
  rng r = {seed}, again;
  gscale_system *s = random_system(&r);
  again = r;
  gscale_workload *w = random_workload(&r), *moved = random_workload(&again);
  const int n = 1 + pick(&r, 8);
  gscale_probe *probe = NULL;

  if (gscale_probe_new(s, w, n, &probe, NULL) == GSCALE_OK)
    for (int i = 0; i < 8; i++) {
      for (int k = 1 + pick(&r, 3); k > 0; k--) move(probe, &r);
      for (int k = pick(&r, 3); k > 0; k--) put(moved, &r);
      if (i > 3) gscale_probe_workload(probe, moved, NULL);
      compare(probe, i > 3 ? moved : w, n);
    }
  gscale_probe_free(probe);
  gscale_workload_free(moved);
  gscale_workload_free(w);
  gscale_system_free(s);
}

/* ---- many points at once ------------------------------------------------- */

enum {
  POINTS = 24,
  CHANGES = 3
};

typedef struct batch {
  gscale_change c[CHANGES];
  size_t changes;
  double x[CHANGES][POINTS];
  gscale_knobs k; /* the best, or set */
} batch;

/* Numbers of all kinds, most of them in the domain. */
static void choose(batch *b, const gscale_system *s, const gscale_workload *w,
                   rng *r)
{
  b->changes = (size_t)(1 + pick(r, CHANGES));
  b->k = gscale_knobs_best;
  if (pick(r, 2)) b->k = (gscale_knobs){.v = {131072, 512}};
  for (size_t i = 0; i < b->changes; i++) {
    gscale_change *c = &b->c[i];
    gscale_phase phase = *gscale_workload_phase(w, 0);
    double value = i == 0 ? 262144.0 : 2048.0;

    *c = (gscale_change){.of = GSCALE_CHANGES_KNOB,
                         .knob = (gscale_knob)(i % GSCALE_KNOB_END),
                         .value = b->x[i]};
    if (pick(r, 4) > 0) {
      c->of = GSCALE_CHANGES_PARAM;
      c->id = (gscale_param_id)pick(r, GSCALE_PARAM_END);
      value = gscale_system_get(s, c->id)->val;
    } else if (i == 0 && pick(r, 2)) {
      c->of = GSCALE_CHANGES_FIELD;
      c->field = gscale_field_find(GSCALE_OF_PHASE, "flop");
      value = *gscale_field_number(c->field, &phase, 0);
    }
    for (int k = 0; k < POINTS; k++)
      b->x[i][k] = value * (k % 5 == 4 ? 1.0 : uniform(r, 0.5, 1.5));
  }
}

/* Point i by a system, a workload and knobs of its own; and its error, unless
 * that is NULL. */
static gscale_status by_itself(const batch *b, int i, const gscale_system *s,
                               gscale_workload *w, int n, size_t paradigm,
                               gscale_prediction *out, gscale_error *err)
{
  gscale_system other = *s;
  gscale_knobs k = b->k;
  gscale_put put = {.phase = 0};
  gscale_plan *p = NULL;
  gscale_status st = GSCALE_OK;
  bool moved = false;

  for (size_t c = 0; st == GSCALE_OK && c < b->changes; c++) {
    const gscale_param to = {.val = b->x[c][i], .origin = GSCALE_ASSUMED};
    if (b->c[c].of == GSCALE_CHANGES_KNOB) k.v[b->c[c].knob] = to.val;
    if (b->c[c].of == GSCALE_CHANGES_PARAM)
      st = gscale_system_set(&other, b->c[c].id, &to, NULL);
    if (b->c[c].of == GSCALE_CHANGES_FIELD) {
      put = (gscale_put){0, b->c[c].field, 0, to.val};
      st = gscale_workload_put(w, &put, 1, NULL);
      moved = st == GSCALE_OK;
    }
  }
  if (st == GSCALE_OK) st = gscale_plan_new(&other, w, n, &p, NULL);
  if (st == GSCALE_OK) st = gscale_predict(p, paradigm, &k, out, NULL);
  gscale_plan_free(p);
  if (st == GSCALE_OK && err)
    st = gscale_error_of(&other, w, n, paradigm, &out->knobs, err, NULL);
  if (moved) gscale_workload_put(w, &put, 1, NULL);
  return st;
}

static bool are_near(const gscale_prediction *a, const gscale_prediction *b)
{
  double off = fabs(a->time - b->time) / b->time;

  for (int i = 0; i < GSCALE_PART_END; i++)
    off = fmax(off, fabs(a->part[i] - b->part[i]) / b->time);
  off =
      fmax(off, fabs(a->bytes.wire - b->bytes.wire) / fmax(1.0, b->bytes.wire));
  off = fmax(off, fabs(a->speedup - b->speedup) / b->speedup);
  off = fmax(off, fabs(a->setup - b->setup) / (b->time + b->setup));
  for (int i = 0; i < GSCALE_KNOB_END; i++)
    if (!isnan(a->knobs.v[i]) || !isnan(b->knobs.v[i]))
      off = fmax(off, isnan(a->knobs.v[i] + b->knobs.v[i])
                          ? 1.0
                          : fabs(a->knobs.v[i] - b->knobs.v[i]));
  return off <= 1e-13 && a->bound == b->bound;
}

/* Of a step that takes so long, s. */
static bool errs_near(const gscale_error *a, const gscale_error *b, double time)
{
  const double *x[] = {&a->time, &a->of_system, &a->of_workload, &a->of_model},
               *y[] = {&b->time, &b->of_system, &b->of_workload, &b->of_model};
  bool near = a->applicability == b->applicability &&
              strcmp(a->reason, b->reason) == 0 && a->nonlinear == b->nonlinear;

  for (size_t i = 0; i < sizeof x / sizeof *x; i++)
    near = near && !(fabs(*x[i] - *y[i]) > 1e-13 * time);
  return near && isnan(a->energy) == isnan(b->energy) &&
         !(fabs(a->energy - b->energy) > 1e-9 * b->energy);
}

static int points, far_off, one_sided, errors, errors_off;

/* A batch on a fresh probe, whose parameters nobody has set. */
static void as_single(uint64_t seed)
{
  rng r = {seed};
  gscale_system *s = random_system(&r);
  gscale_workload *w = random_workload(&r);
  const int n = 1 + pick(&r, 8);
  gscale_host host = *gscale_workload_host(w);

  host.threads = pick(&r, 3);
  gscale_workload_set_host(w, &host, NULL);
  for (size_t i = 0; i < gscale_paradigm_count(); i++) {
    gscale_prediction many[POINTS], same[POINTS], one;
    gscale_error err[POINTS], e;
    gscale_probe *probe = NULL;
    batch b;

    choose(&b, s, w, &r);
    if (gscale_probe_new(s, w, n, &probe, NULL) != GSCALE_OK) continue;
    const gscale_status all =
        gscale_predict_many(probe, i, &b.k, POINTS, b.c, b.changes, many, NULL);
    const gscale_status with = gscale_errors_many(probe, i, &b.k, POINTS, b.c,
                                                  b.changes, same, err, NULL);
    gscale_status first = GSCALE_OK;
    for (int k = 0; k < POINTS; k++) {
      gscale_error *const also = k % 4 == 0 ? &e : NULL;
      const gscale_status st = by_itself(&b, k, s, w, n, i, &one, also);
      if (first == GSCALE_OK) first = st;
      one_sided += (st == GSCALE_OK) != isfinite(many[k].time);
      if (st != GSCALE_OK) continue;
      points++;
      far_off += !are_near(&many[k], &one) || !are_near(&same[k], &one);
      errors += also != NULL;
      errors_off += also && !errs_near(&err[k], also, one.time);
    }
    one_sided += first != all || first != with;
    gscale_probe_free(probe);
  }
  gscale_workload_free(w);
  gscale_system_free(s);
}

static void batches(void)
{
  const int draws = cases(8, 400);

  for (int i = 0; i < draws; i++) as_single((uint64_t)i + 4001);
  as_single(4292); /* two numbers of which calls' costs are made */
  gsl_test(points < 100 * draws, "%d points of batches", points);
  gsl_test(far_off > 0, "%d of them are not what a single prediction is",
           far_off);
  gsl_test(one_sided > 0, "%d are refused by one only", one_sided);
  gsl_test(errors < 25 * draws, "%d errors of batches", errors);
  gsl_test(errors_off > 0, "%d of them are not what gscale_error_of gives",
           errors_off);
}

static void of_workloads(const gscale_system *s, const gscale_workload *w)
{
  const size_t memcpy_ = gscale_paradigm_find("memcpy");
  gscale_workload *two = one_phase(halo_phase(64)),
                  *other = one_phase(gather_phase(32e6, 20));
  const gscale_phase second = halo_phase(64);
  gscale_put put[2] = {{0, gscale_field_find(GSCALE_OF_PHASE, "flop"), 0, 1e9},
                       {1, gscale_field_find(GSCALE_OF_PHASE, "flop"), 0, 1e9}};
  const double was = gscale_workload_phase(other, 0)->flop;
  const gscale_plan *plan = NULL;
  gscale_probe *probe = NULL;

  gscale_workload_add(two, &second, NULL);
  gsl_test(gscale_workload_put(other, put, 2, NULL) != GSCALE_ENAME,
           "no number of a phase that is not there");
  put[0].value = -1.0;
  gsl_test(gscale_workload_put(other, put, 1, NULL) != GSCALE_EDOMAIN,
           "nor one that no phase can have");
  gsl_test_abs(gscale_workload_phase(other, 0)->flop, was, 0.0,
               "nothing has changed then");
  gsl_test(gscale_probe_new(s, w, 4, &probe, NULL) != GSCALE_OK, "a probe");
  gsl_test(gscale_probe_workload(probe, two, NULL) != GSCALE_EDOMAIN,
           "a workload of more phases is another");
  gscale_probe_ways(probe, &memcpy_, 1);
  gsl_test(gscale_probe_workload(probe, other, NULL) ||
               gscale_probe_plan(probe, &plan, NULL),
           "a plan of other numbers, for one paradigm");
  gsl_test(gscale_plan_needs(plan, memcpy_, NULL) ||
               gscale_plan_needs(plan, 0, NULL),
           "has that, and infinite");
  gsl_test(gscale_plan_needs(plan, gscale_paradigm_find("nccl"), NULL) !=
               GSCALE_ENEED,
           "and not the others");
  gscale_probe_free(probe);
  gscale_workload_free(two);
  gscale_workload_free(other);
}

static void refusals(void)
{
  gscale_system *s = some_system(GSCALE_SWITCH, "nvlink4");
  gscale_workload *w = one_phase(gather_phase(64e6, 20));
  gscale_probe *probe = NULL;
  const gscale_plan *plan = NULL;
  gscale_diag diag;

  gsl_test(gscale_probe_new(s, w, 0, &probe, &diag) != GSCALE_ESIZE || probe,
           "no probe of 0 GPUs");
  gsl_test(gscale_probe_new(s, w, 4, &probe, &diag) != GSCALE_OK, "a probe");
  gsl_test(gscale_probe_set(probe, GSCALE_LINK_RATE, -1.0, &diag) !=
               GSCALE_EDOMAIN,
           "a negative rate is refused");
  gsl_test(gscale_probe_set(probe, GSCALE_PARAM_END, 1.0, &diag) !=
               GSCALE_ENAME,
           "no such parameter");
  gsl_test_abs(
      gscale_system_get(gscale_probe_system(probe), GSCALE_LINK_RATE)->val /
          gscale_system_get(s, GSCALE_LINK_RATE)->val,
      1.0, 0.0, "and nothing changed");
  gsl_test(gscale_probe_set(probe, GSCALE_DEVICE_MEMORY, 1e6, &diag) !=
               GSCALE_OK,
           "a memory too small is a value");
  gsl_test(gscale_probe_plan(probe, &plan, &diag) == GSCALE_OK || plan,
           "for which there is no plan");
  gsl_test(gscale_probe_set(probe, GSCALE_DEVICE_MEMORY, 80e9, &diag) ||
               gscale_probe_plan(probe, &plan, &diag),
           "with more there is");
  gscale_probe_free(probe);
  gscale_probe_free(NULL);
  of_workloads(s, w);
  gscale_workload_free(w);
  gscale_system_free(s);
}

int main(void)
{
  const int draws = cases(60, 2000);

  for (int i = 0; i < draws; i++) as_planned((uint64_t)i + 1);
  gsl_test(predictions < 20 * draws, "%d predictions", predictions);
  gsl_test(cheap < draws || refused > predictions / 4,
           "%d numbers moved without a new plan", cheap);
  gsl_test(moved_fields < draws, "%d numbers of phases put", moved_fields);
  gsl_test(unlike > 0, "%d phases are others when it is taken back", unlike);
  gsl_test(differing > 0, "%d differ from a fresh plan's", differing);
  gsl_test(differing_errors > 0, "%d are refused by one only",
           differing_errors);
  refusals();
  batches();
  return gsl_test_summary();
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
