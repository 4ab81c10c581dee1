/* plot.c - gpuscale plot: draws figures. The numbers come from the library
 * calls of other verbs, and gnuplot draws them with plots/ *.gp. */

#include "figures/figures.h"
#include "reproduce/recipes.h"

#include <string.h>

/* ---- goodput ------------------------------------------------------------ */

static const gscale_access accesses[] = {GSCALE_STORE, GSCALE_COPY};
static const char *const access_names[] = {"stores", "copies"};
enum {
  ACCESSES = 2
};

/* Draws each link in one colour and each access with one dash. */
static void put_links(FILE *f, const gscale_link *const *links, size_t n)
{
  const size_t curves = n * ACCESSES;

  fprintf(f,
          "curves = %zu\narray name[%zu]\narray type[%zu]\n"
          "array dash[%zu]\n",
          curves, curves, curves, curves);
  for (size_t i = 0; i < curves; i++) {
    char name[2 * GSCALE_NAME_MAX];

    snprintf(name, sizeof name, "%s, %s", links[i / ACCESSES]->name,
             access_names[i % ACCESSES]);
    fprintf(f, "type[%zu] = %zu\ndash[%zu] = %zu\nname[%zu] = ", i + 1,
            2 + i / ACCESSES % (LINE_TYPES - 1), i + 1, 1 + i % ACCESSES,
            i + 1);
    gnuplot_text(f, name);
    putc('\n', f);
  }
}

static void put_goodput(FILE *f, const gscale_link *const *links, size_t n,
                        const double *sizes, size_t m, bool masked)
{
  figure_data(f, "goodput");
  for (size_t j = 0; j < m; j++) {
    figure_number(f, sizes[j]);
    for (size_t i = 0; i < n * ACCESSES; i++)
      figure_number(f,
                    gscale_goodput(links[i / ACCESSES], accesses[i % ACCESSES],
                                   sizes[j], masked));
    putc('\n', f);
  }
  figure_end(f);
}

static int plot_goodput(options *o, failure *why)
{
  static const char title[] = "goodput of one aligned message";
  const gscale_link *links[LINKS_MAX];
  double sizes[SIZES_MAX];
  size_t n = 0, m = 0;
  figure g;
  int st = need_arguments(o, 1, "goodput", why);

  if (st == EXIT_OK)
    st = parse_links(o->link ? o->link : "pcie5,nvlink2,nvlink4", links, &n,
                     why);
  if (st == EXIT_OK)
    st = parse_sizes(o->sizes ? o->sizes : "4-4096", sizes, &m, why);
  if (st != EXIT_OK) return st;
  st = figure_begin(&g, FIGURE_HEIGHT, o->terminal, why);
  if (st == EXIT_OK) {
    figure_title(g.f, title);
    put_links(g.f, links, n);
    put_goodput(g.f, links, n, sizes, m, o->partial);
    st = figure_draw(&g, "p_goodput.gp", title, o, why);
  }
  figure_free(&g);
  return st;
}

/* ---- documents ----------------------------------------------------------- */

static int plot_printed(options *o, failure *why)
{
  const int st = need_arguments(o, 2, "printed FIGURE", why);

  return st == EXIT_OK ? recipes_draw(o->argument[1], o, why) : st;
}

/* ---- verb ---------------------------------------------------------------- */

/* Refuses a file name whose extension is not that of SVG. */
static int check_name(const options *o, failure *why)
{
  const char *dot = o->output ? strrchr(o->output, '.') : NULL;

  if (o->terminal || !dot || strchr(dot, '/') || strcmp(dot, ".svg") == 0)
    return EXIT_OK;
  return fail(why, EXIT_USAGE,
              "plot: writes SVG; '%.200s' does not end in .svg", o->output);
}

#define FIGURES_SAID                                                           \
  "scaling, comparison, generations, waterfall, timeline, tornado, map, "      \
  "tune, goodput, fit or printed"

static int plot_main(options *o, failure *why)
{
  static const struct {
    const char *name;
    int (*plot)(options *o, failure *why);
  } figures[] = {
      {"scaling", plot_scaling},         {"comparison", plot_comparison},
      {"waterfall", plot_waterfall},     {"timeline", plot_timeline},
      {"tornado", plot_tornado},         {"map", plot_map},
      {"generations", plot_generations}, {"tune", plot_tune},
      {"goodput", plot_goodput},         {"fit", plot_fit},
      {"printed", plot_printed}};
  enum {
    FIGURES = LENGTH(figures)
  };
  const char *names[FIGURES], *near;

  if (o->arguments == 0)
    return fail(why, EXIT_USAGE, "plot: needs " FIGURES_SAID);
  if (check_name(o, why) != EXIT_OK) return why->status;
  if (o->weak && strcmp(o->argument[0], "scaling") != 0)
    return fail(why, EXIT_USAGE, "plot: --weak is of the figure scaling");
  for (size_t i = 0; i < FIGURES; i++) {
    names[i] = figures[i].name;
    if (strcmp(o->argument[0], names[i]) == 0) return figures[i].plot(o, why);
  }
  near = nearest(o->argument[0], names, FIGURES);
  if (near)
    return fail(why, EXIT_USAGE, "plot: no figure '%.100s'; did you mean '%s'?",
                o->argument[0], near);
  return fail(why, EXIT_USAGE, "plot: '%.100s' is not " FIGURES_SAID,
              o->argument[0]);
}

const verb verb_plot = {
    .place = 110,
    .name = "plot",
    .usage = "FIGURE [WORKLOAD | DATA...] | printed NAME [options]",
    .summary =
        "figures: scaling, comparison, waterfall, timeline, map and others",
    .examples =
        "gpuscale plot scaling jacobi --system h200x8 -P n=512 -o jacobi.svg\n"
        "gpuscale plot map jacobi -s h200x8 --over gpus=2..8 --over n=64,512\n",
    .accepts = "system gpus per-node paradigm set proposed weak over runs "
               "against "
               "link sizes "
               "partial "
               "base fit traces terminal output",
    .run = plot_main,
};

/* SPDX-License-Identifier: GPL-3.0-or-later */
