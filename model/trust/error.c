/* error.c - standard error and applicability of a prediction. */

#include "ground/ground.h"
#include "trust/joules.h"
#include "trust/perturb.h"

#include <gsl/gsl_sort.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

gscale_interval gscale_interval_of(double time, double err, double z)
{
  if (!(time > 0.0) || !(err >= 0.0) || !(z >= 0.0))
    return (gscale_interval){NAN, NAN};
  const double s = asinh(err / time);
  return (gscale_interval){time * exp(-z * s), time * exp(z * s)};
}

/* A prediction is by assumption if the elasticity of an assumed number exceeds
 * this limit. */
static const double MATTERS = 0.1;

static void weaken(gscale_error *e, gscale_applicability a, const char *word,
                   const char *why)
{
  if (e->applicability >= a) return;
  e->applicability = a;
  gscale__copy_text(e->word, sizeof e->word, word);
  gscale__copy_text(e->reason, sizeof e->reason, why);
}

static void check_sizes(const gscale_system *s, const gscale_plan *p,
                        size_t paradigm, gscale_error *e)
{
  char why[128];

  if (s->calibrated > 0 && p->n > s->calibrated) {
    snprintf(why, sizeof why, "%d GPUs, %d were measured", p->n, s->calibrated);
    weaken(e, GSCALE_EXTRAPOLATED, "gpus", why);
  }
  if (p->beyond) weaken(e, GSCALE_EXTRAPOLATED, "gpus", "more GPUs than built");
  if (e->widened.nodes > 0.0)
    weaken(e, GSCALE_EXTRAPOLATED, "nodes", "no run on as many nodes");
  if (s->membw.n > 0 && (p->largest_footprint > s->membw.x[s->membw.n - 1] ||
                         p->smallest_footprint < s->membw.x[0])) {
    snprintf(why, sizeof why, "footprint of %.3g .. %.3g MB",
             p->smallest_footprint / 1e6, p->largest_footprint / 1e6);
    weaken(e, GSCALE_EXTRAPOLATED, "footprint", why);
  }
  if (!e->widened.measured)
    weaken(e, GSCALE_EXTRAPOLATED, "machine", "machine was not measured");
  if (!e->widened.kept)
    weaken(e, GSCALE_EXTRAPOLATED, "link", "link was not measured");
  const char *name = gscale_paradigm_at(paradigm)->name;
  for (size_t i = 0; strncmp(name, "memcpy", 6) == 0 && i < p->phases; i++) {
    const double copy = p->phase[i].copy;
    if (copy > 0.0 && (copy < s->copy_least || copy > s->copy_most)) {
      snprintf(why, sizeof why, "copies of %.3g B", copy);
      weaken(e, GSCALE_EXTRAPOLATED, "copies", why);
    }
  }
}

/* Returns true if the program's single-GPU time was measured on another
 * system. */
static bool is_elsewhere(const gscale_uncertainty *u)
{
  return gscale_workload_t1_elsewhere(u->w, u->s->name);
}

static void check_single(const gscale_uncertainty *u, gscale_error *e)
{
  char why[128];

  if (!is_elsewhere(u)) return;
  snprintf(why, sizeof why, "t1 is of %.*s%s", (int)strcspn(u->w->t1_on, " "),
           u->w->t1_on,
           u->w->t1_roofline > 0.0 ? ", scaled by the roofline" : "");
  weaken(e, GSCALE_BY_ASSUMPTION, "t1", why);
}

/* The seconds of collectives in a step of one GPU, which have a common model
 * error. */
typedef struct collectives {
  double time, off;
} collectives;

static void add_collective(const gscale_uncertainty *u, double bytes,
                           double time, collectives *m)
{
  if (!(time > 0.0)) return;
  m->time += time;
  m->off += time * gscale_coll_off(u->s, bytes, u->plan->nodes);
}

/* Adds the collectives of a program's schedule, all of which each GPU calls. */
static void add_scheduled(const gscale_uncertainty *u, collectives *m)
{
  const gscale_plan *p = u->plan;
  const gscale_program *as = p->own ? &p->own->whole.as : NULL;

  for (size_t i = 0; as && i < as->schedule.actions; i++) {
    const gscale_action *a = &as->schedule.action[i];
    if (a->kind != GSCALE_COLLECTIVE) continue;
    const gscale_work *k = &as->work[a->length];
    const double t = gscale_plan_collective(p, k->coll, k->bytes, k->streamed,
                                            k->algorithm, k->protocol)
                         .total;
    const double often = a->parity == GSCALE_EVERY_STEP ? 1.0 : 0.5;
    add_collective(u, k->bytes, often * t / p->n, m);
  }
}

static collectives collectives_of(const gscale_uncertainty *u, size_t paradigm,
                                  const gscale_knobs *k)
{
  collectives m = {0.0, 0.0};

  if (u->n == 1) return m;
  if (strcmp(gscale_paradigm_at(paradigm)->name, "schedule") == 0)
    add_scheduled(u, &m);
  if (!gscale_paradigm_at(paradigm)->collective) return m;
  for (size_t i = 0; i < u->plan->phases; i++) {
    gscale_coll_kind kind;
    double bytes;
    const double t = gscale_plan_moves(u->plan, i, k, &kind, &bytes).total;
    add_collective(u, bytes, u->plan->phase[i].repeats * t, &m);
  }
  return m;
}

/* Returns the share of compute that the program states as a time and the model
 * does not compute. */
static double given_share(const gscale_uncertainty *u)
{
  double given = 0.0, all = 0.0;

  for (size_t i = 0; i < u->plan->phases; i++) {
    const gscale__phase_plan *f = &u->plan->phase[i];
    given += f->repeats * u->w->phase[i].fixed;
    all += f->repeats * f->compute;
  }
  return all > 0.0 ? fmin(1.0, given / all) : 0.0;
}

/* Returns the error of ln(T(1)) if t1 was not given, or is from another
 * machine. */
static double single_error(const gscale_uncertainty *u)
{
  if (u->w->single.val > 0.0 && !is_elsewhere(u)) return 0.0;
  return hypot(u->s->residuals.compute, u->plan->t1_doubt) *
         (1.0 - given_share(u));
}

/* Returns the error of the host part if t1 is less than the time of the
 * machine's calls.  Such a t1 does not tell which calls are faster, and kernels
 * still take time.  The error is half of the difference, in proportion to the
 * missing time. */
static double host_error(const gscale_uncertainty *u, double infinite,
                         double host)
{
  const gscale_plan *p = u->plan;
  const double by = p->host_by;

  if (!(by < 1.0)) return 0.0;
  return 0.5 * (1.0 - by) *
         hypot(fmax(0.0, infinite - p->one_work / p->n),
               fmax(0.0, host - p->one_host) / by);
}

/* Adds the residual, which was estimated on measured machines and therefore
 * includes the errors of measured numbers. */
static void add_residual(const gscale_uncertainty *u, double time,
                         gscale_error *e)
{
  double part[GSCALE_RESIDUAL_PARTS], whole = 0.0;

  gscale_residual_widened(&u->s->residuals, &e->at, &e->widened, part);
  for (size_t p = 0; p < GSCALE_RESIDUAL_PARTS; p++) {
    part[p] *= time;
    whole = hypot(whole, part[p]);
  }
  if (!(whole > 0.0)) return;
  for (size_t p = 0; p < GSCALE_RESIDUAL_PARTS; p++)
    e->own[p] = part[p] * fmax(1.0, e->of_known / whole);
  e->of_model = sqrt(fmax(0.0, whole * whole - e->of_known * e->of_known));
}

/* Returns a hash of knobs (FNV-1a [Fowler91]), with the same value for all
 * unset knobs. */
static uint64_t hash_of(const gscale_knobs *k)
{
  uint64_t h = 0xcbf29ce484222325u;

  for (size_t i = 0; i < GSCALE_KNOB_END; i++) {
    const double v = isnan(k->v[i]) ? 0.0 : k->v[i];
    unsigned char byte[sizeof v];

    memcpy(byte, &v, sizeof v);
    for (size_t b = 0; b < sizeof v; b++) h = (h ^ byte[b]) * 0x100000001b3u;
  }
  return h;
}

/* Adds the model's own error.  Collectives have a separate error, and on one
 * GPU no data move. */
static void own_error(const gscale_uncertainty *u, size_t paradigm,
                      const gscale_knobs *k, double time, double host,
                      gscale_error *e)
{
  const collectives m = collectives_of(u, paradigm, k);
  const double infinite = fmin(time, u->plan->left_out);
  const double others = fmax(infinite, time - m.time);

  e->at = (gscale_residual_at){.paradigm = paradigm,
                               .knobs = hash_of(k),
                               .host = fmin(1.0, host / time),
                               .moved = (others - infinite) / time};
  e->of_t1 = single_error(u);
  e->of_compute = e->of_t1 * infinite;
  e->of_rest = hypot(e->of_compute, host_error(u, infinite, host));
  if (u->n > 1) {
    const double same = u->w->grown > 1.0 ? infinite : 0.0;
    e->widened.program *= (others - same) / time;
    add_residual(u, time, e);
    e->of_rest =
        hypot(e->of_rest,
              e->widened.nodes * gscale_residual_moving(others, infinite));
  }
  e->of_collectives = m.off;
  e->of_model = hypot(e->of_model, hypot(e->of_rest, m.off));
}

double gscale_coll_off(const gscale_system *s, double bytes, int nodes)
{
  const double mib = 1048576.0;
  const double growth = bytes <= 64.0 * mib ? 0.25 : 0.0;
  const size_t size = bytes < mib ? 0 : bytes <= 64.0 * mib ? 1 : 2;
  const gscale_param_id first =
      nodes > 1 ? GSCALE_COLL_NET_OFF_SMALL : GSCALE_COLL_OFF_SMALL;

  if (!(bytes >= 0.0) || nodes < 1) return NAN;
  const double off = gscale_system_get(s, first + size)->val;
  return nodes > 1 ? off * sqrt(1.0 + growth * log2(0.5 * nodes)) : off;
}

/* Draws a uniform number in (0, 1) [Steele14]. */
static double uniform(uint64_t *state)
{
  uint64_t z = (*state += 0x9e3779b97f4a7c15u);

  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return ((double)((z ^ (z >> 31)) >> 11) + 0.5) * 0x1p-53;
}

/* Returns the seed of a number's sequence, which depends on the name (FNV-1a
 * [Fowler91]), so that an additional number changes no draws of other
 * numbers. */
static uint64_t sequence(const char *name, uint64_t seed)
{
  uint64_t h = 0xcbf29ce484222325u;

  for (; *name; name++) h = (h ^ (unsigned char)*name) * 0x100000001b3u;
  return h ^ (seed * 0xd1342543de82ef95u);
}

static double draw_time(gscale_uncertainty *u, size_t paradigm,
                        const gscale_knobs *k, uint64_t seed)
{
  gscale_plan *p = NULL;
  double t;

  gscale__restore_all(u);
  for (size_t i = 0; i < u->numbers.n; i++) {
    const gscale__entry *e = &u->numbers.entry[i];
    const gscale_param *q = &e->about.p;
    uint64_t state;

    if (!(q->err > 0.0)) continue;
    state = sequence(gscale_name_was(e->about.name), seed);
    const double a = uniform(&state), b = uniform(&state);
    gscale__move(e, gscale__drawn(q, a, b), &u->system, u->workload, u->w);
  }
  if (gscale_plan_new(&u->system, u->workload, u->n, &p, NULL) != GSCALE_OK)
    return NAN;
  t = gscale_predict_time(p, paradigm, k);
  gscale_plan_free(p);
  return t;
}

double gscale_uncertainty_time(gscale_uncertainty *u, size_t paradigm,
                               const gscale_knobs *k, const double *z)
{
  gscale__restore_all(u);
  for (size_t i = 0; i < u->numbers.n; i++) {
    const gscale__entry *e = &u->numbers.entry[i];

    if (!(e->about.p.err > 0.0) || isnan(z[i])) continue;
    gscale__move(e, gscale__quantile(&e->about.p, z[i]), &u->system,
                 u->workload, u->w);
  }
  const double t = gscale__time_perturbed(u, paradigm, k);
  gscale__restore_all(u);
  return t;
}

size_t gscale_uncertainty_sample(gscale_uncertainty *u, size_t paradigm,
                                 const gscale_knobs *k, uint64_t seed,
                                 double *time, size_t draws)
{
  size_t n = 0;

  for (size_t i = 0; i < draws; i++) {
    const double t = draw_time(u, paradigm, k, (seed << 32) + i);
    if (isfinite(t)) time[n++] = t;
  }
  gscale__restore_all(u);
  gsl_sort(time, 1, n);
  return n;
}

/* A time is nonlinear in its numbers if perturbations shift the mean time by
 * more than this share of the total error. */
static const double BENT = 0.2;

/* Returns the covariance of fitted parameters, each with the effect `by` on the
 * time. */
static double covariance(const gscale_system *s, const double *by)
{
  double sum = 0.0;

  for (size_t i = 0; i < s->correlations; i++) {
    const gscale_correlation *c = &s->correlation[i];
    sum += 2.0 * c->r * by[c->a] * by[c->b];
  }
  return sum;
}

/* The assumed share of a curve's error that all points have in common.  A
 * kernel attains similar shares of the benchmark's bandwidth at all
 * footprints. */
static const double ALIKE = 0.8;

/* Returns the covariance of the points of device.membw's curve. */
static double curve_covariance(const gscale_uncertainty *u)
{
  double sum = 0.0, squares = 0.0;

  for (size_t a = 0; a < u->n_which; a++) {
    const double by = u->effect[u->which[a]];

    if (u->numbers.entry[u->which[a]].kind != GSCALE__OF_CURVE) continue;
    sum += by;
    squares += by * by;
  }
  return ALIKE * (sum * sum - squares);
}

/* Checks whether a step is in the range of the runs to which numbers were
 * fitted. */
static void check_cover(const gscale_uncertainty *u, size_t paradigm,
                        gscale_error *e)
{
  const gscale_plan *p = u->plan;
  const double least = u->n * p->smallest_footprint;
  const double most = u->n * p->largest_footprint;
  bool inside = false;

  for (size_t i = 0; i < u->s->covers; i++) {
    const gscale_cover *c = &u->s->cover[i];

    inside = inside || (c->paradigm == paradigm && u->n >= c->least &&
                        u->n <= c->most && least >= c->small * (1.0 - 1e-6) &&
                        most <= c->large * (1.0 + 1e-6));
  }
  weaken(e, inside ? GSCALE_INTERPOLATED : GSCALE_EXTRAPOLATED, "runs",
         inside ? "numbers fitted to runs"
                : "numbers fitted to runs of other sizes, paradigms or N");
}

static bool is_known(bool measured, const gscale_number *n)
{
  return measured && !n->of_workload && !gscale__is_guess(&n->p);
}

bool gscale__is_known(const gscale_system *s, const gscale_number *n)
{
  return is_known(gscale_system_widened(s, 1).measured, n);
}

static void add_numbers(gscale_uncertainty *u, size_t paradigm, double time,
                        gscale_error *e, gscale__joules *j)
{
  double system = 0.0, workload = 0.0, bent = 0.0, strongest = MATTERS;
  double known = 0.0, fitted = 0.0;

  for (size_t a = 0; a < u->n_which; a++) {
    const size_t i = u->which[a];
    const gscale_number *n = &u->numbers.entry[i].about;
    double *sum = n->of_workload ? &workload : &system;
    const gscale_influence f = gscale__influence(u, i, time);

    gscale__joules_add(u, i, &f, j);
    u->effect[i] = copysign(f.err, f.up - f.down);

    *sum = gscale__hypot(*sum, f.err);
    if (is_known(e->widened.measured, n)) known = gscale__hypot(known, f.err);
    /* Numbers whose error exceeds the value have a long tail. */
    bent = gscale__hypot(bent, n->p.err > n->p.val ? f.err : f.shift);
    if (n->p.origin == GSCALE_FITTED && n->p.err > 0.0)
      fitted += f.err / time * n->p.val / n->p.err;
    if (!gscale__is_guess(&n->p) || !(fabs(f.elasticity) > strongest)) continue;
    strongest = fabs(f.elasticity);
    e->applicability = GSCALE_BY_ASSUMPTION;
    gscale__copy_text(e->word, sizeof e->word, "number");
    gscale__copy_text(e->reason, sizeof e->reason, n->name);
  }
  if (fitted > MATTERS) check_cover(u, paradigm, e);
  const double common = curve_covariance(u);
  system =
      sqrt(fmax(0.0, system * system + covariance(u->s, u->effect) + common));
  known = sqrt(fmax(0.0, known * known + common));
  e->of_system = system;
  e->of_workload = workload;
  e->of_parameters = hypot(system, workload);
  e->of_known = fmin(known, e->of_parameters);
  e->nonlinear = bent > BENT * e->of_parameters;
}

/* Returns the observed error if the step itself was measured, or NaN. */
static double measured_error(const gscale_uncertainty *u, size_t paradigm,
                             double time)
{
  const gscale_workload *const w = u->w;
  const bool own = strcmp(gscale_paradigm_at(paradigm)->name, "schedule") == 0;

  if (!own || w->run.gpus != u->n || !gscale_system_widened(u->s, u->n).kept ||
      strcmp(w->run.on, u->s->name) != 0)
    return NAN;
  return hypot(w->run.time.err, time - w->run.time.val);
}

/* Scales all parts of the error down to the observed error, or raises the
 * model's part. */
static void use_measured(double seen, gscale_error *e)
{
  e->time = hypot(e->of_parameters, e->of_model);
  e->left = seen < e->time ? seen / e->time : 1.0;
  if (isnan(seen)) return;
  if (seen >= e->time)
    e->of_model =
        sqrt(fmax(0.0, seen * seen - e->of_parameters * e->of_parameters));
  double *const parts[] = {
      &e->of_parameters, &e->of_system,  &e->of_workload,
      &e->of_model,      &e->of_known,   &e->of_collectives,
      &e->of_rest,       &e->of_compute, &e->of_t1};
  for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
    *parts[i] *= e->left;
  for (size_t p = 0; p < GSCALE_RESIDUAL_PARTS; p++) e->own[p] *= e->left;
  e->time = seen;
}

/* Gives the time with the given knobs, or with the best knobs if some are
 * unset. */
static gscale_status set_knobs(gscale_uncertainty *u, size_t paradigm,
                               gscale_knobs *k, double *time, gscale_diag *diag)
{
  gscale_prediction now;

  *time = gscale__base_time(u, paradigm, k);
  if (isfinite(*time)) return GSCALE_OK;
  const gscale_status st = gscale_predict(u->plan, paradigm, k, &now, diag);
  if (st != GSCALE_OK) return st;
  *k = now.knobs;
  *time = gscale__base_time(u, paradigm, k);
  return GSCALE_OK;
}

/* Returns true if the error needs the prediction's host part, for the residual
 * or the power. */
static bool needs_prediction(const gscale_uncertainty *u)
{
  const bool host =
      u->n > 1 && u->s->residuals.part[GSCALE_RESIDUAL_HOST] > 0.0;

  return host || !isnan(u->plan->power.gpu_busy);
}

/* Returns the error of the energy from two parts: the error of numbers, reduced
 * by a measured run, and the model's error in seconds times the mean power. */
static double energy_error(const gscale_uncertainty *u,
                           const gscale_prediction *r, const gscale__joules *j,
                           const gscale_error *e)
{
  const double numbers =
      gscale__joules_error(u, r, j, covariance(u->s, j->by)) * e->left;

  if (!(r->time > 0.0)) return NAN;
  return hypot(numbers,
               e->of_model * gscale_predict_energy(u->plan, r) / r->time);
}

/* Computes the error of a predicted time after all numbers were perturbed. */
static gscale_status error_by(gscale_uncertainty *u, size_t paradigm,
                              const gscale_knobs *used, double time,
                              const gscale_prediction *now, gscale_error *out,
                              gscale_diag *diag)
{
  gscale_error e = {.applicability = GSCALE_INSIDE};
  gscale__joules joules;

  e.widened = gscale_system_widened(u->s, u->n);
  check_sizes(u->s, u->plan, paradigm, &e);
  check_single(u, &e);
  gscale__joules_open(u, used, &joules);
  add_numbers(u, paradigm, time, &e, &joules);
  own_error(u, paradigm, used, time,
            u->n > 1 && needs_prediction(u) ? now->part[GSCALE_PART_HOST] : 0.0,
            &e);
  use_measured(measured_error(u, paradigm, time), &e);
  e.energy = energy_error(u, now, &joules, &e);
  if (!isfinite(e.time))
    return gscale__fail(diag, GSCALE_ENUMERIC,
                        "%s on %d GPUs: no finite error of the time",
                        gscale_paradigm_at(paradigm)->name, u->n);
  *out = e;
  return GSCALE_OK;
}

gscale_status gscale_uncertainty_error(gscale_uncertainty *u, size_t paradigm,
                                       const gscale_knobs *k, gscale_error *out,
                                       gscale_diag *diag)
{
  gscale_knobs used = k ? *k : gscale_knobs_best;
  gscale_prediction now = {0};
  double time;
  gscale_status st = set_knobs(u, paradigm, &used, &time, diag);

  if (st != GSCALE_OK) return st;
  if (needs_prediction(u) &&
      gscale__base_prediction(u, paradigm, &now, NULL) != GSCALE_OK)
    now = (gscale_prediction){0};
  gscale__perturb_all(u, paradigm, &used, time);
  return error_by(u, paradigm, &used, time, &now, out, diag);
}

gscale_status gscale_error_of(const gscale_system *s, const gscale_workload *w,
                              int n, size_t paradigm, const gscale_knobs *k,
                              gscale_error *out, gscale_diag *diag)
{
  gscale_uncertainty *u = NULL;
  gscale_status st = gscale_uncertainty_new(s, w, n, false, &u, diag);

  if (st == GSCALE_OK) st = gscale_uncertainty_error(u, paradigm, k, out, diag);
  gscale_uncertainty_free(u);
  return st;
}

gscale_status gscale_predict_error(const gscale_system *s,
                                   const gscale_workload *w, int n,
                                   size_t paradigm, const gscale_knobs *k,
                                   double *err, gscale_diag *diag)
{
  gscale_error e;
  const gscale_status st = gscale_error_of(s, w, n, paradigm, k, &e, diag);

  if (st == GSCALE_OK) *err = e.time;
  return st;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
