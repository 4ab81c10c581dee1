/* assumptions.c - runs a description to state what it has of the profile. */

#include "describe/describe.h"
#include "say/predict.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Predicts the step with two knobs set, or none if NULL. NaN means failure. */
static double time_with(const options *by, int n, const char *setting,
                        const char *more, failure *why)
{
  static question q; /* large */
  const char *path = by->output;
  char gpus[16];
  answer *a = NULL;
  double time = NAN;
  options o = {.verb = "describe",
               .argument = &path,
               .arguments = 1,
               .system = by->system ? by->system : "h200x8",
               .gpus = gpus,
               .paradigm = "schedule",
               .max_error = NAN};

  snprintf(gpus, sizeof gpus, "%d", n);
  memset(&q, 0, sizeof q);
  if (setting && settings_add(&o.set, setting, why) != EXIT_OK) return time;
  if (more && settings_add(&o.set, more, why) != EXIT_OK) return time;
  if (question_load(&q, &o, GPUS_DOUBLED, why) == EXIT_OK &&
      question_fit(&q, false, why) == EXIT_OK && (a = question_answers(&q)) &&
      question_answer_at(&q, 0, false, a, why) == EXIT_OK && a[0].met)
    time = a[0].p.time;
  free(a);
  question_free(&q);
  return time;
}

bool say_carried(const profile *p, const carried_step *c, const options *o,
                 bool last)
{
  failure why = {EXIT_OK, ""};
  const int gpus = (int)gpus_of_run(p);
  const double most = c->time < 0.7 * c->step ? 0.1 : 0.03;
  char own[48], time[48], bytes[48], moved[96] = "";

  if (!o->output || strcmp(o->output, "-") == 0) return false;
  const char *const replay = c->traced ? "collectives=recorded" : NULL;
  const int n = c->traced ? 1 : gpus;
  const double t = time_with(o, n, replay, c->host ? "host=1" : NULL, &why);
  const double miss = fabs(t / c->step - 1.0);
  const bool off = !(miss <= most);
  if (off && !last) return true;
  gscale_format_quantity(c->step, GSCALE_TIME, own, sizeof own);
  gscale_format_quantity(t, GSCALE_TIME, time, sizeof time);
  gscale_format_quantity(c->bytes, GSCALE_BYTES, bytes, sizeof bytes);
  if (c->collectives > 0)
    snprintf(moved, sizeof moved, ", %zu collectives of %s", c->collectives,
             bytes);
  if (miss > 0.3)
    fail(&why, EXIT_OK,
         "too far off to predict; GPUs that take turns are not described");
  print_note("the description has %.0f%% of the time of kernels%s; on the "
             "profile's %d GPU%s it takes %s, measured %s%s%s",
             100.0 * c->time / c->kernels, moved, gpus, PLURAL(gpus),
             isfinite(t) ? time : "an unknown time", own, *why.text ? ": " : "",
             why.text);
  if (c->host && time_with(o, n, replay, "host=0.5", &why) < 0.9 * t)
    print_note("the host bounds this step, and a profiler slows the host: give "
               "the time of a step without a profiler, -P t1=TIME");
  return false;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
