/* chart.c - draws a figure of a document, our curves and what its text states.
 */

#include "figures/figures.h"
#include "reproduce/published.h"

#include <math.h>

static void put_text(FILE *f, const char *name, const char *text)
{
  fprintf(f, "%s = ", name);
  gnuplot_text(f, text);
  putc('\n', f);
}

/* x and y of one series, ours or as printed. */
static size_t put_series(FILE *f, const chart *c, size_t series, bool printed)
{
  size_t n = 0;

  for (size_t i = 0; i < c->n; i++) {
    const mark *m = &c->v[i];

    if (m->series != series || m->printed != printed) continue;
    figure_number(f, m->x);
    figure_number(f, m->y);
    putc('\n', f);
    n++;
  }
  if (n == 0) fprintf(f, "NaN NaN\n");
  fprintf(f, "\n\n");
  return n;
}

/* Line types: a paradigm has its own in every figure, as far as there are
 * enough; what else there is has the next that are free. */
static void choose_types(const chart *c, size_t *type)
{
  bool taken[LINE_TYPES] = {false};
  size_t next = 1;

  for (size_t i = 0; i < c->all_series; i++) {
    type[i] = gscale_paradigm_find(c->series[i]);
    if (type[i] == gscale_paradigm_count()) type[i] = LINE_TYPES;
    if (type[i] < LINE_TYPES) taken[type[i]] = true;
  }
  for (size_t i = 0; i < c->all_series; i++) {
    if (type[i] < LINE_TYPES) continue;
    for (size_t k = 0; k < LINE_TYPES && taken[next]; k++)
      next = (next + 1) % LINE_TYPES;
    taken[type[i] = next] = true;
  }
}

static void put_names(FILE *f, const chart *c)
{
  size_t type[SERIES_MAX];

  choose_types(c, type);
  fprintf(f, "curves = %zu\narray name[%zu]\narray type[%zu]\n", c->all_series,
          c->all_series, c->all_series);
  for (size_t i = 0; i < c->all_series; i++) {
    fprintf(f, "type[%zu] = %zu\nname[%zu] = ", i + 1, type[i] + 1, i + 1);
    gnuplot_text(f, c->series[i]);
    putc('\n', f);
  }
}

static void put_categories(FILE *f, const chart *c)
{
  fprintf(f, "categories = %zu\n", c->categories);
  if (c->categories == 0) return;
  fprintf(f, "set xtics (");
  for (size_t i = 0; i < c->categories; i++) {
    if (i > 0) fprintf(f, ", ");
    gnuplot_text(f, c->category[i]);
    fprintf(f, " %zu", i + 1);
  }
  fprintf(f, ") rotate by 40 right\nset xrange [0.4:%zu.6]\n", c->categories);
}

static void put_marks(FILE *f, const chart *c)
{
  size_t printed = 0;

  figure_data(f, "ours");
  for (size_t i = 0; i < c->all_series; i++) put_series(f, c, i, false);
  figure_end(f);
  figure_data(f, "stated");
  for (size_t i = 0; i < c->all_series; i++)
    printed += put_series(f, c, i, true);
  figure_end(f);
  fprintf(f, "printed = %zu\n", printed);
}

int chart_draw(const chart *c, const options *o, failure *why)
{
  char title[160];
  figure g;
  int st = figure_begin(&g, FIGURE_HEIGHT, o->terminal, why);

  if (st == EXIT_OK) {
    snprintf(title, sizeof title, "%s: %s", c->name, c->title);
    put_text(g.f, "title_text", title);
    put_text(g.f, "x_text", c->x);
    put_text(g.f, "y_text", c->y);
    fprintf(g.f, "log_x = %d\nlog_y = %d\n", c->log_x, c->log_y);
    put_names(g.f, c);
    put_categories(g.f, c);
    put_marks(g.f, c);
    st = figure_draw(&g, "p_printed.gp", title, o, why);
  }
  figure_free(&g);
  return st;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
