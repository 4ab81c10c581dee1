/* predict.c - one prediction from a program of your own:
 *   cc predict.c $(pkg-config --cflags --libs gpuscale-lua gpuscale) -o predict */
#include <gpuscale-lua.h>

#include <stdio.h>

int main(void)
{
  const char *knobs[] = {"n=512"};
  gscale_system *system = NULL;
  gscale_workload *jacobi = NULL;
  gscale_plan *plan = NULL;
  gscale_prediction p;
  gscale_diag why = {""};
  const size_t memcpy_way = gscale_paradigm_find("memcpy");
  const int failed =
      gscale_load_system("h200x8", NULL, 0, &system, &why) ||
      gscale_load_workload("jacobi", knobs, 1, NULL, 0, &jacobi, &why) ||
      gscale_plan_new(system, jacobi, 4, &plan, &why) ||
      gscale_predict(plan, memcpy_way, NULL, &p, &why);

  if (failed)
    fprintf(stderr, "%s\n", why.text);
  else
    printf("%.1f us a step, speedup %.2f\n", 1e6 * p.time, p.speedup);
  gscale_plan_free(plan);
  gscale_workload_free(jacobi);
  gscale_system_free(system);
  return failed;
}
