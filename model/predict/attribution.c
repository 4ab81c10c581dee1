/* attribution.c - attribution of a step's time to mechanisms. */

#include "equation/flow.h"
#include "ground/ground.h"
#include "predict/durations.h"

#include <math.h>
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

void gscale__attribute(gscale__attribution *s, gscale_mechanism m, double time)
{
  s->of[m] += time;
  s->saved[m] += 0.01 * time;
}

void gscale__attribute_duration(gscale__attribution *s,
                                const gscale__duration *l, double times)
{
  gscale__attribute(s, GSCALE_M_COMPUTE, times * l->compute);
  gscale__attribute(s, GSCALE_M_BANDWIDTH, times * l->wire);
  gscale__attribute(s, GSCALE_M_ISSUE, times * l->issue);
  gscale__attribute(s, GSCALE_M_INITIATION, times * l->initiation);
  gscale__attribute(s, GSCALE_M_LATENCY, times * l->latency);
  gscale__attribute(s, GSCALE_M_HOST, times * l->host);
  gscale__attribute(s, GSCALE_M_SYNC, times * l->sync);
}

/* Pieces of a flow, in the order in which they are switched on. */
typedef struct piece {
  gscale_mechanism is;
  size_t number[2];
} piece;
#define AT(number) offsetof(gscale_flow, number)
static const piece pieces[] = {
    {GSCALE_M_COMPUTE, {AT(compute), AT(busy)}},
    {GSCALE_M_BANDWIDTH, {AT(wire), AT(slowdown)}},
    {GSCALE_M_ISSUE, {AT(issue), AT(issue)}},
    {GSCALE_M_INITIATION, {AT(gap), AT(gap)}},
    {GSCALE_M_FAULT, {AT(start), AT(start)}},
    {GSCALE_M_TRACKING, {AT(tracking), AT(tracking)}},
    {GSCALE_M_TAIL, {AT(tail), AT(tail)}},
    {GSCALE_M_LATENCY, {AT(latency), AT(waiting)}}};
enum {
  PIECES = LENGTH(pieces)
};

static double number(const gscale_flow *f, size_t at)
{
  return *(const double *)(const void *)((const char *)f + at);
}

/* Sets a piece of *to to `on` times the piece's value in *f. */
static void turn(gscale_flow *to, const gscale_flow *f, int i, double on)
{
  for (int k = 0; k < 2; k++) {
    const size_t at = pieces[i].number[k];
    *(double *)(void *)((char *)to + at) = on * number(f, at);
  }
}

/* Returns true if a flow has piece i.  Chunks or bursts may have a tail. */
static bool has(const gscale_flow *f, int i)
{
  if (pieces[i].is == GSCALE_M_TAIL) return f->chunk > 0.0 || f->burst > 0.0;
  return number(f, pieces[i].number[0]) > 0.0 ||
         number(f, pieces[i].number[1]) > 0.0;
}

/* Switches on the pieces of a flow one after the other.  Kernels alone take
 * their own time, and the flow with its last piece takes `whole`. */
static void switch_on(gscale__attribution *s, const gscale_flow *f,
                      const gscale__chunks *c, double whole, double times)
{
  gscale_flow part = *f;
  double before = 0.0;
  int last = 0;

  for (int i = 0; i < PIECES; i++)
    if (has(f, i)) last = i;
  for (int i = 1; i < PIECES; i++) turn(&part, f, i, 0.0);
  for (int i = 0; i <= last; i++) {
    if (!has(f, i)) continue;
    turn(&part, f, i, 1.0);
    const double now = i == last ? whole
                       : i == 0  ? f->compute
                                 : gscale__flow_length(&part, c);
    s->of[pieces[i].is] += times * (now - before);
    before = now;
  }
}

/* Relaxes each piece of a flow by 1 %, one at a time. */
static void relax(gscale__attribution *s, const gscale_flow *f,
                  const gscale__chunks *c, double whole, double times)
{
  gscale_flow less = *f;

  for (int i = 0; i < PIECES; i++) {
    if (!has(f, i)) continue;
    turn(&less, f, i, 0.99);
    s->saved[pieces[i].is] += times * (whole - gscale__flow_length(&less, c));
    turn(&less, f, i, 1.0);
  }
}

void gscale__attribute_flow(gscale__attribution *s, const gscale_flow *f,
                            double whole, double times)
{
  gscale__chunks c;

  if (!(times > 0.0)) return;
  if (f->chunk > 0.0) gscale__chunks_of(f, true, &c);
  switch_on(s, f, &c, whole, times);
  relax(s, f, &c, whole, times);
}

double gscale__flow_kept(const gscale_flow *f, double kernels, bool moves)
{
  gscale_flow part = *f;
  gscale__chunks c;

  turn(&part, f, 0, kernels);
  if (!moves) return part.compute;
  if (f->chunk > 0.0) gscale__chunks_of(&part, true, &c);
  return gscale__flow_length(&part, &c);
}

/* ---- parts --------------------------------------------------------------- */

/* The part to which a mechanism's time belongs. */
static const gscale_part part_of[GSCALE_MECHANISM_END] = {
    [GSCALE_M_COMPUTE] = GSCALE_PART_COMPUTE,
    [GSCALE_M_HOST] = GSCALE_PART_HOST,
    [GSCALE_M_SYNC] = GSCALE_PART_HOST,
    [GSCALE_M_BANDWIDTH] = GSCALE_PART_TRANSFER,
    [GSCALE_M_ISSUE] = GSCALE_PART_TRANSFER,
    [GSCALE_M_INITIATION] = GSCALE_PART_INITIATION,
    [GSCALE_M_FAULT] = GSCALE_PART_INITIATION,
    [GSCALE_M_TRACKING] = GSCALE_PART_TRACKING,
    [GSCALE_M_TAIL] = GSCALE_PART_TAIL,
    [GSCALE_M_LATENCY] = GSCALE_PART_LATENCY,
};

/* Fills the parts.  The largest part absorbs the rounding of the sum. */
static void fill_parts(const gscale__attribution *s, gscale__parts *out)
{
  double sum = 0.0;
  int most = 0;

  for (int i = 0; i < GSCALE_PART_END; i++) out->of[i] = 0.0;
  for (int m = 0; m < GSCALE_MECHANISM_END; m++)
    out->of[part_of[m]] += s->of[m];
  for (int i = 0; i < GSCALE_PART_END; i++) {
    out->of[i] = gscale__max(0.0, out->of[i]); /* avoids -1e-19 */
    sum += out->of[i];
    if (out->of[i] > out->of[most]) most = i;
  }
  const double off = s->time - sum;
  const bool rounded = fabs(off) <= 1e-9 * sum && isfinite(sum);
  if (rounded) out->of[most] += off;
  out->time = rounded || !isfinite(s->time) ? s->time : sum;
}

/* Returns the mechanism whose relaxation saves most time. */
static gscale_mechanism bound_of(const gscale__attribution *s)
{
  int most = GSCALE_M_COMPUTE;

  for (int m = 0; m < GSCALE_MECHANISM_END; m++)
    if (s->saved[m] > s->saved[most]) most = m;
  return (gscale_mechanism)most;
}

void gscale__parts_of(const gscale__attribution *s, gscale__parts *out)
{
  fill_parts(s, out);
  out->bound = bound_of(s);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
