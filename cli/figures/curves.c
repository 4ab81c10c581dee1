/* curves.c - chooses the curves on a figure's axis, and places their names. */

#include "figures/figures.h"

#include <math.h>

enum {
  CURVES_MAX = PARADIGMS_MAX + 1
};

static const double NAMES_END = 1.045; /* height of the highest name */

/* ---- the axis ------------------------------------------------------------ */

/* Returns the smallest minimum of the other shown curves, or infinity. */
static double next_least(const curve *c, const double *least, size_t n,
                         size_t lowest)
{
  double next = INFINITY;

  for (size_t i = 0; i < n; i++)
    if (i != lowest && !c[i].off) next = fmin(next, least[i]);
  return next;
}

static size_t find_lowest(const curve *c, const double *least, size_t n)
{
  size_t lowest = n;

  for (size_t i = 0; i < n; i++)
    if (!c[i].off && (lowest == n || least[i] < least[lowest])) lowest = i;
  return lowest;
}

scale choose_scale(curve *c, const double *least, const double *most, size_t n)
{
  const double far = 3.0; /* largest ratio between neighbours */
  scale s = {.low = INFINITY};

  for (size_t off = 0; 2 * (off + 1) <= n; off++) {
    const size_t lowest = find_lowest(c, least, n);

    if (far * least[lowest] > next_least(c, least, n, lowest)) break;
    c[lowest].off = true;
  }
  for (size_t i = 0; i < n; i++) {
    if (c[i].off) continue;
    s.low = fmin(s.low, least[i]);
    s.high = fmax(s.high, most[i]);
  }
  s.low /= 1.15;
  s.high *= 1.15;
  return s;
}

/* ---- names --------------------------------------------------------------- */

static double height_of(const scale *s, double value)
{
  const double height = s->linear ? (value - s->low) / (s->high - s->low)
                                  : log(value / s->low) / log(s->high / s->low);

  return fmin(1.0, fmax(0.0, height));
}

static void sort_by_height(const double *foot, size_t n, size_t *order)
{
  for (size_t i = 0; i < n; i++) {
    size_t j = i;

    for (; j > 0 && foot[i] < foot[order[j - 1]]; j--) order[j] = order[j - 1];
    order[j] = i;
  }
}

/* Separates overlapping names in several passes from the bottom up, so that
 * clusters are centred on their mean. */
static void separate_names(double *height, const size_t *order, size_t n,
                           double gap)
{
  for (size_t pass = 0; pass < 2 * n; pass++)
    for (size_t k = 1; k < n; k++) {
      double *below = &height[order[k - 1]], *above = &height[order[k]];
      const double short_of = gap - (*above - *below);

      if (short_of <= 0.0) continue;
      *below -= short_of / 2.0;
      *above += short_of / 2.0;
    }
}

/* Limits names to the range from the bottom to a little above the top. */
static void clamp_names(double *height, const size_t *order, size_t n,
                        double gap)
{
  double least = 0.015, most = NAMES_END;

  for (size_t k = 0; k < n; k++) {
    double *h = &height[order[k]];

    *h = fmax(*h, least);
    least = *h + gap;
  }
  for (size_t k = n; k-- > 0;) {
    double *h = &height[order[k]];

    *h = fmin(*h, most);
    most = *h - gap;
  }
}

/* ---- colours ------------------------------------------------------------- */

static bool outweighs(const curve *c, size_t i, size_t k)
{
  return c[i].weight > c[k].weight || (!(c[i].weight < c[k].weight) && i < k);
}

/* Returns the tint of the curve's type, or the next free tint. */
static size_t free_tint(const curve *c, const bool *taken)
{
  size_t tint = (c->type - 1) % INKS;

  while (taken[tint]) tint = (tint + 1) % INKS;
  return tint;
}

/* Chooses tints 1, 2, ... for coloured curves and 0 for all others. */
static void choose_tints(const curve *c, size_t n, size_t *tint)
{
  bool taken[INKS] = {false};

  for (size_t i = 0; i < n; i++) {
    size_t before = 0;

    tint[i] = 0;
    for (size_t k = 0; k < n; k++) before += k != i && outweighs(c, k, i);
    if (before >= COLOURED) continue;
    tint[i] = free_tint(&c[i], taken);
    taken[tint[i]++] = true;
  }
}

void put_curves(FILE *f, const curve *c, size_t n, const scale *s)
{
  double foot[CURVES_MAX], height[CURVES_MAX];
  size_t order[CURVES_MAX], tint[CURVES_MAX];
  const double room = n > 1 ? (NAMES_END - 0.015) / (double)(n - 1) : 1.0;
  const double gap = fmin(0.062, room);

  for (size_t i = 0; i < n; i++)
    height[i] = foot[i] = c[i].off ? 0.0 : height_of(s, c[i].last);
  sort_by_height(foot, n, order);
  separate_names(height, order, n, gap);
  clamp_names(height, order, n, gap);
  choose_tints(c, n, tint);
  fprintf(f,
          "curves = %zu\narray name[%zu]\narray type[%zu]\n"
          "array height[%zu]\narray foot[%zu]\narray off[%zu]\n"
          "array tint[%zu]\n",
          n, n, n, n, n, n, n);
  for (size_t i = 0; i < n; i++) {
    fprintf(f,
            "tint[%zu] = %zu\ntype[%zu] = %zu\nheight[%zu] = %.17g\nfoot[%zu] "
            "= %.17g\n"
            "off[%zu] = %d\nname[%zu] = ",
            i + 1, tint[i], i + 1, c[i].type, i + 1, height[i], i + 1, foot[i],
            i + 1, c[i].off, i + 1);
    gnuplot_text(f, c[i].name);
    putc('\n', f);
  }
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
