/* tape.h - what step() makes of knobs, recorded while it runs once; for
 * language/ only.
 *
 * A knob that is recorded is no number but a value that does arithmetic as one
 * and notes it.  Comparisons are noted with what came out.  Whatever asks for
 * more (a loop up to it, a text of it) ends the recording. */
#ifndef GPUSCALE_TAPE_H
#define GPUSCALE_TAPE_H

#include "language/binding.h"

/* What a sandbox that records has besides: other comparisons, keys and
 * functions of numbers, by names that the source is rewritten to. */
void tape_extend(lua_State *L, tape *t);
/* A copy of a source that calls them, to be freed; NULL: no memory. */
char *tape_source(const char *text, size_t size, size_t *length);

/* Pushes a value in place of that knob; nothing, and false, if it is not among
 * those that are recorded. */
bool tape_push_knob(lua_State *L, tape *t, const char *name, bool whole,
                    gscale_dim dim, double value, double least, double most);
/* Puts a plain number in place of a recorded one on top of the stack; which it
 * is, or -1. */
int tape_take(lua_State *L, const tape *t);
/* A number of a phase is that one. */
void tape_keep(tape *t, size_t phase, const gscale_field *f, size_t index,
               int from);
/* No number of that field is. */
void tape_drop(tape *t, size_t phase, const gscale_field *f);
/* The recording is of no use. */
void tape_end(tape *t);

#endif /* GPUSCALE_TAPE_H */

/* SPDX-License-Identifier: GPL-3.0-or-later */
