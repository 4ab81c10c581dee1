/* actions.c - durations of the work that hosts issue, from a plan's numbers.
 *
 * A program's copy to another node is a message (between.h).  The duration of
 * the message is the time in which the busiest node sends all its messages at
 * once.  The model omits switches above the nodes. */

#include "price/actions.h"

#include "price/between.h"
#include "price/collectives.h"

static double membw(const gscale_plan *p)
{
  return gscale__ask(p, GSCALE_DEVICE_MEMBW);
}

/* ---- copies -------------------------------------------------------------- */

bool gscale__staged(const gscale_plan *p)
{
  return p->can.peer == GSCALE_PEER_NONE;
}

gscale__pace gscale__copies_pace(const gscale_plan *p, double bytes,
                                 double wire, gscale__concurrency by)
{
  if (gscale__staged(p))
    return (gscale__pace){.bytes = bytes,
                          .wire = bytes,
                          .rate = gscale__ask(p, GSCALE_STAGED_RATE) *
                                  gscale__ask(p, GSCALE_STAGED_ALL_ACTIVE),
                          .least = by.all / gscale__ask(p, GSCALE_STAGED_HOST)};
  return (gscale__pace){.bytes = bytes,
                        .wire = wire,
                        .longer = by.longer,
                        .rate = gscale__rate(p, GSCALE_COPY)};
}

double gscale__copy_time(const gscale__pace *by, double bytes, double route)
{
  if (by->longer > 0.0)
    return by->longer * bytes * route * (by->wire / by->bytes) / by->rate;
  return bytes * gscale__max(route / by->rate, by->least);
}

gscale__duration gscale__copy_duration(const gscale_plan *p,
                                       const gscale__pace *by, double copies,
                                       double route)
{
  if (!gscale__staged(p))
    return (gscale__duration){
        .initiation = copies * gscale__ask(p, GSCALE_COPY_INITIATION),
        .wire = by->longer * copies * route * by->wire / by->rate};
  const double first = fmin(by->bytes, gscale__ask(p, GSCALE_STAGED_BUFFER)) /
                       gscale__ask(p, GSCALE_STAGED_RATE);
  return (gscale__duration){
      .initiation = copies * gscale__ask(p, GSCALE_STAGED_INITIATION),
      .wire = copies * (gscale__copy_time(by, by->bytes, route) + first)};
}

/* One leg has the host's link to itself.  A staged copy has two, which share
 * the host's memory and wait for each other's buffers. */
gscale__duration gscale__host_copy_duration(const gscale_plan *p, double bytes,
                                            bool pageable)
{
  const double rate =
      gscale__ask(p, pageable ? GSCALE_STAGED_PAGEABLE : GSCALE_STAGED_PINNED);

  return (gscale__duration){
      .initiation = p->host_by * gscale__ask(p, GSCALE_COPY_INITIATION),
      .wire = bytes > p->link.copy_payload ? p->host_by * bytes / rate : 0.0};
}

/* ---- own actions --------------------------------------------------------- */

static gscale__duration copy_here(const gscale_plan *p, double bytes)
{
  return (gscale__duration){
      .initiation = p->host_by * gscale__ask(p, GSCALE_COPY_INITIATION),
      .wire = p->host_by * 2.0 * bytes / membw(p)};
}

/* gscale__program_needs() refuses systems without numbers of staged copies. */
static gscale__duration copy_to_gpu(const gscale_plan *p, double bytes,
                                    double route)
{
  const gscale__placed *at = &p->placed;
  const double longer = at->meets ? gscale__concurrent_contention(p) : 1.0;

  if (gscale__staged(p) && !(gscale__ask(p, GSCALE_STAGED_RATE) > 0.0))
    return (gscale__duration){0};
  const gscale__pace by = gscale__copies_pace(
      p, bytes, gscale_wire_bytes(&p->link, GSCALE_COPY, bytes, false),
      (gscale__concurrency){at->at_once, longer});
  return gscale__copy_duration(p, &by, 1.0, route);
}

/* A copy to another node is a message from GPU memory to GPU memory, as by
 * gpudirect.  All other GPUs of the sender's node send at the same time. */
static gscale__duration copy_to_node(const gscale_plan *p, double bytes)
{
  const gscale_path path = gscale__gpudirect(p);
  gscale_message m = gscale_path_message(&path, bytes);
  const gscale_sends s = {.messages = 1.0,
                          .bytes = bytes,
                          .node_messages = 1.0,
                          .node_bytes =
                              bytes * p->placed.far_node / p->placed.far_own};

  if (!(m.rate > 0.0))
    return (gscale__duration){0}; /* refused by check_written */
  m.messages = INFINITY;          /* all streams of a node send */
  const gscale_sent t = gscale_messages(&m, &s, gscale__rails(p, bytes));
  return (gscale__duration){
      .initiation = t.post, .latency = t.latency, .wire = t.transfer};
}

static gscale__duration copy(const gscale_plan *p, double bytes, int d)
{
  const gscale__placed *at = &p->placed;

  if (at->crosses && at->crosses[d]) return copy_to_node(p, bytes);
  return at->route && at->route[d] > 0.0 ? copy_to_gpu(p, bytes, at->route[d])
                                         : copy_here(p, bytes);
}

static gscale_coll_choice choice_of(const gscale_plan *p, const gscale_work *k)
{
  return gscale_plan_collective(p, k->coll, k->bytes, k->streamed, k->algorithm,
                                k->protocol);
}

static bool is_kernel(const gscale_work *k)
{
  return k->kind == GSCALE_LAUNCH || k->kind == GSCALE_GRAPH;
}

double gscale__kernel_share(const gscale_work *k)
{
  return is_kernel(k) ? k->share : 0.0;
}

static double phase_work(const gscale_plan *p, const gscale_work *k,
                         size_t phase, const double *kernels)
{
  return k->share * (kernels[phase] - p->phase[phase].start);
}

/* Returns a launch's share of the kernel time that does not depend on work. */
static double fixed_work(const gscale_plan *p, const gscale_work *k, size_t i)
{
  const gscale__phase_plan *f = &p->phase[i];

  return k->share * gscale__max(0.0, f->start - f->kernels * gscale__start(p));
}

/* Returns the number of SMs that a collective occupies, one for each channel.
 * NCCL uses as many channels as carry the rate of the path. */
static double held_by_collective(const gscale_plan *p)
{
  const double rate = gscale__staged(p)
                          ? gscale__ask(p, GSCALE_STAGED_RING)
                          : gscale__ask(p, GSCALE_LINK_RATE) *
                                gscale__ask(p, GSCALE_COLL_EFFICIENCY);

  return fmin(gscale__ask(p, GSCALE_COLL_CHANNELS),
              ceil(rate / gscale__ask(p, GSCALE_COLL_CHANNEL)));
}

/* Returns how many times longer a phase's kernels take on the SMs that a
 * collective leaves: as stated, by waves of blocks, or by the share that is
 * left, which kernels bound by memory lose as well
 * (data/h200x2/steps/beside.csv). */
static double beside_collective(const gscale_plan *p, size_t i)
{
  const gscale__phase_plan *f = &p->phase[i];
  const double channels = held_by_collective(p);
  size_t k = 0;

  while (k + 1 < GSCALE_BESIDE_MAX && f->beside[k + 1] >= 1.0 &&
         2 << k < channels)
    k++;
  if (f->beside[k] >= 1.0) return f->beside[k];
  const double most = 0.9; /* kernels keep a tenth of the SMs */
  const double sms = gscale__ask(p, GSCALE_DEVICE_SMS);
  const double held = fmin(most * sms, channels);
  return f->count > 0.0 && f->residents > 0.0
             ? gscale_waves_beside(f->count, f->residents, sms, held)
             : 1.0 / (1.0 - held / sms);
}

/* Adds the time of a launch's slowed kernels, alone and beside a collective. */
static void add_slowed(const gscale_plan *p, const gscale_work *k,
                       const double *kernels, double times, double *alone,
                       double *slowed)
{
  for (size_t i = k->phase; i <= k->phase + k->more; i++) {
    const double by = beside_collective(p, i);
    if (!(by > 1.0)) continue;
    const double work = phase_work(p, k, i, kernels) + fixed_work(p, k, i);
    *alone += times * work;
    *slowed += times * by * work;
  }
}

/* A launch has one start, however many kernels its phase has.  A graph has one
 * start for each of its phases, which run in sequence.  `overlap` is the share
 * of slowed kernels that runs beside collectives. */
static double kernel(const gscale_plan *p, const gscale_work *k,
                     const double *kernels, double overlap)
{
  double time = 0.0;

  for (size_t i = k->phase; i <= k->phase + k->more; i++) {
    const double by =
        overlap > 0.0 ? 1.0 + overlap * (beside_collective(p, i) - 1.0) : 1.0;
    time += by * (phase_work(p, k, i, kernels) + fixed_work(p, k, i)) +
            gscale__start(p);
  }
  return time;
}

/* Returns the latency that follows an event of another kind of work. */
static double handover_latency(const gscale_plan *p, const gscale__version *v,
                               int d)
{
  const int follows = d / v->works;

  return follows == GSCALE__FOLLOWS_KERNEL
             ? gscale__cost(p, GSCALE_COST_KERNEL_COPY)
         : follows == GSCALE__FOLLOWS_COPY
             ? gscale__cost(p, GSCALE_COST_COPY_KERNEL)
             : 0.0;
}

static gscale__duration duration_of(const gscale_plan *p, const gscale_work *k,
                                    int d, const double *kernels,
                                    double overlap)
{
  gscale_coll_choice c;

  switch (k->kind) {
  case GSCALE_LAUNCH:
  case GSCALE_GRAPH:
    return (gscale__duration){.compute = kernel(p, k, kernels, overlap)};
  case GSCALE_MEMSET:
    return (gscale__duration){.compute = gscale__start(p) +
                                         p->host_by * k->bytes / membw(p)};
  case GSCALE_COPY_D2D:
    return copy(p, k->bytes, d);
  case GSCALE_COPY_D2H:
  case GSCALE_COPY_H2D:
    return gscale__host_copy_duration(p, k->bytes, k->pageable);
  case GSCALE_COLLECTIVE:
    c = choice_of(p, k);
    return (gscale__duration){.initiation = c.time.start,
                              .latency = c.time.latency,
                              .wire = c.time.transfer};
  default:
    return (gscale__duration){.host = p->host_by * k->time};
  }
}

gscale__duration gscale__work_duration(const gscale_plan *p,
                                       const gscale__version *v, int d,
                                       const double *kernels, double overlap)
{
  gscale__duration l = duration_of(p, &v->as.work[d], d, kernels, overlap);

  l.latency += handover_latency(p, v, d);
  return l;
}

static double times_of(const gscale_action *a)
{
  return a->parity == GSCALE_EVERY_STEP ? 1.0 : 0.5;
}

double gscale__kernel_overlap(const gscale_plan *p, const gscale__version *v,
                              const double *kernels)
{
  const gscale_schedule *s = &v->as.schedule;
  double work = 0.0, slowed = 0.0, collectives = 0.0;

  if (!v->apart || p->n < 2) return 0.0;
  for (size_t i = 0; i < s->actions; i++) {
    const gscale_action *a = &s->action[i];
    const gscale_work *k = &v->as.work[a->length];
    if (a->kind > GSCALE_COLLECTIVE || s->stream_gpu[a->stream] != 0) continue;
    if (is_kernel(k)) add_slowed(p, k, kernels, times_of(a), &work, &slowed);
    if (k->kind == GSCALE_COLLECTIVE)
      collectives += times_of(a) * choice_of(p, k).total;
  }
  if (!(work > 0.0)) return 0.0;
  return (gscale_coll_beside(work, collectives, 1.0 - work / slowed) - work) /
         (slowed - work);
}

/* ---- bytes --------------------------------------------------------------- */

/* Adds one GPU's part of a collective's bytes. */
static void add_collective(const gscale_plan *p, const gscale_work *k,
                           double times, gscale_bytes *b)
{
  const gscale_coll_choice c = choice_of(p, k);
  const gscale_bytes all = gscale__coll_bytes(p, k->coll, k->bytes, &c);

  b->useful += times * all.useful / p->n;
  b->protocol += times * all.protocol / p->n;
}

static void add_copy(const gscale_plan *p, double bytes, bool crosses,
                     double times, gscale_bytes *b)
{
  b->useful += times * bytes;
  if (crosses)
    b->protocol +=
        times *
        (bytes / gscale_goodput(&p->net, GSCALE_COPY, bytes, false) - bytes);
  else if (!gscale__staged(p))
    b->protocol +=
        times *
        (gscale_wire_bytes(&p->link, GSCALE_COPY, bytes, false) - bytes);
}

gscale_bytes gscale__program_bytes(const gscale_plan *p,
                                   const gscale__version *v)
{
  const gscale_schedule *s = &v->as.schedule;
  gscale_bytes b = {0};

  for (size_t i = 0; i < s->actions; i++) {
    const gscale_action *a = &s->action[i];
    if (a->kind == GSCALE_COLLECTIVE)
      add_collective(p, &v->as.work[a->length], times_of(a), &b);
    if (gscale__leaves(s, a))
      add_copy(p, v->as.work[a->length].bytes, p->placed.crosses[a->length],
               times_of(a), &b);
  }
  return b;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
