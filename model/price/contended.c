/* contended.c - contention among the accesses of a plan. */

#include "ground/ground.h"
#include "price/stage.h"

#include <math.h>

static double contention(const gscale_plan *p, gscale_param_id c3)
{
  return gscale_meeting(gscale__ask(p, c3), p->near);
}

double gscale__access_contention(const gscale_plan *p,
                                 const gscale__phase_plan *f,
                                 gscale_param_id c3)
{
  const bool all = f->to != GSCALE_TO_NEIGHBOURS;

  return all && f->order == GSCALE_TURNS_SAME ? contention(p, c3) : 1.0;
}

double gscale__concurrent_contention(const gscale_plan *p)
{
  return contention(p, GSCALE_COPY_CONTENDED);
}

double gscale__copy_contention(const gscale_plan *p,
                               const gscale__phase_plan *f, bool at_once)
{
  if (gscale__staged(p) || f->to == GSCALE_TO_NEIGHBOURS) return 1.0;
  return gscale__max(at_once ? gscale__concurrent_contention(p) : 1.0,
                     gscale__access_contention(p, f, GSCALE_COPY_SAME));
}

double gscale__ingress(const gscale_plan *p, const gscale__phase_plan *f)
{
  const double sides = 2.0, others = p->near - 1.0;
  const double senders =
      f->to == GSCALE_TO_NEIGHBOURS ? fmin(sides, others) : others;

  return gscale_ingress(gscale__ask(p, GSCALE_STORE_INGRESS),
                        gscale__ask(p, GSCALE_STORE_INGRESS_FEW),
                        fmax(1.0, senders));
}

/* ---- extrapolation ------------------------------------------------------- */

static bool is_contention(gscale_param_id id)
{
  return id == GSCALE_COPY_CONTENDED || id == GSCALE_COPY_SAME ||
         id == GSCALE_STORE_SAME || id == GSCALE_STORE_SAME_SMALL ||
         id == GSCALE_LOAD_SAME || id == GSCALE_ATOMIC_SAME ||
         id == GSCALE_ATOMIC_SAME_SMALL;
}

/* Returns the standard deviation of the ingress rate's relative change beyond
 * the `most` GPUs that were measured. */
static double ingress_error(const gscale_system *s, int n, int most)
{
  const double few = gscale_system_get(s, GSCALE_STORE_INGRESS_FEW)->val;
  const double known = 1.0 - few / (most - 1.0);

  return ((1.0 - few / (n - 1.0)) / known - 1.0) / sqrt(3.0);
}

gscale_param gscale__extrapolate(const gscale_system *s, gscale_param_id id,
                                 int n)
{
  gscale_param p = *gscale_system_get(s, id);
  const int most = s->calibrated;

  const bool known = p.origin == GSCALE_MEASURED || p.origin == GSCALE_FITTED;

  if (n <= most || most < 2 || !known) return p;
  if (is_contention(id)) /* d c3 = c3^2 d(1/c3 - 1) */
    p.err = hypot(p.err, p.val * (1.0 - p.val) * gscale_beyond(n, most));
  else if (id == GSCALE_STORE_INGRESS && isfinite(p.val))
    p.err = hypot(p.err, p.val * ingress_error(s, n, most));
  return p;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
