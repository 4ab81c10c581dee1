/* figures.h - figures drawn by gnuplot. */
#ifndef GPUSCALE_FIGURES_H
#define GPUSCALE_FIGURES_H

#include "common/cli.h"
#include "common/membuf.h"

/* ---- figures (gnuplot.c) ------------------------------------------------ */

/* Writes `text` as a single-quoted gnuplot string. */
void gnuplot_text(FILE *script, const char *text);
/* Copies plots/NAME into the script. */
int gnuplot_include(FILE *script, const char *name, failure *why);

/* A script in memory for one figure (figure.c). */
typedef struct figure {
  FILE *f;
  draft script;
  bool text; /* draw with characters */
} figure;

enum {
  FIGURE_HEIGHT = 480 /* default; width is 640 */
};
/* Begins with style.gp; with `text` the terminal is characters. */
int figure_begin(figure *g, int height, bool text, failure *why);
void figure_title(FILE *f, const char *title); /* title_text = ... */
void figure_text(FILE *f, const char *name, const char *text); /* NAME = ... */
void figure_data(FILE *f, const char *name); /* $name << ... */
void figure_end(FILE *f);
/* Defines unit_text for times up to `most` (s) and returns the unit in s. */
double figure_unit(FILE *f, double most);
void figure_number(FILE *f, double v); /* NaN if not finite */
/* Appends plots/FILE and draws into o->output. */
int figure_draw(figure *g, const char *file, const char *title,
                const options *o, failure *why);
/* Appends plots/FILE and draws into `out`; `g` cannot be used again. */
int figure_render(figure *g, const char *file, const char *title, FILE *out,
                  failure *why);
void figure_free(figure *g);

/* ---- curves (curves.c) --------------------------------------------------- */

/* A curve on an axis from `low` to `high`. */
typedef struct curve {
  const char *name;
  size_t type;   /* of its line */
  double last;   /* at its name */
  bool off;      /* outside the axis */
  double weight; /* heavy curves are coloured */
} curve;

enum {
  COLOURED = 5,
  INKS = 9 /* of style.gp */
};

typedef struct scale { /* logarithmic, unless linear */
  double low, high;
  bool linear;
} scale;

/* Writes `curves`, name[], type[], tint[] (the colour), and height[] and
 * foot[], the places of names at the curves' ends.  Heights are 0 at the bottom
 * and 1 at the top.  Names do not overlap and are as near to the ends as
 * possible. */
void put_curves(FILE *f, const curve *c, size_t n, const scale *s);
/* Chooses an axis without the curves that are far below the others, at most
 * half of them, which are marked `off`. */
scale choose_scale(curve *c, const double *least, const double *most, size_t n);

/* Returns a line type of style.gp, the same in every figure for a paradigm and
 * its method between nodes (plot_scaling.c). */
enum {
  LINE_TYPES = 18
};
size_t line_type(size_t paradigm, size_t between);

int plot_scaling(options *o, failure *why);
int plot_comparison(options *o, failure *why);
int plot_waterfall(options *o, failure *why);
int plot_timeline(options *o, failure *why);
int plot_tornado(options *o, failure *why);
int plot_map(options *o, failure *why);
int plot_frontier(options *o, failure *why);
int plot_fit(options *o, failure *why);
int plot_tune(options *o, failure *why); /* verbs/tune.c */

/* Runs gnuplot on a script.  The SVG with its title goes to `out`, or the text
 * if title is NULL. */
int gnuplot_draw(const char *script, size_t size, const char *title, FILE *out,
                 failure *why);

#endif /* GPUSCALE_FIGURES_H */

/* SPDX-License-Identifier: GPL-3.0-or-later */
