/* tics.c - puts tic marks on an axis. */

#include "figures/drawn.h"

#include <math.h>

enum {
  TICS_MOST = 5
};

/* Divides the values into equal parts, as many as possible below TICS_MOST. */
static size_t count_parts(size_t values)
{
  for (size_t parts = TICS_MOST - 1; parts > 1; parts--)
    if ((values - 1) % parts == 0) return parts;
  return values > TICS_MOST ? TICS_MOST - 1 : 1;
}

static void format_value(const over *v, double x, char *text, size_t size)
{
  if (v->kind == OVER_SETTING)
    snprintf(text, size, "%.4g%s%s", x, *v->unit ? " " : "", v->unit);
  else
    gscale_format_quantity(x, v->dim, text, size);
}

/* Returns the position of a value among the boxes of a logarithmic axis. */
static double place_of(const gscale_axis *a, double x)
{
  const double first = gscale_axis_value(a, 0),
               last = gscale_axis_value(a, a->steps - 1);

  return log(x / first) / log(last / first) * (double)(a->steps - 1);
}

/* Returns true if values between the listed values are valid too. */
static bool is_smooth(const gscale_axis *a)
{
  return a->log && !a->list && a->steps > 2 && !a->whole &&
         gscale_axis_value(a, a->steps - 1) > 10.0 * gscale_axis_value(a, 0);
}

/* Puts 1, 2, 5, 10, ... or 1, 3, 10, ... or 1, 10, ... on a logarithmic
 * axis. */
static void put_round(FILE *f, const char *axis, const over *v,
                      const gscale_axis *a)
{
  static const double steps[] = {1.0, 2.0, 5.0, 1.0, 3.0, 1.0};
  static const size_t first[] = {0, 3, 5, 6};
  const double low = fmin(gscale_axis_value(a, 0),
                          gscale_axis_value(a, a->steps - 1)),
               high = fmax(gscale_axis_value(a, 0),
                           gscale_axis_value(a, a->steps - 1));
  const double decades = log10(high / low);
  const size_t set = decades < 1.3 ? 0 : decades < 2.2 ? 1 : 2;
  const char *comma = "";
  char text[128];

  fprintf(f, "set %stics (", axis);
  for (double ten = pow(10.0, floor(log10(low))); ten <= high; ten *= 10.0)
    for (size_t i = first[set]; i < first[set + 1]; i++) {
      const double x = ten * steps[i], slack = 1e-9;

      if (x < low * (1.0 - slack) || x > high * (1.0 + slack)) continue;
      format_value(v, x, text, sizeof text);
      fputs(comma, f);
      gnuplot_text(f, text);
      fprintf(f, " %.17g", place_of(a, x));
      comma = ", ";
    }
  fputs(")\n", f);
}

void put_values(FILE *f, const char *axis, const over *v, const gscale_axis *a)
{
  const size_t parts = count_parts(a->steps);
  char text[128];

  if (is_smooth(a)) {
    put_round(f, axis, v, a);
    return;
  }
  fprintf(f, "set %stics (", axis);
  for (size_t tic = 0; tic <= parts; tic++) {
    const size_t k = tic * (a->steps - 1) / parts;

    format_value(v, gscale_axis_value(a, k), text, sizeof text);
    fputs(tic ? ", " : "", f);
    gnuplot_text(f, text);
    fprintf(f, " %.17g", (double)k);
  }
  fputs(")\n", f);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
