/* costs.h - a system's parameters as the costs of a timeline.
 *
 * What the durations of a schedule contain, so that with these costs nothing is
 * counted twice:
 *
 *   a kernel   device.start + its work: the pace of kernels in a row, with the
 *              hand-over from one to the next
 *   a copy     copy.initiation + its bytes: the pace of copies in a row
 *
 * So kernel-to-kernel and copy-to-copy are 0.  near-event is the same from a
 * kernel to a copy and back as between kernels: durations of what waits for an
 * event of another kind of its GPU are longer by copy.latency,
 * hand.copy_kernel. */
#ifndef GPUSCALE_PRICE_COSTS_H
#define GPUSCALE_PRICE_COSTS_H

#include "describe/ask.h"
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
 *  Given    p      values of parameters, as a plan has them
 *           gpus   >= 1;  threads  >= 1
 *  Returned cost   GSCALE_COST_END of them, s
 *  Omits    that a copy of some bytes from the host follows a kernel sooner
 *           (hand_kh: 1.9 us with the copy, on H200) than one to a GPU or to
 *           the host (8.1 us)
 *  Source   params/bench/calls.cu, launch.cu; fitted by learn/recipe/calls.c,
 * host.c
 */
void gscale__costs(const gscale__source *p, int gpus, int threads,
                   double *cost);

/** The schedule's `crowd` for these costs: linear in the threads, each with a
 *  GPU, as 1 to 4 threads do not tell of a limit; of threads that share one,
 *  gscale_timeline_crowd() of so many, with share.room.  As above. */
double gscale__crowd(const gscale__source *p, int gpus, int threads);

/** s, of host work more before a wait for another GPU's event: a timeline's
 * wait costs the host as much whatever the event.
 *
 *    host.wait_far - host.event, each with its crowding
 *
 *  Given and source as above
 */
double gscale__far_wait(const gscale__source *p, int gpus, int threads);

#endif /* GPUSCALE_PRICE_COSTS_H */

/* SPDX-License-Identifier: GPL-3.0-or-later */
