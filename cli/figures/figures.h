/* figures.h - declares figures that gnuplot draws. */
#ifndef GPUSCALE_FIGURES_H
#define GPUSCALE_FIGURES_H

#include "common/cli.h"
#include "common/membuf.h"

/* ---- figures (gnuplot.c) ------------------------------------------------ */

/* Writes `text` as a single-quoted gnuplot string. */
void gnuplot_text(FILE *script, const char *text);
/* Copies the file plots/NAME into the script. */
int gnuplot_include(FILE *script, const char *name, failure *why);

/* A script in memory for one figure (figure.c). */
typedef struct figure {
  FILE *f;
  draft script;
  bool text; /* draw with characters */
} figure;

enum {
  FIGURE_HEIGHT = 480 /* default; the width is 640 */
};
/* Starts a script with style.gp. With `text`, the figure has characters. */
int figure_begin(figure *g, int height, bool text, failure *why);
void figure_title(FILE *f, const char *title); /* sets title_text */
void figure_text(FILE *f, const char *name,
                 const char *text);          /* sets the variable `name` */
void figure_data(FILE *f, const char *name); /* begins the data block $name */
void figure_end(FILE *f);
/* Defines unit_text for times up to `most` (s). Returns the unit in s. */
double figure_unit(FILE *f, double most);
void figure_number(FILE *f, double v); /* NaN if not finite */
/* Appends plots/FILE and draws into o->output. */
int figure_draw(figure *g, const char *file, const char *title,
                const options *o, failure *why);
/* Appends plots/FILE and draws into `out`. `g` cannot be used afterwards. */
int figure_render(figure *g, const char *file, const char *title, FILE *out,
                  failure *why);
void figure_free(figure *g);

/* ---- curves (curves.c) --------------------------------------------------- */

/* A curve on an axis from `low` to `high`. */
typedef struct curve {
  const char *name;
  size_t type;   /* line type */
  double last;   /* value where the name is */
  bool off;      /* outside the axis */
  double weight; /* heavy curves are coloured */
} curve;

enum {
  COLOURED = 5,
  INKS = 9 /* in style.gp */
};

typedef struct scale { /* logarithmic unless linear */
  double low, high;
  bool linear;
} scale;

/* Writes the number `curves` and the arrays name, type, tint (colour), height
 * and foot. height[] has the positions of the names, and foot[] has the
 * positions of the curves' ends, from 0 at the bottom to 1 at the top. Names do
 * not overlap and are as close to the ends as possible. */
void put_curves(FILE *f, const curve *c, size_t n, const scale *s);
/* Chooses an axis without curves that are far below others. At most half of the
 * curves are excluded and marked `off`. */
scale choose_scale(curve *c, const double *least, const double *most, size_t n);

/* Returns a line type of style.gp. A paradigm and inter-node method has the
 * same type in every figure (plot_scaling.c). */
enum {
  LINE_TYPES = 18
};
size_t line_type(size_t paradigm, size_t between);

int plot_scaling(options *o, failure *why);
int plot_comparison(options *o, failure *why);
int plot_generations(options *o, failure *why);
int plot_waterfall(options *o, failure *why);
int plot_timeline(options *o, failure *why);
int plot_tornado(options *o, failure *why);
int plot_map(options *o, failure *why);
int plot_fit(options *o, failure *why);
int plot_tune(options *o, failure *why); /* verbs/tune.c */

/* Runs gnuplot on a script. The SVG with its title goes to `out`. If the title
 * is NULL, the figure is text. */
int gnuplot_draw(const char *script, size_t size, const char *title, FILE *out,
                 failure *why);

#endif /* GPUSCALE_FIGURES_H */

/* SPDX-License-Identifier: GPL-3.0-or-later */
