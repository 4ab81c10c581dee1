/* schedule.h - schedules that workloads say call by call. */
#ifndef GPUSCALE_LANGUAGE_SCHEDULE_H
#define GPUSCALE_LANGUAGE_SCHEDULE_H

#include "language/binding.h"

/* Puts gs.launch, gs.copy ... into the sandbox, for sandbox_run_more(). */
void offer_calls(lua_State *L, void *closure);

/* Whether what step() returned, the table at that index, has a schedule of its
 * own; if so calls it for each of these numbers of GPUs, both kinds of steps,
 * and gives the workload what it called.  Its phases are there already.  All is
 * said in lua/README.md. */
bool read_schedule(lua_State *L, int step, int line, gscale_workload *w,
                   const int *gpus, size_t n);

/* load_workload() with the schedule for each of these numbers of GPUs, if it
 * has one; grown to so many GPUs, unless that is 0 (describe.c). */
int load_for(const char *what, settings *set, const int *gpus, size_t n,
             double grown, gscale_workload **out, about *more, failure *why);

#endif /* GPUSCALE_LANGUAGE_SCHEDULE_H */
