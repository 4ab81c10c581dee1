/* plot_ratio.c - speedup of systems over the first, with the error of that
 * ratio, in which shared errors cancel. */

#include "figures/drawn.h"
#include "say/system_ratios.h"

#include <math.h>

enum {
  CURVES_MOST = 32
};

typedef struct picture {
  const comparison *c;
  curve curve[CURVES_MOST]; /* except the first */
  size_t n;
  scale s;
  int least, most; /* GPUs */
  bool outside;    /* some N is extrapolated */
} picture;

/* Compares system i with the first, or returns false if either cannot run. */
static bool ratio_of(const picture *p, size_t i, int gpus, versus *v)
{
  const entrant a = entrant_best(&p->c->v[i], gpus);
  const entrant b = entrant_best(&p->c->v[0], gpus);

  if (!a.s || !b.s) return false;
  *v = versus_weigh(&a, &b, 0.0);
  return true;
}

/* Writes a block for each system: gpus, ratio, its interval, and 1 if it is
 * extrapolated. */
static void put_ratios(FILE *f, picture *p)
{
  figure_data(f, "ratio");
  for (size_t i = 1; i <= p->n; i++) {
    const question *q = &p->c->v[i].q;

    for (size_t j = 0; j < q->n; j++) {
      versus v;

      if (!ratio_of(p, i, q->gpus[j], &v)) continue;
      const bool outside = v.a.a->applicability > GSCALE_INSIDE ||
                           v.b.a->applicability > GSCALE_INSIDE;

      fprintf(f, "%d %.17g %.17g %.17g %d\n", q->gpus[j], v.ratio, v.low,
              v.high, outside);
      p->outside = p->outside || outside;
      p->s.low = fmin(p->s.low, v.low);
      p->s.high = fmax(p->s.high, v.high);
      p->curve[i - 1].last = v.ratio;
      p->least = q->gpus[j] < p->least ? q->gpus[j] : p->least;
      p->most = q->gpus[j] > p->most ? q->gpus[j] : p->most;
    }
    fprintf(f, "\n\n");
  }
  figure_end(f);
}

static void name_curves(picture *p)
{
  p->n = p->c->n - 1;
  for (size_t i = 0; i < p->n; i++)
    p->curve[i] = (curve){.name = p->c->v[i + 1].q.name,
                          .type = 2 + i % (LINE_TYPES - 1)};
}

static int draw(picture *p, const options *o, failure *why)
{
  const question *q = &p->c->v[0].q;
  char title[TITLE_SIZE];
  figure g;
  int st = comparison_begin(&g, p->c, "times as fast as", title, o, why);

  if (st == EXIT_OK) {
    figure_text(g.f, "asked_text", o->link ? "" : asked(q));
    put_ratios(g.f, p);
    for (size_t i = 0; i < p->n; i++) p->curve[i].weight = p->curve[i].last;
    p->s.low /= 1.15;
    p->s.high *= 1.15;
    fprintf(g.f,
            "least = %d\nmost = %d\nlow = %.17g\nhigh = %.17g\noutside = %d\n",
            p->least, p->most, p->s.low, p->s.high, p->outside);
    put_curves(g.f, p->curve, p->n, &p->s);
    if (p->most == 0)
      st = fail(why, EXIT_DATA, "plot: no two of the systems run on as many");
    if (st == EXIT_OK) st = figure_draw(&g, "p_ratio.gp", title, o, why);
  }
  figure_free(&g);
  return st;
}

int plot_ratio(options *o, failure *why)
{
  static picture p; /* large */
  comparison c = {0};
  int st = need_arguments(o, 2, "ratio WORKLOAD", why);

  if (st != EXIT_OK) return st;
  st = comparison_load(&c, o, GPUS_DOUBLED, NULL, why);
  if (st == EXIT_OK && c.n > CURVES_MOST)
    st = fail(why, EXIT_USAGE, "plot: ratio: more than %d systems",
              (int)CURVES_MOST);
  if (st == EXIT_OK) st = comparison_answer(&c, true, why);
  p = (picture){.c = &c, .s = {.low = 1.0, .high = 1.0}, .least = GPUS_MAX};
  if (st == EXIT_OK) {
    name_curves(&p);
    st = draw(&p, o, why);
  }
  comparison_free(&c);
  return st;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
