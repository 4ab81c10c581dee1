/* timeline.h - schedules of host threads and streams, with period and critical
 * cycle.
 *
 * model/timeline/README.md has the rules of schedules and an example. */
#ifndef GSCALE_TIMELINE_H
#define GSCALE_TIMELINE_H

#include "gpuscale.h"

/** The kind of an action of a host thread.  The first GSCALE_CALL_END kinds are
 *  driver calls, which contend with driver calls of other threads. */
typedef enum gscale_action_kind {
  GSCALE_LAUNCH,     /* a kernel */
  GSCALE_GRAPH,      /* a graph of kernels */
  GSCALE_MEMSET,     /* an asynchronous memset, a kernel on the device */
  GSCALE_COPY_D2D,   /* an asynchronous copy to GPU `peer` */
  GSCALE_COPY_D2H,   /* an asynchronous copy to pinned memory */
  GSCALE_COPY_H2D,   /* an asynchronous copy from pinned memory */
  GSCALE_COLLECTIVE, /* a kernel that starts when all members are ready */
  GSCALE_RECORD,     /* a record of `event` in a stream */
  GSCALE_WAIT,       /* a stream's wait for `event` */
  GSCALE_SYNC_STREAM,
  GSCALE_SYNC_EVENT,
  GSCALE_SET_DEVICE, /* a change to GPU `peer` */
  GSCALE_CALL_END,
  GSCALE_BARRIER = GSCALE_CALL_END, /* a barrier of all host threads */
  GSCALE_HOST_WORK,
  GSCALE_ACTION_END,
  /* A phase's publish, only in streams of a gscale_program, which a paradigm
   * replaces by calls. */
  GSCALE_PUBLISH = GSCALE_ACTION_END
} gscale_action_kind;

const char *gscale_action_name(gscale_action_kind k); /* "launch"; or NULL */

typedef enum gscale_parity {
  GSCALE_EVERY_STEP,
  GSCALE_EVEN_STEPS,
  GSCALE_ODD_STEPS,
  GSCALE_PARITY_END
} gscale_parity;

/** An action of a schedule.  Members that the kind does not use are ignored. */
typedef struct gscale_action {
  gscale_action_kind kind;
  gscale_parity parity;
  int thread; /* number of the host thread, 0 to threads-1 */
  int stream; /* for all but barrier, set-device, host work, sync-event */
  int event;  /* 0 to events-1, for record, wait and sync-event; for a
               * collective, its number in a step */
  int peer;   /* 0 to gpus-1, for copy D2D and set-device */
  int length; /* duration of device or host work, 0 to durations-1 */
} gscale_action;

enum {
  GSCALE_ACTIONS_MAX = 10000 /* most actions per step of a GPU, or of a host
                              * thread without GPU */
};

/** The schedule of a step.  Threads make calls, and streams execute them, in
 *  the order of the list.  The order also decides which record of an event a
 *  wait refers to (model/timeline/README.md). */
typedef struct gscale_schedule {
  int gpus, threads, streams, events, durations;
  const int *stream_gpu; /* GPU of each stream */
  size_t actions;
  const gscale_action *action;
  int depth;    /* most entries of a stream's launch queue; 0: unlimited */
  double crowd; /* factor on contention costs in the driver, >= 0
                 * (gscale_timeline_crowd) */
} gscale_schedule;

/** Returns the contention factor of driver calls of several host threads.
 *
 *    crowd = (1 + room) (threads - 1) / (threads - 1 + room).
 *
 *  A call takes issue + crowd * (cost of contention).  crowd is 0 for one
 *  thread, 1 for two threads, with which the cost is measured, and at most 1 +
 *  room.
 *
 *  Given    threads  >= 1.
 *           room     > 0; with INFINITY, crowd = threads - 1 without
 *                    saturation.
 *  Limits   for one thread, 0; for more threads and room -> 0, 1.
 *  Omits    threads that share a GPU.
 *  Source   ours: the simplest law that is linear for few threads and has a
 *           limit. */
double gscale_timeline_crowd(int threads, double room);

/* ---- costs --------------------------------------------------------------- */

/** The costs of which a step's time is the sum, s.  After the GSCALE_COST_END
 *  costs come the schedule's durations: cost[GSCALE_COST_END + d] is duration
 *  d. */
typedef enum gscale_cost {
  GSCALE_COST_ISSUE, /* + kind: time of a call on its thread */
  GSCALE_COST_CROWD = GSCALE_COST_ISSUE + GSCALE_CALL_END, /* + kind */
  GSCALE_COST_BARRIER =
      GSCALE_COST_CROWD + GSCALE_CALL_END, /* barrier of two threads */
  GSCALE_COST_BARRIER_MORE,                /* added to a barrier per further
                                            * thread */
  GSCALE_COST_STRAGGLE,                    /* delay of a thread after a wait */
  GSCALE_COST_WAKE,          /* delay of a thread after an event */
  GSCALE_COST_KERNEL_KERNEL, /* delay between two kernels of a stream */
  GSCALE_COST_KERNEL_COPY,   /* delay between kernel and copy of a stream */
  GSCALE_COST_COPY_KERNEL,
  GSCALE_COST_COPY_COPY,
  GSCALE_COST_NEAR,        /* from a record to a wait on the same GPU */
  GSCALE_COST_FAR,         /* from a record to a wait on another GPU */
  GSCALE_COST_FAR_MEET,    /* far wait if the kernels end together */
  GSCALE_COST_KERNEL_HOST, /* from a kernel's end until the host sees it */
  GSCALE_COST_COPY_HOST,
  GSCALE_COST_END
} gscale_cost;

/* ---- timelines ----------------------------------------------------------- */

/** A schedule that is compiled to an immutable graph, in which each wait refers
 *  to an action and a step. */
typedef struct gscale_timeline gscale_timeline;

/** Compiles a schedule in time and memory linear in the actions.
 *
 *  Fails    GSCALE_EDOMAIN  if a size is too small, or crowd is not finite or <
 *                           0.
 *           GSCALE_ENAME    if an action's thread, stream, event, GPU or
 *                           duration does not exist, or an event is never
 *                           recorded.
 *           GSCALE_EDATA    if there are no actions, two threads use one
 *                           stream, a barrier is not reached by all threads,
 *                           some members join a collective only in every other
 *                           step, or an action waits for itself (deadlock).
 *           GSCALE_ESIZE    if there are more than GSCALE_ACTIONS_MAX
 *           actions. */
gscale_status gscale_timeline_new(const gscale_schedule *s,
                                  gscale_timeline **out, gscale_diag *diag);
void gscale_timeline_free(gscale_timeline *t);

/** Merges moments of the graph that are always at the same time.
 *
 *  Two moments merge if they wait for the same or for merged moments, with
 *  equal costs and equally many steps earlier.  The function finds the coarsest
 *  such backward bisimulation.  Steps that begin together then stay together,
 *  so that the small graph has the same period as the large graph for any
 *  costs.  The function proves the equality of periods for each class.  Work of
 *  equal length must share a duration.
 *
 *  Given    alike   for each GPU the number of an equal GPU, or NULL.
 *  Returned *out    a timeline that does not depend on t, with the same numbers
 *                   of actions.
 *  Fails    GSCALE_ENAME   if a GPU does not exist.
 *           GSCALE_EDATA   if two GPUs of `alike` are not equal.
 *           GSCALE_ENOMEM.
 *  Source   ours, with the refinement of [PaigeTarjan87]. */
gscale_status gscale_timeline_lump(const gscale_timeline *t, const int *alike,
                                   gscale_timeline **out, gscale_diag *diag);

/** Returns the size, B, of working memory (`scratch`) for the functions below,
 *  which allocate no memory.  Each thread needs one block with malloc's
 *  alignment. */
size_t gscale_timeline_scratch(const gscale_timeline *t);

/** Returns the long-run time T of a step, s.
 *
 *    T = max over cycles of (costs along the cycle) / (steps of the cycle).
 *
 *  T is the slowest thread's time per step in the long run, which does not
 *  depend on the first steps.
 *
 *  Given    cost      all GSCALE_COST_END costs, then the durations, s, >= 0
 *                     and finite.
 *  Returned gradient  gradient[i] = dT/dcost[i] on one critical cycle, so that
 *                     T is exactly the sum of cost[i] * gradient[i] from the
 *                     first to the last i.  Of several critical cycles, one
 *                     that waits for compute, a copy, an event or the host is
 *                     preferred, in this order.  gradient may be NULL, which
 *                     halves the work and changes T by some 1e-13.
 *  Returns  T; NaN, with gradient unchanged, for costs outside the domain.
 *  Limits   in the costs, homogeneous of degree 1, convex and non-decreasing.
 *  Source   [Baccelli92], with Howard's algorithm [Cochet98]. */
double gscale_timeline_period(const gscale_timeline *t, const double *cost,
                              void *scratch, double *gradient);

/** The times of an action.  A call begins when the thread is free and the
 *  stream's queue has room, and ends when the thread continues.  Work begins
 *  and ends on the device, where records and waits take no time.  Times are NaN
 *  if the action has no such time or is not in this step. */
typedef struct gscale_span {
  double call, back; /* s */
  double begin, end; /* s */
} gscale_span;

/** Computes the times of each action in the steady state, with time 0 at the
 *  begin of the first call.  Steps are T apart.  Actions with slack run ahead
 *  in reality, but get their latest times here.
 *
 *  Returned span    times of each action in even steps, and from span + actions
 *                   on in odd steps. */
bool gscale_timeline_times(const gscale_timeline *t, const double *cost,
                           void *scratch, gscale_span *span);

#endif /* GSCALE_TIMELINE_H */

/* SPDX-License-Identifier: GPL-3.0-or-later */
