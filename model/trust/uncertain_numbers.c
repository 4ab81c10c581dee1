/* uncertain_numbers.c - names and perturbation of the uncertain numbers of a
 * system and a workload. */

#include "trust/uncertain_numbers.h"
#include "describe/ask.h"
#include "ground/ground.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Appends the index of number i of a list, such as "[2]", "[2].share" or
 * ".bytes". */
static void add_index(const gscale_field *f, size_t i, char *text, size_t size)
{
  const bool second = i >= f->length;
  const size_t item = second ? i - f->length : i;
  const gscale_field *inside;
  size_t group, number;

  switch (f->kind) {
  case GSCALE_NUMBERS:
  case GSCALE_SHARES:
  case GSCALE_READERS:
  case GSCALE_PAIR:
    gscale_append(text, size, "[%zu]", i + 1);
    break;
  case GSCALE_MIXTURE:
    if (i > 0)
      gscale_append(text, size, "[%zu].%s", item + 1,
                    second ? "share" : "size");
    break;
  case GSCALE_PATH:
    gscale_append(text, size, "[%zu].%s", item + 1, second ? "bytes" : "loads");
    break;
  case GSCALE_GROUPS:
    inside = gscale_field_inside(f, i, &group, &number);
    gscale_append(text, size, "[%zu].%s", group + 1, inside->name);
    add_index(inside, number, text, size);
    break;
  default:
    break;
  }
}

static void name_of_count(const gscale_workload *w, const gscale__doubt *d,
                          gscale_number *out)
{
  const gscale_phase *p = &w->phase[d->phase];
  char path[GSCALE_NAME_MAX];

  gscale_field_path(d->field, path, sizeof path);
  snprintf(out->name, sizeof out->name, "%s.%s", p->name, path);
  add_index(d->field, d->index, out->name, sizeof out->name);
}

static gscale_dim dim_of_count(const gscale__doubt *d)
{
  const gscale_field *f = d->field;
  size_t group, i = d->index;

  if (f->kind == GSCALE_GROUPS) f = gscale_field_inside(f, i, &group, &i);
  if (f->kind == GSCALE_MIXTURE)
    return i < f->length ? GSCALE_BYTES : GSCALE_COUNT;
  if (f->kind == GSCALE_PATH)
    return i < f->length ? GSCALE_COUNT : GSCALE_BYTES;
  return f->dim;
}

static gscale_number *add(gscale__numbers *l, gscale__origin_of kind, size_t id,
                          gscale_dim dim, const gscale_param *p)
{
  gscale__entry *e = &l->entry[l->n++];

  e->kind = kind;
  e->id = id;
  e->about.dim = dim;
  e->about.p = *p;
  e->about.of_workload = kind >= GSCALE__OF_SINGLE;
  return &e->about;
}

/* Adds the numbers of messages between nodes. */
static void add_remote(gscale__numbers *l, const gscale_system *s)
{
  const gscale_field *f;

  for (size_t i = 0; (f = gscale_field_at(GSCALE_OF_REMOTE, i)); i++) {
    const gscale_param *p = gscale_system_remote_said(s, f);
    char path[GSCALE_NAME_MAX];

    if (!p) continue;
    gscale_field_path(f, path, sizeof path);
    gscale_number *n = add(l, GSCALE__OF_REMOTE, i, f->dim, p);
    snprintf(n->name, sizeof n->name, "remote.%s", path);
  }
}

static void add_system(gscale__numbers *l, const gscale_system *s)
{
  for (size_t id = 0; id < GSCALE_PARAM_END; id++) {
    const gscale_param_info *info = gscale_param_info_at(id);
    gscale_number *n =
        add(l, GSCALE__OF_PARAM, id, info->dim, gscale_system_get(s, id));
    gscale__copy_text(n->name, sizeof n->name, info->name);
  }
  for (size_t i = 0; i < s->membw.n; i++) {
    gscale_param p = s->membw_each;
    gscale_number *n;

    p.val = s->membw.y[i];
    p.err *= p.val;
    n = add(l, GSCALE__OF_CURVE, i, GSCALE_COUNT, &p);
    snprintf(n->name, sizeof n->name, "device.membw_curve[%zu]", i + 1);
  }
  for (size_t i = 0; i < s->doubts; i++) {
    gscale_number *n =
        add(l, GSCALE__OF_FABRIC, i, s->doubt[i].field->dim, &s->doubt[i].p);
    snprintf(n->name, sizeof n->name, "topology.%s", s->doubt[i].field->name);
  }
  if (s->network.nodes > 0) add_remote(l, s);
}

/* Returns true for a stated count without an error.  Shares are excluded,
 * because they sum to 1 and none can change alone. */
static bool is_exact(const gscale_workload *w, const gscale__doubt *d)
{
  const gscale_field *f = d->field;
  const bool shares = f->kind == GSCALE_SHARES || f->kind == GSCALE_READERS ||
                      (f->kind == GSCALE_MIXTURE &&
                       (d->index > 0 || w->phase[d->phase].stores.n > 1));

  if (shares || (d->p.val >= f->otherwise && d->p.val <= f->otherwise))
    return false;
  for (size_t m = 0; m < w->doubts; m++)
    if (w->doubt[m].phase == d->phase && w->doubt[m].field == f) return false;
  return true;
}

gscale__entry gscale__count_entry(const gscale_workload *w, size_t phase,
                                  const gscale_field *f, size_t index)
{
  gscale_phase of = w->phase[phase];
  const gscale__doubt d = {
      phase,
      f,
      index,
      {.val = *gscale_field_number(f, &of, index), .origin = GSCALE_DERIVED}};
  gscale__entry e = {
      .kind = GSCALE__OF_COUNT,
      .id = SIZE_MAX,
      .count = d,
      .about = {.dim = dim_of_count(&d), .p = d.p, .of_workload = true}};

  name_of_count(w, &d, &e.about);
  return e;
}

/* Adds counts that are stated without an error. */
static void add_exact(gscale__numbers *l, const gscale_workload *w)
{
  const gscale_field *f;

  for (size_t i = 0; i < w->phases; i++)
    for (gscale_leaf at = {.of = GSCALE_OF_PHASE};
         (f = gscale_field_next(&at));)
      for (size_t m = 0; m < gscale_field_numbers(f); m++) {
        const gscale__entry e = gscale__count_entry(w, i, f, m);

        if (is_exact(w, &e.count)) l->entry[l->n++] = e;
      }
}

static void add_workload(gscale__numbers *l, const gscale_workload *w)
{
  if (w->single.val > 0.0)
    strcpy(add(l, GSCALE__OF_SINGLE, 0, GSCALE_TIME, &w->single)->name, "t1");
  for (size_t i = 0; i < w->knobs; i++) {
    gscale_number *n =
        add(l, GSCALE__OF_KNOB, i, w->knob[i].dim, &w->knob[i].p);
    gscale__copy_text(n->name, sizeof n->name, w->knob[i].name);
  }
  for (size_t i = 0; i < w->doubts; i++) {
    gscale_number *n =
        add(l, GSCALE__OF_COUNT, i, dim_of_count(&w->doubt[i]), &w->doubt[i].p);
    l->entry[l->n - 1].count = w->doubt[i];
    name_of_count(w, &w->doubt[i], n);
  }
}

static size_t most_numbers(const gscale_system *s, const gscale_workload *w,
                           bool all)
{
  const gscale_field *f;
  size_t fields = 0;

  for (size_t i = 0; all && (f = gscale_field_at(GSCALE_OF_PHASE, i)); i++)
    fields += gscale_field_numbers(f);
  return GSCALE_PARAM_END + s->membw.n + s->doubts + GSCALE__REMOTE_ROWS + 1 +
         w->knobs + w->doubts + w->phases * fields;
}

bool gscale__list_numbers(gscale__numbers *l, const gscale_system *s,
                          const gscale_workload *w, bool all)
{
  l->n = 0;
  l->entry = malloc(most_numbers(s, w, all) * sizeof *l->entry);
  if (!l->entry) return false;
  add_system(l, s);
  add_workload(l, w);
  if (all) add_exact(l, w);
  return true;
}

void gscale__free_numbers(gscale__numbers *l)
{
  free(l->entry);
}

/* Returns the value nearest to v inside the domain, which may exclude
 * `least`. */
static double clamp(double v, double least, double most, bool open, double now)
{
  const double low =
      open && now > least ? least + (now - least) / 1000.0 : least;

  return fmin(fmax(v, low), most);
}

/* Sets a share to at most the rest that all other shares leave, because the sum
 * is <= 1. */
static double set_share(double *share, size_t n, size_t i, double v)
{
  double others = 0.0;

  for (size_t k = 0; k < n; k++) others += k == i ? 0.0 : share[k];
  return share[i] = clamp(v, 0.0, fmax(0.0, 1.0 - others), false, share[i]);
}

/* Sets a share of a mixture.  All other shares keep their ratios, so that the
 * sum stays 1. */
static double set_mixture_share(gscale_stores *s, size_t i, double v)
{
  const double rest = 1.0 - s->share[i];
  const double to =
      s->n > 1 && rest > 0.0 ? clamp(v, 0.0, 1.0, false, 0.0) : s->share[i];

  for (size_t k = 0; k < s->n; k++)
    if (k != i && rest > 0.0) s->share[k] *= (1.0 - to) / rest;
  return s->share[i] = to;
}

/* Sets the published share of a group.  All other shares keep their ratios, so
 * that the sum stays 1. */
static double set_publishes(gscale_phase *p, size_t i, double v)
{
  const double rest = 1.0 - p->group[i].publishes;

  if (!(rest > 0.0)) return p->group[i].publishes;
  v = clamp(v, 0.0, 1.0, p->group[i].per == GSCALE_PER_FACE,
            p->group[i].publishes);
  for (size_t k = 0; k < p->groups; k++)
    if (k != i) p->group[k].publishes *= (1.0 - v) / rest;
  return p->group[i].publishes = v;
}

/* Returns the share of a GPU's kernel that all other groups leave. */
static double left_for(const gscale_phase *p, size_t i)
{
  double others = 0.0;

  for (size_t k = 0; k < p->groups; k++)
    if (k != i && !p->group[k].rest && p->group[k].per == GSCALE_PER_GPU)
      others += p->group[k].share;
  return fmax(0.0, 1.0 - others);
}

/* Sets a group's share, but only if a group has the rest; else shares sum to 1
 * and stay. */
static double set_group_share(gscale_phase *p, size_t i, double v)
{
  bool rest = false;

  for (size_t k = 0; k < p->groups; k++) rest = rest || p->group[k].rest;
  if (!rest) return p->group[i].share;
  if (p->group[i].per == GSCALE_PER_GPU) v = fmin(v, left_for(p, i));
  return p->group[i].share = clamp(v, 0.0, 1.0, false, 0.0);
}

static double set_group(gscale_phase *p, const gscale_field *f, size_t i,
                        double v)
{
  size_t group, number;
  const gscale_field *row = gscale_field_inside(f, i, &group, &number);
  gscale_blocks *b = &p->group[group];
  double *at = gscale_field_number(row, b, number);

  if (at == &b->publishes) return set_publishes(p, group, v);
  if (at == &b->share) return set_group_share(p, group, v);
  return *at = clamp(v, 0.0, row->kind == GSCALE_PATH ? INFINITY : row->most,
                     false, 0.0);
}

static double set_count(gscale_workload *w, const gscale__doubt *d, double v)
{
  gscale_phase *p = &w->phase[d->phase];
  const gscale_field *f = d->field;
  double *at = gscale_field_number(f, p, d->index);

  switch (f->kind) {
  case GSCALE_SHARES:
  case GSCALE_READERS:
    v = set_share(at - d->index, f->length, d->index, v);
    break;
  case GSCALE_MIXTURE:
    if (d->index >= f->length)
      v = set_mixture_share(&p->stores, d->index - f->length, v);
    else
      v = *at = clamp(v, 0.0, INFINITY, true, *at);
    break;
  case GSCALE_GROUPS:
    v = set_group(p, f, d->index, v);
    break;
  default:
    v = clamp(v, f->least, f->most, f->open, *at);
    if (f->kind == GSCALE_WHOLE) v = round(v);
    *at = v;
  }
  return v;
}

/* Sets a number of the topology.  The number `mesh.per_link` represents all
 * links. */
static double set_fabric(gscale_system *s, size_t i, double v)
{
  const gscale_field *f = s->doubt[i].field;
  double *at = gscale_field_number(f, &s->fabric, 0);
  const double now = s->doubt[i].p.val;

  v = clamp(v, f->least, f->most, f->open, now);
  if (f->offset != offsetof(gscale_fabric, mesh)) return *at = v;
  for (int a = 0; now > 0.0 && a < s->fabric.mesh_gpus; a++)
    for (int b = 0; b < s->fabric.mesh_gpus; b++)
      s->fabric.mesh[a][b] *= v / now;
  return v;
}

/* Returns the upper end of the domain of number i, which is infinite for lists
 * without a limit. */
static double most_of(const gscale_field *f, size_t i)
{
  size_t group, number;

  if (f->kind == GSCALE_GROUPS) f = gscale_field_inside(f, i, &group, &number);
  return f->most > f->least ? f->most : INFINITY;
}

/* Interpolates every number of the phases between two workloads. */
static void blend(gscale_workload *w, const gscale_workload *base,
                  const gscale_workload *other, double share)
{
  const gscale_field *f;

  if (other->phases != w->phases) return;
  gscale__blend_on(w, base, other, share);
  w->single.val += share * (other->single.val - base->single.val);
  w->single.val = fmax(0.0, w->single.val);
  for (size_t i = 0; i < w->phases; i++) {
    gscale_phase from = base->phase[i], to = other->phase[i];

    for (gscale_leaf row = {.of = GSCALE_OF_PHASE};
         (f = gscale_field_next(&row));)
      for (size_t m = 0;; m++) {
        double *at = gscale_field_number(f, &w->phase[i], m);
        const double *a = gscale_field_number(f, &from, m);
        const double *b = gscale_field_number(f, &to, m);

        if (!at) break;
        if (!(*b < *a) && !(*b > *a)) continue;
        *at = clamp(*at + share * (*b - *a), f->least, most_of(f, m), f->open,
                    *a);
        if (f->kind == GSCALE_WHOLE) *at = round(*at);
      }
  }
}

static double set_knob(gscale_workload *w, const gscale_workload *base,
                       size_t i, double v)
{
  const gscale__uncertain_knob *k = &base->knob[i];
  const gscale_workload *other = v < k->p.val ? k->down : k->up;
  const double end = v < k->p.val ? k->low : k->high;
  const double d = end - k->p.val;
  double low, high;

  if (!(fabs(d) > 0.0)) return k->p.val;
  gscale_param_nodes(&k->p, &low, &high);
  if (k->low > low) v = fmax(v, k->low); /* end of the knob's domain */
  if (k->high < high) v = fmin(v, k->high);
  blend(w, base, other, (v - k->p.val) / d);
  return v;
}

const gscale_workload *gscale__moved_knob(const gscale_workload *w, size_t i,
                                          double value)
{
  const gscale__uncertain_knob *k = &w->knob[i];

  if (value <= k->low && k->low < k->p.val) return k->down;
  if (value >= k->high && k->high > k->p.val) return k->up;
  return NULL;
}

double gscale__move(const gscale__entry *e, double value, gscale_system *s,
                    gscale_workload *w, const gscale_workload *base)
{
  const gscale_param_info *info;
  double *number;

  switch (e->kind) {
  case GSCALE__OF_PARAM:
    info = gscale_param_info_at(e->id);
    value = fmin(fmax(value, info->least), info->most);
    gscale__param_move(s, e->id, value);
    return value;
  case GSCALE__OF_CURVE:
    return s->membw.y[e->id] =
               clamp(value, 0.0, INFINITY, true, s->membw.y[e->id]);
  case GSCALE__OF_FABRIC:
    return set_fabric(s, e->id, value);
  case GSCALE__OF_REMOTE:
    number = gscale_field_number(gscale_field_at(GSCALE_OF_REMOTE, e->id),
                                 &s->remote, 0);
    return *number = fmax(0.0, value);
  case GSCALE__OF_SINGLE:
    return w->single.val = clamp(value, 0.0, INFINITY, true, e->about.p.val);
  case GSCALE__OF_KNOB:
    return set_knob(w, base, e->id, value);
  case GSCALE__OF_COUNT:
    return set_count(w, &e->count, value);
  }
  return value;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
