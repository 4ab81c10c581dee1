/* again.c - a prediction once more, where little has changed: of the next point
 * of a batch only phases that ask for a number which changes are made ready
 * again, and where GPUs are apart the critical cycles of several points are
 * looked up beside each other. */

#include "predict/step.h"

#include <stdlib.h>
#include <string.h>

/* Besides phases. */
static const uint64_t CHECKS = (uint64_t)1 << 62, STEP = (uint64_t)1 << 63,
                      ALL = ((uint64_t)1 << 62) - 1;

struct gscale__again {
  const gscale_plan *plan;
  size_t paradigm;
  bool whole; /* there is something to choose: it is done anew each time */
  bool started, beside; /* points were; and can be beside each other */
  gscale_knobs used;
  gscale__stage l[GSCALE__PHASES_MAX];
  uint64_t asked[GSCALE__ASKED];  /* who asked for what: by which phases, */
  uint64_t gather[GSCALE__ASKED]; /* and for what they gather */
  gscale_prediction last;
  gscale__points *points, *first;     /* and of the first step */
  double first_time[GSCALE__AT_ONCE]; /* s */
};

static size_t row_of(const gscale__again *a)
{
  return gscale__paradigm_row(a->paradigm, &a->used);
}

/* What the first step makes of a phase, where it is another. */
static gscale__paradigm first_of(const gscale__again *a)
{
  const gscale__paradigm *m = gscale__paradigm_at(a->paradigm);

  return (gscale__paradigm){.prepare = m->first, .gather = m->gather};
}

/* What changes: phases, a bit for each, and of these what is gathered. */
typedef struct changes {
  uint64_t phases, gather;
} changes;

static const changes EVERYTHING = {ALL, ALL};

/* Makes some phases ready, and notes what they ask for. */
static void prepare(gscale__again *a, const gscale__paradigm *m, changes who,
                    gscale__stage *l, bool lengths)
{
  const gscale_plan *p = a->plan;
  gscale__source *s = p->source;

  for (size_t i = 0; i < p->phases; i++) {
    if ((who.phases & gscale__phase_bit(i)) == 0) continue;
    s->asking = gscale__phase_bit(i);
    if (m->gather && (who.gather & gscale__phase_bit(i)) != 0) {
      s->asked = a->gather;
      m->gather(p, &p->phase[i], &l[i].gathered);
      s->asked = a->asked;
    }
    gscale__prepare_flow(p, m, &a->used, i, &l[i]);
    if (lengths) l[i].length = gscale_flow_time(&l[i].flow);
  }
  s->asking = STEP;
}

/* s, of the first step; NULL if it is like the others. */
static const double *time_first(gscale__again *a, double *time)
{
  const gscale__paradigm first = first_of(a);
  gscale__stage l[GSCALE__PHASES_MAX];

  if (!first.prepare) return NULL;
  prepare(a, &first, EVERYTHING, l, true);
  *time = gscale__step_time(a->plan, row_of(a), l, NULL);
  return time;
}

static gscale_status predict_phases(gscale__again *a, uint64_t phases,
                                    gscale_prediction *out, gscale_diag *diag)
{
  gscale__source *s = a->plan->source;
  double time;

  s->asked = a->asked;
  prepare(a, gscale__paradigm_at(a->paradigm), (changes){phases, phases}, a->l,
          true);
  const double *const first = time_first(a, &time);
  const gscale_status st = gscale__predict_ready(
      a->plan, a->paradigm, a->l, &a->used, gscale__points_memo(a->points),
      first, &a->last, diag);
  s->asked = NULL;
  if (st == GSCALE_OK) *out = a->last;
  return st;
}

gscale__again *gscale__again_new(void)
{
  gscale__again *a = calloc(1, sizeof *a);

  if (!a) return NULL;
  a->points = gscale__points_new();
  a->first = gscale__points_new();
  if (a->points && a->first) return a;
  gscale__again_free(a);
  return NULL;
}

void gscale__again_free(gscale__again *a)
{
  if (!a) return;
  gscale__points_free(a->points);
  gscale__points_free(a->first);
  free(a);
}

gscale_status gscale__predict_first(gscale__again *a, const gscale_plan *p,
                                    bool made, size_t paradigm,
                                    const gscale_knobs *k,
                                    gscale_prediction *out, gscale_diag *diag)
{
  gscale__source *s = p->source;

  if (made) {
    gscale__points_forget(a->points);
    gscale__points_forget(a->first);
  }
  a->plan = p;
  a->paradigm = paradigm;
  a->started = false;
  memset(a->asked, 0, sizeof a->asked);
  memset(a->gather, 0, sizeof a->gather);
  s->asked = a->asked;
  s->asking = CHECKS;
  a->whole = !gscale__is_set(p, paradigm, k, &a->used);
  s->asked = NULL;
  const gscale_status st = a->whole
                               ? gscale_predict(p, paradigm, k, &a->last, diag)
                               : predict_phases(a, ALL, out, diag);
  if (st == GSCALE_OK) *out = a->last;
  if (st == GSCALE_OK && !a->whole &&
      !gscale__points_open(a->points, p, row_of(a), a->l))
    return gscale__fail(diag, GSCALE_ENOMEM, "no memory for predictions");
  return st;
}

uint64_t gscale__asked_for(const gscale__again *a, gscale_param_id id)
{
  return a->whole ? CHECKS : a->asked[id] | a->gather[id];
}

uint64_t gscale__gathered_for(const gscale__again *a, gscale_param_id id)
{
  return a->gather[id];
}

bool gscale__same_checks(uint64_t who)
{
  return (who & CHECKS) == 0;
}

gscale_status gscale__predict_again(gscale__again *a, uint64_t who,
                                    gscale_prediction *out, gscale_diag *diag)
{
  if (who != 0) return predict_phases(a, who & ALL, out, diag);
  *out = a->last;
  return GSCALE_OK;
}

/* ---- several points ------------------------------------------------------ */

/* The first step's policies follow what is found: a point is looked at from
 * there. */
static bool start_first(gscale__again *a)
{
  const gscale__paradigm first = first_of(a);
  gscale__memo *const memo = gscale__points_memo(a->first);
  gscale__stage l[GSCALE__PHASES_MAX];

  if (!first.prepare) return true;
  prepare(a, &first, EVERYTHING, l, true);
  if (!gscale__points_open(a->first, a->plan, row_of(a), l)) return false;
  gscale__step_spent(a->plan, row_of(a), l, memo, NULL);
  for (size_t i = 0; i < GSCALE__PHASES_MAX; i++) memo[i].follows = true;
  return gscale__points_start(a->first, l);
}

/* With the numbers of the prediction that is held. */
static bool start(gscale__again *a)
{
  gscale__source *s = a->plan->source;

  s->asked = a->asked;
  s->asking = STEP;
  const bool ok = gscale__points_start(a->points, a->l) && start_first(a);
  s->asked = NULL;
  return ok;
}

bool gscale__predicts_beside(gscale__again *a)
{
  if (a->whole || !gscale__points_ready(a->points)) return false;
  if (!a->started) a->beside = start(a);
  a->started = true;
  return a->beside;
}

void gscale__predict_look(gscale__again *a, uint64_t who, uint64_t gather,
                          int k)
{
  const gscale__paradigm *m = gscale__paradigm_at(a->paradigm);
  const gscale__paradigm first = first_of(a);
  const changes what = {who & ALL, gather & ALL};
  const bool all = (who & STEP) != 0;

  a->plan->source->asked = a->asked;
  prepare(a, m, what, gscale__points_stage(a->points, k), false);
  gscale__points_put(a->points, what.phases, all, k);
  if (first.prepare) {
    prepare(a, &first, what, gscale__points_stage(a->first, k), false);
    gscale__points_put(a->first, what.phases, all, k);
  }
  a->plan->source->asked = NULL;
}

void gscale__predict_settle(gscale__again *a, uint64_t who, int n)
{
  if (first_of(a).prepare)
    gscale__points_times(a->first, who & ALL, n, a->first_time);
  gscale__points_find(a->points, who & ALL, n);
}

bool gscale__predict_needs(const gscale__again *a, uint64_t who, int k)
{
  return (who & STEP) != 0 || !gscale__points_known(a->points, k);
}

gscale_status gscale__predict_looked(gscale__again *a, int k,
                                     gscale_prediction *out, gscale_diag *diag)
{
  const gscale_plan *p = a->plan;
  const double *first = first_of(a).prepare ? &a->first_time[k] : NULL;
  gscale__stage *const l = gscale__points_stage(a->points, k);
  gscale__parts parts;
  gscale_status st;

  p->source->asked = a->asked;
  p->source->asking = STEP;

  if (gscale__points_known(a->points, k)) {
    gscale__points_parts(a->points, k, &parts);
    st = gscale__predict_spent(p, a->paradigm, l, &a->used, &parts, first,
                               &a->last, diag);
  } else {
    st = gscale__predict_ready(p, a->paradigm, l, &a->used,
                               gscale__points_memo(a->points), first, &a->last,
                               diag);
  }
  p->source->asked = NULL;
  if (st == GSCALE_OK) *out = a->last;
  return st;
}

void gscale__predict_held(gscale__again *a, int n)
{
  gscale__copy(a->l, gscale__points_stage(a->points, n - 1),
               a->plan->phases * sizeof *a->l);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
