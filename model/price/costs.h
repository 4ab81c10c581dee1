/* costs.h - costs of a timeline, from a system's parameters.
 *
 * The duration of a kernel is device.start plus the kernel's work, as measured
 * with back-to-back kernels, and so includes their hand-over.  The duration of
 * a copy is copy.initiation plus the time of the copy's bytes, as measured with
 * back-to-back copies.  The costs kernel-to-kernel and copy-to-copy are
 * therefore 0, so that nothing counts twice.  The cost near-event is the same
 * between kernels as between a kernel and a copy.  Work that waits for an event
 * of the other kind on its GPU takes copy.latency or hand.copy_kernel
 * longer. */
#ifndef GPUSCALE_PRICE_COSTS_H
#define GPUSCALE_PRICE_COSTS_H

#include "describe/ask.h"
#include "ground/ground.h"

/** Fills the costs of `threads` host threads that drive `gpus` GPUs.  Thread i
 * drives GPU i mod gpus.
 *
 * - issue = host.launch, host.graph and others.  A collective costs as much as
 *   a launch.  Every wait is for an event of the same GPU.
 * - crowding = issue * host.launch_contention, host.copy_contention or
 *   contention.*, or issue * share.* if threads share a GPU.
 * - barrier = host.barrier_bare.
 * - straggling = max(host.straggle, excess of host.barrier), or
 *   share.straggle if threads share a GPU.
 * - wake = host.wake, which is longer by share.wake if threads share a GPU.
 * - kernel-to-host = copy-to-host = host.sync - host.wake.
 * - hand-overs = copy.latency, hand.*.
 *
 *  Given    p        values of parameters, as a plan has them
 *           gpus     >= 1
 *           threads  >= 1
 *  Returned cost     GSCALE_COST_END of them, s.
 *
 * The model omits that short copies from the host start sooner after a kernel
 * (hand_kh: 1.9 us with the copy, on H200) than other copies (8.1 us).
 *
 *  Source   params/bench/calls.cu, launch.cu, fitted by learn/recipe/calls.c
 *           and host.c.
 */
void gscale__costs(const gscale__source *p, int gpus, int threads,
                   double *cost);

/** Returns `crowd` of a schedule.  `crowd` is linear in the number of threads
 * that have a GPU each, since 1 to 4 threads show no limit.  If threads share a
 * GPU, gscale_timeline_crowd() computes `crowd` with share.room. */
double gscale__crowd(const gscale__source *p, int gpus, int threads);

/** Returns the time in s for threads to issue a collective on all GPUs. */
double gscale__coll_issue(const gscale__source *p, int gpus, int threads);

/** Returns the additional host time in s of a wait for another GPU's event.  In
 * a timeline, every wait costs the host the same, so that the plan adds
 * host.wait_remote - host.event, each with contention. */
double gscale__far_wait(const gscale__source *p, int gpus, int threads);

#endif /* GPUSCALE_PRICE_COSTS_H */

/* SPDX-License-Identifier: GPL-3.0-or-later */
