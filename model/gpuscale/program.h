/* program.h - a program's own schedules, predicted as written, and the times of
 * their actions. */
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

/** The work behind one duration of a schedule, priced by the numbers of the
 *  system and of the workload:
 *
 *    launch, graph    share (C(n) - kernels start) + start.
 *    memset           start + bytes / membw.
 *    copy D2D         initiation + route wire(bytes) / rate, to another GPU
 *                     initiation + 2 bytes / membw, on its own.
 *    copy D2H, H2D    initiation + bytes / staged.rate.
 *    collective       gscale_coll_best() of its kind and bytes on n GPUs.
 *    host work        time.
 *
 *  C(n) is the time of the phase's kernels, as for every paradigm.  route is
 *  the bytes on the busiest resource per byte, of the worst of the copies that
 *  share the duration, with all copies of a step in flight at once.  rate is
 *  that of all bulk copies, over gscale_meeting() at copy.contended where a GPU
 *  copies by several streams to more than two others.  If the hosts wait for
 *  all kernels of a GPU before they call for its copies, the host sees copies
 *  at their end, and host.sync includes the start of kernels.  Without peer
 *  access a copy D2D is staged in the host.
 *
 *  Compute-bound kernels slow down by the SMs that collectives in streams
 *  without kernels occupy.  This is gscale_coll_beside() of the sums of both
 *  over a step, as if all of either overlapped with the other.
 *
 *  Omits    compute and copies that slow each other on one GPU, collectives and
 *           copies that share a link; a phase's repeats: the schedule launches
 *           it as often as it runs.
 *  Source   ours; the laws are those of model/price/copies.c. */
typedef struct gscale_work {
  gscale_action_kind kind; /* kind of all actions with this duration */
  size_t phase;            /* launch, graph, publish: its phase */
  size_t more;             /* graph: further phases after it */
  double share;            /* share of the phase's work, 0 < share <= 1 */
  double bytes;            /* memset, copies, collective: B, > 0 */
  gscale_coll_kind coll;
  gscale_coll_algorithm algorithm; /* its END: the fastest */
  gscale_coll_protocol protocol;   /* the same */
  bool streamed;                   /* one of many: see gscale_coll_call */
  double time;                     /* host work: s, >= 0 */
  bool over;     /* a copy to another node, whatever its bytes */
  bool pull;     /* a copy issued by the receiving GPU */
  bool pageable; /* a copy to or from pageable host memory */
} gscale_work;

enum {
  GSCALE_PUBLISHED_WORKS = 512
};

typedef struct gscale_program {
  gscale_schedule schedule;       /* crowd is the system's */
  const gscale_work *work;        /* of each duration */
  const char *const *stream_name; /* of each; or NULL */
  const char *const *event_name;
} gscale_program;

/** Adds the schedule for p->schedule.gpus GPUs, with copies of all arrays.
 *  From then on the workload runs only as written: by the paradigm `schedule`,
 *  and by `infinite`, the same without actions for other GPUs (see below).
 *  Other numbers of GPUs, and one for a measured time, need schedules of their
 *  own.
 *
 *  A schedule with GSCALE_PUBLISH is run by all other paradigms instead
 *  (gscale_predict), and by `infinite`.  Each puts its own calls where a phase
 *  is launched and published, as it does for a workload that describes only its
 *  host. Such a schedule obeys these rules:
 *
 *    - a publish stands behind the launch of its phase, in the same stream;
 *      the phase has data that others need.
 *    - all GPUs publish the same phases in the same order, and launch them as
 *      often, whole; an unpublished phase moves no data.
 *    - no copies to other GPUs and no collectives.
 *    - streams are in the order of GPUs, equally many of each.
 *    - launches are of all kernels of a phase, and there are no graphs.
 *
 *  Synchronisation of the launch's stream also waits for a paradigm's second
 *  stream, which is ordered before later entries there.
 *
 *  Fails    as gscale_timeline_new(), with the action in *diag; and
 *           GSCALE_EDOMAIN  a share, bytes or a time out of its domain.
 *           GSCALE_EDATA    a kind that is none of gscale_work's; a duration of
 *                           another kind than its action; a second schedule for
 *                           as many GPUs; a broken rule of publishing, above.
 *           GSCALE_ENAME    a phase that does not exist.
 *           GSCALE_ESIZE    more than GSCALE_PUBLISHED_WORKS durations of a
 *                           schedule that publishes. */
gscale_status gscale_workload_add_program(gscale_workload *w,
                                          const gscale_program *p,
                                          gscale_diag *diag);

/** Returns true if the schedule for n GPUs publishes. */
bool gscale_workload_publishes(const gscale_workload *w, int n);

/** Returns the program that a plan runs as written; NULL for workloads without
 *  a schedule, or with one that publishes, and for paradigms that cannot run
 *  one.
 *
 *  `infinite` removes the following, until nothing more can be removed:
 *    - copies to other GPUs, and collectives.
 *    - waits and synchronisations of a stream that has no work.
 *    - waits for an event that nobody records behind work any more, or only
 *      streams of other GPUs.
 *    - records of events that nobody waits for any more.
 *  Other waits of threads stay, and so do barriers. */
const gscale_program *gscale_plan_program(const gscale_plan *p,
                                          size_t paradigm);

/* ---- lanes of a step ----------------------------------------------------- */

enum {
  GSCALE_LANE_TEXT = 96
};

/** An action of a step on its lane. */
typedef struct gscale_lane_action {
  gscale_action_kind kind;
  gscale_parity parity;
  int thread;                  /* that calls it */
  int gpu;                     /* GPU of the stream, or of set-device; -1:
                                * none */
  int stream;                  /* stream over all GPUs; -1: none */
  const char *stream_name;     /* "main", "network" of messages by the host, or
                                * the program's name; "" */
  int phase;                   /* phase of the workload, for work only; -1:
                                * none */
  double repeats;              /* consecutive repeats in a step; the first is
                                * shown */
  char what[GSCALE_LANE_TEXT]; /* "sweep", "last copy" or "64 KiB to GPU 1"; or
                                * "" */
  gscale_span at;              /* s, from the step's first call */
  double sends, sent;          /* s, first byte's departure (gscale_flow_first)
                                * and last one's arrival for kernels that move
                                * bytes themselves; else NaN */
} gscale_lane_action;

/** The actions of a step in the order of the schedule: those of even steps,
 *  then those that differ in odd steps. */
typedef struct gscale_lanes gscale_lanes;

/** Computes the schedule behind a paradigm's prediction, and the long-run time
 *  of each of its actions.
 *
 *  Phases that the host waits for are shown one after another, each at its
 *  first repeat:
 *
 *    begins(phase i) = sum over earlier phases of repeats * period.
 *
 *  The last phase's end, with its repeats, is then the prediction's time.
 *  Kernels are one action, with the data that they move themselves; so are the
 *  copies of one GPU and phase but the last.  A resident agent ends with its
 *  kernels.
 *
 *  Given    p, paradigm, k  as gscale_predict takes them.
 *           w   the workload of the plan, for the names of its phases.
 *  Returned *out  independent of p.
 *  Omits    the calls of phases' other repeats.
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
/** Returns the GPUs that the shown one represents; 1 if all are shown. */
int gscale_lanes_alike(const gscale_lanes *l);

#ifdef __cplusplus
}
#endif

#endif /* GSCALE_PROGRAM_H */

/* SPDX-License-Identifier: GPL-3.0-or-later */
