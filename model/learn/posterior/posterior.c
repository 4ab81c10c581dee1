/* posterior.c - results at the minimum: numbers, runs, and predictions of other
 * steps. */

#include "learn/posterior/posterior.h"

#include <string.h>

static const double KEPT = 0.98;  /* largest sd of a number that the runs do not
                                   * inform */
static const double SHIFT = 0.1;  /* largest shift of a number that the runs do
                                   * not inform */
static const double EDGE = 1.645; /* z of the 95 % quantile */
static const double FAR = 4.0;    /* least residual of an outlier */
static const double NORMAL95 = 1.96;
static const double REPEAT = 0.01; /* relative error of a future run */

static double cov_at(const gscale_posterior *p, size_t i, size_t j)
{
  return gsl_matrix_get(p->cov, i > j ? i : j, i > j ? j : i);
}

/* Sets the name of a number, which has the program as prefix for numbers of
 * programs. */
static void name_number(const gscale_posterior *p, const latent *l,
                        gscale_learned *out)
{
  const char *program = gscale__posterior_program(p, l);

  gscale__print(out->name, sizeof out->name, "%s%s%s", program,
                *program ? " " : "", l->entry->about.name);
}

/* Returns the pull of a run on a number, which is the run's part of the step
 * from the prior to the minimum in the linear model at the minimum. */
static double pull_of(const gscale_posterior *p, size_t column, size_t run)
{
  double sum = 0.0;

  for (size_t k = 0; k < p->columns; k++)
    sum -= cov_at(p, column, k) * gsl_matrix_get(p->j, run, k);
  for (size_t level = 0; level < GSCALE__LEVELS; level++)
    sum -= cov_at(p, column, p->columns + p->datum[run].own[level]) *
           gsl_matrix_get(p->j_own, run, level);
  return sum * p->innovation[run];
}

static void add_pull(gscale_learned *out, size_t run, double pull)
{
  const size_t most = sizeof out->row / sizeof *out->row;
  size_t at = out->rows;

  while (at > 0 && fabs(pull) > fabs(out->pull[at - 1])) at--;
  if (at == most) return;
  if (out->rows < most) out->rows++;
  for (size_t k = out->rows - 1; k > at; k--) {
    out->pull[k] = out->pull[k - 1];
    out->row[k] = out->row[k - 1];
  }
  out->pull[at] = pull;
  out->row[at] = run;
}

/* Returns host.launch / host.launch of the base for a guess that is
 * proportional to host.launch, or 1. */
static double relative_to(const gscale_posterior *p, const latent *l)
{
  const size_t id = l->entry->id;

  if (l->entry->kind != GSCALE__OF_PARAM ||
      !gscale_system_guessed(&p->base, id))
    return 1.0;
  const gscale_system *s = &p->moved;
  const gscale_param_info *info = gscale_param_info_at(id);
  return info->dim == GSCALE_TIME
             ? gscale_system_get(s, GSCALE_HOST_LAUNCH)->val /
                   gscale_system_get(&p->base, GSCALE_HOST_LAUNCH)->val
             : 1.0;
}

static void learn_value(const gscale_posterior *p, const latent *l,
                        gscale_learned *out)
{
  const double unit = relative_to(p, l), z = p->at[l->column];
  const double sd = sqrt(cov_at(p, l->column, l->column));
  const double below = gscale__posterior_quantile(p, l, 0.1587);
  const double above = gscale__posterior_quantile(p, l, 0.8413);

  out->sd = fmin(sd, 1.0);
  out->posterior.val = unit * gscale__posterior_value(l, z);
  out->posterior.err = unit * 0.5 * (above - below);
  out->low = unit * gscale__posterior_quantile(p, l, 0.025);
  out->high = unit * gscale__posterior_quantile(p, l, 0.975);
  out->shift = (out->posterior.val - out->prior.val) / out->prior.err;
  out->score = z;
  out->edge = out->prior.origin == GSCALE_ASSUMED && fabs(z) > EDGE;
  out->moved = sd < KEPT || fabs(out->shift) > SHIFT;
}

static void learn_number(const gscale_posterior *p, size_t which)
{
  const latent *l = &p->latent[which];
  gscale_learned *out = &p->learned[which];

  *out = (gscale_learned){.dim = l->entry->about.dim,
                          .of_workload = l->entry->kind >= GSCALE__OF_SINGLE,
                          .prior = l->entry->about.p,
                          .sd = 1.0};
  name_number(p, l, out);
  out->posterior = out->prior;
  out->low = gscale__posterior_value(l, -NORMAL95);
  out->high = gscale__posterior_value(l, NORMAL95);
  if (l->column == GSCALE__NONE) return;
  learn_value(p, l, out);
  if (!out->moved) {
    out->posterior = out->prior;
    return;
  }
  out->posterior.origin = GSCALE_FITTED;
  for (size_t i = 0; i < p->runs; i++)
    add_pull(out, i, pull_of(p, l->column, i));
}

/* Sets the source of a system's parameter, such as "13 runs, most by
 * runs.csv:4". */
static void name_source(const gscale_posterior *p, gscale_learned *out)
{
  const char *file = p->run[out->row[0]].file;
  const char *slash = file ? strrchr(file, '/') : NULL;

  if (!out->moved) return;
  gscale__print(out->posterior.source, sizeof out->posterior.source,
                "%zu runs, most by %.40s:%d", p->runs,
                slash  ? slash + 1
                : file ? file
                       : "run",
                p->run[out->row[0]].line);
}

static void learn_run(const gscale_posterior *p, size_t i,
                      const predicted *before, const predicted *after)
{
  const datum *d = &p->datum[i];
  gscale_learned_run *out = &p->learned_run[i];

  out->before = before->time;
  out->bare = after->time;
  out->after = after->time * exp(gscale__posterior_off(p, i, p->at));
  out->residual = (d->log_time - log(out->after)) / d->s;
  out->after *= exp(p->run[i].off);
  out->weight = fmin(1.0, GSCALE__ROBUST / fabs(out->residual));
  out->outlier = fabs(out->residual) > FAR;
}

static gscale_status learn(gscale_posterior *p, gscale_diag *diag)
{
  predicted *before = malloc(2 * p->runs * sizeof *before);
  predicted *after = before ? before + p->runs : NULL;

  p->learned = calloc(p->latents + 1, sizeof *p->learned);
  p->learned_run = calloc(p->runs, sizeof *p->learned_run);
  if (!before || !p->learned || !p->learned_run) {
    free(before);
    return gscale__fail(diag, GSCALE_ENOMEM, "no memory for the report");
  }
  p->known = p->latents;
  gscale__posterior_place(p, NULL);
  gscale__predict_all(p, before, NULL);
  gscale__posterior_place(p, p->at);
  gscale__predict_all(p, after, NULL);
  for (size_t l = 0; l < p->latents; l++) {
    learn_number(p, l);
    name_source(p, &p->learned[l]);
  }
  for (size_t i = 0; i < p->runs; i++) learn_run(p, i, &before[i], &after[i]);
  free(before);
  return p->no_memory
             ? gscale__fail(diag, GSCALE_ENOMEM, "no memory for the report")
             : GSCALE_OK;
}

void gscale_posterior_free(gscale_posterior *p)
{
  if (!p) return;
  for (size_t i = 0; i < p->instances; i++) {
    free(p->instance[i].moved);
    free(p->instance[i].latent);
    gscale__free_numbers(&p->instance[i].numbers);
  }
  for (size_t c = 0; c < p->cells; c++) gscale__based_free(&p->cell[c].plan);
  gscale__based_free(&p->other.plan);
  free(p->run);
  free(p->datum);
  free(p->order);
  free(p->instance);
  free(p->cell);
  free(p->own);
  free(p->latent);
  free(p->free);
  free(p->felt);
  free(p->at);
  free(p->innovation);
  free(p->cov);
  free(p->j);
  free(p->j_own);
  free(p->learned);
  free(p->learned_run);
  free(p);
}

static gscale_status make(gscale_posterior *p, int starts, gscale_diag *diag)
{
  gscale_status st = gscale__collect_runs(p, diag);

  if (st == GSCALE_OK) st = gscale__posterior_check(p, diag);
  if (st == GSCALE_OK) st = gscale__select_columns(p, diag);
  if (st == GSCALE_OK) st = gscale__posterior_solve(p, starts, diag);
  return st == GSCALE_OK ? learn(p, diag) : st;
}

gscale_status gscale_posterior_new(const gscale_system *s,
                                   const gscale_run *runs, size_t n,
                                   double held, int starts,
                                   void (*progress)(void *closure, double done),
                                   void *closure, gscale_posterior **out,
                                   gscale_diag *diag)
{
  gscale_posterior *p = calloc(1, sizeof *p);
  gscale_status st;

  if (starts < 0 || starts > 16 || !(held > 0.0 && held <= 1.0)) {
    free(p);
    return gscale__fail(diag, GSCALE_EDOMAIN, "%d starts, held %g", starts,
                        held);
  }
  if (p) p->run = malloc((n + 1) * sizeof *p->run);
  if (!p || !p->run) {
    free(p);
    return gscale__fail(diag, GSCALE_ENOMEM, "no memory for %zu runs", n);
  }
  p->base = p->moved = *s;
  if (n > 0) memcpy(p->run, runs, n * sizeof *runs);
  p->runs = n;
  p->held = held;
  p->progress = progress;
  p->closure = closure;
  st = n > 0 ? make(p, starts, diag)
             : gscale__fail(diag, GSCALE_EDATA, "no runs");
  if (st == GSCALE_OK)
    *out = p;
  else
    gscale_posterior_free(p);
  return st;
}

size_t gscale_posterior_count(const gscale_posterior *p)
{
  return p->known;
}

const gscale_learned *gscale_posterior_number(const gscale_posterior *p,
                                              size_t i)
{
  return i < p->known ? &p->learned[i] : NULL;
}

double gscale_posterior_correlation(const gscale_posterior *p, size_t i,
                                    size_t j)
{
  if (i >= p->latents || j >= p->latents) return 0.0;
  const size_t a = p->latent[i].column, b = p->latent[j].column;

  if (a == GSCALE__NONE || b == GSCALE__NONE) return 0.0;
  return cov_at(p, a, b) / sqrt(cov_at(p, a, a) * cov_at(p, b, b));
}

const gscale_learned_run *gscale_posterior_run(const gscale_posterior *p,
                                               size_t i)
{
  return i < p->runs ? &p->learned_run[i] : NULL;
}

/* The time of a step, and the uncertainty of ln(time). */
typedef struct step {
  predicted at;
  double shift;   /* shift of ln(time) by known discrepancies */
  double spread;  /* independent variance */
  double *g, *cg; /* slopes g, and C g */
  double *alone;  /* slopes without a column */
} step;

static void close_step(step *s)
{
  free(s->g);
  free(s->alone);
  *s = (step){0};
}

/* Allocates all slopes, including slopes of a program without runs. */
static bool open_step(const gscale_posterior *p, step *s)
{
  const size_t n = p->columns + p->owns;

  *s = (step){.g = calloc(2 * n + 1, sizeof *s->g),
              .alone = calloc(p->latents + 1, sizeof *s->alone)};
  s->cg = s->g ? s->g + n : NULL;
  return s->g && s->alone;
}

static void fill_steps_slopes(gscale_posterior *p, const gscale_run *r,
                              size_t i, step *s)
{
  for (size_t l = 0; l < p->latents; l++) {
    const size_t column = p->latent[l].column;
    const bool free = column != GSCALE__NONE;
    const double z = free ? p->at[column] : 0.0;
    predicted moved;

    if (!gscale__posterior_has(p, i, l)) continue;
    gscale__posterior_place_for(p, p->at, i, l, z + p->latent[l].step);
    if (gscale__predict_run(p, r, i, &moved, NULL) == GSCALE_OK)
      *(free ? &s->g[column] : &s->alone[l]) =
          log(moved.time / s->at.time) / p->latent[l].step;
    s->spread += s->alone[l] * s->alone[l];
  }
  gscale__posterior_place_for(p, p->at, i, GSCALE__NONE, 0.0);
}

/* Adds the model's own residual to a step. */
static void fill_steps_own(gscale_posterior *p, const gscale_run *r, size_t i,
                           step *s)
{
  const spread by = gscale__posterior_spread(p, r, i, &s->at);
  const double alone = gscale__posterior_load(&by, GSCALE__OF_RUN, 1.0);

  s->spread += alone * alone;
  s->shift += r->off;
  for (int level = 0; level < GSCALE__LEVELS; level++) {
    const size_t g = gscale__posterior_own(p, level, i, r);
    const double of_level = gscale__posterior_load(&by, level, 1.0);

    if (g == GSCALE__NONE) {
      s->spread += of_level * of_level;
    } else {
      s->g[p->columns + g] = of_level;
      s->shift += of_level * p->at[p->columns + g];
    }
  }
}

/* Computes C g and returns g' C g. */
static double project(const gscale_posterior *p, step *s)
{
  double sum = 0.0;

  for (size_t i = 0; i < p->columns + p->owns; i++) {
    s->cg[i] = 0.0;
    for (size_t j = 0; j < p->columns + p->owns; j++)
      s->cg[i] += cov_at(p, i, j) * s->g[j];
    sum += s->g[i] * s->cg[i];
  }
  return sum;
}

/* Computes the step *s, and closes *s on failure. */
static gscale_status take_step(gscale_posterior *p, const gscale_run *r,
                               step *s, gscale_diag *diag)
{
  const size_t i = gscale__posterior_instance(p, r->program);

  if (i == GSCALE__NONE || !open_step(p, s)) {
    if (i != GSCALE__NONE) close_step(s);
    return gscale__fail(diag, GSCALE_ENOMEM, "no memory for a prediction");
  }
  gscale__posterior_place_for(p, p->at, i, GSCALE__NONE, 0.0);
  const gscale_status st = gscale__predict_run(p, r, i, &s->at, diag);
  if (st != GSCALE_OK) {
    close_step(s);
    return st;
  }
  fill_steps_slopes(p, r, i, s);
  fill_steps_own(p, r, i, s);
  s->spread += project(p, s);
  if (!p->no_memory) return GSCALE_OK;
  close_step(s);
  return gscale__fail(diag, GSCALE_ENOMEM, "no memory for a prediction");
}

gscale_status gscale_posterior_predict(gscale_posterior *p,
                                       const gscale_run *run, double *time,
                                       double *bare, double *err,
                                       gscale_diag *diag)
{
  step s;
  const gscale_status st = take_step(p, run, &s, diag);

  if (st != GSCALE_OK) return st;
  *bare = s.at.time;
  *time = s.at.time * exp(s.shift);
  *err = sqrt(s.spread);
  close_step(&s);
  return GSCALE_OK;
}

gscale_status gscale_posterior_without(gscale_posterior *p, const bool *left,
                                       double *time, gscale_diag *diag)
{
  double *x = calloc(p->columns + p->owns + 1, sizeof *x);
  predicted *at = malloc(p->runs * sizeof *at);
  gscale_status st = x && at ? GSCALE_OK : GSCALE_ENOMEM;

  if (st == GSCALE_OK)
    st = gscale__posterior_without(p, left, x, diag);
  else
    gscale__fail(diag, st, "no memory for a fit");
  if (st == GSCALE_OK) {
    gscale__posterior_place(p, x);
    for (size_t c = 0; c < p->cells; c++) {
      bool any = false;
      for (size_t k = p->cell[c].first; k < p->cell[c].first + p->cell[c].n;
           k++)
        any = any || left[p->order[k]];
      if (any) gscale__predict_cell(p, c, at);
    }
    for (size_t i = 0; i < p->runs; i++)
      time[i] =
          left[i] ? at[i].time * exp(gscale__posterior_off(p, i, x)) : NAN;
    gscale__posterior_place(p, p->at);
  }
  free(x);
  free(at);
  if (st == GSCALE_OK && p->no_memory)
    return gscale__fail(diag, GSCALE_ENOMEM, "no memory for a fit");
  return st;
}

/* For each number, compares a candidate run with the best candidate so far. */
static void keep_best(const gscale_posterior *p, const step *s, size_t run,
                      size_t *best, double *sd)
{
  for (size_t l = 0; l < p->known; l++) {
    const size_t column = p->latent[l].column;
    const bool free = column != GSCALE__NONE;
    const double now = free ? cov_at(p, column, column) : 1.0;
    const double with = free ? s->cg[column] : s->alone[l];
    const double after =
        sqrt(fmax(0.0, now - with * with / (s->spread + REPEAT * REPEAT)));

    if (!(fabs(with) > 0.0) || !(after < sd[l])) continue;
    sd[l] = after;
    best[l] = run;
  }
}

gscale_status gscale_posterior_identify(gscale_posterior *p,
                                        const gscale_run *runs, size_t n,
                                        size_t *best, double *sd,
                                        gscale_diag *diag)
{
  for (size_t l = 0; l < p->known; l++) {
    best[l] = n;
    sd[l] = p->learned[l].sd;
  }
  for (size_t i = 0; i < n; i++) {
    step s;
    const gscale_status st = take_step(p, &runs[i], &s, diag);

    if (st == GSCALE_ENOMEM) return st;
    if (st != GSCALE_OK) continue;
    keep_best(p, &s, i, best, sd);
    close_step(&s);
  }
  return GSCALE_OK;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
