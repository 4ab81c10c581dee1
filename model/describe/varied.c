/* varied.c - numbers of phases that are functions of the number of GPUs: a
 * list of what they are on those that were asked about. */

#include "describe/described.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The first one for n GPUs that is of phase i or of a later one. */
static size_t first_on(const gscale_workload *w, int n, size_t i)
{
  size_t low = 0, high = w->ons;

  while (low < high) {
    const size_t mid = (low + high) / 2;
    const gscale__on *on = &w->on[mid];
    if (on->n < n || (on->n == n && on->put.phase < i))
      low = mid + 1;
    else
      high = mid;
  }
  return low;
}

static bool is_of(const gscale_workload *w, size_t at, int n, size_t i)
{
  return at < w->ons && w->on[at].n == n && w->on[at].put.phase == i;
}

static bool same_number(const gscale_put *a, const gscale_put *b)
{
  return a->phase == b->phase && a->field == b->field && a->index == b->index;
}

/* The same number of another workload, or NULL. */
static const double *number_of(const gscale_workload *w, size_t at,
                               const gscale__on *like)
{
  const bool there = at < w->ons && w->on[at].n == like->n &&
                     same_number(&w->on[at].put, &like->put);

  return there ? &w->on[at].put.value : NULL;
}

/* In the domain of its field, or as it was. */
static double within(const gscale_field *f, double v, double was)
{
  if (f->most > f->least) v = fmin(v, f->most);
  if (v < f->least || (f->open && !(v > f->least)))
    return f->open ? was : f->least;
  return f->kind == GSCALE_WHOLE ? round(v) : v;
}

/* With all the ways that were gone. */
static double value_on(const gscale_workload *w, size_t at)
{
  const gscale__on *on = &w->on[at];
  double v = on->put.value;

  for (size_t k = 0; k < w->ways; k++) {
    const double *a = number_of(w->way[k].from, at, on);
    const double *b = number_of(w->way[k].to, at, on);
    if (a && b) v += w->way[k].way * (*b - *a);
  }
  return w->ways > 0 ? within(on->put.field, v, on->put.value) : v;
}

/* How much more a number of the phase is than it was said to be on one GPU:
 * who moves it moves it on all. */
static double moved(const gscale_workload *w, const gscale_put *put, double now)
{
  for (size_t at = first_on(w, 1, put->phase); is_of(w, at, 1, put->phase);
       at++) {
    const double one = value_on(w, at);
    if (same_number(&w->on[at].put, put) && fabs(one) > 0.0) return now / one;
  }
  return 1.0;
}

const gscale_phase *gscale__phase_on(const gscale_workload *w, size_t i, int n,
                                     gscale_phase *room)
{
  size_t at = first_on(w, n, i);

  if (!is_of(w, at, n, i)) return &w->phase[i];
  *room = w->phase[i];
  for (; is_of(w, at, n, i); at++) {
    const gscale_put *put = &w->on[at].put;
    double *number = gscale_field_number(put->field, room, put->index);
    *number = value_on(w, at) * moved(w, put, *number);
  }
  return room;
}

void gscale__blend_on(gscale_workload *w, const gscale_workload *from,
                      const gscale_workload *to, double way)
{
  if (from->ons == 0 || w->ways == GSCALE__WAYS_MAX) return;
  w->way[w->ways].from = from;
  w->way[w->ways].to = to;
  w->way[w->ways++].way = way;
}

bool gscale__is_known_on(const gscale_workload *w, int n)
{
  const size_t at = first_on(w, n, 0);

  return w->ons == 0 || (at < w->ons && w->on[at].n == n);
}

bool gscale_workload_varies(const gscale_workload *w)
{
  return w->ons > 0;
}

void gscale__forget_on(gscale_workload *w, size_t phase, const gscale_field *f)
{
  size_t kept = 0;

  for (size_t k = 0; k < w->ons; k++)
    if (w->on[k].put.phase != phase || w->on[k].put.field != f)
      w->on[kept++] = w->on[k];
  w->ons = kept;
}

/* What decides on how many GPUs it can run is the same on all. */
static bool decides(const gscale_field *f)
{
  return f == gscale_field_find(GSCALE_OF_PHASE, "footprint") ||
         f == gscale_field_find(GSCALE_OF_PHASE, "grid.gpus");
}

static gscale_status check_put(gscale_workload *w, const gscale_put *put,
                               gscale_diag *diag)
{
  if (put->phase >= w->phases ||
      !gscale_field_number(put->field, &w->phase[put->phase], put->index))
    return gscale__fail(diag, GSCALE_ENAME, "%s: phase %zu has no such number",
                        w->name, put->phase + 1);
  if (decides(put->field))
    return gscale__fail(diag, GSCALE_EDOMAIN,
                        "%s: %s.%s: it decides how many GPUs there can be, and "
                        "is the same on all",
                        w->phase[put->phase].name, put->field->group,
                        put->field->name);
  return GSCALE_OK;
}

/* Into its place; what was said of it before is said again. */
static void insert(gscale_workload *w, int n, const gscale_put *put)
{
  size_t at = first_on(w, n, put->phase);

  for (; is_of(w, at, n, put->phase); at++)
    if (same_number(&w->on[at].put, put)) {
      w->on[at].put.value = put->value;
      return;
    }
  memmove(&w->on[at + 1], &w->on[at], (w->ons - at) * sizeof *w->on);
  w->on[at] = (gscale__on){n, *put};
  w->ons++;
}

/* The phases that were changed, as they are now. */
static gscale_status check_phases(const gscale_workload *w, int n,
                                  const gscale_put *put, size_t count,
                                  gscale_diag *diag)
{
  gscale_phase room;
  gscale_status st = GSCALE_OK;

  for (size_t k = 0; st == GSCALE_OK && k < count; k++)
    st = gscale__check_phase(gscale__phase_on(w, put[k].phase, n, &room), diag);
  return st;
}

gscale_status gscale_workload_put_on(gscale_workload *w, int n,
                                     const gscale_put *put, size_t count,
                                     gscale_diag *diag)
{
  gscale__on *const was = w->on;
  const size_t ons = w->ons;
  gscale_status st = GSCALE_OK;

  if (n < 1 || n > GSCALE__GPUS_MAX)
    return gscale__fail(diag, GSCALE_EDOMAIN, "%s: on %d GPUs", w->name, n);
  for (size_t k = 0; st == GSCALE_OK && k < count; k++)
    st = check_put(w, &put[k], diag);
  if (st != GSCALE_OK) return st;
  w->on = malloc((ons + count + 1) * sizeof *w->on);
  if (w->on && ons > 0) memcpy(w->on, was, ons * sizeof *w->on);
  for (size_t k = 0; w->on && k < count; k++) insert(w, n, &put[k]);
  st = w->on ? check_phases(w, n, put, count, diag)
             : gscale__fail(diag, GSCALE_ENOMEM, "no memory for a workload");
  free(st == GSCALE_OK ? was : w->on);
  if (st == GSCALE_OK) return st;
  w->on = was;
  w->ons = ons;
  return st;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
