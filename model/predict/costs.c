/* costs.c - a plan's parameters as the costs of a timeline. */

#include "costs.h"

/* A call that has no parameter of its own costs as its like: a memset as a
 * launch, copies from and to the host as those between GPUs.  host.sync is what
 * a synchronised phase takes beside issue and kernels: from a kernel's end
 * until the thread goes on; that of a further stream, host.sync_more, is the
 * call's. copy.latency is that from a kernel's end to a copy behind it, whether
 * in its stream or by an event; what follows another GPU's event is taken to
 * wait as long. */
void gscale__costs(const gscale_plan *p, double *cost)
{
  const double *v = p->p;
  double *issue = cost + GSCALE_COST_ISSUE, *crowd = cost + GSCALE_COST_CROWD;
  const double launch = v[GSCALE_HOST_LAUNCH], copy = v[GSCALE_HOST_COPY];
  const double behind =
      v[p->can.peer == GSCALE_PEER_NONE ? GSCALE_STAGED_LATENCY
                                        : GSCALE_COPY_LATENCY];

  for (int i = 0; i < GSCALE_COST_END; i++) cost[i] = 0.0;
  for (int k = GSCALE_LAUNCH; k <= GSCALE_COLLECTIVE; k++) {
    const bool copies = k >= GSCALE_COPY_D2D && k <= GSCALE_COPY_H2D;
    issue[k] = copies ? copy : launch;
    crowd[k] = copies ? copy * v[GSCALE_HOST_COPY_CROWD]
                      : launch * v[GSCALE_HOST_LAUNCH_CROWD];
  }
  issue[GSCALE_RECORD] = issue[GSCALE_WAIT] = v[GSCALE_HOST_EVENT];
  issue[GSCALE_SYNC_STREAM] = v[GSCALE_HOST_SYNC_MORE];
  issue[GSCALE_SYNC_EVENT] = v[GSCALE_HOST_SYNC_MORE];
  cost[GSCALE_COST_BARRIER] = v[GSCALE_HOST_BARRIER];
  cost[GSCALE_COST_BARRIER_MORE] = v[GSCALE_HOST_BARRIER_MORE];
  cost[GSCALE_COST_WAKE] = v[GSCALE_HOST_SYNC];
  cost[GSCALE_COST_KERNEL_COPY] = behind;
  cost[GSCALE_COST_NEAR] = cost[GSCALE_COST_FAR] = v[GSCALE_COPY_LATENCY];
}

/* The law of gscale_host_time: linear in the threads. */
double gscale__crowd(const gscale_plan *p, int threads)
{
  (void)p;
  return gscale_timeline_crowd(threads, INFINITY);
}
