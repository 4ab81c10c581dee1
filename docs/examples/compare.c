/* compare.c SYSTEM WORKLOAD LINK... - what other links would do on 4 GPUs, each
 * with the interval of one standard error:
 *   cc compare.c $(pkg-config --cflags --libs gpuscale-lua gpuscale) -o compare
 */
#include <gpuscale.h>

#include <stdio.h>

enum {
  GPUS = 4
};

/* With the link that the system has, if link is NULL. */
static gscale_status ask(const char *name, const char *link,
                         const gscale_workload *w, gscale_prediction *p,
                         double *err, gscale_diag *why)
{
  const size_t copies = gscale_paradigm_find("memcpy");
  gscale_system *s = NULL;
  gscale_plan *plan = NULL;
  gscale_status st = gscale_load_system(name, NULL, 0, &s, why);

  if (st == GSCALE_OK && link)
    st = gscale_system_swap_link(s, gscale_link_find(link), why);
  if (st == GSCALE_OK) st = gscale_plan_new(s, w, GPUS, &plan, why);
  if (st == GSCALE_OK) st = gscale_predict(plan, copies, NULL, p, why);
  if (st == GSCALE_OK)
    st = gscale_predict_error(s, w, GPUS, copies, NULL, err, why);
  gscale_plan_free(plan);
  gscale_system_free(s);
  return st;
}

int main(int argc, char **argv)
{
  gscale_prediction *p = gscale_prediction_new();
  gscale_workload *w = NULL;
  gscale_diag why = {""};
  int i, failed;

  if (argc < 3 || !p) return 2;
  failed =
      gscale_load_workload(argv[2], NULL, 0, NULL, 0, &w, &why) != GSCALE_OK;
  for (i = 2; !failed && i < argc; i++) {
    const char *link = i > 2 ? argv[i] : NULL;
    double err;

    if (link && !gscale_link_find(link)) {
      fprintf(stderr, "%s: no such link\n", link);
      failed = 1;
    } else if (ask(argv[1], link, w, p, &err, &why) != GSCALE_OK) {
      failed = 1;
    } else {
      const double time = gscale_prediction_get(p, "time");
      const gscale_interval in = gscale_interval_of(time, err, 1.0);

      printf("%s: %.1f us (%.1f .. %.1f), transfer %.0f %%, bound by %s\n",
             link ? link : "as it is", 1e6 * time, 1e6 * in.lo, 1e6 * in.hi,
             100.0 * gscale_prediction_get(p, "transfer") / time,
             gscale_prediction_bound(p));
    }
  }
  if (*why.text) fprintf(stderr, "%s\n", why.text);
  gscale_prediction_free(p);
  gscale_workload_free(w);
  return failed;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
