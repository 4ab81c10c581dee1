/* flow.h - transfers that overlap with the kernels that produce the data. */
#ifndef GSCALE_FLOW_H
#define GSCALE_FLOW_H

#include "gpuscale.h"

/** The share of the data that is ready as a function of the elapsed share of
 *  the compute time.  The function is piecewise linear through the points
 *  (at[i], ready[i]), which rise from 0 to 1. */
enum {
  GSCALE_PROFILE_MAX = 16
};
typedef struct gscale_profile {
  size_t n; /* number of points, 2 to GSCALE_PROFILE_MAX */
  double at[GSCALE_PROFILE_MAX];
  double ready[GSCALE_PROFILE_MAX];
} gscale_profile;

extern const gscale_profile gscale_profile_linear; /* through (0, 0) and (1,
                                                    * 1) */

/** A transfer and the kernels that produce its data.  Members that do not apply
 *  are 0. */
typedef struct gscale_flow {
  /* the producer */
  const gscale_profile *ready; /* when written data are ready, or read data are
                                * needed; NULL: at the end */
  double compute;              /* time of the kernels alone, s */
  double tracking;             /* time added by counters and by agents on SMs,
                                * s */
  double waiting;              /* time added by dependent remote loads, s */
  double slowdown;             /* time added by concurrent data movement, s */
  double busy;                 /* compute time that keeps the memory busy, s */
  double held; /* share of compute before the first chunk starts, 0 to 1 */

  /* the transfer */
  double start;   /* time before the first byte, s */
  double wire;    /* time on the busiest link or port, s */
  double issue;   /* time to issue all packets, loads or chunks, s */
  double latency; /* time from the last byte's departure to its use, s */
  double window;  /* share of the data that may be in flight */
  double burst;   /* share of the data that the last block makes at its end,
                   * 0 to 1 */

  /* A flow has chunks, or infinitely small pieces if chunk = 0. */
  double bytes, chunk; /* B of the flow, and of one chunk */
  double gap;          /* time between starts of two chunks, s */
  bool worker;         /* an agent takes the gap before each chunk */
  bool serial;         /* the gap starts at the end of the previous chunk */
  double beside; /* factor on issue and gap while the memory is busy; 0 counts
                  * as 1 */
  double tail; /* 0 to 1: chunks leave when complete (1), or with the first byte
                * (0), or in between */
} gscale_flow;

/** Returns the time from the start of the kernels to the end of the transfer.
 *
 *  If chunk = 0, the profile's points (at_i, ready_i) give a recurrence.  The
 *  link has moved the share x at the time m + x * transfer.  Before this time
 *  the kernel makes no data beyond the share x + window, and does no later
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
 *  There are four special cases.
 *    no transfer (transfer = 0):              end = work.
 *    transfer of data ready at the end:       end = work + transfer.
 *    linear profile, window = 1:              end = max(work, transfer).
 *    loads needed up to `at`, window = 0:     the share `at` of work overlaps
 *                                             with the transfer.
 *
 *  If chunk > 0, there are n equal chunks, except that the first chunk may be
 *  smaller.  With a small last chunk instead, fewer bytes could take longer.
 *  The chunks obey the recurrence of a pipeline,
 *
 *    start_i = max(ready_i + latency, start_(i-1) + gap, end_(i-1)),
 *    start_i = max(ready_i + latency, end_(i-1) + gap)        if serial,
 *    end_i   = start_i + bytes_i / bandwidth.
 *
 *  With step = max(gap, chunk/bandwidth), or step = gap + chunk/bandwidth if
 *  serial, the closed form is
 *
 *    end     = max_j ( ready_j + (n-1-j) step ) + latency + chunk/bandwidth.
 *
 *  The first chunk's step depends on the first chunk's bytes.
 *
 *  A piecewise linear function has its maximum at the end of a piece, so that
 *  the cost depends on the number of the profile's points and not on n. ready_i
 *  is the mean of two times: when the chunk is complete, with weight `tail`,
 *  and when its first byte is ready (cut-through), with weight 1 - tail.
 *  Concurrent data movement slows compute only while both last.  If the
 *  transfer ends last, most bytes move after compute.  The pipeline is
 *  therefore evaluated with compute that is not slowed, and the last chunk
 *  follows compute that is fully slowed:
 *
 *    end = max( pipeline with compute, compute + tracking + slowdown
 *               + last chunk ) + latency.
 *
 *  The pipeline has the bandwidth bytes/max(wire, issue) and the gap; with a
 *  worker, the gap includes the issue of a chunk.  While compute keeps the
 *  memory busy, a chunk takes `slower` times as long because issue and gap take
 *  `beside` times as long.  The pipeline is computed with compute shortened by
 *  the ratio `slower`, and then scaled by this ratio; the rest runs at full
 *  speed.  No chunk starts before the share `held` of compute.
 *
 *  Given    all members >= 0;  shares and tail  0 to 1;  chunk > 0 only with
 *           bytes > 0.
 *  Returns  s, at least compute; NaN outside the domain.
 *  Limits   for one chunk, compute + latency + bytes/bandwidth; for a linear
 *           profile, latency + compute/n + n step with short compute, and
 *           compute + latency + last/bandwidth with long compute.
 *  Omits    several transfers of one kernel; blocks that wait for stores of
 *           other blocks of the SM to another destination.
 *  Source   ours; decoupled transfers of [Proact21] have the pipeline's limits;
 *           a warp whose stores wait for the link delays the loads of its SM.
 */
double gscale_flow_time(const gscale_flow *f);

/** Returns the time from the start of the kernels until the first byte of a
 *  flow leaves.
 *
 *    first = compute time until the byte is ready or needed + start.
 *
 *  Without a profile, the byte is ready when the kernels end.  With chunks, the
 *  byte leaves after `held` and the agent's latency, when the first chunk is
 *  complete (weight `tail`) or its first byte is ready (weight 1 - tail).
 *
 *  Given    a flow as for gscale_flow_time().
 *  Returns s, from 0 to gscale_flow_time(f); NaN outside the domain, and if
 *  wire, issue and bytes are 0.
 *  Omits    loads and other transfers that slow the kernels before the first
 *           byte.
 *  Source   ours: the first term of the recurrence of gscale_flow_time(). */
double gscale_flow_first(const gscale_flow *f);

/* ---- agents -------------------------------------------------------------- */

/** A machine's costs of an agent.  An agent's code is described by width,
 *  blocks and unrolling. */
typedef struct gscale_agent_costs {
  double turn;    /* time of a warp's turn without words, from cache, s */
  double word;    /* time added per word of all threads (512 B), s */
  double sm_rate; /* B/s that one SM stores to other GPUs */
} gscale_agent_costs;

/** Returns the rate at which the warps of one SM copy into another GPU's
 *  memory.
 *
 *  In each turn, each thread of a warp loads u words of 16 B, waits for the
 *  words, and stores them.  A turn of a single warp takes Z + S, where
 *
 *    S = 512 u / sm_rate                 is the time at the SM's exit,
 *    Z = turn + latency + u word - S     is the rest (>= turn + latency).
 *
 *  The k warps compete only for the SM's exit, which is a closed queue.  R is
 *  the time at the exit, X the turns per second, and Q the number of warps at
 *  the exit, computed successively for 1 to k warps:
 *
 *    R = S (1 + Q),   X = k / (Z + R),   Q = X R.
 *
 *  Given    warps     number of warps on the SM, >= 1.
 *           inflight  u > 0, the number of loads that a thread issues before it
 *                     uses the first load.
 *           latency   s of the loads beyond the latency of a cache, >= 0.
 *  Returns  the rate X * 512 u, B/s; NaN outside the domain.
 *  Limits   for few warps, 512 k u / (turn + latency + u word); for many warps,
 *           sm_rate.
 *  Omits    the link, which all SMs share, and shared paths of SMs to the link.
 *  Source   ours; mean-value analysis of closed queues [ReiserLavenberg80]. */
double gscale_agent_rate(const gscale_agent_costs *c, int warps,
                         double inflight, double latency);

#endif /* GSCALE_FLOW_H */

/* SPDX-License-Identifier: GPL-3.0-or-later */
