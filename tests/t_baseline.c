/* t_baseline.c - laws recover their own coefficients and refuse what cannot be
 * fitted; traffic against counts by hand. */

#include "cases.h"

#include <gsl/gsl_test.h>
#include <string.h>

/* ---- times by hand ------------------------------------------------------- */

static const gscale_traffic none = {0, 0};

static void times_by_hand(void)
{
  /* Amdahl: 7.3 (0.2 + 0.8/5) = 2.628;  USL at N = 5: 7.3 (1 + 0.03*4 +
   * 0.002*20)/5 = 1.6936;  messages: 7.3/5 + 3*0.11 + 40*0.007 = 2.07 */
  const double amdahl[] = {7.3, 0.2, 0}, usl[] = {7.3, 0.03, 0.002},
               messages[] = {7.3, 0.11, 0.007};
  const gscale_traffic t = {3, 40};
  gsl_test_rel(gscale_law_time(GSCALE_AMDAHL, amdahl, 5, none), 2.628, 1e-14,
               "amdahl: by hand");
  gsl_test_rel(gscale_law_time(GSCALE_USL, usl, 5, none), 1.6936, 1e-14,
               "usl: by hand");
  gsl_test_rel(gscale_law_time(GSCALE_MESSAGES, messages, 5, t), 2.07, 1e-14,
               "messages: by hand");
  for (gscale_law l = 0; l < GSCALE_NORMAL_FORM; l++)
    gsl_test_rel(gscale_law_time(l, usl, 1, none), 7.3, 1e-14,
                 "%s: T1 on one GPU", gscale_name(GSCALE_LAW_NAMES, l));
  /* 1.7 + 5.6 / 5;  1.7 + 5.6 log2(4) / 4, the 14th term;  no constant twice */
  const double plain[] = {1.7, 5.6, 0}, with_log[] = {1.7, 5.6, 13},
               constant[] = {1.7, 5.6, 6};
  gsl_test_rel(gscale_law_time(GSCALE_NORMAL_FORM, plain, 5, none), 2.82, 1e-14,
               "extra-p: by hand");
  gsl_test_rel(gscale_law_time(GSCALE_NORMAL_FORM, with_log, 4, none), 4.5,
               1e-14, "extra-p: with a logarithm");
  gsl_test(!isnan(gscale_law_time(GSCALE_NORMAL_FORM, constant, 4, none)),
           "extra-p: the constant is no term");
  /* all of them on 4096 GPUs: roots of 2^12, whose logarithm is 12 */
  static const double power[] = {
      1.0 / 4096, 1.0 / 512, 1.0 / 256, 1.0 / 64, 1.0 / 16, 1.0 / 8, NAN,
      8,          16,        64,        256,      512,      4096};
  enum {
    POWERS = sizeof power / sizeof *power
  };
  for (size_t i = 0; i < 2 * POWERS; i++) {
    const double c[] = {1, 1, (double)i},
                 want = 1 + (i == POWERS + 6 ? 12
                             : i < POWERS    ? power[i]
                                             : 12 * power[i - POWERS]);
    const double is = gscale_law_time(GSCALE_NORMAL_FORM, c, 4096, none);
    if (!isnan(want))
      gsl_test_rel(is, want, 1e-14, "extra-p: term %zu by hand", i);
  }
  gsl_test(!isnan(gscale_law_time(GSCALE_USL, usl, 0, none)), "no GPUs");
  gsl_test(!isnan(gscale_law_time(GSCALE_LAW_END, usl, 1, none)), "no law");
  gsl_test(!isnan(gscale_law_time(GSCALE_MESSAGES, messages, 2,
                                  (gscale_traffic){-1, 0})),
           "messages: below 0");
  gsl_test(gscale_name(GSCALE_LAW_NAMES, GSCALE_LAW_END) != NULL,
           "no name past the end");
}

/* ---- fits ---------------------------------------------------------------- */

enum {
  MOST = 8
};
static const int gpus[MOST] = {1, 2, 3, 4, 5, 6, 7, 8};

/* Traffic whose two columns are not multiples of each other. */
static gscale_traffic traffic_on(int n)
{
  return (gscale_traffic){n > 1 ? fmin(2, n - 1) : 0, 3e6 * (n - 1) / n};
}

static void recovers(gscale_law l, const double *truth, const int *on, size_t n)
{
  gscale_traffic t[MOST];
  double time[MOST], c[GSCALE_LAW_TERMS] = {-1, -1, -1};
  gscale_diag diag = {""};

  for (size_t i = 0; i < n; i++) {
    t[i] = traffic_on(on[i]);
    time[i] = gscale_law_time(l, truth, on[i], t[i]);
  }
  gsl_test_int((int)gscale_law_fit(l, on, t, time, n, c, &diag), GSCALE_OK,
               "%s: fits %zu runs %s", gscale_name(GSCALE_LAW_NAMES, l), n,
               diag.text);
  for (size_t j = 0; j < GSCALE_LAW_TERMS; j++)
    gsl_test_abs(c[j], truth[j], 1e-9 * (truth[j] + 1e-6 * truth[0]),
                 "%s: coefficient %zu from %zu runs",
                 gscale_name(GSCALE_LAW_NAMES, l), j, n);
  gsl_test_rel(gscale_law_time(l, c, 16, traffic_on(16)),
               gscale_law_time(l, truth, 16, traffic_on(16)), 1e-9,
               "%s: beyond the runs", gscale_name(GSCALE_LAW_NAMES, l));
}

static void laws_recover_themselves(void)
{
  static const int few[] = {1, 2, 4};
  rng r = {20261};

  for (int k = 0; k < cases(50, 5000); k++) {
    const double t1 = spread(&r, 1e-6, 10);
    const double amdahl[] = {t1, uniform(&r, 0, 1), 0};
    const double usl[] = {t1, uniform(&r, 0, 0.5), uniform(&r, 0, 0.05)};
    const double messages[] = {t1, t1 * uniform(&r, 0, 0.3),
                               t1 / 3e6 * uniform(&r, 0, 0.3)};
    const int *on = k % 2 ? gpus : few;
    const size_t n = k % 2 ? MOST : 3;
    recovers(GSCALE_AMDAHL, amdahl, on, n);
    recovers(GSCALE_USL, usl, on, n);
    recovers(GSCALE_MESSAGES, messages, on, n);
  }
  recovers(GSCALE_AMDAHL, (const double[]){2.7, 0.35, 0}, few, 2);
  recovers(GSCALE_CONTENTION, (const double[]){2.7, 1.35, 0}, few, 2);
  recovers(GSCALE_SUPERLINEAR, (const double[]){2.7, 1.35, 0}, few, 2);
}

/* Better than linear; as good as linear is not. */
static void superlinear_is_steeper(void)
{
  const int on[] = {1, 2, 4};
  const double linear[] = {1, 0.5, 0.25}, less[] = {1, 0.7, 0.6};
  double c[GSCALE_LAW_TERMS];
  gsl_test_int(
      (int)gscale_law_fit(GSCALE_SUPERLINEAR, on, NULL, linear, 3, c, NULL),
      GSCALE_EDATA, "superlinear: not of T1/N");
  gsl_test_int(
      (int)gscale_law_fit(GSCALE_SUPERLINEAR, on, NULL, less, 3, c, NULL),
      GSCALE_EDATA, "superlinear: not of less");
  const double power[] = {2.0, 1.5, 0};
  gsl_test_rel(gscale_law_time(GSCALE_SUPERLINEAR, power, 4, none), 0.25, 1e-14,
               "superlinear: by hand");
  const double twice[] = {2.0, 1.5, 0};
  gsl_test_rel(gscale_law_time(GSCALE_CONTENTION, twice, 4, none), 2.75, 1e-14,
               "contention: by hand");
}

static void coefficients_stay_positive(void)
{
  /* Better than linear: 4 GPUs take a fifth. */
  const double fast[] = {1, 0.45, 0.2}, up[] = {1, 1.5, 2.5};
  const int on[] = {1, 2, 4};
  double c[GSCALE_LAW_TERMS];
  gscale_law_fit(GSCALE_AMDAHL, on, NULL, fast, 3, c, NULL);
  gsl_test_abs(c[1], 0, 1e-15, "amdahl: no negative serial part");
  gscale_law_fit(GSCALE_USL, on, NULL, fast, 3, c, NULL);
  gsl_test(c[1] != 0.0 || c[2] != 0.0, "usl: no negative contention");
  gscale_law_fit(GSCALE_AMDAHL, on, NULL, up, 3, c, NULL);
  gsl_test_rel(c[1], 1, 1e-12, "amdahl: no more than all is serial");
}

static void fits_are_relative(void)
{
  /* T = T1/N can only miss: k/N against 1.1/1 and 0.9/2 of it; relative least
   * squares of k: sum(1/r)/sum(1/r^2), r = 1.1, 0.9.  USL with no contention
   * possible would fit it; messages without traffic is the law C/N. */
  const int on[] = {1, 2, 4};
  const double time[] = {1.1 * 3.7, 0.9 * 3.7 / 2, 1.1 * 3.7 / 4};
  const double sum = 2 / 1.1 + 1 / 0.9, square = 2 / 1.21 + 1 / 0.81;
  double c[GSCALE_LAW_TERMS];
  gsl_test_int((int)gscale_law_fit(GSCALE_MESSAGES, on, NULL, time, 3, c, NULL),
               GSCALE_OK, "messages: without any");
  gsl_test_rel(c[0], 3.7 * sum / square, 1e-12, "messages: C/N, relative");
  gsl_test_abs(c[1] + c[2], 0, 0, "messages: none cost nothing");
}

/* Two faces on any number of GPUs: messages and bytes are multiples. */
static void collinear_columns(void)
{
  const gscale_traffic t[] = {{0, 0}, {1, 5e5}, {2, 1e6}};
  const int on[] = {1, 2, 4};
  const double time[] = {8.1, 4.05 + 0.3, 2.025 + 0.6};
  double c[GSCALE_LAW_TERMS];
  gsl_test_int((int)gscale_law_fit(GSCALE_MESSAGES, on, t, time, 3, c, NULL),
               GSCALE_OK, "messages: collinear");
  gsl_test(c[1] != 0.0 && c[2] != 0.0, "messages: one of two is used");
  gsl_test_rel(gscale_law_time(GSCALE_MESSAGES, c, 8, t[2]), 8.1 / 8 + 0.6,
               1e-12, "messages: the same time from either");
}

static void refuse(gscale_law l, const int *on, const gscale_traffic *t,
                   const double *time, size_t n, gscale_status st,
                   const char *why)
{
  double c[GSCALE_LAW_TERMS] = {0.625, 0, 0};
  gscale_diag diag = {""};
  gsl_test_int((int)gscale_law_fit(l, on, t, time, n, c, &diag), (int)st,
               "refuses: %s", why);
  gsl_test_str(diag.text, why, "refuses: words");
  gsl_test_abs(c[0], 0.625, 0, "refuses: output untouched");
}

static void refusals(void)
{
  const int on[] = {1, 2, 2, 0}, two[] = {2, 2, 4}, late[] = {2, 3, 4};
  const double time[] = {3.1, 1.7, 1.8, 1.9}, zero[] = {3.1, 0, 1.8};
  const double rising[] = {1, 2, 3};
  const gscale_traffic t[] = {{0, 0}, {INFINITY, 1}, {1, 1}};
  refuse(GSCALE_AMDAHL, on, NULL, time, 1, GSCALE_EDATA,
         "amdahl: needs runs on 2 different N, there are 1");
  refuse(GSCALE_USL, on, NULL, time, 3, GSCALE_EDATA,
         "usl: needs runs on 3 different N, there are 2");
  refuse(GSCALE_MESSAGES, two, NULL, time, 3, GSCALE_EDATA,
         "messages: needs runs on 3 different N, there are 2");
  refuse(GSCALE_AMDAHL, on, NULL, time, 4, GSCALE_EDOMAIN,
         "run 3: 1.9 s on 0 GPUs");
  refuse(GSCALE_AMDAHL, on, NULL, zero, 3, GSCALE_EDOMAIN,
         "run 1: 0 s on 2 GPUs");
  refuse(GSCALE_MESSAGES, late, t, time, 3, GSCALE_EDOMAIN,
         "run 1: inf messages, 1 B");
  refuse(GSCALE_LAW_END, on, NULL, time, 3, GSCALE_EDOMAIN, "no law 6");
  refuse(GSCALE_AMDAHL, on, NULL, time, 0, GSCALE_EDATA,
         "amdahl: needs runs on 2 different N, there are 0");
  /* Rising as N - 1 from nothing: USL makes all of it crosstalk. */
  refuse(GSCALE_USL, late, NULL, rising, 3, GSCALE_EDATA, "usl: T1 = 0");
}

static void factors(void)
{
  /* r = 0.8, 1.1: k = 1.9/(0.64 + 1.21) */
  const double p[] = {0.8 * 3.3, 1.1 * 0.7}, m[] = {3.3, 0.7}, bad[] = {1, 0};
  gsl_test_rel(gscale_scale_factor(p, m, 2), 1.9 / 1.85, 1e-14, "factor");
  gsl_test_rel(gscale_scale_factor(p, p, 2), 1, 1e-14, "factor: exact");
  gsl_test_rel(gscale_scale_factor(p, m, 1), 1.25, 1e-14, "factor: one run");
  gsl_test(!isnan(gscale_scale_factor(p, m, 0)), "factor: no runs");
  gsl_test(!isnan(gscale_scale_factor(p, bad, 2)), "factor: bad time");
}

/* ---- traffic ------------------------------------------------------------- */

static void check_traffic(const gscale_phase *p, int n, double messages,
                          double bytes, const char *what)
{
  gscale_workload *w = one_phase(*p);
  const gscale_traffic t = gscale_workload_traffic(w, n);
  gsl_test_rel(t.messages, messages, 1e-14, "traffic: messages of %s", what);
  gsl_test_rel(t.bytes, bytes, 1e-14, "traffic: bytes of %s", what);
  gscale_workload_free(w);
}

static void traffic_by_hand(void)
{
  gscale_phase halo = halo_phase(64), all = gather_phase(1 << 20, 4);
  halo.repeats = 3;
  halo.copies = 2;
  check_traffic(&halo, 1, 0, 0, "one GPU");
  check_traffic(&halo, 2, 3 * 2, 3 * 4.0 * 64 * 64, "one neighbour");
  check_traffic(&halo, 5, 3 * 2 * 2, 3 * 8.0 * 64 * 64, "two neighbours");
  check_traffic(&all, 4, 3, 3.0 * (1 << 18), "all to all");
  check_traffic(&all, 0, 0, 0, "no GPUs");
}

int main(void)
{
  times_by_hand();
  laws_recover_themselves();
  superlinear_is_steeper();
  coefficients_stay_positive();
  fits_are_relative();
  collinear_columns();
  refusals();
  factors();
  traffic_by_hand();
  return gsl_test_summary();
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
