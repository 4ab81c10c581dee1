/* table_order.h - deterministic access to tables, numbers and texts for
 * descriptions.
 *
 * Lua's pairs() and next() follow hashes, which are seeded by addresses and the
 * clock. tostring() and "%p" show addresses, and table.sort() takes a pivot by
 * the clock. All runs of one file must agree. */
#ifndef GPUSCALE_ORDER_H
#define GPUSCALE_ORDER_H

#include <lua.h>

/* Implements pairs(t): the sequence from 1, then other numbers ascending, then
 * texts by their bytes. Other keys are refused. The loop skips keys that it
 * sets to nil and keys that it adds. */
int ordered_pairs(lua_State *L);
/* Implements next(t, key) in that order. */
int ordered_next(lua_State *L);
/* Implements table.sort(list, order), stable. */
int ordered_sort(lua_State *L);
/* Implements tostring() for values that have a text. */
int text_of(lua_State *L);
/* Implements string.format() without addresses. Its upvalue is Lua's own. */
int formatted_text(lua_State *L);

#endif /* GPUSCALE_ORDER_H */

/* SPDX-License-Identifier: GPL-3.0-or-later */
