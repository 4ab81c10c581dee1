/* what_if.c - plans of a system with other values of its numbers. */

#include "ground/ground.h"
#include "predict/step.h"
#include "trust/perturb.h"

#include <stdlib.h>

struct gscale_probe {
  gscale_system system;
  const gscale_workload *w, *other; /* of the first plan; of the last */
  gscale__based first, now;         /* later plans borrow from the first */
  uint64_t left;                    /* bits of unused paradigms */
  bool set, moved;                  /* since the last plan */
};

gscale_status gscale_probe_new(const gscale_system *s, const gscale_workload *w,
                               int n, gscale_probe **out, gscale_diag *diag)
{
  gscale__based first;
  const gscale_status st = gscale__based_new(s, w, n, &first, diag);
  gscale_probe *p;

  if (st != GSCALE_OK) return st;
  p = malloc(sizeof *p);
  if (!p) {
    gscale__based_free(&first);
    return gscale__fail(diag, GSCALE_ENOMEM, "no memory for a probe");
  }
  *p = (gscale_probe){.system = *s, .w = w, .other = w, .first = first};
  *out = p;
  return GSCALE_OK;
}

void gscale_probe_free(gscale_probe *p)
{
  if (!p) return;
  gscale__based_free(&p->now);
  gscale__based_free(&p->first);
  free(p);
}

static gscale__based *current(gscale_probe *p)
{
  return p->now.plan ? &p->now : &p->first;
}

bool gscale_probe_plans(const gscale_probe *p, gscale_param_id id)
{
  const gscale__based *b = p->now.plan ? &p->now : &p->first;

  return id < GSCALE_PARAM_END &&
         ((b->plan->by[id] | (b->base ? b->base->by[id] : 0)) != 0 ||
          gscale__param_leads(&p->system, id));
}

/* Puts a parameter that the plan does not depend on. */
static void put(gscale__based *b, gscale_param_id id, double value)
{
  gscale__put(b->plan->source, id, value);
  if (b->base) gscale__put(b->base->source, id, value);
}

gscale_status gscale_probe_set(gscale_probe *p, gscale_param_id id,
                               double value, gscale_diag *diag)
{
  if (id >= GSCALE_PARAM_END)
    return gscale__fail(diag, GSCALE_ENAME, "no parameter %d", (int)id);

  const gscale_param to = {.val = value, .origin = GSCALE_ASSUMED};
  const gscale_status st = gscale_system_set(&p->system, id, &to, diag);
  if (st != GSCALE_OK) return st;
  if (gscale_probe_plans(p, id))
    p->set = true;
  else
    put(current(p), id, value);
  return GSCALE_OK;
}

void gscale_probe_ways(gscale_probe *p, const size_t *paradigm, size_t n)
{
  p->left =
      ((uint64_t)1 << gscale_paradigm_count()) - 2; /* all but `infinite` */
  for (size_t i = 0; i < n; i++) p->left &= ~((uint64_t)1 << paradigm[i]);
}

gscale_status gscale_probe_workload(gscale_probe *p, const gscale_workload *w,
                                    gscale_diag *diag)
{
  if (w->phases != p->w->phases)
    return gscale__fail(diag, GSCALE_EDOMAIN, "%s: %zu phases, not %zu",
                        w->name, w->phases, p->w->phases);
  p->other = w;
  p->set = p->moved = true;
  return GSCALE_OK;
}

static gscale_status refresh(gscale_probe *p, gscale_diag *diag)
{
  gscale__based next = {NULL, NULL};

  if (!p->moved && gscale__based_put(current(p), &p->system)) return GSCALE_OK;
  const gscale_status st = gscale__based_again(
      &p->first, &p->system, &p->system, p->w, p->other, p->left, &next, diag);
  if (st != GSCALE_OK) return st;
  gscale__based_free(&p->now);
  p->now = next;
  gscale__based_lend(&p->first, &p->now);
  return GSCALE_OK;
}

gscale_status gscale_probe_plan(gscale_probe *p, const gscale_plan **out,
                                gscale_diag *diag)
{
  if (p->set) {
    const gscale_status st = refresh(p, diag);
    if (st != GSCALE_OK) return st;
    p->set = p->moved = false;
  }
  *out = current(p)->plan;
  return GSCALE_OK;
}

gscale_status gscale_probe_uncertainty(gscale_probe *p, bool all,
                                       gscale_uncertainty **out,
                                       gscale_diag *diag)
{
  const gscale_plan *plan;
  const gscale_status st = gscale_probe_plan(p, &plan, diag);

  return st == GSCALE_OK
             ? gscale__uncertainty_of(&p->system, p->other, current(p)->plan,
                                      true, all, out, diag)
             : st;
}

const gscale_system *gscale_probe_system(const gscale_probe *p)
{
  return &p->system;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
