/* schedule.c - the program's own schedule of host calls, predicted as written
 * (model/price/actions.c).
 *
 * This paradigm is only a row of the table.  A workload without its own
 * schedule cannot run this paradigm.  A workload with a schedule runs only this
 * paradigm and `infinite`, which omits work for other GPUs. */

#include "paradigm/paradigm.h"

const gscale__paradigm gscale__schedule = {
    .about = {"schedule", "the program's own schedule, as written", .plain = 1,
              .measured = true},
    .prepare = gscale__prepare_compute,
    .joined = true,
    .adds = true,
    .own = true,
};

/* SPDX-License-Identifier: GPL-3.0-or-later */
