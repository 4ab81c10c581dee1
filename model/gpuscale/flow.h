/*
 * flow.h - transfers that start while data is still being produced.
 *
 * gpuscale.h says what holds for all headers.
 */
#ifndef GSCALE_FLOW_H
#define GSCALE_FLOW_H

#include "gpuscale.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- overlap: transfers that start while data is still being produced ---- */

/** Share of the data that is ready at each share of the compute time:
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

/** A transfer with its producer: kernels, and what their data needs on each
 *  resource, all of it, one piece after the other.  Fields that a kind does not
 *  name are zero. */
typedef struct gscale_flow {
  /* the producer */
  const gscale_profile
      *ready;      /* when what is moved is ready, or what is read
                    * is needed; NULL: when the kernels have ended */
  double compute;  /* s, the kernels alone */
  double tracking; /* s, more for counters and what agents take of the SMs */
  double waiting;  /* s, more for dependent loads that go to other GPUs */
  double slowdown; /* s, more for bytes that move beside them */
  double busy;     /* s of compute in which they keep the memory busy */
  double held;     /* share of compute before which no chunk leaves, 0..1 */

  /* the transfer */
  double start;   /* s, before its first byte */
  double wire;    /* s, the busiest link or port */
  double issue;   /* s, as packets, loads or agents are many */
  double latency; /* s, until the last byte can be used */
  double window;  /* share of it that may be on its way */
  double burst;   /* share that the last block makes at its end, 0..1 */

  /* in chunks; chunk = 0: in pieces as small as can be */
  double bytes, chunk; /* B, all and one */
  double gap;          /* s, between two starts */
  bool worker;         /* who moves a chunk spends its gap first */
  bool serial;         /* the gap begins when the last chunk has ended */
  double beside; /* issue and gap take so many times longer while the memory is
                  * busy; 0 as 1 */
  double tail;   /* 0..1: chunks leave when they are complete (1) or with their
                  * first byte (0), or the mean of both */
} gscale_flow;

/** Time from the start of the kernels until all has ended.
 *
 *  In pieces as small as can be (chunk = 0), over the points (at, ready) of the
 *  profile, of which the link has moved a share x at m + x transfer; until then
 *  none beyond x + window is made, nor what the kernel does after that:
 *
 *    work     = compute + tracking + waiting + slowdown
 *    transfer = start + max(wire, issue)
 *    made_i   = max( made_(i-1) + (at_i - at_(i-1)) work,
 *                    m + (ready_i - window) transfer )
 *    m        = max_(j<i) ( made_j - ready_j transfer )
 *    end      = max(made_n, m + transfer)
 *               + tail burst min(work, transfer) + latency
 *
 *  This is
 *    no transfer             ready any, transfer = 0:    work
 *    a transfer behind       ready at the end:           work + transfer
 *    stores of all blocks    linear, window = 1:         max(work, transfer)
 *    loads of the first      needed to `at`, window = 0: the share `at` of work
 *      blocks                  beside the transfer, then the rest
 *
 *  In n equal chunks (the first may be smaller: then the last, for which all
 *  wait, is as long whatever is before it, and no more bytes take less), by the
 *  recurrence of a pipe
 *
 *    start_i = max(ready_i + latency, start_(i-1) + gap, end_(i-1))
 *    start_i = max(ready_i + latency, end_(i-1) + gap)        if serial
 *    end_i   = start_i + bytes_i / bandwidth
 *
 *  whose closed form is, with step = max(gap, chunk/bandwidth), or the sum of
 *  both if serial,
 *
 *    end     = max_j ( ready_j + (n-1-j) step ) + latency + chunk/bandwidth
 *
 *  (the first one's own step is that of its bytes).
 *
 *  The maximum of a piecewise linear function is taken at the ends of its
 *  pieces only, so the cost is that of the profile's points, not of n.  A chunk
 *  is ready when it is complete (the share `tail`), or when its first byte is
 *  (cut-through, the share 1 - tail).  What moves bytes beside compute slows it
 *  only while both last: where the transfer is what ends last, most bytes move
 *  when compute has ended.  So the pipe is taken beside compute alone, and
 *  compute with all that it can lose ends before the last chunk does:
 *
 *    end = max( pipe beside compute, compute + tracking + slowdown
 *               + last chunk ) + latency
 *
 *  The pipe has bandwidth bytes/max(wire, issue) and the gap, or with a worker
 *  the gap and a chunk's issue.  While compute keeps the memory busy it takes
 *  `slower` times as long, the ratio of a chunk's time with issue and gap
 *  `beside` times longer to that without.  On a clock that is so many times
 *  slower then, the pipe is as fast as alone, and compute lasts that much less:
 *  what is left when it ends follows as if alone.  `held`: all chunks after
 * that share of compute.
 *
 *  Given    all >= 0, shares and tail 0..1, chunk > 0 only with bytes > 0
 *  Returns  s, never below compute
 *  Limits   above; one chunk: compute + latency + bytes/bandwidth; linear
 *           profile, compute small: latency + compute/n + n step; compute
 *           large: compute + latency + last/bandwidth
 *  Omits    several transfers of one kernel; that blocks of one SM are held up
 *           by stores to another destination
 *  Errors   NaN outside its domain
 *  Source   ours; the limits of the pipe are [Proact21] decoupled transfers; a
 *           warp whose stores the link does not take holds up the loads of its
 *           SM
 */
double gscale_flow_time(const gscale_flow *f);

/** When the first byte of a flow leaves, from the start of its kernels:
 *
 *    first = compute + tracking, where it is made ready or needed + start
 *
 *  without a profile when the kernels have ended; in chunks, when the first
 *  chunk is complete (the share `tail`) or its first byte is, behind `held`,
 *  and the latency of the agent.
 *
 *  Given    as gscale_flow_time
 *  Returned s, 0 .. gscale_flow_time(f); NaN where nothing moves (wire, issue
 *           and bytes are 0), and outside the domain
 *  Omits    what slows the kernels before: loads, other transfers
 *  Source   ours, the first term of the recurrence above
 */
double gscale_flow_first(const gscale_flow *f);

/* ---- agents --------------------------------------------------------------
 */

/** A machine's part of it; an agent's code is width, blocks and unrolling. */
typedef struct gscale_agent_costs {
  double turn;    /* s, a warp's turn beside its words, loading from a cache */
  double word;    /* s, more for each word of all its threads, 512 B */
  double sm_rate; /* B/s that one SM stores to other GPUs */
} gscale_agent_costs;

/** What the warps of one SM copy into another GPU's memory.
 *
 *  In each turn a warp loads u words of 16 B a thread, waits for them, and
 *  stores them.  Alone it takes  Z + S,  with
 *
 *    S = 512 u / sm_rate                 its words at the SM's way out,
 *    Z = turn + latency + u word - S     the rest (not below turn + latency)
 *
 *  k warps meet at the SM's way out, and nowhere else: a closed queue.  With R
 *  the time there, X turns per second and Q warps there, one after the other
 *  for 1 .. k warps:
 *
 *    R = S (1 + Q),   X = k / (Z + R),   Q = X R
 *
 *  Given    warps     resident on the SM, >= 1
 *           inflight  u, loads that a thread issues before it uses the first,
 *                     > 0
 *           latency   s, >= 0: of those loads beyond a cache's, if they go to
 *                     memory or to another GPU
 *  Returns  B/s, X 512 u.  NaN outside its domain
 *  Limits   few warps: 512 k u / (turn + latency + u word); many: sm_rate
 *  Omits    the link, which all SMs share; that SMs share ways to it
 *  Source   ours; mean-value analysis of closed queues [ReiserLavenberg80]
 */
double gscale_agent_rate(const gscale_agent_costs *c, int warps,
                         double inflight, double latency);

#ifdef __cplusplus
}
#endif

#endif /* GSCALE_FLOW_H */

/* SPDX-License-Identifier: GPL-3.0-or-later */
