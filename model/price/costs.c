/* costs.c - costs of a timeline, from a system's parameters. */

#include "price/costs.h"

#include <math.h>

/* Returns the contention of threads that share a GPU, or 0 if none do. */
static double shared(const gscale__source *p, int gpus, int threads)
{
  const int most = (threads - 1) / gpus + 1; /* threads of one GPU */

  return gscale_timeline_crowd(most, gscale__read(p, GSCALE_SHARE_ROOM));
}

double gscale__crowd(const gscale__source *p, int gpus, int threads)
{
  return threads > gpus ? shared(p, gpus, threads)
                        : gscale_timeline_crowd(threads, INFINITY);
}

static void of_calls(const gscale__source *p, bool share, double *cost)
{
  for (int k = 0; k < GSCALE_CALL_END; k++) {
    const double issue = gscale__read(p, gscale__calls[k].issue);
    cost[GSCALE_COST_ISSUE + k] = issue;
    cost[GSCALE_COST_CROWD + k] =
        issue * gscale__read(p, share ? gscale__calls[k].share
                                      : gscale__calls[k].crowd);
  }
}

static double per_thread(const gscale__source *p, gscale_param_id two,
                         gscale_param_id more, int threads)
{
  return gscale__read(p, two) + (threads - 2) * gscale__read(p, more);
}

/* Straggling was measured in two ways: alone, and as the excess of a barrier
 * after a wait over a bare one.  The excess is in a step and may be larger. */
static double own_straggling(const gscale__source *p, int threads)
{
  const double alone =
      per_thread(p, GSCALE_HOST_STRAGGLE, GSCALE_HOST_STRAGGLE_MORE, threads);
  const double late =
      per_thread(p, GSCALE_HOST_BARRIER, GSCALE_HOST_BARRIER_MORE, threads);
  const double bare = per_thread(p, GSCALE_HOST_BARRIER_BARE,
                                 GSCALE_HOST_BARRIER_BARE_MORE, threads);

  return fmax(alone, late - bare);
}

static double straggling(const gscale__source *p, int gpus, int threads)
{
  if (threads < 2) return 0.0;
  return threads > gpus
             ? gscale__read(p, GSCALE_SHARE_STRAGGLE) * shared(p, gpus, threads)
             : own_straggling(p, threads);
}

void gscale__costs(const gscale__source *p, int gpus, int threads, double *cost)
{
  const double sync = gscale__read(p, GSCALE_HOST_SYNC);
  const double wake = fmin(gscale__read(p, GSCALE_HOST_WAKE), sync);

  of_calls(p, threads > gpus, cost);
  cost[GSCALE_COST_BARRIER] = gscale__read(p, GSCALE_HOST_BARRIER_BARE);
  cost[GSCALE_COST_BARRIER_MORE] =
      gscale__read(p, GSCALE_HOST_BARRIER_BARE_MORE);
  cost[GSCALE_COST_STRAGGLE] = straggling(p, gpus, threads);
  cost[GSCALE_COST_WAKE] = wake + sync * gscale__read(p, GSCALE_SHARE_WAKE) *
                                      shared(p, gpus, threads);
  cost[GSCALE_COST_KERNEL_HOST] = sync - wake;
  cost[GSCALE_COST_COPY_HOST] = sync - wake;
  cost[GSCALE_COST_KERNEL_KERNEL] = 0.0;
  cost[GSCALE_COST_KERNEL_COPY] = gscale__read(p, GSCALE_COPY_LATENCY);
  cost[GSCALE_COST_COPY_KERNEL] = gscale__read(p, GSCALE_HAND_COPY_KERNEL);
  cost[GSCALE_COST_COPY_COPY] = 0.0;
  cost[GSCALE_COST_NEAR] = gscale__read(p, GSCALE_HAND_NEAR);
  cost[GSCALE_COST_FAR] = gscale__read(p, GSCALE_HAND_REMOTE);
  cost[GSCALE_COST_FAR_MEET] = fmin(gscale__read(p, GSCALE_HAND_MEET),
                                    gscale__read(p, GSCALE_HAND_REMOTE));
}

static double crowded(const gscale__source *p, gscale_param_id issue,
                      gscale_param_id crowd, double by)
{
  return gscale__read(p, issue) * (1.0 + gscale__read(p, crowd) * by);
}

double gscale__far_wait(const gscale__source *p, int gpus, int threads)
{
  const bool share = threads > gpus;
  const double by = gscale__crowd(p, gpus, threads);
  const double far = crowded(
      p, GSCALE_HOST_WAIT_REMOTE,
      share ? GSCALE_SHARE_WAIT_REMOTE : GSCALE_CONTENTION_WAIT_REMOTE, by);
  const double near =
      crowded(p, GSCALE_HOST_EVENT,
              share ? GSCALE_SHARE_EVENT : GSCALE_CONTENTION_EVENT, by);

  return fmax(0.0, far - near);
}

double gscale__coll_issue(const gscale__source *p, int gpus, int threads)
{
  const int issuing = threads < gpus ? threads : gpus;

  return gscale__ceil((double)gpus / issuing) *
         crowded(p, GSCALE_COLL_ISSUE, GSCALE_HOST_LAUNCH_CONTENTION,
                 gscale__crowd(p, gpus, issuing));
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
