/* flow.h - transfers that overlap with the production of their data.
 *
 * gpuscale.h states the rules for all headers. */
#ifndef GSCALE_FLOW_H
#define GSCALE_FLOW_H

#include "gpuscale.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- overlap of transfers with their producers --------------------------- */

/** The share of the data that is ready at each share of the compute time:
 *  piecewise linear through (at[i], ready[i]), both rising from 0 to 1. */
enum {
  GSCALE_PROFILE_MAX = 16
};
typedef struct gscale_profile {
  size_t n; /* points, 2 .. GSCALE_PROFILE_MAX */
  double at[GSCALE_PROFILE_MAX];
  double ready[GSCALE_PROFILE_MAX];
} gscale_profile;

extern const gscale_profile gscale_profile_linear; /* (0,0) (1,1) */

/** A transfer with its producer: kernels, and the total demand of their data on
 *  each resource.  Fields that do not apply are zero. */
typedef struct gscale_flow {
  /* the producer */
  const gscale_profile *ready; /* when moved data is ready, or read data is
                                * needed; NULL: at the end */
  double compute;              /* s, the kernels alone */
  double tracking; /* s, added for counters and agents' use of SMs */
  double waiting;  /* s, added for remote dependent loads */
  double slowdown; /* s, added by bytes that move in parallel */
  double busy;     /* s of compute with busy memory */
  double held;     /* share of compute before the first chunk, 0..1 */

  /* the transfer */
  double start;   /* s, before its first byte */
  double wire;    /* s, the busiest link or port */
  double issue;   /* s, from the number of packets, loads or agents */
  double latency; /* s, until the last byte is usable */
  double window;  /* share that may be in flight */
  double burst;   /* share made by the last block at its end, 0..1 */

  /* A flow is in chunks, or in pieces as small as possible if chunk = 0. */
  double bytes, chunk; /* B, all and one */
  double gap;          /* s, between two starts */
  bool worker;         /* a chunk's agent spends the gap first */
  bool serial;         /* the gap starts at the last chunk's end */
  double beside; /* factor on issue and gap while the memory is busy; 0 as 1 */
  double tail;   /* 0..1: chunks leave when complete (1), or with their first
                  * byte (0), or the mean of both */
} gscale_flow;

/** Returns the time from the start of the kernels to the end of the transfer.
 *
 *  If chunk = 0, pieces are as small as possible, over the points (at, ready)
 *  of the profile.  The link has moved a share x at m + x transfer.  Until then
 *  the kernel makes no data beyond x + window, and does not go on to later
 *  work:
 *
 *    work     = compute + tracking + waiting + slowdown.
 *    transfer = start + max(wire, issue).
 *    made_i   = max( made_(i-1) + (at_i - at_(i-1)) work,
 *                    m + (ready_i - window) transfer ).
 *    m        = max_(j<i) ( made_j - ready_j transfer ).
 *    end      = max(made_n, m + transfer)
 *               + tail burst min(work, transfer) + latency.
 *
 *  Special cases are
 *    no transfer             ready any, transfer = 0:    work.
 *    a transfer behind       ready at the end:           work + transfer.
 *    stores of all blocks    linear, window = 1:         max(work, transfer).
 *    loads of the first      needed to `at`, window = 0: the share `at` of work
 *      blocks                  beside the transfer, then the rest.
 *
 *  Otherwise there are n equal chunks.  The first may be smaller: the last, for
 *  which all wait, is then full in any case, and fewer bytes never take longer.
 *  They follow the recurrence of a pipe
 *
 *    start_i = max(ready_i + latency, start_(i-1) + gap, end_(i-1)).
 *    start_i = max(ready_i + latency, end_(i-1) + gap)        if serial.
 *    end_i   = start_i + bytes_i / bandwidth.
 *
 *  With step = max(gap, chunk/bandwidth), or the sum of both if serial, the
 *  closed form is
 *
 *    end     = max_j ( ready_j + (n-1-j) step ) + latency + chunk/bandwidth.
 *
 *  The first chunk's own step is that of its bytes.
 *
 *  A piecewise linear function has its maximum at the ends of its pieces, so
 *  the cost depends on the profile's points, not on n.  A chunk is ready when
 *  it is complete (the share `tail`), or when its first byte is (cut-through,
 *  the share 1 - tail).  Bytes that move in parallel slow compute only while
 *  both last.  If the transfer ends last, most bytes move after compute.  The
 *  pipe is therefore evaluated beside unslowed compute, and fully slowed
 *  compute ends before the last chunk does:
 *
 *    end = max( pipe beside compute, compute + tracking + slowdown
 *               + last chunk ) + latency.
 *
 *  The pipe has bandwidth bytes/max(wire, issue) and the gap, or with a worker
 *  the gap and a chunk's issue.  While compute keeps the memory busy it takes
 *  `slower` times as long, the ratio of a chunk's time with issue and gap
 *  `beside` times longer to that without.  On a clock slower by this ratio the
 *  pipe runs as if alone, and compute is shorter by it; the rest of the pipe
 *  follows at full speed. `held` delays all chunks to that share of compute.
 *
 *  Given    all >= 0, shares and tail 0..1, chunk > 0 only with bytes > 0.
 *  Returns  s, never below compute.  NaN outside the domain.
 *  Limits   above; one chunk: compute + latency + bytes/bandwidth; linear
 *           profile, compute small: latency + compute/n + n step; compute
 *           large: compute + latency + last/bandwidth.
 *  Omits    several transfers of one kernel; blocks of one SM that wait for
 *           stores to another destination.
 *  Source   ours; the limits of the pipe are [Proact21] decoupled transfers; a
 *           warp whose stores the link does not take delays the loads of its
 *           SM. */
double gscale_flow_time(const gscale_flow *f);

/** Returns the time at which the first byte of a flow leaves, from the start of
 *  its kernels:
 *
 *    first = compute + tracking, where it is made ready or needed + start.
 *
 *  Without a profile this is when the kernels have ended.  In chunks it is when
 *  the first chunk is complete (the share `tail`) or its first byte is, after
 *  `held`, plus the latency of the agent.
 *
 *  Given    as gscale_flow_time.
 *  Returned s, 0 .. gscale_flow_time(f); NaN where nothing moves (wire, issue
 *           and bytes are 0), and outside the domain.
 *  Omits    slower kernels before it: loads, other transfers.
 *  Source   ours, the first term of the recurrence above. */
double gscale_flow_first(const gscale_flow *f);

/* ---- agents -------------------------------------------------------------- */

/** A machine's costs of an agent, whose code is width, blocks and unrolling. */
typedef struct gscale_agent_costs {
  double turn;    /* s, a warp's turn without words, from a cache */
  double word;    /* s, added per word of all its threads, 512 B */
  double sm_rate; /* B/s that one SM stores to other GPUs */
} gscale_agent_costs;

/** Returns the rate at which the warps of one SM copy into another GPU's
 *  memory.
 *
 *  In each turn a warp loads u words of 16 B a thread, waits for them, and
 *  stores them.  Alone it takes  Z + S,  with
 *
 *    S = 512 u / sm_rate                 its words at the SM's exit,
 *    Z = turn + latency + u word - S     the rest (not below turn + latency).
 *
 *  The k warps compete only for the SM's exit, a closed queue. With R the time
 *  there, X turns per second and Q warps there, successively for 1 .. k warps:
 *
 *    R = S (1 + Q),   X = k / (Z + R),   Q = X R.
 *
 *  Given    warps     resident on the SM, >= 1.
 *           inflight  u, loads that a thread issues before it uses the first,
 *                     > 0.
 *           latency   s, >= 0: of those loads beyond a cache's, if they go to
 *                     memory or to another GPU.
 *  Returns  B/s, X 512 u.  NaN outside its domain.
 *  Limits   few warps: 512 k u / (turn + latency + u word); many: sm_rate.
 *  Omits    the link, which all SMs share; shared paths of SMs to it.
 *  Source   ours; mean-value analysis of closed queues [ReiserLavenberg80]. */
double gscale_agent_rate(const gscale_agent_costs *c, int warps,
                         double inflight, double latency);

#ifdef __cplusplus
}
#endif

#endif /* GSCALE_FLOW_H */

/* SPDX-License-Identifier: GPL-3.0-or-later */
