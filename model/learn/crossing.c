/* crossing.c - zero crossings of a function of one number. */

#include "gpuscale/design.h"

#include "ground/ground.h"

#include <math.h>

typedef struct search {
  double (*f)(double x, void *closure);
  void *closure;
  bool log, missing;
} search;

/* A point of the function; x is a logarithm if the axis is logarithmic. */
typedef struct place {
  double x, y;
} place;

static double evaluate(double u, search *s)
{
  const double y = s->f(s->log ? exp(u) : u, s->closure);

  s->missing = s->missing || isnan(y);
  return isnan(y) ? 0.0 : y;
}

static bool is_up(double y)
{
  return y >= 0.0;
}

/* Bisects [low, high], whose ends differ in sign, until both ends are
 * neighbours, and returns the upper end. */
static double halve(const search *s, double low, double high, bool up_at_high,
                    double closest)
{
  while (high - low > closest) {
    const double u = 0.5 * (low + high);
    const double middle = closest >= 1.0 ? floor(u) : u;
    const double y = s->f(middle, s->closure);

    if (isnan(y)) return NAN;
    if (is_up(y) == up_at_high)
      high = middle;
    else
      low = middle;
  }
  return high;
}

/* Returns the position of the next point as a share of the interval.  The share
 * comes from the inverse parabola through three points if the parabola surely
 * falls between them, and is 1/2 otherwise [Chandrupatla97]. */
static double next_share(const place *a, const place *b, const place *c)
{
  const double x = (a->x - b->x) / (c->x - b->x);
  const double y = (a->y - b->y) / (c->y - b->y);

  if (!(y * y < x && (1.0 - y) * (1.0 - y) < 1.0 - x)) return 0.5;
  return a->y / (b->y - a->y) * (c->y / (b->y - c->y)) +
         (c->x - a->x) / (b->x - a->x) * (a->y / (c->y - a->y)) *
             (b->y / (c->y - b->y));
}

/* Returns the zero between two points whose y differ in sign. */
static double refine(search *s, place a, place b)
{
  place c = b;
  double share = 0.5;

  s->missing = false;
  for (int i = 0; i < 200; i++) {
    const double x = a.x + share * (b.x - a.x);
    const place now = {x, evaluate(x, s)};

    c = is_up(now.y) == is_up(a.y) ? a : b;
    if (is_up(now.y) != is_up(a.y)) b = a;
    a = now;
    const double width = fabs(b.x - a.x);
    const double size = s->log ? 1.0 : fmax(fabs(a.x), fabs(b.x));
    const double least = 0.5e-10 * size / width;

    if (s->missing) return NAN;
    if (!(width > 1e-10 * size) || !(fabs(a.y) > 0.0)) break;
    share = fmin(fmax(next_share(&a, &b, &c), least), 1.0 - least);
  }
  const double x = fabs(a.y) < fabs(b.y) ? a.x : b.x;
  return s->log ? exp(x) : x;
}

void gscale_crossings(double (*f)(double x, void *closure), void *closure,
                      const gscale_axis *a, gscale_crossing *out, size_t most,
                      size_t *n, bool *first)
{
  search s = {f, closure, a->log, false};
  double before = NAN, y_before = NAN;
  bool any = false;

  *n = 0;
  *first = false;
  for (size_t i = 0; i < a->steps; i++) {
    const double x = gscale_axis_value(a, i);
    const double y = f(x, closure);

    if (!isnan(y) && !any) *first = is_up(y);
    any = any || !isnan(y);
    if (!isnan(y) && !isnan(y_before) && is_up(y) != is_up(y_before)) {
      const place low = {a->log ? log(before) : before, y_before};
      const place high = {a->log ? log(x) : x, y};
      const double root = a->whole ? halve(&s, before, x, is_up(y), 1.0)
                                   : refine(&s, low, high);

      if (!isnan(root)) {
        if (*n < most) out[*n] = (gscale_crossing){root, is_up(y)};
        ++*n;
      }
    }
    before = x;
    y_before = y;
  }
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
