/* costs.h - costs of a timeline, from a system's parameters.
 *
 * A kernel lasts device.start + its work, which is the pace of back-to-back
 * kernels with the hand-over from one to the next.  A copy lasts
 * copy.initiation + its bytes, which is the pace of back-to-back copies.
 * Kernel-to-kernel and copy-to-copy therefore cost 0, so that nothing counts
 * twice.  The cost near-event is the same between kernels as between a kernel
 * and a copy.  Work that waits for an event of the other kind on its GPU lasts
 * copy.latency or hand.copy_kernel longer. */
#ifndef GPUSCALE_PRICE_COSTS_H
#define GPUSCALE_PRICE_COSTS_H

#include "describe/ask.h"
#include "ground/ground.h"

/** Fills the costs of `threads` host threads that drive `gpus` GPUs, thread i
 * GPU i mod gpus.
 *
 *   issue        host.launch, host.graph and others.  A collective costs as
 *                much as a launch, and waits are for events of the same GPU.
 *   crowding     issue x host.launch_contention, host.copy_contention or
 * contention.*.  It is issue x share.* if threads share a GPU. barrier
 * host.barrier_bare.  Straggling is by the larger of host.straggle and the
 * excess of host.barrier, or by share.straggle if threads share a GPU. wake the
 * last part of host.sync.  It is longer by share.wake if threads share a GPU.
 * The rest is kernel-to-host and copy-to-host. hand-overs   copy.latency,
 * hand.*.
 *
 *  Given    p        values of parameters, as a plan has them
 *           gpus     >= 1
 *           threads  >= 1
 *  Returned cost     GSCALE_COST_END of them, s.
 *
 * The model omits that short copies from the host follow a kernel sooner
 * (hand_kh: 1.9 us with the copy, on H200) than other copies (8.1 us).
 *
 *  Source   params/bench/calls.cu, launch.cu, fitted by learn/recipe/calls.c
 *           and host.c.
 */
void gscale__costs(const gscale__source *p, int gpus, int threads,
                   double *cost);

/** Returns the schedule's `crowd` for these costs.  It is linear in threads
 * that have a GPU each, since 1 to 4 threads show no limit.  Threads that share
 * a GPU take gscale_timeline_crowd() with share.room. */
double gscale__crowd(const gscale__source *p, int gpus, int threads);

/** Returns s for the threads to issue one collective on all `gpus` GPUs. */
double gscale__coll_issue(const gscale__source *p, int gpus, int threads);

/** Returns s of extra host work before a wait for another GPU's event.  A
 * timeline's wait costs the host the same for every event, so that the plan
 * adds host.wait_remote - host.event, each with its crowding. */
double gscale__far_wait(const gscale__source *p, int gpus, int threads);

#endif /* GPUSCALE_PRICE_COSTS_H */

/* SPDX-License-Identifier: GPL-3.0-or-later */
