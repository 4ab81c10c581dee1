/* question_names.c - names a question's program on N GPUs, and its
 * paradigms. */

#include "say/predict.h"

const gscale_workload *question_workload(const question *q, int n)
{
  return q->weak && q->weak[n].workload ? q->weak[n].workload : q->workload;
}

const char *question_settings(const question *q, int n)
{
  return q->weak && q->weak[n].workload ? q->weak[n].settings : q->settings;
}

void question_name_pair(question *q, size_t i)
{
  gscale_pair_name(q->paradigm[i], &q->knobs[i], q->pair[i], sizeof q->pair[i]);
}

int question_paradigms(question *q, const char *text, bool proposed,
                       failure *why)
{
  const int st = parse_paradigms(text, proposed, q->paradigm, q->between,
                                 &q->paradigms, &q->named, why);

  for (size_t i = 0; i < q->paradigms; i++) {
    q->knobs[i] = gscale_knobs_best;
    q->knobs[i].between = q->between[i];
    question_name_pair(q, i);
  }
  return st;
}

const char *question_paradigm(const question *q, size_t i)
{
  return q->pair[i];
}

const char *question_inside(const question *q, size_t i)
{
  return gscale_paradigm_at(q->paradigm[i])->name;
}

const char *question_summary(const question *q, size_t i)
{
  const bool paradigm =
      q->between[i] > 0 && q->paradigm[i] == gscale_paradigm_find("memcpy");

  return paradigm ? gscale_between_at(q->between[i] - 1)->about
                  : gscale_paradigm_at(q->paradigm[i])->summary;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
