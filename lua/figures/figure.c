/* figure.c - a figure in the making: a gnuplot script in memory, with the style
 * of all figures and its data. */

#include "figures/figures.h"

#include <math.h>

static int no_memory(failure *why)
{
  return fail(why, EXIT_INTERNAL, "no memory for the figure");
}

int figure_begin(figure *s, failure *why)
{
  *s = (figure){0};
  if (!draft_open(&s->script)) return no_memory(why);
  s->f = s->script.f;
  return gnuplot_include(s->f, "style.gp", why);
}

int figure_draw(figure *s, const char *file, const char *title,
                const options *o, failure *why)
{
  output out;
  int st = gnuplot_include(s->f, file, why);

  s->f = NULL;
  if (st == EXIT_OK && !draft_end(&s->script)) st = no_memory(why);
  if (st == EXIT_OK) st = output_open(&out, o->output, why);
  if (st != EXIT_OK) return st;
  st = gnuplot_draw(s->script.at, s->script.size, title, out.f, why);
  if (st == EXIT_OK) return output_close(&out, why);
  output_discard(&out);
  return st;
}

void figure_free(figure *s)
{
  draft_free(&s->script);
}

void figure_data(FILE *f, const char *name)
{
  fprintf(f, "$%s << end_of_data\n", name);
}

void figure_end(FILE *f)
{
  fprintf(f, "end_of_data\n");
}

void figure_number(FILE *f, double v)
{
  if (isfinite(v))
    fprintf(f, " %.17g", v);
  else
    fprintf(f, " NaN");
}
