/* probe.c - plans of a system whose numbers are tried at other values. */

#include "internal.h"
#include "predict/paradigm.h"

#include <stdlib.h>

struct gscale_probe {
  gscale_system system;
  const gscale_workload *w;
  int n;
  gscale_plan *plan; /* NULL: some value changed that it is made of */
};

gscale_status gscale_probe_new(const gscale_system *s, const gscale_workload *w,
                               int n, gscale_probe **out, gscale_diag *diag)
{
  gscale_plan *plan;
  const gscale_status st = gscale_plan_new(s, w, n, &plan, diag);
  gscale_probe *p;

  if (st != GSCALE_OK) return st;
  p = malloc(sizeof *p);
  if (!p) {
    gscale_plan_free(plan);
    return gscale__fail(diag, GSCALE_ENOMEM, "no memory for a probe");
  }
  *p = (gscale_probe){.system = *s, .w = w, .n = n, .plan = plan};
  *out = p;
  return GSCALE_OK;
}

void gscale_probe_free(gscale_probe *p)
{
  if (!p) return;
  gscale_plan_free(p->plan);
  free(p);
}

bool gscale_probe_plans(gscale_param_id id)
{
  return gscale__plan_uses(id);
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
  if (p->plan && !gscale__plan_uses(id)) {
    p->plan->value[id] = value;
    return GSCALE_OK;
  }
  gscale_plan_free(p->plan);
  p->plan = NULL;
  return GSCALE_OK;
}

gscale_status gscale_probe_plan(gscale_probe *p, const gscale_plan **out,
                                gscale_diag *diag)
{
  if (!p->plan) {
    const gscale_status st =
        gscale_plan_new(&p->system, p->w, p->n, &p->plan, diag);
    if (st != GSCALE_OK) return st;
  }
  *out = p->plan;
  return GSCALE_OK;
}

const gscale_system *gscale_probe_system(const gscale_probe *p)
{
  return &p->system;
}
