/* widening.c - how much further the model is off where less is known. */

#include "describe/described.h"
#include "ground/ground.h"

#include <math.h>
#include <string.h>

const gscale_widening gscale_widening_none = {
    .tail = {1.959963984540054, 0.0, GSCALE_DERIVED, "normal distribution",
             GSCALE_BY_ORIGIN},
    .measured = 1};

typedef struct bounds { /* of one of its numbers */
  const char *name;
  const gscale_param *p;
  double least, most;
} bounds;

static gscale_status check(const bounds *b, gscale_diag *diag)
{
  if (b->p->val >= b->least && b->p->val <= b->most && b->p->err >= 0.0 &&
      isfinite(b->p->err))
    return GSCALE_OK;
  return gscale__fail(diag, GSCALE_EDOMAIN, "%s: %g +/- %g is not in %g .. %g",
                      b->name, b->p->val, b->p->err, b->least, b->most);
}

gscale_status gscale_system_set_widening(gscale_system *s,
                                         const gscale_widening *w,
                                         gscale_diag *diag)
{
  const double most = 1e3; /* times the discrepancy: beyond it is no estimate */
  const bounds all[] = {
      {"machine", &w->machine, 0.0, most},
      {"link", &w->link, 0.0, most},
      {"growth", &w->growth, 0.0, most},
      {"nodes", &w->nodes, 0.0, most},
      {"compute", &w->compute, 0.0, most},
      {"tail", &w->tail, 1.0, most},
      {"ways", &w->ways, -1.0, 1.0},
      {"numbers", &w->numbers, -1.0, 1.0},
      {"machines", &w->machines, -1.0, 1.0},
  };

  for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
    const gscale_status st = check(&all[i], diag);
    if (st != GSCALE_OK) return st;
  }
  if (w->measured < 1)
    return gscale__fail(diag, GSCALE_EDOMAIN, "measured: %d GPUs", w->measured);
  s->widening = *w;
  return GSCALE_OK;
}

const gscale_widening *gscale_system_widening(const gscale_system *s)
{
  return &s->widening;
}

void gscale_system_is_exact(gscale_system *s)
{
  s->exact = true;
}

void gscale_system_borrow_discrepancies(gscale_system *s)
{
  s->borrowed = true;
}

gscale_widened gscale_system_widened(const gscale_system *s, int n)
{
  const gscale_widening *w = &s->widening;
  const bool own = s->exact || (s->off && s->off->n > 0 && !s->borrowed);
  const int known = own && s->calibrated > 0 ? s->calibrated : w->measured;
  const bool between = s->network.nodes > 0 && n > s->gpus;
  const int node = between ? s->gpus : n; /* as many GPUs has a node */
  const int nodes = between ? (n + s->gpus - 1) / s->gpus : 1;
  gscale_widened out = {.own = own,
                        .measured = own || s->calibrated > 0,
                        .kept = s->exact || !s->swapped};

  if (!out.own) out.machine = w->machine.val;
  if (!out.kept) out.link = w->link.val;
  if (node > known) out.doublings = log2((double)node / known);
  out.growth = w->growth.val * sqrt(out.doublings);
  if (!s->exact)
    out.nodes = w->nodes.val * hypot(1.0, out.machine) * sqrt(log2(nodes));
  out.factor = sqrt(1.0 + out.machine * out.machine + out.link * out.link +
                    out.growth * out.growth);
  return out;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
