/* costs.h - a system's parameters as the costs of a timeline.
 *
 * What the durations of a schedule contain, so that with these costs nothing is
 * counted twice:
 *
 *   a kernel   device.start + its work: the pace of kernels in a row, with the
 *              hand-over from one to the next
 *   a copy     copy.initiation + its bytes: the pace of copies in a row
 *
 * So kernel-to-kernel and copy-to-copy are 0.  Of what a timeline's costs have
 * no name for, see gscale__behind. */
#ifndef GPUSCALE_PRICE_COSTS_H
#define GPUSCALE_PRICE_COSTS_H

#include "ground/ground.h"

/** The costs, of `threads` host threads that drive `gpus` GPUs, thread i GPU i
 *  mod gpus.
 *
 *    issue        host.launch, host.graph ...; a collective is a launch, a wait
 *                 is for an event of the same GPU
 *    crowding     issue x host.launch_crowd, host.copy_crowd, crowd.*, each
 *                 thread with a GPU; issue x share.*, if threads > gpus
 *    barrier      host.barrier_bare; straggling by host.straggle and its
 *                 _more, or what host.barrier has more, if that is longer;
 *                 share.straggle, where threads share a GPU
 *    wake         the last part of host.sync, kernel-to-host and copy-to-host
 *                 the rest; longer by share.wake where threads share a GPU
 *    hand-overs   copy.latency, hand.*
 *
 *  Given    p      GSCALE_PARAM_END values of parameters, as a plan has them
 *           gpus   >= 1;  threads  >= 1
 *  Returned cost   GSCALE_COST_END of them, s
 *  Omits    that a copy of some bytes from the host follows a kernel sooner
 *           (hand_kh: 1.9 us with the copy, on H200) than one to a GPU or to
 *           the host (8.1 us)
 *  Source   params/bench/calls.cu, launch.cu; fitted by learn/recipe/calls.c,
 * host.c
 */
void gscale__costs(const double *p, int gpus, int threads, double *cost);

/** The schedule's `crowd` for these costs: linear in the threads, each with a
 *  GPU, as 1 to 4 threads do not tell of a limit; of threads that share one,
 *  gscale_timeline_crowd() of so many, with share.room.  As above. */
double gscale__crowd(const double *p, int gpus, int threads);

/** What the costs have no place for, s: for the maker of a schedule to add. */
typedef struct gscale__behind {
  double far_wait; /* host work before a wait for another GPU's event, */
  double copy; /* to the duration of a copy that waits for a kernel's event, */
  double kernel; /* of a kernel that waits for a copy's, both on this GPU */
} gscale__behind;

/** A timeline's wait costs the host as much whatever the event, and near-event
 *  is the same from a kernel to a copy and back as between kernels; here
 *
 *    far_wait  host.wait_far - host.event, each with its crowding
 *    copy      copy.latency
 *    kernel    hand.copy_kernel
 *
 *  Given and source as above
 */
gscale__behind gscale__costs_behind(const double *p, int gpus, int threads);

#endif /* GPUSCALE_PRICE_COSTS_H */
