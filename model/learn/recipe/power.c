/* power.c - power of a GPU, from params/bench/power.cu.
 *
 * The idle power is that without work.  The busy power is the mean over kernels
 * that saturate memory or arithmetic, and the error is the spread of these
 * kernels.  The link's energy per byte is that of copies and stores to a peer,
 * above the idle energy.  The counters are accurate to some per cent.  Kernels
 * with data in a cache draw less and are not part of the mean. */

#include "recipe.h"

#include <math.h>
#include <string.h>

static const double METER = 0.05; /* relative error of NVML */

/* Sums for the mean and standard deviation of values of rows. */
typedef struct drawn {
  double sum, squares, n;
  const char *file;
} drawn;

static void add(drawn *d, const gscale_measurement *r, double value)
{
  d->file = r->file;
  d->sum += value;
  d->squares += value * value;
  d->n++;
}

static double mean_of(const drawn *d)
{
  return d->sum / d->n;
}

static double spread_of(const drawn *d)
{
  const double mean = mean_of(d);
  const double apart =
      d->n > 1.0 ? (d->squares - d->n * mean * mean) / (d->n - 1.0) : 0.0;

  return hypot(sqrt(fmax(0.0, apart)), METER * mean);
}

static void conclude(bench_run *b, const char *name, const drawn *d)
{
  gscale_param p = {.origin = GSCALE_MEASURED};
  const gscale_field *f;
  size_t row = 0;

  if (!(d->n > 0.0)) return;
  while ((f = gscale_field_at(GSCALE_OF_POWER, row)) && strcmp(f->name, name))
    row++;
  p.val = mean_of(d);
  p.err = spread_of(d);
  gscale__print(p.source, sizeof p.source, "%s", d->file);
  if (gscale_system_set_remote(b->s, f, &p, NULL) == GSCALE_OK)
    b->out->watts |= 1u << row;
}

/* Returns the power in the rows of some benches that have an energy. */
static drawn watts_of(bench_run *b, const char *const *benches, size_t n)
{
  drawn d = {0};

  for (size_t k = 0; k < n; k++) {
    const wanted w = {.bench = benches[k]};
    EACH_ROW (b, &w, r)
      if (r->energy > 0.0) add(&d, r, r->energy / r->time);
  }
  return d;
}

/* Returns the energy per byte that is sent without compute. */
static drawn sent_by(bench_run *b, double idle)
{
  static const char *const benches[] = {"power_copy", "power_store"};
  drawn d = {0};

  for (size_t k = 0; k < 2; k++) {
    const wanted w = {.bench = benches[k], .gpus = 0};
    EACH_ROW (b, &w, r)
      if (r->energy > idle * r->time && r->size > 0.0)
        add(&d, r, (r->energy - idle * r->time) / (r->size * r->count));
  }
  return d;
}

void gscale__recipes_power(bench_run *b)
{
  static const char *const idle[] = {"power_idle"};
  static const char *const busy[] = {"power_stream", "power_stencil",
                                     "power_fp32", "power_fp64"};
  const drawn rest = watts_of(b, idle, 1);

  conclude(b, "gpu_idle", &rest);
  const drawn work = watts_of(b, busy, sizeof busy / sizeof *busy);
  conclude(b, "gpu_busy", &work);
  if (!(rest.n > 0.0)) return;
  const drawn sent = sent_by(b, mean_of(&rest));
  conclude(b, "link", &sent);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
