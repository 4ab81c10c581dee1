/* old_names.c - renames parameters of version 0.1 in the table of a system. */

#include "language/reader.h"

#include <string.h>

/* Renames a key of a table with raw access, which ignores any metatable. */
static void rename_key(lua_State *L, int table, const char *was,
                       const char *now)
{
  lua_pushstring(L, now);
  if (strcmp(was, now) != 0 && lua_rawget(L, table) == LUA_TNIL) {
    lua_pushstring(L, now);
    lua_pushstring(L, was);
    lua_rawget(L, table);
    lua_rawset(L, table);
    lua_pushstring(L, was);
    lua_pushnil(L);
    lua_rawset(L, table);
  }
  lua_pop(L, 1);
}

void rename_params(const reader *r)
{
  const gscale_renamed *old;

  for (size_t i = 0; (old = gscale_renamed_at(i)); i++) {
    const size_t m = strcspn(old->was, "."), n = strcspn(old->now, ".");
    char was[GSCALE_NAME_MAX], now[GSCALE_NAME_MAX];

    snprintf(was, sizeof was, "%.*s", (int)m, old->was);
    snprintf(now, sizeof now, "%.*s", (int)n, old->now);
    rename_key(r->L, r->table, was, now);
    if (push_field(r, now) == LUA_TTABLE && old->now[n])
      rename_key(r->L, lua_gettop(r->L), old->was + m + 1, old->now + n + 1);
    lua_pop(r->L, 1);
  }
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
