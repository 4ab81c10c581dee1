/* assumptions.c - guesses in a description that the profile does not determine,
 * with the effect of each on the prediction. */

#include "describe/body.h"
#include "say/predict.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct guess {
  char text[160];
  double moves; /* s, effect */
} guess;

enum {
  GUESSES = 48
};

typedef struct guesses {
  const options *o;
  guess v[GUESSES];
  size_t n;
  double time; /* s, with all defaults */
  int gpus;
} guesses;

static int by_moves(const void *a, const void *b)
{
  const guess *const x = a, *const y = b;
  return (x->moves < y->moves) - (x->moves > y->moves);
}

/* Builds the options of a prediction with this description. */
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

/* Predicts the step with two knobs set, or NULL; NaN if that fails. */
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
  /* Its notes would be repeated for each guess. */
  if (question_load(&q, &o, GPUS_DOUBLED, why) == EXIT_OK &&
      question_fit(&q, false, why) == EXIT_OK &&
      (a = question_answers(&q)) != NULL &&
      question_answer_at(&q, 0, false, a, why) == EXIT_OK && a[0].met)
    time = a[0].p.time;
  free(a);
  question_free(&q);
  return time;
}

static void add_guess(guesses *s, double moves, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
static void add_guess(guesses *s, double moves, const char *fmt, ...)
{
  va_list args;

  if (s->n == GUESSES) return;
  va_start(args, fmt);
  vsnprintf(s->v[s->n].text, sizeof s->v[s->n].text, fmt, args);
  va_end(args);
  s->v[s->n++].moves = moves;
}

/* Records how far the time moves between the ends of a number's range. */
static void try_range(guesses *s, const char *name, double low, double high,
                      const char *unit, const char *doc)
{
  failure why = {EXIT_OK, ""};
  char setting[80];
  double t[2];

  for (int i = 0; i < 2; i++) {
    snprintf(setting, sizeof setting, "%s=%g%s", name, i ? high : low, unit);
    t[i] = time_with(s, setting, NULL, &why);
  }
  if (isfinite(t[0]) && isfinite(t[1]))
    add_guess(s, fabs(t[1] - t[0]), "%s (%g .. %g%s): %s", name, low, high,
              unit, doc);
}

/* Records how far the time moves with another word of a knob. */
static void try_word(guesses *s, const char *setting, const char *doc)
{
  failure why = {EXIT_OK, ""};
  const double t = time_with(s, setting, NULL, &why);

  if (isfinite(t)) add_guess(s, fabs(t - s->time), "%s: %s", setting, doc);
}

static void try_partners(guesses *s, const body *b)
{
  for (int r = 0; r < PARTNERS_END; r++) {
    char setting[48];
    if (!b->rule[r] || (partner_rule)r == b->chosen) continue;
    snprintf(setting, sizeof setting, "partners=%s",
             partners_name((partner_rule)r));
    try_word(s, setting, "agrees with what is seen, too");
  }
}

static void print(guesses *s)
{
  char time[48];

  qsort(s->v, s->n, sizeof *s->v, by_moves);
  gscale_format_quantity(s->time, GSCALE_TIME, time, sizeof time);
  print_note("guesses, by what they move a step of %s on "
             "%d GPUs of %s:",
             time, s->gpus, s->o->system ? s->o->system : "h200x8");
  for (size_t i = 0; i < s->n; i++)
    if (isfinite(s->v[i].moves))
      fprintf(stderr, "  %5.1f%%  %s\n", 100.0 * s->v[i].moves / s->time,
              s->v[i].text);
    else
      fprintf(stderr, "  to say  %s\n", s->v[i].text);
}

/* Returns the last number of a list of GPUs, or `otherwise` if there is
 * none. */
static int most_asked(const char *list, int otherwise)
{
  size_t n = list ? strlen(list) : 0;

  while (n > 0 && strchr("0123456789", list[n - 1])) n--;
  return list && list[n] ? atoi(list + n) : otherwise;
}

/* Runs the description where it was profiled, with collectives that take as
 * long as they did, and says what it has of the profile. */
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

void list_guesses(const body *b, const options *o)
{
  static guesses s;
  failure why = {EXIT_OK, ""};
  const bool alone = b->gpus < 1.5;

  s = (guesses){.o = o, .gpus = most_asked(o->gpus, 2 * (int)b->gpus)};
  if (!o->output || strcmp(o->output, "-") == 0 || s.gpus < 1) return;
  s.time = time_with(&s, NULL, NULL, &why);
  if (!isfinite(s.time)) return;
  if (b->serial_known)
    try_range(&s, "serial", -b->serial_err, b->serial_err, "",
              "what kernels do not shrink by, as the profiles have it");
  else
    try_range(&s, "serial", 0.0, 0.1, "",
              "a kernel's share that does not shrink");
  try_range(&s, "start", 1.2, 1.9, " us", "what the shortest kernel takes");
  if (b->chosen != PARTNERS_END || alone) {
    const double g = partners_growth(alone ? PARTNERS_NEIGHBOURS : b->chosen);
    if (!alone && !b->growth_known)
      try_range(&s, "growth", 0.0, g > 0.0 ? 2.0 * g : 0.5, "",
                "a copy shrinks as (N / n) ^ growth");
    if (!alone) try_partners(&s, b);
  }
  if (alone)
    for (size_t i = 0; i < b->places; i++)
      add_guess(
          &s, INFINITY,
          "bytes%zu%s: what a GPU sends to each partner behind %s, which one "
          "GPU does not show",
          i + 1, i ? "" : ", partners", b->phase[b->place[i]].name);
  if (b->guessed_calls)
    add_guess(&s, 0.0, "the host's calls: none are recorded of this work");
  if (b->guessed_waits)
    add_guess(&s, 0.0,
              "waits for events: their records are not known, and left out");
  if (b->guessed_barrier) {
    try_word(&s, "meets=each", "threads meet behind each of their waits");
    try_word(&s, "meets=never", "threads do not meet");
  }
  print(&s);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
