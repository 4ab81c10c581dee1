/* plot_comparison.c - draws the speedup of several systems, each with its best
 * paradigm. */

#include "figures/drawn.h"

#include <math.h>

enum {
  CURVES_MOST = 32,
  TITLE_SIZE = 160
};

typedef struct picture {
  const comparison *c;
  double one; /* reference time in s */
  curve curve[CURVES_MOST];
  scale s;
  int least, most; /* numbers of GPUs */
} picture;

/* Returns the fastest paradigm of system i on its j-th N, or q.paradigms. */
static size_t winner(const picture *p, size_t i, size_t j)
{
  return question_best(&p->c->v[i].q, p->c->v[i].a, j);
}

/* Returns the speed relative to one GPU of the first system, or NaN. */
static double speed(const picture *p, size_t i, size_t j)
{
  const subject *s = &p->c->v[i];
  const size_t best = winner(p, i, j);

  return best == s->q.paradigms ? NAN : p->one / s->a[best * s->q.n + j].p.time;
}

static void find_range(picture *p)
{
  double least[CURVES_MOST], most[CURVES_MOST];

  p->least = GPUS_MAX;
  p->most = 1;
  for (size_t i = 0; i < p->c->n; i++) {
    const question *q = &p->c->v[i].q;

    least[i] = INFINITY;
    most[i] = 0.0;
    for (size_t j = 0; j < q->n; j++) {
      least[i] = fmin(least[i], speed(p, i, j));
      most[i] = fmax(most[i], speed(p, i, j));
    }
    p->curve[i] = (curve){.name = q->name,
                          .type = 2 + i % (LINE_TYPES - 1),
                          .last = speed(p, i, q->n - 1),
                          .weight = speed(p, i, q->n - 1)};
    if (q->gpus[0] < p->least) p->least = q->gpus[0];
    if (q->gpus[q->n - 1] > p->most) p->most = q->gpus[q->n - 1];
  }
  p->s = choose_scale(p->curve, least, most, p->c->n);
}

/* Writes both ends of a speed's interval. */
static void put_band(FILE *f, const picture *p, size_t i, size_t j)
{
  const subject *s = &p->c->v[i];
  const size_t best = winner(p, i, j);
  gscale_interval t = {NAN, NAN};

  if (best < s->q.paradigms) {
    const answer *a = &s->a[best * s->q.n + j];
    t = gscale_interval_of(a->p.time, a->err, 1.0);
  }
  figure_number(f, p->one / t.hi);
  figure_number(f, p->one / t.lo);
  putc('\n', f);
}

/* Writes a block for each system: gpus, speed, index of the best paradigm, the
 * interval. */
static void put_speeds(FILE *f, const picture *p)
{
  bool won[PARADIGMS_MAX] = {false};
  const question *q = &p->c->v[0].q;

  figure_data(f, "speed");
  for (size_t i = 0; i < p->c->n; i++) {
    for (size_t j = 0; j < p->c->v[i].q.n; j++) {
      const size_t best = winner(p, i, j);
      const bool moves = p->c->v[i].q.gpus[j] > 1 && best < q->paradigms;

      figure_number(f, p->c->v[i].q.gpus[j]);
      figure_number(f, speed(p, i, j));
      fprintf(f, " %zu", moves ? best + 1 : 0);
      put_band(f, p, i, j);
      if (moves) won[best] = true;
    }
    fprintf(f, "\n\n");
  }
  figure_end(f);
  fprintf(f, "ways = %zu\narray way[%zu]\narray won[%zu]\narray mark[%zu]\n",
          q->paradigms, q->paradigms, q->paradigms, q->paradigms);
  for (size_t k = 0; k < q->paradigms; k++) {
    fprintf(f, "won[%zu] = %d\nmark[%zu] = %zu\nway[%zu] = ", k + 1, won[k],
            k + 1, line_type(q->paradigm[k], q->between[k]), k + 1);
    gnuplot_text(f, question_paradigm(q, k));
    putc('\n', f);
  }
}

static int begin(figure *g, const comparison *c, char *title, const options *o,
                 failure *why)
{
  const question *q = &c->v[0].q;
  const int st = figure_begin(g, FIGURE_HEIGHT, o->terminal, why);
  char text[TITLE_SIZE];

  if (st != EXIT_OK) return st;
  if (q->paradigms == 1)
    snprintf(title, TITLE_SIZE, "%s by %s",
             gscale_workload_about(q->workload).name, question_paradigm(q, 0));
  else
    snprintf(title, TITLE_SIZE, "%s, each system by its best paradigm",
             gscale_workload_about(q->workload).name);
  snprintf(text, sizeof text, "speed / one GPU of %s", q->name);
  figure_title(g->f, title);
  figure_text(g->f, "label_text", text);
  return EXIT_OK;
}

/* States the settings, and which curves are below the axis. */
static void say_asked(const picture *p, const options *o, char *text,
                      size_t size)
{
  const char *given = o->link ? "" : asked(&p->c->v[0].q);
  size_t off = 0;

  snprintf(text, size, "%s", given);
  for (size_t i = 0; i < p->c->n; i++)
    if (p->curve[i].off)
      gscale_append(text, size, "%s%s",
                    off++    ? ", "
                    : *given ? "; below the axis: "
                             : "below the axis: ",
                    p->curve[i].name);
}

static int draw(picture *p, const options *o, failure *why)
{
  char title[TITLE_SIZE], said[512];
  figure g;
  int st = begin(&g, p->c, title, o, why);

  if (st == EXIT_OK) {
    say_asked(p, o, said, sizeof said);
    figure_text(g.f, "asked_text", said);
    fprintf(g.f, "least = %d\nmost = %d\nlow = %.17g\nhigh = %.17g\n", p->least,
            p->most, p->s.low, p->s.high);
    put_curves(g.f, p->curve, p->c->n, &p->s);
    put_speeds(g.f, p);
    st = figure_draw(&g, "p_comparison.gp", title, o, why);
  }
  figure_free(&g);
  return st;
}

/* Returns true if a system has several N, which a curve needs. */
static bool has_curve(const comparison *c)
{
  for (size_t i = 0; i < c->n; i++)
    if (c->v[i].q.n > 1) return true;
  return false;
}

static int draw_comparison(const comparison *c, const options *o, failure *why)
{
  static picture p; /* large */
  const subject *first = &c->v[0];
  const gscale_prediction *one;
  size_t best;

  p = (picture){.c = c};
  if (!has_curve(c))
    return fail(why, EXIT_USAGE,
                "plot: comparison needs more than one number of GPUs");
  best = winner(&p, 0, 0);
  if (best == first->q.paradigms)
    return fail(why, EXIT_DATA, "plot: no paradigm can run on %s",
                first->q.name);
  one = &first->a[best * first->q.n].p;
  p.one = one->speedup * one->time;
  find_range(&p);
  return draw(&p, o, why);
}

int plot_comparison(options *o, failure *why)
{
  comparison c = {0};
  int st = need_arguments(o, 2, "comparison WORKLOAD", why);

  if (st != EXIT_OK) return st;
  st = comparison_load(&c, o, GPUS_EVERY, NULL, why);
  if (st == EXIT_OK) st = comparison_answer(&c, true, why);
  if (st == EXIT_OK) st = draw_comparison(&c, o, why);
  comparison_free(&c);
  return st;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
