/*
 * agent.h - what resident threads carry that copy for other GPUs.
 *
 * Included by gpuscale.h, which says what holds for all of them.
 */
#ifndef GSCALE_AGENT_H
#define GSCALE_AGENT_H

#ifdef __cplusplus
extern "C" {
#endif

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

#endif /* GSCALE_AGENT_H */
