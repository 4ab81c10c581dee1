/* spent.c - what a step's time is made of. */

#include "equation/flow.h"
#include "predict/lasts.h"

#include <stddef.h>

gscale_mechanism gscale__cost_mechanism(int cost)
{
  if (cost < GSCALE_COST_BARRIER) return GSCALE_M_HOST;
  switch (cost) {
  case GSCALE_COST_BARRIER:
  case GSCALE_COST_BARRIER_MORE:
  case GSCALE_COST_STRAGGLE:
  case GSCALE_COST_WAKE:
  case GSCALE_COST_KERNEL_HOST:
  case GSCALE_COST_COPY_HOST:
    return GSCALE_M_SYNC;
  default:
    return GSCALE_M_LATENCY;
  }
}

void gscale__spend(gscale__spent *s, gscale_mechanism m, double time)
{
  s->of[m] += time;
  s->saved[m] += 0.01 * time;
}

void gscale__spend_lasts(gscale__spent *s, const gscale__lasts *l, double times)
{
  gscale__spend(s, GSCALE_M_COMPUTE, times * l->compute);
  gscale__spend(s, GSCALE_M_BANDWIDTH, times * l->wire);
  gscale__spend(s, GSCALE_M_ISSUE, times * l->issue);
  gscale__spend(s, GSCALE_M_INITIATION, times * l->initiation);
  gscale__spend(s, GSCALE_M_LATENCY, times * l->latency);
  gscale__spend(s, GSCALE_M_HOST, times * l->host);
  gscale__spend(s, GSCALE_M_SYNC, times * l->sync);
}

/* The members of a flow that a mechanism has; 0: none, as `ready` is first. */
static const size_t members[GSCALE_MECHANISM_END][2] = {
    [GSCALE_M_COMPUTE] = {offsetof(gscale_flow, compute),
                          offsetof(gscale_flow, busy)},
    [GSCALE_M_BANDWIDTH] = {offsetof(gscale_flow, wire),
                            offsetof(gscale_flow, slowdown)},
    [GSCALE_M_ISSUE] = {offsetof(gscale_flow, issue)},
    [GSCALE_M_INITIATION] = {offsetof(gscale_flow, gap)},
    [GSCALE_M_FAULT] = {offsetof(gscale_flow, start)},
    [GSCALE_M_TRACKING] = {offsetof(gscale_flow, tracking)},
    [GSCALE_M_TAIL] = {offsetof(gscale_flow, tail)},
    [GSCALE_M_LATENCY] = {offsetof(gscale_flow, latency),
                          offsetof(gscale_flow, waiting)},
};

static double member(const gscale_flow *f, size_t at)
{
  return at > 0 ? *(const double *)(const void *)((const char *)f + at) : 0.0;
}

/* Mechanisms that the flow has some of: a tail, if anything can have one. */
static bool has(const gscale_flow *f, int m)
{
  if (m == GSCALE_M_TAIL) return f->chunk + f->burst > 0.0;
  if (m == GSCALE_M_COMPUTE) return f->compute > 0.0;
  return member(f, members[m][0]) + member(f, members[m][1]) > 0.0;
}

/* Mechanism m of a flow, `on` times what it is in *f. */
static void scale_mechanism(gscale_flow *to, const gscale_flow *f, int m,
                            double on)
{
  for (int i = 0; i < 2 && members[m][i] > 0; i++)
    *(double *)(void *)((char *)to + members[m][i]) =
        on * member(f, members[m][i]);
}

/* A flow's mechanisms are switched on one after the other: kernels alone take
 * what they take, and with the last one it takes `whole`. */
static void switch_on(gscale__spent *s, const gscale_flow *f,
                      const gscale__chunks *c, double whole, double times)
{
  gscale_flow part = *f;
  double before = 0.0;
  int last = 0;

  for (int m = 0; m < GSCALE_MECHANISM_END; m++) {
    scale_mechanism(&part, f, m, 0.0);
    if (has(f, m)) last = m;
  }
  for (int m = 0; m <= last; m++) {
    scale_mechanism(&part, f, m, 1.0);
    if (!has(f, m)) continue;
    const double now = m == last               ? whole
                       : m == GSCALE_M_COMPUTE ? f->compute
                                               : gscale__flow_length(&part, c);
    s->of[m] += times * (now - before);
    before = now;
  }
}

/* Each is relaxed alone. */
static void relax(gscale__spent *s, const gscale_flow *f,
                  const gscale__chunks *c, double whole, double times)
{
  gscale_flow less = *f;

  for (int m = 0; m < GSCALE_MECHANISM_END; m++) {
    if (!has(f, m)) continue;
    scale_mechanism(&less, f, m, 0.99);
    s->saved[m] += times * (whole - gscale__flow_length(&less, c));
    scale_mechanism(&less, f, m, 1.0);
  }
}

void gscale__spend_flow(gscale__spent *s, const gscale_flow *f, double whole,
                        double times)
{
  gscale__chunks c;

  if (!(times > 0.0)) return;
  if (f->chunk > 0.0) gscale__chunks_of(f, true, &c);
  switch_on(s, f, &c, whole, times);
  relax(s, f, &c, whole, times);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
