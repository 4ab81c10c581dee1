/* plan.c - the plan of a system, a workload and n GPUs, for any paradigm. */

#include "ground/ground.h"
#include "price/actions.h"
#include "price/collectives.h"
#include "price/phase.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

/* The host of a node has threads and barriers for that node's GPUs only. */
static void fill_nodes(gscale_plan *p, const gscale__machine *of, int n)
{
  p->network = of->network->nodes > 0;
  p->node = of->gpus;
  p->near = p->network && n > of->gpus ? of->gpus : n;
  p->nodes = (n - 1) / p->near + 1;
  p->net = of->network->link;
  p->rails = of->network->rails;
  p->sharing = fmax(1.0, of->network->shared);
  p->remote = *gscale__read_remote(p->source);
  p->power = *of->power;
}

/* Returns the host threads of a node.  A program's schedule may have more
 * threads than GPUs, so that threads share GPUs. */
static int threads_of(const gscale_plan *p)
{
  const int all = p->host.threads;
  const bool share = p->own && p->nodes < 2;

  return all > 0 && (all < p->near || share) ? all : p->near;
}

void gscale__plan_machine(gscale_plan *p, int n)
{
  const gscale__source *s = p->source;
  const gscale__machine of = gscale__machine_of(s);
  const gscale_host *h = gscale__read_host(s, n);

  p->n = n;
  p->beyond = n > of.built;
  fill_nodes(p, &of, n);
  p->own = gscale__program_find(gscale__read_schedules(s), n);
  memcpy(&p->host, h, sizeof p->host);
  if (p->own) gscale__program_host(p->own, &p->host);
  p->threads = threads_of(p);
  p->link = *of.link;
  p->goodput = gscale__coll_goodput(of.link);
  p->paged = gscale_wire_bytes(of.link, GSCALE_COPY, GSCALE__PAGE, false) /
             GSCALE__PAGE;
  p->wires = gscale__coll_wires_of(p->source);
  p->can = *of.can;
  p->norm = p->host_by * gscale__norm_kernel(s, h, n);
}

void gscale__plan_single(gscale_plan *one, int parts)
{
  const gscale__source *s = one->source;
  gscale_phase even, room;

  one->phases = gscale__machine_of(s).phases;
  for (size_t i = 0; i < one->phases; i++) {
    const gscale_phase *w = gscale__read_phase_on(s, i, 1, &room);

    one->phase[i] = (gscale__phase_plan){.repeats = w->repeats};
    if (parts > 1) {
      even = *w;
      even.compute_max = 1.0; /* one GPU has no imbalance */
      w = &even;
    }
    gscale__fill_roofline(s, w, parts, &one->phase[i]);
  }
}

/* Finds the routes of phase i.  Returns the bit of the routes' askers if the
 * routes are copied from the earlier plan, else 0. */
static uint64_t route_phase(gscale_plan *p, size_t i,
                            const gscale__earlier *was,
                            gscale__traffic_room *room)
{
  const uint64_t routes = gscale__by_routes(i);
  gscale__phase_plan *f = &p->phase[i];
  const bool known = was->plan && gscale__sends(&was->plan->phase[i]);

  if (!gscale__sends(f)) return 0;
  if (known && (was->changed & routes) == 0) {
    gscale__copy_routes(&was->plan->phase[i], f);
    return routes;
  }
  const uint64_t before = gscale__asking(p, routes);
  gscale_phase scratch;
  gscale__route_traffic(p->source,
                        gscale__read_phase_on(p->source, i, p->n, &scratch),
                        p->n, room, f);
  gscale__asking(p, before);
  return 0;
}

/* Returns the number of copies queued in the busiest stream, at least one.  A
 * blocking thread has one queue for all its GPUs. */
static double queued(const gscale_plan *p, const gscale__phase_plan *f)
{
  const double gpus =
      p->host.blocking ? gscale__ceil((double)p->near / p->threads) : 1.0;

  return gpus * gscale__max(1.0, f->copies / p->host.streams);
}

static uint64_t fill_phase(gscale_plan *p, size_t i, double factor,
                           const gscale__earlier *was,
                           gscale__traffic_room *room)
{
  const gscale__source *s = p->source;
  gscale_phase here, scratch;
  const gscale_phase *w = gscale__read_phase_on(s, i, p->n, &here);
  const double footprint = gscale__footprint(w, p->n);
  const bool publishes = p->own && p->own->publishes;
  gscale__phase_plan *f = &p->phase[i];

  *f = (gscale__phase_plan){.repeats =
                                publishes ? p->own->publish[i] : w->repeats};
  gscale__fill_roofline(s, w, p->n, f);
  f->start *= p->host_by;
  gscale__fill_publish(s, gscale__published_phase(p->own, w, i, &scratch), p->n,
                       f);
  f->queued = queued(p, f);
  const uint64_t kept = route_phase(p, i, was, room);
  gscale__scale_work(f, factor, gscale__other_limit(s, w, p->n, f, factor));
  f->boundary *= factor;
  p->largest_footprint = fmax(p->largest_footprint, footprint);
  p->smallest_footprint = fmin(p->smallest_footprint, footprint);
  return kept;
}

void gscale__plan_phases(gscale_plan *p, double factor,
                         const gscale__earlier *was, gscale__traffic_room *room)
{
  uint64_t kept = 0;

  p->paths = gscale__coll_paths_of(p->source, p->n, p->near, room);
  p->phases = gscale__machine_of(p->source).phases;
  p->largest_footprint = 0.0;
  p->smallest_footprint = INFINITY;
  for (size_t i = 0; i < p->phases; i++)
    kept |= fill_phase(p, i, factor, was, room);
  for (size_t i = 0; kept != 0 && i < GSCALE__ASKED; i++)
    p->by[i] |= was->plan->by[i] & kept;
}

bool gscale__same_plan(const gscale_plan *a, const gscale_plan *b)
{
  const size_t from = offsetof(gscale_plan, n),
               to = offsetof(gscale_plan, phase) +
                    a->phases * sizeof(gscale__phase_plan);

  return gscale__same_program(a, b) && a->forms.form == b->forms.form &&
         a->phases == b->phases &&
         memcmp((const char *)a + from, (const char *)b + from, to - from) == 0;
}

int gscale_plan_gpus(const gscale_plan *p)
{
  return p->n;
}

double gscale_plan_host_by(const gscale_plan *p)
{
  return p->host_by;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
