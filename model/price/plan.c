/* plan.c - (system, workload, n) -> everything that no paradigm changes. */

#include "describe/program.h"
#include "ground/ground.h"
#include "price/blocks.h"
#include "price/collectives.h"
#include "price/traffic.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

/* ---- compute ------------------------------------------------------------ */

static double footprint_of(const gscale_phase *w, int n)
{
  return w->footprint * gscale_share(w->units, n, w->serial);
}

/* Share of the busiest GPU: of whole units, or by the imbalance that the
 * workload states. */
static double busiest_share(const gscale_phase *w, int n)
{
  const double share = gscale_share(w->units, n, w->serial);
  return n > 1 ? fmin(1.0, share * w->compute_max) : share;
}

static double membw_of(const gscale_system *s, const gscale_phase *w, int n)
{
  return s->param[GSCALE_DEVICE_MEMBW].val *
         gscale_curve_at(&s->membw, footprint_of(w, n));
}

static double flops_of(const gscale_system *s, const gscale_phase *w)
{
  return s->param[gscale_precision_rate(w->precision)].val;
}

/* The roofline of one phase on the busiest of n GPUs, and its calls. */
static void fill_roofline(const gscale_system *s, const gscale_phase *w, int n,
                          gscale__phase_plan *f)
{
  const double share = busiest_share(w, n);

  f->filling = gscale__filling(s, w, share);
  f->flop_leg =
      w->flop > 0.0 ? w->flop * share * f->filling / flops_of(s, w) : 0.0;
  f->memory_leg = w->bytes * share / membw_of(s, w, n);
  f->start = w->fixed + w->kernels * s->param[GSCALE_DEVICE_START].val +
             gscale__path_time(s, w, footprint_of(w, n));
  f->kernels = w->kernels;
  f->calls = w->calls;
  f->compute = fmax(f->flop_leg, f->memory_leg) + f->start;
}

/* What is computed besides where whole pieces are moved. */
static void fill_packing(const gscale_system *s, const gscale_phase *w, int n,
                         gscale__phase_plan *f)
{
  const gscale_packing *p = &w->pack;
  const double share = busiest_share(w, n);
  const double rate =
      p->flop > 0.0 ? flops_of(s, w) : s->param[GSCALE_DEVICE_FLOPS].val;

  f->pack_launches = p->kernels;
  f->pack = gscale_kernel_time(p->flop * share, rate, p->bytes * share,
                               membw_of(s, w, n),
                               p->kernels * s->param[GSCALE_DEVICE_START].val);
}

void gscale__plan_single(gscale_plan *one, const gscale_system *s,
                         const gscale_workload *w)
{
  one->phases = w->phases;
  for (size_t i = 0; i < w->phases; i++) {
    one->phase[i] = (gscale__phase_plan){.repeats = w->phase[i].repeats};
    fill_roofline(s, &w->phase[i], 1, &one->phase[i]);
  }
}

/* A kernel that takes `factor` times its roofline is held up by something else
 * as well (latency, instructions), which does not shrink when a smaller share
 * fits in a cache.  Where the roofline falls by `gain` more than the share,
 * such a kernel falls by
 *
 *   max(1, gain / factor)
 *
 * more: all of it at the roofline, nothing if the cache's rate is further above
 * it than the kernel was.  Between the two it is an interpolation of ours, that
 * agrees with the runs of data/. */
static double other_leg(const gscale_system *s, const gscale_phase *w, int n,
                        const gscale__phase_plan *f, double factor)
{
  gscale__phase_plan one = {0};

  if (!(factor > 1.0)) return 0.0;
  fill_roofline(s, w, 1, &one);
  const double roof = fmax(f->flop_leg, f->memory_leg);
  const double share = busiest_share(w, n) * f->filling / one.filling *
                       fmax(one.flop_leg, one.memory_leg);
  return factor * fmin(share, factor * roof);
}

/* The memory is busy as long as its roofline says, whatever the kernel takes.
 */
static void scale_work(gscale__phase_plan *f, double factor, double other)
{
  const double busy = f->memory_leg;

  f->flop_leg = fmax(other, f->flop_leg * factor);
  f->memory_leg *= factor;
  f->compute = fmax(f->flop_leg, f->memory_leg) + f->start;
  f->busy = f->compute > 0.0 ? fmin(1.0, busy / f->compute) : 0.0;
}

/* ---- what is published -------------------------------------------------- */

/* Who all turn to one GPU meet at its port: not where each comes by a link of
 * its own, and not where a bus is all that binds. */
static gscale_turns order_on(const gscale_fabric *f, gscale_turns order)
{
  const bool meet = f->kind != GSCALE_MESH && f->kind != GSCALE_BUS;

  return meet ? order : GSCALE_TURNS_ROTATED;
}

/* What a phase makes of what it publishes, and of what others do. */
static void fill_publish(const gscale_system *s, const gscale_phase *w, int n,
                         gscale__phase_plan *f)
{
  f->to = w->reduce > 0.0 ? GSCALE_TO_ALL : w->to;
  f->order = order_on(&s->fabric, w->order);
  f->agent_block = w->agent_block;
  f->agent_loads = w->agent_loads;
  f->ratio = gscale_stores_ratio(&w->stores, &s->link);
  f->packets = gscale_stores_packets(&w->stores, &s->link,
                                     s->param[GSCALE_STORE_LINE].val);
  f->wide =
      gscale_stores_wide(&w->stores, &s->link, s->param[GSCALE_STORE_LINE].val);
  f->touched = fmax(footprint_of(w, n), w->publish);
  f->rewrites = w->rewrites;
  f->read = w->read;
  f->store_size = gscale_stores_mean(&w->stores);
  f->spread = w->spread;
  f->reuse = w->reuse;
  f->stride = w->stride;
  f->joins = w->joins;
  f->fetch = w->fetch;
  f->loads = w->loads;
  f->prefetch = w->prefetch;
  f->atomic = w->atomic;
  f->peer = s->can.peer;
  f->coll.kind = GSCALE_COLL_KIND_END;
  gscale__count_traffic(w, n, f);
  if (f->out > 0.0) gscale__coll_fill(w, n, f);
  if (s->network.nodes > 0) gscale__split_traffic(w, n, s->gpus, f);
  gscale__fill_blocks(s, w, footprint_of(w, n), gscale__leaving(w, n),
                      busiest_share(w, n), f);
  if (!gscale__sends(f)) return;

  if (w->reduce > 0.0) f->adding = (n - 1.0) * w->reduce / membw_of(s, w, n);
  fill_packing(s, w, n, f);

  gscale__phase_plan one = {0};
  fill_roofline(s, w, 1, &one);
  f->bounded = gscale__face(w) > 0.0;
  f->boundary = f->cuts * gscale__face(w) * (one.compute - one.start);
}

/* ---- the plan ----------------------------------------------------------- */

/* The kernel that finds the norm, of the busiest GPU's share. */
static double norm_of(const gscale_system *s, const gscale_workload *w, int n)
{
  const gscale_host *h = &w->host;
  const gscale_phase *last = &w->phase[w->phases - 1];

  if (!(h->norm.bytes + h->norm.flop > 0.0)) return 0.0;
  const double share = busiest_share(last, n);
  return gscale_kernel_time(
      h->norm.flop * share, flops_of(s, last), h->norm.bytes * share,
      s->param[GSCALE_DEVICE_MEMBW].val *
          gscale_curve_at(&s->membw, h->norm.bytes * share),
      s->param[GSCALE_DEVICE_START].val);
}

/* A host has the threads, and the barriers, of its own GPUs. */
static void fill_nodes(gscale_plan *p, const gscale_system *s, int n)
{
  p->network = s->network.nodes > 0;
  p->near = p->network && n > s->gpus ? s->gpus : n;
  p->nodes = (n - 1) / p->near + 1;
  p->net = s->network.link;
  p->rails = s->network.rails;
  p->remote = s->remote;
  p->power = s->power;
}

void gscale__plan_values(gscale_plan *p, const gscale_system *s)
{
  for (size_t id = 0; id < GSCALE_PARAM_END; id++)
    p->value[id] = s->param[id].val;
}

void gscale__plan_machine(gscale_plan *p, const gscale_system *s,
                          const gscale_workload *w, int n)
{
  p->n = n;
  p->beyond = n > gscale_system_gpus(s);
  fill_nodes(p, s, n);
  p->published = gscale__published(w, n);
  p->host = p->published ? gscale__published_host(p->published) : w->host;
  p->threads = p->host.threads > 0 && p->host.threads < p->near
                   ? p->host.threads
                   : p->near;
  p->link = s->link;
  p->goodput = gscale__coll_goodput(&s->link);
  p->can = s->can;
  gscale__plan_values(p, s);
  p->norm = norm_of(s, w, n);
}

/* True if nothing moved that ways between GPUs depend on. */
static bool same_ways(const gscale__before *was, const gscale_system *s)
{
  const double *now = &s->param[GSCALE_LINK_DUPLEX].val;

  return was->plan &&
         memcmp(now, &was->s->param[GSCALE_LINK_DUPLEX].val, sizeof *now) ==
             0 &&
         memcmp(&s->fabric, &was->s->fabric, sizeof s->fabric) == 0;
}

static void route_phase(const gscale_system *s, const gscale_workload *w,
                        size_t i, int n, const gscale__before *was,
                        gscale__traffic_room *room, gscale__phase_plan *f)
{
  if (!gscale__sends(f)) return;
  if (same_ways(was, s) &&
      memcmp(&w->phase[i], &was->w->phase[i], sizeof w->phase[i]) == 0)
    gscale__copy_routes(&was->plan->phase[i], f);
  else
    gscale__route_traffic(s, &w->phase[i], n, room, f);
}

void gscale__plan_phases(gscale_plan *p, const gscale_system *s,
                         const gscale_workload *w, int n, double factor,
                         const gscale__before *was, gscale__traffic_room *room)
{
  gscale__coll_place(p, s, n, room);
  p->phases = w->phases;
  p->largest_footprint = 0.0;
  p->smallest_footprint = INFINITY;
  for (size_t i = 0; i < w->phases; i++) {
    gscale__phase_plan *f = &p->phase[i];
    const double footprint = footprint_of(&w->phase[i], n);
    gscale_phase scratch;
    const gscale_phase *said =
        gscale__published_phase(p->published, w, i, &scratch);
    *f = (gscale__phase_plan){.repeats = p->published ? p->published->publish[i]
                                                      : w->phase[i].repeats};
    fill_roofline(s, &w->phase[i], n, f);
    fill_publish(s, said, n, f);
    route_phase(s, w, i, n, was, room, f);
    scale_work(f, factor, other_leg(s, &w->phase[i], n, f, factor));
    f->boundary *= factor;
    p->largest_footprint = fmax(p->largest_footprint, footprint);
    p->smallest_footprint = fmin(p->smallest_footprint, footprint);
  }
}

static bool fits(const gscale_system *s, const gscale_workload *w, int n)
{
  for (size_t i = 0; i < w->phases; i++)
    if (footprint_of(&w->phase[i], n) > s->param[GSCALE_DEVICE_MEMORY].val)
      return false;
  return true;
}

/* The first phase whose grid has no place for n GPUs; all have for one, which
 * has no neighbours. */
static const gscale_phase *no_grid(const gscale_workload *w, int n)
{
  int grid[GSCALE_DIMS_MAX];

  for (size_t i = 0; n > 1 && i < w->phases; i++)
    if (w->phase[i].to == GSCALE_TO_NEIGHBOURS &&
        !gscale_phase_grid(&w->phase[i], n, grid))
      return &w->phase[i];
  return NULL;
}

static bool has_kernel(const gscale_workload *w)
{
  for (size_t i = 0; i < w->phases; i++)
    if (w->phase[i].kernels > 0.0) return true;
  return false;
}

static bool has_work(const gscale_workload *w)
{
  for (size_t i = 0; i < w->phases; i++)
    if (w->phase[i].flop > 0.0 || w->phase[i].bytes > 0.0) return true;
  return false;
}

static bool has_flop(const gscale_phase *w)
{
  return w->flop > 0.0 || w->pack.flop > 0.0;
}

/* A phase that computes in what the system has no rate for. */
static gscale_status check_precision(const gscale_system *s,
                                     const gscale_workload *w,
                                     gscale_diag *diag)
{
  for (size_t i = 0; i < w->phases; i++) {
    const gscale_phase *f = &w->phase[i];
    const gscale_param_id rate = gscale_precision_rate(f->precision);
    if (has_flop(f) && !(s->param[rate].val > 0.0))
      return gscale__fail(diag, GSCALE_ENEED,
                          "%s: %s computes in %s: %s of %s is not known",
                          w->name, f->name, gscale_precision_name(f->precision),
                          gscale_param_info_at(rate)->name, s->name);
  }
  return GSCALE_OK;
}

gscale_status gscale_plan_check(const gscale_system *s,
                                const gscale_workload *w, int n,
                                gscale_diag *diag)
{
  const gscale_status st = gscale_system_check(s, diag);

  if (st != GSCALE_OK) return st;
  if (n < 1 || n > GSCALE__GPUS_MAX)
    return gscale__fail(diag, GSCALE_ESIZE, "%d GPUs: not in 1 .. %d", n,
                        GSCALE__GPUS_MAX);
  if (n > gscale_system_gpus(s) && !s->grows)
    return gscale__fail(diag, GSCALE_ESIZE,
                        "%s has %d GPUs and no rule to grow to %d", s->name,
                        gscale_system_gpus(s), n);
  if (w->phases == 0)
    return gscale__fail(diag, GSCALE_ENEED, "%s: no phases", w->name);
  if (!has_kernel(w))
    return gscale__fail(diag, GSCALE_ENEED, "%s: no phase has a kernel",
                        w->name);
  if (w->single.val > 0.0 && !has_work(w))
    return gscale__fail(diag, GSCALE_ENEED,
                        "%s: t1: its phases need flop or bytes, to divide "
                        "the time among them",
                        w->name);
  const gscale_phase *lost = no_grid(w, n);
  if (lost)
    return gscale__fail(diag, GSCALE_ESIZE,
                        "%s: %s: grid.gpus: {%g, %g, %g} is no grid of %d "
                        "GPUs",
                        w->name, lost->name, lost->grid[0], lost->grid[1],
                        lost->grid[2], n);
  if (s->network.nodes > 0 && n > s->gpus && gscale__any_published(w))
    return gscale__fail(diag, GSCALE_ESIZE,
                        "%s: %d GPUs are several nodes: a schedule of the "
                        "program's own says nothing of other nodes",
                        w->name, n);
  const gscale_status known = check_precision(s, w, diag);
  if (known != GSCALE_OK) return known;
  if (!fits(s, w, n))
    return gscale__fail(diag, GSCALE_ESIZE,
                        "%s on %d GPUs does not fit device.memory of %s "
                        "(%.4g GB each)",
                        w->name, n, s->name,
                        s->param[GSCALE_DEVICE_MEMORY].val / 1e9);
  return GSCALE_OK;
}

/* Rooflines and memory; the host, for the kernel time is what the measured step
 * has besides; routes; which stores count. */
bool gscale__plan_uses(gscale_param_id id)
{
  return id < GSCALE_LINK_RATE || gscale__of_costs(id) ||
         id == GSCALE_LINK_DUPLEX || id == GSCALE_STORE_LINE ||
         id == GSCALE_LOAD_LATENCY;
}

bool gscale__of_costs(gscale_param_id id)
{
  return (id >= GSCALE_HOST_LAUNCH && id < GSCALE_LINK_RATE) ||
         id == GSCALE_COPY_LATENCY || id == GSCALE_STAGED_LATENCY ||
         id == GSCALE_COLL_ISSUE;
}

size_t gscale__plan_size(size_t phases)
{
  return offsetof(gscale_plan, phase) + phases * sizeof(gscale__phase_plan);
}

int gscale__baseline_of(const gscale_system *s, const gscale_workload *w)
{
  int n = 1;

  while (!fits(s, w, n) || no_grid(w, n)) n++;
  return n;
}

int gscale_plan_gpus(const gscale_plan *p)
{
  return p->n;
}

int gscale_plan_baseline(const gscale_plan *p)
{
  return p->baseline;
}

bool gscale_plan_beyond(const gscale_plan *p)
{
  return p->beyond;
}
