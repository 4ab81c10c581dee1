/* infinite.c - data is where it is needed at once: the bound for all others.
 *
 *   device   = C(N)
 *   schedule launch; launch ...; one wait at the end of a step
 *
 * No way is faster: its kernels are the shortest, and what a stream orders
 * (nccl) needs no host between phases.  As it is measured, by a program whose
 * copies are left out, the host waits wherever it did: gscale__left_out.
 *
 * Source: [Proact21] calls it infinite bandwidth and measures it by leaving the
 * copies out. */

#include "paradigm/paradigm.h"

#define ABOUT                                                                  \
  {                                                                            \
    "infinite", "data moves in no time: the upper bound", false, {false},      \
        {.peer = GSCALE_PEER_NONE}, false, false, .plain = 0, .measured = true \
  }

const gscale__paradigm gscale__infinite = {
    .about = ABOUT,
    .prepare = gscale__prepare_compute,
    .in_stream = true,
    .joined = true,
    .ideal = true,
};

const gscale__paradigm gscale__left_out = {
    .about = ABOUT,
    .prepare = gscale__prepare_compute,
    .joined = true,
    .ideal = true,
};

/* SPDX-License-Identifier: GPL-3.0-or-later */
