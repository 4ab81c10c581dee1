/* t_asked.c - every number of what is shipped: what errors and a
 * sensitivity keep of a plan when it moves is what a fresh plan says. */

#include "describe/ask.h"
#include "language/language.h"
#include "predict/prepare.h"
#include "random.h"
#include "trust/uncertain_numbers.h"

#include <gsl/gsl_test.h>
#include <malloc.h>
#include <stdlib.h>
#include <string.h>

enum {
  NAMES_MAX = 64,
  PARADIGMS_MAX = 64,
  TOLD = 3 /* of what is wrong, in each case */
};

typedef struct names {
  char of[NAMES_MAX][GSCALE_NAME_MAX];
  size_t n;
} names;

static names systems, workloads;

static int add_name(const char *path, const char *name, void *closure,
                    failure *why)
{
  names *list = closure;

  (void)path;
  (void)why;
  if (list->n < NAMES_MAX)
    snprintf(list->of[list->n++], GSCALE_NAME_MAX, "%s", name);
  return EXIT_OK;
}

/* ---- a question ---------------------------------------------------------- */

typedef struct question {
  gscale_system *s;
  gscale_workload *w;
  gscale_plan *plan; /* whose compiled schedules fresh plans may borrow */
  int n;
  size_t paradigm[PARADIGMS_MAX], paradigms;
  gscale_knobs knobs[PARADIGMS_MAX];
  double time[PARADIGMS_MAX];
  char about[256];
} question;

/* A third or three times, as far as a number allows. */
static void doubt_all(question *q)
{
  const double share = 0.5;
  const gscale_field *f;

  for (size_t id = 0; id < GSCALE_PARAM_END; id++) {
    gscale_param p = *gscale_system_get(q->s, id);
    if (!(p.val > 0) || isinf(p.val) || gscale_system_guessed(q->s, id))
      continue;
    p.err = share * p.val;
    p.origin = GSCALE_MEASURED;
    gscale__param_put(q->s, id, &p);
  }
  q->s->membw_each =
      (gscale_param){1, share, GSCALE_MEASURED, "test", GSCALE_BY_ORIGIN};
  for (size_t k = 0; (f = gscale_field_at(GSCALE_OF_TOPOLOGY, k)) != NULL;
       k++) {
    const double *v = gscale_field_number(f, &q->s->fabric, 0);
    if (!v || !(*v > 0) || isinf(*v)) continue;
    const gscale_param p = {*v, share * *v, GSCALE_MEASURED, "test",
                            GSCALE_BY_ORIGIN};
    gscale_system_doubt_topology(q->s, f, &p, NULL);
  }
  for (size_t i = 0; i < q->w->phases; i++)
    for (gscale_leaf at = {.of = GSCALE_OF_PHASE};
         (f = gscale_field_next(&at)) != NULL;)
      for (size_t m = 0; m < gscale_field_numbers(f); m++) {
        const double *v = gscale_field_number(f, &q->w->phase[i], m);
        if (!v || !(*v > 0)) continue;
        const gscale_param p = {*v, share * *v, GSCALE_ASSUMED, "test",
                                GSCALE_BY_ORIGIN};
        gscale_workload_doubt(q->w, i, f, m, &p, NULL);
      }
  if (q->w->single.val > 0) q->w->single.err = share * q->w->single.val;
}

/* One GPU's step is timed, or the host reads a norm in each, or both. */
static void vary(question *q, bool timed, bool norm)
{
  gscale_plan *one = NULL;
  gscale_prediction p;

  if (norm) {
    q->w->host.norm.copy = 8;
    q->w->host.norm.bytes = q->w->phase[0].bytes / 2 + 8e6;
  }
  if (!timed || gscale_plan_new(q->s, q->w, 1, &one, NULL) != GSCALE_OK) return;
  const size_t way =
      gscale_paradigm_find(q->w->program ? "schedule" : "infinite");
  if (gscale_predict(one, way, NULL, &p, NULL) == GSCALE_OK)
    q->w->single = (gscale_param){1.37 * p.time, 0, GSCALE_MEASURED, "test",
                                  GSCALE_BY_ORIGIN};
  gscale_plan_free(one);
}

/* What can be predicted, at its best knobs. */
static void list_paradigms(question *q)
{
  gscale_plan *p = NULL;
  gscale_prediction out;

  if (gscale_plan_new(q->s, q->w, q->n, &p, NULL) != GSCALE_OK) return;
  for (size_t i = 0; i < gscale_paradigm_count(); i++) {
    if (gscale_predict(p, i, NULL, &out, NULL) != GSCALE_OK) continue;
    q->paradigm[q->paradigms] = i;
    q->knobs[q->paradigms] = out.knobs;
    q->time[q->paradigms++] = gscale_predict_time(p, i, &out.knobs);
  }
  q->plan = p;
}

static bool ask(question *q, const char *system, const char *workload, int n,
                bool timed, bool norm)
{
  failure why = {0};
  const int gpus[] = {n};
  description *d;

  *q = (question){.n = n};
  snprintf(q->about, sizeof q->about, "%s on %d of %s%s%s", workload, n, system,
           timed ? ", timed" : "", norm ? ", norm" : "");
  if (load_system(system, NULL, &q->s, NULL, &why) != EXIT_OK ||
      open_workload(workload, NULL, &d, &q->w, NULL, &why) != EXIT_OK)
    return false;
  const int st = load_schedules(q->s, d, NULL, gpus, 1, &q->w, &why);
  close_workload(d);
  if (st != EXIT_OK) return false;
  vary(q, timed, norm);
  list_paradigms(q);
  return q->paradigms > 0;
}

static void forget(question *q)
{
  gscale_plan_free(q->plan);
  gscale_system_free(q->s);
  gscale_workload_free(q->w);
}

/* ---- by fresh plans ------------------------------------------------------ */

static const uint64_t ALL = ~(uint64_t)0;

/* The times by all paradigms when one number is another, NaN where there is
 * none.  Returns what it is: it moves as far as it can.
 *
 * All of the plan is made anew, lists of actions too; of lists that are the
 * same, action by action, the compiled form is borrowed. */
static double fresh_times(const question *q, const gscale__entry *e, double to,
                          double *time)
{
  static gscale_workload moved;
  gscale_system system = *q->s;
  gscale_plan *p = NULL;
  const gscale_workload *end =
      e->kind == GSCALE__OF_KNOB ? gscale__moved_knob(q->w, e->id, to) : NULL;

  gscale__copy_workload(&moved, q->w);
  const double at = gscale__move(e, to, &system, &moved, q->w);
  if (end) gscale__copy_workload(&moved, end);
  const gscale_status st =
      gscale__plan_moved(q->plan, ALL, &system, &moved, &p);
  for (size_t i = 0; i < q->paradigms; i++)
    time[i] = st == GSCALE_OK
                  ? gscale_predict_time(p, q->paradigm[i], &q->knobs[i])
                  : (double)NAN;
  gscale_plan_free(p);
  return at;
}

static bool same(double a, double b, double time)
{
  return (isnan(a) && isnan(b)) || fabs(a - b) <= 1e-12 * time;
}

/* Of a time that there is not nothing moves. */
static double change(double to, double time)
{
  return isfinite(to) ? to - time : 0.0;
}

typedef struct tally {
  size_t all, wrong;
} tally;

static tally influences, sensitive;

static void note(tally *t, bool right, const question *q, size_t i,
                 const char *name, double got, double want)
{
  t->all++;
  if (right) return;
  if (t->wrong++ < TOLD)
    gsl_test(1, "%s by %s, %s: %g, by a fresh plan %g", q->about,
             gscale_paradigm_at(q->paradigm[i])->name, name, got, want);
}

/* ---- what is kept -------------------------------------------------------- */

/* Errors of each number, which may be larger for so many GPUs, and the time
 * with it elsewhere. */
static void move_one(const question *q, gscale_uncertainty *u,
                     const gscale__entry *e, size_t i, double *z)
{
  const gscale_param *p = &gscale_uncertainty_number(u, i)->p;
  double down[PARADIGMS_MAX], up[PARADIGMS_MAX], there[PARADIGMS_MAX];
  double low = p->val, high = p->val;

  if (!(p->err > 0.0)) return;
  gscale_param_nodes(p, &low, &high);
  fresh_times(q, e, low, down);
  fresh_times(q, e, high, up);
  fresh_times(q, e, gscale__quantile(p, 0.7), there);
  z[i] = 0.7;
  for (size_t k = 0; k < q->paradigms; k++) {
    const double t = q->time[k];
    const gscale_influence f =
        gscale_uncertainty_influence(u, i, q->paradigm[k], &q->knobs[k]);
    note(&influences, same(f.down, change(down[k], t), t), q, k, e->about.name,
         f.down, change(down[k], t));
    note(&influences, same(f.up, change(up[k], t), t), q, k, e->about.name,
         f.up, change(up[k], t));
    if (e->kind == GSCALE__OF_KNOB) continue;
    const double now =
        gscale_uncertainty_time(u, q->paradigm[k], &q->knobs[k], z);
    note(&sensitive, same(now, there[k], t), q, k, e->about.name, now,
         there[k]);
  }
  z[i] = (double)NAN;
}

/* Relative change of the time / that of the number; NaN if that cannot move. */
static double ratio(const question *q, size_t k, double now, double to,
                    double was)
{
  const double t = q->time[k], by = (to - was) / was;

  return fabs(by) > 0.0 ? change(now, t) / t / by : (double)NAN;
}

static bool near(double a, double b)
{
  return fabs(a - b) <= 1e-9 * (1 + fabs(b));
}

/* One percent more, or less where that makes no other plan; of exact numbers,
 * too. */
static void stretch_one(const question *q, gscale_uncertainty *u,
                        const gscale__entry *e, size_t i)
{
  const double was = e->about.p.val;
  double more[PARADIGMS_MAX], less[PARADIGMS_MAX];

  if (!(fabs(was) > 0.0) || !isfinite(was) || e->kind == GSCALE__OF_KNOB)
    return;
  const double high = fresh_times(q, e, 1.01 * was, more);
  double low = (double)NAN; /* until somebody asks */
  for (size_t k = 0; k < q->paradigms; k++) {
    const double up = ratio(q, k, more[k], high, was);
    const double got =
        gscale_uncertainty_influence(u, i, q->paradigm[k], &q->knobs[k])
            .elasticity;
    const bool still = !(fabs(up) > 0.0); /* or NaN */
    if (still && !near(got, up) && isnan(low))
      low = fresh_times(q, e, 0.99 * was, less);
    const double down =
        isnan(low) ? (double)NAN : ratio(q, k, less[k], low, was);
    note(&influences,
         near(got, up) || (still && near(got, down)) ||
             (isnan(up) && isnan(down) && !(fabs(got) > 0.0)),
         q, k, e->about.name, got, up);
  }
}

static void move_all(question *q)
{
  gscale__numbers all;
  gscale_uncertainty *u = NULL;

  doubt_all(q);
  if (gscale_uncertainty_new(q->s, q->w, q->n, true, &u, NULL) != GSCALE_OK ||
      !gscale__list_numbers(&all, q->s, q->w, true))
    abort();
  double *z = malloc(all.n * sizeof *z);
  if (!z) abort();
  for (size_t i = 0; i < all.n; i++) z[i] = (double)NAN;
  for (size_t i = 0; i < all.n; i++) {
    move_one(q, u, &all.entry[i], i, z);
    stretch_one(q, u, &all.entry[i], i);
  }
  free(z);
  gscale__free_numbers(&all);
  gscale_uncertainty_free(u);
}

/* Three of them, so that a case is short. */
static void thin_out(question *q, rng *r)
{
  for (size_t i = 0; i < 3 && i < q->paradigms; i++) {
    const size_t k = i + (size_t)pick(r, (int)(q->paradigms - i));
    const size_t paradigm = q->paradigm[i];
    const gscale_knobs knobs = q->knobs[i];
    const double time = q->time[i];

    q->paradigm[i] = q->paradigm[k];
    q->knobs[i] = q->knobs[k];
    q->time[i] = q->time[k];
    q->paradigm[k] = paradigm;
    q->knobs[k] = knobs;
    q->time[k] = time;
  }
  if (q->paradigms > 3) q->paradigms = 3;
}

static bool one_case(rng *r, const char *system, const char *workload,
                     int nodes, bool timed, bool norm)
{
  question q;
  gscale_system *s = NULL;
  failure why = {0};

  if (load_system(system, NULL, &s, NULL, &why) != EXIT_OK) return false;
  const int node = gscale_system_about(s).node,
            all = gscale_system_about(s).gpus;
  const int n = nodes > 1 ? nodes * node : 1 + pick(r, node);
  gscale_system_free(s);
  if (n > all || !ask(&q, system, workload, n, timed, norm)) {
    if (n <= all) forget(&q);
    return false;
  }
  thin_out(&q, r);
  move_all(&q);
  forget(&q);
  return true;
}

/* All pairs, or some. */
static void shipped(void)
{
  rng r = {271828};
  size_t cases_done = 0;
  failure why = {0};

  each_description(KIND_SYSTEM, add_name, &systems, &why);
  each_description(KIND_WORKLOAD, add_name, &workloads, &why);
  const size_t pairs = systems.n * workloads.n;
  const size_t every = 64 * SHARE / (size_t)slow_cases(4, 16, 64);
  for (size_t i = 0; i < pairs; i += every) {
    const size_t at = every > 1 ? (size_t)pick(&r, (int)pairs) : i;
    const char *system = systems.of[at / workloads.n],
               *workload = workloads.of[at % workloads.n];
    const int nodes = pick(&r, 2) ? 2 + pick(&r, 3) : 1;

    cases_done += one_case(&r, system, workload, 1, pick(&r, 2), pick(&r, 2));
    if (nodes > 1)
      cases_done +=
          one_case(&r, system, workload, nodes, pick(&r, 2), pick(&r, 2));
  }
  gsl_test(cases_done < pairs / every / 3,
           "%zu cases of %zu systems and %zu "
           "workloads",
           cases_done, systems.n, workloads.n);
}

/* Of which every sort of number was stale once: on several nodes, with a norm,
 * and by a schedule of the program's own. */
static void known(void)
{
  rng r = {314159};

  gsl_test(!one_case(&r, "dgx-h100-ndr", "pagerank", 8, false, false),
           "64 GPUs of several nodes");
  gsl_test(!one_case(&r, "h200x8", "jacobi", 1, true, true), "a norm");
  gsl_test(!one_case(&r, "pcie-tree4", "stencil-host", 1, true, false),
           "a schedule");
}

static void conclude(const tally *t, size_t least, const char *what)
{
  gsl_test_int((int)t->wrong, 0, "%s: of %zu", what, t->all);
  gsl_test(t->all < least, "%s: %zu", what, t->all);
}

int main(void)
{
  /* Of plans that come and go nothing is given back to the system between. */
  mallopt(M_TRIM_THRESHOLD, 1 << 28);
  mallopt(M_MMAP_THRESHOLD, 1 << 28);
  known();
  shipped();
  conclude(&influences, 3000, "errors and elasticities");
  conclude(&sensitive, 1000, "times elsewhere");
  return gsl_test_summary();
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
