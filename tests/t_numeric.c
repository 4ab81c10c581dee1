/* t_numeric.c - whatever the numbers are, within their domains: a prediction
 * that is finite throughout, or a refusal. */

#include "cases.h"

#include <gsl/gsl_test.h>

/* Violations, counted; each is one test at the end. */
static struct {
  int undocumented, unfinished, disagree, words, kept, error;
  int predicted, overflowed;
} bad;

/* ---- settings ------------------------------------------------------------ */

/* Within least .. most: an end, anywhere between by order of magnitude, or
 * near an end that is infinite. */
static double extreme(rng *r, double least, double most)
{
  const double low = fmax(least, 1e-300), high = fmin(most, 1e308);

  switch (pick(r, 6)) {
  case 0:
    return least;
  case 1:
    return most;
  case 2:
    return low;
  case 3:
    return high;
  default:
    return spread(r, low, high);
  }
}

/* Up to four parameters anywhere in their domains. */
static void unsettle(rng *r, gscale_system *s)
{
  for (int i = pick(r, 5); i > 0; i--) {
    const size_t id = (size_t)pick(r, GSCALE_PARAM_END);
    const gscale_param_info *info = gscale_param_info_at(id);
    const gscale_param p = {extreme(r, info->least, info->most),
                            pick(r, 4) ? 0 : extreme(r, 0, 1e308),
                            GSCALE_ASSUMED, "test", GSCALE_BY_ORIGIN};
    gscale_system_set(s, (gscale_param_id)id, &p, NULL);
  }
}

/* Up to three counts of a phase as large, or as small, as doubles are. */
static void exaggerate(rng *r, gscale_phase *p)
{
  double *const at_least_0[] = {
      &p->flop,       &p->bytes,          &p->footprint,    &p->blocks,
      &p->residents,  &p->calls.launches, &p->calls.copies, &p->calls.events,
      &p->publish,    &p->spread,         &p->loads,        &p->pack.flop,
      &p->pack.bytes, &p->pack.kernels};
  double *const at_least_1[] = {&p->units,       &p->kernels,    &p->copies,
                                &p->compute_max, &p->egress_max, &p->over,
                                &p->ingress_max, &p->rewrites,   &p->threads};
  double *const above_0[] = {&p->repeats, &p->fetch, &p->stores.size[0]};
  double *const of_path[] = {&p->group[0].path[0].loads,
                             &p->group[0].path[0].bytes};

  for (int i = pick(r, 4); i > 0; i--) switch (pick(r, 3)) {
    case 0:
      *at_least_0[pick(r, 14)] = extreme(r, 0, 1e308);
      break;
    case 1:
      *at_least_1[pick(r, 9)] = floor(extreme(r, 1, 1e308));
      break;
    default:
      *above_0[pick(r, 3)] = extreme(r, 1e-300, 1e308);
    }
  if (pick(r, 4) == 0) *of_path[pick(r, 2)] = extreme(r, 0, 1e308);
}

static gscale_workload *unsettled_workload(rng *r)
{
  gscale_workload *w = gscale_workload_new("unsettled");

  do {
    gscale_phase p = random_phase(r);
    exaggerate(r, &p);
    gscale_workload_add(w, &p, NULL); /* or not: it may have been refused */
  } while (pick(r, 3) == 0 || gscale_workload_about(w).phases == 0);
  if (pick(r, 4) == 0) {
    const gscale_param single = {extreme(r, 0, 1e308), extreme(r, 0, 1e308),
                                 GSCALE_MEASURED, "test", GSCALE_BY_ORIGIN};
    gscale_workload_set_single(w, single, NULL);
  }
  return w;
}

/* ---- answers ------------------------------------------------------------- */

static bool finite_throughout(const gscale_prediction *p)
{
  const double of[] = {p->time,          p->setup,           p->speedup,
                       p->efficiency,    p->opportunity,     p->bytes.wire,
                       p->bytes.useful,  p->bytes.redundant, p->bytes.unused,
                       p->bytes.protocol};
  bool all = p->time > 0;

  for (size_t i = 0; i < sizeof of / sizeof *of; i++)
    all = all && isfinite(of[i]) && of[i] >= 0;
  for (size_t i = 0; i < GSCALE_PART_END; i++)
    all = all && isfinite(p->part[i]) && p->part[i] >= 0;
  return all;
}

static bool documented(gscale_status st)
{
  return st == GSCALE_ENEED || st == GSCALE_EDOMAIN || st == GSCALE_ENUMERIC ||
         st == GSCALE_ESIZE;
}

static void check_error(const gscale_system *s, const gscale_workload *w, int n,
                        size_t paradigm, const gscale_knobs *k)
{
  gscale_error e;
  const gscale_status st = gscale_error_of(s, w, n, paradigm, k, &e, NULL);

  bad.error +=
      st == GSCALE_OK ? !(isfinite(e.time) && e.time >= 0) : !documented(st);
}

static void check_paradigm(const gscale_plan *p, size_t paradigm,
                           gscale_knobs *k)
{
  gscale_prediction out, before;
  gscale_diag why = {""};

  memset(&out, 0x5a, sizeof out);
  before = out;
  const gscale_status st = gscale_predict(p, paradigm, k, &out, &why);
  if (st == GSCALE_OK) {
    const double t = gscale_predict_time(p, paradigm, &out.knobs);
    bad.predicted++;
    bad.unfinished += !finite_throughout(&out);
    bad.disagree += !(fabs(t / out.time - 1) < 1e-9);
    *k = out.knobs;
    return;
  }
  bad.overflowed += st == GSCALE_ENUMERIC;
  bad.undocumented += !documented(st);
  bad.words += !*why.text;
  bad.kept += memcmp(&out, &before, sizeof out) != 0;
}

static void one_setting(rng *r, bool with_error)
{
  gscale_system *s = random_system(r);
  unsettle(r, s);
  gscale_workload *w = unsettled_workload(r);
  const int n = 1 + pick(r, 8);
  gscale_plan *p = NULL;

  const gscale_status st = gscale_plan_new(s, w, n, &p, NULL);
  bad.undocumented += st != GSCALE_OK && !documented(st);
  bad.overflowed += st == GSCALE_ENUMERIC;
  for (size_t i = 0; st == GSCALE_OK && i < gscale_paradigm_count(); i++) {
    gscale_knobs k = {
        .v = {extreme(r, 1e-300, 1e308), extreme(r, 1e-300, 65536)}};
    check_paradigm(p, i, &k);
    if (with_error) check_error(s, w, n, i, &k);
  }
  gscale_plan_free(p);
  gscale_system_free(s);
  gscale_workload_free(w);
}

int main(void)
{
  const int n = slow_cases(2000, 10000, 1000000);
  rng r = {2003};

  for (int i = 0; i < n; i++) one_setting(&r, i % 100 == 0);
  gsl_test_int(bad.unfinished, 0, "%d settings: every number is finite", n);
  gsl_test_int(bad.undocumented, 0, "refused with a status that is documented");
  gsl_test_int(bad.disagree, 0, "predict_time = predict");
  gsl_test_int(bad.words, 0, "refused with words");
  gsl_test_int(bad.kept, 0, "a refusal leaves the prediction as it was");
  gsl_test_int(bad.error, 0, "errors are finite, or refused");
  gsl_test(bad.predicted < n, "%d predictions were made", bad.predicted);
  gsl_test(bad.overflowed < n / 10, "%d overflows were met", bad.overflowed);
  return gsl_test_summary();
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
