/* apply.c - transfer of the posterior of a system's parameters to the
 * system. */

#include "learn/posterior/posterior.h"

#include <math.h>

static const double LITTLE = 0.02; /* least correlation to store */

static gscale_status apply_one(const latent *l, const gscale_learned *n,
                               gscale_system *s, gscale_diag *diag)
{
  const size_t id = l->entry->id;

  if (l->entry->kind == GSCALE__OF_PARAM)
    return gscale_system_set(s, (gscale_param_id)id, &n->posterior, diag);
  gscale__move(l->entry, n->posterior.val, s, NULL, NULL);
  return gscale_system_doubt_topology(s, s->doubt[id].field, &n->posterior,
                                      diag);
}

/* Stores all correlations above LITTLE between updated parameters. */
static gscale_status correlate(const gscale_posterior *p, gscale_system *s,
                               gscale_diag *diag)
{
  gscale_status st = GSCALE_OK;

  for (size_t i = 0; i < p->of_system; i++)
    for (size_t j = 0; j < i && st == GSCALE_OK; j++) {
      const gscale__entry *a = p->latent[i].entry, *b = p->latent[j].entry;
      const gscale_correlation c = {(gscale_param_id)b->id,
                                    (gscale_param_id)a->id,
                                    gscale_posterior_correlation(p, i, j)};

      if (p->learned[i].moved && p->learned[j].moved && fabs(c.r) > LITTLE &&
          a->kind == GSCALE__OF_PARAM && b->kind == GSCALE__OF_PARAM)
        st = gscale_system_correlate(s, &c, diag);
    }
  return st;
}

/* Stores the range of steps that the runs cover, without steps that cannot be
 * planned. */
static gscale_status cover(const gscale_posterior *p, gscale_system *s,
                           gscale_diag *diag)
{
  gscale_status st = GSCALE_OK;

  for (size_t c = 0; st == GSCALE_OK && c < p->cells; c++) {
    const cell *now = &p->cell[c];
    const gscale_workload *w = p->instance[now->instance].w;
    gscale_plan *plan = NULL;

    if (gscale_plan_new(&p->base, w, now->gpus, &plan, NULL) != GSCALE_OK)
      continue;
    for (size_t k = 0; st == GSCALE_OK && k < now->n; k++) {
      const gscale_cover one = {p->run[p->order[now->first + k]].paradigm,
                                now->gpus, now->gpus,
                                now->gpus * plan->smallest_footprint,
                                now->gpus * plan->largest_footprint};
      st = gscale_system_cover(s, &one, diag);
    }
    gscale_plan_free(plan);
  }
  return st;
}

gscale_status gscale_posterior_apply(const gscale_posterior *p,
                                     gscale_system *s, gscale_diag *diag)
{
  gscale_system fitted = *s;

  for (size_t l = 0; l < p->of_system; l++) {
    const gscale_status st =
        p->learned[l].moved
            ? apply_one(&p->latent[l], &p->learned[l], &fitted, diag)
            : GSCALE_OK;
    if (st != GSCALE_OK) return st;
  }
  *s = fitted;
  const gscale_status st = cover(p, s, diag);
  return st == GSCALE_OK ? correlate(p, s, diag) : st;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
