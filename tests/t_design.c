/* t_design.c - the points of design studies. */

#include "gpuscale/all.h"

#include <gsl/gsl_test.h>
#include <math.h>
#include <string.h>

static const gscale_axis rates = {
    .from = 1e9, .to = 1e12, .log = true, .steps = 4};

static void values(void)
{
  const double list[] = {3, 1, 2};
  const gscale_axis even = {.from = 0, .to = 1, .steps = 5};
  const gscale_axis whole = {.from = 1, .to = 8, .whole = true, .steps = 3};
  const gscale_axis some = {.list = list, .steps = 3};

  gsl_test_rel(gscale_axis_value(&rates, 1), 1e10, 1e-14, "equal ratios");
  gsl_test_abs(gscale_axis_value(&rates, 3), 1e12, 0.0, "the end is exact");
  gsl_test_rel(gscale_axis_value(&even, 3), 0.75, 1e-15, "equal differences");
  gsl_test_abs(gscale_axis_value(&whole, 1), 5.0, 0.0, "4.5 is 5, whole");
  gsl_test_abs(gscale_axis_value(&some, 1), 1.0, 0.0, "a list as it is");
}

static void all_combinations(void)
{
  gscale_design d = {.kind = GSCALE_GRID, .axes = 2};
  gscale_points *p;
  double x[2], sum = 0;
  int wrong = 0;

  d.axis[0] = (gscale_axis){.from = 10, .to = 30, .steps = 3};
  d.axis[1] = (gscale_axis){.from = 1, .to = 2, .steps = 2};
  gsl_test(gscale_design_check(&d, NULL) != GSCALE_OK, "a grid");
  gsl_test(gscale_design_points(&d) != 6, "of six points");
  gscale_points_new(&d, 0, &p, NULL);
  for (int i = 0; i < 6; i++) {
    gscale_points_next(p, x);
    wrong += fabs(x[0] - 10 * (1 + i / 2)) > 0 || fabs(x[1] - 1 - i % 2) > 0;
    sum += x[0] * x[1];
  }
  gscale_points_free(p);
  gsl_test(wrong > 0, "the last axis fastest");
  gsl_test_abs(sum, 180.0, 0.0, "all of them");
}

static void listed(void)
{
  const double one[] = {3, 1, 2}, other[] = {7, 9, 8};
  gscale_design d = {.kind = GSCALE_LISTED, .axes = 2};
  gscale_points *p;
  double x[2];

  d.axis[0] = (gscale_axis){.list = one, .steps = 3};
  d.axis[1] = (gscale_axis){.list = other, .steps = 3};
  gsl_test(gscale_design_check(&d, NULL) != GSCALE_OK, "a list of points");
  gsl_test(gscale_design_points(&d) != 3, "has one a value");
  gscale_points_new(&d, 1, &p, NULL);
  for (int i = 1; i < 3; i++) {
    gscale_points_next(p, x);
    gsl_test(x[0] != one[i] || x[1] != other[i], "listed point %d", i);
  }
  gscale_points_free(p);
}

/* The same points wherever one begins, evenly over the axes. */
static void sequence(gscale_design_kind kind, double tolerance)
{
  enum {
    POINTS = 4096
  };
  static double all[POINTS][2];
  gscale_design d = {.kind = kind, .axes = 2, .points = POINTS, .seed = 7};
  gscale_points *p;
  double x[2], mean = 0;
  int wrong = 0, outside = 0;

  d.axis[0] = rates;
  d.axis[1] = (gscale_axis){.from = -1, .to = 3};
  gscale_points_new(&d, 0, &p, NULL);
  for (int i = 0; i < POINTS; i++) {
    gscale_points_next(p, all[i]);
    outside +=
        all[i][0] < 1e9 || all[i][0] > 1e12 || all[i][1] < -1 || all[i][1] > 3;
    mean += (all[i][1] - 1 + log10(all[i][0] / 1e10) - 0.5) / (double)POINTS;
  }
  gscale_points_free(p);
  for (uint64_t first = 1; first < POINTS; first = 3 * first + 1) {
    gscale_points_new(&d, first, &p, NULL);
    gscale_points_next(p, x);
    wrong += memcmp(x, all[first], sizeof x) != 0;
    gscale_points_free(p);
  }
  gsl_test(outside > 0, "kind %d: within the axes", (int)kind);
  gsl_test_abs(mean, 0.0, tolerance, "kind %d: even", (int)kind);
  gsl_test(wrong > 0, "kind %d: the same from any point on", (int)kind);
}

static void refusals(void)
{
  gscale_design d = {.kind = GSCALE_GRID, .axes = 1};
  gscale_diag diag;

  d.axis[0] = (gscale_axis){.from = 2, .to = 1, .steps = 2};
  gsl_test(gscale_design_check(&d, &diag) != GSCALE_EDOMAIN, "backwards");
  d.axis[0] = (gscale_axis){.from = 0, .to = 1, .log = true, .steps = 2};
  gsl_test(gscale_design_check(&d, &diag) != GSCALE_EDOMAIN, "ratios from 0");
  d.axis[0] = (gscale_axis){.from = 0, .to = (double)NAN, .steps = 2};
  gsl_test(gscale_design_check(&d, &diag) != GSCALE_EDOMAIN, "not a number");
  d.axis[0] = (gscale_axis){.from = 0, .to = 1, .steps = 0};
  gsl_test(gscale_design_check(&d, &diag) != GSCALE_EDOMAIN, "no values");
  d.axes = 0;
  gsl_test(gscale_design_check(&d, &diag) != GSCALE_EDOMAIN, "no axes");
  d.axes = 3;
  for (int i = 0; i < 3; i++)
    d.axis[i] = (gscale_axis){.from = 0, .to = 1, .steps = 1000000};
  gsl_test(gscale_design_check(&d, &diag) != GSCALE_EDOMAIN, "10^18 points");
}

int main(void)
{
  values();
  all_combinations();
  listed();
  sequence(GSCALE_RANDOM, 0.05);
  sequence(GSCALE_QUASI, 0.002);
  refusals();
  return gsl_test_summary();
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
