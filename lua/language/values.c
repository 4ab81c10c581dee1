/* values.c - numbers with an origin, and things, which descriptions create. */

#include "language/binding.h"

#include <lauxlib.h>
#include <string.h>

/* ---- quantities ---------------------------------------------------------- */

static const char quantity_type[] = "number with an origin";

/* The constructors differ in the arguments after the value. */
static const struct form {
  const char *name;
  gscale_origin origin;
  enum {
    NOTHING,
    ERROR,
    ERROR_OR_NOTHING, /* for a system, a workload */
    RANGE
  } second;
  const char *source; /* last argument, or NULL */
} forms[] = {
    {"spec", GSCALE_SPEC, NOTHING, "a data sheet"},
    {"measured", GSCALE_MEASURED, ERROR, "a file"},
    {"projected", GSCALE_PROJECTED, ERROR, "a machine and a rule"},
    {"inherited", GSCALE_INHERITED, ERROR, "a machine"},
    {"assumed", GSCALE_ASSUMED, RANGE, "a reason"},
    {"fitted", GSCALE_FITTED, ERROR_OR_NOTHING, "a reason"},
    {"counted", GSCALE_COUNTED, NOTHING, NULL},
    {"derived", GSCALE_DERIVED, NOTHING, NULL},
};

enum {
  FORMS = LENGTH(forms)
};

const char *type_name(lua_State *L, int index)
{
  const char *name = luaL_typename(L, index);

  if (luaL_getmetafield(L, index, "__name") == LUA_TNIL) return name;
  name = lua_tostring(L, -1); /* held by the registry */
  lua_pop(L, 1);
  return name;
}

bool to_amount(lua_State *L, int index, amount *a)
{
  const int type = lua_type(L, index);

  a->is_text = type == LUA_TSTRING;
  a->plain = lua_tonumber(L, index); /* unused if a text is given */
  a->text[0] = '\0';
  if (a->is_text) {
    size_t n;
    const char *text = lua_tolstring(L, index, &n);

    if (n >= sizeof a->text || strlen(text) != n) return false;
    memcpy(a->text, text, n + 1);
  }
  return a->is_text || type == LUA_TNUMBER;
}

static bool check_amount(lua_State *L, int index, const char *form,
                         const char *what, amount *a)
{
  if (to_amount(L, index, a)) return true;
  complain(L, line_now(L),
           "gs.%s: %s: needs a number or short text with a unit, got a %s",
           form, what, type_name(L, index));
  return false;
}

static bool check_range(lua_State *L, int index, const char *form, quantity *q)
{
  bool ok;

  if (!lua_istable(L, index)) {
    complain(L, line_now(L), "gs.%s: needs a range, {low, high}, got a %s",
             form, type_name(L, index));
    return false;
  }
  lua_rawgeti(L, index, 1);
  ok = check_amount(L, -1, form, "low", &q->low);
  lua_rawgeti(L, index, 2);
  ok = check_amount(L, -1, form, "high", &q->high) && ok;
  lua_pop(L, 2);
  return ok;
}

static bool check_source(lua_State *L, int index, const struct form *f,
                         quantity *q)
{
  const char *text =
      lua_type(L, index) == LUA_TSTRING ? lua_tostring(L, index) : "";

  if (*text && strlen(text) < sizeof q->source) {
    strcpy(q->source, text);
    return true;
  }
  if (!*text)
    complain(L, q->line, "gs.%s: needs %s as its last argument", f->name,
             f->source);
  else
    complain(L, q->line, "gs.%s: the source is longer than %zu bytes", f->name,
             sizeof q->source - 1);
  return false;
}

/* Checks a value. Only a constructor with a source accepts a list. */
static bool check_value(lua_State *L, const struct form *f, quantity *q)
{
  q->is_list = f->source && lua_istable(L, 1);
  return q->is_list || check_amount(L, 1, f->name, "value", &q->value);
}

/* Returns the number of arguments, including the source, which is the last. */
static int expected_arguments(lua_State *L, const struct form *f)
{
  const bool second =
      f->second == ERROR_OR_NOTHING ? lua_gettop(L) > 2 : f->second != NOTHING;

  return 1 + second + (f->source != NULL);
}

static bool check_second(lua_State *L, const struct form *f, int expected,
                         quantity *q)
{
  if (f->second == ERROR || (f->second == ERROR_OR_NOTHING && expected > 2))
    return check_amount(L, 2, f->name, "error", &q->err);
  return f->second != RANGE || check_range(L, 2, f->name, q);
}

/* Creates a quantity. Wrong arguments cause a complaint and mark the quantity,
 * so that the reader does not complain again. */
static int make_quantity(lua_State *L)
{
  const struct form *f = &forms[lua_tointeger(L, lua_upvalueindex(1))];
  const int expected = expected_arguments(L, f);
  quantity q = {.origin = f->origin, .line = line_now(L)};

  if (lua_gettop(L) > expected)
    complain(L, q.line, "gs.%s: takes %d argument%s, got %d", f->name, expected,
             PLURAL(expected), lua_gettop(L));
  q.bad = lua_gettop(L) > expected;
  lua_settop(L, expected);
  q.bad = q.bad || !check_value(L, f, &q) ||
          !check_second(L, f, expected, &q) ||
          (f->source && !check_source(L, expected, f, &q));

  q.has_error =
      f->second == ERROR || (f->second == ERROR_OR_NOTHING && expected > 2);
  memcpy(lua_newuserdatauv(L, sizeof q, 1), &q, sizeof q);
  lua_pushvalue(L, 1);
  lua_setiuservalue(L, -2, 1);
  luaL_setmetatable(L, quantity_type);
  return 1;
}

const quantity *to_quantity(lua_State *L, int index)
{
  return luaL_testudata(L, index, quantity_type);
}

void push_list(lua_State *L, int index)
{
  lua_getiuservalue(L, index, 1);
}

/* ---- things -------------------------------------------------------------- */

static const char *const thing_type[] = {
    [THING_SYSTEM] = "gs.system",     [THING_TOPOLOGY] = "gs.topology",
    [THING_WORKLOAD] = "gs.workload", [THING_PHASE] = "gs.phase",
    [THING_KNOB] = "gs.knob",         [THING_SHARES] = "gs.shares"};

/* Creates a thing by a constructor such as gs.phase. A thing is opaque and has
 * the table and the line of the call. */
static int make_thing(lua_State *L)
{
  const lua_Integer t = lua_tointeger(L, lua_upvalueindex(1));
  const char *type = thing_type[t];
  int *line;

  if (lua_gettop(L) != 1 || !lua_istable(L, 1))
    refuse_now(L, "%s: needs one table, as in %s { ... }", type, type);
  line = lua_newuserdatauv(L, sizeof *line, 1);
  *line = line_now(L);
  lua_pushvalue(L, 1);
  lua_setiuservalue(L, -2, 1);
  luaL_setmetatable(L, type);
  return 1;
}

int push_thing(lua_State *L, int index, thing t)
{
  const int *line = luaL_testudata(L, index, thing_type[t]);

  if (!line) return 0;
  lua_getiuservalue(L, index, 1);
  return *line;
}

void push_constructors(lua_State *L)
{
  lua_newtable(L);
  luaL_newmetatable(L, quantity_type);
  lua_pop(L, 1);
  for (int i = 0; i < FORMS; i++) {
    lua_pushinteger(L, i);
    lua_pushcclosure(L, make_quantity, 1);
    lua_setfield(L, -2, forms[i].name);
  }
  for (int t = 0; t < THING_END; t++) {
    luaL_newmetatable(L, thing_type[t]);
    lua_pop(L, 1);
    lua_pushinteger(L, t);
    lua_pushcclosure(L, make_thing, 1);
    lua_setfield(L, -2, thing_type[t] + strlen("gs."));
  }
  lua_getfield(L, -1, "system"); /* for use with `from` */
  lua_setfield(L, -2, "project");
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
