/* joint.c - joint errors of several predictions. */

#include "ground/ground.h"
#include "trust/residual.h"
#include "trust/uncertain_numbers.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* The effect of a cause on ln T of a prediction.  A cause may affect several
 * predictions. */
typedef struct effect {
  uint64_t cause;
  double a;
} effect;

typedef struct row {
  double time;
  size_t n;
  effect *of; /* effects in order of causes, each cause once */
} row;

struct gscale_joint {
  row *row;
  size_t n;
};

gscale_joint *gscale_joint_new(void)
{
  return calloc(1, sizeof(gscale_joint));
}

void gscale_joint_free(gscale_joint *j)
{
  if (!j) return;
  for (size_t i = 0; i < j->n; i++) free(j->row[i].of);
  free(j->row);
  free(j);
}

size_t gscale_joint_count(const gscale_joint *j)
{
  return j->n;
}

enum {
  AXES = 4, /* axes in which predictions may differ */
  OWN = GSCALE_RESIDUAL_PARTS << AXES,
  OTHERS = 2 /* effects in addition to numbers and the residual */
};

static const uint64_t START = 0xcbf29ce484222325u; /* FNV-1a [Fowler91] */

static uint64_t mix(uint64_t h, const void *data, size_t size)
{
  const unsigned char *c = data;

  for (size_t i = 0; i < size; i++) h = (h ^ c[i]) * 0x100000001b3u;
  return h;
}

static uint64_t mix_text(uint64_t h, const char *text)
{
  return mix(h, text, strlen(text) + 1);
}

/* Returns the cause of a number, which is also the seed of the number's
 * draws. */
static uint64_t cause_of(const gscale_system *s, const gscale_number *n)
{
  uint64_t h = mix_text(START, gscale_name_was(n->name));

  if (n->of_workload) return h;
  h = mix_text(h, s->name);
  return mix(h, &n->p.val, sizeof n->p.val);
}

static int by_cause(const void *a, const void *b)
{
  const uint64_t x = ((const effect *)a)->cause, y = ((const effect *)b)->cause;

  return GSCALE_ORDER(x, y);
}

/* Computes the identity of a prediction on each axis. */
static void identify(const gscale_uncertainty *u, const gscale_error *e,
                     uint64_t id[AXES])
{
  const gscale_system *s = gscale__uncertain_system(u);

  id[0] = e->at.paradigm;
  id[1] =
      mix(mix(START, &id[0], sizeof id[0]), &e->at.knobs, sizeof e->at.knobs);
  id[2] = (uint64_t)gscale_plan_gpus(gscale_uncertainty_plan(u));
  id[3] = mix_text(mix_text(START, s->name), s->linked ? s->link.name : "");
}

/* Splits a part of the residual into 2^AXES effects.  On each axis, an effect
 * is either common to all predictions or particular to this prediction, in the
 * shares of the correlations. */
static effect *add_own(const gscale_residuals *r, const uint64_t id[AXES],
                       size_t of, double own, effect *out)
{
  static const gscale_residual_axis axis[AXES] = {
      GSCALE_RESIDUAL_WAY, GSCALE_RESIDUAL_KNOB, GSCALE_RESIDUAL_GPUS,
      GSCALE_RESIDUAL_MACHINE};

  if (!(own > 0.0)) return out;
  for (size_t part = 0; part < (size_t)1 << AXES; part++) {
    uint64_t h = mix(mix_text(START, "model"), &of, sizeof of);
    double share = 1.0;

    h = mix(h, &part, sizeof part);
    for (size_t a = 0; a < AXES; a++) {
      const double together = r->together[gscale_residual_kind_of(of)][axis[a]];
      const bool apart = (part >> a) & 1;

      share *= apart ? 1.0 - together : together;
      if (apart) h = mix(h, &id[a], sizeof id[a]);
    }
    if (share > 0.0) *out++ = (effect){h, own * sqrt(share)};
  }
  return out;
}

/* Adds an error of a machine, which is common to all predictions for the
 * machine. */
static effect *add_other(const char *name, uint64_t place, double err,
                         effect *out)
{
  if (!(err > 0.0)) return out;
  *out = (effect){mix(mix_text(START, name), &place, sizeof place), err};
  return out + 1;
}

/* Merges effects of the same cause. */
static size_t merge(effect *of, size_t n)
{
  size_t kept = 0;

  qsort(of, n, sizeof *of, by_cause);
  for (size_t i = 0; i < n; i++) {
    if (kept > 0 && of[kept - 1].cause == of[i].cause)
      of[kept - 1].a += of[i].a;
    else
      of[kept++] = of[i];
  }
  return kept;
}

/* Lists the effects on a prediction, and returns the number of effects. */
static size_t list_effects(const gscale_uncertainty *u, double time,
                           const gscale_error *e, effect *of)
{
  const gscale_system *s = gscale__uncertain_system(u);
  /* converts s to ln(s) with the width of the interval */
  const double to_log = e->time > 0.0 ? asinh(e->time / time) / e->time : 0.0;
  const bool in_residual = e->own[GSCALE_RESIDUAL_STEP] > 0.0;
  effect *end = of;
  uint64_t id[AXES];

  for (size_t i = 0; i < gscale_uncertainty_count(u); i++) {
    const gscale_number *n = gscale_uncertainty_number(u, i);
    const double moved = gscale_uncertainty_effect(u, i) * e->left;

    if (fabs(moved) > 0.0 && !(in_residual && gscale__is_known(s, n)))
      *end++ = (effect){cause_of(s, n), moved * to_log};
  }
  identify(u, e, id);
  for (size_t p = 0; p < GSCALE_RESIDUAL_PARTS; p++)
    end = add_own(&s->residuals, id, p, e->own[p] * to_log, end);
  end = add_other("rest", id[AXES - 1], e->of_rest * to_log, end);
  end = add_other("collectives", id[AXES - 1], e->of_collectives * to_log, end);
  return merge(of, (size_t)(end - of));
}

gscale_status gscale_joint_add(gscale_joint *j, const gscale_uncertainty *u,
                               double time, const gscale_error *e,
                               gscale_diag *diag)
{
  if (!(time > 0.0) || !(e->time >= 0.0) || !isfinite(time + e->time))
    return gscale__fail(diag, GSCALE_EDOMAIN, "%g s +- %g s is no time", time,
                        e->time);
  row *more = realloc(j->row, (j->n + 1) * sizeof *more);
  if (more) j->row = more;
  effect *of =
      malloc((gscale_uncertainty_count(u) + OWN + OTHERS) * sizeof *of);
  if (!more || !of) {
    free(of);
    return gscale__fail(diag, GSCALE_ENOMEM, "no memory to compare");
  }
  j->row[j->n++] = (row){time, list_effects(u, time, e, of), of};
  return GSCALE_OK;
}

/* The packed form of a row, which precedes the row's effects. */
typedef struct packed {
  double time;
  size_t n;
} packed;

size_t gscale_joint_pack(const gscale_joint *j, void *to)
{
  char *at = to;
  size_t size = 0;

  for (size_t i = 0; i < j->n; i++) {
    const row *r = &j->row[i];
    const packed head = {r->time, r->n};

    if (at) memcpy(at + size, &head, sizeof head);
    if (at) memcpy(at + size + sizeof head, r->of, r->n * sizeof *r->of);
    size += sizeof head + r->n * sizeof *r->of;
  }
  return size;
}

gscale_status gscale_joint_unpack(gscale_joint *j, const void *from,
                                  size_t size, gscale_diag *diag)
{
  const char *at = from;

  while (size > 0) {
    packed head = {0};

    if (size >= sizeof head) memcpy(&head, at, sizeof head);
    if (!(head.time > 0.0) || head.n > (size - sizeof head) / sizeof(effect))
      return gscale__fail(diag, GSCALE_EDATA, "not rows of a joint");
    row *more = realloc(j->row, (j->n + 1) * sizeof *more);
    if (more) j->row = more;
    effect *of = malloc((head.n + 1) * sizeof *of);
    if (!more || !of) {
      free(of);
      return gscale__fail(diag, GSCALE_ENOMEM, "no memory to compare");
    }
    memcpy(of, at + sizeof head, head.n * sizeof *of);
    j->row[j->n++] = (row){head.time, head.n, of};
    at += sizeof head + head.n * sizeof *of;
    size -= sizeof head + head.n * sizeof *of;
  }
  return GSCALE_OK;
}

double gscale_joint_apart(const gscale_joint *j, size_t a, size_t b)
{
  double sum = 0.0;

  if (a >= j->n || b >= j->n) return NAN;
  const row *x = &j->row[a], *y = &j->row[b];
  for (size_t i = 0, k = 0; i < x->n || k < y->n;) {
    const bool left =
        k == y->n || (i < x->n && x->of[i].cause <= y->of[k].cause);
    const bool right =
        i == x->n || (k < y->n && y->of[k].cause <= x->of[i].cause);
    const double d = (left ? x->of[i].a : 0.0) - (right ? y->of[k].a : 0.0);

    sum += d * d;
    i += left;
    k += right;
  }
  return sqrt(sum);
}

double gscale_joint_faster(const gscale_joint *j, size_t a, size_t b,
                           double factor)
{
  const double apart = gscale_joint_apart(j, a, b);

  if (isnan(apart) || !(factor > 0.0)) return NAN;
  const double lead = log(factor * j->row[b].time / j->row[a].time);
  if (!(apart > 0.0)) return lead > 0.0 ? 1.0 : lead < 0.0 ? 0.0 : 0.5;
  return gscale__residual_below(lead / apart);
}

/* Returns the normal number of a cause in a draw. */
static double normal_of(uint64_t cause, uint64_t draw)
{
  uint64_t state = cause ^ (draw * 0xd1342543de82ef95u);
  double even[2];

  for (int i = 0; i < 2; i++) {
    uint64_t z = (state += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    even[i] = ((double)((z ^ (z >> 31)) >> 11) + 0.5) * 0x1p-53;
  }
  return sqrt(-2.0 * log(even[0])) * cos(6.283185307179586 * even[1]);
}

typedef struct urn { /* the causes of some rows */
  size_t n;
  effect *of; /* effects in order of causes; `a` is the value of a draw */
  size_t *at; /* index of each effect's cause */
} urn;

/* Computes the index of the merged cause of each effect. */
static void place(const gscale_joint *j, const size_t *index, size_t n, urn *v)
{
  size_t k = 0;

  for (size_t i = 0; i < n; i++) {
    const row *r = &j->row[index[i]];

    for (size_t e = 0; e < r->n; e++) {
      const effect *found =
          bsearch(&r->of[e], v->of, v->n, sizeof *v->of, by_cause);
      v->at[k++] = (size_t)(found - v->of);
    }
  }
}

static bool fill(const gscale_joint *j, const size_t *index, size_t n, urn *v)
{
  size_t all = 0;

  for (size_t i = 0; i < n; i++) all += j->row[index[i]].n;
  v->of = malloc((all + 1) * sizeof *v->of);
  v->at = malloc((all + 1) * sizeof *v->at);
  if (!v->of || !v->at) return false;
  for (size_t i = 0; i < n; i++) {
    const row *r = &j->row[index[i]];

    memcpy(v->of + v->n, r->of, r->n * sizeof *r->of);
    v->n += r->n;
  }
  v->n = merge(v->of, v->n);
  place(j, index, n, v);
  return true;
}

/* Returns the factor that widens all errors of a draw, so that each error is
 * t-distributed with 3 degrees of freedom. */
static double width_of(uint64_t draw)
{
  double square = 0.0;

  for (uint64_t i = 0; i < 3; i++) {
    const double z =
        normal_of(mix(mix_text(START, "width"), &i, sizeof i), draw);
    square += z * z;
  }
  return sqrt(3.0 / square) / gscale__residual_point();
}

static size_t fastest(const gscale_joint *j, const size_t *index, size_t n,
                      const urn *v)
{
  double least = INFINITY;
  size_t best = 0, k = 0;

  for (size_t i = 0; i < n; i++) {
    const row *r = &j->row[index[i]];
    double t = log(r->time);

    for (size_t e = 0; e < r->n; e++) t += r->of[e].a * v->of[v->at[k++]].a;
    if (t < least) {
      least = t;
      best = i;
    }
  }
  return best;
}

gscale_status gscale_joint_best(const gscale_joint *j, const size_t *index,
                                size_t n, size_t draws, double *share,
                                gscale_diag *diag)
{
  urn v = {0};

  if (n == 0 || draws == 0)
    return gscale__fail(diag, GSCALE_EDOMAIN, "nothing to compare");
  for (size_t i = 0; i < n; i++)
    if (index[i] >= j->n)
      return gscale__fail(diag, GSCALE_EDOMAIN, "no prediction %zu", index[i]);
  const bool ready = fill(j, index, n, &v);
  for (size_t i = 0; i < n; i++) share[i] = 0.0;
  for (size_t d = 0; ready && d < draws; d++) {
    const double width = width_of(d);
    for (size_t c = 0; c < v.n; c++)
      v.of[c].a = width * normal_of(v.of[c].cause, d);
    share[fastest(j, index, n, &v)] += 1.0 / (double)draws;
  }
  free(v.of);
  free(v.at);
  return ready ? GSCALE_OK
               : gscale__fail(diag, GSCALE_ENOMEM, "no memory for draws");
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
