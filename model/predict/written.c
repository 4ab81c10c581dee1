/* written.c - plans and predictions of workloads that say their own schedule.
 *
 *   time = period of the schedule's timeline (timeline.h)
 *
 * with the costs of the plan's parameters and the durations of program.h.  The
 * parts are those of the critical cycle: cost times dT/dcost, whose sum is the
 * time.  The bound is the largest of them, by mechanism: it is what 1 % less of
 * saves most.
 *
 * Between nodes a copy is a message (between.h), as long as the busiest node
 * takes for all of its own at once.  Omits: switches above the nodes; events
 * between nodes, which are refused. */

#include "describe/program.h"
#include "equation/fabric.h"
#include "predict/step.h"
#include "price/between.h"
#include "price/collectives.h"
#include "price/costs.h"

#include <stddef.h>
#include <stdlib.h>

/* ---- how long things take -------------------------------------------------
 */

/* One duration, by what it is made of. */
typedef struct length {
  double compute, wire, initiation, latency, host; /* s */
} length;

static double sum_of(const length *l)
{
  return l->compute + l->wire + l->initiation + l->latency + l->host;
}

static double membw(const gscale_plan *p)
{
  return gscale__ask(p, GSCALE_DEVICE_MEMBW);
}

static double kernel_work(const gscale_plan *p, const gscale_work *k)
{
  const gscale__phase_plan *f = &p->phase[k->phase];
  return k->share * (f->compute - f->start);
}

/* A launch has one start, whatever the phase says of its kernels. */
static double kernel(const gscale_plan *p, const gscale_work *k, double factor)
{
  const gscale__phase_plan *f = &p->phase[k->phase];
  const double start = gscale__ask(p, GSCALE_DEVICE_START);

  return factor * kernel_work(p, k) +
         k->share * gscale__max(0.0, f->start - f->kernels * start) + start;
}

/* By way of the host, as staged_copies() of predict/paradigm/common.c. */
static length staged(const gscale_plan *p, double bytes, double route)
{
  const double rate = gscale__ask(p, GSCALE_STAGED_RATE);
  const double active = rate * gscale__ask(p, GSCALE_STAGED_ALL_ACTIVE);
  const double host = p->at_once / gscale__ask(p, GSCALE_STAGED_HOST);

  if (!(rate > 0.0)) return (length){0}; /* and no paradigm needs it */

  return (length){.initiation = gscale__ask(p, GSCALE_STAGED_INITIATION),
                  .wire =
                      fmin(bytes, gscale__ask(p, GSCALE_STAGED_BUFFER)) / rate +
                      bytes * gscale__max(route / active, host)};
}

static length copy_to_gpu(const gscale_plan *p, double bytes, double route)
{
  const double initiation = gscale__ask(p, GSCALE_COPY_INITIATION);

  if (!(route > 0.0)) /* read and written where it is */
    return (length){.initiation = initiation, .wire = 2.0 * bytes / membw(p)};
  if (gscale__staged(p)) return staged(p, bytes, route);
  return (length){.initiation = initiation,
                  .wire =
                      (p->meets ? gscale__copies_at_once(p) : 1.0) * route *
                      gscale_wire_bytes(&p->link, GSCALE_COPY, bytes, false) /
                      gscale__rate(p, GSCALE_COPY)};
}

/* To another node: a message from memory to memory, as by gpudirect.  Others of
 * its node are on their way with it. */
static length copy_to_node(const gscale_plan *p, double bytes)
{
  const gscale_path path = gscale__gpudirect(p);
  const gscale_regime *r = gscale_path_regime(&path, bytes);
  const double busy = gscale_path_busy(&path, bytes);
  const double node = p->far_node / fmin(r->node_rate, gscale__rails(p, bytes));
  const double alone = p->far_own / r->rate;

  if (!(r->rate > 0.0)) return (length){0}; /* and no paradigm needs it */

  return (length){.initiation = busy,
                  .latency =
                      gscale__max(0.0, r->latency - busy) + bytes * r->stage,
                  .wire = bytes / r->rate * gscale__max(1.0, node / alone)};
}

static length copy_to_host(const gscale_plan *p, double bytes)
{
  return (length){.initiation = gscale__ask(p, GSCALE_COPY_INITIATION),
                  .wire = gscale__to_host(p, bytes)};
}

static gscale_coll_choice choice_of(const gscale_plan *p, const gscale_work *k)
{
  return gscale_plan_collective(p, k->coll, k->bytes, k->algorithm,
                                k->protocol);
}

static length collective(const gscale_plan *p, const gscale_work *k)
{
  const gscale_coll_choice c = choice_of(p, k);

  return (length){.initiation = c.time.start,
                  .latency = c.time.latency,
                  .wire = c.time.transfer};
}

/* A copy takes its route inside a node, or crosses to another. */
static length length_by(const gscale_plan *p, const gscale_work *k,
                        double route, bool crosses, double factor)
{
  switch (k->kind) {
  case GSCALE_LAUNCH:
  case GSCALE_GRAPH:
    return (length){.compute = kernel(p, k, factor)};
  case GSCALE_MEMSET:
    return (length){.compute = gscale__ask(p, GSCALE_DEVICE_START) +
                               k->bytes / membw(p)};
  case GSCALE_COPY_D2D:
    return crosses ? copy_to_node(p, k->bytes)
                   : copy_to_gpu(p, k->bytes, route);
  case GSCALE_COPY_D2H:
  case GSCALE_COPY_H2D:
    return copy_to_host(p, k->bytes);
  case GSCALE_COLLECTIVE:
    return collective(p, k);
  default:
    return (length){.host = k->time};
  }
}

/* Of the d-th duration of a version. */
static length length_of(const gscale_plan *p, const gscale_work *k, int d,
                        double factor)
{
  return length_by(p, k, p->route[d], p->crosses[d], factor);
}

static double *durations_of(double *cost)
{
  return cost + GSCALE_COST_END;
}

/* GPUs, and threads, that share a host. */
static int of_node(const gscale_plan *p, int n)
{
  return p->nodes > 1 && n > p->near ? p->near : n;
}

/* Copies by way of the host have a latency of their own. */
static gscale__behind behind_of(const gscale_plan *p, const gscale_schedule *s)
{
  gscale__behind behind = gscale__costs_behind(p->value, of_node(p, s->gpus),
                                               of_node(p, s->threads));

  if (gscale__staged(p)) behind.copy = gscale__ask(p, GSCALE_STAGED_LATENCY);
  return behind;
}

/* More of a duration whose work waits for an event of work of another kind. */
static double hand_over(const gscale__version *v, const gscale__behind *behind,
                        int d)
{
  const int follows = d / v->works;

  return follows == GSCALE__FOLLOWS_KERNEL ? behind->copy
         : follows == GSCALE__FOLLOWS_COPY ? behind->kernel
                                           : 0.0;
}

/* Bound by arithmetic, which takes longer on fewer multiprocessors. */
static bool by_arithmetic(const gscale_plan *p, const gscale_work *k)
{
  const gscale__phase_plan *f = &p->phase[k->phase];

  return f->flop_leg > f->memory_leg;
}

static bool is_kernel(const gscale_work *k)
{
  return k->kind == GSCALE_LAUNCH || k->kind == GSCALE_GRAPH;
}

/* How many times longer kernels take that are bound by arithmetic, because
 * collectives of other streams keep multiprocessors, were they all beside each
 * other: the most they can lose.  Of the first GPU. */
static double slower_beside(const gscale_plan *p, const gscale__version *v,
                            double factor)
{
  const gscale_schedule *s = &v->as.schedule;
  const double share =
      gscale__ask(p, GSCALE_COLL_CHANNELS) / gscale__ask(p, GSCALE_DEVICE_SMS);
  double kernels = 0.0, collectives = 0.0;

  if (!v->apart || p->n < 2) return 1.0;
  for (size_t i = 0; i < s->actions; i++) {
    const gscale_action *a = &s->action[i];
    const double times = a->parity == GSCALE_EVERY_STEP ? 1.0 : 0.5;
    const gscale_work *k = &v->as.work[a->length];
    if (a->kind > GSCALE_COLLECTIVE || s->stream_gpu[a->stream] != 0) continue;
    if (is_kernel(k) && by_arithmetic(p, k))
      kernels += times * factor * kernel_work(p, k);
    if (k->kind == GSCALE_COLLECTIVE)
      collectives += times * choice_of(p, k).total;
  }
  const double most = 0.9; /* something is left to the kernels */
  return kernels > 0.0
             ? gscale_coll_beside(kernels, collectives, fmin(most, share)) /
                   kernels
             : 1.0;
}

/* What is in the work of a kernel then. */
static double factor_of(const gscale_plan *p, const gscale_work *k,
                        double factor, double slower)
{
  return is_kernel(k) && by_arithmetic(p, k) ? factor * slower : factor;
}

/* Threads of several nodes meet in each node, then the nodes do. */
static void meet_nodes(const gscale_plan *p, const gscale_schedule *s,
                       double *cost)
{
  const int here = of_node(p, s->threads);

  if (p->nodes < 2) return;
  if (here < 2) cost[GSCALE_COST_BARRIER] = 0.0;
  if (s->threads > 2)
    cost[GSCALE_COST_BARRIER_MORE] *=
        gscale__max(0.0, here - 2.0) / (s->threads - 2.0);
  cost[GSCALE_COST_BARRIER] += gscale__meeting(p);
}

/* All costs of a version, the kernels' work `factor` times what the plan says.
 * A timeline has one cost of a wait: the mean of those for this and for other
 * GPUs' events. */
static void fill_costs(const gscale_plan *p, const gscale__version *v,
                       double factor, double *cost)
{
  const gscale_schedule *s = &v->as.schedule;
  const int gpus = of_node(p, s->gpus), threads = of_node(p, s->threads);
  const double crowd = gscale__crowd(p->value, gpus, threads);
  const gscale__behind behind = behind_of(p, s);
  const double slower = slower_beside(p, v, factor);

  gscale__costs(p->value, gpus, threads, cost);
  meet_nodes(p, s, cost);
  if (gscale__staged(p)) cost[GSCALE_COST_KERNEL_COPY] = behind.copy;
  if (v->behind_waits) /* no kernel begins before them: gscale__step_costs() */
    cost[GSCALE_COST_COPY_HOST] = 0.0;
  cost[GSCALE_COST_ISSUE + (int)GSCALE_WAIT] += v->far * behind.far_wait;
  for (int k = 0; k < GSCALE_CALL_END; k++)
    cost[GSCALE_COST_CROWD + k] *= crowd;
  for (int d = 0; d < s->durations; d++) {
    const gscale_work *k = &v->as.work[d];
    const length l = length_of(p, k, d, factor_of(p, k, factor, slower));
    durations_of(cost)[d] = sum_of(&l) + hand_over(v, &behind, d);
  }
}

/* ---- evaluation -----------------------------------------------------------
 */

/* What an evaluation works in, in one block. */
typedef struct space {
  void *scratch;
  double *cost, *gradient;
} space;

static size_t aligned(size_t size)
{
  const size_t unit = _Alignof(max_align_t);
  return (size + unit - 1) / unit * unit;
}

static size_t space_of(const gscale__version *v)
{
  const size_t costs = (size_t)gscale_timeline_costs(v->timeline);
  return aligned(gscale_timeline_scratch(v->timeline)) +
         2 * costs * sizeof(double);
}

static space space_in(const gscale__version *v, void *block)
{
  const size_t scratch = aligned(gscale_timeline_scratch(v->timeline));
  double *cost = (double *)(void *)((char *)block + scratch);

  return (space){block, cost, cost + gscale_timeline_costs(v->timeline)};
}

static double period(const gscale_plan *p, const gscale__version *v,
                     double factor, const space *in)
{
  fill_costs(p, v, factor, in->cost);
  return gscale_timeline_period(v->timeline, in->cost, in->scratch,
                                in->gradient);
}

/* ---- plans ----------------------------------------------------------------
 */

static gscale_status check_there(const gscale_workload *w, int n,
                                 const char *what, gscale_diag *diag)
{
  if (gscale__program_find(w, n)) return GSCALE_OK;
  return gscale__fail(diag, GSCALE_ENEED, "%s: no schedule for %d GPU%s%s",
                      w->name, n, n == 1 ? "" : "s", what);
}

static size_t larger(size_t a, size_t b)
{
  return a > b ? a : b;
}

gscale_status gscale__program_open(gscale_plan *p, const gscale_workload *w,
                                   int n, gscale_diag *diag)
{
  const int sizes[] = {n, p->baseline, 1};
  const char *const what[] = {"", ", which speedups are over",
                              ", which its measured time is of"};
  size_t room = 0, durations = 1, leaving = 1;

  const bool publishes = gscale__published(w, n);

  p->program = NULL;
  p->route = NULL;
  p->space = NULL;
  p->pair = NULL;
  p->crosses = NULL;
  if (!w->program) return GSCALE_OK;
  for (int i = 0; i < (w->single.val > 0.0 ? 3 : 2); i++) {
    const gscale_status st = check_there(w, sizes[i], what[i], diag);
    if (st != GSCALE_OK) return st;
    const gscale__program *g = gscale__program_find(w, sizes[i]);
    if (g->publishes != publishes)
      return gscale__fail(diag, GSCALE_ENEED,
                          "%s: of the schedules for %d and %d GPUs one "
                          "publishes and one does not: on one GPU nothing "
                          "moves, but say so",
                          w->name, n, sizes[i]);
    if (publishes) continue;
    room = larger(room, larger(space_of(&g->whole), space_of(&g->ideal)));
    durations = larger(durations, (size_t)g->whole.as.schedule.durations);
    leaving = larger(leaving, g->whole.leaving);
  }
  if (publishes) return GSCALE_OK;
  p->route = calloc(durations, sizeof *p->route);
  p->space = malloc(room);
  p->pair = malloc(leaving * sizeof *p->pair);
  p->crosses = calloc(durations, sizeof *p->crosses);
  if (p->route && p->space && p->pair && p->crosses) return GSCALE_OK;
  gscale__program_close(p);
  return gscale__fail(diag, GSCALE_ENOMEM, "no memory for a plan");
}

void gscale__program_close(gscale_plan *p)
{
  free(p->route);
  free(p->space);
  free(p->pair);
  free(p->crosses);
  p->crosses = NULL;
  p->route = NULL;
  p->space = NULL;
  p->pair = NULL;
}

static bool same_node(int size, int a, int b)
{
  return a / size == b / size;
}

/* What the GPUs of a node, the first of which is `first`, send one another in a
 * step, copy by copy; one that is only every other step's counts half. */
static gscale_demand traffic(const gscale_program *a, int first, int size,
                             gscale_pair *pair)
{
  const gscale_schedule *s = &a->schedule;
  size_t n = 0;

  for (size_t i = 0; i < s->actions; i++) {
    const gscale_action *c = &s->action[i];
    if (!gscale__leaves(s, c)) continue;
    const double times = c->parity == GSCALE_EVERY_STEP ? 1.0 : 0.5;
    const int from = s->stream_gpu[c->stream];
    if (!same_node(size, first, from) || !same_node(size, from, c->peer))
      continue;
    pair[n++] = (gscale_pair){from - first, c->peer - first,
                              times * a->work[c->length].bytes};
  }
  return (gscale_demand){
      .gpus = s->gpus < size ? s->gpus : size, .pairs = n, .pair = pair};
}

/* What leaves nodes: of the GPU and of the node with most.  `node` has room for
 * all GPUs. */
static void leave_nodes(gscale_plan *p, const gscale_program *a, int size,
                        gscale__traffic_room *room)
{
  const gscale_schedule *s = &a->schedule;
  double *own = room->out, *node = room->in;

  p->far_own = p->far_node = 0.0;
  for (int i = 0; i < s->gpus; i++) own[i] = node[i] = 0.0;
  for (size_t i = 0; i < s->actions; i++) {
    const gscale_action *c = &s->action[i];
    if (!gscale__leaves(s, c)) continue;
    const int from = s->stream_gpu[c->stream];
    if (same_node(size, from, c->peer)) continue;
    const double times = c->parity == GSCALE_EVERY_STEP ? 1.0 : 0.5;
    p->crosses[c->length] = true;
    own[from] += times * a->work[c->length].bytes;
    node[from / size] += times * a->work[c->length].bytes;
  }
  for (int i = 0; i < s->gpus; i++) {
    p->far_own = fmax(p->far_own, own[i]);
    p->far_node = fmax(p->far_node, node[i]);
  }
}

/* The GPU whose stream records an event; -1: none does. */
static int recorder(const gscale_schedule *s, int event)
{
  for (size_t i = 0; i < s->actions; i++)
    if (s->action[i].kind == GSCALE_RECORD && s->action[i].event == event)
      return s->stream_gpu[s->action[i].stream];
  return -1;
}

/* Whether a stream waits for what another node records: there are no events
 * between nodes. */
static bool waits_over(const gscale_schedule *s, int size)
{
  for (size_t i = 0; i < s->actions; i++) {
    const gscale_action *c = &s->action[i];
    if (c->kind != GSCALE_WAIT) continue;
    const int gpu = s->stream_gpu[c->stream], of = recorder(s, c->event);
    if (of >= 0 && !same_node(size, gpu, of)) return true;
  }
  return false;
}

/* Of one copy with nothing beside it. */
static double alone(const gscale_system *s, int n, int from, int to,
                    double across)
{
  return s->can.peer == GSCALE_PEER_NONE
             ? gscale__alone_staged(&s->fabric)
             : gscale__route_alone(&s->fabric, n, from, to, across);
}

/* Bytes on the busiest resource, were all on their way at the same time. */
static double busiest(const gscale_system *s, const gscale_demand *d,
                      double across)
{
  return s->can.peer == GSCALE_PEER_NONE
             ? gscale__busiest_staged(&s->fabric, d)
             : gscale__busiest(&s->fabric, d, s->param[GSCALE_LINK_DUPLEX].val,
                               across);
}

/* How many times longer copies take than alone, because others are on their
 * way: as long as the busiest resource, if that is longer than the copies of
 * any GPU one after the other.  Sets, for staged copies, at_once. */
static double contention(gscale_plan *p, const gscale_system *s,
                         const gscale_demand *d, double across,
                         gscale__traffic_room *room)
{
  double *out = room->out, *in_a_row = room->in;
  double own = 0.0, most = 0.0, all = 0.0;

  for (int i = 0; i < d->gpus; i++) out[i] = in_a_row[i] = 0.0;
  for (size_t k = 0; k < d->pairs; k++) {
    const gscale_pair *c = &d->pair[k];
    in_a_row[c->from] += c->bytes * alone(s, d->gpus, c->from, c->to, across);
    out[c->from] += c->bytes;
  }
  for (int i = 0; i < d->gpus; i++) {
    own = fmax(own, in_a_row[i]);
    most = fmax(most, out[i]);
    all += out[i];
  }
  p->at_once = most > 0.0 ? all / most : 0.0;
  return own > 0.0 ? fmax(1.0, busiest(s, d, across) / own) : 1.0;
}

/* Whether a GPU copies by several streams, and to more than two others, as
 * neighbours do not. */
static bool meets(const gscale_schedule *s, int gpu)
{
  int stream = -1, to[2] = {-1, -1};
  bool streams = false, others = false;

  for (size_t i = 0; i < s->actions; i++) {
    const gscale_action *c = &s->action[i];
    if (!gscale__leaves(s, c) || s->stream_gpu[c->stream] != gpu) continue;
    streams = streams || (stream >= 0 && stream != c->stream);
    stream = c->stream;
    if (to[0] < 0 || to[0] == c->peer)
      to[0] = c->peer;
    else if (to[1] < 0 || to[1] == c->peer)
      to[1] = c->peer;
    else
      others = true;
  }
  return streams && others;
}

void gscale__program_place(gscale_plan *p, const gscale_system *s,
                           const gscale_workload *w, int n,
                           gscale__traffic_room *room)
{
  if (!w->program || gscale__published(w, n)) return;
  p->program = gscale__program_find(w, n);

  const gscale_program *a = &p->program->whole.as;
  const gscale_schedule *of = &a->schedule;
  const double across = gscale__across(s, GSCALE_COPY);
  const int size = p->nodes > 1 ? s->gpus : n; /* GPUs of a node */
  double longer = 1.0;

  for (int first = 0; first < n; first += size) {
    const gscale_demand d = traffic(a, first, size, p->pair);
    longer = fmax(longer, contention(p, s, &d, across, room));
  }
  p->meets = meets(of, 0);
  p->over = p->nodes > 1 && waits_over(of, size);
  for (int i = 0; i < of->durations; i++) {
    p->route[i] = 0.0;
    p->crosses[i] = false;
  }
  leave_nodes(p, a, size, room);
  for (size_t i = 0; i < of->actions; i++) {
    const gscale_action *c = &of->action[i];
    if (!gscale__leaves(of, c)) continue;
    const int from = of->stream_gpu[c->stream];
    if (!same_node(size, from, c->peer)) continue;
    p->route[c->length] = fmax(
        p->route[c->length], longer * alone(s, size < n ? size : n, from % size,
                                            c->peer % size, across));
  }
}

double gscale__program_infinite(const gscale_plan *p)
{
  const space in = space_in(&p->program->ideal, p->space);
  return period(p, &p->program->ideal, 1.0, &in);
}

/* ---- the measured step of one GPU -----------------------------------------
 */

/* T(x) and its slope. */
static double step_at(const gscale_plan *one, double x, double *slope)
{
  const gscale__version *v = &one->program->whole;
  const space in = space_in(v, one->space);
  const double t = period(one, v, x, &in);

  *slope = 0.0;
  for (int d = 0; d < v->as.schedule.durations; d++) {
    const gscale_work *k = &v->as.work[d];
    if (k->kind == GSCALE_LAUNCH || k->kind == GSCALE_GRAPH)
      *slope += durations_of(in.gradient)[d] * kernel_work(one, k);
  }
  return t;
}

double gscale__solve_factor(const gscale_plan *one, double single,
                            gscale__step_at *at)
{
  const double largest = 0x1p60; /* no kernel is on the way of anything */
  const double least_x = 1e-9;   /* below it is rounding: no kernel hides */
  double slope, x = 1.0;
  const double least = at(one, 0.0, &slope);
  const bool hidden = !(single > least);
  const double level = hidden ? least : single;

  while (at(one, x, &slope) <= level && x < largest) x *= 2.0;
  for (;;) {
    const double t = at(one, x, &slope);
    const double next = x - (t - level) / slope;
    if (!(t > level) || !(slope > 0.0) || !(next < x)) break;
    x = next;
  }
  if (x <= least_x || x >= largest) return 1.0;
  return hidden ? fmin(1.0, x) : x;
}

double gscale__program_factor(const gscale_plan *one, double single)
{
  return gscale__solve_factor(one, single, step_at);
}

/* ---- needs ----------------------------------------------------------------
 */

static const gscale__version *version_of(const gscale_plan *p, size_t paradigm)
{
  const gscale__paradigm *m = gscale__paradigm_at(paradigm);

  if (!p->program) return NULL;
  if (m->own) return &p->program->whole;
  return m->ideal ? &p->program->ideal : NULL;
}

static bool is_host_copy(const gscale_work *k)
{
  return k->kind == GSCALE_COPY_D2H || k->kind == GSCALE_COPY_H2D;
}

static bool leaves_any(const gscale_schedule *s)
{
  for (size_t i = 0; i < s->actions; i++)
    if (gscale__leaves(s, &s->action[i])) return true;
  return false;
}

gscale_status gscale__program_needs(const gscale_plan *p, size_t paradigm,
                                    gscale_diag *diag)
{
  const char *name = gscale__paradigm_at(paradigm)->about.name;
  const gscale__version *v = version_of(p, paradigm);

  if (p->published)
    return gscale__fail(diag, GSCALE_ENEED,
                        "%s: the program publishes: paradigms say how", name);
  if (!p->program)
    return gscale__fail(diag, GSCALE_ENEED,
                        "%s: needs a schedule of the program's own", name);
  if (!v)
    return gscale__fail(diag, GSCALE_ENEED,
                        "%s: the program has a schedule of its own, which runs "
                        "as written: paradigms schedule and infinite only",
                        name);
  if (p->nodes > 1 && v->as.schedule.threads < p->nodes)
    return gscale__fail(diag, GSCALE_ENEED,
                        "%s: %d GPUs are %d nodes: a host thread issues for "
                        "GPUs of its own node only",
                        name, p->n, p->nodes);
  if (p->over)
    return gscale__fail(diag, GSCALE_ENEED,
                        "%s: %d GPUs are %d nodes: a stream waits for an event "
                        "of another node",
                        name, p->n, p->nodes);
  if (p->far_own > 0.0 && !(gscale__ask(p, GSCALE_GPUDIRECT_RATE) > 0.0))
    return gscale__fail(diag, GSCALE_ENEED,
                        "%s: copies to other nodes need gpudirect.rate of the "
                        "system",
                        name);
  if (gscale__staged(p) && leaves_any(&v->as.schedule) &&
      !(gscale__ask(p, GSCALE_STAGED_RATE) > 0.0 &&
        gscale__ask(p, GSCALE_STAGED_INITIATION) > 0.0))
    return gscale__fail(diag, GSCALE_ENEED,
                        "%s: needs staged.rate and staged.initiation of the "
                        "system, whose can.peer is 'none'",
                        name);
  for (int d = 0; d < v->as.schedule.durations; d++) {
    const gscale_work *k = &v->as.work[d];
    if (k->kind == GSCALE_COLLECTIVE && isnan(choice_of(p, k).total))
      return gscale__fail(diag, GSCALE_ENEED,
                          "%s: %s: not by that algorithm and protocol", name,
                          gscale_coll_kind_name(k->coll));
    if (is_host_copy(k) && !gscale__reaches_host(p, k->bytes))
      return gscale__fail(diag, GSCALE_ENEED,
                          "%s: a copy of %g B between GPU and host needs "
                          "staged.rate of the system",
                          name, k->bytes);
  }
  return GSCALE_OK;
}

gscale_status gscale__published_needs(const gscale_plan *p, gscale_diag *diag)
{
  const gscale_program *own = gscale__published_as(p, NULL);

  for (int d = 0; own && d < own->schedule.durations; d++) {
    const gscale_work *k = &own->work[d];
    if (is_host_copy(k) && !gscale__reaches_host(p, k->bytes))
      return gscale__fail(diag, GSCALE_ENEED,
                          "a copy of %g B between GPU and host needs "
                          "staged.rate of the system",
                          k->bytes);
  }
  return GSCALE_OK;
}

/* ---- predictions ----------------------------------------------------------
 */

/* What the critical cycle is made of; the sum is its length. */
static void attribute(const gscale_plan *p, const gscale__version *v,
                      const space *in, double *of)
{
  const gscale_schedule *s = &v->as.schedule;
  const gscale__behind behind = behind_of(p, s);
  const double slower = slower_beside(p, v, 1.0);

  for (int m = 0; m < GSCALE_MECHANISM_END; m++) of[m] = 0.0;
  for (int c = 0; c < GSCALE_COST_END; c++)
    of[gscale__cost_mechanism(c)] += in->cost[c] * in->gradient[c];
  for (int d = 0; d < v->as.schedule.durations; d++) {
    const gscale_work *k = &v->as.work[d];
    const length l = length_of(p, k, d, factor_of(p, k, 1.0, slower));
    const double times = durations_of(in->gradient)[d];
    of[GSCALE_M_COMPUTE] += times * l.compute;
    of[GSCALE_M_BANDWIDTH] += times * l.wire;
    of[GSCALE_M_INITIATION] += times * l.initiation;
    of[GSCALE_M_HOST] += times * l.host;
    of[GSCALE_M_LATENCY] += times * (l.latency + hand_over(v, &behind, d));
  }
}

double gscale__own_work(const gscale_plan *p, const gscale_work *k,
                        double times, double *of)
{
  const bool lasts = k->kind == GSCALE_HOST_WORK ||
                     (k->kind >= GSCALE_MEMSET && k->kind <= GSCALE_COPY_H2D);
  const double here = 0.0; /* route of a copy on its own GPU */

  if (!lasts) return 0.0;
  const length l = length_by(p, k, here, false, 1.0);
  if (of) {
    of[GSCALE_M_COMPUTE] += times * l.compute;
    of[GSCALE_M_BANDWIDTH] += times * l.wire;
    of[GSCALE_M_INITIATION] += times * l.initiation;
    of[GSCALE_M_HOST] += times * l.host;
  }
  return sum_of(&l);
}

/* Of one GPU's part. */
static void add_collective(const gscale_plan *p, const gscale_work *k,
                           double times, gscale_bytes *b)
{
  const gscale_coll_choice c = choice_of(p, k);
  const gscale_bytes all = gscale__coll_moved(p, k->coll, k->bytes, &c);

  b->useful += times * all.useful / p->n;
  b->protocol += times * all.protocol / p->n;
}

static gscale_bytes moved(const gscale_plan *p, const gscale__version *v)
{
  const gscale_schedule *s = &v->as.schedule;
  gscale_bytes b = {0};

  for (size_t i = 0; i < s->actions; i++) {
    const gscale_action *c = &s->action[i];
    const double times = c->parity == GSCALE_EVERY_STEP ? 1.0 : 0.5;
    if (c->kind == GSCALE_COLLECTIVE)
      add_collective(p, &v->as.work[c->length], times, &b);
    if (!gscale__leaves(s, c)) continue;
    const double bytes = v->as.work[c->length].bytes;
    b.useful += times * bytes;
    if (p->crosses[c->length])
      b.protocol +=
          times *
          (bytes / gscale_goodput(&p->net, GSCALE_COPY, bytes, false) - bytes);
    else if (!gscale__staged(p))
      b.protocol +=
          times *
          (gscale_wire_bytes(&p->link, GSCALE_COPY, bytes, false) - bytes);
  }
  b.wire = b.useful + b.protocol;
  return b;
}

static gscale_mechanism largest(const double *of)
{
  gscale_mechanism bound = GSCALE_M_COMPUTE;

  for (int m = 0; m < GSCALE_MECHANISM_END; m++)
    if (of[m] > of[bound]) bound = (gscale_mechanism)m;
  return bound;
}

gscale_status gscale__program_predict(const gscale_plan *p, size_t paradigm,
                                      gscale_prediction *out, gscale_diag *diag)
{
  const gscale__version *v = version_of(p, paradigm);
  void *block = malloc(space_of(v));
  double of[GSCALE_MECHANISM_END];

  if (!block)
    return gscale__fail(diag, GSCALE_ENOMEM, "no memory for a timeline");
  const space in = space_in(v, block);
  if (isnan(period(p, v, 1.0, &in))) {
    free(block);
    return gscale__fail(diag, GSCALE_ENUMERIC,
                        "%s on %d GPUs: no finite time: numbers overflow",
                        gscale__paradigm_at(paradigm)->about.name, p->n);
  }
  attribute(p, v, &in, of);
  free(block);
  *out = (gscale_prediction){
      .bytes = moved(p, v), .bound = largest(of), .knobs = gscale_knobs_best};
  for (int m = 0; m < GSCALE_MECHANISM_END; m++) {
    out->part[gscale__part_of((gscale_mechanism)m)] += of[m];
    out->time += of[m];
  }
  return GSCALE_OK;
}

double gscale__program_time(const gscale_plan *p, size_t paradigm)
{
  const gscale__version *v = version_of(p, paradigm);
  void *block = malloc(space_of(v));

  if (!block) return (double)NAN;
  const space in = space_in(v, block);
  const double t = period(p, v, 1.0, &in);
  free(block);
  return t;
}

/* ---- what was run ---------------------------------------------------------
 */

const gscale_program *gscale_plan_program(const gscale_plan *p, size_t paradigm)
{
  const gscale__version *v = version_of(p, paradigm);
  return v ? &v->as : NULL;
}

gscale_status gscale_plan_times(const gscale_plan *p, size_t paradigm,
                                gscale_span *span, gscale_diag *diag)
{
  gscale_status st = gscale_plan_needs(p, paradigm, diag);
  const gscale__version *v = version_of(p, paradigm);

  if (st == GSCALE_OK && !v) return gscale__program_needs(p, paradigm, diag);
  if (st != GSCALE_OK) return st;
  void *block = malloc(space_of(v));
  if (!block)
    return gscale__fail(diag, GSCALE_ENOMEM, "no memory for a timeline");
  const space in = space_in(v, block);
  fill_costs(p, v, 1.0, in.cost);
  if (!gscale_timeline_times(v->timeline, in.cost, in.scratch, span))
    st = gscale__fail(diag, GSCALE_ENUMERIC, "no finite times");
  free(block);
  return st;
}
