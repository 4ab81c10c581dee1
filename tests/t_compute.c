/* t_compute.c - kernel.c and host.c: by hand, limits, domain. */

#include "gpuscale/all.h"

#include <gsl/gsl_test.h>
#include <math.h>

static void share(void)
{
  /* 10 planes on 4 GPUs: the busiest has 3; a tenth repeated everywhere:
   * 0.1 + 0.9 * 3/10 = 0.37 */
  gsl_test_rel(gscale_share(10, 4, 0.1), 0.37, 1e-14, "by hand");
  gsl_test_rel(gscale_share(512, 8, 0), 0.125, 1e-15, "even");
  gsl_test_rel(gscale_share(3, 7, 0), 1.0 / 3, 1e-15, "more GPUs than units");
  gsl_test_rel(gscale_share(17, 1, 0.3), 1, 1e-15, "one GPU does all");
  gsl_test(!isnan(gscale_share(0, 1, 0)), "no units");
  gsl_test(!isnan(gscale_share(1, 0, 0)), "no GPUs");
  gsl_test(!isnan(gscale_share(1, 1, 1.1)), "serial > 1");
  gsl_test(!isnan(gscale_share(1, 1, -0.1)), "serial < 0");
  gsl_test_rel(gscale_filling(66, 132), 2, 1e-15, "half of the SMs");
  gsl_test_rel(gscale_filling(132, 132), 1, 1e-15, "a block each");
  gsl_test_rel(gscale_filling(133, 132), 264.0 / 133, 1e-15, "one has two");
  gsl_test_rel(gscale_filling(44 * (1.0 / 3 + 2.0 / 3 + 2), 132), 1, 1e-12,
               "shares that make a whole number");
  gsl_test_rel(gscale_filling_cut(32, 8, 132), 8, 1e-15,
               "cut: each piece takes as long as all");
  gsl_test_rel(gscale_filling_cut(264, 2, 132), 1, 1e-15,
               "pieces that fill it");
  gsl_test_rel(gscale_filling_cut(264, 4, 132), 2, 1e-15, "half fill it");
  gsl_test_rel(gscale_filling_cut(200, 400, 100), 100, 1e-15,
               "not below a block");
  gsl_test_rel(gscale_filling_cut(200, 0.5, 100), 1, 0, "nor above a kernel");
  gsl_test_rel(gscale_filling_cut(0.01, 3, 100), 1, 0, "a part of a block");
  gsl_test_rel(gscale_filling_cut(512, 4, 114), 1, 1e-15,
               "each more than once, whatever is left of the last round");
  int less = 0;
  for (int n = 1; n < 600; n++)
    less +=
        gscale_filling_cut(512, n + 1, 114) < gscale_filling_cut(512, n, 114);
  gsl_test_int(less, 0, "more pieces never take less");
  gsl_test(!isnan(gscale_filling_cut(32, 0, 132)), "no pieces");
  gsl_test(!isnan(gscale_filling_cut(0, 2, 132)), "cut: no blocks");
  gsl_test(!isnan(gscale_filling(0, 132)), "no blocks");
  gsl_test(!isnan(gscale_filling(1, 0)), "no SMs");
}

static void curve(void)
{
  const gscale_curve c = {3, {1e6, 1e8, 1e9}, {0.3, 1.5, 1.0}};

  gsl_test_rel(gscale_curve_at(&c, 1e7), 0.9, 1e-14, "half way in log x");
  gsl_test_rel(gscale_curve_at(&c, 1e8), 1.5, 1e-14, "at a point");
  gsl_test_rel(gscale_curve_at(&c, 17), 0.3, 0, "before the first");
  gsl_test_rel(gscale_curve_at(&c, 1e12), 1.0, 0, "beyond the last");
  const gscale_curve none = {.n = 0};
  gsl_test_rel(gscale_curve_at(&none, 3), 1.0, 0, "no curve");

  gsl_test_rel(gscale_curve_from(&c, 17), 1.5, 0, "the best that is larger");
  gsl_test_rel(gscale_curve_from(&c, 1e8), 1.5, 1e-14, "from its point on");
  gsl_test_rel(gscale_curve_from(&c, 1e9), 1.0, 1e-14, "behind the best");
  gsl_test_rel(gscale_curve_from(&none, 3), 1.0, 0, "from no curve");
}

static void first_level(void)
{
  /* 4 SMs, 100 words of 32 B, 200 loads each: of the words a share of exp(-2)
   * is not met; the cache has room for half of them, and keeps that half. */
  const double met = 100 * (1 - exp(-2.0));

  gsl_test_rel(gscale_l1_missed(800, 100, 32, 4, 1e9), 4 * met, 1e-14,
               "all have room: the first of each");
  gsl_test_rel(gscale_l1_missed(800, 100, 32, 4, 1600),
               800 - 4 * 0.5 * (200 - met), 1e-14, "half have room");
  gsl_test_rel(gscale_l1_missed(800, 100, 32, 4, 0), 800, 1e-14, "no cache");
  gsl_test_rel(gscale_l1_missed(0, 100, 32, 4, 1600), 0, 0, "no loads");
}

static void kernel(void)
{
  /* 6e9 flop at 34e12: 176.5 us; 8.1e9 B at 4.2e12: 1928.6 us; + 2.2 us */
  gsl_test_rel(gscale_kernel_time(6e9, 34e12, 8.1e9, 4.2e12, 2.2e-6),
               8.1 / 4.2 * 1e-3 + 2.2e-6, 1e-14, "memory-bound");
  gsl_test_rel(gscale_kernel_time(6e9, 1e12, 8.1e9, 4.2e12, 2.2e-6),
               6e-3 + 2.2e-6, 1e-14, "arithmetic-bound");
  gsl_test_rel(gscale_kernel_time(0, 1, 0, 1, 3e-6), 3e-6, 0, "empty");
  gsl_test(!isnan(gscale_kernel_time(-1, 1, 0, 1, 0)), "flop < 0");
  gsl_test(!isnan(gscale_kernel_time(0, 0, 0, 1, 0)), "flops 0");
  gsl_test(!isnan(gscale_kernel_time(0, 1, -1, 1, 0)), "bytes < 0");
  gsl_test(!isnan(gscale_kernel_time(0, 1, 0, 0, 0)), "membw 0");
  gsl_test(!isnan(gscale_kernel_time(0, 1, 0, 1, -1)), "start < 0");
}

int main(void)
{
  share();
  curve();
  first_level();
  kernel();
  return gsl_test_summary();
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
