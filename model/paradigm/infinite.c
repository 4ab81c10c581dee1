/* infinite.c - data that is available everywhere at once, a bound on all
 * paradigms.
 *
 * A step has launches and one wait at its end, and the device takes C(N).  No
 * paradigm is faster: `infinite` has the shortest kernels, and phases in one
 * stream (nccl) need no host between them.  A program measures `infinite` if it
 * omits its copies.  In such a run, the host waits wherever it waits with
 * copies (gscale__left_out).
 *
 * Source: [Proact21] calls this paradigm infinite bandwidth, and measures it
 * with a program that omits its copies. */

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
