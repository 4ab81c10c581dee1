/* plot_waterfall.c - draws the losses between ideal and predicted time. */

#include "figures/drawn.h"

#include <math.h>
#include <stdlib.h>

typedef struct bar {
  const char *name;
  double from, to; /* in s */
} bar;

enum {
  IDEAL,
  LOST,
  GAIN = LOST + GSCALE_LOST_END,
  PREDICTED,
  BARS
};

/* Stacks losses and gains on an even share of one GPU's step. */
static void find_bars(const answer *a, bar *b)
{
  double at = a->p.time - a->lost.gain;

  for (int i = 0; i < GSCALE_LOST_END; i++) at -= a->lost.of[i];
  b[IDEAL] = (bar){"ideal", 0.0, at};
  for (int i = 0; i < GSCALE_LOST_END; i++) {
    b[LOST + i] = (bar){loss_name((gscale_loss)i), at, at + a->lost.of[i]};
    at += a->lost.of[i];
  }
  b[GAIN] = (bar){"gain", at, at + a->lost.gain};
  b[PREDICTED] = (bar){"predicted", 0.0, a->p.time};
}

/* Writes the number, name, both ends, label, and whether the bar is a total. */
static void put_bars(FILE *f, const bar *b, double unit)
{
  figure_data(f, "bars");
  for (size_t i = 0; i < BARS; i++) {
    const bool whole = i == IDEAL || i == PREDICTED;
    const double more = b[i].to - b[i].from;
    char text[48];

    gscale_format_quantity(fabs(more), GSCALE_TIME, text, sizeof text);
    fprintf(f, "%zu \"%s\" %.17g %.17g \"%s%s\" %d\n", i, b[i].name,
            b[i].from / unit, b[i].to / unit,
            whole || !(fabs(more) > 0.0) ? ""
            : more < 0.0                 ? "-"
                                         : "+",
            fabs(more) > 0.0 ? text : "0", whole);
  }
  figure_end(f);
}

static int draw(const question *q, const answer *a, size_t i, size_t j,
                const bar *b, bool text, FILE *out, failure *why)
{
  const answer *one = &a[i * q->n + j];
  const gscale_interval t = gscale_interval_of(one->p.time, one->err, 1.0);
  double most = t.hi, unit;
  char title[256];
  figure g;
  int st = figure_begin(&g, FIGURE_HEIGHT, text, why);

  for (size_t k = 0; k < BARS; k++) most = fmax(most, b[k].to);
  if (st == EXIT_OK) {
    snprintf(title, sizeof title, "%s on %d GPUs of %s by %s",
             gscale_workload_about(q->workload).name, q->gpus[j], q->name,
             question_paradigm(q, i));
    figure_title(g.f, title);
    figure_text(g.f, "asked_text", asked(q));
    unit = figure_unit(g.f, most);
    fprintf(g.f, "most = %.17g\nbars = %d\nlow = %.17g\nhigh = %.17g\n",
            most / unit, BARS, t.lo / unit, t.hi / unit);
    put_bars(g.f, b, unit);
    st = figure_render(&g, "p_waterfall.gp", title, out, why);
  }
  figure_free(&g);
  return st;
}

int draw_waterfall(const question *q, const answer *a, size_t i, size_t j,
                   bool text, FILE *out, failure *why)
{
  bar b[BARS];

  if (q->gpus[j] < 2)
    return fail(why, EXIT_USAGE,
                "plot: waterfall needs more than one GPU to share a step");
  find_bars(&a[i * q->n + j], b);
  return draw(q, a, i, j, b, text, out, why);
}

/* ---- the verb ----------------------------------------------------------- */

/* Chooses a paradigm. The caller frees *a and the question in any case. */
static int chosen_one(question *q, options *o, answer **a, size_t *i,
                      failure *why)
{
  int st = question_load_one(q, o, "plot", why);

  if (st != EXIT_OK) return st;
  if (q->named && q->paradigms != 1)
    return fail(why, EXIT_USAGE, "plot: one paradigm, not '%.100s'",
                o->paradigm);
  st = question_answer(q, true, a, why);
  if (st == EXIT_OK) *i = question_best(q, *a, 0);
  return st;
}

int plot_step(options *o, const char *arguments, step_drawer *draw_one,
              failure *why)
{
  static question q; /* large */
  answer *a = NULL;
  size_t i = 0;
  output out;
  int st = need_arguments(o, 2, arguments, why);

  if (st != EXIT_OK) return st;
  st = chosen_one(&q, o, &a, &i, why);
  if (st == EXIT_OK) st = output_open(&out, o->output, why);
  if (st == EXIT_OK) {
    st = draw_one(&q, a, i, 0, o->terminal, out.f, why);
    st = output_end(st, &out, why);
  }
  free(a);
  question_free(&q);
  return st;
}

int plot_waterfall(options *o, failure *why)
{
  return plot_step(o, "waterfall WORKLOAD", draw_waterfall, why);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
