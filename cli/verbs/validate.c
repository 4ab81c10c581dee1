/* validate.c - gpuscale validate: compares predicted with measured times. */

#include "common/jobs.h"
#include "say/other_systems.h"
#include "validate/conditioning.h"
#include "validate/study.h"

#include <stdlib.h>

/* Refuses runs to which the system was fitted, because they cannot test it. */
static int check_rows(const study *s, failure *why)
{
  const size_t n = gscale_system_about(s->system).rows > 0 ? study_rows(s) : 0;

  for (size_t i = 0; i < n; i++) {
    const run r = study_row_run(s, i);

    if (r.gpus == 1 || !gscale_system_has_row(s->system, run_hash(&r)))
      continue;
    fail(why, EXIT_DATA,
         "%s was fitted to this run; --in-sample scores such runs too",
         gscale_system_about(s->system).name);
    return runs_blame(&r, why);
  }
  return EXIT_OK;
}

/* ---- given runs ---------------------------------------------------------- */

typedef struct given_runs {
  run_list of;
  lexicon names;
} given_runs;

static int add_given(const char *path, void *closure, failure *why)
{
  given_runs *g = closure;
  const char *kept = lexicon_keep(&g->names, path);

  return kept ? runs_read(kept, &g->of.run, &g->of.n, NULL, &g->names, why)
              : no_memory(why);
}

/* Refuses a run that is both given and scored. */
static int check_given(const study *s, const run_list *runs, failure *why)
{
  for (size_t i = 0; i < runs->n; i++) {
    const run *r = &runs->run[i];

    if (!*r->system) {
      fail(why, EXIT_DATA, "--runs: a column `system` says where it was made");
      return runs_blame(r, why);
    }
    for (size_t k = 0; k < s->n; k++)
      if (r->gpus > 1 && run_hash(r) == run_hash(&s->runs[k])) {
        fail(why, EXIT_DATA, "--runs: this run is scored");
        return runs_blame(r, why);
      }
  }
  return EXIT_OK;
}

/* Corrects each scored run by the residuals of the model on the given runs. */
static int give(study *s, const options *o, failure *why)
{
  given_runs g = {0};
  int st = each_word("--runs", o->runs, add_given, &g, why);

  if (st == EXIT_OK) st = check_given(s, &g.of, why);
  if (st == EXIT_OK) st = elsewhere_learn(s, &g.of, why);
  if (st == EXIT_OK) elsewhere_move(s);
  free(g.of.run);
  lexicon_free(&g.names);
  return st;
}

/* Returns whether equal rows are folded. --laws, --runs, --against and --best
 * need each row. */
static bool is_folded(const options *o)
{
  return !o->laws && !o->runs && !o->against && !o->best;
}

/* Takes the predictions from the current model or from a frozen file. */
static int predict(study *s, options *o, draft *head, failure *why)
{
  system_label name;
  int st = EXIT_OK;

  if (o->against && (o->system || o->link || o->no_single))
    return fail(why, EXIT_USAGE,
                "validate: --against takes the place of a --system");
  if (o->against && o->set.n > 0)
    return fail(why, EXIT_USAGE,
                "-P %s: predictions that were frozen take no settings",
                o->set.v[0].name);
  if (!o->against) st = load_asked_system(o, &s->system, NULL, name, why);
  if (st == EXIT_OK && is_folded(o)) st = study_fold(s, why);
  if (st == EXIT_OK) st = study_read(s, o->argument, o->arguments, why);
  if (st == EXIT_OK) st = study_choose(s, &o->where, o->best, why);
  if (st == EXIT_OK && s->system && !o->in_sample) st = check_rows(s, why);
  if (st != EXIT_OK) return st;
  s->no_single = o->no_single;
  s->jobs = jobs_count(o, s->n);
  s->set = &o->set;
  if (o->against) return frozen_read(s, o->against, head, why);
  st = study_predict(s, why);
  if (st == EXIT_OK && o->runs) st = give(s, o, why);
  return st == EXIT_OK ? study_all_used(s, why) : st;
}

static int report(const study *s, const options *o, const char *head,
                  failure *why)
{
  summary m = {0};
  rivals r = {0};
  int st = summary_new(s, &m, why);

  if (st == EXIT_OK && o->laws) st = rivals_new(s, o->laws, &r, why);
  if (st == EXIT_OK)
    st = report_print(s, &m, o->laws ? &r : NULL, o, head, why);
  if (st == EXIT_OK) st = demand_judge(&m, s, &r, o, why);
  summary_free(&m);
  rivals_free(&r);
  return st;
}

static int validate_main(options *o, failure *why)
{
  study s = {0};
  draft head = {0};
  int st = EXIT_OK;

  if (o->arguments == 0) st = need_arguments(o, 1, "RUNS.csv", why);
  if (st == EXIT_OK && o->estimate && !o->coverage)
    return fail(why, EXIT_USAGE, "validate: --estimate needs --coverage");
  if (st == EXIT_OK && o->coverage) return coverage_print(o, why);
  if (st == EXIT_OK) st = demand_check(o, why);
  if (st == EXIT_OK) st = predict(&s, o, &head, why);
  if (st == EXIT_OK) {
    st = study_relate(&s, why);
    if (st == EXIT_OK) st = report(&s, o, head.at, why);
  }
  draft_free(&head);
  study_free(&s);
  return st;
}

const verb verb_validate = {
    .place = 60,
    .name = "validate",
    .usage = "RUNS.csv... --system SYSTEM [options]",
    .summary = "predicted against measured times",
    .examples = "gpuscale validate data/h200x8/runs/runs.csv --system h200x8\n",
    .accepts = "system link set where best all summary worst baselines against "
               "in-sample "
               "max-error require no-single runs coverage estimate jobs format "
               "output",
    .run = validate_main,
};

/* SPDX-License-Identifier: GPL-3.0-or-later */
