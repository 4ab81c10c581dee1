/* score_table.c - returns the rows of a study, and scores chosen runs. */

#include "validate/study.h"

#include <stdlib.h>

/* ---- rows --------------------------------------------------------------- */

size_t study_rows(const study *s)
{
  return s->rows ? s->rows->n : s->n;
}

/* Returns the role of a row. Of an input run only the first row is an input. */
static role role_at(const study *s, size_t of, bool first)
{
  const role r = s->trials ? s->trials[of].role : ROLE_SINGLE;

  return r == ROLE_INPUT && !first && s->runs[of].gpus == 1 ? ROLE_SINGLE : r;
}

measured_row study_row(const study *s, size_t i)
{
  const run *r = &s->runs[i];

  if (!s->rows)
    return (measured_row){i, r->time, r->sigma, r->line, role_at(s, i, true)};
  const repeat *row = repeats_at(s->rows, i);
  return (measured_row){row->of, row->time, row->sigma, row->line,
                        role_at(s, row->of, s->rows->of[row->of].first == i)};
}

run study_row_run(const study *s, size_t i)
{
  const measured_row row = study_row(s, i);
  run r = s->runs[row.of];

  r.time = row.time;
  r.sigma = row.sigma;
  r.line = row.line;
  return r;
}

double study_row_error(const study *s, const measured_row *r)
{
  return s->trials[r->of].time / r->time - 1.0;
}

gscale_split study_row_split(const study *s, const measured_row *r)
{
  const trial *t = &s->trials[r->of];

  return gscale_split_error(t->time, t->infinite, r->time, t->beside);
}

size_t study_least(const study *s, size_t i, double *time)
{
  *time = s->rows ? s->rows->of[i].time : s->runs[i].time;
  return s->rows ? s->rows->of[i].least : i;
}

bool study_has_role(const study *s, size_t i, role r)
{
  return role_at(s, i, true) == r ||
         (s->rows && s->rows->of[i].n > 1 && role_at(s, i, false) == r);
}

/* ---- scores ------------------------------------------------------------- */

/* Returns the next chosen run from i, or at least s->n if there is none. */
static size_t next_chosen(const study *s, const choice *c, size_t i)
{
  while (i < s->n && !c->picked(c->closure, i))
    i = c->next ? c->next[i] : i + 1;
  return i;
}

static size_t behind(const study *s, const choice *c, size_t i)
{
  return next_chosen(s, c, c->next ? c->next[i] : i + 1);
}

int study_series(const study *s, const choice *c, bool of_parameters,
                 series *out, failure *why)
{
  const size_t first = next_chosen(s, c, c->first);
  size_t n = 0;
  double *v;

  for (size_t i = first; i < s->n; i = behind(s, c, i)) n++;
  v = malloc(4 * (n + 1) * sizeof *v);
  if (!v) return no_memory(why);
  *out = (series){v, v + n, v + 2 * n, v + 3 * n, n};
  n = 0;
  for (size_t i = first; i < s->n; i = behind(s, c, i)) {
    const trial *t = &s->trials[i];

    out->predicted[n] = t->time;
    out->err[n] = of_parameters ? t->of_parameters : t->err;
    out->measured[n] = s->runs[i].time;
    out->sigma[n++] = s->runs[i].sigma;
  }
  return EXIT_OK;
}

double study_tail(const study *s)
{
  return s->system ? gscale_system_about(s->system).residuals->tail
                   : gscale_residuals_none.tail;
}

int study_score(const study *s, const choice *c, bool of_parameters,
                gscale_score *out, failure *why)
{
  series v;
  gscale_diag diag;
  gscale_status st = GSCALE_OK;

  *out = (gscale_score){0};
  if (study_series(s, c, of_parameters, &v, why) != EXIT_OK) return why->status;
  if (v.n > 0)
    st = gscale_score_rows(v.predicted, v.err, v.measured, v.sigma, v.n,
                           study_tail(s), out, &diag);
  free(v.predicted);
  return check_gscale(why, st, &diag);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
