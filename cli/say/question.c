/* question.c - loads a question: a system, a workload, paradigms and N. */

#include "say/findings.h"

#include <stdlib.h>
#include <string.h>

/* ---- the question ------------------------------------------------------- */

/* Lists numbers of GPUs up to the built size, which is always the last. */
static void choose_gpus(question *q, default_gpus which)
{
  const int built = gscale_system_about(q->system).gpus;

  q->n = 0;
  for (int n = 1; n < built && q->n + 1 < GPUS_LISTED;
       n += which == GPUS_EVERY ? 1 : n)
    q->gpus[q->n++] = n;
  q->gpus[q->n++] = built;
}

/* Loads system and workload. With --runs, --link replaces the system's link
 * only after the runs, which had the original link, have been used. */
static int load_both(question *q, options *o, failure *why)
{
  const char *link = o->link;

  if (q->given) o->link = NULL;
  const int st =
      load_asked_system(o, &q->system, &q->about_system, q->name, why);
  if (st != EXIT_OK) return st;
  if (q->given) o->link = is_own_link(q->system, link) ? NULL : link;
  if (q->given) findings_keep(q->given, &o->set);
  return open_workload(o->argument[o->arguments - 1], &o->set, &q->described,
                       &q->workload, &q->about_workload, why);
}

/* Stores the settings in the syntax of -P and of files with runs. */
static void question_note(question *q, const options *o)
{
  print_settings(q->settings, sizeof q->settings, &o->set);
  if (o->link)
    gscale_append(q->settings, sizeof q->settings, "%slink=%s",
                  *q->settings ? ";" : "", o->link);
}

/* ---- weak scaling -------------------------------------------------------- */

int question_alone(question *q, const gscale_plan *one, failure *why)
{
  gscale_prediction p;
  gscale_diag diag;
  const gscale_status st =
      gscale_predict(one, gscale_paradigm_find("infinite"), NULL, &p, &diag);

  if (st != GSCALE_OK) return fail_gscale(why, st, &diag);
  q->alone = p.time;
  return EXIT_OK;
}

static int time_alone(question *q, failure *why)
{
  gscale_plan *plan = NULL;
  gscale_diag diag;
  const gscale_status made =
      gscale_plan_new(q->system, q->workload, 1, &plan, &diag);
  int st = EXIT_OK;

  if (made == GSCALE_ESIZE)
    return fail(why, EXIT_DATA,
                "--weak: efficiency is over one GPU, which has no room: %.400s",
                diag.text);
  st = made == GSCALE_OK ? question_alone(q, plan, why)
                         : fail_gscale(why, made, &diag);
  gscale_plan_free(plan);
  return st;
}

static int grow_to(question *q, options *o, int n, failure *why)
{
  static about more; /* large */
  grown *g = &q->weak[n];
  const int st = load_grown(q->system, q->described, &o->set, n, &q->scheduled,
                            &g->workload, &more, why);
  size_t size;

  if (st != EXIT_OK) return st;
  memcpy(q->rule, more.rule, sizeof q->rule);
  memcpy(g->size, more.size, sizeof g->size);
  memcpy(g->memory, more.memory, sizeof g->memory);
  size = strlen(q->settings) + sizeof q->rule + sizeof g->size + 16;
  g->settings = malloc(size);
  if (!g->settings) return no_memory(why);
  snprintf(g->settings, size, "%s%sweak=%s:%s", q->settings,
           *q->settings ? ";" : "", q->rule, g->size);
  return EXIT_OK;
}

/* Keeps the N for which each() succeeds, and notes the other N. Fails if no N
 * remains. */
static int keep_gpus(question *q, options *o,
                     int (*each)(question *q, options *o, int n, failure *why),
                     failure *why)
{
  static failure first; /* large */
  left_out *l = &q->left;
  size_t kept = 0, first_at = 0, last_at = 0;

  for (size_t j = 0; j < q->n; j++) {
    const int st = each(q, o, q->gpus[j], why);

    if (st == EXIT_OK) {
      q->gpus[kept++] = q->gpus[j];
      continue;
    }
    if (st != EXIT_DATA) return st;
    if (l->n++ == 0) {
      first = *why;
      first_at = j;
      l->first = q->gpus[j];
      snprintf(l->why, sizeof l->why, "%.*s", (int)strcspn(why->text, "\n"),
               why->text);
    }
    last_at = j;
    l->last = q->gpus[j];
  }
  if (kept == 0) *why = first;
  if (kept == 0) return why->status;
  l->among = last_at - first_at + 1;
  q->n = kept;
  return EXIT_OK;
}

/* Scales the workload to each N, and makes the reference of speedups. */
static int scale_workloads(question *q, options *o, failure *why)
{
  int st = EXIT_OK;

  q->weak = calloc(GPUS_MAX + 1, sizeof *q->weak);
  if (!q->weak) return no_memory(why);
  st = keep_gpus(q, o, grow_to, why);
  gscale_append(q->settings, sizeof q->settings, "%sweak=%s",
                *q->settings ? ";" : "", q->rule);
  return st == EXIT_OK ? time_alone(q, why) : st;
}

static void forget_grown(question *q)
{
  for (int n = 0; q->weak && n <= GPUS_MAX; n++) {
    gscale_workload_free(q->weak[n].workload);
    free(q->weak[n].settings);
  }
  free(q->weak);
  q->weak = NULL;
}

/* ---- loading ------------------------------------------------------------ */

static int load_schedule(question *q, options *o, int n, failure *why)
{
  return load_schedules(q->system, q->described, &o->set, &n, 1, &q->workload,
                        why);
}

static int load_all_schedules(question *q, options *o, failure *why)
{
  return load_schedules(q->system, q->described, &o->set, q->gpus, q->n,
                        &q->workload, why);
}

/* Loads all schedules at once. If loading all fails, loads one schedule after
 * the other. */
static int take_schedules(question *q, options *o, failure *why)
{
  int st = load_all_schedules(q, o, why);

  if (st != EXIT_DATA || q->n < 2) return st;
  st = keep_gpus(q, o, load_schedule, why);
  return st == EXIT_OK ? load_all_schedules(q, o, why) : st;
}

/* Refuses an unused setting, and suggests knobs of workload and paradigms. */
static int refuse_unused(const question *q, const settings *set, failure *why)
{
  static char of_paradigm[PARADIGMS_MAX * GSCALE_KNOB_END][2 * GSCALE_NAME_MAX];
  const char *own[KNOBS_MAX + PARADIGMS_MAX * GSCALE_KNOB_END];
  const about *w = &q->about_workload;
  char there[512] = "", refusal[640];
  size_t n = 0, paradigms = 0;

  for (size_t k = 0; k < w->knobs; k++) {
    own[n++] = w->knob[k].name;
    gscale_append(there, sizeof there, "%s%s", k ? ", " : "", w->knob[k].name);
  }
  for (size_t i = 0; i < q->paradigms; i++)
    for (int k = 0; k < GSCALE_KNOB_END && q->between[i] == 0; k++) {
      if (!gscale_paradigm_at(q->paradigm[i])->uses[k]) continue;
      snprintf(of_paradigm[paradigms], sizeof of_paradigm[0], "%s.%s",
               question_inside(q, i), gscale_knob_at((gscale_knob)k)->name);
      own[n++] = of_paradigm[paradigms++];
    }
  snprintf(refusal, sizeof refusal, "%s%.80s%s%s", *there ? "; " : "",
           *there ? gscale_workload_about(q->workload).name : "",
           *there ? " has " : "", there);
  return settings_all_known(set, own, n, refusal, why);
}

static int take_all_knobs(question *q, options *o, failure *why)
{
  for (size_t i = 0; i < q->paradigms; i++) {
    const int st = take_knobs(&o->set, q->paradigm[i], &q->knobs[i], why);
    if (st != EXIT_OK) return st;
    /* -P memcpy.between replaces the method of memcpy alone, but not the method
     * of a pair such as memcpy+gpudirect. */
    if (q->between[i] > 0 && !q->named) q->knobs[i].between = q->between[i];
    if (q->between[i] > 0) question_name_pair(q, i);
  }
  return refuse_unused(q, &o->set, why);
}

static int swap_given(question *q, options *o, failure *why)
{
  print_note("the runs are assumed to use %s, the link of %s; their "
             "information is transferred to %s",
             gscale_system_about(q->system).link->name,
             gscale_system_about(q->system).name, o->link);
  findings_swap(q->given, q);
  return put_link(o, q->system, q->name, why);
}

/* Loads everything except the system and the workload. */
static int ask_rest(question *q, options *o, default_gpus gpus, failure *why)
{
  int st = EXIT_OK;

  if (o->gpus)
    st = parse_gpus("--gpus", o->gpus, q->gpus, &q->n, why);
  else
    choose_gpus(q, gpus);
  /* The batch per GPU is constant in training, so that it scales weakly. */
  for (size_t i = 0; i < q->about_workload.knobs; i++)
    o->weak |= strcmp(q->about_workload.knob[i].name, "replicas") == 0;
  if (st == EXIT_OK) st = take_schedules(q, o, why);
  if (st != EXIT_OK) return st;
  st = question_paradigms(q, o->paradigm ? o->paradigm : "all", o->proposed,
                          why);
  q->steps = o->steps;
  question_note(q, o);
  if (st == EXIT_OK) st = take_price(q, o, why);
  if (st == EXIT_OK) st = take_all_knobs(q, o, why);
  if (st == EXIT_OK && o->weak) st = scale_workloads(q, o, why);
  if (st == EXIT_OK && q->given) st = findings_take(q->given, q, why);
  return st == EXIT_OK && q->given && o->link ? swap_given(q, o, why) : st;
}

int question_load(question *q, options *o, default_gpus gpus, failure *why)
{
  int st;

  memset(q, 0, sizeof *q);
  st = o->runs ? findings_open(&q->given, o, why) : EXIT_OK;
  if (st == EXIT_OK) st = load_both(q, o, why);
  return st == EXIT_OK ? ask_rest(q, o, gpus, why) : st;
}

int question_again(question *q, options *o, default_gpus gpus, failure *why)
{
  gscale_workload *w = NULL;
  const int st =
      ask_workload(q->described, &o->set, &w, &q->about_workload, why);

  if (st != EXIT_OK) return st;
  forget_grown(q);
  gscale_workload_free(q->workload);
  q->workload = w;
  q->scheduled = 0;
  memset(&q->left, 0, sizeof q->left);
  return ask_rest(q, o, gpus, why);
}

void question_given(const question *q, size_t i, int n, gscale_prediction *p)
{
  if (q->given) findings_time(q->given, i, n, p);
}

void question_given_error(const question *q, size_t i, int n,
                          const gscale_prediction *p, gscale_error *e)
{
  if (q->given) findings_error(q->given, i, n, p, e);
}

void say_given(const question *q, size_t i, int n, char *text, size_t size)
{
  *text = '\0';
  if (q->given) findings_say(q->given, i, n, text, size);
}

void question_free(question *q)
{
  forget_grown(q);
  findings_free(q->given);
  q->given = NULL;
  gscale_system_free(q->system);
  gscale_workload_free(q->workload);
  close_workload(q->described);
  q->described = NULL;
  if (q->joint_owned) gscale_joint_free(q->joint);
  q->system = NULL;
  q->workload = NULL;
  if (q->joint_owned) q->joint = NULL;
  q->joint_owned = false;
}

/* ---- the answers -------------------------------------------------------- */

/* Notes on stderr which N were left out, and why the first one was. */
static void note_unfit(const int *gpus, size_t n, const char *why)
{
  char on[32] = "";

  if (n > 1) snprintf(on, sizeof on, n > 2 ? " to %d" : " and %d", gpus[n - 1]);
  print_note("no row for %d%s GPU%s: %s", gpus[0], on,
             n == 1 && gpus[0] == 1 ? "" : "s", why);
}

/* Notes the N for which no workload could be built. */
static void note_left(const left_out *l)
{
  const bool gaps = l->n > 2 && l->n < l->among;
  char on[96] = "";

  if (gaps) gscale_append(on, sizeof on, "%zu numbers of GPUs from ", l->n);
  gscale_append(on, sizeof on, "%d", l->first);
  if (l->n > 1)
    gscale_append(on, sizeof on, l->n > 2 ? " to %d" : " and %d", l->last);
  print_note("no row for %s%s: %s", on,
             gaps                         ? ""
             : l->n == 1 && l->first == 1 ? " GPU"
                                          : " GPUs",
             l->why);
}

int question_fit(question *q, bool quiet, failure *why)
{
  gscale_diag diag, first = {0};
  size_t kept = 0, unfit = 0; /* N left out before j */

  if (q->left.n > 0 && !quiet) note_left(&q->left);
  q->left.n = 0;
  for (size_t j = 0; j <= q->n; j++) {
    const gscale_status st =
        j == q->n
            ? GSCALE_OK
            : gscale_plan_check(q->system, question_workload(q, q->gpus[j]),
                                q->gpus[j], &diag);

    if (st != GSCALE_OK && st != GSCALE_ESIZE)
      return fail_gscale(why, st, &diag);
    if (st == GSCALE_ESIZE) {
      if (unfit++ == 0) first = diag;
      continue;
    }
    if (unfit > 0 && unfit == q->n)
      return fail_gscale(why, GSCALE_ESIZE, &first);
    if (unfit > 0 && !quiet) note_unfit(&q->gpus[j - unfit], unfit, first.text);
    unfit = 0;
    if (j < q->n) q->gpus[kept++] = q->gpus[j];
  }
  q->n = kept;
  return EXIT_OK;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
