/* spent.c - what a step's time is made of. */

#include "equation/flow.h"
#include "predict/lasts.h"

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

enum {
  MADE_OF = 8 /* what a flow is made of, in the order of mechanisms */
};
static const gscale_mechanism made_of[MADE_OF] = {
    GSCALE_M_COMPUTE, GSCALE_M_BANDWIDTH, GSCALE_M_ISSUE, GSCALE_M_INITIATION,
    GSCALE_M_FAULT,   GSCALE_M_TRACKING,  GSCALE_M_TAIL,  GSCALE_M_LATENCY};

/* Of these what it has some of, a bit for each: a tail, if anything can have
 * one. */
static unsigned has(const gscale_flow *f)
{
  return (unsigned)(f->compute > 0.0) |
         (unsigned)(f->wire + f->slowdown > 0.0) << 1 |
         (unsigned)(f->issue > 0.0) << 2 | (unsigned)(f->gap > 0.0) << 3 |
         (unsigned)(f->start > 0.0) << 4 | (unsigned)(f->tracking > 0.0) << 5 |
         (unsigned)(f->chunk + f->burst > 0.0) << 6 |
         (unsigned)(f->latency + f->waiting > 0.0) << 7;
}

/* What it has of the i-th, `on` times what it is in *f. */
static void turn(gscale_flow *to, const gscale_flow *f, int i, double on)
{
  switch (i) {
  case 0:
    to->compute = on * f->compute;
    to->busy = on * f->busy;
    break;
  case 1:
    to->wire = on * f->wire;
    to->slowdown = on * f->slowdown;
    break;
  case 2:
    to->issue = on * f->issue;
    break;
  case 3:
    to->gap = on * f->gap;
    break;
  case 4:
    to->start = on * f->start;
    break;
  case 5:
    to->tracking = on * f->tracking;
    break;
  case 6:
    to->tail = on * f->tail;
    break;
  default:
    to->latency = on * f->latency;
    to->waiting = on * f->waiting;
  }
}

/* Those of a flow are switched on one after the other: kernels alone take what
 * they take, and with the last it takes `whole`. */
static void switch_on(gscale__spent *s, const gscale_flow *f,
                      const gscale__chunks *c, unsigned some, double whole,
                      double times)
{
  gscale_flow part = *f;
  double before = 0.0;

  for (int i = 1; i < MADE_OF; i++) turn(&part, f, i, 0.0);
  for (int i = 0; some >> i != 0; i++) {
    turn(&part, f, i, 1.0);
    if ((some >> i & 1U) == 0) continue;
    const double now = some >> i == 1U ? whole
                       : i == 0        ? f->compute
                                       : gscale__flow_length(&part, c);
    s->of[made_of[i]] += times * (now - before);
    before = now;
  }
}

/* Each is relaxed alone. */
static void relax(gscale__spent *s, const gscale_flow *f,
                  const gscale__chunks *c, unsigned some, double whole,
                  double times)
{
  gscale_flow less = *f;

  for (int i = 0; some >> i != 0; i++) {
    if ((some >> i & 1U) == 0) continue;
    turn(&less, f, i, 0.99);
    s->saved[made_of[i]] += times * (whole - gscale__flow_length(&less, c));
    turn(&less, f, i, 1.0);
  }
}

void gscale__spend_flow(gscale__spent *s, const gscale_flow *f, double whole,
                        double times)
{
  const unsigned some = has(f);
  gscale__chunks c;

  if (!(times > 0.0)) return;
  if (f->chunk > 0.0) gscale__chunks_of(f, true, &c);
  switch_on(s, f, &c, some, whole, times);
  relax(s, f, &c, some, whole, times);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
