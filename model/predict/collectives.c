/* collectives.c - a system's parameters as what collectives are made by.
 *
 * LL sends a flag of 4 B with every 4 B, LL128 one of 8 B in every 128 B
 * [Nccl].  Adding up reads two numbers and writes one. */

#include "predict/collectives.h"

#include <math.h>

gscale_coll_machine gscale__coll_machine(const double *p, const gscale_link *l,
                                         int node)
{
  const double many = 1048576.0; /* B: whole packets */
  const double formatted =
      p[GSCALE_LINK_RATE] * gscale_goodput(l, GSCALE_STORE, many, false);

  return (gscale_coll_machine){
      .start = p[GSCALE_COLL_START],
      .by = {[GSCALE_COLL_LL] = {0.0, p[GSCALE_COLL_STEP],
                                 p[GSCALE_COLL_LL_RATE], 4.0 / 8.0},
             [GSCALE_COLL_LL128] = {0.0, p[GSCALE_COLL_FLAG_STEP],
                                    p[GSCALE_COLL_LL128_RATE], 120.0 / 128.0},
             [GSCALE_COLL_SIMPLE] = {p[GSCALE_COLL_SIMPLE_START],
                                     p[GSCALE_COLL_FLAG_STEP], (double)INFINITY,
                                     1.0}},
      .link = formatted * p[GSCALE_COLL_EFFICIENCY],
      .pair_start = p[GSCALE_COLL_PAIR_START],
      .channel = p[GSCALE_COLL_CHANNEL],
      .channels = p[GSCALE_COLL_CHANNELS],
      .in_switch = formatted * p[GSCALE_COLL_SWITCH],
      .add = p[GSCALE_DEVICE_MEMBW] / 3.0,
      .node = node,
  };
}

/* ---- routes -------------------------------------------------------------- */

/* GPU i to the next one, or to all others. */
static void pattern(int n, bool all, double *bytes)
{
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      bytes[i * n + j] = all ? i != j : j == (i + 1) % n && n > 1;
}

/* Bytes on the busiest resource / bytes that a GPU sends. */
static double route(const gscale_system *s, int n, bool all, double *scratch)
{
  pattern(n, all, scratch);
  return fmax(1.0, gscale_route_busiest(&s->fabric, n, scratch,
                                        s->param[GSCALE_LINK_DUPLEX].val,
                                        gscale__across(s, GSCALE_STORE)) /
                       (all ? n - 1.0 : 1.0));
}

/* Behind one switch two GPUs are as any number.  In a mesh the library builds
 * its rings along the links there are, all of which it uses. */
void gscale__coll_place(gscale_plan *p, const gscale_system *s, int n,
                        double *scratch)
{
  const int m = s->fabric.kind == GSCALE_SWITCH && n > 2 ? 2 : n;

  p->node = s->gpus;
  p->ring_route = p->all_route = 1.0;
  if (n < 2) return;
  if (s->fabric.kind != GSCALE_MESH)
    p->ring_route = route(s, m, false, scratch);
  p->all_route = route(s, m, true, scratch);
}

/* ---- of a plan ------------------------------------------------------------
 */

gscale_coll_choice gscale_plan_collective(const gscale_plan *p,
                                          gscale_coll_kind kind, double bytes,
                                          gscale_coll_algorithm a,
                                          gscale_coll_protocol by)
{
  const gscale_coll_machine m = gscale__coll_machine(p->p, &p->link, p->node);
  const gscale_coll_call c = {kind,          p->n,         bytes,
                              p->ring_route, p->all_route, false};

  return gscale_coll_best(&m, &c, a, by);
}

gscale_bytes gscale__coll_moved(const gscale_plan *p, gscale_coll_kind kind,
                                double bytes, const gscale_coll_choice *k)
{
  const gscale_coll_machine m = gscale__coll_machine(p->p, &p->link, p->node);
  const double useful =
      p->n * gscale_coll_traffic(kind, k->algorithm, p->n) * bytes;
  const double many = 1048576.0; /* B: whole packets */
  gscale_bytes b = {0};

  if (!(useful > 0.0)) return b;
  b.useful = useful;
  b.protocol = useful / m.by[k->protocol].payload /
                   gscale_goodput(&p->link, GSCALE_STORE, many, false) -
               useful;
  b.wire = b.useful + b.protocol;
  return b;
}
