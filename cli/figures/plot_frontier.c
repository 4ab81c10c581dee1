/* plot_frontier.c - draws the Pareto front of time against a number for each
 * paradigm, or against the price of GPU hours for each system. */

#include "figures/drawn.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
  POINTS_MOST = 10000
};

/* One prediction. */
typedef struct dot {
  double x, time;
  size_t curve;
  int gpus;
  bool real, front;
} dot;

typedef struct picture {
  dot *d;
  size_t n, room;
  curve c[PARADIGMS_MAX];
  char name[PARADIGMS_MAX][2 * GSCALE_NAME_MAX];
  size_t shown[PARADIGMS_MAX]; /* curves with dots */
  size_t curves;
  double low, high; /* range of shown times in s */
  char title[256], asked[SETTINGS_TEXT];
} picture;

static int add_dot(picture *p, dot d, failure *why)
{
  if (p->n == p->room) {
    const size_t room = 2 * p->room + 64;
    dot *more = realloc(p->d, room * sizeof *more);

    if (!more) return fail(why, EXIT_INTERNAL, "no memory for the figure");
    p->d = more;
    p->room = room;
  }
  p->d[p->n++] = d;
  return EXIT_OK;
}

static void name_curve(picture *p, size_t k, const char *name, size_t type)
{
  for (size_t i = 0; i < p->curves; i++)
    if (p->shown[i] == k) return;
  p->shown[p->curves++] = k;
  snprintf(p->name[k], sizeof p->name[k], "%s", name);
  p->c[k] = (curve){.name = p->name[k], .type = type};
}

/* ---- over a number ------------------------------------------------------ */

static int take_point(const point *at, void *closure, failure *why)
{
  picture *p = closure;
  const question *q = at->q;
  int st = EXIT_OK;

  if (p->n > 0 && p->d[0].gpus != q->gpus[at->n])
    return fail(why, EXIT_USAGE, "plot: frontier: one number of GPUs");
  for (size_t i = 0; st == EXIT_OK && i < q->paradigms; i++) {
    if (!at->a[i].met) continue;
    name_curve(p, i, question_paradigm(q, i),
               line_type(q->paradigm[i], q->between[i]));
    st = add_dot(p,
                 (dot){at->x[0], at->a[i].p.time, i, q->gpus[at->n],
                       !at->a[i].bound, false},
                 why);
  }
  if (*p->title) return st;
  snprintf(p->asked, sizeof p->asked, "%s", asked(q));
  snprintf(p->title, sizeof p->title, "%s on %d GPUs of %s",
           gscale_workload_about(q->workload).name, q->gpus[at->n], q->name);
  return st;
}

static int by_x(const void *a, const void *b)
{
  const dot *p = a, *q = b;

  return (p->x > q->x) - (p->x < q->x);
}

/* Returns the smallest time at this x. */
static double least_beside(const picture *p, double x)
{
  double least = INFINITY;

  for (size_t i = 0; i < p->n; i++)
    if (p->d[i].real && !(p->d[i].x < x) && !(p->d[i].x > x))
      least = fmin(least, p->d[i].time);
  return least;
}

/* Finds the front. If larger x are faster, the front minimizes x, and otherwise
 * it maximizes x. */
static int find_front(picture *p, failure *why)
{
  double *x = malloc((p->n + 1) * sizeof *x),
         *y = malloc((p->n + 1) * sizeof *y);
  bool *front = malloc((p->n + 1) * sizeof *front);
  int st = EXIT_OK;

  if (p->n > 0) qsort(p->d, p->n, sizeof *p->d, by_x);
  if (x && y && front) {
    const bool slows = p->n > 0 && least_beside(p, p->d[p->n - 1].x) >
                                       least_beside(p, p->d[0].x);

    for (size_t i = 0; i < p->n; i++) {
      x[i] = !p->d[i].real ? NAN : slows ? -p->d[i].x : p->d[i].x;
      y[i] = p->d[i].time;
    }
    gscale_pareto(x, y, p->n, front);
    for (size_t i = 0; i < p->n; i++) p->d[i].front = front[i];
  } else {
    st = fail(why, EXIT_INTERNAL, "no memory for the figure");
  }
  free(x);
  free(y);
  free(front);
  return st;
}

static void put_number(FILE *f, const picture *p, const walk *w)
{
  const gscale_axis *a;
  const over *v = walk_over(w, 0, &a);

  figure_text(f, "x_text", v->name);
  const double first = p->d[0].x, last = p->d[p->n - 1].x;

  if (a->log || (a->steps <= 4 && first > 0.0 && last > 10.0 * first))
    fprintf(f, "set logscale x\n");
  fprintf(f, "set xrange [%.17g:%.17g]\n", first, last);
  put_values(f, "x", v, a, false);
}

/* ---- over a price ------------------------------------------------------- */

static int take_offers(picture *p, const comparison *c, failure *why)
{
  offer *v;
  size_t n;
  int st = offers_new(c, &v, &n, why);

  for (size_t k = 0; st == EXIT_OK && k < n; k++) {
    const question *q = &v[k].s->q;
    const size_t s = (size_t)(v[k].s - c->v);

    if (fastest_paradigm(q, v[k].s->a + v[k].j, q->n) != v[k].i) continue;
    name_curve(p, s, q->name, 2 + s % (LINE_TYPES - 1));
    st = add_dot(
        p,
        (dot){1e6 * v[k].cost, v[k].time, s, q->gpus[v[k].j], true, v[k].front},
        why);
  }
  free(v);
  return st;
}

static void put_prices(FILE *f, const picture *p)
{
  double low = INFINITY, high = 0.0;

  for (size_t i = 0; i < p->n; i++) {
    low = fmin(low, p->d[i].x);
    high = fmax(high, p->d[i].x);
  }
  figure_text(f, "x_text", "USD for 10^6 steps");
  const double room = fmax(1.01, pow(high / low, 0.05)); /* margin */

  low /= room;
  high *= room;
  fprintf(f, "set logscale x\nset xrange [%.17g:%.17g]\n", low, high);
  put_decades(f, "x", low, high);
}

/* ---- gnuplot data ------------------------------------------------------- */

/* Chooses a range with the whole front, and with dots that are not much
 * slower. */
static void find_range(picture *p)
{
  const double far = 30.0;
  double least = INFINITY, most = 0.0, slowest = 0.0;

  p->low = INFINITY;
  for (size_t i = 0; i < p->n; i++) {
    const dot *d = &p->d[i];

    p->low = fmin(p->low, d->time);
    slowest = fmax(slowest, d->time);
    if (!d->front) continue;
    least = fmin(least, d->time);
    most = fmax(most, d->time);
  }
  p->low /= 1.3; /* margin for labels */
  p->high = 1.15 * fmin(slowest, fmax(2.0 * most, far * least));
}

static void put_dots(FILE *f, const picture *p, double unit)
{
  figure_data(f, "dots");
  for (size_t k = 0; k < p->curves; k++) {
    for (size_t i = 0; i < p->n; i++)
      if (p->d[i].curve == p->shown[k])
        fprintf(f, "%.17g %.17g\n", p->d[i].x, p->d[i].time / unit);
    fprintf(f, "\n\n");
  }
  figure_end(f);
}

/* Returns true if a label fits next to the previous one. */
static bool is_apart(const picture *p, const dot *d, const dot *last)
{
  const double across = log(p->d[p->n - 1].x / p->d[0].x);
  const double up = log(p->high / p->low);

  return fabs(log(d->x / last->x)) > 0.05 * across ||
         fabs(log(d->time / last->time)) > 0.06 * up;
}

/* Writes the front in order: x, time, and GPUs. GPUs are 0 without space for a
 * label. */
static int put_front(FILE *f, const picture *p, double unit, failure *why)
{
  dot *d = malloc((p->n + 1) * sizeof *d);
  size_t n = 0, last = 0;

  if (!d) return fail(why, EXIT_INTERNAL, "no memory for the figure");
  for (size_t i = 0; i < p->n; i++)
    if (p->d[i].front) d[n++] = p->d[i];
  qsort(d, n, sizeof *d, by_x);
  figure_data(f, "front");
  for (size_t i = 0; i < n; i++) {
    const bool says = i == 0 || is_apart(p, &d[i], &d[last]);

    if (says) last = i;
    fprintf(f, "%.17g %.17g %d\n", d[i].x, d[i].time / unit,
            says ? d[i].gpus : 0);
  }
  figure_end(f);
  free(d);
  return EXIT_OK;
}

/* Writes the end of each curve for its name. */
static void put_names(FILE *f, picture *p)
{
  const scale s = {.low = p->low, .high = p->high};
  curve c[PARADIGMS_MAX];

  for (size_t k = 0; k < p->curves; k++) {
    c[k] = p->c[p->shown[k]];
    for (size_t i = 0; i < p->n; i++)
      if (p->d[i].curve == p->shown[k]) c[k].last = p->d[i].time;
    c[k].weight = 1.0 / c[k].last;
  }
  put_curves(f, c, p->curves, &s);
}

/* Draws over the number of a walk, or over prices if w is NULL. */
static int draw(picture *p, const walk *w, const options *o, failure *why)
{
  figure g;
  int st;

  if (p->n == 0 && w) return walk_refuse(w, why);
  if (p->n == 0) return fail(why, EXIT_DATA, "plot: no paradigm can run there");
  find_range(p);
  st = figure_begin(&g, FIGURE_HEIGHT, o->terminal, why);
  if (st == EXIT_OK) {
    const double unit = figure_unit(g.f, p->high);

    figure_title(g.f, p->title);
    figure_text(g.f, "asked_text", p->asked);
    fprintf(g.f, "priced = %d\nlow = %.17g\nhigh = %.17g\n", !w, p->low / unit,
            p->high / unit);
    put_decades(g.f, "y", p->low / unit, p->high / unit);
    if (w)
      put_number(g.f, p, w);
    else
      put_prices(g.f, p);
    put_names(g.f, p);
    put_dots(g.f, p, unit);
    st = put_front(g.f, p, unit, why);
    if (st == EXIT_OK) st = figure_draw(&g, "p_frontier.gp", p->title, o, why);
  }
  figure_free(&g);
  return st;
}

/* ---- the figure ---------------------------------------------------------- */

static int over_number(picture *p, options *o, failure *why)
{
  const gscale_axis *a;
  walk *w;
  int st = walk_new(o, &w, why);

  if (st == EXIT_OK && walk_over(w, 0, &a)->kind == OVER_GPUS)
    st = fail(why, EXIT_USAGE, "plot: frontier over gpus: take --price");
  if (st == EXIT_OK && walk_points(w) < 2)
    st = fail(why, EXIT_USAGE, "plot: frontier: needs more than one value");
  if (st == EXIT_OK && walk_points(w) > POINTS_MOST)
    st = fail(why, EXIT_LIMIT, "plot: frontier: more than %d values",
              (int)POINTS_MOST);
  if (st == EXIT_OK)
    st = walk_through(w, 0, walk_points(w), take_point, p, why);
  if (o->set.n == 0) *p->asked = '\0'; /* only the first value */
  if (st == EXIT_OK) st = find_front(p, why);
  if (st == EXIT_OK) st = draw(p, w, o, why);
  walk_free(w);
  return st;
}

static int over_price(picture *p, options *o, failure *why)
{
  comparison c = {0};
  int st = comparison_load(&c, o, GPUS_EVERY, NULL, why);

  if (st == EXIT_OK) st = comparison_answer(&c, false, why);
  if (st == EXIT_OK) st = take_offers(p, &c, why);
  if (st == EXIT_OK) {
    snprintf(p->title, sizeof p->title, "%s, what it costs to be fast",
             gscale_workload_about(c.v[0].q.workload).name);
    snprintf(p->asked, sizeof p->asked, "%s", o->link ? "" : asked(&c.v[0].q));
    st = draw(p, NULL, o, why);
  }
  comparison_free(&c);
  return st;
}

int plot_frontier(options *o, failure *why)
{
  static picture p; /* large */
  int st = need_arguments(o, 2, "frontier WORKLOAD", why);

  memset(&p, 0, sizeof p);
  if (st == EXIT_OK && (o->overs > 1 || (o->overs == 1) == (o->price != NULL)))
    st = fail(why, EXIT_USAGE,
              "plot: frontier needs --over NAME=FROM..TO or "
              "--price SYSTEM=USD,...");
  if (st == EXIT_OK)
    st = o->price ? over_price(&p, o, why) : over_number(&p, o, why);
  free(p.d);
  return st;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
