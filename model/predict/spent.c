/* spent.c - what a step's time is made of. */

#include "equation/flow.h"
#include "ground/ground.h"
#include "predict/lasts.h"

#include <math.h>

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
  gscale__spend_time(time, &s->of[m], &s->saved[m]);
}

const gscale_mechanism gscale__lasts_are[GSCALE__LASTS] = {
    GSCALE_M_COMPUTE, GSCALE_M_BANDWIDTH, GSCALE_M_ISSUE, GSCALE_M_INITIATION,
    GSCALE_M_LATENCY, GSCALE_M_HOST,      GSCALE_M_SYNC};

_Static_assert(sizeof(gscale__lasts) == GSCALE__LASTS * sizeof(double),
               "it has a number of each mechanism, in this order");

void gscale__spend_lasts(gscale__spent *s, const gscale__lasts *l, double times)
{
  const double *last = (const double *)(const void *)l;

  for (int i = 0; i < GSCALE__LASTS; i++)
    gscale__spend(s, gscale__lasts_are[i], times * last[i]);
}

enum {
  MADE_OF = 8 /* what a flow is made of, in the order of mechanisms */
};
static const gscale_mechanism made_of[MADE_OF] = {
    GSCALE_M_COMPUTE, GSCALE_M_BANDWIDTH, GSCALE_M_ISSUE, GSCALE_M_INITIATION,
    GSCALE_M_FAULT,   GSCALE_M_TRACKING,  GSCALE_M_TAIL,  GSCALE_M_LATENCY};

/* The numbers of a flow that each switches on: one, or the second, too. */
typedef struct pair {
  gscale__flow_number of[2];
} pair;
static const pair pairs[MADE_OF] = {
    {{GSCALE__FLOW_COMPUTE, GSCALE__FLOW_BUSY}},
    {{GSCALE__FLOW_WIRE, GSCALE__FLOW_SLOWDOWN}},
    {{GSCALE__FLOW_ISSUE, GSCALE__FLOW_ISSUE}},
    {{GSCALE__FLOW_GAP, GSCALE__FLOW_GAP}},
    {{GSCALE__FLOW_START, GSCALE__FLOW_START}},
    {{GSCALE__FLOW_TRACKING, GSCALE__FLOW_TRACKING}},
    {{GSCALE__FLOW_TAIL, GSCALE__FLOW_TAIL}},
    {{GSCALE__FLOW_LATENCY, GSCALE__FLOW_WAITING}}};

/* Flows beside each other, and what they are part of. */
typedef struct flows {
  const gscale_flow *like;
  const gscale__chunks *chunks;
  const double *of, *whole, *times; /* numbers; s; in a step */
} flows;

#define EACH GSCALE__EACH_OF(n)

GSCALE__TEMPLATE bool any(int n, const double *of, gscale__flow_number number)
{
  bool any = false;

  EACH any = any || of[(int)number * n + k] > 0.0;
  return any;
}

/* Of these what some flow has, a bit for each: a tail, if anything can have
 * one. */
GSCALE__TEMPLATE unsigned has(int n, const flows *f)
{
  const double *of = f->of;

  return (unsigned)any(n, of, GSCALE__FLOW_COMPUTE) |
         (unsigned)(any(n, of, GSCALE__FLOW_WIRE) ||
                    any(n, of, GSCALE__FLOW_SLOWDOWN))
             << 1 |
         (unsigned)any(n, of, GSCALE__FLOW_ISSUE) << 2 |
         (unsigned)any(n, of, GSCALE__FLOW_GAP) << 3 |
         (unsigned)any(n, of, GSCALE__FLOW_START) << 4 |
         (unsigned)any(n, of, GSCALE__FLOW_TRACKING) << 5 |
         (unsigned)(f->like->chunk > 0.0 || any(n, of, GSCALE__FLOW_BURST))
             << 6 |
         (unsigned)(any(n, of, GSCALE__FLOW_LATENCY) ||
                    any(n, of, GSCALE__FLOW_WAITING))
             << 7;
}

/* What they have of the i-th, `on` times what it is in *f. */
GSCALE__TEMPLATE void turn(int n, double *to, const flows *f, int i, double on)
{
  const int a = (int)pairs[i].of[0] * n, b = (int)pairs[i].of[1] * n;

  EACH to[a + k] = on * f->of[a + k];
  EACH to[b + k] = on * f->of[b + k];
}

GSCALE__TEMPLATE void lengths(int n, const flows *f, const double *of,
                              double *length)
{
  if (n == 1)
    *length = gscale__flow_length_of(f->like, of, f->chunks);
  else
    gscale__flow_lengths(f->like, of, f->chunks, length);
}

/* Those of a flow are switched on one after the other: kernels alone take what
 * they take, and with the last it takes `whole`.  In the end `part` has all. */
GSCALE__TEMPLATE void switch_on(int n, const flows *f, unsigned some,
                                double *part, double *spent)
{
  double before[GSCALE__AT_ONCE], found[GSCALE__AT_ONCE];

  EACH before[k] = 0.0;
  for (int i = 0; some >> i != 0; i++) {
    const double *now = some >> i == 1U ? f->whole : i == 0 ? f->of : found;
    double *const to = &spent[(int)made_of[i] * n];
    if ((some >> i & 1U) == 0) continue;
    turn(n, part, f, i, 1.0);
    if (now == found) lengths(n, f, part, found);
    EACH
    {
      to[k] += f->times[k] * (now[k] - before[k]);
      before[k] = now[k];
    }
  }
}

/* Each is relaxed alone. */
GSCALE__TEMPLATE void relax(int n, const flows *f, unsigned some, double *less,
                            double *saved)
{
  double length[GSCALE__AT_ONCE];

  for (int i = 0; some >> i != 0; i++) {
    double *const to = &saved[(int)made_of[i] * n];
    if ((some >> i & 1U) == 0) continue;
    turn(n, less, f, i, 0.99);
    lengths(n, f, less, length);
    EACH to[k] += f->times[k] * (f->whole[k] - length[k]);
    turn(n, less, f, i, 1.0);
  }
}

/* `part` is as f->of. */
GSCALE__TEMPLATE void spend(int n, const flows *f, double *part, double *spent,
                            double *saved)
{
  const unsigned some = has(n, f);

  for (int at = GSCALE__FLOW_WIRE * n; at < GSCALE__FLOW_HELD * n; at++)
    part[at] = 0.0;
  switch_on(n, f, some, part, spent);
  relax(n, f, some, part, saved);
}

void gscale__spend_flow(gscale__spent *s, const gscale_flow *f, double whole,
                        double times)
{
  double of[GSCALE__FLOW_NUMBERS], part[GSCALE__FLOW_NUMBERS];
  gscale__chunks c;
  const flows one = {f, &c, of, &whole, &times};

  if (!(times > 0.0)) return;
  gscale__flow_numbers(f, of, 1);
  gscale__flow_numbers(f, part, 1);
  if (f->chunk > 0.0) gscale__chunks_of(f, true, &c);
  spend(1, &one, part, s->of, s->saved);
}

GSCALE__WIDE void gscale__spend_flows(double *of, double *saved,
                                      const gscale_flow *like,
                                      const gscale__chunks *c,
                                      const double *numbers,
                                      const double *whole, const double *times)
{
  double part[GSCALE__FLOW_NUMBERS * GSCALE__AT_ONCE];
  const flows all = {like, c, numbers, whole, times};

  gscale__copy(part, numbers, sizeof part);
  spend(GSCALE__AT_ONCE, &all, part, of, saved);
}

/* ---- parts ----------------------------------------------------------------
 */

/* The part that a mechanism's switching on adds to. */
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

/* What rounding makes of their sum is the largest part's. */
GSCALE__TEMPLATE void fill_parts(int n, const double *spent, double *time,
                                 double *part)
{
  double sum[GSCALE__AT_ONCE], most[GSCALE__AT_ONCE], rest[GSCALE__AT_ONCE];

  for (int i = 0; i < GSCALE_PART_END * n; i++) part[i] = 0.0;
  for (int m = 0; m < GSCALE_MECHANISM_END; m++)
    EACH part[(int)part_of[m] * n + k] += spent[m * n + k];
  EACH sum[k] = most[k] = 0.0;
  for (int i = 0; i < GSCALE_PART_END; i++) EACH
    {
      const double one = gscale__larger(n, 0.0, part[i * n + k]);
      part[i * n + k] = one; /* not -1e-19 */
      sum[k] += one;
      most[k] = one > most[k] ? one : most[k];
    }
  EACH
  {
    const double off = time[k] - sum[k];
    const bool rounded =
        (fabs(off) <= 1e-9 * sum[k]) & (sum[k] < (double)INFINITY);
    rest[k] = rounded ? off : 0.0;
    const bool kept = rounded | !(fabs(time[k]) < (double)INFINITY);
    time[k] = kept ? time[k] : sum[k];
  }
  for (int i = 0; i < GSCALE_PART_END; i++) EACH
    {
      const bool largest = part[i * n + k] >= most[k];
      part[i * n + k] += largest ? rest[k] : 0.0;
      rest[k] = largest ? 0.0 : rest[k];
    }
}

/* What would save most. */
GSCALE__TEMPLATE void find_bound(int n, const double *saved, int *bound)
{
  double most[GSCALE__AT_ONCE], best[GSCALE__AT_ONCE];

  EACH most[k] = saved[(int)GSCALE_M_COMPUTE * n + k];
  EACH best[k] = (double)GSCALE_M_COMPUTE;
  for (int m = 0; m < GSCALE_MECHANISM_END; m++) EACH
    {
      const bool more = saved[m * n + k] > most[k];
      best[k] = more ? (double)m : best[k];
      most[k] = more ? saved[m * n + k] : most[k];
    }
  EACH bound[k] = (int)best[k];
}

void gscale__parts_of(const gscale__spent *s, gscale__parts *out)
{
  int bound;

  out->time = s->time;
  fill_parts(1, s->of, &out->time, out->of);
  find_bound(1, s->saved, &bound);
  out->bound = (gscale_mechanism)bound;
}

GSCALE__WIDE void gscale__parts_beside(const double *spent, const double *saved,
                                       double *time, double *part, int *bound)
{
  fill_parts(GSCALE__AT_ONCE, spent, time, part);
  find_bound(GSCALE__AT_ONCE, saved, bound);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
