/* agents.c - rates of agents that run a program's own code. */

#include "ground/ground.h"
#include "price/stage.h"

#include <math.h>

/* Threads per block and loads in flight of measured agent.thread_rate. */
static const double BLOCK = 256.0, LOADS = 4.0;

/* Returns the rate in B/s of one thread of an agent.  Each block of the agent
 * runs on a separate SM and reads from memory. */
static double each(const gscale_plan *p, double block, double loads)
{
  const gscale_agent_costs c = {gscale__ask(p, GSCALE_AGENT_TURN),
                                gscale__ask(p, GSCALE_AGENT_WORD),
                                gscale__ask(p, GSCALE_AGENT_SM_RATE)};
  const double latency =
      gscale__max(0.0, gscale__ask(p, GSCALE_DEVICE_LATENCY) -
                           gscale__ask(p, GSCALE_DEVICE_CACHE_LATENCY));

  return gscale_agent_rate(&c, (int)ceil(block / 32.0), loads, latency) / block;
}

double gscale__agent_thread(const gscale_plan *p, const gscale__phase_plan *f,
                            double width)
{
  const double rate = gscale__ask(p, GSCALE_AGENT_THREAD_RATE);
  const double most = gscale__max(32.0, width);
  const double block = fmin(f->agent_block, most);
  const bool ours = !(fabs(f->agent_loads - LOADS) > 0.0) &&
                    !(fabs(f->agent_block - BLOCK) > 0.0);

  return ours ? rate
              : rate * each(p, block, f->agent_loads) / each(p, BLOCK, LOADS);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
