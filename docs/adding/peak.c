/* peak.c - gpuscale peak: at which number of GPUs each paradigm is fastest. */

#include "say/predict.h"

#include <stdlib.h>

enum {
  PARADIGM,
  GPUS,
  TIME,
  SPEEDUP,
  COLUMNS
};

static const column columns[COLUMNS] = {
    [PARADIGM] = TEXT("paradigm", "paradigm"),
    [GPUS] = INTEGER("gpus", "GPUs"),
    [TIME] = NUMBER("time_s", "time", GSCALE_TIME),
    [SPEEDUP] = NUMBER("speedup", "speedup", GSCALE_COUNT),
};

static void add_row(rows *r, const question *q, size_t i, const answer *a)
{
  const spot peak = curve_peak(q, a);
  cell *c = rows_add(r);
  size_t j = 0;

  while (q->gpus[j] != peak.gpus) j++;
  set_text(&c[PARADIGM], question_paradigm(q, i));
  c[GPUS].number = peak.gpus;
  c[TIME].number = a[j].p.time;
  c[SPEEDUP].number = a[j].p.speedup;
}

static int peak_main(options *o, failure *why)
{
  static question q; /* large */
  rows *r;
  answer *a = NULL;
  int st = need_arguments(o, 1, "a WORKLOAD", why);

  if (st != EXIT_OK) return st;
  r = rows_new("gpuscale.peak/1", columns, COLUMNS);
  st = question_load(&q, o, GPUS_DOUBLED, why);
  if (st == EXIT_OK) st = question_answer(&q, false, &a, why);
  for (size_t i = 0; st == EXIT_OK && i < q.paradigms; i++)
    if (curve_is_whole(&q, &a[i * q.n])) add_row(r, &q, i, &a[i * q.n]);
  st = rows_print(st, r, o, why);
  free(a);
  question_free(&q);
  return st;
}

const verb verb_peak = {
    .place = 180,
    .name = "peak",
    .usage = "WORKLOAD --system SYSTEM [options]",
    .summary = "the number of GPUs at which each paradigm is fastest",
    .examples = "gpuscale peak jacobi --system h200x8\n",
    .accepts = "system link gpus paradigm set proposed format output",
    .run = peak_main,
};
/* SPDX-License-Identifier: GPL-3.0-or-later */
