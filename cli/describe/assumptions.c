/* assumptions.c - runs a description to state what it has of the profile. */

#include "describe/describe.h"
#include "say/predict.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct guesses {
  const options *o;
  int gpus;
} guesses;

/* Fills in the options of a prediction with this description. */
static options asked_options(const guesses *s, const char **path,
                             const char *gpus)
{
  options o = {.verb = "describe",
               .argument = path,
               .arguments = 1,
               .system = s->o->system ? s->o->system : "h200x8",
               .gpus = gpus,
               .paradigm = "schedule",
               .max_error = (double)NAN};
  return o;
}

/* Predicts the step with two knobs set, or none if NULL. NaN means failure. */
static double time_with(const guesses *s, const char *setting, const char *more,
                        failure *why)
{
  static question q; /* large */
  const char *path = s->o->output;
  char gpus[16];
  answer *a = NULL;
  double time = (double)NAN;

  snprintf(gpus, sizeof gpus, "%d", s->gpus);
  options o = asked_options(s, &path, gpus);
  memset(&q, 0, sizeof q);
  if (setting && settings_add(&o.set, setting, why) != EXIT_OK) return time;
  if (more && settings_add(&o.set, more, why) != EXIT_OK) return time;
  /* question_answer() would repeat its notes for each guess. */
  if (question_load(&q, &o, GPUS_DOUBLED, why) == EXIT_OK &&
      question_fit(&q, false, why) == EXIT_OK &&
      (a = question_answers(&q)) != NULL &&
      question_answer_at(&q, 0, false, a, why) == EXIT_OK && a[0].met)
    time = a[0].p.time;
  free(a);
  question_free(&q);
  return time;
}

/* Predicts the description where it was profiled, with the recorded times of
 * collectives, and states what the description has of the profile. */
void say_carried(const profile *p, const carried_step *c, const options *o)
{
  failure why = {EXIT_OK, ""};
  guesses s = {.o = o, .gpus = (int)gpus_of_run(p)};
  char own[48], time[48], bytes[48], moved[96] = "";

  if (!o->output || strcmp(o->output, "-") == 0) return;
  const double t = time_with(&s, c->traced ? "collectives=recorded" : NULL,
                             c->traced ? "host=1" : NULL, &why);
  gscale_format_quantity(c->step, GSCALE_TIME, own, sizeof own);
  gscale_format_quantity(t, GSCALE_TIME, time, sizeof time);
  gscale_format_quantity(c->bytes, GSCALE_BYTES, bytes, sizeof bytes);
  if (c->collectives > 0)
    snprintf(moved, sizeof moved, ", %zu collectives of %s", c->collectives,
             bytes);
  print_note("carried: %.0f%% of the time of kernels%s; on its "
             "own %d GPU%s it takes %s for %s",
             100.0 * c->time / c->kernels, moved, s.gpus,
             s.gpus == 1 ? "" : "s", isfinite(t) ? time : why.text, own);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
