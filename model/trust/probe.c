/* probe.c - plans of a system whose numbers are tried at other values. */

#include "ground/ground.h"
#include "predict/prepare.h"

#include <stdlib.h>

/* What changed of the values that a plan is made of. */
typedef enum stale {
  NOTHING,
  COSTS, /* no more than what costs of schedules are made of */
  ALL    /* others, too */
} stale;

struct gscale_probe {
  gscale_system system;
  const gscale_workload *w;
  int n;
  gscale_system first_system; /* that the first plan was made of, */
  gscale__based first, now;   /* from which later ones borrow; NULL: none yet */
  stale stale;
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
  *p = (gscale_probe){
      .system = *s, .w = w, .n = n, .first_system = *s, .first = first};
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

bool gscale_probe_plans(gscale_param_id id)
{
  return gscale__plan_uses(id);
}

static gscale__based *current(gscale_probe *p)
{
  return p->now.plan ? &p->now : &p->first;
}

/* A value that only costs of schedules are made of: the kernels' time follows
 * them, too, where that of one GPU was measured, and what nobody measured
 * follows the host's launch. */
static bool is_cost(const gscale_probe *p, gscale_param_id id)
{
  return gscale__of_costs(id) && id != GSCALE_HOST_LAUNCH &&
         !p->first.plan->program && !(p->w->single.val > 0.0);
}

static void note_change(gscale_probe *p, gscale_param_id id)
{
  gscale__based *b = current(p);

  if (!gscale__plan_uses(id))
    b->plan->value[id] = p->system.param[id].val;
  else if (!is_cost(p, id))
    p->stale = ALL;
  else if (p->stale == NOTHING)
    p->stale = COSTS;
}

gscale_status gscale_probe_set(gscale_probe *p, gscale_param_id id,
                               double value, gscale_diag *diag)
{
  if (id >= GSCALE_PARAM_END)
    return gscale__fail(diag, GSCALE_ENAME, "no parameter %d", (int)id);

  gscale_param to = p->system.param[id];
  to.val = value;
  if (to.origin >= GSCALE_COUNTED) to.origin = GSCALE_ASSUMED;
  const gscale_status st = gscale_system_set(&p->system, id, &to, diag);
  if (st != GSCALE_OK) return st;
  note_change(p, id);
  return GSCALE_OK;
}

static gscale_status refresh(gscale_probe *p, gscale_diag *diag)
{
  gscale__based next = {NULL, NULL};

  if (p->stale == COSTS)
    return gscale__based_costs(current(p), &p->system, p->w, diag);
  const gscale_status st = gscale__based_again(&p->first, &p->first_system,
                                               &p->system, p->w, &next, diag);
  if (st != GSCALE_OK) return st;
  gscale__based_free(&p->now);
  p->now = next;
  return GSCALE_OK;
}

gscale_status gscale_probe_plan(gscale_probe *p, const gscale_plan **out,
                                gscale_diag *diag)
{
  if (p->stale != NOTHING) {
    const gscale_status st = refresh(p, diag);
    if (st != GSCALE_OK) return st;
    p->stale = NOTHING;
  }
  *out = current(p)->plan;
  return GSCALE_OK;
}

const gscale_system *gscale_probe_system(const gscale_probe *p)
{
  return &p->system;
}
