/*
 * program.h - schedules that a program says itself, and what runs when.
 * step, on each number of GPUs.  It is predicted as it is written.
 *
 * Included by gpuscale.h.
 */
#ifndef GSCALE_PROGRAM_H
#define GSCALE_PROGRAM_H

#include "gpuscale/collective.h"
#include "gpuscale/predict.h"
#include "gpuscale/timeline.h"
#include "gpuscale/workload.h"
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/** What takes as long as one duration of a schedule, by the numbers of the
 *  system and of the workload:
 *
 *    launch, graph    share (C(n) - kernels start) + start
 *    memset           start + bytes / membw
 *    copy D2D         initiation + route wire(bytes) / rate, to another GPU
 *                     initiation + 2 bytes / membw, on its own
 *    copy D2H, H2D    initiation + bytes / staged.rate
 *    collective       gscale_coll_best() of its kind and bytes on n GPUs
 *    host work        time
 *
 *  with C(n) the kernels of the phase as every paradigm has them; route the
 *  bytes on the busiest resource per byte, of the worst of the copies that
 *  share the duration, all copies of a step being on their way at the same
 *  time; and rate as of all bulk copies, over gscale_meeting() at
 *  copy.contended where a GPU copies by several streams to more than two
 *  others.  Some hosts wait for all kernels of a GPU before they call for its
 *  copies.  Then the host sees copies at their end, as host.sync has what it
 *  takes kernels to begin.  Without peer access a copy D2D goes
 *  by way of the host, as staged copies do.
 *
 *  Kernels bound by arithmetic take longer by what collectives of streams
 *  without kernels keep from them.  That is gscale_coll_beside() of the sums of
 *  both over a step, as if all of either were beside the other.
 *
 *  Omits    compute and copies that slow each other on one GPU, collectives and
 *           copies that share a link; a phase's repeats: the schedule launches
 *           it as often as it runs
 *  Source   ours; the laws are those of model/price/copies.c
 */
typedef struct gscale_work {
  gscale_action_kind kind; /* that of all actions with this duration */
  size_t phase;            /* launch, graph, publish: of the workload */
  size_t more;             /* graph: of its phases behind that one, too */
  double share;            /* of the phase's work, 0 < share <= 1 */
  double bytes;            /* memset, copies, collective: B, > 0 */
  gscale_coll_kind coll;
  gscale_coll_algorithm algorithm; /* of a collective; its END: the fastest */
  gscale_coll_protocol protocol;   /* the same */
  bool streamed;                   /* of many in a row: see gscale_coll_call */
  double time;                     /* host work: s, >= 0 */
  bool over; /* a copy to another node: of its own, however many bytes */
  bool pull; /* a copy from the peer: its stream's GPU issues it */
} gscale_work;

enum {
  GSCALE_PUBLISHED_WORKS = 512
};

typedef struct gscale_program {
  gscale_schedule schedule;       /* crowd is not read: the system says it */
  const gscale_work *work;        /* of each duration */
  const char *const *stream_name; /* of each; or NULL */
  const char *const *event_name;
} gscale_program;

/** The schedule for p->schedule.gpus GPUs.  All is copied.  From then on the
 *  workload runs as it is written only: by the paradigm `schedule`, and
 *  `infinite`, the same without what serves other GPUs (see below); other
 *  numbers of GPUs, and one for a measured time, need a schedule of their own.
 *
 *  A schedule with GSCALE_PUBLISH is run by all other paradigms instead
 *  (gscale_predict), and by `infinite`: each puts its own calls where a phase
 * is launched and published, as it does where the workload says only what its
 *  host does.  In it
 *
 *    - a publish stands behind the launch of its phase, in the same stream;
 *      the phase has something that others need
 *    - all GPUs publish the same phases in the same order, and launch them as
 *      often, whole; what no publish is of is not moved
 *    - no copies to other GPUs and no collectives
 *    - streams, in the order of GPUs, are as many of each
 *    - launches are of all kernels of a phase, and there are no graphs
 *
 *  What a paradigm does in a second stream is waited for by what synchronises
 *  the stream of the launch, and ordered before what follows there.
 *
 *  Fails    as gscale_timeline_new(), with the action in *diag; and
 *           GSCALE_EDOMAIN  a share, bytes or a time out of its domain
 *           GSCALE_EDATA    a kind that is none of gscale_work's; a duration of
 *                           another kind than its action; a schedule for as
 *                           many GPUs is there already; what publishing asks
 *                           for, above
 *           GSCALE_ENAME    a phase that is not there
 *           GSCALE_ESIZE    more than GSCALE_PUBLISHED_WORKS durations of a
 *                           schedule that publishes
 */
gscale_status gscale_workload_add_program(gscale_workload *w,
                                          const gscale_program *p,
                                          gscale_diag *diag);

/** Whether there is a schedule for any n. */
bool gscale_workload_has_program(const gscale_workload *w);

/** Whether that for n GPUs publishes. */
bool gscale_workload_publishes(const gscale_workload *w, int n);

/** What a plan runs as it is written; NULL for workloads without a schedule, or
 *  with one that publishes, and for paradigms that cannot run one.
 *
 *  `infinite` leaves out, until nothing more can be,
 *    - copies to other GPUs, and collectives
 *    - waits and synchronisations of a stream that has no work
 *    - waits for an event that nobody records behind work any more, or only
 *      streams of other GPUs
 *    - records of events that nobody waits for any more
 *  What else a thread waits for stays, and so do barriers.
 */
const gscale_program *gscale_plan_program(const gscale_plan *p,
                                          size_t paradigm);

/* ---- a step as it runs: what each host thread calls, what each stream
 * executes, and when --- */

enum {
  GSCALE_LANE_TEXT = 96
};

/** One action of a step. */
typedef struct gscale_lane_action {
  gscale_action_kind kind;
  gscale_parity parity;        /* in which steps */
  int thread;                  /* that calls it */
  int gpu;                     /* of its stream; that set-device turns to;
                                * -1: none */
  int stream;                  /* of all GPUs'; -1: none */
  const char *stream_name;     /* "main", or as the program says; "" */
  int phase;                   /* of the workload, of work only; -1: none */
  double repeats;              /* so often in a step, one after the other; the
                                * first is shown */
  char what[GSCALE_LANE_TEXT]; /* "sweep", "last copy" or "64 KiB to
                                * GPU 1"; or "" */
  gscale_span at;              /* s, from the step's first call on */
  double sends, sent;          /* s, of kernels that move bytes themselves: the
                                * first leaves (gscale_flow_first), the last
                                * has arrived; else NaN */
} gscale_lane_action;

/** The actions of a step, in the order of the schedule: those of even steps,
 *  then what odd steps do instead. */
typedef struct gscale_lanes gscale_lanes;

/** The schedule that a paradigm's prediction was evaluated on, and when in the
 *  long run each of its actions happens.
 *
 *  Phases that the host waits for are shown one after the other, each where its
 *  first repeat is:
 *
 *    begins(phase i) = sum over earlier phases of repeats * period
 *
 *  so that the last phase's end, with its repeats, is the prediction's time.
 *  Kernels are one action, with what they move themselves; so are the copies of
 *  one GPU and phase but the last.  An agent that is resident ends with the
 *  kernels that it serves.
 *
 *  Given    p, paradigm, k  as gscale_predict takes them
 *           w   the workload of the plan, for the names of its phases
 *  Returned *out  independent of p
 *  Omits    the calls of phases' other repeats
 *  Fails    as gscale_predict; GSCALE_ENOMEM
 */
gscale_status gscale_lanes_new(const gscale_plan *p, const gscale_workload *w,
                               size_t paradigm, const gscale_knobs *k,
                               gscale_lanes **out, gscale_diag *diag);
void gscale_lanes_free(gscale_lanes *l);
size_t gscale_lanes_count(const gscale_lanes *l);
/** NULL past the end. */
const gscale_lane_action *gscale_lanes_at(const gscale_lanes *l, size_t i);
/** s, a step, as predicted. */
double gscale_lanes_time(const gscale_lanes *l);
/** GPUs that do the same at the same time as the one that is shown; 1 where all
 *  are shown. */
int gscale_lanes_alike(const gscale_lanes *l);

#ifdef __cplusplus
}
#endif

#endif /* GSCALE_PROGRAM_H */

/* SPDX-License-Identifier: GPL-3.0-or-later */
