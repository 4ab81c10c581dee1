/* probability.c - the probability that one prediction is faster than
 * another. */

#include "say/predict.h"

#include <math.h>

double answer_faster(const question *q, const answer *a, const answer *b,
                     double factor)
{
  const double limit = factor * b->p.time;

  if (q->joint && !isnan(a->err) && !isnan(b->err))
    return gscale_joint_faster(q->joint, a->row, b->row, factor);
  return a->p.time < limit ? 1.0 : a->p.time > limit ? 0.0 : 0.5;
}

bool answers_alike(const question *q, const answer *a, const answer *b)
{
  const double sure = 0.8413; /* one standard deviation */
  const double least = 1.005; /* smallest ratio that counts as a lead */
  const double p = answer_faster(q, a, b, 1.0);

  return fmax(p, 1.0 - p) < sure ||
         fmax(a->p.time / b->p.time, b->p.time / a->p.time) <= least;
}

const char *say_range(const answer *a, range_words text)
{
  snprintf(text, sizeof(range_words), "%s%s%s",
           gscale_name(GSCALE_APPLICABILITY_NAMES, a->applicability),
           *a->word ? ": " : "", a->word);
  return text;
}

/* ---- curves ------------------------------------------------------------- */

size_t curve_fastest(const question *q, const answer *a)
{
  double time[GPUS_LISTED];

  for (size_t j = 0; j < q->n; j++) time[j] = a[j].p.time;
  return gscale_peak(time, q->n);
}

bool curve_is_whole(const question *q, const answer *a)
{
  for (size_t j = 0; j < q->n; j++)
    if (!a[j].met && !a[j].again) return false;
  return true;
}

spot curve_peak(const question *q, const answer *a)
{
  const size_t peak = curve_fastest(q, a);
  spot s = {q->gpus[peak], q->gpus[peak], q->gpus[peak]};

  for (size_t j = peak; j-- > 0 && answers_alike(q, &a[peak], &a[j]);)
    s.from = q->gpus[j];
  for (size_t j = peak + 1; j < q->n && answers_alike(q, &a[peak], &a[j]); j++)
    s.to = q->gpus[j];
  return s;
}

/* Returns the probability that the step to q->gpus[j] gives at least half of
 * the ideal gain. */
static double step_probability(const question *q, const answer *a, size_t j)
{
  const double could = (double)q->gpus[j] / q->gpus[j - 1] - 1.0;

  return answer_faster(q, &a[j], &a[j - 1], 1.0 / (1.0 + 0.5 * could));
}

/* Finds the knee, between the last certain step and the last possible one. */
spot curve_knee(const question *q, const answer *a)
{
  const double sure = 0.8413; /* one standard deviation */
  const size_t n = curve_fastest(q, a) + 1;
  double time[GPUS_LISTED];
  spot s = {q->gpus[0], q->gpus[0], q->gpus[0]};

  for (size_t j = 0; j < n; j++) time[j] = a[j].p.time;
  s.gpus = q->gpus[gscale_knee(q->gpus, time, n)];
  for (size_t j = 1; j < n; j++) {
    const double p = step_probability(q, a, j);

    if (p >= sure) s.from = q->gpus[j];
    if (p > 1.0 - sure) s.to = q->gpus[j];
  }
  if (s.from > s.gpus) s.from = s.gpus;
  if (s.to < s.gpus) s.to = s.gpus;
  return s;
}

const char *say_spot(const spot *s, spot_words text)
{
  if (s->from == s->to)
    snprintf(text, sizeof(spot_words), "%d", s->gpus);
  else
    snprintf(text, sizeof(spot_words), "%d (%d-%d)", s->gpus, s->from, s->to);
  return text;
}

const char *say_reach(const spot *s, spot_words text)
{
  if (s->from == s->to)
    snprintf(text, sizeof(spot_words), "%d", s->gpus);
  else
    snprintf(text, sizeof(spot_words), "%d-%d", s->from, s->to);
  return text;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
