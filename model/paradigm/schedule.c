/* schedule.c - the program says itself, call by call, what its host threads do;
 * it is predicted as it is written (model/price/actions.c).
 *
 * The paradigm is a row of the table only: a workload without a schedule of its
 * own cannot run it, and one that has a schedule runs nothing else but
 * `infinite`, which leaves out what serves other GPUs. */

#include "paradigm/paradigm.h"

const gscale__paradigm gscale__schedule = {
    .about = {"schedule",
              "the program's own schedule, as written",
              false,
              {false},
              {.peer = GSCALE_PEER_NONE},
              false,
              false,
              .plain = 1,
              .measured = true},
    .prepare = gscale__prepare_compute,
    .joined = true,
    .adds = true,
    .own = true,
};

/* SPDX-License-Identifier: GPL-3.0-or-later */
