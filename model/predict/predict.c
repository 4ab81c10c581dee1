/* predict.c - predictions from a plan, a paradigm and knobs. */

#include "predict/step.h"
#include "price/actions.h"
#include "price/between.h"
#include "price/collectives.h"

#include <math.h>
#include <string.h>

/* Returns true if data of the plan leaves nodes by a method. */
static bool leaves_nodes(const gscale_plan *p, const gscale__paradigm *m)
{
  for (size_t i = 0; !m->joined && i < p->phases; i++)
    if (p->phase[i].far.out > 0.0) return true;
  return false;
}

/* Returns the first method that the system has, or an index past the end. */
static size_t first_method(const gscale_plan *p, size_t from)
{
  while (gscale_between_at(from) && gscale__between_needs(p, from)) from++;
  return from;
}

/* ---- knobs --------------------------------------------------------------- */

/* Returns the phases of the plan that a knob affects, one bit each. */
static uint64_t affected_phases(const gscale_plan *p, const gscale__paradigm *m,
                                gscale_knob k)
{
  uint64_t phases = 0;

  if (!m->about.uses[k]) return 0;
  for (size_t i = 0; i < p->phases; i++) {
    const gscale__phase_plan *f = &p->phase[i];
    if (f->out > 0.0 && (!m->obeys || m->obeys(f, k)))
      phases |= gscale__phase_bit(i);
  }
  return phases;
}

static bool in_use(const gscale_plan *p, const gscale__paradigm *m,
                   gscale_knob k)
{
  return affected_phases(p, m, k) != 0;
}

/* Checks that data can leave nodes by the requested method, or by any (0). */
static gscale_status check_method(const gscale_plan *p,
                                  const gscale__paradigm *m, size_t asked,
                                  gscale_diag *diag)
{
  if (asked > 0 && (!gscale_between_at(asked - 1) || m->joined))
    return gscale__fail(diag, GSCALE_EDOMAIN, "%s: no method %zu between nodes",
                        m->about.name, asked);
  if (asked > 0 && !p->network)
    return gscale__fail(diag, GSCALE_ENEED,
                        "%s+%s: needs a system of several nodes (network)",
                        m->about.name, gscale_between_at(asked - 1)->name);
  if (!leaves_nodes(p, m)) return GSCALE_OK;
  if (asked > 0 && gscale__between_needs(p, asked - 1))
    return gscale__fail(diag, GSCALE_ENEED, "%s between nodes needs %s",
                        gscale_between_at(asked - 1)->name,
                        gscale__between_needs(p, asked - 1));
  if (asked == 0 && !gscale_between_at(first_method(p, 0)))
    return gscale__fail(diag, GSCALE_ENEED,
                        "%s on %d nodes needs a method between them: %s",
                        m->about.name, p->nodes, gscale__between_needs(p, 0));
  return GSCALE_OK;
}

/* Checks that the requested algorithm and protocol suit all collectives. */
static gscale_status check_collectives(const gscale_plan *p,
                                       const gscale__paradigm *m,
                                       const gscale_knobs *given,
                                       gscale_knobs *out, gscale_diag *diag)
{
  if (!given || !m->about.collective) return GSCALE_OK;
  out->algorithm = given->algorithm;
  out->protocol = given->protocol;
  if (out->algorithm > GSCALE_COLL_ALGORITHM_END ||
      out->protocol > GSCALE_COLL_PROTOCOL_END)
    return gscale__fail(diag, GSCALE_EDOMAIN,
                        "%s: no such algorithm or protocol", m->about.name);
  if (out->algorithm == 0 && out->protocol == 0) return GSCALE_OK;
  for (size_t i = 0; i < p->phases; i++) {
    const gscale__phase_plan *f = &p->phase[i];
    if (gscale__sends(f) && isnan(gscale__coll_of(p, f, out).total))
      return gscale__fail(diag, GSCALE_ENEED,
                          "%s: phase %zu needs an algorithm and a protocol "
                          "that can do its collective",
                          m->about.name, i + 1);
  }
  return GSCALE_OK;
}

/* Copies the given knobs that are in use, and sets all others to NaN. */
static gscale_status check_knobs(const gscale_plan *p,
                                 const gscale__paradigm *m,
                                 const gscale_knobs *given, gscale_knobs *out,
                                 gscale_diag *diag)
{
  const double residents = gscale__threads(p);

  *out = gscale_knobs_best;
  for (size_t i = 0; given && i < GSCALE_KNOB_END; i++) {
    const double v = given->v[i];
    if (isnan(v) || !m->about.uses[i]) continue;
    if (!(v > 0.0) || !isfinite(v))
      return gscale__fail(diag, GSCALE_EDOMAIN, "%s.%s: %g is not positive",
                          m->about.name, gscale_knob_at((gscale_knob)i)->name,
                          v);
    if (i == GSCALE_WIDTH && v >= residents)
      return gscale__fail(diag, GSCALE_EDOMAIN,
                          "%s.width: %g threads leave none of %g for compute",
                          m->about.name, v, residents);
    if (in_use(p, m, (gscale_knob)i)) out->v[i] = v;
  }
  if (given && leaves_nodes(p, m)) out->between = given->between;
  out->as_run = given && given->as_run && m->ideal;
  return check_collectives(p, m, given, out, diag);
}

/* Times within this ratio are equal, so that rounding chooses nothing. */
static const double ROUNDING = 1e-12;

/* Searches all values of unset knobs that the paradigm uses.  Of equally good
 * points, the smallest chunk wins, then the smallest width. */
static void choose_for_method(const gscale_plan *p, size_t paradigm,
                              gscale_knobs *k, double *time)
{
  const gscale__paradigm *m = gscale__paradigm_at(paradigm);
  gscale__grid g = {.given = *k};
  bool open = time;

  for (size_t i = 0; i < GSCALE_KNOB_END; i++) {
    const uint64_t by =
        isnan(k->v[i]) ? affected_phases(p, m, (gscale_knob)i) : 0;
    g.least[i] = g.most[i] = k->v[i];
    if (by != 0) gscale_plan_knob(p, (gscale_knob)i, &g.least[i], &g.most[i]);
    g.phases |= by;
    open = open || by != 0;
  }
  if (!open) return;
  const double best = gscale__search_knobs(p, paradigm, &g, k);
  if (time) *time = best;
}

/* Chooses knobs and the inter-node method, the first of equally fast ones. */
static void choose_knobs(const gscale_plan *p, size_t paradigm, gscale_knobs *k)
{
  const gscale_knobs given = *k;
  double best = INFINITY;

  if (given.between > 0 || !leaves_nodes(p, gscale__paradigm_at(paradigm))) {
    choose_for_method(p, paradigm, k, NULL);
    return;
  }
  for (size_t i = first_method(p, 0); gscale_between_at(i);
       i = first_method(p, i + 1)) {
    gscale_knobs trial = given;
    double t = INFINITY;
    trial.between = i + 1;
    choose_for_method(p, paradigm, &trial, &t);
    if (t < best * (1.0 - ROUNDING)) {
      best = t;
      *k = trial;
    }
  }
}

/* ---- overflow ------------------------------------------------------------ */

static gscale_mechanism step_overflows(const gscale_plan *p,
                                       const gscale__stage *l)
{
  gscale_mechanism m = GSCALE_MECHANISM_END;

  for (size_t i = 0; m == GSCALE_MECHANISM_END && i < p->phases; i++)
    m = gscale__overflows(&l[i]);
  return m;
}

/* Returns true if all times, counts and ratios of a prediction are finite. */
static bool all_finite(const gscale_prediction *r)
{
  const gscale_bytes *b = &r->bytes;

  return isfinite(r->time) && r->time > 0.0 && isfinite(r->setup) &&
         isfinite(r->speedup + r->efficiency + r->opportunity) &&
         isfinite(b->useful + b->protocol + b->redundant + b->unused);
}

/* ---- prediction ---------------------------------------------------------- */

static const char *const reach[GSCALE_PEER_END] = {
    [GSCALE_PEER_COPIES] = "peer access for copies",
    [GSCALE_PEER_STORES] = "peer access for stores and loads",
    [GSCALE_PEER_ATOMICS] = "peer access for atomics",
};

/* Refuses a phase if the system lacks a capability that the paradigm needs. */
static gscale_status check_can(const gscale_plan *p,
                               const gscale__phase_plan *f,
                               const gscale_paradigm *m, size_t phase,
                               gscale_diag *diag)
{
  const gscale_can *needs = &m->needs;
  const gscale_peer peer =
      m->updates && f->atomic ? GSCALE_PEER_ATOMICS : needs->peer;

  if (f->to == GSCALE_TO_NONE) return GSCALE_OK;
  if (peer > f->peer)
    return gscale__fail(
        diag, GSCALE_ENEED, "%s: phase %zu needs %s; %s is '%s'", m->name,
        phase, reach[peer],
        f->peer < p->can.peer ? "the topology has pairs whose can.peer"
                              : "can.peer of the system",
        gscale_name(GSCALE_PEER_NAMES, f->peer));
  if (needs->managed && !p->can.managed)
    return gscale__fail(diag, GSCALE_ENEED,
                        "%s: phase %zu needs managed memory; can.managed of "
                        "the system is false",
                        m->name, phase);
  if (needs->device_launch && !p->can.device_launch)
    return gscale__fail(diag, GSCALE_ENEED,
                        "%s: phase %zu needs launches by the device; "
                        "can.device_launch of the system is false",
                        m->name, phase);
  return GSCALE_OK;
}

/* Checks that the paradigm can run the program's schedule. */
static gscale_status check_program(const gscale_plan *p,
                                   const gscale__paradigm *m, gscale_diag *diag)
{
  const char *why =
      !p->own && m->own ? "needs a schedule of the program's own"
      : p->own && p->own->publishes && m->own
          ? "the program publishes: paradigms say how"
      : gscale__as_written(p) && !m->own && !m->ideal
          ? "the program has a schedule of its own, which runs as written: "
            "paradigms schedule and infinite only"
          : NULL;

  if (why)
    return gscale__fail(diag, GSCALE_ENEED, "%s: %s", m->about.name, why);
  return p->own ? gscale__program_needs(p, gscale__version_of(p, m),
                                        m->about.name, diag)
                : GSCALE_OK;
}

gscale_status gscale_pair_needs(const gscale_plan *p, size_t paradigm,
                                size_t between, gscale_diag *diag)
{
  const gscale__paradigm *m = gscale__paradigm_at(paradigm);

  if (paradigm >= gscale_paradigm_count())
    return gscale__fail(diag, GSCALE_ENAME, "no paradigm %zu", paradigm);
  if (((p->forms.left >> paradigm) & 1) != 0)
    return gscale__fail(diag, GSCALE_ENEED, "%s: the plan is for others",
                        m->about.name);
  const gscale_status own = check_program(p, m, diag);
  if (own != GSCALE_OK || gscale__as_written(p)) return own;
  for (size_t i = 0; i < p->phases; i++) {
    const gscale__phase_plan *f = &p->phase[i];
    const gscale_status st = check_can(p, f, &m->about, i + 1, diag);
    if (st != GSCALE_OK) return st;
    const bool moves = m->stores && f->out > 0.0 && !(f->kernels > 0.0);
    const char *missing = moves      ? "a kernel that stores (host.kernels)"
                          : m->needs ? m->needs(p, f)
                                     : NULL;
    if (missing)
      return gscale__fail(diag, GSCALE_ENEED, "%s: phase %zu needs %s",
                          m->about.name, i + 1, missing);
  }
  return check_method(p, m, between, diag);
}

gscale_status gscale_plan_needs(const gscale_plan *p, size_t paradigm,
                                gscale_diag *diag)
{
  return gscale_pair_needs(p, paradigm, 0, diag);
}

static gscale_bytes sum_bytes(const gscale_plan *p, const gscale__paradigm *m,
                              gscale__stage *l)
{
  gscale_bytes b = {0};

  for (size_t i = 0; i < p->phases; i++) {
    if (m->count) m->count(p, &p->phase[i], &l[i]);
    const double repeats = p->phase[i].repeats;
    const gscale_bytes *f = &l[i].moved;
    b.useful += repeats * f->useful;
    b.protocol += repeats * f->protocol;
    b.redundant += repeats * f->redundant;
    b.unused += repeats * f->unused;
  }
  if (gscale__as_written(p))
    b = gscale__program_bytes(p, gscale__version_of(p, m));
  b.wire = b.useful + b.protocol + b.redundant + b.unused;
  return b;
}

/* Fills the ratios of the time to the bound and to the baseline. */
static void fill_relative(const gscale_plan *p, gscale_prediction *out)
{
  const double share = p->infinite / out->time;

  out->speedup = p->infinite_baseline / out->time * p->baseline;
  out->efficiency = out->speedup / p->n;
  out->opportunity = share < 1.0 + ROUNDING ? fmin(1.0, share) : share;
}

/* Fills in the collectives that the library chose. */
static void fill_moves(const gscale_plan *p, const gscale__stage *l,
                       gscale_prediction *out)
{
  for (size_t i = 0; i < p->phases && out->moves < GSCALE_MOVES_MAX; i++) {
    const gscale_coll_choice *c = &l[i].collective;
    if (!(p->phase[i].out > 0.0)) continue;
    out->move[out->moves++] =
        (gscale_move){(unsigned short)i, (unsigned char)c->algorithm,
                      (unsigned char)c->protocol};
  }
}

/* Returns the time in s by which the first step exceeds later steps, `time`. */
static double setup_of(const gscale_plan *p, size_t paradigm,
                       const gscale_knobs *k, double time)
{
  const gscale__paradigm *m = gscale__paradigm_at(paradigm);
  const gscale__paradigm first = {.prepare = m->first, .gather = m->gather};
  gscale__stage l[GSCALE__PHASES_MAX];

  if (!m->setup) return 0.0;
  if (!m->first) return m->setup(p, 0.0);
  gscale__prepare(p, &first, k, l);
  const double t = gscale__step_time(p, paradigm, l, NULL);
  return m->setup(p, gscale__max(0.0, t - time));
}

static void fill_prediction(const gscale_plan *p, size_t paradigm,
                            gscale__stage *l, const gscale_knobs *used,
                            const gscale__parts *parts, gscale_prediction *out)
{
  const gscale__paradigm *m = gscale__paradigm_at(paradigm);

  out->time = parts->time;
  memcpy(out->part, parts->of, sizeof out->part);
  out->bytes = sum_bytes(p, m, l);
  out->bound = parts->bound;
  fill_relative(p, out);
  out->knobs = *used;
  out->moves = 0;
  if (m->about.collective) fill_moves(p, l, out);
  out->setup = setup_of(p, paradigm, used, out->time);
}

static gscale_status check_lengths(const gscale_plan *p, size_t paradigm,
                                   const gscale__stage *l, gscale_diag *diag)
{
  const gscale_mechanism over = step_overflows(p, l);

  if (over == GSCALE_MECHANISM_END) return GSCALE_OK;
  return gscale__fail(diag, GSCALE_ENUMERIC,
                      "%s on %d GPUs: no finite time: its %s overflows",
                      gscale__paradigm_at(paradigm)->about.name, p->n,
                      gscale_name(GSCALE_MECHANISM_NAMES, over));
}

gscale_status gscale__predict_ready(const gscale_plan *p, size_t paradigm,
                                    gscale__stage *l, const gscale_knobs *used,
                                    gscale_prediction *out, gscale_diag *diag)
{
  const gscale_status st = check_lengths(p, paradigm, l, diag);
  const size_t row = gscale__paradigm_row(paradigm, used);
  gscale__attribution attribution;
  gscale__parts parts;

  if (st != GSCALE_OK) return st;
  gscale__step_time(p, row, l, &attribution);
  gscale__parts_of(&attribution, &parts);
  fill_prediction(p, row, l, used, &parts, out);
  if (all_finite(out)) return GSCALE_OK;
  return gscale__fail(diag, GSCALE_ENUMERIC,
                      "%s on %d GPUs: no finite time: numbers overflow",
                      gscale__paradigm_at(paradigm)->about.name, p->n);
}

static gscale_status predict_flows(const gscale_plan *p, size_t paradigm,
                                   const gscale_knobs *k,
                                   gscale_prediction *out, gscale_diag *diag)
{
  const gscale__paradigm *m = gscale__paradigm_at(paradigm);
  gscale_knobs used;
  gscale__stage l[GSCALE__PHASES_MAX];

  const gscale_status st = check_knobs(p, m, k, &used, diag);
  if (st != GSCALE_OK) return st;

  choose_knobs(p, paradigm, &used);
  gscale__prepare(p, m, &used, l);
  return gscale__predict_ready(p, paradigm, l, &used, out, diag);
}

gscale_status gscale_predict(const gscale_plan *p, size_t paradigm,
                             const gscale_knobs *k, gscale_prediction *out,
                             gscale_diag *diag)
{
  gscale_prediction r;
  gscale_status st = gscale_pair_needs(p, paradigm, k ? k->between : 0, diag);

  if (st == GSCALE_OK) st = predict_flows(p, paradigm, k, &r, diag);
  if (st == GSCALE_OK) *out = r;
  return st;
}

/* ---- times --------------------------------------------------------------- */

bool gscale__is_set(const gscale_plan *p, size_t paradigm,
                    const gscale_knobs *k, gscale_knobs *used)
{
  const gscale__paradigm *m = gscale__paradigm_at(paradigm);

  if (gscale_pair_needs(p, paradigm, k ? k->between : 0, NULL) != GSCALE_OK)
    return false;
  if (check_knobs(p, m, k, used, NULL) != GSCALE_OK) return false;
  for (size_t i = 0; i < GSCALE_KNOB_END; i++)
    if (isnan(used->v[i]) && in_use(p, m, (gscale_knob)i)) return false;
  return used->between > 0 || !leaves_nodes(p, m);
}

double gscale_predict_time(const gscale_plan *p, size_t paradigm,
                           const gscale_knobs *k)
{
  gscale_knobs used;
  gscale__stage l[GSCALE__PHASES_MAX];

  if (!gscale__is_set(p, paradigm, k, &used)) return NAN;
  gscale__prepare(p, gscale__paradigm_at(paradigm), &used, l);
  if (step_overflows(p, l) < GSCALE_MECHANISM_END) return NAN;
  /* Summing in the same order avoids different rounding of equal times. */
  gscale__attribution attribution;
  const double t = gscale__step_time(p, gscale__paradigm_row(paradigm, &used),
                                     l, &attribution);
  return isfinite(t) && t > 0.0 ? t : NAN;
}

/* ---- losses -------------------------------------------------------------- */

/* Returns 0 for a difference within rounding. */
static double rounded(double more, double time)
{
  return fabs(more) < ROUNDING * time ? 0.0 : more;
}

static void add_loss(gscale_lost *out, gscale_loss k, double more, double time)
{
  more = rounded(more, time);
  out->of[k] = fmax(0.0, more);
  out->gain += fmin(0.0, more);
}

void gscale_predict_lost(const gscale_plan *p, size_t paradigm,
                         const gscale_prediction *r, double alone,
                         gscale_lost *out)
{
  gscale__stage l[GSCALE__PHASES_MAX];
  double spent[GSCALE_LOST_END], time = 0.0;
  const double share = alone > 0.0 ? 1.0 : (double)p->baseline / p->n;
  double even = alone > 0.0 ? alone : share * p->infinite_baseline;

  gscale__prepare(p, gscale__paradigm_at(paradigm), &r->knobs, l);
  const double moves = gscale__step_spent(
      p, gscale__paradigm_row(paradigm, &r->knobs), l, spent);
  for (int k = 0; k < GSCALE_LOST_END; k++) time += spent[k];
  const double by = r->time / time;
  *out = (gscale_lost){
      .hidden =
          fmax(0.0, rounded(by * (moves - spent[GSCALE_LOST_COMMUNICATION]),
                            r->time))};
  for (int k = 0; k < GSCALE_LOST_KERNELS; k++) {
    add_loss(out, (gscale_loss)k, by * spent[k] - share * p->alone[k], r->time);
    even -= share * p->alone[k];
  }
  add_loss(out, GSCALE_LOST_KERNELS, by * spent[GSCALE_LOST_KERNELS] - even,
           r->time);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
