/* figure.c - holds a gnuplot script in memory, with the common style and
 * data. */

#include "figures/figures.h"

#include <math.h>

int figure_begin(figure *s, int height, bool text, failure *why)
{
  *s = (figure){.text = text};
  if (!draft_open(&s->script)) return no_memory(why);
  s->f = s->script.f;
  fprintf(s->f, "height = %d\ntext = %d\n", height, text);
  return gnuplot_include(s->f, "style.gp", why);
}

int figure_render(figure *s, const char *file, const char *title, FILE *out,
                  failure *why)
{
  int st = gnuplot_include(s->f, file, why);

  s->f = NULL;
  if (st == EXIT_OK && !draft_end(&s->script)) st = no_memory(why);
  if (st != EXIT_OK) return st;
  return gnuplot_draw(s->script.at, s->script.size, s->text ? NULL : title, out,
                      why);
}

int figure_draw(figure *s, const char *file, const char *title,
                const options *o, failure *why)
{
  output out;
  int st = output_open(&out, o->output, why);

  if (st != EXIT_OK) return st;
  st = figure_render(s, file, title, out.f, why);
  return output_end(st, &out, why);
}

void figure_free(figure *s)
{
  draft_free(&s->script);
}

void figure_text(FILE *f, const char *name, const char *text)
{
  fprintf(f, "%s = ", name);
  gnuplot_text(f, text);
  putc('\n', f);
}

void figure_title(FILE *f, const char *title)
{
  figure_text(f, "title_text", title);
}

void figure_data(FILE *f, const char *name)
{
  fprintf(f, "$%s << end_of_data\n", name);
}

void figure_end(FILE *f)
{
  fprintf(f, "end_of_data\n");
}

double figure_unit(FILE *f, double most)
{
  static const struct {
    double unit; /* in s */
    const char *name;
  } units[] = {{1e-9, "ns"}, {1e-6, "us"}, {1e-3, "ms"}, {1.0, "s"}};
  size_t i = 0;

  while (i + 1 < LENGTH(units) && most >= units[i + 1].unit) i++;
  figure_text(f, "unit_text", units[i].name);
  return units[i].unit;
}

void figure_number(FILE *f, double v)
{
  if (isfinite(v))
    fprintf(f, " %.17g", v);
  else
    fprintf(f, " NaN");
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
