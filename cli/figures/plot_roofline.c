/* plot_roofline.c - the roofline of a GPU, and a program's steps on 1, 2, ...
 * GPUs. */

#include "figures/drawn.h"

#include <math.h>
#include <stdlib.h>

enum {
  GPUS_SHOWN = INKS,
  PHASES_NAMED = 5 /* phases with markers */
};

/* A point: intensity in flop/B, rate in flop/s. */
typedef struct spot_of {
  double intensity, rate, low, high;
  double share; /* of the roof */
  bool outside; /* extrapolated */
} spot_of;

typedef struct picture {
  const question *q;
  spot_of gpus[GPUS_SHOWN];
  size_t phases; /* with flop and bytes */
  spot_of phase[PHASES_NAMED];
  const char *name[PHASES_NAMED];
  bool used[GSCALE_PRECISION_END];
  double low, high; /* range of intensities */
  bool outside;     /* some step is extrapolated */
} picture;

static double rate_of(const picture *p, gscale_param_id id)
{
  return gscale_system_get(p->q->system, id)->val;
}

static double flops_of(const picture *p, gscale_precision of)
{
  return rate_of(p, gscale_precision_rate(of));
}

/* Returns the bandwidth of one GPU without caches. */
static double membw_of(const picture *p)
{
  return rate_of(p, gscale_param_find("device.membw"));
}

/* Returns the least time (s) of a phase's kernels on the busiest of n GPUs. */
static double roof_time(const picture *p, const gscale_phase *w, int n)
{
  const double share = gscale_share(w->units, n, w->serial);
  const double at = gscale_curve_at(gscale_system_about(p->q->system).membw,
                                    w->footprint * share);

  return gscale_kernel_time(w->flop * share, flops_of(p, w->precision),
                            w->bytes * share, membw_of(p) * at, 0.0);
}

static void reach(picture *p, double intensity)
{
  p->low = fmin(p->low, intensity);
  p->high = fmax(p->high, intensity);
}

static void add_phase(picture *p, const gscale_phase *w)
{
  if (!(w->flop > 0.0) || !(w->bytes > 0.0)) return;
  const size_t i = p->phases++;

  reach(p, w->flop / w->bytes);
  reach(p, flops_of(p, w->precision) / membw_of(p));
  p->used[w->precision] = true;
  if (i >= PHASES_NAMED) return;
  p->name[i] = w->name;
  p->phase[i] =
      (spot_of){w->flop / w->bytes, w->flop / roof_time(p, w, 1), .share = 1.0};
}

/* Adds the step on the j-th N by the best paradigm: a GPU's flop over its
 * time. */
static void add_step(picture *p, const answer *a, size_t j)
{
  const question *q = p->q;
  const int n = q->gpus[j];
  const size_t best = question_best(q, a, j);
  const gscale_workload *w = question_workload(q, n);
  double flop = 0.0, bytes = 0.0, roof = 0.0;

  p->gpus[j].rate = (double)NAN;
  if (best == q->paradigms) return;
  const answer *one = &a[best * q->n + j];
  const gscale_interval t = gscale_interval_of(one->p.time, one->err, 1.0);

  for (size_t i = 0; i < gscale_workload_about(w).phases; i++) {
    const gscale_phase *of = gscale_workload_phase(w, i);

    flop += of->repeats * of->flop / n;
    bytes += of->repeats * of->bytes / n;
    roof += of->repeats * roof_time(p, of, n);
  }
  p->gpus[j] = (spot_of){
      flop / bytes, flop / one->p.time, flop / t.hi,
      flop / t.lo,  roof / one->p.time, one->applicability > GSCALE_INSIDE};
  p->outside = p->outside || p->gpus[j].outside;
  reach(p, flop / bytes);
}

static int find_spots(picture *p, const answer *a, failure *why)
{
  const gscale_workload *w = question_workload(p->q, p->q->gpus[0]);

  for (size_t i = 0; i < gscale_workload_about(w).phases; i++)
    add_phase(p, gscale_workload_phase(w, i));
  if (p->phases == 0)
    return fail(why, EXIT_DATA,
                "plot: roofline: no phase of %s says its flop and bytes",
                gscale_workload_about(p->q->workload).name);
  for (size_t j = 0; j < p->q->n; j++) add_step(p, a, j);
  p->low /= 4.0;
  p->high *= 4.0;
  return EXIT_OK;
}

/* Writes a block for each precision in use: three corners. */
static size_t put_roofs(FILE *f, const picture *p, double *most)
{
  const double membw = membw_of(p);
  size_t roofs = 0;

  figure_data(f, "roof");
  for (int i = 0; i < GSCALE_PRECISION_END; i++) {
    const double flops = flops_of(p, (gscale_precision)i);

    if (!p->used[i]) continue;
    roofs++;
    *most = fmax(*most, flops);
    fprintf(f, "%.17g %.17g\n%.17g %.17g\n%.17g %.17g\n\n\n", p->low,
            p->low / gscale_kernel_time(p->low, flops, 1.0, membw, 0.0),
            flops / membw, flops, p->high, flops);
  }
  figure_end(f);
  fprintf(f, "roofs = %zu\narray roof[%zu]\n", roofs, roofs);
  roofs = 0;
  for (int i = 0; i < GSCALE_PRECISION_END; i++)
    if (p->used[i]) {
      char left[32], text[96], rate[48];

      gscale_format_quantity(flops_of(p, (gscale_precision)i), GSCALE_FLOPRATE,
                             rate, sizeof rate);
      snprintf(left, sizeof left, "roof[%zu]", ++roofs);
      snprintf(text, sizeof text, "%s %s",
               gscale_precision_name((gscale_precision)i), rate);
      figure_text(f, left, text);
    }
  return roofs;
}

static void put_spot(FILE *f, const spot_of *s)
{
  fprintf(f, "%.17g %.17g %.17g %.17g %d\n\n\n", s->intensity, s->rate, s->low,
          s->high, s->outside);
}

static size_t named(const picture *p)
{
  return p->phases < PHASES_NAMED ? p->phases : PHASES_NAMED;
}

static void put_spots(FILE *f, const picture *p)
{
  figure_data(f, "steps");
  for (size_t j = 0; j < p->q->n; j++)
    if (isfinite(p->gpus[j].rate)) put_spot(f, &p->gpus[j]);
  figure_end(f);
  figure_data(f, "phases");
  for (size_t i = 0; i < named(p); i++) put_spot(f, &p->phase[i]);
  figure_end(f);
}

static void put_names(FILE *f, const picture *p)
{
  char left[32], text[GSCALE_NAME_MAX + 32];
  size_t n = 0;

  fprintf(f, "array step[%d]\narray phase[%d]\n", (int)GPUS_SHOWN,
          (int)PHASES_NAMED);
  for (size_t j = 0; j < p->q->n; j++) {
    const int gpus = p->q->gpus[j];

    if (!isfinite(p->gpus[j].rate)) continue;
    snprintf(left, sizeof left, "step[%zu]", ++n);
    snprintf(text, sizeof text, "on %d GPU%s: %.0f%%", gpus,
             gpus == 1 ? "" : "s", 100.0 * p->gpus[j].share);
    figure_text(f, left, text);
  }
  fprintf(f, "steps = %zu\nphases = %zu\n", n, named(p));
  for (size_t i = 0; i < named(p); i++) {
    snprintf(left, sizeof left, "phase[%zu]", i + 1);
    figure_text(f, left, p->name[i]);
  }
}

/* Uses the largest unit with ten at the top of the axis. */
static void put_rates(FILE *f, double low, double high)
{
  static const struct {
    double unit;
    const char *name;
  } all[] = {{1e12, "T"}, {1e9, "G"}, {1e6, "M"}, {1.0, ""}};
  size_t i = 0;

  while (all[i].unit > 1.0 && high < 10.0 * all[i].unit) i++;
  put_units(f, "y", low, high, all[i].unit, all[i].name);
}

static int draw(const picture *p, const options *o, failure *why)
{
  double most = 0.0, least = (double)INFINITY;
  char title[160], memory[64], rate[48];
  figure g;
  int st = figure_begin(&g, FIGURE_HEIGHT, o->terminal, why);

  if (st == EXIT_OK) {
    snprintf(title, sizeof title, "%s, a GPU of %s by its roofline",
             gscale_workload_about(p->q->workload).name, p->q->name);
    gscale_format_quantity(membw_of(p), GSCALE_BYTERATE, rate, sizeof rate);
    snprintf(memory, sizeof memory, "memory %s", rate);
    figure_title(g.f, title);
    figure_text(g.f, "asked_text", asked(p->q));
    figure_text(g.f, "memory_text", memory);
    put_roofs(g.f, p, &most);
    put_spots(g.f, p);
    put_names(g.f, p);
    for (size_t j = 0; j < p->q->n; j++) least = fmin(least, p->gpus[j].low);
    for (size_t i = 0; i < named(p); i++) {
      least = fmin(least, p->phase[i].rate);
      most = fmax(most, p->phase[i].rate);
    }
    fprintf(g.f,
            "left = %.17g\nright = %.17g\nlow = %.17g\nhigh = %.17g\noutside = "
            "%d\n",
            p->low, p->high, least / 2.5, most * 2.5, p->outside);
    put_decades(g.f, "x", p->low, p->high);
    put_rates(g.f, least / 2.5, most * 2.5);
    st = figure_draw(&g, "p_roofline.gp", title, o, why);
  }
  figure_free(&g);
  return st;
}

int plot_roofline(options *o, failure *why)
{
  static picture p; /* large */
  question q = {0};
  answer *a = NULL;
  int st = need_arguments(o, 2, "roofline WORKLOAD", why);

  if (st != EXIT_OK) return st;
  st = question_load(&q, o, GPUS_DOUBLED, why);
  if (st == EXIT_OK && q.n > GPUS_SHOWN)
    st = fail(why, EXIT_USAGE,
              "plot: roofline shows at most %d numbers of GPUs", GPUS_SHOWN);
  if (st == EXIT_OK) st = question_answer(&q, true, &a, why);
  p = (picture){.q = &q, .low = (double)INFINITY};
  if (st == EXIT_OK) st = find_spots(&p, a, why);
  if (st == EXIT_OK) st = draw(&p, o, why);
  free(a);
  question_free(&q);
  return st;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
