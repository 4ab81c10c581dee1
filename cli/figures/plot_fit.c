/* plot_fit.c - draws one fit of a calibration: the curve, its points with
 * errors, and the residuals. */

#include "calibrate/calibrate.h"
#include "figures/figures.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
  SERIES_MAX = 11 /* number of line types */
};

/* ---- which fit ---------------------------------------------------------- */

/* Finds the fit of a parameter by its name or by its benches. */
static const gscale_calibration_fit *find_fit(const gscale_calibration *r,
                                              const char *name)
{
  const gscale_param_id id = gscale_param_find(name);

  if (id != gscale_param_count())
    return r->of[id].fit < r->fits ? &r->fit[r->of[id].fit] : NULL;
  for (size_t i = r->fits; i-- > 0;) /* final curves come last */
    if (strcmp(r->fit[i].benches, name) == 0) return &r->fit[i];
  return NULL;
}

static int no_fit(const gscale_calibration *r, const char *name, failure *why)
{
  const gscale_param_id id = gscale_param_find(name);

  if (id != gscale_param_count())
    return fail(why, EXIT_NO, "plot: no fit of %s: %s", name,
                *r->of[id].note ? r->of[id].note : "it was read off");
  return fail(why, EXIT_USAGE,
              "plot: --fit '%.80s' is no parameter and no bench of a fit",
              name);
}

/* ---- axes --------------------------------------------------------------- */

static double size_of(const gscale_measurement *m)
{
  return m->size;
}

static double threads_of(const gscale_measurement *m)
{
  return m->threads;
}

static double gpus_of(const gscale_measurement *m)
{
  return m->gpus;
}

static double count_of(const gscale_measurement *m)
{
  return m->count;
}

static const struct axis {
  double (*of)(const gscale_measurement *m);
  const char *label;
} axes[] = {{size_of, "size of an item (B)"},
            {threads_of, "threads"},
            {gpus_of, "GPUs"},
            {count_of, "items"}};
enum {
  AXES = LENGTH(axes)
};

/* The content of the figure. */
typedef struct picture {
  const gscale_calibration_fit *fit;
  const gscale_fit_point *point;
  const struct axis *x;
  size_t series[SERIES_MAX]; /* one point of each series */
  size_t n;                  /* number of series */
  const gscale_fit_point **order;
} picture;

static bool differs(const picture *p, const struct axis *a)
{
  for (size_t i = 1; i < p->fit->n; i++)
    if (fabs(a->of(p->point[i].from) - a->of(p->point[0].from)) > 0.0)
      return true;
  return false;
}

/* Chooses the first quantity that differs between points. */
static const struct axis *choose_axis(const picture *p)
{
  size_t i = 0;

  while (i < AXES && !differs(p, &axes[i])) i++;
  return &axes[i < AXES ? i : 0];
}

/* ---- series ------------------------------------------------------------- */

/* Returns true if two points are in one series. If x is not the size, a series
 * has one size. If x is the number of threads, a series may have several
 * numbers of GPUs. */
static bool same_series(const picture *p, const gscale_measurement *a,
                        const gscale_measurement *b)
{
  const bool sizes = p->x->of == size_of;

  return strcmp(a->bench, b->bench) == 0 && strcmp(a->src, b->src) == 0 &&
         strcmp(a->access, b->access) == 0 &&
         !(fabs(a->inflight - b->inflight) > 0.0) &&
         (!sizes || a->gpus == b->gpus) &&
         (!sizes || !(fabs(a->threads - b->threads) > 0.0));
}

static size_t series_of(const picture *p, const gscale_measurement *m)
{
  size_t i = 0;

  while (i < p->n && !same_series(p, p->point[p->series[i]].from, m)) i++;
  return i < SERIES_MAX ? i : SERIES_MAX - 1;
}

static void find_series(picture *p)
{
  for (size_t i = 0; i < p->fit->n; i++)
    if (p->n < SERIES_MAX && series_of(p, p->point[i].from) == p->n)
      p->series[p->n++] = i;
}

/* Returns true if all points are of one bench with several kinds of access. */
static bool by_access(const picture *p)
{
  const gscale_measurement *first = p->point[0].from;
  bool several = false;

  for (size_t i = 1; i < p->fit->n; i++) {
    const gscale_measurement *m = p->point[i].from;
    if (strcmp(m->bench, first->bench) != 0) return false;
    several = several || strcmp(m->access, first->access) != 0;
  }
  return several;
}

/* Names a series, such as "ring, 4 GPUs, 2 in flight" or "load, 3 GPUs". */
static void name_series(const picture *p, size_t i, char *text, size_t size)
{
  const gscale_measurement *m = p->point[p->series[i]].from;

  snprintf(text, size, "%s", by_access(p) ? m->access : m->bench);
  if (p->x->of == size_of && m->gpus > 1)
    gscale_append(text, size, ", %d GPUs", m->gpus);
  if (m->inflight > 1.0)
    gscale_append(text, size, ", %g in flight", m->inflight);
}

/* ---- drawing ------------------------------------------------------------ */

static void put_series(FILE *f, const picture *p)
{
  char text[128];

  fprintf(f, "curves = %zu\narray name[%zu]\n", p->n, p->n);
  for (size_t i = 0; i < p->n; i++) {
    name_series(p, i, text, sizeof text);
    fprintf(f, "name[%zu] = ", i + 1);
    gnuplot_text(f, text);
    putc('\n', f);
  }
}

/* Sorts points by size, threads, gpus and count, since qsort has no closure. */
static int by_place(const void *x, const void *y)
{
  const gscale_fit_point *a = *(const gscale_fit_point *const *)x;
  const gscale_fit_point *b = *(const gscale_fit_point *const *)y;

  for (size_t i = 0; i < AXES; i++) {
    const double u = axes[i].of(a->from), v = axes[i].of(b->from);
    if (u < v || u > v) return u < v ? -1 : 1;
  }
  return GSCALE_ORDER(a, b);
}

/* Writes a block for each series: x, measured, sigma, model, residual in % and
 * the residual's sigma. */
static void put_points(FILE *f, const picture *p)
{
  figure_data(f, "points");
  for (size_t k = 0; k < p->n; k++) {
    for (size_t i = 0; i < p->fit->n; i++) {
      const gscale_fit_point *q = p->order[i];
      const double off = q->model / q->measured;
      if (series_of(p, q->from) != k) continue;
      figure_number(f, p->x->of(q->from));
      figure_number(f, q->measured);
      figure_number(f, q->sigma);
      figure_number(f, q->model);
      figure_number(f, 100.0 * (off - 1.0));
      figure_number(f, 100.0 * off * q->sigma / q->measured);
      putc('\n', f);
    }
    fprintf(f, "\n\n");
  }
  figure_end(f);
}

static bool is_logarithmic(const picture *p)
{
  bool positive = p->x->of != gpus_of;

  for (size_t i = 0; i < p->fit->n; i++)
    positive = positive && p->x->of(p->point[i].from) > 0.0;
  return positive;
}

/* Returns half of the range of residuals in %. */
static double reach(const picture *p)
{
  double most = 1.0;

  for (size_t i = 0; i < p->fit->n; i++) {
    const gscale_fit_point *q = &p->point[i];
    const double off = q->model / q->measured;
    most = fmax(most, 100.0 * (fabs(off - 1.0) + off * q->sigma / q->measured));
  }
  return 1.15 * most;
}

/* Returns a round step with at least two tics on each side of zero. */
static double step_of(double half)
{
  const double tens = pow(10.0, floor(log10(half / 2.0)));
  const double lead = half / 2.0 / tens;

  return tens * (lead < 2.0 ? 1.0 : lead < 5.0 ? 2.0 : 5.0);
}

static void make_title(const picture *p, const char *name, char *title,
                       size_t size)
{
  const char *benches = p->fit->benches;
  const bool told = strcmp(name, benches) == 0;

  snprintf(title, size, "%s%s%s%s: mean |error| %.1f %%, worst %.1f %%", name,
           told ? "" : " (", told ? "" : benches, told ? "" : ")",
           100.0 * p->fit->of.mean_abs, 100.0 * p->fit->of.worst);
}

static int draw(const picture *p, const options *o, failure *why)
{
  char title[160];
  figure g;
  int st = figure_begin(&g, FIGURE_HEIGHT, o->terminal, why);

  if (st == EXIT_OK) {
    make_title(p, o->fit, title, sizeof title);
    fprintf(g.f, "title_text = ");
    gnuplot_text(g.f, title);
    fprintf(g.f, "\nx_text = ");
    gnuplot_text(g.f, p->x->label);
    fprintf(g.f, "\nlog_x = %d\nreach = %.17g\nstep = %.17g\n",
            is_logarithmic(p), reach(p), step_of(reach(p)));
    put_series(g.f, p);
    put_points(g.f, p);
    st = figure_draw(&g, "p_fit.gp", title, o, why);
  }
  figure_free(&g);
  return st;
}

static int picture_fit(const gscale_calibration *r,
                       const gscale_calibration_fit *fit, const options *o,
                       failure *why)
{
  picture p = {.fit = fit, .point = &r->point[fit->first]};

  p.order = malloc((fit->n + 1) * sizeof *p.order);
  if (!p.order) return no_memory(why);
  for (size_t i = 0; i < fit->n; i++) p.order[i] = &p.point[i];
  qsort(p.order, fit->n, sizeof *p.order, by_place);
  p.x = choose_axis(&p);
  find_series(&p);
  const int st = draw(&p, o, why);
  free(p.order);
  return st;
}

int plot_fit(options *o, failure *why)
{
  static calibration c; /* large */
  int st = o->fit ? EXIT_OK
                  : fail(why, EXIT_USAGE,
                         "plot: fit needs --fit PARAMETER, as in "
                         "--fit copy.efficiency");

  if (st == EXIT_OK) st = calibration_make(&c, o, 1, why);
  if (st == EXIT_OK) {
    const gscale_calibration_fit *fit = find_fit(&c.report, o->fit);
    st = fit ? picture_fit(&c.report, fit, o, why)
             : no_fit(&c.report, o->fit, why);
  }
  calibration_free(&c);
  return st;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
