/* plan.c - (system, workload, n) -> everything that no paradigm changes. */

#include "internal.h"
#include "object.h"
#include "predict/program.h"
#include "predict/traffic.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>
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

/* The largest footprint at which the curve says that a cache answers most
 * loads: it is nearer to its best than to the memory's 1. */
static double cached_most(const gscale_curve *c)
{
  double best = 1.0, most = 0.0;

  for (size_t i = 0; i < c->n; i++) best = fmax(best, c->y[i]);
  for (size_t i = 0; i < c->n; i++)
    if (c->y[i] > (1.0 + best) / 2.0) most = c->x[i];
  return most;
}

/* Of an access to a place anywhere in so many bytes. */
static double latency_in(const gscale_system *s, double bytes)
{
  const bool cached = bytes <= cached_most(&s->membw);

  return s->param[cached ? GSCALE_DEVICE_CACHE_LATENCY : GSCALE_DEVICE_LATENCY]
      .val;
}

static double latency_of(const gscale_system *s, const gscale_phase *w, int n)
{
  return latency_in(s, footprint_of(w, n));
}

/* Of an access to what is published: a cache may hold that array, though not
 * all else that passes. */
static double far_latency(const gscale_system *s, const gscale_phase *w, int n)
{
  return w->gather > 0.0 ? latency_in(s, w->gather) : latency_of(s, w, n);
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

  f->flop_leg = w->flop > 0.0 ? w->flop * share / flops_of(s, w) : 0.0;
  f->memory_leg = w->bytes * share / membw_of(s, w, n);
  f->start = w->fixed + w->kernels * s->param[GSCALE_DEVICE_START].val +
             (w->chain - w->far) * latency_of(s, w, n) +
             w->far * far_latency(s, w, n);
  f->kernels = w->kernels;
  f->calls = w->calls;
  f->compute = fmax(f->flop_leg, f->memory_leg) + f->start;
}

/* What single paradigms compute besides. */
static void fill_extras(const gscale_system *s, const gscale_phase *w, int n,
                        gscale__phase_plan *f)
{
  const double share = busiest_share(w, n);

  for (size_t i = 0; i < w->extras; i++) {
    const double rate = w->extra[i].flop > 0.0
                            ? flops_of(s, w)
                            : s->param[GSCALE_DEVICE_FLOPS].val;
    const gscale_extra *e = &w->extra[i];
    const size_t paradigm = gscale_paradigm_find(e->paradigm);
    f->extra_launches[paradigm] += e->kernels;
    f->extra[paradigm] += gscale_kernel_time(
        e->flop * share, rate, e->bytes * share, membw_of(s, w, n),
        e->kernels * s->param[GSCALE_DEVICE_START].val);
  }
}

/* Factor on the rooflines so that one GPU takes the measured time:
 *
 *   single = sum repeats ( max(H, lead + factor work + start) + S )
 *
 * with H, lead and S the host's part at n = 1, so launches and waits are not
 * counted twice.  If the host alone accounts for `single`, the kernels hide
 * behind it and the measurement only bounds them from above. */
static double measured_factor(const gscale_system *s, const gscale_workload *w,
                              gscale_plan *one)
{
  double work = 0.0, start = 0.0, host = 0.0, sync = 0.0;

  if (!(w->single.val > 0.0)) return 1.0;
  if (one->program) {
    for (size_t i = 0; i < w->phases; i++)
      fill_roofline(s, &w->phase[i], 1, &one->phase[i]);
    return gscale__program_factor(one, w->single.val);
  }
  for (size_t i = 0; i < w->phases; i++) {
    gscale__phase_plan f = {0};
    gscale__stage l;
    const double repeats = w->phase[i].repeats;
    fill_roofline(s, &w->phase[i], 1, &f);
    gscale__compute_only(one, &f, &l);
    work += repeats * (f.compute - f.start);
    start += repeats * (l.lead + f.start);
    host += repeats * l.host;
    sync += repeats * l.sync;
  }

  const double device = w->single.val - sync;
  const double factor = (device - start) / work;
  if (device > host) return factor > 0.0 ? factor : 1.0;
  return factor > 0.0 && factor < 1.0 ? factor : 1.0;
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
  const double share = busiest_share(w, n) * fmax(one.flop_leg, one.memory_leg);
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

/* When in the kernel its blocks publish.  If those that do are blocks of their
 * own they are as many as their share of what is made. */
static void fill_order(const gscale_phase *w, int n, gscale__phase_plan *f)
{
  f->away = 1.0;
  f->ready = w->ready;
  if (!w->apart || n == 1) return;

  f->away = fmin(1.0, gscale__leaving(w, n));
  f->ready = (gscale_profile){3, {0.0, f->away, 1.0}, {0.0, 1.0, 1.0}};
}

/* What a phase makes of what it publishes, and of what others do. */
static void fill_publish(const gscale_system *s, const gscale_phase *w, int n,
                         gscale__phase_plan *f)
{
  f->to = w->to;
  f->ratio = gscale_stores_ratio(&w->stores, &s->link);
  f->packets = gscale_stores_packets(&w->stores, &s->link,
                                     s->param[GSCALE_STORE_LINE].val);
  f->rewrites = w->rewrites;
  f->read = w->read;
  f->store_size = gscale_stores_mean(&w->stores);
  f->spread = w->spread;
  f->reuse = w->reuse;
  f->stride = w->stride;
  f->joins = w->joins;
  f->fetch = w->fetch;
  f->loads = w->loads;
  f->stay = w->stay * latency_of(s, w, n);
  f->wait = w->far *
            fmax(0.0, s->param[GSCALE_LOAD_LATENCY].val - far_latency(s, w, n));
  f->atomic = w->atomic;
  f->block = w->block;
  f->peer = s->can.peer;
  gscale__count_traffic(w, n, f);
  fill_order(w, n, f);
  if (!(f->out > 0.0)) return;

  fill_extras(s, w, n, f);

  gscale__phase_plan one = {0};
  fill_roofline(s, w, 1, &one);
  f->bounded = w->boundary > 0.0;
  f->boundary = f->local / f->piece * w->boundary * (one.compute - one.start);
}

/* ---- the plan ----------------------------------------------------------- */

static void fill_machine(gscale_plan *p, const gscale_system *s,
                         const gscale_workload *w, int n)
{
  p->n = n;
  p->beyond = n > s->gpus;
  p->threads = w->threads > 0 && w->threads < n ? w->threads : n;
  p->streams = w->streams;
  p->link = s->link;
  p->can = s->can;
  for (size_t id = 0; id < GSCALE_PARAM_END; id++)
    p->value[id] = s->param[id].val;
}

static double infinite_time(const gscale_plan *p)
{
  double t = 0.0;

  if (p->program) return gscale__program_infinite(p);
  for (size_t i = 0; i < p->phases; i++) {
    gscale__stage l;
    gscale__compute_only(p, &p->phase[i], &l);
    t += p->phase[i].repeats * (fmax(l.host, l.lead + l.flow.compute) + l.sync);
  }
  return t;
}

/* The plan that was made before some numbers moved, and of what. */
typedef struct before {
  const gscale_plan *plan; /* or NULL: there is none */
  const gscale_system *s;
  const gscale_workload *w;
} before;

/* What a plan is made in. */
typedef struct room {
  before was;
  gscale__traffic_room traffic;
  double *matrix; /* n * n, of a workload that says its own schedule */
} room;

static bool open_room(room *r, const gscale_workload *w, int n)
{
  const size_t square = w->program ? (size_t)n * (size_t)n : 1;

  r->matrix = malloc(square * sizeof *r->matrix);
  if (r->matrix && gscale__traffic_room_open(&r->traffic, n)) return true;
  free(r->matrix);
  return false;
}

static void close_room(room *r)
{
  gscale__traffic_room_close(&r->traffic);
  free(r->matrix);
}

/* True if nothing moved that ways between GPUs depend on. */
static bool same_ways(const before *was, const gscale_system *s)
{
  const double *now = &s->param[GSCALE_LINK_DUPLEX].val;

  return was->plan &&
         memcmp(now, &was->s->param[GSCALE_LINK_DUPLEX].val, sizeof *now) ==
             0 &&
         memcmp(&s->fabric, &was->s->fabric, sizeof s->fabric) == 0;
}

static void route_phase(const gscale_system *s, const gscale_workload *w,
                        size_t i, int n, room *r, gscale__phase_plan *f)
{
  const before *was = &r->was;

  if (!(f->out > 0.0)) return;
  if (same_ways(was, s) &&
      memcmp(&w->phase[i], &was->w->phase[i], sizeof w->phase[i]) == 0)
    gscale__copy_routes(&was->plan->phase[i], f);
  else
    gscale__route_traffic(s, &w->phase[i], n, &r->traffic, f);
}

static void fill(gscale_plan *p, const gscale_system *s,
                 const gscale_workload *w, int n, room *r)
{
  fill_machine(p, s, w, 1);
  if (w->single.val > 0.0) gscale__program_place(p, s, w, 1, r->matrix);
  const double factor = measured_factor(s, w, p);

  fill_machine(p, s, w, n);
  gscale__program_place(p, s, w, n, r->matrix);
  p->phases = w->phases;
  p->largest_footprint = 0.0;
  p->smallest_footprint = INFINITY;
  for (size_t i = 0; i < w->phases; i++) {
    gscale__phase_plan *f = &p->phase[i];
    const double footprint = footprint_of(&w->phase[i], n);
    *f = (gscale__phase_plan){.repeats = w->phase[i].repeats};
    fill_roofline(s, &w->phase[i], n, f);
    fill_publish(s, &w->phase[i], n, f);
    route_phase(s, w, i, n, r, f);
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

static bool has_work(const gscale_workload *w)
{
  for (size_t i = 0; i < w->phases; i++)
    if (w->phase[i].flop > 0.0 || w->phase[i].bytes > 0.0) return true;
  return false;
}

static bool has_flop(const gscale_phase *w)
{
  bool any = w->flop > 0.0;

  for (size_t i = 0; i < w->extras; i++) any = any || w->extra[i].flop > 0.0;
  return any;
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
  if (n > s->gpus && !s->grows)
    return gscale__fail(diag, GSCALE_ESIZE,
                        "%s has %d GPUs and no rule to grow to %d", s->name,
                        s->gpus, n);
  if (w->phases == 0)
    return gscale__fail(diag, GSCALE_ENEED, "%s: no phases", w->name);
  if (w->single.val > 0.0 && !has_work(w))
    return gscale__fail(diag, GSCALE_ENEED,
                        "%s: t1: its phases need flop or bytes, to divide "
                        "the time among them",
                        w->name);
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

bool gscale__of_timelines(gscale_param_id id)
{
  return id >= GSCALE_HOST_GRAPH && id <= GSCALE_HAND_FAR;
}

/* Rooflines and memory; the host, for the kernel time is what the measured step
 * has besides; routes; which stores count. */
bool gscale__plan_uses(gscale_param_id id)
{
  return (id < GSCALE_LINK_RATE && !gscale__of_timelines(id)) ||
         id == GSCALE_LINK_DUPLEX || id == GSCALE_STORE_LINE ||
         id == GSCALE_LOAD_LATENCY;
}

size_t gscale__plan_size(size_t phases)
{
  return offsetof(gscale_plan, phase) + phases * sizeof(gscale__phase_plan);
}

/* The plan of the baseline, for its time alone, then that of n GPUs. */
static gscale_status fill_both(gscale_plan *p, const gscale_system *s,
                               const gscale_workload *w, int n,
                               gscale_diag *diag)
{
  const gscale_status st = gscale__program_open(p, w, n, diag);
  room r = {0};

  if (st != GSCALE_OK) return st;
  if (!open_room(&r, w, n))
    return gscale__fail(diag, GSCALE_ENOMEM, "no memory for a plan");
  fill(p, s, w, p->baseline, &r);
  p->infinite_baseline = infinite_time(p);
  if (n != p->baseline) fill(p, s, w, n, &r);
  p->infinite = infinite_time(p);
  close_room(&r);
  return GSCALE_OK;
}

/* That of n GPUs, most of whose ways are known. */
static gscale_status fill_again(gscale_plan *p, const gscale_system *s,
                                const gscale_workload *w, const before *was)
{
  const int n = was->plan->n;
  const gscale_status st = gscale__program_open(p, w, n, NULL);
  room r = {.was = *was};

  if (st != GSCALE_OK) return st;
  if (!open_room(&r, w, n)) return GSCALE_ENOMEM;
  fill(p, s, w, n, &r);
  p->infinite_baseline = was->plan->infinite_baseline;
  p->infinite = infinite_time(p);
  close_room(&r);
  return GSCALE_OK;
}

gscale_status gscale_plan_new(const gscale_system *s, const gscale_workload *w,
                              int n, gscale_plan **out, gscale_diag *diag)
{
  const gscale_status st = gscale_plan_check(s, w, n, diag);
  if (st != GSCALE_OK) return st;

  gscale_plan *p = calloc(1, gscale__plan_size(w->phases));
  if (!p) return gscale__fail(diag, GSCALE_ENOMEM, "no memory for a plan");

  p->baseline = 1;
  while (!fits(s, w, p->baseline)) p->baseline++;
  const gscale_status made = fill_both(p, s, w, n, diag);
  if (made != GSCALE_OK) {
    gscale_plan_free(p);
    return made;
  }
  if (!isfinite(p->infinite) || !isfinite(p->infinite_baseline)) {
    gscale_plan_free(p);
    return gscale__fail(diag, GSCALE_ENUMERIC,
                        "%s on %d GPUs of %s: no finite time: the compute or "
                        "the host's calls overflow",
                        w->name, n, s->name);
  }
  *out = p;
  return GSCALE_OK;
}

gscale_status gscale__plan_moved(const gscale_plan *plan,
                                 const gscale_system *s_was,
                                 const gscale_workload *w_was,
                                 const gscale_system *s,
                                 const gscale_workload *w, gscale_plan **out)
{
  const before was = {plan, s_was, w_was};
  const gscale_status st = gscale_plan_check(s, w, plan->n, NULL);
  if (st != GSCALE_OK) return st;

  gscale_plan *p = calloc(1, gscale__plan_size(w->phases));
  if (!p) return GSCALE_ENOMEM;

  p->baseline = plan->baseline;
  gscale_status made = fill_again(p, s, w, &was);
  if (made == GSCALE_OK && !isfinite(p->infinite)) made = GSCALE_ENUMERIC;
  if (made == GSCALE_OK)
    *out = p;
  else
    gscale_plan_free(p);
  return made;
}

void gscale_plan_free(gscale_plan *p)
{
  if (p) gscale__program_close(p);
  free(p);
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
