/* agent.c - throughput of resident threads that copy for other GPUs. */

#include "ground/ground.h"

#include <math.h>

static const double WORD = 512.0; /* B of a warp's word, 16 B per thread */

double gscale_agent_rate(const gscale_agent_costs *c, int warps,
                         double inflight, double latency)
{
  if (!(c->turn >= 0.0) || !(c->word >= 0.0) || !(c->sm_rate > 0.0) ||
      warps < 1 || !(inflight > 0.0) || !(latency >= 0.0))
    return NAN;

  const double out = WORD * inflight / c->sm_rate;
  const double elsewhere =
      c->turn + latency + fmax(0.0, inflight * c->word - out);
  double there = 0.0, turns = 0.0;

  for (int k = 1; k <= warps; k++) {
    const double stay = out * (1.0 + there);
    turns = k / (elsewhere + stay);
    there = turns * stay;
  }
  return turns * WORD * inflight;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
