/* passed.c - failures of the program in a call of a script. */

#include "predict/script.h"

static const char passed_key; /* of the registry */

void pass_to(lua_State *L, passed *p)
{
  lua_pushlightuserdata(L, p);
  lua_rawsetp(L, LUA_REGISTRYINDEX, &passed_key);
}

_Noreturn void pass_on(lua_State *L, const char *call, const failure *why)
{
  lua_rawgetp(L, LUA_REGISTRYINDEX, &passed_key);
  passed *p = lua_touserdata(L, -1);
  lua_pop(L, 1);

  fail(&p->said, why->status, "%s:%d: %s: %s", p->path, line_now(L), call,
       why->text);
  refuse_as(L, why->status, "%s", call);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
