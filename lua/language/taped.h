/* taped.h - what the files of the tape (tape.c) share; for them only. */
#ifndef GPUSCALE_TAPED_H
#define GPUSCALE_TAPED_H

#include "language/tape.h"

/* Lua asks nobody whether a number equals what is none, nor what is at a key.
 * So the source says `a <= EQUALS .. b` for `a == b`, which binds as that does,
 * `a > DIFFERS .. b` for `a ~= b`, and `[KEY(k)]`. */
#define EQUALS  "__gpuscale_equals"
#define DIFFERS "__gpuscale_differs"
#define KEY     "__gpuscale_key"

#endif /* GPUSCALE_TAPED_H */

/* SPDX-License-Identifier: GPL-3.0-or-later */
