/* figures.h - what is drawn, by gnuplot. */
#ifndef GPUSCALE_FIGURES_H
#define GPUSCALE_FIGURES_H

#include "common/cli.h"
#include "common/membuf.h"

/* ---- figures (gnuplot.c) ------------------------------------------------ */

/* Writes `text` as a single-quoted gnuplot string. */
void gnuplot_text(FILE *script, const char *text);
/* Copies plots/NAME into the script. */
int gnuplot_include(FILE *script, const char *name, failure *why);

/* A script in memory that becomes a figure (figure.c). */
typedef struct figure {
  FILE *f;
  draft script;
  bool text; /* of characters, for a terminal */
} figure;

enum {
  FIGURE_HEIGHT = 480 /* of most; all are 640 wide */
};
/* Begins with style.gp; with `text` it is drawn of characters. */
int figure_begin(figure *g, int height, bool text, failure *why);
void figure_title(FILE *f, const char *title); /* title_text = ... */
void figure_text(FILE *f, const char *name, const char *text); /* NAME = ... */
void figure_data(FILE *f, const char *name); /* $name << ... */
void figure_end(FILE *f);
/* unit_text = ...: that in which times up to `most` (s) are told; returns it,
 * s. */
double figure_unit(FILE *f, double most);
void figure_number(FILE *f, double v); /* NaN if not finite */
/* Appends plots/FILE and draws all into o->output. */
int figure_draw(figure *g, const char *file, const char *title,
                const options *o, failure *why);
/* Appends plots/FILE and draws all into `out`; `g` is used up. */
int figure_render(figure *g, const char *file, const char *title, FILE *out,
                  failure *why);
void figure_free(figure *g);

/* ---- curves (curves.c) --------------------------------------------------- */

/* A curve of a figure, on the axis from `low` to `high`. */
typedef struct curve {
  const char *name;
  size_t type;   /* of its line */
  double last;   /* its value where its name stands, > 0 */
  bool off;      /* it leaves the axis */
  double weight; /* of more than COLOURED those that weigh most are in colour */
} curve;

enum {
  COLOURED = 5,
  INKS = 9 /* of style.gp */
};

typedef struct scale { /* logarithmic, unless linear */
  double low, high;
  bool linear;
} scale;

/* Writes `curves`, name[], type[] and tint[], its colour, and, for the names
 * beside the curves' ends, where they stand, height[] and foot[]: in the
 * figure, 0 at its foot, 1 at its head, the names apart from one another and as
 * near as can be to the ends. */
void put_curves(FILE *f, const curve *c, size_t n, const scale *s);
/* An axis that shows all curves but those that fall far below the others, at
 * most half of them: those are `off`. */
scale choose_scale(curve *c, const double *least, const double *most, size_t n);

/* Line types of style.gp: a paradigm has the same one in every figure, by each
 * way between nodes (plot_scaling.c). */
enum {
  LINE_TYPES = 18
};
size_t line_type(size_t paradigm, size_t between);

int plot_scaling(options *o, failure *why);    /* plot_scaling.c */
int plot_comparison(options *o, failure *why); /* plot_comparison.c */
int plot_waterfall(options *o, failure *why);  /* plot_waterfall.c */
int plot_timeline(options *o, failure *why);   /* plot_timeline.c */
int plot_profile(options *o, failure *why);    /* plot_profile.c */
int plot_tornado(options *o, failure *why);    /* plot_tornado.c */
int plot_map(options *o, failure *why);        /* plot_map.c */
int plot_frontier(options *o, failure *why);   /* plot_frontier.c */
int plot_fit(options *o, failure *why);        /* plot_fit.c */
int plot_collective(options *o, failure *why); /* plot_collective.c */
int plot_ratio(options *o, failure *why);      /* plot_ratio.c */
int plot_roofline(options *o, failure *why);   /* plot_roofline.c */
int plot_tune(options *o, failure *why);       /* verbs/tune.c */

/* Runs gnuplot on a script; the SVG goes to `out`, with that title, or, title
 * NULL, the text. */
int gnuplot_draw(const char *script, size_t size, const char *title, FILE *out,
                 failure *why);

#endif /* GPUSCALE_FIGURES_H */

/* SPDX-License-Identifier: GPL-3.0-or-later */
