/* schedule.h - schedules that workloads give call by call. */
#ifndef GPUSCALE_LANGUAGE_SCHEDULE_H
#define GPUSCALE_LANGUAGE_SCHEDULE_H

#include "language/binding.h"

/* Adds gs.launch, gs.copy and the others to the sandbox, for sandbox_run(). */
void offer_calls(lua_State *L, void *closure);

/* A workload is loaded for a target. */
typedef struct target {
  const int *gpus; /* N of the schedules */
  size_t n;
  int node;     /* GPUs per node */
  double grown; /* weak scaling's N */
  size_t *cost; /* cost so far */
} target;

/* Runs the schedule of step()'s result, the table at index `step`, for each
 * number of GPUs and both parities. The workload, whose phases are there
 * already, gets the program. Returns false without a schedule.
 * docs/reference/schedules.md specifies it. */
bool read_schedule(lua_State *L, int step, int line, gscale_workload *w,
                   const target *t);

/* Closes the calls of schedule() before step() is called. */
void reset_calls(lua_State *L);

/* These are load_workload() and ask_workload() for a target (describe.c). */
int load_for(const char *what, settings *set, const target *t,
             gscale_workload **out, about *more, failure *why);
int ask_for(description *d, settings *set, const target *t,
            gscale_workload **out, about *more, failure *why);

#endif /* GPUSCALE_LANGUAGE_SCHEDULE_H */

/* SPDX-License-Identifier: GPL-3.0-or-later */
