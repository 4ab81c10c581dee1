/* constants.c - gs.fit, gs.choose and gs.constant: numbers of ours, fitted to
 * printed ones or chosen where nothing printed says them. */

#include "reproduce/recipes.h"
#include "say/script.h"

#include <lauxlib.h>
#include <math.h>
#include <string.h>

static void copy_text(lua_State *L, const char *call, const char *key, char *to,
                      size_t size)
{
  const char *text = text_field(L, call, key);

  if (!text) refuse(L, line_now(L), "%s: needs a %s", call, key);
  if (strlen(text) >= size)
    refuse(L, line_now(L), "%s: %s: longer than %d bytes", call, key,
           (int)size - 1);
  strcpy(to, text);
}

static double number_field(lua_State *L, const char *call, const char *key)
{
  lua_getfield(L, 1, key);
  if (lua_type(L, -1) != LUA_TNUMBER)
    refuse(L, line_now(L), "%s: %s: needs a number", call, key);
  const double v = lua_tonumber(L, -1);
  lua_pop(L, 1);
  return v;
}

static constant *constant_named(publication *p, const char *name)
{
  for (size_t i = 0; i < p->constants; i++)
    if (strcmp(p->constant[i].name, name) == 0) return &p->constant[i];
  return NULL;
}

static constant *new_constant(lua_State *L, const char *call)
{
  publication *p = of(L)->p;

  if (!lua_istable(L, 1)) refuse(L, line_now(L), "%s: needs a table", call);
  if (p->constants == CONSTANTS_MAX)
    refuse(L, line_now(L), "%s: more than %d constants", call, CONSTANTS_MAX);
  constant *c = &p->constant[p->constants];
  *c = (constant){0};
  copy_text(L, call, "name", c->name, sizeof c->name);
  snprintf(c->from, sizeof c->from, "%s", of(L)->name);
  if (constant_named(p, c->name))
    refuse(L, line_now(L), "%s: '%s' is there already", call, c->name);
  return c;
}

static void check_rows(lua_State *L, const recipes *k, const constant *c)
{
  const char *s = c->rows;
  char id[16];
  int used = 0;

  for (; sscanf(s, "%15s%n", id, &used) == 1; s += used) {
    const published *r = publication_find(k->p, id);

    if (!r) refuse(L, line_now(L), "no printed number '%.40s'", id);
    if (r->standing != STANDING_FITTED)
      refuse(L, line_now(L), "%s is classed %s, but a constant is fitted to it",
             r->id, standing_name(r->standing));
  }
}

/* As a recipe gets it: "3 us", or a number; a unit "whole" rounds. */
static void write_value(constant *c)
{
  const bool whole = strcmp(c->unit, "whole") == 0;

  c->number = whole || !c->unit[0];
  if (c->number)
    snprintf(c->text, sizeof c->text, "%.10g",
             whole ? rint(c->value) : c->value);
  else
    snprintf(c->text, sizeof c->text, "%.10g %s", c->value, c->unit);
}

/* A mistake has the recipe's line; want of memory is none. */
static _Noreturn void refuse_fit(lua_State *L, const failure *why)
{
  if (why->status == EXIT_DATA)
    refuse(L, line_now(L), "gs.fit: %.200s", why->text);
  refuse_as(L, why->status, "gs.fit: %.200s", why->text);
}

/* A constant of a workload is in its file. */
static void take_from_workload(lua_State *L, constant *c)
{
  failure why = {0};

  copy_text(L, "gs.fit", "workload", c->workload, sizeof c->workload);
  copy_text(L, "gs.fit", "key", c->key, sizeof c->key);
  if (workload_says(c->workload, c->key, c->unit, &c->value, &why) != EXIT_OK)
    refuse_fit(L, &why);
}

/* A constant of a system is in its file, which says that it was fitted. */
static void take_from_system(lua_State *L, constant *c)
{
  failure why = {0};
  char system[sizeof c->system], key[sizeof c->key];
  bool fitted = false;

  copy_text(L, "gs.fit", "system", c->system, sizeof c->system);
  copy_text(L, "gs.fit", "key", c->key, sizeof c->key);
  sscanf(c->system, "%63s", system);
  sscanf(c->key, "%63s", key);
  if (system_says(system, key, c->unit, &c->value, &fitted, &why) != EXIT_OK)
    refuse_fit(L, &why);
  if (!fitted)
    refuse(L, line_now(L), "gs.fit: %s does not say that its %s was fitted",
           system, key);
}

/* What is tried of it, or NULL. */
static const constant *held_as(const publication *p, const char *name)
{
  for (size_t i = 0; p->held && i < p->held->constants; i++)
    if (strcmp(p->held->constant[i].name, name) == 0)
      return &p->held->constant[i];
  return NULL;
}

/* { name =, value =, unit =, from =, to =, rows = "P-1 P-2" }; or, in place of
 * the value, system = and key = of a system that has it, or of some, or
 * workload = and key = of one of its knobs. */
int recipes_fit(lua_State *L)
{
  recipes *k = of(L);
  constant *c = new_constant(L, "gs.fit");

  c->fitted = true;
  if (text_field(L, "gs.fit", "unit"))
    copy_text(L, "gs.fit", "unit", c->unit, sizeof c->unit);
  if (text_field(L, "gs.fit", "system"))
    take_from_system(L, c);
  else if (text_field(L, "gs.fit", "workload"))
    take_from_workload(L, c);
  else
    c->value = number_field(L, "gs.fit", "value");
  c->least = number_field(L, "gs.fit", "from");
  c->most = number_field(L, "gs.fit", "to");
  copy_text(L, "gs.fit", "rows", c->rows, sizeof c->rows);
  check_rows(L, k, c);
  const constant *held = held_as(k->p, c->name);
  if (held) c->value = held->value;
  write_value(c);
  k->p->constants++;
  return 0;
}

/* { name =, value =, why =, other =, after = } */
int recipes_choose(lua_State *L)
{
  publication *p = of(L)->p;
  constant *c = new_constant(L, "gs.choose");

  copy_text(L, "gs.choose", "why", c->why, sizeof c->why);
  lua_getfield(L, 1, "value");
  c->number = lua_type(L, -1) == LUA_TNUMBER;
  if (!c->number && lua_type(L, -1) != LUA_TSTRING)
    refuse(L, line_now(L), "gs.choose: value: needs a number or text");
  snprintf(c->text, sizeof c->text, "%s", luaL_tolstring(L, -1, NULL));
  if (text_field(L, "gs.choose", "other"))
    copy_text(L, "gs.choose", "other", c->other, sizeof c->other);
  if (text_field(L, "gs.choose", "after"))
    copy_text(L, "gs.choose", "after", c->after, sizeof c->after);
  const constant *held = held_as(p, c->name);
  if (held) memcpy(c->text, held->text, sizeof c->text);
  p->constants++;
  return 0;
}

int recipes_constant(lua_State *L)
{
  recipes *k = of(L);
  const char *name = luaL_checkstring(L, 1);
  const constant *c = constant_named(k->p, name);

  if (!c)
    refuse(L, line_now(L), "no constant '%.60s': lua/published/choices.lua",
           name);
  k->now.constant[c - k->p->constant] = true;
  if (!c->number || lua_stringtonumber(L, c->text) == 0)
    lua_pushstring(L, c->text);
  return 1;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
