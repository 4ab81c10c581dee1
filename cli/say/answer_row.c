/* answer_row.c - formats predictions as sentences: time, error, losses, next
 * step. */

#include "say/predict.h"

#include <math.h>

/* A step with less compute than this share of its time has no useful
 * speedup. */
static const double NEXT_TO_NOTHING = 0.05;

void claim_time(claim *c, const question *q, size_t i, int gpus,
                const answer *a)
{
  const gscale_interval t = gscale_interval_of(a->p.time, a->err, 1.0);
  const bool one = gpus == 1, outside = a->applicability > GSCALE_INSIDE;
  char time[32], error[48];
  paradigm_words paradigm;

  gscale_format_quantity(a->p.time, GSCALE_TIME, time, sizeof time);
  say_error(a, error, sizeof error);
  claim_say(
      c, "On %d GPU%s of %s one step of %s takes %s%s%s%s%s%s%s%s%s", gpus,
      one ? "" : "s", q->name, gscale_workload_about(q->workload).name,
      a->bound ? "at least " : "", time, *error || outside ? " (" : "", error,
      *error && outside ? ", " : "",
      outside ? gscale_name(GSCALE_APPLICABILITY_NAMES, a->applicability) : "",
      *error || outside ? ")" : "",
      one        ? ""
      : a->bound ? " with zero-cost communication (a bound)"
                 : " by ",
      one || a->bound ? "" : say_paradigm(q, i, &a->p.knobs, paradigm));
  if (q->weak)
    claim_say(c, ", an efficiency of %.0f%%", 100.0 * a->p.efficiency);
  else if (!one && !(a->p.speedup < NEXT_TO_NOTHING))
    claim_say(c, ", %.2f times as fast as one GPU, an efficiency of %.0f%%",
              a->p.speedup, 100.0 * a->p.efficiency);
  if (a->bus > 0.0) {
    gscale_format_quantity(a->bus, GSCALE_BYTERATE, time, sizeof time);
    claim_say(c, ", a bus bandwidth of %s", time);
  }
  claim_say(c, ".");
  c->value = a->p.time;
  c->low = t.lo;
  c->high = t.hi;
}

void claim_lost(claim *c, const answer *a)
{
  lost_words lost;

  claim_say(c, " Lost to %s.", say_lost(a, lost));
}

/* ---- how sure ------------------------------------------------------------ */

enum {
  DRAWS = 1000
};

double best_chance(const question *q, const answer *a, size_t j)
{
  size_t row[PARADIGMS_MAX], rank[PARADIGMS_MAX], of[PARADIGMS_MAX];
  const size_t n = question_rank(q, a, j, rank);
  const size_t tied = question_tied(q, a, j, of);
  double share[PARADIGMS_MAX], sum = 0.0;
  gscale_diag diag;

  if (!q->joint || n == 0 || q->gpus[j] == 1) return NAN;
  for (size_t k = 0; k < n; k++) row[k] = a[rank[k] * q->n + j].row;
  if (gscale_joint_best(q->joint, row, n, DRAWS, share, &diag) != GSCALE_OK)
    return NAN;
  for (size_t k = 0; k < n; k++)
    for (size_t m = 0; m < tied; m++)
      if (rank[k] == of[m]) sum += share[k];
  return fmin(1.0, sum);
}

/* Says, for example, "Of 10 paradigms it is the fastest with 98%." */
static void claim_rank(claim *c, const question *q, const answer *a, size_t j)
{
  size_t rank[PARADIGMS_MAX], of[PARADIGMS_MAX];
  const size_t n = question_rank(q, a, j, rank);
  const size_t tied = question_tied(q, a, j, of);

  if (n < 2) return;
  c->probability = best_chance(q, a, j);
  claim_say(c, " Of %zu paradigms it is the fastest", n);
  if (tied > 1) claim_say(c, ", or one of %zu alike,", tied);
  if (!isnan(c->probability))
    claim_say(c, " with %.0f%%", 100.0 * c->probability);
  claim_say(c, ".");
}

/* ---- next step ---------------------------------------------------------- */

bool claim_single(claim *c, const answer *a)
{
  const double most = 0.7; /* of the error: half of the variance */

  if (!(a->err_t1 < most * a->err)) return false;
  claim_say(c, " One run on one GPU (-P t1=TIME) would leave +/- %.1f%%.",
            100.0 * a->err_t1 / a->p.time);
  return true;
}

static void claim_next(claim *c, const question *q, const answer *curve)
{
  const answer *last = &curve[q->n - 1];

  if (q->n > 1 && !q->weak && !(last->bus > 0.0) && curve_is_whole(q, curve)) {
    const spot peak = curve_peak(q, curve), knee = curve_knee(q, curve);

    if (peak.gpus < q->gpus[q->n - 1]) {
      claim_say(c, " Take %d GPU%s: more only slow it.", peak.gpus,
                PLURAL(peak.gpus));
      return;
    }
    if (knee.gpus < peak.gpus) {
      claim_say(c,
                " Beyond %d GPU%s each gives less than half of what it "
                "could.",
                knee.gpus, PLURAL(knee.gpus));
      return;
    }
  }
  if (!claim_single(c, last) && last->applicability > GSCALE_INSIDE)
    claim_say(c, " A run on %d GPUs (--runs) would make it surer.",
              q->gpus[q->n - 1]);
}

void claim_question(claim *c, const question *q, const answer *a)
{
  const size_t last = q->n - 1, i = question_best(q, a, last);

  claim_begin(c);
  if (i == q->paradigms) return;
  const answer *best = &a[i * q->n + last];
  claim_time(c, q, i, q->gpus[last], best);
  if (q->gpus[last] > 1) {
    claim_lost(c, best);
    claim_rank(c, q, a, last);
  }
  claim_next(c, q, &a[i * q->n]);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
