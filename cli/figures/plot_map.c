/* plot_map.c - draws a map of the best paradigm over two numbers. */

#include "figures/drawn.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
  BOXES_MOST = 40000,
  COLOURS = 24, /* in map.gp */
  NONE = PARADIGMS_MAX
};

typedef struct box {
  size_t paradigm; /* index of the best; NONE: none runs */
  bool tied;       /* another is within 5 % */
} box;

typedef struct picture {
  walk *w;
  size_t n[2]; /* values across and up */
  box *box;    /* index x * n[1] + y */
  uint64_t seen;
  bool won[PARADIGMS_MAX], tied, gap, any;
  char name[PARADIGMS_MAX][2 * GSCALE_NAME_MAX];
  size_t mark[PARADIGMS_MAX]; /* colour of each paradigm */
  char title[256];
} picture;

/* ---- who wins ------------------------------------------------------------ */

static box judge(const point *p)
{
  const double close = 1.05;
  const size_t best = best_paradigm(p->q, p->a, 1);
  box b = {best, false};

  if (best == p->q->paradigms) return (box){NONE, false};
  for (size_t i = 0; i < p->q->paradigms; i++)
    if (i != best && paradigm_counts(p->q, &p->a[i]))
      b.tied = b.tied || p->a[i].p.time <= close * p->a[best].p.time;
  return b;
}

static int take_point(const point *p, void *closure, failure *why)
{
  picture *m = closure;
  const question *q = p->q;
  const box b = judge(p);

  if (m->seen++ != p->number)
    return fail(why, EXIT_USAGE,
                "plot: map: one number of GPUs, or --over "
                "gpus");
  m->box[p->number] = b;
  m->tied = m->tied || b.tied;
  m->gap = m->gap || b.paradigm == NONE;
  m->any = m->any || b.paradigm != NONE;
  if (b.paradigm != NONE && !m->won[b.paradigm]) {
    m->won[b.paradigm] = true;
    m->mark[b.paradigm] =
        line_type(q->paradigm[b.paradigm], q->between[b.paradigm]);
    snprintf(m->name[b.paradigm], sizeof m->name[b.paradigm], "%s",
             question_paradigm(q, b.paradigm));
  }
  if (p->number == 0)
    snprintf(m->title, sizeof m->title, "%s on %s: the best paradigm",
             gscale_workload_about(q->workload).name, q->name);
  return EXIT_OK;
}

/* Chooses colours. A paradigm has the same colour as in other figures (the
 * first eight) if it is free, and otherwise the next free colour. */
static void choose_colours(picture *m)
{
  bool taken[COLOURS + 1] = {false};

  for (size_t i = 0; i < PARADIGMS_MAX; i++) {
    if (!m->won[i]) continue;
    for (size_t k = 0; k < COLOURS && taken[m->mark[i]]; k++)
      m->mark[i] = m->mark[i] % COLOURS + 1;
    taken[m->mark[i]] = true;
  }
}

/* ---- gnuplot data ------------------------------------------------------- */

static void put_boxes(FILE *f, const picture *m)
{
  figure_data(f, "boxes");
  for (size_t i = 0; i < m->n[0]; i++)
    for (size_t j = 0; j < m->n[1];) {
      const box *b = &m->box[i * m->n[1] + j];
      size_t end = j + 1;

      while (end < m->n[1] && b[end - j].paradigm == b->paradigm &&
             b[end - j].tied == b->tied)
        end++;
      if (b->paradigm != NONE)
        fprintf(f, "%zu %.1f %.1f %zu %d\n", i, (double)(j + end - 1) / 2.0,
                (double)(end - j) / 2.0, m->mark[b->paradigm], b->tied);
      j = end;
    }
  figure_end(f);
}

/* Writes the borders between paradigms: x, y and the extent of a line. */
static void put_borders(FILE *f, const picture *m)
{
  figure_data(f, "borders");
  fprintf(f, "NaN NaN 0 0\n");
  for (size_t i = 0; i < m->n[0]; i++)
    for (size_t j = 0; j < m->n[1]; j++) {
      const box *b = &m->box[i * m->n[1] + j];

      if (i + 1 < m->n[0] && b[m->n[1]].paradigm != b->paradigm)
        fprintf(f, "%.1f %.1f 0 1\n", (double)i + 0.5, (double)j - 0.5);
      if (j + 1 < m->n[1] && b[1].paradigm != b->paradigm)
        fprintf(f, "%.1f %.1f 1 0\n", (double)i - 0.5, (double)j + 0.5);
    }
  figure_end(f);
}

/* Puts the number of a paradigm in the middle of its largest square. */
static int put_marks(FILE *f, const picture *m, failure *why)
{
  const size_t up = m->n[1];
  size_t *side = calloc(m->n[0] * up, sizeof *side);
  size_t most[PARADIGMS_MAX] = {0}, at[PARADIGMS_MAX] = {0}, number = 0;

  if (!side) return no_memory(why);
  for (size_t k = 0; k < m->n[0] * up; k++) {
    const size_t paradigm = m->box[k].paradigm;

    if (paradigm == NONE) continue;
    side[k] = 1;
    if (k >= up && k % up > 0 && m->box[k - 1].paradigm == paradigm &&
        m->box[k - up].paradigm == paradigm &&
        m->box[k - up - 1].paradigm == paradigm) {
      size_t least = side[k - 1];

      if (side[k - up] < least) least = side[k - up];
      if (side[k - up - 1] < least) least = side[k - up - 1];
      side[k] += least;
    }
    if (side[k] > most[paradigm]) {
      most[paradigm] = side[k];
      at[paradigm] = k;
    }
  }
  free(side);
  figure_data(f, "marks");
  for (size_t i = 0; i < PARADIGMS_MAX; i++) {
    const double back = (double)(most[i] - 1) / 2.0;

    if (m->won[i])
      fprintf(f, "%.1f %.1f %zu\n", (double)(at[i] / up) - back,
              (double)(at[i] % up) - back, ++number);
  }
  figure_end(f);
  return EXIT_OK;
}

static void put_paradigms(FILE *f, const picture *m)
{
  size_t n = 0;

  for (size_t i = 0; i < PARADIGMS_MAX; i++) n += m->won[i];
  fprintf(f, "ways = %zu\narray way[%zu]\narray mark[%zu]\n", n, n ? n : 1,
          n ? n : 1);
  n = 0;
  for (size_t i = 0; i < PARADIGMS_MAX; i++) {
    char text[2 * GSCALE_NAME_MAX + 24];

    if (!m->won[i]) continue;
    snprintf(text, sizeof text, "%zu %s", n + 1, m->name[i]);
    fprintf(f, "mark[%zu] = %zu\nway[%zu] = ", n + 1, m->mark[i], n + 1);
    gnuplot_text(f, text);
    putc('\n', f);
    n++;
  }
}

/* Labels boxes, which are spaced evenly in the values or their logarithms. */
static void put_axis(FILE *f, const picture *m, size_t i, const char *name)
{
  const gscale_axis *a;
  const over *v = walk_over(m->w, i, &a);
  char text[128];

  snprintf(text, sizeof text, "%s%s", v->name,
           a->log && !a->list ? ", logarithmic" : "");
  figure_text(f, i == 0 ? "x_text" : "y_text", text);
  put_values(f, name, v, a);
}

static int draw(const picture *m, const options *o, failure *why)
{
  figure g;
  int st = figure_begin(&g, FIGURE_HEIGHT, o->terminal, why);

  if (st == EXIT_OK) {
    figure_title(g.f, m->title);
    figure_text(g.f, "asked_text", o->gpus ? o->gpus : "");
    fprintf(g.f, "across = %zu\nup = %zu\ntied = %d\ngap = %d\n", m->n[0],
            m->n[1], m->tied, m->gap);
    put_axis(g.f, m, 0, "x");
    put_axis(g.f, m, 1, "y");
    put_paradigms(g.f, m);
    put_boxes(g.f, m);
    put_borders(g.f, m);
    st = put_marks(g.f, m, why);
    if (st == EXIT_OK) st = figure_draw(&g, "p_map.gp", m->title, o, why);
  }
  figure_free(&g);
  return st;
}

/* ---- the figure ---------------------------------------------------------- */

static int find_map(picture *m, failure *why)
{
  const uint64_t points = walk_points(m->w);
  const gscale_axis *a;

  if (points > BOXES_MOST)
    return fail(why, EXIT_LIMIT, "plot: map: more than %d points",
                (int)BOXES_MOST);
  for (size_t i = 0; i < 2; i++) {
    walk_over(m->w, i, &a);
    m->n[i] = a->steps;
  }
  m->box = calloc((size_t)points, sizeof *m->box);
  if (!m->box) return no_memory(why);
  const int st = walk_through(m->w, 0, points, take_point, m, why);
  return st == EXIT_OK && !m->any ? walk_refuse(m->w, why) : st;
}

int plot_map(options *o, failure *why)
{
  static picture m; /* large */
  int st = need_arguments(o, 2, "map WORKLOAD", why);

  memset(&m, 0, sizeof m);
  if (st == EXIT_OK && o->overs != 2)
    st = fail(why, EXIT_USAGE,
              "plot: map needs --over twice, as in "
              "--over gpus=2..8 --over n=64..512");
  if (st == EXIT_OK) st = walk_new(o, &m.w, why);
  if (st == EXIT_OK) st = find_map(&m, why);
  if (st == EXIT_OK) choose_colours(&m);
  if (st == EXIT_OK) st = draw(&m, o, why);
  free(m.box);
  walk_free(m.w);
  return st;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
