/* whole.c - recipes that fit and conclude in one call. */

#include "recipe.h"

#include <math.h>

bool gscale__solve_term(bench_run *b, gscale_param_id id, size_t j,
                        const char *benches)
{
  const bool solved = gscale__solve(b, id, benches);

  if (solved) gscale__conclude_term(b, id, j);
  return solved;
}

bool gscale__solve_inverse(bench_run *b, gscale_param_id id, size_t j,
                           const char *benches)
{
  const bool solved = gscale__solve(b, id, benches);

  if (solved) gscale__conclude_inverse(b, id, j);
  return solved;
}

void gscale__solve_both(bench_run *b, gscale_param_id first,
                        gscale_param_id second, const char *benches)
{
  if (gscale__solve_term(b, first, 0, benches))
    gscale__conclude_term(b, second, 1);
  else
    gscale__copy_note(b, second, first);
}

void gscale__constant(bench_run *b, gscale_param_id id, wanted w, double factor)
{
  gscale__begin(b, 1);
  gscale__add_items(b, w, factor);
  gscale__solve_term(b, id, 0, w.bench);
}

void gscale__per_second(bench_run *b, gscale_param_id id, wanted w)
{
  gscale__begin(b, 1);
  EACH_ROW (b, &w, r) gscale__add_row(b, r, &r->count);
  gscale__solve_inverse(b, id, 0, w.bench);
}

/* Fits the efficiency of dense accesses of a warp, which fill whole packets. */
void gscale__dense(bench_run *b, gscale_param_id id, wanted w)
{
  const double line = 128.0; /* B */
  const double packet = fmin(b->s->link.store_payload, line);

  gscale__begin(b, 1);
  EACH_ROW (b, &w, r) {
    const double packets = r->size * r->count / packet;
    const double x = gscale__pair_route(b, GSCALE_STORE, r) * packets *
                     gscale__wire_time(b, GSCALE_STORE, packet, false);
    gscale__add_row(b, r, &x);
  }
  gscale__solve_inverse(b, id, 0, w.bench);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
