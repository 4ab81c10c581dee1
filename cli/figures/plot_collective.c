/* plot_collective.c - bus bandwidth of a collective over its size, predicted
 * with an interval and measured. */

#include "figures/figures.h"
#include "say/predict.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
  CURVES_MOST = 8,
  STEPS = 4 /* of each doubling */
};
static const double LEAST = 1024.0, MOST = 8.0 * 1073741824.0; /* B */
static const double ERRORS = 2.0; /* standard errors, 95 % */

/* A number of GPUs on a number of nodes. */
typedef struct group {
  int gpus, nodes;
} group;

typedef struct picture {
  gscale_system *s;
  gscale_measurements *m;
  gscale_coll_kind kind;
  group of[CURVES_MOST];
  size_t n, points;
  double least, most; /* B */
} picture;

/* ---- the question ------------------------------------------------------- */

static gscale_coll_kind kind_named(const char *text)
{
  gscale_coll_kind k = 0;

  while (k < GSCALE_COLL_KIND_END &&
         strcmp(gscale_name(GSCALE_COLL_KIND_NAMES, k), text) != 0)
    k++;
  return k;
}

static size_t group_of(const picture *p, int gpus, int nodes)
{
  size_t i = 0;

  while (i < p->n && (p->of[i].gpus != gpus || p->of[i].nodes != nodes)) i++;
  return i;
}

static int add_group(picture *p, int gpus, int nodes, failure *why)
{
  if (group_of(p, gpus, nodes) < p->n) return EXIT_OK;
  if (p->n == CURVES_MOST)
    return fail(why, EXIT_LIMIT, "plot: collective: more than %d curves",
                (int)CURVES_MOST);
  p->of[p->n++] = (group){gpus, nodes};
  return EXIT_OK;
}

/* Adds groups of --gpus, else of the rows, else the whole system. */
static int add_asked(picture *p, const options *o, failure *why)
{
  const int node = gscale_system_about(p->s).node;
  int gpus[GPUS_MAX], st;
  size_t n;

  if (!o->gpus) return p->n > 0 ? EXIT_OK : add_group(p, node, 1, why);
  st = parse_gpus("--gpus", o->gpus, gpus, &n, why);
  for (size_t i = 0; st == EXIT_OK && i < n; i++)
    if (gpus[i] > 1) st = add_group(p, gpus[i], (gpus[i] - 1) / node + 1, why);
  return st;
}

static int collect(picture *p, const options *o, failure *why)
{
  const gscale_measurement *r;
  int st = EXIT_OK;

  p->least = LEAST;
  p->most = MOST;
  for (size_t i = 0;
       st == EXIT_OK && (r = gscale_measurements_at(p->m, i)) != NULL; i++) {
    const gscale_expected e = gscale_expect(p->s, r);
    if (!isfinite(e.time) || e.kind != p->kind) continue;
    if (p->points++ == 0) p->least = p->most = e.bytes;
    p->least = fmin(p->least, e.bytes);
    p->most = fmax(p->most, e.bytes);
    if (!o->gpus) st = add_group(p, r->gpus, e.nodes, why);
  }
  if (st == EXIT_OK && o->arguments > 2 && p->points == 0)
    return fail(why, EXIT_DATA, "plot: no row is an %s that %s can do",
                gscale_name(GSCALE_COLL_KIND_NAMES, p->kind),
                gscale_system_about(p->s).name);
  return st == EXIT_OK ? add_asked(p, o, why) : st;
}

/* ---- the figure --------------------------------------------------------- */

static void put_names(FILE *f, const picture *p)
{
  fprintf(f, "curves = %zu\narray name[%zu]\narray type[%zu]\n", p->n, p->n,
          p->n);
  for (size_t i = 0; i < p->n; i++) {
    char name[64];
    const group *g = &p->of[i];

    if (g->nodes > 1)
      snprintf(name, sizeof name, "%d GPUs, %d nodes", g->gpus, g->nodes);
    else
      snprintf(name, sizeof name, "%d GPUs", g->gpus);
    fprintf(f, "type[%zu] = %zu\nname[%zu] = ", i + 1, 2 + i % (LINE_TYPES - 1),
            i + 1);
    gnuplot_text(f, name);
    putc('\n', f);
  }
}

static int put_curve(FILE *f, const picture *p, const group *g, failure *why)
{
  const double factor = gscale_coll_bus(p->kind, g->gpus);
  const double step = exp2(1.0 / STEPS);

  for (double b = p->least; b <= p->most * sqrt(step); b *= step) {
    const gscale_expected e =
        gscale_expect_call(p->s, p->kind, b, g->gpus, g->nodes);
    if (!isfinite(e.time))
      return fail(why, EXIT_DATA,
                  "plot: %s cannot do an %s on %d GPUs: a node has %d, and "
                  "between nodes it needs coll.net_rate",
                  gscale_system_about(p->s).name,
                  gscale_name(GSCALE_COLL_KIND_NAMES, p->kind), g->gpus,
                  gscale_system_about(p->s).node);
    const gscale_interval in = gscale_interval_of(e.time, e.err, ERRORS);
    figure_number(f, b);
    figure_number(f, factor * b / e.time);
    figure_number(f, factor * b / in.hi);
    figure_number(f, factor * b / in.lo);
    putc('\n', f);
  }
  return EXIT_OK;
}

static int put_curves_of(FILE *f, const picture *p, failure *why)
{
  int st = EXIT_OK;

  figure_data(f, "expected");
  for (size_t i = 0; st == EXIT_OK && i < p->n; i++) {
    if (i > 0) fputs("\n\n", f);
    st = put_curve(f, p, &p->of[i], why);
  }
  figure_end(f);
  return st;
}

/* Writes out-of-place points.  A gnuplot block needs a line. */
static void put_points(FILE *f, const picture *p)
{
  const gscale_measurement *r;

  figure_data(f, "measured");
  fputs(" NaN NaN 0\n", f);
  for (size_t i = 0; (r = gscale_measurements_at(p->m, i)) != NULL; i++) {
    const gscale_expected e = gscale_expect(p->s, r);
    const size_t at = group_of(p, r->gpus, e.nodes);
    if (!isfinite(e.time) || e.kind != p->kind || at == p->n ||
        strcmp(r->access, "in-place") == 0)
      continue;
    figure_number(f, e.bytes);
    figure_number(f, gscale_coll_bus(p->kind, r->gpus) * e.bytes / r->time);
    fprintf(f, " %zu\n", at + 1);
  }
  figure_end(f);
}

static int draw(const picture *p, options *o, failure *why)
{
  char title[128];
  figure g;
  int st = figure_begin(&g, FIGURE_HEIGHT, o->terminal, why);

  snprintf(title, sizeof title, "%s on %s",
           gscale_name(GSCALE_COLL_KIND_NAMES, p->kind),
           gscale_system_about(p->s).name);
  if (st == EXIT_OK) {
    figure_title(g.f, title);
    figure_text(g.f, "note_text",
                p->points > 0
                    ? "lines: predicted, bands: 95 %; points: measured"
                    : "lines: predicted, bands: 95 %");
    put_names(g.f, p);
    st = put_curves_of(g.f, p, why);
    put_points(g.f, p);
  }
  if (st == EXIT_OK) st = figure_draw(&g, "p_collective.gp", title, o, why);
  figure_free(&g);
  return st;
}

int plot_collective(options *o, failure *why)
{
  picture p = {.m = gscale_measurements_new(), .kind = GSCALE_COLL_KIND_END};
  system_label name;
  int st = EXIT_OK;

  if (!p.m) st = fail(why, EXIT_INTERNAL, "no memory for the rows");
  if (st == EXIT_OK && o->arguments < 2)
    st = fail(why, EXIT_USAGE,
              "plot: collective needs a kind: all-reduce, all-gather ...");
  if (st == EXIT_OK) p.kind = kind_named(o->argument[1]);
  if (st == EXIT_OK && p.kind == GSCALE_COLL_KIND_END)
    st = fail(why, EXIT_USAGE,
              "plot: collective: '%.100s' is not all-reduce, all-gather, "
              "reduce-scatter, broadcast, reduce, all-to-all or send-recv",
              o->argument[1]);
  if (st == EXIT_OK) st = load_asked_system(o, &p.s, NULL, name, why);
  if (st == EXIT_OK) st = read_logs(p.m, o, 2, why);
  if (st == EXIT_OK) st = collect(&p, o, why);
  if (st == EXIT_OK) st = draw(&p, o, why);
  gscale_system_free(p.s);
  gscale_measurements_free(p.m);
  return st;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
