/* discrepancy.c - how far predictions are off beyond what errors explain, and
 * what that says about other programs. */

#include "describe/described.h"
#include "ground/ground.h"

#include <math.h>
#include <stdlib.h>
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

/* ---- collectives --------------------------------------------------------- */

double gscale_coll_off(const gscale_system *s, double bytes, int nodes)
{
  const double mib = 1048576.0;
  const double growth = bytes <= 64.0 * mib ? 0.25 : 0.0;
  const size_t size = bytes < mib ? 0 : bytes <= 64.0 * mib ? 1 : 2;
  const gscale_param_id first =
      nodes > 1 ? GSCALE_COLL_NET_OFF_SMALL : GSCALE_COLL_OFF_SMALL;

  if (!(bytes >= 0.0) || nodes < 1) return (double)NAN;
  const double off = gscale_system_get(s, first + size)->val;
  return nodes > 1 ? off * sqrt(1.0 + growth * log2(0.5 * nodes)) : off;
}

/* ---- those of a system -------------------------------------------------- */

static gscale_status check_discrepancy(const gscale_discrepancy *d,
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
  return GSCALE_OK;
}

/* The numbers of the machine and the program of a new one, n of *off, which are
 * those of any that has the same: most often the last. */
static void number(gscale__discrepancies *off, const gscale_discrepancy *d)
{
  size_t *machine = &off->machine[off->n], *program = &off->program[off->n];
  const size_t new_machine = off->machines, new_program = off->programs;

  *machine = new_machine;
  *program = new_program;
  for (size_t i = off->n; i-- > 0;) {
    if (*machine == new_machine && strcmp(off->of[i].machine, d->machine) == 0)
      *machine = off->machine[i];
    if (*program == new_program &&
        strcmp(off->of[i].workload, d->workload) == 0)
      *program = off->program[i];
    if (*machine < new_machine && *program < new_program) return;
  }
}

gscale_status gscale_system_add_discrepancy(gscale_system *s,
                                            const gscale_discrepancy *d,
                                            gscale_diag *diag)
{
  const gscale_status st = check_discrepancy(d, diag);

  if (st != GSCALE_OK) return st;
  if (!s->off) s->off = calloc(1, sizeof *s->off);
  if (!s->off)
    return gscale__fail(diag, GSCALE_ENOMEM, "no memory for discrepancies");
  gscale__discrepancies *off = s->off;
  if (off->n == GSCALE_DISCREPANCIES_MAX)
    return gscale__fail(diag, GSCALE_ESIZE, "discrepancy: more than %d",
                        (int)GSCALE_DISCREPANCIES_MAX);
  number(off, d);
  for (size_t i = 0; i < off->n; i++)
    if (off->of[i].paradigm == d->paradigm &&
        off->of[i].between == d->between &&
        off->machine[i] == off->machine[off->n] &&
        off->program[i] == off->program[off->n])
      return gscale__fail(diag, GSCALE_ENAME,
                          "discrepancy: %s by %s is there twice", d->workload,
                          gscale_paradigm_at(d->paradigm)->name);
  if (off->machine[off->n] == off->machines) off->machines++;
  if (off->program[off->n] == off->programs) off->programs++;
  off->of[off->n++] = *d;
  return GSCALE_OK;
}

gscale_status gscale_system_append_discrepancies(gscale_system *s,
                                                 const gscale_system *from,
                                                 gscale_diag *diag)
{
  gscale_status st = GSCALE_OK;

  for (size_t i = 0; st == GSCALE_OK && gscale_system_discrepancy(from, i);
       i++) {
    gscale_discrepancy d = *gscale_system_discrepancy(from, i);

    gscale__copy_text(d.machine, sizeof d.machine, from->name);
    st = gscale_system_add_discrepancy(s, &d, diag);
  }
  return st;
}

void gscale_system_clear_discrepancies(gscale_system *s)
{
  free(s->off);
  s->off = NULL;
  s->borrowed = false;
}

const gscale_discrepancy *gscale_system_discrepancy(const gscale_system *s,
                                                    size_t i)
{
  return s->off && i < s->off->n ? &s->off->of[i] : NULL;
}

/* ---- pooling ------------------------------------------------------------ */

/* Number of a program; how many there are if it is not among them. */
static size_t find_program(const gscale__discrepancies *off,
                           const char *workload)
{
  for (size_t i = 0; i < off->n; i++)
    if (strcmp(off->of[i].workload, workload) == 0) return off->program[i];
  return off->programs;
}

/* From all programs of a machine but `own`, by one paradigm, or by all of them
 * if that is gscale_paradigm_count(). */
static gscale_pooled pool_machine(const gscale__discrepancies *off,
                                  size_t machine, size_t own, size_t paradigm)
{
  gscale_pooled p = {.same_paradigm = paradigm < gscale_paradigm_count()};
  double square[GSCALE_DISCREPANCIES_MAX], count[GSCALE_DISCREPANCIES_MAX];
  double sum = 0.0;

  for (size_t i = 0; i < off->programs; i++) square[i] = count[i] = 0.0;
  for (size_t i = 0; i < off->n; i++) {
    const gscale_discrepancy *d = &off->of[i];
    const size_t program = off->program[i];

    if (off->machine[i] != machine || program == own) continue;
    if (p.same_paradigm && d->paradigm != paradigm) continue;
    square[program] += d->sigma.val * d->sigma.val;
    count[program] += 1.0;
  }
  for (size_t i = 0; i < off->programs; i++) {
    if (!(square[i] > 0.0)) continue;
    sum += 0.5 * log(square[i] / count[i]);
    p.programs++;
  }
  if (p.programs > 0) p.sigma = exp(sum / (double)p.programs);
  return p;
}

gscale_pooled gscale_system_pool(const gscale_system *s, const char *workload,
                                 size_t paradigm)
{
  const gscale__discrepancies *off = s->off;
  gscale_pooled most = {0};

  if (!off) return most;
  const size_t own = find_program(off, workload);
  for (size_t m = 0; m < off->machines; m++) {
    gscale_pooled p = pool_machine(off, m, own, paradigm);

    if (p.programs == 0) p = pool_machine(off, m, own, gscale_paradigm_count());
    if (p.sigma > most.sigma) most = p;
  }
  return most;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
