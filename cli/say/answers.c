/* answers.c - computes the answers to a question, and notes missing answers. */

#include "say/predict.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Computes the scaled speedup: N GPUs do N times the work of one GPU. */
static void compare_with_one(const question *q, int n, gscale_prediction *p)
{
  p->efficiency = q->alone / p->time;
  p->speedup = n * p->efficiency;
}

/* Averages the speed over `steps` steps. The first step includes the setup. */
static void spread_setup(double steps, gscale_prediction *p)
{
  const double steady = p->time / (p->time + p->setup / steps);

  p->speedup *= steady;
  p->efficiency *= steady;
  p->opportunity *= steady;
}

/* Finds an earlier answer with the same inter-node method if none was named. */
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

/* Adjusts a time on n GPUs to the options --weak, --runs and --steps. */
static void compare(const question *q, size_t i, int n, gscale_prediction *p)
{
  if (q->weak) compare_with_one(q, n, p);
  if (q->steps > 0.0) spread_setup(q->steps, p);
  question_given(q, i, n, p);
}

void answer_take_error(answer *a, const gscale_error *e)
{
  a->err = e->time;
  a->err_t1 =
      sqrt(fmax(0.0, e->time * e->time - e->of_compute * e->of_compute));
  a->err_ratio = hypot(a->err_t1, e->of_t1 * a->p.time - e->of_compute);
  a->energy_err = e->energy;
  a->applicability = e->applicability;
  memcpy(a->word, e->word, sizeof a->word);
}

/* Computes the energy, the applicability and, if asked, the error. */
static gscale_status complete(const question *q, const gscale_plan *plan,
                              size_t i, gscale_uncertainty *u, answer *a,
                              gscale_error *e, gscale_diag *diag)
{
  const int n = gscale_plan_gpus(plan);
  gscale_status st;

  a->energy = gscale_predict_energy(plan, &a->p);
  compare(q, i, n, &a->p);
  gscale_predict_lost(plan, q->paradigm[i], &a->p, q->weak ? q->alone : 0.0,
                      &a->lost);
  if (!u) return GSCALE_OK;
  st = gscale_uncertainty_error(u, q->paradigm[i], &a->p.knobs, e, diag);
  if (st != GSCALE_OK) return st;
  question_given_error(q, i, n, &a->p, e);
  answer_take_error(a, e);
  return st;
}

static void clear(const question *q, size_t i, int n, answer *a)
{
  a->met = a->again = false;
  a->bound = n > 1 && q->paradigm[i] == gscale_paradigm_find("infinite");
  a->unmet = GSCALE_OK;
  a->err = a->err_t1 = a->err_ratio = a->energy = a->energy_err = a->bus = NAN;
  a->applicability = GSCALE_INSIDE;
  *a->word = '\0';
  a->row = 0;
}

/* Copies an earlier answer of the same method. Returns false if there is
 * none. */
static bool take_same(const question *q, size_t i, answer *all, size_t stride)
{
  answer *a = &all[i * stride];
  const answer *same = find_same(q, i, all, stride);

  if (!same) return false;
  *a = *same;
  a->met = false;
  a->again = true;
  return true;
}

/* Sets the bus bandwidth of a step that computes next to nothing. */
static void set_bus(const question *q, const gscale_plan *plan, answer *a)
{
  const double next_to = 0.05; /* share of compute in the time */
  const int gpus = gscale_plan_gpus(plan);
  const size_t phases =
      gscale_workload_about(question_workload(q, gpus)).phases;
  gscale_coll_kind what;
  double bytes, bus = 0.0;

  if (gpus == 1 || !(a->p.speedup < next_to)) return;
  for (size_t i = 0; i < phases; i++) {
    gscale_plan_moves(plan, i, NULL, &what, &bytes);
    if (bytes > 0.0) bus += bytes * gscale_coll_bus(what, gpus);
  }
  if (bus > 0.0) a->bus = bus / a->p.time;
}

int question_answer_by(const question *q, const gscale_plan *plan, size_t i,
                       gscale_uncertainty *u, answer *all, size_t stride,
                       failure *why)
{
  answer *a = &all[i * stride];
  gscale_diag diag;
  gscale_error e;
  gscale_status st;

  clear(q, i, gscale_plan_gpus(plan), a);
  a->unmet = predict_by(q, plan, i, a, &diag);
  if (a->unmet == GSCALE_OK && take_same(q, i, all, stride)) return EXIT_OK;
  if (a->unmet == GSCALE_OK) a->unmet = complete(q, plan, i, u, a, &e, &diag);
  if (a->unmet == GSCALE_ENOMEM) return fail_gscale(why, a->unmet, &diag);
  if (a->unmet != GSCALE_OK) return EXIT_OK;
  if (u && q->joint) {
    a->row = gscale_joint_count(q->joint);
    st = gscale_joint_add(q->joint, u, a->p.time, &e, &diag);
    if (st != GSCALE_OK) return fail_gscale(why, st, &diag);
  }
  a->met = true;
  set_bus(q, plan, a);
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

/* ---- unmet needs -------------------------------------------------------- */

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

/* Returns why the i-th paradigm cannot run, or NULL if it can. */
static const char *need_of(const question *q, const gscale_plan *plan, size_t i,
                           gscale_diag *diag)
{
  answer a;

  if ((!q->named && (q->between[i] > 0 ||
                     q->paradigm[i] == gscale_paradigm_find("schedule"))) ||
      predict_by(q, plan, i, &a, diag) == GSCALE_OK)
    return NULL;
  const char *name = question_paradigm(q, i);
  const size_t n = strlen(name);
  if (strncmp(diag->text, name, n) != 0) return diag->text;
  return diag->text + n + strspn(diag->text + n, ": ");
}

/* Lists the needs of paradigms, such as "memcpy, inline: phase 1 needs ..." */
void question_needs(const question *q, const gscale_plan *plan, char *text,
                    size_t size)
{
  gscale_diag diag[PARADIGMS_MAX];
  const char *need[PARADIGMS_MAX];

  *text = '\0';
  for (size_t i = 0; i < q->paradigms; i++)
    need[i] = need_of(q, plan, i, &diag[i]);
  for (size_t i = 0; i < q->paradigms; i++) {
    const char *const same = need[i];

    if (!same) continue;
    gscale_append(text, size, "%s", *text ? "; " : "");
    for (size_t k = i; k < q->paradigms; k++) {
      if (!need[k] || strcmp(need[k], same) != 0) continue;
      gscale_append(text, size, "%s%s", k > i ? ", " : "",
                    question_paradigm(q, k));
      need[k] = NULL;
    }
    gscale_append(text, size, ": %s", same);
  }
}

int question_refuse(const question *q, size_t j, failure *why)
{
  const gscale_workload *w = question_workload(q, q->gpus[j]);
  const bool own = gscale_workload_about(w).has_program &&
                   !gscale_workload_publishes(w, q->gpus[j]);
  gscale_plan *plan = NULL;
  gscale_diag diag;
  char needs[4096];
  gscale_status st = gscale_plan_new(q->system, w, q->gpus[j], &plan, &diag);

  if (st == GSCALE_OK && own) /* the inter-node method's need */
    st = gscale_plan_needs(plan, gscale_paradigm_find("schedule"), &diag);
  if (st == GSCALE_OK) question_needs(q, plan, needs, sizeof needs);
  gscale_plan_free(plan);
  if (st != GSCALE_OK) return fail_gscale(why, st, &diag);
  return fail(
      why, EXIT_DATA,
      "no paradigm can run %s on %d GPU%s of %s: %s; add the missing numbers "
      "to the system (its description, or -P NAME=VALUE) or to the workload",
      gscale_workload_about(w).name, q->gpus[j], PLURAL(q->gpus[j]), q->name,
      needs);
}

/* Reports why the i-th paradigm cannot run on q->gpus[j]. */
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
  char on[96] = "";

  if (n < q->n && n > 1)
    gscale_append(on, sizeof on, "%zu of %zu numbers of GPUs of ", n, q->n);
  if (n < q->n && n == 1)
    gscale_append(on, sizeof on, "%d GPU%s of ", gpus, PLURAL(gpus));
  print_note("left out on %s%s: %s", on, q->name, why);
}

/* Notes that the i-th paradigm lacks an answer on some N, and returns true if
 * so. The reason for the first missing answer is stored in *why. */
static bool note_misses(const question *q, const answer *a, size_t i,
                        bool quiet, failure *why)
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

/* Returns true if a paradigm runs, on several GPUs if any N exceeds 1. */
static bool has_answer(const question *q, const answer *a)
{
  const bool several = q->gpus[q->n - 1] > 1;

  for (size_t k = 0; k < q->paradigms * q->n; k++)
    if (paradigm_counts(q, &a[k]) && (!several || q->gpus[k % q->n] > 1))
      return true;
  return false;
}

int question_settle(const question *q, const answer *a, bool quiet,
                    failure *why)
{
  static failure reason; /* large */
  const bool any = has_answer(q, a);
  bool misses = false;

  for (size_t i = 0; i < q->paradigms; i++) {
    if (!note_misses(q, &a[i * q->n], i, quiet || !any, &reason)) continue;
    if (!misses) *why = reason;
    misses = true;
  }
  if (any) return EXIT_OK;
  return misses ? why->status : question_refuse(q, q->n - 1, why);
}

/* Notes a single-GPU time that contradicts the host time of the model. */
static bool note_host(const question *q)
{
  const int n = q->gpus[q->n - 1];
  gscale_plan *plan = NULL;
  double by = 1.0;

  if (gscale_plan_new(q->system, question_workload(q, n), n, &plan, NULL) ==
      GSCALE_OK)
    by = gscale_plan_host_by(plan);
  gscale_plan_free(plan);
  if (fabs(by - 1.0) < 1e-6) return false;
  print_note(
      "t1 of %s is %s the time of a GPU of %s without the work of phases; "
      "calls, waits, starts, norms and given times are scaled by %.3g",
      gscale_workload_about(q->workload).name, by < 1.0 ? "below" : "above",
      gscale_system_about(q->system).name, by);
  return true;
}

/* Notes a single-GPU time that belongs to another system or contradicts the
 * host time. Returns true if a note was printed. */
bool question_note_t1(const question *q)
{
  const char *on = gscale_workload_about(q->workload).t1_on;
  const char *name = gscale_system_about(q->system).name;

  const bool noted =
      gscale_workload_about(q->workload).t1->val > 0.0 && note_host(q);

  if (!gscale_workload_t1_elsewhere(q->workload, name)) return noted;
  print_note("t1 of %s was measured on a GPU of %.*s; for %s it is scaled by "
             "the roofline",
             gscale_workload_about(q->workload).name, (int)strcspn(on, " "), on,
             name);
  return true;
}

void question_note_beyond(const question *q)
{
  const int built = gscale_system_about(q->system).gpus;
  const int last = q->gpus[q->n - 1];
  size_t first = 0;

  if (last <= built) return;
  while (q->gpus[first] <= built) first++;
  if (q->gpus[first] < last)
    print_note("%s has %d GPUs; %d to %d are extrapolated", q->name, built,
               q->gpus[first], last);
  else
    print_note("%s has %d GPUs; %d is extrapolated", q->name, built, last);
}

int question_join(question *q, failure *why)
{
  if (q->joint) return EXIT_OK;
  q->joint = gscale_joint_new();
  q->joint_owned = q->joint != NULL;
  return q->joint ? EXIT_OK : no_memory(why);
}

answer *question_answers(const question *q)
{
  return calloc(q->paradigms * q->n, sizeof(answer));
}

void drop_partial(const question *q, answer *a, const bool *has, size_t n)
{
  if (q->named) return;
  for (size_t i = 0; i < q->paradigms; i++) {
    answer *curve = &a[i * n];
    bool whole = true;

    for (size_t j = 0; j < n; j++)
      whole = whole && ((has && !has[j]) || curve[j].met || curve[j].again);
    for (size_t j = 0; !whole && j < n; j++)
      curve[j].met = curve[j].again = false;
  }
}

/* Drops the N on which no paradigm runs, with a note if another N has
 * answers. */
static void drop_empty(question *q, answer *a, failure *why)
{
  size_t keep[GPUS_LISTED], n = 0, bare = 0;

  for (size_t j = 0; j < q->n; j++) {
    const bool runs = fastest_paradigm(q, a + j, q->n) < q->paradigms;

    if (!runs && bare++ == 0) question_refuse(q, j, why);
    if (runs) keep[n++] = j;
  }
  if (bare == 0) return;
  print_note("no row for %zu of %zu numbers of GPUs: %s", bare, q->n,
             why->text);
  for (size_t i = 0; i < q->paradigms; i++)
    for (size_t k = 0; k < n; k++) a[i * n + k] = a[i * q->n + keep[k]];
  for (size_t k = 0; k < n; k++) q->gpus[k] = q->gpus[keep[k]];
  q->n = n;
}

int question_answer(question *q, bool with_error, answer **out, failure *why)
{
  int st = question_fit(q, false, why);
  answer *a;

  if (st == EXIT_OK && with_error) st = question_join(q, why);
  if (st != EXIT_OK) return st;
  a = question_answers(q);
  if (!a) return no_memory(why);
  for (size_t j = 0; st == EXIT_OK && j < q->n; j++) {
    st = question_answer_at(q, j, with_error, a, why);
    progress("numbers of GPUs", j + 1, q->n);
  }
  progress_end();
  if (st == EXIT_OK) st = question_settle(q, a, false, why);
  if (st == EXIT_OK && !q->named) drop_empty(q, a, why);
  if (st == EXIT_OK) drop_partial(q, a, NULL, q->n);
  if (st == EXIT_OK && !has_answer(q, a))
    st = fail(why, EXIT_DATA,
              "no paradigm can run %s on each of these numbers of GPUs of %s: "
              "ask for fewer, or name one",
              gscale_workload_about(q->workload).name, q->name);
  if (st != EXIT_OK) {
    free(a);
    return st;
  }
  question_note_t1(q);
  question_note_beyond(q);
  *out = a;
  return EXIT_OK;
}

bool question_shows(const question *q, const answer *a, size_t i)
{
  bool shows = false;

  for (size_t j = 0; j < q->n; j++) shows = shows || a[i * q->n + j].met;
  return shows;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
