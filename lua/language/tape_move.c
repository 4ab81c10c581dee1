/* tape_move.c - where numbers that were recorded go, and that they go there for
 * other values of the knobs. */

#include "language/taped.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
  KEPT_MAX = 1 << 12 /* numbers of phases and schedules */
};

/* ---- what is kept -----------------------------------------------------------
 */

/* NULL where there can be no more. */
static kept *add_kept(tape *t)
{
  if (t->n == t->places) {
    const size_t room = t->places ? 2 * t->places : 16;
    kept *more = t->n < KEPT_MAX ? realloc(t->kept, room * sizeof *more) : NULL;

    if (!more) {
      tape_end(t);
      return NULL;
    }
    t->kept = more;
    t->places = room;
  }
  memset(&t->kept[t->n], 0, sizeof *t->kept);
  return &t->kept[t->n++];
}

static int step_or(tape *t, int i, double otherwise)
{
  if (!i) i = tape_constant(t, otherwise, false);
  if (!i) tape_end(t);
  return i;
}

/* All of them steps. */
static void trace(tape *t, kept *k, const traced *from, const gscale_param *p)
{
  k->from = *from;
  k->p = *p;
  k->from.value = step_or(t, from->value, p->val);
  if (from->how == HAS_ERROR || from->how == HAS_PERCENT)
    k->from.err = step_or(t, from->err, from->err_is);
  if (from->how != HAS_RANGE) return;
  k->from.low = step_or(t, from->low, from->low_is);
  k->from.high = step_or(t, from->high, from->high_is);
}

static bool any(const traced *from)
{
  return from->value || from->err || from->low || from->high;
}

void tape_keep(tape *t, size_t phase, const gscale_field *f, size_t index,
               int n, const traced *from, const gscale_param *p)
{
  kept *k = t && any(from) ? add_kept(t) : NULL;

  if (!k) return;
  k->goes = n > 0 ? TO_PHASE_ON : TO_PHASE;
  k->gpus = n;
  k->put = (gscale_put){phase, f, index, p->val};
  trace(t, k, from, p);
}

void tape_drop(tape *t, size_t phase, const gscale_field *f)
{
  size_t n = 0;

  for (size_t i = 0; t && i < t->n; i++) {
    const kept *k = &t->kept[i];
    if (k->goes <= TO_PHASE_ON && k->put.phase == phase && k->put.field == f)
      continue;
    t->kept[n++] = *k;
  }
  if (t) t->n = n;
}

void tape_keep_host(tape *t, const gscale_field *f, int from)
{
  kept *k = t && from ? add_kept(t) : NULL;

  if (!k) return;
  k->goes = TO_HOST;
  k->put.field = f;
  k->from.value = from;
}

void tape_keep_single(tape *t, const traced *from, const gscale_param *p)
{
  kept *k = t && any(from) ? add_kept(t) : NULL;

  if (!k) return;
  k->goes = TO_SINGLE;
  trace(t, k, from, p);
}

void tape_keep_works(tape *t, int gpus, const gscale_work *w,
                     const traced_work *from, size_t n)
{
  for (size_t i = 0; t && i < n; i++) {
    if (!from[i].share && !from[i].bytes && !from[i].time) continue;
    kept *k = add_kept(t);
    if (!k) return;
    k->goes = TO_WORK;
    k->gpus = gpus;
    k->put.index = i;
    k->work = w[i];
    k->of_work = from[i];
  }
}

/* ---- moved
 * -------------------------------------------------------------------
 */

/* The error of a number now; false where its origin allows none. */
static bool error_of(const tape *t, const kept *k, gscale_param *p)
{
  const traced *f = &k->from;

  *p = k->p;
  p->val = t->value[f->value];
  if (f->how == HAS_ERROR) p->err = t->value[f->err];
  if (f->how == HAS_PERCENT) p->err = t->value[f->err] * (fabs(p->val) / 100.0);
  if (f->how == HAS_RANGE) {
    const double low = t->value[f->low], high = t->value[f->high];
    p->err = (high - low) / sqrt(12.0);
    if (!(low <= p->val && p->val <= high) || !isfinite(low + high))
      return false;
  }
  return isfinite(p->val) && p->err >= 0.0 && isfinite(p->err);
}

static bool is_with(const kept *a, const kept *b)
{
  return a->goes == b->goes && a->gpus == b->gpus &&
         (a->goes == TO_PHASE || a->put.phase == b->put.phase);
}

/* Numbers of phases, those at once that may only be together what they are. */
static bool put_phases(tape *t, gscale_workload *w)
{
  gscale_status st = GSCALE_OK;
  gscale_param p;

  for (size_t i = 0, n; st == GSCALE_OK && i < t->n; i = n) {
    const kept *first = &t->kept[i];
    size_t puts = 0;

    n = i + 1;
    if (first->goes > TO_PHASE_ON) continue;
    for (n = i; n < t->n && is_with(&t->kept[n], first); n++) {
      if (!error_of(t, &t->kept[n], &p)) return false;
      t->put[puts] = t->kept[n].put;
      t->put[puts++].value = p.val;
    }
    st = first->goes == TO_PHASE
             ? gscale_workload_put(w, t->put, puts, NULL)
             : gscale_workload_put_on(w, first->gpus, t->put, puts, NULL);
  }
  return st == GSCALE_OK;
}

static bool put_host(const tape *t, gscale_workload *w)
{
  gscale_host host = *gscale_workload_host(w);
  bool any_of = false;

  for (size_t i = 0; i < t->n; i++) {
    const kept *k = &t->kept[i];
    if (k->goes != TO_HOST) continue;
    const gscale_field *f = k->put.field;
    void *const at = (char *)&host + f->offset;
    const double value = t->value[k->from.value];
    if (!number_fits(f, value)) return false;
    if (f->kind == GSCALE_INTEGER)
      *(int *)at = (int)value;
    else
      *(double *)at = value;
    any_of = true;
  }
  return !any_of || gscale_workload_set_host(w, &host, NULL) == GSCALE_OK;
}

static bool put_single(gscale_workload *w, const gscale_param *p)
{
  char on[GSCALE_NAME_MAX];

  snprintf(on, sizeof on, "%s", gscale_workload_t1_on(w));
  if (gscale_workload_set_single(w, *p, NULL) != GSCALE_OK) return false;
  gscale_workload_set_t1_on(w, on);
  return true;
}

static bool put_work(const tape *t, const kept *k, gscale_workload *w)
{
  const traced_work *of = &k->of_work;
  gscale_work now = k->work;

  if (of->share) now.share = t->value[of->share];
  if (of->bytes) now.bytes = t->value[of->bytes];
  if (of->time) now.time = t->value[of->time];
  return gscale_workload_put_work(w, k->gpus, (int)k->put.index, &now, NULL) ==
         GSCALE_OK;
}

/* What is no number of a phase, nor of the host; and errors of phases'. */
static bool put_one(const tape *t, const kept *k, gscale_workload *w)
{
  const bool said = k->p.origin != GSCALE_DERIVED || k->p.err > 0.0;
  gscale_param p;

  if (k->goes == TO_WORK) return put_work(t, k, w);
  if (k->goes == TO_HOST || k->goes == TO_PHASE_ON) return true;
  if (!error_of(t, k, &p)) return false;
  if (k->goes == TO_SINGLE) return put_single(w, &p);
  return !said ||
         gscale_workload_put_error(w, k->put.phase, k->put.field, k->put.index,
                                   p.val, p.err, NULL) == GSCALE_OK;
}

bool tape_move(tape *t, const double *x, gscale_workload *w)
{
  if (!tape_take_knobs(t, x)) return false;
  for (size_t i = t->knobs + 1; i < t->steps; i++)
    if (!tape_redo(t, i)) return false;
  if (!put_phases(t, w) || !put_host(t, w)) return false;
  for (size_t i = 0; i < t->n; i++)
    if (!put_one(t, &t->kept[i], w)) return false;
  return !t->more || t->more(w, t->closure);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
