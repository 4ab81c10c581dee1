/* equations.c - implements gs.goodput and gs.equation.NAME for scripts. */

#include "say/script.h"

#include <lauxlib.h>
#include <math.h>
#include <string.h>

/* Finds a link by name and applies any given payload. */
static gscale_link link_of(lua_State *L)
{
  const char *name = text_field(L, "gs.goodput", "link");
  const gscale_link *found = name ? gscale_link_find(name) : NULL;
  const gscale_link_options o = {
      .payload = number_field(L, "gs.goodput", "payload", 0.0)};
  gscale_link l;
  gscale_diag diag;

  if (!found)
    refuse_now(L, "gs.goodput: link: no link '%.60s'", name ? name : "");
  l = *found;
  if (gscale_link_change(&l, &o, &diag) != GSCALE_OK)
    refuse_now(L, "gs.goodput: %s", diag.text);
  return l;
}

/* Implements gs.goodput { link =, size =, access = "store", partial =, payload
 * = }, which returns the useful share of the bytes of an aligned message. */
static int goodput(lua_State *L)
{
  gscale_link l;
  const char *access;
  double v;

  if (lua_gettop(L) != 1 || !lua_istable(L, 1))
    refuse_now(L, "gs.goodput: needs one table");
  l = link_of(L);
  access = text_field(L, "gs.goodput", "access");
  if (access && strcmp(access, "store") != 0 && strcmp(access, "copy") != 0)
    refuse_now(L, "gs.goodput: access: '%.60s' is not store or copy", access);
  lua_pushliteral(L, "partial");
  lua_rawget(L, 1);
  v = gscale_goodput(&l, access && *access == 'c' ? GSCALE_COPY : GSCALE_STORE,
                     number_field(L, "gs.goodput", "size", NAN),
                     lua_toboolean(L, -1));
  if (isnan(v)) refuse_now(L, "gs.goodput: size: needs bytes, > 0");
  lua_pushnumber(L, v);
  return 1;
}

static int evaluate(lua_State *L)
{
  const size_t which = (size_t)lua_tointeger(L, lua_upvalueindex(1));
  double x[4] = {0}, v;
  size_t n;
  const char *name = gscale_equation_at(which, &n);

  if (lua_gettop(L) != (int)n)
    refuse_now(L, "gs.equation.%s: needs %zu numbers", name, n);
  for (int i = 0; i < (int)n; i++) {
    if (lua_type(L, i + 1) != LUA_TNUMBER)
      refuse_now(L, "gs.equation.%s: argument %d is a %s", name, i + 1,
                 type_name(L, i + 1));
    x[i] = lua_tonumber(L, i + 1);
  }
  v = gscale_equation(which, x);
  if (isnan(v)) refuse_now(L, "gs.equation.%s: outside its domain", name);
  lua_pushnumber(L, v);
  return 1;
}

void push_equations(lua_State *L, int gs)
{
  const char *name;
  size_t n;

  lua_pushliteral(L, "goodput");
  lua_pushcfunction(L, goodput);
  lua_rawset(L, gs);
  lua_newtable(L);
  for (size_t i = 0; (name = gscale_equation_at(i, &n)); i++) {
    lua_pushinteger(L, (lua_Integer)i);
    lua_pushcclosure(L, evaluate, 1);
    lua_setfield(L, -2, name);
  }
  lua_setfield(L, gs, "equation");
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
