/* table_order.h - deterministic access to tables, numbers and texts for
 * descriptions.
 *
 * All runs of a file must give the same result. Lua's pairs() and next() depend
 * on hashes, which are seeded by addresses and the clock. Lua's tostring() and
 * "%p" show addresses, and table.sort() takes a pivot by the clock. */
#ifndef GPUSCALE_ORDER_H
#define GPUSCALE_ORDER_H

#include <lua.h>

/* Implements pairs(t). The loop visits the sequence from 1, then other numbers
 * in ascending order, then texts in order of bytes. Other types of keys are
 * refused. The loop skips keys that its body sets to nil or adds. */
int ordered_pairs(lua_State *L);
/* Implements next(t, key) in the order of ordered_pairs(). */
int ordered_next(lua_State *L);
/* Implements table.sort(list, order) as a stable sort. */
int ordered_sort(lua_State *L);
/* Implements tostring() for values that have a text. */
int text_of(lua_State *L);
/* Implements string.format() without addresses. The upvalue is Lua's
 * version. */
int formatted_text(lua_State *L);

#endif /* GPUSCALE_ORDER_H */

/* SPDX-License-Identifier: GPL-3.0-or-later */
