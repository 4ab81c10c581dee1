/* study.c - predicts measured runs.
 *
 * The infinite run on one GPU is an input of the model, which predicts all
 * other runs. */

#include "validate/study.h"
#include "common/jobs.h"
#include "validate/groups.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *role_name(role r)
{
  static const char *const names[ROLES] = {[ROLE_INPUT] = "input",
                                           [ROLE_SINGLE] = "single",
                                           [ROLE_SCORED] = "scored"};

  return names[r];
}

void study_free(study *s)
{
  free(s->trials);
  free(s->runs);
  free(s->shares.run);
  if (s->rows) repeats_free(s->rows);
  free(s->rows);
  lexicon_free(&s->names);
  gscale_system_free(s->system);
  *s = (study){0};
}

/* ---- choice ------------------------------------------------------------- */

int study_fold(study *s, failure *why)
{
  s->rows = calloc(1, sizeof *s->rows);
  return s->rows ? EXIT_OK : no_memory(why);
}

int study_read(study *s, const char *const *paths, size_t files, failure *why)
{
  int st = EXIT_OK;

  for (size_t i = 0; st == EXIT_OK && i < files; i++)
    st = runs_read_repeats(paths[i], &s->runs, &s->n, &s->shares, &s->names,
                           s->rows, why);
  if (st == EXIT_OK && s->n == 0)
    st = fail(why, EXIT_DATA, "%.200s: no runs of the whole work", paths[0]);
  return st;
}

bool study_wants(const study *s, const run *r)
{
  const settings *where = s->where;

  if (!where || where->n == 0) return true;
  const settings set = run_settings(r);
  for (size_t i = 0; i < where->n; i++) {
    const struct setting *own = settings_find(&set, where->v[i].name);

    if (!own || !settings_same(own->value, where->v[i].value)) return false;
  }
  return true;
}

/* Moves run i to to[i], or drops the run if to[i] is NO_ROW. */
static void keep(study *s, const size_t *to)
{
  size_t n = 0;

  for (size_t i = 0; i < s->n; i++) {
    if (to[i] == NO_ROW) continue;
    s->runs[to[i]] = s->runs[i];
    n++;
  }
  if (n < s->n && s->rows) repeats_keep(s->rows, to);
  s->n = n;
}

int study_choose(study *s, const settings *wanted, bool best, failure *why)
{
  const char *path = s->runs[0].path, *first = s->runs[0].knobs;
  size_t *fastest = best ? study_fastest(s, why) : NULL;
  size_t *to = malloc((s->n + 1) * sizeof *to);
  size_t n = 0;
  int st = EXIT_OK;

  s->where = wanted;
  if (best && !fastest) st = why->status;
  if (!to) st = no_memory(why);
  for (size_t i = 0; st == EXIT_OK && i < s->n; i++)
    to[i] = study_wants(s, &s->runs[i]) && (!best || fastest[i] == i) ? n++
                                                                      : NO_ROW;
  if (st == EXIT_OK) keep(s, to);
  free(fastest);
  free(to);
  if (st != EXIT_OK || n > 0) return st;
  return fail(why, EXIT_DATA,
              "%.200s: no run with the knobs of --where; the first has %s",
              path, first);
}

/* ---- prediction --------------------------------------------------------- */

/* Appends the settings of -P that the run's knobs do not set. */
static int add_asked(const settings *asked, settings *set, failure *why)
{
  for (size_t i = 0; asked && i < asked->n; i++) {
    if (settings_find(set, asked->v[i].name)) continue;
    if (set->n == SETTINGS_MAX)
      return fail(why, EXIT_USAGE, "-P %s: more than %d settings",
                  asked->v[i].name, SETTINGS_MAX);
    set->v[set->n++] = asked->v[i];
  }
  return EXIT_OK;
}

/* Marks the settings of -P that the program used. */
static void mark_used(settings *asked, const settings *set, size_t own)
{
  for (size_t i = own; i < set->n; i++)
    if (set->v[i].used) settings_take(asked, set->v[i].name);
}

/* Loads the schedules of a workload that has its own, for all N of its runs. */
static int take_schedules(const study *s, const run *r, description *d,
                          settings *set, gscale_workload **w, failure *why)
{
  int *gpus, st;
  size_t n = 0;

  if (!gscale_workload_about(*w).has_program &&
      !gscale_workload_about(*w).varies)
    return EXIT_OK;
  gpus = malloc((s->n + 1) * sizeof *gpus);
  if (!gpus) return no_memory(why);
  for (size_t i = 0; i < s->n; i++) {
    bool there = strcmp(s->runs[i].workload, r->workload) != 0;

    for (size_t j = 0; !there && j < n; j++) there = gpus[j] == s->runs[i].gpus;
    if (!there) gpus[n++] = s->runs[i].gpus;
  }
  st = load_schedules(s->system, d, set, gpus, n, w, why);
  free(gpus);
  if (st == EXIT_OK) return st;
  gscale_workload_free(*w);
  *w = NULL;
  return st;
}

int study_load(const study *s, const run *r, gscale_workload **out,
               failure *why)
{
  settings set = run_settings(r);
  const size_t own = set.n;
  description *d;

  if (add_asked(s->set, &set, why) != EXIT_OK) return why->status;
  int st = open_workload(r->workload, &set, &d, out, NULL, why);
  if (st == EXIT_OK) st = take_schedules(s, r, d, &set, out, why);
  close_workload(d);
  if (st != EXIT_OK) return runs_blame(r, why);
  mark_used(s->set, &set, own);
  set.n = own;
  if (settings_all_used(&set, why) == EXIT_OK) return EXIT_OK;
  gscale_workload_free(*out);
  *out = NULL;
  return runs_blame(r, why);
}

/* Adjusts t1 until the step on one GPU, including the calls of its paradigm,
 * takes as long as measured. */
static int give_other(const study *s, const run *single, gscale_workload *w,
                      failure *why)
{
  run scaled = *single;
  int st = runs_give_single(&scaled, w, why);

  for (int k = 0; st == EXIT_OK && k < 4; k++) {
    gscale_plan *plan = NULL;
    gscale_prediction p;
    gscale_diag diag;
    gscale_status made = gscale_plan_new(s->system, w, 1, &plan, &diag);

    if (made == GSCALE_OK)
      made = gscale_predict(plan, single->paradigm, &single->k, &p, &diag);
    gscale_plan_free(plan);
    if (made != GSCALE_OK) {
      fail_gscale(why, made, &diag);
      return runs_blame(single, why);
    }
    scaled.time *= single->time / p.time;
    st = runs_give_single(&scaled, w, why);
  }
  return st;
}

void far_add_single(far_runs *f, const gscale_system *s,
                    const gscale_workload *w, const run *single)
{
  gscale_plan *plan = NULL;
  gscale_prediction p;

  if (gscale_workload_about(w).t1->val > 0.0) return;
  if (gscale_plan_new(s, w, 1, &plan, NULL) != GSCALE_OK) return;
  if (gscale_predict(plan, single->paradigm, &single->k, &p, NULL) == GSCALE_OK)
    far_add(f, single, p.time);
  gscale_plan_free(plan);
}

/* Returns the time of the whole work for a share, preferably from its file. */
static double whole_of(const study *s, const run *share, const run *single)
{
  for (size_t i = 0; i < s->n; i++) {
    const run *r = &s->runs[i];

    if (r->gpus == 1 && r->path == share->path &&
        r->paradigm == share->paradigm && runs_alike(r, share))
      return r->time;
  }
  return single->time;
}

static bool has_parts(const gscale_share_of *share, size_t n, int parts)
{
  size_t k = 0;

  while (k < n && share[k].parts != parts) k++;
  return k < n;
}

static int give_shares(const study *s, const run *single, gscale_workload *w,
                       failure *why)
{
  gscale_share_of share[GSCALE_SHARES_MAX];
  gscale_diag diag;
  size_t n = 0;

  for (size_t i = 0; i < s->shares.n && n < GSCALE_SHARES_MAX; i++) {
    const run *r = &s->shares.run[i];

    if (!runs_alike(r, single) || has_parts(share, n, r->parts)) continue;
    share[n++] = (gscale_share_of){r->parts, r->time / whole_of(s, r, single)};
  }
  if (n == 0) return EXIT_OK; /* keeps the description's shares */
  return check_gscale(why, gscale_workload_set_shares(w, share, n, &diag),
                      &diag);
}

int study_give_single(const study *s, const run *single, gscale_workload *w,
                      failure *why)
{
  const bool infinite = single->paradigm == gscale_paradigm_find("infinite");
  const int st = infinite ? runs_give_single(single, w, why)
                          : give_other(s, single, w, why);

  return st == EXIT_OK ? give_shares(s, single, w, why) : st;
}

/* Loads the program of a run and gives it the measured single-GPU time. */
static int load_program(study *s, const run *r, const run *single,
                        gscale_workload **w, failure *why)
{
  int st = study_load(s, r, w, why);

  if (st != EXIT_OK) return st;
  if (gscale_workload_origin(*w) == GSCALE_FITTED)
    st = fail(why, EXIT_DATA,
              "%s: numbers fitted to run times cannot be validated with run "
              "times",
              r->workload);
  if (st == EXIT_OK && single) {
    far_add_single(&s->far, s->system, *w, single);
    st = study_give_single(s, single, *w, why);
  }
  if (st == EXIT_OK) return st;
  gscale_workload_free(*w);
  *w = NULL;
  return runs_blame(r, why);
}

/* Predicts the time in s of an infinite run, in which nothing moves and the
 * host waits. */
static gscale_status left_out(const gscale_plan *plan, double *out,
                              gscale_diag *diag)
{
  gscale_knobs k = gscale_knobs_best;
  gscale_prediction p;

  k.as_run = true;
  const gscale_status st =
      gscale_predict(plan, gscale_paradigm_find("infinite"), &k, &p, diag);
  *out = st == GSCALE_OK ? p.time : NAN;
  return st;
}

static int predict_run(const study *s, const gscale_workload *w, const run *r,
                       trial *t, failure *why)
{
  gscale_plan *plan = NULL;
  gscale_prediction p;
  gscale_diag diag;
  gscale_error e;
  double infinite;
  gscale_status st = gscale_plan_new(s->system, w, r->gpus, &plan, &diag);

  if (st == GSCALE_OK) st = gscale_predict(plan, r->paradigm, &r->k, &p, &diag);
  if (st == GSCALE_OK) st = left_out(plan, &infinite, &diag);
  if (st == GSCALE_OK)
    st = gscale_error_of(s->system, w, r->gpus, r->paradigm, &p.knobs, &e,
                         &diag);
  gscale_plan_free(plan);
  if (st != GSCALE_OK) {
    fail_gscale(why, st, &diag);
    return runs_blame(r, why);
  }
  *t = (trial){.time = p.time,
               .infinite = infinite,
               .err = e.time,
               .of_parameters = hypot(e.of_parameters, e.of_collectives),
               .of_known = e.of_known,
               .at = e.at,
               .doublings = e.widened.doublings,
               .given = gscale_workload_about(w).t1->val > 0.0,
               .bound = p.bound,
               .applicability = e.applicability};
  memcpy(t->part, p.part, sizeof t->part);
  return EXIT_OK;
}

/* The inputs of a prediction. Runs with equal inputs are predicted once. */
typedef struct prediction_key {
  const run *runs;
  const run **single;
} prediction_key;

static uint64_t hash_source(const void *all, size_t i)
{
  const prediction_key *a = all;

  return hash_number((uintptr_t)a->runs[i].program, (uintptr_t)a->single[i]);
}

static bool same_source(const void *all, size_t i, size_t j)
{
  const prediction_key *a = all;

  return a->runs[i].program == a->runs[j].program &&
         a->single[i] == a->single[j];
}

static uint64_t hash_asked(const void *all, size_t i)
{
  const run *r = &((const prediction_key *)all)->runs[i];
  uint64_t hash = hash_number(hash_source(all, i), r->paradigm);

  hash = hash_number(hash, (uint64_t)r->gpus);
  for (size_t k = 0; k < GSCALE_KNOB_END; k++) {
    const double v = isnan(r->k.v[k]) ? 0.0 : r->k.v[k];
    uint64_t bits;

    memcpy(&bits, &v, sizeof bits);
    hash = hash_number(hash, bits);
  }
  return hash;
}

static bool same_asked(const void *all, size_t i, size_t j)
{
  const run *r = ((const prediction_key *)all)->runs;

  return same_source(all, i, j) && runs_same_row(&r[i], &r[j]);
}

typedef struct plan {
  const run **single; /* single-GPU run of each run, or NULL */
  size_t *first;      /* first run with the same inputs */
  size_t *source;     /* first run with this program and single-GPU time */
  size_t *next;       /* next run with the same source */
} plan;

static void free_plan(plan *p)
{
  free(p->single);
  free(p->first);
  free(p->source);
  free(p->next);
}

static int make_plan(const study *s, plan *p, failure *why)
{
  prediction_key a = {.runs = s->runs};

  *p = (plan){.single = study_singles(s, why)};
  if (!p->single) return why->status;
  a.single = p->single;
  p->first = group_rows(s->n, (likeness){hash_asked, same_asked, &a});
  p->source = group_rows(s->n, (likeness){hash_source, same_source, &a});
  if (p->source) p->next = chain_rows(s->n, p->source);
  return p->first && p->next ? EXIT_OK : no_memory(why);
}

/* Returns whether an infinite run is a measured share, which is an input. */
static bool is_given_share(const gscale_workload *w, const run *r)
{
  const gscale_workload_facts facts = gscale_workload_about(w);

  return r->paradigm == gscale_paradigm_find("infinite") &&
         has_parts(facts.share, facts.shares, r->gpus);
}

static role role_of(const gscale_workload *w, const run *r, const run *single)
{
  if (is_given_share(w, r)) return ROLE_INPUT;
  return r->gpus > 1 ? ROLE_SCORED : r == single ? ROLE_INPUT : ROLE_SINGLE;
}

/* Predicts all runs of the program of runs[first] with its single-GPU time. */
static int predict_program(study *s, const plan *p, size_t first, failure *why)
{
  gscale_workload *w = NULL;
  const char *name = NULL;
  int st = load_program(s, &s->runs[first], p->single[first], &w, why);

  if (st != EXIT_OK) return st;
  name = lexicon_keep(&s->names, gscale_workload_about(w).name);
  if (!name) st = no_memory(why);
  for (size_t i = first; st == EXIT_OK && i != NO_ROW; i = p->next[i]) {
    trial *t = &s->trials[i];

    if (p->first[i] < i)
      *t = s->trials[p->first[i]];
    else
      st = predict_run(s, w, &s->runs[i], t, why);
    t->program = name;
    t->role = role_of(w, &s->runs[i], p->single[i]);
  }
  gscale_workload_free(w);
  return st;
}

/* Each program is one piece of the work, identified by its first run. */
typedef struct division {
  study *s;
  plan p;
  size_t *first, n, done;
  far_runs far; /* of all received programs */
} division;

/* Remarks on a program that are sent with its predictions. */
typedef struct remarks {
  far_runs far;
  bool used[SETTINGS_MAX];
  char name[GSCALE_NAME_MAX];
} remarks;

static int send_program(size_t piece, FILE *f, void *closure, failure *why)
{
  division *d = closure;
  study *s = d->s;
  remarks r = {.name = ""};
  const size_t first = d->first[piece];

  s->far = (far_runs){0};
  const int st = predict_program(s, &d->p, first, why);
  if (st != EXIT_OK) return st;
  r.far = s->far;
  for (size_t i = 0; s->set && i < s->set->n; i++)
    r.used[i] = s->set->v[i].used;
  snprintf(r.name, sizeof r.name, "%s", s->trials[first].program);
  fwrite(&r, sizeof r, 1, f);
  for (size_t i = first; i != NO_ROW; i = d->p.next[i])
    if (d->p.first[i] == i)
      fwrite(&s->trials[i], sizeof s->trials[i], 1, f);
    else
      fwrite(&s->trials[i].role, sizeof s->trials[i].role, 1, f);
  return EXIT_OK;
}

static int take_program(size_t piece, const char *text, size_t size,
                        void *closure, failure *why)
{
  division *d = closure;
  study *s = d->s;
  passage p = {text, size};
  remarks r;

  passage_take(&p, &r, sizeof r);
  const char *name = lexicon_keep(&s->names, r.name);
  if (!name) return no_memory(why);
  far_more(&d->far, &r.far);
  for (size_t i = 0; s->set && i < s->set->n; i++)
    s->set->v[i].used = s->set->v[i].used || r.used[i];
  for (size_t i = d->first[piece]; i != NO_ROW; i = d->p.next[i]) {
    trial *t = &s->trials[i];

    if (d->p.first[i] == i) {
      passage_take(&p, t, sizeof *t);
    } else {
      *t = s->trials[d->p.first[i]];
      passage_take(&p, &t->role, sizeof t->role);
    }
    t->program = name;
    d->done++;
  }
  progress("runs", d->done, s->n);
  return EXIT_OK;
}

static int divide(division *d, failure *why)
{
  const int st = make_plan(d->s, &d->p, why);

  if (st != EXIT_OK) return st;
  d->first = malloc((d->s->n + 1) * sizeof *d->first);
  if (!d->first) return no_memory(why);
  for (size_t i = 0; i < d->s->n; i++)
    if (d->p.source[i] == i) d->first[d->n++] = i;
  return EXIT_OK;
}

/* Limits the processes to about one per `least` predictions. */
static size_t processes_for(const division *d)
{
  const size_t least = 64;
  size_t asked = 0;

  for (size_t i = 0; i < d->s->n; i++) asked += d->p.first[i] == i;
  const size_t most = asked / least + 1;
  return d->s->jobs < most ? d->s->jobs : most;
}

static void note_far(study *s)
{
  for (size_t i = 0; i < study_rows(s); i++) {
    const measured_row row = study_row(s, i);
    const run r = study_row_run(s, i);

    if (row.role != ROLE_INPUT) far_add(&s->far, &r, s->trials[row.of].time);
  }
  far_note(&s->far);
}

int study_predict(study *s, failure *why)
{
  division d = {.s = s};
  int st = divide(&d, why);

  free(s->trials);
  s->trials = calloc(s->n, sizeof *s->trials);
  if (st == EXIT_OK && !s->trials) st = no_memory(why);
  s->far = (far_runs){0};
  const jobs j = {d.n, send_program, take_program, &d};
  if (st == EXIT_OK) st = jobs_run(&j, processes_for(&d), why);
  progress_end();
  free(d.first);
  free_plan(&d.p);
  s->far = d.far;
  if (st == EXIT_OK && !s->far_noted) note_far(s);
  return st;
}

int study_pass(study *s, failure *why)
{
  free(s->trials);
  s->trials = calloc(s->n + 1, sizeof *s->trials);
  if (!s->trials) return no_memory(why);
  for (size_t i = 0; i < s->n; i++)
    s->trials[i] =
        (trial){.role = s->runs[i].gpus > 1 ? ROLE_SCORED : ROLE_SINGLE,
                .program = s->runs[i].program,
                .time = NAN,
                .infinite = NAN,
                .err = NAN};
  return EXIT_OK;
}

static bool has_setting(const run *r, const char *name)
{
  const settings set = run_settings(r);

  return settings_find(&set, name);
}

int study_all_used(const study *s, failure *why)
{
  for (size_t i = 0; i < s->set->n; i++) {
    const struct setting *one = &s->set->v[i];

    for (size_t j = 0; !one->used && j < s->n; j++)
      if (has_setting(&s->runs[j], one->name))
        return fail(why, EXIT_USAGE,
                    "-P %s: the runs say it; `--where %s=%s` chooses runs",
                    one->name, one->name, one->value);
  }
  return settings_all_used(s->set, why);
}

double study_error(const study *s, size_t i)
{
  return s->trials[i].time / s->runs[i].time - 1.0;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
