/* script_question.c - parses the tables of questions in scripts. */

#include "say/script.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *text_field(lua_State *L, const char *call, const char *key)
{
  const char *text = NULL;

  lua_pushstring(L, key);
  if (lua_rawget(L, 1) == LUA_TSTRING)
    text = lua_tostring(L, -1);
  else if (!lua_isnil(L, -1))
    refuse_now(L, "%s: %s: needs text, got a %s", call, key, type_name(L, -1));
  lua_pop(L, 1);
  return text;
}

double number_field(lua_State *L, const char *call, const char *key,
                    double otherwise)
{
  double v = otherwise;

  lua_pushstring(L, key);
  if (lua_rawget(L, 1) == LUA_TNUMBER)
    v = lua_tonumber(L, -1);
  else if (!lua_isnil(L, -1))
    refuse_now(L, "%s: %s: needs a number, got a %s", call, key,
               type_name(L, -1));
  lua_pop(L, 1);
  return v;
}

void set_number(lua_State *L, const char *name, double v)
{
  if (isnan(v))
    lua_pushnil(L);
  else
    lua_pushnumber(L, v);
  lua_setfield(L, -2, name);
}

/* Appends text or a whole number to a list in the syntax of an option. */
static void add_word(lua_State *L, const char *call, const char *key, int index,
                     char *list)
{
  const char *comma = *list ? "," : "";
  bool fits = false;

  if (lua_type(L, index) == LUA_TSTRING)
    fits =
        gscale_append(list, LIST_TEXT, "%s%s", comma, lua_tostring(L, index));
  else if (lua_isinteger(L, index))
    fits = gscale_append(list, LIST_TEXT, "%s%lld", comma,
                         (long long)lua_tointeger(L, index));
  else
    refuse_now(L,
               "%s: %s: needs text, whole numbers or a "
               "list of them, got a %s",
               call, key, type_name(L, index));
  if (!fits)
    refuse_now(L, "%s: %s: longer than %d bytes", call, key, LIST_TEXT - 1);
}

void list_value(lua_State *L, const char *call, const char *key, char *list)
{
  list[0] = '\0';
  if (!lua_istable(L, -1)) {
    add_word(L, call, key, -1, list);
  } else {
    const lua_Integer n = (lua_Integer)lua_rawlen(L, -1);

    if (n == 0) refuse_now(L, "%s: %s: an empty list", call, key);
    for (lua_Integer i = 1; i <= n; i++) {
      lua_rawgeti(L, -1, i);
      add_word(L, call, key, -1, list);
      lua_pop(L, 1);
    }
  }
}

/* Reads a word or a list of words as "a,b,c". Returns NULL without the key. */
static const char *list_field(lua_State *L, const char *call, const char *key,
                              char *list)
{
  const char *found = NULL;

  lua_pushstring(L, key);
  if (lua_rawget(L, 1) != LUA_TNIL) {
    list_value(L, call, key, list);
    found = list;
  }
  lua_pop(L, 1);
  return found;
}

bool flag_field(lua_State *L, const char *key)
{
  lua_pushstring(L, key);
  lua_rawget(L, 1);
  const bool yes = lua_toboolean(L, -1);
  lua_pop(L, 1);
  return yes;
}

static void add_setting(lua_State *L, const char *call, settings *set)
{
  char text[256] = "";
  failure why;
  bool fits = false;

  if (lua_type(L, -2) != LUA_TSTRING)
    refuse_now(L, "%s: set: needs names, { n = 512 }", call);
  if (lua_type(L, -1) == LUA_TSTRING)
    fits = gscale_append(text, sizeof text, "%s=%s", lua_tostring(L, -2),
                         lua_tostring(L, -1));
  else if (lua_isinteger(L, -1))
    fits = gscale_append(text, sizeof text, "%s=%lld", lua_tostring(L, -2),
                         (long long)lua_tointeger(L, -1));
  else if (lua_type(L, -1) == LUA_TNUMBER)
    fits = gscale_append(text, sizeof text, "%s=%.17g", lua_tostring(L, -2),
                         lua_tonumber(L, -1));
  else
    refuse_now(L,
               "%s: set: %.60s: needs a number or text, "
               "got a %s",
               call, lua_tostring(L, -2), type_name(L, -1));
  if (!fits)
    refuse_now(L, "%s: set: %.60s: is too long", call, lua_tostring(L, -2));
  if (settings_add(set, text, &why) != EXIT_OK) pass_on(L, call, &why);
}

static int by_name(const void *a, const void *b)
{
  return strcmp(((const struct setting *)a)->name,
                ((const struct setting *)b)->name);
}

void settings_field(lua_State *L, const char *call, settings *set)
{
  lua_pushliteral(L, "set");
  if (lua_rawget(L, 1) != LUA_TNIL) {
    if (!lua_istable(L, -1))
      refuse_now(L, "%s: set: needs a table, got a %s", call, type_name(L, -1));
    for (lua_pushnil(L); lua_next(L, -2); lua_pop(L, 1))
      add_setting(L, call, set);
    qsort(set->v, set->n, sizeof set->v[0], by_name);
  }
  lua_pop(L, 1);
}

/* The keys of every question. */
static const char *const common[] = {"workload", "system",   "link", "gpus",
                                     "paradigm", "proposed", "weak", "set"};
enum {
  COMMON = LENGTH(common),
  KEYS_MAX = 32
};

static void refuse_unknown(lua_State *L, const char *call,
                           const char *const more[])
{
  const char *known[KEYS_MAX], *worst = NULL;
  hint near;
  size_t n = 0;

  for (; n < COMMON; n++) known[n] = common[n];
  for (size_t i = 0; more && more[i] && n < KEYS_MAX; i++) known[n++] = more[i];
  for (lua_pushnil(L); lua_next(L, 1); lua_pop(L, 1)) {
    const char *key;
    size_t i = 0;

    if (lua_type(L, -2) != LUA_TSTRING)
      refuse_now(L, "%s: a key that is a %s, not a name", call,
                 type_name(L, -2));
    key = lua_tostring(L, -2);
    while (i < n && strcmp(known[i], key) != 0) i++;
    if (i == n && (!worst || strcmp(key, worst) < 0)) worst = key;
  }
  if (!worst) return;
  refuse_now(L, "%s: %.60s: unknown key%s", call, worst,
             suggested(near, worst, known, n, ""));
}

void read_question(lua_State *L, const char *call, const char *const more[],
                   asking *q)
{
  options *o = &q->o;

  if (lua_gettop(L) != 1 || !lua_istable(L, 1))
    refuse_now(L,
               "%s: needs one table, as in "
               "%s { workload = ... }",
               call, call);
  refuse_unknown(L, call, more);
  *o = (options){.verb = call, .argument = q->workload, .arguments = 1};
  q->workload[0] = text_field(L, call, "workload");
  o->system = text_field(L, call, "system");
  o->link = text_field(L, call, "link");
  if (!q->workload[0] || !o->system)
    refuse_now(L, "%s: %s: missing; needs a name or a file", call,
               q->workload[0] ? "system" : "workload");
  o->gpus = list_field(L, call, "gpus", q->gpus);
  o->paradigm = list_field(L, call, "paradigm", q->paradigm);
  o->proposed = flag_field(L, "proposed");
  o->weak = flag_field(L, "weak");
  settings_field(L, call, &o->set);
}

/* ---- gs.question -------------------------------------------------------- */

static void put_text(lua_State *L, const char *key, const char *text)
{
  if (!text) return;
  lua_pushstring(L, text);
  lua_setfield(L, -2, key);
}

static void put_flag(lua_State *L, const char *key, bool yes)
{
  lua_pushboolean(L, yes);
  lua_setfield(L, -2, key);
}

void set_question(lua_State *L, const options *o)
{
  lua_rawgeti(L, LUA_REGISTRYINDEX, LUA_RIDX_GLOBALS);
  lua_pushliteral(L, "gs");
  lua_rawget(L, -2);
  lua_pushliteral(L, "question");
  lua_newtable(L);
  put_text(L, "workload", o->arguments > 0 ? o->argument[0] : NULL);
  put_text(L, "system", o->system);
  put_text(L, "link", o->link);
  put_text(L, "gpus", o->gpus);
  put_text(L, "paradigm", o->paradigm);
  put_flag(L, "proposed", o->proposed);
  put_flag(L, "weak", o->weak);
  lua_newtable(L);
  for (size_t i = 0; i < o->set.n; i++)
    put_text(L, o->set.v[i].name, o->set.v[i].value);
  lua_setfield(L, -2, "set");
  lua_rawset(L, -3);
  lua_pop(L, 2);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
