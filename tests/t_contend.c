/* t_contend.c - contention by hand: messages that meet, small packets. */

#include "cases.h"

#include <gsl/gsl_test.h>
#include <math.h>
#include <stdlib.h>

/* GPUs 0 .. n-1 each send a message to all others, in the same order, and a
 * receiver divides its port among those that send to it: how many times the
 * n-1 messages' own time it takes until all are done.  Step by step. */
static double in_step(int n)
{
  double left[8], time = 0.0;
  int to[8], done = 0;

  for (int i = 0; i < n; i++) {
    to[i] = i == 0 ? 1 : 0;
    left[i] = 1.0;
  }
  while (done < n) {
    int senders[8] = {0};
    double step = INFINITY;
    for (int i = 0; i < n; i++)
      if (to[i] < n) senders[to[i]]++;
    for (int i = 0; i < n; i++)
      if (to[i] < n) step = fmin(step, left[i] * senders[to[i]]);
    time += step;
    for (int i = 0; i < n; i++) {
      if (to[i] >= n) continue;
      left[i] -= step / senders[to[i]];
      if (left[i] > 1e-12) continue;
      to[i] += to[i] + 1 == i ? 2 : 1;
      left[i] = 1.0;
      done += to[i] >= n;
    }
  }
  return time / (n - 1);
}

static void messages(void)
{
  for (int n = 2; n <= 8; n++) {
    gsl_test_rel(in_step(n), n / 2.0, 1e-12, "%d in step: n/2", n);
    gsl_test_rel(gscale_meeting(2.0 / 3.0, n), n / 2.0, 1e-12,
                 "%d in step by the law", n);
  }
  gsl_test_rel(gscale_meeting(0.8, 3), 1.25, 1e-12, "its own definition");
  gsl_test_rel(gscale_meeting(0.8, 8), 2.5, 1e-12, "1 + 0.25 * 6");
  gsl_test_abs(gscale_meeting(0.5, 2), 1, 0, "two do not meet");
  gsl_test_abs(gscale_meeting(0.5, 1), 1, 0, "nor does one");
  gsl_test_abs(gscale_meeting(1, 1024), 1, 0, "never");
}

/* Standard error of a parameter in a prediction for n GPUs. */
static double err_of(const gscale_system *s, const char *name, int n)
{
  gscale_workload *w = one_phase(halo_phase(100));
  gscale_uncertainty *u = NULL;
  double err = (double)NAN;

  gsl_test_int((int)gscale_uncertainty_new(s, w, n, false, &u, NULL), GSCALE_OK,
               "errors for %d GPUs", n);
  for (size_t i = 0; u && i < gscale_uncertainty_count(u); i++)
    if (strcmp(gscale_uncertainty_number(u, i)->name, name) == 0)
      err = gscale_uncertainty_number(u, i)->p.err;
  gscale_uncertainty_free(u);
  gscale_workload_free(w);
  return err;
}

static void beyond(void)
{
  /* four GPUs were measured; copy.contended 0.7 +- 0.03, store.ingress 6.1e9
   * +- 0.1e9, and 0.2 of it less for one sender */
  gscale_system *s = some_system(GSCALE_SWITCH, "nvlink4");
  const double loss = 1 / 0.7 - 1;

  gsl_test_abs(gscale_beyond(4, 4), 0, 0, "as many as measured");
  gsl_test_rel(gscale_beyond(8, 4), 2 / 3.0 / sqrt(3), 1e-12, "2/6 known");
  gsl_test_rel(gscale_beyond(3, 2), 1 / sqrt(3), 1e-12, "nothing known");
  gsl_test_rel(err_of(s, "copy.contended", 4), 0.03, 1e-12, "its own error");
  gsl_test_rel(err_of(s, "copy.contended", 8),
               hypot(0.03, 0.7 * 0.7 * loss * 2 / 3 / sqrt(3)), 1e-12,
               "more for eight");
  gsl_test_rel(err_of(s, "store.ingress", 4), 0.1e9, 1e-12, "its own error");
  gsl_test_rel(
      err_of(s, "store.ingress", 8),
      hypot(0.1e9, 6.1e9 * ((1 - 0.2 / 7) / (1 - 0.2 / 3) - 1) / sqrt(3)), 1e-9,
      "more for eight");
  gscale_system_free(s);
}

static void packets(void)
{
  gsl_test_rel(gscale_ingress(5e9, 0.3, 1), 0.7 / 5e9, 1e-12, "one sender");
  gsl_test_rel(gscale_ingress(5e9, 0.3, 3), 0.9 / 5e9, 1e-12, "three");
  gsl_test_rel(gscale_ingress(5e9, 0, 3), 1 / 5e9, 1e-12, "all the same");
  gsl_test_abs(gscale_ingress(INFINITY, 0.3, 3), 0, 0, "no limit");
}

static void domains(void)
{
  gsl_test(!isnan(gscale_meeting(0, 3)), "a factor of 0");
  gsl_test(!isnan(gscale_meeting(1.01, 3)), "a factor above 1");
  gsl_test(!isnan(gscale_meeting((double)NAN, 3)), "no factor");
  gsl_test(!isnan(gscale_meeting(0.7, 0)), "no GPU");
  gsl_test(!isnan(gscale_beyond(0, 4)), "no GPU");
  gsl_test(!isnan(gscale_beyond(4, 1)), "one measured");
  gsl_test(!isnan(gscale_ingress(0, 0.3, 1)), "a rate of 0");
  gsl_test(!isnan(gscale_ingress(1, -0.1, 1)), "less than nothing");
  gsl_test(!isnan(gscale_ingress(1, 1.1, 1)), "more than all");
  gsl_test(!isnan(gscale_ingress(1, 0.1, 0.5)), "half a sender");
}

int main(void)
{
  messages();
  beyond();
  packets();
  domains();
  exit(gsl_test_summary());
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
