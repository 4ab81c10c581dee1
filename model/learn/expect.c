/* expect.c - predicted time and error of a measured collective or copy. */

#include "learn/recipe/lines.h"
#include "price/collectives.h"
#include "price/costs.h"

#include <math.h>
#include <string.h>

/* The relative difference between tools that time the same copy, such as 376
 * and 393 GB/s of one link.  The time of a small copy, except the time of its
 * bytes, depends on the host. */
static const double COPY_OFF = 0.05, HOST_OFF = 0.1, SMALL_COPY_OFF = 0.25;
static const double MOST_SMALL = 1048576.0; /* B */

/* The relative step of a parameter whose effect on a time is asked. */
static const double STEP = 0.01;

/* The most GPUs of a host.  Larger nodes are racks of several hosts. */
enum {
  HOST_MOST = 16
};

static bool kind_of(const gscale_measurement *r, gscale_coll_kind *kind)
{
  for (size_t i = 0; i < GSCALE__COLL_BENCHES; i++) {
    const size_t n = strlen(gscale__coll_benches[i].bench);
    if (strncmp(r->bench, gscale__coll_benches[i].bench, n) == 0 &&
        (!r->bench[n] || strcmp(r->bench + n, "_gate") == 0)) {
      *kind = gscale__coll_benches[i].kind;
      return (strcmp(r->access, "kernel") == 0 ||
              strcmp(r->access, "in-place") == 0) &&
             r->gpus >= 2 && r->size > 0.0;
    }
  }
  return false;
}

/* ---- copies -------------------------------------------------------------- */

static double by_host(const bench_run *b, const gscale_measurement *r)
{
  return gscale__value(b, GSCALE_COPY_INITIATION) +
         r->size / gscale__value(b, GSCALE_STAGED_PINNED);
}

/* In a stream of copies, such as the window of osu_bw, the start of a copy is
 * during the one before. */
static double by_engine(const bench_run *b, const gscale_measurement *r)
{
  const double duplex =
      strstr(r->bench, "_duplex") ? gscale__value(b, GSCALE_LINK_DUPLEX) : 2.0;
  const double start = gscale__value(b, GSCALE_COPY_INITIATION);
  const double wire = 2.0 / duplex * gscale__pair_route(b, GSCALE_COPY, r) *
                      gscale__wire_time(b, GSCALE_COPY, r->size, false) /
                      gscale__value(b, GSCALE_COPY_EFFICIENCY);

  return r->inflight > 1.0 ? fmax(start, wire) : start + wire;
}

static double staged(const bench_run *b, const gscale_measurement *r)
{
  return gscale__value(b, GSCALE_STAGED_INITIATION) +
         (r->size + fmin(r->size, gscale__value(b, GSCALE_STAGED_BUFFER))) /
             gscale__value(b, GSCALE_STAGED_RATE);
}

/* Returns the time of a row, or NaN if it is none of these. */
static double copy_time(const bench_run *b, const gscale_measurement *r)
{
  const char *const bench = r->bench;

  if (strncmp(bench, "net_", 4) == 0) return gscale__net_time(b, r);
  if (strcmp(bench, "membw") == 0)
    return gscale__value(b, GSCALE_DEVICE_START) +
           r->size / gscale__value(b, GSCALE_DEVICE_MEMBW);
  if (strcmp(bench, "dma_pageable") == 0)
    return r->size / gscale__value(b, GSCALE_STAGED_PAGEABLE);
  if (strcmp(bench, "staged_copy") == 0 ||
      (strcmp(bench, "dma") == 0 && b->s->can.peer == GSCALE_PEER_NONE))
    return staged(b, r);
  if (strncmp(bench, "dma", 3) != 0 || strstr(bench, "_all")) return NAN;
  if (strncmp(bench, "dma_pinned", 10) != 0 || gscale__by_pcie(b))
    return by_engine(b, r);
  return strstr(bench, "_duplex") ? NAN : by_host(b, r);
}

static double copy_off(const gscale_measurement *r)
{
  return r->size < MOST_SMALL                       ? SMALL_COPY_OFF
         : strncmp(r->bench, "dma_pinned", 10) == 0 ? HOST_OFF
                                                    : COPY_OFF;
}

/* ---- calls --------------------------------------------------------------- */

/* Reads the system, with the library version of a row if version > 0. */
static gscale__source *source_of(gscale__source_room *room,
                                 const gscale_system *s, double version)
{
  gscale__source *source = gscale__source_in(room, s, NULL);

  if (version > 0.0) gscale__put(source, GSCALE_COLL_VERSION, version);
  return source;
}

/* A collective call to predict. */
typedef struct query {
  gscale_coll_call call;
  int nodes;
  int threads;                    /* that issue it; 0: unknown */
  double version;                 /* 0: the system's */
  gscale_coll_algorithm by;       /* MPI, END: NCCL */
  gscale_coll_protocol protocol;  /* END: any */
  const gscale_measurement *copy; /* in place of the call, or NULL */
} query;

/* Returns the time of consecutive calls, each issued once the host has issued
 * the one before. */
static double answer(const gscale_system *s, const query *a,
                     gscale_coll_choice *way)
{
  *way = (gscale_coll_choice){.total = NAN};
  if (a->copy) return copy_time(&(bench_run){.s = (gscale_system *)s}, a->copy);
  gscale__source_room kept;
  const gscale__source *source = source_of(&kept, s, a->version);
  const gscale__coll_wires wires = gscale__coll_wires_of(source);
  const int near = a->call.n / a->nodes;
  const double goodput = gscale__coll_goodput(&s->link);
  gscale__traffic_room room;

  if (!gscale__traffic_room_open(&room, near)) return way->total;
  const gscale__coll_paths paths =
      gscale__coll_paths_of(source, near, near, &room);
  gscale__traffic_room_close(&room);
  const gscale__coll_site at = {
      &wires,           &paths,
      goodput,          a->nodes > 1 ? near : s->gpus,
      s->network.rails, a->nodes > 1 ? (double)near / s->gpus : 1.0};
  *way = gscale__coll_price(source, &at, &a->call, a->by, a->protocol);
  return a->threads > 0
             ? fmax(way->total,
                    gscale__coll_issue(source, near,
                                       (a->threads - 1) / a->nodes + 1))
             : way->total;
}

/* The parameters on which the time of a query depends. */
typedef struct span {
  size_t first, last;
} span;

static span span_of(const query *a)
{
  if (a->copy) return (span){0, GSCALE_PARAM_END - 1};
  return a->by == GSCALE_COLL_MPI
             ? (span){GSCALE_MPI_START, GSCALE_MPI_GPU_NET_RATE}
             : (span){GSCALE_STAGED_RATE, GSCALE_COLL_NET_RATE};
}

/* Returns the change of the time if a parameter changes by d, or 0. */
static double effect(gscale_system *s, const query *a, double time,
                     gscale_param_id id, double d)
{
  const double value = gscale_system_get(s, id)->val;
  gscale_coll_choice way;

  gscale__param_move(s, id, value + d);
  const double moved = answer(s, a, &way) - time;
  gscale__param_move(s, id, value);
  return isfinite(moved) ? moved : 0.0;
}

/* Returns the error of the time from the errors of all parameters. */
static double propagate(const gscale_system *s, const query *a, double time)
{
  const span of = span_of(a);
  gscale_system with = *s;
  double sum = 0.0;

  for (size_t id = of.first; id <= of.last; id++) {
    const double err = gscale_system_get(s, id)->err;
    if (err > 0.0 && id != GSCALE_COLL_VERSION)
      sum += pow(effect(&with, a, time, (gscale_param_id)id, err), 2.0);
  }
  return sqrt(sum);
}

static const gscale_expected none = {
    .kind = GSCALE_COLL_KIND_END,
    .way = {.algorithm = GSCALE_COLL_ALGORITHM_END,
            .protocol = GSCALE_COLL_PROTOCOL_END},
    .time = NAN};

/* Returns the relative error of MPI's model, which is known on two nodes.  Each
 * doubling of nodes adds the residual of a program's messages. */
static double mpi_off(const gscale_system *s, const gscale__source *source,
                      int nodes)
{
  const double more = nodes > 2 ? sqrt(log2(0.5 * nodes)) : 0.0;

  return hypot(gscale__read(source, GSCALE_MPI_OFF), s->residuals.nodes * more);
}

static gscale_expected expected(const gscale_system *s, const query *a)
{
  const gscale_coll_call *c = &a->call;
  const bool mpi = a->by == GSCALE_COLL_MPI;
  gscale__source_room room;

  if (c->kind >= GSCALE_COLL_KIND_END || !(c->bytes > 0.0) || c->n < 2 ||
      a->nodes < 1 || c->n % a->nodes != 0 ||
      (c->n / a->nodes > s->gpus && !s->grows))
    return none;
  const gscale__source *source = source_of(&room, s, a->version);
  gscale_expected e = {.kind = c->kind, .bytes = c->bytes, .nodes = a->nodes};

  if (a->nodes > 1 &&
      (mpi ? s->network.nodes == 0
           : !(gscale__read(source, GSCALE_COLL_NET_RATE) > 0.0)))
    return none;
  e.time = answer(s, a, &e.way);
  e.err = hypot(propagate(s, a, e.time),
                e.time * (mpi ? mpi_off(s, source, a->nodes)
                              : gscale_coll_off(s, c->bytes, a->nodes)));
  return e;
}

static const query by_nccl = {.by = GSCALE_COLL_ALGORITHM_END,
                              .protocol = GSCALE_COLL_PROTOCOL_END};

static gscale_expected expected_copy(const gscale_system *s, const query *a)
{
  const gscale_measurement *const r = a->copy;
  gscale_expected e = none;
  gscale_coll_choice way;

  e.time = answer(s, a, &way);
  if (!isfinite(e.time)) return none;
  e.err = hypot(propagate(s, a, e.time), copy_off(r) * e.time);
  e.bytes = r->size * r->count;
  e.nodes = strcmp(r->dst, "nodes") == 0 ? 2 : 1;
  return e;
}

/* Returns the call or the copy of a row. */
static query query_of(const gscale_system *s, const gscale_measurement *r)
{
  const bool apart = strcmp(r->dst, "nodes") == 0;
  gscale_coll_kind kind;
  query a = by_nccl;

  a.version = r->version;
  if (!strstr(r->bench, "_gate")) a.threads = (int)r->threads;
  a.nodes = !apart ? 1
            : r->inflight > 1.0 && s->gpus <= HOST_MOST
                ? (int)r->inflight
                : (r->gpus - 1) / s->gpus + 1;
  if (kind_of(r, &kind))
    a.call = gscale__coll_call(kind, r);
  else if (gscale__mpi_call(r, &a.call, &a.protocol))
    a.by = GSCALE_COLL_MPI;
  if (a.call.n == 0 || (!apart && strcmp(r->dst, "all") != 0))
    a = (query){.copy = r};
  return a;
}

gscale_expected gscale_expect(const gscale_system *s,
                              const gscale_measurement *r)
{
  const query a = query_of(s, r);
  gscale_expected e = a.copy ? expected_copy(s, &a) : expected(s, &a);

  e.measured = r->time;
  return e;
}

double gscale__row_time(const gscale_system *s, const gscale_measurement *r)
{
  const query a = query_of(s, r);
  gscale_coll_choice way;

  return answer(s, &a, &way);
}

void gscale__told(const gscale_system *s, const gscale_measurements *m,
                  gscale_calibration *out)
{
  gscale_system with = *s;
  const gscale_measurement *r;

  for (size_t i = 0; (r = gscale_measurements_at(m, i)); i++) {
    const query a = query_of(s, r);
    if (a.copy || strcmp(r->access, "in-place") == 0) continue;
    const gscale_expected e = expected(s, &a);
    const double off =
        hypot(gscale_coll_off(s, e.bytes, e.nodes), log(r->time / e.time));
    const span of = span_of(&a);
    for (size_t id = of.first; isfinite(e.time) && id <= of.last; id++) {
      const gscale_param *p = gscale_system_get(s, id);
      if (p->origin != GSCALE_MEASURED || !(p->err > 0.0)) continue;
      out->of[id].told +=
          pow(effect(&with, &a, e.time, (gscale_param_id)id, -STEP * p->val) /
                  (e.time * off * STEP * p->val),
              2.0);
    }
  }
}

double gscale_coll_bus(gscale_coll_kind kind, int n)
{
  const double others = (n - 1.0) / n;

  if (n < 1 || kind >= GSCALE_COLL_KIND_END) return NAN;
  if (kind == GSCALE_COLL_ALL_REDUCE) return 2.0 * others;
  return kind == GSCALE_COLL_ALL_GATHER || kind == GSCALE_COLL_REDUCE_SCATTER ||
                 kind == GSCALE_COLL_ALL_TO_ALL
             ? others
             : 1.0;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
