/* schedule.h - reads schedules, which workloads define call by call. */
#ifndef GPUSCALE_LANGUAGE_SCHEDULE_H
#define GPUSCALE_LANGUAGE_SCHEDULE_H

#include "language/binding.h"

/* Adds gs.launch, gs.copy and the other calls to the sandbox. */
void offer_calls(lua_State *L, void *closure);

/* The numbers of GPUs for which a workload is loaded. */
typedef struct target {
  const int *gpus; /* numbers of GPUs */
  size_t n;
  int node;     /* GPUs per node */
  double grown; /* N of weak scaling */
  size_t *cost; /* cost of earlier schedules */
} target;

/* Runs the schedule in the table at index `step`, which step() returned, for
 * each number of GPUs and both parities. The schedule becomes the program of
 * the workload, whose phases are already read. Returns false if there is no
 * schedule. docs/reference/schedules.md specifies schedules. */
bool read_schedule(lua_State *L, int step, int line, gscale_workload *w,
                   const target *t);

/* Forbids the calls of schedule() before step() is called. */
void reset_calls(lua_State *L);

/* Versions of load_workload() and ask_workload() for a target. */
int load_for(const char *what, settings *set, const target *t,
             gscale_workload **out, about *more, failure *why);
int ask_for(description *d, settings *set, const target *t,
            gscale_workload **out, about *more, failure *why);

#endif /* GPUSCALE_LANGUAGE_SCHEDULE_H */

/* SPDX-License-Identifier: GPL-3.0-or-later */
