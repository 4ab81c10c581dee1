/* next_run.c - the possible run that would inform a step most.
 *
 * The step is the fastest one on the most GPUs.  Possible runs belong to a
 * series and an N that were run or asked, with N above 1 and below that of the
 * step.  The posterior tells what a run teaches the model.  Laws extrapolate
 * from the last N of the series, so that a later N shortens their
 * extrapolation. */

#include "validate/conditioning.h"
#include "validate/study.h"

#include <math.h>
#include <stdlib.h>

static bool is_later(const study *s, const rivals *r, size_t i, size_t than)
{
  const run *x = &s->runs[i], *y = &s->runs[than];

  return x->gpus > y->gpus ||
         (x->gpus == y->gpus &&
          r->time[i][RIVAL_GIVEN] < r->time[than][RIVAL_GIVEN]);
}

static bool moves_data(const run *r)
{
  return r->paradigm != gscale_paradigm_find("infinite");
}

static size_t find_target(const study *s, const rivals *r)
{
  size_t best = s->n;

  for (size_t i = 0; i < s->n; i++)
    if (s->runs[i].asked && s->runs[i].gpus > 2 && moves_data(&s->runs[i]) &&
        (best == s->n || is_later(s, r, i, best)))
      best = i;
  return best;
}

static bool was_run(const study *s, const run *r)
{
  for (size_t i = 0; i < s->n; i++)
    if (!s->runs[i].asked && runs_same_row(&s->runs[i], r)) return true;
  return false;
}

static bool same_curve(const study *s, size_t i, size_t k)
{
  run other = s->runs[i];

  other.gpus = s->runs[k].gpus;
  return other.path == s->runs[k].path && runs_same_row(&other, &s->runs[k]);
}

static void offer(const study *s, rivals *r, size_t i, int gpus)
{
  run could = s->runs[i];

  could.gpus = gpus;
  if (gpus < 2 || gpus >= s->runs[r->target].gpus || !moves_data(&could) ||
      was_run(s, &could))
    return;
  for (size_t k = 0; k < r->offers; k++)
    if (r->offer[k].gpus == gpus && same_curve(s, r->offer[k].like, i)) return;
  if (r->offers < OFFERS_MAX)
    r->offer[r->offers++] = (offered){i, gpus, (double)NAN};
}

/* Offers the runs of the step's own series, or those of the others. */
static void offer_all(const study *s, rivals *r, bool own)
{
  for (size_t i = 0; i < s->n; i++) {
    if (same_curve(s, i, r->target) != own) continue;
    for (size_t k = 0; k < s->n && r->offers < OFFERS_MAX; k++)
      offer(s, r, i, s->runs[k].gpus);
  }
}

bool rivals_offer(const study *s, rivals *r)
{
  r->target = find_target(s, r);
  r->offers = 0;
  if (r->target == s->n) return false;
  offer_all(s, r, true);
  if (!s->bare) offer_all(s, r, false);
  return r->offers > 0;
}

int rivals_ask_next(const given *g, rivals *r, gscale_posterior *p,
                    failure *why)
{
  gscale_run could[OFFERS_MAX];
  double left[OFFERS_MAX];
  gscale_diag diag;

  if (!rivals_offer(g->s, r)) return EXIT_OK;
  for (size_t k = 0; k < r->offers; k++) {
    could[k] = g->run[r->offer[k].like];
    could[k].gpus = r->offer[k].gpus;
  }
  const gscale_status st = gscale_posterior_tells(p, &g->run[r->target], could,
                                                  r->offers, left, &diag);
  if (st != GSCALE_OK) return fail_gscale(why, st, &diag);
  for (size_t k = 0; k < r->offers; k++) r->offer[k].left = left[k];
  return EXIT_OK;
}

/* Returns the largest N of the step's series below that of the step. */
static int last_of(const study *s, const rivals *r)
{
  int last = 1;

  for (size_t i = 0; i < s->n; i++)
    if (!s->runs[i].asked && same_curve(s, i, r->target) &&
        s->runs[i].gpus > last && s->runs[i].gpus < s->runs[r->target].gpus)
      last = s->runs[i].gpus;
  return last;
}

/* Returns the square error that the step would have after the offered run. */
static double after(const study *s, const rivals *r, const offered *o)
{
  const size_t i = r->target;
  const double weight = r->weight[i][RIVAL_GIVEN];
  const double all = r->weighted[i] * r->weighted[i];
  const double ours = fmin(all, weight * r->err[i] * r->err[i]);
  const double part = o->left * o->left / (r->err[i] * r->err[i]);
  const int to = s->runs[i].gpus, last = last_of(s, r);
  const bool goes_on = o->gpus > last && same_curve(s, o->like, i);
  const double shorter =
      goes_on ? (double)(to - o->gpus) / (double)(to - last) : 1.0;

  return isfinite(part) && weight > 0.0 ? ours * part + (all - ours) * shorter
                                        : all * shorter;
}

void rivals_next(const study *s, rivals *r)
{
  double least = INFINITY;

  r->next = r->offers;
  if (r->offers == 0 || !(r->weighted[r->target] > 0.0)) return;
  for (size_t k = 0; k < r->offers; k++) {
    const double square = after(s, r, &r->offer[k]);

    if (!(square < least)) continue;
    least = square;
    r->next = k;
  }
  r->next_err = sqrt(least);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
