/* measurement_advice.c - finds the measurements that would most reduce errors
 * of shipped programs. */

#include "calibrate/calibrate.h"
#include "say/predict.h"

#include <stdlib.h>
#include <string.h>

/* The programs have different patterns: neighbours, all-to-all, random access
 * and small pieces. */
static const char *const programs[] = {"jacobi", "allgather", "pagerank",
                                       "transpose"};
enum {
  PROGRAMS = sizeof programs / sizeof *programs,
  WANTED_OF_EACH = 3
};

/* Loads a program on all GPUs of the system with every existing paradigm. */
static int ask(question *q, gscale_system *s, const char *program, failure *why)
{
  settings none = {0};
  int st = load_workload(program, &none, &q->workload, NULL, why);

  if (st != EXIT_OK) return st;
  q->system = s;
  snprintf(q->name, sizeof q->name, "%s", gscale_system_about(s).name);
  q->n = 1;
  q->gpus[0] = gscale_system_about(s).gpus;
  return question_paradigms(q, "all", false, why);
}

static void print(FILE *f, const question *q, const wanted *w, size_t n)
{
  number_label label;

  for (size_t k = 0; k < n; k++)
    if (!w[k].number->of_workload)
      put_line(f, 4, "  %s: %s; without its error %s is +/- %.1f%%",
               say_number(q, w[k].number, label), w[k].how,
               gscale_workload_about(q->workload).name, 100.0 * w[k].left);
}

static int answer_one(question *q, answer **a, failure *why)
{
  int st = question_fit(q, true, why);

  if (st == EXIT_OK) st = question_join(q, why);
  if (st != EXIT_OK) return st;
  *a = question_answers(q);
  if (!*a) return fail(why, EXIT_INTERNAL, "no memory for the predictions");
  st = question_answer_at(q, 0, true, *a, why);
  return st == EXIT_OK ? question_settle(q, *a, true, why) : st;
}

static int advise_one(FILE *f, const question *q, const answer *a, failure *why)
{
  const size_t best = question_best(q, a, 0);
  influences of = {0};
  wanted w[WANTED_OF_EACH];
  int st;

  if (best == q->paradigms) return EXIT_OK;
  st = influences_find(&of, q, best, 0, &a[best].p.knobs, why);
  if (st == EXIT_OK)
    print(f, q, w,
          measure_next(q, &of, a[best].p.time, a[best].err, w, WANTED_OF_EACH));
  influences_free(&of);
  return st;
}

/* Tries a program, which is skipped if missing or unsuitable. */
static int try_program(FILE *f, question *q, gscale_system *s,
                       const char *program, failure *why)
{
  answer *a = NULL;
  int st;

  memset(q, 0, sizeof *q);
  st = ask(q, s, program, why);
  if (st == EXIT_OK) st = answer_one(q, &a, why);
  if (st == EXIT_OK)
    st = advise_one(f, q, a, why);
  else if (st != EXIT_INTERNAL)
    st = EXIT_OK;
  free(a);
  q->system = NULL; /* owned by the caller */
  question_free(q);
  return st;
}

int advise(FILE *f, gscale_system *s, failure *why)
{
  static question q; /* large */
  int st = EXIT_OK;

  if (gscale_system_about(s).gpus < 2) return EXIT_OK;
  fprintf(f, "\nmeasure this next, for programs on %d GPUs\n",
          gscale_system_about(s).gpus);
  for (size_t i = 0; st == EXIT_OK && i < PROGRAMS; i++)
    st = try_program(f, &q, s, programs[i], why);
  return st;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
