/* predict.c - one prediction from a program of your own:
 *   cc predict.c $(pkg-config --cflags --libs gpuscale-lua gpuscale) -o predict
 */
#include <gpuscale.h>

#include <stdio.h>

int main(void)
{
  const char *knobs[] = {"n=512"};
  gscale_system *system = NULL;
  gscale_workload *jacobi = NULL;
  gscale_plan *plan = NULL;
  gscale_prediction *p = gscale_prediction_new();
  gscale_diag why = {""};
  const size_t copies = gscale_paradigm_find("memcpy");
  const int failed =
      !p || gscale_load_system("h200x8", NULL, 0, &system, &why) ||
      gscale_load_workload("jacobi", knobs, 1, NULL, 0, &jacobi, &why) ||
      gscale_plan_new(system, jacobi, 4, &plan, &why) ||
      gscale_predict(plan, copies, NULL, p, &why);

  if (failed)
    fprintf(stderr, "%s\n", why.text);
  else
    printf("%.1f us a step, speedup %.2f\n",
           1e6 * gscale_prediction_get(p, "time"),
           gscale_prediction_get(p, "speedup"));
  gscale_prediction_free(p);
  gscale_plan_free(plan);
  gscale_workload_free(jacobi);
  gscale_system_free(system);
  return failed;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
