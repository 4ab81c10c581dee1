/*
 * lanes.h - a step as it runs: what each host thread calls, what each stream
 * executes, and when.
 *
 * Included by gpuscale.h.
 */
#ifndef GSCALE_LANES_H
#define GSCALE_LANES_H

#include "gpuscale/predict.h"
#include "gpuscale/timeline.h"

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

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
 *  one GPU and phase but the last.
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

#endif /* GSCALE_LANES_H */
