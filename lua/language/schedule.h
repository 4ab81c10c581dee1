/* schedule.h - schedules that workloads say call by call. */
#ifndef GPUSCALE_LANGUAGE_SCHEDULE_H
#define GPUSCALE_LANGUAGE_SCHEDULE_H

#include "language/binding.h"

/* Puts gs.launch, gs.copy ... into the sandbox, for sandbox_run(). */
void offer_calls(lua_State *L, void *closure);

/* What a workload is loaded for. */
typedef struct target {
  const int *gpus; /* numbers of GPUs that a schedule is needed for */
  size_t n;
  int node;     /* GPUs of a node; 0: there is one */
  double grown; /* GPUs that its size grows to; 0: it stays */
  size_t
      *cost; /* of schedules so far, for all that is asked together; or NULL */
} target;

/* Whether what step() returned, the table at that index, has a schedule of its
 * own; if so calls it for each of these numbers of GPUs, both kinds of steps,
 * and gives the workload what it called.  Its phases are there already.  All is
 * said in docs/reference/schedules.md. */
bool read_schedule(lua_State *L, int step, int line, gscale_workload *w,
                   const target *t);

/* Before step() is called: no call of schedule() is open. */
void reset_calls(lua_State *L);

/* load_workload(), and ask_workload(), for such a target (describe.c). */
int load_for(const char *what, settings *set, const target *t,
             gscale_workload **out, about *more, failure *why);
int ask_for(description *d, settings *set, const target *t,
            gscale_workload **out, about *more, failure *why);

#endif /* GPUSCALE_LANGUAGE_SCHEDULE_H */

/* SPDX-License-Identifier: GPL-3.0-or-later */
