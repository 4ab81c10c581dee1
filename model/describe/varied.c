/* varied.c - phases' numbers and hosts by number of GPUs, as lists of
 * values. */

#include "describe/described.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Returns the first entry for n GPUs and phase i or a later phase. */
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

static bool same_number(const gscale__number_on *a, const gscale__number_on *b)
{
  return a->phase == b->phase && a->field == b->field && a->index == b->index;
}

/* Returns a number's value in another workload, where it may not vary. */
static double number_of(const gscale_workload *w, const gscale__on *like)
{
  const size_t i = like->put.phase;

  for (size_t at = first_on(w, like->n, i); is_of(w, at, like->n, i); at++)
    if (same_number(&w->on[at].put, &like->put)) return w->on[at].put.value;
  gscale_phase one = w->phase[i];
  const double *v = gscale_field_number(like->put.field, &one, like->put.index);
  return v ? *v : like->put.value;
}

/* Returns v limited to the domain of its field, or the old value. */
static double within(const gscale_field *f, double v, double was)
{
  if (f->most > f->least) v = fmin(v, f->most);
  if (v < f->least || (f->open && !(v > f->least)))
    return f->open ? was : f->least;
  return f->kind == GSCALE_WHOLE ? round(v) : v;
}

/* Returns the value with all blends applied. */
static double value_on(const gscale_workload *w, size_t at)
{
  const gscale__on *on = &w->on[at];
  double v = on->put.value;

  for (size_t k = 0; k < w->ways; k++)
    v += w->way[k].way *
         (number_of(w->way[k].to, on) - number_of(w->way[k].from, on));
  return w->ways > 0 ? within(on->put.field, v, on->put.value) : v;
}

/* Returns a number's ratio to its original on one GPU.  A change of the number
 * on one GPU applies to all numbers of GPUs. */
static double scaling_of(const gscale_workload *w, const gscale__number_on *put,
                         double now)
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
    const gscale__number_on *put = &w->on[at].put;
    double *number = gscale_field_number(put->field, room, put->index);
    *number = value_on(w, at) * scaling_of(w, put, *number);
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

static const gscale__there *find_there(const gscale_workload *w, int n)
{
  for (size_t k = 0; k < w->theres; k++)
    if (w->there[k].n == n) return &w->there[k];
  return NULL;
}

bool gscale__is_known_on(const gscale_workload *w, int n)
{
  return w->theres == 0 || find_there(w, n);
}

const gscale_host *gscale__host_on(const gscale_workload *w, int n)
{
  const gscale__there *there = find_there(w, n);

  return there ? &there->host : &w->host;
}

void gscale__forget_on(gscale_workload *w, size_t phase, const gscale_field *f)
{
  size_t kept = 0;

  for (size_t k = 0; k < w->ons; k++)
    if (w->on[k].put.phase != phase || w->on[k].put.field != f)
      w->on[kept++] = w->on[k];
  w->ons = kept;
}

/* Returns true for fields that limit numbers of GPUs and must not vary. */
static bool limits_gpus(const gscale_field *f)
{
  return f == gscale_field_find(GSCALE_OF_PHASE, "footprint") ||
         f == gscale_field_find(GSCALE_OF_PHASE, "grid.gpus");
}

double gscale__error_on(const gscale_workload *w, const gscale__doubt *d, int n)
{
  const gscale__number_on put = {d->phase, d->field, d->index, 0.0};

  for (size_t at = first_on(w, n, d->phase); is_of(w, at, n, d->phase); at++)
    if (same_number(&w->on[at].put, &put) && w->on[at].err > 0.0)
      return w->on[at].err * fabs(d->p.val);
  return d->p.err;
}

/* Returns the relative error of a number that another workload doubts. */
static double error_of(const gscale_workload *w, const gscale__number_on *put)
{
  const gscale_param *p =
      gscale_workload_doubted(w, put->phase, put->field, put->index);

  return p && fabs(p->val) > 0.0 ? p->err / fabs(p->val) : 0.0;
}

/* Inserts a number in order, or replaces an equal entry. */
static void insert(gscale_workload *w, int n, const gscale__number_on *put,
                   double err)
{
  size_t at = first_on(w, n, put->phase);

  for (; is_of(w, at, n, put->phase); at++)
    if (same_number(&w->on[at].put, put)) {
      w->on[at] = (gscale__on){n, *put, err};
      return;
    }
  memmove(&w->on[at + 1], &w->on[at], (w->ons - at) * sizeof *w->on);
  w->on[at] = (gscale__on){n, *put, err};
  w->ons++;
}

/* Checks the phases that were changed. */
static gscale_status check_phases(const gscale_workload *w, int n,
                                  const gscale__number_on *put, size_t count,
                                  gscale_diag *diag)
{
  gscale_phase room;
  gscale_status st = GSCALE_OK;

  for (size_t k = 0; st == GSCALE_OK && k < count; k++)
    st = gscale__check_phase(gscale__phase_on(w, put[k].phase, n, &room), diag);
  return st;
}

static gscale_status put_on(gscale_workload *w, int n,
                            const gscale_workload *there,
                            const gscale__number_on *put, size_t count,
                            gscale_diag *diag)
{
  gscale__on *const more = realloc(w->on, (w->ons + count + 1) * sizeof *more);

  if (!more)
    return gscale__fail(diag, GSCALE_ENOMEM, "no memory for a workload");
  w->on = more;
  for (size_t k = 0; k < count; k++)
    insert(w, n, &put[k], error_of(there, &put[k]));
  return check_phases(w, n, put, count, diag);
}

enum {
  NUMBERS_MAX = 512 /* numbers of a phase that may differ */
};

/* Lists the numbers of phase i that differ in put[], with their values on one
 * GPU. *on becomes the phase with the values on n GPUs. */
static size_t list_numbers(const gscale_phase *there, size_t i,
                           gscale_phase *on, gscale__number_on put[NUMBERS_MAX])
{
  gscale_phase other = *there;
  gscale_leaf at = {.of = GSCALE_OF_PHASE};
  const gscale_field *f;
  size_t n = 0;
  double *a, *b;

  while ((f = gscale_field_next(&at)))
    for (size_t k = 0; (a = gscale_field_number(f, on, k)) &&
                       (b = gscale_field_number(f, &other, k));
         k++) {
      if (memcmp(a, b, sizeof *a) == 0 || n == NUMBERS_MAX) continue;
      put[n++] = (gscale__number_on){i, f, k, *a};
      *a = *b;
    }
  on->origin = there->origin;
  return n;
}

static gscale_status set_phase_on(gscale_workload *w, int n, size_t i,
                                  const gscale_workload *whole,
                                  gscale_diag *diag)
{
  const gscale_phase *there = &whole->phase[i];
  gscale_phase on = w->phase[i];
  gscale__number_on put[NUMBERS_MAX];
  const size_t count = list_numbers(there, i, &on, put);

  for (size_t k = 0; k < count; k++)
    if (limits_gpus(put[k].field))
      return gscale__fail(diag, GSCALE_EDOMAIN,
                          "%s: %s.%s: it decides how many GPUs there can be, "
                          "and is the same on all",
                          on.name, put[k].field->group, put[k].field->name);
  if (memcmp(&on, there, sizeof on) != 0)
    return gscale__fail(diag, GSCALE_EDOMAIN,
                        "%s: only numbers of a phase may depend on the number "
                        "of GPUs, not words and lengths of lists",
                        on.name);
  gscale_status st = count > 0 ? put_on(w, 1, w, put, count, diag) : GSCALE_OK;
  for (size_t k = 0; k < count; k++)
    put[k].value = *gscale_field_number(put[k].field, &on, put[k].index);
  if (st == GSCALE_OK && count > 0) st = put_on(w, n, whole, put, count, diag);
  return st;
}

gscale_status gscale_workload_set_on(gscale_workload *w, int n,
                                     const gscale_workload *there,
                                     gscale_diag *diag)
{
  gscale_status st = GSCALE_OK;

  if (n < 1 || n > GSCALE__GPUS_MAX)
    return gscale__fail(diag, GSCALE_EDOMAIN, "%s: on %d GPUs", w->name, n);
  if (w->phases != there->phases)
    return gscale__fail(diag, GSCALE_EDOMAIN,
                        "%s: %zu phases on %d GPUs, not %zu", w->name,
                        there->phases, n, w->phases);
  gscale__there *const more = realloc(w->there, (w->theres + 1) * sizeof *more);
  if (!more)
    return gscale__fail(diag, GSCALE_ENOMEM, "no memory for a workload");
  w->there = more;
  more[w->theres] = (gscale__there){n, there->host};
  if (!find_there(w, n)) w->theres++;
  for (size_t i = 0; st == GSCALE_OK && i < w->phases; i++)
    st = set_phase_on(w, n, i, there, diag);
  return st;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
