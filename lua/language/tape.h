/* tape.h - what step() makes of knobs, recorded while it runs once; for
 * language/ only.
 *
 * A knob that is recorded is no number but a value that does arithmetic as one
 * and notes it.  Comparisons are noted with what came out.  Where a number is
 * asked for itself, as a key, the end of a loop or a text, it is that number,
 * and noted as equal to it: for other values the recording does not serve. */
#ifndef GPUSCALE_TAPE_H
#define GPUSCALE_TAPE_H

#include "language/binding.h"

tape *tape_new(const char *const knob[], const char *const unit[], size_t n);
/* When all is recorded: whether it serves. */
bool tape_seal(tape *t);

/* What more is done to what a tape has moved; false: it is of no use. */
void tape_beside(tape *t, bool (*move)(gscale_workload *w, void *closure),
                 void (*let_go)(void *closure), void *closure);

/* What a sandbox that records has besides: other comparisons, keys, loops and
 * functions of numbers, by names that the source is rewritten to. */
void tape_extend(lua_State *L, tape *t);
/* A copy of a source that calls them, to be freed; NULL: no memory. */
char *tape_source(const char *text, size_t size, size_t *length);

/* Pushes a value in place of that knob; nothing, and false, if it is not among
 * those that are recorded. */
bool tape_push_knob(lua_State *L, tape *t, const char *name,
                    const knob_range *range, double value);
/* The step of a recorded number at an index, and what it is now; 0: that is
 * none. */
int tape_at(lua_State *L, int index, double *value);
/* Whether two recorded numbers, or one and a plain one (step 0), are equal:
 * noted. */
bool tape_equal(tape *t, int a, double x, int b, double y);
/* Ends the load: it cannot be recorded. */
_Noreturn void tape_refuse(lua_State *L);
/* The recording is of no use; t may be NULL. */
void tape_end(tape *t);

/* ---- numbers that were recorded, where they are kept --------------------- */

/* A number of a phase, with its error; on n GPUs, if it is a function of them
 * (n > 0). */
void tape_keep(tape *t, size_t phase, const gscale_field *f, size_t index,
               int n, const traced *from, const gscale_param *p);
/* No number of that field is. */
void tape_drop(tape *t, size_t phase, const gscale_field *f);
/* What the host does, or its norm. */
void tape_keep_host(tape *t, const gscale_field *f, int step);
/* The time of a step on one GPU. */
void tape_keep_single(tape *t, const traced *from, const gscale_param *p);
/* Durations of the schedule for so many GPUs: of each its share, bytes and
 * time, or 0. */
typedef struct traced_work {
  int share, bytes, time;
} traced_work;
void tape_keep_works(tape *t, int gpus, const gscale_work *w,
                     const traced_work *from, size_t n);

#endif /* GPUSCALE_TAPE_H */

/* SPDX-License-Identifier: GPL-3.0-or-later */
