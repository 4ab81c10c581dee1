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

/* Returns the position of a value on a logarithmic axis, or of its box. */
static double place_of(const gscale_axis *a, double x, bool by_place)
{
  const double first = gscale_axis_value(a, 0),
               last = gscale_axis_value(a, a->steps - 1);

  return by_place ? log(x / first) / log(last / first) * (double)(a->steps - 1)
                  : x;
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
                      const gscale_axis *a, bool by_place)
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
      fprintf(f, " %.17g", place_of(a, x, by_place));
      comma = ", ";
    }
  fputs(")\n", f);
}

void put_values(FILE *f, const char *axis, const over *v, const gscale_axis *a,
                bool by_place)
{
  const size_t parts = count_parts(a->steps);
  char text[128];

  if (is_smooth(a)) {
    put_round(f, axis, v, a, by_place);
    return;
  }
  fprintf(f, "set %stics (", axis);
  for (size_t tic = 0; tic <= parts; tic++) {
    const size_t k = tic * (a->steps - 1) / parts;
    const double x = gscale_axis_value(a, k);

    format_value(v, x, text, sizeof text);
    fputs(tic ? ", " : "", f);
    gnuplot_text(f, text);
    fprintf(f, " %.17g", by_place ? (double)k : x);
  }
  fputs(")\n", f);
}

static void put_tic(FILE *f, double v, bool first)
{
  fprintf(f, "%s'%.6g' %.17g", first ? "" : ", ", v, v);
}

/* Puts three to eight tics at multiples of 1, 2 or 5 if high < 2 low. */
static void put_few(FILE *f, double low, double high)
{
  const double ten = pow(10.0, floor(log10((high - low) / 3.0)));
  const double times = (high - low) / 3.0 / ten;
  const double step = ten * (times < 2.0 ? 1.0 : times < 5.0 ? 2.0 : 5.0);
  const double from = ceil(low / step);

  for (double k = from; k * step <= high; k += 1.0)
    put_tic(f, k * step, k <= from);
}

/* Puts eight tics per decade within a factor of ten, three within a factor of a
 * thousand, and otherwise one. */
static void put_many(FILE *f, double low, double high)
{
  static const double few[] = {1.0, 2.0, 5.0},
                      many[] = {1.0, 1.5, 2.0, 3.0, 4.0, 5.0, 6.0, 8.0};
  const bool narrow = high < 10.0 * low;
  const double *steps = narrow ? many : few;
  const size_t each = narrow             ? LENGTH(many)
                      : high > 1e3 * low ? 1
                                         : LENGTH(few);
  bool first = true;

  for (double ten = pow(10.0, floor(log10(low))); ten <= high; ten *= 10.0)
    for (size_t i = 0; i < each; i++) {
      const double v = ten * steps[i];

      if (v < low || v > high) continue;
      put_tic(f, v, first);
      first = false;
    }
}

void put_decades(FILE *f, const char *axis, double low, double high)
{
  fprintf(f, "set %stics (", axis);
  (high < 2.0 * low ? put_few : put_many)(f, low, high);
  fprintf(f, ")\n");
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
