/* check.c - refusal of implausible runs. */

#include "learn/posterior/posterior.h"

#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>

static const double TWICE = 2.0; /* largest ratio between repetitions */
static const double NEAR = 0.7;  /* most decades between a ratio and a unit */

static const char *file_of(const gscale_run *r)
{
  return r->file ? r->file : "the runs";
}

static gscale_status check_rows(const gscale_posterior *p, gscale_diag *diag)
{
  size_t several = 0;

  for (size_t i = 0; i < p->runs; i++) {
    const gscale_run *r = &p->run[i];

    if (!(r->time > 0.0) || !isfinite(r->time) || !(r->sigma >= 0.0) ||
        !isfinite(r->sigma))
      return gscale__fail(diag, GSCALE_EDOMAIN, "%.120s:%d: %g s +- %g",
                          file_of(r), r->line, r->time, r->sigma);
    several += r->gpus > 1;
  }
  if (several > 0) return GSCALE_OK;
  return gscale__fail(diag, GSCALE_EDATA,
                      "%.120s: all runs are on one GPU, where nothing moves",
                      file_of(p->run));
}

/* Returns true if two runs repeat the same step. */
static bool is_same(const gscale_run *a, const gscale_run *b)
{
  return a->program == b->program && a->paradigm == b->paradigm &&
         a->gpus == b->gpus && gscale_knobs_same(&a->knobs, &b->knobs);
}

/* Compares the runs of one cell, because only runs of the same cell can repeat
 * a step. */
static gscale_status check_cell(const gscale_posterior *p, const cell *c,
                                gscale_diag *diag)
{
  for (size_t a = c->first; a < c->first + c->n; a++)
    for (size_t b = c->first; b < a; b++) {
      const gscale_run *one = &p->run[p->order[b]];
      const gscale_run *other = &p->run[p->order[a]];

      if (!is_same(one, other) ||
          (other->time < TWICE * one->time && one->time < TWICE * other->time))
        continue;
      return gscale__fail(
          diag, GSCALE_EDATA,
          "%.120s:%d: takes %.3g s, the same run of %.120s:%d %.3g s: they "
          "contradict each other",
          file_of(other), other->line, other->time, file_of(one), one->line,
          one->time);
    }
  return GSCALE_OK;
}

static const char *unit_of(double decades)
{
  return fabs(decades - 3.0) < NEAR   ? "10^3 times too long: milliseconds?"
         : fabs(decades - 6.0) < NEAR ? "10^6 times too long: microseconds?"
         : fabs(decades + 3.0) < NEAR ? "10^3 times too short"
         : fabs(decades + 6.0) < NEAR ? "10^6 times too short"
                                      : NULL;
}

/* Predicts runs without t1, because t1 may have the same wrong unit as the
 * runs. */
static gscale_status predict_without_t1(gscale_posterior *p, predicted *out,
                                        gscale_diag *diag)
{
  gscale__posterior_place(p, NULL);
  for (size_t i = 0; i < p->instances; i++)
    p->instance[i].moved->single = (gscale_param){.origin = GSCALE_DERIVED};
  const gscale_status st = gscale__predict_all(p, out, diag);
  gscale__posterior_place(p, NULL);
  return st;
}

/* Checks the median ratio of a file's times to the predicted times. */
static gscale_status check_file(const gscale_posterior *p, size_t first,
                                const predicted *at, double *room,
                                gscale_diag *diag)
{
  const gscale_run *r = &p->run[first];
  size_t n = 0;

  for (size_t i = first; i < p->runs; i++)
    if (p->run[i].file == r->file && isfinite(at[i].time))
      room[n++] = log10(p->run[i].time / at[i].time);
  if (n == 0) return GSCALE_OK;
  gsl_sort(room, 1, n);
  const char *unit = unit_of(gsl_stats_median_from_sorted_data(room, 1, n));
  if (!unit) return GSCALE_OK;
  return gscale__fail(diag, GSCALE_EUNIT,
                      "%.120s:%d: time_s: the times of this file are %s",
                      file_of(r), r->line, unit);
}

static gscale_status check_units(gscale_posterior *p, predicted *at,
                                 double *room, gscale_diag *diag)
{
  gscale_status st = predict_without_t1(p, at, diag);

  for (size_t i = 0; st == GSCALE_OK && i < p->runs; i++)
    if (i == 0 || p->run[i].file != p->run[i - 1].file)
      st = check_file(p, i, at, room, diag);
  if (st == GSCALE_OK) st = gscale__predict_all(p, at, diag);
  for (size_t i = 0; st == GSCALE_OK && i < p->runs; i++) {
    const gscale_run *r = &p->run[i];
    const char *unit = unit_of(log10(r->time / at[i].time));

    if (unit)
      st = gscale__fail(diag, GSCALE_EUNIT,
                        "%.120s:%d: time_s: %.3g s, predicted %.3g s: %s",
                        file_of(r), r->line, r->time, at[i].time, unit);
  }
  return st;
}

gscale_status gscale__posterior_check(gscale_posterior *p, gscale_diag *diag)
{
  gscale_status st = check_rows(p, diag);

  for (size_t c = 0; st == GSCALE_OK && c < p->cells; c++)
    st = check_cell(p, &p->cell[c], diag);
  if (st != GSCALE_OK) return st;
  predicted *at = malloc(p->runs * sizeof *at);
  double *room = malloc(p->runs * sizeof *room);
  st = at && room ? check_units(p, at, room, diag)
                  : gscale__fail(diag, GSCALE_ENOMEM, "no memory for the runs");
  free(at);
  free(room);
  return st;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
