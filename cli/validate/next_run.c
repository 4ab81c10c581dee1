/* next_run.c - finds the possible run that would best inform a step.
 *
 * The step is the fastest one on the most GPUs. Possible runs belong to the
 * step's series and have an N that was run or asked, above the last measured N
 * and below the N of the step. Errors grow with the doublings from the last
 * run, so that the largest N is the most informative. */

#include "validate/conditioning.h"
#include "validate/study.h"

#include <math.h>

static bool is_later(const study *s, const rivals *r, size_t i, size_t than)
{
  const run *x = &s->runs[i], *y = &s->runs[than];

  return x->gpus > y->gpus ||
         (x->gpus == y->gpus &&
          r->time[i][RIVAL_WEIGHTED] < r->time[than][RIVAL_WEIGHTED]);
}

static size_t find_target(const study *s, const rivals *r)
{
  size_t best = s->n;

  for (size_t i = 0; i < s->n; i++)
    if (s->runs[i].asked && s->runs[i].gpus > 2 &&
        s->runs[i].paradigm != gscale_paradigm_find("infinite") &&
        (best == s->n || is_later(s, r, i, best)))
      best = i;
  return best;
}

static bool same_curve(const study *s, size_t i, size_t k)
{
  run other = s->runs[i];

  other.gpus = s->runs[k].gpus;
  return other.path == s->runs[k].path && runs_same_row(&other, &s->runs[k]);
}

void rivals_next(const study *s, rivals *r)
{
  int last = 1;

  r->next = 0;
  r->target = find_target(s, r);
  if (r->target == s->n) return;
  const int to = s->runs[r->target].gpus;
  for (size_t i = 0; i < s->n; i++)
    if (!s->runs[i].asked && same_curve(s, i, r->target) &&
        s->runs[i].gpus > last)
      last = s->runs[i].gpus;
  for (size_t i = 0; i < s->n; i++)
    if (s->runs[i].gpus > last && s->runs[i].gpus < to &&
        s->runs[i].gpus > r->next)
      r->next = s->runs[i].gpus;
  if (r->next > 0)
    r->next_err = r->weighted[r->target] * log((double)to / r->next) /
                  log((double)to / last);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
