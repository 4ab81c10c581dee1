/* tics.c - where the numbers of an axis stand. */

#include "figures/drawn.h"

#include <math.h>

enum {
  TICS_MOST = 5
};

/* Parts of equal numbers of values, as many as can be but TICS_MOST - 1 at
 * most, between the first value and the last. */
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

void put_values(FILE *f, const char *axis, const over *v, const gscale_axis *a,
                bool by_place)
{
  const size_t parts = count_parts(a->steps);
  char text[128];

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

/* Less than a factor of two: every 1, 2 or 5 of a power of ten, three to eight
 * of them. */
static void put_few(FILE *f, const char *axis, double low, double high)
{
  const double ten = pow(10.0, floor(log10((high - low) / 3.0)));
  const double times = (high - low) / 3.0 / ten;
  const double step = ten * (times < 2.0 ? 1.0 : times < 5.0 ? 2.0 : 5.0);
  const char *comma = "";

  fprintf(f, "set %stics (", axis);
  for (double k = ceil(low / step); k * step <= high; k += 1.0) {
    fprintf(f, "%s'%.6g' %.17g", comma, k * step, k * step);
    comma = ", ";
  }
  fprintf(f, ")\n");
}

void put_decades(FILE *f, const char *axis, double low, double high)
{
  if (high < 2.0 * low) {
    put_few(f, axis, low, high);
    return;
  }
  static const double few[] = {1.0, 2.0, 5.0},
                      many[] = {1.0, 1.5, 2.0, 3.0, 4.0, 5.0, 6.0, 8.0};
  const bool narrow = high < 10.0 * low;
  const double *steps = narrow ? many : few;
  const size_t each = narrow             ? sizeof many / sizeof *many
                      : high > 1e3 * low ? 1
                                         : sizeof few / sizeof *few;
  const char *comma = "";

  fprintf(f, "set %stics (", axis);
  for (double ten = pow(10.0, floor(log10(low))); ten <= high; ten *= 10.0)
    for (size_t i = 0; i < each; i++) {
      const double v = ten * steps[i];

      if (v < low || v > high) continue;
      fprintf(f, "%s'%.6g' %.17g", comma, v, v);
      comma = ", ";
    }
  fprintf(f, ")\n");
}
