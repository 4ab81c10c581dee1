/* plot_tornado.c - draws the sensitivity of a prediction to each number. */

#include "figures/figures.h"
#include "say/predict.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
  BARS_MOST = 12,
  NAME_MOST = 30 /* characters of a name */
};

/* The change of time by one number in percent. */
typedef struct bar {
  const gscale_number *number;
  double lower, higher; /* at one standard error */
} bar;

typedef struct picture {
  grounds g;
  bar bar[BARS_MOST];
  size_t n;
} picture;

/* Returns the change of the time in % if number i is changed by `by` standard
 * deviations, or 0 if the time cannot be predicted. */
static double change_of(picture *p, double *z, size_t i, double by)
{
  const grounds *g = &p->g;
  double time;

  z[i] = by;
  time = gscale_uncertainty_time(g->by.u, g->q.paradigm[g->fastest],
                                 &g->p.knobs, z);
  z[i] = NAN;
  return isfinite(time) ? 100.0 * (time / g->p.time - 1.0) : 0.0;
}

static int find_bars(picture *p, failure *why)
{
  const influences *by = &p->g.by;
  double *z = malloc((by->n + 1) * sizeof *z);

  if (!z) return no_memory(why);
  for (size_t i = 0; i < by->n; i++) z[i] = NAN;
  while (p->n < p->g.n && p->n < BARS_MOST) {
    const size_t at = by->order[p->n];

    if (!(by->of[at].err > 0.0)) break;
    p->bar[p->n++] = (bar){gscale_uncertainty_number(by->u, at),
                           change_of(p, z, at, -1.0), change_of(p, z, at, 1.0)};
  }
  free(z);
  if (p->n > 0) return EXIT_OK;
  return fail(why, EXIT_DATA, "plot: no number that it rests on is uncertain");
}

/* Prints a value and its relative standard error, such as "5.14 us, 14%". */
static void say_value(const gscale_number *n, char *text, size_t size)
{
  const double share = 100.0 * n->p.err / fabs(n->p.val);
  char value[48];

  gscale_format_quantity(n->p.val, n->dim, value, sizeof value);
  if (fabs(n->p.val) > 0.0)
    snprintf(text, size, "%s, %.*f%%", value, share < 9.95 ? 1 : 0, share);
  else
    snprintf(text, size, "%s", value);
}

static void say_name(const question *q, const gscale_number *n, char *text,
                     size_t size)
{
  number_label label;
  const char *name = say_number(q, n, label);
  const bool whole = strlen(name) <= NAME_MOST;

  snprintf(text, size, "%.*s%s", whole ? NAME_MOST : NAME_MOST - 3, name,
           whole ? "" : "...");
}

/* Writes the rank, both changes and the vertical position of each bar. The
 * halves of a bar are at the same height unless one would hide the other. */
static void put_bars(FILE *f, const picture *p)
{
  double most = 0.0;

  figure_data(f, "bars");
  for (size_t i = 0; i < p->n; i++) {
    const bar *b = &p->bar[i];
    const bool apart = b->lower * b->higher > 0.0;

    fprintf(f, "%zu %.17g %.17g %.17g %.17g\n", i, b->lower, b->higher,
            apart ? 0.19 : 0.0, apart ? 0.17 : 0.36);
    most = fmax(most, fmax(fabs(b->lower), fabs(b->higher)));
  }
  figure_end(f);
  fprintf(f, "bars = %zu\nmost = %.17g\narray name[%zu]\narray value[%zu]\n",
          p->n, most > 0.0 ? most : 1.0, p->n, p->n);
  for (size_t i = 0; i < p->n; i++) {
    char text[96], left[40];

    snprintf(left, sizeof left, "name[%zu]", i + 1);
    say_name(&p->g.q, p->bar[i].number, text, sizeof text);
    figure_text(f, left, text);
    snprintf(left, sizeof left, "value[%zu]", i + 1);
    say_value(p->bar[i].number, text, sizeof text);
    figure_text(f, left, text);
  }
}

static int draw(const picture *p, const options *o, failure *why)
{
  const grounds *g = &p->g;
  char title[256], time[48], err[48], below[512];
  figure f;
  int st = figure_begin(&f, FIGURE_HEIGHT, o->terminal, why);

  if (st == EXIT_OK) {
    snprintf(title, sizeof title, "%s on %d GPUs of %s by %s",
             gscale_workload_about(g->q.workload).name, g->q.gpus[0], g->q.name,
             question_paradigm(&g->q, g->fastest));
    gscale_format_quantity(g->p.time, GSCALE_TIME, time, sizeof time);
    gscale_format_quantity(g->e.time, GSCALE_TIME, err, sizeof err);
    snprintf(below, sizeof below,
             "%s +/- %s; each number one standard error off%s%.100s", time, err,
             *g->q.settings ? "; " : "", g->q.settings);
    figure_title(f.f, title);
    figure_text(f.f, "asked_text", below);
    put_bars(f.f, p);
    st = figure_draw(&f, "p_tornado.gp", title, o, why);
  }
  figure_free(&f);
  return st;
}

int plot_tornado(options *o, failure *why)
{
  static picture p; /* large */
  int st = need_arguments(o, 2, "tornado WORKLOAD", why);

  memset(&p, 0, sizeof p);
  if (st == EXIT_OK) st = grounds_find(&p.g, o, "plot", why);
  if (st == EXIT_OK) st = find_bars(&p, why);
  if (st == EXIT_OK) st = draw(&p, o, why);
  grounds_free(&p.g);
  return st;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
