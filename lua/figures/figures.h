/* figures.h - what is drawn, by gnuplot. */
#ifndef GPUSCALE_FIGURES_H
#define GPUSCALE_FIGURES_H

#include "cli/cli.h"
#include "cli/draft.h"

/* ---- figures (gnuplot.c) ------------------------------------------------ */

/* Writes `text` as a single-quoted gnuplot string. */
void gnuplot_text(FILE *script, const char *text);
/* Copies plots/NAME into the script. */
int gnuplot_include(FILE *script, const char *name, failure *why);

/* A script in memory that becomes a figure (figure.c). */
typedef struct figure {
  FILE *f;
  draft script;
} figure;

/* Begins with style.gp. */
int figure_begin(figure *g, failure *why);
void figure_data(FILE *f, const char *name); /* $name << ... */
void figure_end(FILE *f);
void figure_number(FILE *f, double v); /* NaN if not finite */
/* Appends plots/FILE and draws all into o->output. */
int figure_draw(figure *g, const char *file, const char *title,
                const options *o, failure *why);
void figure_free(figure *g);

/* Line types of style.gp: a paradigm has the same one in every figure. */
enum {
  LINE_TYPES = 12
};

int plot_fit(options *o, failure *why);  /* plot_fit.c */
int plot_tune(options *o, failure *why); /* verbs/tune.c */

/* Runs gnuplot on a script; the SVG goes to `out`, with that title. */
int gnuplot_draw(const char *script, size_t size, const char *title, FILE *out,
                 failure *why);

#endif /* GPUSCALE_FIGURES_H */
