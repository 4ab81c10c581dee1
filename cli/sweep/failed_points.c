/* failed_points.c - counts points without an answer, with reasons. */

#include "sweep/failed_points.h"

#include <stdio.h>

void gaps_add(gaps *g, size_t of, size_t n, const char *why)
{
  struct gap *one = &g->of[of];

  if (n > 0 && one->n == 0)
    snprintf(one->reason, sizeof one->reason, "%.*s", GSCALE_TEXT_MAX - 1, why);
  one->n += n;
}

static void say_gap(const struct gap *g)
{
  if (g->n > 0)
    print_note("no row for %zu point%s: %s", g->n, PLURAL(g->n), g->reason);
}

void gaps_note(const gaps *g)
{
  for (size_t i = 0; i <= PARADIGMS_MAX; i++) say_gap(&g->of[i]);
}

void gaps_send(gaps *g, FILE *f)
{
  for (size_t i = 0; i <= PARADIGMS_MAX; i++) {
    if (g->of[i].n == 0) continue;
    fwrite(&i, sizeof i, 1, f);
    fwrite(&g->of[i], sizeof g->of[i], 1, f);
    g->of[i] = (struct gap){0};
  }
}

void gaps_take(gaps *g, passage *p)
{
  size_t i;
  struct gap one;

  while (passage_take(p, &i, sizeof i) && passage_take(p, &one, sizeof one))
    gaps_add(g, i, one.n, one.reason);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
