/* program.h - predictions of a program's own schedule as written, and the times
 * of its actions. */
#ifndef GSCALE_PROGRAM_H
#define GSCALE_PROGRAM_H

#include "gpuscale/collective.h"
#include "gpuscale/predict.h"
#include "gpuscale/timeline.h"
#include "gpuscale/workload.h"

/** The work behind one duration of a schedule.  Parameters of the system and
 *  the workload give the duration t.
 *
 *    launch, graph    t = share * (C(n) - kernels * start) + start.
 *    memset           t = start + bytes / membw.
 *    copy D2D         t = initiation + route * wire(bytes) / rate between GPUs,
 *                     t = initiation + 2 bytes / membw inside a GPU.
 *    copy D2H, H2D    t = initiation + bytes / staged.pinned, or
 *                     staged.pageable.
 *    collective       t = gscale_coll_best() of the kind and bytes on n GPUs.
 *    host work        t = time.
 *
 *  C(n) is the time of the phase's kernels, as for every paradigm.  route is
 *  the number of bytes on the busiest resource per copied byte, for the worst
 *  copy with this duration and all copies of a step in flight. rate is the rate
 *  of bulk copies, divided by gscale_meeting() at copy.contended if a GPU
 *  copies on several streams to more than two GPUs.  If hosts wait for all
 *  kernels of a GPU before they issue the copies of this GPU, the host sees
 *  copies at their end, and host.sync includes the start of kernels.  Without
 *  peer access, a copy D2D is staged in the host.
 *
 *  Compute-bound kernels lose the SMs that collectives on streams without
 *  kernels occupy.  gscale_coll_beside() of the sums of both over a step gives
 *  the loss, as if all kernels overlapped with all collectives.
 *
 *  Omits    contention of compute and copies on a GPU, and of collectives and
 *           copies on a link; a phase's repeats, because the schedule has every
 *           launch.
 *  Source   ours, with the laws of model/price/copies.c. */
typedef struct gscale_work {
  gscale_action_kind kind; /* kind of all actions with this duration */
  size_t phase;            /* phase of a launch, graph or publish */
  size_t more;             /* number of further phases of a graph */
  double share;            /* share of the phase's work, 0 < share <= 1 */
  double bytes;            /* B of a memset, copy or collective, > 0 */
  gscale_coll_kind coll;
  gscale_coll_algorithm algorithm; /* END: the fastest */
  gscale_coll_protocol protocol;   /* END: the fastest */
  bool streamed;                   /* one of many consecutive calls
                                    * (gscale_coll_call) */
  double time;                     /* s of host work, >= 0 */
  bool over;                       /* a copy to another node, for any bytes */
  bool pull;                       /* a copy issued by the receiving GPU */
  bool pageable;                   /* a copy to or from pageable host memory */
} gscale_work;

enum {
  GSCALE_PUBLISHED_WORKS = 512
};

typedef struct gscale_program {
  gscale_schedule schedule;       /* schedule, with crowd from the system */
  const gscale_work *work;        /* work of each duration */
  const char *const *stream_name; /* name of each stream, or NULL */
  const char *const *event_name;
} gscale_program;

/** Adds the schedule for p->schedule.gpus GPUs to a workload, with copies of
 *  all arrays.  Afterwards only two paradigms run the workload: `schedule` as
 *  written, and `infinite` without actions for other GPUs.
 *  Every number of GPUs needs a separate schedule, including 1 GPU if t1 is
 *  measured.
 *
 *  `infinite` removes these actions until no more can be removed:
 *    - copies to other GPUs, and collectives.
 *    - waits and synchronisations of a stream without work.
 *    - waits for an event that is no longer recorded after work, or only on
 *      streams of other GPUs.
 *    - records of events that no action waits for any more.
 *
 *  A schedule with GSCALE_PUBLISH is run by `infinite` and by all paradigms
 *  except `schedule`.  Each paradigm inserts its calls where a phase is
 *  launched and published, as for a workload that describes only the host.
 *  A schedule with GSCALE_PUBLISH obeys these rules.
 *
 *    - a publish comes after the launch of the same phase in the same stream.
 *    - a published phase has data that other GPUs need.
 *    - all GPUs launch and publish the same phases in the same order.
 *    - an unpublished phase moves no data.
 *    - there are no copies to other GPUs, no collectives and no graphs.
 *    - streams are in the order of GPUs, with equally many for each GPU.
 *    - each launch is of all kernels of a phase.
 *
 *  A synchronisation of a launch's stream also waits for the paradigm's second
 *  stream, whose entries come before later entries of the launch's stream.
 *
 *  Fails    as gscale_timeline_new(), with the action in *diag.
 *           GSCALE_EDOMAIN  if a share, bytes or a time is outside its domain.
 *           GSCALE_EDATA    if a kind is not allowed in gscale_work, a duration
 *                           and its action have different kinds, there is
 *                           already a schedule for this number of GPUs, or a
 *                           rule above is broken.
 *           GSCALE_ENAME    if a phase does not exist.
 *           GSCALE_ESIZE    if a schedule that publishes has more than
 *                           GSCALE_PUBLISHED_WORKS durations. */
gscale_status gscale_workload_add_program(gscale_workload *w,
                                          const gscale_program *p,
                                          gscale_diag *diag);

/** Returns true if the schedule for n GPUs publishes. */
bool gscale_workload_publishes(const gscale_workload *w, int n);

/* ---- lanes of a step ----------------------------------------------------- */

enum {
  GSCALE_LANE_TEXT = 96
};

/** An action of a step on a lane. */
typedef struct gscale_lane_action {
  gscale_action_kind kind;
  gscale_parity parity;
  int thread;                  /* host thread that makes the call */
  int gpu;                     /* GPU of the stream or of set-device; -1:
                                * none */
  int stream;                  /* number of the stream over all GPUs; -1:
                                * none */
  const char *stream_name;     /* "main", "network" (messages by the host),
                                * the program's name, or "" */
  int phase;                   /* phase of work, or -1 */
  double repeats;              /* consecutive repeats in a step, of which the
                                * first is shown */
  char what[GSCALE_LANE_TEXT]; /* "sweep", "last copy", "64 KiB to GPU 1", or
                                * "" */
  gscale_span at;              /* s, from the step's first call */
  double sends, sent;          /* s of the first byte's departure
                                * (gscale_flow_first) and the last byte's
                                * arrival for kernels that move data, or NaN */
} gscale_lane_action;

/** The actions of an even step in the order of the schedule, and then the
 *  actions that differ in an odd step. */
typedef struct gscale_lanes gscale_lanes;

/** Computes the schedule of a paradigm's prediction, and the long-run times of
 *  all actions.
 *
 *  Phases that the host waits for come one after another, each shown at the
 *  first repeat:
 *
 *    begins(phase i) = sum over earlier phases of repeats * period.
 *
 *  The end of the last phase with all repeats is then the predicted time.  The
 *  kernels of a phase and GPU, with the data that they move, are one action,
 *  and so are all copies except the last.  A resident agent ends with the
 *  kernels.
 *
 *  Given    p, paradigm, k  arguments of gscale_predict().
 *           w   the workload of the plan, which has the names of phases.
 *  Returned *out  the lanes, which do not depend on p.
 *  Omits    calls of a phase's repeats after the first repeat.
 *  Fails    as gscale_predict; GSCALE_ENOMEM. */
gscale_status gscale_lanes_new(const gscale_plan *p, const gscale_workload *w,
                               size_t paradigm, const gscale_knobs *k,
                               gscale_lanes **out, gscale_diag *diag);
void gscale_lanes_free(gscale_lanes *l);
size_t gscale_lanes_count(const gscale_lanes *l);
/** Returns NULL past the end. */
const gscale_lane_action *gscale_lanes_at(const gscale_lanes *l, size_t i);
/** Returns the predicted time of a step, s. */
double gscale_lanes_time(const gscale_lanes *l);
/** Returns the number of GPUs that the shown GPU represents, or 1 if all are
 *  shown. */
int gscale_lanes_alike(const gscale_lanes *l);

#endif /* GSCALE_PROGRAM_H */

/* SPDX-License-Identifier: GPL-3.0-or-later */
