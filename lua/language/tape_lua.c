/* tape_lua.c - numbers that are recorded, as Lua sees them: operators,
 * functions, and what asks for a number itself. */

#include "language/reader.h"
#include "language/taped.h"

#include <lauxlib.h>
#include <string.h>

/* ---- values -----------------------------------------------------------------
 */

_Noreturn void tape_refuse(lua_State *L)
{
  tape_end(tape_of(L));
  refuse(L, 0, "cannot be recorded");
}

static int push_step(lua_State *L, int i)
{
  if (i == 0) tape_refuse(L);
  int *at = lua_newuserdatauv(L, sizeof *at, 0);

  *at = i;
  luaL_setmetatable(L, tape_type);
  return 1;
}

/* The step of a number at an index; 0 if that is none. */
static int step_at(lua_State *L, tape *t, int index)
{
  const int at = tape_recorded(L, index);

  if (at || lua_type(L, index) != LUA_TNUMBER) return at;
  return tape_constant(t, lua_tonumber(L, index), lua_isinteger(L, index));
}

/* A number itself in place of one that is recorded. */
static void make_plain(lua_State *L, int index)
{
  const int i = tape_recorded(L, index);
  tape *t = i ? tape_of(L) : NULL;

  if (!i) return;
  const double value = tape_value(t, i);
  const bool whole = tape_whole(t, i);
  const int same = tape_constant(t, value, whole);
  if (!same || !tape_ask(t, EQUAL, i, same)) tape_refuse(L);
  if (whole)
    lua_pushinteger(L, (lua_Integer)value);
  else
    lua_pushnumber(L, value);
  lua_replace(L, index);
}

static int itself(lua_State *L)
{
  lua_settop(L, 1);
  make_plain(L, 1);
  return 1;
}

/* ---- operators --------------------------------------------------------------
 */

/* Of whole numbers these are whole. */
static bool stays_whole(op o)
{
  return o == ADD || o == SUB || o == MUL || o == NEG || o == MOD || o == IDIV;
}

static int operate(lua_State *L)
{
  tape *t = tape_of(L);
  const op o = (op)lua_tointeger(L, lua_upvalueindex(1));
  const int a = step_at(L, t, 1), b = o == NEG ? a : step_at(L, t, 2);

  if (!a || !b) tape_refuse(L);
  const bool whole = tape_whole(t, a) && tape_whole(t, b);
  return push_step(L, tape_step(t, o, whole && stays_whole(o), a, b));
}

/* Bits and texts are those of the numbers themselves. */
static int operate_plain(lua_State *L)
{
  const int o = (int)lua_tointeger(L, lua_upvalueindex(1));

  lua_settop(L, 2);
  make_plain(L, 1);
  make_plain(L, 2);
  if (o == LUA_OPBNOT) lua_settop(L, 1);
  lua_arith(L, o);
  return 1;
}

static int concatenate(lua_State *L)
{
  lua_settop(L, 2);
  make_plain(L, 1);
  make_plain(L, 2);
  lua_concat(L, 2);
  return 1;
}

/* Of two numbers; one at least is recorded. */
static bool choose(lua_State *L, op asks, int i, int k)
{
  tape *t = tape_of(L);
  const int a = step_at(L, t, i), b = step_at(L, t, k);

  if (!a || !b) tape_refuse(L);
  return tape_ask(t, asks, a, b);
}

/* ---- == ---------------------------------------------------------------------
 */

static const char other[] = "the other side of ==";

static bool is_number(lua_State *L, int index)
{
  return lua_type(L, index) == LUA_TNUMBER || tape_recorded(L, index);
}

static bool are_equal(lua_State *L, int i, int k)
{
  if (!tape_recorded(L, i) && !tape_recorded(L, k))
    return lua_compare(L, i, k, LUA_OPEQ);
  return is_number(L, i) && is_number(L, k) && choose(L, EQUAL, i, k);
}

/* EQUALS .. b */
static int join(lua_State *L)
{
  if (!luaL_testudata(L, 1, other)) tape_refuse(L);
  lua_newuserdatauv(L, 1, 1);
  luaL_setmetatable(L, other);
  lua_pushvalue(L, 2);
  lua_setiuservalue(L, -2, 1);
  return 1;
}

/* a <= b, a < b; or of these an other side. */
static int compare(lua_State *L)
{
  const op asks = (op)lua_tointeger(L, lua_upvalueindex(1));
  const int at = luaL_testudata(L, 1, other)   ? 1
                 : luaL_testudata(L, 2, other) ? 2
                                               : 0;
  bool holds;

  if (at > 0) {
    lua_getiuservalue(L, at, 1);
    holds = are_equal(L, 3 - at, 3) == (asks == LESS_EQUAL);
  } else {
    holds = choose(L, asks, 1, 2);
  }
  lua_pushboolean(L, holds);
  return 1;
}

/* ---- functions --------------------------------------------------------------
 */

/* What Lua's own does, the second upvalue. */
static int call_own(lua_State *L)
{
  const int n = lua_gettop(L);

  lua_pushvalue(L, lua_upvalueindex(2));
  lua_insert(L, 1);
  lua_call(L, n, LUA_MULTRET);
  return lua_gettop(L);
}

static bool any_recorded(lua_State *L)
{
  for (int i = 1; i <= lua_gettop(L); i++)
    if (tape_recorded(L, i)) return true;
  return false;
}

/* Of the numbers themselves; the first upvalue: of the first so many. */
static int of_plain(lua_State *L)
{
  const int most = (int)lua_tointeger(L, lua_upvalueindex(1));

  for (int i = 1; i <= lua_gettop(L) && i <= most; i++) make_plain(L, i);
  return call_own(L);
}

static int function(lua_State *L)
{
  tape *t = tape_of(L);
  const op o = (op)lua_tointeger(L, lua_upvalueindex(1));

  if (!any_recorded(L)) return call_own(L);
  const int a = step_at(L, t, 1);
  if (!a || lua_gettop(L) > 1) tape_refuse(L);
  const bool rounds = o == FLOOR || o == CEIL;
  if (rounds && tape_whole(t, a)) return push_step(L, a);
  const bool whole = rounds || (o == ABS && tape_whole(t, a));
  return push_step(L, tape_step(t, o, whole, a, a));
}

/* log(x), log(x, 2), log(x, 10), log(x, base) */
static int logarithm(lua_State *L)
{
  tape *t = tape_of(L);

  if (!any_recorded(L)) return call_own(L);
  lua_settop(L, lua_gettop(L) > 1 ? 2 : 1);
  make_plain(L, 2);
  const int x = step_at(L, t, 1);
  if (!x) tape_refuse(L);
  if (lua_isnoneornil(L, 2))
    return push_step(L, tape_step(t, LOG, false, x, x));
  if (lua_type(L, 2) != LUA_TNUMBER) tape_refuse(L);
  const double base = lua_tonumber(L, 2);
  const op o = base >= 2.0 && base <= 2.0     ? LOG2
               : base >= 10.0 && base <= 10.0 ? LOG10
                                              : LOG;
  const int of = tape_step(t, o, false, x, x);
  if (o != LOG) return push_step(L, of);
  const int by = tape_constant(t, base, false);
  return push_step(
      L, tape_step(t, DIV, false, of, tape_step(t, LOG, false, by, by)));
}

/* max(x, ...), min(x, ...): one of them. */
static int extreme(lua_State *L)
{
  const bool most = lua_tointeger(L, lua_upvalueindex(1)) > 0;
  const int n = lua_gettop(L);
  int best = 1;

  if (!any_recorded(L)) return call_own(L);
  for (int i = 1; i <= n; i++)
    if (!is_number(L, i)) tape_refuse(L);
  for (int i = 2; i <= n; i++)
    if (lua_compare(L, most ? best : i, most ? i : best, LUA_OPLT)) best = i;
  lua_pushvalue(L, best);
  return 1;
}

/* What a number is of does not hang on its value. */
static int type(lua_State *L)
{
  if (!tape_recorded(L, 1)) return call_own(L);
  lua_pushliteral(L, "number");
  return 1;
}

static int math_type(lua_State *L)
{
  const int i = tape_recorded(L, 1);

  if (!i) return call_own(L);
  lua_pushstring(L, tape_whole(tape_of(L), i) ? "integer" : "float");
  return 1;
}

/* tonumber(x) is x. */
static int to_number(lua_State *L)
{
  if (!tape_recorded(L, 1) || lua_gettop(L) > 1) return of_plain(L);
  return 1;
}

/* ---- the sandbox ------------------------------------------------------------
 */

/* A function with a number, and what the table on top of the stack has by that
 * name, there instead. */
static void replace(lua_State *L, const char *name, lua_CFunction f, int number)
{
  lua_pushstring(L, name);
  lua_pushinteger(L, number);
  lua_pushstring(L, name);
  lua_rawget(L, -4);
  lua_pushcclosure(L, f, 2);
  lua_rawset(L, -3);
}

static void make_types(lua_State *L)
{
  static const char *const operators[] = {
      [ADD] = "__add", [SUB] = "__sub",   [MUL] = "__mul", [DIV] = "__div",
      [MOD] = "__mod", [IDIV] = "__idiv", [POW] = "__pow", [NEG] = "__unm"};
  static const struct {
    const char *name;
    int op;
  } bits[] = {{"__band", LUA_OPBAND}, {"__bor", LUA_OPBOR},
              {"__bxor", LUA_OPBXOR}, {"__shl", LUA_OPSHL},
              {"__shr", LUA_OPSHR},   {"__bnot", LUA_OPBNOT}};

  luaL_newmetatable(L, other);
  replace(L, "__concat", join, 0);
  replace(L, "__le", compare, LESS_EQUAL);
  replace(L, "__lt", compare, LESS);
  lua_pop(L, 1);
  luaL_newmetatable(L, tape_type);
  for (int i = ADD; i <= NEG; i++) replace(L, operators[i], operate, i);
  for (size_t i = 0; i < LENGTH(bits); i++)
    replace(L, bits[i].name, operate_plain, bits[i].op);
  replace(L, "__concat", concatenate, 0);
  replace(L, "__le", compare, LESS_EQUAL);
  replace(L, "__lt", compare, LESS);
  lua_pop(L, 1);
}

static void set_other(lua_State *L, const char *name)
{
  lua_pushstring(L, name);
  lua_newuserdatauv(L, 1, 1);
  luaL_setmetatable(L, other);
  lua_rawset(L, -3);
}

static void replace_math(lua_State *L)
{
  static const struct {
    const char *name;
    op does;
  } own[] = {{"floor", FLOOR}, {"ceil", CEIL}, {"sqrt", SQRT}, {"abs", ABS},
             {"exp", EXP},     {"sin", SIN},   {"cos", COS},   {"tan", TAN}};
  static const char *const others[] = {
      "asin", "acos", "atan", "fmod", "modf", "ult", "deg", "rad", "tointeger"};

  for (size_t i = 0; i < LENGTH(own); i++)
    replace(L, own[i].name, function, (int)own[i].does);
  for (size_t i = 0; i < LENGTH(others); i++)
    replace(L, others[i], of_plain, 2);
  replace(L, "log", logarithm, 0);
  replace(L, "max", extreme, 1);
  replace(L, "min", extreme, 0);
  replace(L, "type", math_type, 0);
}

/* Of each function of the table of that name among the globals, on top of the
 * stack. */
static void replace_all(lua_State *L, const char *name)
{
  enum {
    ALL = 255
  };

  lua_pushstring(L, name);
  if (lua_rawget(L, -2) == LUA_TTABLE)
    for (lua_pushnil(L); lua_next(L, -2); lua_pop(L, 1)) {
      if (!lua_iscfunction(L, -1)) continue;
      lua_pushvalue(L, -2);
      lua_pushinteger(L, ALL);
      lua_pushvalue(L, -3);
      lua_pushcclosure(L, of_plain, 2);
      lua_rawset(L, -5); /* a key that is there */
    }
  lua_pop(L, 1);
}

void tape_extend(lua_State *L, tape *t)
{
  tape_run(L, t);
  make_types(L);
  lua_pushglobaltable(L);
  replace(L, "type", type, 0);
  replace(L, "tonumber", to_number, 2);
  replace(L, "tostring", of_plain, 1);
  replace(L, "select", of_plain, 1);
  replace(L, PLAIN, itself, 0);
  set_other(L, EQUALS);
  set_other(L, DIFFERS);
  replace_all(L, "string");
  lua_pushliteral(L, "math");
  lua_rawget(L, -2);
  replace_math(L);
  lua_pop(L, 2);
}

bool tape_push_knob(lua_State *L, tape *t, const char *name,
                    const knob_range *range, double value)
{
  const int i = tape_knob(t, name, range, value);

  return i > 0 && push_step(L, i) > 0;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
