/* learned.c - records of the runs to which a system was fitted. */

#include "describe/described.h"
#include "ground/ground.h"

#include <math.h>
#include <stdlib.h>

static gscale_status no_memory(gscale_diag *diag)
{
  return gscale__fail(diag, GSCALE_ENOMEM, "no memory for what was fitted");
}

gscale_status gscale_system_add_row(gscale_system *s, uint64_t hash,
                                    gscale_diag *diag)
{
  if (gscale_system_has_row(s, hash)) return GSCALE_OK;
  uint64_t *row = realloc(s->row, (s->rows + 1) * sizeof *row);
  if (!row) return no_memory(diag);
  s->row = row;
  s->row[s->rows++] = hash;
  return GSCALE_OK;
}

bool gscale_system_has_row(const gscale_system *s, uint64_t hash)
{
  for (size_t i = 0; i < s->rows; i++)
    if (s->row[i] == hash) return true;
  return false;
}

uint64_t gscale_system_row(const gscale_system *s, size_t i)
{
  return i < s->rows ? s->row[i] : 0;
}

static gscale_cover *cover_of(const gscale_system *s, size_t paradigm)
{
  for (size_t i = 0; i < s->covers; i++)
    if (s->cover[i].paradigm == paradigm) return &s->cover[i];
  return NULL;
}

gscale_status gscale_system_cover(gscale_system *s, const gscale_cover *c,
                                  gscale_diag *diag)
{
  gscale_cover *known = cover_of(s, c->paradigm);

  if (c->least < 1 || c->most < c->least || !(c->small >= 0.0) ||
      !(c->large >= c->small) || !isfinite(c->large))
    return gscale__fail(diag, GSCALE_EDOMAIN, "no N or footprint of runs");
  if (known) {
    known->least = known->least < c->least ? known->least : c->least;
    known->most = known->most > c->most ? known->most : c->most;
    known->small = fmin(known->small, c->small);
    known->large = fmax(known->large, c->large);
    return GSCALE_OK;
  }
  gscale_cover *all = realloc(s->cover, (s->covers + 1) * sizeof *all);
  if (!all) return no_memory(diag);
  s->cover = all;
  s->cover[s->covers++] = *c;
  return GSCALE_OK;
}

const gscale_cover *gscale_system_cover_at(const gscale_system *s, size_t i)
{
  return i < s->covers ? &s->cover[i] : NULL;
}

gscale_status gscale_system_correlate(gscale_system *s,
                                      const gscale_correlation *c,
                                      gscale_diag *diag)
{
  if (c->a >= GSCALE_PARAM_END || c->b >= GSCALE_PARAM_END || c->a == c->b)
    return gscale__fail(diag, GSCALE_EDOMAIN,
                        "a correlation is one of two parameters");
  if (!(fabs(c->r) <= 1.0))
    return gscale__fail(diag, GSCALE_EDOMAIN, "a correlation of %g", c->r);
  gscale_correlation *all =
      realloc(s->correlation, (s->correlations + 1) * sizeof *all);
  if (!all) return no_memory(diag);
  s->correlation = all;
  s->correlation[s->correlations++] = *c;
  return GSCALE_OK;
}

const gscale_correlation *gscale_system_correlation(const gscale_system *s,
                                                    size_t i)
{
  return i < s->correlations ? &s->correlation[i] : NULL;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
