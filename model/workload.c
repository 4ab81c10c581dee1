/* workload.c - what a program does in one step. */

#include "internal.h"
#include "object.h"
#include "predict/program.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void gscale__copy_text(char *to, size_t size, const char *from)
{
  size_t n = strlen(from);
  if (n >= size) n = size - 1;
  memcpy(to, from, n);
  to[n] = '\0';
}

void gscale_phase_init(gscale_phase *p, const char *name)
{
  *p = (gscale_phase){
      .repeats = 1,
      .units = 1,
      .kernels = 1,
      .to = GSCALE_TO_NONE,
      .copies = 1,
      .compute_max = 1,
      .egress_max = 1,
      .ingress_max = 1,
      .over = 1,
      .fetch = 128,
      .stores = {.n = 1, .size = {128}, .share = {1}},
      .rewrites = 1,
      .read = 1,
      .block = 4096,
      .ready = gscale_profile_linear,
      .origin = GSCALE_DERIVED,
  };
  gscale__copy_text(p->name, sizeof p->name, name);
}

gscale_workload *gscale_workload_new(const char *name)
{
  gscale_workload *w = calloc(1, sizeof *w);
  if (!w) return NULL;

  gscale__copy_text(w->name, sizeof w->name, name);
  w->single.origin = GSCALE_MEASURED;
  w->streams = 1;
  return w;
}

void gscale_workload_free(gscale_workload *w)
{
  if (w) gscale__program_free(w->program);
  free(w);
}

static const char *const patterns[GSCALE_PATTERN_END] = {
    [GSCALE_TO_NONE] = "none",
    [GSCALE_TO_NEIGHBOURS] = "neighbours",
    [GSCALE_TO_ALL] = "all",
    [GSCALE_TO_RANDOM] = "random",
    [GSCALE_TO_PARTITION] = "partition",
    [GSCALE_TO_SUBSCRIBERS] = "subscribers",
};

const char *gscale_pattern_name(gscale_pattern p)
{
  return p < GSCALE_PATTERN_END ? patterns[p] : NULL;
}

static const struct {
  const char *name;
  gscale_param_id rate;
} precisions[GSCALE_PRECISION_END] = {
    [GSCALE_FP32] = {"fp32", GSCALE_DEVICE_FLOPS},
    [GSCALE_FP64] = {"fp64", GSCALE_DEVICE_FLOPS_FP64},
    [GSCALE_FP64_TENSOR] = {"fp64_tensor", GSCALE_DEVICE_FLOPS_FP64_TENSOR},
    [GSCALE_TF32] = {"tf32", GSCALE_DEVICE_FLOPS_TF32},
    [GSCALE_FP16] = {"fp16", GSCALE_DEVICE_FLOPS_FP16},
    [GSCALE_FP8] = {"fp8", GSCALE_DEVICE_FLOPS_FP8},
};

const char *gscale_precision_name(gscale_precision p)
{
  return p < GSCALE_PRECISION_END ? precisions[p].name : NULL;
}

gscale_param_id gscale_precision_rate(gscale_precision p)
{
  return p < GSCALE_PRECISION_END ? precisions[p].rate : GSCALE_PARAM_END;
}

typedef struct rule { /* a field's domain */
  const char *field;
  double value, least, most;
  bool open; /* least itself is excluded */
} rule;

static const double ROUNDING = 1e-9; /* of sums that must be 1 */

static gscale_status check_stores(const gscale_phase *p, gscale_diag *diag)
{
  const gscale_stores *s = &p->stores;
  double sum = 0.0;

  if (s->n < 1 || s->n > GSCALE_STORES_MAX)
    return gscale__fail(diag, GSCALE_EDOMAIN, "%s: stores: not 1 to %d kinds",
                        p->name, (int)GSCALE_STORES_MAX);
  for (size_t i = 0; i < s->n; i++) {
    if (!(s->size[i] > 0.0) || !isfinite(s->size[i]) || !(s->share[i] >= 0.0))
      return gscale__fail(diag, GSCALE_EDOMAIN,
                          "%s: stores: size %g B, share %g", p->name,
                          s->size[i], s->share[i]);
    sum += s->share[i];
  }
  if (!(fabs(sum - 1.0) < ROUNDING))
    return gscale__fail(diag, GSCALE_EDOMAIN,
                        "%s: stores: shares add up to %g, not 1", p->name, sum);
  return GSCALE_OK;
}

static gscale_status check_subscribers(const gscale_phase *p, gscale_diag *diag)
{
  double sum = 0.0;

  for (size_t i = 0; i < GSCALE_MESH_MAX; i++) {
    if (!(p->subscribers[i] >= 0.0))
      return gscale__fail(diag, GSCALE_EDOMAIN,
                          "%s: subscribers: share %g of %zu", p->name,
                          p->subscribers[i], i + 1);
    sum += p->subscribers[i];
  }
  if (sum > 1.0 + ROUNDING)
    return gscale__fail(diag, GSCALE_EDOMAIN,
                        "%s: subscribers: shares add up to %g, more than 1",
                        p->name, sum);
  if (p->to == GSCALE_TO_SUBSCRIBERS && !(sum > 0.0))
    return gscale__fail(diag, GSCALE_EDOMAIN, "%s: subscribers: none are given",
                        p->name);
  return GSCALE_OK;
}

static gscale_status check_joins(const gscale_phase *p, gscale_diag *diag)
{
  double sum = 0.0;

  for (size_t i = 0; i < GSCALE_JOINS; i++) {
    if (!(p->joins.share[i] >= 0.0))
      return gscale__fail(diag, GSCALE_EDOMAIN,
                          "%s: joins: share %g of class %zu", p->name,
                          p->joins.share[i], i + 1);
    sum += p->joins.share[i];
  }
  if (sum > 1.0 + ROUNDING)
    return gscale__fail(diag, GSCALE_EDOMAIN,
                        "%s: joins: shares add up to %g, more than 1", p->name,
                        sum);
  return GSCALE_OK;
}

static gscale_status check_extras(const gscale_phase *p, gscale_diag *diag)
{
  if (p->extras > GSCALE_EXTRAS_MAX)
    return gscale__fail(diag, GSCALE_EDOMAIN, "%s: extra: more than %d",
                        p->name, (int)GSCALE_EXTRAS_MAX);
  for (size_t i = 0; i < p->extras; i++) {
    const gscale_extra *e = &p->extra[i];
    if (gscale_paradigm_find(e->paradigm) == gscale_paradigm_count())
      return gscale__fail(diag, GSCALE_ENAME, "%s: extra: no paradigm '%s'",
                          p->name, e->paradigm);
    if (!(e->kernels >= 0.0) || !(e->flop >= 0.0) || !(e->bytes >= 0.0) ||
        !isfinite(e->kernels + e->flop + e->bytes))
      return gscale__fail(diag, GSCALE_EDOMAIN,
                          "%s: extra: %s: %g kernels, %g flop, %g B", p->name,
                          e->paradigm, e->kernels, e->flop, e->bytes);
  }
  return GSCALE_OK;
}

gscale_status gscale_workload_add(gscale_workload *w, const gscale_phase *p,
                                  gscale_diag *diag)
{
  const double inf = INFINITY;
  const rule rules[] = {
      {"repeats", p->repeats, 0, inf, true},
      {"units", p->units, 1, inf, false},
      {"serial", p->serial, 0, 1, false},
      {"kernels", p->kernels, 1, inf, false},
      {"flop", p->flop, 0, inf, false},
      {"bytes", p->bytes, 0, inf, false},
      {"footprint", p->footprint, 0, inf, false},
      {"publish", p->publish, 0, inf, false},
      {"copies", p->copies, 1, inf, false},
      {"over", p->over, 1, inf, false},
      {"compute_max", p->compute_max, 1, inf, false},
      {"egress_max", p->egress_max, 1, inf, false},
      {"ingress_max", p->ingress_max, 1, inf, false},
      {"chain", p->chain, 0, inf, false},
      {"gather", p->gather, 0, inf, false},
      {"stay", p->stay, 0, p->chain, false},
      {"far", p->far, 0, p->chain, false},
      {"spread", p->spread, 0, inf, false},
      {"fetch", p->fetch, 0, inf, true},
      {"loads", p->loads, 0, inf, false},
      {"calls.launches", p->calls.launches, 0, inf, false},
      {"calls.copies", p->calls.copies, 0, inf, false},
      {"calls.events", p->calls.events, 0, inf, false},
      {"rewrites", p->rewrites, 1, inf, false},
      {"read", p->read, 0, 1, false},
      {"block", p->block, 0, inf, true},
      {"boundary", p->boundary, 0, 1, false},
  };

  for (size_t i = 0; i < sizeof rules / sizeof *rules; i++) {
    const rule *r = &rules[i];
    const bool low = r->open ? !(r->value > r->least) : !(r->value >= r->least);
    if (low || !(r->value <= r->most) || !isfinite(r->value))
      return gscale__fail(diag, GSCALE_EDOMAIN, "%s: %s: %g is not %s %g%s",
                          p->name, r->field, r->value,
                          r->open ? ">" : ">=", r->least,
                          r->most < inf ? " and <= 1" : "");
  }
  if (floor(p->units) != p->units)
    return gscale__fail(diag, GSCALE_EDOMAIN, "%s: units: %g is not whole",
                        p->name, p->units);
  if (p->to >= GSCALE_PATTERN_END || p->origin >= GSCALE_ORIGIN_END)
    return gscale__fail(diag, GSCALE_EDOMAIN, "%s: pattern or origin", p->name);
  if (p->precision >= GSCALE_PRECISION_END)
    return gscale__fail(diag, GSCALE_EDOMAIN, "%s: precision: %d", p->name,
                        (int)p->precision);
  if (!gscale_profile_ok(&p->ready))
    return gscale__fail(diag, GSCALE_EDOMAIN,
                        "%s: ready: must rise from {0,0} to {1,1}", p->name);
  gscale_status st = check_stores(p, diag);
  if (st == GSCALE_OK) st = check_subscribers(p, diag);
  if (st == GSCALE_OK) st = check_joins(p, diag);
  if (st == GSCALE_OK) st = check_extras(p, diag);
  if (st != GSCALE_OK) return st;
  if (w->phases == GSCALE__PHASES_MAX)
    return gscale__fail(diag, GSCALE_ESIZE, "%s: more than %d phases", w->name,
                        GSCALE__PHASES_MAX);

  w->phase[w->phases++] = *p;
  return GSCALE_OK;
}

gscale_status gscale_workload_set_single(gscale_workload *w, gscale_param time,
                                         gscale_diag *diag)
{
  if (!(time.val >= 0.0) || !isfinite(time.val) || !(time.err >= 0.0) ||
      !isfinite(time.err))
    return gscale__fail(diag, GSCALE_EDOMAIN,
                        "%s: single: %g s +- %g s is no time", w->name,
                        time.val, time.err);
  w->single = time;
  return GSCALE_OK;
}

gscale_status gscale_workload_set_host(gscale_workload *w, int threads,
                                       int streams, gscale_diag *diag)
{
  if (threads < 0 || threads > GSCALE__GPUS_MAX)
    return gscale__fail(diag, GSCALE_EDOMAIN, "%s: threads: %d", w->name,
                        threads);
  if (streams < 1 || streams > GSCALE__GPUS_MAX)
    return gscale__fail(diag, GSCALE_EDOMAIN, "%s: streams: %d", w->name,
                        streams);
  w->threads = threads;
  w->streams = streams;
  return GSCALE_OK;
}

const char *gscale_workload_name(const gscale_workload *w)
{
  return w->name;
}

size_t gscale_workload_phases(const gscale_workload *w)
{
  return w->phases;
}

const gscale_phase *gscale_workload_phase(const gscale_workload *w, size_t i)
{
  return i < w->phases ? &w->phase[i] : NULL;
}

double gscale_workload_single(const gscale_workload *w)
{
  return w->single.val;
}

/* From firm to weak. */
static int weakness(gscale_origin o)
{
  static const gscale_origin order[] = {GSCALE_SPEC,    GSCALE_COUNTED,
                                        GSCALE_DERIVED, GSCALE_MEASURED,
                                        GSCALE_ASSUMED, GSCALE_FITTED};
  int i = 0;
  while (order[i] != o) i++;
  return i;
}

gscale_origin gscale_workload_origin(const gscale_workload *w)
{
  gscale_origin weakest = w->single.val > 0.0 ? w->single.origin : GSCALE_SPEC;

  for (size_t i = 0; i < w->phases; i++)
    if (weakness(w->phase[i].origin) > weakness(weakest))
      weakest = w->phase[i].origin;
  return weakest;
}
