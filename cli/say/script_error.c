/* script_error.c - reports failures of the program within calls of scripts. */

#include "say/script.h"

static const char passed_key; /* key in the registry */

void pass_to(lua_State *L, failure *said)
{
  keep_under(L, &passed_key, said);
}

_Noreturn void pass_on(lua_State *L, const char *call, const failure *why)
{
  fail(kept_under(L, &passed_key), why->status, "%s:%d: %s: %s", path_now(L),
       line_now(L), call, why->text);
  refuse_as(L, why->status, "%s", call);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
