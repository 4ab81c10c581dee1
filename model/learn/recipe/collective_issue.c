/* collective_issue.c - host time of one NCCL call, from single calls and from
 * consecutive calls whose rate the host limits. */

#include "lines.h"

#include <math.h>
#include <string.h>

/* Relative change of a host's NCCL calls from one minute to the next, pooled
 * over ten measurements on eight hosts (data/, nccl.csv). */
static const double UNSTEADY = 0.13;

/* Returns true if the host limits consecutive calls.  If the host limits the
 * rate, a call behind a gate takes under half the time. */
static bool issue_bound(const bench_run *b, const gscale_measurement *of)
{
  char gated[sizeof of->bench + sizeof "_gate"];
  const gscale_measurement *r;

  gscale__print(gated, sizeof gated, "%s_gate", of->bench);
  for (size_t i = 0; (r = gscale_measurements_at(b->m, i)); i++)
    if (strcmp(r->bench, gated) == 0 && r->gpus == of->gpus &&
        !(r->size < of->size) && !(r->size > of->size))
      return r->time < of->time / 2.0;
  return false;
}

/* Adds a point.  One thread issues the calls of all GPUs. */
static void add_issue(bench_run *b, const gscale_measurement *r)
{
  gscale__add_point(b, r, r->time / r->gpus, r->sigma / r->gpus, NULL);
}

static double scatter(const bench_run *b)
{
  double sum = 0.0;

  for (size_t i = 0; i < b->p.n; i++)
    sum += pow(b->p.y[i] / b->fit.value[0] - 1.0, 2.0);
  return sqrt(sum / (double)b->p.n);
}

/* Fits the host time, with the scatter as its error.  On one host, a call took
 * 12 us and a minute later 18 us, and a program observes one of both. */
void gscale__solve_issue(bench_run *b)
{
  static const char of[] = "nccl_issue, calls in a row";
  const wanted alone = {.bench = "nccl_issue"};

  gscale__begin(b, 1);
  EACH_ROW (b, &alone, r)
    if (r->gpus > 0) add_issue(b, r);
  for (size_t k = 0; k < GSCALE__COLL_BENCHES; k++) {
    const wanted w = {.bench = gscale__coll_benches[k].bench,
                      .access = "kernel",
                      .size_most = GSCALE__SMALL};
    EACH_ROW (b, &w, r)
      if (r->gpus > 0 && issue_bound(b, r)) add_issue(b, r);
  }
  if (gscale__solve(b, GSCALE_COLL_ISSUE, of))
    gscale__conclude(b, GSCALE_COLL_ISSUE, b->fit.value[0],
                     b->fit.value[0] * fmax(UNSTEADY, scatter(b)), of);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
