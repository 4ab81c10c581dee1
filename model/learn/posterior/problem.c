/* problem.c - runs, the uncertain numbers of runs, and changes of these
 * numbers. */

#include "learn/posterior/posterior.h"

#include <gsl/gsl_cdf.h>
#include <string.h>

static const double TAU = 0.3;      /* residual's error if unknown */
static const double FLOOR = 0.01;   /* least error of ln(time), from clocks */
static const double LEVERAGE = 0.2; /* least leverage in standard errors */

static gscale_status no_memory(gscale_diag *diag)
{
  return gscale__fail(diag, GSCALE_ENOMEM, "no memory for the runs");
}

/* Truncates the prior of a system's parameter to the parameter's domain. */
static void truncate_prior(latent *l)
{
  const gscale__entry *e = l->entry;

  l->below = 0.0;
  l->above = 1.0;
  if (e->kind == GSCALE__OF_PARAM) {
    const gscale_param_info *info = gscale_param_info_at(e->id);
    l->below =
        gsl_cdf_ugaussian_P(fmax(gscale__score(&e->about.p, info->least), -40));
    l->above =
        gsl_cdf_ugaussian_P(fmin(gscale__score(&e->about.p, info->most), 40));
  }
  l->step = l->above - 0.5 > 0.5 - l->below ? GSCALE__STEP : -GSCALE__STEP;
}

/* Compresses both halves of the distribution into the domain. Both halves stay
 * equally likely, so that z = 0 gives the prior's value. */
double gscale__posterior_value(const latent *l, double z)
{
  const gscale_param *p = &l->entry->about.p;
  const double room = z > 0.0 ? l->above - 0.5 : 0.5 - l->below;

  if (!(room < 0.5)) return gscale__quantile(p, z);
  const double at = 0.5 + 2.0 * room * (gsl_cdf_ugaussian_P(z) - 0.5);
  return gscale__quantile(p, gsl_cdf_ugaussian_Pinv(at));
}

const char *gscale__posterior_program(const gscale_posterior *p,
                                      const latent *l)
{
  for (size_t k = 0; l->entry->kind >= GSCALE__OF_SINGLE && k < p->instances;
       k++) {
    const gscale__numbers *n = &p->instance[k].numbers;

    if (l->entry >= n->entry && l->entry < n->entry + n->n)
      return p->instance[k].w->name;
  }
  return "";
}

/* Returns true for numbers that programs of one name share at all sizes. */
static bool is_same(const gscale_posterior *p, const latent *l,
                    const instance *i, const gscale__entry *e)
{
  return l->entry->kind >= GSCALE__OF_SINGLE && e->kind == l->entry->kind &&
         l->instance == GSCALE__NONE &&
         strcmp(gscale__posterior_program(p, l), i->w->name) == 0 &&
         strcmp(l->entry->about.name, e->about.name) == 0;
}

static bool add_latent(gscale_posterior *p, const gscale__entry *e, size_t i,
                       size_t *which)
{
  latent *all = realloc(p->latent, (p->latents + 1) * sizeof *all);

  if (!all) return false;
  p->latent = all;
  *which = p->latents++;
  all[*which] =
      (latent){.entry = e,
               .instance = e->kind == GSCALE__OF_SINGLE ? i : GSCALE__NONE,
               .column = GSCALE__NONE};
  truncate_prior(&all[*which]);
  return true;
}

/* The curve of device.membw is not a latent, because t1 says more about a
 * program, and a run informs only one point of the curve. */
static bool find_latent(gscale_posterior *p, size_t i, size_t k)
{
  const gscale__entry *e = &p->instance[i].numbers.entry[k];
  size_t *which = &p->instance[i].latent[k];

  *which = GSCALE__NONE;
  if (!(e->about.p.err > 0.0) || e->kind == GSCALE__OF_CURVE) return true;
  if (e->kind < GSCALE__OF_SINGLE && i > 0) {
    *which = p->instance[0].latent[k]; /* all programs have the same order */
    return true;
  }
  for (size_t l = p->of_system; l < p->latents; l++)
    if (is_same(p, &p->latent[l], &p->instance[i], e)) {
      *which = l;
      return true;
    }
  if (!add_latent(p, e, i, which)) return false;
  if (e->kind < GSCALE__OF_SINGLE) p->of_system = p->latents;
  return true;
}

static bool open_instance(gscale_posterior *p, const gscale_workload *w)
{
  instance *i = &p->instance[p->instances];
  const size_t size = offsetof(gscale_workload, phase) +
                      w->phases * sizeof *w->phase; /* only the phases of w */

  *i = (instance){.w = w, .moved = malloc(size)};
  if (!i->moved || !gscale__list_numbers(&i->numbers, &p->base, w, false)) {
    free(i->moved);
    return false;
  }
  gscale__copy_workload(i->moved, w);
  i->latent = malloc((i->numbers.n + 1) * sizeof *i->latent);
  p->instances++;
  for (size_t k = 0; i->latent && k < i->numbers.n; k++)
    if (!find_latent(p, p->instances - 1, k)) return false;
  return i->latent;
}

size_t gscale__posterior_instance(gscale_posterior *p, const gscale_workload *w)
{
  for (size_t i = 0; i < p->instances; i++)
    if (p->instance[i].w == w) return i;
  instance *all = realloc(p->instance, (p->instances + 1) * sizeof *all);
  if (!all) return GSCALE__NONE;
  p->instance = all;
  return open_instance(p, w) ? p->instances - 1 : GSCALE__NONE;
}

bool gscale__posterior_has(const gscale_posterior *p, size_t i, size_t which)
{
  const latent *l = &p->latent[which];

  if (which < p->of_system) return true;
  if (l->instance != GSCALE__NONE) return l->instance == i;
  for (size_t k = 0; k < p->instance[i].numbers.n; k++)
    if (p->instance[i].latent[k] == which) return true;
  return false;
}

/* Returns the description of the discrepancy of a run on a level, even if no
 * run has this discrepancy. */
static own own_of(int level, size_t i, const gscale_run *r)
{
  return (own){.workload = r->program->name,
               .instance = level == GSCALE__OF_SIZE ? i : GSCALE__NONE,
               .paradigm = r->paradigm};
}

size_t gscale__posterior_own(const gscale_posterior *p, int level, size_t i,
                             const gscale_run *r)
{
  const own of = own_of(level, i, r);

  for (size_t g = 0; g < p->owns; g++)
    if (p->own[g].paradigm == of.paradigm &&
        p->own[g].instance == of.instance &&
        strcmp(p->own[g].workload, of.workload) == 0)
      return g;
  return GSCALE__NONE;
}

static void add_own(gscale_posterior *p, int level, size_t i)
{
  const gscale_run *r = &p->run[i];
  datum *d = &p->datum[i];
  const size_t of = p->cell[d->cell].instance;
  size_t g = gscale__posterior_own(p, level, of, r);

  if (g == GSCALE__NONE) {
    g = p->owns++;
    p->own[g] = own_of(level, of, r);
  }
  d->own[level] = g;
}

static size_t cell_of(gscale_posterior *p, size_t i)
{
  const size_t of = gscale__posterior_instance(p, p->run[i].program);
  size_t c = 0;

  if (of == GSCALE__NONE) return GSCALE__NONE;
  while (c < p->cells &&
         (p->cell[c].instance != of || p->cell[c].gpus != p->run[i].gpus))
    c++;
  if (c == p->cells)
    p->cell[p->cells++] = (cell){.instance = of, .gpus = p->run[i].gpus};
  p->cell[c].n++;
  return c;
}

static void order_runs(gscale_posterior *p)
{
  size_t at = 0;

  for (size_t c = 0; c < p->cells; c++) {
    p->cell[c].first = at;
    at += p->cell[c].n;
    p->cell[c].n = 0;
  }
  for (size_t i = 0; i < p->runs; i++) {
    cell *c = &p->cell[p->datum[i].cell];
    p->order[c->first + c->n++] = i;
  }
}

gscale_status gscale__collect_runs(gscale_posterior *p, gscale_diag *diag)
{
  p->datum = calloc(p->runs, sizeof *p->datum);
  p->order = calloc(p->runs, sizeof *p->order);
  p->cell = calloc(p->runs, sizeof *p->cell);
  p->own = calloc(GSCALE__LEVELS * p->runs, sizeof *p->own);
  if (!p->datum || !p->order || !p->cell || !p->own) return no_memory(diag);
  for (size_t i = 0; i < p->runs; i++) {
    p->datum[i].log_time = log(p->run[i].time) - p->run[i].off;
    p->datum[i].cell = cell_of(p, i);
    if (p->datum[i].cell == GSCALE__NONE) return no_memory(diag);
  }
  for (int level = 0; level < GSCALE__LEVELS; level++)
    for (size_t i = 0; i < p->runs; i++) add_own(p, level, i);
  order_runs(p);
  return GSCALE_OK;
}

/* Sets a system's parameter.  A guess is proportional to host.launch, which
 * must be set before. */
static void place_system(gscale_posterior *p, const latent *l, double z)
{
  const gscale__entry *e = l->entry;
  double value = gscale__posterior_value(l, z);

  if (e->kind == GSCALE__OF_PARAM && gscale_system_guessed(&p->base, e->id))
    value *= gscale_system_get(&p->moved, e->id)->val /
             gscale_system_get(&p->base, e->id)->val;
  gscale__move(e, value, &p->moved, NULL, NULL);
}

/* Sets a program's number.  The instance's entry maps z to a value, because
 * values depend on the size. */
static void place_program(instance *i, size_t k, double z)
{
  const gscale__entry *e = &i->numbers.entry[k];

  gscale__move(e, gscale__quantile(&e->about.p, z), NULL, i->moved, i->w);
}

static double z_of(const gscale_posterior *p, const double *x, size_t which,
                   size_t one, double z)
{
  const size_t column = p->latent[which].column;

  if (which == one) return z;
  return x && column != GSCALE__NONE ? x[column] : NAN;
}

static void place_instance(gscale_posterior *p, const double *x, instance *i,
                           size_t one, double z)
{
  gscale__copy_workload(i->moved, i->w);
  for (size_t k = 0; k < i->numbers.n; k++) {
    const size_t which = i->latent[k];
    const double here = which == GSCALE__NONE || which < p->of_system
                            ? NAN
                            : z_of(p, x, which, one, z);
    if (!isnan(here)) place_program(i, k, here);
  }
}

void gscale__posterior_place_for(gscale_posterior *p, const double *x,
                                 size_t of, size_t one, double z)
{
  p->moved = p->base;
  for (size_t l = 0; l < p->of_system; l++) {
    const double here = z_of(p, x, l, one, z);
    if (!isnan(here)) place_system(p, &p->latent[l], here);
  }
  if (of != GSCALE__NONE) place_instance(p, x, &p->instance[of], one, z);
}

void gscale__posterior_place(gscale_posterior *p, const double *x)
{
  gscale__posterior_place_for(p, x, GSCALE__NONE, GSCALE__NONE, 0.0);
  for (size_t n = 0; n < p->instances; n++)
    place_instance(p, x, &p->instance[n], GSCALE__NONE, 0.0);
  p->placed = GSCALE__NONE;
}

/* Sets a number in all instances that have this number. */
static void place_sharing(gscale_posterior *p, const double *x, size_t which,
                          size_t one, double z)
{
  for (size_t n = 0; n < p->instances && which != GSCALE__NONE; n++)
    if (which >= p->of_system && gscale__posterior_has(p, n, which))
      place_instance(p, x, &p->instance[n], one, z);
}

void gscale__posterior_place_one(gscale_posterior *p, const double *x,
                                 size_t one, double z)
{
  gscale__posterior_place_for(p, x, GSCALE__NONE, one, z);
  if (p->placed != one) place_sharing(p, x, p->placed, GSCALE__NONE, 0.0);
  place_sharing(p, x, one, one, z);
  p->placed = one;
}

double gscale__posterior_off(const gscale_posterior *p, size_t run,
                             const double *x)
{
  const datum *d = &p->datum[run];
  double off = 0.0;

  for (int level = 0; level < GSCALE__LEVELS; level++)
    off += gscale__posterior_load(&d->own_by, level, p->held) *
           x[p->columns + d->own[level]];
  return off;
}

/* Returns the residual on an unmeasured machine, which the machine's parameters
 * mostly explain.  The shares of the residual are estimated on h200x4 and
 * h200x8, and the rest is assumed.  On eight A100, given runs on 1 and 2 GPUs,
 * the error is 18.2 %, and would be 19.5 % with the residuals of measured
 * machines. */
static spread unmeasured_spread(double moving)
{
  return (spread){TAU * moving, {0.3, 0.5, 0.2}};
}

/* Returns the residual on a measured machine.  The shares depend on how much
 * residuals repeat at other sizes and at other N. */
static spread measured_spread(const gscale_residuals *r,
                              const double u[GSCALE_RESIDUAL_PARTS])
{
  double all = 0.0, sizes = 0.0, numbers = 0.0;

  for (size_t k = 0; k < GSCALE_RESIDUAL_PARTS; k++) {
    const double *together = r->together[gscale_residual_kind_of(k)];
    const double square = u[k] * u[k], n = together[GSCALE_RESIDUAL_GPUS];

    all += square;
    numbers += square * n;
    sizes += square * n * together[GSCALE_RESIDUAL_SIZE];
  }
  return (spread){sqrt(all),
                  {sizes / all, (numbers - sizes) / all, 1.0 - numbers / all}};
}

spread gscale__posterior_spread(gscale_posterior *p, const gscale_run *r,
                                size_t i, const predicted *at)
{
  const gscale_residuals *all = gscale_system_about(&p->base).residuals;
  const gscale_widened w = gscale_system_widened(&p->base, r->gpus);
  const double infinite = fmin(at->infinite, at->time);
  const double moving = gscale_residual_moving(at->time, infinite) / at->time;
  gscale_residual_at where = {.paradigm = r->paradigm,
                              .moved = 1.0 - infinite / at->time};
  double u[GSCALE_RESIDUAL_PARTS];
  spread s = {0.0, {0.0, 0.0, 1.0}};

  if (r->gpus == 1) return s;
  if (all->part[GSCALE_RESIDUAL_HOST] > 0.0)
    where.host = gscale__posterior_host(p, r, i, at);
  gscale_residual_widened(all, &where, &w, u);
  s = w.measured && u[GSCALE_RESIDUAL_STEP] > 0.0
          ? measured_spread(all, u)
          : unmeasured_spread(w.factor * moving);
  s.err = hypot(s.err, w.nodes * moving) * sqrt(fmax(0.0, 1.0 - r->known));
  return s;
}

void gscale__posterior_scale(gscale_posterior *p, const predicted *at)
{
  for (size_t i = 0; i < p->runs; i++) {
    datum *d = &p->datum[i];
    const double clock = p->run[i].sigma / p->run[i].time;

    if (!isfinite(at[i].time)) continue;
    d->own_by = gscale__posterior_spread(p, &p->run[i],
                                         p->cell[d->cell].instance, &at[i]);
    d->s = hypot(hypot(clock, FLOOR),
                 gscale__posterior_load(&d->own_by, GSCALE__OF_RUN, p->held));
  }
}

/* Returns the shift of all runs by one standard deviation of a number, in units
 * of the runs' errors, for the side with the larger shift. */
static double leverage(gscale_posterior *p, size_t which, const predicted *base,
                       predicted *room, bool *felt)
{
  double most = 0.0;

  for (int side = -1; side <= 1; side += 2) {
    double square = 0.0;

    gscale__posterior_place_one(p, NULL, which, side);
    for (size_t c = 0; c < p->cells; c++) {
      if (!gscale__posterior_has(p, p->cell[c].instance, which)) continue;
      gscale__predict_cell(p, c, room);
      for (size_t k = p->cell[c].first; k < p->cell[c].first + p->cell[c].n;
           k++) {
        const size_t i = p->order[k];
        const double d = log(room[i].time / base[i].time);
        if (!isfinite(d) || !(fabs(d) > 0.0)) continue;
        felt[c] = true;
        square += d * d / (p->datum[i].s * p->datum[i].s);
      }
    }
    most = fmax(most, sqrt(square));
  }
  return most;
}

gscale_status gscale__select_columns(gscale_posterior *p, gscale_diag *diag)
{
  predicted *base = calloc(2 * p->runs, sizeof *base);
  gscale_status st = GSCALE_OK;

  p->free = malloc((p->latents + 1) * sizeof *p->free);
  p->felt = calloc(p->latents * p->cells + 1, sizeof *p->felt);
  if (!base || !p->free || !p->felt) {
    free(base);
    return no_memory(diag);
  }
  gscale__posterior_place(p, NULL);
  st = gscale__predict_all(p, base, diag);
  if (st == GSCALE_OK) gscale__posterior_scale(p, base);
  for (size_t l = 0; st == GSCALE_OK && l < p->latents; l++) {
    bool *felt = p->felt + p->columns * p->cells;

    memset(felt, 0, p->cells * sizeof *felt);
    if (p->progress)
      p->progress(p->closure, 0.2 * (double)l / (double)p->latents);
    if (!(leverage(p, l, base, base + p->runs, felt) > LEVERAGE)) continue;
    p->latent[l].column = p->columns;
    p->free[p->columns++] = l;
  }
  free(base);
  return p->no_memory ? no_memory(diag) : st;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
