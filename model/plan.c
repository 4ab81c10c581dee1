/* plan.c - (system, workload, n) -> everything that no paradigm changes. */

#include "internal.h"
#include "object.h"

#include <math.h>
#include <stdlib.h>

/* ---- compute ---------------------------------------------------------------
 */

static double footprint_of(const gscale_phase *w, int n)
{
  return w->footprint * gscale_share(w->units, n, w->serial);
}

/* The roofline of one phase on the busiest of n GPUs. */
static void fill_roofline(const gscale_system *s, const gscale_phase *w, int n,
                          gscale__phase_plan *f)
{
  const double share = gscale_share(w->units, n, w->serial);
  const double membw = s->param[GSCALE_DEVICE_MEMBW].val *
                       gscale_curve_at(&s->membw, footprint_of(w, n));

  f->flop_leg = w->flop * share / s->param[GSCALE_DEVICE_FLOPS].val;
  f->memory_leg = w->bytes * share / membw;
  f->start = w->kernels * s->param[GSCALE_DEVICE_START].val;
  f->kernels = w->kernels;
  f->compute = fmax(f->flop_leg, f->memory_leg) + f->start;
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
  for (size_t i = 0; i < w->phases; i++) {
    gscale__phase_plan f;
    gscale__legs l;
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

static void scale_work(gscale__phase_plan *f, double factor)
{
  f->flop_leg *= factor;
  f->memory_leg *= factor;
  f->compute = fmax(f->flop_leg, f->memory_leg) + f->start;
}

/* ---- traffic ---------------------------------------------------------------
 */

/* Bytes GPU i produces for all others when units are dealt out evenly. */
static double produced(const gscale_phase *w, int n, int i)
{
  const double each = floor(w->units / n);
  const double more = fmod(w->units, n); /* the first GPUs have one more */
  return w->publish * (each + (i < more ? 1.0 : 0.0)) / w->units;
}

static void traffic_of(const gscale_phase *w, int n, double *bytes)
{
  const int active = w->units < n ? (int)w->units : n;

  for (int i = 0; i < n * n; i++) bytes[i] = 0.0;
  for (int i = 0; i < active; i++) {
    if (w->to == GSCALE_TO_ALL)
      for (int j = 0; j < n; j++)
        if (j != i) bytes[i * n + j] = produced(w, n, i);
    if (w->to == GSCALE_TO_NEIGHBOURS) {
      if (i > 0) bytes[i * n + i - 1] = w->publish;
      if (i < active - 1) bytes[i * n + i + 1] = w->publish;
    }
  }
}

/* What the busiest GPU and all GPUs together send. */
static void fill_counts(const gscale_phase *w, int n, gscale__phase_plan *f)
{
  const int active = w->units < n ? (int)w->units : n;
  const double faces = active < 3 ? active - 1 : 2;

  if (w->to == GSCALE_TO_ALL && n > 1) {
    f->piece = produced(w, n, 0);
    f->local = f->piece;
    f->destinations = n - 1;
    f->all = w->publish * (n - 1);
    f->copies_all = (double)active * (n - 1) * w->copies;
  } else if (w->to == GSCALE_TO_NEIGHBOURS && n > 1) {
    f->piece = w->publish;
    f->local = faces * w->publish;
    f->destinations = 1.0;
    f->all = 2.0 * (active - 1) * w->publish;
    f->copies_all = 2.0 * (active - 1) * w->copies;
  }
  f->out = f->local * f->destinations;
  f->copy = f->piece / w->copies;
  f->copies = f->piece > 0.0 ? f->out / f->copy : 0.0;
}

static void fill_publish(const gscale_system *s, const gscale_phase *w, int n,
                         double *scratch, gscale__phase_plan *f)
{
  f->to = w->to;
  f->store = w->store;
  f->masked = w->masked || w->store < s->link.unit;
  f->rewrites = w->rewrites;
  f->read = w->read;
  f->block = w->block;
  f->ready = w->ready;
  fill_counts(w, n, f);
  if (!(f->out > 0.0)) return;

  traffic_of(w, n, scratch);
  f->route = gscale_route_busiest(s->topology, n, scratch,
                                  s->param[GSCALE_LINK_DUPLEX].val) /
             f->out;

  gscale__phase_plan one;
  fill_roofline(s, w, 1, &one);
  f->bounded = w->boundary > 0.0;
  f->boundary = f->local / f->piece * w->boundary * (one.compute - one.start);
}

/* ---- the plan ---------------------------------------------------------------
 */

static void fill_machine(gscale_plan *p, const gscale_system *s,
                         const gscale_workload *w, int n)
{
  p->n = n;
  p->beyond = n > s->gpus;
  p->threads = w->threads > 0 && w->threads < n ? w->threads : n;
  p->streams = w->streams;
  p->link = s->link;
  for (size_t id = 0; id < GSCALE_PARAM_END; id++) p->p[id] = s->param[id].val;
}

static double infinite_time(const gscale_plan *p)
{
  double t = 0.0;

  for (size_t i = 0; i < p->phases; i++) {
    gscale__legs l;
    gscale__compute_only(p, &p->phase[i], &l);
    t += p->phase[i].repeats * (fmax(l.host, l.lead + l.compute) + l.sync);
  }
  return t;
}

static void fill(gscale_plan *p, const gscale_system *s,
                 const gscale_workload *w, int n, double *scratch)
{
  fill_machine(p, s, w, 1);
  const double factor = measured_factor(s, w, p);

  fill_machine(p, s, w, n);
  p->phases = w->phases;
  p->largest_footprint = 0.0;
  p->smallest_footprint = INFINITY;
  for (size_t i = 0; i < w->phases; i++) {
    gscale__phase_plan *f = &p->phase[i];
    const double footprint = footprint_of(&w->phase[i], n);
    *f = (gscale__phase_plan){.repeats = w->phase[i].repeats};
    fill_roofline(s, &w->phase[i], n, f);
    fill_publish(s, &w->phase[i], n, scratch, f);
    scale_work(f, factor);
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

static gscale_status refuse(const gscale_system *s, const gscale_workload *w,
                            int n, gscale_diag *diag)
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
                        "%s: single: its phases need flop or bytes, to divide "
                        "the time among them",
                        w->name);
  if (!fits(s, w, n))
    return gscale__fail(diag, GSCALE_ESIZE,
                        "%s on %d GPUs does not fit device.memory of %s "
                        "(%.4g GB each)",
                        w->name, n, s->name,
                        s->param[GSCALE_DEVICE_MEMORY].val / 1e9);
  return GSCALE_OK;
}

gscale_status gscale_plan_new(const gscale_system *s, const gscale_workload *w,
                              int n, gscale_plan **out, gscale_diag *diag)
{
  const gscale_status st = refuse(s, w, n, diag);
  if (st != GSCALE_OK) return st;

  gscale_plan *p = malloc(sizeof *p);
  double *scratch = malloc((size_t)n * (size_t)n * sizeof *scratch);
  if (!p || !scratch) {
    free(p);
    free(scratch);
    return gscale__fail(diag, GSCALE_ENOMEM, "no memory for a plan");
  }

  p->baseline = 1;
  while (!fits(s, w, p->baseline)) p->baseline++;
  fill(p, s, w, p->baseline, scratch);
  p->infinite_baseline = infinite_time(p);
  if (n != p->baseline) fill(p, s, w, n, scratch);
  p->infinite = infinite_time(p);

  free(scratch);
  *out = p;
  return GSCALE_OK;
}

void gscale_plan_free(gscale_plan *p)
{
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
