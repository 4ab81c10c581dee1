/* copies.c - copies, stores and loads that several paradigms share. */

#include "price/actions.h"

#include <math.h>
#include <stddef.h>

double gscale__rate(const gscale_plan *p, gscale_access a)
{
  const bool copy = a == GSCALE_COPY;
  return gscale__ask(p, GSCALE_LINK_RATE) *
         gscale__ask(p,
                     copy ? GSCALE_COPY_EFFICIENCY : GSCALE_STORE_EFFICIENCY) *
         gscale__ask(p,
                     copy ? GSCALE_COPY_ALL_ACTIVE : GSCALE_STORE_ALL_ACTIVE);
}

void gscale__compute_only(const gscale_plan *p, const gscale__phase_plan *f,
                          gscale__stage *out)
{
  (void)p;
  gscale__clear(out, offsetof(gscale__stage, gathered));
  out->flow.compute = f->compute;
  out->flow.ready = &f->ready;
  out->flow.tail = 1.0;
  out->kernels = f->kernels;
}

void gscale__prepare_compute(const gscale_plan *p, const gscale__phase_plan *f,
                             const gscale_knobs *k, gscale__stage *out)
{
  (void)k;
  gscale__compute_only(p, f, out);
}

/* ---- bulk copies -------------------------------------------------------- */

const char *gscale__copies_need(const gscale_plan *p,
                                const gscale__phase_plan *f)
{
  if ((!f || f->to != GSCALE_TO_NONE) && gscale__staged(p) &&
      !(gscale__ask(p, GSCALE_STAGED_RATE) > 0.0 &&
        gscale__ask(p, GSCALE_STAGED_INITIATION) > 0.0))
    return "staged.rate and staged.initiation of the system, whose can.peer is "
           "'none'";
  return NULL;
}

/* Each piece begins a packet.  A shorter last piece has the same goodput. */
void gscale__copies(const gscale_plan *p, const gscale__phase_plan *f,
                    double pieces, gscale__stage *out)
{
  const bool staged = gscale__staged(p);
  const double below = 1.0 - 1e-12; /* a full packet counts as one */
  const double piece = f->copy / pieces;
  const double sent = pieces > 1.0 ? gscale_wire_bytes(&p->link, GSCALE_COPY,
                                                       below * piece, false)
                                   : f->copy_wire;
  const gscale__pace by = gscale__copies_pace(
      p, piece, fmax(piece, sent),
      (gscale__concurrency){
          .all = f->all / p->nodes / f->out,
          .longer = gscale__copy_contention(p, f, p->host.streams > 1)});
  const gscale__duration row =
      gscale__copy_duration(p, &by, f->queued * pieces, f->alone_route);

  out->copies.wire = gscale__copy_time(&by, f->out * f->over, f->copy_route);
  out->copies.queue = row.wire;
  out->copies.initiation = row.initiation / pieces;
  out->copies.latency =
      gscale__ask(p, staged ? GSCALE_STAGED_LATENCY : GSCALE_COPY_LATENCY);
  out->moved.useful = f->all * f->read;
  out->moved.unused = f->all * (f->over - f->read);
  out->moved.protocol = f->all * f->over * (by.wire / by.bytes - 1.0);
}

void gscale__last_of(const gscale_plan *p, const gscale__phase_plan *f,
                     double pieces, gscale__stage *out)
{
  const double initiation = gscale__ask(
      p, gscale__staged(p) ? GSCALE_STAGED_INITIATION : GSCALE_COPY_INITIATION);

  out->last = (gscale__last_copy){
      .initiation = initiation, .wire = out->copies.queue / f->queued / pieces};
}

double gscale__in_pages(double piece, double page)
{
  return gscale__ceil(piece / page) * page / piece;
}

void gscale__stores(const gscale_plan *p, const gscale__phase_plan *f,
                    double ratio, double rewrites, gscale__stage *out)
{
  const gscale_param_id same =
      f->atomic ? GSCALE_ATOMIC_SAME : GSCALE_STORE_SAME;

  out->flow.wire = gscale__access_contention(p, f, same) * f->out * rewrites *
                   f->store_route * ratio / gscale__rate(p, GSCALE_STORE);
  out->moved.useful = f->all * f->read;
  out->moved.unused = f->all * (1.0 - f->read);
  out->moved.redundant = f->all * (rewrites - 1.0);
  out->moved.protocol = f->all * rewrites * (ratio - 1.0);
}

void gscale__packed(const gscale_plan *p, const gscale__phase_plan *f,
                    gscale__stage *out)
{
  gscale__stores(p, f, f->packed, 1.0, out);
}

double gscale__threads(const gscale_plan *p)
{
  return gscale__ask(p, GSCALE_DEVICE_SMS) *
         gscale__ask(p, GSCALE_DEVICE_THREADS);
}

double gscale__warps(const gscale_plan *p)
{
  return gscale__threads(p) / 32.0;
}

/* Returns the time that chunk counters add.  Each slot passes the fences of its
 * blocks one after the other.  Other blocks fill the time while memory or
 * arithmetic is busy, but slots are no faster when both are idle.
 *
 *  time = hold * max( waiting / compute, 1 - busy / hold ).
 */
static double holding(const gscale__phase_plan *f, double hold)
{
  return gscale__max(hold * (1.0 - f->filled), hold - f->filled * f->compute);
}

/* A block that updates a chunk counter stays longer for a fence and an atomic.
 * A counted block costs `track` where other blocks fill the time, and `hold`
 * where other blocks wait.
 *
 * A counted block also ends with a barrier, at which finished warps wait for
 * the block's longest thread instead of freeing their slots.  A slot then takes
 * at least `stay` and a fence for each of its blocks, even if other blocks fill
 * the time. */
double gscale__tracking(const gscale_plan *p, const gscale__phase_plan *f,
                        double arithmetic)
{
  const double blocks = f->local / f->block;
  const double slowed = gscale__max(arithmetic, f->memory_leg) + f->start;
  const double each = blocks / f->slots; /* blocks of a slot */
  const double hold = each * gscale__ask(p, GSCALE_AGENT_HOLD);

  return gscale__max(slowed + holding(f, hold), each * f->stay + hold) -
         f->compute + blocks * gscale__ask(p, GSCALE_AGENT_TRACK);
}

/* Returns the remote loads of a GPU that miss the caches of its SMs. */
static double missed(const gscale_plan *p, const gscale__phase_plan *f,
                     double loads)
{
  const double words = f->in * f->read / f->fetch;

  return words > 0.0 ? gscale_l1_missed(loads, words, f->fetch,
                                        gscale__ask(p, GSCALE_DEVICE_SMS),
                                        gscale__ask(p, GSCALE_DEVICE_L1))
                     : loads;
}

/* Returns the number of one GPU's loads that other GPUs serve. */
static double remote_loads(const gscale_plan *p, const gscale__phase_plan *f)
{
  const double others = (p->n - 1.0) * f->share,
               near = (p->near - 1.0) * f->share;

  if (!(f->loads > 0.0)) return f->in * f->read / f->fetch;
  return missed(p, f, f->loads / p->n * near / (1.0 + others));
}

/* Returns the time in s per load while all GPUs are active, as limited by the
 * reader or by the owner of the data. */
static double load_each(const gscale_plan *p, const gscale__phase_plan *f)
{
  const double rate =
      gscale__ask(p, GSCALE_LOAD_RATE) * gscale__ask(p, GSCALE_LOAD_ALL_ACTIVE);

  return gscale__max(gscale__access_contention(p, f, GSCALE_STORE_SAME_SMALL) /
                         rate,
                     gscale__ingress(p, f));
}

/* The request of a load is a header, and the answer travels as a store.  Each
 * warp of the reader waits for one load: loads in flight equal the warps. */
void gscale__loads(const gscale_plan *p, const gscale__phase_plan *f,
                   gscale__stage *out)
{
  const double rate = gscale__ask(p, GSCALE_LINK_RATE) *
                      gscale__ask(p, GSCALE_LOAD_EFFICIENCY) *
                      gscale__ask(p, GSCALE_STORE_ALL_ACTIVE);
  const double loads = remote_loads(p, f);
  const double fetched = loads * f->fetch / f->in; /* per received byte */
  const double useful = f->all * fmin(f->read, fetched);

  out->flow.ready = &f->reading;
  out->flow.wire = gscale__access_contention(p, f, GSCALE_LOAD_SAME) * loads *
                   f->fetch_wire * f->out * f->store_route / f->in / rate;
  out->flow.issue = loads * gscale__max(gscale__ask(p, GSCALE_LOAD_LATENCY) /
                                            gscale__warps(p),
                                        load_each(p, f));
  out->flow.latency = gscale__ask(p, GSCALE_LOAD_LATENCY);
  out->flow.waiting = f->wait;
  out->moved.useful = useful;
  out->moved.redundant = gscale__max(0.0, f->all * fetched - useful);
  out->moved.protocol =
      f->all * fetched * (f->fetch_wire - f->fetch) / f->fetch;
}

double gscale__bulk(const gscale__copies_of *c)
{
  return gscale__max(c->wire, c->initiation + c->queue);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
