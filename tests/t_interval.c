/* t_interval.c - what is known less against what made the runs, and coverage.
 */

#include "gpuscale/all.h"
#include "random.h"

#include <gsl/gsl_test.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
  PROGRAMS = 12,
  EACH = 200
};

/* ---- what widens --------------------------------------------------------- */

static void link_up(gscale_system *s)
{
  gscale_system_set_link(s, gscale_link_find("nvlink4"), NULL);
}

static gscale_residuals some(void)
{
  gscale_residuals r = gscale_residuals_none;

  r.machine = 0.7;
  r.program = 0.3;
  r.growth = 1.1;
  r.nodes = 0.2;
  r.tail = 2.6;
  r.measured = 2;
  return r;
}

static void terms(void)
{
  gscale_system *s = gscale_system_new("here");
  gscale_fabric f;
  const gscale_residuals all = some();

  gscale_fabric_init(&f, GSCALE_SWITCH);
  link_up(s);
  gsl_test_rel(gscale_system_widened(s, 64).factor, 1.0, 1e-15,
               "nothing is said: not wider");
  gsl_test_int((int)gscale_system_set_residuals(s, &all, NULL), GSCALE_OK,
               "set");
  gsl_test_rel(gscale_system_widened(s, 2).factor, hypot(1.0, 0.7), 1e-14,
               "not measured");
  gsl_test_rel(gscale_system_widened(s, 8).factor, sqrt(1.0 + 0.49 + 2.42),
               1e-14, "and two doublings");
  gsl_test_rel(gscale_system_widened(s, 8).program, 0.9, 1e-14,
               "a stranger's program, three doublings from one GPU");
  gsl_test_rel(gscale_system_widened(s, 1).program, 0.0, 0, "its own N");
  gscale_system_set_shape(s, &f, 8, true, 4, NULL);
  gsl_test_rel(gscale_system_widened(s, 4).factor, 1.0, 1e-15, "its own");
  gsl_test_rel(gscale_system_widened(s, 8).program, 0.0, 0, "was measured");
  gsl_test_rel(gscale_system_widened(s, 8).factor, hypot(1.0, 1.1), 1e-14,
               "one doubling");
  gsl_test_rel(gscale_system_widened(s, 3).growth, 0.0, 0, "fewer");
  gscale_system_swap_link(s, gscale_link_find("pcie5"), NULL);
  gsl_test_rel(gscale_system_widened(s, 4).factor, sqrt(1.0 + 0.49), 1e-14,
               "a machine that nobody measured");
  gscale_system_is_exact(s);
  gsl_test_rel(gscale_system_widened(s, 4).factor, 1.0, 1e-15, "exact");
  gscale_system_free(s);
}

/* Beyond a node it is not the node that grows. */
static void between_nodes(void)
{
  gscale_system *s = gscale_system_new("cluster");
  const gscale_network n = {.nodes = 16,
                            .rails = 4,
                            .grows = true,
                            .link = *gscale_link_find("ib-ndr")};
  const double wide = 0.2 * hypot(1.0, 0.7); /* nor was the machine measured */
  gscale_fabric f;
  const gscale_residuals all = some();

  gscale_fabric_init(&f, GSCALE_SWITCH);
  link_up(s);
  gscale_system_set_shape(s, &f, 4, true, 0, NULL);
  gsl_test_int((int)gscale_system_set_network(s, &n, NULL), GSCALE_OK,
               "joined");
  gscale_system_set_residuals(s, &all, NULL);
  gsl_test_rel(gscale_system_widened(s, 4).nodes, 0.0, 0, "one node");
  gsl_test_rel(gscale_system_widened(s, 8).nodes, wide, 1e-14, "two");
  gsl_test_rel(gscale_system_widened(s, 9).nodes, wide * sqrt(log2(3.0)), 1e-14,
               "the third is begun");
  gsl_test_rel(gscale_system_widened(s, 64).nodes, 2.0 * wide, 1e-14,
               "sixteen: four doublings in quadrature");
  gsl_test_rel(gscale_system_widened(s, 64).factor,
               gscale_system_widened(s, 4).factor, 1e-15,
               "the factor is a node's");
  gsl_test_rel(gscale_system_widened(s, 64).doublings, 1.0, 1e-15,
               "a node of four, two measured");
  gsl_test(!gscale_system_widened(s, 64).kept,
           "the network is no link that was swapped");
  gscale_system_set_shape(s, &f, 4, true, 4, NULL);
  gsl_test_rel(gscale_system_widened(s, 64).factor, 1.0, 1e-15,
               "a node that was measured");
  gsl_test_rel(gscale_system_widened(s, 64).nodes, 0.4, 1e-15,
               "and not the network");
  gscale_system_is_exact(s);
  gsl_test_rel(gscale_system_widened(s, 64).nodes, 0.0, 0, "exact");
  gscale_system_free(s);
}

/* Of several machines the largest pool. */
static void refusals(void)
{
  gscale_system *s = gscale_system_new("here");
  gscale_residuals w = some();
  gscale_diag diag;

  w.tail = 0.9;
  gsl_test_int((int)gscale_system_set_residuals(s, &w, &diag), GSCALE_EDOMAIN,
               "tail");
  gsl_test(!strstr(diag.text, "tail: 0.9"), "%s", diag.text);
  w = some();
  w.program = (double)NAN;
  gsl_test_int((int)gscale_system_set_residuals(s, &w, &diag), GSCALE_EDOMAIN,
               "program");
  w = some();
  w.measured = 0;
  gsl_test_int((int)gscale_system_set_residuals(s, &w, &diag), GSCALE_EDOMAIN,
               "measured");
  gscale_system_free(s);
}

/* ---- estimates ----------------------------------------------------------- */

static rng dice = {20};

static double normal(void)
{
  double sum = -6.0;

  for (int i = 0; i < 12; i++) sum += uniform(&dice, 0.0, 1.0);
  return sum;
}

/* Runs that are off as `w` says, in all gaps alike. */
static size_t make(gscale_residual *r, const gscale_residuals *w)
{
  size_t n = 0;

  for (size_t p = 0; p < PROGRAMS; p++)
    for (size_t i = 0; i < EACH; i++) {
      gscale_residual one = {
          .gap = (gscale_gap)(i % GSCALE_GAP_END),
          .predicted = uniform(&dice, 1e-4, 1e-2),
          .at = {0, 0, 0.0, 0.5},
          .program = p,
          .cluster = p,
      };
      one.of_parameters = one.predicted * 0.01;
      one.doublings = one.gap == GSCALE_GAP_GROWTH ? 1.0 : 0.0;
      one.machine = one.gap == GSCALE_GAP_MACHINE;
      one.measured = one.predicted * 1.1;
      const double s = log(1.1) / gscale_residual_z(&one, w);
      one.measured = one.predicted * exp(s * normal());
      r[n++] = one;
    }
  return n;
}

static void estimates(void)
{
  static gscale_residual r[PROGRAMS * EACH];
  gscale_residuals truth = some(), w = {.measured = 2};
  gscale_diag diag;

  truth.part[GSCALE_RESIDUAL_STEP] = 0.1;
  const size_t n = make(r, &truth);
  gsl_test_int((int)gscale_residuals_fit(r, n, SIZE_MAX, &w, &diag), GSCALE_OK,
               "fit");
  gsl_test_abs(w.machine, 0.7, 0.25, "machine");
  gsl_test_abs(w.growth, 1.1, 0.25, "growth");
  gsl_test_abs(w.tail, 2.659, 0.001, "that of the distribution");
  gsl_test_int(w.measured, 2, "left as it was");
}

int main(void)
{
  terms();
  between_nodes();
  refusals();
  estimates();
  return gsl_test_summary();
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
