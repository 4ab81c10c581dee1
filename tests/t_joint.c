/* t_joint.c - predictions side by side: what they share cancels. */

#include "cases.h"

#include <gsl/gsl_test.h>
#include <math.h>
#include <string.h>

typedef struct one { /* a prediction in the joint */
  double time, err;
} one;

static one add(gscale_joint *j, const gscale_system *s,
               const gscale_workload *w, int n, const char *paradigm)
{
  const size_t p = gscale_paradigm_find(paradigm);
  gscale_uncertainty *u = NULL;
  gscale_prediction now;
  gscale_error e;

  gscale_uncertainty_new(s, w, n, false, &u, NULL);
  gscale_predict(gscale_uncertainty_plan(u), p, NULL, &now, NULL);
  gscale_uncertainty_error(u, p, &now.knobs, &e, NULL);
  gsl_test_int((int)gscale_joint_add(j, u, now.time, &e, NULL), GSCALE_OK,
               "%s on %d GPUs", paradigm, n);
  gscale_uncertainty_free(u);
  return (one){now.time, e.time};
}

static gscale_system *doubted(double sigma)
{
  gscale_system *s = some_system(GSCALE_SWITCH, "nvlink4");
  gscale_residuals r = gscale_residuals_none;
  const double together[GSCALE_RESIDUAL_AXES] = {
      [GSCALE_RESIDUAL_SIZE] = 1.0,    [GSCALE_RESIDUAL_WAY] = 0.5,
      [GSCALE_RESIDUAL_KNOB] = 0.5,    [GSCALE_RESIDUAL_GPUS] = 0.64,
      [GSCALE_RESIDUAL_MACHINE] = 0.5,
  };

  r.part[GSCALE_RESIDUAL_STEP] = sigma;
  memcpy(r.together[GSCALE_RESIDUAL_CALLS], together, sizeof together);
  gscale_system_set_residuals(s, &r, NULL);
  return s;
}

/* Of the same prediction twice nothing is left; alone the whole error is. */
static void cancels(void)
{
  gscale_system *s = doubted(0.3);
  gscale_workload *w = one_phase(halo_phase(400));
  gscale_joint *j = gscale_joint_new();

  add(j, s, w, 4, "memcpy");
  add(j, s, w, 4, "memcpy");
  gsl_test_abs(gscale_joint_apart(j, 0, 1), 0.0, 1e-14, "the same twice");
  gsl_test_rel(gscale_joint_faster(j, 0, 1, 1.0), 0.5, 1e-14, "a tie");
  gsl_test_rel(gscale_joint_faster(j, 0, 1, 1.01), 1.0, 1e-14, "within 1 %%");
  gsl_test(!isnan(gscale_joint_apart(j, 0, 2)), "past the end");
  gscale_joint_free(j);
  gscale_workload_free(w);
  gscale_system_free(s);
}

/* Without errors of parameters only the model's own is left. */
static void correlates(void)
{
  gscale_system *s = doubted(3.0);
  gscale_workload *w = one_phase(halo_phase(400));
  gscale_joint *j = gscale_joint_new();

  for (size_t i = 0; i < GSCALE_PARAM_END; i++) {
    gscale_param p = *gscale_system_get(s, (gscale_param_id)i);
    p.err = 0.0;
    gscale_system_set(s, (gscale_param_id)i, &p, NULL);
  }
  const one a = add(j, s, w, 4, "memcpy"), b = add(j, s, w, 4, "inline"),
            c = add(j, s, w, 2, "memcpy");
  const double sa = asinh(a.err / a.time), sb = asinh(b.err / b.time),
               sc = asinh(c.err / c.time);
  gsl_test_rel(gscale_joint_apart(j, 0, 1),
               sqrt(sa * sa + sb * sb - 2.0 * 0.25 * sa * sb), 1e-10,
               "another paradigm");
  gsl_test_rel(gscale_joint_apart(j, 0, 2),
               sqrt(sa * sa + sc * sc - 2.0 * 0.64 * sa * sc), 1e-10,
               "another N");
  gsl_test_rel(gscale_joint_apart(j, 1, 2),
               sqrt(sb * sb + sc * sc - 2.0 * 0.16 * sb * sc), 1e-10, "both");
  gscale_system_swap_link(s, gscale_link_find("nvlink3"), NULL);
  add(j, s, w, 4, "memcpy");
  gsl_test(!(gscale_joint_apart(j, 0, 3) > sa * 0.5), "another link");
  gscale_joint_free(j);
  gscale_workload_free(w);
  gscale_system_free(s);
}

/* Of two, draws say what the formula does. */
static void draws(void)
{
  gscale_system *s = doubted(1.0);
  gscale_workload *w = one_phase(halo_phase(400));
  gscale_joint *j = gscale_joint_new();
  const size_t row[] = {0, 1, 2};
  double share[3], again[2];

  add(j, s, w, 4, "memcpy");
  add(j, s, w, 4, "inline");
  add(j, s, w, 3, "memcpy");
  gsl_test_int((int)gscale_joint_best(j, row, 2, 4000, share, NULL), GSCALE_OK,
               "two");
  gsl_test_abs(share[0], gscale_joint_faster(j, 0, 1, 1.0), 0.03, "as the t");
  gsl_test_rel(share[0] + share[1], 1.0, 1e-9, "one of them");
  gscale_joint_best(j, row, 2, 4000, again, NULL);
  gsl_test_abs(again[0], share[0], 0.0, "the same draws");
  gsl_test_int((int)gscale_joint_best(j, row, 3, 100, share, NULL), GSCALE_OK,
               "three");
  gsl_test_rel(share[0] + share[1] + share[2], 1.0, 1e-9, "of three");
  gsl_test_int((int)gscale_joint_best(j, row, 0, 100, share, NULL),
               GSCALE_EDOMAIN, "none");
  gsl_test_int(
      (int)gscale_joint_best(j, (const size_t[]){7}, 1, 100, share, NULL),
      GSCALE_EDOMAIN, "no such row");
  gscale_joint_free(j);
  gscale_joint_free(NULL);
  gscale_workload_free(w);
  gscale_system_free(s);
}

int main(void)
{
  cancels();
  correlates();
  draws();
  return gsl_test_summary();
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
