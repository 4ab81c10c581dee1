/* knobs.c - search for the best knobs of a grid. */

#include "predict/step.h"

#include <math.h>

/* Times within this ratio are equal, so that rounding chooses no point. */
static const double ROUNDING = 1e-12;

static bool same(double a, double b)
{
  return isnan(a) ? isnan(b) : a >= b && a <= b;
}

bool gscale_knobs_same(const gscale_knobs *a, const gscale_knobs *b)
{
  bool is = a->between == b->between && a->algorithm == b->algorithm &&
            a->protocol == b->protocol && a->as_run == b->as_run;

  for (size_t k = 0; k < GSCALE_KNOB_END; k++)
    is = is && same(a->v[k], b->v[k]);
  return is;
}

static gscale_knobs first_of(const gscale__grid *g)
{
  gscale_knobs k = g->given;

  for (size_t i = 0; i < GSCALE_KNOB_END; i++) k.v[i] = g->least[i];
  return k;
}

/* Sets the next point: all widths of a chunk, then the next chunk.  A knob that
 * is not in use is NaN and has one value. */
static bool next_of(const gscale__grid *g, gscale_knobs *k)
{
  k->v[GSCALE_WIDTH] *= 2.0;
  if (k->v[GSCALE_WIDTH] <= g->most[GSCALE_WIDTH]) return true;
  k->v[GSCALE_WIDTH] = g->least[GSCALE_WIDTH];
  k->v[GSCALE_CHUNK] *= 2.0;
  return k->v[GSCALE_CHUNK] <= g->most[GSCALE_CHUNK];
}

/* Replaces the best point if the trial is faster. */
static void take(const gscale_knobs *trial, double t, double *best,
                 gscale_knobs *k)
{
  if (!(t < *best * (1.0 - ROUNDING))) return;
  *best = t;
  *k = *trial;
}

/* Prepares the stages of the phases in a set of bits. */
static void prepare(const gscale_plan *p, size_t paradigm,
                    const gscale_knobs *k, uint64_t phases,
                    gscale__stage *stage)
{
  const gscale__paradigm *m = gscale__paradigm_at(paradigm);

  for (size_t i = 0; i < p->phases; i++)
    if ((phases & gscale__phase_bit(i)) != 0)
      gscale__prepare_phase(p, m, k, i, &stage[i]);
}

static const uint64_t ALL = ~(uint64_t)0;

double gscale__search_knobs(const gscale_plan *p, size_t paradigm,
                            const gscale__grid *g, gscale_knobs *k)
{
  gscale__stage stage[GSCALE__PHASES_MAX];
  gscale_knobs trial = first_of(g);
  uint64_t phases = ALL; /* later only phases that knobs affect */
  double best = INFINITY;

  do {
    prepare(p, paradigm, &trial, phases, stage);
    take(&trial, gscale__step_time(p, paradigm, stage, NULL), &best, k);
    phases = g->phases;
  } while (next_of(g, &trial));
  return best;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
