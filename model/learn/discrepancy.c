/* discrepancy.c - how far predictions are off beyond what errors explain, and
 * what that says about other programs. */

#include "describe/described.h"
#include "internal.h"

#include <math.h>
#include <string.h>

/* ---- scale -------------------------------------------------------------- */

double gscale_discrepancy_scale(double time, double infinite)
{
  const double least = 0.05; /* of the time; fitted, see gpuscale.h */

  if (!(time > 0.0) || !(infinite >= 0.0) || !(infinite <= time))
    return (double)NAN;
  return hypot(time - infinite, least * time);
}

/* ---- spread of residuals ------------------------------------------------ */

typedef struct rows {
  const double *predicted, *err, *measured, *sigma, *scale;
  size_t n;
} rows;

static double residual(const rows *r, size_t i)
{
  return (r->measured[i] - r->predicted[i]) / r->scale[i];
}

/* What errors explain of its square. */
static double explained(const rows *r, size_t i)
{
  const double e =
      hypot(r->err ? r->err[i] : 0.0, r->sigma ? r->sigma[i] : 0.0);
  return e * e / (r->scale[i] * r->scale[i]);
}

static double rms_of(const rows *r)
{
  double sum = 0.0;

  for (size_t i = 0; i < r->n; i++)
    sum += residual(r, i) * residual(r, i) - explained(r, i);
  return sqrt(fmax(0.0, sum / (double)r->n));
}

/* Share of the rows within z standard deviations, if the model's own is d. */
static double within(const rows *r, double d, double z)
{
  size_t count = 0;

  for (size_t i = 0; i < r->n; i++)
    count += fabs(residual(r, i)) <= z * sqrt(explained(r, i) + d * d);
  return (double)count / (double)r->n;
}

/* The least d with that share, by bisection: `within` rises with d. */
static double quantile_of(const rows *r, double share, double z)
{
  double low = 0.0, high = 0.0;

  if (within(r, 0.0, z) >= share) return 0.0;
  for (size_t i = 0; i < r->n; i++)
    high = fmax(high, fabs(residual(r, i)) / z * (1.0 + 1e-9));
  for (int step = 0; step < 60; step++) {
    const double middle = 0.5 * (low + high);
    if (within(r, middle, z) >= share)
      high = middle;
    else
      low = middle;
  }
  return high;
}

gscale_status gscale_spread_of(const double *predicted, const double *err,
                               const double *measured, const double *sigma,
                               const double *scale, size_t n,
                               gscale_spread *out, gscale_diag *diag)
{
  const rows r = {predicted, err, measured, sigma, scale ? scale : predicted,
                  n};
  const gscale_status st =
      gscale__check_rows(predicted, err, measured, sigma, n, diag);

  if (st != GSCALE_OK) return st;
  for (size_t i = 0; i < n; i++)
    if (!(r.scale[i] > 0.0) || !isfinite(r.scale[i]))
      return gscale__fail(diag, GSCALE_EDOMAIN, "row %zu: scale %g s", i,
                          r.scale[i]);
  *out = (gscale_spread){
      .n = n,
      .rms = rms_of(&r),
      .middle = quantile_of(&r, 0.6827, 1.0),
      .median = quantile_of(&r, 0.5, 0.674489750196),
  };
  return GSCALE_OK;
}

/* ---- those of a system -------------------------------------------------- */

gscale_status gscale_system_add_discrepancy(gscale_system *s,
                                            const gscale_discrepancy *d,
                                            gscale_diag *diag)
{
  if (!*d->workload)
    return gscale__fail(diag, GSCALE_EDOMAIN, "discrepancy: no workload");
  if (d->paradigm >= gscale_paradigm_count())
    return gscale__fail(diag, GSCALE_EDOMAIN, "discrepancy: paradigm %zu",
                        d->paradigm);
  if (!(d->sigma.val >= 0.0) || !isfinite(d->sigma.val))
    return gscale__fail(diag, GSCALE_EDOMAIN, "discrepancy: sigma: %g",
                        d->sigma.val);
  if (d->rows < 1)
    return gscale__fail(diag, GSCALE_EDOMAIN, "discrepancy: rows: 0");
  for (size_t i = 0; i < s->discrepancies; i++)
    if (s->discrepancy[i].paradigm == d->paradigm &&
        strcmp(s->discrepancy[i].workload, d->workload) == 0)
      return gscale__fail(diag, GSCALE_ENAME,
                          "discrepancy: %s by %s is there twice", d->workload,
                          gscale_paradigm_at(d->paradigm)->name);
  if (s->discrepancies == GSCALE_DISCREPANCIES_MAX)
    return gscale__fail(diag, GSCALE_ESIZE, "discrepancy: more than %d",
                        (int)GSCALE_DISCREPANCIES_MAX);
  s->discrepancy[s->discrepancies++] = *d;
  return GSCALE_OK;
}

void gscale_system_clear_discrepancies(gscale_system *s)
{
  s->discrepancies = 0;
}

const gscale_discrepancy *gscale_system_discrepancy(const gscale_system *s,
                                                    size_t i)
{
  return i < s->discrepancies ? &s->discrepancy[i] : NULL;
}

/* ---- pooling ------------------------------------------------------------ */

/* Of one paradigm, or of all if that is gscale_paradigm_count(). */
static bool counts(const gscale_discrepancy *d, const char *workload,
                   size_t paradigm)
{
  return (d->paradigm == paradigm || paradigm == gscale_paradigm_count()) &&
         strcmp(d->workload, workload) != 0;
}

/* Mean square of the entries of program i, which are marked as `done`. */
static double square_of(const gscale_system *s, size_t i, size_t paradigm,
                        const char *workload, bool *done)
{
  const gscale_discrepancy *d = s->discrepancy;
  double sum = 0.0, n = 0.0;

  for (size_t j = i; j < s->discrepancies; j++) {
    if (done[j] || !counts(&d[j], workload, paradigm) ||
        strcmp(d[j].workload, d[i].workload) != 0)
      continue;
    done[j] = true;
    sum += d[j].sigma.val * d[j].sigma.val;
    n += 1.0;
  }
  return sum / n;
}

static gscale_pooled pool(const gscale_system *s, const char *workload,
                          size_t paradigm)
{
  gscale_pooled p = {.same_paradigm = paradigm < gscale_paradigm_count()};
  bool done[GSCALE_DISCREPANCIES_MAX] = {false};
  double sum = 0.0;

  for (size_t i = 0; i < s->discrepancies; i++) {
    if (done[i] || !counts(&s->discrepancy[i], workload, paradigm)) continue;
    const double square = square_of(s, i, paradigm, workload, done);
    if (!(square > 0.0)) continue;
    sum += 0.5 * log(square);
    p.programs++;
  }
  if (p.programs > 0) p.sigma = exp(sum / (double)p.programs);
  return p;
}

gscale_pooled gscale_system_pool(const gscale_system *s, const char *workload,
                                 size_t paradigm)
{
  const gscale_pooled p = pool(s, workload, paradigm);

  return p.programs > 0 ? p : pool(s, workload, gscale_paradigm_count());
}
