/* durations.c - durations of a paradigm's calls in a phase. */

#include "predict/durations.h"
#include "price/between.h"

static double call(const gscale_plan *p, gscale_action_kind kind)
{
  return gscale__cost(p, GSCALE_COST_ISSUE + (int)kind) +
         gscale__cost(p, GSCALE_COST_CROWD + (int)kind);
}

static double calls(const gscale_plan *p, const gscale_calls *c)
{
  return c->launches * call(p, GSCALE_LAUNCH) +
         c->copies * call(p, GSCALE_COPY_D2D) +
         c->events * call(p, GSCALE_RECORD);
}

/* Returns the time of additional calls without a launch that has a slot. */
static double own_calls(const gscale_plan *p, const gscale_calls *c)
{
  gscale_calls others = *c;

  if (others.launches >= 1.0) others.launches -= 1.0;
  return calls(p, &others);
}

/* Returns the time in s of the calls between the first and the last of n. */
static double calls_between(const gscale_plan *p, double n,
                            gscale_action_kind kind)
{
  return gscale__max(0.0, n - 2.0) * call(p, kind);
}

/* Returns the time of a barrier that follows waits if `late`. */
static double barrier(const gscale_plan *p, bool late)
{
  return p->threads < 2
             ? 0.0
             : gscale__cost(p, GSCALE_COST_BARRIER) +
                   (p->threads - 2) *
                       gscale__cost(p, GSCALE_COST_BARRIER_MORE) +
                   (late ? gscale__cost(p, GSCALE_COST_STRAGGLE) : 0.0);
}

/* Returns the parts of all copies of a queue. */
static gscale__duration copies(const gscale__copies_of *c)
{
  const double wire = gscale__max(c->wire, c->queue);

  return (gscale__duration){.wire = wire, .initiation = gscale__bulk(c) - wire};
}

/* Returns the time in s of the last copy, perhaps the only one, and its
 * parts. */
static double last_copy(const gscale__phase_plan *f, const gscale__stage *l,
                        gscale__duration *parts)
{
  const bool only = l->row && !(f->copies > 1.0);

  if (parts)
    *parts = only ? copies(&l->copies)
                  : (gscale__duration){.wire = l->last.wire,
                                       .initiation = l->last.initiation,
                                       .latency = l->last.latency};
  return only ? gscale__bulk(&l->copies)
              : l->last.initiation + l->last.wire + l->last.latency;
}

/* Returns the time in s of all copies but the last.  The parts of these copies
 * and of the last copy sum to those of the queue. */
static double other_copies(const gscale__phase_plan *f, const gscale__stage *l,
                           gscale__duration *parts)
{
  gscale__duration last;
  const double time = last_copy(f, l, parts ? &last : NULL);

  if (parts) {
    *parts = copies(&l->copies);
    parts->wire -= last.wire;
    parts->initiation -= last.initiation;
    parts->latency -= last.latency;
  }
  return gscale__max(0.0, gscale__bulk(&l->copies) - time);
}

/* Returns the slot that contains the data sent to other nodes. */
static gscale__slot far_slot(const gscale_plan *p, const gscale__stage *l)
{
  if (!l->by_device || (gscale__late(p) && l->goes_on)) return GSCALE__MESSAGES;
  return l->before > 0.0 ? GSCALE__BOUNDARY : GSCALE__KERNELS;
}

/* Returns a slot's share of the messages that kernels or the host send. */
static gscale__duration far(const gscale_plan *p, const gscale__stage *l,
                            gscale__slot s)
{
  const gscale__slot all = far_slot(p, l);
  const bool late = gscale__late(p) && (!l->by_device || l->goes_on);
  gscale__duration t = {0};

  if (late && s == GSCALE__STAGES) t.host = l->staging;
  if (s == (late ? GSCALE__POSTS : all))
    *(l->by_device ? &t.issue : &t.host) =
        l->far.post - (late ? l->staging : 0.0);
  if (s != all) return t;
  t.latency = l->far.latency;
  t.wire = l->far.transfer;
  return t;
}

/* Returns the kernel that computes copied data, with the messages it sends. */
static gscale__duration boundary(const gscale_plan *p, const gscale__stage *l)
{
  gscale__duration t = far(p, l, GSCALE__BOUNDARY);

  t.host += call(p, GSCALE_LAUNCH);
  t.compute += l->before;
  return t;
}

/* The host's own work is done once per step, in the first phase. */
static double fixed(const gscale_plan *p)
{
  const double repeats =
      p->host.waits == GSCALE_WAITS_PHASE ? p->phase[0].repeats : 1.0;

  return p->host_by * p->host.fixed / repeats;
}

/* Returns the time in s of a duration, whose parts are in this order. */
static inline double total(gscale__duration l, gscale__duration *parts)
{
  if (parts) *parts = l;
  return l.host + l.issue + l.sync + l.initiation + l.latency + l.wire +
         l.compute;
}

/* Returns the time in s of slots that no paradigm changes. */
static double of_plan(const gscale_plan *p, size_t phase, gscale__slot s,
                      gscale__duration *parts)
{
  const gscale__phase_plan *f = &p->phase[phase];
  gscale__duration l = {0}, fetch;

  switch (s) {
  case GSCALE__COPY_CALLS:
    l.host = calls_between(p, f->copies, GSCALE_COPY_D2D);
    break;
  case GSCALE__OWN_CALLS:
    l.host = own_calls(p, &f->calls);
    break;
  case GSCALE__CLEAR:
    l.compute = gscale__start(p);
    break;
  case GSCALE__NORM:
    l.compute = p->norm;
    break;
  case GSCALE__FETCH:
    fetch = gscale__host_copy_duration(p, p->host.norm.copy, false);
    l.initiation = fetch.initiation + fetch.wire;
    break;
  case GSCALE__BARRIER:
  case GSCALE__BARRIER_LATE:
    l.sync = barrier(p, s == GSCALE__BARRIER_LATE);
    break;
  case GSCALE__FIXED:
    l.host = fixed(p);
    break;
  case GSCALE__MEETING:
    l.sync = gscale__node_barrier(p);
    break;
  default:
    break;
  }
  return total(l, parts);
}

double gscale__slot_parts(const gscale_plan *p, size_t phase,
                          const gscale__stage *l, int s,
                          gscale__duration *parts)
{
  const gscale_coll_choice *c = &l->collective;

  switch (s) {
  case GSCALE__LAUNCHES:
    return total(
        (gscale__duration){.host = calls_between(p, l->kernels, GSCALE_LAUNCH)},
        parts);
  case GSCALE__BOUNDARY:
    return total(boundary(p, l), parts);
  case GSCALE__COPIES:
    return other_copies(&p->phase[phase], l, parts);
  case GSCALE__LAST_COPY:
    return last_copy(&p->phase[phase], l, parts);
  case GSCALE__COLLECTIVE:
    return total((gscale__duration){.initiation = c->time.start,
                                    .latency = c->time.latency,
                                    .wire = c->time.transfer},
                 parts);
  case GSCALE__MORE_CALLS:
    return total((gscale__duration){.host = calls(p, &l->more)}, parts);
  case GSCALE__KERNELS: /* kernels with inter-node data */
  case GSCALE__MESSAGES:
  case GSCALE__POSTS:
  case GSCALE__STAGES:
    return total(far(p, l, (gscale__slot)s), parts);
  default:
    return of_plan(p, phase, (gscale__slot)s, parts);
  }
}

double gscale__slot_time(const gscale_plan *p, size_t phase,
                         const gscale__stage *l, int s)
{
  if (s != GSCALE__KERNELS) return gscale__slot_parts(p, phase, l, s, NULL);
  return l->length +
         (l->by_device ? gscale__slot_parts(p, phase, l, s, NULL) : 0.0);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
