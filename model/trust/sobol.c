/* sobol.c - Sobol indices of the inputs of a function. */

#include "ground/ground.h"
#include "ground/numeric.h"

#include <gsl/gsl_randist.h>
#include <gsl/gsl_statistics_double.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>

enum {
  SHIFTS = 8,
  SEQUENCE = 20 /* inputs of Sobol's sequence; GSL has 40 */
};

typedef struct study {
  double (*f)(const double *x, void *closure);
  void *closure;
  size_t n, points;
  size_t few;      /* number of inputs of the sequence */
  unsigned *hyper; /* parts of all other inputs */
  gsl_rng *random;
  double *a, *b; /* f of A and of B */
  double *ab;    /* f of AB_i */
  double first[GSCALE_SOBOL_MAX][SHIFTS], total[GSCALE_SOBOL_MAX][SHIFTS];
  double mean[SHIFTS], variance[SHIFTS];
} study;

/* Returns x after a Cranley-Patterson shift modulo 1, and keeps x away from 0
 * and 1. */
static double shifted(double x, double by)
{
  const double y = x + by - floor(x + by);

  return fmin(fmax(y, 1e-12), 1.0 - 1e-12);
}

/* Draws a random order of the parts for each input beyond the sequence. */
static void draw_hypercube(study *s)
{
  for (size_t d = 0; d < 2 * (s->n - s->few); d++) {
    unsigned *part = s->hyper + d * s->points;

    for (size_t j = 0; j < s->points; j++) part[j] = (unsigned)j;
    gsl_ran_shuffle(s->random, part, s->points, sizeof *part);
  }
}

/* Returns input i of point j of A, or of B if b is true. */
static double in_part(study *s, size_t i, size_t j, bool b)
{
  const size_t more = s->n - s->few, d = i - s->few + (b ? more : 0);
  const double at = s->hyper[d * s->points + j] + gsl_rng_uniform(s->random);

  return shifted(at / (double)s->points, 0.0);
}

/* Computes point j of A and of B. */
static void next_point(study *s, gsl_qrng *sequence, const double *shift,
                       size_t j, double *a, double *b)
{
  double u[2 * SEQUENCE];

  gsl_qrng_get(sequence, u);
  for (size_t i = 0; i < s->few; i++) {
    a[i] = shifted(u[i], shift[i]);
    b[i] = shifted(u[s->few + i], shift[s->few + i]);
  }
  for (size_t i = s->few; i < s->n; i++) {
    a[i] = in_part(s, i, j, false);
    b[i] = in_part(s, i, j, true);
  }
}

static void evaluate(study *s, gsl_qrng *sequence, const double *shift)
{
  double a[GSCALE_SOBOL_MAX], b[GSCALE_SOBOL_MAX];

  gsl_qrng_init(sequence);
  draw_hypercube(s);
  for (size_t j = 0; j < s->points; j++) {
    next_point(s, sequence, shift, j, a, b);
    s->a[j] = s->f(a, s->closure);
    s->b[j] = s->f(b, s->closure);
    for (size_t i = 0; i < s->n; i++) {
      const double was = a[i];

      a[i] = b[i];
      s->ab[i * s->points + j] = s->f(a, s->closure);
      a[i] = was;
    }
  }
}

static bool is_whole(const study *s, size_t j)
{
  bool whole = isfinite(s->a[j]) && isfinite(s->b[j]);

  for (size_t i = 0; whole && i < s->n; i++)
    whole = isfinite(s->ab[i * s->points + j]);
  return whole;
}

/* Estimates the indices for a shift, and returns the number of used points. */
static size_t estimate(study *s, size_t shift)
{
  double sum = 0.0, squares = 0.0;
  size_t count = 0;

  for (size_t j = 0; j < s->points; j++) {
    if (!is_whole(s, j)) continue;
    sum += s->a[j] + s->b[j];
    count++;
  }
  if (count == 0) return 0;
  const double mean = sum / (2.0 * (double)count);
  double first[GSCALE_SOBOL_MAX] = {0}, total[GSCALE_SOBOL_MAX] = {0};

  for (size_t j = 0; j < s->points; j++) {
    if (!is_whole(s, j)) continue;
    const double a = s->a[j] - mean, b = s->b[j] - mean;

    squares += a * a + b * b;
    for (size_t i = 0; i < s->n; i++) {
      const double by = s->ab[i * s->points + j] - s->a[j];

      first[i] += b * by;
      total[i] += 0.5 * by * by;
    }
  }
  const double variance = squares / (2.0 * (double)count);

  s->mean[shift] = mean;
  s->variance[shift] = variance;
  for (size_t i = 0; i < s->n; i++) {
    const bool varies = variance > 1e-24 * mean * mean;

    s->first[i][shift] = varies ? first[i] / (double)count / variance : 0.0;
    s->total[i][shift] = varies ? total[i] / (double)count / variance : 0.0;
  }
  return count;
}

static double mean_of(const double *v, double *err)
{
  if (err) *err = gsl_stats_sd(v, 1, SHIFTS) / sqrt(SHIFTS);
  return gsl_stats_mean(v, 1, SHIFTS);
}

static gscale_status run(study *s, gsl_qrng *sequence, gscale_diag *diag)
{
  const size_t before = gscale_refusals();

  for (size_t shift = 0; shift < SHIFTS; shift++) {
    double by[2 * SEQUENCE];

    for (size_t d = 0; d < 2 * s->few; d++) by[d] = gsl_rng_uniform(s->random);
    evaluate(s, sequence, by);
    if (gscale_refusals() != before)
      return gscale__fail(diag, GSCALE_ENOMEM, "no memory for the function");
    if (estimate(s, shift) < s->points / 2)
      return gscale__fail(diag, GSCALE_ENUMERIC,
                          "the function is not finite at half of its points");
  }
  return GSCALE_OK;
}

gscale_status gscale_sobol_indices(double (*f)(const double *x, void *closure),
                                   void *closure, size_t n, size_t points,
                                   uint64_t seed, gscale_sobol *out,
                                   double *mean, double *variance,
                                   gscale_diag *diag)
{
  if (n < 1 || n > GSCALE_SOBOL_MAX || points < 16 || points > UINT_MAX)
    return gscale__fail(diag, GSCALE_EDOMAIN,
                        "%zu inputs, %zu points: not 1 .. %d, 16 ..", n, points,
                        GSCALE_SOBOL_MAX);

  const size_t few = n < SEQUENCE ? n : SEQUENCE;
  study *s = calloc(1, sizeof *s);
  gsl_qrng *sequence = gscale__quasi((unsigned)(2 * few));
  gsl_rng *random = gscale__random((unsigned long)seed);
  double *room = malloc((n + 2) * points * sizeof *room);
  unsigned *hyper = malloc((2 * (n - few) * points + 1) * sizeof *hyper);
  gscale_status st = GSCALE_ENOMEM;

  if (s && sequence && random && room && hyper) {
    *s = (study){.f = f,
                 .closure = closure,
                 .n = n,
                 .points = points,
                 .few = few,
                 .hyper = hyper,
                 .random = random};
    s->a = room;
    s->b = room + points;
    s->ab = room + 2 * points;
    st = run(s, sequence, diag);
  } else {
    gscale__fail(diag, st, "no memory for indices");
  }
  for (size_t i = 0; st == GSCALE_OK && i < n; i++) {
    out[i].first = mean_of(s->first[i], &out[i].first_err);
    out[i].total = mean_of(s->total[i], &out[i].total_err);
  }
  if (st == GSCALE_OK && mean) *mean = mean_of(s->mean, NULL);
  if (st == GSCALE_OK && variance) *variance = mean_of(s->variance, NULL);
  free(room);
  free(hyper);
  free(random);
  free(sequence);
  free(s);
  return st;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
