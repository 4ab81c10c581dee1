/* costs.c - a system's parameters as the costs of a timeline. */

#include "price/costs.h"

#include <math.h>

/* Of each call of the driver: issue, and what it is slower by, relatively. */
static const struct {
  gscale_param_id issue, crowd, share;
} calls[GSCALE_CALL_END] = {
    [GSCALE_LAUNCH] = {GSCALE_HOST_LAUNCH, GSCALE_HOST_LAUNCH_CROWD,
                       GSCALE_SHARE_LAUNCH},
    [GSCALE_GRAPH] = {GSCALE_HOST_GRAPH, GSCALE_CROWD_GRAPH,
                      GSCALE_SHARE_GRAPH},
    [GSCALE_MEMSET] = {GSCALE_HOST_MEMSET, GSCALE_CROWD_MEMSET,
                       GSCALE_SHARE_MEMSET},
    [GSCALE_COPY_D2D] = {GSCALE_HOST_COPY, GSCALE_HOST_COPY_CROWD,
                         GSCALE_SHARE_COPY},
    [GSCALE_COPY_D2H] = {GSCALE_HOST_D2H, GSCALE_CROWD_D2H, GSCALE_SHARE_D2H},
    [GSCALE_COPY_H2D] = {GSCALE_HOST_H2D, GSCALE_CROWD_H2D, GSCALE_SHARE_H2D},
    [GSCALE_COLLECTIVE] = {GSCALE_COLL_ISSUE, GSCALE_HOST_LAUNCH_CROWD,
                           GSCALE_SHARE_LAUNCH},
    [GSCALE_RECORD] = {GSCALE_HOST_EVENT, GSCALE_CROWD_EVENT,
                       GSCALE_SHARE_EVENT},
    [GSCALE_WAIT] = {GSCALE_HOST_EVENT, GSCALE_CROWD_EVENT, GSCALE_SHARE_EVENT},
    [GSCALE_SYNC_STREAM] = {GSCALE_HOST_SYNC_MORE, GSCALE_CROWD_SYNC,
                            GSCALE_SHARE_SYNC},
    [GSCALE_SYNC_EVENT] = {GSCALE_HOST_SYNC_EVENT, GSCALE_CROWD_SYNC_EVENT,
                           GSCALE_SHARE_SYNC_EVENT},
    [GSCALE_SET_DEVICE] = {GSCALE_HOST_SET_DEVICE, GSCALE_CROWD_SET_DEVICE,
                           GSCALE_SHARE_SET_DEVICE},
};

/* Of threads that share a GPU: 0 if none do. */
static double shared(const double *p, int gpus, int threads)
{
  const int most = (threads - 1) / gpus + 1; /* of one GPU */

  return gscale_timeline_crowd(most, p[GSCALE_SHARE_ROOM]);
}

double gscale__crowd(const double *p, int gpus, int threads)
{
  return threads > gpus ? shared(p, gpus, threads)
                        : gscale_timeline_crowd(threads, INFINITY);
}

static void of_calls(const double *p, bool share, double *cost)
{
  for (int k = 0; k < GSCALE_CALL_END; k++) {
    const double issue = p[calls[k].issue];
    cost[GSCALE_COST_ISSUE + k] = issue;
    cost[GSCALE_COST_CROWD + k] =
        issue * p[share ? calls[k].share : calls[k].crowd];
  }
}

static double per_thread(const double *p, gscale_param_id two,
                         gscale_param_id more, int threads)
{
  return p[two] + (threads - 2) * p[more];
}

/* Each with a GPU: measured alone, and as what a barrier behind a wait takes
 * more than a bare one.  The second is part of a step, and sees more. */
static double own_straggling(const double *p, int threads)
{
  const double alone =
      per_thread(p, GSCALE_HOST_STRAGGLE, GSCALE_HOST_STRAGGLE_MORE, threads);
  const double late =
      per_thread(p, GSCALE_HOST_BARRIER, GSCALE_HOST_BARRIER_MORE, threads);
  const double bare = per_thread(p, GSCALE_HOST_BARRIER_BARE,
                                 GSCALE_HOST_BARRIER_BARE_MORE, threads);

  return fmax(alone, late - bare);
}

static double straggling(const double *p, int gpus, int threads)
{
  if (threads < 2) return 0.0;
  return threads > gpus ? p[GSCALE_SHARE_STRAGGLE] * shared(p, gpus, threads)
                        : own_straggling(p, threads);
}

void gscale__costs(const double *p, int gpus, int threads, double *cost)
{
  const double sync = p[GSCALE_HOST_SYNC];
  const double wake = fmin(p[GSCALE_HOST_WAKE], sync);

  of_calls(p, threads > gpus, cost);
  cost[GSCALE_COST_BARRIER] = p[GSCALE_HOST_BARRIER_BARE];
  cost[GSCALE_COST_BARRIER_MORE] = p[GSCALE_HOST_BARRIER_BARE_MORE];
  cost[GSCALE_COST_STRAGGLE] = straggling(p, gpus, threads);
  cost[GSCALE_COST_WAKE] =
      wake + sync * p[GSCALE_SHARE_WAKE] * shared(p, gpus, threads);
  cost[GSCALE_COST_KERNEL_HOST] = sync - wake;
  cost[GSCALE_COST_COPY_HOST] = sync - wake;
  cost[GSCALE_COST_KERNEL_KERNEL] = 0.0;
  cost[GSCALE_COST_KERNEL_COPY] = p[GSCALE_COPY_LATENCY];
  cost[GSCALE_COST_COPY_KERNEL] = p[GSCALE_HAND_COPY_KERNEL];
  cost[GSCALE_COST_COPY_COPY] = 0.0;
  cost[GSCALE_COST_NEAR] = p[GSCALE_HAND_NEAR];
  cost[GSCALE_COST_FAR] = p[GSCALE_HAND_FAR];
  cost[GSCALE_COST_FAR_MEET] = fmin(p[GSCALE_HAND_MEET], p[GSCALE_HAND_FAR]);
}

static double crowded(const double *p, gscale_param_id issue,
                      gscale_param_id crowd, double by)
{
  return p[issue] * (1.0 + p[crowd] * by);
}

gscale__behind gscale__costs_behind(const double *p, int gpus, int threads)
{
  const bool share = threads > gpus;
  const double by = gscale__crowd(p, gpus, threads);
  const double far =
      crowded(p, GSCALE_HOST_WAIT_FAR,
              share ? GSCALE_SHARE_WAIT_FAR : GSCALE_CROWD_WAIT_FAR, by);
  const double near =
      crowded(p, GSCALE_HOST_EVENT,
              share ? GSCALE_SHARE_EVENT : GSCALE_CROWD_EVENT, by);

  return (gscale__behind){fmax(0.0, far - near), p[GSCALE_COPY_LATENCY],
                          p[GSCALE_HAND_COPY_KERNEL]};
}
