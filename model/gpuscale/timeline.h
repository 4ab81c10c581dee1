/* timeline.h - schedules of host threads and streams, and their period and
 * critical cycle.
 *
 * The rules by which a schedule is read, and an example, are in
 * model/timeline/README.md. */
#ifndef GSCALE_TIMELINE_H
#define GSCALE_TIMELINE_H

#include "gpuscale.h"

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- schedules ----------------------------------------------------------- */

/** The next action of a host thread.  The first GSCALE_CALL_END kinds are calls
 *  of the driver, and contend there with those of other threads. */
typedef enum gscale_action_kind {
  GSCALE_LAUNCH,     /* a kernel */
  GSCALE_GRAPH,      /* a graph of kernels, as one */
  GSCALE_MEMSET,     /* asynchronous; a kernel on the device */
  GSCALE_COPY_D2D,   /* asynchronous, to GPU `peer` */
  GSCALE_COPY_D2H,   /* asynchronous, to pinned memory */
  GSCALE_COPY_H2D,   /* asynchronous, from pinned memory */
  GSCALE_COLLECTIVE, /* a kernel that starts with all members */
  GSCALE_RECORD,     /* a record of `event` in a stream */
  GSCALE_WAIT,       /* a stream's wait for `event` */
  GSCALE_SYNC_STREAM,
  GSCALE_SYNC_EVENT,
  GSCALE_SET_DEVICE, /* to GPU `peer` */
  GSCALE_CALL_END,
  GSCALE_BARRIER = GSCALE_CALL_END, /* of all host threads */
  GSCALE_HOST_WORK,
  GSCALE_ACTION_END,
  /* A phase's publish, in a stream of a gscale_program only; a paradigm puts
   * its own calls there. */
  GSCALE_PUBLISH = GSCALE_ACTION_END
} gscale_action_kind;

const char *gscale_action_name(gscale_action_kind k); /* "launch"; or NULL */

typedef enum gscale_parity {
  GSCALE_EVERY_STEP,
  GSCALE_EVEN_STEPS,
  GSCALE_ODD_STEPS,
  GSCALE_PARITY_END
} gscale_parity;

/** An entry of a schedule.  Fields that its kind does not use are not read. */
typedef struct gscale_action {
  gscale_action_kind kind;
  gscale_parity parity;
  int thread; /* host thread, 0 .. threads-1 */
  int stream; /* all but barrier, set-device, host work, sync-event */
  int event;  /* record, wait, sync-event: 0 .. events-1; collective: its own
               * number in a step, 0 .. events-1 */
  int peer;   /* copy D2D, set-device: 0 .. gpus-1 */
  int length; /* device work, host work: duration, 0 .. durations-1 */
} gscale_action;

enum {
  GSCALE_ACTIONS_MAX = 10000 /* most actions of a GPU in a step, or of a host
                              * thread without a GPU */
};

/** A step.  A thread calls, and a stream executes, in the order of the list.
 *  The order also decides the record that an event means
 *  (model/timeline/README.md). */
typedef struct gscale_schedule {
  int gpus, threads, streams, events, durations;
  const int *stream_gpu; /* GPU of each stream */
  size_t actions;
  const gscale_action *action;
  int depth;    /* entries of a stream's launch queue; 0: unlimited */
  double crowd; /* >= 0, factor on contention costs in the driver:
                 * gscale_timeline_crowd() */
} gscale_schedule;

/** Returns the contention factor of several host threads' calls in the driver.
 *
 *    crowd = (1 + room) (threads - 1) / (threads - 1 + room).
 *
 *  A call takes issue + crowd * (its cost of contention): 0 for one thread, 1
 *  for two, by which the cost is measured, and at most 1 + room.
 *
 *  Given    threads  >= 1.
 *           room     > 0; INFINITY: threads - 1, no saturation.
 *  Limits   threads = 1: 0.  room -> 0: 1 for any threads > 1.
 *  Omits    threads that share a GPU.
 *  Source   ours: the simplest law that is linear for few and has a limit. */
double gscale_timeline_crowd(int threads, double room);

/* ---- costs --------------------------------------------------------------- */

/** The costs that make up a step's time, in s.  The schedule's durations
 *  follow: cost[GSCALE_COST_END + d] is duration d. */
typedef enum gscale_cost {
  GSCALE_COST_ISSUE, /* + kind: the call occupies its thread */
  GSCALE_COST_CROWD = GSCALE_COST_ISSUE + GSCALE_CALL_END, /* + kind */
  GSCALE_COST_BARRIER =
      GSCALE_COST_CROWD + GSCALE_CALL_END, /* of two threads */
  GSCALE_COST_BARRIER_MORE,                /* for each further thread */
  GSCALE_COST_STRAGGLE,      /* delay of a thread after its wait */
  GSCALE_COST_WAKE,          /* delay of a thread after its event */
  GSCALE_COST_KERNEL_KERNEL, /* from one's end to the next one's begin, */
  GSCALE_COST_KERNEL_COPY,   /* in a stream */
  GSCALE_COST_COPY_KERNEL,
  GSCALE_COST_COPY_COPY,
  GSCALE_COST_NEAR,        /* from a record to a wait, same GPU */
  GSCALE_COST_FAR,         /* and another GPU, ... */
  GSCALE_COST_FAR_MEET,    /* ... if the kernels end together */
  GSCALE_COST_KERNEL_HOST, /* from a kernel's end until the host sees it */
  GSCALE_COST_COPY_HOST,
  GSCALE_COST_END
} gscale_cost;

/* ---- timelines ----------------------------------------------------------- */

/** A schedule compiled to a graph, in which each wait refers to an action and
 *  its step.  It does not change afterwards. */
typedef struct gscale_timeline gscale_timeline;

/** Compiles a schedule in time and memory linear in the actions.
 *
 *  Fails    GSCALE_EDOMAIN  a size below its least, crowd not finite or < 0.
 *           GSCALE_ENAME    an action's thread, stream, event, GPU or duration
 *                           does not exist; an event that nobody records.
 *           GSCALE_EDATA    no actions; a stream fed by two threads; a barrier
 *                           that not all threads reach; a collective that some
 *                           join in every other step only; a deadlock: an
 *                           action that waits for itself.
 *           GSCALE_ESIZE    more than GSCALE_ACTIONS_MAX actions.
 *           GSCALE_ENOMEM
 *           *diag names the action: "action 7 (wait, thread 0, stream 2): ...",
 *           counted from 0. */
gscale_status gscale_timeline_new(const gscale_schedule *s,
                                  gscale_timeline **out, gscale_diag *diag);
void gscale_timeline_free(gscale_timeline *t);

/** Merges moments that are always at the same time.
 *
 *  Two moments merge if they wait, at the same costs and the same number of
 *  steps before, for the same or for merged moments (a backward bisimulation;
 *  the coarsest is found).  Steps that begin together then go on together, so
 *  the small graph has the period of the large one, whatever the costs.  This
 *  is proved for each class, not assumed.  Work of equal length must share a
 *  duration.
 *
 *  Given    alike   for each GPU the number of an equal one, or NULL to demand
 *                   nothing.
 *  Returned *out    independent of t; its actions are numbered as before.
 *  Fails    GSCALE_ENAME   a GPU does not exist.
 *           GSCALE_EDATA   two GPUs given as alike are not.
 *           GSCALE_ENOMEM.
 *  Source   ours; refinement as in [PaigeTarjan87]. */
gscale_status gscale_timeline_lump(const gscale_timeline *t, const int *alike,
                                   gscale_timeline **out, gscale_diag *diag);

int gscale_timeline_costs(const gscale_timeline *t);      /* END + durations */
size_t gscale_timeline_moments(const gscale_timeline *t); /* of the graph */

/** Returns the size, in B, of working memory for the functions below, which
 *  allocate nothing.  Each evaluating thread needs one block, aligned as malloc
 *  aligns. */
size_t gscale_timeline_scratch(const gscale_timeline *t);

/** Returns the long-run time of a step, in s.
 *
 *    T = max over cycles of the graph of (costs along it) / (steps it spans).
 *
 *  It is the slowest thread's time per step once the first steps are forgotten,
 *  and does not depend on how the first step began.
 *
 *  Given    cost      s, gscale_timeline_costs() of them, >= 0 and finite.
 *  Returned T;  gradient[i] = dT/dcost[i] (or NULL), through one critical
 *               cycle,
 *           so that.
 *
 *             T = sum of cost[i] gradient[i].
 *
 *           exactly as summed from the first to the last.  Among several.
 *           critical cycles it is the one that waits for compute, a copy, an.
 *           event, the host, in this order, then for its own GPU.  T alone.
 *           takes half as long: it is then the mean of any critical cycle, the.
 *           same to some 1e-13.
 *  Limits   homogeneous of degree 1, convex and non-decreasing in the costs.
 *  Fails    NaN, and gradient unchanged, for costs outside their domain.
 *  Source   [Baccelli92]; the algorithm is Howard's [Cochet98]. */
double gscale_timeline_period(const gscale_timeline *t, const double *cost,
                              void *scratch, double *gradient);

/** The times of an action.  A call begins when its thread is free and, if it
 *  goes to a stream, its queue has room; it ends when the thread goes on.  Work
 *  begins and ends on the device; records and waits take no time there.  Times
 *  are NaN if an action has none, or if this step omits it. */
typedef struct gscale_span {
  double call, back; /* s */
  double begin, end; /* s */
} gscale_span;

/** Computes begin and end of each action in the steady state, all steps T
 *  apart, as early as a critical cycle allows; 0 is the first call's begin.
 *  Actions with slack really run ahead, and are shown just in time.
 *
 *  Returned span    of each action: of the even steps, then, at span + actions,
 *                   of the odd ones.
 *           false   for costs outside their domain; span is unchanged. */
bool gscale_timeline_times(const gscale_timeline *t, const double *cost,
                           void *scratch, gscale_span *span);

#ifdef __cplusplus
}
#endif

#endif /* GSCALE_TIMELINE_H */

/* SPDX-License-Identifier: GPL-3.0-or-later */
