/* posterior_numbers.c - fits numbers of a system to runs of programs. */

#include "calibrate/posterior_numbers.h"
#include "common/jobs.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* This share of the model's residuals is kept, since a file has only numbers.
 * The share was chosen from 1, 0.3, 0.1 and 0.03 by predictions of N that were
 * left out, on 16 randomly drawn machines. */
static const double HELD = 0.1;

/* ---- left-out runs ------------------------------------------------------ */

/* The runs to leave out, which are on the most GPUs or of one program. */
typedef struct apart {
  const given *g;
  int gpus;            /* 0: by program */
  const char *program; /* name of the program */
} apart;

static bool is_apart(const apart *a, size_t i)
{
  const gscale_run *r = &a->g->run[i];

  return a->gpus > 0
             ? r->gpus >= a->gpus
             : strcmp(gscale_workload_about(r->program).name, a->program) == 0;
}

/* Marks the runs. At least one must be left out and one kept. */
static bool mark_apart(const learning *l, const apart *a, bool *left)
{
  size_t kept = 0;

  for (size_t k = 0; k < l->n; k++) {
    left[k] = is_apart(a, l->row[k]);
    kept += !left[k];
  }
  return kept > 0 && kept < l->n;
}

static void score_apart(const learning *l, const bool *left, const double *time,
                        left_out *out)
{
  for (size_t k = 0; k < l->n; k++) {
    const double measured = l->g.run[l->row[k]].time;

    if (!left[k] || !isfinite(time[k])) continue;
    out->before += fabs(gscale_posterior_run(l->p, k)->before / measured - 1.0);
    out->after += fabs(time[k] / measured - 1.0);
    out->rows++;
  }
  out->before /= (double)out->rows;
  out->after /= (double)out->rows;
}

static void name_apart(const apart *a, left_out *out)
{
  if (a->gpus > 0)
    snprintf(out->what, sizeof out->what, "N = %d", a->gpus);
  else
    snprintf(out->what, sizeof out->what, "%.*s", GSCALE_NAME_MAX - 1,
             a->program);
}

/* All sets of runs to leave out, with results. */
typedef struct parting {
  learning *l;
  apart of[LEFT_OUT_MAX];
} parting;

/* Predicts one set of runs from all other runs. */
static int leave_out(size_t i, void *closure, failure *why)
{
  const parting *all = closure;
  learning *l = all->l;
  bool *left = malloc((l->n + 1) * sizeof *left);
  double *time = malloc((l->n + 1) * sizeof *time);
  const bool room = left && time;
  gscale_diag diag;
  gscale_status st = GSCALE_OK;

  if (room) {
    mark_apart(l, &all->of[i], left);
    st = gscale_posterior_without(l->p, left, time, &diag);
    if (st == GSCALE_OK) name_apart(&all->of[i], &l->out[i]);
    if (st == GSCALE_OK) score_apart(l, left, time, &l->out[i]);
  }
  free(left);
  free(time);
  if (!room) return no_memory(why);
  return check_gscale(why, st, &diag);
}

static int add_apart(parting *all, apart a, failure *why)
{
  learning *l = all->l;
  bool *left = malloc((l->n + 1) * sizeof *left);

  if (!left) return no_memory(why);
  if (l->outs < LEFT_OUT_MAX && mark_apart(l, &a, left)) all->of[l->outs++] = a;
  free(left);
  return EXIT_OK;
}

static int most_gpus(const learning *l, int less_than)
{
  int most = 0;

  for (size_t k = 0; k < l->n; k++) {
    const int n = l->g.run[l->row[k]].gpus;
    if (n < less_than && n > most) most = n;
  }
  return most;
}

/* Leaves out the largest N if there are several N, and each program if there
 * are several programs. */
static int leave_each_out(learning *l, failure *why)
{
  enum {
    PREDICTIONS_OF_A_JOB = 64 /* at least */
  };
  const int most = most_gpus(l, GPUS_MAX + 1);
  parting all = {.l = l};
  int st = EXIT_OK;

  if (most_gpus(l, most) > 0)
    st = add_apart(&all, (apart){&l->g, most, NULL}, why);
  for (size_t k = 0; st == EXIT_OK && k < l->n; k++) {
    const char *name = gscale_workload_about(l->g.run[l->row[k]].program).name;
    const apart one = {&l->g, 0, name};
    size_t j = 0;

    while (!is_apart(&one, l->row[j])) j++;
    if (j == k) st = add_apart(&all, one, why);
  }
  const filling f = {
      l->out, sizeof *l->out, l->outs, "fits without a part", leave_out, &all};
  const size_t many = l->outs * l->n / PREDICTIONS_OF_A_JOB + 1;
  return st == EXIT_OK ? jobs_fill(&f, l->s.jobs < many ? l->s.jobs : many, why)
                       : st;
}

/* ---- next measurement --------------------------------------------------- */

/* Adds a candidate run of a program for a paradigm and method, on 2 GPUs and on
 * the most GPUs, with the default knobs. */
static void add_candidate(learning *l, const gscale_run *r, size_t paradigm,
                          size_t between)
{
  const int gpus[] = {2, most_gpus(l, GPUS_MAX + 1)};

  for (int side = 0; side < (gpus[1] > gpus[0] ? 2 : 1); side++) {
    gscale_run could = *r;

    could.paradigm = paradigm;
    could.knobs = gscale_knobs_best;
    could.knobs.between = between;
    could.gpus = gpus[side];
    l->could[l->n_could++] = could;
  }
}

/* Lists candidates per program, paradigm and method. A program has one size. */
static int list_candidates(learning *l, failure *why)
{
  const size_t memcpy_ = gscale_paradigm_find("memcpy");
  size_t each = gscale_paradigm_count();

  for (size_t i = 0; gscale_between_at(i); i++) each++;
  l->could = calloc(2 * each * (l->n + 1), sizeof *l->could);
  if (!l->could) return no_memory(why);
  for (size_t k = 0; k < l->n; k++) {
    const gscale_run *r = &l->g.run[l->row[k]];
    bool first = true;

    for (size_t j = 0; first && j < l->n_could; j++)
      first = strcmp(gscale_workload_about(l->could[j].program).name,
                     gscale_workload_about(r->program).name) != 0;
    for (size_t p = 0; first && gscale_paradigm_at(p); p++)
      if (!gscale_paradigm_at(p)->proposed) add_candidate(l, r, p, 0);
    for (size_t i = 0; first && gscale_between_at(i); i++)
      add_candidate(l, r, memcpy_, i + 1);
  }
  return EXIT_OK;
}

static int identify(learning *l, failure *why)
{
  const size_t numbers = gscale_posterior_count(l->p);
  gscale_diag diag;
  int st = list_candidates(l, why);

  l->measure = calloc(numbers + 1, sizeof *l->measure);
  l->after = calloc(numbers + 1, sizeof *l->after);
  if (st == EXIT_OK && (!l->measure || !l->after)) st = no_memory(why);
  if (st != EXIT_OK) return st;
  return check_gscale(why,
                      gscale_posterior_identify(l->p, l->could, l->n_could,
                                                l->measure, l->after, &diag),
                      &diag);
}

/* ---- written file ------------------------------------------------------- */

static void tell_run(learning *l, size_t *curve, size_t i)
{
  const size_t first = curve[i];
  size_t k = 0;

  if (l->s.trials[i].role != ROLE_SCORED) return;
  while (k < l->n_told && l->told[k].of != first) k++;
  if (k == l->n_told) l->told[l->n_told++].of = first;
  l->told[k].off += fabs(study_error(&l->s, i));
  l->told[k].rows++;
}

/* Scores the file like `validate`, using only its numbers. */
static int score_file(learning *l, failure *why)
{
  size_t *curve = study_curves(&l->s, why);
  int st = curve ? study_predict(&l->s, why) : why->status;

  l->told = calloc(l->s.n + 1, sizeof *l->told);
  if (st == EXIT_OK && !l->told) st = no_memory(why);
  for (size_t i = 0; st == EXIT_OK && i < l->s.n; i++) tell_run(l, curve, i);
  for (size_t k = 0; k < l->n_told; k++)
    l->told[k].off /= (double)l->told[k].rows;
  free(curve);
  return st;
}

/* Finds the number furthest from its prior. Uniform priors have no outliers. */
static const gscale_learned *furthest(const learning *l)
{
  const gscale_learned *most = NULL, *n;

  for (size_t i = 0; (n = gscale_posterior_number(l->p, i)); i++) {
    const bool even = n->prior.origin == GSCALE_ASSUMED &&
                      n->prior.spread == GSCALE_BY_ORIGIN;

    if (n->moved && !n->of_workload && !even &&
        (!most || fabs(n->score) > fabs(most->score)))
      most = n;
  }
  return most;
}

static int judge_numbers(const learning *l, failure *why)
{
  const gscale_learned *n = furthest(l);
  char was[64], is[64];

  if (!n || !(fabs(n->score) > IMPLAUSIBLE)) return EXIT_OK;
  gscale_format_quantity(n->prior.val, n->dim, was, sizeof was);
  gscale_format_quantity(n->posterior.val, n->dim, is, sizeof is);
  return fail(why, EXIT_NO,
              "calibrate: only implausible numbers explain the runs: %s would "
              "move by %.1f of its errors, from %s to %s",
              n->name, fabs(n->score), was, is);
}

int learning_judge(const learning *l, failure *why)
{
  const told *worst = NULL;
  size_t missed = 0;
  char title[160];

  for (size_t k = 0; k < l->n_told; k++) {
    const told *t = &l->told[k];

    if (!(t->off > EXPLAINED)) continue;
    missed++;
    if (!worst || t->off > worst->off) worst = t;
  }
  if (!worst) return judge_numbers(l, why);
  run_title(&l->s.runs[worst->of], title, sizeof title);
  return fail(why, EXIT_NO,
              "calibrate: %zu of %zu series are not explained by the numbers "
              "that are written; %.140s by %s is %.0f%% off",
              missed, l->n_told, title,
              gscale_paradigm_at(l->s.runs[worst->of].paradigm)->name,
              100.0 * worst->off);
}

/* ---- interface ---------------------------------------------------------- */

static int give(learning *l, gscale_system *s, failure *why)
{
  gscale_diag diag;
  gscale_status st = gscale_posterior_apply(l->p, s, &diag);

  for (size_t k = 0; st == GSCALE_OK && k < l->n; k++)
    st = gscale_system_add_row(s, run_hash(&l->s.runs[l->row[k]]), &diag);
  return check_gscale(why, st, &diag);
}

static int check_enough(const learning *l, failure *why)
{
  size_t n = 0;

  for (size_t i = 0; i < l->s.n; i++) n += !l->g.single[i];
  if (n != 1) return EXIT_OK; /* given_fit() reports 0 */
  return fail(why, EXIT_DATA,
              "%.120s: 1 run; numbers of a system need two or more",
              l->s.runs[0].path);
}

int learning_make(learning *l, calibration *c, failure *why)
{
  int st;

  *l = (learning){
      .s = {.system = c->system, .jobs = jobs_count(c->o, LEFT_OUT_MAX)}};
  st = study_read(&l->s, c->run_file, c->run_files, why);
  if (st == EXIT_OK) st = given_load(&l->g, &l->s, why);
  if (st == EXIT_OK) st = check_enough(l, why);
  if (st == EXIT_OK)
    st = given_fit(&l->g, c->system, HELD, NULL, NULL, &l->p, &l->row, &l->n,
                   why);
  if (st == EXIT_OK) c->run_gpus = most_gpus(l, GPUS_MAX + 1);
  if (st == EXIT_OK) st = identify(l, why);
  if (st == EXIT_OK) st = leave_each_out(l, why);
  if (st == EXIT_OK) st = give(l, c->system, why);
  return st == EXIT_OK ? score_file(l, why) : st;
}

void learning_free(learning *l)
{
  gscale_posterior_free(l->p);
  given_free(&l->g);
  free(l->row);
  free(l->measure);
  free(l->after);
  free(l->could);
  free(l->told);
  l->s.system = NULL; /* owned by the calibration */
  study_free(&l->s);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
