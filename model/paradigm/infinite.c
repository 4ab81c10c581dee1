/* infinite.c - data that is available everywhere at once, a bound on all
 * paradigms.
 *
 * A step has launches and one wait at its end, and the device takes C(N).  No
 * paradigm is faster: its kernels are the shortest, and phases in one stream
 * (nccl) need no host between them.  Runs measure it by a program that leaves
 * its copies out.  The host then waits wherever it did before
 * (gscale__left_out).
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
