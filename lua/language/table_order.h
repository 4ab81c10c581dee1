/* table_order.h - what a file may ask of a table, a number or a text without
 * learning anything that differs from run to run.
 *
 * Lua's own pairs() and next() follow hashes, which are seeded by addresses and
 * the clock; tostring() and "%p" show addresses; table.sort() takes a pivot by
 * the clock.  Of the same file each run must make the same. */
#ifndef GPUSCALE_ORDER_H
#define GPUSCALE_ORDER_H

#include <lua.h>

/* pairs(t): 1 .. n as far as there is one after the other, then other numbers
 * ascending, then texts by their bytes; other keys are refused.  What the loop
 * sets to nil it does not visit, and nothing that it adds. */
int ordered_pairs(lua_State *L);
/* next(t, key), in that order. */
int ordered_next(lua_State *L);
/* table.sort(list, order), stable. */
int ordered_sort(lua_State *L);
/* tostring(), of what has a text. */
int text_of(lua_State *L);
/* string.format(), whose upvalue is Lua's own: without addresses. */
int formatted_text(lua_State *L);

#endif /* GPUSCALE_ORDER_H */

/* SPDX-License-Identifier: GPL-3.0-or-later */
