/* t_score.c - score.c against hand calculation, limits and bad rows. */

#include "random.h"

#include <gsl/gsl_test.h>
#include <math.h>
#include <string.h>

/* ---- scores -------------------------------------------------------------- */

static void score_by_hand(void)
{
  /* off:   1.31/1.25 - 1 = 0.048,  0.63/0.7 - 1 = -0.1,  2.2/2.2 - 1 = 0
   * mean |off| = 0.148/3;  bias = -0.052/3;  worst -0.1
   * |ln m/p| = 0.0469 > asinh(hypot(0.035, 0.05) / 1.31) = 0.0466; 0.1054 <=
   * asinh(hypot(0.06, 0.03) / 0.63) = 0.1063; 0 <= 0: 2 of 3 covered        */
  const double predicted[] = {1.31, 0.63, 2.2}, err[] = {0.035, 0.06, 0.0};
  const double measured[] = {1.25, 0.7, 2.2}, sigma[] = {0.05, 0.03, 0.0};
  gscale_score s;
  gsl_test_int(
      (int)gscale_score_rows(predicted, err, measured, sigma, 3, 2.0, &s, NULL),
      GSCALE_OK, "score: by hand");
  gsl_test_int((int)s.n, 3, "score: n");
  gsl_test_rel(s.mean_abs, 0.148 / 3.0, 1e-14, "score: mean_abs");
  gsl_test_rel(s.bias, -0.052 / 3.0, 1e-14, "score: bias");
  gsl_test_rel(s.worst, -0.1, 1e-14, "score: worst keeps its sign");
  gsl_test_rel(s.covered, 2.0 / 3.0, 1e-15, "score: covered");
  /* 0.0469 <= 2 0.0466; the widths are 0.0610/1.31, 0.0671/0.63 and 0 */
  gsl_test_rel(s.covered95, 1.0, 1e-15, "score: covered by 95 %");
  gsl_test_rel(s.width, hypot(0.035, 0.05) / 1.31, 1e-14, "score: width");
  gsl_test_rel(s.median_abs, 0.048, 1e-14, "score: median");
  /* |off| sorted: 0, 0.048, 0.1; 0.9 of the way is 0.8 behind the second */
  gsl_test_rel(s.p90_abs, 0.048 + 0.8 * 0.052, 1e-14, "score: 90 %");
}

static void splits(void)
{
  /* 1.3 for 1.1, of which 0.7 for 0.6 without transfer: 0.1/1.1, 0.1/1.1 */
  const gscale_split s = gscale_split_error(1.3, 0.7, 1.1, 0.6);
  gsl_test_rel(s.compute, 0.1 / 1.1, 1e-13, "split: compute");
  gsl_test_rel(s.transfer, 0.1 / 1.1, 1e-13, "split: transfer");
  const gscale_split all = gscale_split_error(0.7, 0.7, 0.6, 0.6);
  gsl_test_rel(all.compute, 0.7 / 0.6 - 1.0, 1e-13, "split: all is compute");
  gsl_test_abs(all.transfer, 0.0, 0.0, "split: and nothing transfer");
  gsl_test(!isnan(gscale_split_error(0.7, 0.7, 0.6, NAN).compute),
           "split: not measured");
  gsl_test(!isnan(gscale_split_error(0.7, 0.0, 0.6, 0.6).transfer),
           "split: no time");
}

static double covered(const double *err, const double *sigma)
{
  const double predicted[] = {1.31, 0.63, 2.2}, measured[] = {1.25, 0.7, 2.2};
  gscale_score s = {.covered = -1.0};
  gscale_score_rows(predicted, err, measured, sigma, 3, 2.0, &s, NULL);
  return s.covered;
}

static void score_without_errors(void)
{
  const double large[] = {0.062, 0.071, 0.0};
  gsl_test_rel(covered(NULL, NULL), 1.0 / 3.0, 1e-15, "score: no errors");
  gsl_test_rel(covered(large, NULL), 1.0, 1e-15, "score: of predictions only");
  gsl_test_rel(covered(NULL, large), 1.0, 1e-15, "score: of measurements only");
}

static void score_is_homogeneous(void)
{
  const double p[] = {3.71e-3, 9.13e-3}, m[] = {3.3e-3, 1.01e-2};
  const double k = 5.43e4, kp[] = {p[0] * k, p[1] * k},
               km[] = {m[0] * k, m[1] * k};
  gscale_score a, b;
  gscale_score_rows(p, NULL, m, NULL, 2, 2.0, &a, NULL);
  gscale_score_rows(kp, NULL, km, NULL, 2, 2.0, &b, NULL);
  gsl_test_rel(b.mean_abs, a.mean_abs, 1e-13, "score: unit of mean_abs");
  gsl_test_rel(b.bias, a.bias, 1e-13, "score: unit of bias");
  gsl_test_rel(b.worst, a.worst, 1e-13, "score: unit of worst");
}

static void refuse(double p, double e, double m, double s, const char *why)
{
  const double predicted[] = {1.31, p}, err[] = {0.0, e};
  const double measured[] = {1.25, m}, sigma[] = {0.0, s};
  gscale_score out = {.bias = 0.625};
  gscale_diag diag = {""};
  gsl_test_int((int)gscale_score_rows(predicted, err, measured, sigma, 2, 2.0,
                                      &out, &diag),
               GSCALE_EDOMAIN, "score: refuses: %s", why);
  gsl_test_str(diag.text, why, "score: words");
  gsl_test_abs(out.bias, 0.625, 0.0, "score: output untouched");
}

static void score_refusals(void)
{
  gscale_score out = {.bias = 0.625};
  gscale_diag diag = {""};
  gsl_test_int(
      (int)gscale_score_rows(NULL, NULL, NULL, NULL, 0, 2.0, &out, &diag),
      GSCALE_EDATA, "score: no rows");
  gsl_test_str(diag.text, "no rows to score", "score: no rows, words");
  gsl_test_abs(out.bias, 0.625, 0.0, "score: output untouched");

  refuse(0.0, 0.1, 1.7, 0.1, "row 1: predicted time 0 s");
  refuse(-2.5, 0.1, 1.7, 0.1, "row 1: predicted time -2.5 s");
  refuse(INFINITY, 0.1, 1.7, 0.1, "row 1: predicted time inf s");
  refuse(1.3, -0.1, 1.7, 0.1, "row 1: error -0.1 s of the prediction");
  refuse(1.3, INFINITY, 1.7, 0.1, "row 1: error inf s of the prediction");
  refuse(1.3, 0.1, 0.0, 0.1, "row 1: measured time 0 s");
  refuse(1.3, 0.1, INFINITY, 0.1, "row 1: measured time inf s");
  refuse(1.3, 0.1, 1.7, -0.3, "row 1: error -0.3 s of the measurement");
  refuse(1.3, 0.1, 1.7, INFINITY, "row 1: error inf s of the measurement");

  const double nan[] = {NAN}, one[] = {1.1};
  gsl_test_int((int)gscale_score_rows(nan, NULL, one, NULL, 1, 2.0, &out, NULL),
               GSCALE_EDOMAIN, "score: NaN predicted");
  gsl_test_int((int)gscale_score_rows(one, nan, one, NULL, 1, 2.0, &out, NULL),
               GSCALE_EDOMAIN, "score: NaN err");
  gsl_test_int((int)gscale_score_rows(one, NULL, nan, NULL, 1, 2.0, &out, NULL),
               GSCALE_EDOMAIN, "score: NaN measured");
  gsl_test_int((int)gscale_score_rows(one, NULL, one, nan, 1, 2.0, &out, NULL),
               GSCALE_EDOMAIN, "score: NaN sigma");
}

/* ---- curves -------------------------------------------------------------- */

static void peaks(void)
{
  const double fall[] = {7.3, 4.1, 2.9, 2.2}, dip[] = {7.3, 2.9, 2.2, 3.7},
               ties[] = {7.3, 2.2, 2.2}, gaps[] = {NAN, 4.1, NAN, 3.3},
               none[] = {NAN, NAN, NAN};
  gsl_test_int((int)gscale_peak(fall, 4), 3, "peak: at the end");
  gsl_test_int((int)gscale_peak(dip, 4), 2, "peak: inside");
  gsl_test_int((int)gscale_peak(ties, 3), 1, "peak: the first of two");
  gsl_test_int((int)gscale_peak(gaps, 4), 3, "peak: NaN is no time");
  gsl_test_int((int)gscale_peak(gaps, 1), 0, "peak: nothing but NaN");
  gsl_test_int((int)gscale_peak(none, 3), 0, "peak: below n, whatever it is");
  gsl_test_int((int)gscale_peak(NULL, 0), 0, "peak: no times");
}

static void knee_by_hand(void)
{
  /* 1 -> 2: 7.3/4.1 - 1 = 0.78 >= 0.5;  2 -> 3: 4.1/3.2 - 1 = 0.28 >= 0.25;
   * 3 -> 8: 3.2/1.9 - 1 = 0.68 < 0.83;  8 -> 9: 1.9/1.85 - 1 = 0.03 < 0.06 */
  const int gpus[] = {1, 2, 3, 8, 9};
  const double time[] = {7.3, 4.1, 3.2, 1.9, 1.85};
  gsl_test_int((int)gscale_knee(gpus, time, 5), 2, "knee: by hand");
}

static void knee_limits(void)
{
  const int gpus[] = {1, 2, 4, 8};
  const double ideal[] = {8.8, 4.4, 2.2, 1.1}, flat[] = {3.1, 3.1, 3.1, 3.1},
               late[] = {8.8, 8.0, 4.1, 4.0}, half[] = {3.375, 2.25, 1.5, 1.0},
               less[] = {3.376, 2.251, 1.501, 1.001};
  gsl_test_int((int)gscale_knee(gpus, ideal, 4), 3, "knee: ideal scaling");
  gsl_test_int((int)gscale_knee(gpus, flat, 4), 0, "knee: no scaling");
  gsl_test_int((int)gscale_knee(gpus, late, 4), 2,
               "knee: the last that passes");
  gsl_test_int((int)gscale_knee(gpus, half, 4), 3, "knee: half is enough");
  gsl_test_int((int)gscale_knee(gpus, less, 4), 0, "knee: less is not");
  gsl_test_int((int)gscale_knee(gpus, ideal, 1), 0, "knee: one point");
  gsl_test_int((int)gscale_knee(NULL, NULL, 0), 0, "knee: no points");
}

/* ---- what a time costs ----------------------------------------------------
 */

static void costs(void)
{
  gsl_test_rel(gscale_rent(7.2, 3, 2.5), 0.015, 1e-15, "7.2 s of 3 GPUs");
  gsl_test_abs(gscale_rent(7.2, 3, 0.0), 0.0, 0.0, "for nothing");
  gsl_test(!isnan(gscale_rent(NAN, 1, 1)) || !isnan(gscale_rent(1, 0, 1)) ||
               !isnan(gscale_rent(1, 1, -1)) || !isnan(gscale_rent(-1, 1, 1)),
           "what is no time, no GPU, no price costs nothing known");
}

static void front_by_hand(void)
{
  const double x[] = {3, 1, 2, 2, 4, NAN, 1.5, 2},
               y[] = {1, 5, 3, 2, 1, 0, 5, 2};
  const bool want[] = {true, true, false, true, false, false, false, false};
  bool front[8];

  gscale_pareto(x, y, 8, front);
  for (int i = 0; i < 8; i++)
    gsl_test_int(front[i], want[i], "front: point %d", i);
}

/* On the front is who has nobody in the corner below: looked for the other way
 * round, from who sorts first. */
static void front_everywhere(uint64_t seed)
{
  enum {
    N = 40
  };
  rng r = {seed};
  double x[N], y[N];
  bool front[N];
  int wrong = 0;

  for (int i = 0; i < N; i++) {
    x[i] = pick(&r, 12);
    y[i] = pick(&r, 12);
  }
  gscale_pareto(x, y, N, front);
  for (int i = 0; i < N; i++) {
    double least = INFINITY; /* y of those no further, */
    int first = i;           /* and the first of its equals */

    for (int k = N - 1; k >= 0; k--) {
      const bool left = x[k] < x[i], same = !left && !(x[k] > x[i]);
      if (left || (same && y[k] < y[i])) least = fmin(least, y[k]);
      if (same && !(y[k] < y[i]) && !(y[k] > y[i]) && k < first) first = k;
    }
    wrong += front[i] != (first == i && y[i] < least);
  }
  gsl_test(wrong > 0, "front %d: %d wrong", (int)seed, wrong);
}

static int by_size(const void *a, const void *b)
{
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* Against sorted errors; many are the same. */
static void quantiles(size_t n, int kinds)
{
  double *p = calloc(2 * n, sizeof *p), *off = p + n;
  double one[1000] = {0};
  gscale_score s;
  uint64_t x = 77 + n;

  for (size_t i = 0; i < n; i++) {
    x = x * 6364136223846793005u + 1442695040888963407u;
    p[i] = 1.0 + (double)(x >> 33) / 0x1p31;
    if (kinds > 0) p[i] = 1.0 + (double)((x >> 33) % (unsigned)kinds);
    one[i] = 1.0;
    off[i] = fabs(p[i] - 1.0);
  }
  gsl_test(gscale_score_rows(p, NULL, one, NULL, n, 2.0, &s, NULL) != GSCALE_OK,
           "quantiles of %zu", n);
  qsort(off, n, sizeof *off, by_size);
  const double at = 0.9 * (double)(n - 1), more = at - floor(at);
  const size_t k = (size_t)at;
  const double high =
      k + 1 < n ? (1 - more) * off[k] + more * off[k + 1] : off[k];
  gsl_test_rel(s.median_abs, 0.5 * (off[(n - 1) / 2] + off[n / 2]), 1e-15,
               "median of %zu", n);
  gsl_test_rel(s.p90_abs, high, 1e-15, "nine tenths of %zu", n);
  free(p);
}

int main(void)
{
  for (size_t n = 1; n <= 1000; n = n < 12 ? n + 1 : 3 * n)
    for (int kinds = 0; kinds < 4; kinds++) quantiles(n, kinds);
  score_by_hand();
  splits();
  score_without_errors();
  score_is_homogeneous();
  score_refusals();
  peaks();
  knee_by_hand();
  knee_limits();
  costs();
  front_by_hand();
  for (uint64_t i = 1; i <= 50; i++) front_everywhere(i);
  return gsl_test_summary();
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
