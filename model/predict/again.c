/* again.c - a prediction once more, where little has changed: of the next point
 * of a batch only phases that ask for a number which changes are made ready
 * again, and where GPUs are apart the critical cycles of several points are
 * looked up beside each other. */

#include "predict/step.h"

#include <stdlib.h>
#include <string.h>

/* Besides phases. */
static const uint64_t CHECKS = (uint64_t)1 << 62, STEP = (uint64_t)1 << 63;

struct gscale__again {
  const gscale_plan *plan;
  size_t paradigm;
  bool whole; /* there is something to choose: it is done anew each time */
  gscale_knobs used;
  gscale__stage l[GSCALE__PHASES_MAX];
  gscale__memo memo[GSCALE__PHASES_MAX];
  gscale__memo first[GSCALE__PHASES_MAX]; /* of the first step */
  uint64_t asked[GSCALE__ASKED]; /* who asked for what: by which phases */
  gscale_prediction last;
  gscale__stage *ahead; /* phases of points that were looked at, or NULL */
  size_t room;
  double first_time[GSCALE__AT_ONCE]; /* s, of these */
};

static size_t row_of(const gscale__again *a)
{
  return gscale__paradigm_row(a->paradigm, &a->used);
}

/* Makes some phases ready, a bit for each, and notes what they ask for. */
static void prepare(gscale__again *a, uint64_t phases)
{
  const gscale__paradigm *m = gscale__paradigm_at(a->paradigm);
  gscale__source *s = a->plan->source;

  for (size_t i = 0; i < a->plan->phases; i++) {
    if ((phases & gscale__phase_bit(i)) == 0) continue;
    s->asking = gscale__phase_bit(i);
    gscale__prepare_phase(a->plan, m, &a->used, i, &a->l[i]);
  }
  s->asking = STEP;
}

/* Asks for the time of the first step. */
static void ask_first(gscale__again *a, double *time)
{
  const gscale__paradigm first = {.prepare =
                                      gscale__paradigm_at(a->paradigm)->first};
  gscale__stage l[GSCALE__PHASES_MAX];

  if (!first.prepare) return;
  gscale__prepare(a->plan, &first, &a->used, l);
  gscale__step_ask(a->plan, row_of(a), l, a->first, time);
}

static gscale_status predict_phases(gscale__again *a, uint64_t phases,
                                    gscale_prediction *out, gscale_diag *diag)
{
  gscale__source *s = a->plan->source;

  s->asked = a->asked;
  prepare(a, phases);
  const gscale_status st = gscale__predict_ready(
      a->plan, a->paradigm, a->l, &a->used, a->memo, NULL, &a->last, diag);
  s->asked = NULL;
  if (st == GSCALE_OK) *out = a->last;
  return st;
}

static void close_memos(gscale__again *a)
{
  for (size_t i = 0; i < GSCALE__PHASES_MAX; i++) {
    gscale__memo_close(&a->memo[i]);
    gscale__memo_close(&a->first[i]);
  }
}

/* Their memory stays. */
static void forget_memos(gscale__again *a)
{
  for (size_t i = 0; i < GSCALE__PHASES_MAX; i++)
    a->memo[i].of = a->first[i].of = NULL;
}

/* The first step's have its policy: a point is looked at from there. */
static bool open_memos(gscale__again *a)
{
  const gscale__paradigm first = {.prepare =
                                      gscale__paradigm_at(a->paradigm)->first};
  gscale__stage l[GSCALE__PHASES_MAX];

  if (!gscale__step_memos(a->plan, row_of(a), a->l, a->memo)) return false;
  if (!first.prepare) return true;
  gscale__prepare(a->plan, &first, &a->used, l);
  if (!gscale__step_memos(a->plan, row_of(a), l, a->first)) return false;
  gscale__step_spent(a->plan, row_of(a), l, a->first, NULL);
  for (size_t i = 0; i < GSCALE__PHASES_MAX; i++) a->first[i].follows = true;
  return true;
}

gscale__again *gscale__again_new(void)
{
  return calloc(1, sizeof(gscale__again));
}

void gscale__again_free(gscale__again *a)
{
  if (!a) return;
  close_memos(a);
  free(a->ahead);
  free(a);
}

gscale_status gscale__predict_first(gscale__again *a, const gscale_plan *p,
                                    bool made, size_t paradigm,
                                    const gscale_knobs *k,
                                    gscale_prediction *out, gscale_diag *diag)
{
  gscale__source *s = p->source;

  if (made) forget_memos(a);
  a->plan = p;
  a->paradigm = paradigm;
  memset(a->asked, 0, sizeof a->asked);
  s->asked = a->asked;
  s->asking = CHECKS;
  a->whole = !gscale__is_set(p, paradigm, k, &a->used);
  s->asked = NULL;
  const gscale_status st = a->whole
                               ? gscale_predict(p, paradigm, k, &a->last, diag)
                               : predict_phases(a, ~(uint64_t)0, out, diag);
  if (st == GSCALE_OK) *out = a->last;
  if (st == GSCALE_OK && !a->whole && !open_memos(a))
    return gscale__fail(diag, GSCALE_ENOMEM, "no memory for predictions");
  return st;
}

uint64_t gscale__asked_for(const gscale__again *a, gscale_param_id id)
{
  return a->whole ? CHECKS : a->asked[id];
}

bool gscale__same_checks(uint64_t who)
{
  return (who & CHECKS) == 0;
}

gscale_status gscale__predict_again(gscale__again *a, uint64_t who,
                                    gscale_prediction *out, gscale_diag *diag)
{
  if (who != 0) return predict_phases(a, who & ~(CHECKS | STEP), out, diag);
  *out = a->last;
  return GSCALE_OK;
}

/* ---- several points ------------------------------------------------------ */

void gscale__step_looked(const gscale_plan *p, gscale__memo *memo, int n)
{
  for (size_t i = 0; i < p->phases; i++)
    if (memo[i].of) gscale__memo_look(&memo[i], n);
}

void gscale__step_at(const gscale_plan *p, gscale__memo *memo, int k)
{
  for (size_t i = 0; i < p->phases; i++) memo[i].at = k;
}

bool gscale__step_chosen(const gscale_plan *p, const gscale__memo *memo)
{
  bool any = false;

  for (size_t i = 0; i < p->phases; i++)
    any = any || (memo[i].of && memo[i].chosen);
  return any;
}

void gscale__step_settle(const gscale_plan *p, gscale__memo *memo)
{
  for (size_t i = 0; i < p->phases; i++)
    if (memo[i].of) gscale__memo_settle(&memo[i]);
}

bool gscale__predicts_beside(const gscale__again *a)
{
  return !a->whole && gscale__step_chosen(a->plan, a->memo);
}

/* Of point k; NULL without memory. */
static gscale__stage *ahead_of(const gscale__again *a, int k)
{
  return a->ahead ? a->ahead + (size_t)k * a->plan->phases : NULL;
}

void gscale__predict_look(gscale__again *a, uint64_t who, int k)
{
  const gscale_plan *p = a->plan;
  const size_t need = GSCALE__AT_ONCE * p->phases;

  if (need > a->room) {
    free(a->ahead);
    a->ahead = malloc(need * sizeof *a->ahead);
    a->room = a->ahead ? need : 0;
  }
  gscale__stage *const l = ahead_of(a, k);
  p->source->asked = a->asked;
  prepare(a, who & ~(CHECKS | STEP));
  if (l) {
    gscale__copy(l, a->l, p->phases * sizeof *l);
    gscale__step_look(p, row_of(a), l, a->memo, k);
    ask_first(a, &a->first_time[k]);
  }
  p->source->asked = NULL;
}

void gscale__predict_settle(gscale__again *a, int n)
{
  gscale__step_settle(a->plan, a->first);
  gscale__step_looked(a->plan, a->memo, n);
}

gscale_status gscale__predict_looked(gscale__again *a, int k,
                                     gscale_prediction *out, gscale_diag *diag)
{
  const gscale_plan *p = a->plan;
  const bool first = gscale__paradigm_at(a->paradigm)->first != NULL;

  if (!a->ahead)
    return gscale__fail(diag, GSCALE_ENOMEM, "no memory for predictions");
  p->source->asked = a->asked;
  p->source->asking = STEP;
  gscale__step_at(p, a->memo, k);
  const gscale_status st =
      gscale__predict_ready(p, a->paradigm, ahead_of(a, k), &a->used, a->memo,
                            first ? &a->first_time[k] : NULL, &a->last, diag);
  gscale__step_at(p, a->memo, -1);
  p->source->asked = NULL;
  if (st == GSCALE_OK) *out = a->last;
  return st;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
