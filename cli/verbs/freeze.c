/* freeze.c - gpuscale freeze: predicts declared runs in a file, which is
 * committed before the runs exist. */

#include "validate/study.h"

#include <stdlib.h>
#include <string.h>

/* Accepts a full or abbreviated hash as printed by `git rev-parse`. */
static int check_commit(const options *o, failure *why)
{
  const size_t length = o->commit ? strlen(o->commit) : 0;

  if (!o->commit)
    return fail(
        why, EXIT_USAGE,
        "freeze: needs --commit HASH, the model's: `git rev-parse HEAD`");
  if (length < 7 || length > 64 ||
      strspn(o->commit, "0123456789abcdef") != length)
    return fail(why, EXIT_USAGE, "--commit: '%.80s' is not a commit's hash",
                o->commit);
  return EXIT_OK;
}

static int check_plan(const study *s, failure *why)
{
  for (size_t i = 0; i < s->n; i++)
    for (size_t j = 0; j < i; j++)
      if (runs_same_row(&s->runs[i], &s->runs[j])) {
        fail(why, EXIT_DATA, "the same run as in line %d", s->runs[j].line);
        return runs_blame(&s->runs[i], why);
      }
  return EXIT_OK;
}

/* If --runs gives single-GPU times, requires one for each program. */
static int check_givers(const study *s, const options *o, failure *why)
{
  for (size_t i = 0; o->runs && i < s->n; i++)
    if (!runs_single(s->givers, s->n_givers, &s->runs[i])) {
      fail(why, EXIT_DATA, "no infinite run of it on 1 GPU in %.200s", o->runs);
      return runs_blame(&s->runs[i], why);
    }
  return EXIT_OK;
}

static int freeze_main(options *o, failure *why)
{
  study s = {0};
  run *givers = NULL;
  system_label name;
  int st = need_arguments(o, 1, "PLAN.csv", why);

  if (st == EXIT_OK) st = check_commit(o, why);
  if (st == EXIT_OK) st = load_asked_system(o, &s.system, NULL, name, why);
  if (st == EXIT_OK)
    st = runs_read_plan(o->argument[0], &s.runs, &s.n, &s.names, why);
  if (st == EXIT_OK) st = check_plan(&s, why);
  if (st == EXIT_OK) st = study_choose(&s, &o->where, false, why);
  if (st == EXIT_OK && o->runs)
    st = runs_read(o->runs, &givers, &s.n_givers, &s.shares, &s.names, why);
  s.givers = givers;
  s.no_single = !o->runs;
  s.set = &o->set;
  if (st == EXIT_OK) st = check_givers(&s, o, why);
  if (st == EXIT_OK) st = study_predict(&s, why);
  if (st == EXIT_OK) st = study_all_used(&s, why);
  if (st == EXIT_OK) st = frozen_write(&s, o, why);
  free(givers);
  study_free(&s);
  return st;
}

const verb verb_freeze = {
    .place = 70,
    .name = "freeze",
    .usage = "PLAN.csv --system SYSTEM --commit HASH -o PREDICTIONS.csv",
    .summary = "predictions of future runs, for validate --against",
    .examples =
        "gpuscale freeze plan.csv --system h200x8 --runs singles.csv \\\n"
        "    --commit $(git rev-parse HEAD) -o predictions.csv\n",
    .accepts = "system link set where runs commit output",
    .run = freeze_main,
};

/* SPDX-License-Identifier: GPL-3.0-or-later */
