/* question.c - what most verbs ask: a system, a workload, paradigms, N. */

#include "predict/predict.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- the system --------------------------------------------------------- */

static gscale_status keep_can(gscale_system *s, const gscale_can *given,
                              settings *set, gscale_diag *diag)
{
  gscale_can can = *gscale_system_can(s);

  if (!settings_take(set, "can.peer")) return GSCALE_OK;
  can.peer = given->peer;
  return gscale_system_set_can(s, &can, diag);
}

/* What -P said holds for the new link too. */
static gscale_status swap_link(gscale_system *s, const gscale_link *l,
                               settings *set, gscale_diag *diag)
{
  gscale_param given[GSCALE_PARAMS_MAX];
  bool is_given[GSCALE_PARAMS_MAX];
  const gscale_can can = *gscale_system_can(s);
  gscale_status st;

  for (size_t i = 0; i < gscale_param_count(); i++) {
    is_given[i] = settings_take(set, gscale_param_info_at(i)->name) != NULL;
    given[i] = *gscale_system_get(s, (gscale_param_id)i);
  }
  st = gscale_system_swap_link(s, l, diag);
  for (size_t i = 0; st == GSCALE_OK && i < gscale_param_count(); i++)
    if (is_given[i])
      st = gscale_system_set(s, (gscale_param_id)i, &given[i], diag);
  return st == GSCALE_OK ? keep_can(s, &can, set, diag) : st;
}

static int put_link(options *o, gscale_system *s, system_label name,
                    failure *why)
{
  const gscale_link *links[LINKS_MAX];
  size_t n = 0, used = strlen(name);
  gscale_diag diag;
  gscale_status swapped;
  const int st = parse_links(o->link, links, &n, why);

  if (st != EXIT_OK) return st;
  if (n != 1)
    return fail(why, EXIT_USAGE, "%s: one link, not '%.100s'", o->verb,
                o->link);
  swapped = swap_link(s, links[0], &o->set, &diag);
  if (swapped != GSCALE_OK) return fail_gscale(why, swapped, &diag);
  snprintf(name + used, sizeof(system_label) - used, ":%s", links[0]->name);
  return EXIT_OK;
}

int load_asked_system(options *o, gscale_system **out, about *more,
                      system_label name, failure *why)
{
  int st;

  if (!o->system)
    return fail(why, EXIT_USAGE,
                "%s: needs --system SYSTEM; see `gpuscale list systems`",
                o->verb);
  st = load_system(o->system, &o->set, out, more, why);
  if (st != EXIT_OK) return st;
  snprintf(name, sizeof(system_label), "%s", gscale_system_name(*out));
  return o->link ? put_link(o, *out, name, why) : EXIT_OK;
}

/* ---- the question ------------------------------------------------------- */

/* The built size itself is the last in either case. */
static void choose_gpus(question *q, default_gpus which)
{
  const int built = gscale_system_gpus(q->system);

  q->n = 0;
  for (int n = 1; n < built && n < GPUS_MAX; n += which == GPUS_EVERY ? 1 : n)
    q->gpus[q->n++] = n;
  q->gpus[q->n++] = built;
}

static int load_both(question *q, options *o, failure *why)
{
  const int st =
      load_asked_system(o, &q->system, &q->about_system, q->name, why);

  if (st != EXIT_OK) return st;
  return load_workload(o->argument[o->arguments - 1], &o->set, &q->workload,
                       &q->about_workload, why);
}

/* What was asked, as -P takes it and as files of runs have it. */
static void note_settings(question *q, const options *o)
{
  size_t used;

  print_settings(q->settings, sizeof q->settings, &o->set);
  used = strlen(q->settings);
  if (o->link)
    snprintf(q->settings + used, sizeof q->settings - used, "%slink=%s",
             used ? ";" : "", o->link);
}

/* ---- weak scaling -------------------------------------------------------- */

const gscale_workload *question_workload(const question *q, int n)
{
  return q->weak && q->weak[n].workload ? q->weak[n].workload : q->workload;
}

const char *question_settings(const question *q, int n)
{
  return q->weak && q->weak[n].workload ? q->weak[n].settings : q->settings;
}

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
  const int st = load_grown(q->system, q->about_workload.path, &o->set, n,
                            &q->scheduled, &g->workload, &more, why);
  size_t size;

  if (st != EXIT_OK) return st;
  memcpy(q->rule, more.rule, sizeof q->rule);
  memcpy(g->size, more.size, sizeof g->size);
  size = strlen(q->settings) + sizeof q->rule + sizeof g->size + 16;
  g->settings = malloc(size);
  if (!g->settings) return fail(why, EXIT_INTERNAL, "no memory to grow");
  snprintf(g->settings, size, "%s%sweak=%s:%s", q->settings,
           *q->settings ? ";" : "", q->rule, g->size);
  return EXIT_OK;
}

/* Keeps the N that each() makes something of, notes those of which it can make
 * nothing, and fails if they are all. */
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

/* The workload anew for each N, and what all are compared with. */
static int grow(question *q, options *o, failure *why)
{
  size_t used;
  int st = EXIT_OK;

  q->weak = calloc(GPUS_MAX + 1, sizeof *q->weak);
  if (!q->weak) return fail(why, EXIT_INTERNAL, "no memory to grow");
  st = keep_gpus(q, o, grow_to, why);
  used = strlen(q->settings);
  snprintf(q->settings + used, sizeof q->settings - used, "%sweak=%s",
           used ? ";" : "", q->rule);
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

/* Scaled speedup: N GPUs do N times the work of one in T(1) / T(N) of its
 * time. */
static void compare_with_one(const question *q, int n, gscale_prediction *p)
{
  p->efficiency = q->alone / p->time;
  p->speedup = n * p->efficiency;
}

/* ---- the question as it is asked ----------------------------------------- */

static void name_pair(question *q, size_t i)
{
  gscale_pair_name(q->paradigm[i], &q->knobs[i], q->pair[i], sizeof q->pair[i]);
}

static int load_schedule(question *q, options *o, int n, failure *why)
{
  return load_schedules(q->system, q->about_workload.path, &o->set, &n, 1,
                        &q->workload, why);
}

static int load_all_schedules(question *q, options *o, failure *why)
{
  return load_schedules(q->system, q->about_workload.path, &o->set, q->gpus,
                        q->n, &q->workload, why);
}

/* All at once; where one of them cannot be said, those that can. */
static int take_schedules(question *q, options *o, failure *why)
{
  int st = load_all_schedules(q, o, why);

  if (st != EXIT_DATA || q->n < 2) return st;
  st = keep_gpus(q, o, load_schedule, why);
  return st == EXIT_OK ? load_all_schedules(q, o, why) : st;
}

static int take_all_knobs(question *q, options *o, failure *why)
{
  for (size_t i = 0; i < q->paradigms; i++) {
    const int st = take_knobs(&o->set, q->paradigm[i], &q->knobs[i], why);
    if (st != EXIT_OK) return st;
    /* A way that is given goes for memcpy, not for the ways beside it. */
    if (q->between[i] > 0 && !q->named) q->knobs[i].between = q->between[i];
    if (q->between[i] > 0) name_pair(q, i);
  }
  return settings_all_used(&o->set, why);
}

int question_paradigms(question *q, const char *text, bool proposed,
                       failure *why)
{
  const int st = parse_paradigms(text, proposed, q->paradigm, q->between,
                                 &q->paradigms, &q->named, why);

  for (size_t i = 0; i < q->paradigms; i++) {
    q->knobs[i] = gscale_knobs_best;
    q->knobs[i].between = q->between[i];
    name_pair(q, i);
  }
  return st;
}

int question_load(question *q, options *o, default_gpus gpus, failure *why)
{
  int st;

  memset(q, 0, sizeof *q);
  st = load_both(q, o, why);
  if (st != EXIT_OK) return st;
  if (o->gpus)
    st = parse_gpus("--gpus", o->gpus, q->gpus, &q->n, why);
  else
    choose_gpus(q, gpus);
  if (st == EXIT_OK) st = take_schedules(q, o, why);
  if (st != EXIT_OK) return st;
  st = question_paradigms(q, o->paradigm ? o->paradigm : "all", o->proposed,
                          why);
  q->steps = o->steps;
  note_settings(q, o);
  if (st == EXIT_OK) st = take_price(q, o, why);
  if (st == EXIT_OK) st = take_all_knobs(q, o, why);
  return st == EXIT_OK && o->weak ? grow(q, o, why) : st;
}

void question_free(question *q)
{
  forget_grown(q);
  gscale_system_free(q->system);
  gscale_workload_free(q->workload);
  if (q->joint_owned) gscale_joint_free(q->joint);
  q->system = NULL;
  q->workload = NULL;
  if (q->joint_owned) q->joint = NULL;
  q->joint_owned = false;
}

/* ---- the answers -------------------------------------------------------- */

/* Says on stderr which N were left out, and why the first was. */
static void note_unfit(const int *gpus, size_t n, const char *why)
{
  fprintf(stderr, "gpuscale: note: no row for %d", gpus[0]);
  if (n > 1) fprintf(stderr, n > 2 ? " to %d" : " and %d", gpus[n - 1]);
  fprintf(stderr, " GPU%s: %s\n", n == 1 && gpus[0] == 1 ? "" : "s", why);
}

/* Notes the numbers of GPUs for which no workload could be made. */
static void note_left(const left_out *l)
{
  fprintf(stderr, "gpuscale: note: no row for ");
  if (l->n > 2 && l->n < l->among)
    fprintf(stderr, "%zu numbers of GPUs from ", l->n);
  fprintf(stderr, "%d", l->first);
  if (l->n > 1) fprintf(stderr, l->n > 2 ? " to %d" : " and %d", l->last);
  fprintf(stderr, "%s: %s\n",
          l->n > 2 && l->n < l->among  ? ""
          : l->n == 1 && l->first == 1 ? " GPU"
                                       : " GPUs",
          l->why);
}

int question_fit(question *q, bool quiet, failure *why)
{
  gscale_diag diag, first = {0};
  size_t kept = 0, unfit = 0; /* the last `unfit` before j do not fit */

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

/* Speed of `steps` steps, the first with what is done once. */
static void spread_setup(double steps, gscale_prediction *p)
{
  const double steady = p->time / (p->time + p->setup / steps);

  p->speedup *= steady;
  p->efficiency *= steady;
  p->opportunity *= steady;
}

/* Of a way between nodes that `all` has: the answer that is by it already. */
static const answer *find_same(const question *q, size_t i, const answer *all,
                               size_t stride)
{
  for (size_t k = 0; !q->named && q->between[i] > 0 && k < i; k++)
    if (q->paradigm[k] == q->paradigm[i] && all[k * stride].met &&
        all[k * stride].p.knobs.between == all[i * stride].p.knobs.between)
      return &all[k * stride];
  return NULL;
}

static gscale_status predict_by(const question *q, const gscale_plan *plan,
                                size_t i, answer *a, gscale_diag *diag)
{
  const gscale_status st =
      gscale_pair_needs(plan, q->paradigm[i], q->between[i], diag);

  return st == GSCALE_OK
             ? gscale_predict(plan, q->paradigm[i], &q->knobs[i], &a->p, diag)
             : st;
}

/* What is said besides, and its error if there is to be one. */
static gscale_status complete(const question *q, const gscale_plan *plan,
                              size_t i, gscale_uncertainty *u, answer *a,
                              gscale_error *e, gscale_diag *diag)
{
  gscale_status st;

  a->energy = gscale_predict_energy(plan, &a->p);
  if (q->weak) compare_with_one(q, gscale_plan_gpus(plan), &a->p);
  if (q->steps > 0.0) spread_setup(q->steps, &a->p);
  if (!u) return GSCALE_OK;
  st = gscale_uncertainty_error(u, q->paradigm[i], &a->p.knobs, e, diag);
  if (st != GSCALE_OK) return st;
  a->err = e->time;
  a->applicability = e->applicability;
  memcpy(a->word, e->word, sizeof a->word);
  return st;
}

int question_answer_by(const question *q, const gscale_plan *plan, size_t i,
                       gscale_uncertainty *u, answer *all, size_t stride,
                       failure *why)
{
  answer *a = &all[i * stride];
  gscale_diag diag;
  gscale_error e;
  gscale_status st;

  *a = (answer){.err = (double)NAN, .energy = (double)NAN};
  a->unmet = predict_by(q, plan, i, a, &diag);
  const answer *same =
      a->unmet == GSCALE_OK ? find_same(q, i, all, stride) : NULL;
  if (same) {
    *a = *same;
    a->met = false;
    a->again = true;
    return EXIT_OK;
  }
  if (a->unmet == GSCALE_OK) a->unmet = complete(q, plan, i, u, a, &e, &diag);
  if (a->unmet == GSCALE_ENOMEM) return fail_gscale(why, a->unmet, &diag);
  if (a->unmet != GSCALE_OK) return EXIT_OK;
  if (u && q->joint) {
    a->row = gscale_joint_count(q->joint);
    st = gscale_joint_add(q->joint, u, q->paradigm[i], a->p.time, &e, &diag);
    if (st != GSCALE_OK) return fail_gscale(why, st, &diag);
  }
  a->met = true;
  return EXIT_OK;
}

int question_answer_at(const question *q, size_t j, bool with_error, answer *a,
                       failure *why)
{
  const gscale_workload *w = question_workload(q, q->gpus[j]);
  gscale_plan *plan = NULL;
  gscale_uncertainty *u = NULL;
  gscale_diag diag;
  const gscale_status new =
      with_error
          ? gscale_uncertainty_new(q->system, w, q->gpus[j], false, &u, &diag)
          : gscale_plan_new(q->system, w, q->gpus[j], &plan, &diag);
  int st = EXIT_OK;

  if (new != GSCALE_OK) st = fail_gscale(why, new, &diag);
  for (size_t i = 0; st == EXIT_OK && i < q->paradigms; i++)
    st = question_answer_by(q, u ? gscale_uncertainty_plan(u) : plan, i, u,
                            &a[j], q->n, why);
  gscale_uncertainty_free(u);
  gscale_plan_free(plan);
  return st;
}

/* ---- what has none ------------------------------------------------------- */

bool question_misses(const question *q, const answer *a)
{
  return a->unmet != GSCALE_OK && (q->named || a->unmet != GSCALE_ENEED);
}

void question_reason(const question *q, const gscale_plan *plan, size_t i,
                     gscale_diag *diag)
{
  answer a;

  if (predict_by(q, plan, i, &a, diag) == GSCALE_OK)
    snprintf(diag->text, sizeof diag->text, "%s: its error is not finite",
             question_paradigm(q, i));
}

/* Of its i-th paradigm on q->gpus[j], as a failure. */
static int say_reason(const question *q, size_t i, size_t j, gscale_status was,
                      failure *why)
{
  gscale_plan *plan = NULL;
  gscale_diag diag;
  const gscale_status made = gscale_plan_new(
      q->system, question_workload(q, q->gpus[j]), q->gpus[j], &plan, &diag);

  if (made == GSCALE_OK) question_reason(q, plan, i, &diag);
  gscale_plan_free(plan);
  return fail_gscale(why, made == GSCALE_OK ? was : made, &diag);
}

static void note_missed(const question *q, size_t n, int gpus, const char *why)
{
  fprintf(stderr, "gpuscale: note: left out on ");
  if (n < q->n && n > 1)
    fprintf(stderr, "%zu of %zu numbers of GPUs of ", n, q->n);
  if (n < q->n && n == 1)
    fprintf(stderr, "%d GPU%s of ", gpus, gpus == 1 ? "" : "s");
  fprintf(stderr, "%s: %s\n", q->name, why);
}

/* Of the i-th paradigm; *why: why it is not met where it first is not. */
static bool settle_one(const question *q, const answer *a, size_t i, bool quiet,
                       failure *why)
{
  size_t n = 0, first = 0;

  for (size_t j = q->n; j-- > 0;)
    if (question_misses(q, &a[j])) {
      first = j;
      n++;
    }
  if (n == 0) return false;
  say_reason(q, i, first, a[first].unmet, why);
  if (!quiet) note_missed(q, n, q->gpus[first], why->text);
  return true;
}

int question_settle(const question *q, const answer *a, bool quiet,
                    failure *why)
{
  static failure reason; /* large */
  bool any = false, misses = false;

  for (size_t k = 0; k < q->paradigms * q->n; k++) any = any || a[k].met;
  for (size_t i = 0; i < q->paradigms; i++) {
    if (!settle_one(q, &a[i * q->n], i, quiet || !any, &reason)) continue;
    if (!misses) *why = reason;
    misses = true;
  }
  return any || !misses ? EXIT_OK : why->status;
}

/* A time of one GPU that is another system's. */
bool question_note_t1(const question *q)
{
  const char *on = gscale_workload_t1_on(q->workload);
  const char *name = gscale_system_name(q->system);

  if (!gscale_workload_t1_elsewhere(q->workload, name)) return false;
  fprintf(stderr,
          "gpuscale: note: t1 of %s is a GPU's of %.*s; on %s it is scaled by "
          "the roofline\n",
          gscale_workload_name(q->workload), (int)strcspn(on, " "), on, name);
  return true;
}

void question_note_beyond(const question *q)
{
  const int built = gscale_system_gpus(q->system);
  const int last = q->gpus[q->n - 1];
  size_t first = 0;

  if (last <= built) return;
  while (q->gpus[first] <= built) first++;
  fprintf(stderr, "gpuscale: note: %s has %d GPUs; ", q->name, built);
  if (q->gpus[first] < last)
    fprintf(stderr, "%d to %d are extrapolated\n", q->gpus[first], last);
  else
    fprintf(stderr, "%d is extrapolated\n", last);
}

int question_join(question *q, failure *why)
{
  if (q->joint) return EXIT_OK;
  q->joint = gscale_joint_new();
  q->joint_owned = q->joint != NULL;
  return q->joint ? EXIT_OK : fail(why, EXIT_INTERNAL, "no memory to compare");
}

answer *question_answers(const question *q)
{
  return calloc(q->paradigms * q->n, sizeof(answer));
}

/* Of all ways only those are shown that can run on every N: in a mesh some N
 * may have no peer access.  What was asked for by name keeps those that it has.
 */
static void drop_partial(const question *q, answer *a)
{
  if (q->named) return;
  for (size_t i = 0; i < q->paradigms; i++) {
    answer *curve = &a[i * q->n];
    bool whole = true;

    for (size_t j = 0; j < q->n; j++)
      whole = whole && (curve[j].met || curve[j].again);
    for (size_t j = 0; !whole && j < q->n; j++)
      curve[j].met = curve[j].again = false;
  }
}

/* What says its own schedule runs by that or not at all: then why. */
static int check_some(const question *q, const answer *a, failure *why)
{
  gscale_plan *plan = NULL;
  gscale_diag diag;
  gscale_status st;

  for (size_t i = 0; i < q->paradigms * q->n; i++)
    if (a[i].met) return EXIT_OK;
  if (!gscale_workload_has_program(q->workload)) return EXIT_OK;
  const int most = q->gpus[q->n - 1];
  st = gscale_plan_new(q->system, question_workload(q, most), most, &plan,
                       &diag);
  if (st == GSCALE_OK)
    st = gscale_plan_needs(plan, gscale_paradigm_find("schedule"), &diag);
  gscale_plan_free(plan);
  return st == GSCALE_OK ? EXIT_OK : fail_gscale(why, st, &diag);
}

int question_answer(question *q, bool with_error, answer **out, failure *why)
{
  int st = question_fit(q, false, why);
  answer *a;

  if (st == EXIT_OK && with_error) st = question_join(q, why);
  if (st != EXIT_OK) return st;
  a = question_answers(q);
  if (!a) return fail(why, EXIT_INTERNAL, "no memory for the predictions");
  for (size_t j = 0; st == EXIT_OK && j < q->n; j++) {
    st = question_answer_at(q, j, with_error, a, why);
    progress("numbers of GPUs", j + 1, q->n);
  }
  progress_end();
  if (st == EXIT_OK) st = question_settle(q, a, false, why);
  if (st == EXIT_OK) drop_partial(q, a);
  if (st == EXIT_OK) st = check_some(q, a, why);
  if (st != EXIT_OK) {
    free(a);
    return st;
  }
  question_note_t1(q);
  question_note_beyond(q);
  *out = a;
  return EXIT_OK;
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
  const bool way =
      q->between[i] > 0 && q->paradigm[i] == gscale_paradigm_find("memcpy");

  return way ? gscale_between_summary(q->between[i] - 1)
             : gscale_paradigm_at(q->paradigm[i])->summary;
}

bool question_shows(const question *q, const answer *a, size_t i)
{
  bool shows = false;

  for (size_t j = 0; j < q->n; j++) shows = shows || a[i * q->n + j].met;
  return shows;
}

void print_knobs(char *text, size_t size, const gscale_knobs *k)
{
  size_t used = 0;

  text[0] = '\0';
  for (size_t i = 0; i < GSCALE_KNOB_END && used < size; i++)
    if (!isnan(k->v[i]))
      used += (size_t)snprintf(text + used, size - used, "%s%s=%.17g",
                               used ? ";" : "",
                               gscale_knob_name((gscale_knob)i), k->v[i]);
  if (k->between > 0 && used < size)
    snprintf(text + used, size - used, "%sbetween=%s", used ? ";" : "",
             gscale_between_name(k->between - 1));
}
