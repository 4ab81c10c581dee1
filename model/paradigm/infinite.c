/* infinite.c - data is where it is needed at once: the bound for all others.
 *
 *   device = C(N)
 *
 * Source: [Proact21] calls it infinite bandwidth and measures it by leaving the
 * copies out. */

#include "paradigm/paradigm.h"

const gscale__paradigm gscale__infinite = {
    .about = {"infinite",
              "data moves in no time: the upper bound",
              false,
              {false},
              {.peer = GSCALE_PEER_NONE},
              false,
              false,
              .plain = 0,
              .measured = true},
    .prepare = gscale__prepare_compute,
    .joined = true,
    .ideal = true,
};

/* SPDX-License-Identifier: GPL-3.0-or-later */
